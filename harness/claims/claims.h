/*
 * claims: what was said about synthesizers, and whether it holds.
 *
 * experiments/claims.yaml has sections, which are lists of claims:
 *
 *     Orthogonal queries and keys:
 *       - id: C1
 *         source: Chinese report
 *         text: A projection with orthonormal columns keeps inner products
 *         kind: computed
 *         check: projection              # claims/check.h
 *         cases:
 *           - if: k < d
 *             args: {d: 256, k: 64}
 *             expect: {ratio: [0.99, 1.01]}
 *           - if: k = d
 *             args: {d: 64, k: 64}
 *             expect: {ratio: [0.99, 1.01]}
 *         reasoning: W W^T is a projector of rank k.
 *         formula: E <x W, y W> = (k / d) <x, y>
 *
 * A claim of one case needs no `if`.  By its kind:
 *
 *   computed     A check measures.  `expect` says of a measure what it has to
 *                be: [low, high], a number, or ">= 0.5", "< other_measure".
 *                It is looked at with 95 %, value -+ 1.96 errors: all of that
 *                inside, the case holds; all outside, it fails; else it is
 *                undecided.
 *   published    The same of `numbers: {gap: "[KEY] - [KEY]"}`, arithmetic over
 *                experiments/published.tsv (number.h).  A printed number stands
 *                for all that are rounded to it: [low, high] holds where they
 *                overlap; comparisons are judged as those of a check.
 *   trained      `better: ROW, than: ROW`, or `as_good: ROW, as: ROW`, rows of
 *                a store, of a `task` and `metric`; `margin`, in units of the
 *                metric, is the smallest difference that matters, `experiment`
 *                the one that trains them, or a list of them: only their
 *                stores decide the case (trained.h); `steps`: rows of a
 *                shorter or longer training are others.
 *   untestable   `reason` says why; it has no cases.
 *
 * A claim holds if all its cases hold, and fails if all fail.  If some hold and
 * some fail, it holds only under the conditions of those that hold; a claim
 * about all cases (`universal: true`) fails then.  It is undecided if a case
 * that is undecided or cannot be tested could change that verdict, and not
 * testable here if no case can be tested.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/claims/check.h"
#include "harness/stats/stats.h"
#include "plots/output.h"

enum claim_kind {
    CLAIM_COMPUTED, CLAIM_PUBLISHED, CLAIM_TRAINED, CLAIM_UNTESTABLE
};
extern const char *const claim_kinds[]; /* ends with NULL */

enum claim_verdict {
    CLAIM_HOLDS, CLAIM_FAILS, CLAIM_ONLY_IF, CLAIM_UNDECIDED, CLAIM_NOT_HERE
};
enum { CLAIM_VERDICTS = CLAIM_NOT_HERE + 1 };
extern const char *const claim_verdicts[]; /* ends with NULL */

/* What a measure has to be; `than`, another measure: their difference. */
struct claim_expect {
    const char *measure, *than; /* than NULL: none                */
    double      low, high;
    int         open;           /* 1: the bounds are outside      */
    int         compares;       /* 1: written as a comparison     */
    const char *text;           /* as it stands there             */
};

struct claim_number { const char *name, *text; }; /* of published ones */

struct claim_rows {             /* of trained ones                       */
    const char *a, *b;          /* it is said that a is better than b    */
    const char *task, *metric;
    const char *const *experiment; /* that train them; ends with NULL    */
    double      margin;
    long long   steps;          /* of their training; 0: any             */
    int         as_good;        /* 1: that a is as good                  */
    int         better;         /* of the metric: +1, -1                 */
};

struct claim_measured {
    const char     *measure;
    double          value, error; /* NAN: there is none; 0: it is exact   */
    struct interval between;      /* what it may be                       */
    const char     *what;         /* its meaning; NULL: not of a check    */
};

#define CLAIMS_FILE "experiments/claims.yaml"

enum { CLAIM_MEASURES = CHECK_MEASURES };

struct claim_case {
    const char         *when;   /* "k = d"; NULL: always */
    int                 line;   /* 0: it is read from a file of verdicts */
    struct check_args   args;
    int                 numbers, expects;
    struct claim_number number[CLAIM_MEASURES + 1]; /* and {0} */
    struct claim_expect expect[CLAIM_MEASURES];
    struct claim_rows   rows;

