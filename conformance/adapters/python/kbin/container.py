# SPDX-License-Identifier: Apache-2.0
"""A NEFF file down to its members: header gate, digest, gzip, directories, npy.

Paths are bytes throughout, since an archive promises no encoding. What the
members mean is manifest.py's business.
"""

import hashlib
import os
import stat
import struct
import zlib

from . import tar
from .errors import NRT_UNSUPPORTED_NEFF_VERSION, Refusal, Trap

HEADER_BYTES = 1024
HASH_OFFSET = 172
FEATURE_OFFSET = 544
REFUSED_FEATURES = 0x7FFFFFFFF8000000
GZIP_MAGIC = b"\x1f\x8b"
PIECE = 1 << 14


def open_neff(data, verify_digest=False):
    """The header gate in CON-007's order, then the members {path: bytes}."""
    if len(data) < HEADER_BYTES:
        raise Refusal("neff-too-short", "CON-001", "neff+0")
    package, header_size, data_size, major = struct.unpack_from("<4Q", data, 0)
    if header_size >= len(data):
        raise Refusal("neff-header-size", "CON-002", "neff+8")
    if major > 2:
        raise Refusal("neff-version", "CON-003", "neff+24", NRT_UNSUPPORTED_NEFF_VERSION)
    features, = struct.unpack_from("<Q", data, FEATURE_OFFSET)
    if major == 2 and features & REFUSED_FEATURES:
        raise Refusal("neff-feature-bits", "CON-004", f"neff+{FEATURE_OFFSET}",
                      NRT_UNSUPPORTED_NEFF_VERSION)
    if data_size > len(data) - HEADER_BYTES:
        raise Refusal("neff-data-size", "CON-005", "neff+16")
    if package not in (1, 2):
        raise Refusal("neff-package-version", "CON-006", "neff+0",
                      NRT_UNSUPPORTED_NEFF_VERSION)
    archive = data[HEADER_BYTES:HEADER_BYTES + data_size]
    if verify_digest:
        check_digest(package, archive, data[HASH_OFFSET:HASH_OFFSET + 32])
    # CON-009: the payload's own magic tells, whatever the version says.
    if archive[:2] == GZIP_MAGIC:
        archive = gunzip(archive)
    return members_of(tar.regular_members(archive))


def check_digest(package, archive, stored):
    if not archive:
        raise Trap("neff-digest-empty", "CON-010", f"neff+{HASH_OFFSET}")
    digest = hashlib.sha256(archive).digest() if package == 1 else hashlib.md5(
        archive, usedforsecurity=False).digest()
    swapped = b"".join(digest[i:i + 4][::-1] for i in range(0, len(digest), 4))
    if stored[:len(digest)] not in (digest, swapped):
        raise Refusal("neff-digest", "CON-010", f"neff+{HASH_OFFSET}")


def gunzip(data):
    """All gzip members; between and after them only zero bytes (CON-015)."""
    out, pos = [], 0
    while pos < len(data):
        stream = zlib.decompressobj(wbits=31)
        # Fed in pieces: what follows a member is copied out of the piece alone.
        while not stream.eof:
            piece = data[pos:pos + PIECE]
            if not piece:
                raise Refusal("gzip-cut-short", "CON-015", f"archive+{pos}")
            try:
                out.append(stream.decompress(piece))
            except zlib.error:
                raise Refusal("gzip-corrupt", "CON-015", f"archive+{pos}") from None
            pos += len(piece) - len(stream.unused_data)
        while data[pos:pos + 1] == b"\0":
            pos += 1
        if pos < len(data) and data[pos:pos + 2] != GZIP_MAGIC:
            raise Refusal("gzip-trailing", "CON-015", f"archive+{pos}")
    return b"".join(out)


def members_of(entries):
    """Path rules of CON-012, CON-013 and CON-014 over (path, bytes) pairs."""
    members = {}
    for path, data in entries:
        if path.startswith(b"./"):
            path = path[2:]
        if path.startswith(b"/") or b".." in path.split(b"/"):
            raise Refusal("member-path", "CON-014", path.decode("utf-8", "replace"))
        if not path.endswith(b"wavegraph-bin.json"):
            members[path] = data
    return members


def read_directory(root):
    """The members that an archive of this directory would have."""
    root = os.fsencode(root)
    entries = []

    def unreadable(error):
        raise error

    for folder, folders, files in os.walk(root, onerror=unreadable):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(folder, name)
            if not stat.S_ISREG(os.lstat(path).st_mode):
                continue
            with open(path, "rb") as f:
                entries.append((os.path.relpath(path, root), f.read()))
    return members_of(entries)


def file_payload(name, data, at):
    """CON-016: what a file variable holds of its member."""
    if not name.endswith(b".npy"):
        return data
    if data[:2] != b"\x93N":
        raise Refusal("npy-magic", "CON-016", at)
    if len(data) < 10:
        raise Refusal("npy-header", "CON-016", at)
    start = 10 + struct.unpack_from("<H", data, 8)[0]
    if start > len(data):
        raise Refusal("npy-header", "CON-016", at)
    return data[start:]
