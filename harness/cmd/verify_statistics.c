/* verify statistics: prints how often intervals miss the true value.  JSON:
 * {"rows": [{"data", "unit", "seeds", "tests", "promised", "misses" (shares),
 * "verdict": pass, fail, or n/a if nothing is promised}], "failed"}. */
#include "harness/base/json.h"
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/print/sheet.h"
#include "harness/verify/statistics/coverage.h"

struct given { const char *format; };

static const struct opt options[] = {
    {.group = opts_verdict, .at = OPT_AT(format)},
    {.name = NULL}};

static const char *show_promised(const void *row, struct arena *a)
{
    return arena_format(a, "%.2f %%",
                        100 * ((const struct coverage_row *)row)->promised);
}

static const char *show_misses(const void *row, struct arena *a)
{
    return arena_format(a, "%.2f %%",
                        100 * ((const struct coverage_row *)row)->misses);
}

#define OF(member) COLUMN(struct coverage_row, member)
static const struct column columns[] = {
    {"data", "data", OF(data)},
    {"unit", "interval over", OF(unit)},
    {"seeds", "seeds", OF(seeds)},
    {"tests", "tests", OF(tests)},
    {"promised", "promised", OF(promised), .show = show_promised},
    {"misses", "misses", OF(misses), .show = show_misses},
    {"verdict", "verdict", COLUMN_AS(COLUMN_ENUM, struct coverage_row,
                                     verdict), .words = verdict_text},
    {.type = COLUMN_END}};

static int run_verify_statistics(const void *given,
                                 const struct arguments *args)
{
    const struct given *g = given;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct coverage_row row[COVERAGE_ROWS];
    int pass = 0, failed = 0;

    (void)args;
    coverage_measure(row);
    for (int i = 0; i < COVERAGE_ROWS; i++) {
        pass += row[i].verdict == VERDICT_PASS;
        failed += row[i].verdict == VERDICT_FAIL;
    }
    sheet_put(s, PART_LINE, "%d passed, %d failed, %d not applicable", pass,
              failed, COVERAGE_ROWS - pass - failed);
    sheet_relation(s, &(struct relation){"rows", columns, row, sizeof *row,
                                         COVERAGE_ROWS});
    sheet_fact(s, "failed", json_integer(failed));
    sheet_put(s, PART_ITEM, "misses: share of %d simulated samples whose "
              "interval does not have the true mean; promised: 5 %% divided by "
              "the tests of the family (Bonferroni)", COVERAGE_DRAWS);
    sheet_put(s, PART_ITEM, "normal: seeds and examples vary normally. The row "
                            "has the case with the most misses of four, in "
                            "which seeds cause 10 to 99 %% of the variance");
    sheet_put(s, PART_ITEM, "cliff: half of the seeds have learned something "
              "that the others have not. The seeds are not normal, so the "
              "level does not hold (verdict n/a), and intervals over few "
              "seeds miss often");
    sheet_put(s, PART_ITEM, "neighbours: every six consecutive examples come "
                            "from one text and are correlated (0.18), as in "
                            "language modelling");
    PASS(sheet_print(s, g->format, NULL));
    return failed ? 1 : OK;
}

const struct command verify_statistics = {
    .name = "statistics",
    .summary = "Simulate how often intervals miss the truth",
    .args = "",
    .formats = command_text_json,
    COMMAND_RUNS(run_verify_statistics, 0, 0)};
