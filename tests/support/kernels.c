/* The kernels of harness/engine/cuda, compiled for the host
 * (tests/support/grid.h). The Makefile compiles this file without fused
 * multiply-adds, because the PTX has none. */
#include "harness/engine/cuda/kernels.cu"
