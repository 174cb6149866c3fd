# SPDX-License-Identifier: Apache-2.0
"""The smaller sections: collectives, ucode libraries, carveouts, fp8, streams.

Each reader returns the record to own (or None) or fills the root directly;
none of them knows about the others.
"""

from . import tables
from .errors import Trap
from .tree import (CARVEOUTS, FUNCTIONS, GROUPS, LIBS, PAIRS, PAIR_SETS,
                   SUBGROUPS, Record, array, blob, u32s)

PLAIN_OPCODES = (-123, 133)
LIB_FLAGS = 6
SYNTHESIZED = b"all"
FP8_FIELDS = (  # key, field, bits (None: boolean)
    ("fp8_range_extension", "fp8_range_extension", None),
    ("emax_fp8_e4m3", "emax_fp8_e4m3", 32),
    ("emax_fp8_e5m2", "emax_fp8_e5m2", 32),
    ("ocp_sat", "ocp_sat", None),
    ("fp8_sis", "sis", None),
    ("fp8_sns", "sns", None),
)


def replica_groups(ctx, root):
    node = ctx.doc.get("replica_groups")
    if node is None:
        return
    groups = [[[p.unsigned(32) for p in s.array("CCM-001")]
               for s in g.array("CCM-001")] for g in node.array("CCM-001")]
    record = array(GROUPS, len(groups))
    for i, group in enumerate(groups):
        subgroups = array(SUBGROUPS, len(group))
        for j, members in enumerate(group):
            subgroups.point("kbin_replica_subgroup_t", "participants",
                            u32s(members), 16 * j)
            subgroups.put("kbin_replica_subgroup_t", "num_participants",
                          len(members), 16 * j)
        record.point("kbin_replica_group_t", "subgroups", subgroups, 16 * i)
        record.put("kbin_replica_group_t", "num_subgroups", len(group), 16 * i)
    root.point("kbin_t", "replica_groups.groups", record)
    root.put("kbin_t", "replica_groups.num_groups", len(groups))


def source_target_pairs(ctx, root):
    node = ctx.doc.get("src_target_pairs")
    if node is None:
        return
    sets = []
    for entry in node.array("CCM-003"):
        pairs = []
        for pair in entry.array("CCM-003"):
            ends = pair.array("CCM-003")
            if len(ends) != 2:
                pair.refuse("pair-length", "CCM-003")
            pairs.append([e.unsigned(32) for e in ends])
        sets.append(pairs)
    record = array(PAIR_SETS, len(sets))
    for i, pairs in enumerate(sets):
        inner = array(PAIRS, len(pairs))
        for j, (source, target) in enumerate(pairs):
            inner.put("kbin_src_target_pair_t", "src", source, 16 * j)
            inner.put("kbin_src_target_pair_t", "target", target, 16 * j)
        record.point("kbin_src_target_pairs_t", "pairs", inner, 32 * i)
        record.put("kbin_src_target_pairs_t", "num_pairs", len(pairs), 32 * i)
    root.point("kbin_t", "src_target_pairs.pairs_set", record)
    root.put("kbin_t", "src_target_pairs.num", len(sets))


class Library:
    content = b""
    flags = LIB_FLAGS
    total_cpus = 0

    def __init__(self):
        self.functions = []


def ucode_libraries(ctx, root):
    libraries, names = [], set()
    # UCL-009: on MARIANA the synthesized library precedes the declared ones.
    if ctx.target == tables.MARIANA:
        libraries.append(synthesized(ctx))
        names.add(SYNTHESIZED)
    node = ctx.doc.get("ucode_lib")
    if node is not None and isinstance(node.value, str):
        node = ctx.document(node, "UCL-001")
    for entry in node.array("UCL-001") if node is not None else ():
        libraries.append(read_library(ctx, entry.obj("UCL-001"), names))
    record = array(LIBS, len(libraries))
    lib = "kbin_ucode_lib_t"
    for i, library in enumerate(libraries):
        base = 40 * i
        record.point(lib, "content", blob(library.content), base)
        record.put(lib, "content_size", len(library.content), base)
        record.put(lib, "flags", library.flags, base)
        record.put(lib, "total_cpus", library.total_cpus, base)
        record.point(lib, "function_set.functions", function_array(library), base)
        record.put(lib, "function_set.num_functions", len(library.functions), base)
    root.point("kbin_t", "ucode_lib_set.libs", record)
    root.put("kbin_t", "ucode_lib_set.num_libs", len(libraries))


