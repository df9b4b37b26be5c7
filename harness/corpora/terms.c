#include "harness/corpora/corpus.h"

#include <string.h>

/* Approximate sizes, to one or two digits, after the distributors' pages and
 * the catalogue of TensorFlow Datasets; the licence only where the distribution
 * or its page names one. */
static const struct { const char *corpus; struct corpus_terms is; } terms[] = {
    {"wmt14_ende", {1.6e9, NULL}},
    {"wmt14_enfr", {6.2e9, NULL}},
    {"lm1b", {1.8e9, NULL}},
    {"c4", {3.05e11, "ODC-By"}},
    {"cnndm", {6e8, NULL}},
    {"agnews", {1.2e7, NULL}},
    {"imdb", {8.4e7, NULL}},
    {"glue_cola", {4e5, NULL}},
    {"glue_sst2", {7.4e6, NULL}},
    {"glue_mrpc", {1.5e6, NULL}},
    {"glue_qqp", {4.2e7, NULL}},
    {"glue_stsb", {8e5, NULL}},
    {"glue_mnli", {3.13e8, NULL}},
    {"glue_qnli", {1.1e7, NULL}},
    {"glue_rte", {7e5, NULL}},
    {"glue_wnli", {3e4, NULL}},
    {"glue_ax", {2e5, NULL}},
    {"superglue_boolq", {4.1e6, NULL}},
    {"superglue_cb", {8e4, NULL}},
    {"superglue_copa", {4e4, NULL}},
    {"superglue_multirc", {1.1e6, NULL}},
    {"superglue_record", {5.2e7, NULL}},
    {"superglue_rte", {8e5, NULL}},
    {"superglue_wic", {4e5, NULL}},
    {"superglue_wsc", {3e4, NULL}},
    {"superglue_axb", {3e4, NULL}},
    {"superglue_axg", {1e4, NULL}},
    {"ddtp_ende", {1.7e7, "that of each Debian package"}},
    {"ddtp_enfr", {1.8e7, "that of each Debian package"}},
    {"ddtp_sum", {1.5e7, "that of each Debian package"}},
    {"packages", {9e6, "that of each Debian package"}},
    {"wesnoth", {1.3e7, "GPL-2+"}},
    {"sentiment", {1e5, "MIT (the npm package)"}},
};

struct corpus_terms corpus_terms(const struct corpus *c)
{
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
        if (!strcmp(terms[i].corpus, c->name))
            return terms[i].is;
    return (struct corpus_terms){0, NULL};
}
