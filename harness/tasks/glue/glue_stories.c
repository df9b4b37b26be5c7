#include "harness/tasks/glue/glue_parts.h"

#include "harness/base/text.h"
#include "harness/data/sentence.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- copa ---- */

static int is_short(const char *s)
{
    int n = sentence_tokens(s);

    return n >= 4 && n <= 13;
}

static const char *other_sentence(struct mixture *m, const struct passage *p,
                                  int which)
{
    for (int tries = 0; tries < 200; tries++) {
        const struct passage *q = &m->passage[mixture_draw(m, m->n)];

        if (q != p && q->split == p->split && q->n > 1 &&
            is_short(q->sentence[which]))
            return q->sentence[which];
    }
    return NULL;
}

void each_copa(struct mixture *m, const struct passage *p)
{
    int effect = mixture_draw(m, 2), second = mixture_draw(m, 2);

    if (p->n < 2 || !mixture_wants(m, p->split, second) ||
        !is_short(p->sentence[0]) || !is_short(p->sentence[1]))
        return;
    const char *right = p->sentence[effect];
    const char *wrong = other_sentence(m, p, effect);
    if (wrong)
        mixture_add(m, p->split, second, 0,
                    mixture_text(m, "copa", "choice1", second ? wrong : right,
                                 "choice2", second ? right : wrong, "premise",
                                 p->sentence[!effect], "question",
                                 effect ? "effect" : "cause", NULL),
                    second ? "choice2" : "choice1");
}

/* ---- record ---- */

enum { NAMES_MIN = 3, NAMES_MAX = 8, QUERY_MAX = 30, TEXT_MAX = 80 };

/* The next word from *s on that begins with a capital and is not the first of
 * the text; n 0: there is none. */
static struct slice next_name(const char **s, const char *text)
{
    while (**s) {
        const char *word = *s + strcspn(*s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        size_t n = 0;

        while (isalnum((unsigned char)word[n]) || word[n] == '-')
            n++;
        *s = word + n;
        if (n > 1 && word > text && word[-1] == ' ' && word[-2] != '.')
            return (struct slice){word, n};
    }
    return (struct slice){*s, 0};
}

static int add_name(struct slice all[NAMES_MAX], int n, struct slice x)
{
    for (int i = 0; i < n; i++)
        if (slice_equal(all[i], x))
            return n;
    if (n < NAMES_MAX)
        all[n++] = x;
    return n;
}

/* ", " between them */
static const char *listed(const struct slice *all, int n, struct arena *a)
{
    struct text out = {0};

    for (int i = 0; i < n; i++)
        text_format(&out, "%s%.*s", i ? ", " : "", (int)all[i].n, all[i].s);
    return text_keep(&out, a);
}

/* The query with @placeholder in place of the name at `at`. */
static const char *cloze(const char *query, struct slice at, struct arena *a)
{
    return arena_format(a, "%.*s@placeholder%s", (int)(at.s - query), query,
                        at.s + at.n);
}

static const char *text_of(const struct passage *p, struct arena *a)
{
    struct text out = {0};

    for (int i = 0; i + 1 < p->n; i++)
        text_format(&out, "%s%s", i ? " " : "", p->sentence[i]);
    return text_keep(&out, a);
}

void each_record(struct mixture *m, const struct passage *p)
{
    struct slice all[NAMES_MAX];
    int n = 0;

    if (p->n < 2 || !mixture_wants(m, p->split, 0))
        return;
    const char *text = text_of(p, m->memory), *query = p->sentence[p->n - 1];
    if (sentence_tokens(text) > TEXT_MAX || sentence_tokens(query) > QUERY_MAX)
        return;
    struct slice x;
    for (const char *s = text; (x = next_name(&s, text)).n;)
        n = add_name(all, n, x);
    for (const char *s = query; n >= NAMES_MIN && (x = next_name(&s, query)).n;)
        if (n < NAMES_MAX && add_name(all, n, x) == n) {
            mixture_add(m, p->split, 0, 0,
                        mixture_text(m, "record", "query",
                                     cloze(query, x, m->memory), "entities",
                                     listed(all, n, m->memory), "passage", text,
                                     NULL),
                        listed(&x, 1, m->memory));
            return;
        }
}

/* ---- wic ---- */

/* In the order of a hash of the word, so that the first ones are of all
 * letters. */
static int by_word(const void *a, const void *b)
{
    const struct usage *x = *(const struct usage *const *)a;
    const struct usage *y = *(const struct usage *const *)b;
    uint64_t h = hash_name(x->word), k = hash_name(y->word);
    int c = h == k ? strcmp(x->word, y->word) : h > k ? 1 : -1;

    c = c ? c : strcmp(x->part, y->part);
    return c ? c : (x > y) - (x < y);
}

static int same_word(const struct usage *x, const struct usage *y)
{
    return !strcmp(x->word, y->word) && !strcmp(x->part, y->part);
}

static int is_usable(const struct usage *u)
{
    return !strchr(u->word, ' ') && is_short(u->example);
}

/* A pair of each class, the first two of its kind. */
static void add_word(struct mixture *m, const struct usage *const *u, int n)
{
    enum split s = ddtp_split(u[0]->word, MIXTURE_VALID, MIXTURE_TEST);
    int done[2] = {0};

    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n && done[0] + done[1] < 2; j++) {
            int same = u[i]->meaning == u[j]->meaning;

            if (done[same] || !mixture_wants(m, s, same) ||
                !strcmp(u[i]->example, u[j]->example))
                continue;
            mixture_add(m, s, same, 0,
                        mixture_text(m, "wic", "sentence1", u[i]->example,
                                     "sentence2", u[j]->example, "word",
                                     u[i]->word, NULL),
                        same ? "True" : "False");
            done[same] = 1;
        }
}

void make_wic(struct mixture *m)
{
    const struct texts *t = m->texts;
    const struct usage **u = arena_take(m->memory, ((size_t)t->usages + 1) *
                                                       sizeof *u);
    int n = 0, of;

    for (int i = 0; i < t->usages; i++)
        if (is_usable(&t->usage[i]))
            u[n++] = &t->usage[i];
    qsort(u, (size_t)n, sizeof *u, by_word);
    for (int i = 0; i < n; i += of) {
        for (of = 1; i + of < n && same_word(u[i], u[i + of]); of++)
            ;
        add_word(m, u + i, of);
    }
}
