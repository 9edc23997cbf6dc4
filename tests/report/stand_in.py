#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stands in for `experiments` in the test of scripts/report, and speaks as Google Benchmark does.

The variable BEHAVIOUR is what a test wants it to do: {"slow": seconds a benchmark, "crash": a name, "error": a name,
"threads": how many, "broken": whether it does not start}. Every name that it runs is added to the file LOG.
"""
import json, os, re, signal, sys, time
behaviour = json.loads(os.environ.get("BEHAVIOUR", "{}"))
options = dict(word.split("=", 1) for word in sys.argv[1:])
names = ["machine/limit/int32", "machine/memory", "machine/scratch", "solve/int32/n:256", "solve/int32/n:1024",
         "solve/float/n:1024", "tiles/int32/block:32/rows:8/cols:32/n:1024",
         "tiles/int32/block:64/rows:8/cols:32/n:1024", "ladder/step:textbook/n:1000", "ladder/step:look-ahead/n:1000",
         "phases/int32/n:1024", "scaling/strong/threads:1/n:1024", "scaling/strong/threads:2/n:1024",
         *(f"exchange/method:{method}/groups:2/n:1024" for method in ("whole", "cross", "row", "look-ahead")),
         "crossover/space:host/n:64", "crossover/space:host/n:1024", "gains/what:paths/n:1024",
         "gains/what:32-bits-directed/n:1024", "gains/what:transitive-closure/n:1024",
         *(f"vectors/int32/level:{level}/n:1024" for level in ("baseline", "avx512")),
         *(f"updates/what:{what}/n:1024" for what in ("add_vertex", "reach-of-columns")), "batch/int32/n:64"]
full = lambda name: name + ("/iterations:1" if "textbook" in name else "") + "/repeats:3/manual_time"
if options.get("--benchmark_list_tests") == "true":
    print("\n".join(map(full, names)))
    sys.exit()
if behaviour.get("broken"):
    sys.exit("experiments: there is no GPU")
chosen = [name for name in names if re.search(options["--benchmark_filter"], full(name))]
context = {"host_name": "secret-host", "executable": "/home/someone/experiments", "date": "today", "load_avg": [1.0],
           "caches": [{"type": "Data", "level": 1, "size": 32768}], "json_schema_version": 1, "plan": options["--plan"],
           "omp_proc_bind": os.environ["OMP_PROC_BIND"], "backend": "OpenMP",
           "threads": str(behaviour.get("threads", 2)), "kokkos": "5.2.2", "compiler": "GCC 14"}
print(json.dumps({"context": context}, indent=2)[:-2] + ',\n  "benchmarks": [', flush=True)
comma = ""
for name in chosen:
    open(os.environ["LOG"], "a").write(name + "\n")
    if behaviour.get("crash") == name:
        os.kill(os.getpid(), signal.SIGSEGV)
    time.sleep(behaviour.get("slow", 0))
    n = int((re.search("n:(\\d+)", name) or [0, 100])[1])
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
        comma = ",\n"
    print(comma + json.dumps({"name": full(name) + "_mean", "run_name": full(name), "run_type": "aggregate",
                              "real_time": 1.0, "time_unit": "ms"}), end="", flush=True)
print("\n  ]\n}")
