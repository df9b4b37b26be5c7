/* guarded_backend: a second backend. It computes as backend_cpu does, but
 * other code cannot access its buffers (SIGSEGV), and its kernels reject host
 * memory (an assertion). Single-threaded. */
#pragma once

#include "harness/engine/backend.h"

extern const struct backend backend_walled;
