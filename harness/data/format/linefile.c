#include "harness/data/format/linefile.h"

#include "harness/base/array.h"
#include "harness/base/str.h"
#include "harness/data/format/bytes.h"

#include <stdlib.h>
#include <string.h>
#include <unistr.h>

enum { ROOM = 1 << 18 };

struct linefile {
    struct bytes *bytes;
    char *path;
    char *text;           /* [cap] */
    size_t cap, from, to; /* text[from] to text[to - 1] are not returned yet */
    size_t length;        /* bytes of the last line, without its end */
    const char *ending;   /* end of the last line */
    long number;
    int end; /* 1: the file is read completely */
    int may_be_empty;
    int allow_nul, has_nul; /* has_nul: the last line has a NUL */
};

int linefile_open(struct linefile **out, const char *path)
{
    struct bytes *b;

    *out = NULL;
    PASS(bytes_open(&b, path));
    struct linefile *f = calloc(1, sizeof *f);
    *f = (struct linefile){.bytes = b, .path = str_copy(path),
                           .may_be_empty = bytes_packed(b)};
    *out = f;
    return OK;
}

void linefile_close(struct linefile *f)
{
    if (!f)
        return;
    bytes_close(f->bytes);
    free(f->path);
    free(f->text);
    free(f);
}

void linefile_allow_nul(struct linefile *f, int allow) { f->allow_nul = allow; }
int linefile_has_nul(const struct linefile *f) { return f->has_nul; }
size_t linefile_bytes(const struct linefile *f) { return f->length; }
const char *linefile_ending(const struct linefile *f) { return f->ending; }
int linefile_packed(const struct linefile *f) { return bytes_packed(f->bytes); }
long linefile_number(const struct linefile *f) { return f->number; }

int linefile_place(const struct linefile *f, long number)
{
    return number ? err_wrap(ERR_DATA, "%s:%ld", f->path, number)
                  : err_wrap(ERR_DATA, "%s", f->path);
}

/* Moves the text that is not returned yet to the beginning of the buffer, and
 * reads more text after it. */
static int fill(struct linefile *f)
{
    size_t got;

    if (f->from) {
        memmove(f->text, f->text + f->from, f->to - f->from);
        f->to -= f->from;
        f->from = 0;
    }
    ARRAY_MORE(f->text, f->to, f->cap, ROOM + 1);
    PASS(bytes_read(f->bytes, f->text + f->to, ROOM, &got));
    f->to += got;
    f->end = !got;
    return OK;
}

static int check(struct linefile *f, const char *s, size_t n)
{
    f->has_nul = memchr(s, 0, n) != NULL;
    if (u8_check((const uint8_t *)s, n))
        return linefile_refuse(f, "not valid UTF-8");
    if (f->has_nul && !f->allow_nul)
        return linefile_refuse(f, "a NUL byte in text");
    return 1;
}

int linefile_next(struct linefile *f, char **line)
{
    size_t seen = 0;
    char *lf;

    while (!(lf = f->to - f->from > seen
                      ? memchr(f->text + f->from + seen, '\n',
                               f->to - f->from - seen)
                      : NULL) &&
           !f->end) {
        seen = f->to - f->from;
        PASS(fill(f));
    }
    if (!lf && f->from == f->to) {
        if (f->number || f->may_be_empty)
            return 0;
        return linefile_refuse(f, "the file is empty");
    }
    char *s = f->text + f->from;
    size_t n = (size_t)((lf ? lf : f->text + f->to) - s);
    f->from += n + (lf != NULL);
    f->number++;
    f->ending = !lf ? "" : n && s[n - 1] == '\r' ? "\r\n" : "\n";
    n -= *f->ending == '\r';
    s[n] = 0;
    if (f->number == 1 && !strncmp(s, "\xef\xbb\xbf", 3)) {
        s += 3;
        n -= 3;
    }
    f->length = n;
    *line = s;
    return check(f, s, n);
}

int linefile_rest(struct linefile *f)
{
    char *line;
    int rc;

    do
        rc = linefile_next(f, &line);
    while (rc > 0);
    return rc;
}

int linefile_each(const char *path,
                  int (*take)(void *to, const struct linefile *f, char *line),
                  void *to)
{
    OWNED(linefile_close) struct linefile *f = NULL;
    char *line;
    int rc;

    PASS(linefile_open(&f, path));
    while ((rc = linefile_next(f, &line)) > 0)
        PASS(take(to, f, line));
    return rc;
}

int linefile_text(struct text *out, const char *path)
{
    OWNED(linefile_close) struct linefile *f = NULL;
    char *line;
    int rc;

    text_clear(out);
    PASS(linefile_open(&f, path));
    f->may_be_empty = 1;
    while ((rc = linefile_next(f, &line)) > 0) {
        text_add(out, line, f->length);
        text_put(out, f->ending);
    }
    return rc;
}
