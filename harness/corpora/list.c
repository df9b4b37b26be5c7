#include "harness/corpora/corpus.h"

#include "harness/base/names.h"

#include <stddef.h>

#define CORPUS(name) extern const struct corpus corpus_##name;
#include "harness/corpora/list.h"
#undef CORPUS

const struct corpus *const corpus_all[] = {
#define CORPUS(name) &corpus_##name,
#include "harness/corpora/list.h"
#undef CORPUS
    NULL};

NAMES_FIND_AS(corpus, "data set", "synthbench data where")
