// SPDX-License-Identifier: Apache-2.0
// report.html as a browser makes it out, at the width of a desk and of a phone: Debian's Chromium, or the program that
// ASSAY_CHROMIUM names. Where there is none the test is skipped, and says so.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "conformance/test/small_suite.h"
#include "harness/cases/files.h"

namespace assay::conformance {
namespace {

namespace fs = std::filesystem;

std::string chromium() {
  if (const char* named = std::getenv("ASSAY_CHROMIUM")) return named;
  for (const char* path : {"/usr/bin/chromium", "/usr/bin/chromium-browser"})
    if (fs::exists(path)) return path;
  return {};
}

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char chunk[4096];
  for (std::size_t n = 0; (n = std::fread(chunk, 1, sizeof chunk, pipe)) > 0;) out.append(chunk, n);
  ::pclose(pipe);
  return out;
}

// A page of our own around the report, which itself may run nothing.
constexpr const char* kProbe =
    R"html(<!doctype html><iframe id=f src=report.html style="width:{0}px;height:900px;border:0"></iframe>
<p id=p></p><script>onload = () => {{
  const d = document.getElementById('f').contentDocument, all = q => [...d.querySelectorAll(q)];
  const section = d.getElementById('LOW-003');
  const failure = section ? section.nextElementSibling.nextElementSibling : null;
  document.getElementById('p').textContent = JSON.stringify([
    d.documentElement.scrollWidth <= {0}, all('#levels + table tbody tr').length, all('.cell').length, all('script,img,iframe').length,
    section ? section.nextElementSibling.textContent : '', failure ? [...failure.querySelectorAll('.value')].map(e => e.textContent) : [],
    failure ? [...failure.querySelectorAll('mark')].map(e => e.textContent) : [], failure ? failure.querySelector('code').textContent : '']);
}}</script>)html";

TEST(Report, ABrowserShowsLevelsRequirementsAndTheFailingField) {
  const std::string browser = chromium();
  if (browser.empty()) GTEST_SKIP() << "no Chromium here";
  const fs::path root = fs::temp_directory_path() / ("assay-report-" + std::to_string(::getpid()));
  const Certificate c = test::run(test::mutant("LOW-003-ninstr-up")).certificate();
  ASSERT_TRUE(write_certificate(root, c, test::small_catalogue()));
  const harness::Violation* v = nullptr;
  for (const CaseRow& r : c.cases)
    for (const Shown& s : r.violations)
      if (v == nullptr && s.violation.requirement == "LOW-003") v = &s.violation;
  ASSERT_NE(v, nullptr);
  const auto little_endian = [](const std::string& number) {
    return fmt::format("{:02x} 00 00 00", std::stoul(number));
  };
  for (const int width : {1280, 390}) {
    ASSERT_TRUE(harness::write_whole(root / "probe.html", fmt::format(fmt::runtime(kProbe), width)));
    const std::string dom =
        output_of(fmt::format("timeout 120 {} --headless --no-sandbox --disable-gpu --allow-file-access-from-files "
                              "--disable-web-security --user-data-dir={}/profile "
                              "--window-size=1400,1000 --dump-dom file://{}/probe.html 2>/dev/null",
                              browser, root.string(), root.string()));
    const std::string expected = fmt::format(
        R"([true,7,{},0,"ninstr is blob bytes &gt;&gt; 6; the blob is copied whole, the bytes beyond ninstr*64 included; no blob carries a length prefix.",["{}","{}"],["{}","{}"],"{}"])",
        test::small_catalogue().size(), v->expected, v->actual, little_endian(v->expected), little_endian(v->actual),
        v->place);
    const auto from = dom.find("<p id=\"p\">"), to = dom.find("</p>", from);
    ASSERT_TRUE(from != std::string::npos && to != std::string::npos) << dom;
    EXPECT_EQ(dom.substr(from + 10, to - from - 10), expected) << width;
  }
  fs::remove_all(root);
}

}  // namespace
}  // namespace assay::conformance
