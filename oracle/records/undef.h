// SPDX-License-Identifier: Apache-2.0
// Included after records.def, once per use: forgets the macros of that use. No include guard.
#undef RECORD_BEGIN
#undef RECORD_END
#undef FIELD
#undef INLINE
#undef POINTER
#undef TAIL_BYTES
#undef TAIL_POINTERS
#undef TAIL_RECORDS
#undef PADDING
