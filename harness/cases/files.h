// SPDX-License-Identifier: Apache-2.0
// Whole files and directories for stored cases. It knows no format.
#pragma once

#include <string>
#include <vector>

#include "harness/cases/cases.h"

namespace assay::harness {

Stored<std::string> read_whole(const std::string& path);
// The same of what somebody else may have put there: a pipe, a device or a link is an error, and nobody waits for it.
Stored<std::string> read_regular(const std::string& path);
// By way of a temporary name, so that a file is there in full or not at all.
Stored<> write_whole(const std::string& path, const std::string& bytes);
Stored<> make_directories(const std::string& path);
// Names in a directory, ascending.
Stored<std::vector<std::string>> names_in(const std::string& directory);
bool is_directory(const std::string& path);
bool is_file(const std::string& path);

std::string to_base64(const std::string& bytes);
Stored<std::string> from_base64(const std::string& text);

}  // namespace assay::harness
