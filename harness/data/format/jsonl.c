#include "harness/data/format/jsonl.h"



static int place(const struct jsonl *j, int rc)
{
    return rc == ERR_DATA ? linefile_place(j->lines, linefile_number(j->lines))
                          : rc;
}

static int next(struct jsonl *j)
{
    char *line;
    size_t n;
    int rc;

    do
        TRY(linefile_next(j->lines, &line));
    while (rc && !*line);
    if (!rc)
        goto out;
    n = linefile_bytes(j->lines);
    arena_reset(j->memory);
    TRY(place(j, value_read(&j->object, line, n, j->memory)));
    if (j->object->kind != VALUE_OBJECT)
        return linefile_refuse(j->lines, "not a JSON object");
    j->n++;
    return 1;
out:
    if (rc == OK && !j->n && !linefile_packed(j->lines))
        rc = linefile_refuse_at(j->lines, 0, "holds no object");
    return rc;
}

int jsonl_each(const char *path, int (*take)(void *to, const struct jsonl *j),
               void *to)
{
    struct jsonl j = {.memory = arena_new()};
    int rc;

    TRY(linefile_open(&j.lines, path));
    while ((rc = next(&j)) > 0)
        TRY(place(&j, take(to, &j)));
out:
    linefile_close(j.lines);
    arena_free(j.memory);
    return rc;
}