    /* ---- once it is judged ---- */
    enum claim_verdict    verdict;  /* but CLAIM_ONLY_IF          */
    const char           *why;      /* it is that; "": it is told by what
                                       was measured               */
    int                   measures;
    struct claim_measured measured[CLAIM_MEASURES];
    const char           *said;     /* a line of what is published of these
                                       rows; NULL: nothing        */
    const char           *command;  /* that shows it              */
    size_t                needs;    /* more seeds; 0: none, or unknown */
    int                   synthetic; /* 1: a generator made the examples */
};

struct claim {
    const char        *section, *id, *source, *text, *reasoning, *formula,
                      *reason; /* the last three: or NULL */
    enum claim_kind    kind;
    int                universal; /* 1: one case that fails refutes it */
    const char        *place;  /* "claims.yaml:12" */
    const struct check *check;
    int                cases;
    struct claim_case *of;

    /* ---- once it is judged ---- */
    int                wanted; /* 1: ask for it, before */
    enum claim_verdict verdict;
    const char        *when;   /* of CLAIM_ONLY_IF */
};

struct claims {
    const char   *path;
    int           n;
    struct claim *claim;
    struct arena *memory; /* owns all of it */
};

/* path NULL: the file that came with the program.  All are wanted.  ERR_USAGE
 * with FILE:LINE and the nearest name. */
int  claims_read(struct claims **out, const char *path);
void claims_close(struct claims *c); /* NULL is fine */
OWNER(claims_close, struct claims *)

/* Judged ones, out of what `claims --format json` wrote, which lacks checks,
 * their arguments and formulas (claims_file.c).  ERR_USAGE: no such file;
 * ERR_STORE with file and place: not such JSON. */
int claims_load(struct claims **out, const char *path);

/* ERR_USAGE with the nearest id. */
int claims_find(struct claim **out, const struct claims *c, const char *id);

struct report;

struct claims_by {                      /* what they are judged by        */
    const struct report *const *report; /* of trained ones: the first that
                                           has the rows decides           */
    int                         reports;
    void (*begin)(void *arg, const struct claim *c); /* or NULL */
    void                       *arg;
};

/* All that are wanted; of trained ones all, which are one family of tests.
 * ERR_USAGE: a check refuses its arguments, a number is not published;
 * ERR_STORE; ERR_DATA. */
int claims_judge(struct claims *c, const struct claims_by *by);

/* The verdict, and its condition, of a claim whose cases are judged. */
void claim_settle(struct claim *c, struct arena *a);

/* The conditions of the cases with that verdict, joined by ", or "; NULL: there
 * are none.  Lives in a. */
const char *claim_conditions(const struct claim *c, enum claim_verdict v,
                             struct arena *a);

/* How many that are wanted have it. */
int claims_count(const struct claims *c, enum claim_verdict v);

/* ---- forms ---- */

/* In a sum, of n claims: "holds", "hold only under conditions". */
const char *claim_verdict_word(enum claim_verdict v, int n);

struct sheet;

/* Those that are wanted: an item each, and how many have which verdict; or,
 * explain, all that there is to say of each, for people. */
struct sheet *claims_sheet(const struct claims *c, int explain);

/* Adds claims and counts to the object, and a record for each measure. */
void claims_put_json(struct sheet *s, const struct claims *c);

/* 1: of a case that a store decides, a generator made the examples. */
int claim_synthetic(const struct claim *c);

/* Why the case that makes the verdict what it is has its verdict; "": it holds.
 * And the command that shows more, or NULL. */
const char *claim_why(const struct claim *c);
const char *claim_command(const struct claim *c);

/* "holds only if k = d", "undecided (needs 3 more seeds)", "holds, on SYNTHETIC
 * DATA" */
const char *claim_verdict_text(const struct claim *c, struct arena *a);

/* "ratio 0.2498 +- 0.0008"; number: without its name. */
const char *claim_measured_text(const struct claim *c,
                                const struct claim_measured *m, int number,
                                struct arena *a);

void claims_explain(struct sheet *to, const struct claim *c); /* explain.c */
extern const char claims_scale[];     /* what trained claims are judged by */
extern const char claims_synthetic[]; /* what generated examples decide    */

/* What was measured beside what is claimed: FOLDER/claim_ID.tsv, .txt, .gp and
 * pictures of these kinds (plots/interval_plot.h; picture.c).  ERR_EMPTY:
 * nothing was measured, or all is exactly as claimed; ERR_IO, ERR_SPACE. */
int claims_draw(const struct claim *c, const struct output *to);
