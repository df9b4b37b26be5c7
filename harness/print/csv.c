/*
 * csv: writes the records of a sheet as CSV (RFC 4180: lines end with CRLF, and
 * quotes are doubled).  null is written as an empty field, true as 1, false as
 * 0.
 *
 * A spreadsheet evaluates a field that begins with = + - @ (also full-width), a
 * tab or a line break.  A text that begins with such a character and is not a
 * number gets an apostrophe in front, which spreadsheets interpret as "this is
 * text" (OWASP, CSV injection).  Numbers and all other fields are unchanged.
 */
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/print/sheet.h"

#include <string.h>

static int is_formula(const char *s)
{
    static const char *const wide[] = {"\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
    double x;

    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (!strncmp(s, wide[i], strlen(wide[i])))
            return 1;
    return *s && strchr("=+-@\t\r\n", *s) && s[1] &&
           str_to_real(s + (*s == '+'), &x);
}

static void text(const char *raw, FILE *out)
{
    OWNED(free) char *s = str_harmless(str_copy(raw), "\t\r\n");
    const char *mark = is_formula(s) ? "'" : "";

    if (!strpbrk(s, ",\"\r\n")) {
        fprintf(out, "%s%s", mark, s);
        return;
    }
    fprintf(out, "\"%s", mark);
    for (const char *at = s; *at; at++) {
        if (*at == '"')
            fputc('"', out);
        fputc(*at, out);
    }
    fputc('"', out);
}

static void value(const json_t *v, FILE *out)
{
    if (json_is_string(v))
        text(json_string_value(v), out);
    else if (json_is_integer(v))
        fprintf(out, "%lld", (long long)json_integer_value(v));
    else if (json_is_real(v))
        fprintf(out, "%.15g", json_real_value(v));
    else if (json_is_boolean(v))
        fputc(json_is_true(v) ? '1' : '0', out);
}

static void line(json_t *record, int head, FILE *out)
{
    const char *key, *comma = "";
    json_t *v;

    json_object_foreach(record, key, v) {
        fputs(comma, out);
        if (head)
            text(key, out);
        else
            value(v, out);
        comma = ",";
    }
    fputs("\r\n", out);
}

static void write_sheet(const struct sheet *s, FILE *out)
{
    json_t *record;
    size_t i;

    json_array_foreach(s->records, i, record) {
        if (i == 0)
            line(record, 1, out);
        line(record, 0, out);
    }
}

const struct format format_csv = {"csv", write_sheet};
