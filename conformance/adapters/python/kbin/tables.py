# SPDX-License-Identifier: Apache-2.0
"""Enums, string matchers and translation tables, transcribed by hand.

Data only; the rules that use it live in the other modules.
"""

SUNDA, CAYMAN, MARIANA = 2, 3, 4
TARGETS = (SUNDA, CAYMAN, MARIANA)

# name -> set of values an enum field may hold (5 of the engine enum is the
# not-an-engine sentinel, 5 and above of the arch enum are no targets).
ENUMS = {
    "al_hal_tpb_eng_type": range(0, 5),
    "al_hal_tpb_arch_type": range(0, 5),
    "kbin_mr_type": range(0, 12),
    "kbin_backing_buf": range(0, 4),
    "kbin_dma_ring_type": range(0, 19),
    "kbin_dma_desc_type": range(0, 3),
    "kbin_dma_desc_op": range(-1, 6),
    "kbin_sb_carveout_type": range(0, 2),
    "kbin_dtype": range(0, 16),
}

ENGINES = {"pe": 0, "act": 1, "pool": 2, "dve": 3, "sp": 4}
# Section order of the def.json (SEC-002) and of the blocks (DMB-001).
ENGINE_SECTION_ORDER = ("pe", "act", "pool", "dve", "sp")
# Byte order of the names: the order of engine[] (LOW-002).
ENGINE_SLOT_ORDER = ("act", "dve", "pe", "pool", "sp")

MR_SB, MR_BUFFER, MR_TMP_BUF, MR_INPUT, MR_OUTPUT = 1, 3, 4, 5, 6
MR_PTR, MR_VIRTUAL, MR_LIST, MR_PTR_TABLE, MR_REMOTE = 7, 8, 9, 10, 11

VAR_TYPES = {
    "state-buffer": MR_SB,
    "file": MR_BUFFER,
    "tmp-buf": MR_TMP_BUF,
    "input": MR_INPUT,
    "output": MR_OUTPUT,
    "pointer": MR_PTR,
    "virtual": MR_VIRTUAL,
    "list": MR_LIST,
    "dge-table": MR_PTR_TABLE,
    "remote": MR_REMOTE,
}

BACKING = {"local": 0, "shared": 1, "sharded": 2, "main": 3}
BACKING_MAIN = 3

RING_DATA, RING_IN, RING_OUT, RING_INDIRECT = 6, 7, 8, 9
RING_DYNAMIC_ACT_TBL, RING_EMBEDDING_UPDATE = 11, 15
QUEUE_TYPES = {
    "in": RING_IN,
    "out": RING_OUT,
    "data": RING_DATA,
    "act_load": RING_DYNAMIC_ACT_TBL,
    "embedding_update": RING_EMBEDDING_UPDATE,
    "dynamic": RING_DATA,
}

COPY, FMA, ADD, MIN, MAX, TRANSPOSE = 0, 1, 2, 3, 4, 5
CCE_OPS = (FMA, ADD, MIN, MAX)
# "cast" is DMB-016: a COPY in every respect.
DMA_OPS = {"copy": COPY, "cast": COPY, "fma": FMA, "add": ADD, "min": MIN,
           "max": MAX, "transpose": TRANSPOSE}

TARGET_NAMES = {"sunda": SUNDA, "v2": SUNDA, "cayman": CAYMAN, "v3": CAYMAN,
                "mariana": MARIANA, "v4": MARIANA, "": SUNDA}

CARVEOUT_TYPES = {"evtaccel": 1}

MAX_FMA_SOURCES = {SUNDA: 16, CAYMAN: 16, MARIANA: 32}
MAX_HW_DGE = {SUNDA: 0, CAYMAN: 2, MARIANA: 2}

FP32, UINT32, INT32 = 5, 10, 14
DEFJSON_DTYPES = {
    "float8e3": 1, "float8e4": 2, "float8e5": 3, "float16": 4, "float32": 5,
    "float32r": 6, "bfloat16": 7, "uint8": 8, "uint16": 9, "uint32": 10,
    "uint64": 11, "int8": 12, "int16": 13, "int32": 14, "int64": 15,
    "float8_e4m3fn": 2, "float8_e4m3fn_x4": 10, "float8_e5m2_x4": 10,
    "float4_e2m1fn_x4": 9,
}
NEFF_IO_DTYPES = {
    "int8": 2, "int16": 4, "int32": 8, "int64": 12, "uint8": 3, "uint16": 5,
    "uint32": 9, "uint64": 1, "float16": 7, "float32": 10, "bfloat16": 6,
}
# Indexed by nrt_dtype_t; UNKNOWN is one byte.
NRT_DTYPE_SIZE = {0: 1, 1: 8, 2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 2, 8: 4, 9: 4,
                  10: 4, 12: 8}

# Index kbin_dtype - 1.
DTYPE_TO_SDMA = (13, 14, 15, 7, 10, 11, 6, 3, 5, 9, 1, 2, 4, 8, 12)
# Index SDMA_DTYPE.
SDMA_SIZES = (0, 8, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 8, 1, 1, 1)
# kbin_dma_desc_op -> SDMA_CCETYPE.
CCE_OP_TO_SDMA = {FMA: 1, ADD: 0, MIN: 3, MAX: 2}