def synthesized(ctx):
    library = Library()
    node = ctx.doc.get("ext_isa_ucode_lib_def")
    if node is not None:
        library.functions = read_functions(node.obj(), 18, "UCL-010")
    return library


def read_library(ctx, node, names):
    library = Library()
    name = node.need("library", "UCL-002")
    library.content = ctx.member(name, "UCL-003")
    if name.raw() in names:
        name.refuse("duplicate-library", "UCL-007")
    names.add(name.raw())
    version = node.need("ulib_to_ucode_version", "UCL-002")
    major, dot, _ = version.text().partition(".")
    if not dot or major != "1":
        version.refuse("library-version", "UCL-004")
    opcode = node.need("opcode", "UCL-002").signed(32)
    library.flags = 0 if opcode in PLAIN_OPCODES else LIB_FLAGS
    cpu = node.get("cpu_id")
    if cpu is not None and cpu.unsigned(8) != 0:
        raise Trap("cpu-id", "UCL-005", cpu.at())
    cpus = node.get("total_cpus")
    if cpus is not None:
        library.total_cpus = cpus.unsigned(8)
        if library.total_cpus not in (0, 1, 8):
            cpus.refuse("total-cpus", "UCL-005")
    library.functions = read_functions(node, 255, "UCL-008")
    return library


def read_functions(node, limit, requirement):
    node = node.get("functions")
    if node is None:
        return []
    entries = node.array("UCL-008")
    if len(entries) > limit:
        node.refuse("too-many-functions", requirement)
    functions = []
    for entry in entries:
        name = entry.obj("UCL-008").need("name", "UCL-008")
        raw = name.raw()
        if len(raw) > 255:
            name.refuse("function-name-too-long", "UCL-008")
        sub = entry.get("sub_opcode")
        functions.append((raw, entry.need("opcode", "UCL-008").unsigned(8),
                          0 if sub is None else sub.unsigned(8)))
    return functions


def function_array(library):
    record = array(FUNCTIONS, len(library.functions))
    for i, (name, opcode, sub) in enumerate(library.functions):
        record.put("kbin_ucode_lib_function_t", "name", name, 258 * i)
        record.put("kbin_ucode_lib_function_t", "opcode", opcode, 258 * i)
        record.put("kbin_ucode_lib_function_t", "sub_opcode", sub, 258 * i)
    return record


def carveouts(ctx, root):
    node = ctx.doc.get("runtime_statebuffer_reservation")
    if node is None:
        if ctx.target == tables.CAYMAN and not ctx.allow_legacy:
            ctx.doc.refuse("no-carveouts", "SBC-002")
        return
    entries = node.array("SBC-001")
    record = Record(CARVEOUTS, 8 + 40 * len(entries))
    record.put("kbin_sb_carveouts_t", "count", len(entries))
    for i, entry in enumerate(entries):
        base = 8 + 40 * i
        kind = entry.obj("SBC-001").need("type", "SBC-001")
        code = tables.CARVEOUT_TYPES.get(kind.text())
        if code is None:
            kind.refuse("unknown-carveout-type", "SBC-001")
        record.put("kbin_sb_carveout_t", "type", code, base)
        for key, field in (("offset", "offset"), ("size", "size"),
                           ("base_partition", "start_partition"),
                           ("partitions", "num_partitions")):
            value = entry.need(key, "SBC-001").unsigned(64)
            record.put("kbin_sb_carveout_t", field, value, base)
    root.point("kbin_t", "sb_carveouts", record)


def streams(ctx, root):
    node, count = ctx.doc.get("cc_streams"), 1
    inner = node.obj("CCM-005").get("num_streams") if node is not None else (
        ctx.doc.get("num_streams"))
    if inner is not None:
        count = inner.unsigned(64)
    root.put("kbin_t", "cc_streams.num_streams", count)


def fp8_config(ctx, root):
    section = ctx.doc.get("fp8_conversion_config")
    sources = [n.obj() for n in (section, ctx.fp8_overrides) if n is not None]
    for key, field, bits in FP8_FIELDS:
        for source in sources:
            value = source.get(key)
            if value is not None:
                number = value.boolean() if bits is None else value.unsigned(bits)
                root.put("kbin_fp8_conv_cfg_t", field, number, 400)
