#include "harness/tasks/glue/facts.h"
#include "harness/tasks/glue/glue_parts.h"

#include "harness/base/arena.h"
#include "harness/base/map.h"

#include <stdlib.h>
#include <string.h>

/* Tokens of a text at most, of one of two in a paragraph, so that examples fit
 * in 64 pieces; blocks of a fact at most; what is tried for one. */
enum { TEXT_MAX = 22, HALF_MAX = 9, ROUNDS = 4, TRIES = 4000 };

static const struct fact *fact_of(const struct pair *p) { return p->of; }

/* ---- pairs of facts ---- */

struct pairs { int n; struct pair *pair; };

/* The facts as pairs without a hypothesis. */
static struct pairs pairs_of(struct mixture *m, const struct facts *all)
{
    struct pairs out = {0, arena_take(m->memory, ((size_t)all->n + 1) *
                                                     sizeof *out.pair)};

    for (int i = 0; i < all->n; i++) {
        const struct fact *f = &all->fact[i];

        out.pair[out.n++] =
            (struct pair){.split = f->p->split,
                          .premise = deal_wording(m, f->text), .of = f};
    }
    return out;
}

/* What is said of each, as facts_say has it; `name`: NULL: its own. */
static void say(struct mixture *m, struct pairs *all, const char *before,
                int ask, const char *after)
{
    for (int i = 0; i < all->n; i++) {
        struct pair *p = &all->pair[i];
        const struct fact *f = fact_of(p);

        p->hypothesis = facts_say(m, f, before,
                                  ask ? facts_noun(f) : facts_name(f), after);
        p->wordings = FACTS_FRAMES;
        p->first = mixture_draw(m, FACTS_FRAMES);
    }
}

static int denies(const struct pair *a, const struct pair *b)
{
    return facts_differ(fact_of(a), fact_of(b));
}

/* ---- inference ---- */

struct inference {
    const char *prefix, *premise, *hypothesis;
    int reversed;    /* 1: the hypothesis stands first   */
    unsigned facets; /* bits of those beside the language */
};

static void add_claim(struct mixture *m, const struct pair *premise,
                      const char *claim, int class, const char *target)
{
    const struct inference *x = m->part->of;
    const char *p = premise->premise.text;

    mixture_add(m, premise->split, class, 0,
                x->reversed ? mixture_text(m, x->prefix, x->hypothesis, claim,
                                           x->premise, p, NULL)
                            : mixture_text(m, x->prefix, x->premise, p,
                                           x->hypothesis, claim, NULL),
                target);
}

/* Of the facts that the part is made of. */
static struct pairs claims_of(struct mixture *m, const struct facts *all)
{
    const struct inference *x = m->part->of;
    struct pairs of = pairs_of(m, all);
    int n = 0;

    for (int i = 0; i < of.n; i++)
        if ((1u << FACTS_LANGUAGE | x->facets) >> fact_of(&of.pair[i])->facet &
            1)
            of.pair[n++] = of.pair[i];
    of.n = n;
    say(m, &of, "", 0, ".");
    return of;
}

/* ---- of three classes ---- */

/* Two languages and two facts of another facet each deny one another; a
 * language and another fact leave one another open:
 *
 *              of the facts   entailed  denied  left open
 *     claim of a language 0       l[0]    l[1]       o[0]
 *              a language 1       l[1]    l[0]       o[1]
 *              another    0       o[0]    o[1]       l[0]
 *              another    1       o[1]    o[0]       l[1]
 */
struct block {
    struct pair *l[2], *o[2];
    const struct wording *said[4];
    int round; /* a fact is in one block a round */
    long tries;
    struct mixture *m;
};

enum claim { ENTAILED, NEUTRAL, DENIED, CLAIMS };

/* Of each claim the premise of which it is entailed, neutral, denied. */
static void row(const struct pair *of[CLAIMS], const struct block *x, int c)
{
    struct pair *const *own = c < 2 ? x->l : x->o;
    struct pair *const *else_ = c < 2 ? x->o : x->l;

    of[ENTAILED] = own[c % 2];
    of[DENIED] = own[1 - c % 2];
    of[NEUTRAL] = else_[c % 2];
}

