# SPDX-License-Identifier: Apache-2.0
"""Engine members: code, blocks, and the tables of act and dve.

Instruction streams are copied, never looked into.
"""

from . import blocks, layout, tables
from .tree import ACT_SETS, DVE, ENGINE, Record, array, blob

DVE_TABLES = ("opcode_table", "control_fast_table", "control_slow_table",
              "datapath_table")
# The one profile key that is not its field's name.
PROFILE_KEYS = {"sym_opt_use_neg_region": "symmetry_opt_use_neg_region"}
BITS = {"u8": 8, "u16": 16, "u32": 32}


def read_engine(ctx, name, root):
    """Returns the code; fills the root's tables and the queues' blocks."""
    key = ctx.doc.get(name)
    if key is None:
        return b""
    node = ctx.document(key, "SEC-004").obj("SEC-004")
    code = b""
    instr = node.get("instr")
    if instr is not None:
        code = ctx.member(instr, "SEC-005")
        if len(code) >> 32:
            instr.refuse("stream-too-long", "SEC-007")
    blocks.read_blocks(ctx, node.get("dma"))
    if name == "act":
        activation_tables(ctx, node, root)
    elif name == "dve":
        dve_tables(ctx, node, root)
    return code


def engine_record(name, code):
    record = Record(ENGINE, 320)
    record.put("kbin_engine_t", "eng_type", tables.ENGINES[name])
    record.put("kbin_engine_t", "name", name.encode("ascii"))
    record.put("kbin_engine_t", "ninstr", len(code) >> 6)
    record.data += code
    return record


def activation_tables(ctx, node, root):
    semaphore = node.get("act_semaphore")
    if semaphore is not None:
        root.put("kbin_t", "act_function_sets.act_tbl_semaphore", semaphore.unsigned(32))
    listed = node.get("activation_function_sets")
    names = [] if listed is None else listed.array("ACT-002")
    if not names:
        return
    info = ctx.document(node.need("act_info", "ACT-002"), "ACT-002").obj("ACT-002")
    known = info.need("act_func_sets", "ACT-002").array("ACT-002")
    record = array(ACT_SETS, len(names))
    for i, name in enumerate(names):
        fill_set(ctx, record, layout.size_of("kbin_act_function_set_t") * i,
                 name, find_set(known, name))
    root.point("kbin_t", "act_function_sets.sets", record)
    root.put("kbin_t", "act_function_sets.num_function_sets", len(names))


def find_set(known, name):
    # An entry without a name is none that a set could mean (JSN-013).
    wanted = name.raw("ACT-002")
    for entry in known:
        found = entry.obj("ACT-002").get("name")
        if found is not None and found.raw("ACT-002") == wanted:
            return entry
    return name.refuse("unknown-function-set", "ACT-002")


def fill_set(ctx, record, base, name, entry):
    kind = "kbin_act_function_set_t"
    record.put(kind, "name", name.raw()[:255], base)
    for key, pointer, size in (("bkt_bin", "bkt_tbl", "bkt_sz"),
                               ("ctrl_bin", "ctl_tbl", "ctl_sz")):
        member = entry.need(key, "ACT-002")
        data = ctx.member(member, "ACT-004")
        if len(data) >> 32:
            member.refuse("table-too-long", "JSN-006")
        record.point(kind, pointer, blob(data), base)
        record.put(kind, size, len(data), base)
    profile = ctx.document(entry.need("profile_json", "ACT-002"), "ACT-004").obj("ACT-005")
    data = profile.need("profile_meta_data", "ACT-005")
    functions = data.array("ACT-005")
    if len(functions) > layout.MAX_PROFILES:
        data.refuse("too-many-profiles", "ACT-005")
    record.put(kind, "num_functions", len(functions), base)
    for i, function in enumerate(functions):
        fill_profile(record, base + layout.PROFILE_DATA + layout.PROFILE_BYTES * i,
                     function.obj("ACT-005"))


def fill_profile(record, base, node):
    kind = "kbin_act_profile_data_t"
    for field in layout.STRUCTS[kind].fields.values():
        value = node.get(PROFILE_KEYS.get(field.name, field.name))
        if value is not None:
            number = value.signed(32, "ACT-006") if field.type == "i32" else (
                value.unsigned(BITS[field.type], "ACT-006"))
            record.put(kind, field.name, number, base)


def dve_tables(ctx, node, root):
    config = node.get("dve_tables")
    if config is None:
        return
    if isinstance(config.value, list):
        entries = config.array()
        if len(entries) != 1:
            config.refuse("dve-tables-length", "DVE-005")
        config = entries[0]
    config.obj("DVE-004")
    record = Record(DVE, 64)
    for i, key in enumerate(DVE_TABLES):
        member = config.get(key)
        if member is None and key == "control_fast_table":
            # DVE-003: older targets have one control table only.
            member = config.get("control_table")
        data = b"" if member is None else ctx.member(member, "DVE-001")
        record.point("kbin_buffer_t", "buffer", blob(data), 16 * i)
        record.put("kbin_buffer_t", "size", len(data), 16 * i)
    root.point("kbin_t", "dve_config", record)
