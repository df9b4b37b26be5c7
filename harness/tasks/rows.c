#include "harness/tasks/rows.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/tasks/official.h"

#include <stdlib.h>
#include <string.h>

enum { LOT_BYTES = 1 << 18, LOTS_PER_THREAD = 4, HELD_MOST = 1 << 24 };

struct piece {       /* an item as ids */
    struct example e; /* for running text, `target` has all ids */
    int source, target; /* 1: this side was truncated */
};

struct lot {
    struct arena *memory;
    int n, rows;
    size_t cap, bytes;
    struct taken { struct item item; struct official_count count; } *item;
    struct piece *piece; /* (n) */
    struct example *row; /* (rows) */
    const void *block;
    size_t block_bytes;
};

struct line { /* the pipeline of lots */
    struct rows *r;
    struct span_shape span;
    int lots, at;
    struct lot *lot;
    int over; /* 1: no more items are needed */

    /* For the step "choose" (rows.h). */
    int enough;                  /* 1: `most` examples reached */
    struct official_count count; /* rows read at that point */
    int made;                    /* number of examples */
    int *ids;                    /* running text not yet in a row */
    size_t left, cap;

    /* For the step "write". */
    int rc;
    char *message;
};

int rows_run(enum task_kind kind)
{
    return kind == TASK_LANGUAGE || kind == TASK_DENOISE;
}

int rows_sentinels(enum task_kind kind, int length)
{
    return kind == TASK_DENOISE ? span_shape(length).spans : 0;
}

/* Returns the number of words that begin in these ids, plus one for each end
 * mark. */
static int count_words(const struct rows *r, const int *ids, int n)
{
    int words = 0;

    for (int i = 0; i < n; i++)
        words +=
            ids[i] == ID_EOS || tokenizer_begins_word(r->tokenizer, ids[i]);
    return words;
}

static int is_over(struct line *x)
{
    int over;

    #pragma omp atomic read
    over = x->over;
    return over;
}

static void set_over(struct line *x)
{
    #pragma omp atomic write
    x->over = 1;
}

/* ---- cut ---- */

/* Returns the *n ids of `text` and eos, at most `most`.  Sets *cut to 1 if the
 * text is truncated, else to 0. */
static const int *encode(const struct rows *r, const char *text, int most,
                         int *n, int *cut, struct arena *a)
{
    const int *ids = tokenizer_encode(r->tokenizer, text, n, a);

    *cut = ++*n > most;
    if (*cut)
        *n = most;
    int *out = arena_take(a, (size_t)*n * sizeof *out);
    memcpy(out, ids, (size_t)(*n - 1) * sizeof *out);
    out[*n - 1] = ID_EOS;
    return out;
}

static void cut_text(const struct rows *r, struct piece *p,
                     const struct item *it, struct arena *a)
{
    struct example *e = &p->e;
    int target = task_target(r->task, r->o);

    *p = (struct piece){.e = {.label = it->label, .subtask = it->subtask,
                              .group = it->group}};
    if (it->source)
        e->source = encode(r, it->source, r->o->length, &e->nsource,
                           &p->source, a);
    if (it->target) {
        e->target = encode(r, it->target, target, &e->ntarget, &p->target, a);
        e->words = count_words(r, e->target, e->ntarget);
        e->text = it->reference ? it->reference : it->target;
    }
}

static void cut_lot(struct line *x, struct lot *l)
{
    int run = rows_run(x->r->task->kind);

    l->piece = arena_take(l->memory, (size_t)l->n * sizeof *l->piece);
    for (int i = 0; i < l->n && !is_over(x); i++) {
        const struct item *it = &l->item[i].item;
        struct piece *p = &l->piece[i];

        if (!run) {
            cut_text(x->r, p, it, l->memory);
            continue;
        }
        *p = (struct piece){.source = 0};
        p->e.target = tokenizer_encode(x->r->tokenizer, it->target,
                                       &p->e.ntarget, l->memory);
    }
}

