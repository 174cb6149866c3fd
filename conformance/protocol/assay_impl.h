/* SPDX-License-Identifier: Apache-2.0
 *
 * assay_impl.h: the functions that a shared library exports to be certified by KBIN Assay (conformance.md, "Shared
 * library"). One C11 header with no other part; usable from C and C++, and by hand from Rust, Go or ctypes: every type
 * below has a fixed width and natural alignment on a 64-bit little-endian machine.
 *
 * Who calls: a host process that loads the library, one request at a time, on one thread. Whatever the library does to
 * that process costs the one case. Standard output and error are the library's to print on.
 *
 * Ownership: everything in a request belongs to the host and lives until the call returns. An answer struct belongs to
 * the host, which zeroes it before the call; what the library makes it point to belongs to the library, and must live
 * and stay unchanged until the op's release function is called with that same struct, once, whatever the status was.
 * No pointer is kept by either side after that. dtype needs no release: it writes into the host's arrays. Texts of
 * `struct assay_end` may point to constants.
 *
 * Units: sizes are in bytes, counts in elements. Text is bytes with a length, not NUL-terminated, save `const char*`,
 * which is.
 *
 * Errors: a call answers with a status. ASSAY_REFUSED and ASSAY_TRAPPED (the original would abort) are one verdict to
 * most cases. There is no status for "something went wrong": to crash is an honest answer too.
 *
 * A complete exchange, for a model of two engines:
 *
 *   host:    assay_impl_abi()  ->  1        assay_impl_name()  ->  "mykbin"        assay_impl_version()  ->  "0.3"
 *            assay_impl_ops()  ->  ASSAY_OP_DTYPE | ASSAY_OP_LOWER
 *   host:    struct assay_lower_request q = {members, 2, {"sg00/def.json", 13}, 2, 0, 0, 0, ...};
 *            struct assay_lower_answer a = {0};
 *            assay_impl_lower(&q, &a);
 *   library: a.end.status = ASSAY_OK; a.root = the kbin_t*; a.allocations = {{root, 424}, {engine 0, 320 + 64}, ...};
 *            a.allocation_count = 9;
 *   host:    walks the tree from a.root by layout.json, each access inside one of the allocations or the case fails;
 *            assay_impl_lower_release(&a);
 *
 *   host:    q.definition = {"sg00/none.json", 14}; assay_impl_lower(&q, &a);
 *   library: a.end.status = ASSAY_REFUSED; a.end.has_code = 1; a.end.code = 1; a.end.reason = "no-definition";
 *   host:    assay_impl_lower_release(&a);
 */
#ifndef ASSAY_IMPL_H
#define ASSAY_IMPL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_IMPL_ABI 1u

#if defined(_WIN32)
#define ASSAY_EXPORT __declspec(dllexport)
#else
#define ASSAY_EXPORT __attribute__((visibility("default")))
#endif

/* --- common ------------------------------------------------------------------------------------------------------- */

enum {
  ASSAY_OK = 0,
  ASSAY_REFUSED = 1,
  ASSAY_TRAPPED = 2,
  ASSAY_UNSUPPORTED = 3 /* this op, or this request of it; passes no case */
};

/* Bits of assay_impl_ops(). The values 16, 32 and 64 are kept for neff_ip, resolve and udma, whose functions a later
 * header adds under names of their own; every other bit must be 0. */
enum { ASSAY_OP_DTYPE = 1, ASSAY_OP_LOWER = 2, ASSAY_OP_LOWER_NEFF = 4, ASSAY_OP_DECODE = 8 };

struct assay_bytes {
  const uint8_t* data; /* may be NULL when size is 0 */
  uint64_t size;
};

/* How a call ended. Texts are for people, or NULL. */
struct assay_end {
  uint32_t status;    /* ASSAY_OK ... */
  uint32_t has_code;  /* 0 or 1: whether `code` says something; only of a refusal */
  uint32_t code;      /* NRT_STATUS */
  uint32_t reserved;  /* 0 */
  const char* reason; /* "var-missing" */
  const char* at;     /* "sg00/def.json/var/x" */
};

/* --- what the library is ------------------------------------------------------------------------------------------ */

ASSAY_EXPORT uint32_t assay_impl_abi(void);           /* ASSAY_IMPL_ABI; called before anything else */
ASSAY_EXPORT const char* assay_impl_name(void);       /* UTF-8, lives as long as the library */
ASSAY_EXPORT const char* assay_impl_version(void);    /* likewise */
ASSAY_EXPORT uint32_t assay_impl_ops(void);           /* the ops whose functions are exported */

/* --- dtype -------------------------------------------------------------------------------------------------------- */

enum { ASSAY_TABLE_NEFF_IO = 0, ASSAY_TABLE_DEFJSON = 1 };

struct assay_dtype_match {
  struct assay_bytes text;
  uint32_t table; /* ASSAY_TABLE_... */
  uint32_t reserved;
};

