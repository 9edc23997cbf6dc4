# SPDX-License-Identifier: MIT
"""Runs what a plan has and is not in the result file yet. Each measurement is in the file the moment it is there.

`experiments` is a Google Benchmark program. It runs as few times as possible (each start measures the machine's
limit), and its output is read while it comes: what it had finished when it was interrupted, or ended in some other way,
is kept.
"""
import contextlib
import json
import math
import os
import re
import select
import subprocess
import sys
import tempfile
import time

import programs
from results import Error, Measurement, UsageError

SILENCE = {"quick": 120, "normal": 900, "full": 3600}  # the most seconds that a benchmark may take
FILTER = 4000                                         # the most characters of a filter: its matcher is recursive

# Google Benchmark's own, in its context and in each run. (The names of the host and of the program's file stay out.)
CONTEXT = {"date", "host_name", "executable", "num_cpus", "mhz_per_cpu", "cpu_scaling_enabled", "aslr_enabled",
           "caches", "load_avg", "library_version", "library_build_type", "json_schema_version"}
RUN = {"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations",
       "real_time", "cpu_time", "items_per_second", "bytes_per_second", "allocs_per_iter", "max_bytes_used",
       "total_allocated_bytes", "net_heap_growth"}
# Experiments with groups of a host's threads: the threads that start the groups would all be bound to the first core.
UNBOUND = {"exchange"}
NOT_INSTALLED = "not installed"  # by peers.py; no failure
SECONDS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
SUFFIX = re.compile(r"(/(manual_time|real_time|process_time|repeats:\d+|min_time:[^/]+|min_warmup_time:[^/]+|"
                    r"iterations:\d+))+$")


def plain(name):
    """A name without the parts that Google Benchmark adds."""
    return SUFFIX.sub("", name)


def read(chunks, on_context):
    """Yields the measurements in Google Benchmark's JSON, each once its repetitions are there; passes on its context."""
    text, known, runs = "", False, []
    for chunk in chunks:
        text += chunk
        if not known and (start := re.search(r'"benchmarks":\s*\[', text)):
            on_context(json.loads(text[:start.start()].rstrip(" \n,") + "}")["context"])
            text, known = text[start.end():], True
        while known:
            text = text.lstrip(" \t\r\n,")
            try:
                run, end = json.JSONDecoder().raw_decode(text)
            except ValueError:
                break  # the rest of it is to come
            text = text[end:]
            if run.get("run_type", "iteration") != "iteration":
                continue
            if runs and runs[0]["run_name"] != run["run_name"]:  # fewer than were announced
                yield measurement(runs)
                runs = []
            runs.append(run)
            if len(runs) >= run.get("repetitions", 1):
                yield measurement(runs)
                runs = []
    if runs:
        yield measurement(runs)


def measurement(runs):
    name = plain(runs[0]["run_name"])
    for run in runs:
        if run.get("error_occurred") or run.get("skipped"):
            return Measurement(name, skipped=run.get("error_message") or run.get("skip_message") or "skipped")
    counters = {key: [finite(run.get(key)) for run in runs] for key, value in runs[0].items()
                if key not in RUN and isinstance(value, (int, float)) and not isinstance(value, bool)}
    if all(run.get("iterations", 1) > 0 for run in runs):
        counters["calls"] = [run.get("iterations", 1) for run in runs]  # the sample is their mean
    return Measurement(name, [run["real_time"] * SECONDS[run["time_unit"]] for run in runs], counters)


def finite(value):
    return value if isinstance(value, (int, float)) and math.isfinite(value) else None


def list_tests(program, plan):
    """The program's names of its benchmarks, in its order."""
    try:
        printed = programs.run([program, f"--plan={plan}", "--benchmark_list_tests=true"], 120, programs.environment())
    except programs.Failed as failure:
        raise Error(f"{program.name} is no `experiments` that can run here: {failure}")
    return [line.strip() for line in printed.splitlines() if "/" in line]


def filters(names):
    """Lists of names of one experiment, each as long as one filter may be."""
    chosen = []
    for name in names:
        if chosen and (sum(map(len, chosen)) + 10 * len(chosen) + len(name) > FILTER
                       or name.split("/")[0] != chosen[0].split("/")[0]):
            yield chosen
            chosen = []
        chosen.append(name)
    if chosen:
        yield chosen


