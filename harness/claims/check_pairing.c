/*
 * pairing: compares three ways to form N columns of scores from two factors, A
 * (n,a) and C (n,c), both N(0,1).  Column j of row i is
 *
 *     pair      A[i, j mod a] C[i, j div a]    as in the program (ad_pair)
 *     tile      A[i, j mod a] C[i, j mod c]    both repeated side by side
 *     repeat    A[i, j div c] C[i, j div a]    each column repeated in place
 *
 * Also measures the width of A repeated N/c times, and of C repeated N/a times.
 */
#include "harness/claims/weight_draws.h"

#include "harness/base/err.h"
#include "harness/stats/linalg.h"
#include "harness/verify/attention/leaf.h"

#include <math.h>
#include <string.h>

struct sides {
    int           n, a, c, N;
    struct arena *memory;
    struct tape  *tape;
    tensor       *fa, *fc; /* (1,1,n,a) (1,1,n,c) */
};

enum way { PAIR, TILE, REPEAT };

static int read_way(enum way *out, const struct check_args *a)
{
    static const char *const names[] = {"pair", "tile", "repeat"};
    const char *word = check_word(a, "way");

    *out = PAIR;
    for (int i = 0; word && i < 3; i++)
        if (!strcmp(word, names[i])) {
            *out = (enum way)i;
            return OK;
        }
    return word ? err_set(ERR_USAGE, "way: %s: expected pair, tile or repeat",
                          word)
                : OK;
}

/* Returns the scores (n,N).  Columns from a * c on repeat the columns from the
 * first on. */
static double *combine(struct sides *s, enum way way)
{
    int a = s->a, c = s->c, N = s->N, most = N < a * c ? N : a * c;
    double *y = arena_take(s->memory, (size_t)(s->n * N) * sizeof *y);
    const tensor *b;

    tape_begin(s->tape, TAPE_EVAL, (struct rng_key){0}, 0, 0);
    b = ad_pair(s->tape, s->fa, s->fc, most);
    for (int e = 0; e < s->n * N; e++) {
        int i = e / N, j = e % N;
        int ja = way == TILE ? j % a : j / c % a;
        int jc = way == TILE ? j % c : j / a % c;

        y[e] = way == PAIR ? (double)b->x[i * most + j % most]
                           : (double)(s->fa->x[i * a + ja] *
                                      s->fc->x[i * c + jc]);
    }
    return y;
}

/* Returns the number of columns that differ from all columns before them. */
static int distinct(const struct sides *s, const double *b)
{
    int n = 0;

    for (int j = 0; j < s->N; j++) {
        int same = 0;

        for (int e = 0; e < j && !same; e++) {
            same = 1;
            for (int i = 0; i < s->n && same; i++)
                same = b[i * s->N + j] == b[i * s->N + e];
        }
        n += !same;
    }
    return n;
}

/* Returns the largest difference, over all rows i, between row i of the scores
 * `b` and the Kronecker product of row i of C with row i of A. */
static double by_row(const struct sides *s, const double *b)
{
    double worst = 0;

    for (int e = 0; e < s->n * s->N; e++) {
        int i = e / s->N, j = e % s->N;
        real want = s->fc->x[i * s->c + j / s->a % s->c] *
                    s->fa->x[i * s->a + j % s->a];

        worst = fmax(worst, fabs(b[e] - (double)want));
    }
    return worst;
}

static int kronecker_rank(const struct sides *s)
{
    int n = s->n, w = s->a * s->c;
    double *k = arena_take(s->memory, (size_t)(n * n * w) * sizeof *k);

    for (int e = 0; e < n * n * w; e++) {
        int r = e / w, j = e % w;

        k[e] = (double)s->fc->x[r / n * s->c + j / s->a] *
               (double)s->fa->x[r % n * s->a + j % s->a];
    }
    return linalg_rank(n * n, w, k, 1e-5);
}

static int run_pairing(const struct check_args *a, struct check_out *o)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    struct sides s = {.memory = memory};
    enum way way;

    PASS(read_way(&way, a));
    PASS(check_layer_int(&s.n, a, "n", 1, 16));
    PASS(check_layer_int(&s.a, a, "a", 1, 32));
    PASS(check_layer_int(&s.c, a, "c", 1, 32));
    PASS(check_layer_int(&s.N, a, "N", 1, 4096));
    backend_cpu.thread_begin();
    s.tape = tape_new(&backend_cpu);
    s.fa = leaf_new(memory, 11, 4, (int[]){1, 1, s.n, s.a});
    s.fc = leaf_new(memory, 12, 4, (int[]){1, 1, s.n, s.c});
    const double *b = combine(&s, way);
    tape_free(s.tape);
    check_say(o, "pairs", s.a * s.c / (double)s.N, 0);
    check_say(o, "columns", distinct(&s, b), 0);
    check_say(o, "wide_a", s.a * (s.N / (double)s.c), 0);
    check_say(o, "wide_c", s.c * (s.N / (double)s.a), 0);
    check_say(o, "by_row", by_row(&s, b), 0);
    check_say(o, "rank", linalg_rank(s.n, s.N, b, 1e-5), 0);
    check_say(o, "kronecker", kronecker_rank(&s), 0);
    return OK;
}

static const struct check_parameter parameters[] = {
    {"way", NAN, "pair, tile or repeat; default: pair"},
    {"n", 8, "rows"},
    {"a", 4, "columns of A"},
    {"c", 4, "columns of C"},
    {"N", 16, "columns of scores"},
    {0}};

static const struct check_measure measures[] = {
    {"pairs", "a c / N"},
    {"columns", "number of different columns"},
    {"wide_a", "columns of A repeated N / c times"},
    {"wide_c", "columns of C repeated N / a times"},
    {"by_row", "largest difference from C_i (x) A_i, row by row"},
    {"rank", "rank of the scores"},
    {"kronecker", "rank of the Kronecker product of the two matrices"},
    {0}};

const struct check check_pairing = {
    "pairing", "N columns of scores from two factors", parameters, measures,
    run_pairing};
