/* wordnet: meanings, their words and their examples (data/format/synsets.h). */
#include "harness/corpora/corpus.h"

#include "harness/data/format/synsets.h"

static int take_synset(void *x, const struct synset *s)
{
    return ROW(x, TEXT("offset", s->offset), TEXT("pos", s->pos),
               TEXTS("lemmas", s->lemma), TEXT("gloss", s->gloss),
               TEXTS("examples", s->example));
}

static int read_file(struct corpus_reading *x, const char *path)
{
    return synsets_each(path, take_synset, x);
}

const struct corpus corpus_wordnet = {
    .name = "wordnet", .title = "WordNet 3.0",
    .from = "Debian's package wordnet-base",
    .layout = {{.name = "official", .file = read_file, .split = {
        {"noun", "data.noun", 0}, {"verb", "data.verb", 0},
        {"adj", "data.adj", 0}, {"adv", "data.adv", 0}}}}};
