// SPDX-License-Identifier: Apache-2.0
// Forms of the archive that are read (CON-012 .. CON-015).
#include "harness/gen/neffs/package.h"

namespace assay::harness::neffs {
namespace {

using namespace std::string_literals;

constexpr std::nullopt_t kRead = std::nullopt;

void set_dialect(Choices& c, Package& p, Dialect d) { write_all(c, p, {d, PathForm::any, SizeForm::any}); }
void set_path(Choices& c, Package& p, PathForm f) { write_all(c, p, {Dialect::any, f, SizeForm::any}); }
void set_size(Choices& c, Package& p, SizeForm f) { write_all(c, p, {Dialect::any, PathForm::any, f}); }

// A header that is no regular file's, of any name.
Entry skipped(Choices& c, char type) {
  static constexpr const char* kNames[] = {"l", "sg00/l", "../l", "/l", "..", "def.json", "d/"};
  Entry e;
  e.header.name = c.pick(kNames);
  e.header.type = type;
  e.header.link = "target";
  e.header.magic = c.chance(50) ? kUstar : kGnu;
  return e;
}
Entry with_data(Entry e, const std::string& data) {
  e.header.data = data;
  e.header.size = octal(data.size(), 11);
  return e;
}
Entry behind(Header special_header, Entry e) {
  e.before.insert(e.before.begin(), std::move(special_header));
  return e;
}

// An entry of which nothing is kept, with a sparse map of `more` further blocks.
Entry sparse(Choices& c, std::size_t more) {
  Entry e = with_data(skipped(c, 'S'), noise(c, c.below(600)));
  e.header.magic = kGnu;
  if (more > 0) e.header.prefix = std::string(137, '\0') + '\1';  // the flag at 482
  for (std::size_t i = 0; i < more; ++i) {
    std::string block(kBlock, '\0');
    block[504] = i + 1 < more ? '\1' : '\0';
    e.header.map += block;
  }
  return e;
}

const Kind kKinds[] = {
    {{"v7", kRead}, [](Choices& c, Package& p) { set_dialect(c, p, Dialect::v7); }, nullptr},
    {{"ustar", kRead}, [](Choices& c, Package& p) { set_dialect(c, p, Dialect::ustar); }, nullptr},
    {{"ustar-prefix", kRead},
     [](Choices& c, Package& p) {
       const Form form{Dialect::ustar, PathForm::prefix, SizeForm::any};
       write_all(c, p, form);
       add_file(c, p, "a/directory/of its own", noise(c, c.below(600)), form);
       add_file(c, p, std::string(155, 'p') + "/" + std::string(100, 'n'), "both without a NUL", form);
     },
     nullptr},
    {{"pax-path", kRead}, [](Choices& c, Package& p) { set_path(c, p, PathForm::pax); }, nullptr},
    {{"pax-size", kRead}, [](Choices& c, Package& p) { set_size(c, p, SizeForm::pax); }, nullptr},
    {{"pax-taken-back", kRead},
     [](Choices& c, Package& p) {
       write_all(c, p, {Dialect::ustar, PathForm::plain, SizeForm::octal});
       Entry& e = p.entries[c.below(p.entries.size())];
       if (e.before.empty()) e.before.push_back(special('x', pax_record("path", "") + pax_record("size", "")));
     },
     nullptr},
    {{"pax-other-records", kRead},
     [](Choices& c, Package& p) {
       const std::string records = pax_record("comment", "") + pax_record("", "no key") + pax_record("k", "a=b\nc") +
                                   pax_record("GNU.other", "1") + pax_record("k", noise(c, c.below(1200)));
       for (Entry& e : p.entries)
         if (c.chance(50)) e.before.push_back(special(c.chance(30) ? 'g' : 'x', records));
     },
     nullptr},
    {{"pax-global", kRead},
     [](Choices& c, Package& p) {
       // Path and size for one member that says neither, then for one that does, then taken back.
       const std::string data = noise(c, c.below(600));
       Entry e = behind(special('g', pax_record("path", "by/all") + pax_record("size", std::to_string(data.size()))),
                        with_data({}, data));
       e.header.name = "nobody";
       e.header.size = octal(7, 11);
       const std::string own = noise(c, 20);
       Entry second = file_entry(c, "own", own, {Dialect::ustar, PathForm::pax, SizeForm::pax});
       Entry third = behind(special('g', pax_record("path", "") + pax_record("size", "")), skipped(c, '2'));
       p.entries.insert(p.entries.begin(), {std::move(e), std::move(second), std::move(third)});
       p.files["by/all"] = data;
       p.files["own"] = own;
     },
     nullptr},
    {{"gnu-magic", kRead}, [](Choices& c, Package& p) { set_dialect(c, p, Dialect::gnu); }, nullptr},
    {{"gnu-long-name", kRead},
     [](Choices& c, Package& p) {
       set_path(c, p, PathForm::gnu);
       add_file(c, p, std::string(c.edge(101, 2000), 'n'), "long", {Dialect::gnu, PathForm::gnu, SizeForm::any});
     },
     nullptr},
    {{"gnu-long-link", kRead},
     [](Choices& c, Package& p) {
       Entry& e = p.entries[c.below(p.entries.size())];
       e = behind(special('K', std::string(c.edge(1, 700), 'k')), e);
     },
     nullptr},
    {{"octal-size", kRead}, [](Choices& c, Package& p) { set_size(c, p, SizeForm::octal); }, nullptr},
    {{"size-of-12-digits", kRead}, [](Choices& c, Package& p) { set_size(c, p, SizeForm::digits12); }, nullptr},
    {{"size-with-spaces", kRead}, [](Choices& c, Package& p) { set_size(c, p, SizeForm::spaces); }, nullptr},
    {{"base-256-size", kRead}, [](Choices& c, Package& p) { set_size(c, p, SizeForm::base256); }, nullptr},
    {{"signed-checksum", kRead},
     [](Choices& c, Package& p) {
       for (Entry& e : p.entries) {
         e.header.owner = "\x80" + noise(c, 3);
         e.header.signed_sum = true;
       }
     },
     nullptr},
    {{"directories", kRead},
     [](Choices& c, Package& p) {
       static constexpr const char* kNames[] = {"d/", "d", "./", "../", "/d/", "sg00/", "a/../b/"};
       for (std::uint64_t n = 1 + c.below(4); n-- > 0;) {
         Entry e;
         e.header.name = c.pick(kNames);
         e.header.type = '5';
         if (e.header.name.back() == '/' && c.chance(40)) {  // v7 has no type for them
           e.header.type = c.chance(50) ? '\0' : '0';
           if (c.chance(50)) e.header.magic.clear();
         }
         add_entry(c, p, std::move(e));
       }
     },
     nullptr},
    {{"dot-slash", kRead},
     [](Choices& c, Package& p) {
       std::vector<Entry> entries;
       for (const auto& [path, data] : p.files) entries.push_back(file_entry(c, "./" + path, data));
       p.entries = std::move(entries);
       static constexpr const char* kPaths[] = {".hidden", "d/./e", "."};
       for (const char* path : kPaths) {
         const std::string data = noise(c, c.below(20));
         p.entries.push_back(file_entry(c, "./"s + path, data));
         p.files[path] = data;
       }
     },
     nullptr},
    {{"paths-of-any-bytes", kRead},
     [](Choices& c, Package& p) {
       static constexpr const char* kPaths[] = {"\xE9\xFF\x01", "\xC3\xA9", "a b\nc", "a=b", "...", "..a", "a..",
                                                "a/..b", "a//b", "a\\..\\b", "Wavegraph-bin.json",
                                                "wavegraph-bin.json.x"};
       for (const char* path : kPaths) add_file(c, p, path, noise(c, c.below(20)));
     },
     nullptr},
    {{"paths-no-packer-writes", kRead},
     [](Choices& c, Package& p) {
       // Of two ./ one is stripped, and nothing but that.
       add_file(c, p, "././twice", "2");
       add_file(c, p, "././/f", "3");
       add_file(c, p, "", noise(c, c.below(20)), {Dialect::ustar, PathForm::plain, SizeForm::any});
       add_file(c, p, std::string("nul\0inside", 10), "4");
       p.files.erase("././twice");
       p.files.erase("././/f");
       p.files["./twice"] = "2";
       p.files[".//f"] = "3";
     },
     nullptr},
    {{"tar-begins-like-gzip", kRead},
     [](Choices& c, Package& p) {
       p.compression.clear();
       const std::string path = c.chance(50) ? "\x1F" : "\x1F\x8A";
       p.entries.insert(p.entries.begin(), file_entry(c, path, "1", {Dialect::any, PathForm::plain, SizeForm::octal}));
       p.files[path] = "1";
     },
     nullptr},
    {{"wavegraph-dropped", kRead},
     [](Choices& c, Package& p) {
       static constexpr const char* kPaths[] = {"wavegraph-bin.json", "./wavegraph-bin.json", "sg00/wavegraph-bin.json",
                                                "x-wavegraph-bin.json"};
       for (const char* path : kPaths) add_entry(c, p, file_entry(c, path, noise(c, c.below(1200))));
     },
     nullptr},
    {{"last-of-one-path", kRead},
     [](Choices& c, Package& p) {
       for (std::uint64_t n = 1 + c.below(3); n-- > 0;) {
         auto it = p.files.begin();
         std::advance(it, static_cast<std::ptrdiff_t>(c.below(p.files.size())));
         // Before all that stands there, under its own name or with one more ./ before it.
         p.entries.insert(p.entries.begin(),
                          file_entry(c, (c.chance(30) ? "./" : "") + it->first, noise(c, c.below(900))));
       }
     },
     nullptr},
    {{"links-and-devices", kRead},
     [](Choices& c, Package& p) {
       for (const char type : {'1', '2', '3', '4', '6'}) {
         Entry e = skipped(c, type);
         if (c.chance(50)) e.header.size = octal(c.edge(0, 1 << 20), 11);  // they have no data all the same
         add_entry(c, p, std::move(e));
       }
     },
     nullptr},
    {{"unknown-types", kRead},
     [](Choices& c, Package& p) {
       for (const char type : {'V', 'M', 'D', 'N', 'Z', '8', '\xFF'})
         add_entry(c, p, with_data(skipped(c, type), noise(c, c.edge(0, 1200))));
     },
     nullptr},
    {{"sparse-gnu", kRead},
     [](Choices& c, Package& p) {
       for (std::size_t more = 0; more < 3; ++more) add_entry(c, p, sparse(c, more));
     },
     nullptr},
    {{"sparse-pax", kRead},
     [](Choices& c, Package& p) {
       static constexpr const char* kKeys[] = {"GNU.sparse.major", "GNU.sparse.map", "GNU.sparse.name"};
       const Header records = special('x', pax_record(c.pick(kKeys), "1"));
       add_entry(c, p, behind(records, with_data(skipped(c, '0'), noise(c, 600))));
       // For all that follows: of that nothing may be wanted.
       if (c.chance(50)) {
         p.entries.push_back(behind(special('g', records.data), with_data(skipped(c, '0'), "unread")));
       }
     },
     nullptr},
    {{"no-end-blocks", kRead}, [](Choices&, Package& p) { p.tail.clear(); }, nullptr},
    {{"end-block-cut", kRead},
     [](Choices& c, Package& p) { p.tail.assign(c.edge(1, kBlock - 1), '\0'); }, nullptr},
    {{"one-end-block", kRead}, [](Choices&, Package& p) { p.tail.assign(kBlock, '\0'); }, nullptr},
    {{"padding-cut", kRead},
     [](Choices& c, Package& p) {
       p.tail.clear();
       p.unpadded = c.edge(1, kBlock - 1);
     },
     nullptr},
    {{"bytes-after-the-end", kRead},
     [](Choices& c, Package& p) {
       p.tail = std::string(kBlock, '\0') + (c.chance(50) ? file_entry(c, "late", "unread").bytes() : noise(c, 900));
     },
     nullptr},
    {{"no-members", kRead},
     [](Choices& c, Package& p) {
       static constexpr std::size_t kSizes[] = {0, 1, 511, 512, 1024, 10240};
       p.files.clear();
       p.entries.clear();
       p.tail.assign(c.pick(kSizes), '\0');
       p.header_size = c.edge(0, kHeader - 1);  // the file may end behind its header
     },
     nullptr},
};

}  // namespace

std::span<const Kind> tar_forms() { return kKinds; }

}  // namespace assay::harness::neffs
