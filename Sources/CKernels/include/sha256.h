#ifndef WEIR_SHA256_H
#define WEIR_SHA256_H

#include <stddef.h>
#include <stdint.h>

// 1 if this processor has SHA-256 instructions that weir_sha256_blocks can use, else 0.
// Asking is slow (CPUID leaves a virtual machine): ask once and keep the answer.
int weir_sha256_has_kernel(void);

// Folds `blockCount` blocks of 64 bytes at `data` into the state `words`: the compression function of
// FIPS 180-4 §6.2.2, no padding. Reads exactly 64 * blockCount bytes, at any alignment.
// Only to be called if weir_sha256_has_kernel() said 1.
void weir_sha256_blocks(uint32_t words[8], const uint8_t *data, size_t blockCount);

// Does that for two messages at once, as many blocks of each: faster than one after the other.
void weir_sha256_blocks_of_two(
    uint32_t words0[8], const uint8_t *data0,
    uint32_t words1[8], const uint8_t *data1,
    size_t blockCount);

#endif
