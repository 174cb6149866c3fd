// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "oracle/dtype/dtype.h"
#include "oracle/manifest/json.h"
#include "oracle/manifest/kelf.h"
#include "oracle/manifest/keys.h"

namespace assay {
namespace {

constexpr std::size_t kMaxRank = 32;

// Arrays of a document by index: simdjson's own at() walks from the start each time.
struct Elements {
  Node node;
  std::vector<JsonValue> values;

  static Elements of(const Node& array) {
    Elements e{array, {}};
    ArrayCursor cursor(array.value());
    for (JsonValue v; cursor.next(v);) e.values.push_back(v);
    return e;
  }
  std::size_t size() const { return values.size(); }
  Node at(std::size_t i) const { return Node(node, i, values[i]); }
};

// A value of these arrays that is used has the type it is used as (IO-005).
Result<std::uint64_t> index_at(const Node& node) {
  const auto n = node.integer<std::uint64_t>();
  if (!n) return node.refuse(Reason::io_value, n.error().detail);
  return *n;
}
Result<> expect(const Node& node, JsonType type, const char* what) {
  if (node.type() != type) return node.refuse(Reason::io_value, what);
  return {};
}

// The part `[1]` of attrs.dltype and attrs.shape.
Result<> second_of(const Node& pair, JsonValue& out) {
  if (pair.type() == JsonType::array) {
    ArrayCursor cursor(pair.value());
    if (cursor.next(out) && cursor.next(out) && type_of(out) == JsonType::array) return {};
  }
  return pair.refuse(Reason::io_key_missing, "no array at [1]");
}

class Reader {
 public:
  Reader(Elements nodes, Elements rows, Elements dtypes, Elements shapes, const Limits& limits)
      : nodes_(std::move(nodes)),
        rows_(std::move(rows)),
        dtypes_(std::move(dtypes)),
        shapes_(std::move(shapes)),
        limits_(limits) {}

  Result<Tensor> input(const Node& arg) {
    ASSAY_TRY_LET(n, index_at(arg));
    if (n >= nodes_.size()) return arg.refuse(Reason::io_value, fmt::format("no node {}", n));
    ASSAY_TRY_LET(entry, first_entry(arg, n));
    Tensor t;
    ASSAY_TRY_LET(name, node_name(n));
    t.name = name;
    ASSAY_TRY(fill(arg, entry, t));
    return t;
  }

  Result<Tensor> output(const Node& head) {
    ASSAY_TRY(expect(head, JsonType::array, "no array"));
    const Elements parts = Elements::of(head);
    if (parts.size() < 2) return head.refuse(Reason::io_value, "fewer than two numbers");
    const Node node = parts.at(0);
    ASSAY_TRY_LET(n, index_at(node));
    ASSAY_TRY_LET(index, index_at(parts.at(1)));
    if (n >= nodes_.size()) return node.refuse(Reason::io_head_node, fmt::format("no node {}", n));
    ASSAY_TRY_LET(first, first_entry(node, n));
    std::uint64_t entry = 0;
    if (!checked_add(first, index, entry)) return head.refuse(Reason::io_entry_id, "over 64 bits");
    Tensor t;
    ASSAY_TRY_LET(name, output_name(n, index));
    t.name = name;
    ASSAY_TRY(fill(head, entry, t));
    return t;
  }

 private:
  Result<std::uint64_t> first_entry(const Node& at, std::uint64_t n) const {
    if (n >= rows_.size()) return at.refuse(Reason::io_value, fmt::format("no node_row_ptr[{}]", n));
    return index_at(rows_.at(n));
  }

  // What a node says about names, looked up once: heads may name one node a million times.
  struct Names {
    bool known = false;
    JsonValue name, attrs;  // null documents where the node has none
    std::vector<JsonValue> own, inner;  // output_names, of the node and of its attrs
  };

  // An output_names that is no array counts as absent (IO-006).
  static void list_names(JsonValue names, std::vector<JsonValue>& out) {
    if (names.document == nullptr || type_of(names) != JsonType::array) return;
    ArrayCursor cursor(names);
    for (JsonValue v; cursor.next(v);) out.push_back(v);
  }

  Result<const Names*> names_of(std::uint64_t n) {
    Names& names = names_[n];
    if (names.known) return &names;
    const Node node = nodes_.at(n);
    ASSAY_TRY(expect(node, JsonType::object, "no object"));
    const Keys<NeffNodeKey> k(node);
    names.name = k[NeffNodeKey::name_].value();
    names.attrs = k[NeffNodeKey::attrs_].value();
    list_names(k[NeffNodeKey::output_names_].value(), names.own);
    if (names.attrs.document != nullptr && type_of(names.attrs) == JsonType::object) {
      const Node attrs(node, "attrs", names.attrs);
      list_names(Keys<NeffNodeAttrsKey>(attrs)[NeffNodeAttrsKey::output_names_].value(), names.inner);
    }
    names.known = true;
    return &names;
  }

  // A name that is used: a string, and charged, because any number of tensors may share it.
  Result<std::string> take(const Node& name) {
    ASSAY_TRY(expect(name, JsonType::string, "no string"));
    ASSAY_TRY_LET(text, name.string());
    charged_ += text.size();
    if (charged_ > limits_.expanded_bytes)
      return name.refuse(Reason::limit_expanded_bytes, "names of graph inputs and outputs");
    return std::string(text);
  }

