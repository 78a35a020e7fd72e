#ifndef WEIR_CKERNELS_H
#define WEIR_CKERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "crc32c.h"
#include "find.h"
#include "sha256.h"

#endif
