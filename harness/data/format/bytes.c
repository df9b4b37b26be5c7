#include "harness/data/format/bytes.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

enum { PIECE = 1 << 17, GZIP = 16 + MAX_WBITS };

struct bytes {
    FILE *file;
    char *path;
    int packed, inside; /* inside: a gzip member is not complete yet */
    z_stream z;
    unsigned char piece[PIECE];
};

int bytes_open(struct bytes **out, const char *path)
{
    FILE *f;
    int rc = file_open(&f, NULL, path, 0);

    *out = NULL;
    PASS(rc == ERR_IO ? err_set(ERR_DATA, "%s", err_last()) : rc);
    struct bytes *b = calloc(1, sizeof *b);
    b->file = f;
    b->path = str_copy(path);
    b->packed = b->inside = str_ends(path, ".gz"); /* at least one member is
                                                      required */
    if (b->packed)
        REQUIRE(inflateInit2(&b->z, GZIP) == Z_OK, "%s: zlib", path);
    *out = b;
    return OK;
}

void bytes_close(struct bytes *b)
{
    if (!b)
        return;
    if (b->packed)
        inflateEnd(&b->z);
    fclose(b->file);
    free(b->path);
    free(b);
}

int bytes_packed(const struct bytes *b) { return b->packed; }

static int read_raw(struct bytes *b, void *to, size_t room, size_t *got)
{
    *got = fread(to, 1, room, b->file);
    if (!*got && ferror(b->file))
        return err_errno(ERR_DATA, "%s", b->path);
    return OK;
}

/* Skips the zero bytes between members. */
static void skip_padding(struct bytes *b)
{
    for (; b->z.avail_in && !*b->z.next_in; b->z.avail_in--)
        b->z.next_in++;
}

/* Reads more packed bytes if all previous ones are used. */
static int feed(struct bytes *b)
{
    size_t got = 1;

    for (;;) {
        if (!b->inside)
            skip_padding(b);
        if (b->z.avail_in || !got)
            return OK;
        PASS(read_raw(b, b->piece, PIECE, &got));
        b->z.next_in = b->piece;
        b->z.avail_in = (uInt)got;
    }
}

static int unpack(struct bytes *b)
{
    int code = inflate(&b->z, Z_NO_FLUSH);

    b->inside = code != Z_STREAM_END;
    if (code == Z_STREAM_END)
        code = inflateReset(&b->z);
    if (code == Z_OK || code == Z_BUF_ERROR)
        return OK;
    if (code == Z_MEM_ERROR)
        err_no_memory(1 << 16);
    return err_set(ERR_DATA, "%s: damaged: %s", b->path, b->z.msg);
}

int bytes_read(struct bytes *b, void *to, size_t room, size_t *got)
{
    if (!b->packed)
        return read_raw(b, to, room, got);
    *got = 0;
    room = room < PIECE ? room : PIECE;
    b->z.next_out = to;
    b->z.avail_out = (uInt)room;
    while (b->z.avail_out == room) {
        PASS(feed(b));
        if (!b->z.avail_in && !b->inside)
            return OK;
        if (!b->z.avail_in)
            return err_set(ERR_DATA, "%s: the gzip data is truncated", b->path);
        PASS(unpack(b));
    }
    *got = room - b->z.avail_out;
    return OK;
}

int bytes_all(char **out, size_t *n, const char *path)
{
    OWNED(bytes_close) struct bytes *b = NULL;
    size_t cap = 0, got;
    OWNED(free) char *all = NULL;

    *n = 0;
    *out = NULL;
    PASS(bytes_open(&b, path));
    do {
        ARRAY_MORE(all, *n, cap, PIECE + 1);
        PASS(bytes_read(b, all + *n, PIECE, &got));
        *n += got;
    } while (got);
    all[*n] = 0;
    return MOVE_OUT(out, all);
}
