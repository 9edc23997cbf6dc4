# SPDX-License-Identifier: MIT
"""Describes this machine. A result contains neither its name nor its users nor paths of its files."""
import os
import platform
import re
import subprocess
from pathlib import Path


def describe():
    text = read("/proc/cpuinfo")
    model = re.search(r"(?m)^(?:model name|cpu model|Model)\s*:\s*(.+)$", text)
    memory = re.search(r"MemTotal:\s*(\d+)", read("/proc/meminfo"))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {"cpu": model[1].strip() if model else platform.machine(), "cores": cores,
            "memory_gib": round(int(memory[1]) / 2**20) if memory else None, "caches": caches(),
            "virtual": " hypervisor" in text, "kernel": f"{platform.system()} {platform.release()}", "gpus": gpus()}


def read(path):
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def caches():
    """The caches of the first core, like "L1d 32K, L2 1024K, L3 32768K"."""
    found = []
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = (read(folder / name).strip() for name in ("level", "type", "size"))
        if kind != "Instruction":
            found.append(f"L{level}{'d' if kind == 'Data' else ''} {size}")
    return ", ".join(found)


def output_of(*command):
    """The output of a program, or nothing where it is missing or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout if done.returncode == 0 else ""


def gpus():
    asked = {"name": "name", "driver": "driver_version", "memory_mib": "memory.total", "core_mhz": "clocks.max.sm",
             "memory_mhz": "clocks.max.memory", "watts": "power.limit"}
    printed = output_of("nvidia-smi", f"--query-gpu={','.join(asked.values())}", "--format=csv,noheader,nounits")
    found = [dict(zip(asked, map(number, line.split(", ")))) for line in printed.splitlines()]
    if not found:
        printed = output_of("rocm-smi", "--showproductname", "--csv")
        found = [{"name": cells[1]} for line in printed.splitlines()[1:] if len(cells := line.split(",")) > 1]
    return found


def number(text):
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text


def commit(repo):
    """The commit: BLOCKFW_COMMIT, for a copy of the tree without its history, or else from git."""
    if known := os.environ.get("BLOCKFW_COMMIT"):
        return known
    git = ("git", "-c", "safe.directory=*", "-C", str(repo))
    revision = output_of(*git, "rev-parse", "--short=7", "HEAD").strip()
    if not revision:
        return "unknown"
    return revision + ("-dirty" if output_of(*git, "status", "--porcelain", "--untracked-files=no").strip() else "")