/* ---- choose ---- */

/* Returns 1 if the example is usable, although its sides may be truncated (see
 * rows.h).  Half a sentence has no translation, so a truncated pair is dropped
 * even in the test set. */
static int is_whole(const struct rows *r, const struct piece *p)
{
    if (r->task->kind != TASK_TRANSDUCE)
        return 1;
    return r->task->cut ? r->split != SPLIT_TRAIN || !p->target
                        : !p->source && !p->target;
}

/* Adds the example to the rows of the lot, unless examples are still to be
 * skipped. */
static void add_row(struct line *x, struct lot *l, const struct example *e)
{
    if (x->r->skip > 0) {
        x->r->skip--;
        return;
    }
    l->row[l->rows++] = *e;
    x->made++;
}

static void choose_text(struct line *x, struct lot *l, const struct piece *p)
{
    struct examples *count = &x->r->to->count[x->r->split];
    int before = x->made;

    if (!is_whole(x->r, p)) {
        count->dropped++;
        return;
    }
    add_row(x, l, &p->e);
    count->truncated += x->made > before && (p->source || p->target);
}

static void append(struct line *x, const int *ids, int n)
{
    ARRAY_MORE(x->ids, x->left, x->cap, (size_t)n);
    if (n)
        memcpy(x->ids + x->left, ids, (size_t)n * sizeof *ids);
    x->left += (size_t)n;
}

/* Appends the piece to the running text and cuts this into rows.  The ids left
 * at the end, too few for a row, are kept for the next piece. */
static void choose_run(struct line *x, struct lot *l, const struct piece *p)
{
    static const int eos = ID_EOS;
    const struct rows *r = x->r;
    int length = x->span.text ? x->span.text : r->o->length;
    size_t used = 0, n = (size_t)length;

    append(x, p->e.target, p->e.ntarget);
    if (!x->span.text)
        append(x, &eos, 1);
    for (; used + n <= x->left && (!r->most || x->made < r->most); used += n) {
        struct example e = {.ntarget = length};
        int *ids = arena_take(l->memory, n * sizeof *ids);

        e.target = memcpy(ids, x->ids + used, n * sizeof *ids);
        add_row(x, l, &e);
    }
    x->left -= used;
    memmove(x->ids, x->ids + used, x->left * sizeof *x->ids);
}

/* Returns the greatest possible number of examples of the lot.  For running
 * text, this is the number of rows that its ids and those left by earlier lots
 * fill. */
static size_t rows_at_most(const struct line *x, const struct lot *l)
{
    int length = x->span.text ? x->span.text : x->r->o->length;
    size_t ids = x->left;

    if (!rows_run(x->r->task->kind))
        return (size_t)l->n;
    for (int i = 0; i < l->n; i++)
        ids += (size_t)l->piece[i].e.ntarget + 1;
    return ids / (size_t)length;
}

static void choose_lot(struct line *x, struct lot *l)
{
    int run = rows_run(x->r->task->kind);

    l->rows = 0;
    if (is_over(x))
        return;
    l->row = arena_take(l->memory, rows_at_most(x, l) * sizeof *l->row);
    for (int i = 0; i < l->n; i++) {
        if (x->r->most && x->made >= x->r->most) {
            x->enough = 1;
            x->count = l->item[i].count;
            set_over(x);
            return;
        }
        (run ? choose_run : choose_text)(x, l, &l->piece[i]);
    }
}

/* ---- pack, write ---- */

static void finish_run(const struct line *x, struct example *e, struct arena *a)
{
    const struct span_shape *s = &x->span;

    if (!s->text) {
        e->words = count_words(x->r, e->target, e->ntarget);
        return;
    }
    int *source = arena_take(a, (size_t)s->source * sizeof *source);
    int *target = arena_take(a, (size_t)s->target * sizeof *target);
    span_corrupt(source, target, e->target, s, x->r->o->vocab);
    *e = (struct example){.source = source, .nsource = s->source,
                          .target = target, .ntarget = s->target};
}

