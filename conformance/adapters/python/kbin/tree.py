# SPDX-License-Identifier: Apache-2.0
"""The KBIN tree: one Record per allocation, pointers by slot offset.

A record's bytes hold zeros in its pointer slots; the encoder fills them.
"""

from . import layout

(KBIN, ENGINE, DMA, INSTANCE, MEM_SET, ACT_SETS, DVE, CARVEOUTS, GROUPS,
 SUBGROUPS, PAIR_SETS, PAIRS, LIBS, FUNCTIONS, DEBUG, STRING, BYTES, U32S,
 GROUP_SET) = range(1, 20)

# Kinds whose directory count is the number of elements, with the element size.
ARRAY_KINDS = {
    ACT_SETS: 2192, GROUPS: 16, SUBGROUPS: 16, PAIR_SETS: 32, PAIRS: 16,
    LIBS: 40, FUNCTIONS: 258, U32S: 4,
}
BYTE_KINDS = (STRING, BYTES)


class Record:
    __slots__ = ("kind", "data", "pointers")

    def __init__(self, kind, data):
        self.kind = kind
        self.data = data if isinstance(data, (bytes, bytearray)) else bytearray(data)
        self.pointers = []

    def put(self, struct_name, field, value, base=0, index=0):
        layout.put(self.data, base, struct_name, field, value, index)

    def point(self, struct_name, field, record, base=0, index=0):
        """Owns `record` through a slot; None leaves the slot NULL."""
        if record is not None:
            self.pointers.append((layout.slot(base, struct_name, field, index), record))

    def count(self):
        if self.kind in ARRAY_KINDS:
            return len(self.data) // ARRAY_KINDS[self.kind]
        return len(self.data) if self.kind in BYTE_KINDS else 1


def string(raw):
    return Record(STRING, raw + b"\0")


def blob(raw):
    """Raw bytes; an empty blob is NULL."""
    return Record(BYTES, raw) if raw else None


def u32s(values):
    if not values:
        return None
    return Record(U32S, b"".join(v.to_bytes(4, "little") for v in values))


def array(kind, count):
    """A zeroed array record, or None when it would be empty."""
    return Record(kind, count * ARRAY_KINDS[kind]) if count else None
