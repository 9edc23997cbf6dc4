# SPDX-License-Identifier: MIT
"""Other programs for the same problem, run by benchmarks/peers.py."""
import json
import sys
from pathlib import Path

import programs
from results import measurement_of

SIZES = {"quick": 500, "normal": 2000, "full": 3000}
SCRIPT = Path(__file__).resolve().parent.parent / "peers.py"


def jobs(plan, folder):
    n = SIZES[plan]
    if (folder / "peer-blockfw").exists():
        yield f"peers/n:{n}", lambda: measure(n, folder)


def measure(n, folder):
    """Runs all peers in one go, so that they are compared with blockfw's result of the same minutes."""
    printed = programs.run([sys.executable, SCRIPT, "--json", "-n", n, "--bin", folder], 3600, programs.environment())
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    if not lines:
        raise programs.Failed("peers.py printed nothing")
    return [measurement_of(line) for line in lines]
