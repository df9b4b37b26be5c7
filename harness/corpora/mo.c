/*
 * mo: reads the messages of a program and their translations from GNU gettext's
 * .mo files, of either byte order, below locale/LANGUAGE/LC_MESSAGES.
 *
 *     u32 0x950412de, revision, n, originals, translations, hash size and place
 *     originals, translations: n times {u32 length, offset}; each text is
 *     followed by a NUL, which the length does not include
 *
 *     original     [context U+0004] singular [NUL plural]
 *     translation  form [NUL form ...]
 *
 * Wesnoth writes a context as a prefix: "female^Warrior".  An entry with a
 * plural yields two pairs: singular and first form, plural and last form.
 * Every error is ERR_DATA and names the file.
 * Source: GNU gettext manual, "The Format of GNU MO Files".
 */
#include "harness/corpora/corpus.h"

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
    int swapped; /* 1: big-endian */
    uint32_t n, at, originals, translations;
    struct arena *memory;  /* holds the texts of the current entry */
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
        return err_set(ERR_DATA, "%s: revision %u of the format is not "
                       "supported", m->path, (unsigned)(word(m, 4) >> 16));
    m->n = word(m, 8);
    m->originals = word(m, 12);
    m->translations = word(m, 16);
    if (!has(m, m->originals, (uint64_t)m->n * ROW) ||
        !has(m, m->translations, (uint64_t)m->n * ROW))
        return err_set(ERR_DATA, "%s: truncated: its tables of %u texts extend "
                       "beyond the end", m->path, (unsigned)m->n);
    return OK;
}

/* Sets *text to text m->at (from 0) of a table, and *bytes to its length.  A
 * text with several forms contains NULs. */
static int text_at(const struct mo *m, uint32_t table, const char **text,
                   uint32_t *bytes)
{
    size_t row = table + (size_t)m->at * ROW;
    uint32_t from = word(m, row + 4);

    *bytes = word(m, row);
    if (!has(m, from, (uint64_t)*bytes + 1) || m->data[from + *bytes])
        return err_set(ERR_DATA, "%s: text %u extends beyond the end or is not "
                       "terminated", m->path, (unsigned)m->at + 1);
    *text = m->data + from;
    if (u8_check((const uint8_t *)*text, *bytes))
        return err_set(ERR_DATA, "%s: text %u is not valid UTF-8", m->path,
                       (unsigned)m->at + 1);
    return OK;
}

/* Returns the text after its context, and sets *context to the context or
 * NULL. */
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

static int hand_out(const struct mo *m, struct corpus_reading *x,
                    const char *source, const char *target, const char *context)
{
    if (!strcmp(source, target))
        return corpus_skip(x, (long)m->at + 1, "untranslated", NULL);
    return ROW(x, TEXT("source", arena_format(m->memory,
                                              "translate English to %s: %s",
                                              (const char *)x->corpus->detail,
                                              source)),
               TEXT("target", target), TEXT("context", context));
}

/* Passes on the pairs of the current entry: one, or two if it has a plural. */
static int take_entry(const struct mo *m, struct corpus_reading *x)
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
    source = split_context(&context, source, m->memory);
    PASS(bytes ? hand_out(m, x, source, target, context)
               : corpus_skip(x, (long)m->at + 1, "header", NULL));
    return second < end ? hand_out(m, x, second, last, context) : OK;
}

static int read_file(struct corpus_reading *x, const char *path)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    OWNED(free) char *data = NULL;
    struct mo m = {.path = path, .memory = memory};

    PASS(bytes_all(&data, &m.bytes, path));
    m.data = data;
    PASS(check_head(&m));
    for (; m.at < m.n; m.at++)
        PASS(take_entry(&m, x));
    return OK;
}

#define MO(id, code, language)                                                \
    const struct corpus corpus_mo_##id = {                                    \
        .name = "mo_" #id,                                                    \
        .title = "English-" language " program messages",                    \
        .from = "the locale folder of any program, such as wesnoth-1.16-utbs",\
        .detail = language,                                                   \
        .layout = {{.name = "gettext",                                        \
                    .file = read_file,                                        \
                    .split = {{.name = "all",                                 \
                               .files = "*locale/" code                       \
                                        "/LC_MESSAGES/*.mo"}}}}}

MO(ende, "de", "German");
MO(enfr, "fr", "French");
