#ifndef WEIR_CRC32C_H
#define WEIR_CRC32C_H

#include <stddef.h>
#include <stdint.h>

// 1 if this processor has CRC-32C instructions that weir_crc32c can use, else 0.
// Asking is slow (CPUID leaves a virtual machine): ask once and keep the answer.
int weir_crc32c_has_kernel(void);

// The register of a CRC-32C (RFC 3720 B.4, lowest bit first) after `count` bytes at `data`, if it
// was `state` before them. Reads exactly `count` bytes, at any alignment.
// Only to be called if weir_crc32c_has_kernel() said 1.
uint32_t weir_crc32c(uint32_t state, const uint8_t *data, size_t count);

#endif
