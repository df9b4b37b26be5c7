/*
 * claims: published and own statements about synthesizers, and whether they
 * hold.  The commands `claims` and `report` call it: claims_read, then
 * claims_judge, then claims_sheet; claims_load reads judged claims instead of
 * the first two.
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
 * A claim with one case needs no `if`.  The kinds are:
 *
 *   computed     A check measures values.  `expect` states the required value
 *                of a measure: [low, high], a number, or ">= 0.5",
 *                "< other_measure".  The 95 % interval, value -+ 1.96 errors,
 *                is compared with it: the case holds if the interval is
 *                inside, fails if it is outside, and is undecided otherwise.
 *   published    The same for `numbers: {gap: "[KEY] - [KEY]"}`, arithmetic
 *                over experiments/published.tsv (number.h).  A printed number
 *                represents all values that are rounded to it: [low, high]
 *                holds if the two overlap; comparisons are judged as those
 *                of a check.
 *   trained      `better: ROW, than: ROW`, or `as_good: ROW, as: ROW`: rows of
 *                a store, for a `task` and `metric`.  `margin`, in units of
 *                the metric, is the smallest difference that matters.
 *                `experiment` is the experiment that trains the rows, or a
 *                list: only stores of these decide the case (trained.h).
 *                `steps` restricts the rows to cells of that many steps.
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

/* The required value of a measure.  If `than` is set, it is the required
 * difference from that other measure. */
struct claim_expect {
    const char *measure, *than; /* than NULL: no other            */
    double      low, high;
    int         open;           /* 1: the bounds are excluded */
    int         compares;       /* 1: written as a comparison */
    const char *text;           /* as written in the file     */
};

struct claim_number { const char *name, *text; }; /* published numbers */

struct claim_rows {             /* of a trained claim          */
    const char *a, *b;          /* claimed: a is better than b */
    const char *task, *metric;
    const char *const *experiment; /* that train the rows; ends with NULL */
    double      margin;
    long long   steps;          /* training steps; 0: any        */
    int         as_good;        /* 1: claimed: a is as good as b */
    int         better;         /* metric: +1 higher, -1 lower   */
};

struct claim_measured {
    const char     *measure;
    double          value, error; /* NAN: unknown; 0: exact            */
    struct interval between;      /* its interval                      */
    const char     *what;         /* its meaning; NULL: not of a check */
};

#define CLAIMS_FILE "experiments/claims.yaml"

enum { CLAIM_MEASURES = CHECK_MEASURES };

struct claim_case {
    const char         *when;   /* "k = d"; NULL: always */
    int                 line;   /* 0: it is read from a file of verdicts */
    struct check_args   args;
    int                 numbers, expects;
    struct claim_number number[CLAIM_MEASURES + 1]; /* ends with {0} */
    struct claim_expect expect[CLAIM_MEASURES];
    struct claim_rows   rows;

    /* ---- set by claims_judge ---- */
    enum claim_verdict    verdict;  /* never CLAIM_ONLY_IF        */
    /* reason for the verdict; "": the measures show it */
    const char           *why;
    int                   measures;
    struct claim_measured measured[CLAIM_MEASURES];
    /* a line on the published values of these rows; NULL: none */
    const char           *said;
    const char           *command;  /* prints the details         */
    /* additional seeds that would decide it; 0: none, or unknown */
    size_t                needs;
    int                   synthetic; /* 1: decided by synthetic examples */
};

struct claim {
    const char        *section, *id, *source, *text, *reasoning, *formula,
                      *reason; /* the last three may be NULL */
    enum claim_kind    kind;
    int                universal; /* 1: one failing case refutes it */
    const char        *place;  /* "claims.yaml:12" */
    const struct check *check;
    int                cases;
    struct claim_case *of;

    /* ---- set by claims_judge ---- */
    int                wanted; /* 1: judge it; set by the caller */
    enum claim_verdict verdict;
    const char        *when;   /* conditions under which it holds; or NULL */
};

struct claims {
    const char   *path;
    int           n;
    struct claim *claim;
    struct arena *memory; /* owns everything */
};

