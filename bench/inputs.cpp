// SPDX-License-Identifier: Apache-2.0
#include "bench/inputs.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

namespace assay::bench {
namespace {

constexpr char kHead[] = R"({"runtime_statebuffer_reservation":[],"var":{)"
                         R"("out":{"type":"output","var_id":0,"size":4})";

// Writes into memory of exactly the final size, or counts: so that the making of a text costs no
// memory beside the text, where peaks are measured.
class Text {
 public:
  explicit Text(std::uint8_t* to) : to_(to) {}
  std::uint64_t size() const { return size_; }
  void add(std::string_view s) {
    if (to_ != nullptr) std::memcpy(to_ + size_, s.data(), s.size());
    size_ += s.size();
  }

 private:
  std::uint8_t* to_;
  std::uint64_t size_ = 0;
};

template <class Write>
Buffer exactly(Write write) {
  Text count(nullptr);
  write(count);
  Buffer out(count.size());
  Text text(out.data());
  write(text);
  return out;
}

void add_variable(Text& text, std::uint64_t id, Spelling spelling) {
  fmt::memory_buffer line;
  const std::uint64_t offset = id * 64 % (1 << 24);
  if (spelling == Spelling::shortest) {
    fmt::format_to(std::back_inserter(line),
                   R"(,"v{0}":{{"type":"virtual","var_id":{0},"size":64,"backing_variable_off":{1}}})", id,
                   offset);
  } else {
    fmt::format_to(std::back_inserter(line), R"(,
  "intermediate_{0}_sg0000": {{
    "type": "virtual",
    "var_id": {0},
    "size": 65536,
    "backing_variable_off": {1},
    "backing_buf": "main",
    "alignment": 64,
    "#tensor": "transpose_{0}",
    "ops": ["matmult.{0}"]
  }})", id, offset);
  }
  text.add({line.data(), line.size()});
}

// bf16 numbers with a normal distribution: they compress by about a quarter, as weights do.
Buffer weights(std::uint64_t bytes, unsigned seed) {
  Buffer out(bytes);
  std::minstd_rand random(seed);
  std::vector<std::uint16_t> table(1 << 15);
  std::normal_distribution<float> normal(0.0F, 0.02F);
  for (std::uint16_t& t : table) {
    const float f = normal(random);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &f, sizeof bits);
    t = static_cast<std::uint16_t>(bits >> 16);
  }
  for (std::uint64_t at = 0; at + 2 <= bytes; at += 2)
    store(out.data() + at, table[random() % table.size()]);
  if (bytes % 2 != 0) out.data()[bytes - 1] = 0;
  return out;
}

}  // namespace

Buffer definition_of_bytes(std::uint64_t bytes, Spelling spelling) {
  return exactly([=](Text& text) {
    text.add(kHead);
    for (std::uint64_t id = 1; text.size() < bytes; ++id) add_variable(text, id, spelling);
    text.add("}}");
  });
}

Buffer definition_of_variables(std::uint64_t n) {
  return exactly([=](Text& text) {
    text.add(kHead);
    for (std::uint64_t id = 1; id < n; ++id) add_variable(text, id, Spelling::usual);
    text.add("}}");
  });
}

Buffer definition_of_descriptors(std::uint64_t n) {
  return exactly([=](Text& text) {
    text.add(kHead);
    text.add(R"(},"dma_queue":{"q":{"type":"data","owner":"pe"}},)"
             R"("dma":[{"id":0,"queue":"q","desc":[)");
    for (std::uint64_t i = 0; i < n; ++i)
      text.add(fmt::format(R"({}{{"from":"out","from_off":{},"to":"out","to_off":0,)"
                           R"("from_sizes":[64,2],"from_steps":[1,64],)"
                           R"("to_sizes":[128],"to_steps":[1]}})",
                           i == 0 ? "" : ",\n", 64 * i));
    text.add("]}]}");
  });
}

Members model_of_blobs(std::uint64_t bytes) {
  constexpr unsigned kBlobs = 16;
  Members m;
  std::string def = kHead;
  for (unsigned i = 1; i <= kBlobs; ++i) {
    def += fmt::format(R"(,"w{0}":{{"type":"file","var_id":{0},"file_name":"w{0}.bin"}})", i);
    m.put(fmt::format("sg00/w{}.bin", i), weights(bytes / kBlobs, i));
  }
  def += "}}";
  m.put("sg00/def.json", Buffer(def));
  m.put("kelf-a.json", Buffer(std::string_view(
      R"({"version":"0.5","target":"cayman","graphs":[{"name":"sg00","definition":"sg00/def.json"}]})")));
  m.put("neff.json", Buffer(std::string_view(
      R"({"nodes":[{"op":"tvm_op","name":"n","attrs":{"func_name":"__kelf","kelf":"kelf-a.json"},)"
      R"("inputs":[],"output_names":["out"]}],"arg_nodes":[],"heads":[[0,0,0]],"node_row_ptr":[0,1],)"
      R"("attrs":{"shape":["list_shape",[[4]]],"dltype":["list_str",["int8"]]}})")));
  return m;
}

Buffer read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  return Buffer(bytes);
}

}  // namespace assay::bench
