/*
 * wesnoth: reads the dialogue in the scenarios of a campaign of Battle for
 * Wesnoth, turn by turn, from files in its markup language (WML).
 *
 *     [message]
 *         speaker=Kaleh               if missing: id, role or type
 *         message= _ "Who ""won""?"   "" is a quotation mark; a string may span
 *                                     lines, and + joins strings
 *     [/message]
 *
 * A turn is an outermost [message]; keys of tags inside it (the choices of a
 * player) do not belong to it.  Comments and preprocessor lines (#), macro
 * calls ({...}) and raw strings (<<...>>) are skipped.  Every error is ERR_DATA
 * and names FILE:LINE.
 */
#include "harness/corpora/corpus.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/data/format/linefile.h"

#include <string.h>

enum { DEPTH = 256, NAMES = 4 };

struct tag { const char *name; size_t n; long line; };

struct wml {
    const char *path;
    const char *at; /* the next character */
    long line;      /* line of `at` */
    int depth;
    struct tag open[DEPTH];
    int message;    /* depth in the outermost [message], or 0 */
    const char *named[NAMES], *words;
    int macro;      /* 1: the message is a macro call */
    struct arena *memory; /* holds the texts of the current turn */
};

static const char *const speakers[NAMES] = {"speaker", "id", "role", "type"};

#define refuse(w, line, ...)                                                  \
    (err_set(ERR_DATA, __VA_ARGS__),                                          \
     err_wrap(ERR_DATA, "%s:%ld", (w)->path, line))

static int is_blank(char c) { return c == ' ' || c == '\t'; }

static void pass_blanks(struct wml *w)
{
    while (is_blank(*w->at))
        w->at++;
}

static void pass_line(struct wml *w) /* up to the line feed */
{
    w->at += strcspn(w->at, "\n");
}

/* Skips the text from the current position to after `end`; counts line feeds.
 * `what` names the opening mark in the error message. */
static int pass_until(struct wml *w, const char *end, const char *what)
{
    const char *stop = strstr(w->at, end);

    if (!stop)
        return refuse(w, w->line, "%s is never closed", what);
    for (; w->at < stop; w->at++)
        w->line += *w->at == '\n';
    w->at += strlen(end);
    return OK;
}

/* Reads a string, from after its opening quotation mark to after the closing
 * one; "" is a quotation mark in the string.  If `out` is NULL, skips the
 * string. */
static int take_quoted(struct wml *w, struct text *out)
{
    long from = w->line;

    for (;; w->at++) {
        if (!*w->at)
            return refuse(w, from, "the quote is never closed");
        if (*w->at == '"' && *++w->at != '"')
            return OK;
        w->line += *w->at == '\n';
        if (out)
            text_add(out, w->at, 1);
    }
}

/* Skips a macro call from its { to after its }.  Calls may nest and contain
 * strings. */
static int pass_macro(struct wml *w)
{
    long from = w->line;
    int depth = 0;

    do {
        char c = *w->at++;

        depth += (c == '{') - (c == '}');
        w->line += c == '\n';
        if (!c)
            return refuse(w, from, "the { is never closed");
        if (c == '"')
            PASS(take_quoted(w, NULL));
    } while (depth);
    return OK;
}

/* Reads one part of a value: a string, a raw string, a macro call, or one
 * character of unquoted text, which extends to the end of the line.  In the
 * last case, sets *bare to 1. */
static int take_part(struct wml *w, struct text *out, int *bare)
{
    if (*w->at == '"')
        return w->at++, take_quoted(w, out);
    if (!strncmp(w->at, "<<", 2))
        return pass_until(w, ">>", "<<");
    if (*w->at == '{')
        return pass_macro(w);
    *bare = 1;
    text_add(out, w->at++, 1);
    return OK;
}

/* Skips a + that joins two parts of a value, and the line feeds and comments
 * after it. */
static void pass_plus(struct wml *w)
{
    w->at++;
    for (pass_blanks(w); *w->at == '\n' || *w->at == '#'; pass_blanks(w)) {
        if (*w->at == '#')
            pass_line(w);
        w->line += *w->at == '\n';
        w->at += *w->at == '\n';
    }
}

/* Reads the value after =.  Sets *macro to 1 if it is a macro call and nothing
 * else. */
static int take_value(struct wml *w, const char **value, int *macro)
{
    OWNED(text_free) struct text out = {0};
    int bare = 0;

    pass_blanks(w);
    *macro = *w->at == '{';
    if (*w->at == '_' && (is_blank(w->at[1]) || w->at[1] == '"'))
        w->at++;
    for (pass_blanks(w); *w->at && *w->at != '\n' && *w->at != '#';) {
        if (*w->at == '+' && !bare)
            pass_plus(w);
        else if (!bare && (is_blank(*w->at) || !strncmp(w->at, "_ ", 2) ||
                           !strncmp(w->at, "_\"", 2)))
            w->at++;
        else
            PASS(take_part(w, &out, &bare));
    }
    char *kept = text_strip_ascii(text_keep(&out, w->memory));

    *macro = *macro && !*kept;
    *value = kept;
    return OK;
}

