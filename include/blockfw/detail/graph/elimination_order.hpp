// SPDX-License-Identifier: MIT
/// \file
/// \brief An order of elimination with little fill: approximate minimum degree.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/neighbours.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// When to give up on an order.
struct OrderLimits {
  /// The most pairs of a vertex and a later vertex that is its neighbour when it is eliminated. These are the entries
  /// of a factor L below its diagonal. A lower bound of the whole order's pairs is compared, as it is known early.
  double most_fill = std::numeric_limits<double>::infinity();
  /// The most entries of lists that are read to find the order. (A core reads some 10^8 entries in a second.)
  double most_steps = std::numeric_limits<double>::infinity();
};

/// \brief Orders the vertices so that each has few neighbours when it is eliminated.
///
/// The graph of the remaining vertices is kept as vertices and elements. An element is the set of neighbours of an
/// eliminated vertex, the pivot. They are all neighbours of each other. The element has the name of its pivot. Each
/// vertex has a list of its elements and of those neighbours with which it shares no element. Each element has a list
/// of its vertices.
///
/// - The new element absorbs the elements that it contains.
/// - Vertices with the same list are neighbours of the same vertices, now and later. One vertex stands for all of them,
///   and they are eliminated together. They are found by a hash of the list.
/// - Vertices without a neighbour outside the new element are eliminated with the pivot.
/// - Degrees are upper bounds: the sizes of a vertex's elements, each without the vertices that it shares with the new
///   element.
///
/// (Amestoy, Davis and Duff, "An approximate minimum degree ordering algorithm", SIAM J. Matrix Anal. Appl. 17, 1996.)
class MinimumDegree {
 public:
  /// \param neighbours  of each vertex
  explicit MinimumDegree(const Neighbours& neighbours)
      : nodes_(neighbours.vertices()),
        first_of_degree_(std::max(nodes_.size(), queues), none),
        first_of_hash_(std::bit_ceil(nodes_.size()), none),
        lists_(neighbours.all.size() + neighbours.all.size() / 5 + nodes_.size()),
        free_(static_cast<Position>(neighbours.all.size())) {
    std::copy(neighbours.all.begin(), neighbours.all.end(), lists_.begin());
    order_.reserve(nodes_.size());
    for (Index v = 0; v < vertices(); ++v) {
      Node& its = node(v);
      its.start = static_cast<Position>(neighbours.first[at(v)]);
      its.length = its.degree = static_cast<Index>(neighbours.of(v).size());
      its.last_alike = v;
    }
    last_of_degree_.fill(none);
  }

  /// The vertices in the order of elimination; nothing if a limit is exceeded. To be called once.
  std::optional<std::vector<std::int32_t>> order(const OrderLimits& limits) {
    const std::vector<Index> hubs = take_hubs();
    left_ = vertices() - static_cast<Index>(hubs.size());
    file_all();
    while (left_ > 0 && !exceeds(limits)) {
      const Index pivot = take_least();
      const Index before = left_;
      make_element(pivot);
      eliminate(pivot);
      count_outside(pivot);
      update_vertices(pivot);
      merge_alike(pivot);
      close_element(pivot);
      count_fill(before - left_, node(pivot).degree);
    }
    if (exceeds(limits)) return std::nullopt;
    order_.insert(order_.end(), hubs.begin(), hubs.end());
    return std::move(order_);
  }

 private:
  using Index = std::int32_t;
  using Position = std::int64_t;
  static constexpr Index none = -1;
  /// Vertices up to this degree are eliminated without a further edge, or with one in place of two.
  static constexpr Index without_fill = 2;
  static constexpr std::size_t queues = 4;  ///< lists of the lowest degrees, see file()
  static constexpr std::int64_t absorbed = 0;

  /// A remaining vertex, with the vertices that it stands for; or an element.
  struct Node {
    Position start = 0;     ///< of its list
    std::int64_t mark = 1;  ///< set by the current step; for an element that no longer exists: absorbed
    Index length = 0;       ///< of its list; 0 if the node no longer exists
    Index elements = 0;     ///< of a vertex: the number of elements, first in its list; then come neighbours
    Index degree = 0;   ///< a vertex: a bound of its neighbours, without those it stands for; an element: its vertices
    Index weight = 1;   ///< the vertices it stands for, with itself; 0 for an element, or a node that no longer exists
    Index next = none;  ///< vertex in the list of the same degree, or of the same hash
    Index previous = none;    ///< vertex in the list of the same degree; or the hash
    Index next_alike = none;  ///< the next in the list of the vertices that one stands for; it starts with itself
    Index last_alike = none;  ///< of a vertex that stands for others: the end of that list
  };

