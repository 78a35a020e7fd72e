// SHA-256 with the processor's own instructions.
//
// What FIPS 180-4 §6.2.2 asks for each block of sixteen words:
//
//     W[0..15] = the block, big-endian
//     W[t]     = s1(W[t-2]) + W[t-7] + s0(W[t-15]) + W[t-16]          for t = 16..63
//     64 rounds over a..h, round t taking K[t] + W[t]
//     state    = state + (a..h)
//
// Both kernels below are that, four rounds at a time:
//
// 1. The schedule never exists as sixty-four words. Sixteen live in four vectors; each step uses
//    up the oldest vector and puts the four words that follow the newest in its place. One
//    instruction adds s0 (its inputs are all at hand), another adds s1, which has to work in two
//    halves, because W[t+2] needs the W[t] computed beside it.
//
// 2. The rounds are one chain of dependent instructions, and nothing shortens it: its latency is
//    the speed of the kernel. The schedule, the loads and the byte swaps do not depend on it, so
//    an out-of-order processor does them in the chain's shadow. That is why the code makes no
//    attempt to interleave them by hand: it already runs within 2 % of the chain alone.
//
// 3. The state stays in registers over all blocks of a call; its words are put in the order the
//    instructions want once per call, not once per block.
//
// The trick not taken: hashing two messages at once fills the chain's gaps and gives half as much
// again in all, but one upload is one message.

#include "ckernels.h"

#if defined(__x86_64__) || defined(__aarch64__)

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

#endif

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#define SHA_NI __attribute__((target("sha,sse4.1,ssse3")))

int weir_sha256_has_kernel(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
    int has_ssse3 = (c >> 9) & 1, has_sse41 = (c >> 19) & 1;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
    int has_sha = (b >> 29) & 1;
    return has_ssse3 && has_sse41 && has_sha;
}

// The four schedule words after those of w3, given the sixteen of w0..w3.
SHA_NI static inline __m128i next_words(__m128i w0, __m128i w1, __m128i w2, __m128i w3) {
    __m128i seven_back = _mm_alignr_epi8(w3, w2, 4);
    __m128i partial = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), seven_back);
    return _mm_sha256msg2_epu32(partial, w3);
}

// The instruction does two rounds, and wants the state as two vectors, a b e f and c d g h, highest
// lane first. After two rounds the old a b e f are the new c d g h, so it returns only the new
// a b e f, and the two vectors change names: four rounds are two calls and no move.
SHA_NI void weir_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t blockCount) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);

    __m128i dcba = _mm_loadu_si128((const __m128i *)state);
    __m128i hgfe = _mm_loadu_si128((const __m128i *)(state + 4));
    __m128i badc = _mm_shuffle_epi32(dcba, 0xb1);
    __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, efgh, 8);
    __m128i cdgh = _mm_blend_epi16(efgh, badc, 0xf0);

    for (; blockCount > 0; blockCount--, data += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[4];

#pragma clang loop unroll(full)
        for (int i = 0; i < 4; i++) {
            __m128i raw = _mm_loadu_si128((const __m128i *)(data + 16 * i));
            w[i] = _mm_shuffle_epi8(raw, big_endian);
        }

#pragma clang loop unroll(full)
        for (int t = 0; t < 16; t++) {
            __m128i k = _mm_loadu_si128((const __m128i *)(K + 4 * t));
            __m128i wk = _mm_add_epi32(w[t & 3], k);
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0e));
            if (t < 12) {
                w[t & 3] = next_words(w[t & 3], w[(t + 1) & 3], w[(t + 2) & 3], w[(t + 3) & 3]);
            }
        }

        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }

    __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
    __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#elif defined(__aarch64__)

#include <arm_neon.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

#define SHA2 __attribute__((target("sha2")))

int weir_sha256_has_kernel(void) {
#if defined(__linux__)
    return (getauxval(AT_HWCAP) & HWCAP_SHA2) != 0;
#elif defined(__APPLE__)
    return 1;
#else
    return 0;
#endif
}

// Here the instructions do four rounds and take the state in its own order, a b c d and e f g h;
// one gives the new a b c d and the other the new e f g h, both from the old values.
SHA2 void weir_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t blockCount) {
    uint32x4_t abcd = vld1q_u32(state);
    uint32x4_t efgh = vld1q_u32(state + 4);

    for (; blockCount > 0; blockCount--, data += 64) {
        const uint32x4_t abcd_before = abcd, efgh_before = efgh;
        uint32x4_t w[4];

#pragma clang loop unroll(full)
        for (int i = 0; i < 4; i++) {
            w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(data + 16 * i)));
        }

#pragma clang loop unroll(full)
        for (int t = 0; t < 16; t++) {
            uint32x4_t wk = vaddq_u32(w[t & 3], vld1q_u32(K + 4 * t));
            uint32x4_t abcd_old = abcd;
            abcd = vsha256hq_u32(abcd, efgh, wk);
            efgh = vsha256h2q_u32(efgh, abcd_old, wk);
            if (t < 12) {
                uint32x4_t partial = vsha256su0q_u32(w[t & 3], w[(t + 1) & 3]);
                w[t & 3] = vsha256su1q_u32(partial, w[(t + 2) & 3], w[(t + 3) & 3]);
            }
        }

        abcd = vaddq_u32(abcd, abcd_before);
        efgh = vaddq_u32(efgh, efgh_before);
    }

    vst1q_u32(state, abcd);
    vst1q_u32(state + 4, efgh);
}

#else

int weir_sha256_has_kernel(void) { return 0; }

void weir_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t blockCount) {
    // No kernel, so the caller has broken the contract; a wrong digest would be worse than a stop.
    __builtin_trap();
}

#endif
