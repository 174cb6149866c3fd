# SPDX-License-Identifier: Apache-2.0
"""The second opinion: the Python adapter, written from the spec alone, answers every fixed case of the suite
and agrees with what the oracle is on file to have answered. A disagreement is settled by the spec.

    python3 -m unittest test_second_opinion        (in this directory)
    python3 test_second_opinion.py                 prints each disagreement
"""

import base64
import hashlib
import json
import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "adapters" / "python"))

from kbin import decode as kbin_decode  # noqa: E402
from kbin import protocol  # noqa: E402

VECTORS = HERE.parent / "vectors"
LONG_TEXT = 96  # as in suite/told.cpp


def cases():
    for path in sorted(VECTORS.glob("*.json")):
        if path.name == "withdrawn.json":
            continue
        for case in json.loads(path.read_text("utf-8"))["cases"]:
            yield case


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def readable(fields):
    """Fields as a vector file has them: what is nothing is left out, what is long is a digest."""
    out = {}
    for path, value in fields.items():
        if value is None or value == "" or (not isinstance(value, str) and value in (0, False)):
            continue
        if isinstance(value, str) and len(value) > LONG_TEXT:
            value = "sha256 " + hashlib.sha256(value.encode("ascii")).hexdigest()
        out[path] = value
    return out


def shown(image):
    raw = base64.b64decode(image)
    return {"image_sha256": hashlib.sha256(raw).hexdigest(),
            "fields": readable(kbin_decode.decode(raw))}


def told(case):
    """The adapter's answer to a case, in the form of an expectation."""
    answer = protocol.answer({"id": 1, "op": case["op"], **case["request"]})
    status = answer["status"]
    if status != "ok":
        out = {"status": status}
        if "code" in answer:
            out["code"] = answer["code"]
        return out
    if case["op"] == "dtype":
        body = {key: answer.get(key, []) for key in ("match", "to_sdma", "cce_op", "size")}
        return {"status": status, "answer": body}
    if case["op"] == "lower":
        return {"status": status, **shown(answer["image"])}
    if case["op"] == "lower_neff":
        return {"status": status, "inputs": answer["inputs"], "outputs": answer["outputs"],
                "graphs": [shown(image) for image in answer["images"]]}
    return {"status": status, "fields": readable(answer["fields"])}


def left_out(case):
    """Whether a must comparison of this case leaves a path out: those that rest on a should or info row."""
    patterns = ["".join(".*" if ch == "*" else "." if ch == "?" else re.escape(ch) for ch in i["path"])
                for i in case.get("ignore", [])]
    whole = re.compile("|".join(patterns)) if patterns else None
    return lambda path: whole is not None and whole.fullmatch(path) is not None


def disagreement(case):
    """None, or one line."""
    expect, actual = dict(case["expect"]), told(case)
    if "fields" in expect and "fields" in actual:
        out = left_out(case)
        for side in (expect, actual):
            side["fields"] = {path: v for path, v in side["fields"].items() if not out(path)}
    if expect["status"] != "ok":
        # refused and trapped are one verdict; the code counts where a row names it.
        if actual["status"] not in ("refused", "trapped"):
            return f"{actual['status']} where {expect['status']} is expected"
        names_code = case["requirements"][0] in ("CON-003", "CON-004", "CON-005", "CON-006", "CON-007")
        if names_code and actual.get("code") != expect.get("code"):
            return f"code {actual.get('code')} where {expect.get('code')} is expected"
        return None
    expect.pop("fields_sha256", None)
    if canonical(expect) == canonical(actual):
        return None
    for key in sorted(set(expect) | set(actual)):
        e, a = expect.get(key), actual.get(key)
        if e == a:
            continue
        if isinstance(e, dict) and isinstance(a, dict):
            paths = [p for p in sorted(set(e) | set(a)) if e.get(p) != a.get(p)]
            return f"{key}: " + "; ".join(f"{p}: {a.get(p)!r}, not {e.get(p)!r}" for p in paths[:3])
        return f"{key}: {str(a)[:100]}, not {str(e)[:100]}"
    return "differs in the type of a value"


def disagreements():
    count, out = 0, []
    for case in cases():
        count += 1
        what = disagreement(case)
        if what is not None:
            out.append(f"{case['id']} ({case['comment']}): {what}")
    return count, out


class SecondOpinion(unittest.TestCase):
    def test_agrees_on_every_fixed_case(self):
        count, out = disagreements()
        self.assertGreater(count, 2000)
        self.assertEqual(out, [])

    def test_a_wrong_expectation_is_told(self):
        """The comparison itself: an accepted, a refused and a code-bearing case, each spoilt."""
        by_id = {case["id"]: case for case in cases()}
        good = by_id["VAR-031/order"]
        self.assertIsNone(disagreement(good))
        spoilt = json.loads(json.dumps(good))
        spoilt["expect"]["fields"]["mem_ref_set.mem[0].size"] = 17
        self.assertIn("mem_ref_set.mem[0].size", disagreement(spoilt))
        spoilt = json.loads(json.dumps(good))
        spoilt["expect"] = {"status": "refused", "code": 2}
        self.assertIn("ok where refused", disagreement(spoilt))
        spoilt = json.loads(json.dumps(by_id["CON-003/three"]))
        spoilt["expect"]["code"] = 2
        self.assertIn("code 10 where 2", disagreement(spoilt))


if __name__ == "__main__":
    total, found = disagreements()
    for line in found:
        print(line)
    print(f"{total} cases, {len(found)} disagreements")
    sys.exit(1 if found else 0)
