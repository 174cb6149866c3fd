# SPDX-License-Identifier: Apache-2.0
"""A tar walk that is as strict as CON-015 and yields regular members only.

Own code rather than tarfile: that module forgives cut members and bad
checksums past the first one. Sparse members and links are skipped.
"""

from .errors import Refusal

BLOCK = 512
ZERO = bytes(BLOCK)
REGULAR = (b"0", b"\0", b"7")
# Links, devices, directories and fifos carry no data whatever their size says.
NO_DATA = (b"1", b"2", b"3", b"4", b"5", b"6")


def regular_members(archive):
    """Yields (path, data) in archive order."""
    pos, end = 0, len(archive)
    global_pax, pax, long_name = {}, {}, None
    while pos < end:
        header = archive[pos:pos + BLOCK]
        if not header.strip(b"\0"):
            break
        at = f"archive+{pos}"
        if len(header) < BLOCK:
            raise Refusal("tar-cut-short", "CON-015", at)
        check_sum(header, at)
        pos += BLOCK
        kind = header[156:157]
        size = number(header[124:136], at)
        if kind == b"S":
            pos = skip_sparse_map(archive, pos, header, at)
        if kind not in (b"x", b"g", b"L", b"K"):
            size = pax_size({**global_pax, **pax}, size, at)
        if kind in NO_DATA:
            size = 0
        data = archive[pos:pos + size]
        if len(data) < size:
            raise Refusal("tar-cut-short", "CON-015", at)
        pos += -(-size // BLOCK) * BLOCK
        if kind == b"x":
            pax.update(pax_records(data, at))
        elif kind == b"g":
            global_pax.update(pax_records(data, at))
        elif kind == b"L":
            long_name = data.split(b"\0")[0]
        elif kind != b"K":
            # An empty pax value takes the keyword back.
            path = pax.get(b"path", global_pax.get(b"path")) or long_name
            if not path:
                path = header_name(header)
            pax, long_name = {}, None
            # v7 has no directory type: a name with a final slash is one.
            if kind in REGULAR and not (kind == b"\0" and path.endswith(b"/")):
                yield path, data
    if pax or long_name is not None:
        raise Refusal("tar-cut-short", "CON-015", f"archive+{pos}")


def header_name(header):
    name = header[:100].split(b"\0")[0]
    # Only POSIX ustar has a prefix; GNU keeps times in those bytes.
    if header[257:263] == b"ustar\0":
        prefix = header[345:500].split(b"\0")[0]
        if prefix:
            name = prefix + b"/" + name
    return name


def check_sum(header, at):
    stored = number(header[148:156], at)
    plain = header[:148] + b" " * 8 + header[156:]
    unsigned = sum(plain)
    # Old archivers summed signed chars.
    signed = unsigned - 256 * sum(b >> 7 for b in plain)
    if stored not in (unsigned, signed):
        raise Refusal("tar-checksum", "CON-015", at)


def number(field, at):
    if field[0] & 0x80:
        if field[0] & 0x40:
            raise Refusal("tar-number", "CON-015", at)
        return int.from_bytes(bytes([field[0] & 0x3F]) + field[1:], "big")
    digits = field.lstrip(b" ").split(b"\0")[0].split(b" ")[0]
    if digits.strip(b"01234567"):
        raise Refusal("tar-number", "CON-015", at)
    return int(digits or b"0", 8)


def pax_size(records, size, at):
    value = records.get(b"size", b"")
    if not value:
        return size
    if not value.isdigit() or len(value) > 20:
        raise Refusal("tar-pax", "CON-015", at)
    return int(value)


def pax_records(data, at):
    records, pos = {}, 0
    while pos < len(data):
        space = data.find(b" ", pos, pos + 20)
        digits = data[pos:space] if space > pos else b""
        stop = pos + int(digits) if digits.isdigit() else 0
        key, equals, value = data[space + 1:stop - 1].partition(b"=")
        if not space < stop <= len(data) or data[stop - 1:stop] != b"\n" or not equals:
            raise Refusal("tar-pax", "CON-015", at)
        records[key] = value
        pos = stop
    return records


def skip_sparse_map(archive, pos, header, at):
    more = header[482]
    while more:
        block = archive[pos:pos + BLOCK]
        if len(block) < BLOCK:
            raise Refusal("tar-cut-short", "CON-015", at)
        more = block[504]
        pos += BLOCK
    return pos
