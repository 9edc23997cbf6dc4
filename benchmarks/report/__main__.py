# SPDX-License-Identifier: MIT
"""Measures blockfw on this machine, beside the machine's own limits, and draws what came out.

scripts/report [--quick | --full] [--only EXPERIMENT...] [--output FOLDER] [--program PROGRAM] [--again]
scripts/report --draw RESULT.jsonl... [--output FOLDER]
scripts/report --compare A.jsonl B.jsonl
scripts/report --tables
"""
import argparse
import contextlib
import datetime
import fcntl
import hashlib
import os
import signal
import sys
from pathlib import Path

import compare
import machine
import measure
import programs
import tables
from results import Error, ResultFile, UsageError, count, load, save_table

REPO = Path(__file__).resolve().parent.parent.parent
MATPLOTLIB = (3, 7)  # at least


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(f"{message} (--help says more)")


def parse(words):
    parser = Parser(prog="scripts/report", formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
                    usage="\n" + __doc__.split("\n\n")[1].strip(), description=__doc__.split("\n\n")[0])
    plan = parser.add_mutually_exclusive_group()
    plan.add_argument("--quick", dest="plan", action="store_const", const="quick", help="under a minute on two cores")
    plan.add_argument("--full", dest="plan", action="store_const", const="full", help="every size and type")
    parser.add_argument("--only", nargs="+", metavar="EXPERIMENT", help="only these: solve, tiles, ladder, peers, ...")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="where results go (build/report/PLAN)")
    parser.add_argument("--program", type=Path, help="an `experiments` built already, say for a GPU, with the "
                        "homework's programs beside it: nothing is built")
    parser.add_argument("--again", action="store_true", help="start anew; the old result becomes report.jsonl.1")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--draw", nargs="+", type=Path, metavar="RESULT", help="measure nothing: a page from results "
                         "that are there, say of a CPU and of a GPU")
    instead.add_argument("--compare", nargs=2, type=Path, metavar=("A", "B"), help="what got slower from A to B beyond "
                         "the noise (exit status 1 if something did)")
    instead.add_argument("--tables", action="store_true", help="write the tables of README.md and docs/ from the "
                         "committed results")
    arguments = parser.parse_args(words)
    for option in ("draw", "compare", "tables"):
        if getattr(arguments, option):
            for name in ("plan", "only", "program", "again", *(["output"] if option != "draw" else [])):
                if value := getattr(arguments, name):
                    parser.error(f"--{value if name == 'plan' else name} is for measuring, not for --{option}")
    arguments.plan = arguments.plan or "normal"
    return arguments


def draw(results, folder):
    """Writes the page. Returns whether it could: the pictures need matplotlib."""
    try:
        import matplotlib
    except ImportError as missing:
        if missing.name not in ("matplotlib", "numpy"):
            raise
        return False
    if tuple(map(int, matplotlib.__version__.split(".")[:2])) < MATPLOTLIB:
        raise Error(f"the page needs matplotlib {'.'.join(map(str, MATPLOTLIB))}; here is {matplotlib.__version__}")
    import page
    folder.mkdir(parents=True, exist_ok=True)
    page.write(results, folder)
    print(f"The report: {shown(folder / 'report.html')}")
    return True


def shown(path):
    """A path, relative to the current folder if that is short."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("../..") else relative


@contextlib.contextmanager
def alone(folder):
    """Locks the folder, as two runs at the same time would disturb each other's measurements."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some file systems lock no folders
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Error(f"another run is measuring in {shown(folder)}")
        yield
    finally:
        os.close(lock)


def run(arguments, folder):
    load_before = round(os.getloadavg()[0], 2)  # of which the build is no part
    program = arguments.program.resolve() if arguments.program else None
    if program and not (program.is_file() and os.access(program, os.X_OK)):
        raise Error(f"{arguments.program} is not a program")
    bin_folder = program.parent if program else programs.build(REPO)
    program = program or bin_folder / "experiments"
    path = folder / "report.jsonl"
    if arguments.again and path.exists():
        path.replace(folder / "report.jsonl.1")

    header = {"blockfw": "report", "format": 1, "plan": arguments.plan,
              "begun": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
              "commit": machine.commit(REPO), "program": hashlib.sha256(program.read_bytes()).hexdigest()[:12],
              "load": load_before, "machine": machine.describe()}
    print(f"Measuring ({arguments.plan}; Ctrl-C interrupts, the same command goes on) ...", flush=True)
    wanted = measure.measure(ResultFile(path), header, program, arguments.only,
                             lambda tests: [*programs.jobs(arguments.plan, program, bin_folder, tests)])
    result = load(path)
    of_these = [m for m in result.all.values() if m.experiment in wanted]
    left_out = [m for m in of_these if m.skipped is not None]
    print(f"{count(len(of_these) - len(left_out), 'measurement')} in {shown(path)}"
          + (f"; {len(left_out)} could not be made:" if left_out else ""))
    for m in left_out:
        print(f"  {m.name}: {m.skipped}")
    save_table(folder / "report.csv", result)
    if not draw([result], folder):
        print(f"There is no matplotlib here: scripts/report --draw {path.name}, where it is, makes the page.")


def stop(*_):
    raise KeyboardInterrupt


def main():
    for name in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(name) != signal.SIG_IGN:  # under nohup it is
            signal.signal(name, stop)
    try:
        arguments = parse(sys.argv[1:])
        if arguments.compare:
            return int(compare.compare(*map(load, arguments.compare)))
        if arguments.tables:
            print("\n".join(map(str, tables.write())) or "The tables are as the results have them.")
        elif arguments.draw:
            if not draw([load(path) for path in arguments.draw], arguments.output or arguments.draw[0].parent):
                raise Error("the page needs matplotlib")
        else:
            folder = arguments.output or REPO / "build" / "report" / arguments.plan
            with alone(folder.absolute().parent):
                folder.mkdir(exist_ok=True)  # before minutes of building
                run(arguments, folder)
        return 0
    except KeyboardInterrupt as interrupted:
        status, message = 130, str(interrupted) or "interrupted"
    except Error as error:
        status, message = 2 if isinstance(error, UsageError) else 1, str(error)
    except OSError as error:
        status, message = 1, f"{error.filename}: {error.strerror}" if error.filename else str(error)
    print(f"report: {message}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
