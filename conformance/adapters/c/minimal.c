/* SPDX-License-Identifier: Apache-2.0
 *
 * A small implementation by the library way (assay_impl.h): dtype in full, of lower only what needs no reading of the
 * model, decode not at all. Its certificate is red, and says where to go on.
 *
 *   cc -std=c11 -O2 -fPIC -shared -I conformance/protocol -o libminimal.so conformance/adapters/c/minimal.c
 *   assay certify --lib ./libminimal.so
 */
#include "assay_impl.h"

#include <stddef.h>
#include <string.h>

struct name_code {
  const char* name;
  int64_t code;
};

/* DT-002: exactly these; anything else is UNKNOWN (DT-003). */
static const struct name_code neff_io[] = {
    {"uint64", 1}, {"int8", 2},    {"uint8", 3},  {"int16", 4},    {"uint16", 5}, {"bfloat16", 6},
    {"float16", 7}, {"int32", 8}, {"uint32", 9}, {"float32", 10}, {"int64", 12},
};

/* DT-006 .. DT-010: exactly these; anything else is refused. */
static const struct name_code defjson[] = {
    {"float8e3", 1}, {"float8e4", 2},  {"float8e5", 3}, {"float16", 4}, {"float32", 5},
    {"float32r", 6}, {"bfloat16", 7},  {"uint8", 8},    {"uint16", 9},  {"uint32", 10},
    {"uint64", 11},  {"int8", 12},     {"int16", 13},   {"int32", 14},  {"int64", 15},
    {"float8_e4m3fn", 2}, {"float8_e4m3fn_x4", 10}, {"float8_e5m2_x4", 10}, {"float4_e2m1fn_x4", 9},
};

/* DT-011 by kbin code - 1, and data_type_sizes by SDMA code. */
static const uint8_t sdma_of[15] = {13, 14, 15, 7, 10, 11, 6, 3, 5, 9, 1, 2, 4, 8, 12};
static const uint8_t bytes_of[16] = {0, 8, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 8, 1, 1, 1};
/* DT-012 by kbin op: COPY, FMA, ADD, MIN, MAX. */
static const int8_t cce_of[5] = {-1, 1, 0, 3, 2};

static const struct name_code* find(const struct name_code* table, size_t n, struct assay_bytes text) {
  for (size_t i = 0; i < n; ++i)
    if (strlen(table[i].name) == text.size && (text.size == 0 || memcmp(table[i].name, text.data, text.size) == 0))
      return &table[i];
  return NULL;
}

static struct assay_code code(int64_t value) {
  const struct assay_code c = {value, 0, 0};
  return c;
}

static struct assay_code refused(void) {
  const struct assay_code c = {0, 1, 0};
  return c;
}

uint32_t assay_impl_abi(void) { return ASSAY_IMPL_ABI; }
const char* assay_impl_name(void) { return "minimal-c"; }
const char* assay_impl_version(void) { return "0.1"; }
uint32_t assay_impl_ops(void) { return ASSAY_OP_DTYPE | ASSAY_OP_LOWER; }

void assay_impl_dtype(const struct assay_dtype_request* q, struct assay_dtype_answer* a) {
  for (uint64_t i = 0; i < q->match_count; ++i) {
    const int io = q->match[i].table == ASSAY_TABLE_NEFF_IO;
    const struct name_code* const hit = io ? find(neff_io, sizeof neff_io / sizeof *neff_io, q->match[i].text)
                                           : find(defjson, sizeof defjson / sizeof *defjson, q->match[i].text);
    a->match[i] = hit != NULL ? code(hit->code) : io ? code(0) : refused();
  }
  for (uint64_t i = 0; i < q->to_sdma_count; ++i) {
    const int64_t d = q->to_sdma[i];
    a->to_sdma[i] = d >= 1 && d <= 15 ? code(sdma_of[d - 1]) : refused();
  }
  for (uint64_t i = 0; i < q->cce_op_count; ++i) {
    const int64_t op = q->cce_op[i];
    a->cce_op[i] = op >= 1 && op <= 4 ? code(cce_of[op]) : refused();
  }
  for (uint64_t i = 0; i < q->size_count; ++i) {
    const int64_t d = q->size[i];
    a->size[i] = code(d >= 1 && d <= 15 ? bytes_of[sdma_of[d - 1]] : 0); /* DT-013: no trap */
  }
  a->end.status = ASSAY_OK;
}

void assay_impl_lower(const struct assay_lower_request* q, struct assay_lower_answer* a) {
  if (q->target == 0) { /* LOW-007 */
    a->end.status = ASSAY_REFUSED;
    a->end.reason = "no target";
    return;
  }
  a->end.status = ASSAY_UNSUPPORTED; /* from here on: read the members, build a kbin_t, list what was allocated */
}

void assay_impl_lower_release(struct assay_lower_answer* a) { (void)a; /* nothing was allocated */ }
