/*
 * doctor: checks whether this machine meets the program's requirements.  JSON:
 *
 *     {"schema_version": 1, "needed": number of checks in state "needed",
 *      "checks": [{"name", "state": "ok", "poor", "absent" or "needed",
 *      "found", "meaning", "remedy", "package"}]}
 *
 * "remedy" and "package" are null if there are none.  The exit code is 1 if a
 * check is in state "needed".
 */
#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/streams.h"
#include "harness/cmd/command.h"
#include "harness/cmd/doctor.h"
#include "harness/print/sheet.h"

#include <stdarg.h>
#include <unistd.h>

struct given { const char *cache, *format; };

static const struct opt options[] = {
    {.group = opts_cache, .at = OPT_AT(cache)},
    {.group = opts_verdict, .at = OPT_AT(format)},
    {.name = NULL}};

static const char *const health_text[] = {"ok", "poor", "absent", "needed"};

struct check *checkup_add(struct checkup *c, const char *name, enum health is,
                          const char *found, ...)
{
    REQUIRE(c->n < CHECKS, "over %d checks", CHECKS);
    struct check *x = &c->check[c->n++];
    va_list ap;

    va_start(ap, found);
    *x = (struct check){.name = name, .is = is, .meaning = "",
                        .found = arena_vformat(c->memory, found, ap)};
    va_end(ap);
    return x;
}

/* ---- printing ---- */

static const struct column columns[] = {
    {"state", "", COLUMN_AS(COLUMN_ENUM, struct check, is),
     .words = health_text},
    {"name", "what", COLUMN(struct check, name)},
    {"found", "found", COLUMN(struct check, found)},
    {"meaning", NULL, COLUMN(struct check, meaning)},
    {"remedy", NULL, COLUMN(struct check, remedy)},
    {"package", NULL, COLUMN(struct check, package)},
    {.type = COLUMN_END}};

/* Explains each failed check, its meaning and the remedy, and adds one apt-get
 * command that installs all missing packages. */
static void put_meanings(struct sheet *s, const struct checkup *c)
{
    const char *line = "";

    for (int i = 0; i < c->n; i++) {
        const struct check *x = &c->check[i];

        if (x->is == HEALTH_OK)
            continue;
        if (x->package)
            line = arena_format(s->memory, "%s %s", line, x->package);
        sheet_put(s, PART_GAP, "%s", "");
        sheet_put(s, PART_PARAGRAPH, "%s (%s): %s.%s%s%s", x->name,
                  health_text[x->is], x->meaning, x->remedy ? " " : "",
                  x->remedy ? x->remedy : "", x->remedy ? "." : "");
    }
    if (!*line)
        return;
    sheet_put(s, PART_GAP, "%s", "");
    sheet_put(s, PART_LINE, "To install what is missing, as root on Debian:");
    sheet_put(s, PART_CODE, "apt-get install -y --no-install-recommends%s",
              line);
}

static int run_doctor(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct checkup c = {.memory = s->memory, .cache = g->cache};
    int needed = 0;

    (void)args;
    doctor_program(&c);
    doctor_machine(&c);
    doctor_tools(&c);
    doctor_text(&c);
    for (int i = 0; i < c.n; i++)
        needed += c.check[i].is == HEALTH_NEEDED;
    if (needed)
        sheet_put(s, PART_LINE, "`make reproduce` needs %d more thing%s",
                  needed, needed == 1 ? "" : "s");
    else
        sheet_put(s, PART_LINE, "everything that `make reproduce` needs is "
                                "present");
    sheet_fact(s, "needed", json_integer(needed));
    sheet_relation(s, &(struct relation){"checks", columns, c.check,
                                         sizeof *c.check, c.n});
    put_meanings(s, &c);
    if (!streams_width(STDOUT_FILENO))
        s->width = 80; /* lists would be as wide as their longest text */
    PASS(sheet_print(s, g->format, NULL));
    return needed ? 1 : OK;
}

const struct command command_doctor = {
    .name = "doctor",
    .summary = "Check system requirements",
    .args = "",
    .doc = "For each requirement: whether it is present, what it is for, "
           "and what installs it. `poor` works with restrictions; `absent` "
           "affects only the features that are named; `needed` is required "
           "by `make reproduce` and makes the exit code 1. For official data: "
           "`synthbench data check`.",
    .formats = command_text_json,
    COMMAND_RUNS(run_doctor, 0, 0)};
