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
#include "harness/claims/check.h"

#include "harness/base/err.h"
#include "harness/engine/ops.h"
#include "harness/stats/linalg.h"
#include "harness/verify/attention/leaf.h"

#include <math.h>

struct sides {
    int           n, a, c, N;
    struct arena *memory;
    struct tape  *tape;
    tensor       *fa, *fc; /* (1,1,n,a) (1,1,n,c) */
};

enum way { PAIR, TILE, REPEAT };

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

static int run_pairing(const struct check_values *v, struct check_out *o)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    struct sides s = {v->n, v->a, v->c, v->N, memory, NULL, NULL, NULL};

    PASS(check_range("n", v->n, 1, 16));
    backend_cpu.thread_begin();
    s.tape = tape_new(&backend_cpu);
    s.fa = leaf_new(memory, 11, 4, (int[]){1, 1, s.n, s.a});
    s.fc = leaf_new(memory, 12, 4, (int[]){1, 1, s.n, s.c});
    const double *b = combine(&s, (enum way)v->way);
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

const struct check check_pairing = {
    "pairing", "N columns of scores from two factors",
    "way=pair n=8 a=4 c=4 N=16", run_pairing,
    {{"pairs", "a c / N"},
     {"columns", "number of different columns"},
     {"wide_a", "columns of A repeated N / c times"},
     {"wide_c", "columns of C repeated N / a times"},
     {"by_row", "largest difference from C_i (x) A_i, row by row"},
     {"rank", "rank of the scores"},
     {"kronecker", "rank of the Kronecker product of the two matrices"}}};
