/*
 * superglue: reads the tasks of SuperGLUE with one example per line, in T5's
 * text format.  MultiRC, ReCoRD and WSC have their own files.
 *
 *     TASK/{train,val,test}.jsonl     one JSON object per line
 *     source  "TASK KEY: text KEY: text"      target  the name of the label
 *
 * Test sets hide the label (-1, "<unk>"); the diagnostic sets do not.
 * Source: Wang et al., SuperGLUE (NeurIPS 2019); Raffel et al., T5, D.
 */
#include "harness/corpora/superglue.h"

#include "harness/base/err.h"
#include "harness/base/text.h"

#include <string.h>

enum { KEYS = 4 };

struct superglue {
    const char *prefix;        /* start of the source: "cb" */
    const char *key[KEYS + 1]; /* in the order of the source */
    enum superglue_label label;
    const char *const *classes;
};

const char *const superglue_boolean[] = {"False", "True", NULL};
static const char *const three[] = {"entailment", "contradiction", "neutral",
                                    NULL};
static const char *const two[] = {"entailment", "not_entailment", NULL};
static const char *const choices[] = {"choice1", "choice2", NULL};

static int class_of(const struct value *v, enum superglue_label label,
                    const char *const *classes)
{
    for (int i = 0; classes[i]; i++) {
        if (label == LABEL_BOOLEAN && v->kind == VALUE_BOOLEAN &&
            v->boolean == i)
            return i;
        if (label == LABEL_NUMBER && v->kind == VALUE_NUMBER && v->number == i)
            return i;
        if (label == LABEL_NAME && v->kind == VALUE_STRING &&
            !strcmp(v->string, classes[i]))
            return i;
    }
    return -1;
}

int superglue_class(int *out, struct corpus_reading *x,
                    const struct value *object, enum superglue_label label,
                    const char *const *classes)
{
    static const char *const expected[] = {"true or false", "0 or 1",
                                           "the name of a class"};
    const struct value *v = value_get(object, "label");

    *out = -1;
    if (!v && !strcmp(x->split->name, "test"))
        return OK;
    if (!v)
        return err_set(ERR_DATA, "there is no key 'label'");
    *out = class_of(v, label, classes);
    if (*out < 0)
        return err_set(ERR_DATA, "'label' is not %s", expected[label]);
    return OK;
}

static int take_row(void *reading, const struct jsonl *j)
{
    struct corpus_reading *x = reading;
    const struct superglue *g = x->corpus->detail;
    OWNED(text_free) struct text source = {0};
    const char *value;
    long long idx;
    int class;

    PASS(superglue_class(&class, x, j->object, g->label, g->classes));
    PASS(value_integer(&idx, j->object, "idx"));
    text_put(&source, g->prefix);
    for (int i = 0; g->key[i]; i++) {
        PASS(value_string(&value, j->object, g->key[i]));
        text_format(&source, " %s: %s", g->key[i], value);
    }
    return ROW(x, TEXT("source", source.s),
               TEXT("target", class < 0 ? "<unk>" : g->classes[class]),
               INTEGER("label", class), INTEGER("idx", idx));
}

#define WORDED(...) .detail = &(const struct superglue){__VA_ARGS__}
#define TEST(file, rows) {"test", file, rows}

SUPERGLUE(boolq, "BoolQ", SUPERGLUE_FILES("BoolQ", 9427, 3270, 3245),
          WORDED("boolq", {"passage", "question"}, LABEL_BOOLEAN,
                 superglue_boolean))
SUPERGLUE(cb, "CB", SUPERGLUE_FILES("CB", 250, 56, 250),
          WORDED("cb", {"hypothesis", "premise"}, LABEL_NAME, three))
SUPERGLUE(copa, "COPA", SUPERGLUE_FILES("COPA", 400, 100, 500),
          WORDED("copa", {"choice1", "choice2", "premise", "question"},
                 LABEL_NUMBER, choices))
SUPERGLUE(rte, "RTE", SUPERGLUE_FILES("RTE", 2490, 277, 3000),
          WORDED("rte", {"hypothesis", "premise"}, LABEL_NAME, two))
SUPERGLUE(wic, "WiC", SUPERGLUE_FILES("WiC", 5428, 638, 1400),
          WORDED("wic", {"sentence1", "sentence2", "word"}, LABEL_BOOLEAN,
                 superglue_boolean))
SUPERGLUE(axb, "AX-b", TEST("AX-b/AX-b.jsonl", 1104),
          WORDED("rte", {"sentence1", "sentence2"}, LABEL_NAME, two))
SUPERGLUE(axg, "AX-g", TEST("AX-g/AX-g.jsonl", 356),
          WORDED("rte", {"hypothesis", "premise"}, LABEL_NAME, two))