static void take_key(struct wml *w, const char *key, size_t n,
                     const char *value, int macro)
{
    if (!w->message || w->depth != w->message)
        return;
    if (n == 7 && !memcmp(key, "message", n)) {
        w->words = value;
        w->macro = macro;
    }
    for (int i = 0; i < NAMES; i++)
        if (strlen(speakers[i]) == n && !memcmp(speakers[i], key, n))
            w->named[i] = value;
}

/* Reads a key and its value.  Text without an = is ignored. */
static int pass_key(struct wml *w)
{
    const char *key = w->at, *value = NULL;
    int macro = 0;

    w->at += strcspn(w->at, "=\n[{#\"");
    if (*w->at != '=') {
        w->at += w->at == key; /* no word: a stray character */
        return OK;
    }
    size_t n = (size_t)(w->at++ - key);
    while (n && is_blank(key[n - 1]))
        n--;
    PASS(take_value(w, &value, &macro));
    take_key(w, key, n, value, macro);
    return OK;
}

static void begin_message(struct wml *w)
{
    arena_reset(w->memory);
    w->message = w->depth;
    w->words = NULL;
    w->macro = 0;
    memset(w->named, 0, sizeof w->named);
}

static int open_tag(struct wml *w, const char *name, size_t n)
{
    if (w->depth == DEPTH)
        return refuse(w, w->line, "more than %d nested tags", DEPTH);
    w->open[w->depth++] = (struct tag){name, n, w->line};
    if (!w->message && n == 7 && !memcmp(name, "message", n))
        begin_message(w);
    return OK;
}

/* Closes a tag and sets *line to the line where it began.  Returns 1 if this
 * completes a turn. */
static int close_tag(struct wml *w, const char *name, size_t n, long *line)
{
    if (!w->depth)
        return refuse(w, w->line, "[/%.*s] closes nothing", (int)n, name);
    const struct tag *t = &w->open[w->depth - 1];

    if (t->n != n || memcmp(t->name, name, n))
        return refuse(w, w->line, "[/%.*s] while [%.*s] of line %ld is open",
                      (int)n, name, (int)t->n, t->name, t->line);
    *line = t->line;
    if (w->message != w->depth--)
        return OK;
    w->message = 0;
    return 1;
}

/* Reads a tag, starting at its [. */
static int take_tag(struct wml *w, long *line)
{
    const char *name = w->at + 1;
    size_t n = strcspn(name, "]\n");
    int closes = *name == '/';

    if (name[n] != ']')
        return refuse(w, w->line, "the [ is never closed");
    w->at = name + n + 1;
    if (closes || *name == '+') { /* [+tag] continues the previous tag */
        name++;
        n--;
    }
    return closes ? close_tag(w, name, n, line) : open_tag(w, name, n);
}

/* Passes on the turn that began at `line`, or the reason for skipping it. */
static int hand_out(const struct wml *w, struct corpus_reading *x, long line)
{
    const char *speaker = NULL;

    for (int i = 0; i < NAMES && !speaker; i++)
        if (w->named[i] && *w->named[i])
            speaker = w->named[i];
    if (w->macro)
        return corpus_skip(x, line, "macro", NULL);
    if (!w->words || !*w->words)
        return corpus_skip(x, line, "no-message", NULL);
    if (!speaker)
        return corpus_skip(x, line, "no-speaker", NULL);
    return ROW(x, TEXT("speaker", speaker), TEXT("text", w->words),
               TEXT("origin", str_base(x->file)));
}

static int read_turns(struct wml *w, struct corpus_reading *x)
{
    long line = 0;

    while (*w->at) {
        int whole = 0;

        if (is_blank(*w->at) || *w->at == '\n')
            w->line += *w->at++ == '\n';
        else if (*w->at == '#')
            pass_line(w);
        else if (*w->at == '{')
            PASS(pass_macro(w));
        else if (*w->at == '[')
            PASS(whole = take_tag(w, &line));
        else
            PASS(pass_key(w));
        if (whole)
            PASS(hand_out(w, x, line));
    }
    if (!w->depth)
        return OK;
    const struct tag *open = &w->open[w->depth - 1];
    return refuse(w, open->line, "[%.*s] is never closed", (int)open->n,
                  open->name);
}

static int add_line(void *text, const struct linefile *f, char *line)
{
    (void)f;
    text_format(text, "%s\n", line);
    return OK;
}

static int read_scenario(struct corpus_reading *x, const char *path)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    OWNED(text_free) struct text text = {0};
    struct wml w = {.path = path, .line = 1, .memory = memory};

    text_clear(&text);
    PASS(linefile_each(path, add_line, &text));
    w.at = text.s;
    return read_turns(&w, x);
}

const struct corpus corpus_wesnoth = {
    .name = "wesnoth",
    .title = "Dialogue of Battle for Wesnoth",
    .from = "Debian's package wesnoth-1.16-utbs",
    .layout = {{.name = "official", .file = read_scenario, .split = {
        {"all", "*scenarios/*.cfg", 0}}}}};
