// SPDX-License-Identifier: MIT
/// \file
/// \brief The contract between the share solver and a link, which sends panels from share to share.
#pragma once

#include <concepts>

namespace blockfw::detail {

/// \brief A link of one share to the others.
///
/// Each share has a link. It calls every operation for every group, in the order of groups, on one thread. A share that
/// has nothing to send receives or returns. A message is bytes in the panel layout of one tile kernel, so all shares
/// have the same kernel and tile.
///
/// - send_right(stream, group): the owner of the group's pivots sends their right panel down its column of shares.
/// - wait_for_right(stream, group): work that is queued on the stream from here on finds that panel in place.
///
/// Shares that update only half of a symmetric matrix also call the operations below (see PivotMirror).
///
/// - send_columns, wait_for_columns(stream, group): each share's piece of the pivots' columns, to their owner.
/// - send_rows, wait_for_rows(stream, group): the pieces of the pivots' rows, from their owner to each share.
template <class AnyLink, class ExecSpace>
concept Link = requires(AnyLink& link, const ExecSpace& stream, int group) {
  link.send_right(stream, group);
  link.wait_for_right(stream, group);
  link.send_columns(stream, group);
  link.wait_for_columns(stream, group);
  link.send_rows(stream, group);
  link.wait_for_rows(stream, group);
};

/// \brief Optional: a link of shares that hold only some of the columns.
///
/// - send_pivot, wait_for_pivot(stream, group): the left panel of the pivots' own rows, along a row of shares. Only the
///   owners of the group's rows call them.
/// - send_left, wait_for_left(stream, group): the left panel, along a row of shares.
template <class AnyLink, class ExecSpace>
concept LinkAcross = Link<AnyLink, ExecSpace> && requires(AnyLink& link, const ExecSpace& stream, int group) {
  link.send_pivot(stream, group);
  link.wait_for_pivot(stream, group);
  link.send_left(stream, group);
  link.wait_for_left(stream, group);
};

/// Whether a link has any operation of LinkAcross. A link that has some of the operations but not all is refused.
/// Otherwise the share solver would not call any of them.
template <class AnyLink, class ExecSpace>
concept SomeLinkAcross = requires(AnyLink& link, const ExecSpace& stream) { link.send_pivot(stream, 0); } ||
                         requires(AnyLink& link, const ExecSpace& stream) { link.wait_for_pivot(stream, 0); } ||
                         requires(AnyLink& link, const ExecSpace& stream) { link.send_left(stream, 0); } ||
                         requires(AnyLink& link, const ExecSpace& stream) { link.wait_for_left(stream, 0); };

/// \brief Optional, but needed where another share writes into this share's panels. After release(stream, group), other
/// shares may write over the group's panels. Work that is queued on the stream so far is the last work that reads them.
/// Assert this concept where the link is used, as device_place.hpp does: without it nothing fails to compile.
template <class AnyLink, class ExecSpace>
concept LinkReleases = requires(AnyLink& link, const ExecSpace& stream, int group) { link.release(stream, group); };

/// \brief Optional: progress() lets pending messages move on. It is called now and then.
template <class AnyLink>
concept LinkProgresses = requires(AnyLink& link) { link.progress(); };

}  // namespace blockfw::detail
