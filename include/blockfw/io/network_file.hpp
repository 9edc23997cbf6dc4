// SPDX-License-Identifier: MIT
/// \file
/// \brief A network in a file: saved once, mapped by any number of programs, asked at once.
///
/// The file has the structure, the edges and the numbers of the elimination. It is for machines with the same order of
/// bytes, and for this version of the library; another file, a shorter or a damaged one is refused.
#pragma once

#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/io/distance_record.hpp"
#include "blockfw/detail/io/section_file.hpp"
#include "blockfw/files/output_file.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/network.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockfw {

namespace detail {

/// \brief The parts of a network that a file has.
template <Semiring S, class Host>
class NetworkParts {
  using T = typename S::value_type;
  static constexpr const char *magic = "blockfw network", *kind = "a saved network";
  static constexpr std::uint64_t version = 1;
  enum Property { direction, strict_cycles, symmetric };
  enum Section { from, to, weight, order, last, parent, sizes, boundary, ways, own, other_ways, other_own };

 public:
  /// Calls write(data, bytes) for all parts; first start(bytes in all).
  template <class Start, class Write>
  static void write(const Network<S, Host>& network, const Start& start, const Write& write) {
    const Elimination& structure = network.structure();
    const auto& values = *network.place_.values();
    std::vector<std::int32_t> from, to, last, parent, sizes, boundary;
    std::vector<T> weight;
    for (const Edge<T>& edge : network.edges()) {
      from.push_back(edge.from);
      to.push_back(edge.to);
      weight.push_back(edge.weight);
    }
    for (const Supernode& node : structure.supernodes) {
      last.push_back(node.last);
      parent.push_back(node.parent);
      sizes.push_back(static_cast<std::int32_t>(node.boundary.size()));
      boundary.insert(boundary.end(), node.boundary.begin(), node.boundary.end());
    }
    io::detail::SectionWriter writer(magic, io::detail::name_of_semiring<S>(), version);
    writer.property(Property::direction, static_cast<std::int64_t>(network.direction_));
    writer.property(Property::strict_cycles, network.strict_cycles_);
    writer.property(Property::symmetric, values.symmetric);
    for (const auto* list : {&std::as_const(from), &std::as_const(to)})
      writer.add(std::span<const std::int32_t>(*list));
    writer.add(std::span<const T>(weight));
    for (const std::vector<std::int32_t>* list :
         std::initializer_list<const std::vector<std::int32_t>*>{&structure.order, &last, &parent, &sizes, &boundary})
      writer.add(std::span<const std::int32_t>(*list));
    // (Whole vectors read some numbers behind the end of these arrays.)
    for (int sweep = 0; sweep < (values.symmetric ? 1 : 2); ++sweep)
      for (const auto& array : {values.ways[sweep], values.own[sweep]})
        writer.add(std::span<const T>(array.data(), array.size() + FactorValues<T>::beyond));
    start(writer.bytes());
    writer.write(write);
  }

  static std::string type(io::detail::SectionReader reader) { return reader.type(magic, kind); }

  static Network<S, Host> read(const Host& exec, io::detail::SectionReader reader) {
    reader.check(magic, io::detail::name_of_semiring<S>(), version, kind);
    const auto froms = reader.template section<std::int32_t>(from), tos = reader.template section<std::int32_t>(to);
    const auto weights = reader.template section<T>(weight);
    if (tos.size() != froms.size() || weights.size() != froms.size()) reader.damaged();
    std::vector<Edge<T>> edges;
    edges.reserve(froms.size());
    for (std::size_t e = 0; e < froms.size(); ++e) edges.push_back({froms[e], tos[e], weights[e]});
    Elimination structure = structure_of(reader);
    auto values = std::make_shared<FactorValues<T>>();
    values->symmetric = reader.property(Property::symmetric) != 0;
    values->memory = reader.memory();
    values->start = starts_of(structure);
    const FactorStart end = values->start.back();
    for (int sweep = 0; sweep < (values->symmetric ? 1 : 2); ++sweep) {
      const auto array = [&](std::size_t section, std::size_t count) {
        const auto numbers = reader.template section<T>(section);
        if (numbers.size() != count + FactorValues<T>::beyond) reader.damaged();
        return typename FactorValues<T>::Array(numbers.data(), count);
      };
      values->ways[sweep] = array(sweep == 0 ? ways : other_ways, end.ways);
      values->own[sweep] = array(sweep == 0 ? own : other_own, end.own);
    }
    return Network<S, Host>(exec, SparseAnalysis(std::move(structure)), std::move(edges),
                            reader.property(Property::direction) != 0 ? Direction::undirected : Direction::directed,
                            reader.property(Property::strict_cycles) != 0, std::move(values));
  }

