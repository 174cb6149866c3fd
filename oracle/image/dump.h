// SPDX-License-Identifier: Apache-2.0
// Images as text and JSON for people and scripts: every record and every field in use, by path and
// offset. It prints what a view holds and judges nothing. Functions here throw std::bad_alloc at
// most; paths and names are ASCII, text from the image is escaped.
#pragma once

#include <functional>
#include <string>

#include "oracle/image/image.h"

namespace assay {

struct DumpOptions {
  std::string select;  // glob over paths: * any run, ? any byte, all else literal; "": everything
  bool hex = false;    // show the bytes of every value too
};

// Header, records and fields, one line each; offsets are bytes from the start of the image, and
// of a field from the start of its record too.
std::string dump_text(const View& view, const DumpOptions& options = {});

// {"header":{...},"records":[{"offset","size","kind","title","count","path"}...],
//  "fields":[{"path","offset","record","type","value",...}...]}. A value is as in fields_json; an
// enum has "name" beside it, text that is printable ASCII "text", and with hex "bytes".
std::string dump_json(const View& view, const DumpOptions& options = {});

// The decode operation's "fields" object, {path: value}: strings, char arrays and bytes in base64,
// floats as their 32 bits, integers beyond 2^53 as decimal strings, NULL as null (conformance.md).
std::string fields_json(const View& view);

// Every record in directory order with its path ("" for kbin_t), for a view in emission order.
void each_record(const View& view,
                 const std::function<void(const DirEntry&, const std::string&)>& visit);

// True when the glob of DumpOptions::select matches; an empty pattern matches every path.
bool path_matches(const std::string& pattern, const std::string& path);

// The record that a visited value lies in.
const DirEntry& record_holding(const View& view, const FieldVisit& visit);

// "u32", "bool", "char[]", "bytes", "pointer" ...
std::string_view type_text(const FieldVisit& visit);

}  // namespace assay
