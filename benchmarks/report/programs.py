# SPDX-License-Identifier: MIT
"""Builds the programs of a report, quietly; runs them with their threads bound to cores, and ends them with all their children."""
import os
import signal
import subprocess
import tempfile
from pathlib import Path

from results import Error, without_folders

PRESET = "release"
TARGETS = ["experiments", "generate", "hw3-1", "peer-blockfw", "peer-loops", "peer-loops-scalar", "peer-loops-openmp"]
WHERE_FOUND = ["peer-boost", "peer-graphblas"]  # targets that there are only where what they need is installed


def environment(bound=True):
    """An environment that binds each thread of a host to a core of its own, or none, unless the caller has set another
    binding."""
    return {"OMP_PROC_BIND": "spread" if bound else "false", "OMP_PLACES": "threads", **os.environ}


def start(command, **options):
    """Starts a program in a process group of its own: Ctrl-C reaches this program only, which then ends the other."""
    command = [str(word) for word in command]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, **options)


def end(process):
    """Ends a program and all that it has started."""
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def run(command, limit, env=None):
    """Returns the output of a command. Raises Failed when it fails, is missing, or takes longer than `limit` seconds."""
    with tempfile.TemporaryFile() as errors:
        try:
            process = start(command, stdout=subprocess.PIPE, stderr=errors, env=env)
        except OSError as error:
            raise Failed(f"{os.path.basename(command[0])}: {error.strerror}")
        try:
            printed, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            raise Failed(f"took longer than {limit:g} s")
        finally:
            end(process)
        if process.returncode != 0:
            raise Failed(how_it_ended(process.returncode, errors), printed.decode(errors="replace"))
        return printed.decode(errors="replace")


class Failed(Exception):
    """The reason of a failure, and the output until then."""

    def __init__(self, why, printed=""):
        super().__init__(why)
        self.printed = printed


def how_it_ended(status, errors):
    """"the program ended with signal 11 (Segmentation fault)", or with the last line that it printed."""
    if status < 0:
        return f"the program ended with signal {-status} ({signal.strsignal(-status)})"
    said = last_line(errors)
    return f"the program ended with status {status}" + (f": {said}" if said else "")


def last_line(errors):
    """The last line of a program's standard error, which went to a file."""
    errors.seek(0)
    lines = [line.strip() for line in errors.read().decode(errors="replace").splitlines() if line.strip()]
    return without_folders(" ".join(lines[-1].split()))[:200] if lines else ""


def build(repo):
    """Returns the folder of the programs."""
    log = repo / "build" / "report" / "log"
    log.parent.mkdir(parents=True, exist_ok=True)
    print(f"Building the programs (log: {log.relative_to(repo)}) ...", flush=True)
    with open(log, "wb") as file:
        run = lambda *command: subprocess.run(command, cwd=repo, stdout=file, stderr=file, stdin=subprocess.DEVNULL)
        try:
            done = run("cmake", "--preset", PRESET)
            if done.returncode == 0 and not is_there(repo, "experiments"):
                raise Error("CMake does not find Google Benchmark, which a report needs (libbenchmark-dev)")
            if done.returncode == 0:
                done = run("cmake", "--build", "--preset", PRESET, "--target", *TARGETS,
                           *(target for target in WHERE_FOUND if is_there(repo, target)))
        except OSError as error:
            raise Error(f"cmake: {error.strerror}")
    if done.returncode != 0:
        print("\n".join(log.read_text(errors="replace").splitlines()[-30:]))
        raise Error("the build failed")
    return repo / "build" / PRESET / "bin"


def is_there(repo, target):
    """Whether this build folder has the target."""
    ninja = Path(repo, "build", PRESET, "build.ninja")
    return f"build {target}: phony" in (ninja.read_text(errors="replace") if ninja.exists() else "")
