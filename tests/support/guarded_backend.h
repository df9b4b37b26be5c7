/* guarded_backend: a second backend. It computes as backend_cpu does, but if
 * other code accesses one of its buffers, the process receives SIGSEGV, and its
 * kernels fail an assertion if they receive other memory. Single-threaded. */
#pragma once

#include "harness/engine/backend.h"

extern const struct backend backend_walled;