 private:
  static Elimination structure_of(const io::detail::SectionReader& reader) {
    const auto list = [&](Section which) { return reader.template section<std::int32_t>(which); };
    const auto orders = list(order), lasts = list(last), parents = list(parent), counts = list(sizes),
               boundaries = list(boundary);
    const std::size_t n = orders.size(), count = lasts.size();
    if (parents.size() != count || counts.size() != count || (count > 0 ? lasts.back() : 0) != std::int64_t(n))
      reader.damaged();
    Elimination structure;
    structure.order.assign(orders.begin(), orders.end());
    std::vector<char> seen(n, 0);
    for (const std::int32_t v : structure.order)
      if (v < 0 || static_cast<std::size_t>(v) >= n || seen[static_cast<std::size_t>(v)]++) reader.damaged();
    std::size_t entries = 0;
    std::int32_t next = 0;
    for (std::size_t s = 0; s < count; ++s) {
      const bool fits =
          lasts[s] > next && (parents[s] == -1 || (parents[s] > std::int64_t(s) && parents[s] < std::int64_t(count)));
      if (!fits || counts[s] < 0) reader.damaged();
      structure.supernodes.push_back({next, lasts[s], parents[s], {}, 0, true, 0, {}});
      next = lasts[s];
      entries += static_cast<std::size_t>(counts[s]);
    }
    if (entries != boundaries.size()) reader.damaged();
    complete_structure(structure);
    if (!set_boundaries(structure, counts, boundaries)) reader.damaged();
    return structure;
  }
};

}  // namespace detail

/// \brief Saves a network. The file appears whole or not at all.
/// \throws FileError when it cannot be written
template <Semiring S, class Host>
void save_network(const std::filesystem::path& path, const Network<S, Host>& network) {
  std::unique_ptr<io::OutputFile> file;
  detail::NetworkParts<S, Host>::write(
      network, [&](std::uint64_t bytes) { file = std::make_unique<io::OutputFile>(path, bytes); },
      [&](const void* data, std::size_t bytes) { file->write(data, bytes); });
  file->commit();
}

/// \brief Loads a saved network. Its numbers are mapped, not copied.
/// \tparam S    the semiring of the saved network
/// \param exec  the instance to run on
/// \param path  the file
/// \throws FileError when the file cannot be read, is no network of S, is shorter than it was or damaged
template <Semiring S, class Host>
Network<S, Host> load_network(const Host& exec, const std::filesystem::path& path) {
  return detail::NetworkParts<S, Host>::read(exec, io::detail::SectionReader(path));
}

/// \brief The numbers of a saved network: "int16", "int32", "int64", "float" or "double" for shortest paths, the name
/// of the semiring for others.
/// \throws FileError when the file cannot be read, or is no network
inline std::string type_of_saved_network(const std::filesystem::path& path) {
  return detail::NetworkParts<MinPlus<double>, Kokkos::DefaultHostExecutionSpace>::type(
      io::detail::SectionReader(path));
}

/// The bytes of a saved network, to be sent elsewhere.
template <Semiring S, class Host>
std::string bytes_of_network(const Network<S, Host>& network) {
  std::string all;
  detail::NetworkParts<S, Host>::write(
      network, [&](std::uint64_t bytes) { all.reserve(bytes); },
      [&](const void* data, std::size_t bytes) { all.append(static_cast<const char*>(data), bytes); });
  return all;
}

/// \brief The network from the bytes of a file.
/// \throws FileError when they are no network of S, or not all
template <Semiring S, class Host>
Network<S, Host> network_of_bytes(const Host& exec, std::span<const char> bytes) {
  return detail::NetworkParts<S, Host>::read(exec, io::detail::SectionReader(bytes, "the bytes of a network"));
}

}  // namespace blockfw
