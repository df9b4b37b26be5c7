/* vectors: BLEU of sacreBLEU, of tensor2tensor and of multi-bleu.perl. */
#include "harness/metrics/vector_case.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/metrics/tokenize.h"

#include <stdlib.h>
#include <string.h>

extern const struct scorer scorer_bleu, scorer_bleu_t2t, scorer_bleu_multibleu;

/* FOLDER/RAW, stripped and tokenised, is FOLDER/NAME line by line; no such
 * file: fine, large cases come without. */
static int check_tokens(struct vector_case *c, tokenize *tok, const char *raw,
                        const char *name)
{
    char *path = str_format("%s/%s", c->path, name);
    struct lines in = {0}, want = {0};
    int rc = OK, there = file_exists(path);

    free(path);
    if (!there)
        return OK;
    TRY(case_lines(c, &in, raw));
    TRY(case_lines(c, &want, name));
    if (in.n != want.n)
        TRY(err_set(CASE_MISMATCH, "%s: %zu lines in %s, %zu in %s", c->path,
                    in.n, raw, want.n, name));
    for (size_t i = 0; i < in.n; i++) {
        in.line[i][text_rstrip(in.line[i], strlen(in.line[i]))] = 0;
        char *got = tok(in.line[i]);

        rc = case_equal_text(c, name, i, want.line[i], got);
        free(got);
        TRY(rc);
    }
out:
    lines_close(&in);
    lines_close(&want);
    return rc;
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

            rc = check_tokens(c, tokenizer(tokenizer_names[t]), raw, name);
            free(raw);
            free(name);
        }
    return rc;
}

/* The runs of a list, each against its own options. */
static int check_runs(struct vector_case *c, const struct scorer *s,
                      const struct case_files *f)
{
    json_t *run, *runs = json_object_get(c->expected, "runs");
    size_t i;
    int rc = OK;

    json_array_foreach(runs, i, run) {
        char where[32];

        snprintf(where, sizeof where, "runs[%zu]", i);
        TRY(case_run(c, s, f, run, where, NULL));
    }
out:
    return rc;
}

/* {"options": ..., "scores": [...]} of single segments. */
static int check_sentences(struct vector_case *c, const struct case_files *f)
{
    const char *key;
    json_t *v;
    int rc = OK;

    json_object_foreach(c->expected, key, v) {
        if (strncmp(key, "sentence_", 9))
            continue;
        json_object_set_new(json_object_get(v, "options"), "sentence_level",
                            json_true());
        TRY(case_run(c, &scorer_bleu, f, v, key, NULL));
    }
out:
    return rc;
}

static int check_sacrebleu(struct vector_case *c)
{
    struct case_files f;
    int rc;

    TRY(case_files_open(&f, c, "hyp.txt", "ref%d.txt", NULL));
    TRY(check_tokenizers(c));
    TRY(check_runs(c, &scorer_bleu, &f));
    TRY(check_sentences(c, &f));
out:
    case_files_close(&f);
    return rc;
}

static int check_t2t(struct vector_case *c)
{
    struct case_files f;
    int rc;

    TRY(case_files_open(&f, c, "hyp.txt", "ref1.txt", NULL));
    TRY(check_tokens(c, tokenize_t2t, "hyp.txt", "tok.hyp.txt"));
    TRY(check_tokens(c, tokenize_t2t, "ref1.txt", "tok.ref1.txt"));
    TRY(check_runs(c, &scorer_bleu_t2t, &f));
out:
    case_files_close(&f);
    return rc;
}

static int check_multibleu(struct vector_case *c)
{
    struct case_files f;
    int rc;

    TRY(case_files_open(&f, c, "hyp.txt", "ref%d.txt", NULL));
    TRY(check_runs(c, &scorer_bleu_multibleu, &f));
out:
    case_files_close(&f);
    return rc;
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
