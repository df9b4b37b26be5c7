#include "harness/data/dataset.h"

#include "harness/base/text.h"
#include "harness/data/batch.h"
#include "harness/data/tokenizer.h"

#include <math.h>

const char *const split_name[SPLITS] = {"train", "valid", "test"};

void dataset_close(struct dataset *d)
{
    tokenizer_free(d->tokenizer);
    arena_free(d->memory);
    prepared_close(&d->file);
    *d = (struct dataset){.floor = NAN};
}

static void hash_ints(struct sha256_ctx *h, const int *x, int n)
{
    if (n)
        hash_add(h, x, (size_t)n * sizeof *x);
}

void dataset_seal(struct dataset *d)
{
    struct sha256_ctx *h = hash_new();
    OWNED(arena_free) struct arena *a = arena_new();

    for (int s = 0; s < SPLITS; s++) {
        struct examples *e = &d->split[s];

        e->tokens = e->words = 0;
        hash_ints(h, &e->n, 1);
        for (int i = 0; i < e->n; i++) {
            arena_reset(a);
            const struct example r = examples_row(e, i, a);

            hash_ints(h, (int[]){r.nsource, r.ntarget, r.label}, 3);
            if (d->subtasks)
                hash_ints(h, (int[]){r.subtask, r.group}, 2);
            hash_ints(h, r.source, r.nsource);
            hash_ints(h, r.target, r.ntarget);
            hash_ints(h, &r.prompt, r.prompt > 0);
            e->tokens += r.target ? r.ntarget - r.prompt : r.nsource;
            e->words += r.words;
        }
    }
    hash_end(h, d->digest);
    d->start = ID_EOS;
    batch_prepare(d);
}

/* Returns the ids as text: the dataset's word for each id, or the id's number
 * if there is no word, separated by blanks. */
static const char *as_words(const struct dataset *d, const int *ids, int n,
                            struct arena *a)
{
    struct text out = {0};
    int words = 0;

    while (d->words && d->words[words])
        words++;
    for (int i = 0; i < n; i++) {
        int word = ids[i] - ID_FIRST;

        if (word >= 0 && word < words)
            text_format(&out, "%s%s", i ? " " : "", d->words[word]);
        else
            text_format(&out, "%s%d", i ? " " : "", ids[i]);
    }
    return text_keep(&out, a);
}

/* Returns the ids as text: decodes each run of pieces, and prints each sentinel
 * as "<extra_id_N>". */
static const char *as_text(const struct dataset *d, const int *ids, int n,
                           struct arena *a)
{
    int pieces = tokenizer_pieces(d->tokenizer), from = 0, at = 0;
    struct text out = {0};

    while (at < n) {
        const char *gap = at ? " " : "";

        for (from = at; at < n && ids[at] < pieces; at++)
            ;
        if (at > from)
            text_format(&out, "%s%s", gap,
                        tokenizer_decode(d->tokenizer, ids + from, at - from,
                                         a));
        for (; at < n && ids[at] >= pieces; at++)
            text_format(&out, "%s<extra_id_%d>", at ? " " : "",
                        d->vocab - 1 - ids[at]);
    }
    return text_keep(&out, a);
}

const char *dataset_text(const struct dataset *d, const int *ids, int n,
                         struct arena *a)
{
    int end = 0;

    while (end < n && ids[end] != ID_EOS)
        end++;
    return d->tokenizer ? as_text(d, ids, end, a) : as_words(d, ids, end, a);
}

void dataset_unigram(const struct dataset *d, double *logp)
{
    const struct examples *e = &d->split[SPLIT_TRAIN];
    OWNED(arena_free) struct arena *a = arena_new();
    double total = d->vocab;

    for (int v = 0; v < d->vocab; v++)
        logp[v] = 1;
    for (int i = 0; i < e->n; i++) {
        arena_reset(a);
        const struct example r = examples_row(e, i, a);

        for (int j = r.prompt; j < r.ntarget; j++)
            logp[r.target[j]]++;
        total += r.ntarget - r.prompt;
    }
    for (int v = 0; v < d->vocab; v++)
        logp[v] = log(logp[v] / total);
}