class Experiments:
    """The program `experiments`; passes its context to on_context."""

    def __init__(self, program, plan, on_context):
        self.program, self.plan, self.on_context = program, plan, on_context

    def measure(self, names):
        """Yields a measurement for each of these names, in their order, whatever the program does."""
        for left in filters(names):
            while left:
                for done in self._run(left):
                    left = [name for name in left if plain(name) != done.name]
                    yield done

    def _run(self, names):
        """One run of the program. If it ends too early, the benchmark that it was at gets the reason."""
        exactly = "|".join(re.sub(r"([^\w/: -])", r"\\\1", name) for name in names)
        command = [self.program, f"--plan={self.plan}", f"--benchmark_filter=^({exactly})$", "--benchmark_format=json"]
        missing, why = list(map(plain, names)), "the program left it out"
        bound = names[0].split("/")[0] not in UNBOUND
        with tempfile.TemporaryFile() as errors:
            process = programs.start(command, stdout=subprocess.PIPE, stderr=errors, env=programs.environment(bound))
            try:
                for done in read(self._output(process, errors), self._pass_on):
                    missing = [name for name in missing if name != done.name]
                    yield done
            except programs.Failed as failure:
                why = str(failure)
            finally:
                programs.end(process)
                process.stdout.close()
            if self.on_context:
                raise Error(f"{self.program.name}: {programs.last_line(errors) or why}")
        if missing:
            yield Measurement(missing[0], skipped=why)

    def _output(self, process, errors):
        """Its output as it comes. Raises Failed if the program fails, or prints nothing for too long."""
        while select.select([process.stdout], [], [], SILENCE[self.plan])[0]:
            if data := os.read(process.stdout.fileno(), 1 << 16):
                yield data.decode(errors="replace")
            elif process.wait() != 0:
                raise programs.Failed(programs.how_it_ended(process.returncode, errors))
            else:
                return
        raise programs.Failed(f"took longer than {SILENCE[self.plan]} s")

    def _pass_on(self, context):
        if self.on_context:
            known = {key: value for key, value in context.items() if key not in CONTEXT}
            if "omp_proc_bind" in known:  # that of the other experiments
                known["omp_proc_bind"] = programs.environment()["OMP_PROC_BIND"]
            self.on_context(known)
            self.on_context = None


def check(header, file):
    """Raises an Error unless the file is of the same machine, plan and program."""
    if not file.header:
        return
    flat = lambda one: {**{key: one.get(key) for key in ("plan", "commit", "program")}, **(one.get("context") or {}),
                        **{f"machine: {key}": value for key, value in one.get("machine", {}).items()}}
    here, there = flat(header), flat(file.header)
    known = [*dict.fromkeys([*here, *there])] if "context" in header else here
    differing = [f"{key} {here.get(key)}, there {there.get(key)}" for key in known if here.get(key) != there.get(key)]
    if differing:
        raise Error(f"{file.path} was begun with another {'; '.join(differing)}: --again starts anew")


class Progress:
    """A line every few seconds: how many are done, and the last of them."""

    def __init__(self, total, done):
        self.total, self.done, self.spoke = total, done, 0

    def step(self, name):
        self.done += 1
        if time.monotonic() - self.spoke > 4:
            print(f"{self.done}/{self.total} {name}", file=sys.stderr, flush=True)
            self.spoke = time.monotonic()


def measure(file, header, program, only, make_jobs):
    """Appends all missing measurements to the file. Returns the names of their experiments.

    A job is a measurement by another program than `experiments`: (its name, a function that returns measurements).
    """
    check(header, file)
    names = list_tests(program, header["plan"])
    jobs = make_jobs([Measurement(plain(name)) for name in names])
    if only:
        known = sorted({name.split("/")[0] for name in [*names, *(name for name, _ in jobs)]})
        if unknown := [name for name in only if name not in known]:
            raise UsageError(f"the plan {header['plan']} has no experiment {unknown[0]}; it has {', '.join(known)}")
        wanted = {"machine", *only}  # all others are compared with its limits
        if "peers" in only:
            wanted.add("naive")  # which stands beside them
        names = [name for name in names if name.split("/")[0] in wanted]
        jobs = [job for job in jobs if job[0].split("/")[0] in wanted]
    left = [name for name in names if not has(file, plain(name))]
    jobs_left = [job for job in jobs if not is_done(job, file)]
    total = len(names) + len(jobs)
    progress = Progress(total, total - len(left) - len(jobs_left))

    def on_context(context):
        header["context"] = context
        check(header, file)
        if not file.header:
            file.begin(header)

    try:
        with contextlib.closing(Experiments(program, header["plan"], on_context).measure(left)) as measurements:
            for done in measurements:
                file.append(done)
                progress.step(done.name)
        if not file.header:
            file.begin(header)
        for name, measure_it in jobs_left:
            try:
                measured = measure_it()
            except Exception as failure:  # of any kind: the other measurements and the page are still wanted
                why = str(failure) if isinstance(failure, programs.Failed) else f"{type(failure).__name__}: {failure}"
                measured = [Measurement(own(name), skipped=why)]
            for one in measured:
                file.append(one)
            progress.step(name)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted with {progress.done} of {total} done; the same command goes on")
    return {name.split("/")[0] for name in [*names, *(name for name, _ in jobs)]}


def is_done(job, file):
    """Whether its measurements are in the file. All peers run again if one failed: each is compared with blockfw's."""
    experiment, *_, n = job[0].split("/")
    failed = [m for m in file.measured.values() if m.experiment == "peers" and m.name.endswith("/" + n)
              and m.skipped not in (None, NOT_INSTALLED)]
    return has(file, own(job[0])) and not (experiment == "peers" and failed)


def has(file, name):
    """Whether the file has the measurement. A skipped one is tried again, once in each run."""
    return name in file.measured and file.measured[name].skipped is None


def own(job):
    """The name of the measurement that a job always makes. (Its other peers are known only after it has run.)"""
    return job.replace("peers/", "peers/program:blockfw/")
