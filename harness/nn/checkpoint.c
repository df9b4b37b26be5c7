#include "harness/nn/checkpoint.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 2, GENERATIONS = 2, BLOCKS = 8 };

struct header {
    char     magic[8], id[64], build[72];
    uint64_t version, step, n, bytes[BLOCKS];
};

static void path_of(char path[PATH_MAX], const char *base, uint64_t i)
{
    snprintf(path, PATH_MAX, "%s.%d.ckpt", base, (int)(i % GENERATIONS));
}

static struct header header_of(struct checkpoint_of of, uint64_t step,
                               const struct block *block, int n)
{
    struct header h = {.magic = "SYNTHCK", .version = VERSION, .step = step};

    REQUIRE(n <= BLOCKS && strlen(of.id) < sizeof h.id &&
            strlen(of.build) < sizeof h.build, "%d blocks, id %s, build %s", n,
            of.id, of.build);
    strcpy(h.id, of.id);
    strcpy(h.build, of.build);
    h.n = (uint64_t)n;
    for (int i = 0; i < n; i++)
        h.bytes[i] = block[i].bytes;
    return h;
}

/* Opens the file at `path` and sets *bytes to its size.  Returns NULL if the
 * file cannot be opened or is a symbolic link, which this program never
 * writes. */
static FILE *open_file(const char *path, off_t *bytes)
{
    struct stat st = {.st_size = 0};
    FILE *f;

    if (file_open(&f, &st, path, O_NOFOLLOW) < 0)
        return NULL;
    *bytes = st.st_size;
    return f;
}

static int same_owner(const struct header *a, const struct header *b)
{
    return !memcmp(a->magic, b->magic, sizeof a->magic) &&
           a->version == b->version && !memcmp(a->id, b->id, sizeof a->id);
}

static int same_build(const struct header *a, const struct header *b)
{
    return !memcmp(a->build, b->build, sizeof a->build);
}

/* Returns the step of the file at `path`, or 0 if the run that `like` describes
 * cannot use it.  checkpoint_save overwrites the generation with the lower
 * step. */
static uint64_t step_in(const char *path, const struct header *like)
{
    struct header h;
    off_t bytes;
    OWNED(fclose) FILE *f = open_file(path, &bytes);

    return f && fread(&h, sizeof h, 1, f) == 1 && same_owner(&h, like) &&
                   same_build(&h, like)
               ? h.step
               : 0;
}

static FILE *make_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    return fd < 0 ? NULL : fdopen(fd, "wb");
}

