# SPDX-License-Identifier: Apache-2.0
# Flags and helpers every room uses.
add_library(assay_flags INTERFACE)
target_compile_options(assay_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
