/*
 * The card's memory and the transfers.  Values from the host are first copied
 * into a ring of pinned memory: a copy from there runs in parallel with the
 * host, and space is reused only after the card has finished with it.  Ints lie
 * on the card in a ring of the same size, at the same offsets: a later copy to
 * the same place runs after the kernels that read them, because the stream
 * keeps the order.
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/engine/cuda/card.h"

#include <string.h>

enum { RING = 4 << 20, ALIGN = 64 };

static struct { char *host, *card; size_t size, used; } ring;

/* Bytes of the card's memory in use, and their maximum so far. */
static struct { size_t now, most; } taken;

double cuda_peak(void) { return (double)taken.most; }

void card_wait(void) { MUST(cuStreamSynchronize, card.stream); }

static void *take_bytes(size_t bytes)
{
    void *p;

    MUST(cuMemAlloc_v2, &p, bytes);
    taken.now += bytes;
    if (taken.now > taken.most)
        taken.most = taken.now;
    return p;
}

static void give(void *p, size_t bytes)
{
    card_wait(); /* launched kernels may still read it */
    MUST(cuMemFree_v2, p);
    taken.now -= bytes;
}

static void *take_slab(size_t bytes, size_t block)
{
    (void)block;
    return take_bytes(bytes);
}

const struct arena_memory card_memory = {take_slab, give};

void *card_room(enum card_room r, size_t bytes)
{
    static struct { void *at; size_t bytes; } room[ROOMS];

    if (bytes > room[r].bytes) {
        if (room[r].at)
            give(room[r].at, room[r].bytes);
        room[r].at = take_bytes(bytes);
        room[r].bytes = bytes;
    }
    return room[r].at;
}

/* Returns the offset of the next free bytes of the ring. */
static size_t ring_take(size_t bytes)
{
    size_t whole = (bytes + ALIGN - 1) / ALIGN * ALIGN, at;

    if (!ring.size) {
        MUST(cuMemHostAlloc, (void **)&ring.host, RING, 0);
        ring.card = take_bytes(RING);
        ring.size = RING;
    }
    if (whole > ring.size - ring.used) {
        card_wait();
        ring.used = 0;
    }
    at = ring.used;
    ring.used += whole;
    return at;
}

const int *card_ints(size_t n, const int *x)
{
    size_t bytes = n * sizeof *x;

    if (!x)
        return NULL;
    REQUIRE(bytes <= RING, "%zu ints at once", n);
    size_t at = ring_take(bytes);
    memcpy(ring.host + at, x, bytes);
    MUST(cuMemcpyHtoDAsync_v2, ring.card + at, ring.host + at, bytes,
         card.stream);
    return (const int *)(ring.card + at);
}

static size_t piece(size_t left) { return left < RING ? left : RING; }

void card_put(void *buffer, const void *host, size_t bytes)
{
    for (size_t i = 0, n; i < bytes; i += n) {
        n = piece(bytes - i);
        size_t at = ring_take(n);

        memcpy(ring.host + at, (const char *)host + i, n);
        MUST(cuMemcpyHtoDAsync_v2, (char *)buffer + i, ring.host + at, n,
             card.stream);
    }
}

void card_get(void *host, const void *buffer, size_t bytes)
{
    for (size_t i = 0, n; i < bytes; i += n) {
        n = piece(bytes - i);
        size_t at = ring_take(n);

        MUST(cuMemcpyDtoHAsync_v2, ring.host + at, (const char *)buffer + i, n,
             card.stream);
        card_wait();
        memcpy((char *)host + i, ring.host + at, n);
    }
}

void card_copy(void *to, const void *from, size_t bytes)
{
    MUST(cuMemcpyDtoDAsync_v2, to, from, bytes, card.stream);
}

void card_zero(void *buffer, size_t bytes)
{
    if (bytes)
        MUST(cuMemsetD8Async, buffer, 0, bytes, card.stream);
}