  Index vertices() const { return static_cast<Index>(nodes_.size()); }
  Node& node(Index v) { return nodes_[at(v)]; }
  std::span<Index> list_of(const Node& its) {
    return std::span(lists_).subspan(std::size_t(its.start), at(its.length));
  }
  std::span<Index> elements_of(const Node& vertex) { return list_of(vertex).first(at(vertex.elements)); }
  std::span<Index> neighbours_of(const Node& vertex) { return list_of(vertex).subspan(at(vertex.elements)); }

  /// Takes out the vertices with very many neighbours, which come last. Else each of their neighbours would go through
  /// these long lists when it is eliminated.
  std::vector<Index> take_hubs() {
    const double most = std::max(16.0, 10 * std::sqrt(static_cast<double>(nodes_.size())));
    std::vector<Index> hubs;
    for (Index v = 0; v < vertices(); ++v) {
      Node& its = node(v);
      if (its.degree <= most) continue;
      its.weight = 0;
      for (const Index u : list_of(its)) eliminated_fill_ += node(u).weight > 0;  // (each edge once)
      its.length = 0;
      hubs.push_back(v);
    }
    fill_ = eliminated_fill_;
    return hubs;
  }

  /// \brief Files all vertices, those without fill in a scattered order.
  ///
  /// Along a chain, neighbours are often numbered one after another. In the order of their numbers each would be
  /// eliminated after its neighbour: a chain of n vertices would give a tree n high. Scattered, it is O(log n) high.
  /// They are scattered within each 64th part of them, as neighbours in the memory are often neighbours in the graph.
  void file_all() {
    std::vector<Index> scattered;
    for (Index v = vertices(); v-- > 0;) {
      if (node(v).weight == 0) continue;
      if (node(v).degree <= without_fill)
        scattered.push_back(v);
      else
        file(v);
    }
    std::mt19937 random;  // (std::shuffle gives another order with each standard library)
    const std::size_t part = std::max<std::size_t>(1024, scattered.size() / 64);
    for (std::size_t first = 0; first < scattered.size(); first += part) {
      const auto some = std::span(scattered).subspan(first, std::min(part, scattered.size() - first));
      for (std::size_t left = some.size(); left > 0; --left) {
        std::swap(some[left - 1], some[random() % left]);
        file(some[left - 1]);
      }
    }
  }

  /// The list that has the vertices of a degree. Vertices without fill share one: to take those of degree 1 first would
  /// take a chain from its ends, and give a tree as high as the chain is long.
  static std::size_t list_of_degree(Index degree) { return at(std::max(degree, without_fill)); }

  /// \brief Puts a vertex in the list of its degree.
  ///
  /// In a list of a degree above 3, the latest vertex comes first: elimination stays in one part of the graph, which
  /// gives the least fill. In a list of a lower degree, as in road networks, the earliest vertex comes first: the fill
  /// is about the same, and the tree is less high. (Measured.)
  void file(Index v) {
    Node& its = node(v);
    const std::size_t list = list_of_degree(its.degree);
    Index& first = first_of_degree_[list];
    const bool queue = list < queues;
    its.previous = queue && first != none ? last_of_degree_[list] : none;
    its.next = queue ? none : first;
    if (its.next != none) node(its.next).previous = v;
    (its.previous != none ? node(its.previous).next : first) = v;
    if (queue) last_of_degree_[list] = v;
    least_ = std::min(least_, list);
  }

  /// Takes a vertex out of the list of its degree.
  void unfile(const Node& its) {
    const std::size_t list = list_of_degree(its.degree);
    if (its.next != none)
      node(its.next).previous = its.previous;
    else if (list < queues)
      last_of_degree_[list] = its.previous;
    (its.previous != none ? node(its.previous).next : first_of_degree_[list]) = its.next;
  }

  Index take_least() {
    while (first_of_degree_[least_] == none) ++least_;
    const Index v = first_of_degree_[least_];
    unfile(node(v));
    return v;
  }

