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
// Two messages at once fill the gaps of the chain, and give half as much again in all: one upload is
// one message, but a lane has several uploads.

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
struct state {
    __m128i abef, cdgh;
};

SHA_NI static inline struct state load(const uint32_t words[8]) {
    __m128i dcba = _mm_loadu_si128((const __m128i *)words);
    __m128i hgfe = _mm_loadu_si128((const __m128i *)(words + 4));
    __m128i badc = _mm_shuffle_epi32(dcba, 0xb1);
    __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1b);
    return (struct state){_mm_alignr_epi8(badc, efgh, 8), _mm_blend_epi16(efgh, badc, 0xf0)};
}

SHA_NI static inline void store(struct state state, uint32_t words[8]) {
    __m128i feba = _mm_shuffle_epi32(state.abef, 0x1b);
    __m128i dchg = _mm_shuffle_epi32(state.cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)words, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(words + 4), _mm_alignr_epi8(dchg, feba, 8));
}

SHA_NI static inline void load_words(__m128i w[4], const uint8_t *data) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
#pragma clang loop unroll(full)
    for (int i = 0; i < 4; i++) {
        __m128i raw = _mm_loadu_si128((const __m128i *)(data + 16 * i));
        w[i] = _mm_shuffle_epi8(raw, big_endian);
    }
}

// The four rounds from 4 t on.
SHA_NI static inline void rounds(struct state *state, __m128i w[4], int t) {
    __m128i k = _mm_loadu_si128((const __m128i *)(K + 4 * t));
    __m128i wk = _mm_add_epi32(w[t & 3], k);
    state->cdgh = _mm_sha256rnds2_epu32(state->cdgh, state->abef, wk);
    state->abef = _mm_sha256rnds2_epu32(state->abef, state->cdgh, _mm_shuffle_epi32(wk, 0x0e));
    if (t < 12) {
        w[t & 3] = next_words(w[t & 3], w[(t + 1) & 3], w[(t + 2) & 3], w[(t + 3) & 3]);
    }
}

SHA_NI static inline struct state sum(struct state one, struct state other) {
    return (struct state){
        _mm_add_epi32(one.abef, other.abef), _mm_add_epi32(one.cdgh, other.cdgh)};
}

SHA_NI void weir_sha256_blocks(uint32_t words[8], const uint8_t *data, size_t blockCount) {
    struct state state = load(words);
    for (; blockCount > 0; blockCount--, data += 64) {
        const struct state before = state;
        __m128i w[4];
        load_words(w, data);
#pragma clang loop unroll(full)
        for (int t = 0; t < 16; t++) rounds(&state, w, t);
        state = sum(state, before);
    }
    store(state, words);
}

SHA_NI void weir_sha256_blocks_of_two(
    uint32_t words0[8], const uint8_t *data0,
    uint32_t words1[8], const uint8_t *data1,
    size_t blockCount
) {
    struct state state0 = load(words0), state1 = load(words1);
    for (; blockCount > 0; blockCount--, data0 += 64, data1 += 64) {
        const struct state before0 = state0, before1 = state1;
        __m128i w0[4], w1[4];
        load_words(w0, data0);
        load_words(w1, data1);
#pragma clang loop unroll(full)
        for (int t = 0; t < 16; t++) {
            rounds(&state0, w0, t);
            rounds(&state1, w1, t);
        }
        state0 = sum(state0, before0);
        state1 = sum(state1, before1);
    }
    store(state0, words0);
    store(state1, words1);
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
struct state {
    uint32x4_t abcd, efgh;
};

SHA2 static inline struct state load(const uint32_t words[8]) {
    return (struct state){vld1q_u32(words), vld1q_u32(words + 4)};
}

SHA2 static inline void store(struct state state, uint32_t words[8]) {
    vst1q_u32(words, state.abcd);
    vst1q_u32(words + 4, state.efgh);
}

SHA2 static inline void load_words(uint32x4_t w[4], const uint8_t *data) {
#pragma clang loop unroll(full)
    for (int i = 0; i < 4; i++) {
        w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(data + 16 * i)));
    }
}

// The four rounds from 4 t on.
SHA2 static inline void rounds(struct state *state, uint32x4_t w[4], int t) {
    uint32x4_t wk = vaddq_u32(w[t & 3], vld1q_u32(K + 4 * t));
    uint32x4_t abcd_old = state->abcd;
    state->abcd = vsha256hq_u32(state->abcd, state->efgh, wk);
    state->efgh = vsha256h2q_u32(state->efgh, abcd_old, wk);
    if (t < 12) {
        uint32x4_t partial = vsha256su0q_u32(w[t & 3], w[(t + 1) & 3]);
        w[t & 3] = vsha256su1q_u32(partial, w[(t + 2) & 3], w[(t + 3) & 3]);
    }
}

SHA2 static inline struct state sum(struct state one, struct state other) {
    return (struct state){vaddq_u32(one.abcd, other.abcd), vaddq_u32(one.efgh, other.efgh)};
}

SHA2 void weir_sha256_blocks(uint32_t words[8], const uint8_t *data, size_t blockCount) {
    struct state state = load(words);
    for (; blockCount > 0; blockCount--, data += 64) {
        const struct state before = state;
        uint32x4_t w[4];
        load_words(w, data);
#pragma clang loop unroll(full)
        for (int t = 0; t < 16; t++) rounds(&state, w, t);
        state = sum(state, before);
    }
    store(state, words);
}

SHA2 void weir_sha256_blocks_of_two(
    uint32_t words0[8], const uint8_t *data0,
    uint32_t words1[8], const uint8_t *data1,
    size_t blockCount
) {
    struct state state0 = load(words0), state1 = load(words1);
    for (; blockCount > 0; blockCount--, data0 += 64, data1 += 64) {
        const struct state before0 = state0, before1 = state1;
        uint32x4_t w0[4], w1[4];
        load_words(w0, data0);
        load_words(w1, data1);
#pragma clang loop unroll(full)
        for (int t = 0; t < 16; t++) {
            rounds(&state0, w0, t);
            rounds(&state1, w1, t);
        }
        state0 = sum(state0, before0);
        state1 = sum(state1, before1);
    }
    store(state0, words0);
    store(state1, words1);
}

#else

int weir_sha256_has_kernel(void) { return 0; }

void weir_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t blockCount) {
    // No kernel, so the caller has broken the contract; a wrong digest would be worse than a stop.
    __builtin_trap();
}

void weir_sha256_blocks_of_two(
    uint32_t words0[8], const uint8_t *data0,
    uint32_t words1[8], const uint8_t *data1,
    size_t blockCount
) {
    __builtin_trap();
}

#endif
