/* The kernels of harness/engine/cuda for the host (tests/support/grid.h). The
 * Makefile compiles them without fused multiply-adds, as the PTX has none. */
#include "harness/engine/cuda/kernels.cu"