/* Whether claim c can be worded. */
static int worded(struct block *x, int c)
{
    const struct pair *of[CLAIMS];

    row(of, x, c);
    x->said[c] = deal_worded(of[ENTAILED], of + 1, CLAIMS - 1);
    return x->said[c] != NULL;
}

static void add_block(struct mixture *m, struct block *x)
{
    static const char *const target[CLAIMS] = {"entailment", "neutral",
                                               "contradiction"};
    const struct pair *of[CLAIMS];

    for (int c = 0; c < 4; c++) {
        row(of, x, c);
        for (int k = 0; k < CLAIMS; k++)
            add_claim(m, of[k], x->said[c]->text, k, target[k]);
    }
    for (int k = 0; k < 2; k++)
        x->l[k]->dealt = x->o[k]->dealt = x->round;
}

static int is_language(const struct pair *p)
{
    return fact_of(p)->facet == FACTS_LANGUAGE;
}

static int opens(const struct pair *a, const struct pair *b)
{
    return facts_open(fact_of(a), fact_of(b));
}

static int is_free(const struct block *x, const struct pair *p,
                   const struct pair *of)
{
    return p->dealt < x->round && p->split == of->split && p != of;
}

/* Whether none of its examples was made before; they are from now on. */
static int is_new(const struct block *x)
{
    const struct pair *of[CLAIMS];
    int old = 0;

    for (int made = 0; made < 2 && !old; made++)
        for (int k = 0; k < 4 * CLAIMS; k++) {
            row(of, x, k / CLAIMS);
            const char *key =
                arena_format(x->m->memory, "%s / %s",
                             of[k % CLAIMS]->premise.text,
                             x->said[k / CLAIMS]->text);

            old |= made ? !map_add(x->m->seen, key, 0)
                        : map_get(x->m->seen, key, -1) >= 0;
        }
    return !old;
}

static int find_last(struct block *x, const struct pairs *all)
{
    for (int i = 0; i < all->n && x->tries > 0; i++) {
        struct pair *p = x->o[1] = &all->pair[i];

        if (is_free(x, p, x->o[0]) && denies(p, x->o[0]) &&
            opens(x->l[1], p) && x->tries-- && worded(x, 1) && worded(x, 2) &&
            worded(x, 3) && is_new(x))
            return 1;
    }
    return 0;
}

static int find_language(struct block *x, const struct pairs *all)
{
    for (int i = 0; i < all->n && x->tries > 0; i++) {
        struct pair *p = x->l[1] = &all->pair[i];

        if (is_free(x, p, x->l[0]) && denies(p, x->l[0]) && x->tries-- &&
            worded(x, 0) && find_last(x, all))
            return 1;
    }
    return 0;
}

static int find_block(struct block *x, const struct pairs *all)
{
    for (int i = 0; i < all->n && x->tries > 0; i++) {
        struct pair *p = x->o[0] = &all->pair[i];

        if (is_free(x, p, x->l[0]) && !is_language(p) && opens(x->l[0], p) &&
            find_language(x, all))
            return 1;
    }
    return 0;
}

static void deal_blocks(struct mixture *m, const struct pairs *all, int round)
{
    for (int i = 0; i < all->n; i++) {
        struct pair *p = &all->pair[i];
        struct block x = {
            .l = {p}, .round = round, .tries = TRIES, .m = m};

        if (is_language(p) && p->dealt < round &&
            m->of[p->split][0].n * CLAIMS < m->part->most[p->split] &&
            find_block(&x, all))
            add_block(m, &x);
    }
}

void make_inference(struct mixture *m)
{
    struct facts found = facts_find(m, TEXT_MAX);
    struct pairs all = claims_of(m, &found);

    for (int round = 1; round <= ROUNDS; round++)
        deal_blocks(m, &all, round);
    free(found.fact);
}

/* ---- of two ---- */

/* A claim does not follow where it is denied or left open. */
static int follows_not(const struct pair *a, const struct pair *b)
{
    return denies(a, b) || opens(a, b);
}

static void add_entailment(struct mixture *m, const struct pair *premise,
                           const char *hypothesis, int holds)
{
    add_claim(m, premise, hypothesis, !holds,
              holds ? "entailment" : "not_entailment");
}

static void add_rte(struct mixture *m, const struct pair *const two[2],
                    const char *const h[2])
{
    deal_four(m, two, h, add_entailment);
}

