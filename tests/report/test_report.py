#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of scripts/report, with a program that stands in for `experiments` and a machine that does not matter.

    python3 tests/report/test_report.py
"""
import base64
import contextlib
import fcntl
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

REPO = pathlib.Path(__file__).resolve().parent.parent.parent
REPORT = REPO / "benchmarks" / "report"
sys.path.insert(0, str(REPORT))

import compare  # noqa: E402
import energy  # noqa: E402
import measure  # noqa: E402
import metrics  # noqa: E402
import programs  # noqa: E402
import results  # noqa: E402
import small_svg  # noqa: E402
import steps  # noqa: E402
from references import References  # noqa: E402

try:
    import matplotlib  # noqa: F401
    WITHOUT_MATPLOTLIB = None
except ImportError:
    WITHOUT_MATPLOTLIB = "there is no matplotlib: nothing is drawn"

# Speaks as Google Benchmark does. BEHAVIOUR is what a test wants it to do: {"slow": seconds a benchmark, "crash": a
# name, "error": a name, "threads": how many}. Every name that it runs is added to the file LOG.
STAND_IN = """#!/usr/bin/env python3
import json, os, re, signal, sys, time
behaviour = json.loads(os.environ.get("BEHAVIOUR", "{}"))
options = dict(word.split("=", 1) for word in sys.argv[1:])
names = ["machine/limit/int32", "machine/memory", "machine/scratch", "solve/int32/n:256", "solve/int32/n:1024",
         "solve/float/n:1024", "tiles/int32/block:32/rows:8/cols:32/n:1024",
         "tiles/int32/block:64/rows:8/cols:32/n:1024", "ladder/step:textbook/n:1000", "ladder/step:look-ahead/n:1000",
         "phases/int32/n:1024", "scaling/strong/threads:1/n:1024", "scaling/strong/threads:2/n:1024",
         *(f"exchange/way:{way}/groups:2/n:1024" for way in ("whole", "cross", "row", "look-ahead")),
         "crossover/space:host/n:64", "crossover/space:host/n:1024", "gains/what:paths/n:1024",
         "gains/what:32-bits-directed/n:1024", "gains/what:transitive-closure/n:1024",
         *(f"vectors/int32/level:{level}/n:1024" for level in ("baseline", "avx512")),
         *(f"updates/what:{what}/n:1024" for what in ("add_vertex", "reach-of-columns")), "batch/int32/n:64"]
full = lambda name: name + ("/iterations:1" if "textbook" in name else "") + "/repeats:3/manual_time"
if options.get("--benchmark_list_tests") == "true":
    print("\\n".join(map(full, names)))
    sys.exit()
if behaviour.get("broken"):
    sys.exit("experiments: there is no GPU")
chosen = [name for name in names if re.search(options["--benchmark_filter"], full(name))]
context = {"host_name": "secret-host", "executable": "/home/someone/experiments", "date": "today", "load_avg": [1.0],
           "caches": [{"type": "Data", "level": 1, "size": 32768}], "json_schema_version": 1, "plan": options["--plan"],
           "omp_proc_bind": os.environ["OMP_PROC_BIND"], "backend": "OpenMP",
           "threads": str(behaviour.get("threads", 2)), "kokkos": "5.2.2", "compiler": "GCC 14"}
print(json.dumps({"context": context}, indent=2)[:-2] + ',\\n  "benchmarks": [', flush=True)
comma = ""
for name in chosen:
    open(os.environ["LOG"], "a").write(name + "\\n")
    if behaviour.get("crash") == name:
        os.kill(os.getpid(), signal.SIGSEGV)
    time.sleep(behaviour.get("slow", 0))
    n = int((re.search("n:(\\\\d+)", name) or [0, 100])[1])
    for repetition in range(3):
        run = {"name": full(name), "run_name": full(name), "run_type": "iteration", "repetitions": 3, "threads": 1,
               "repetition_index": repetition, "iterations": 1, "cpu_time": 0.0, "time_unit": "ms",
               "real_time": n**3 / 8e10 * 1e3 * (1 + 0.01 * repetition), "relaxes": float(n**3), "limit": 1e11,
               "bytes": 1e6, "phase1": 1e-4, "phase2": 1e-3, "phase3": 1e-2, "relaxes3": 1e9, "bytes3": 1e7,
               "scratch_bytes3": 1e9, "teams": 49.0, "bound": float(os.environ["OMP_PROC_BIND"] != "false"),
               "rounds": 4.0, "round_seconds": 1e-2, "round_bytes": 1e6}
        if "exchange" in name and "look-ahead" not in name:
            run["round_exchange"] = 1e-3
        if behaviour.get("error") == name:
            run.update(error_occurred=True, error_message="wrong distances")
        print(comma + json.dumps(run, indent=4), end="", flush=True)
        comma = ",\\n"
    print(comma + json.dumps({"name": full(name) + "_mean", "run_name": full(name), "run_type": "aggregate",
                              "real_time": 1.0, "time_unit": "ms"}), end="", flush=True)
print("\\n  ]\\n}")
"""
ALL = 27


class WithProgram(unittest.TestCase):
    """A folder with the stand-in."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program, self.output, self.log = (self.folder / name for name in ("experiments", "output", "log"))
        self.program.write_text(STAND_IN)
        self.program.chmod(0o755)
        self.log.touch()
        self.hidden = self.folder / "hidden"  # where a module is found that says that matplotlib is not there
        self.hidden.mkdir()
        (self.hidden / "matplotlib.py").write_text("raise ImportError(name='matplotlib')\n")
        self.draws = False

    def command(self, *more):
        return [sys.executable, REPORT, "--quick", "--program", self.program, "--output", self.output, *more]

    def environment(self, **behaviour):
        path = {} if self.draws else {"PYTHONPATH": str(self.hidden)}
        # (A commit that is made while the tests run must not disturb them.)
        inherited = {name: value for name, value in os.environ.items() if name != "OMP_PROC_BIND"}
        return {**inherited, **path, "BEHAVIOUR": json.dumps(behaviour), "LOG": str(self.log),
                "BLOCKFW_COMMIT": "0000000"}

    def report(self, *more, **behaviour):
        """One that measures; the programs beside it, for steps and peers, are not there."""
        return subprocess.run(self.command(*more), capture_output=True, text=True, env=self.environment(**behaviour))

    def result(self):
        return results.load(self.output / "report.jsonl")

    def ran(self):
        return self.log.read_text().split("\n")[:-1]


