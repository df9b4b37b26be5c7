/*
 * lines: language modelling.
 *
 *     lm1b    training-monolingual.tokenized.shuffled/news.en-000NN-of-00100
 *             heldout-monolingual.tokenized.shuffled/news.en.heldout-000NN-
 *             of-00050: one sentence a line; shard 0 of the held-out ones is
 *             the validation set, as everybody takes it
 *     c4      en/c4-train.NNNNN-of-01024.json.gz, one {"text"} a line
 *
 * Shards are read by their names.  Sentences lose the white space at their
 * ends; documents are taken as they are.  Empty ones are left out.
 * Source: Chelba et al. (2013); Raffel et al., T5 (JMLR 2020), 2.2.
 */
#include "harness/corpora/corpus.h"

#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/data/format/jsonl.h"

#include <string.h>

static int read_sentences(const struct corpus_reading *x, const char *file)
{
    struct linefile *f = NULL;
    char path[CORPUS_PATH], *line;
    int rc;

    TRY(corpus_path(path, x, file));
    TRY(linefile_open(&f, path));
    while ((rc = linefile_next(f, &line)) > 0) {
        line = text_strip(line);
        if (*line)
            TRY(ROW(x, TEXT("text", line)));
        else
            TRY(corpus_skip(x, file, linefile_number(f), "empty", NULL));
    }
out:
    linefile_close(f);
    return rc;
}

static int read_document(const struct corpus_reading *x, const char *file,
                         const struct jsonl *j)
{
    const char *text;
    int rc;

    TRY(value_string(&text, j->object, "text"));
    if (text[strspn(text, " \t\n\v\f\r")])
        return ROW(x, TEXT("text", text));
    rc = corpus_skip(x, file, linefile_number(j->lines), "empty", NULL);
out:
    return rc;
}

static int read_documents(const struct corpus_reading *x, const char *file)
{
    struct jsonl j = {.lines = NULL};
    char path[CORPUS_PATH];
    int rc;

    TRY(corpus_path(path, x, file));
    TRY(jsonl_open(&j, path));
    while ((rc = jsonl_next(&j)) > 0)
        TRY(jsonl_place(&j, read_document(x, file, &j)));
out:
    jsonl_close(&j);
    return rc;
}

static int read_shards(const struct corpus_reading *x,
                       int (*read)(const struct corpus_reading *x,
                                   const char *file))
{
    char pattern[CORPUS_PATH];
    struct files f = {.n = 0};
    int rc = OK, n = 0;

    for (int i = 0; corpus_pattern(pattern, x->split, i); i++) {
        TRY(files_find(&f, x->folder, pattern));
        for (int k = 0; k < f.n; k++, n++)
            TRY(read(x, f.file[k]));
        files_close(&f);
    }
    if (!n)
        rc = corpus_files(&f, x, corpus_pattern(pattern, x->split, 0));
out:
    files_close(&f);
    return rc;
}

static int read_lm1b(const struct corpus_reading *x)
{
    return read_shards(x, read_sentences);
}

static int read_c4(const struct corpus_reading *x)
{
    return read_shards(x, read_documents);
}

#define FIVE "?????"
#define OUTPUT "1-billion-word-language-modeling-benchmark-r13output/"
#define TRAINING OUTPUT "training-monolingual.tokenized.shuffled/news.en-"
#define HELDOUT OUTPUT "heldout-monolingual.tokenized.shuffled/news.en.heldout-"

const struct corpus corpus_lm1b = {
    .name = "lm1b", .title = "LM1B",
    .from = "the One Billion Word benchmark's archive (r13output)",
    .counted = "empty",
    .layout = {{.name = "official", .read = read_lm1b, .split = {
        {"train", TRAINING FIVE "-of-" FIVE, 30301028},
        {"valid", HELDOUT "00000-of-" FIVE, 0},
        {"test", HELDOUT "0000[1-9]-of-" FIVE " " HELDOUT "000[1-9]?-of-"
                 FIVE, 0}}}}};

const struct corpus corpus_c4 = {
    .name = "c4", .title = "C4",
    .from = "the Allen Institute's copy of C4, variant en",
    .counted = "empty",
    .layout = {{.name = "official", .read = read_c4, .split = {
        {"train", "en/c4-train." FIVE "-of-" FIVE ".json.gz", 364868892},
        {"valid", "en/c4-validation." FIVE "-of-" FIVE ".json.gz", 364608}}}}};
