// SPDX-License-Identifier: MIT
/// \file
/// \brief The contract between the share solver and a link, which sends panels from share to share.
#pragma once

#include <concepts>

namespace blockfw::detail {

/// \brief A link of one share to the others.
///
/// Each share has a link and calls every operation for every group, in the order of groups, on one thread. A share that
/// has nothing to send receives or returns. A message is bytes in the panel layout of one tile kernel, so all shares
/// have the same kernel and tile.
///
/// - send_right(stream, group): the owner of the group's pivots sends their right panel down its column of shares
/// - wait_for_right(stream, group): work queued on the stream from here on finds that panel in place
///
/// Shares that update half of a symmetric matrix only also call (see PivotMirror)
///
/// - send_columns, wait_for_columns(stream, group): each share's piece of the pivots' columns, to their owner
/// - send_rows, wait_for_rows(stream, group): the pieces of the pivots' rows, from their owner to each share
template <class AnyLink, class ExecSpace>
concept Link = requires(AnyLink& link, const ExecSpace& stream, int group) {
  link.send_right(stream, group);
  link.wait_for_right(stream, group);
  link.send_columns(stream, group);
  link.wait_for_columns(stream, group);
  link.send_rows(stream, group);
  link.wait_for_rows(stream, group);
};

/// \brief Optional: a link of shares that hold some of the columns only.
///
/// - send_pivot, wait_for_pivot(stream, group): the left panel of the pivots' own rows, along a row of shares; only the
///   owners of the group's rows call them
/// - send_left, wait_for_left(stream, group): the left panel, along a row of shares
template <class AnyLink, class ExecSpace>
concept LinkAcross = Link<AnyLink, ExecSpace> && requires(AnyLink& link, const ExecSpace& stream, int group) {
  link.send_pivot(stream, group);
  link.wait_for_pivot(stream, group);
  link.send_left(stream, group);
  link.wait_for_left(stream, group);
};

/// Whether a link has any operation of LinkAcross. One that has some of them but not all is refused: the share solver
/// would otherwise not call any.
template <class AnyLink, class ExecSpace>
concept SomeLinkAcross = requires(AnyLink& link, const ExecSpace& stream) { link.send_pivot(stream, 0); } ||
                         requires(AnyLink& link, const ExecSpace& stream) { link.wait_for_pivot(stream, 0); } ||
                         requires(AnyLink& link, const ExecSpace& stream) { link.send_left(stream, 0); } ||
                         requires(AnyLink& link, const ExecSpace& stream) { link.wait_for_left(stream, 0); };

/// \brief Optional, but needed where another share writes into this share's panels: release(stream, group) says that
/// work queued on the stream so far is the last to read the group's panels, so that others may write over them. Assert
/// it where the link is used, as device_place.hpp does: without it nothing fails to compile.
template <class AnyLink, class ExecSpace>
concept LinkReleases = requires(AnyLink& link, const ExecSpace& stream, int group) { link.release(stream, group); };

/// \brief Optional: progress() lets messages on their way move on; called now and then.
template <class AnyLink>
concept LinkProgresses = requires(AnyLink& link) { link.progress(); };

}  // namespace blockfw::detail
