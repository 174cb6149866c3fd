// SPDX-License-Identifier: Apache-2.0
#include "conformance/vectors/edits.h"

#include <fmt/format.h>

namespace assay::conformance::vectors {
namespace {

std::string from_hex(const std::string& hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return out;
}

Json with_index(const Json& value, std::size_t i) {
  if (value.is_string()) {
    std::string text = value.get<std::string>();
    if (text == "$i") return i;
    for (std::size_t at; (at = text.find("%i")) != std::string::npos;) text.replace(at, 2, fmt::format("{:03}", i));
    return text;
  }
  if (!value.is_structured()) return value;
  Json out = value;
  for (Json& v : out) v = with_index(v, i);
  return out;
}

struct Spot {
  std::string member, pointer;
};
// "pool.json#/dma/0", in the sub-graph's directory unless it begins with ^.
Spot spot_of(const std::string& text, const Setting& s) {
  const auto hash = text.find('#');
  std::string member = text.substr(0, hash);
  if (member.empty())
    member = s.definition;
  else if (member[0] == '^')
    member.erase(0, 1);
  else
    member = std::string(directory_of(s.definition)) + member;
  return {member, hash == std::string::npos ? std::string() : text.substr(hash + 1)};
}

std::optional<std::string> edit_member(const std::string& verb, const Json& e, Setting& s) {
  const Spot at = spot_of(e.at(1).get<std::string>(), s);
  auto& members = s.model.members;
  if (verb == "bytes") {  // a raw member: text, {"$hex":..}, or {"$a": n}
    s.model.put_bytes(at.member, expanded(e.at(2)).get<std::string>());
    return std::nullopt;
  }
  if (verb == "fill") {  // n bytes of one value
    s.model.put_bytes(at.member, std::string(e.at(2).get<std::size_t>(), static_cast<char>(e.at(3).get<int>())));
    return std::nullopt;
  }
  if (verb == "json") {
    s.model.put(at.member, expanded(e.at(2)));
    return std::nullopt;
  }
  const auto it = members.find(at.member);
  if (it == members.end()) return "no member " + at.member;
  if (verb == "drop" && at.pointer.empty()) {
    members.erase(it);
  } else if (verb == "move") {
    const Spot to = spot_of(e.at(2).get<std::string>(), s);
    auto node = members.extract(it);
    node.key() = to.member;
    members.insert(std::move(node));
  } else if (verb == "text") {  // the first occurrence in the text; what follows can no longer be edited as JSON
    std::string text = it->second.text();
    const std::string from = e.at(2).get<std::string>();
    const auto found = from == "$end" ? text.size() : text.find(from);
    if (found == std::string::npos) return "no text " + from;
    text.replace(found, from == "$end" ? 0 : from.size(), expanded(e.at(3)).get<std::string>());
    s.model.put_bytes(at.member, std::move(text));
  } else if (!it->second.is_json()) {
    return at.member + " is no document";
  } else if (verb == "set") {
    it->second.doc[Json::json_pointer(at.pointer)] = expanded(e.at(2));
  } else if (verb == "drop") {
    const auto slash = at.pointer.rfind('/');
    Json& parent = it->second.doc.at(Json::json_pointer(at.pointer.substr(0, slash)));
    const std::string key = at.pointer.substr(slash + 1);
    if (parent.is_array())
      parent.erase(std::stoul(key));
    else if (parent.erase(key) == 0)
      return "nothing at " + at.pointer;
  } else {
    return "no verb " + verb;
  }
  return std::nullopt;
}

}  // namespace

Json expanded(const Json& value) {
  if (value.is_object() && value.size() == 1) {
    const std::string key = value.begin().key();
    const Json& v = value.begin().value();
    if (key == "$a") return std::string(v.get<std::size_t>(), 'a');
    if (key == "$hex") return from_hex(v.get<std::string>());
    if (key == "$n" || key == "$o") {  // so many elements, or keys "k000" ..., with $i and %i for the index
      Json out = key == "$n" ? Json::array() : Json::object();
      for (std::size_t i = 0; i < v.at(0).get<std::size_t>(); ++i) {
        Json element = expanded(with_index(v.at(1), i));
        if (key == "$n")
          out.push_back(std::move(element));
        else
          out[fmt::format("k{:03}", i)] = std::move(element);
      }
      return out;
    }
  }
  if (!value.is_structured()) return value;
  Json out = value;
  for (Json& v : out) v = expanded(v);
  return out;
}

std::optional<std::string> apply(const Json& e, Setting& s) {
  const std::string verb = e.at(0).get<std::string>();
  if (verb == "target") s.target = e.at(1).get<std::uint32_t>();
  else if (verb == "subgraph") s.subgraph = e.at(1).get<std::uint32_t>();
  else if (verb == "definition") s.definition = e.at(1).get<std::string>();
  else if (verb == "pkg") s.pkg_version = e.at(1).get<std::uint64_t>();
  else if (verb == "legacy") s.model.options.allow_legacy = e.at(1).get<bool>();
  else if (verb == "verify") s.model.options.verify_digest = e.at(1).get<bool>();
  else if (verb == "arch") s.model.options.arch = static_cast<ArchType>(e.at(1).get<std::int32_t>());
  else if (verb == "fp8") {
    // ["fp8", key, value]; ["fp8", "none"] takes all of them away.
    Fp8Overrides& f = s.model.options.fp8;
    const std::string key = e.at(1).get<std::string>();
    if (key == "none") f = {};
    else if (key == "fp8_range_extension") f.fp8_range_extension = e.at(2).get<bool>();
    else if (key == "emax_fp8_e4m3") f.emax_fp8_e4m3 = e.at(2).get<std::uint32_t>();
    else if (key == "emax_fp8_e5m2") f.emax_fp8_e5m2 = e.at(2).get<std::uint32_t>();
    else if (key == "ocp_sat") f.ocp_sat = e.at(2).get<bool>();
    else if (key == "fp8_sis") f.fp8_sis = e.at(2).get<bool>();
    else if (key == "fp8_sns") f.fp8_sns = e.at(2).get<bool>();
    else return "no fp8 key " + key;
  } else if (verb == "file") {
    s.file_edits.push_back(e.at(1));
  } else {
    return edit_member(verb, e, s);
  }
  return std::nullopt;
}

std::optional<std::string> apply_to_bytes(const Json& e, std::string& bytes) {
  const std::string verb = e.at(0).get<std::string>();
  const auto n = e.at(1).get<std::uint64_t>();
  if (verb == "cut") {
    if (n > bytes.size()) return "nothing to cut";
    bytes.resize(n);
    return std::nullopt;
  }
  if (verb == "append") {
    bytes.append(n, 'x');
    return std::nullopt;
  }
  const std::size_t width = verb == "u64" ? 8 : verb == "u32" ? 4 : verb == "u16" ? 2 : 1;
  if (verb != "u64" && verb != "u32" && verb != "u16" && verb != "u8" && verb != "xor") return "no verb " + verb;
  if (n + width > bytes.size()) return "past the end";
  // A number, or the file's own size with something added: ["size", -1].
  std::uint64_t v = e.at(2).is_array() ? bytes.size() + static_cast<std::uint64_t>(e.at(2).at(1).get<std::int64_t>())
                                       : e.at(2).get<std::uint64_t>();
  for (std::size_t i = 0; i < width; ++i, v >>= 8)
    bytes[n + i] = static_cast<char>(verb == "xor" ? bytes[n + i] ^ static_cast<char>(v) : static_cast<char>(v));
  return std::nullopt;
}

}  // namespace assay::conformance::vectors
