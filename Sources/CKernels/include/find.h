#ifndef WEIR_FIND_H
#define WEIR_FIND_H

#include <stddef.h>
#include <stdint.h>

/// The first index in `bytes` of a CR or LF that `needle` directly follows, or `count`.
///
/// The needle is not empty and contains neither CR nor LF.
size_t weir_find_line_end_before(const uint8_t *bytes, size_t count, const uint8_t *needle,
                                 size_t needle_count);

#endif
