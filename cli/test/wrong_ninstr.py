# SPDX-License-Identifier: Apache-2.0
"""The Python implementation with one fault: every engine counts one instruction too many (LOW-003)."""

import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "conformance", "adapters", "python"))

import adapter  # noqa: E402
from kbin import tree  # noqa: E402

right = tree.Record.put


def put(self, record, field, value, *rest, **more):
    if (record, field) == ("kbin_engine_t", "ninstr"):
        value += 1
    return right(self, record, field, value, *rest, **more)


tree.Record.put = put
adapter.main()
