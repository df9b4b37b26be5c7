/*
 * gen_scfg: draws translations from a synchronous grammar, whose rules have a
 * source side and a target side:
 *
 *     S  -> NP_s V NP_o            NP_s NP_o V
 *     NP -> adjective^{0..3} N     N adjective^{0..3}
 *
 * NP is a noun phrase, with s for the subject and o for the object; V is a verb
 * and N a noun.  Nouns and verbs have one translation each, by a fixed
 * bijection; an adjective has two, one for each gender of its noun.  The target
 * follows from the source: cross-attention can find every word of the target.
 */
#include "harness/base/rng.h"
#include "harness/tasks/gen/law.h"

enum {
    NOUNS = 8, ADJECTIVES = 4, VERBS = 6, GENDERS = 2, MOST = 3,
    NOUN = ID_FIRST,
    ADJECTIVE = NOUN + NOUNS,
    VERB = ADJECTIVE + ADJECTIVES,
    T_NOUN = VERB + VERBS,
    T_ADJECTIVE = T_NOUN + NOUNS,
    T_VERB = T_ADJECTIVE + ADJECTIVES * GENDERS,
    END = T_VERB + VERBS,
    LONGEST = 2 * (MOST + 1) + 2,
    SEED = 1, SITE_LEXICON = 64
};

struct lexicon { int noun[NOUNS], adjective[ADJECTIVES], verb[VERBS]; };

static void shuffle(int *order, int n, uint32_t part)
{
    rng_shuffle((struct rng_key){SEED, RNG_DATA, part, SITE_LEXICON}, n,
                order);
}

static void begin(void *self, struct dataset *d, const struct task_opts *o)
{
    struct lexicon *me = self;

    shuffle(me->noun, NOUNS, 0);
    shuffle(me->adjective, ADJECTIVES, 1);
    shuffle(me->verb, VERBS, 2);
    (void)d;
    (void)o;
}

static void draw_phrase(const struct lexicon *me, struct draw *r,
                        struct drawn *out)
{
    int adjectives = draw_below(r, MOST + 1), noun = draw_below(r, NOUNS);
    int *source = out->source + out->nsource;
    int *target = out->target + out->ntarget;

    *target++ = T_NOUN + me->noun[noun];
    for (int i = 0; i < adjectives; i++) {
        int a = draw_below(r, ADJECTIVES);

        *source++ = ADJECTIVE + a;
        *target++ = T_ADJECTIVE + GENDERS * me->adjective[a] + noun % GENDERS;
    }
    *source = NOUN + noun;
    out->nsource += adjectives + 1;
    out->ntarget += adjectives + 1;
}

static void draw_example(struct draw *r, struct drawn *out)
{
    const struct lexicon *me = draw_self(r);
    int verb = draw_below(r, VERBS);

    draw_phrase(me, r, out);
    out->source[out->nsource++] = VERB + verb;
    draw_phrase(me, r, out);
    out->source[out->nsource++] = ID_EOS;
    out->target[out->ntarget++] = T_VERB + me->verb[verb];
    out->target[out->ntarget++] = ID_EOS;
}

LAW(gen_scfg, "Grammar translation", "synchronous grammar",
    "sentences of a synchronous grammar", TRANSDUCE,
    .size = sizeof(struct lexicon), .length = LONGEST, .vocab = END,
    .begin = begin, .draw = draw_example, .reach = ROWS_ANY)
