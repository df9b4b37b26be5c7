/*
 * claims: decides whether claims about Synthesizers, made by publications or by
 * this project, hold.  The commands `claims` and `report` call claims_read and
 * claims_judge, or claims_load to read claims that are already judged, and then
 * claims_sheet.
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
 *   computed     A check measures values.  `expect` states the required values
 *                of a measure: [low, high], a number, or a comparison such as
 *                ">= 0.5" or "< other_measure".  If the 95 % interval of the
 *                measure, value -+ 1.96 standard errors, lies within the
 *                required values, the case holds; if it lies outside, the case
 *                fails; otherwise the case is undecided.
 *   published    `numbers: {gap: "[KEY] - [KEY]"}` computes measures from
 *                numbers in experiments/published.tsv (number.c), and `expect`
 *                states their required values.  A printed number represents
 *                all values that are rounded to it, so a measure is an
 *                interval.  [low, high] holds if it overlaps this interval;
 *                comparisons are judged as for a check.
 *   trained      `better: ROW, than: ROW`, or `as_good: ROW, as: ROW`, compares
 *                two rows of a store by `metric` on `task`.  `margin`, in units
 *                of the metric, is the smallest difference that matters.
 *                `experiment` is the experiment, or a list of experiments, that
 *                trains the rows: only stores of these decide the case
 *                (trained.c).  `steps` restricts the rows to cells that were
 *                trained for this number of steps.
 *   timed        `row: ROW` names a row of `table 4 --columns speed`.  Its
 *                measure `ratio` is the number of training steps per second,
 *                relative to that of the Transformer, with its interval, from
 *                a file that `table 4 --columns speed --json` has written.
 *   untestable   The claim has no cases; `reason` states why.
 *
 * A claim holds if all its cases hold, and fails if all fail.  If some cases
 * hold and some fail, the claim holds only under the conditions (`if`) of the
 * cases that hold; but a claim with `universal: true` fails.  The claim is
 * undecided if a case that is undecided or cannot be tested could change this
 * verdict, and not testable here if no case can be tested.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/claims/check.h"
#include "harness/stats/stats.h"

enum claim_kind {
    CLAIM_COMPUTED, CLAIM_PUBLISHED, CLAIM_TRAINED, CLAIM_TIMED,
    CLAIM_UNTESTABLE
};
extern const char *const claim_kinds[]; /* ends with NULL */

enum claim_verdict {
    CLAIM_HOLDS, CLAIM_FAILS, CLAIM_ONLY_IF, CLAIM_UNDECIDED, CLAIM_NOT_HERE
};
enum { CLAIM_VERDICTS = CLAIM_NOT_HERE + 1 };
extern const char *const claim_verdicts[]; /* ends with NULL */

/* The required values of a measure: `low` to `high`.  If `than` is set, these
 * are the required values of the difference `measure` - `than`. */
struct claim_expect {
    const char *measure, *than; /* `than` may be NULL            */
    double      low, high;
    int         open;           /* 1: the bounds are excluded */
    int         compares;       /* 1: written as a comparison */
    const char *text;           /* as written in the file     */
};

/* A number computed from published ones: for example, name "gap" and text
 * "[KEY] - [KEY]", where KEY is variant/task/metric. */
struct claim_number { const char *name, *text; };

struct claim_rows {             /* of a trained claim          */
    const char *a, *b;          /* claimed: `a` is better than `b` or, if
                                   as_good is 1, as good as `b` */
    const char *task, *metric;
    const char *const *experiment; /* experiments that train the rows; ends
                                      with NULL */
    double      margin;         /* smallest difference that matters */
    long long   steps;          /* training steps; 0: any        */
    int         as_good;        /* 1: as good as; 0: better than */
    int         better;         /* +1: a higher metric is better, -1: lower */
};

struct claim_measured {
    const char     *measure;
    double          value, error; /* error: NAN: unknown; 0: exact     */
    struct interval between;      /* the interval of `value`           */
    const char     *what;         /* the check's description of the measure;
                                     NULL: no check computed it        */

    /* ---- set by claim_settle ---- */
    const char     *when, *verdict; /* of the case; `when` may be NULL */
    const char     *expected;     /* the expectation; NULL: none       */
};

#define CLAIMS_FILE "experiments/claims.yaml"

enum { CLAIM_MEASURES = CHECK_MEASURES };

struct claim_case {
    const char         *when;   /* "k = d"; NULL: always */
    int                 line;   /* line in the file; 0: from claims_load */
    struct check_args   args;
    int                 numbers, expects;
    struct claim_number number[CLAIM_MEASURES + 1]; /* ends with {0} */
    struct claim_expect expect[CLAIM_MEASURES];
    struct claim_rows   rows;
    const char         *row;    /* of a timed claim      */

    /* ---- set by claims_judge ---- */
    enum claim_verdict    verdict;  /* never CLAIM_ONLY_IF        */
    /* reason for the verdict; "": the measures are the reason */
    const char           *why;
    int                   measures;
    struct claim_measured measured[CLAIM_MEASURES];
    /* a line about the published values of the rows; NULL: none */
    const char           *published;
    const char           *command;  /* command that prints details */
    /* number of additional seeds that would decide the case; 0: none are
     * needed, or the number is unknown */
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

