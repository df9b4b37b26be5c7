/*
 * glue_winograd: generates Winograd schemas for the parts wnli and wsc, such as
 * "Karl gave Otto the book because he was generous."  The referent of the
 * pronoun follows only from the verb and the reason, since the names are
 * random.
 */
#include "harness/tasks/glue/glue_parts.h"

#include <string.h>

static const char *const name[] = {
    "Karl", "Otto",  "Emil", "Anton", "Paul", "Jonas", "Hugo", "Oscar",
    "Leo",  "Felix", "Tom",  "Max",   "Rex",  "Ivan",  "Kurt", "Nils"};
enum { NAMES = sizeof name / sizeof *name };

/* The reasons in reason[0] apply to the agent, those in reason[1] to the other
 * person. */
static const struct { const char *act, *reason[2][3]; } schemas[] = {
    {"%s gave %s the book",
     {{"was generous", "had two of them", "liked to help"},
      {"had asked for it", "needed it", "was curious"}}},
    {"%s lent %s some money",
     {{"was rich", "trusted people", "had enough"},
      {"was poor", "could not pay", "had to buy bread"}}},
    {"%s thanked %s", {{"had been helped", "was grateful", "got a present"},
                       {"had been helpful", "had cooked", "gave a present"}}},
    {"%s asked %s for advice",
     {{"was not sure", "had no experience", "was lost"},
      {"was wise", "was an expert", "knew the way"}}},
    {"%s caught %s", {{"was faster", "was the better runner", "did not tire"},
                      {"was slower", "stumbled", "was too tired to run"}}},
    {"%s taught %s",
     {{"was a teacher", "knew the subject", "had studied it"},
      {"was a pupil", "wanted to learn", "had to pass a test"}}},
    {"%s visited %s in hospital",
     {{"was worried", "had time", "wanted to bring flowers"},
      {"was ill", "had broken a leg", "could not leave"}}},
    {"%s paid %s", {{"had ordered the work", "was the owner", "owed it"},
                    {"had done the work", "had earned it", "was the waiter"}}},
};
enum { SCHEMAS = sizeof schemas / sizeof *schemas, REASONS = 3, DRAWS = 4000 };

struct winograd {
    const char *one, *two; /* names of the agent and of the other person */
    const char *meant;     /* referent of "he": `one` or `two`           */
    const char *act, *reason, *sentence;
    enum split split;
};

static struct winograd draw_winograd(struct mixture *m)
{
    int schema = mixture_draw(m, SCHEMAS), who = mixture_draw(m, 2);
    int a = mixture_draw(m, NAMES), b = mixture_draw(m, NAMES - 1);
    struct winograd w = {.one = name[a], .two = name[b + (b >= a)]};

    w.meant = who ? w.two : w.one;
    w.reason = schemas[schema].reason[who][mixture_draw(m, REASONS)];
    w.act = arena_format(m->memory, schemas[schema].act, w.one, w.two);
    w.sentence = arena_format(m->memory, "%s because he %s.", w.act, w.reason);
    w.split = ddtp_split(w.sentence, MIXTURE_VALID, MIXTURE_TEST);
    return w;
}

static const char *other(const struct winograd *w)
{
    return w->meant == w->one ? w->two : w->one;
}

void make_wnli(struct mixture *m)
{
    for (int i = 0; i < DRAWS; i++) {
        struct winograd w = draw_winograd(m);
        int true_of = mixture_draw(m, 2);
        const char *who = true_of ? w.meant : other(&w);

        mixture_add(m, w.split, true_of, 0,
                    mixture_text(m, "wnli", "sentence1", w.sentence,
                                 "sentence2",
                                 arena_format(m->memory, "%s %s.", who,
                                              w.reason), NULL),
                    true_of ? "entailment" : "not_entailment");
    }
}

/* Returns the sentence with stars around the name `asked` and # around the
 * pronoun. */
static const char *marked(const struct winograd *w, const char *asked,
                          struct arena *a)
{
    const char *at = strstr(w->act, asked);

    return arena_format(a, "%.*s* %s *%s because # he # %s.",
                        (int)(at - w->act), w->act, asked, at + strlen(asked),
                        w->reason);
}

void make_wsc(struct mixture *m)
{
    for (int i = 0; i < DRAWS; i++) {
        struct winograd w = draw_winograd(m);
        int true_of = mixture_draw(m, 2);
        const char *who = true_of ? w.meant : other(&w);

        mixture_add(m, w.split, true_of, 0,
                    mixture_text(m, "wsc", "text", marked(&w, who, m->memory),
                                 NULL),
                    true_of ? "True" : "False");
    }
}
