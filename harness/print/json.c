/* json: writes a sheet as a JSON object, which has schema_version, followed by
 * the members of the sheet's object. */
#include "harness/base/json.h"
#include "harness/print/sheet.h"

enum { DIGITS = 15 };

static void write_sheet(const struct sheet *s, FILE *out)
{
    OWNED(json_decref) json_t *all = json_object();

    json_object_set_new(all, "schema_version", json_integer(s->schema));
    json_object_update(all, s->object);
    json_dumpf(all, out, JSON_INDENT(1) | JSON_REAL_PRECISION(DIGITS));
    fputc('\n', out);
}

const struct format format_json = {"json", write_sheet};