/* Reads the claims of a file; path NULL: the file that is installed with the
 * program.  All claims are wanted.  Returns ERR_USAGE with FILE:LINE, and the
 * nearest name if a name is unknown.  The caller closes *out. */
int  claims_read(struct claims **out, const char *path);
void claims_close(struct claims *c); /* c may be NULL */
OWNER(claims_close, struct claims *)

/* Reads judged claims from the output of `claims --format json`, which lacks
 * checks, their arguments and formulas (claims_file.c).  Returns ERR_USAGE if
 * there is no such file, or ERR_STORE, with the file and place, if it is not
 * such JSON. */
int claims_load(struct claims **out, const char *path);

/* Returns ERR_USAGE, with the nearest id, if no claim has that id. */
int claims_find(struct claim **out, const struct claims *c, const char *id);

struct report;

struct claims_by {                      /* evidence to judge by           */
    /* Stores for trained claims.  The first one that has the rows of a case
     * decides it; stores of real text come before those of synthetic
     * examples. */
    const struct report *const *report;
    int                         reports;
    /* called before each claim; or NULL */
    void (*begin)(void *arg, const struct claim *c);
    void                       *arg;
};

/* Judges all wanted claims; if one of them is a trained claim, all trained
 * claims, which are one family of tests.  Returns ERR_USAGE if a check rejects
 * its arguments or a number is not published, ERR_STORE or ERR_DATA. */
int claims_judge(struct claims *c, const struct claims_by *by);

/* Sets the verdict of a claim whose cases are judged, and its condition. */
void claim_settle(struct claim *c, struct arena *a);

/* Returns the conditions of the cases with that verdict, joined by "; ", or
 * NULL if there are none.  The text lives in a. */
const char *claim_conditions(const struct claim *c, enum claim_verdict v,
                             struct arena *a);

/* Returns the number of wanted claims with that verdict. */
int claims_count(const struct claims *c, enum claim_verdict v);

/* ---- output ---- */

/* Returns the verdict of n claims as words, such as "holds" for one and "hold
 * only under conditions" for several. */
const char *claim_verdict_word(enum claim_verdict v, int n);

struct sheet;

enum claims_detail { CLAIMS_BRIEF, CLAIMS_ALL, CLAIMS_EXPLAIN };

/* Returns a sheet of the wanted claims: the number of claims of each verdict,
 * and an item for each claim.  CLAIMS_BRIEF: if there are many claims, prints
 * their ids by verdict, and an item only for those about trained models.
 * CLAIMS_EXPLAIN: prints all details of each claim instead.  The caller closes
 * the sheet. */
struct sheet *claims_sheet(const struct claims *c, enum claims_detail detail);

/* Adds claims and counts to the JSON object, and a record for each measure. */
void claims_put_json(struct sheet *s, const struct claims *c);

/* Returns 1 if a store of synthetic examples decides a case. */
int claim_synthetic(const struct claim *c);

/* Return the reason for the verdict of the case that determines the claim's
 * verdict ("" if the claim holds), and the command that prints more, or
 * NULL. */
const char *claim_why(const struct claim *c);
const char *claim_command(const struct claim *c);

/* Returns the verdict as text: "holds only if k = d", "undecided (needs 3 more
 * seeds)", "holds, on SYNTHETIC DATA". */
const char *claim_verdict_text(const struct claim *c, struct arena *a);

/* Returns "ratio 0.2498 +- 0.0008"; without the name if number is set. */
const char *claim_measured_text(const struct claim *c,
                                const struct claim_measured *m, int number,
                                struct arena *a);

void claims_explain(struct sheet *to, const struct claim *c); /* explain.c */
extern const char claims_scale[];     /* note on the size of trained models */
extern const char claims_synthetic[]; /* warning about synthetic examples   */

/* Draws the measured values with the claimed ones: FOLDER/claim_ID.tsv, .txt,
 * .gp and pictures of these kinds (plots/interval_plot.h; picture.c).  Returns
 * ERR_EMPTY if nothing was measured or all values are exactly as claimed,
 * ERR_IO or ERR_SPACE. */
int claims_draw(const struct claim *c, const struct output *to);