int checkpoint_save(const char *base, struct checkpoint_of of, uint64_t step,
                    const struct block *block, int n)
{
    struct header h = header_of(of, step, block, n);
    OWNED(free) char *tmp = file_temporary(base);
    char path[2][PATH_MAX], hex[HASH_HEX];
    struct sha256_ctx *sha = hash_new();
    int rc = OK;

    path_of(path[0], base, 0);
    path_of(path[1], base, 1);
    int older = step_in(path[0], &h) > step_in(path[1], &h);
    FILE *f = make_file(tmp);
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

/* Reads the blocks that follow the header.  Returns NULL if the SHA-256 at the
 * end of the file does not match.  The caller frees them. */
static char *read_blocks(FILE *f, const struct header *h, size_t bytes)
{
    char *p = malloc(bytes), hex[HASH_HEX], seal[HASH_HEX];
    struct sha256_ctx *sha = hash_new();
    int good = fread(p, 1, bytes, f) == bytes &&
               fread(seal, sizeof seal, 1, f) == 1;

    hash_add(sha, h, sizeof *h);
    hash_add(sha, p, good ? bytes : 0);
    hash_end(sha, hex);
    if (good && !memcmp(hex, seal, sizeof hex))
        return p;
    free(p);
    return NULL;
}

/* Returns the blocks of the file f if it is intact, belongs to the run that
 * `like` describes and has the expected size, else NULL, with the reason in
 * err_last().  The caller frees them. */
static char *read_matching(FILE *f, off_t bytes, const char *path,
                           const struct header *like, uint64_t *step)
{
    size_t want = sizeof *like + HASH_HEX, blocks;
    struct header h, same = *like;
    char *p = NULL;

    for (uint64_t i = 0; i < like->n; i++)
        want += like->bytes[i];
    blocks = want - sizeof h - HASH_HEX;
    int read = fread(&h, sizeof h, 1, f) == 1 && same_owner(&h, like);
    if (read && !same_build(&h, like)) {
        err_set(ERR_STORE, "%s: saved after step %llu by another build of this "
                "program, or on another processor; it is not used", path,
                (unsigned long long)h.step);
        return NULL;
    }
    same.step = h.step;
    if (read && (size_t)bytes == want && !memcmp(&h, &same, sizeof h))
        p = read_blocks(f, &h, blocks);
    if (p)
        *step = h.step;
    else
        err_set(ERR_STORE, "%s: is damaged, or does not match this cell, its "
                "data, its initial weights and this program; it is not used",
                path);
    return p;
}

/* Does the same as read_matching for the file at `path`.  Increments *skipped
 * if the file exists but is not usable. */
static char *load(const char *path, const struct header *like, uint64_t *step,
                  int *skipped)
{
    struct stat st;
    off_t bytes;

    if (lstat(path, &st) && errno == ENOENT)
        return NULL;
    OWNED(fclose) FILE *f = open_file(path, &bytes);
    if (!f)
        err_set(ERR_STORE, "%s: is not a readable file; it is not used", path);
    char *p = f ? read_matching(f, bytes, path, like, step) : NULL;
    *skipped += !p;
    return p;
}

int checkpoint_load(const char *base, struct checkpoint_of of, uint64_t *step,
                    const struct block *block, int n)
{
    struct header like = header_of(of, 0, block, n);
    char *best = NULL;
    int skipped = 0;

    *step = 0;
    for (uint64_t i = 0; i < GENERATIONS; i++) {
        char path[PATH_MAX];
        uint64_t at;

        path_of(path, base, i);
        char *p = load(path, &like, &at, &skipped);
        if (p && (!best || at > *step)) {
            free(best);
            best = p;
            *step = at;
        } else {
            free(p);
        }
    }
    const char *from = best;
    for (int i = 0; i < n && best; i++) {
        memcpy(block[i].data, from, block[i].bytes);
        from += block[i].bytes;
    }
    free(best);
    return skipped;
}

int checkpoint_check(const char *path, char id[64])
{
    OWNED(free) char *p = NULL;
    char hex[HASH_HEX];
    struct header h;
    size_t n;
    PASS(file_read(&p, &n, path));
    *id = 0;
    if (n < sizeof h + sizeof hex)
        return err_set(ERR_STORE, "%s: is not a complete checkpoint", path);
    hash_sha256(p, n - sizeof hex, hex);
    memcpy(&h, p, sizeof h);
    if (memcmp(hex, p + n - sizeof hex, sizeof hex) ||
        strcmp(h.magic, "SYNTHCK") || h.id[sizeof h.id - 1])
        return err_set(ERR_STORE, "%s: is damaged, or not a checkpoint", path);
    strcpy(id, h.id);
    return OK;
}

long checkpoint_step(const char *base, const char *id)
{
    long step = 0;

    for (uint64_t i = 0; i < GENERATIONS; i++) {
        char path[PATH_MAX];
        struct header h;
        off_t bytes;

        path_of(path, base, i);
        OWNED(fclose) FILE *f = open_file(path, &bytes);
        if (f && fread(&h, sizeof h, 1, f) == 1 &&
            !strcmp(h.magic, "SYNTHCK") && h.version == VERSION &&
            !strncmp(h.id, id, strlen(id)) && (long)h.step > step)
            step = (long)h.step;
    }
    return step;
}

void checkpoint_remove(const char *base)
{
    for (uint64_t i = 0; i < GENERATIONS; i++) {
        char path[PATH_MAX];

        path_of(path, base, i);
        unlink(path);
    }
}
