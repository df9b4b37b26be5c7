/*
 * superglue_multirc: reads questions about a passage with any number of correct
 * answers, one row per answer, in T5's text format.
 *
 *     {"idx", "passage": {"text", "questions": [{"question", "idx",
 *         "answers": [{"text", "idx", "label"}]}]}}
 *     source  "multirc question: Q answer: A paragraph: P"
 *     target  False or True; <unk> if a test set hides the label
 *
 * <br> becomes a blank; <b> and </b> are removed.
 * Source: Khashabi et al. (NAACL 2018); Raffel et al., T5 (JMLR 2020), D.
 */
#include "harness/corpora/superglue.h"

#include "harness/base/err.h"
#include "harness/base/text.h"

#include <string.h>

struct place { /* position of a row */
    const char *passage, *question;
    long long paragraph, number;
};

static const char *const tags[][2] = {
    {"<br>", " "}, {"<b>", ""}, {"</b>", ""}, {NULL}};

static int read_answer(struct corpus_reading *x, const struct place *at,
                       const struct value *answer)
{
    OWNED(text_free) struct text source = {0};
    const char *text;
    long long idx;
    int class;

    PASS(value_string(&text, answer, "text"));
    PASS(value_integer(&idx, answer, "idx"));
    PASS(superglue_class(&class, x, answer, LABEL_NUMBER, superglue_boolean));
    text_put(&source, "multirc question: ");
    text_swap(&source, at->question, tags);
    text_put(&source, " answer: ");
    text_swap(&source, text, tags);
    text_put(&source, " paragraph: ");
    text_swap(&source, at->passage, tags);
    return ROW(
        x, TEXT("source", source.s),
        TEXT("target", class < 0 ? "<unk>" : superglue_boolean[class]),
        INTEGER("label", class),
        OBJECT("idx", INTEGER("paragraph", at->paragraph),
               INTEGER("question", at->number), INTEGER("answer", idx)));
}

static int read_question(struct corpus_reading *x, struct place *at,
                         const struct value *question)
{
    const struct value *answer;

    PASS(value_string(&at->question, question, "question"));
    PASS(value_integer(&at->number, question, "idx"));
    PASS(value_list(&answer, question, "answers"));
    for (; answer; answer = answer->next)
        PASS(read_answer(x, at, answer));
    return OK;
}

static int take_row(void *x, const struct jsonl *j)
{
    const struct value *passage, *question;
    struct place at;

    PASS(value_integer(&at.paragraph, j->object, "idx"));
    PASS(value_object(&passage, j->object, "passage"));
    PASS(value_string(&at.passage, passage, "text"));
    PASS(value_list(&question, passage, "questions"));
    for (; question; question = question->next)
        PASS(read_question(x, &at, question));
    return OK;
}

SUPERGLUE(multirc, "MultiRC", SUPERGLUE_FILES("MultiRC", 27243, 4848, 9693),
          .counted = NULL)