struct assay_dtype_request {
  const struct assay_dtype_match* match;
  uint64_t match_count;
  const int64_t* to_sdma; /* kbin dtype codes for kbin_dtype_to_sdma_dtype */
  uint64_t to_sdma_count;
  const int64_t* cce_op; /* kbin cce ops for kbin_cce_op_to_sdma_cce_op */
  uint64_t cce_op_count;
  const int64_t* size; /* kbin dtype codes for kbin_get_dtype_size */
  uint64_t size_count;
};

struct assay_code {
  int64_t code;
  uint32_t refused; /* 1: refused or trapped, code is nothing; 0: code is the answer */
  uint32_t reserved;
};

/* The arrays are the host's, of the request's lengths, zeroed. */
struct assay_dtype_answer {
  struct assay_end end;
  struct assay_code* match;
  struct assay_code* to_sdma;
  struct assay_code* cce_op;
  struct assay_code* size;
};

ASSAY_EXPORT void assay_impl_dtype(const struct assay_dtype_request* request, struct assay_dtype_answer* answer);

/* --- lower -------------------------------------------------------------------------------------------------------- */

struct assay_member {
  struct assay_bytes path; /* no two are alike; ascending byte order */
  struct assay_bytes data;
};

/* Bits of assay_lower_request.fp8_set: which of the six overrides there are (FP8-004). */
enum {
  ASSAY_FP8_RANGE_EXTENSION = 1,
  ASSAY_FP8_EMAX_E4M3 = 2,
  ASSAY_FP8_EMAX_E5M2 = 4,
  ASSAY_FP8_OCP_SAT = 8,
  ASSAY_FP8_SIS = 16,
  ASSAY_FP8_SNS = 32
};

struct assay_lower_request {
  const struct assay_member* members;
  uint64_t member_count;
  struct assay_bytes definition; /* path of the def.json among the members, or of none */
  uint32_t target;               /* final */
  uint32_t subgraph;             /* for the image's header */
  uint32_t allow_legacy;         /* 0 or 1 */
  uint32_t fp8_set;              /* ASSAY_FP8_...; the values below count where its bit is set */
  uint32_t emax_fp8_e4m3, emax_fp8_e5m2;
  uint8_t fp8_range_extension, ocp_sat, fp8_sis, fp8_sns; /* 0 or 1 */
  uint32_t reserved;
};

/* One block of memory that the tree lies in: exactly what was asked of the allocator, no rounding. */
struct assay_allocation {
  const void* address;
  uint64_t size; /* bytes */
};

/* When ok, either `image` (image.md) with root NULL, or `root` with its allocations. Records may share an allocation;
 * an engine record alone in its own tells the length of its blob by it (else that is ninstr * 64). */
struct assay_lower_answer {
  struct assay_end end;
  struct assay_bytes image;
  const void* root; /* kbin_t* */
  const struct assay_allocation* allocations; /* in any order, not overlapping */
  uint64_t allocation_count;
  void* own; /* the library's, for its release function */
};

ASSAY_EXPORT void assay_impl_lower(const struct assay_lower_request* request, struct assay_lower_answer* answer);
ASSAY_EXPORT void assay_impl_lower_release(struct assay_lower_answer* answer);

/* --- lower_neff --------------------------------------------------------------------------------------------------- */

struct assay_lower_neff_request {
  struct assay_bytes neff;
  uint32_t has_arch; /* 0 or 1 */
  uint32_t arch;     /* the instance's architecture */
  uint32_t allow_legacy, verify_digest; /* 0 or 1 */
};

/* One graph of the file, in the KELF descriptor's order: as in assay_lower_answer. */
struct assay_graph {
  struct assay_bytes image;
  const void* root;
  const struct assay_allocation* allocations;
  uint64_t allocation_count;
};

struct assay_tensor {
  struct assay_bytes name;
  const uint64_t* shape;
  uint64_t shape_count;
  uint64_t size; /* bytes */
  uint32_t dtype; /* nrt_dtype_t */
  uint32_t reserved;
};

struct assay_lower_neff_answer {
  struct assay_end end;
  const struct assay_graph* graphs;
  uint64_t graph_count;
  const struct assay_tensor* inputs;
  uint64_t input_count;
  const struct assay_tensor* outputs;
  uint64_t output_count;
  void* own;
};

ASSAY_EXPORT void assay_impl_lower_neff(const struct assay_lower_neff_request* request,
                                        struct assay_lower_neff_answer* answer);
ASSAY_EXPORT void assay_impl_lower_neff_release(struct assay_lower_neff_answer* answer);

/* --- decode ------------------------------------------------------------------------------------------------------- */

struct assay_decode_request {
  struct assay_bytes image;
};

/* When ok: the JSON object {path: value, ...} of conformance.md's decode answer. */
struct assay_decode_answer {
  struct assay_end end;
  struct assay_bytes fields;
  void* own;
};

ASSAY_EXPORT void assay_impl_decode(const struct assay_decode_request* request, struct assay_decode_answer* answer);
ASSAY_EXPORT void assay_impl_decode_release(struct assay_decode_answer* answer);

#ifdef __cplusplus
}
#endif

#endif /* ASSAY_IMPL_H */
