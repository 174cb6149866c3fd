// SPDX-License-Identifier: Apache-2.0
// ASSAY_ASAN: defined when AddressSanitizer watches. It changes what can be seen, never a result.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define ASSAY_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASSAY_ASAN 1
#endif
#endif
