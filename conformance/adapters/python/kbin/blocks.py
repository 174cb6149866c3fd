# SPDX-License-Identifier: Apache-2.0
"""DMA blocks and descriptors (DMB rows): parsing, checks, and their bytes.

A block's place is settled here too: which queue, which instance, which
function name it inherits.
"""

import struct

from . import layout, tables
from .errors import Unspecified
from .queues import Instance
from .tree import string

MAX_DIMS = 8
MAX_SOURCES = 32
UNSPECIFIED_KEYS = ("event", "semaphore", "remote_semaphores")
CONSTANT_DTYPES = {"float32": tables.FP32, "int32": tables.INT32,
                   "uint32": tables.UINT32}


class Pattern:
    __slots__ = ("index", "offset", "sizes", "steps", "dtype")

    def pack(self):
        n = len(self.sizes)
        pad = [0] * (MAX_DIMS - n)
        return struct.pack("<IxxxxQIxxxx8q8QIxxxx", self.index, self.offset, n,
                           *self.steps, *pad, *self.sizes, *pad, self.dtype)


class Descriptor:
    def __init__(self, op):
        self.op = op
        self.to = None
        self.sources = []
        self.tiling = 0
        self.info = bytes(layout.INFO_BYTES)
        self.block_id = 0
        self.block_end = False
        self.reset = False
        self.function = None
        self.priority = 0

    def write(self, record, base):
        desc = "kbin_dma_desc_t"
        record.put(desc, "op", self.op, base)
        for at, pattern in [(layout.DESC_TO, self.to)] + [
                (layout.DESC_FROM + layout.PATTERN_BYTES * i, p)
                for i, p in enumerate(self.sources)]:
            record.data[base + at:base + at + layout.PATTERN_BYTES] = pattern.pack()
        record.put(desc, "u.num_tiling_dims", self.tiling, base)
        info = base + layout.DESC_INFO
        record.data[info:info + layout.INFO_BYTES] = self.info
        record.put(desc, "block_id", self.block_id, base)
        record.put(desc, "block_end_desc", self.block_end, base)
        record.put(desc, "reset_engine_round_robin", self.reset, base)
        if self.function is not None:
            record.point(desc, "function_name", string(self.function), base)
        record.put(desc, "priority_class", self.priority, base)


def read_blocks(ctx, node):
    """One `dma` array: of the def.json or of an engine member."""
    if node is not None:
        for block in node.array():
            read_block(ctx, block.obj("DMB-002"))


def read_block(ctx, block):
    for key in UNSPECIFIED_KEYS:
        if block.get(key) is not None:
            raise Unspecified(f"{block.at()}/{key}")
    block_id = block.need("id", "DMB-002").unsigned(32)
    entries = block.need("desc", "DMB-002").array("DMB-002")
    instance = find_instance(ctx, block)
    queue = instance.queue
    own = text_or_none(block, "function_start")
    if own is not None:
        queue.function = own[:256]
    priority = block.get("priority_class")
    priority = 0 if priority is None else priority.unsigned(8)
    above_sunda = ctx.target > tables.SUNDA
    section = block.get("section_start_desc")
    section = section is not None and above_sunda and section.boolean()
    descriptors = [read_descriptor(ctx, e.obj("DMB-002")) for e in entries]
    for d in descriptors:
        d.block_id = block_id
        d.priority = priority
        d.function = queue.function
        d.reset = above_sunda and (d.op == tables.TRANSPOSE or section
                                   or queue.function is not None)
    if descriptors:
        descriptors[-1].block_end = True
    instance.descriptors += descriptors


def text_or_none(node, key):
    """A string key that counts as absent when it is empty."""
    value = node.get(key)
    return None if value is None else value.raw() or None


def find_instance(ctx, block):
    name = text_or_none(block, "instance_name")
    if name is not None and name in ctx.queues.listed:
        return ctx.queues.listed[name]
    queue_name = text_or_none(block, "queue")
    if queue_name is None:
        if name is None:
            block.refuse("no-queue", "DMB-002")
        block.refuse("unknown-instance", "DMB-004")
    queue = ctx.queues.by_name.get(queue_name)
    if queue is None:
        block.get("queue").refuse("unknown-queue", "DMB-003")
    name = queue_name if name is None else name
    found = queue.instance(name)
    if found is None:
        found = Instance(queue, name)
        queue.instances.append(found)
    return found


def read_descriptor(ctx, node):
    op = node.get("op")
    code = tables.COPY if op is None else tables.DMA_OPS.get(op.text())
    if code is None:
        op.refuse("unknown-op", "DMB-017")
    desc = Descriptor(code)
    typed = code in tables.CCE_OPS
    desc.to = read_pattern(ctx, node, "to", node, typed)
    if typed:
        read_sources(ctx, node, desc)
    else:
        desc.sources = [read_pattern(ctx, node, "from", node, False)]
    tiling = node.get("num_tiling_dimensions")
    desc.tiling = 0 if tiling is None else tiling.unsigned(32)
    if code == tables.TRANSPOSE:
        desc.info = transpose_info(node)
    return desc


