#include "harness/tasks/glue/facts.h"
#include "harness/tasks/glue/glue_parts.h"

#include "harness/base/arena.h"

#include <string.h>

/* The following are maxima.  HALF_MAX: tokens of each of the two texts of a
 * multirc paragraph.  ROUNDS: blocks (struct block) that use the same fact.
 * TRIES: candidates tried for a block. */
enum { HALF_MAX = 9, ROUNDS = 4, TRIES = 4000 };

static const struct fact *fact_of(const struct pair *p) { return p->of; }

/* ---- pairs of facts ---- */

struct pairs { int n; struct pair *pair; };

/* Returns a pair without a hypothesis for each fact whose text has at most
 * `tokens` tokens. */
static struct pairs pairs_of(struct mixture *m, int tokens)
{
    const struct facts *all = facts_find(m);
    struct pairs out = {0, arena_take(m->memory, ((size_t)all->n + 1) *
                                                     sizeof *out.pair)};

    for (int i = 0; i < all->n; i++) {
        const struct fact *f = &all->fact[i];

        if (f->tokens > tokens)
            continue;
        out.pair[out.n++] =
            (struct pair){.split = f->p->split,
                          .premise = deal_wording(m, f->text), .of = f};
    }
    return out;
}

/* Sets the hypotheses to the wordings of facts_say, made once per value.  If
 * `ask` is 1, they contain the facet's question instead of the name of the
 * value. */
