// SPDX-License-Identifier: MIT
/// \file
/// \brief Approximate minimum degree: eliminates the vertices of a graph, or of its regions.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/elimination_steps.hpp"
#include "blockfw/detail/graph/neighbours.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
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
  /// The most entries of lists that are read to find the order, and at first for each region. (A core reads some 10^8
  /// entries in a second.)
  double most_steps = std::numeric_limits<double>::infinity();
};

/// \brief The graph of the remaining vertices, as vertices and elements.
///
/// An element is the set of neighbours of an eliminated vertex, the pivot. They are all neighbours of each other. The
/// element has the name of its pivot. Each vertex has a list of its elements and of those neighbours with which it
/// shares no element. Each element has a list of its vertices.
struct QuotientGraph {
  using Index = std::int32_t;
  using Position = std::int64_t;
  static constexpr Index none = -1;

  /// A remaining vertex, with the vertices that it stands for; or an element.
  struct Node {
    Position start;     ///< where the node's list starts
    std::int64_t mark;  ///< set by the current step; for an element that no longer exists: absorbed
    Index length;       ///< the length of the node's list; 0 if the node no longer exists
    Index elements;     ///< the number of elements at the start of a vertex's list; then come neighbours
    Index degree;       ///< a vertex: a bound of its neighbours, without those it stands for; an element: its vertices
    Index weight;       ///< the vertices it stands for, with itself; 0 for an element, or a node that no longer exists
    Index next;         ///< vertex in the list of the same degree, or of the same hash
    Index previous;     ///< vertex in the list of the same degree; or the hash
    Index next_alike;   ///< the next in the list of the vertices that one stands for; it starts with itself
    Index last_alike;   ///< the end of that list, for a vertex that stands for others
  };

  /// Vertices with consecutive numbers, and the room for the lists of their nodes.
  struct Region {
    Index first, end;
    Position room, free, room_end;  ///< no list lies at or behind `free`
  };

  /// \brief Makes the nodes and lists of a region.
  /// \param order  the caller's vertex of each node
  /// \param place  of each of the caller's vertices; -1: it is left out
  void fill(Region& region, const Neighbours& neighbours, const std::vector<Index>& order,
            const std::vector<Index>& place) {
    for (Index v = region.first; v < region.end; ++v) {
      const Position start = region.free;
      for (const Index u : neighbours.of(order[at(v)]))
        if (place[at(u)] >= 0) lists[static_cast<std::size_t>(region.free++)] = place[at(u)];
      const auto degree = static_cast<Index>(region.free - start);
      nodes[at(v)] = {start, 1, degree, 0, degree, 1, none, none, none, v};
    }
    std::fill(lists.get() + region.free, lists.get() + region.room_end, 0);  // (see collect_garbage())
  }

  // (Not filled at first, so that the thread that fills a region meets its fresh memory.)
  std::unique_ptr<Node[]> nodes;
  std::unique_ptr<Index[]> lists;  ///< the lists of all nodes, with gaps between them
};

/// \brief Eliminates vertices of a region of a graph, each when it has few neighbours.
///
/// - The new element absorbs the elements that it contains.
/// - Vertices with the same list are neighbours of the same vertices, now and later. One vertex stands for all of them,
///   and they are eliminated together. They are found by a hash of the list.
/// - Vertices without a neighbour outside the new element are eliminated with the pivot.
/// - Degrees are upper bounds: the sizes of a vertex's elements, each without the vertices that it shares with the new
///   element.
/// - Vertices with a neighbour in another region stay as they are. So several threads may each have a region.
///
/// (Amestoy, Davis and Duff, "An approximate minimum degree ordering algorithm", SIAM J. Matrix Anal. Appl. 17, 1996.)
class MinimumDegree {
 public:
  using Index = QuotientGraph::Index;
  using Region = QuotientGraph::Region;

