/*
 * rows CACHE: prints the examples of every task, both those that its generator
 * draws and those made from the small corpus of tests/support/corpus.h, which
 * is written to CACHE. For each split, prints the counts, the first rows and
 * the SHA-256 of all rows:
 *
 *     == lm1b, generator: a Markov language of lag 3
 *     train  64 rows, 1024 tokens, 64 words, 0 dropped, 0 truncated  5f2a...
 *       target 3 17 5 .. | w0 w14 w2
 */
#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/tasks/task.h"
#include "tests/support/corpus.h"
#include "tests/support/dataset_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TASK(name) extern const struct task task_##name;
#include "harness/tasks/list.h"
#undef TASK

static const struct task *const tasks[] = {
#define TASK(name) &task_##name,
#include "harness/tasks/list.h"
#undef TASK
};

enum { SHOWN = 2, PACKAGES = 600 };

static void print_ids(const struct dataset *d, const char *what, const int *id,
                      int n, struct arena *a)
{
    if (!id)
        return;
    printf("    %s", what);
    for (int i = 0; i < n; i++)
        printf(" %d", id[i]);
    printf(" | %s\n", dataset_text(d, id, n, a));
}

static void print_row(const struct dataset *d, const struct example *e)
{
    struct arena *a = arena_new();

    printf("  label %d, prompt %d, words %d, subtask %d, group %d\n", e->label,
           e->prompt, e->words, e->subtask, e->group);
    print_ids(d, "source", e->source, e->nsource, a);
    print_ids(d, "target", e->target, e->ntarget, a);
    if (e->text)
        printf("    text | %s\n", e->text);
    arena_free(a);
}

/* Adds all values of a row, in order. */
static void add_row(struct sha256_ctx *h, const struct example *e)
{
    int head[] = {e->nsource, e->ntarget, e->prompt, e->label,
                  e->words,   e->subtask, e->group};

    hash_add(h, head, sizeof head);
    if (e->source)
        hash_add(h, e->source, (size_t)e->nsource * sizeof *e->source);
    if (e->target)
        hash_add(h, e->target, (size_t)e->ntarget * sizeof *e->target);
    if (e->text)
        hash_add(h, e->text, strlen(e->text) + 1);
}

static void print_split(const struct dataset *d, enum split s)
{
    const struct examples *x = &d->split[s];
    struct sha256_ctx *h = hash_new();
    char hex[HASH_HEX];

    for (int i = 0; i < x->n; i++)
        add_row(h, &x->row[i]);
    if (x->own_nll)
        hash_add(h, x->own_nll, (size_t)x->n * sizeof *x->own_nll);
    hash_end(h, hex);
    printf("%s: %d rows, %ld tokens, %ld words, %d dropped, %d truncated  "
           "%.16s\n", split_name[s], x->n, x->tokens, x->words, x->dropped,
           x->truncated, hex);
    for (int i = 0; i < x->n && i < SHOWN; i++)
        print_row(d, &x->row[i]);
}

static void print_task(const struct task *t, const struct task_opts *o)
{
    struct dataset d;

    if (open_listed(&d, t, o) < 0) {
        fprintf(stderr, "rows: %s: %s\n", t->name, err_last());
        exit(1);
    }
    printf("\n== %s, %s\n", t->name, d.source);
    printf("digest %.16s, floor %.9g nats a token, start %d, vocab %d, classes "
           "%d\n", d.digest, d.floor, d.start, d.vocab, d.classes);
    for (int s = 0; s < SPLITS; s++)
        print_split(&d, (enum split)s);
    dataset_close(&d);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: rows CACHE\n");
        return 2;
    }
    corpus_fill(argv[1], PACKAGES);
    corpus_fill_others(argv[1]);
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        struct task_opts o = {.N = 48, .length = 48, .vocab = 400,
                              .train = 64, .valid = 16,
                              .cache = argv[1]};

        if (!tasks[i]->law)
            print_task(tasks[i], &o);
        o.synthetic = 1;
        o.N = o.length = 24;
        o.vocab = 600;
        print_task(tasks[i], &o);
    }
    return 0;
}
