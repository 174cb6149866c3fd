# SPDX-License-Identifier: Apache-2.0
"""The var section: variables, their checks, and the mem_ref_set record."""

from . import container, tables
from .tables import (MR_BUFFER, MR_INPUT, MR_LIST, MR_OUTPUT, MR_PTR,
                     MR_PTR_TABLE, MR_REMOTE, MR_TMP_BUF, MR_VIRTUAL)
from .tree import DEBUG, MEM_SET, Record, blob, string, u32s

SIZED = (MR_INPUT, MR_OUTPUT, MR_TMP_BUF, MR_VIRTUAL)
ALIGNED = SIZED + (MR_BUFFER,)
DEBUGGED = (MR_BUFFER, MR_TMP_BUF, MR_VIRTUAL)
TYPELESS = (MR_PTR, MR_LIST, MR_PTR_TABLE, MR_REMOTE)
SHARED_KINDS = (1, 2)


class Variable:
    def __init__(self, node, name):
        self.node = node
        self.name = name
        self.mr_type = 0
        self.var_id = 0
        self.size = 0
        self.alignment = 0
        self.dtype = b""
        self.shape = []
        self.payload = b""
        self.debug = None
        self.reference = 0
        self.offset = 0
        self.backing = 0
        self.list = []


def read_variables(ctx):
    """VAR rows; returns the variables in var_id order."""
    section = ctx.doc.need("var", "VAR-001").obj("VAR-001")
    if section.value.duplicates:
        section.refuse("duplicate-variable", "JSN-008")
    variables = []
    for key in section.value:
        node = section.get(key).obj("VAR-001")
        variables.append(read_variable(ctx, node, checked_name(node, key)))
    check(section, variables)
    return sorted(variables, key=lambda v: v.var_id)


def checked_name(node, key):
    if "\0" in key:
        node.refuse("nul-in-name", "JSN-019")
    return key.encode("utf-8")


def read_variable(ctx, node, name):
    var = Variable(node, name)
    kind = node.need("type", "VAR-002")
    var.mr_type = tables.VAR_TYPES.get(kind.text())
    if var.mr_type is None:
        kind.refuse("unknown-variable-type", "VAR-003")
    var.var_id = node.need("var_id", "VAR-002").unsigned(32)
    if var.mr_type in SIZED:
        var.size = node.need("size", "VAR-007").unsigned(64)
    if var.mr_type in ALIGNED:
        alignment = read_alignment(node.get("alignment"))
        # VAR-014: a virtual variable's alignment is checked and not stored.
        var.alignment = 0 if var.mr_type == MR_VIRTUAL else alignment
    if var.mr_type not in TYPELESS:
        read_dtype_and_shape(node, var)
    if var.mr_type in DEBUGGED:
        read_debug(node, var)
    if var.mr_type == MR_BUFFER:
        read_file(ctx, node, var)
    elif var.mr_type == MR_PTR:
        read_pointer(node, var)
    elif var.mr_type == MR_VIRTUAL:
        read_virtual(node, var)
    elif var.mr_type in (MR_LIST, MR_PTR_TABLE):
        ids = node.need("list", "VAR-019").array("VAR-019")
        var.list = [i.unsigned(32) for i in ids]
    return var


def read_alignment(node):
    if node is None:
        return 0
    value = node.unsigned(64)
    if value & (value - 1) or value >> 32:
        node.refuse("alignment", "VAR-012")
    return value


def read_dtype_and_shape(node, var):
    dtype = node.get("dtype")
    if dtype is not None:
        text = dtype.text()
        if len(text.encode("utf-8")) > 15:
            dtype.refuse("dtype-too-long", "VAR-015")
        if text not in tables.DEFJSON_DTYPES:
            dtype.refuse("unknown-dtype", "VAR-016")
        var.dtype = text.encode("utf-8")
    shape = node.get("shape")
    if shape is not None:
        dims = shape.array()
        if len(dims) > 8:
            shape.refuse("too-many-dimensions", "VAR-017")
        var.shape = [d.unsigned(64) for d in dims]


def read_debug(node, var):
    prefix, pipe = node.get("prefix"), node.get("pipe")
    if prefix is None and pipe is None:
        return
    text = b"" if prefix is None else prefix.raw()
    if len(text) > 511:
        prefix.refuse("prefix-too-long", "VAR-029")
    var.debug = (text, 0 if pipe is None else pipe.unsigned(32))


