#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A start for an implementation in Python: answers hello and `unsupported`.

    assay certify --exec 'python3 impl.py'

Write a function for an op, put it into OPS, and it is asked for from then on. A function takes the
request (a dict; binary values are base64) and returns the answer's keys, or raises Refused.
Print nothing on standard output: it is the channel. Standard error goes to the run's log.
"""

import json
import sys


class Refused(Exception):
    """An honest no: Refused("var-missing", code=2, at="sg00/def.json/var/x"). All but the first are optional."""

    def __init__(self, reason, code=None, at=None):
        super().__init__(reason)
        self.body = {"status": "refused", "reason": reason}
        if code is not None:
            self.body["code"] = code
        if at is not None:
            self.body["at"] = at


# def dtype(request):
#     return {"match": [], "to_sdma": [], "cce_op": [], "size": []}

OPS = {}  # {"dtype": dtype}


def respond(request):
    if request["op"] == "hello":
        return {"protocol": 1, "name": "template-python", "version": "0", "ops": sorted(OPS)}
    if request["op"] not in OPS:
        return {"status": "unsupported"}
    try:
        return {"status": "ok", **OPS[request["op"]](request)}
    except Refused as e:
        return e.body


def main():
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps({"id": request["id"], **respond(request)}), flush=True)


if __name__ == "__main__":
    main()