  /// Makes the pivot an element of all its neighbours. These vertices get the mark tag_.
  void make_element(Index pivot) {
    Node& its = node(pivot);
    if (static_cast<std::size_t>(free_ + its.degree) > lists_.size()) collect_garbage();
    const bool in_place = its.elements == 0;  // neighbours only: the list does not become longer
    const Position start = in_place ? its.start : free_;
    Position end = start;
    const auto take = [&](Index v) {
      Node& vertex = node(v);
      if (vertex.weight == 0 || vertex.mark == tag_) return;
      vertex.mark = tag_;
      unfile(vertex);
      lists_[static_cast<std::size_t>(end++)] = v;
    };
    its.mark = tag_;
    steps_ += its.length;
    for (const Index e : elements_of(its)) {
      Node& element = node(e);
      steps_ += element.length;
      for (const Index v : list_of(element)) take(v);
      absorb(element);
    }
    for (const Index v : neighbours_of(its)) take(v);
    its.start = start;
    its.length = static_cast<Index>(end - start);
    its.elements = 0;
    if (!in_place) free_ = end;
  }

  static void absorb(Node& element) {
    element.mark = absorbed;
    element.length = 0;
  }

  /// Puts a vertex, and the vertices that it stands for, next in the order.
  void eliminate(Index v) {
    left_ -= node(v).weight;
    node(v).weight = 0;
    for (; v != none; v = node(v).next_alike) order_.push_back(v);
  }

  /// Marks each older element that shares a vertex with the new element. The mark is tag_ + the number of vertices that
  /// the older element does not share.
  void count_outside(Index pivot) {
    for (const Index v : list_of(node(pivot)))
      for (const Index e : elements_of(node(v))) {
        Node& element = node(e);
        if (element.mark == absorbed) continue;
        if (element.mark < tag_) element.mark = tag_ + element.degree;
        element.mark -= node(v).weight;
      }
  }

  /// \brief Updates the new element's vertices: their lists, their hashes, and as degrees their neighbours outside the
  /// element.
  ///
  /// Eliminates the vertices without neighbours outside. Absorbs the elements without a vertex outside.
  void update_vertices(Index pivot) {
    for (const Index v : list_of(node(pivot))) {
      Node& vertex = node(v);
      const auto list = list_of(vertex);
      steps_ += vertex.length;
      std::size_t kept = 0;
      std::int64_t degree = 0;
      std::uint32_t hash = 0;
      const auto keep = [&](Index i, std::int64_t more) {
        list[kept++] = i;
        hash += static_cast<std::uint32_t>(i);
        degree += more;
      };
      for (const Index e : elements_of(vertex)) {
        Node& element = node(e);
        if (element.mark == tag_) absorb(element);
        if (element.mark != absorbed) keep(e, element.mark - tag_);
      }
      const std::size_t elements = kept;
      for (const Index u : neighbours_of(vertex))
        if (node(u).weight > 0 && node(u).mark != tag_) keep(u, node(u).weight);
      if (kept == 0) {
        eliminate(v);
        vertex.length = 0;
        continue;
      }
      // (There is room for one entry: the pivot itself, or an element that it absorbed, was in the list.)
      list[kept++] = list[elements];
      list[elements] = pivot;
      vertex.elements = static_cast<Index>(elements) + 1;
      vertex.length = static_cast<Index>(kept);
      vertex.degree = static_cast<Index>(std::min<std::int64_t>(vertex.degree, degree));
      vertex.previous = static_cast<Index>(hash >> 1);
      vertex.next = std::exchange(first_of_hash(vertex), v);
    }
    tag_ += vertices() + 1;
  }

  /// The first vertex of the list of the same hash, or at least the same end of the hash.
  Index& first_of_hash(const Node& vertex) { return first_of_hash_[at(vertex.previous) & (first_of_hash_.size() - 1)]; }