class Measuring(WithProgram):
    def test_everything_is_measured_once(self):
        done = self.report()
        self.assertEqual(done.returncode, 0, done.stderr)
        result = self.result()
        self.assertEqual(len(self.ran()), ALL)
        solve = result.all["solve/int32/n:1024"]
        self.assertEqual(len(solve.seconds), 3)
        self.assertAlmostEqual(solve.seconds[0], 1024**3 / 8e10)
        self.assertAlmostEqual(solve.samples("share")[0], 0.8, 5)
        self.assertEqual(solve.counters["relaxes"], [1024.0**3] * 3)
        self.assertNotIn("cpu_time", solve.counters)
        self.assertEqual(result.context["backend"], "OpenMP")

    def test_groups_of_threads_are_not_bound(self):
        self.report("--only", "solve")
        done = self.report("--only", "exchange")  # goes on in the same file
        self.assertEqual(done.returncode, 0, done.stderr)
        result = self.result()
        self.assertEqual({m.experiment: m.median("bound") for m in result.all.values()},
                         {"machine": 1, "solve": 1, "exchange": 0})
        self.assertEqual(result.context["omp_proc_bind"], "spread")

    def test_no_names_of_hosts_and_folders(self):
        self.report()
        text = (self.output / "report.jsonl").read_text()
        for private in ("secret-host", "/home/someone", str(self.folder), os.uname().nodename):
            self.assertNotIn(private, text)

    def test_the_same_command_measures_nothing_again(self):
        self.report()
        self.log.write_text("")
        done = self.report()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.ran(), [])

    def test_where_nothing_can_be_drawn(self):
        done = self.report()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--draw report.jsonl", done.stdout)
        self.assertFalse((self.output / "report.html").exists())

    def test_table(self):
        self.report()
        lines = (self.output / "report.csv").read_text().splitlines()
        self.assertTrue(lines[0].startswith("name,samples,seconds median"))
        self.assertTrue(any(line.startswith("solve/int32/n:1024,3,0.0135") for line in lines))

    def test_only_some(self):
        done = self.report("--only", "ladder")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({name.split("/")[0] for name in self.ran()}, {"machine", "ladder"})

    def test_only_what_there_is_not(self):
        done = self.report("--only", "everything")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no experiment everything", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_an_error_is_recorded(self):
        done = self.report(error="phases/int32/n:1024")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.result().all["phases/int32/n:1024"].skipped, "wrong distances")
        self.assertEqual(len([name for name in self.result().all if name.startswith("phases")]), 1)

    def test_a_crash_is_recorded_and_the_rest_goes_on(self):
        done = self.report(crash="tiles/int32/block:32/rows:8/cols:32/n:1024")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = self.result()
        self.assertIn("ended with signal 11", result.all["tiles/int32/block:32/rows:8/cols:32/n:1024"].skipped)
        self.assertIsNone(result.all["tiles/int32/block:64/rows:8/cols:32/n:1024"].skipped)

    def test_a_crash_of_the_first(self):
        self.report(crash="solve/int32/n:256")
        result = self.result()
        self.assertIn("ended with signal 11", result.all["solve/int32/n:256"].skipped)
        self.assertIsNone(result.all["solve/int32/n:1024"].skipped)

    def test_a_program_that_does_not_start(self):
        done = self.report(broken=True)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.strip().splitlines()[-1], "report: experiments: experiments: there is no GPU")
        self.assertFalse((self.output / "report.jsonl").read_text())

    def test_too_slow(self):
        experiments = measure.Experiments(self.program, "quick", None)
        before = measure.SILENCE
        self.addCleanup(setattr, measure, "SILENCE", before)
        measure.SILENCE = {"quick": 0.5}
        os.environ.update(self.environment(slow=60))
        self.addCleanup(os.environ.pop, "BEHAVIOUR")
        self.addCleanup(os.environ.pop, "LOG")
        found = list(experiments.measure(["solve/int32/n:256/repeats:3/manual_time"]))
        self.assertEqual([m.skipped for m in found], ["took longer than 0.5 s"])