void make_rte(struct mixture *m)
{
    static const struct dealing how = {follows_not, add_rte};
    struct facts found = facts_find(m, TEXT_MAX);
    struct pairs all = claims_of(m, &found);

    deal_pairs(m, &how, all.pair, all.n);
    free(found.fact);
}

/* What mnli_mismatched claims of a suite is never claimed in training. */
const struct inference infer_matched = {"mnli", "premise", "hypothesis", 1,
                                        ~(1u << FACTS_SUITE)};
const struct inference infer_mismatched = {"mnli", "premise", "hypothesis", 1,
                                           1u << FACTS_SUITE};
const struct inference infer_cb = {"cb", "premise", "hypothesis", 1, ~0u};
const struct inference infer_rte = {"rte", "sentence1", "sentence2", 0, ~0u};
const struct inference infer_rte_superglue = {"rte", "premise", "hypothesis", 1,
                                              ~0u};

/* ---- questions ---- */

/* The question as the hypothesis: a text that speaks of another facet does not
 * answer it. */
static int answers_not(const struct pair *a, const struct pair *b)
{
    return facts_apart(fact_of(a), fact_of(b));
}

static void add_answer(struct mixture *m, const struct pair *premise,
                       const char *question, int holds)
{
    mixture_add(m, premise->split, !holds, 0,
                mixture_text(m, "qnli", "question", question, "sentence",
                             premise->premise.text, NULL),
                holds ? "entailment" : "not_entailment");
}

static void add_qnli(struct mixture *m, const struct pair *const two[2],
                     const char *const h[2])
{
    deal_four(m, two, h, add_answer);
}

void make_qnli(struct mixture *m)
{
    static const struct dealing how = {answers_not, add_qnli};
    struct facts found = facts_find(m, TEXT_MAX);
    struct pairs all = pairs_of(m, &found);

    say(m, &all, "", 1, "?");
    deal_pairs(m, &how, all.pair, all.n);
    free(found.fact);
}

static void add_truth(struct mixture *m, const struct pair *premise,
                      const char *question, int holds)
{
    mixture_add(m, premise->split, holds, 0,
                mixture_text(m, "boolq", "passage", premise->premise.text,
                             "question", question, NULL),
                holds ? "True" : "False");
}

static void add_boolq(struct mixture *m, const struct pair *const two[2],
                      const char *const h[2])
{
    deal_four(m, two, h, add_truth);
}

void make_boolq(struct mixture *m)
{
    static const struct dealing how = {denies, add_boolq};
    struct facts found = facts_find(m, TEXT_MAX);
    struct pairs all = pairs_of(m, &found);

    say(m, &all, "is it true that ", 0, "");
    deal_pairs(m, &how, all.pair, all.n);
    free(found.fact);
}

/* A paragraph of both texts, asked about either: each value is once the right
 * answer and once the wrong one, and stands in the paragraph both times.  The
 * answers of a question stay together, so all are of one class here. */
static void add_multirc(struct mixture *m, const struct pair *const two[2],
                        const char *const h[2])
{
    static const char *const which[2] = {"first", "second"};
    int group = m->of[two[0]->split][0].n;
    const char *paragraph =
        arena_format(m->memory, "First: %s Second: %s", two[0]->premise.text,
                     two[1]->premise.text);

    for (int k = 0; k < 4; k++) {
        int asked = k / 2, answer = k % 2;
        const char *question =
            arena_format(m->memory, "Of the %s text, %s?", which[asked],
                         facts_noun(fact_of(two[asked])));

        mixture_add(m, two[0]->split, 0, group + asked,
                    mixture_text(m, "multirc", "question", question, "answer",
                                 h[answer], "paragraph", paragraph, NULL),
                    asked == answer ? "True" : "False");
    }
}

void make_multirc(struct mixture *m)
{
    static const struct dealing how = {denies, add_multirc};
    struct facts found = facts_find(m, HALF_MAX);
    struct pairs all = pairs_of(m, &found);

    for (int i = 0; i < all.n; i++) { /* all values stand in a paragraph */
        struct wording *answer = arena_zero(m->memory, sizeof *answer);

        answer->text = facts_name(fact_of(&all.pair[i]));
        all.pair[i].hypothesis = answer;
        all.pair[i].wordings = 1;
    }
    deal_pairs(m, &how, all.pair, all.n);
    free(found.fact);
}
