# SPDX-License-Identifier: Apache-2.0
"""The dtype translations (DT rows), on codes and raw name bytes.

None stands for a refusal or a trap: callers decide what either means to them.
"""

from . import tables


def match_neff_io(text):
    """DT-002, DT-003: a miss is UNKNOWN, never an error."""
    return tables.NEFF_IO_DTYPES.get(_name(text), 0)


def match_defjson(text):
    """DT-006: a miss is a refusal (None)."""
    return tables.DEFJSON_DTYPES.get(_name(text))


def to_sdma(code):
    """DT-011."""
    return tables.DTYPE_TO_SDMA[code - 1] if 1 <= code <= 15 else None


def cce_op(op):
    """DT-012."""
    return tables.CCE_OP_TO_SDMA.get(op)


def size(code):
    """DT-013: indexed by the SDMA code, 0 outside the table, no trap."""
    sdma = to_sdma(code)
    return 0 if sdma is None else tables.SDMA_SIZES[sdma]


def _name(raw):
    try:
        return raw.decode("ascii")
    except UnicodeDecodeError:
        return None
