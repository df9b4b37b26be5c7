#include "harness/data/format/sgm.h"

#include "harness/base/err.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The value of an attribute of the tag that ends at `end`; 1: it is there. */
static int attribute(char *out, size_t room, const char *tag, const char *end,
                     const char *name)
{
    size_t n = strlen(name);

    for (const char *at = tag; (at = strpbrk(at, " \t")) && at < end; at++) {
        if (strncasecmp(at + 1, name, n) || at[n + 1] != '=' ||
            at[n + 2] != '"')
            continue;
        const char *from = at + n + 3, *to = strchr(from, '"');
        if (!to || to > end || (size_t)(to - from) >= room)
            return 0;
        snprintf(out, room, "%.*s", (int)(to - from), from);
        return 1;
    }
    return 0;
}

static const char *const entities[][2] = {
    {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""},
    {"&apos;", "'"}, {NULL}};

/* `s` is from <seg to the end of the line. */
static int segment(struct sgm *s, char *tag)
{
    char id[128], *text = strchr(tag, '>'), *end = NULL;

    if (!text || !attribute(id, sizeof id, tag, text, "id"))
        return linefile_refuse(s->lines, "a segment without an id");
    for (char *at = text; (at = strstr(at, "</")); at += 2)
        if (!strncasecmp(at, "</seg>", 6)) {
            end = at;
            break;
        }
    if (!end || end[6 + strspn(end + 6, " \t\r\v\f")])
        return linefile_refuse(s->lines, "a segment that does not end with "
                                         "</seg> on its line");
    *end = 0;
    text_clear(&s->plain);
    text_swap(&s->plain, text_strip_ascii(text + 1), entities);
    s->text = s->plain.s;
    snprintf(s->key, sizeof s->key, "%s\t%s", s->document, id);
    s->n++;
    return 1;
}

static int next(struct sgm *s)
{
    char *line, *end;
    int rc;

    while ((rc = linefile_next(s->lines, &line)) > 0) {
        line += strspn(line, " \t");
        if (!strncasecmp(line, "<seg", 4) && strchr(" \t>", line[4]))
            return segment(s, line);
        end = strchr(line, '>');
        if (!strncasecmp(line, "<doc ", 5) &&
            (!end || !attribute(s->document, sizeof s->document, line, end,
                                "docid")))
            return linefile_refuse(s->lines, "a document without a docid");
    }
    if (rc == OK && !s->n)
        rc = linefile_refuse_at(s->lines, 0, "holds no segment");
    return rc;
}

static void close_sgm(struct sgm *s)
{
    linefile_close(s->lines);
    text_free(&s->plain);
}
OWNER_OF_VALUE(close_sgm, struct sgm)

int sgm_each(const char *path, int (*take)(void *to, const struct sgm *s),
             void *to)
{
    OWNED(close_sgm) struct sgm s = {.n = 0};
    int rc;

    PASS(linefile_open(&s.lines, path));
    while ((rc = next(&s)) > 0)
        PASS(take(to, &s));
    return rc;
}
