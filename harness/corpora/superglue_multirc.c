/*
 * superglue_multirc: questions on a passage with any number of right answers,
 * one row an answer, as T5 words them.
 *
 *     {"idx", "passage": {"text", "questions": [{"question", "idx",
 *         "answers": [{"text", "idx", "label"}]}]}}
 *     source  "multirc question: Q answer: A paragraph: P"
 *     target  False or True; <unk> where a test set hides the label
 *
 * <br> becomes a blank, <b> and </b> vanish.
 * Source: Khashabi et al. (NAACL 2018); Raffel et al., T5 (JMLR 2020), D.
 */
#include "harness/corpora/superglue.h"

#include "harness/base/err.h"
#include "harness/base/text.h"

#include <string.h>

struct place { /* of a row */
    const char *passage, *question;
    long long paragraph, number;
};

static void put_without_tags(struct text *out, const char *s)
{
    static const struct {
        const char *tag, *instead;
    } tags[] = {{"<br>", " "}, {"<b>", ""}, {"</b>", ""}};

    while (*s) {
        size_t plain = strcspn(s, "<"), used = 1;
        const char *instead = "<";

        text_add(out, s, plain);
        s += plain;
        if (!*s)
            break;
        for (int i = 0; i < 3; i++)
            if (!strncmp(s, tags[i].tag, strlen(tags[i].tag))) {
                instead = tags[i].instead;
                used = strlen(tags[i].tag);
            }
        text_put(out, instead);
        s += used;
    }
}

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
    put_without_tags(&source, at->question);
    text_put(&source, " answer: ");
    put_without_tags(&source, text);
    text_put(&source, " paragraph: ");
    put_without_tags(&source, at->passage);
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

const struct corpus corpus_superglue_multirc = {
    .name = "superglue_multirc", .family = "superglue",
    .title = "MultiRC",
    .from = SUPERGLUE_FROM ": MultiRC",
    .layout = {{.name = "official", .object = take_row, .split = {
        SUPERGLUE_FILES("MultiRC", 27243, 4848, 9693)}}}};
