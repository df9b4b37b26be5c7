/* walled: a second backend.  It computes as backend_cpu does, but nobody else
 * can read or write its buffers (SIGSEGV), and none of its kernels takes the
 * host's memory for one (an assertion).  For one thread. */
#pragma once

#include "harness/engine/backend.h"

extern const struct backend backend_walled;
