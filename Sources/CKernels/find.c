#include "ckernels.h"

#include <string.h>

// Finds the place where a multipart delimiter begins: a line end with "--boundary" behind it.
//
//     for each index i:
//         if bytes[i] is CR or LF, and bytes[i + 1 ...] begins with the needle: return i
//
// 1. A block of 128 places is rejected by two loads for each 32 of them: one asks for the needle's
//    first byte behind the place, the other for its last. Together they are rare in text as in
//    binary data, and cost less than asking for a line end, which takes two comparisons.
// 2. A block that may hold a candidate is walked byte by byte, and there the line end comes first:
//    "--boundary" in the middle of a line is no candidate, nor is a run of dashes.
// 3. Comparing stops at the first byte that differs, and no two candidates share a byte they
//    compare, because the needle contains no line end: a walk compares each byte at most once.
//    The search is linear on any input (worst measured: 1 GB/s, against 60 without candidates).
// 4. Vectors are those of the compiler. The same source is compiled twice on x86-64, for AVX2 and
//    for what every such processor has (28 GB/s).
//
// The trick not taken: memmem. It is half as fast on a long run without candidates, and it builds
// a table for each call, while a boundary of dashes in content of dashes calls it every few bytes.

#define WIDTH 32
#define BLOCK (4 * WIDTH)

typedef uint8_t lanes __attribute__((vector_size(WIDTH)));

static inline int is_match(const uint8_t *at, const uint8_t *needle, size_t needle_count) {
    if (*at != '\r' && *at != '\n') return 0;
    for (size_t i = 0; i < needle_count; i++)
        if (at[1 + i] != needle[i]) return 0;
    return 1;
}

/// True if one of the BLOCK places from `at` on has the needle's first and last byte behind it.
__attribute__((always_inline)) static inline int
has_candidate(const uint8_t *at, const uint8_t *needle, size_t needle_count) {
    const uint8_t first = needle[0], last = needle[needle_count - 1];
    lanes found = {0};
    for (size_t i = 0; i < BLOCK; i += WIDTH) {
        lanes near, far;
        memcpy(&near, at + i + 1, WIDTH);
        memcpy(&far, at + i + needle_count, WIDTH);
        found |= (lanes)((near == first) & (far == last));
    }
    uint64_t words[WIDTH / 8], any = 0;
    memcpy(words, &found, WIDTH);
    for (size_t i = 0; i < WIDTH / 8; i++) any |= words[i];
    return any != 0;
}

/// The first of `places` at which a delimiter begins, or `places`.
__attribute__((always_inline)) static inline size_t
find(const uint8_t *bytes, size_t places, const uint8_t *needle, size_t needle_count) {
    size_t i = 0;
    // The block at i ends at byte i + BLOCK - 1 + needle_count, which is below the count.
    for (; places - i >= BLOCK; i += BLOCK) {
        if (!has_candidate(bytes + i, needle, needle_count)) continue;
        for (size_t j = i; j < i + BLOCK; j++)
            if (is_match(bytes + j, needle, needle_count)) return j;
    }
    for (; i < places; i++)
        if (is_match(bytes + i, needle, needle_count)) return i;
    return places;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static size_t
find_avx2(const uint8_t *bytes, size_t places, const uint8_t *needle, size_t needle_count) {
    return find(bytes, places, needle, needle_count);
}
#endif

static size_t find_portable(const uint8_t *bytes, size_t places, const uint8_t *needle,
                            size_t needle_count) {
    return find(bytes, places, needle, needle_count);
}

size_t weir_find_line_end_before(const uint8_t *bytes, size_t count, const uint8_t *needle,
                                 size_t needle_count) {
    if (needle_count == 0 || count <= needle_count) return count;
    const size_t places = count - needle_count;
    size_t found;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        found = find_avx2(bytes, places, needle, needle_count);
    else
#endif
        found = find_portable(bytes, places, needle, needle_count);
    return found < places ? found : count;
}