def read_pattern(ctx, node, side, defaults, typed):
    """A pattern of `node`; without sizes and steps it takes the `size` of the descriptor."""
    pattern = Pattern()
    name = node.need(side, "DMB-020")
    var = ctx.by_name.get(name.raw())
    if var is None:
        name.refuse("unknown-variable", "DMB-020")
    pattern.index = var.var_id
    offset = node.get(side + "_off")
    pattern.offset = 0 if offset is None else offset.unsigned(64)
    sizes, steps = node.get(side + "_sizes"), node.get(side + "_steps")
    if (sizes is None) != (steps is None):
        (sizes or steps).refuse("half-pattern", "DMB-025")
    if sizes is None:
        size = defaults.get("size")
        if size is None:
            node.refuse("no-dimension", "DMB-023")
        pattern.sizes, pattern.steps = [size.unsigned(64)], [1]
        if pattern.sizes[0] == 0:
            size.refuse("size-zero", "DMB-025")
    else:
        pattern.sizes = [s.unsigned(64) for s in sizes.array("DMB-023")]
        pattern.steps = [s.signed(64) for s in steps.array("DMB-023")]
        if len(pattern.sizes) != len(pattern.steps):
            sizes.refuse("pattern-lengths", "DMB-023")
        if not 1 <= len(pattern.sizes) <= MAX_DIMS:
            sizes.refuse("pattern-dimensions", "DMB-023")
        if 0 in pattern.sizes:
            sizes.refuse("size-zero", "DMB-023")
    dtype = node.get(side + "_dtype")
    if dtype is None and typed:
        node.refuse("dtype-missing", "DMB-030")
    pattern.dtype = 0 if dtype is None else dtype_code(dtype)
    return pattern


def dtype_code(node):
    code = tables.DEFJSON_DTYPES.get(node.text())
    if code is None:
        node.refuse("unknown-dtype", "DT-007")
    return code


def read_sources(ctx, node, desc):
    array = node.need("from_arr", "DMB-026")
    entries = array.array("DMB-026")
    limit = MAX_SOURCES
    if desc.op == tables.FMA:
        limit = min(limit, tables.MAX_FMA_SOURCES[ctx.target])
    if not 1 <= len(entries) <= limit:
        array.refuse("source-count", "DMB-028")
    scales = []
    for entry in entries:
        entry.obj("DMB-026")
        desc.sources.append(read_pattern(ctx, entry, "from", node, True))
        if desc.op == tables.FMA:
            scales.append(source_scale(entry, node))
    info = bytearray(layout.INFO_BYTES)
    layout.put(info, 0, "kbin_dma_desc_cce_info_t", "num_sources", len(entries))
    layout.put(info, 0, "kbin_dma_desc_cce_info_t", "num_dests", 1)
    if desc.op == tables.FMA:
        layout.put(info, 0, "cce.fma", "u.fma.scale_dtype", tables.FP32)
        for i, bits in enumerate(scales):
            layout.put(info, 0, "cce.fma", "u.fma.scale", bits, i)
    elif desc.op in (tables.MIN, tables.MAX):
        put_constant(info, node)
    desc.info = info


def source_scale(entry, defaults):
    dtype = entry.get("scale_dtype") or defaults.get("scale_dtype")
    if dtype is not None and dtype_code(dtype) != tables.FP32:
        dtype.refuse("scale-dtype", "DMB-032")
    scale = entry.get("scale") or defaults.get("scale")
    return float_bits(scale, "DMB-033") if scale is not None else 0x3F800000


def float_bits(node, requirement):
    """The JSON number as a double, then half to even to a float32's bits."""
    try:
        return struct.unpack("<I", struct.pack("<f", node.double()))[0]
    except OverflowError:
        return node.refuse("float32-range", requirement)


def put_constant(info, node):
    dtype = node.get("constant_dtype")
    if dtype is None:
        return
    code = CONSTANT_DTYPES.get(dtype.text())
    if code is None:
        dtype.refuse("constant-dtype", "DMB-035")
    constant = node.need("constant", "DMB-035")
    if code == tables.FP32:
        bits = float_bits(constant, "DMB-035")
    elif code == tables.INT32:
        bits = constant.signed(32) & 0xFFFFFFFF
    else:
        bits = constant.unsigned(32)
    layout.put(info, 0, "cce.min_max", "u.min_max.use_constant", True)
    layout.put(info, 0, "cce.min_max", "u.min_max.constant_dtype", code)
    layout.put(info, 0, "cce.min_max", "u.min_max.constant", bits)


def transpose_info(node):
    info = bytearray(layout.INFO_BYTES)
    record = "kbin_dma_desc_transpose_info_t"
    order = node.get("transpose_op")
    if order is not None:
        if sorted(order.text()) != list("WXYZ"):
            order.refuse("transpose-op", "DMB-040")
        for i, letter in enumerate(order.raw()):
            layout.put(info, 0, record, "transpose_op", letter, i)
    size = node.get("transpose_element_size")
    if size is not None:
        layout.put(info, 0, record, "element_size", size.unsigned(32))
    shape = node.get("transpose_shape")
    if shape is not None:
        dims = shape.array()
        if len(dims) != 4:
            shape.refuse("transpose-shape", "DMB-039")
        for i, d in enumerate(dims):
            layout.put(info, 0, record, "shape", d.unsigned(32), i)
    return info
