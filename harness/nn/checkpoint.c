#include "harness/nn/checkpoint.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION = 1, GENERATIONS = 2, BLOCKS = 8 };

struct header {
    char     magic[8], id[64];
    uint64_t version, step, n, bytes[BLOCKS];
};

static void path_of(char path[PATH_MAX], const char *base, uint64_t i)
{
    snprintf(path, PATH_MAX, "%s.%d.ckpt", base, (int)(i % GENERATIONS));
}

static struct header header_of(const char *id, uint64_t step,
                               const struct block *block, int n)
{
    struct header h = {.magic = "SYNTHCK", .version = VERSION, .step = step};

    REQUIRE(n <= BLOCKS && strlen(id) < sizeof h.id, "%d blocks, id %s", n, id);
    strcpy(h.id, id);
    h.n = (uint64_t)n;
    for (int i = 0; i < n; i++)
        h.bytes[i] = block[i].bytes;
    return h;
}

/* Which generation to overwrite: the one that is older, or not whole. */
static uint64_t step_in(const char *path, const struct header *like)
{
    struct header h;
    FILE *f = fopen(path, "rb");

    if (!f)
        return 0;
    int whole = fread(&h, sizeof h, 1, f) == 1 && !strcmp(h.id, like->id);
    fclose(f);
    return whole ? h.step : 0;
}

int checkpoint_save(const char *base, const char *id, uint64_t step,
                    const struct block *block, int n)
{
    struct header h = header_of(id, step, block, n);
    char path[2][PATH_MAX], tmp[PATH_MAX], hex[HASH_HEX];
    struct sha256_ctx *sha = hash_new();
    int rc = OK;

    path_of(path[0], base, 0);
    path_of(path[1], base, 1);
    int older = step_in(path[0], &h) > step_in(path[1], &h);
    snprintf(tmp, sizeof tmp, "%s.tmp", base);
    FILE *f = fopen(tmp, "wb");
    if (!f) {
        hash_end(sha, hex);
        return err_errno(ERR_IO, "%s", tmp);
    }
    hash_add(sha, &h, sizeof h);
    int good = fwrite(&h, sizeof h, 1, f) == 1;
    for (int i = 0; i < n && good; i++) {
        hash_add(sha, block[i].data, block[i].bytes);
        good = fwrite(block[i].data, 1, block[i].bytes, f) == block[i].bytes;
    }
    hash_end(sha, hex);
    good = good && fwrite(hex, sizeof hex, 1, f) == 1 && fflush(f) == 0;
    if (!good)
        rc = err_errno(ERR_IO, "%s", tmp);
    fclose(f);
    if (rc == OK)
        rc = file_commit(tmp, path[older]);
    if (rc < 0)
        unlink(tmp);
    return rc;
}

/* The file as it lies on disk, or NULL where it is not whole or not ours. */
static char *whole(const char *path, const char *id, const struct block *block,
                   int n)
{
    char *p, hex[HASH_HEX];
    size_t bytes, want = sizeof(struct header) + sizeof hex;

    for (int i = 0; i < n; i++)
        want += block[i].bytes;
    if (!file_exists(path) || file_read(&p, &bytes, path) < 0)
        return NULL;
    if (bytes == want) {
        struct header h, like;

        memcpy(&h, p, sizeof h);
        like = header_of(id, h.step, block, n);
        hash_sha256(p, bytes - sizeof hex, hex);
        if (!memcmp(&h, &like, sizeof h) &&
            !memcmp(hex, p + bytes - sizeof hex, sizeof hex))
            return p;
    }
    free(p);
    say("%s is damaged, or of other data: it is not used", path);
    return NULL;
}

void checkpoint_load(const char *base, const char *id, uint64_t *step,
                     const struct block *block, int n)
{
    char *best = NULL;

    *step = 0;
    for (uint64_t i = 0; i < GENERATIONS; i++) {
        char path[PATH_MAX];
        struct header h;

        path_of(path, base, i);
        char *p = whole(path, id, block, n);
        if (!p)
            continue;
        memcpy(&h, p, sizeof h);
        if (best && h.step <= *step) {
            free(p);
            continue;
        }
        free(best);
        best = p;
        *step = h.step;
    }
    const char *from = best ? best + sizeof(struct header) : NULL;
    for (int i = 0; i < n && best; i++) {
        memcpy(block[i].data, from, block[i].bytes);
        from += block[i].bytes;
    }
    free(best);
}

void checkpoint_remove(const char *base)
{
    for (uint64_t i = 0; i < GENERATIONS; i++) {
        char path[PATH_MAX];

        path_of(path, base, i);
        unlink(path);
    }
}