  /// \param most_degree  the highest degree of a vertex that is eliminated
  /// \param left         the vertices of all regions
  MinimumDegree(QuotientGraph& graph, const Region& region, Index most_degree, Index left)
      : nodes_(graph.nodes.get(), at(left)),
        lists_(graph.lists.get(), static_cast<std::size_t>(region.room_end)),
        region_(region),
        never_(std::max(queues, at(std::min(most_degree, region.end - region.first)) + 1)),
        first_of_degree_(never_ + 1, none),
        first_of_hash_(std::bit_ceil(at(region.end - region.first)), none),
        crosses_(at(region.end - region.first), 0),
        left_(left) {
    last_of_degree_.fill(none);
    steps_.reserve(crosses_.size());
  }

  /// Continues the work of another object: behind its order, with its fill and steps.
  void follow(const MinimumDegree& other) {
    steps_.append(other.steps_);
    left_ -= static_cast<Index>(other.steps_.order.size());
    tag_ = std::max(tag_, other.tag_);
    add_fill(other.eliminated_fill_);
    read_ += other.read_;
  }
  void add_fill(double fill) { fill_ = eliminated_fill_ += fill; }

  /// Eliminates vertices until none of a low degree is left, or a limit is exceeded. To be called once.
  void eliminate(const OrderLimits& limits) {
    file_all();
    for (Index pivot; !exceeds(limits) && (pivot = take_least()) != none;) {
      if (bypass(pivot)) continue;
      const Index before = left_;
      make_element(pivot);
      eliminate(pivot);
      count_outside(pivot);
      update_vertices(pivot);
      merge_alike(pivot);
      close_element(pivot);
      end_step(before - left_, list_of(node(pivot)));
    }
  }

  bool exceeds(const OrderLimits& limits) const { return fill_ > limits.most_fill || read_ > limits.most_steps; }
  /// The steps so far.
  EliminationSteps& steps() { return steps_; }

 private:
  using Node = QuotientGraph::Node;
  using Position = QuotientGraph::Position;
  static constexpr Index none = QuotientGraph::none;
  /// Vertices up to this degree are eliminated without a further edge, or with one in place of two.
  static constexpr Index without_fill = 2;
  static constexpr std::size_t queues = 4;  ///< lists of the lowest degrees, see file()
  static constexpr std::int64_t absorbed = 0;

  Index vertices() const { return static_cast<Index>(nodes_.size()); }
  Node& node(Index v) { return nodes_[at(v)]; }
  std::span<Index> list_of(const Node& its) { return lists_.subspan(std::size_t(its.start), at(its.length)); }
  std::span<Index> elements_of(const Node& vertex) { return list_of(vertex).first(at(vertex.elements)); }
  std::span<Index> neighbours_of(const Node& vertex) { return list_of(vertex).subspan(at(vertex.elements)); }
  bool elsewhere(Index v) const { return v < region_.first || v >= region_.end; }
  char& crosses(Index v) { return crosses_[at(v - region_.first)]; }

