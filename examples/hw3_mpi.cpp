// The homework on many ranks of MPI, on the hosts' cores or with a device each.
//
//   mpirun -n 4 hw3-mpi INPUT OUTPUT [--type int32|int64] [--stats]

#include "progress_bar.hpp"

#include <mpi.h>
#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <blockfw/distributed.hpp>
#include <blockfw/io/homework_mpi.hpp>
#include <blockfw/limit.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <system_error>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
constexpr bool on_device = !blockfw::is_host_space<Space>;

struct Arguments {
  std::string input, output, type = "int32";
  bool stats = false;
};

/// From the start of MPI to its end.
class Mpi {
 public:
  Mpi(int* argc, char*** argv) {
    int level = 0;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  }
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;
  ~Mpi() { MPI_Finalize(); }

  /// The rank that speaks for all.
  bool first() const { return rank_ == 0; }

 private:
  int rank_ = 0;
};

void print_line(const char* what, double seconds, const std::string& remark) {
  std::printf("%-14s %8.3f s   %s\n", what, seconds, remark.c_str());
}

template <class... Values>
std::string text(const char* format, Values... values) {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

std::string rate(double bytes, double seconds) {
  return text("%.1f MB, %.2f GB/s", bytes * 1e-6, bytes * 1e-9 / seconds);
}

template <blockfw::Distance T>
void run(const Mpi& mpi, const Arguments& arguments, Kokkos::Timer& timer) {
  const auto lap = [&] {
    const double seconds = timer.seconds();
    timer.reset();
    return seconds;
  };

  const blockfw::detail::Communicator ranks(MPI_COMM_WORLD);
  blockfw::detail::together(ranks, [&] {
    std::error_code missing;
    if (std::filesystem::equivalent(arguments.input, arguments.output, missing))
      throw blockfw::FileError(arguments.output + ": the output is the same file as the input");
  });
  const blockfw::io::HomeworkRanksInput input(MPI_COMM_WORLD, arguments.input);
  std::optional<Kokkos::ScopeGuard> kokkos;
  blockfw::detail::together(ranks,
                            [&] { kokkos.emplace(Kokkos::InitializationSettings().set_disable_warnings(true)); });
  const double starting = lap();

  auto part = input.read();
  const double reading = lap();

  blockfw::DistributedMatrix<T, Space> distances(MPI_COMM_WORLD, input.vertices());
  const auto weights = distances.fill(part.graph.edges, blockfw::Direction::directed, part.first);
  part = {};
  const double building = lap();

  blockfw::io::HomeworkRanksOutput file(MPI_COMM_WORLD, arguments.output, input.vertices());
  const double reserving = lap();

  blockfw::SolveOptions options;
  ProgressBar bar("solving");
  // On a device watched rounds do not overlap; the bar is for graphs that take more than some seconds even there.
  if (mpi.first() && ProgressBar::wanted() && (!on_device || input.vertices() > 50'000))
    options.progress = std::ref(bar);
  distances.solve(weights, options);
  bar.clear();
  MPI_Barrier(MPI_COMM_WORLD);
  const double solving = lap();

  file.write(distances);
  file.commit();
  const double writing = reserving + lap();

  if (!arguments.stats) return;
  const double n = input.vertices(), edge_count = input.edges(), speed = n * n * n * 1e-9 / solving;
  const double limit = ranks.reduce(blockfw::measure_limit<T>(distances.exec()) * 1e-9, MPI_SUM);
  const std::string where =
      text("%d x %d ranks", distances.grid().rows, distances.grid().columns) +
      (on_device ? text(", %s", Space::name()) : text(" of %d threads", distances.exec().concurrency()));
  if (!mpi.first()) return;
  print_line("starting", starting, "MPI and Kokkos");
  print_line("reading", reading, rate(edge_count * 12 + 8, reading));
  print_line("building", building, text("%.0f vertices, %.0f edges", n, edge_count));
  print_line("solving", solving,
             text("%.1f Grelax/s, %.0f%% of these ranks' limit of %.1f (%s, %s)", speed, 100 * speed / limit, limit,
                  arguments.type.c_str(), where.c_str()));
  print_line("writing", writing, rate(n * n * 4, writing));
}

/// One line, by the first rank, of an error that all ranks have.
int fail(const Mpi& mpi, const std::string& line, int status) {
  if (mpi.first()) std::fprintf(stderr, "%s\n", line.c_str());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::Timer timer;
  const Mpi mpi(&argc, &argv);
  const std::string name = std::filesystem::path(argv[0]).filename();
  Arguments arguments;
  CLI::App app("All-pairs shortest paths of a homework file, by many ranks of MPI");
  app.add_option("INPUT", arguments.input, "V, E, then E edges (source, destination, weight), as int32")->required();
  app.add_option("OUTPUT", arguments.output, "V x V distances as int32, 1073741823 where there is no path")->required();
  app.add_option("--type", arguments.type, "type to compute with; int64 for weights whose sums are large")
      ->check(CLI::IsMember({"int32", "int64"}))
      ->capture_default_str();
  app.add_flag("--stats", arguments.stats, "print the time of each step and the share of the ranks' limit");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return mpi.first() ? app.exit(help) : 0;
  } catch (const CLI::ParseError& error) {
    return fail(mpi,
                name + ": " + error.what() + " (usage: mpirun -n RANKS " + name +
                    " INPUT OUTPUT [--type int32|int64] [--stats])",
                2);
  }

  try {
    arguments.type == "int64" ? run<std::int64_t>(mpi, arguments, timer) : run<std::int32_t>(mpi, arguments, timer);
    return 0;
  } catch (const blockfw::RankError& error) {
    std::fprintf(stderr, "%s: %s: %s\n", name.c_str(), arguments.input.c_str(), error.what());
  } catch (const blockfw::InvalidEdge& error) {
    return fail(mpi,
                name + ": " + arguments.input + ": byte " +
                    std::to_string(blockfw::io::HomeworkGraph::byte_of_edge(error.edge)) + ": " + error.what(),
                1);
  } catch (const blockfw::OverflowRisk& error) {
    return fail(mpi,
                name + ": " + arguments.input + ": " + error.what() +
                    (arguments.type == "int32" ? " (here: --type int64)" : ""),
                1);
  } catch (const blockfw::FileError& error) {
    return fail(mpi, name + ": " + error.what(), 1);
  } catch (const blockfw::Error& error) {
    const std::string what = error.what();  // Kokkos's go on, over many lines
    return fail(mpi, name + ": " + arguments.input + ": " + what.substr(0, what.find('\n')), 1);
  } catch (const std::exception& error) {  // of this rank alone, as all of the library's are not
    std::fprintf(stderr, "%s: %s: %s\n", name.c_str(), arguments.input.c_str(), error.what());
  }
  MPI_Abort(MPI_COMM_WORLD, 1);
}
