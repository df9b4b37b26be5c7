/*
 * device: a GPU for tests, behind the driver's table of calls
 * (harness/engine/cuda/driver.h).  Launches and copies queue up and happen when
 * the stream is synchronised, in the order of the calls, with the kernels'
 * arguments as they were at the launch but what pointers lead to as it is then.
 * Its memory cannot be touched by the host at any other time, is filled with
 * NaN when it is allocated, and is never given out again once it was freed.
 */
#pragma once

#include "harness/engine/cuda/driver.h"
#include "harness/engine/cuda/cuda.h"

extern const struct cuda_driver device_driver;

/* Opens it as the card of this process. */
void device_open(void);

/* Launches since the last call of it. */
size_t device_launches(void);
