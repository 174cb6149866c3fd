/* SPDX-License-Identifier: Apache-2.0
 *
 * A library (assay_impl.h) whose lower misbehaves in the way that the definition's path names. Its trees are four zeroed
 * records of the right sizes and five engines, as small as a walk allows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay_impl.h"

#ifndef HOSTILE_OPS
#define HOSTILE_OPS (ASSAY_OP_DTYPE | ASSAY_OP_LOWER)
#endif
#ifndef HOSTILE_ABI
#define HOSTILE_ABI ASSAY_IMPL_ABI
#endif

static int is(struct assay_bytes text, const char* name) {
  return text.size == strlen(name) && memcmp(text.data, name, text.size) == 0;
}

uint32_t assay_impl_abi(void) { return HOSTILE_ABI; }
const char* assay_impl_name(void) { return "hostile"; }
const char* assay_impl_version(void) { return "1"; }
uint32_t assay_impl_ops(void) { return HOSTILE_OPS; }

void assay_impl_dtype(const struct assay_dtype_request* q, struct assay_dtype_answer* a) {
  if (q->size_count == 1) a->size[1].code = 4; /* past the end */
  if (q->size_count == 2) a->size[0].refused = 7;
}

static volatile int* volatile nowhere = NULL;

struct tree {
  uint64_t root[53]; /* 424 bytes */
  uint64_t engine[5][40], set[3];
  struct assay_allocation list[8];
};

void assay_impl_lower(const struct assay_lower_request* q, struct assay_lower_answer* a) {
  struct tree* const t = calloc(1, sizeof *t);
  struct assay_allocation list[8] = {{t->root, sizeof t->root}, {t->set, sizeof t->set}};
  a->own = t;
  for (int i = 0; i < 5; ++i) {
    t->root[i] = (uint64_t)(uintptr_t)t->engine[i];
    list[2 + i].address = t->engine[i];
    list[2 + i].size = sizeof t->engine[i];
  }
  t->root[37] = (uint64_t)(uintptr_t)t->set; /* mem_ref_set */
  t->root[52] = 3;                           /* target */
  a->root = t->root;
  a->allocation_count = 7;
  printf("noise on standard output\n");
  fflush(stdout);
  if (is(q->definition, "unreported")) a->allocation_count = 6; /* the last engine */
  if (is(q->definition, "short")) list[0].size = 416;
  if (is(q->definition, "overlap")) list[2].size += 8;
  if (is(q->definition, "wild")) t->root[2] = 16;
  if (is(q->definition, "count")) ((uint32_t*)t->set)[4] = 0xffffffffu; /* nmem */
  if (is(q->definition, "ninstr")) ((uint32_t*)t->engine[1])[65] = 5;
  if (is(q->definition, "shared")) t->root[4] = t->root[3];
  if (is(q->definition, "crash")) *nowhere = 1;
  if (is(q->definition, "exit")) _Exit(0);
  if (is(q->definition, "status")) a->end.status = 9;
  if (is(q->definition, "nothing")) a->root = NULL;
  if (is(q->definition, "both")) a->image.data = (const uint8_t*)t, a->image.size = 1;
  if (is(q->definition, "unreadable")) list[7].address = (void*)4096, list[7].size = 4096, a->allocation_count = 8, t->root[2] = 4096;
  if (is(q->definition, "refused")) {
    a->end.status = ASSAY_REFUSED;
    a->end.has_code = 1;
    a->end.code = 2;
    a->end.reason = "as asked";
    a->end.at = "here";
  }
  memcpy(t->list, list, sizeof list);
  a->allocations = t->list;
}

void assay_impl_lower_release(struct assay_lower_answer* a) {
  free(a->own);
  a->own = NULL;
}