    int                wanted; /* 1: claims_judge and claims_sheet include the
                                  claim; the caller can set it to 0    */

    /* ---- set by claims_judge ---- */
    enum claim_verdict verdict;
    /* The verdict as it is printed: CLAIM_NOT_TESTED if the claim is undecided
     * and no case of it is a difference that the experiment tests
     * (`contrasts`), else `verdict`. */
    int                printed;
    const char        *when;   /* conditions under which the claim holds; or
                                  NULL */
    /* decisive: the first case that determines the verdict, or NULL.  why: the
     * reason of that case, or "" if the claim holds.  command: prints details
     * of that case or, if there is none, of the first case; or NULL. */
    const struct claim_case *decisive;
    const char        *why, *command;
    const char        *published; /* that of the first case with such a line */
    size_t             needs;  /* maximum of `needs` of the cases      */
    int                synthetic; /* 1: a case was decided by synthetic
                                     examples */
};

struct claims {
    const char   *path;
    int           n;
    struct claim *claim;
    struct arena *memory; /* owns everything */
};

/* Reads the claims of a file, or of the file installed with the program if
 * `path` is NULL, and sets `wanted` of each claim to 1.  If the file is
 * invalid, returns ERR_USAGE and the message names FILE:LINE; if a name is
 * unknown, it also suggests the nearest name.  The caller closes *out. */
int  claims_read(struct claims **out, const char *path);
void claims_close(struct claims *c); /* c may be NULL */
OWNER(claims_close, struct claims *)

/* Reads judged claims from a file that `claims --format json` has written,
 * which lacks checks, their arguments and formulas (claims_file.c).  Returns
 * ERR_USAGE if there is no such file.  If the file has other content, returns
 * ERR_STORE and the message names the file and the position in it. */
int claims_load(struct claims **out, const char *path);

/* Finds a claim by its id.  If no claim has the id, returns ERR_USAGE and the
 * message suggests the nearest id. */
int claims_find(struct claim **out, const struct claims *c, const char *id);

struct report;

struct claims_by {                      /* evidence by which to judge     */
    /* Stores for trained claims.  A case is decided by the first store with
     * finished cells of both its rows on real text or, if there is no such
     * store, by the first store with such cells on synthetic examples. */
    const struct report *const *report;
    int                         reports;
    /* the file of times for timed claims; or NULL */
    const char                 *speed;
};

/* Judges all wanted claims.  If one of them is a trained claim, judges all
 * trained claims, because they are one family of tests.  Returns ERR_USAGE if a
 * check rejects its arguments or if a number is not published.  Returns
 * ERR_STORE if a store or by->speed is invalid, and ERR_DATA if other data are
 * missing or wrong. */
int claims_judge(struct claims *c, const struct claims_by *by);

/* Sets the verdict of a claim whose cases are judged, and what follows from
 * it. */
void claim_settle(struct claim *c, struct arena *a);

/* Returns the conditions of the cases with verdict `v`, joined by "; ", in
 * arena `a`, or NULL if no case has the verdict. */
const char *claim_conditions(const struct claim *c, enum claim_verdict v,
                             struct arena *a);

/* Returns the number of wanted claims with verdict v. */
int claims_count(const struct claims *c, enum claim_verdict v);

/* ---- output ---- */

enum { CLAIM_NOT_TESTED = CLAIM_VERDICTS, CLAIM_PRINTED };

/* The reason of a case that is not a contrast of the experiment. */
extern const char claim_outside[];

/* Returns the words for the printed verdict of n claims, such as "holds" if n
 * is 1 and "hold only under conditions" if n is 2. */
const char *claim_verdict_word(int printed, int n);

struct sheet;

enum claims_detail { CLAIMS_BRIEF, CLAIMS_ALL, CLAIMS_EXPLAIN };

/* Returns a sheet of the wanted claims: the number of claims of each verdict,
 * and an item for each claim.  With CLAIMS_BRIEF, if there are many claims, the
 * sheet has the ids of the claims by verdict, and items only for claims that
 * fail or are about trained models.  With CLAIMS_EXPLAIN it has all details of
 * each claim.  The caller closes the sheet. */
struct sheet *claims_sheet(const struct claims *c, enum claims_detail detail);

/* Adds the claims and their counts to the JSON object of the sheet, and adds a
 * record to the sheet for each measure. */
void claims_put_json(struct sheet *s, const struct claims *c);

/* Returns the verdict as text: "holds only if k = d", "undecided (needs 3 more
 * seeds)", "not tested (outside the contrasts of the experiment)", "holds, on
 * SYNTHETIC DATA". */
const char *claim_verdict_text(const struct claim *c, struct arena *a);

/* Adds all details of a claim to a sheet. */
void claims_explain(struct sheet *to, const struct claim *c);
extern const char claims_scale[];     /* note on the size of trained models */
extern const char claims_rounding[];  /* intervals of published numbers     */
extern const char claims_synthetic[]; /* warning about synthetic examples   */
