// SPDX-License-Identifier: Apache-2.0
// The oracle as a shared library (assay_impl.h): lower as the native tree it makes, lower_neff as images (its trees
// share blobs of the file, and a tree's allocations must not overlap), decode as JSON text. It is what shows that
// both plug-in ways come to the same answers.
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "conformance/protocol/assay_impl.h"
#include "harness/subject/subject.h"
#include "oracle/image/image.h"
#include "oracle/lower/lower.h"

namespace {

using namespace assay;

ByteView view_of(const assay_bytes& b) { return {b.data, b.size}; }
std::string text_of(const assay_bytes& b) { return std::string(as_text(view_of(b))); }

// What an answer's texts and arrays lie in.
struct Held {
  std::string reason, at, fields;
  std::vector<Tree> trees;
  std::vector<assay_allocation> allocations;
  std::vector<Buffer> images;
  std::vector<assay_graph> graphs;
  GraphIo io;
  std::vector<assay_tensor> inputs, outputs;
};

void refuse_with(const Refusal& r, Held& held, assay_end& end) {
  const harness::Reply<int> reply = harness::Reply<int>::of(r);
  held.reason = reply.status == harness::ReplyStatus::unspecified ? "unspecified" : reply.reason;
  held.at = reply.at;
  end.status = reply.status == harness::ReplyStatus::trapped ? ASSAY_TRAPPED : ASSAY_REFUSED;
  end.has_code = 1;
  end.code = *reply.code;
  end.reason = held.reason.c_str();
  end.at = held.at.c_str();
}

std::vector<assay_tensor> report(const std::vector<Tensor>& tensors) {
  std::vector<assay_tensor> out;
  for (const Tensor& t : tensors)
    out.push_back({{as_bytes(t.name).data(), t.name.size()},
                   t.shape.data(),
                   t.shape.size(),
                   t.size,
                   static_cast<std::uint32_t>(code(t.dtype)),
                   0});
  return out;
}

// Calls f(held) and hands what it held over to the answer.
template <class Answer, class F>
void answer_with(Answer* answer, F f) {
  try {
    auto held = std::make_unique<Held>();
    f(*held);
    answer->own = held.release();
  } catch (const std::exception&) {
    *answer = {};
    answer->end.status = ASSAY_UNSUPPORTED;
    answer->end.reason = "out of memory";
  }
}

template <class Answer>
void release(Answer* answer) {
  delete static_cast<Held*>(answer->own);
  *answer = {};
}

}  // namespace

extern "C" {

uint32_t assay_impl_abi() { return ASSAY_IMPL_ABI; }
const char* assay_impl_name() { return "oracle"; }
const char* assay_impl_version() { return "1"; }
uint32_t assay_impl_ops() { return ASSAY_OP_DTYPE | ASSAY_OP_LOWER | ASSAY_OP_LOWER_NEFF | ASSAY_OP_DECODE; }

void assay_impl_dtype(const assay_dtype_request* q, assay_dtype_answer* a) {
  harness::DtypeRequest request;
  for (uint64_t i = 0; i < q->match_count; ++i)
    request.match.push_back({q->match[i].table == ASSAY_TABLE_NEFF_IO, text_of(q->match[i].text)});
  request.to_sdma.assign(q->to_sdma, q->to_sdma + q->to_sdma_count);
  request.cce_op.assign(q->cce_op, q->cce_op + q->cce_op_count);
  request.size.assign(q->size, q->size + q->size_count);
  const auto reply = harness::oracle_subject().dtype(request);
  const auto put = [](const std::vector<std::optional<std::int64_t>>& codes, assay_code* to) {
    for (const auto& c : codes) *to++ = {c.value_or(0), c ? 0U : 1U, 0};
  };
  put(reply.value.match, a->match);
  put(reply.value.to_sdma, a->to_sdma);
  put(reply.value.cce_op, a->cce_op);
  put(reply.value.size, a->size);
}

void assay_impl_lower(const assay_lower_request* q, assay_lower_answer* a) {
  answer_with(a, [&](Held& held) {
    Members members;
    for (uint64_t i = 0; i < q->member_count; ++i)
      members.put(text_of(q->members[i].path), Buffer(view_of(q->members[i].data)));
    Options o;
    o.allow_legacy = q->allow_legacy != 0;
    const auto set = [q](std::uint32_t bit, auto value, auto& to) {
      if ((q->fp8_set & bit) != 0) to = value;
    };
    set(ASSAY_FP8_RANGE_EXTENSION, q->fp8_range_extension != 0, o.fp8.fp8_range_extension);
    set(ASSAY_FP8_EMAX_E4M3, q->emax_fp8_e4m3, o.fp8.emax_fp8_e4m3);
    set(ASSAY_FP8_EMAX_E5M2, q->emax_fp8_e5m2, o.fp8.emax_fp8_e5m2);
    set(ASSAY_FP8_OCP_SAT, q->ocp_sat != 0, o.fp8.ocp_sat);
    set(ASSAY_FP8_SIS, q->fp8_sis != 0, o.fp8.fp8_sis);
    set(ASSAY_FP8_SNS, q->fp8_sns != 0, o.fp8.fp8_sns);
    auto tree =
        lower_definition(members, as_text(view_of(q->definition)), static_cast<ArchType>(q->target), q->subgraph, o);
    if (!tree) return refuse_with(tree.error(), held, a->end);
    held.trees.push_back(std::move(*tree));
    for (const Allocation& each : held.trees[0].allocations()) held.allocations.push_back({each.address, each.bytes});
    a->root = &held.trees[0].root();
    a->allocations = held.allocations.data();
    a->allocation_count = held.allocations.size();
  });
}
void assay_impl_lower_release(assay_lower_answer* a) { release(a); }

void assay_impl_lower_neff(const assay_lower_neff_request* q, assay_lower_neff_answer* a) {
  answer_with(a, [&](Held& held) {
    Options o;
    if (q->has_arch != 0) o.arch = static_cast<ArchType>(q->arch);
    o.allow_legacy = q->allow_legacy != 0;
    o.verify_digest = q->verify_digest != 0;
    auto lowered = lower_neff(view_of(q->neff), o);
    if (!lowered) return refuse_with(lowered.error(), held, a->end);
    held.io = std::move(lowered->io);
    held.inputs = report(held.io.inputs);
    held.outputs = report(held.io.outputs);
    for (const LoweredGraph& g : lowered->graphs) {
      auto image = encode(g.tree);
      if (!image) return refuse_with(image.error(), held, a->end);
      held.images.push_back(std::move(*image));
      held.graphs.push_back({{held.images.back().data(), held.images.back().size()}, nullptr, nullptr, 0});
    }
    a->graphs = held.graphs.data(), a->graph_count = held.graphs.size();
    a->inputs = held.inputs.data(), a->input_count = held.inputs.size();
    a->outputs = held.outputs.data(), a->output_count = held.outputs.size();
  });
}
void assay_impl_lower_neff_release(assay_lower_neff_answer* a) { release(a); }

void assay_impl_decode(const assay_decode_request* q, assay_decode_answer* a) {
  answer_with(a, [&](Held& held) {
    auto reply = harness::oracle_subject().decode(view_of(q->image));
    if (!reply.ok()) return refuse_with(*reply.refusal, held, a->end);
    held.fields = std::move(reply.value);
    a->fields = {as_bytes(held.fields).data(), held.fields.size()};
  });
}
void assay_impl_decode_release(assay_decode_answer* a) { release(a); }

}  // extern "C"
