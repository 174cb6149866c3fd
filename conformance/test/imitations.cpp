// SPDX-License-Identifier: Apache-2.0
#include "conformance/test/imitations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace assay::conformance::test {

bool Channel::read(std::string& line) {
  for (;;) {
    const auto newline = buffer_.find('\n');
    if (newline != std::string::npos) {
      line = buffer_.substr(0, newline);
      buffer_.erase(0, newline + 1);
      return true;
    }
    char chunk[65536];
    const ssize_t n = ::read(in_, chunk, sizeof chunk);
    if (n <= 0) return false;
    buffer_.append(chunk, static_cast<std::size_t>(n));
  }
}

void Channel::write(const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(out_, bytes.data() + done, bytes.size() - done);
    if (n <= 0) ::_exit(1);
    done += static_cast<std::size_t>(n);
  }
}

void Channel::answer(std::uint64_t id) { write(fmt::format("{{\"id\":{},\"status\":\"ok\",\"size\":[4]}}\n", id)); }
void Channel::close_output() { ::close(out_); }

Command imitation(Behaviour behaviour) {
  Command c;
  c.function = [behaviour = std::move(behaviour)](int in, int out) {
    Channel channel(in, out);
    std::string line;
    for (std::uint64_t n = 0; channel.read(line);) {
      const std::uint64_t id = id_of(line);
      if (line.find("\"hello\"") == std::string::npos) behaviour(channel, n++, id, line);
      else
        channel.write(
            fmt::format(R"({{"id":{},"protocol":1,"name":"imitation","version":"1","ops":["dtype","lower"]}})"
                        "\n",
                        id));
    }
    return 0;
  };
  return c;
}

std::string question(std::size_t number, std::size_t padding) {
  return fmt::format(R"({{"match":[],"to_sdma":[],"cce_op":[],"size":[5],"comment":"#{}#{}"}})", number,
                     std::string(padding, 'x'));
}

bool is_question(const std::string& line, std::size_t number) {
  return line.find(fmt::format("#{}#", number)) != std::string::npos;
}

std::uint64_t id_of(const std::string& line) { return std::strtoull(line.c_str() + 6, nullptr, 10); }

ChildLimits quick() {
  ChildLimits l;
  l.timeout = std::chrono::seconds(30);
  return l;
}

ChildLimits hasty() {
  ChildLimits l;
  l.timeout = std::chrono::milliseconds(300);
  l.start = std::chrono::seconds(1);
  return l;
}

Indices Told::troubled() const {
  Indices out;
  for (std::size_t i = 0; i < endings.size(); ++i)
    if (!endings[i].answered()) out.push_back(i);
  return out;
}

Told ask(const Command& command, std::size_t n, const ChildLimits& limits, std::size_t padding) {
  Told out;
  auto session = Session::start(command, limits);
  EXPECT_TRUE(session) << session.error();
  if (!session) return out;
  std::vector<std::string> requests;
  std::vector<Question> questions;
  for (std::size_t i = 0; i < n; ++i) requests.push_back(question(i, padding));
  for (const std::string& r : requests) questions.push_back({Op::dtype, r});
  session->ask(questions, [&](std::size_t index, Ending e) {
    EXPECT_EQ(index, out.endings.size());
    if (e.answered()) {
      EXPECT_EQ(e.answer.status, harness::ReplyStatus::ok);
      EXPECT_EQ(e.answer.body, R"({"cce_op":[],"match":[],"size":[4],"to_sdma":[]})");
    } else {
      EXPECT_FALSE(e.why.empty());
    }
    out.endings.push_back(std::move(e));
  });
  EXPECT_EQ(out.endings.size(), n);
  out.notes = session->notes();
  return out;
}

std::string Temporary::text(const char* name) const {
  std::ifstream in(file(name));
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace assay::conformance::test