def read_file(ctx, node, var):
    name = node.need("file_name", "VAR-022")
    data = ctx.member(name, "VAR-022")
    var.payload = container.file_payload(name.raw(), data, name.at())
    var.size = len(var.payload)
    declared = node.get("size")
    if declared is not None and declared.unsigned(64) != var.size:
        declared.refuse("file-size", "VAR-023")


def read_pointer(node, var):
    var.reference = node.need("referenced_var_id", "VAR-008").unsigned(32)
    size = node.need("size", "VAR-009")
    if size.unsigned(64) != 8:
        size.refuse("pointer-size", "VAR-009")
    var.size = 8


def read_virtual(node, var):
    offset = node.need("backing_variable_off", "VAR-024")
    var.offset = offset.unsigned(64)
    if (var.offset + var.size) >> 64:
        offset.refuse("scratchpad-overflow", "VAR-027")
    backing = node.get("backing_buf")
    var.backing = tables.BACKING_MAIN
    if backing is not None:
        var.backing = tables.BACKING.get(backing.text())
        if var.backing is None:
            backing.refuse("unknown-backing", "VAR-026")


def check(section, variables):
    by_id = {}
    for var in variables:
        if var.var_id in by_id:
            duplicate = var
        by_id[var.var_id] = var
    if not variables or max(by_id) + 1 != len(variables):
        section.refuse("var-id-density", "VAR-004")
    if not any(v.mr_type == MR_OUTPUT for v in variables):
        section.refuse("no-output", "VAR-005")
    if len(by_id) != len(variables):
        duplicate.node.refuse("duplicate-var-id", "VAR-006")
    for var in variables:
        if var.mr_type == MR_PTR and var.reference not in by_id:
            var.node.refuse("unknown-reference", "VAR-008")
        if var.mr_type == MR_PTR_TABLE and not all(i in by_id for i in var.list):
            var.node.refuse("unknown-table-entry", "VAR-021")


def mem_ref_set(variables):
    head = 24
    record = Record(MEM_SET, head + 152 * len(variables))
    local = [v.offset + v.size for v in variables
             if v.mr_type == MR_VIRTUAL and v.backing not in SHARED_KINDS]
    shared = [v.offset + v.size for v in variables
              if v.mr_type == MR_VIRTUAL and v.backing in SHARED_KINDS]
    record.put("kbin_mem_ref_set_t", "local_scratchpad_size", max(local, default=0))
    record.put("kbin_mem_ref_set_t", "shared_scratchpad_size", max(shared, default=0))
    record.put("kbin_mem_ref_set_t", "nmem", len(variables))
    for i, var in enumerate(variables):
        fill(record, head + 152 * i, var, variables)
    return record


def fill(record, base, var, variables):
    mem = "kbin_mem_ref"
    record.put(mem, "mr_type", var.mr_type, base)
    record.point(mem, "name", string(var.name), base)
    record.put(mem, "size", var.size, base)
    record.put(mem, "alignment", var.alignment, base)
    record.put(mem, "var_id", var.var_id, base)
    record.put(mem, "dtype", var.dtype, base)
    for i, d in enumerate(var.shape):
        record.put(mem, "shape", d, base, i)
    if var.debug is not None:
        debug = Record(DEBUG, 516)
        debug.put("kbin_debug_tensor_md_t", "prefix_str", var.debug[0])
        debug.put("kbin_debug_tensor_md_t", "pipe_id", var.debug[1])
        record.point(mem, "dtensor_md", debug, base)
    record.point(mem, "buffer", blob(var.payload), base)
    if var.mr_type == MR_PTR:
        target = variables[var.reference]
        record.put("mem.ptr", "u.ptr.referenced_var_id", var.reference, base)
        record.put("mem.ptr", "u.ptr.io_ref",
                   target.mr_type in (MR_INPUT, MR_OUTPUT), base)
    elif var.mr_type == MR_VIRTUAL:
        record.put("mem.virtual", "u.virtual.offset", var.offset, base)
        record.put("mem.virtual", "u.virtual.backing_buf", var.backing, base)
    elif var.mr_type in (MR_LIST, MR_PTR_TABLE):
        record.put("mem.list", "u.list.length", len(var.list), base)
        record.point("mem.list", "u.list.list", u32s(var.list), base)
