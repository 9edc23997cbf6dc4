// SPDX-License-Identifier: MIT
/// \file
/// \brief The processes that hold a matrix together, and how they agree.
#pragma once

#include "blockfw/ground/weights.hpp"

#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// How numbers of several processes are combined to one number.
enum class Reduction { least, most, sum };

/// \brief The processes that hold shares together. Their functions are collective: all processes call them. They are
/// here for one process; several override them.
class Processes {
 public:
  virtual ~Processes() = default;

  /// The name of the place in the text of an error: "on ...".
  virtual const char* name() const = 0;
  /// The number of this process, and of all processes. Local.
  virtual int process() const { return 0; }
  virtual int processes() const { return 1; }
  /// Stands for all processes.
  static constexpr int everyone = -1;
  /// Whether this process is the one, or one of all. Local.
  bool is(int one) const { return one == everyone || one == process(); }

  /// Calls f on each process.
  /// \throws on all processes the first error of any process
  virtual void together(const std::function<void()>& f) const { f(); }
  /// \throws InvalidInput, which names the numbers, if processes pass different numbers
  virtual void require_same(const std::vector<std::int64_t>&, const char* /*names*/) const {}
  /// Replaces each number by the combined number of all processes.
  virtual void reduce(std::vector<std::int64_t>& /*numbers*/, Reduction) const {}
  virtual void reduce(std::vector<double>& /*numbers*/, Reduction) const {}
  template <class T>
  T reduced(T number, Reduction how) const {
    std::vector<std::conditional_t<std::is_integral_v<T>, std::int64_t, double>> one{number};
    reduce(one, how);
    return static_cast<T>(one[0]);
  }
  /// The range of the weights of all processes, out of the range of each.
  template <class T>
  WeightRange<T> reduced(const WeightRange<T>& range) const {
    return {reduced(range.smallest, Reduction::least), reduced(range.largest, Reduction::most),
            reduced(range.total, Reduction::sum)};
  }
  bool on_all(bool is) const { return reduced(int(is), Reduction::least) == 1; }
  bool on_any(bool is) const { return reduced(int(is), Reduction::most) == 1; }
};

}  // namespace blockfw::detail
