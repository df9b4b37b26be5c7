/* fuse: fused attention on the card, for the backends of cuda.h (op_list.h).
 * Operands of products are rounded to bfloat16. */
#pragma once

#include "harness/engine/backend.h"

void card_fuse(const struct fused *s, const real *v, real *stat, real *y);
void card_fuse_back(const struct fused *s, const real *v, const real *stat,
                    const real *y, const real *gy, real *gv);
