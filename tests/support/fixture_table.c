#include "tests/support/fixture_table.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/report/report.h"
#include "tests/support/print_tables.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

const struct table *tabled = &table_2;

int tabled_store(char **out, const char *store, const char *format)
{
    struct report *r = NULL;
    struct sheet *s = NULL;
    int rc = OK;

    GOTO_IF_ERR(report_open(&r, store));
    GOTO_IF_ERR(table_fill(&s, tabled, r, NULL, 0));
out:
    *out = rc < 0 ? str_copy("") : printed_wide(s, format);
    report_close(r);
    return rc;
}

char *tabled_text(const struct fixture *f, const char *format)
{
    char *store = fixture_store(f), *text;

    if (tabled_store(&text, store, format) < 0)
        fail_msg("%s", err_last());
    scratch_remove(store);
    return text;
}

void tabled_says(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("'%s' is not in:\n%s", words, text);
}

json_t *tabled_json(const struct fixture *f)
{
    char *text = tabled_text(f, "json");
    json_error_t e;
    json_t *j = json_loads(text, 0, &e);

    if (!j)
        fail_msg("line %d: %s", e.line, e.text);
    free(text);
    return j;
}

json_t *tabled_field(json_t *table, const char *variant, const char *column,
                     const char *key)
{
    size_t r, c;
    json_t *row, *head;

    json_array_foreach(json_object_get(table, "rows"), r, row) {
        if (strcmp(json_string_value(json_object_get(row, "variant")), variant))
            continue;
        json_array_foreach(json_object_get(table, "columns"), c, head)
            if (!strcmp(json_string_value(json_object_get(head, "name")),
                        column))
                return json_object_get(
                    json_array_get(json_object_get(row, "cells"), c), key);
    }
    fail_msg("no %s of %s in %s", key, variant, column);
    return NULL;
}

double tabled_number(json_t *table, const char *variant, const char *column,
                     const char *key)
{
    json_t *j = tabled_field(table, variant, column, key);

    if (!json_is_number(j))
        fail_msg("%s of %s in %s is no number", key, variant, column);
    return json_number_value(j);
}
