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
from unittest import mock

REPO = pathlib.Path(__file__).resolve().parent.parent.parent
REPORT = REPO / "benchmarks" / "report"
sys.path.insert(0, str(REPORT))

import compare  # noqa: E402
import measure  # noqa: E402
import programs  # noqa: E402
import small_svg  # noqa: E402
import results  # noqa: E402
from results import Measurement, Result  # noqa: E402

try:
    import matplotlib  # noqa: F401
    WITHOUT_MATPLOTLIB = None
except ImportError:
    WITHOUT_MATPLOTLIB = "there is no matplotlib: nothing is drawn"

STAND_IN = pathlib.Path(__file__).with_name("stand_in.py").read_text()
ALL = 27  # names that it has


def result_of(*measured, **header):
    """A result of (name, seconds, counters) or (name, why it was skipped); a number stands for all samples."""
    found = {}
    for name, seconds, *counters in measured:
        seconds = [seconds] if isinstance(seconds, float) else seconds
        found[name] = Measurement(name, skipped=seconds) if isinstance(seconds, str) else Measurement(name, seconds, {
            counter: value if isinstance(value, list) else [value] * len(seconds)
            for of in counters for counter, value in of.items()})
    return Result(header, found)


class WithProgram(unittest.TestCase):
    """A folder with the stand-in."""
    draws = False

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program, self.output, self.log = (self.folder / name for name in ("experiments", "output", "log"))
        self.program.write_text(STAND_IN)
        self.program.chmod(0o755)
        self.hidden = self.folder / "hidden"  # where a module is found that says that matplotlib is not there
        self.hidden.mkdir()
        (self.hidden / "matplotlib.py").write_text("raise ImportError(name='matplotlib')\n")

    def command(self, *more):
        return [sys.executable, REPORT, "--quick", "--program", self.program, "--output", self.output, *more]

    def environment(self, **behaviour):
        path = {} if self.draws else {"PYTHONPATH": str(self.hidden)}
        # (A commit that is made while the tests run must not disturb them.)
        inherited = {name: value for name, value in os.environ.items() if name != "OMP_PROC_BIND"}
        return {**inherited, **path, "BEHAVIOUR": json.dumps(behaviour), "LOG": str(self.log), "BLOCKFW_COMMIT": "0000000"}

    def report(self, *more, status=0, **behaviour):
        """One that measures; the programs beside it, for steps and peers, are not there. What it ran is in self.ran."""
        self.log.write_text("")
        done = subprocess.run(self.command(*more), capture_output=True, text=True, env=self.environment(**behaviour))
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.ran = self.log.read_text().split("\n")[:-1]
        return done

    @property
    def file(self):
        return self.output / "report.jsonl"

    def result(self):
        return results.load(self.file)


