// SPDX-License-Identifier: Apache-2.0
#include "conformance/mutants/hostile_behaviour.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "conformance/mutants/hostile.h"
#include "conformance/protocol/messages.h"
#include "harness/gen/gen.h"
#include "oracle/image/image.h"

namespace assay::conformance::hostile {
namespace {

using Json = nlohmann::json;

// One process's lines, blocking; writing ends the process when nobody reads.
class Channel {
 public:
  Channel(int in, int out) : in_(in), out_(out) {}

  bool read(std::string& line) {
    for (;;) {
      if (const auto newline = buffer_.find('\n', scanned_); newline != std::string::npos) {
        line.assign(buffer_, 0, newline);
        buffer_.erase(0, newline + 1);
        scanned_ = 0;
        return true;
      }
      scanned_ = buffer_.size();
      char chunk[64 << 10];
      const ssize_t n = ::read(in_, chunk, sizeof chunk);
      if (n <= 0) return false;
      buffer_.append(chunk, static_cast<std::size_t>(n));
    }
  }
  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(out_, bytes.data(), bytes.size());
      if (n <= 0) ::_exit(1);
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }

 private:
  int in_, out_;
  std::string buffer_;
  std::size_t scanned_ = 0;
};

bool is_hello(const std::string& line) { return line.find("\"op\":\"hello\"") != std::string::npos; }
std::uint64_t id_of(const std::string& line) {
  const auto at = line.find("\"id\":");
  return at == std::string::npos ? 0 : std::strtoull(line.c_str() + at + 5, nullptr, 10);
}
const Identity& identity(const char* name) {
  static const Identity i{name, "1", all_subject_ops()};
  return i;
}

// Answers hello as anyone would and hands every other line to f.
template <class F>
int serve_lines(const char* name, int in, int out, F f) {
  Channel channel(in, out);
  std::string line;
  while (channel.read(line)) {
    if (is_hello(line)) channel.write(respond(harness::oracle_subject(), identity(name), line) + "\n");
    else f(channel, line);
  }
  return 0;
}
std::string right_answer(const std::string& line) {
  return respond(harness::oracle_subject(), identity("hostile"), line) + "\n";
}
void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

// Whether a line asks what a selective one strikes: op and request are the line without its id.
bool line_is_struck(const std::string& line) {
  Json j = Json::parse(line, nullptr, false);
  if (!j.is_object() || !j.contains("op")) return false;
  const std::string op = j["op"].is_string() ? j["op"].get<std::string>() : "";
  j.erase("id");
  j.erase("op");
  return is_struck(op + j.dump());
}

}  // namespace

bool is_struck(std::string_view text) {
  std::uint64_t h = 1469598103934665603ULL;  // FNV-1a
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return (h >> 17) % 7 == 0;
}

int silent(int in, int out) {
  return serve_lines("silent", in, out, [](Channel&, const std::string&) {});
}
int slow(int in, int out) {
  return serve_lines("slow", in, out, [](Channel& c, const std::string& line) {
    sleep_ms(1500);
    c.write(right_answer(line));
  });
}
// No line ever ends.
int talkative(int in, int out) {
  return serve_lines("talkative", in, out, [](Channel& c, const std::string&) {
    const std::string talk(1 << 16, 'a');
    for (;;) c.write(talk);
  });
}
int truncating(int in, int out) {
  return serve_lines("truncating", in, out, [](Channel& c, const std::string& line) {
    const std::string answer = right_answer(line);
    c.write(answer.substr(0, answer.size() / 2) + "\n");
  });
}
int wrong_ids(int in, int out) {
  return serve_lines("wrong ids", in, out, [](Channel& c, const std::string& line) {
    const std::string answer = right_answer(line), id = std::to_string(id_of(line));
    const auto at = answer.find("\"id\":" + id);
    std::string other = answer;
    if (at != std::string::npos) other.replace(at + 5, id.size(), std::to_string(id_of(line) + 1));
    c.write(other);
  });
}
// Of every two requests the second is answered first; one that comes alone waits for ever.
int wrong_order(int in, int out) {
  std::string kept;
  return serve_lines("wrong order", in, out, [&](Channel& c, const std::string& line) {
    if (kept.empty()) {
      kept = line;
      return;
    }
    c.write(right_answer(line) + right_answer(kept));
    kept.clear();
  });
}
int dying(int in, int out) {
  return serve_lines("dying", in, out, [](Channel& c, const std::string& line) {
    if (line_is_struck(line)) ::raise(SIGSEGV);
    c.write(right_answer(line));
  });
}
int printing(int in, int out) {
  return serve_lines("printing", in, out, [](Channel& c, const std::string& line) {
    if (line_is_struck(line)) c.write("lowering sub-graph 0 ...\n");
    c.write(right_answer(line));
  });
}
int growing(int in, int out) {
  return serve_lines("growing", in, out, [](Channel&, const std::string&) {
    constexpr std::size_t kStep = std::size_t{8} << 20, kMost = std::size_t{1} << 30;
    std::vector<std::unique_ptr<char[]>> grown;
    for (std::size_t size = 0; size < kMost; size += kStep) {
      grown.push_back(std::make_unique<char[]>(kStep));
      std::memset(grown.back().get(), 1, kStep);
      sleep_ms(3);
    }
    sleep_ms(60'000);  // had nobody looked, this machine would still have some left
  });
}

int refusing(int in, int out) {
  return serve_lines("refusing", in, out, [](Channel& c, const std::string& line) {
    c.write("{\"id\":" + std::to_string(id_of(line)) + ",\"status\":\"refused\"}\n");
  });
}
int accepting(int in, int out) {
  // A valid image that is nobody's, the fields of none, one code that is no dtype's.
  harness::RandomChoices choices(20261130);
  const std::string image = [&] {
    const Buffer bytes = harness::gen_image(choices);
    harness::LowerNeffAnswer answer;
    answer.images.push_back(Buffer(bytes.view()));
    return body_of(answer);
  }();
  const Json neff = Json::parse(image, nullptr, false);
  return serve_lines("accepting", in, out, [&](Channel& c, const std::string& line) {
    const Json q = Json::parse(line, nullptr, false);
    const std::string op = q.is_object() && q.contains("op") ? q["op"].get<std::string>() : "";
    Json a = op == "lower_neff" ? neff : Json::object();
    a["id"] = id_of(line);
    a["status"] = "ok";
    if (op == "lower") a["image"] = neff["images"][0];
    if (op == "decode") a["fields"] = Json::object();
    if (op == "dtype")
      for (const char* key : {"match", "to_sdma", "cce_op", "size"})
        a[key] = Json(std::vector<int>(q.contains(key) ? q[key].size() : 0, 77));
    c.write(a.dump() + "\n");
  });
}
int echoing(int in, int out) {
  return serve_lines("echoing", in, out, [](Channel& c, const std::string& line) { c.write(line + "\n"); });
}

}  // namespace assay::conformance::hostile
