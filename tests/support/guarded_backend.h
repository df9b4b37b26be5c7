/* guarded_backend: a second backend. It computes as backend_cpu does, but if
 * code outside the backend accesses one of its buffers, the process receives
 * SIGSEGV. If a kernel receives memory that is not a buffer of this backend, an
 * assertion fails. Single-threaded. */
#pragma once

#include "harness/engine/backend.h"

extern const struct backend backend_walled;
