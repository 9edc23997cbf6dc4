// SPDX-License-Identifier: MIT
#include "printing.hpp"

#include "progress.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

void apsp::print(const std::string& lines) {
  if (std::fwrite(lines.data(), 1, lines.size(), stdout) != lines.size() || std::fflush(stdout) != 0)
    throw blockfw::FileError(std::string("standard output: cannot write: ") + std::strerror(errno));
}

apsp::Work apsp::work_here(bool real, const Space& exec, const blockfw::SolveReport& report, int shares) {
  Work work;
  work.limit = shares * limit_here(real, exec, report);
  work.how = real ? program::type_of<true>(exec, report, shares) : program::type_of<false>(exec, report, shares);
  return work;
}

double apsp::limit_here(bool real, const Space& exec, const blockfw::SolveReport& report) {
  return real ? program::limit_of<true>(exec, report) : program::limit_of<false>(exec, report);
}

void apsp::print_solving(const Space& exec, const Solving& solving, const Arguments& arguments) {
  using blockfw::Method, program::print_line, program::text;
  const auto n = static_cast<double>(solving.vertices);
  const auto& report = solving.report;
  if (solving.work.limit == 0 && report.method == Method::dense)  // reachability, whose numbers are bits
    return print_line("solving", solving.seconds, text("dense, %.1f Grelax/s", n * n * n * 1e-9 / solving.seconds));
  if (report.method == Method::dense) {
    const Work& work = solving.work;
    print_line(
        "solving", solving.seconds,
        "dense, " + program::speed_beside(work.limit, work.whose, solving.vertices, solving.seconds, report, work.how));
    for (const Step& step : work.steps) print_line(step.name, step.seconds, step.remark);
    return;
  }
  const std::string how = solving.real ? program::type_of<true>(exec, report) : program::type_of<false>(exec, report);
  const std::string fewer =
      report.dense_relaxes > 0 ? text(", %.0f times fewer than dense", report.dense_relaxes / report.relaxes) : "";
  print_line("solving", solving.seconds,
             text("sparse, %.3g Grelax%s (%s)", report.relaxes * 1e-9, fewer.c_str(), how.c_str()));
  print_line("  order", report.analysis_seconds,
             text("and structure, the widest separator has %lld vertices", static_cast<long long>(report.separator)));
  print_line("  factor", report.factor_seconds, "the supernodes, eliminated");
  const double rate = n * n * 1e-9 / report.solve_seconds;
  if (arguments.measures_only)
    print_line("  measures", report.solve_seconds, text("%.2f G distances/s, none kept", rate));
  else if (report.dense_relaxes > 0)
    print_line("  distances", report.solve_seconds,
               text("%.2f G distances/s, %.2f GB/s", rate, rate * report.bits / 8));
  else
    print_line("  distances", report.solve_seconds, arguments.only_to() ? "to one vertex" : "from one vertex");
}

APSP_TYPES(APSP_PRINTING, )
