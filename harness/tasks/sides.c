#include "harness/tasks/sides.h"

#include <stdio.h>
#include <string.h>

enum { KEYS = 3, MARK = 16 };

/* The keys in each form of source: premise, hypothesis, then any others. */
static const struct form { const char *prefix, *key[KEYS]; } forms[] = {
    {"mrpc", {"sentence1", "sentence2"}},
    {"stsb", {"sentence1", "sentence2"}},
    {"qqp", {"question1", "question2"}},
    {"mnli", {"premise", "hypothesis"}},
    {"qnli", {"question", "sentence"}},
    {"rte", {"sentence1", "sentence2"}},
    {"rte", {"premise", "hypothesis"}},
    {"wnli", {"sentence1", "sentence2"}},
    {"cb", {"premise", "hypothesis"}},
    {"boolq", {"passage", "question"}},
    {"multirc", {"paragraph", "answer", "question"}},
    {"wic", {"sentence1", "sentence2", "word"}},
};

/* Returns the position of " KEY: " in s, or NULL if it is missing.  Sets *n to
 * the length of " KEY: ". */
static const char *find(const char *s, const char *key, size_t *n)
{
    char mark[MARK];

    *n = (size_t)snprintf(mark, sizeof mark, " %s: ", key);
    return strstr(s, mark);
}

/* Returns the text of key f->key[which]: it extends to the next key or to the
 * end of the source. */
static struct slice field(const char *source, const struct form *f, int which)
{
    size_t skip, ignored;
    const char *at = find(source, f->key[which], &skip), *next;

    if (!at)
        return (struct slice){"", 0};
    at += skip;
    const char *end = at + strlen(at);
    for (int k = 0; k < KEYS && f->key[k]; k++)
        if ((next = find(at, f->key[k], &ignored)) && next < end)
            end = next;
    return (struct slice){at, (size_t)(end - at)};
}

struct sides sides_of(const char *source)
{
    size_t prefix = strcspn(source, " ");

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const struct form *f = &forms[i];

        if (strlen(f->prefix) != prefix || memcmp(f->prefix, source, prefix))
            continue;
        struct sides s = {field(source, f, 0), field(source, f, 1)};
        if (s.premise.n || s.hypothesis.n)
            return s;
    }
    return (struct sides){{"", 0}, {"", 0}};
}
