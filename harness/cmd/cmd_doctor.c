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
#include "harness/cmd/command.h"
#include "harness/cmd/doctor.h"
#include "harness/print/sheet.h"

#include <stdarg.h>
#include <string.h>

struct given { const char *cache, *format; };

static const struct opt options[] = {
    {.group = opts_cache, .at = OPT_AT(cache)},
    {.group = opts_format, .at = OPT_AT(format)},
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

static int count(const struct checkup *c, enum health is)
{
    int n = 0;

    for (int i = 0; i < c->n; i++)
        n += c->check[i].is == is;
    return n;
}

/* ---- text ---- */

/* Adds the text `found`, broken after commas into lines that keep the row
 * within 80 columns. */
static void put_found(struct grid *g, const char *found)
{
    enum { ROOM = 56 };

    while (strlen(found) > ROOM) {
        size_t n = ROOM;

        while (n > 2 && strncmp(found + n - 2, ", ", 2))
            n--;
        if (n == 2)
            break;
        grid_add(g, "%.*s\t%s\t%s", (int)n - 1, found, "", "");
        found += n;
    }
    grid_add(g, "%s", found);
}

static void put_rows(struct sheet *s, const struct checkup *c)
{
    static const char *const head[] = {"", "what", "found", NULL};
    struct grid *g = sheet_listing(s, "<<<", head);

    for (int i = 0; i < c->n; i++) {
        const struct check *x = &c->check[i];

        grid_add(g, "%s\t%s", health_text[x->is], x->name);
        put_found(g, x->found);
    }
}

/* Explains each failed check: its meaning, and the remedy. */
static void put_meanings(struct sheet *s, const struct checkup *c)
{
    for (int i = 0; i < c->n; i++) {
        const struct check *x = &c->check[i];

        if (x->is == HEALTH_OK)
            continue;
        sheet_put(s, PART_GAP, "%s", "");
        sheet_put(s, PART_PARAGRAPH, "%s (%s): %s.%s%s%s", x->name,
                  health_text[x->is], x->meaning, x->remedy ? " " : "",
                  x->remedy ? x->remedy : "", x->remedy ? "." : "");
    }
}

/* Adds one apt-get command that installs all missing packages. */
static void put_packages(struct sheet *s, const struct checkup *c)
{
    const char *line = "apt-get install -y --no-install-recommends";
    int n = 0;

    for (int i = 0; i < c->n; i++)
        if (c->check[i].is != HEALTH_OK && c->check[i].package) {
            line = arena_format(s->memory, "%s %s", line, c->check[i].package);
            n++;
        }
    if (!n)
        return;
    sheet_put(s, PART_GAP, "%s", "");
    sheet_put(s, PART_LINE, "To install what is missing, as root on Debian:");
    sheet_put(s, PART_CODE, "%s", line);
}

static void put_verdict(struct sheet *s, const struct checkup *c)
{
    int needed = count(c, HEALTH_NEEDED);

    if (needed)
        sheet_put(s, PART_LINE, "`make reproduce` needs %d more thing%s",
                  needed, needed == 1 ? "" : "s");
    else
        sheet_put(s, PART_LINE, "everything that `make reproduce` needs is "
                                "present");
    sheet_put(s, PART_GAP, "%s", "");
}

/* ---- JSON ---- */

static json_t *checks_json(const struct checkup *c)
{
    json_t *all = json_array();

    for (int i = 0; i < c->n; i++) {
        const struct check *x = &c->check[i];

        json_array_append_new(
            all, json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s?}", "name", x->name,
                           "state", health_text[x->is], "found", x->found,
                           "meaning", x->meaning, "remedy", x->remedy,
                           "package", x->package));
    }
    return all;
}

static int run_doctor(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct checkup c = {.memory = s->memory, .cache = g->cache};

    (void)args;
    doctor_program(&c);
    doctor_machine(&c);
    doctor_tools(&c);
    doctor_text(&c);
    put_verdict(s, &c);
    put_rows(s, &c);
    put_meanings(s, &c);
    put_packages(s, &c);
    s->object = json_pack("{s:i, s:o}", "needed", count(&c, HEALTH_NEEDED),
                          "checks", checks_json(&c));
    PASS(sheet_print(s, g->format, NULL));
    return count(&c, HEALTH_NEEDED) ? 1 : OK;
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
