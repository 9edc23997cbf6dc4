# SPDX-License-Identifier: MIT
"""Builds what a report runs, quietly."""
import subprocess
from pathlib import Path

from results import Error

PRESET = "release"
TARGETS = ["experiments", "generate", "hw3-1", "peer-blockfw", "peer-loops", "peer-loops-scalar", "peer-loops-openmp"]
WHERE_FOUND = ["peer-boost", "peer-graphblas"]  # targets that there are only where what they need is installed


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
