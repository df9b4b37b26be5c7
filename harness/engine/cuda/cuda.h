/* cuda: the backends that compute on a GPU (driver.h).  cuda_open comes before
 * their first use. */
#pragma once

#include "harness/engine/backend.h"

extern const struct backend backend_cuda;
