/* CSV (RFC 4180: CRLF, quotes doubled): the records of a sheet.  Empty: null;
 * true is 1, false 0. */
#include "harness/base/json.h"
#include "harness/print/sheet.h"

#include <string.h>

static void text(const char *s, FILE *out)
{
    if (!strpbrk(s, ",\"\r\n")) {
        fputs(s, out);
        return;
    }
    fputc('"', out);
    for (; *s; s++) {
        if (*s == '"')
            fputc('"', out);
        fputc(*s, out);
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
