# SPDX-License-Identifier: Apache-2.0
"""The three ways a lowering can end other than well.

Not a logging facility: an exception here is an answer, and carries what an
answer needs (status code, reason id, place, requirement).
"""

NRT_INVALID = 2
NRT_UNSUPPORTED_NEFF_VERSION = 10


class Refusal(Exception):
    """Nothing is produced; `requirement` is the row that says so."""

    status = "refused"

    def __init__(self, reason, requirement, at="", code=NRT_INVALID):
        super().__init__(f"{reason} ({requirement}) at {at}")
        self.reason = reason
        self.requirement = requirement
        self.at = at
        self.code = code


class Trap(Refusal):
    """The original aborts here on an assertion."""

    status = "trapped"


class Unspecified(Exception):
    """The facts end here: neither accepted nor refused (DMB-019)."""

    requirement = "DMB-019"

    def __init__(self, at=""):
        super().__init__(at)
        self.at = at
