/* wordnet: meanings, their words and their examples (data/format/synsets.h). */
#include "harness/corpora/corpus.h"

#include "harness/base/err.h"
#include "harness/data/format/synsets.h"

static int read_part(const struct corpus_reading *x)
{
    char path[CORPUS_PATH];
    struct synsets *s = NULL;
    struct synset one;
    int rc;

    TRY(corpus_path(path, x, x->split->files));
    TRY(synsets_open(&s, path));
    while ((rc = synsets_next(s, &one)) > 0)
        TRY(ROW(x, TEXT("offset", one.offset), TEXT("pos", one.pos),
                TEXTS("lemmas", one.lemma), TEXT("gloss", one.gloss),
                TEXTS("examples", one.example)));
out:
    synsets_close(s);
    return rc;
}

const struct corpus corpus_wordnet = {
    .name = "wordnet",
    .title = "WordNet 3.0",
    .from = "Debian's package wordnet-base",
    .layout = {{.name = "official",
                .read = read_part,
                .split = {{.name = "noun", .files = "data.noun"},
                          {.name = "verb", .files = "data.verb"},
                          {.name = "adj", .files = "data.adj"},
                          {.name = "adv", .files = "data.adv"}}}}};