  /// Finds vertices with the same list, and lets one vertex stand for all of them. Empties the lists of hashes.
  void merge_alike(Index pivot) {
    for (const Index v : list_of(node(pivot))) {
      if (node(v).weight == 0) continue;
      for (Index i = std::exchange(first_of_hash(node(v)), none); i != none; i = node(i).next) {
        Node& one = node(i);
        if (one.next == none) break;
        ++tag_;
        for (const Index u : list_of(one)) node(u).mark = tag_;
        for (Index before = i, j = one.next; j != none; j = node(j).next) {
          Node& other = node(j);
          if (other.previous != one.previous || other.length != one.length || other.elements != one.elements ||
              !std::ranges::all_of(list_of(other), [&](Index u) { return node(u).mark == tag_; })) {
            before = j;
            continue;
          }
          one.weight += std::exchange(other.weight, 0);
          other.length = 0;
          node(one.last_alike).next_alike = j;
          one.last_alike = other.last_alike;
          node(before).next = other.next;
        }
      }
    }
    ++tag_;
  }

  /// Removes vertices that no longer exist from the new element, and files the rest by their degrees.
  void close_element(Index pivot) {
    Node& element = node(pivot);
    const auto list = list_of(element);
    const auto gone = std::ranges::remove_if(list, [&](Index v) { return node(v).weight == 0; });
    element.length -= static_cast<Index>(gone.size());
    if (free_ == element.start + static_cast<Position>(list.size())) free_ -= static_cast<Position>(gone.size());
    if (element.length == 0) absorb(element);
    element.degree = 0;
    for (const Index v : list_of(element)) element.degree += node(v).weight;
    for (const Index v : list_of(element)) {
      Node& vertex = node(v);
      const std::int64_t degree = std::int64_t{vertex.degree} + element.degree;
      vertex.degree = static_cast<Index>(std::min<std::int64_t>(degree, left_)) - vertex.weight;
      file(v);
    }
  }

  /// \brief Counts the fill of vertices that were eliminated together.
  /// \param size  the vertices of their element. These are now neighbours of each other: their own fill is still to
  ///              come.
  void count_fill(double eliminated, double size) {
    eliminated_fill_ += eliminated * size + eliminated * (eliminated - 1) / 2;
    fill_ = std::max(fill_, eliminated_fill_ + size * (size - 1) / 2);
  }

  bool exceeds(const OrderLimits& limits) const { return fill_ > limits.most_fill || steps_ > limits.most_steps; }

  /// Moves the lists together. They never take more room than the neighbours at first.
  void collect_garbage() {
    // A node and the first entry of its list change places. A node name among the entries is known by its ~.
    for (Index v = 0; v < vertices(); ++v)
      if (Node& its = node(v); its.length > 0) its.start = std::exchange(lists_[std::size_t(its.start)], ~v);
    std::size_t to = 0;
    for (std::size_t from = 0; from < static_cast<std::size_t>(free_); ++from) {
      if (lists_[from] >= 0) continue;
      Node& its = node(~lists_[from]);
      lists_[from] = static_cast<Index>(its.start);
      its.start = static_cast<Position>(to);
      for (Index i = 0; i < its.length; ++i) lists_[to++] = lists_[from + at(i)];
      from += at(its.length) - 1;
    }
    free_ = static_cast<Position>(to);
  }

  std::vector<Node> nodes_;
  std::vector<Index> first_of_degree_;        ///< the first vertex in each list; see list_of_degree()
  std::array<Index, queues> last_of_degree_;  ///< the last vertex in each list of a small degree
  std::vector<Index> first_of_hash_;          ///< the first vertex in the list of each hash
  std::vector<Index> lists_;                  ///< the lists of all nodes, with gaps
  std::vector<Index> order_;                  ///< the order so far
  Position free_;                             ///< no list lies at or behind this position
  std::size_t least_ = 0;                     ///< no earlier list has a vertex
  Index left_ = 0;                            ///< the number of remaining vertices, without hubs
  std::int64_t tag_ = 2;                      ///< greater than all marks of earlier steps
  double eliminated_fill_ = 0, fill_ = 0, steps_ = 0;
};

/// \brief An order of elimination with little fill, by approximate minimum degree.
/// \param neighbours  of each vertex
/// \param limits      when to give up
/// \return the vertices in the order of elimination; nothing if a limit is exceeded
///
/// (A template, so that a library can hold it: ../compiled.)
template <class = void>
std::optional<std::vector<std::int32_t>> minimum_degree_order(const Neighbours& neighbours,
                                                              const OrderLimits& limits = {}) {
  return MinimumDegree(neighbours).order(limits);
}

}  // namespace blockfw::detail
