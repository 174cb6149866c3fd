// SPDX-License-Identifier: Apache-2.0
// Drafts of whole files: archives that no packer of ours writes, and the real models.
#include <fmt/format.h>

#include "conformance/vectors/draft.h"
#include "harness/cases/files.h"
#include "oracle/container/container.h"

namespace assay::conformance::vectors {
namespace {

constexpr std::size_t kBlock = 512;

// One ustar entry, padded. Times and owners are zero.
std::string entry(const std::string& name, std::string_view body, char type) {
  std::string h(kBlock, '\0');
  const auto put = [&](std::size_t at, std::string_view text) { h.replace(at, text.size(), text); };
  put(0, name);
  put(100, type == '5' ? "0000755" : "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, fmt::format("{:011o}", body.size()));
  put(136, "00000000000");
  put(148, "        ");
  h[156] = type;
  put(257, std::string_view("ustar\00000", 8));
  std::uint32_t sum = 0;
  for (const char ch : h) sum += static_cast<unsigned char>(ch);
  put(148, fmt::format("{:06o}", sum) + std::string(1, '\0') + " ");
  h += body;
  h.resize((h.size() + kBlock - 1) / kBlock * kBlock);
  return h;
}

Members smallest() {
  Members m;
  m.put(
      "neff.json",
      Buffer(std::string_view(
          R"({"arg_nodes":[0],"attrs":{"dltype":["",["int8"]],"shape":["",[[3]]]},"heads":[],)"
          R"("node_row_ptr":[0],"nodes":[{"name":"a"},)"
          R"({"name":"k","attrs":{"func_name":"__kelf","kelf":"k.json"}}]})")));
  m.put("k.json",
        Buffer(std::string_view(
            R"({"graphs":[{"definition":"sg00/def.json","name":"one"}],"target":"sunda","version":"1.0"})")));
  m.put("sg00/def.json", Buffer(std::string_view(R"({"var":{"out":{"size":4,"type":"output","var_id":0}}})")));
  return m;
}

// A version-1 file of an archive: the packer's header with another archive behind it.
std::string file_of(const Members& members, const std::string& archive) {
  PackOptions options;
  options.pkg_version = 1;
  const auto packed = pack(members, options);
  std::string file(packed ? packed->text().substr(0, kHeaderBytes) : std::string_view());
  for (std::size_t i = 0; i < 8; ++i) file[16 + i] = static_cast<char>(archive.size() >> (8 * i));
  const auto digest = digest_of(1, as_bytes(archive));
  for (std::size_t i = 0; i < digest.size(); ++i) file[172 + i] = static_cast<char>(digest[i]);
  return file + archive;
}

Draft draft(const std::string& id, const std::string& say, const std::string& file) {
  Draft d;
  d.id = id;
  d.rows = {id.substr(0, id.find('/'))};
  d.say = say;
  d.op = Op::lower_neff;
  d.request = neff_request(as_bytes(file), {});
  return d;
}

// A digest that is another version's, or of other bytes, beside the right one. CON-010.
void digest_drafts(const Members& members, std::vector<Draft>& out) {
  std::string file[3];
  for (const std::uint64_t version : {1, 2}) {
    PackOptions options;
    options.pkg_version = version;
    if (const auto packed = pack(members, options)) file[version] = packed->text();
  }
  const auto archive = [&](int version) { return as_bytes(file[version]).subspan(kHeaderBytes); };
  const auto add = [&](const std::string& id, const std::string& say, int version, int algorithm, ByteView of) {
    std::string wrong = file[version];
    const auto digest = digest_of(algorithm, of);
    for (std::size_t i = 0; i < digest.size(); ++i) wrong[172 + i] = static_cast<char>(digest[i]);
    Options checked;
    checked.verify_digest = true;
    Draft d = draft("CON-010/" + id, say, wrong);
    d.request = neff_request(as_bytes(wrong), checked);
    d.twin = neff_request(as_bytes(file[version]), checked);
    out.push_back(std::move(d));
  };
  add("sha-256-for-2", "pkg_version 2 has an MD5, not a SHA-256.", 2, 1, archive(2));
  add("md5-for-1", "pkg_version 1 has a SHA-256, not an MD5.", 1, 2, archive(1));
  add("of-the-tar", "The digest covers the archive as stored, compressed.", 2, 2, archive(1));
  add("of-the-file", "The digest covers the archive and not the header.", 1, 1, as_bytes(file[1]));
}

}  // namespace

std::vector<Draft> container_drafts() {
  const Members members = smallest();
  const std::string end(2 * kBlock, '\0');
  std::string plain, dotted, directories = entry("sg00/", "", '5') + entry("empty/", "", '5'), stray;
  for (const auto& [path, bytes] : members) {
    plain += entry(path, bytes.text(), '0');
    dotted += entry("./" + path, bytes.text(), '0');
    directories += entry(path, bytes.text(), '0');
  }
  stray = plain + entry("sg00/x-wavegraph-bin.json", "no JSON", '0');
  std::vector<Draft> out;
  out.push_back(draft("CON-012/directories", "Directory entries are skipped.", file_of(members, directories + end)));
  out.push_back(draft("CON-012/dot-slash", "A leading ./ is stripped.", file_of(members, dotted + end)));
  out.push_back(draft("CON-012/wavegraph",
                      "A member whose path ends in wavegraph-bin.json is dropped, whatever it holds.",
                      file_of(members, stray + end)));
  Draft twice = draft("CON-012/two-dot-slashes", "One leading ./ is stripped, and no second one.",
                      file_of(members, [&] {
                        std::string archive;
                        for (const auto& [path, bytes] : members)
                          archive += entry((path == "sg00/def.json" ? "././" : "./") + path, bytes.text(), '0');
                        return archive + end;
                      }()));
  twice.rows.push_back("CON-019");
  twice.twin = neff_request(as_bytes(file_of(members, dotted + end)), {});
  out.push_back(std::move(twice));
  digest_drafts(members, out);
  // The same archive twice, the second behind data_size bytes.
  out.push_back(draft("CON-008/archive-behind", "What stands behind data_size bytes is none of the archive.",
                      file_of(members, plain + end) + entry("sg00/def.json", "{}", '0') + end));
  return out;
}

tl::expected<std::vector<Draft>, std::string> real_model_drafts(const std::string& data) {
  std::vector<Draft> out;
  const auto matmul = harness::read_whole(data + "/matmul_small/matmul_small.neff");
  if (!matmul) return tl::unexpected(matmul.error());
  Draft d = draft("LOW-003/matmul-small", "A real compiler's file: two sub-graphs, ninstr 5, 2, 12, 7, 3.", *matmul);
  d.rows = {"LOW-003", "LOW-002", "IMG-001"};
  d.flags = {"real-model"};
  out.push_back(d);
  std::string io_error;
  const auto members = read_directory(data + "/allreduce32", {}, io_error);
  if (!members || !io_error.empty()) return tl::unexpected("allreduce32: " + io_error);
  for (const std::uint32_t target : {2, 3, 4}) {
    Draft a;
    a.id = fmt::format("LOW-003/allreduce32-{}", target == 2 ? "sunda" : target == 3 ? "cayman" : "mariana");
    a.rows = {"LOW-003", "LOW-002", "DMQ-001", "DMB-003", "IMG-001"};
    a.say = "The worked example of lowering.md: one all-reduce over 32 floats.";
    a.flags = {"real-model"};
    a.request = lower_request(*members, "sg00/def.json", target, false, {});
    out.push_back(a);
  }
  return out;
}

}  // namespace assay::conformance::vectors
