#include "harness/data/format/jsonl.h"

static int place(const struct jsonl *j, int rc)
{
    return rc == ERR_DATA ? linefile_place(j->lines, linefile_number(j->lines))
                          : rc;
}

/* Sets j->object to the object of a line, or to NULL if the line has a NUL and
 * NULs are allowed. */
static int read_object(struct jsonl *j, const char *line, int allow_nul)
{
    size_t n = linefile_bytes(j->lines);

    j->object = NULL;
    if (linefile_has_nul(j->lines))
        return OK;
    int rc = value_read(&j->object, line, n, j->memory);
    if (rc == ERR_DATA && allow_nul && value_is_json(line, n)) {
        j->object = NULL; /* the line has \u0000, the only valid JSON that
                             value_read refuses */
        return OK;
    }
    PASS(place(j, rc));
    return j->object->kind == VALUE_OBJECT
               ? OK
               : linefile_refuse(j->lines, "not a JSON object");
}

static int next(struct jsonl *j, int allow_nul)
{
    char *line;
    int rc;

    do
        rc = linefile_next(j->lines, &line);
    while (rc > 0 && !linefile_bytes(j->lines));
    if (rc == OK && !j->n && !linefile_packed(j->lines))
        return linefile_refuse_at(j->lines, 0, "has no objects");
    if (rc <= 0)
        return rc;
    arena_reset(j->memory);
    PASS(read_object(j, line, allow_nul));
    j->n++;
    return 1;
}

int jsonl_each(const char *path, jsonl_taker *take, jsonl_taker *nul, void *to)
{
    OWNED(linefile_close) struct linefile *lines = NULL;
    OWNED(arena_free) struct arena *memory = arena_new();
    struct jsonl j = {.memory = memory};
    int rc;

    PASS(linefile_open(&lines, path));
    j.lines = lines;
    linefile_allow_nul(lines, nul != NULL);
    while ((rc = next(&j, nul != NULL)) > 0)
        PASS(place(&j, (j.object ? take : nul)(to, &j)));
    return rc;
}