class Measuring(WithProgram):
    def test_everything_is_measured_once(self):
        done, result = self.report(), self.result()
        self.assertEqual(len(self.ran), ALL)
        solve = result.all["solve/int32/n:1024"]
        self.assertEqual((len(solve.seconds), solve.counters["relaxes"]), (3, [1024.0**3] * 3))
        self.assertAlmostEqual(solve.seconds[0], 1024**3 / 8e10)
        self.assertAlmostEqual(solve.samples("share")[0], 0.8, 5)
        self.assertNotIn("cpu_time", solve.counters)
        self.assertEqual(result.context["backend"], "OpenMP")
        for private in ("secret-host", "/home/someone", str(self.folder), os.uname().nodename):
            self.assertNotIn(private, self.file.read_text())
        self.assertIn("--draw report.jsonl", done.stdout)
        self.assertFalse((self.output / "report.html").exists())
        self.assertRegex((self.output / "report.csv").read_text(),
                         r"^name,samples,seconds median.*\n(.*\n)*solve/int32/n:1024,3,0.0135")
        self.report()
        self.assertEqual(self.ran, [])

    def test_only_some(self):
        self.report("--only", "solve")
        self.report("--only", "exchange")  # goes on in the same file
        result = self.result()
        self.assertEqual({m.experiment: m.median("bound") for m in result.all.values()},
                         {"machine": 1, "solve": 1, "exchange": 0})  # groups of threads are not bound
        self.assertEqual(result.context["omp_proc_bind"], "spread")
        done = self.report("--only", "everything", status=2)
        self.assertIn("no experiment everything", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_a_failure_is_recorded_the_rest_goes_on_and_it_is_tried_again(self):
        for behaviour, name, why in (("error", "phases/int32/n:1024", "wrong distances"),
                                     ("crash", "tiles/int32/block:32/rows:8/cols:32/n:1024", "ended with signal 11"),
                                     ("crash", "solve/int32/n:256", "ended with signal 11")):
            with self.subTest(name):
                self.report("--again", **{behaviour: name})
                self.assertIn(why, self.result().all[name].skipped)
                self.assertEqual(len([m for m in self.result().all.values() if m.seconds]), ALL - 1)
                self.report()
                self.assertEqual(self.ran, [name])
                self.assertIsNone(self.result().all[name].skipped)

    def test_a_program_that_does_not_start(self):
        done = self.report(broken=True, status=1)
        self.assertEqual(done.stderr.strip().splitlines()[-1], "report: experiments: experiments: there is no GPU")
        self.assertFalse(self.file.read_text())

    def test_too_slow(self):
        with mock.patch.dict(measure.SILENCE, quick=0.5), mock.patch.dict(os.environ, self.environment(slow=60)):
            experiments = measure.Experiments(self.program, "quick", None)
            (m,) = experiments.measure(["solve/int32/n:256/repeats:3/manual_time"])
        self.assertEqual(m.skipped, "took longer than 0.5 s")


class GoingOn(WithProgram):
    def goes_on(self):
        done = {json.loads(line)["name"] for line in self.file.read_text().splitlines()[1:] if line.endswith("}")}
        self.report()
        self.assertTrue(done)
        self.assertFalse(done & set(self.ran))
        self.assertEqual(len([m for m in self.result().all.values() if m.seconds]), ALL)

    def test_after_an_end(self):
        for how, status in ((signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(how):
                process = subprocess.Popen(self.command("--again"), env=self.environment(slow=0.2), text=True,
                                           start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                while not (self.file.exists() and 4 < self.file.read_text().count("\n") < ALL):
                    self.assertIsNone(process.poll(), "it ended by itself")
                    time.sleep(0.02)
                process.send_signal(how)
                said = process.communicate()[1]
                self.assertEqual(process.returncode, status)
                self.assertNotIn("Traceback", said)
                if status == 130:
                    self.assertRegex(said.splitlines()[-1],
                                     r"^report: interrupted with \d+ of \d\d done; the same command goes on$")
                self.goes_on()

    def test_after_a_line_half_written(self):
        self.report()
        lines = self.file.read_text().splitlines(keepends=True)
        self.file.write_text("".join(lines[:6]) + lines[6][:-5])
        self.goes_on()
        self.file.write_text('{"blockfw": "rep')
        self.report()
        self.assertEqual(len(self.ran), ALL)

    def test_another_machine_program_or_number_of_threads(self):
        self.report("--only", "solve")
        before = self.file.read_text()
        self.assertIn("threads 4, there 2", self.report(threads=4, status=1).stderr)
        self.assertEqual(self.file.read_text(), before)
        header, lines = before.split("\n", 1)
        other = json.loads(header)
        other["machine"]["cpu"] = "Z80"
        self.file.write_text(json.dumps(other) + "\n" + lines)
        done = self.report(status=1)
        self.assertRegex(done.stderr, "^report: .* begun with another machine: cpu .*, there Z80: --again starts anew\n$")
        self.file.write_text(before)
        self.program.write_text(STAND_IN + "# rebuilt\n")
        self.assertRegex(self.report(status=1).stderr, "program [0-9a-f]{12}, there [0-9a-f]{12}: --again starts anew")
        self.report("--again")
        self.assertEqual(len(self.ran), ALL)
        self.assertEqual((self.output / "report.jsonl.1").read_text(), before)

    def test_two_at_once(self):
        lock = os.open(self.folder, os.O_RDONLY)  # of any plan
        self.addCleanup(os.close, lock)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.assertRegex(self.report("--again", status=1).stderr, "^report: another run is measuring in .*\n$")
        self.assertFalse(self.output.exists())


class Jobs(unittest.TestCase):
    """Measurements by other programs than `experiments`."""

    def test_done_by_its_own_measurement_alone(self):
        ours, boost = ("peers/program:blockfw/n:64", 1.0), "peers/program:boost/n:64"
        for job, done, *measured in (
                ("peers/n:64", False, ("peers/program:scipy/n:64", 1.0)), ("peers/n:64", False, ("naive/n:64", 1.0)),
                ("peers/n:64", True, ours), ("peers/n:128", False, ours),
                ("peers/n:64", True, ours, (boost, measure.NOT_INSTALLED)), ("peers/n:64", False, ours, (boost, "crashed")),
                ("energy/what:host/n:64", True, ("energy/what:host/n:64", 1.0)),
                ("steps/n:64", False, ("steps/n:64", "today"))):
            with self.subTest(job=job, measured=measured):
                self.assertEqual(measure.is_done((job, None), mock.Mock(measured=result_of(*measured).all)), done)

    def test_whatever_a_job_raises(self):
        file = mock.Mock(header=None, measured={})
        file.append = lambda m: file.measured.update({m.name: m})
        made = [("peers/n:64", lambda: {}["no /such/folder/name"]), ("energy/n:64", lambda: 1 / 0),
                ("steps/n:64", lambda: [Measurement("steps/n:64", [1.0])])]
        with mock.patch.object(measure, "list_tests", lambda *_: []), contextlib.redirect_stderr(io.StringIO()):
            measure.measure(file, {"plan": "quick"}, None, None, lambda _: made)
            self.assertEqual({name: m.skipped for name, m in file.measured.items()},
                             {"peers/program:blockfw/n:64": "KeyError: 'no name'",
                              "energy/n:64": "ZeroDivisionError: division by zero", "steps/n:64": None})
            with self.assertRaisesRegex(KeyboardInterrupt, "interrupted with 0 of 1 done"):
                interrupt = mock.Mock(side_effect=KeyboardInterrupt)
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

    def test_stats_of_a_program(self):
        printed = ("starting   0.004 s   Kokkos\nhost-to-device   0.001 s   3.2 MB\nsolving   0.432 s   2 relax/s\n"
                   "  phase 1  0.100 s   in launches of its own\n")
        self.assertEqual(programs.read_stats(printed), {"starting": 0.004, "host-to-device": 0.001, "solving": 0.432})
        self.assertRaises(programs.Failed, programs.read_stats, "")

    def test_table_of_ncu(self):
        occupancy = programs.COUNTED["occupancy"]
        printed = ('==PROF== Connected\n{"context": {}}\n'
                   '"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n')
        for launch, seconds in (("0", "3.5"), ("1", "1,200")):
            for metric, unit, value in ((programs.TIME, "us", seconds), (programs.ACTIVE, "cycle", 90), (programs.ELAPSED, "cycle", 100),
                                        (occupancy, "%", 17.1)):
                printed += f'"{launch}","1","k<a, b>","{metric}","{unit}","{value}"\n'
        launches = programs.read_table(printed)
        self.assertAlmostEqual(launches["1"][programs.TIME], 1.2e-3)
        self.assertEqual(launches["0"][occupancy], 17.1)


class Reading(unittest.TestCase):
    """What Google Benchmark prints, and its names."""
    RUN = {"run_type": "iteration", "run_name": "solve/int32/n:64/manual_time", "repetitions": 2, "real_time": 2e6,
           "time_unit": "ns", "iterations": 5}

    def test_in_parts_of_any_size(self):
        whole = {"context": {"caches": [{"level": 1}], "threads": "2"},
                 "benchmarks": [{**self.RUN, "limit": limit} for limit in (1e11, float("nan"))]}
        for indent in (None, 2):
            for size in (1, 7, 10000):
                text, contexts = json.dumps(whole, indent=indent), []
                (m,) = measure.read((text[at:at + size] for at in range(0, len(text), size)), contexts.append)
                self.assertEqual((m.name, m.seconds), ("solve/int32/n:64", [2e-3, 2e-3]))
                self.assertEqual(m.counters, {"limit": [1e11, None], "calls": [5, 5]})
                self.assertEqual(contexts, [whole["context"]])

    def test_repetitions_that_do_not_come(self):
        runs = [self.RUN, {**self.RUN, "run_name": "solve/int32/n:65/manual_time"}]
        text = json.dumps({"context": {}, "benchmarks": runs})
        found = [(m.name, len(m.seconds)) for m in measure.read([text], lambda _: None)]
        self.assertEqual(found, [("solve/int32/n:64", 1), ("solve/int32/n:65", 1)])

    def test_lengths_of_filters(self):
        names = [f"solve/int32/n:{n}" for n in range(1000)] + ["tiles/n:1"]
        filters = list(measure.filters(names))
        self.assertEqual([name for names_of_one in filters for name in names_of_one], names)
        self.assertEqual(filters[-1], ["tiles/n:1"])
        self.assertTrue(all(sum(map(len, names_of_one)) <= measure.FILTER for names_of_one in filters))

    def test_names(self):
        for suffix in ("", "/manual_time", "/repeats:3/manual_time", "/iterations:1/repeats:1/manual_time",
                       "/min_time:0.100/real_time"):
            self.assertEqual(measure.plain("ladder/step:look-ahead/n:2048" + suffix), "ladder/step:look-ahead/n:2048")
        # A key that the experiment has, and Google Benchmark's own of the same name.
        self.assertEqual(measure.plain("scaling/strong/threads:2/n:64/manual_time"), "scaling/strong/threads:2/n:64")
        m = Measurement("tiles/int32/block:64/rows:8/cols:32/n:2048")
        self.assertEqual((m.experiment, m.type, m.n), ("tiles", "int32", 2048))
        self.assertEqual(m.keys, {"block": 64, "rows": 8, "cols": 32, "n": 2048})
        self.assertEqual(Measurement("peers/program:three loops, -O2/n:512").keys["program"], "three loops, -O2")


class Numbers(unittest.TestCase):
    def test_text_and_spread(self):
        for function, value, expected in (
                ("spread", [3, 1, 2], (1, 2, 3)), ("spread", [1, 2, 3, 4, 100], (2, 3, 4)), ("spread", [7], (7, 7, 7)),
                ("duration", 0.00033, "330 µs"), ("duration", 12, "12 s"), ("percent", 0.0123, "1.2%")):
            self.assertEqual(getattr(results, function)(value), expected)
        self.assertEqual(results.scaled(15.45e12, "relax/s"), "15.4 Trelax/s")

    def test_the_best_limit(self):
        result = result_of(*((name, [1.0] * len(limits), {"relaxes": 1.0, "limit": limits}) for name, limits in (
            ("machine/limit/int32", [3.0, 4.0]), ("tiles/int32/n:64", [5.0, None]), ("scaling/strong/devices:2/n:64", [9.0]),
            ("machine/limit/float", [7.0]))))
        self.assertEqual([result.limit(type) for type in ("int32", "float", "int64")], [5.0, 7.0, None])

    def test_no_folders_in_what_was_skipped(self):
        for text, expected in (("cannot open /home/someone/x.txt: no", "cannot open x.txt: no"),
                               ("'/a/b/c' and (~/d/e)", "'c' and (e)"), ("3 GB/s, and/or /tmp", "3 GB/s, and/or /tmp"),
                               ("at /a/b.cpp:12", "at b.cpp:12")):
            self.assertEqual(Measurement("a/n:1", skipped=text).skipped, expected)

    def test_a_line_has_six_digits_and_says_nothing_twice(self):
        samples = {"relaxes": [1e12, 1e12], "limit": [3.25123456e13, 1.0], "calls": [7, 7], "teams": [None, None]}
        line = Measurement("solve/int32/n:4", [0.123456789, 2.0], samples).line()
        self.assertEqual(json.loads(line), {"name": "solve/int32/n:4", "seconds": [0.123457, 2], "counters": {
            "relaxes": 1000000000000, "limit": [32512345600000, 1], "calls": 7, "teams": [None, None]}})
        again = results.measurement_of(json.loads(line))
        self.assertEqual(again.counters["relaxes"], [1e12, 1e12])
        self.assertEqual(again.line(), line)
        self.assertEqual(Measurement("a", [1.0], {"b": [2.0]}).line(),
                         '{"name": "a", "seconds": [1], "counters": {"b": [2]}}')


class Small(unittest.TestCase):
    def test_a_path_in_relative_numbers(self):
        for path, expected in (("M 10.04 20 L 10.96 20 L 10.96 5.5 L 0 0 z", "M10 20l1 0l0 -14.5l-11 -5.5z"),
                               ("M 1 1 L 2 2 M 5 5 L 5.25 5.26", "M1 1l1 1m3 3l0.2 0.3"),
                               ("M 0 0 L 0.04 0.04 L 0.08 0.08 L 0.12 0.12", "M0 0l0 0l0.1 0.1l0 0"),  # errors do not add up
                               ("M 0 0 Q 1 2 3 4 C 4 4 5 5 6 7", "M0 0q1 2 3 4c1 0 2 1 3 3")):
            self.assertEqual(small_svg.relative(path), expected)

    def test_what_is_seen_stays(self):
        tag = '<path d="M 0 0 L 9 9" style="opacity: 0.85"/>'
        drawn = small_svg.small(
            '<?xml?><svg viewBox="0 0 9.123 9"><metadata>x</metadata><defs><style>*{}</style></defs>\n'
            f'<g id="a" clip-path="url(#b)">{3 * tag}</g><text x="1.234">x="0.12345</text></svg>')
        name = re.search('class="(.*?)"', drawn)[1]
        path = f'<path d="M0 0l9 9" class="{name}"/>'
        self.assertEqual(re.sub(r"\.s[0-9a-f]{6}{", ".s{", drawn),
                         '<svg viewBox="0 0 9.123 9"><defs><style>*{}.s{opacity:0.85}</style></defs>'
                         f'<g clip-path="url(#b)">{3 * path}</g><text x="1.2">x="0.12345</text></svg>\n')

    def test_groups_without_effect_go(self):
        self.assertEqual(small_svg.unwrapped('<g><g fill="red"><g><path/></g></g><path/></g>'), '<g fill="red"><path/></g><path/>')

    def test_lines_of_one_style_are_one_path(self):
        line = lambda d, style: f'<path d="{d}" style="{style}"/>'
        for style, joined in (("fill: none; stroke: red", True), ("fill: none; opacity: 0.5", False), ("fill: red", False),
                              ("fill: none; stroke-opacity: 0.3", False)):
            drawn = small_svg.small(f"<svg>{line('M 0 0 L 9 9', style)}{line('M 5 5 L 6 5', style)}</svg>")
            paths = line("M0 0l9 9M5 5l1 0", style) if joined else line("M0 0l9 9", style) + line("M5 5l1 0", style)
            self.assertEqual(drawn, f"<svg>{paths}</svg>\n")


def solved(limit=1e11, cpu="one", controls=(), **seconds):
    """A result with these seconds of an experiment's solve, `limit` as the machine's, and early steps of the ladder."""
    result = result_of(("machine/limit/int32", 1.0, {"relaxes": limit, "limit": limit}),
                       *((f"{name}/int32/n:64", values, {"relaxes": 1.0, "limit": 1.0}) for name, values in seconds.items()),
                       *((f"ladder/step:{step}/n:64", [2 * factor] * 3, {"relaxes": 1.0}) for step, factor in zip(
                           ("textbook", "scratch", "larger", "registers", "vectors"), controls)), machine={"cpu": cpu})
    return result


def with_limits(seconds, *limits):
    return result_of(*((f"solve/int32/n:{n}", [seconds] * 3, {"relaxes": 1.0, "limit": limit})
                       for n, limit in zip((64, 128), limits)))


class Comparing(unittest.TestCase):
    def compare(self, a, b):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            slower = compare.compare(a, b)
        return slower, printed.getvalue()

    def test_what_got_slower(self):
        wide, many = [2.0, 2.2, 2.4, 2.6, 2.8], [f"other{place}" for place in range(10)]
        all_of = lambda *seconds, controls=(): solved(controls=controls, **{
            name: [seconds[place % len(seconds)]] * 3 for place, name in enumerate(many)})
        three = lambda seconds: solved(solve=[seconds] * 3)
        for a, b, slower, *said in (
                (solved(solve=[2.0, 2.01, 2.02]), solved(solve=[2.5, 2.51, 2.52]), True,
                 r"solve/int32/n:64 +50% -> 40% +0\.80\d +3%", "1 slower, 0 faster, 0 within the noise"),
                (three(2.0), three(2.05), False, "0 slower, 0 faster, 1 within the noise"),
                (three(2.0), three(1.5), False, "0 slower, 1 faster"),
                (solved(solve=wide), solved(solve=[one * 1.15 for one in wide]), False),  # the samples' own noise
                (all_of(2.0), all_of(2.5), True, "10 slower, 0 faster"),
                *((all_of(2.0, controls=controls), all_of(2.0, 2.4, controls=controls), True,
                   "5 slower, 0 faster, 5 within the noise", r"median ratio of all: 0\.917") for controls in ((), [1] * 5)),
                # A share is as uncertain as its limit; if all limits change, it is the machine's.
                (with_limits(2.0, 1.0, 1.0), with_limits(2.0, 1.05, 1.0), False),
                (with_limits(2.0, 1.0, 1.0), with_limits(2.0, 1.05, 1.05), True),
                (with_limits(2.0, 1.0, 1.0), with_limits(2.2, 1.05, 1.0), True),
                (solved(solve=2.0, tiles=1.0), solved(solve=2.0, batch=1.0), False,
                 r"only in the first: 1 \(tiles/int32/n:64\)", r"only in the second: 1 \(batch/int32/n:64\)"),
                (solved(), solved(limit=2e11, cpu="other"), False, "warning: cpu differs: one, then other",
                 "warning: the machine's limit differs: 100 Grelax/s, then 200 Grelax/s")):
            found, printed = self.compare(a, b)
            with self.subTest(printed):
                self.assertEqual(found, slower)
                for text in said:
                    self.assertRegex(printed, text)

    def test_within_the_scatter_of_the_controls(self):
        apart, far = [1, 1.015, 0.985, 1.02, 0.98], [1, 1.2, 0.8, 1.3, 0.7]
        for factors, seconds, expected in (([1] * 5, 2.1, True), (apart, 2.1, False), (apart[:2], 2.1, True),
                                           (far, 2.1, False), (far, 2.2, True)):
            slower, printed = self.compare(solved(controls=[1] * 5, solve=[2.0] * 3),
                                           solved(controls=factors, solve=[seconds] * 3))
            self.assertEqual(slower, expected, (factors, seconds, printed))
            self.assertRegex(printed, r"scatter: (\d+\.\d%, by|none is taken from) \d controls")
            self.assertNotIn("textbook", printed)  # whatever it does

    def test_what_fails_now(self):
        for name, fails in (("tiles/int32/n:64", True), ("peers/program:scipy/n:64", False), ("metrics/n:64", False),
                            ("energy/what:host/n:64", False)):
            a, b = solved(solve=[2.0] * 3), solved(solve=[2.0] * 3)
            a.all[name] = Measurement(name, [1.0])
            self.assertFalse(self.compare(a, b)[0])
            b.all[name] = Measurement(name, skipped="wrong distances")
            failed, printed = self.compare(a, b)
            self.assertEqual(failed, fails)
            if fails:
                self.assertRegex(printed, rf"{name} +wrong distances")
                self.assertIn("0 slower, 0 faster, 1 within the noise, 1 failed", printed)
            self.assertFalse(self.compare(b, b)[0])

    def test_another_backend(self):
        with self.assertRaisesRegex(results.Error, "the first is of OpenMP, the second of None"):
            compare.compare(result_of(context={"backend": "OpenMP"}), result_of())


def run_report(*words):
    return subprocess.run([sys.executable, REPORT, *words], capture_output=True, text=True)


class CommandLine(unittest.TestCase):
    def test_errors(self):
        for status, says, *words in (
                (2, "--slow", "--slow"), (2, "unrecognized arguments: now", "now"),
                (2, "not allowed with", "--quick", "--full"), (2, "expected 2 arguments", "--compare", "a"),
                (2, "--quick is for measuring", "--quick", "--draw", "a"),
                (2, "--output is for measuring", "--output", "a", "--compare", "a", "b"),
                (2, "not allowed with", "--draw", "a", "--compare", "a", "b"),
                (2, "--only is for measuring", "--tables", "--only", "a"),
                (1, "No such file", "--compare", "/nowhere/a", "/nowhere/b"),
                (1, "is not a program", "--program", "/nowhere/experiments"),
                (1, "is not a result of scripts/report", "--compare", __file__, __file__)):
            with self.subTest(words):
                done = run_report(*words)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(says, done.stderr)

    def test_help_and_status(self):
        done = run_report("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("--compare", done.stdout)
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder, name) for name in "ab"]
            for path, seconds in zip(paths, (1.0, 2.0)):
                path.write_text(json.dumps({"blockfw": "report", "format": 1}) + "\n"
                                + Measurement("batch/int32/n:4", [seconds]).line() + "\n")
            self.assertEqual(run_report("--compare", *paths).returncode, 1)
            self.assertEqual(run_report("--compare", *reversed(paths)).returncode, 0)


RELAX = {"relaxes": 1.0, "limit": 2.0}
ROUND = {**RELAX, "round_bytes": 1e6, "round_seconds": 1.0}
LEVELS = [(f"vectors/int32/level:{level}/n:64", seconds, RELAX) for level, seconds in (("baseline", 10.0), ("avx2", 2.5))]
PEERS = [(f"peers/program:{name}/n:64", [1.0, 2.0], {"relaxes": 5.0, "limit": 9.0}) for name in ("blockfw", "scipy")]
NAIVE = "naive kernel on the GPU", "graph is complete"


def exchanged(what):
    return [(f"exchange/method:{method}/{what}:2/n:64", seconds,
             ROUND if method == "look-ahead" else {**ROUND, "round_exchange": seconds / 10})
            for method, seconds in (("whole", 4.0), ("cross", 3.0), ("row", 2.0), ("look-ahead", 1.0))]


def limited(other):
    return [("solve/int32/n:64", 1.0, RELAX), ("solve/int32/n:128", 1.0, {"relaxes": 1.0, "limit": other}),
            ("scaling/strong/threads:1/int32/n:64", 1.0, {"relaxes": 1.0, "limit": 1.0})]  # as slow as it should be


# What a page shows: the measurements, its header, what it says; after None what it does not say.
PAGES = {
    "devices are counted in the title": (
        [*((f"scaling/strong/devices:{many}/n:64", 1.0 / many) for many in (1, 2)), ("solve/int32/n:64", 1.0, RELAX)],
        {"context": {"backend": "Cuda", "device": "Some GPU"}},
        ["<h1>blockfw on 2 × Some GPU</h1>", "1\u00a0s on Some GPU:"]),  # which takes one
    "two devices by n": (
        [(f"scaling/{kind}/devices:{many}/n:{n}", seconds / (many if n > 64 else 1))
         for kind, seconds in (("strong", 4.0), ("int16/work:whole", 2.0), ("int16/work:half", 1.0)) for many in (1, 2)
         for n in (64, 128)], {"context": {"backend": "Cuda"}},
        ["2 devices solve n = 128 2 times as fast as one (strong)", "speed-up of 2 devices", "int16, work whole", "int16, work half"]),
    "levels of vectors are beside the solver of this build": (
        [*LEVELS, ("solve/int32/n:64", 2.0, {"relaxes": 1.0, "limit": 1.0})], {},
        ["20% of this build's", "80% of this build's", "this build, as compiled"]),
    "levels alone": (LEVELS, {}, ["25% of avx2"]),
    "the closure is beside distances of the same n": (
        [*((f"gains/what:{what}/n:{n}", seconds, {"relaxes": 1.0, "limit": 1.0}) for n in (64, 128)
           for what, seconds in (("32-bits-directed", 8.0), ("transitive-closure", 64 / n))),
         ("gains/what:paths/n:64", 1.0)], {},
        ["× 8<", "× 16<", "what:paths/n:64"]),  # has no rate, and is in the table
    "updates are beside reading or copying": (
        [(f"updates/what:{what}/n:64", seconds, {"bytes": 4.0, "limit": 1.0})
         for what, seconds in (("reach-of-columns", 2.0), ("add_vertex", 4.0))], {},
        ["25% of copying", "50% of reading"]),
    "a machine that changes its speed": (limited(1.6), {}, ["its limit of int32 went from 1.6 relax/s to 2 relax/s"]),
    "a machine that does not": (limited(1.9), {}, [None, "its limit of int32 went from"]),
    "one thread that could not be measured": (
        [(f"scaling/strong/threads:{many}/n:64", 1.0 / many) for many in (2, 4)], {}, [None, "times as fast as one"]),
    "many threads, and a device that is always faster": (
        [*((f"scaling/strong/threads:{many}/n:64", [1 / many] * 3) for many in (1, 2, 4, 8, 64)),
         *((f"crossover/space:{space}/n:{n}", seconds)
           for n in (64, 128) for space, seconds in (("host", 1.0), ("device", 0.5)))],
        {"context": {"backend": "Cuda", "build": "not optimised", "omp_places": "threads"}},
        ["64 threads solve n = 64 64 times as fast as one (strong)", "The device is faster at all of these sizes",
         "built without optimisation", "OMP_PLACES=threads"]),
    "the naive kernel beside peers of its size": ([*PEERS, ("naive/n:64", [1.0, 2.0], RELAX)], {}, NAIVE),
    "the naive kernel of another size": ([*PEERS, ("naive/n:128", 1.0)], {}, [None, *NAIVE]),
    **{f"exchange between {said}": (
        exchanged(what), {},
        [f"Two {said}", "<td>the whole matrix</td><td>64</td><td>1 MB</td><td>40%</td><td>2</td>",
         "<td>the pivots' row and column</td><td>64</td><td>1 MB</td><td>30%</td><td>1.5</td>",
         "<td>the row, with look-ahead</td><td>64</td><td>1 MB</td><td>none of its own</td><td>0.5</td>"])
       for what, said in (("devices", "devices"), ("instances", "instances on one device"),
                          ("groups", "groups of the host's threads"))},
}
LITTLE = ["solve/int32/n:64", "tiles/int32/block:8/rows:2/cols:2/n:64", "ladder/step:textbook/n:64", "phases/int32/n:64",
          "scaling/strong/threads:1/n:64", "exchange/method:row/groups:2/n:64", "exchange/method:look-ahead/devices:2/n:64",
          "steps/n:64", "peers/program:blockfw/n:64", "crossover/space:device/n:64", "metrics/n:64",
          "batch/int32/n:4"]


@unittest.skipIf(WITHOUT_MATPLOTLIB, WITHOUT_MATPLOTLIB)
class Drawing(WithProgram):
    draws = True

    def test_pages(self):
        import page
        for name, (found, header, said) in PAGES.items():
            with self.subTest(name):
                text = page.page([result_of(*found, **header)]).replace("&#x27;", "'")
                missing = said.index(None) if None in said else len(said)
                for one in said[:missing]:
                    self.assertIn(one, text)
                for one in said[missing + 1:]:
                    self.assertNotIn(one, text)

    def test_results_with_little_in_them(self):
        import page
        for counters in ({}, {"relaxes": [5.0], "limit": [9.0], "phase3": [1.0], "solving": [0.5]}):
            self.assertIn("Raw data", page.page([result_of(*((name, 1.0, counters) for name in LITTLE))]))
        self.assertIn("<li>Solves: not measured.</li>", page.page([result_of()]))
        self.assertIn("<li>Solves: not today.</li>", page.page([result_of(*((name, "not today") for name in LITTLE))]))

    def test_a_page_that_needs_nothing_else(self):
        self.report()
        page = (self.output / "report.html").read_text()
        self.assertNotRegex(page, r"<script|<link|<img|url\((?!#)|@import|(src|href)=\"(?!#|data:)")
        self.assertGreaterEqual(page.count("<svg"), 6)
        self.assertIn("share of the machine", (self.output / "headline.svg").read_text())
        data = re.search('href="data:application/json;base64,([^"]*)"', page)[1]
        self.assertEqual([json.loads(line) for line in base64.b64decode(data).decode().splitlines()],
                         [json.loads(line) for line in self.file.read_text().splitlines()])
        for private in ("secret-host", str(self.folder), os.uname().nodename):
            self.assertNotIn(private, page)
        for section in re.split(r'<h2 id="(?=s\d)', page)[1:]:
            self.assertTrue("Raw data" in section, section[:40])
        # With a result of a device beside it.
        header, *lines = self.file.read_text().splitlines()
        other = json.loads(header)
        other["context"].update(backend="Cuda", device="Some GPU")
        lines += [Measurement(f"crossover/space:device/n:{n}", [seconds]).line()
                  for n, seconds in ((64, 1e-3), (1024, 2e-3))]
        device, both = self.folder / "device.jsonl", self.folder / "both"
        device.write_text("\n".join([json.dumps(other), *lines]) + "\n")
        done = run_report("--draw", self.file, device, "--output", both)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex((both / "report.html").read_text(), r"From n = \d+ on the device is faster")

    def test_an_old_matplotlib(self):
        self.draws = False
        (self.hidden / "matplotlib.py").write_text("__version__ = '3.6.3'\n")
        done = self.report(status=1)
        self.assertEqual(done.stderr.splitlines()[-1], "report: the page needs matplotlib 3.7; here is 3.6.3")

    def test_whiskers(self):
        import sections
        for many, said in (((5, 5, 5, 3), "medians, whiskers are quartiles"),
                           ((1, 5, 5), "medians, whiskers are quartiles; a single sample of s0"),
                           ((3, 3, 5), "medians, whiskers from least to greatest"), ((1, 1), "a sample each")):
            found = [Measurement(f"ladder/step:s{place}/n:4", [1.0] * samples) for place, samples in enumerate(many)]
            self.assertEqual(sections.whiskers(found), said)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
