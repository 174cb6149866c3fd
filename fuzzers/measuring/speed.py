# SPDX-License-Identifier: Apache-2.0
"""How fast targets are, how many of their executions get where they should, and how far they see.

Rates are per processor second of the process, mutator and engine included. The empty target, a function that
returns at once with the edges of the oracle linked beside it, is run in
turn with each, on the same seeds and lengths: the quotient is what a target leaves of the engine's speed.
"""
import os
import shutil
import statistics
import tempfile

import runs

FORM = "fast"
# What a target counts as having reached lowering where it is not that the lowering of a definition began.
REACHED = {
    "dtype": "answered", "image_bytes": "past the checksum", "image_records": "past the checksum",
    "json_dialect": "read by both",
}
ABOUT_4_KB = (3000, 5500)


def bug_program(name):
    path = os.path.join(runs.BUILD, f"fuzz-{FORM}", "fuzzers", "bugs", name)
    if not os.access(path, os.X_OK):
        raise runs.Unmeasured(f"{os.path.relpath(path, runs.TOP)}: not built")
    return path


def flags_of(target, dictionary=True):
    base = os.path.join(os.path.dirname(runs.program_of(FORM, target)), target)
    return runs.options_of(base + ".options") + ([f"-dict={base}.dict"] if dictionary else [])


def kept_of(title):
    """Where inputs are kept that end a run."""
    return os.path.join(runs.BUILD, "measure", "findings", f"{FORM}-{title.split()[-1]}")


def sound(ran, title):
    """A run that has come to its end."""
    if ran.code != 0:
        raise runs.Unmeasured(f"{title}: exit code {ran.code}, {ran.log.found or 'no reason told'}"
                              + "".join(f" ({os.path.relpath(p, runs.TOP)})" for p in ran.artifacts))
    if not ran.log.executions or ran.cpu <= 0:
        raise runs.Unmeasured(f"{title}: the log tells no executions")
    return ran


def a_while(program, flags, seeds, seconds, seed, title):
    return sound(runs.run(program, [*flags, f"-max_total_time={seconds}", f"-seed={seed}"], seeds=[seeds],
                          patience=seconds + 300, artifacts=kept_of(title)), title)


def rate(ran):
    return ran.log.executions / ran.cpu


def merged(some):
    """What several runs of one target say together."""
    logs = [r.log for r in some]
    if any(log.counted is None or log.accepted is None for log in logs):
        raise runs.Unmeasured("a target told no statistics")
    counted = sum(log.counted for log in logs)
    out = {"exec_per_s": statistics.median(map(rate, some)),
           "lowered_share": sum(log.reached for log in logs) / counted,
           "accepted_share": sum(log.accepted for log in logs) / counted,
           "accepted_per_s": sum(log.accepted for log in logs) / sum(r.cpu for r in some)}
    corpus = logs[-1]
    out["mean_input_bytes"] = corpus.corpus_bytes / corpus.corpus if corpus.corpus else None
    return out


def of_target(target, seconds, rounds, seeds=None, more=()):
    """Target and empty target in turn."""
    program, empty, flags = runs.program_of(FORM, target), bug_program("bug_empty"), [*flags_of(target), *more]
    # To it no input is more interesting than another: it keeps all seeds, so that it edits what they are.
    bare = [f for f in flags if f.startswith("-max_len=")] + ["-keep_seed=1"]
    seeds = seeds or runs.seeds_of(target)
    some, none = [], []
    for turn in range(1, rounds + 1):
        some.append(a_while(program, flags, seeds, seconds, turn, target))
        none.append(a_while(empty, bare, seeds, 1, turn, "the empty target"))
    out = merged(some)
    out["of_empty"] = out["exec_per_s"] / statistics.median(map(rate, none))
    return out


def about_4_kb(directory):
    """The seeds of about 4 KB; where there is none of that size, the one that is nearest."""
    sizes = {n: os.path.getsize(os.path.join(directory, n)) for n in sorted(os.listdir(directory))}
    fit = [n for n, size in sizes.items() if ABOUT_4_KB[0] <= size <= ABOUT_4_KB[1]]
    return fit or [min(sizes, key=lambda n: abs(sizes[n] - 4096))]


def subgraph_of_4_kb(seconds, rounds):
    target = "subgraph"
    with tempfile.TemporaryDirectory(prefix="assay-measure.") as chosen:
        for name in about_4_kb(runs.seeds_of(target)):
            shutil.copy(os.path.join(runs.seeds_of(target), name), chosen)
        # One long run: in its first seconds an engine is busy with what it keeps.
        return of_target(target, seconds * rounds * 2, 1, chosen, ["-max_len=8192"])


def lowered_over_bytes(seconds, rounds):
    """Models that subgraph lowers in a processor second, for each that defjson_bytes does: each as it is run, in
    turn. A model that comes again, to the same images and tensors, counts once; `accepted` are the executions."""
    per_second = {"subgraph": [], "defjson_bytes": []}
    for turn in range(1, rounds + 1):
        for target, rates in per_second.items():
            ran = a_while(runs.program_of(FORM, target), flags_of(target), runs.seeds_of(target), seconds, turn, target)
            if ran.log.models is None:
                raise runs.Unmeasured(f"{target} told no statistics")
            # Of none at all the quotient is told as if it were one.
            rates.append((max(ran.log.models, target == "defjson_bytes") / ran.cpu, ran.log.accepted / ran.cpu))
    out = {t: {"models": statistics.median(m for m, _ in rates), "accepted": statistics.median(a for _, a in rates)}
           for t, rates in per_second.items()}
    return {**out, "ratio": out["subgraph"]["models"] / out["defjson_bytes"]["models"]}


def edges_after(target, executions):
    """libFuzzer's cov: edges of oracle/ and of the target's own glue; harness/ is not instrumented."""
    ran = sound(runs.run(runs.program_of(FORM, target), [*flags_of(target), f"-runs={executions}", "-seed=1"],
                         seeds=[runs.seeds_of(target)], patience=1800, artifacts=kept_of(target)), target)
    return ran.log.edges
