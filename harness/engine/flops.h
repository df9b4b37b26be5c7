/* flops: what matrix products cost, counted by the backends as they are asked
 * for them; other kernels are left out. */
#ifndef ENGINE_FLOPS_H
#define ENGINE_FLOPS_H

#include "harness/engine/backend.h"

void   flops_add(const struct gemm *s);
void   flops_conv(const struct conv *s); /* a multiply-add a tap and channel */
double flops_total(void); /* of this thread: multiply-adds times two */

#endif