class GoingOn(WithProgram):
    def interrupted(self, how):
        """Ends a run once some measurements are there."""
        process = subprocess.Popen(
            self.command(),
            env=self.environment(slow=0.2),
            text=True,
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        path = self.output / "report.jsonl"
        while not (path.exists() and path.read_text().count("\n") > 4):
            self.assertIsNone(process.poll(), "it ended by itself")
            time.sleep(0.02)
        process.send_signal(how)
        return process.returncode, process.communicate()[1], process.wait()

    def goes_on(self):
        before = (self.output / "report.jsonl").read_text()
        done_before = {json.loads(line)["name"] for line in before.splitlines()[1:] if line.endswith("}")}
        self.log.write_text("")
        done = self.report()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done_before)
        self.assertFalse(done_before & set(self.ran()))
        self.assertEqual(len(done_before | set(self.ran())), ALL)
        self.assertEqual(len([m for m in self.result().all.values() if m.seconds]), ALL)

    def test_after_ctrl_c(self):
        _, said, status = self.interrupted(signal.SIGINT)
        self.assertEqual(status, 130)
        self.assertRegex(said.splitlines()[-1], r"^report: interrupted with \d+ of \d\d done; the same command goes on$")
        self.assertNotIn("Traceback", said)
        self.goes_on()

    def test_after_a_termination(self):
        _, said, status = self.interrupted(signal.SIGTERM)
        self.assertEqual(status, 130)
        self.assertNotIn("Traceback", said)
        self.goes_on()

    def test_after_a_kill(self):
        self.interrupted(signal.SIGKILL)
        self.goes_on()

    def test_after_a_line_half_written(self):
        self.report()
        path = self.output / "report.jsonl"
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(lines[:6]) + lines[6][:-5])
        self.goes_on()

    def test_after_half_a_header(self):
        self.output.mkdir()
        (self.output / "report.jsonl").write_text('{"blockfw": "rep')
        done = self.report()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.ran()), ALL)

    def test_another_machine(self):
        self.report()
        path = self.output / "report.jsonl"
        header, *lines = path.read_text().splitlines()
        header = json.loads(header)
        header["machine"]["cpu"] = "Z80"
        path.write_text("\n".join([json.dumps(header), *lines]) + "\n")
        done = self.report()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("there Z80", done.stderr)
        self.assertIn("--again", done.stderr)

    def test_another_program(self):
        self.report()
        self.program.write_text(STAND_IN + "# rebuilt\n")
        done = self.report()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "program [0-9a-f]{12}, there [0-9a-f]{12}: --again starts anew")

    def test_other_threads_are_seen_when_it_runs(self):
        self.report("--only", "solve")
        before = (self.output / "report.jsonl").read_text()
        done = self.report(threads=4)
        self.assertEqual(done.returncode, 1)
        self.assertIn("threads 4, there 2", done.stderr)
        self.assertEqual((self.output / "report.jsonl").read_text(), before)

    def test_again(self):
        self.report()
        old = (self.output / "report.jsonl").read_text()
        self.log.write_text("")
        self.assertEqual(self.report("--again").returncode, 0)
        self.assertEqual(len(self.ran()), ALL)
        self.assertEqual((self.output / "report.jsonl.1").read_text(), old)

    def test_two_at_once(self):
        process = subprocess.Popen(
            self.command(),
            env=self.environment(slow=0.2),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        while not (self.output / "report.jsonl").exists():
            time.sleep(0.02)
        done = self.report()
        process.send_signal(signal.SIGINT)
        process.wait()
        self.assertEqual(done.returncode, 1)
        self.assertIn("another run is measuring in", done.stderr)

    def test_two_plans_at_once(self):
        lock = os.open(self.folder, os.O_RDONLY)
        self.addCleanup(os.close, lock)
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = self.report("--again")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertFalse(self.output.exists())

    def test_what_was_skipped_is_tried_again(self):
        name = "tiles/int32/block:32/rows:8/cols:32/n:1024"
        self.report(crash=name)
        self.assertIsNotNone(self.result().all[name].skipped)
        self.log.write_text("")
        self.report()
        self.assertEqual(self.ran(), [name])
        self.assertIsNone(self.result().all[name].skipped)


class Jobs(unittest.TestCase):
    """Measurements by other programs than `experiments`."""

    def file(self, *measured):
        class File:
            pass

        File.measured = {m.name: m for m in measured}
        return File

    def test_done_by_its_own_measurement_alone(self):
        done = lambda name, *measured: measure.is_done((name, None), self.file(*measured))
        self.assertFalse(done("peers/n:64", results.Measurement("peers/program:scipy/n:64", [1.0])))
        self.assertFalse(done("peers/n:64", results.Measurement("naive/n:64", [1.0])))
        ours = results.Measurement("peers/program:blockfw/n:64", [1.0])
        self.assertTrue(done("peers/n:64", ours))
        self.assertFalse(done("peers/n:128", ours))
        missing, crashed = (results.Measurement("peers/program:boost/n:64", skipped=why)
                            for why in (measure.NOT_INSTALLED, "ended with signal 11"))
        self.assertTrue(done("peers/n:64", ours, missing))
        self.assertFalse(done("peers/n:64", ours, crashed))
        self.assertTrue(done("energy/what:host/n:64", results.Measurement("energy/what:host/n:64", [1.0])))
        self.assertFalse(done("steps/n:64", results.Measurement("steps/n:64", skipped="today")))

    def test_whatever_a_job_raises(self):
        file = self.file()
        file.header, file.begin = None, lambda header: None
        file.append = lambda m: file.measured.update({m.name: m})
        self.addCleanup(setattr, measure, "list_tests", measure.list_tests)
        measure.list_tests = lambda *_: []
        ran = results.Measurement("steps/n:64", [1.0])
        jobs = [("peers/n:64", lambda: {}["no /such/folder/name"]), ("energy/n:64", lambda: 1 / 0),
                ("steps/n:64", lambda: [ran])]
        with contextlib.redirect_stderr(io.StringIO()):
            measure.measure(file, {"plan": "quick"}, None, None, lambda _: jobs)
        self.assertEqual({name: m.skipped for name, m in file.measured.items()},
                         {"peers/program:blockfw/n:64": "KeyError: 'no name'",
                          "energy/n:64": "ZeroDivisionError: division by zero", "steps/n:64": None})
        with self.assertRaises(measure.Interrupted), contextlib.redirect_stderr(io.StringIO()):
            measure.measure(file, {"plan": "quick"}, None, None, lambda _: [("a/n:1", interrupt)])

    def test_peers_that_fail(self):
        with tempfile.TemporaryDirectory() as folder:
            text = ("#!/usr/bin/env python3\nimport shutil, sys\nshutil.copy(sys.argv[1], sys.argv[2])\n"
                    "print('0.5 0.25')\n")
            for name, more in (("blockfw", "print('1e9')\n"), ("loops", "sys.exit(3)\n"), ("loops-scalar", ""),
                               ("loops-openmp", "open(sys.argv[2], 'wb').write(b'other')\n")):
                path = pathlib.Path(folder, f"peer-{name}")
                path.write_text(text + more)
                path.chmod(0o755)
            command = [sys.executable, REPO / "benchmarks" / "peers.py", "-n", "8", "--bin", folder]
            done = subprocess.run([*command, "--json"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = {line["name"].split("/")[1][8:]: line for line in map(json.loads, done.stdout.splitlines())}
            self.assertEqual(lines["blockfw"]["seconds"], [0.5, 0.25])
            self.assertEqual(lines["loops"]["skipped"], "ended with status 3")
            self.assertEqual(lines["loops-openmp"]["skipped"], "its result differs from blockfw's")
            self.assertEqual(lines["loops-scalar"]["counters"]["limit"], [1e9, 1e9])
            self.assertEqual(lines["graphblas"]["skipped"], measure.NOT_INSTALLED)
            self.assertEqual(subprocess.run(command, capture_output=True).returncode, 1)
            pathlib.Path(folder, "peer-blockfw").write_text("#!/bin/sh\nexit 1\n")
            done = subprocess.run([*command, "--json"], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout.count("skipped")), (0, len(lines)))


class Energy(unittest.TestCase):
    def test_too_slow(self):
        self.addCleanup(setattr, energy, "LIMIT", energy.LIMIT)
        energy.LIMIT = 0.3
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "experiments")
            program.write_text("#!/bin/sh\nsleep 60\n")
            program.chmod(0o755)
            with self.assertRaisesRegex(programs.Failed, "took longer than 0.3 s"):
                energy.watch("energy/what:host/n:64", 64, program, "quick", lambda: iter_of(0.0, 1.0))

    def test_counters_that_fail_later(self):
        def readings():
            yield 0.0
            raise programs.Failed("gone")

        with energy.Sampler(readings) as sampler:
            time.sleep(3 * energy.EVERY)
        self.assertEqual(sampler.watts, [])

    def test_without_the_first_second(self):
        readings = [(0.0, 50.0), (1.0, 300.0), (1.5, 310.0), (2.1, 200.0), (2.5, 202.0), (3.0, 204.0), (4.0, 60.0)]
        self.assertEqual(energy.while_busy(readings), 202.0)

    def test_energy_becomes_power(self):
        joules = iter([10.0, 10.5, 2.0])
        watts = energy.differences(lambda: [next(joules)], [11.0])
        self.assertEqual(next(watts), 0.0)
        self.assertGreater(next(watts), 0)
        self.assertGreater(next(watts), 0)  # the counter began anew

    def test_a_gpu_that_is_not_named_by_its_number(self):
        self.addCleanup(os.environ.__setitem__ if "CUDA_VISIBLE_DEVICES" in os.environ else os.environ.pop,
                        "CUDA_VISIBLE_DEVICES", os.environ.get("CUDA_VISIBLE_DEVICES"))
        os.environ["CUDA_VISIBLE_DEVICES"] = "GPU-8932f937"
        with self.assertRaisesRegex(programs.Failed, "CUDA_VISIBLE_DEVICES is 'GPU-8932f937', expected numbers"):
            next(energy.device_power())

    def test_packages_once(self):
        with tempfile.TemporaryDirectory() as folder:
            for place, name in (("intel-rapl:0", "package-0"), ("intel-rapl:0:0", "core"), ("intel-rapl:1", "psys"),
                                ("intel-rapl:2", "package-1"), ("intel-rapl-mmio:0", "package-0")):
                pathlib.Path(folder, place).mkdir()
                pathlib.Path(folder, place, "name").write_text(name + "\n")
                pathlib.Path(folder, place, "energy_uj").write_text("5\n")
            found = [path.parent.name for path in energy.packages(pathlib.Path(folder))]
        self.assertEqual(found, ["intel-rapl:0", "intel-rapl:2"])


def interrupt():
    raise KeyboardInterrupt


def iter_of(*values):
    while True:
        yield from values


class JsonReader(unittest.TestCase):
    RUNS = [
        {
            "name": "solve/int32/n:64/manual_time",
            "run_name": "solve/int32/n:64/manual_time",
            "run_type": "iteration",
            "repetitions": 2,
            "repetition_index": index,
            "real_time": 2e6,
            "time_unit": "ns",
            "iterations": 5,
            "limit": limit,
        }
        for index, limit in enumerate([1e11, float("nan")])
    ]

    def text(self, indent):
        return json.dumps(
            {"context": {"caches": [{"level": 1}], "threads": "2"}, "benchmarks": self.RUNS}, indent=indent
        )

    def test_in_parts_of_any_size(self):
        for indent in (None, 2):
            for size in (1, 7, 10000):
                reader, collector, text = measure.JsonReader(), measure.Collector(), self.text(indent)
                found = [
                    m
                    for at in range(0, len(text), size)
                    for run in reader.feed(text[at : at + size])
                    for m in collector.add(run)
                ]
                self.assertEqual([m.name for m in found], ["solve/int32/n:64"])
                self.assertEqual(found[0].seconds, [2e-3, 2e-3])
                self.assertEqual(found[0].counters, {"limit": [1e11, None], "calls": [5, 5]})
                self.assertEqual(reader.context["threads"], "2")

    def test_repetitions_that_do_not_come(self):
        collector = measure.Collector()
        self.assertEqual(collector.add(self.RUNS[0]), [])
        other = {**self.RUNS[0], "run_name": "solve/int32/n:65/manual_time"}
        self.assertEqual([len(m.seconds) for m in collector.add(other)], [1])
        self.assertEqual([m.name for m in collector.rest()], ["solve/int32/n:65"])

    def test_lengths_of_filters(self):
        names = [f"solve/int32/n:{n}" for n in range(1000)] + ["tiles/n:1"]
        filters = list(measure.filters(names))
        self.assertEqual([name for names_of_one in filters for name in names_of_one], names)
        self.assertEqual(filters[-1], ["tiles/n:1"])
        self.assertTrue(all(sum(map(len, names_of_one)) <= measure.FILTER for names_of_one in filters))

    def test_names(self):
        for suffix in (
            "",
            "/manual_time",
            "/repeats:3/manual_time",
            "/iterations:1/repeats:1/manual_time",
            "/min_time:0.100/real_time",
        ):
            self.assertEqual(measure.plain("ladder/step:look-ahead/n:2048" + suffix), "ladder/step:look-ahead/n:2048")
        # A key that the experiment has, and Google Benchmark's own of the same name.
        self.assertEqual(measure.plain("scaling/strong/threads:2/n:64/manual_time"), "scaling/strong/threads:2/n:64")

    def test_keys(self):
        m = results.Measurement("tiles/int32/block:64/rows:8/cols:32/n:2048")
        self.assertEqual((m.experiment, m.type, m.n), ("tiles", "int32", 2048))
        self.assertEqual(m.keys, {"block": 64, "rows": 8, "cols": 32, "n": 2048})
        m = results.Measurement("peers/program:three loops, -O2/n:512")
        self.assertEqual(m.keys["program"], "three loops, -O2")


class Numbers(unittest.TestCase):
    def test_spread(self):
        self.assertEqual(results.spread([3, 1, 2]), (1, 2, 3))
        self.assertEqual(results.spread([1, 2, 3, 4, 100]), (2, 3, 4))
        self.assertEqual(results.spread([7]), (7, 7, 7))

    def test_shares_of_calls(self):
        m = results.Measurement("updates/what:insert_edge/n:64", [0.5], {"limit": [4.0]})
        self.assertEqual(m.samples("share"), [0.5])

    def test_the_best_limit(self):
        found = [results.Measurement(name, [1.0] * len(limits), {"relaxes": [1.0] * len(limits), "limit": limits})
                 for name, limits in (("machine/limit/int32", [3.0, 4.0]), ("tiles/int32/n:64", [5.0, None]),
                                      ("scaling/strong/devices:2/n:64", [9.0]), ("machine/limit/float", [7.0]))]
        result = results.Result({}, {m.name: m for m in found})
        self.assertEqual((result.limit("int32"), result.limit("float"), result.limit("int64")), (5.0, 7.0, None))

    def test_no_folders_in_what_was_skipped(self):
        for text, expected in (("cannot open /home/someone/x.txt: no", "cannot open x.txt: no"),
                               ("'/a/b/c' and (~/d/e)", "'c' and (e)"), ("3 GB/s, and/or /tmp", "3 GB/s, and/or /tmp"),
                               ("at /a/b.cpp:12", "at b.cpp:12")):
            self.assertEqual(results.Measurement("a/n:1", skipped=text).skipped, expected)

    def test_text(self):
        self.assertEqual(results.scaled(15.45e12, "relax/s"), "15.4 Trelax/s")
        self.assertEqual(results.duration(0.00033), "330 µs")
        self.assertEqual(results.duration(12), "12 s")
        self.assertEqual(results.percent(0.0123), "1.2%")

    def test_stats_of_a_program(self):
        printed = (
            "starting          0.004 s   Kokkos\nreading           0.037 s   128.7 MB\n"
            "host-to-device    0.001 s   3.2 MB\nsolving           0.432 s   289.4 Grelax/s\n"
            "  phase 1         0.100 s   in launches of its own\nwriting           0.029 s   100.0 MB\n"
        )
        self.assertEqual(
            steps.read_stats(printed),
            {"starting": 0.004, "reading": 0.037, "host-to-device": 0.001, "solving": 0.432, "writing": 0.029},
        )
        with self.assertRaises(programs.Failed):
            steps.read_stats("")

    def test_table_of_ncu(self):
        columns = '"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
        row = '"{}","1","k<a, b>","{}","{}","{}"\n'
        occupancy = metrics.COUNTED["occupancy"]
        printed = '==PROF== Connected\n{"context": {}}\n' + columns
        for launch, time_ in (("0", "3.5"), ("1", "1,200")):
            printed += (
                row.format(launch, metrics.TIME, "us", time_)
                + row.format(launch, metrics.ACTIVE, "cycle", "90")
                + row.format(launch, metrics.ELAPSED, "cycle", "100")
                + row.format(launch, occupancy, "%", "17.1")
            )
        table = metrics.read_table(printed)
        self.assertAlmostEqual(table["1"][metrics.TIME], 1.2e-3)
        self.assertEqual(table["0"][occupancy], 17.1)


class Small(unittest.TestCase):
    def test_a_line_has_six_digits_and_says_nothing_twice(self):
        samples = {"relaxes": [1e12, 1e12], "limit": [3.25123456e13, 1.0], "calls": [7, 7], "teams": [None, None]}
        line = results.Measurement("solve/int32/n:4", [0.123456789, 2.0], samples).line()
        self.assertEqual(json.loads(line), {"name": "solve/int32/n:4", "seconds": [0.123457, 2], "counters": {
            "relaxes": 1000000000000, "limit": [32512345600000, 1], "calls": 7, "teams": [None, None]}})
        again = results.measurement_of(json.loads(line))
        self.assertEqual(again.counters["relaxes"], [1e12, 1e12])
        self.assertEqual(again.line(), line)
        self.assertEqual(results.Measurement("a", [1.0], {"b": [2.0]}).line(),
                         '{"name": "a", "seconds": [1], "counters": {"b": [2]}}')

    def test_a_path_in_relative_numbers(self):
        path = lambda text: small_svg.path(text, 1)
        self.assertEqual(path("M 10.04 20 L 10.96 20 L 10.96 5.5 L 0 0 z"), "M10 20h1v-14.5l-11-5.5z")
        self.assertEqual(path("M 1 1 L 2 2 M 2 2 L 3 1.5 M 5 5 L 5.25 5.26"), "M1 1l1 1 1-.5m2 3.5.2.3")
        self.assertEqual(path("M 0 0 L 0.04 0.04 L 0.08 0.08 L 0.12 0.12"), "M0 0l.1.1")  # errors do not add up
        self.assertEqual(path("M 0 0 Q 1 2 3 4 C 4 4 5 5 6 7"), "M0 0q1 2 3 4c1 0 2 1 3 3")
        self.assertEqual(path("m 0 0 l 1 1"), "m 0 0 l 1 1")  # not Matplotlib's

    def test_what_is_seen_stays(self):
        tag = '<path d="M 0 0 L 9 9" style="opacity: 0.85"/>'
        picture = ('<?xml?><svg viewBox="0 0 9.123 9"><metadata>x</metadata><defs><style>*{}</style></defs>'
                   f'<g id="a"><g clip-path="url(#b)">{3 * tag}</g><text x="1.234">0.12345</text></g></svg>')
        rule, path = ".s{0}{{opacity:0.85}}", '<path d="M0 0l9 9" class="s{0}"/>'
        drawn = small_svg.small(picture)
        name = re.search('class="s(.*?)"', drawn)[1]
        self.assertEqual(drawn, f'<svg viewBox="0 0 9.123 9"><defs><style>*{{}}{rule.format(name)}</style></defs>'
                         f'<g clip-path="url(#b)">{3 * path.format(name)}</g><text x="1.2">0.12345</text></svg>\n')


    def test_lines_of_one_style_are_one_path(self):
        line = lambda d, style="fill: none; stroke: red": f'<path d="{d}" style="{style}"/>'
        drawn = lambda paths: small_svg.small(f"<svg>{paths}</svg>")
        self.assertEqual(drawn(line("M 0 0 L 9 9") + line("M 5 5 L 6 5") + line("M 1 1 L 1 2")),
                         f"<svg>{line('M0 0l9 9M5 5h1M1 1v1')}</svg>\n")
        for style in ("fill: none; opacity: 0.5", "fill: red", "fill: none; stroke-opacity: 0.3"):
            both = line("M 0 0 L 9 9", style) + line("M 5 5 L 6 5", style)
            self.assertEqual(drawn(both), f"<svg>{line('M0 0l9 9', style)}{line('M5 5h1', style)}</svg>\n")

    def test_a_long_line_is_in_fifths_of_a_point(self):
        text = "M 0 0" + "".join(f" L {0.24 * i:.2f} {i % 2 + 0.04}" for i in range(1, 1000))
        drawn = small_svg.small(f'<svg><path d="{text}" style="fill: none; stroke: red; stroke-width: 0.6"/></svg>')
        self.assertIn('<path transform="scale(.2)" d="M0 0l1 5 1-5 2 5', drawn)
        self.assertIn("stroke-width: 3", drawn)


class Comparing(unittest.TestCase):
    def result(self, limit=1e11, cpu="one", **seconds):
        """A result with the given seconds of solves, and `limit` as the machine's."""
        measured = [results.Measurement("machine/limit/int32", [1.0], {"relaxes": [limit], "limit": [limit]})]
        for name, values in seconds.items():
            measured.append(
                results.Measurement(
                    f"{name}/int32/n:64", values, {"relaxes": [1.0] * len(values), "limit": [1.0] * len(values)}
                )
            )
        return results.Result({"machine": {"cpu": cpu}}, {m.name: m for m in measured})

    def compare(self, a, b):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            slower = compare.compare(a, b)
        return slower, printed.getvalue()

    def test_slower(self):
        slower, printed = self.compare(self.result(solve=[2.0, 2.01, 2.02]), self.result(solve=[2.5, 2.51, 2.52]))
        self.assertTrue(slower)
        self.assertRegex(printed, r"solve/int32/n:64 +50% -> 40% +0\.80\d +3%")
        self.assertIn("1 slower, 0 faster, 0 within the noise", printed)

    def test_within_three_percent(self):
        slower, printed = self.compare(self.result(solve=[2.0] * 3), self.result(solve=[2.05] * 3))
        self.assertFalse(slower)
        self.assertIn("0 slower, 0 faster, 1 within the noise", printed)

    def test_within_the_samples_own_noise(self):
        wide = [2.0, 2.2, 2.4, 2.6, 2.8]
        slower, _ = self.compare(self.result(solve=wide), self.result(solve=[one * 1.15 for one in wide]))
        self.assertFalse(slower)

    CONTROLS = ["textbook", "scratch", "larger", "registers", "vectors"]

    def with_controls(self, factors, **seconds):
        """The same, with early steps of the ladder as controls."""
        result = self.result(**seconds)
        for step, factor in zip(self.CONTROLS, factors):
            m = results.Measurement(f"ladder/step:{step}/n:64", [2 * factor] * 3, {"relaxes": [1.0] * 3})
            result.all[m.name] = m
        return result

    def test_half_of_all_slower(self):
        names = [f"other{place}" for place in range(10)]
        after = {name: [2.4 if place % 2 else 2.0] * 3 for place, name in enumerate(names)}
        for factors in ([], [1, 1, 1, 1, 1]):
            slower, printed = self.compare(self.with_controls(factors, **{name: [2.0] * 3 for name in names}),
                                           self.with_controls(factors, **after))
            self.assertTrue(slower)
            self.assertIn("5 slower, 0 faster, 5 within the noise", printed)
            self.assertIn("median ratio of all: 0.917", printed)

    def test_within_the_scatter_of_the_controls(self):
        same, apart, far = [1] * 5, [1, 1.015, 0.985, 1.02, 0.98], [1, 1.2, 0.8, 1.3, 0.7]
        for factors, seconds, expected in ((same, 2.1, True), (apart, 2.1, False), (apart[:2], 2.1, True),
                                           (far, 2.1, False), (far, 2.2, True)):
            slower, printed = self.compare(self.with_controls(same, solve=[2.0] * 3),
                                           self.with_controls(factors, solve=[seconds] * 3))
            self.assertEqual(slower, expected, (factors, seconds, printed))
            self.assertRegex(printed, r"scatter: (\d+\.\d%, by|none is taken from) \d controls")
            self.assertNotIn("textbook", printed)  # whatever it does

    def test_a_share_is_as_uncertain_as_its_limit(self):
        def with_limits(seconds, limits):
            result = self.result()
            for n, limit in zip((64, 128), limits):
                name = f"solve/int32/n:{n}"
                result.all[name] = results.Measurement(name, [seconds] * 3, {"relaxes": [1.0] * 3, "limit": [limit] * 3})
            return result

        steady = with_limits(2.0, (1.0, 1.0))
        self.assertFalse(self.compare(steady, with_limits(2.0, (1.05, 1.0)))[0])
        self.assertTrue(self.compare(steady, with_limits(2.0, (1.05, 1.05)))[0])  # then it is the machine's
        self.assertTrue(self.compare(steady, with_limits(2.2, (1.05, 1.0)))[0])

    def test_what_fails_now(self):
        a = self.result(solve=[2.0] * 3, tiles=[1.0])
        b = self.result(solve=[2.0] * 3)
        self.assertFalse(self.compare(a, b)[0])
        b.all["tiles/int32/n:64"] = results.Measurement("tiles/int32/n:64", skipped="wrong distances")
        failed, printed = self.compare(a, b)
        self.assertTrue(failed)
        self.assertRegex(printed, r"tiles/int32/n:64 +wrong distances")
        self.assertIn("0 slower, 0 faster, 1 within the noise, 1 failed", printed)
        self.assertFalse(self.compare(b, b)[0])

    def test_peers_and_counters_may_be_missing(self):
        for name in ("peers/program:scipy/n:64", "metrics/n:64", "energy/what:host/n:64"):
            a, b = self.result(solve=[2.0]), self.result(solve=[2.0])
            a.all[name] = results.Measurement(name, [1.0])
            b.all[name] = results.Measurement(name, skipped="not installed")
            self.assertFalse(self.compare(a, b)[0])

    def test_all_slower_alike(self):
        names = [f"other{place}" for place in range(9)]
        slower, printed = self.compare(self.result(**{name: [2.0] * 3 for name in names}),
                                       self.result(**{name: [2.5] * 3 for name in names}))
        self.assertTrue(slower)
        self.assertIn("9 slower, 0 faster", printed)

    def test_faster(self):
        slower, printed = self.compare(self.result(solve=[2.0] * 3), self.result(solve=[1.5] * 3))
        self.assertFalse(slower)
        self.assertIn("0 slower, 1 faster", printed)

    def test_what_only_one_has(self):
        slower, printed = self.compare(self.result(solve=[2.0], tiles=[1.0]), self.result(solve=[2.0], batch=[1.0]))
        self.assertFalse(slower)
        self.assertIn("only in the first: 1 (tiles/int32/n:64)", printed)
        self.assertIn("only in the second: 1 (batch/int32/n:64)", printed)

    def test_another_backend(self):
        a, b = self.result(solve=[2.0]), self.result(solve=[2.0])
        a.header["context"] = {"backend": "OpenMP"}
        with self.assertRaisesRegex(results.Error, "the first is of OpenMP, the second of None"):
            compare.compare(a, b)

    def test_another_machine(self):
        _, printed = self.compare(self.result(), self.result(limit=2e11, cpu="other"))
        self.assertIn("warning: cpu differs: one, then other", printed)
        self.assertIn("warning: the machine's limit differs: 100 Grelax/s, then 200 Grelax/s", printed)

    def test_status(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder, name) for name in "ab"]
            for path, seconds in zip(paths, (1.0, 2.0)):
                path.write_text(
                    json.dumps({"blockfw": "report", "format": 1})
                    + "\n"
                    + results.Measurement("batch/int32/n:4", [seconds]).line()
                    + "\n"
                )
            status = lambda *order: subprocess.run(
                [sys.executable, REPORT, "--compare", *order], text=True, capture_output=True
            ).returncode
            self.assertEqual(status(paths[0], paths[1]), 1)
            self.assertEqual(status(paths[1], paths[0]), 0)


