/* card: the state of the open card, and the functions with which the files of
 * this folder launch kernels and use the card's memory. */
#pragma once

#include "harness/base/arena.h"
#include "harness/engine/cuda/driver.h"
#include "harness/engine/cuda/kernels.h"

enum cuda_kernel {
#define CUDA(name, ...) CUDA_##name,
#include "harness/engine/cuda/kernel_list.h"
#undef CUDA
    CUDA_KERNELS
};

struct card {
    const struct cuda_driver *driver;
    void            *context, *stream, *kernel[CUDA_KERNELS];
    struct cuda_card facts;
};
extern struct card card;

/* Prints that the driver call `call` failed with `error`, because the card's
 * memory is full (if `full` is set) or because the card is lost (if not).  Ends
 * the process with the exit code of ERR_DEVICE.  Other cells are not affected,
 * because each cell has its own process. */
_Noreturn void card_fail(const char *call, const char *error, int full);

/* Calls card_fail if rc, which the driver's function `call` returned, is an
 * error. */
void card_must(int rc, const char *call);
#define MUST(call, ...) card_must(card.driver->call(__VA_ARGS__), #call)

/* Launches a kernel, unless blocks is 0. */
void card_launch(enum cuda_kernel k, size_t blocks, void **arguments);

/* ---- memory.c ---- */

/* card_room returns the work buffer r, in the card's memory, which has at least
 * `bytes` bytes.  Each buffer grows to the largest size requested.  Its values
 * are valid only during one call of a function of the backend, which may launch
 * several kernels. */
enum card_room {
    ROOM_WORK, ROOM_SUMS, ROOM_LEFT, ROOM_RIGHT, ROOM_LIBRARY, ROOMS
};
void *card_room(enum card_room r, size_t bytes);

/* Copies n ints of the host to the card, for the kernels that are launched
 * next.  Returns the copy, or NULL if x is NULL. */
const int *card_ints(size_t n, const int *x);

void card_put(void *buffer, const void *host, size_t bytes);
void card_get(void *host, const void *buffer, size_t bytes); /* waits */
void card_copy(void *to, const void *from, size_t bytes);
void card_zero(void *buffer, size_t bytes);
void card_wait(void); /* waits for the stream */

extern const struct arena_memory card_memory;
