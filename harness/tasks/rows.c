#include "harness/tasks/rows.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/corpora/corpus.h"

#include <stdlib.h>
#include <string.h>

int rows_run(enum task_kind kind)
{
    return kind == TASK_LANGUAGE || kind == TASK_DENOISE;
}

int rows_sentinels(enum task_kind kind, int length)
{
    return kind == TASK_DENOISE ? span_shape(length).spans : 0;
}

/* Words that begin in these ids, and one for each end mark. */
static int count_words(const struct rows *r, const int *ids, int n)
{
    int words = 0;

    for (int i = 0; i < n; i++)
        words +=
            ids[i] == ID_EOS || tokenizer_begins_word(r->tokenizer, ids[i]);
    return words;
}

/* ---- an example a text ---- */

/* The ids of text and eos, at most `most`; *cut: 1 when that is not all. */
static const int *encode(struct rows *r, const char *text, int most, int *n,
                         int *cut)
{
    const int *ids = tokenizer_encode(r->tokenizer, text, n, r->scratch);

    *cut = ++*n > most;
    if (*cut)
        *n = most;
    int *out = arena_take(r->scratch, (size_t)*n * sizeof *out);
    memcpy(out, ids, (size_t)(*n - 1) * sizeof *out);
    out[*n - 1] = ID_EOS;
    return out;
}

/* Whether an example whose sides are cut is of use: half a sentence has no
 * translation, not even in a test. */
static int is_whole(const struct rows *r, int source, int target)
{
    if (r->task->kind != TASK_TRANSDUCE)
        return 1;
    return r->task->cut ? r->split != SPLIT_TRAIN || !target
                          : !source && !target;
}

static int take_text(struct rows *r, const struct item *it)
{
    struct examples *count = &r->to->count[r->split];
    struct example e = {
        .label = it->label, .subtask = it->subtask, .group = it->group};
    int most = r->o->length, source = 0, target = 0;

    if (it->source)
        e.source = encode(r, it->source, most, &e.nsource, &source);
    if (it->target) {
        most = task_target(r->task, r->o);
        e.target = encode(r, it->target, most, &e.ntarget, &target);
        e.words = count_words(r, e.target, e.ntarget);
        e.text = it->reference ? it->reference : it->target;
    }
    if (!is_whole(r, source, target)) {
        count->dropped++;
        return OK;
    }
    if (r->skip > 0) {
        r->skip--;
        return OK;
    }
    count->truncated += source || target;
    return pack_example(r->to, r->split, &e);
}

/* ---- rows of running text ---- */

static void append(struct rows *r, const int *ids, int n)
{
    ARRAY_MORE(r->ids, r->n, r->cap, (size_t)n);
    memcpy(r->ids + r->n, ids, (size_t)n * sizeof *ids);
    r->n += (size_t)n;
}

static int pack_run(struct rows *r, const int *ids)
{
    const struct span_shape *s = &r->span;
    struct example e = {.target = ids, .ntarget = r->o->length};

    if (r->skip > 0) {
        r->skip--;
        return OK;
    }
    if (s->text) {
        int *source = arena_take(r->scratch, (size_t)s->source * sizeof *ids);
        int *target = arena_take(r->scratch, (size_t)s->target * sizeof *ids);

        span_corrupt(source, target, ids, s, r->o->vocab);
        e = (struct example){.source = source, .nsource = s->source,
                             .target = target, .ntarget = s->target};
    } else {
        e.words = count_words(r, ids, r->o->length);
    }
    return pack_example(r->to, r->split, &e);
}

/* What is left at the end is too short for a row. */
static int take_run(struct rows *r, const struct item *it)
{
    static const int eos = ID_EOS;
    size_t used = 0, length = (size_t)(r->span.text ? r->span.text
                                                    : r->o->length);
    const struct examples *count = &r->to->count[r->split];
    int n;
    const int *ids = tokenizer_encode(r->tokenizer, it->target, &n, r->scratch);

    append(r, ids, n);
    if (!r->span.text)
        append(r, &eos, 1);
    for (; used + length <= r->n && (!r->most || count->n < r->most);
         used += length)
        PASS(pack_run(r, r->ids + used));
    r->n -= used;
    memmove(r->ids, r->ids + used, r->n * sizeof *r->ids);
    return OK;
}

/* ---- both ---- */

void rows_begin(struct rows *r)
{
    r->scratch = arena_new();
    if (r->task->kind == TASK_DENOISE)
        r->span = span_shape(r->o->length);
}

int rows_take(void *rows, const struct item *it)
{
    struct rows *r = rows;

    if (r->most && r->to->count[r->split].n >= r->most)
        return CORPUS_ENOUGH;
    arena_reset(r->scratch);
    return rows_run(r->task->kind) ? take_run(r, it) : take_text(r, it);
}

void rows_end(struct rows *r)
{
    arena_free(r->scratch);
    free(r->ids);
}