  Result<std::string> node_name(std::uint64_t n) {
    ASSAY_TRY_LET(names, names_of(n));
    const Node node = nodes_.at(n);
    if (names->name.document == nullptr) return node.refuse(Reason::io_value, "no name");
    return take(Node(node, "name", names->name));
  }

  Result<std::string> output_name(std::uint64_t n, std::uint64_t index) {
    ASSAY_TRY_LET(names, names_of(n));
    const Node node = nodes_.at(n);
    if (index < names->own.size()) {
      const Node list(node, "output_names", {});
      return take(Node(list, index, names->own[index]));
    }
    if (names->attrs.document != nullptr) {
      const Node attrs(node, "attrs", names->attrs);
      ASSAY_TRY(expect(attrs, JsonType::object, "no object"));
      const Node list(attrs, "output_names", {});
      if (index < names->inner.size()) return take(Node(list, index, names->inner[index]));
    }
    return node_name(n);
  }

  Result<> fill(const Node& at, std::uint64_t entry, Tensor& t) const {
    if (entry >= dtypes_.size() || entry >= shapes_.size())
      return at.refuse(Reason::io_entry_id,
                       fmt::format("entry {}, dltype has {}, shape has {}", entry, dtypes_.size(), shapes_.size()));
    const Node dtype = dtypes_.at(entry);
    ASSAY_TRY(expect(dtype, JsonType::string, "no string"));
    // A string with a NUL is one more unknown string (DT-003 is a must, JSN-019 is not).
    const auto text = dtype.string();
    if (text) t.dtype = match_NeffIoDtype(*text).value_or(NrtDtype::UNKNOWN);

    const Node shape = shapes_.at(entry);
    ASSAY_TRY(expect(shape, JsonType::array, "no array"));
    const std::size_t rank = count_of(shape.value());
    if (rank > kMaxRank) return shape.refuse(Reason::io_rank, fmt::format("{} dimensions", rank));
    bool overflow = false, empty = false;
    t.size = nrt_dtype_size(code(t.dtype)).value_or(1);
    ASSAY_TRY(for_each_element(shape, [&](const Node& dim) -> Result<> {
      ASSAY_TRY_LET(n, index_at(dim));
      t.shape.push_back(n);
      empty |= n == 0;
      overflow |= !checked_mul(t.size, n, t.size);
      return {};
    }));
    if (empty) t.size = 0;  // whatever the other dimensions are (DT-005)
    else if (overflow) return shape.refuse(Reason::io_size_overflow);
    return {};
  }

  Elements nodes_, rows_, dtypes_, shapes_;
  const Limits& limits_;
  std::map<std::uint64_t, Names> names_;  // by node
  std::uint64_t charged_ = 0;             // bytes of the names taken so far
};

}  // namespace

Result<GraphIo> read_graph_io(const Members& members, const Limits& limits) {
  ASSAY_TRY_LET(doc, Document::parse(kNeffJson, *members.find(kNeffJson)));
  const Node root = doc.root();
  ASSAY_TRY(root.expect(JsonType::object));
  const Keys<NeffKey> k(root);
  for (const NeffKey key : {NeffKey::nodes_, NeffKey::arg_nodes_, NeffKey::heads_, NeffKey::node_row_ptr_})
    if (!k.has(key) || k[key].type() != JsonType::array)
      return root.refuse(Reason::io_key_missing,
                         fmt::format("no array \"{}\"", kNeffKeys[static_cast<std::size_t>(key)]));
  if (!k.has(NeffKey::attrs_) || k[NeffKey::attrs_].type() != JsonType::object)
    return root.refuse(Reason::io_key_missing, "no object \"attrs\"");
  const Node attrs_node = k[NeffKey::attrs_];
  const Keys<NeffAttrsKey> attrs(attrs_node);
  for (const NeffAttrsKey key : {NeffAttrsKey::dltype_, NeffAttrsKey::shape_})
    if (!attrs.has(key))
      return attrs_node.refuse(Reason::io_key_missing,
                               fmt::format("no \"{}\"", kNeffAttrsKeys[static_cast<std::size_t>(key)]));
  const Node dltype = attrs[NeffAttrsKey::dltype_], shape = attrs[NeffAttrsKey::shape_];
  JsonValue dtypes, shapes;
  ASSAY_TRY(second_of(dltype, dtypes));
  ASSAY_TRY(second_of(shape, shapes));

  const Node nodes = k[NeffKey::nodes_], rows = k[NeffKey::node_row_ptr_];
  Reader reader(Elements::of(nodes), Elements::of(rows), Elements::of(Node(dltype, 1, dtypes)),
                Elements::of(Node(shape, 1, shapes)), limits);
  GraphIo io;
  const Node args = k[NeffKey::arg_nodes_], heads = k[NeffKey::heads_];
  ASSAY_TRY(for_each_element(args, [&](const Node& item) -> Result<> {
    ASSAY_TRY_LET(t, reader.input(item));
    io.inputs.push_back(std::move(t));
    return {};
  }));
  ASSAY_TRY(for_each_element(heads, [&](const Node& item) -> Result<> {
    ASSAY_TRY_LET(t, reader.output(item));
    io.outputs.push_back(std::move(t));
    return {};
  }));
  return io;
}

}  // namespace assay
