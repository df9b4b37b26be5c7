/* flops: what matrix products cost, counted by the backends as they are asked
 * for them; other kernels are left out. */
#ifndef ENGINE_FLOPS_H
#define ENGINE_FLOPS_H

#include "harness/engine/backend.h"

void   flops_add(const struct gemm *s);
double flops_total(void); /* of this thread: multiply-adds times two */

#endif
