#include "harness/data/format/mo.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/data/format/bytes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistr.h>

enum { HEAD = 28, ROW = 8, REVISION_MOST = 1 };
static const uint32_t MAGIC = 0x950412de;

struct mo {
    const char *path;
    char *data;
    size_t bytes;
    int swapped; /* 1: the most significant byte comes first */
    uint32_t n, at, originals, translations;
    struct arena *memory;  /* of the present entry */
};

static uint32_t word(const struct mo *m, size_t at)
{
    const unsigned char *b = (const unsigned char *)m->data + at;
    uint32_t low = 0, high = 0;

    for (int i = 0; i < 4; i++) {
        low |= (uint32_t)b[i] << 8 * i;
        high |= (uint32_t)b[i] << 8 * (3 - i);
    }
    return m->swapped ? high : low;
}

static int has(const struct mo *m, uint64_t at, uint64_t bytes)
{
    return at <= m->bytes && bytes <= m->bytes - at;
}

static int check_head(struct mo *m)
{
    if (m->bytes < HEAD)
        return err_set(ERR_DATA, "%s: %zu bytes are too few for a .mo file",
                       m->path, m->bytes);
    m->swapped = word(m, 0) != MAGIC;
    if (word(m, 0) != MAGIC)
        return err_set(ERR_DATA, "%s: not a .mo file: it does not begin with "
                       "0x950412de", m->path);
    if (word(m, 4) >> 16 > REVISION_MOST)
        return err_set(ERR_DATA, "%s: revision %u of the format is not known",
                       m->path, (unsigned)(word(m, 4) >> 16));
    m->n = word(m, 8);
    m->originals = word(m, 12);
    m->translations = word(m, 16);
    if (!has(m, m->originals, (uint64_t)m->n * ROW) ||
        !has(m, m->translations, (uint64_t)m->n * ROW))
        return err_set(ERR_DATA, "%s: cut off: its tables of %u texts lie "
                       "outside", m->path, (unsigned)m->n);
    return OK;
}

/* The i-th text of a table; a text of several forms holds NULs. */
static int text_at(const struct mo *m, uint32_t table, const char **text,
                   uint32_t *bytes)
{
    size_t row = table + (size_t)m->at * ROW;
    uint32_t from = word(m, row + 4);

    *bytes = word(m, row);
    if (!has(m, from, (uint64_t)*bytes + 1) || m->data[from + *bytes])
        return err_set(ERR_DATA, "%s: text %u lies outside the file or does "
                       "not end", m->path, (unsigned)m->at + 1);
    *text = m->data + from;
    if (u8_check((const uint8_t *)*text, *bytes))
        return err_set(ERR_DATA, "%s: text %u is not valid UTF-8", m->path,
                       (unsigned)m->at + 1);
    return OK;
}

/* The text behind its context. */
static const char *split_context(const char **context, const char *text,
                                 struct arena *a)
{
    size_t n = strcspn(text, "\004");

    *context = NULL;
    if (!text[n]) {
        n = strcspn(text, "^ \n");
        if (text[n] != '^')
            return text;
    }
    char *copy = arena_text(a, text);
    copy[n] = 0;
    *context = copy;
    return text + n + 1;
}

static struct mo_pair pair_of(const struct mo *m, const char *source,
                              const char *target, const char *context)
{
    return (struct mo_pair){.source = source, .target = target,
                            .context = context, .entry = (long)m->at + 1,
                            .skipped = strcmp(source, target) ? NULL
                                                              : "untranslated"};
}

/* The pairs of the present entry: one, or two where it has a plural. */
static int take_entry(const struct mo *m,
                      int (*take)(void *to, const struct mo_pair *p), void *to)
{
    const char *source, *target, *context;
    uint32_t bytes, forms;

    arena_reset(m->memory);
    PASS(text_at(m, m->originals, &source, &bytes));
    PASS(text_at(m, m->translations, &target, &forms));
    const char *end = source + bytes, *second = source + strlen(source) + 1;
    const char *last = target + forms;
    while (last > target && last[-1])
        last--;
    int header = !bytes;
    source = split_context(&context, source, m->memory);
    struct mo_pair p = pair_of(m, source, target, context);
    if (header)
        p.skipped = "header";
    PASS(take(to, &p));
    if (second < end) {
        p = pair_of(m, second, last, context);
        PASS(take(to, &p));
    }
    return OK;
}

int mo_each(const char *path, int (*take)(void *to, const struct mo_pair *p),
            void *to)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    OWNED(free) char *data = NULL;
    struct mo m = {.path = path, .memory = memory};

    PASS(bytes_all(&data, &m.bytes, path));
    m.data = data;
    PASS(check_head(&m));
    for (; m.at < m.n; m.at++)
        PASS(take_entry(&m, take, to));
    return OK;
}
