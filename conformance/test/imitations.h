// SPDX-License-Identifier: Apache-2.0
// Implementations that behave badly in one way each, for tests of what runs implementations: small loops over the
// protocol's lines, run in a forked process.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/runner/session.h"
#include "harness/scratch/scratch.h"

namespace assay::conformance::test {

// One process's lines: blocking, ends the process when the other side is gone.
class Channel {
 public:
  Channel(int in, int out) : in_(in), out_(out) {}
  bool read(std::string& line);
  void write(const std::string& bytes);
  // The right answer to a request of size: {"size":[5]}, 4; or a hello.
  void answer(std::uint64_t id);
  void close_output();

 private:
  int in_, out_;
  std::string buffer_;
};

// Called for each request but hello: its number in this process from 0, its id and the line.
using Behaviour = std::function<void(Channel&, std::uint64_t n, std::uint64_t id, const std::string& line)>;
Command imitation(Behaviour behaviour);

// Questions of dtype that differ in a comment, so that a behaviour can tell them apart: "#12#".
std::string question(std::size_t number, std::size_t padding = 0);
bool is_question(const std::string& line, std::size_t number);
std::uint64_t id_of(const std::string& line);

// Limits with which nobody waits long: half a minute for an answer, so that a busy machine is none's fault; or a third
// of a second, where timeouts are what a test is about.
ChildLimits quick();
ChildLimits hasty();

// How each of some questions ended.
using Indices = std::vector<std::size_t>;
struct Told {
  std::vector<Ending> endings;
  Notes notes;

  Trouble trouble(std::size_t i) const { return endings[i].trouble; }
  Indices troubled() const;  // those without an answer
};
// Asks n questions of a session of its own, and fails the test unless each is told once and in order, and every
// answer is the right one.
Told ask(const Command& command, std::size_t n, const ChildLimits& limits = quick(), std::size_t padding = 0);

// A directory for the time of a test.
class Temporary {
 public:
  std::string file(const char* name) const { return directory_.path() + "/" + name; }
  std::string text(const char* name) const;

 private:
  harness::ScratchDirectory directory_ = harness::ScratchDirectory::make().value();
};

}  // namespace assay::conformance::test
