# SPDX-License-Identifier: Apache-2.0
"""Reads a KBIN image: checks every IMG row, then names its fields.

The frame (header, directory, relocations) is checked first, then the tree is
walked from the root through records.py. Trusts nothing; nothing is repaired.
"""

import struct
import zlib

from . import records, tables
from .errors import Refusal
from .image import HEADER, MAGIC, ROOT, align16
from .tree import ARRAY_KINDS, BYTE_KINDS, KBIN


class Entry:
    __slots__ = ("offset", "size", "kind", "count", "order")

    def __init__(self, offset, size, kind, count):
        self.offset, self.size, self.kind, self.count = offset, size, kind, count
        self.order = None


class Image:
    """The frame of an image and the pointer slots met so far."""

    def __init__(self, data):
        self.data = data
        self.slots = []
        self.visited = 0
        self.check_header()
        self.check_directory()

    def fail(self, reason, requirement, offset):
        raise Refusal(reason, requirement, f"image+{offset}")

    def check_header(self):
        data = self.data
        if len(data) < ROOT:
            self.fail("image-too-short", "IMG-003", 0)
        (magic, header_size, flags, size, root, self.dir_offset, self.reloc_offset,
         self.dir_count, self.reloc_count, self.target, self.subgraph, crc,
         reserved) = HEADER.unpack_from(data, 0)
        if magic != MAGIC:
            self.fail("image-magic", "IMG-003", 0)
        if header_size != ROOT:
            self.fail("image-header-size", "IMG-003", 8)
        if flags or any(reserved):
            self.fail("image-reserved", "IMG-003", 12 if flags else 68)
        if size != len(data):
            self.fail("image-size", "IMG-004", 16)
        if root != ROOT:
            self.fail("image-root", "IMG-005", 24)
        if zlib.crc32(memoryview(data)[ROOT:]) != crc:
            self.fail("image-checksum", "IMG-007", 64)

    def check_directory(self):
        data, count = self.data, self.dir_count
        if self.reloc_offset != self.dir_offset + 24 * count or (
                self.reloc_offset + 8 * self.reloc_count != len(data)) or (
                self.dir_offset < ROOT):
            self.fail("image-lists", "IMG-006", 32)
        if not count:
            self.fail("image-root", "IMG-005", 48)
        self.entries, self.by_offset, end = [], {}, ROOT
        for i in range(count):
            at = self.dir_offset + 24 * i
            entry = Entry(*struct.unpack_from("<QQII", data, at))
            if i == 0 and (entry.offset != ROOT or entry.kind != KBIN):
                self.fail("image-root", "IMG-005", at)
            # image.md: the smallest multiple of 16, so a wider gap is refused too.
            if entry.offset != align16(end) or entry.size > self.dir_offset - entry.offset:
                self.fail("record-place", "IMG-009", at)
            if any(data[end:entry.offset]):
                self.fail("record-gap", "IMG-010", end)
            end = entry.offset + entry.size
            self.entries.append(entry)
            # Records of no bytes would share an offset; none is ever valid.
            if not entry.size:
                self.fail("record-size", "IMG-011", at)
            self.by_offset[entry.offset] = entry
        if self.dir_offset != align16(end):
            self.fail("image-lists", "IMG-006", 32)
        if any(data[end:self.dir_offset]):
            self.fail("record-gap", "IMG-010", end)

    def check_count(self, entry):
        expected = 1
        if entry.kind in ARRAY_KINDS:
            expected = entry.size // ARRAY_KINDS[entry.kind]
        elif entry.kind in BYTE_KINDS:
            expected = entry.size
        if entry.count != expected:
            self.fail("directory-count", "IMG-012", entry.offset)

    def follow(self, at, kind):
        """The record behind a pointer slot, or None for NULL."""
        pointer, = struct.unpack_from("<Q", self.data, at)
        if pointer == 0:
            return None
        self.slots.append(at)
        entry = self.by_offset.get(pointer)
        if entry is None or entry.kind != kind or entry.order is not None:
            self.fail("pointer", "IMG-013", at)
        entry.order = self.visited
        self.visited += 1
        return entry

    def finish(self):
        """What only shows once every record has been met."""
        for entry in self.entries:
            if entry.order is None:
                self.fail("record-unreferenced", "IMG-013", entry.offset)
        for i, entry in enumerate(self.entries):
            if entry.order != i:
                self.fail("record-order", "IMG-016", entry.offset)
        for entry in self.entries:
            self.check_count(entry)
        listed = struct.unpack_from(f"<{self.reloc_count}Q", self.data, self.reloc_offset)
        if list(listed) != sorted(self.slots):
            self.fail("relocations", "IMG-017", self.reloc_offset)


def decode(data):
    """Returns {path: value} as conformance.md's decode operation wants it."""
    image = Image(bytes(data))
    root = image.entries[0]
    if root.size != 424:
        image.fail("record-size", "IMG-011", root.offset)
    root.order, image.visited = 0, 1
    walker = records.Walker(image)
    walker.root(root)
    image.finish()
    target = walker.fields["target"]
    if target != image.target or target not in tables.TARGETS:
        image.fail("image-target", "IMG-008", 56)
    return walker.fields
