// SPDX-License-Identifier: MIT
/// \file
/// \brief The operations of one kind of numbers, by the phases of its tile kernel.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/kernel/phases.hpp"
#include "blockfw/detail/kernel/rounds.hpp"
#include "blockfw/detail/kernel/tuned_tiles.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/numbers/operations.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace blockfw::detail {

/// A block as a matrix of numbers of type T.
template <class T, class ExecSpace>
MatrixRef<T, ExecSpace> matrix_of(const Block& d) {
  return MatrixRef<T, ExecSpace>(reinterpret_cast<T*>(d.data),
                                 Kokkos::LayoutStride(at(d.rows), at(d.stride), at(d.columns), 1));
}
/// A matrix with contiguous rows as a block.
template <MatrixView View>
Block block_of(const View& d) {
  return {reinterpret_cast<std::byte*>(d.data()), d.extent_int(0), d.extent_int(1),
          static_cast<std::int64_t>(d.stride(0))};
}

/// \brief The operations by the phases of a tile, a space and a semiring.
///
/// Memory: the panels that GroupStorageOptions asks for. The constructor allocates them, the destructor frees them.
template <class Phase, class ExecSpace>
class OperationsOf final : public Operations<ExecSpace> {
  using S = typename Phase::semiring;
  using T = typename S::value_type;
  using Ref = typename Phase::Ref;
  using Storage = typename Phase::GroupStorage;

 public:
  OperationsOf(const ExecSpace& exec, const GroupStorageOptions& panels) : storage_(exec, panels) {}

  std::size_t entry_bytes() const override { return sizeof(T); }

  /// (To be called before other work is queued, as the allocation would wait for that work.)
  void reserve_square(const ExecSpace& keeper, int pivots) const override {
    static_cast<void>(
        typename Phase::PanelStorage(keeper, {.order = pivots, .height = pivots, .width = pivots}, keeper));
    keeper.fence("blockfw::memory_of_square");
  }
  void close_square(const ExecSpace& exec, const GroupOfPart& of, const IndexRange& rows, const IndexRange& columns,
                    const ExecSpace& keeper, const Progress& progress) const override {
    const auto share = typed(of.part);
    const auto panels = storage_.panels(of.left);
    eliminate<Phase>(exec, submatrix(share.d, rows.first, rows.count, columns.first, columns.count),
                     Direction::directed, is_host_space<ExecSpace> ? progress : Progress(), keeper);
    Phase::publish_pivots(exec, share, of.group.first, of.group.last(), panels, rows, columns);
    Phase::publish(exec, share, of.group.first, of.group.last(), panels, false, columns, {rows});
  }
  void make_right(const ExecSpace& exec, const GroupOfPart& of, const IndexRange& rows,
                  const Selection& columns) const override {
    const auto share = typed(of.part);
    const auto panels = storage_.panels(of.left);
    const int first = of.group.first, last = of.group.last();
    Phase::publish(exec, share, first, last, panels, true, rows, columns);  // the operand
    Phase::update_through(exec, share, first, last, panels, {rows}, columns);
    Phase::publish(exec, share, first, last, panels, true, rows, {columns.all});
  }
  void make_left(const ExecSpace& exec, const GroupOfPart& of, const IndexRange& columns,
                 const Selection& rows) const override {
    Phase::publish(exec, typed(of.part), of.group.first, of.group.last(), storage_.panels(of.left), false, columns,
                   rows);
  }
  void update(const ExecSpace& exec, const GroupOfPart& of, const Selection& rows, const Selection& columns,
              const HalfOfTiles& half) const override {
    Phase::update_through(exec, typed(of.part), of.group.first, of.group.last(), storage_.panels(of.left), rows,
                          columns, half.tiles > 0 ? HalfTiles{Phase::block, half.tiles, half.first} : HalfTiles());
  }

  void copy(const ExecSpace& exec, const Block& to, const Block& from) const override {
    copy_rows(exec, typed(to), typed(from));
  }
  void transpose(const ExecSpace& exec, const Block& from, const Block& to) const override {
    detail::transpose(exec, typed(from), typed(to));
  }
  void combine(const ExecSpace& exec, const Block& to_block, const Block& from_block) const override {
    const Ref to = typed(to_block), from = typed(from_block);
    const auto width = extent_along(from, 1), entries = static_cast<std::int64_t>(from.size());
    for_range(
        "blockfw::combine", exec, 0, entries, KOKKOS_LAMBDA(std::int64_t e) {
          const std::int64_t i = e / width, j = e % width;
          to(i, j) = S::relax(to(i, j), from(i, j), S::one());
        });
  }

  Message left(int round) const override { return storage_.left(round); }
  Message right(int round) const override { return storage_.right(round); }
  Message left(int round, int tile, int count) const override { return storage_.left(round, tile, count); }
  Message left_pivot(int round) const override { return storage_.left_pivot(round); }

 private:
  static Ref typed(const Block& d) { return matrix_of<T, ExecSpace>(d); }
  static typename Phase::Part typed(const Part<Block>& part) { return {typed(part.d), part.row, part.col}; }

  Storage storage_;
};

/// Makes the operations by the phases `Phase`; a NumbersMaker.
template <class Phase, class ExecSpace>
std::unique_ptr<Operations<ExecSpace>> numbers_of(const ExecSpace& exec, const GroupStorageOptions& panels) {
  return std::make_unique<OperationsOf<Phase, ExecSpace>>(exec, panels);
}

}  // namespace blockfw::detail

namespace blockfw::detail::compiled {

/// The phases of large matrices.
template <class S>
using LargePhases = Phases<default_tile<Exec, Value<S>>, Exec, S>;

}  // namespace blockfw::detail::compiled

/// The operations on blocks, and the rounds with the same tile, which close squares.
#define BLOCKFW_COMPILED_NUMBERS(LINKAGE, S)                                                                     \
  LINKAGE template class blockfw::detail::OperationsOf<blockfw::detail::compiled::LargePhases<S>,                \
                                                       blockfw::detail::compiled::Exec>;                         \
  LINKAGE template std::unique_ptr<blockfw::detail::Operations<blockfw::detail::compiled::Exec>>                 \
  blockfw::detail::numbers_of<blockfw::detail::compiled::LargePhases<S>>(const blockfw::detail::compiled::Exec&, \
                                                                         const blockfw::GroupStorageOptions&);   \
  LINKAGE template void blockfw::detail::eliminate<blockfw::detail::compiled::LargePhases<S>>(                   \
      const blockfw::detail::compiled::Exec&, const blockfw::detail::compiled::LargePhases<S>::Ref&,             \
      blockfw::Direction, const blockfw::Progress&, const blockfw::detail::compiled::Exec&);

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_NUMBERS, extern)
BLOCKFW_COMPILED_SEMIRINGS(BLOCKFW_COMPILED_NUMBERS, extern)
#endif
