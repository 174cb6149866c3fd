// SPDX-License-Identifier: Apache-2.0
// Compiled twice: see answers.h. ASSAY_BUGS_SIDE is `truth` or `patched`.
#include "fuzzers/bugs/answers.h"

#include <cstring>
#include <type_traits>

#include "oracle/container/container.h"
#include "oracle/dtype/dtype.h"
#include "oracle/image/image.h"
#include "oracle/lower/lower.h"
#include "oracle/manifest/json.h"

namespace bugs::ASSAY_BUGS_SIDE {
namespace {

using namespace assay;

static_assert(std::is_trivially_copyable_v<Options>);

// A refusal is what any implementation can say of it: the status.
bool refused(const Refusal& r, std::string& answer) {
  answer = name_of(r.row().outcome);
  answer += name_of(r.row().status);
  return false;
}

template <class T>
void add(std::string& answer, T number) {
  answer.append(reinterpret_cast<const char*>(&number), sizeof number);
}
void add(std::string& answer, std::string_view text) {
  add(answer, text.size());
  answer += text;
}

void add_tensors(std::string& answer, const std::vector<Tensor>& tensors) {
  for (const Tensor& t : tensors) {
    add(answer, std::string_view(t.name));
    add(answer, code(t.dtype));
    add(answer, t.size);
    for (const std::uint64_t n : t.shape) add(answer, n);
  }
}

void add_lowered(std::string& answer, const Lowered& lowered) {
  answer += "lowered: ";
  add_tensors(answer, lowered.io.inputs);
  add_tensors(answer, lowered.io.outputs);
  add(answer, code(lowered.target));
  for (const LoweredGraph& graph : lowered.graphs) {
    add(answer, std::string_view(graph.name));
    const auto image = encode(graph.tree);
    add(answer, image ? image->text() : std::string_view("no image"));
  }
}

void add_values(std::string& answer, const Node& node) {
  const JsonType type = node.type();
  add(answer, type);
  if (type == JsonType::boolean) add(answer, *node.boolean());
  if (type == JsonType::number) add(answer, *node.number());
  if (type == JsonType::string) {
    const auto text = node.string();
    add(answer, text ? *text : std::string_view("with a NUL"));
  }
  if (type == JsonType::integer) {
    if (const auto n = node.integer<std::uint64_t>()) add(answer, *n);
    else if (const auto i = node.integer<std::int64_t>()) add(answer, *i);
  }
  JsonValue value;
  if (type == JsonType::array)
    for (ArrayCursor cursor(node.value()); cursor.next(value);) add_values(answer, Node(node, 0, value));
  std::string_view key;
  if (type == JsonType::object)
    for (ObjectCursor cursor(node.value()); cursor.next(key, value);) {
      add(answer, key);
      add_values(answer, Node(node, key, value));
    }
  answer += '.';
}

}  // namespace

bool of_model(const Model& model, std::string& answer) {
  Members members;
  for (const Member& m : model.members) members.put(std::string(m.path), Buffer(m.bytes));
  Options options;
  std::memcpy(static_cast<void*>(&options), model.options.data(), sizeof options);
  const auto lowered = lower_members(members, options);
  if (!lowered) return refused(lowered.error(), answer);
  answer.clear();
  add_lowered(answer, *lowered);
  return true;
}

bool of_neff(std::string_view file, std::string& answer) {
  Options options;
  options.limits.expanded_bytes = std::uint64_t{16} << 20;
  options.limits.members = 4096;
  options.limits.image_bytes = std::uint64_t{4} << 20;
  const auto members = read_neff(as_bytes(file), options);
  if (!members) return refused(members.error(), answer);
  answer = "members: ";
  for (const auto& [path, bytes] : *members) {
    add(answer, std::string_view(path));
    add(answer, bytes.text());
  }
  options.arch = ArchType::CAYMAN;
  options.allow_legacy = true;
  const auto lowered = lower_members(*members, options);
  if (lowered) add_lowered(answer, *lowered);
  else answer += name_of(lowered.error().row().status);
  return lowered.has_value();
}

bool of_image(std::string_view image, std::string& answer) {
  const auto view = decode(as_bytes(image));
  if (!view) return refused(view.error(), answer);
  answer = "image: ";
  walk(*view, [&](const FieldVisit& v) {
    add(answer, std::string_view(v.path));
    add(answer, as_text(v.raw));
  });
  const auto tree = to_tree(*view);
  const auto again = tree ? encode(*tree) : refuse(tree.error().reason);
  add(answer, again ? again->text() : std::string_view("no image"));
  return true;
}

bool of_json(std::string_view text, std::string& answer) {
  const auto document = Document::parse("def.json", Buffer(text));
  if (!document) return refused(document.error(), answer);
  answer = "values: ";
  add_values(answer, document->root());
  return true;
}

bool of_dtypes(const Dtypes& dtypes, std::string& answer) {
  answer = "codes: ";
  for (const std::string& text : dtypes.texts) {
    const auto io = match_NeffIoDtype(text);
    add(answer, io ? code(*io) : -1);
    const auto d = match_DefJsonDtype(text);
    add(answer, d ? code(*d) : -1);
  }
  for (const std::int64_t d : dtypes.codes) {
    add(answer, kbin_dtype_to_sdma_dtype(d).value_or(-1));
    add(answer, kbin_cce_op_to_sdma_cce_op(d).value_or(-1));
    add(answer, kbin_get_dtype_size(d));
    add(answer, nrt_dtype_size(d).value_or(99));
  }
  return true;
}

}  // namespace bugs::ASSAY_BUGS_SIDE
