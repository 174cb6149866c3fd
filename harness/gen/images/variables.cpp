// SPDX-License-Identifier: Apache-2.0
// Variables of every mr_type with their union members, buffers, lists and debug records.
#include "harness/gen/images/images.h"

namespace assay::harness::images {
namespace {

struct TypeRow {
  Wants wanted;
  MrType type;
};
// What a wanted variable is; the two plain ones differ.
constexpr TypeRow kWanted[] = {{kVariables, MrType::MR_INPUT},         {kVariables, MrType::MR_TMP_BUF},
                               {kBuffer, MrType::MR_BUFFER},           {kList, MrType::MR_LIST},
                               {kVirtual, MrType::MR_VIRTUAL_TMP_BUF}, {kPointer, MrType::MR_PTR},
                               {kRemote, MrType::MR_REMOTE}};

}  // namespace

void Maker::variable(kbin_mem_ref& m, std::uint32_t id, MrType type, bool plain) {
  m.mr_type = static_cast<std::uint32_t>(code(type));
  m.var_id = id;
  m.name = tree.make_string(plain ? "v" + text(30) : text(300));
  m.size = u64();
  if (plain && m.size == 0) m.size = 64;
  m.alignment = u64();
  put(m.dtype, plain ? text(12) : text(15));
  for (std::uint64_t n = c.below(9), i = 0; i < n; ++i) m.shape[i] = u64();
  const bool debug = maybe(25);
  if (debug || plain) {
    m.dtensor_md = tree.make_debug_md();
    put(m.dtensor_md->prefix_str, plain ? text(100) : text(511));
    m.dtensor_md->pipe_id = u32();
  }
  switch (type) {
    case MrType::MR_BUFFER: {
      const bool empty = !plain && maybe(15);
      m.size = 0;
      if (!empty) m.buffer = bytes(plain ? 2 : 0, m.size);
      break;
    }
    case MrType::MR_PTR:
      m.u.ptr.referenced_var_id = u32();
      m.u.ptr.io_ref = flag();
      break;
    case MrType::MR_VIRTUAL_TMP_BUF:
      m.u.virtual_.offset = u64();
      m.u.virtual_.backing_buf = any(EnumId::BackingBuf);
      break;
    case MrType::MR_LIST:
    case MrType::MR_PTR_TABLE: {
      std::uint32_t n = c.chance(80) ? up_to(4) : up_to(size.blob_bytes / 4);
      if (plain && n < 2) n = 2;
      m.u.list.length = n;
      m.u.list.list = tree.make_u32s(n);
      for (std::uint32_t i = 0; i < n; ++i) m.u.list.list[i] = u32();
      break;
    }
    case MrType::MR_REMOTE:
      m.u.remote.remote_vtpb_rel_sg_id = u32();
      m.u.remote.remote_var_id = u32();
      break;
    default: break;
  }
}

void Maker::variables() {
  std::vector<MrType> types;
  for (const TypeRow& r : kWanted)
    if (wanted(r.wanted)) types.push_back(r.type);
  const std::size_t plain = types.size();
  for (std::uint32_t more = up_to(size.variables); more > 0; --more)
    types.push_back(static_cast<MrType>(any(EnumId::MrType)));
  kbin_mem_ref_set_t* set = tree.root().mem_ref_set =
      tree.make_mem_ref_set(static_cast<std::uint32_t>(types.size()));
  set->local_scratchpad_size = u64();
  set->shared_scratchpad_size = u64();
  for (std::uint32_t i = 0; i < types.size(); ++i) variable(mem_of(set)[i], i, types[i], i < plain);
}

}  // namespace assay::harness::images