static void pack_lot(struct line *x, struct lot *l)
{
    for (int i = 0; i < l->rows && rows_run(x->r->task->kind); i++)
        finish_run(x, &l->row[i], l->memory);
    l->block = pack_rows(&l->block_bytes, l->row, l->rows, x->r->o->vocab,
                         l->memory);
}

static void write_lot(struct line *x, struct lot *l)
{
    if (x->rc < 0)
        return;
    x->rc = pack_add(x->r->to, x->r->split, l->block, l->block_bytes, l->rows);
    if (x->rc < 0) {
        x->message = str_copy(err_last());
        set_over(x);
    }
}

/* ---- the pipeline ---- */

static const char *copy(struct lot *l, const char *s)
{
    l->bytes += s ? strlen(s) : 0;
    return s ? arena_text(l->memory, s) : NULL;
}

/* Clears a lot.  Releases its memory if this is large because of a very long
 * text. */
static void clear_lot(struct lot *l)
{
    l->n = 0;
    l->bytes = 0;
    if (arena_held(l->memory) <= HELD_MOST) {
        arena_reset(l->memory);
        return;
    }
    arena_free(l->memory);
    l->memory = arena_new();
}

/* Starts the four steps (OpenMP tasks) of the current lot.  If all lots are in
 * progress, waits for them; meanwhile, this thread works on them, too. */
static void send(struct line *x)
{
    struct lot *l = &x->lot[x->at];

    #pragma omp task depend(inout: l[0])
    cut_lot(x, l);
    #pragma omp task depend(inout: l[0]) depend(inout: x->made)
    choose_lot(x, l);
    #pragma omp task depend(inout: l[0])
    pack_lot(x, l);
    #pragma omp task depend(inout: l[0]) depend(inout: x->rc)
    write_lot(x, l);
    if (++x->at < x->lots)
        return;
    #pragma omp taskwait
    for (x->at = x->lots; x->at; x->at--)
        clear_lot(&x->lot[x->at - 1]);
}

static int take_row(void *line, const struct item *it)
{
    struct line *x = line;
    struct lot *l = &x->lot[x->at];
    struct item own = *it;

    if (is_over(x))
        return CORPUS_ENOUGH;
    own.source = copy(l, it->source);
    own.target = copy(l, it->target);
    own.reference = copy(l, it->reference);
    ARRAY_ROOM(l->item, l->n, l->cap);
    l->item[l->n++] = (struct taken){own, *x->r->count};
    if (l->bytes >= LOT_BYTES)
        send(x);
    return OK;
}

static int read_all(struct line *x, char **why)
{
    int rc = x->r->each(x->r->of, take_row, x);

    *why = str_copy(err_last()); /* copied because this thread also works on
                                    lots, which may set another error */
    send(x);
    return rc;
}

int rows_make(struct rows *r)
{
    int threads = r->o->threads > 1 ? r->o->threads : 1, rc = OK;
    struct line x = {.r = r,
                     .lots = threads > 1 ? LOTS_PER_THREAD * threads : 1};
    OWNED(free) char *why = NULL;

    if (r->task->kind == TASK_DENOISE)
        x.span = span_shape(r->o->length);
    x.lot = calloc((size_t)x.lots, sizeof *x.lot);
    for (int i = 0; i < x.lots; i++)
        x.lot[i].memory = arena_new();
    #pragma omp parallel num_threads(threads)
    #pragma omp master
    rc = read_all(&x, &why);
    if (x.rc < 0)
        rc = err_set(x.rc, "%s", x.message);
    else if (x.enough)
        *r->count = x.count;
    else if (rc < 0)
        err_set(rc, "%s", why);
    for (int i = 0; i < x.lots; i++) {
        arena_free(x.lot[i].memory);
        free(x.lot[i].item);
    }
    free(x.lot);
    free(x.ids);
    free(x.message);
    return x.rc >= 0 && x.enough ? OK : rc;
}
