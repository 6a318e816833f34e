// SPDX-License-Identifier: MIT
// Whether a sanitizer watches: it makes everything some times slower, and the release build has tried every case already, so that
// what is tried thousands of times there is sampled here.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEATFRONT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HEATFRONT_SANITIZED 1
#endif
#endif
#ifndef HEATFRONT_SANITIZED
#define HEATFRONT_SANITIZED 0
#endif

namespace heatfront::test {

inline constexpr bool kSanitized = HEATFRONT_SANITIZED == 1;

}  // namespace heatfront::test
