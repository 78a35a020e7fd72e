// CRC-32C with the processor's own instruction.
//
//     for each byte: register = table[(register ^ byte) & 0xFF] ^ register >> 8
//
// The instruction does that for eight bytes at once, in three cycles: 8 bytes a step, then the
// rest one by one. That is several times as fast as SHA-256, beside which it usually runs.
//
// The trick not taken: three runs side by side would fill the three cycles, but joining them
// takes tables, or multiplication without carry, and nothing waits for it.

#include "ckernels.h"

#include <string.h>

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

int weir_crc32c_has_kernel(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
    return (c >> 20) & 1;
}

__attribute__((target("sse4.2"))) uint32_t weir_crc32c(uint32_t state, const uint8_t *data,
                                                       size_t count) {
    uint64_t crc = state;
    while (count >= 8) {
        uint64_t word;
        memcpy(&word, data, 8);
        crc = _mm_crc32_u64(crc, word);
        data += 8;
        count -= 8;
    }
    state = (uint32_t)crc;
    while (count > 0) {
        state = _mm_crc32_u8(state, *data);
        data += 1;
        count -= 1;
    }
    return state;
}

#else

int weir_crc32c_has_kernel(void) { return 0; }

uint32_t weir_crc32c(uint32_t state, const uint8_t *data, size_t count) {
    (void)data;
    (void)count;
    return state;
}

#endif