class CommandLine(unittest.TestCase):
    def fails(self, status, says, *words):
        done = subprocess.run([sys.executable, REPORT, *words], capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(says, done.stderr)

    def test_errors(self):
        self.fails(2, "--slow", "--slow")
        self.fails(2, "unrecognized arguments: now", "now")
        self.fails(2, "not allowed with", "--quick", "--full")
        self.fails(2, "expected 2 arguments", "--compare", "a")
        self.fails(2, "--quick is for measuring", "--quick", "--draw", "a")
        self.fails(1, "No such file", "--compare", "/nowhere/a", "/nowhere/b")
        self.fails(1, "is not a program", "--program", "/nowhere/experiments")
        self.fails(1, "is not a result of scripts/report", "--compare", __file__, __file__)

    def test_help(self):
        done = subprocess.run([sys.executable, REPORT, "--help"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertIn("--compare", done.stdout)


class Reported(unittest.TestCase):
    def test_shares_of_their_own_limits(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "references.json")
            file.write_text(
                json.dumps(
                    {
                        "cards": {"A": {"limit_trelax": 2.0}},
                        "sources": {"one": {"what": "", "where": ""}},
                        "figures": [
                            {
                                "experiment": "tiles",
                                "card": "A",
                                "n": 1000,
                                "source": "one",
                                "x": "block",
                                "unit": "GOPS",
                                "points": [[64, 2000]],
                            },
                            {
                                "experiment": "peers",
                                "card": "A",
                                "source": "one",
                                "x": "n",
                                "unit": "ms",
                                "points": [[10000, 1000]],
                            },
                            {
                                "experiment": "tiles",
                                "card": "B",
                                "n": 1000,
                                "source": "one",
                                "x": "block",
                                "unit": "GOPS",
                                "points": [[64, 2000]],
                            },
                        ],
                    }
                )
            )
            references = References(file)
            self.assertEqual(
                [[share for *_, share in figure.shares] for figure in references.figures],
                [[0.5], [0.5], []],
            )
            self.assertEqual(references.figures[0].cite, "[1]")

    def test_whole_programs_are_no_solves(self):
        references = References()
        whole = [figure for figure in references.figures if "whole program" in figure.note]
        self.assertTrue(whole)
        self.assertFalse([share for figure in whole for share in figure.shares])
        self.assertGreaterEqual(len(list(references.curves())), 5)
        self.assertTrue(all(max(speed for _, speed in points) == 1 for _, points in references.curves()))


@unittest.skipIf(WITHOUT_MATPLOTLIB, WITHOUT_MATPLOTLIB)
class Drawing(WithProgram):
    def setUp(self):
        super().setUp()
        self.draws = True

    def page(self):
        return (self.output / "report.html").read_text()

    def test_a_page_that_needs_nothing_else(self):
        done = self.report()
        self.assertEqual(done.returncode, 0, done.stderr)
        page = self.page()
        self.assertNotRegex(page, r"<script|<link|<img|url\((?!#)|@import|(src|href)=\"(?!#|data:)")
        self.assertGreaterEqual(page.count("<svg"), 6)
        self.assertIn("share of the machine", (self.output / "headline.svg").read_text())
        data = re.search('href="data:application/json;base64,([^"]*)"', page)[1]
        self.assertEqual(
            [json.loads(line) for line in base64.b64decode(data).decode().splitlines()],
            [json.loads(line) for line in (self.output / "report.jsonl").read_text().splitlines()],
        )
        for private in ("secret-host", str(self.folder), os.uname().nodename):
            self.assertNotIn(private, page)

    def test_an_old_matplotlib(self):
        self.draws = False
        (self.hidden / "matplotlib.py").write_text("__version__ = '3.6.3'\n")
        done = self.report()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.splitlines()[-1], "report: the page needs matplotlib 3.7; here is 3.6.3")
        self.assertNotIn("Traceback", done.stderr)

    def test_only_coordinates_are_shortened(self):
        import charts

        drawn = charts.picture("0.001 and 0.12345", "", [charts.Lines([charts.Line("", [(8, [1 / 3]), (9, [1 / 7])], "red")], "s")])
        self.assertIn(">0.001 and 0.12345<", drawn)
        self.assertNotRegex(drawn, r'd="[^"]*\d\.\d{3}')

    def test_raw_data_stands_below_what_is_drawn_of_it(self):
        self.report()
        for section in re.split(r'<h2 id="(?=s\d)', self.page())[1:]:
            self.assertTrue("Raw data" in section, section[:40])

    def test_devices_are_counted_in_the_title(self):
        import page

        self.output.mkdir()
        found = [results.Measurement(f"scaling/strong/devices:{many}/n:64", [1.0 / many]) for many in (1, 2)]
        found.append(results.Measurement("solve/int32/n:64", [1.0], {"relaxes": [1.0], "limit": [2.0]}))
        result = results.Result({"context": {"backend": "Cuda", "device": "Some GPU"}}, {m.name: m for m in found})
        page.write([result], self.output)
        self.assertIn("<h1>blockfw on 2 × Some GPU</h1>", self.page())
        self.assertIn("1\u00a0s on Some GPU:", self.page())  # which takes one

    def test_two_devices_by_n(self):
        import page

        self.output.mkdir()
        found = [results.Measurement(f"scaling/{kind}/devices:{many}/n:{n}", [seconds / (many if n > 64 else 1)])
                 for kind, seconds in (("strong", 4.0), ("int16/work:whole", 2.0), ("int16/work:half", 1.0))
                 for many in (1, 2) for n in (64, 128)]
        page.write([results.Result({"context": {"backend": "Cuda"}}, {m.name: m for m in found})], self.output)
        self.assertIn("Two devices solve n = 128 2 times (int32), 2 times (int16), 2 times (int16, half the work) as fast "
                      "as one", self.page())

    def page_of(self, *found):
        import page

        self.output.mkdir(exist_ok=True)
        page.write([results.Result({}, {name: results.Measurement(name, [seconds], counters)
                                        for name, seconds, counters in found})], self.output)
        return self.page()

    def test_levels_of_vectors_are_beside_the_solver_of_this_build(self):
        levels = [(f"vectors/int32/level:{level}/n:64", seconds, {"relaxes": [1.0]})
                  for level, seconds in (("baseline", 10.0), ("avx2", 2.5))]
        page = self.page_of(*levels, ("solve/int32/n:64", 2.0, {"relaxes": [1.0], "limit": [1.0]}))
        self.assertIn("A build for any processor solves at 80% of this build&#x27;s speed", page.replace("'", "&#x27;"))
        for share in ("20% of this build", "80% of this build"):
            self.assertIn(share, page)
        self.assertIn("baseline solves at 25% of avx2", self.page_of(*levels))

    def test_the_closure_is_beside_distances_of_the_same_n(self):
        gains = [(f"gains/what:{what}/n:{n}", seconds, {"relaxes": [1.0], "limit": [1.0]})
                 for n in (64, 128) for what, seconds in (("32-bits-directed", 8.0), ("transitive-closure", 64 / n))]
        page = self.page_of(*gains, ("gains/what:paths/n:64", 1.0, {}))
        for times in (8, 16):
            self.assertIn(f"The transitive closure is {times} times as fast as distances in 32 bits", page)
        self.assertIn("what:paths/n:64", page)  # has no rate, and is in the table

    def test_updates_are_beside_reading_or_copying(self):
        page = self.page_of(*((f"updates/what:{what}/n:64", seconds, {"bytes": [4.0], "limit": [1.0]})
                              for what, seconds in (("reach-of-columns", 2.0), ("add_vertex", 4.0))))
        self.assertIn("add_vertex runs at 25% of copying", page)
        self.assertIn("50% of reading", page)

    def test_a_machine_that_changes_its_speed(self):
        import page

        self.output.mkdir()
        for other, said in ((1.9, False), (1.6, True)):
            found = [results.Measurement(f"solve/int32/n:{n}", [1.0], {"relaxes": [1.0], "limit": [limit]})
                     for n, limit in ((64, 2.0), (128, other))]
            found.append(results.Measurement("scaling/strong/threads:1/int32/n:64", [1.0],
                                             {"relaxes": [1.0], "limit": [1.0]}))  # as slow as it should be
            page.write([results.Result({}, {m.name: m for m in found})], self.output)
            self.assertEqual("its limit of int32 went from 1.6 relax/s to 2 relax/s" in self.page(), said)

    def test_one_thread_that_could_not_be_measured(self):
        import page

        self.output.mkdir()
        found = [results.Measurement(f"scaling/strong/threads:{many}/n:64", [1.0 / many]) for many in (2, 4)]
        page.write([results.Result({}, {m.name: m for m in found})], self.output)
        self.assertNotIn("times as fast as one", self.page())

    def test_whiskers(self):
        import pictures

        of = lambda *many: pictures.whiskers([results.Measurement(f"ladder/step:s{place}/n:4", [1.0] * samples)
                                              for place, samples in enumerate(many)])
        self.assertEqual(of(5, 5, 5, 3), "medians, whiskers are quartiles")
        self.assertEqual(of(1, 5, 5), "medians, whiskers are quartiles; a single sample of s0")
        self.assertEqual(of(3, 3, 5), "medians, whiskers from least to greatest")
        self.assertEqual(of(1, 1), "a sample each")

    def test_ways_to_exchange(self):
        import page

        self.output.mkdir()
        seconds = {"whole": 4.0, "cross": 3.0, "row": 2.0, "look-ahead": 1.0}
        counters = {"relaxes": [1.0], "limit": [2.0], "round_bytes": [1e6], "round_seconds": [1.0]}
        for what, said in (("devices", "two devices"), ("instances", "two instances on one device"),
                           ("groups", "two groups of the host's threads")):
            found = [results.Measurement(f"exchange/way:{way}/{what}:2/n:64", [time_], {
                **counters, **({} if way == "look-ahead" else {"round_exchange": [time_ / 10]})})
                for way, time_ in seconds.items()]
            page.write([results.Result({}, {m.name: m for m in found})], self.output)
            for text in ("takes 40% (the whole matrix), 30% (the pivots' row and column), 20% (the pivots' row)",
                         f"int32, {said}", "43% at n = 44939"):
                self.assertIn(text, self.page())
            self.assertIn("the row alone is 2 times as fast as the whole matrix, and look-ahead 2 times as fast",
                          self.page())

    def test_many_threads_and_one_that_is_always_faster(self):
        import page

        found = [results.Measurement(f"scaling/strong/threads:{many}/n:64", [1 / many] * 3)
                 for many in (1, 2, 4, 8, 64)]
        found += [results.Measurement(f"crossover/space:{space}/n:{n}", [seconds])
                  for n in (64, 128) for space, seconds in (("host", 1.0), ("device", 0.5))]
        result = results.Result({"context": {"backend": "Cuda", "build": "not optimised", "omp_places": "threads"}},
                                {m.name: m for m in found})
        self.output.mkdir()
        page.write([result], self.output)
        self.assertIn("The device is faster at all of these sizes", self.page())
        self.assertIn("built without optimisation", self.page())
        self.assertIn("OMP_PLACES=threads", self.page())

    def test_the_naive_kernel_stands_beside_peers_of_its_size(self):
        import page

        self.output.mkdir()
        found = [results.Measurement(name, [1.0, 2.0], {"relaxes": [5.0] * 2, "limit": [9.0] * 2})
                 for name in ("peers/program:blockfw/n:64", "peers/program:scipy/n:64", "naive/n:64")]
        for shown in (True, False):
            page.write([results.Result({}, {m.name: m for m in found})], self.output)
            self.assertEqual("naive kernel on the GPU" in self.page(), shown)
            self.assertEqual("graph is complete" in self.page(), shown)
            found[2] = results.Measurement("naive/n:128", [1.0])

    def test_results_with_little_in_them(self):
        import page

        header = {"blockfw": "report", "format": 1, "machine": {}, "context": {}}
        names = [
            "solve/int32/n:64",
            "tiles/int32/block:8/rows:2/cols:2/n:64",
            "ladder/step:textbook/n:64",
            "phases/int32/n:64",
            "scaling/strong/threads:1/n:64",
            "exchange/way:row/groups:2/n:64",
            "exchange/way:look-ahead/devices:2/n:64",
            "steps/n:64",
            "peers/program:blockfw/n:64",
            "crossover/space:device/n:64",
            "energy/what:host/n:64",
            "metrics/n:64",
            "batch/int32/n:4",
        ]
        self.output.mkdir()
        for counters in ({}, {"relaxes": [5.0], "limit": [9.0], "phase3": [1.0], "solving": [0.5]}):
            found = [results.Measurement(name, [1.0], counters) for name in names]
            page.write([results.Result(header, {m.name: m for m in found})], self.output)
        page.write([results.Result(header, {})], self.output)
        skipped = {name: results.Measurement(name, skipped="not today") for name in names}
        page.write([results.Result(header, skipped)], self.output)
        self.assertIn("<li>Solves: not today.</li>", self.page())

    def test_two_results(self):
        self.report()
        header, *lines = (self.output / "report.jsonl").read_text().splitlines()
        other = json.loads(header)
        other["context"].update(backend="Cuda", device="Some GPU")
        lines += [
            results.Measurement(f"crossover/space:device/n:{n}", [seconds]).line()
            for n, seconds in ((64, 1e-3), (1024, 2e-3))
        ]
        device = self.folder / "device.jsonl"
        device.write_text("\n".join([json.dumps(other), *lines]) + "\n")
        done = subprocess.run(
            [sys.executable, REPORT, "--draw", self.output / "report.jsonl", device, "--output", self.folder / "both"],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex((self.folder / "both" / "report.html").read_text(), r"From n = \d+ on the device is faster")


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
