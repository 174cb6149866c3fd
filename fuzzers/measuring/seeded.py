# SPDX-License-Identifier: Apache-2.0
"""Seeded bugs: how many executions the declared target needs until one shows, and how many bytes and
the dictionary alone need where the bug lies behind the parser.
"""
import concurrent.futures
import os
import re
import statistics
import sys

import runs
import speed

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "bugs"))
import patch  # noqa: E402

TRIGGERED = re.compile(r"^triggered: bug (\d+) after (\d+) executions", re.MULTILINE)
# What plays for a target's mutator where that is left out: program, and whose seeds and dictionary.
# A whole model has no bytes form: there it is def.json among fixed members.
PLAIN = {
    "subgraph": ("bug_defjson_bytes_plain", "defjson_bytes"),
    "image_records": ("bug_image_records_plain", "image_records"),
    "neff_members": ("bug_neff_members_plain", "neff_members"),
}


def first_trigger(ran, bug, title):
    """Executions to the first trigger, or None."""
    if m := TRIGGERED.search(ran.text):
        if int(m[1]) != bug:
            raise runs.Unmeasured(f"{title}: another bug was active: {m[0]}")
        return int(m[2])
    if ran.code != 0:
        raise runs.Unmeasured(f"{title}: exit code {ran.code}, {ran.log.found or 'no reason told'}")
    return None


def trial(bug, program, target, seed, limit):
    title = f"bug {bug['number']} ({bug['name']}) by {program}"
    ran = runs.run(speed.bug_program(program), [*speed.flags_of(target), f"-runs={limit}", f"-seed={seed}"],
                   seeds=[runs.seeds_of(target)], environment={"ASSAY_BUG": str(bug["number"])}, patience=4 * 3600)
    return first_trigger(ran, bug["number"], title)


def shown_by_a_seed(bug):
    """Whether an input that is stored triggers a bug, in any form that is measured."""
    forms = [(f"bug_{bug['target']}", bug["target"])]
    if bug["target"] in PLAIN:
        forms.append(PLAIN[bug["target"]])
    return any(trial(bug, program, target, 1, 0) is not None for program, target in forms)


def measure(bugs, seeds, limit, plain, jobs, say):
    """For each bug its number, name, target, and executions by seed; None: not within the limit."""
    for bug in bugs:
        speed.bug_program(f"bug_{bug['target']}")
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            for bug, shown in zip(bugs, pool.map(shown_by_a_seed, bugs)):
                if shown:
                    raise runs.Unmeasured(f"a seed triggers bug {bug['number']} ({bug['name']})")
            say(f"no seed triggers one of {len(bugs)} bugs")
            out = []
            for bug in bugs:
                row = {k: bug[k] for k in ("number", "name", "target")}
                row["executions"] = [pool.submit(trial, bug, f"bug_{bug['target']}", bug["target"], s, limit)
                                     for s in seeds]
                if plain and bug["target"] in PLAIN:
                    row["plain"] = [pool.submit(trial, bug, *PLAIN[bug["target"]], s, limit) for s in seeds]
                out.append(row)
            for row in out:
                for key in ("executions", "plain"):
                    if key in row:
                        row[key] = [f.result() for f in row[key]]
                say(f"bug {row['number']} ({row['name']}): {row['executions']} {row.get('plain', '')}")
            return out
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            runs.stop_all()
            raise


def found(row):
    """In every seed."""
    return None not in row["executions"]


def median_of(executions, limit):
    """What was not found counts as the limit: the true number is larger."""
    return statistics.median(limit if n is None else n for n in executions)


def ratio_of(row, limit):
    return median_of(row["plain"], limit) / max(median_of(row["executions"], limit), 1)


def ratio_beyond_parsing(rows, limit):
    ratios = [ratio_of(r, limit) for r in rows if "plain" in r]
    return statistics.median(ratios) if ratios else None
