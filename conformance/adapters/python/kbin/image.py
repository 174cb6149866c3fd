# SPDX-License-Identifier: Apache-2.0
"""The KBIN image of a tree (encoding only; decode.py reads one back)."""

import struct
import zlib

HEADER = struct.Struct("<8sIIQQQQIIIII12s")
MAGIC = b"KBINIMG1"
ROOT = 80


def align16(n):
    return (n + 15) & ~15


def encode(root, target, subgraph):
    records, offsets, end = emission_order(root), {}, ROOT
    for record in records:
        offset = align16(end)
        offsets[id(record)] = offset
        end = offset + len(record.data)
    directory = align16(end)
    slots = sorted((offsets[id(r)] + at, offsets[id(p)])
                   for r in records for at, p in r.pointers)
    relocations = directory + 24 * len(records)
    size = relocations + 8 * len(slots)
    out = bytearray(size)
    for i, record in enumerate(records):
        offset = offsets[id(record)]
        out[offset:offset + len(record.data)] = record.data
        struct.pack_into("<QQII", out, directory + 24 * i, offset, len(record.data),
                         record.kind, record.count())
    for i, (at, pointer) in enumerate(slots):
        struct.pack_into("<Q", out, at, pointer)
        struct.pack_into("<Q", out, relocations + 8 * i, at)
    crc = zlib.crc32(memoryview(out)[ROOT:])
    HEADER.pack_into(out, 0, MAGIC, ROOT, 0, size, ROOT, directory, relocations,
                     len(records), len(slots), target, subgraph, crc, bytes(12))
    return bytes(out)


def emission_order(root):
    """Depth-first pre-order, pointers in ascending offset, without recursion."""
    order, stack = [], [root]
    while stack:
        record = stack.pop()
        order.append(record)
        stack.extend(p for _, p in sorted(record.pointers, key=lambda x: -x[0]))
    return order
