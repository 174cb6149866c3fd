// SPDX-License-Identifier: Apache-2.0
#include "conformance/protocol/library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>
#include <vector>

#include "conformance/protocol/assay_impl.h"
#include "conformance/protocol/native_tree.h"
#include "conformance/protocol/serve.h"

namespace assay::conformance {

using harness::Reply;
using harness::ReplyStatus;

struct Library::Functions {
  Identity identity;
  std::uint32_t ops = 0;
  decltype(&::assay_impl_dtype) dtype = nullptr;
  decltype(&::assay_impl_lower) lower = nullptr;
  decltype(&::assay_impl_lower_release) lower_release = nullptr;
  decltype(&::assay_impl_lower_neff) lower_neff = nullptr;
  decltype(&::assay_impl_lower_neff_release) lower_neff_release = nullptr;
  decltype(&::assay_impl_decode) decode = nullptr;
  decltype(&::assay_impl_decode_release) decode_release = nullptr;
};

namespace {

constexpr std::uint32_t kKnownOps = ASSAY_OP_DTYPE | ASSAY_OP_LOWER | ASSAY_OP_LOWER_NEFF | ASSAY_OP_DECODE;
constexpr std::uint64_t kMaxText = 4096, kMaxCount = 1 << 24;

assay_bytes lend(ByteView b) { return {b.data(), b.size()}; }
assay_bytes lend(std::string_view s) { return lend(as_bytes(s)); }

std::string text_of(const char* s) { return s == nullptr ? std::string() : std::string(s, ::strnlen(s, kMaxText)); }

template <class T>
Reply<T> problem(std::string what) {
  Reply<T> r;
  r.status = ReplyStatus::error;
  r.reason = std::move(what);
  return r;
}

// How a call ended, where it gave no value. ok: go on.
template <class T>
Reply<T> ended(const assay_end& end) {
  constexpr ReplyStatus kStatuses[] = {ReplyStatus::ok, ReplyStatus::refused, ReplyStatus::trapped,
                                       ReplyStatus::unsupported};
  if (end.status >= std::size(kStatuses)) return problem<T>(fmt::format("the status {}", end.status));
  Reply<T> r;
  r.status = kStatuses[end.status];
  if (r.ok()) return r;
  r.reason = text_of(end.reason);
  r.at = text_of(end.at);
  if (end.has_code != 0) r.code = end.code;
  return r;
}

template <class T>
Reply<T> not_an_op() {
  Reply<T> r;
  r.status = ReplyStatus::unsupported;
  return r;
}

Read<Buffer> image_from(const assay_bytes& image, const void* root, const assay_allocation* allocations,
                        std::uint64_t count, std::uint32_t subgraph) {
  if (root == nullptr) {
    if (image.data == nullptr) return tl::unexpected<std::string>("ok with neither an image nor a tree");
    if (image.size > kMaxNativeBytes)
      return tl::unexpected<std::string>(fmt::format("an image of {} bytes", image.size));
    return Buffer(ByteView(image.data, image.size));
  }
  if (image.data != nullptr) return tl::unexpected<std::string>("an image beside a tree");
  if (count > kMaxCount || (allocations == nullptr && count != 0))
    return tl::unexpected<std::string>(fmt::format("{} allocations reported", count));
  return image_of_native(root, {allocations, count}, subgraph);
}

Read<std::vector<Tensor>> tensors_from(const assay_tensor* tensors, std::uint64_t count, const char* what) {
  std::vector<Tensor> out;
  if (count > kMaxCount || (tensors == nullptr && count != 0))
    return tl::unexpected(fmt::format("{} {}", count, what));
  for (std::uint64_t i = 0; i < count; ++i) {
    const assay_tensor& t = tensors[i];
    if (t.name.size > kMaxCount || (t.name.data == nullptr && t.name.size != 0) || t.shape_count > kMaxCount ||
        (t.shape == nullptr && t.shape_count != 0))
      return tl::unexpected(fmt::format("{}[{}]: a name or shape of nothing", what, i));
    Tensor& to = out.emplace_back();
    to.name.assign(reinterpret_cast<const char*>(t.name.data), t.name.size);
    to.dtype = static_cast<NrtDtype>(t.dtype);
    to.shape.assign(t.shape, t.shape + t.shape_count);
    to.size = t.size;
  }
  return out;
}

struct Symbols {
  void* handle;
  std::string missing;
  template <class F>
  void find(const char* name, F& to) {
    void* const at = ::dlsym(handle, name);
    if (at == nullptr && missing.empty()) missing = name;
    to = reinterpret_cast<F>(at);
  }
};

}  // namespace

Library::Library(std::unique_ptr<Functions> functions) : functions_(std::move(functions)) {}
Library::~Library() = default;

Read<std::unique_ptr<Library>> Library::load(const std::string& path) {
  // A name without a slash would be looked for in the system's directories.
  const std::string at = path.find('/') == std::string::npos ? "./" + path : path;
  Symbols s{::dlopen(at.c_str(), RTLD_NOW | RTLD_LOCAL), {}};
  if (s.handle == nullptr) return tl::unexpected<std::string>(text_of(::dlerror()));
  decltype(&::assay_impl_abi) abi = nullptr, ops = nullptr;
  decltype(&::assay_impl_name) name = nullptr, version = nullptr;
  s.find("assay_impl_abi", abi);
  s.find("assay_impl_ops", ops);
  s.find("assay_impl_name", name);
  s.find("assay_impl_version", version);
  if (!s.missing.empty()) return tl::unexpected(fmt::format("{} does not export {}", path, s.missing));
  if (const std::uint32_t v = abi(); v != ASSAY_IMPL_ABI)
    return tl::unexpected(fmt::format("{} has version {} of assay_impl.h, not {}", path, v, ASSAY_IMPL_ABI));

  auto f = std::make_unique<Functions>();
  f->ops = ops();
  if ((f->ops & ~kKnownOps) != 0)
    return tl::unexpected(fmt::format("{} lists ops that there are not: {:#x}", path, f->ops));
  f->identity.name = text_of(name());
  f->identity.version = text_of(version());
  const auto lists = [&](std::uint32_t bit, Op op) {
    if ((f->ops & bit) != 0) f->identity.ops.push_back(op);
    return (f->ops & bit) != 0;
  };
  if (lists(ASSAY_OP_DTYPE, Op::dtype)) s.find("assay_impl_dtype", f->dtype);
  if (lists(ASSAY_OP_LOWER, Op::lower)) {
    s.find("assay_impl_lower", f->lower);
    s.find("assay_impl_lower_release", f->lower_release);
  }
  if (lists(ASSAY_OP_LOWER_NEFF, Op::lower_neff)) {
    s.find("assay_impl_lower_neff", f->lower_neff);
    s.find("assay_impl_lower_neff_release", f->lower_neff_release);
  }
  if (lists(ASSAY_OP_DECODE, Op::decode)) {
    s.find("assay_impl_decode", f->decode);
    s.find("assay_impl_decode_release", f->decode_release);
  }
  if (!s.missing.empty())
    return tl::unexpected(fmt::format("{} lists an op without its function {}", path, s.missing));
  return std::unique_ptr<Library>(new Library(std::move(f)));
}

const Identity& Library::identity() const { return functions_->identity; }
std::string Library::name() const { return functions_->identity.name; }

Reply<harness::DtypeAnswer> Library::dtype(const harness::DtypeRequest& q) const {
  using Value = harness::DtypeAnswer;
  if (functions_->dtype == nullptr) return not_an_op<Value>();
  std::vector<assay_dtype_match> match;
  for (const auto& m : q.match)
    match.push_back({lend(m.text), m.neff_io ? ASSAY_TABLE_NEFF_IO : ASSAY_TABLE_DEFJSON, 0U});
  const assay_dtype_request request = {match.data(),    match.size(),    q.to_sdma.data(), q.to_sdma.size(),
                                       q.cce_op.data(), q.cce_op.size(), q.size.data(),    q.size.size()};
  // One more of each, that a writer past the end is seen.
  constexpr assay_code kGuard = {0x5a5a5a5a5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a};
  const std::size_t counts[] = {match.size(), q.to_sdma.size(), q.cce_op.size(), q.size.size()};
  std::vector<assay_code> codes[4];
  for (std::size_t i = 0; i < 4; ++i) codes[i].resize(counts[i]), codes[i].push_back(kGuard);
  assay_dtype_answer answer = {{}, codes[0].data(), codes[1].data(), codes[2].data(), codes[3].data()};
  functions_->dtype(&request, &answer);
  auto reply = ended<Value>(answer.end);
  if (!reply.ok()) return reply;
  std::vector<std::optional<std::int64_t>>* const to[] = {&reply.value.match, &reply.value.to_sdma,
                                                          &reply.value.cce_op, &reply.value.size};
  for (std::size_t i = 0; i < 4; ++i) {
    if (codes[i].back().code != kGuard.code || codes[i].back().refused != kGuard.refused)
      return problem<Value>("it wrote past the end of a dtype array");
    codes[i].pop_back();
    for (const assay_code& c : codes[i]) {
      if (c.refused > 1) return problem<Value>(fmt::format("\"refused\" is {}", c.refused));
      to[i]->push_back(c.refused == 1 ? std::nullopt : std::optional(c.code));
    }
  }
  return reply;
}

Reply<Buffer> Library::lower(const harness::LowerRequest& q) const {
  if (functions_->lower == nullptr) return not_an_op<Buffer>();
  std::vector<assay_member> members;
  for (const auto& [path, bytes] : *q.members) members.push_back({lend(path), lend(bytes.view())});
  assay_lower_request request{};
  request.members = members.data();
  request.member_count = members.size();
  request.definition = lend(q.definition);
  request.target = q.target;
  request.subgraph = q.subgraph;
  request.allow_legacy = q.allow_legacy;
  const auto set = [&request](const auto& from, std::uint32_t bit, auto& to) {
    if (!from) return;
    request.fp8_set |= bit;
    to = static_cast<std::decay_t<decltype(to)>>(*from);
  };
  set(q.fp8.fp8_range_extension, ASSAY_FP8_RANGE_EXTENSION, request.fp8_range_extension);
  set(q.fp8.emax_fp8_e4m3, ASSAY_FP8_EMAX_E4M3, request.emax_fp8_e4m3);
  set(q.fp8.emax_fp8_e5m2, ASSAY_FP8_EMAX_E5M2, request.emax_fp8_e5m2);
  set(q.fp8.ocp_sat, ASSAY_FP8_OCP_SAT, request.ocp_sat);
  set(q.fp8.fp8_sis, ASSAY_FP8_SIS, request.fp8_sis);
  set(q.fp8.fp8_sns, ASSAY_FP8_SNS, request.fp8_sns);

  assay_lower_answer answer{};
  functions_->lower(&request, &answer);
  auto reply = ended<Buffer>(answer.end);
  if (reply.ok()) {
    auto image = image_from(answer.image, answer.root, answer.allocations, answer.allocation_count, q.subgraph);
    if (image) reply.value = std::move(*image);
    else reply = problem<Buffer>(image.error());
  }
  functions_->lower_release(&answer);
  return reply;
}

Reply<harness::LowerNeffAnswer> Library::lower_neff(const harness::LowerNeffRequest& q) const {
  using Value = harness::LowerNeffAnswer;
  if (functions_->lower_neff == nullptr) return not_an_op<Value>();
  const assay_lower_neff_request request = {lend(q.neff), q.arch.has_value(), q.arch.value_or(0), q.allow_legacy,
                                            q.verify_digest};
  assay_lower_neff_answer answer{};
  functions_->lower_neff(&request, &answer);
  auto reply = ended<Value>(answer.end);
  if (reply.ok()) {
    std::string wrong;
    if (answer.graph_count > kMaxCount || (answer.graphs == nullptr && answer.graph_count != 0)) wrong = "no graphs";
    for (std::uint64_t i = 0; i < answer.graph_count && wrong.empty(); ++i) {
      const assay_graph& g = answer.graphs[i];
      auto image = image_from(g.image, g.root, g.allocations, g.allocation_count, static_cast<std::uint32_t>(i));
      if (image) reply.value.images.push_back(std::move(*image));
      else wrong = fmt::format("graph {}: {}", i, image.error());
    }
    auto inputs = tensors_from(answer.inputs, answer.input_count, "inputs");
    auto outputs = tensors_from(answer.outputs, answer.output_count, "outputs");
    if (wrong.empty() && !inputs) wrong = inputs.error();
    if (wrong.empty() && !outputs) wrong = outputs.error();
    if (wrong.empty()) reply.value.io = {std::move(*inputs), std::move(*outputs)};
    else reply = problem<Value>(wrong);
  }
  functions_->lower_neff_release(&answer);
  return reply;
}

Reply<std::string> Library::decode(ByteView image) const {
  if (functions_->decode == nullptr) return not_an_op<std::string>();
  const assay_decode_request request = {lend(image)};
  assay_decode_answer answer{};
  functions_->decode(&request, &answer);
  auto reply = ended<std::string>(answer.end);
  if (reply.ok()) {
    if (answer.fields.data == nullptr || answer.fields.size > kMaxLine) reply = problem<std::string>("no fields");
    else reply.value.assign(reinterpret_cast<const char*>(answer.fields.data), answer.fields.size);
  }
  functions_->decode_release(&answer);
  return reply;
}

int serve_library(const std::string& path, int in, int out) {
  const int answers = ::dup(out);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  const auto library = Library::load(path);
  if (!library || answers < 0) {
    std::fprintf(stderr, "%s\n", library ? "no file descriptor" : library.error().c_str());
    return 2;
  }
  serve(**library, (*library)->identity(), in, answers);
  return 0;
}

}  // namespace assay::conformance
