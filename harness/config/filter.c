#include "harness/config/filter.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/config/settings.h"

#include <string.h>

enum { WORD = 64, DEPTH = 64 };

struct scan {
    const char          *text, *at;
    const struct config *cell;
    int                  depth;
};

static int any(struct scan *s);

static int expected(const struct scan *s, const char *what)
{
    return err_set(ERR_USAGE, "-E '%s': column %d: expected %s", s->text,
                   (int)(s->at - s->text) + 1, what);
}

/* Reports a missing or unknown operator.  There are no ordering operators such
 * as <, because values are compared as text. */
static int no_operator(const struct scan *s)
{
    size_t n = strspn(s->at, "=!~<>");
    OWNED(free) char *what = str_format("==, != or ~%s%.*s", n ? ", not " : "",
                                        (int)n, s->at);

    return expected(s, what);
}

/* Skips blanks.  If `token` follows, skips it and returns 1, else returns 0. */
static int accept(struct scan *s, const char *token)
{
    s->at += strspn(s->at, " \t\n");
    if (strncmp(s->at, token, strlen(token)))
        return 0;
    s->at += strlen(token);
    return 1;
}

static int word(struct scan *s, char out[WORD], const char *stop,
                const char *what)
{
    s->at += strspn(s->at, " \t\n");
    size_t n = strcspn(s->at, stop);

    if (n == 0 || n >= WORD)
        return expected(s, what);
    memcpy(out, s->at, n);
    out[n] = 0;
    s->at += n;
    return OK;
}

static int is_id(const char *key) { return !strcmp(key, "id"); }

static int same(const struct config *c, const char *key, const char *value)
{
    char id[SETTINGS_ID];

    if (!is_id(key))
        return settings_same(c, key, value);
    settings_id(c, id);
    return !strcmp(id, value);
}

static int get(const struct config *c, const char *key, char **out)
{
    char id[SETTINGS_ID];

    if (!is_id(key))
        return settings_get(c, key, out);
    settings_id(c, id);
    *out = str_copy(id);
    return OK;
}

static int holds(const struct config *c, const char *key, const char *part)
{
    OWNED(free) char *value = NULL;
    int rc = get(c, key, &value);

    if (rc == OK)
        rc = strstr(value, part) != NULL;
    return rc;
}

static int term(struct scan *s)
{
    char key[WORD], value[WORD];

    accept(s, "");
    int column = (int)(s->at - s->text) + 1;
    PASS(word(s, key, " \t\n=!~<>()&|", "a key, as in variant==random"));
    int part = accept(s, "~");
    int equal = !part && accept(s, "==");
    int other = !part && !equal && accept(s, "!=");
    if (!part && !equal && !other)
        return no_operator(s);
    PASS(word(s, value, " \t\n()&|!", "a value"));
    int rc = part ? holds(s->cell, key, value)
                  : same(s->cell, key, value);
    if (rc < 0)
        return err_wrap(rc, "-E '%s': column %d", s->text, column);
    return other ? !rc : rc;
}

static int one(struct scan *s)
{
    int rc;

    if (s->depth >= DEPTH)
        return expected(s, "fewer parentheses");
    s->depth++;
    if (accept(s, "!")) {
        rc = one(s);
        rc = rc < 0 ? rc : !rc;
    } else if (accept(s, "(")) {
        rc = any(s);
        if (rc >= 0 && !accept(s, ")"))
            rc = expected(s, "')'");
    } else {
        rc = term(s);
    }
    s->depth--;
    return rc;
}

/* Parses both operands even if the first one decides, so that a syntax error is
 * reported whatever the values of the cell are. */
static int joined(struct scan *s, const char *token,
                  int (*part)(struct scan *s))
{
    int either = *token == '|', yes = part(s);

    while (yes >= 0 && accept(s, token)) {
        int more = part(s);

        yes = more < 0 ? more : either ? yes || more : yes && more;
    }
    return yes;
}

static int all(struct scan *s) { return joined(s, "&&", one); }

static int any(struct scan *s) { return joined(s, "||", all); }

int filter_match(const char *filter, const struct config *c)
{
    struct scan s = {.text = filter, .at = filter, .cell = c};
    int yes = any(&s);

    accept(&s, "");
    if (yes >= 0 && *s.at)
        return expected(&s, "&&, || or the end of the filter");
    return yes;
}