  /// \brief Files all vertices. Vertices without fill are filed in a scattered order.
  ///
  /// Along a chain, neighbours are often numbered one after another. In the order of their numbers each would be
  /// eliminated after its neighbour: a chain of n vertices would give a tree n high. Scattered, it is O(log n) high.
  /// They are scattered within each 64th part of them, as neighbours in the memory are often neighbours in the graph.
  void file_all() {
    std::vector<Index> scattered;
    for (Index v = region_.end; v-- > region_.first;) {
      const Node& its = node(v);
      if (its.weight == 0) continue;
      crosses(v) = std::ranges::any_of(neighbours_of(its), [&](Index u) { return elsewhere(u); });
      if (its.degree <= without_fill && !crosses(v))
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

  /// The list that has the vertices of a degree. Vertices without fill share a list. If vertices of degree 1 came
  /// first, a chain would be eliminated from its ends, and its tree would be as high as the chain is long.
  std::size_t list_of(Index v) { return std::min(never_, at(std::max(node(v).degree, without_fill))); }

  /// \brief Puts a vertex in the list of its degree.
  ///
  /// In a list of a degree above 3, the latest vertex comes first: elimination stays in one part of the graph, which
  /// gives the least fill. In a list of a lower degree, as in road networks, the earliest vertex comes first: the fill
  /// is about the same, and the tree is less high. (Measured.)
  ///
  /// Vertices with a neighbour in another region are in no list.
  void file(Index v) {
    if (crosses(v)) return;
    Node& its = node(v);
    const std::size_t list = list_of(v);
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
  void unfile(Index v) {
    if (crosses(v)) return;
    const Node& its = node(v);
    const std::size_t list = list_of(v);
    if (its.next != none)
      node(its.next).previous = its.previous;
    else if (list < queues)
      last_of_degree_[list] = its.previous;
    (its.previous != none ? node(its.previous).next : first_of_degree_[list]) = its.next;
  }

  /// A vertex of the least degree; none if there is none.
  Index take_least() {
    while (least_ < never_ && first_of_degree_[least_] == none) ++least_;
    if (least_ == never_) return none;
    const Index v = first_of_degree_[least_];
    unfile(v);
    return v;
  }

  /// \brief Eliminates a pivot with at most two neighbours and no element: an edge between the neighbours replaces it
  /// in their lists.
  ///
  /// Most vertices of a road network. An element would take longer, and stay in the lists.
  /// \return whether it did
  bool bypass(Index pivot) {
    const Node& its = node(pivot);
    if (its.elements > 0 || its.length > 2) return false;
    std::array<Index, 2> ends{none, none};
    std::size_t count = 0;
    for (const Index v : list_of(its))
      if (node(v).weight > 0) ends[count++] = v;
    const double eliminated = its.weight;
    if (count == 2) {
      const bool joined = adjacent(ends[0], ends[1]);
      replace(ends[0], pivot, joined ? none : ends[1]);
      replace(ends[1], pivot, joined ? none : ends[0]);
    } else if (count == 1) {
      replace(ends[0], pivot, none);
    }
    eliminate(pivot);
    node(pivot).length = 0;
    end_step(eliminated, std::span(ends).first(count));
    return true;
  }

  /// Whether two vertices are neighbours, by an edge or an element.
  bool adjacent(Index v, Index u) {
    const Node &one = node(v), &other = node(u);
    const auto has = [](std::span<const Index> list, Index i) { return std::ranges::find(list, i) != list.end(); };
    read_ += one.length;
    if (has(neighbours_of(one), u)) return true;
    return std::ranges::any_of(elements_of(one),
                               [&](Index e) { return node(e).mark != absorbed && has(elements_of(other), e); });
  }

  /// Replaces a neighbour of vertex v by another one, or by none; and files v anew.
  void replace(Index v, Index neighbour, Index by) {
    unfile(v);
    Node& vertex = node(v);
    const auto list = neighbours_of(vertex);
    const auto place = std::ranges::find(list, neighbour);
    *place = by != none ? by : list.back();
    vertex.length -= by == none;
    vertex.degree += (by != none ? node(by).weight : 0) - node(neighbour).weight;
    read_ += vertex.length;
    file(v);
  }

  /// Makes the pivot an element of all its neighbours. These vertices get the mark tag_.
  void make_element(Index pivot) {
    Node& its = node(pivot);
    if (region_.free + its.degree > region_.room_end) collect_garbage();
    const bool in_place = its.elements == 0;  // neighbours only: the list does not become longer
    const Position start = in_place ? its.start : region_.free;
    Position end = start;
    const auto take = [&](Index v) {
      Node& vertex = node(v);
      if (vertex.weight == 0 || vertex.mark == tag_) return;
      vertex.mark = tag_;
      unfile(v);
      lists_[static_cast<std::size_t>(end++)] = v;
    };
    its.mark = tag_;
    read_ += its.length;
    for (const Index e : elements_of(its)) {
      Node& element = node(e);
      read_ += element.length;
      for (const Index v : list_of(element)) take(v);
      absorb(element);
    }
    for (const Index v : neighbours_of(its)) take(v);
    its.start = start;
    its.length = static_cast<Index>(end - start);
    its.elements = 0;
    if (!in_place) region_.free = end;
  }

  static void absorb(Node& element) {
    element.mark = absorbed;
    element.length = 0;
  }

  /// Puts a vertex, and the vertices that it stands for, next in the order.
  void eliminate(Index v) {
    left_ -= node(v).weight;
    node(v).weight = 0;
    for (; v != none; v = node(v).next_alike) steps_.order.push_back(v);
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
      read_ += vertex.length;
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
        if (elsewhere(u))
          keep(u, 1);
        else if (node(u).weight > 0 && node(u).mark != tag_)
          keep(u, node(u).weight);
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
      if (crosses(v)) continue;
      vertex.previous = static_cast<Index>(hash >> 1);
      vertex.next = std::exchange(first_of_hash(vertex), v);
    }
    tag_ += std::int64_t{vertices()} + 1;
  }

  /// The first vertex of the list of the vertex's hash. Hashes with the same last bits share a list.
  Index& first_of_hash(const Node& vertex) { return first_of_hash_[at(vertex.previous) & (first_of_hash_.size() - 1)]; }

  /// Finds vertices with the same list, and lets one vertex stand for all of them. Empties the lists of hashes.
  void merge_alike(Index pivot) {
    for (const Index v : list_of(node(pivot))) {
      if (node(v).weight == 0 || crosses(v)) continue;
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
    if (region_.free == element.start + static_cast<Position>(list.size()))
      region_.free -= static_cast<Position>(gone.size());
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

  /// \brief Notes the boundary of vertices that were eliminated together, and counts their fill.
  /// \param boundary  the remaining vertices that stand for its vertices. These are now neighbours of each other: their
  ///                  own fill is still to come.
  void end_step(double eliminated, std::span<const Index> boundary) {
    Index vertices = 0;
    for (const Index v : boundary) {
      steps_.boundaries.push_back({v, node(v).weight});
      vertices += node(v).weight;
    }
    steps_.end_step(vertices);
    const double size = vertices;
    eliminated_fill_ += eliminated * size + eliminated * (eliminated - 1) / 2;
    fill_ = std::max(fill_, eliminated_fill_ + size * (size - 1) / 2);
  }

  /// Moves the lists together. They never take more room than the neighbours at first.
  void collect_garbage() {
    // (Gaps hold no negative entry.)
    // The first entry of each list moves to Node::start, and ~(node) takes its place. So a negative entry begins a
    // list.
    for (Index v = region_.first; v < region_.end; ++v)
      if (Node& its = node(v); its.length > 0) its.start = std::exchange(lists_[std::size_t(its.start)], ~v);
    auto to = static_cast<std::size_t>(region_.room);
    for (std::size_t from = to; from < static_cast<std::size_t>(region_.free); ++from) {
      if (lists_[from] >= 0) continue;
      Node& its = node(~lists_[from]);
      lists_[from] = static_cast<Index>(its.start);
      its.start = static_cast<Position>(to);
      for (Index i = 0; i < its.length; ++i) lists_[to++] = lists_[from + at(i)];
      from += at(its.length) - 1;
    }
    region_.free = static_cast<Position>(to);
  }

  std::span<Node> nodes_;
  std::span<Index> lists_;
  Region region_;
  std::size_t never_;                         ///< the list of vertices that this object does not eliminate
  std::vector<Index> first_of_degree_;        ///< the first vertex in each list; see list_of()
  std::array<Index, queues> last_of_degree_;  ///< the last vertex in each list of a small degree
  std::vector<Index> first_of_hash_;          ///< the first vertex in the list of each hash
  std::vector<char> crosses_;                 ///< whether a vertex has a neighbour in another region
  EliminationSteps steps_;
  std::size_t least_ = 0;  ///< no earlier list has a vertex
  Index left_;             ///< an upper bound of the number of remaining vertices
  std::int64_t tag_ = 2;   ///< greater than all marks of earlier steps
  double eliminated_fill_ = 0, fill_ = 0;
  double read_ = 0;  ///< entries of lists
};

}  // namespace blockfw::detail
