// SPDX-License-Identifier: Apache-2.0
// A writer of tar archives, header by header, each field as it is to stand there: right or wrong.
// It knows the forms that archivers write and nothing of who reads them; it is not the packer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/choice/choices.h"

namespace assay::harness::neffs {

inline constexpr std::size_t kBlock = 512;

// Magic and version of POSIX and of GNU; v7 has none.
inline const std::string kUstar{"ustar\00000", 8}, kGnu{"ustar  \0", 8};

std::string octal(std::uint64_t value, int digits);
std::string base256(std::uint64_t value, int bytes);  // GNU's form of large numbers
std::string to_block(std::string bytes);              // zeros up to a whole block
std::string noise(Choices& c, std::size_t bytes);     // anything
std::string pax_record(const std::string& key, const std::string& value);

// One header and what lies behind it. Fields that are too long are cut.
struct Header {
  std::string name, data;
  std::string size = octal(0, 11);
  char type = '0';
  std::string magic = kUstar;
  std::string prefix, link, owner;
  std::string map;           // blocks between header and data, of a sparse file
  std::string checksum;      // the field as it stands; empty: the right sum
  int sum_off = 0;           // added to the right sum
  bool signed_sum = false;   // summed over signed bytes, as old archivers do
  bool spaced_sum = false;   // digits, space, NUL rather than digits, NUL, space

  std::string bytes() const;
};

// A member: extended headers, then its own.
struct Entry {
  std::vector<Header> before;
  Header header;

  std::string bytes() const;
  std::uint64_t header_at() const;  // of its own header, from the first of them
};

// How a member is written. `any` leaves it to the choices, and mostly to the plain form.
enum class Dialect : std::uint8_t { any, v7, ustar, gnu };
enum class PathForm : std::uint8_t { any, plain, prefix, pax, gnu };
enum class SizeForm : std::uint8_t { any, octal, digits12, spaces, base256, pax };
struct Form {
  Dialect dialect = Dialect::any;
  PathForm path = PathForm::any;
  SizeForm size = SizeForm::any;
};

// A regular member. A form that cannot hold the path gives way to pax.
Entry file_entry(Choices& c, const std::string& path, const std::string& data, Form form = {});
// A header of type x, g, L or K with its data, alone.
Header special(char type, const std::string& data);

}  // namespace assay::harness::neffs
