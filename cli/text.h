// SPDX-License-Identifier: Apache-2.0
// Text from models and archives on its way to a terminal, a file name or a shell: any bytes go in, one
// harmless line comes out.
#pragma once

#include <string>
#include <string_view>

namespace assay::cli {

// Control characters, direction marks, line separators and bytes that are no UTF-8 become \xNN,
// byte by byte; all else stays.
std::string escape_text(std::string_view text);

// As escape_text, and blanks and backslashes are escaped as well: one word of a key=value line.
std::string escape_word(std::string_view text);

bool is_utf8(std::string_view text);

// A word of a command line that is printed to be pasted: as it is where a shell takes it so, else in quotes.
// A path that begins with "-" gets "./" before it.
//   text   any sh's '...'; but bytes that are no UTF-8 go as for a line
//   line   for a terminal: what escape_text would escape stands in $'...' (bash, zsh, POSIX 2024)
//   ascii  so does whatever is no ASCII
enum class ShellForm { text, line, ascii };
std::string shell_path(std::string_view path, ShellForm form);

// A name that may stand as a file's name as it is: 1 to 200 bytes, not "." or "..", no slash, no
// control character.
bool is_plain_file_name(std::string_view name);

enum class Colour { red, yellow, bold };
// The text in colour when descriptor `fd` is a terminal and NO_COLOR is unset; else the text.
std::string paint(int fd, Colour colour, std::string_view text);

// A terminal that can move its cursor.
bool is_terminal(int fd);

}  // namespace assay::cli
