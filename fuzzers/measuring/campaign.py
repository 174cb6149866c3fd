# SPDX-License-Identifier: Apache-2.0
"""The long table: every target under every sanitizer, for so many executions or so much processor
time. It goes in pieces and keeps each one's result, so that an interrupted table goes on where it
was; a program that was built anew begins anew.
"""
import concurrent.futures
import json
import os

import runs
from table import Table, count, share

EXECUTIONS = 1_000_000
SECONDS = 8 * 60.0
PIECE = 120           # seconds of a piece, of the wall clock
NEARLY = 2.0          # processor seconds that may be missing: no piece is shorter
KEPT = os.path.join(runs.BUILD, "measure", "campaign")
FINDINGS = os.path.join(runs.BUILD, "measure", "findings")
SANITIZERS = {"asan": "address", "ubsan": "undefined"}


def patient(flags):
    """libFuzzer times a unit by the wall's clock: where a machine is busy with other things that is no hang yet."""
    return [f"-timeout={20 * int(f.split('=')[1])}" if f.startswith("-timeout=") else f for f in flags]


def is_done(state, executions=EXECUTIONS):
    return bool(state["findings"]) or state["executions"] >= executions or state["cpu"] >= SECONDS - NEARLY


class Pair:
    """A target under a sanitizer."""

    def __init__(self, form, target, executions=EXECUTIONS, seed=1):
        self.form, self.target, self.executions, self.seed = form, target, executions, seed
        self.program = runs.program_of(form, target)
        self.name = f"{form}-{target}" + ("" if executions == EXECUTIONS else f"-{executions}-{seed}")
        self.path = os.path.join(KEPT, self.name + ".json")
        self.corpus = os.path.join(KEPT, self.name)
        if executions != EXECUTIONS and os.path.exists(self.path):
            os.remove(self.path)  # only the long table goes on where it was
        self.state = self._load()

    def _load(self):
        binary = runs.hash_of(self.program)
        try:
            with open(self.path, encoding="utf-8") as stream:
                state = json.load(stream)
            if state["binary"] == binary:
                return state
        except (OSError, ValueError, KeyError):
            pass
        runs.fresh(self.corpus)
        return {"target": self.target, "sanitizer": SANITIZERS.get(self.form, self.form), "binary": binary,
                "executions": 0, "cpu": 0.0, "edges": 0, "counted": 0, "reached": 0, "pieces": 0, "findings": []}

    def _save(self):
        self.state["at"] = runs.stamp()
        with open(self.path + ".new", "w", encoding="utf-8") as stream:
            json.dump(self.state, stream, indent=1)
        os.replace(self.path + ".new", self.path)

    def piece(self):
        """One piece; its result is kept."""
        s, base = self.state, os.path.dirname(self.program)
        left = max(int(SECONDS - s["cpu"] + 0.5), int(NEARLY))
        arguments = patient(runs.options_of(os.path.join(base, self.target + ".options")))
        arguments += [f"-dict={os.path.join(base, self.target)}.dict", f"-seed={s['pieces'] + self.seed}",
                      f"-runs={self.executions - s['executions']}", f"-max_total_time={min(left, PIECE)}"]
        ran = runs.run(self.program, arguments, seeds=[runs.seeds_of(self.target)], corpus=self.corpus,
                       patience=PIECE + 900, artifacts=os.path.join(FINDINGS, self.name))
        log = ran.log
        if ran.code != 0 or ran.artifacts:
            finding = {"what": log.found or f"exit code {ran.code}",
                       "artifacts": [os.path.relpath(p, runs.TOP) for p in ran.artifacts]}
            where = os.path.join(FINDINGS, self.name, f"piece-{s['pieces'] + 1}.log")
            with open(where, "w", encoding="utf-8") as stream:
                stream.write(ran.text)
            s["findings"].append({**finding, "log": os.path.relpath(where, runs.TOP)})
        elif log.counted is None or not log.executions:
            raise runs.Unmeasured(f"{self.name}: the log tells no executions:\n{ran.text[-2000:]}")
        s["executions"] += log.executions or 0
        s["cpu"] += ran.cpu
        s["edges"] = max(s["edges"], log.edges or 0)
        s["counted"] += log.counted or 0
        s["reached"] += log.reached or 0
        s["pieces"] += 1
        self._save()

    def go(self, say):
        while not is_done(self.state, self.executions):
            self.piece()
            s = self.state
            say(f"{self.name}: {count(s['executions'])} executions, {s['cpu'] / 60:.1f} CPU min, {s['edges']} edges"
                + (f", FOUND {s['findings'][-1]['what']}" if s["findings"] else ""))
        return self.state


def table_of(states):
    t = Table("target", "sanitizer", "executions", "CPU min", "edges", "lowered", "findings")
    for s in states:
        t.row(s["target"], s["sanitizer"], count(s["executions"]), f"{s['cpu'] / 60:.1f}", s["edges"],
              share(s["reached"], s["counted"]), len(s["findings"]))
    return t


def text(states):
    """The table, and below it what was found."""
    found = [f"{s['target']} ({s['sanitizer']}): {f['what']}: {' '.join([*f['artifacts'], f['log']])}"
             for s in states for f in s["findings"]]
    return "\n".join([table_of(states).text(), *found])


def main(forms, targets, jobs, say, executions=EXECUTIONS, seed=1):
    """Returns the states of all pairs, ended or with a finding."""
    os.makedirs(KEPT, exist_ok=True)
    pairs = [Pair(form, target, executions, seed) for form in forms for target in (targets or runs.targets_of(form))]
    if not pairs:
        raise runs.Unmeasured("no targets are built")
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            return list(pool.map(lambda p: p.go(say), pairs))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            runs.stop_all()
            raise