static void add_statement(struct mixture *m, struct pairs *all,
                          const char *before,
                          int ask, const char *after)
{
    const struct wording *said[FACTS_VALUES] = {NULL};

    for (int i = 0; i < all->n; i++) {
        struct pair *p = &all->pair[i];
        const struct fact *f = fact_of(p);
        int value = facts_number(f);

        if (!said[value])
            said[value] = facts_say(
                m, f, before, ask ? facts_noun(f) : facts_name(f), after);
        p->hypothesis = said[value];
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
    int reversed;    /* 1: the hypothesis comes first                   */
    unsigned facets; /* bits of the facets; the language is always used */
};

static const char *claim_text(struct mixture *m, const struct pair *premise,
                              const char *claim)
{
    const struct inference *x = m->part->of;
    const char *p = premise->premise.text;

    return x->reversed ? mixture_text(m, x->prefix, x->hypothesis, claim,
                                      x->premise, p, NULL)
                       : mixture_text(m, x->prefix, x->premise, p,
                                      x->hypothesis, claim, NULL);
}

static void add_claim(struct mixture *m, const struct pair *premise,
                      const char *claim, int class, const char *target)
{
    mixture_add(m, premise->split, class, 0, claim_text(m, premise, claim),
                target);
}

/* Returns pairs for the facts that the part uses, with claims as hypotheses. */
static struct pairs claims_of(struct mixture *m)
{
    const struct inference *x = m->part->of;
    struct pairs of = pairs_of(m, FACTS_TOKENS);
    int n = 0;

    for (int i = 0; i < of.n; i++)
        if ((1u << FACTS_LANGUAGE | x->facets) >> fact_of(&of.pair[i])->facet &
            1)
            of.pair[n++] = of.pair[i];
    of.n = n;
    add_statement(m, &of, "", 0, ".");
    return of;
}

/* ---- three classes ---- */

/* Four facts that yield four claims, each with one premise per class.  l[0] and
 * l[1] are facts about different languages, so each denies the other; o[0] and
 * o[1] are different values of another facet.  l[k] and o[k] leave each other
 * open.  Claim c states one of the facts; its premises are the texts of three:
 *
 *     c   claim   entailed by   denied by   left open by
 *     0   l[0]    l[0]          l[1]        o[0]
 *     1   l[1]    l[1]          l[0]        o[1]
 *     2   o[0]    o[0]          o[1]        l[0]
 *     3   o[1]    o[1]          o[0]        l[1]
 */
struct block {
    struct pair *l[2], *o[2];
    int way[4]; /* index of the wording of each claim */
    int round; /* a fact is in at most one block per round */
    long tries;
    const struct pairs *of;
    struct ways *ways; /* [fact][value claimed] */
};

/* The wordings of one claimed value with one text. tenth[k] is the tenth of the
 * overlap of the text and wording k; made[k] is 1 if their example exists
 * already. */
struct ways { signed char tenth[FACTS_FRAMES], made[FACTS_FRAMES]; };

/* Returns the ways of all facts and values, computed in advance because the
 * search for blocks uses them very often. */
static struct ways *ways_of(struct mixture *m, const struct pairs *all)
{
    struct ways *t = arena_zero(m->memory, ((size_t)all->n + 1) *
                                                 FACTS_VALUES * sizeof *t);
    const struct wording *said[FACTS_VALUES] = {NULL};

    for (int i = 0; i < all->n; i++)
        said[facts_number(fact_of(&all->pair[i]))] = all->pair[i].hypothesis;
    for (int i = 0; i < all->n; i++)
        for (int v = 0; v < FACTS_VALUES; v++)
            for (int k = 0; k < FACTS_FRAMES && said[v]; k++)
                t[i * FACTS_VALUES + v].tenth[k] = (signed char)overlap_tenth(
                    all->pair[i].premise.words, said[v][k].words);
    return t;
}

enum claim { ENTAILED, NEUTRAL, DENIED, CLAIMS };

/* Sets `of` to the premises by which claim c is entailed, left open and
 * denied. */
static void row(const struct pair *of[CLAIMS], const struct block *x, int c)
{
    struct pair *const *own = c < 2 ? x->l : x->o;
    struct pair *const *else_ = c < 2 ? x->o : x->l;

    of[ENTAILED] = own[c % 2];
    of[DENIED] = own[1 - c % 2];
    of[NEUTRAL] = else_[c % 2];
}

/* For each class k, sets t[k] to the wordings of claim c, combined with the
 * claim's premise of class k.  A premise that has not been found yet is
 * replaced by the one that entails the claim; if even this one is missing,
 * returns 0, else 1. */
static int ways_with(struct ways *t[CLAIMS], const struct block *x, int c)
{
    const struct pair *of[CLAIMS];

    row(of, x, c);
    for (int k = 0; k < CLAIMS && of[ENTAILED]; k++) {
        ptrdiff_t fact = (of[k] ? of[k] : of[ENTAILED]) - x->of->pair;

        t[k] = &x->ways[fact * FACTS_VALUES +
                        facts_number(fact_of(of[ENTAILED]))];
    }
    return of[ENTAILED] != NULL;
}

/* Chooses the wording x->way[c] of claim c so that its overlaps with the
 * premises found so far lie in the same tenth.  Returns 1 if such a wording
 * exists, else 0. */
static int worded(struct block *x, int c)
{
    const struct pair *own = c < 2 ? x->l[c % 2] : x->o[c % 2];
    struct ways *t[CLAIMS];

    if (!ways_with(t, x, c))
        return 1;
    for (int i = 0; i < FACTS_FRAMES; i++) {
        int w = x->way[c] = (own->first + i) % FACTS_FRAMES;

        if (t[ENTAILED]->tenth[w] == t[NEUTRAL]->tenth[w] &&
            t[ENTAILED]->tenth[w] == t[DENIED]->tenth[w])
            return 1;
    }
    return 0;
}

static int all_worded(struct block *x)
{
    return worded(x, 0) && worded(x, 1) && worded(x, 2) && worded(x, 3);
}

/* Returns the chosen wording of claim c and sets `of` to its premises. */
static const struct wording *claim_of(const struct pair *of[CLAIMS],
                                      const struct block *x, int c)
{
    row(of, x, c);
    return &of[ENTAILED]->hypothesis[x->way[c]];
}

static void add_block(struct mixture *m, struct block *x)
{
    static const char *const target[CLAIMS] = {"entailment", "neutral",
                                               "contradiction"};
    const struct pair *of[CLAIMS];
    struct ways *t[CLAIMS];

    for (int c = 0; c < 4 && ways_with(t, x, c); c++) {
        const struct wording *said = claim_of(of, x, c);

        for (int k = 0; k < CLAIMS; k++) {
            add_claim(m, of[k], said->text, k, target[k]);
            t[k]->made[x->way[c]] = 1;
        }
    }
    for (int k = 0; k < 2; k++)
        x->l[k]->dealt = x->o[k]->dealt = x->round;
}

static int is_language(const struct pair *p)
{
    return fact_of(p)->facet == FACTS_LANGUAGE;
}

/* Returns 1 if the facts leave each other open.  Then neither text answers a
 * question about the facet of the other fact, either. */
static int leaves_open(const struct pair *a, const struct pair *b)
{
    return facts_apart(fact_of(a), fact_of(b));
}

static int is_free(const struct block *x, const struct pair *p,
                   const struct pair *of)
{
    return p->dealt < x->round && p->split == of->split && p != of;
}

/* Returns 1 if none of the block's examples exists yet, in this part or
 * another. */
static int is_new(struct mixture *m, const struct block *x)
{
    const struct pair *of[CLAIMS];
    struct ways *t[CLAIMS];

    for (int seen = 0; seen < 2; seen++)
        for (int c = 0; c < 4 && ways_with(t, x, c); c++) {
            const struct wording *said = claim_of(of, x, c);

            for (int k = 0; k < CLAIMS; k++) {
                signed char *made = &t[k]->made[x->way[c]];

                if (seen)
                    *made = (signed char)mixture_has(
                        m, claim_text(m, of[k], said->text));
                if (*made)
                    return 0;
            }
        }
    return 1;
}

static int find_last(struct mixture *m, struct block *x)
{
    for (int i = 0; i < x->of->n && x->tries > 0; i++) {
        struct pair *p = x->o[1] = &x->of->pair[i];

        if (is_free(x, p, x->o[0]) && denies(p, x->o[0]) &&
            leaves_open(x->l[1], p) && x->tries-- && all_worded(x) &&
            is_new(m, x))
            return 1;
    }
    x->o[1] = NULL;
    return 0;
}

static int find_language(struct mixture *m, struct block *x)
{
    for (int i = 0; i < x->of->n && x->tries > 0; i++) {
        struct pair *p = x->l[1] = &x->of->pair[i];

        if (is_free(x, p, x->l[0]) && denies(p, x->l[0]) && x->tries-- &&
            all_worded(x) && find_last(m, x))
            return 1;
    }
    x->l[1] = NULL;
    return 0;
}

static int find_block(struct mixture *m, struct block *x)
{
    for (int i = 0; i < x->of->n && x->tries > 0; i++) {
        struct pair *p = x->o[0] = &x->of->pair[i];

        if (is_free(x, p, x->l[0]) && !is_language(p) &&
            leaves_open(x->l[0], p) && all_worded(x) && find_language(m, x))
            return 1;
    }
    return 0;
}

static void deal_blocks(struct mixture *m, const struct pairs *all,
                        struct ways *ways, int round)
{
    for (int i = 0; i < all->n; i++) {
        struct pair *p = &all->pair[i];
        struct block x = {.l = {p}, .round = round, .tries = TRIES,
                          .of = all, .ways = ways};

        if (is_language(p) && p->dealt < round &&
            m->of[p->split][0].n * CLAIMS < m->part->most[p->split] &&
            find_block(m, &x))
            add_block(m, &x);
    }
}

void make_inference(struct mixture *m)
{
    struct pairs all = claims_of(m);
    struct ways *ways = ways_of(m, &all);

    for (int round = 1; round <= ROUNDS; round++)
        deal_blocks(m, &all, ways, round);
}

/* ---- two classes ---- */

/* Returns 1 if neither fact follows from the text of the other: each text
 * denies the other fact or leaves it open. */
static int follows_not(const struct pair *a, const struct pair *b)
{
    return denies(a, b) || leaves_open(a, b);
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
    struct pairs all = claims_of(m);

    deal_pairs(m, &how, all.pair, all.n);
}

/* The test examples of mnli_mismatched contain claims about suites.  MNLI's
 * training examples come from mnli_matched and never do. */
const struct inference infer_matched = {"mnli", "premise", "hypothesis", 1,
                                        ~(1u << FACTS_SUITE)};
const struct inference infer_mismatched = {"mnli", "premise", "hypothesis", 1,
                                           1u << FACTS_SUITE};
const struct inference infer_cb = {"cb", "premise", "hypothesis", 1, ~0u};
const struct inference infer_rte = {"rte", "sentence1", "sentence2", 0, ~0u};
const struct inference infer_rte_superglue = {"rte", "premise", "hypothesis", 1,
                                              ~0u};

/* ---- questions ---- */

/* Adds a qnli example: a question, which is the hypothesis of the pair, and a
 * text, its premise. */
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
    static const struct dealing how = {leaves_open, add_qnli};
    struct pairs all = pairs_of(m, FACTS_TOKENS);

    add_statement(m, &all, "", 1, "?");
    deal_pairs(m, &how, all.pair, all.n);
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
    struct pairs all = pairs_of(m, FACTS_TOKENS);

    add_statement(m, &all, "is it true that ", 0, "");
    deal_pairs(m, &how, all.pair, all.n);
}

/* Makes a paragraph of both texts and asks one question about each text.  Both
 * values are answers to each question, so each is correct once and wrong once,
 * and always occurs in the paragraph.  All examples are added as class 0, so
 * that the answers to a question stay together. */
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
    struct pairs all = pairs_of(m, HALF_MAX);

    /* The answers have no word sets, because overlap cannot reveal the label:
     * both values occur in the paragraph. */
    for (int i = 0; i < all.n; i++) {
        struct wording *answer = arena_zero(m->memory, sizeof *answer);

        answer->text = facts_name(fact_of(&all.pair[i]));
        all.pair[i].hypothesis = answer;
        all.pair[i].wordings = 1;
    }
    deal_pairs(m, &how, all.pair, all.n);
}
