// SPDX-License-Identifier: Apache-2.0
// JSON documents on which readers are known to differ, and those on which they must not.
#include "fuzzers/seeds/seeds.h"

namespace assay::fuzz {
namespace {

using namespace std::string_literals;

struct Row {
  const char* what;
  std::string text;
};
std::vector<Row> rows() {
  return {
      {"every-type", R"({"a":[null,true,false,0,-1,1.5,"x",{}],"b":{"c":[]}})"},
      {"duplicate-keys", R"({"a":1,"a":2,"\u0061":3})"},
      {"escapes", R"(["\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"])"},
      {"nul-in-string", R"(["\u0000",{"\u0000":1}])"},
      {"utf-8", "[\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"]"},
      {"utf-8-overlong", "[\"\xc0\xaf\"]"},
      {"utf-8-surrogate", "[\"\xed\xa0\x80\"]"},
      {"utf-8-beyond", "[\"\xf4\x90\x80\x80\"]"},
      {"utf-8-cut", "[\"\xe2\x82\"]"},
      {"high-surrogate-alone", R"(["\ud800"])"},
      {"low-surrogate-alone", R"(["\udc00"])"},
      {"surrogates-swapped", R"(["\udc00\ud800"])"},
      {"u64-max", "[18446744073709551615]"},
      {"u64-max-plus-1", "[18446744073709551616]"},
      {"i64-min", "[-9223372036854775808]"},
      {"i64-min-minus-1", "[-9223372036854775809]"},
      {"thirty-digits", "[123456789012345678901234567890]"},
      {"minus-zero", "[-0,-0.0,0e0]"},
      {"fractions", "[5.0,1e2,1E+2,1.5e-3]"},
      {"double-max", "[1.7976931348623157e308]"},
      {"double-beyond", "[1e400]"},
      {"double-tiny", "[5e-324,1e-400,2.2250738585072011e-308]"},
      {"long-fraction", "[0.1000000000000000055511151231257827021181583404541015625]"},
      {"leading-zero", "[01]"},
      {"plus-sign", "[+1]"},
      {"point-alone", "[1.]"},
      {"nan", "[NaN]"},
      {"infinity", "[-Infinity]"},
      {"comment", "[1/**/]"},
      {"trailing-comma", "[1,]"},
      {"trailing-comma-in-object", R"({"a":1,})"},
      {"trailing-bytes", "[] []"},
      {"trailing-nul", "[]\0"s},
      {"nul-then-more", "[]\0{]"s},
      {"nul-inside", "[\0]"s},
      {"byte-order-mark", "\xef\xbb\xbf[]"},
      {"empty", ""},
      {"blank", " \t\r\n"},
      {"form-feed", "[\f]"},
      {"scalar", "7"},
      {"scalar-string", "\"x\""},
      {"raw-control-character", "[\"\x01\"]"},
      {"delete-character", "[\"\x7f\"]"},
      {"unknown-escape", R"(["\x"])"},
      {"cut-string", R"(["x)"},
      {"cut-object", R"({"a")"},
      {"key-is-number", "{1:2}"},
      {"literal-cut", "[tru]"},
      {"literal-case", "[True]"},
      {"brackets-crossed", "[{]}"},
      {"depth-1023", std::string(1023, '[') + std::string(1023, ']')},
      {"depth-1024", std::string(1024, '[') + std::string(1024, ']')},
      {"depth-1025", std::string(1025, '[') + std::string(1025, ']')},
  };
}

}  // namespace

std::vector<Seed> document_seeds() {
  std::vector<Seed> out;
  for (Row& row : rows()) out.push_back({row.what, std::move(row.text)});
  return out;
}

}  // namespace assay::fuzz
