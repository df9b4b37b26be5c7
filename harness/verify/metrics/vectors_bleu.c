/* vectors: BLEU of sacreBLEU, of tensor2tensor and of multi-bleu.perl. */
#include "harness/verify/metrics/vector_case.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/metrics/bleu/tokenize.h"

#include <stdlib.h>
#include <string.h>

extern const struct scorer scorer_bleu, scorer_bleu_t2t, scorer_bleu_multibleu;

/* sacreBLEU strips a line before it cuts it up. */
static char *strip_and_cut(const void *with, const char *line)
{
    OWNED(free) char *copy = str_copy(line);

    copy[text_rstrip(copy, strlen(copy))] = 0;
    return tokenizer(with)(copy);
}

static char *cut_as_t2t(const void *with, const char *line)
{
    (void)with;
    return tokenize_t2t(line);
}

static int check_tokenizers(struct vector_case *c)
{
    static const char *const side[] = {"hyp", "ref1"};
    int rc = OK;

    for (int t = 0; tokenizer_names[t]; t++)
        for (int i = 0; i < 2 && rc == OK; i++) {
            char *name = str_format("tok.%s.%s.txt", tokenizer_names[t],
                                    side[i]);
            char *raw = str_format("%s.txt", side[i]);

            if (case_has(c, name))
                rc = case_texts(c, raw, name, strip_and_cut,
                                tokenizer_names[t]);
            free(raw);
            free(name);
        }
    return rc;
}

/* {"options": ..., "scores": [...]} of single segments. */
static int check_sentences(struct vector_case *c, const struct case_files *f)
{
    const char *key;
    json_t *v;

    json_object_foreach(c->expected, key, v) {
        if (strncmp(key, "sentence_", 9))
            continue;
        json_object_set_new(json_object_get(v, "options"), "sentence_level",
                            json_true());
        PASS(case_run(c, &scorer_bleu, f, v, key, NULL));
    }
    return OK;
}

static int check_sacrebleu(struct vector_case *c)
{
    OWNED(case_files_close) struct case_files f = {.refs = 0};

    PASS(case_files_open(&f, c, "hyp.txt", "ref%d.txt", NULL));
    PASS(check_tokenizers(c));
    PASS(case_runs(c, &scorer_bleu, &f));
    return check_sentences(c, &f);
}

static int check_t2t(struct vector_case *c)
{
    OWNED(case_files_close) struct case_files f = {.refs = 0};

    PASS(case_files_open(&f, c, "hyp.txt", "ref1.txt", NULL));
    if (case_has(c, "tok.hyp.txt"))
        PASS(case_texts(c, "hyp.txt", "tok.hyp.txt", cut_as_t2t, NULL));
    if (case_has(c, "tok.ref1.txt"))
        PASS(case_texts(c, "ref1.txt", "tok.ref1.txt", cut_as_t2t, NULL));
    return case_runs(c, &scorer_bleu_t2t, &f);
}

static int check_multibleu(struct vector_case *c)
{
    OWNED(case_files_close) struct case_files f = {.refs = 0};

    PASS(case_files_open(&f, c, "hyp.txt", "ref%d.txt", NULL));
    return case_runs(c, &scorer_bleu_multibleu, &f);
}

const struct vectors vectors_bleu_sacrebleu = {
    .folders = (const char *const[]){"bleu_sacrebleu", NULL},
    .check = check_sacrebleu};

const struct vectors vectors_bleu_t2t = {
    .folders = (const char *const[]){"bleu_t2t", NULL},
    .check = check_t2t};

const struct vectors vectors_bleu_multibleu = {
    .folders = (const char *const[]){"bleu_multibleu", NULL},
    .check = check_multibleu};
