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
        rc = linefile_next(j->lines, &line);
    while (rc > 0 && !*line);
    if (rc == OK && !j->n && !linefile_packed(j->lines))
        return linefile_refuse_at(j->lines, 0, "holds no object");
    if (rc <= 0)
        return rc;
    n = linefile_bytes(j->lines);
    arena_reset(j->memory);
    PASS(place(j, value_read(&j->object, line, n, j->memory)));
    if (j->object->kind != VALUE_OBJECT)
        return linefile_refuse(j->lines, "not a JSON object");
    j->n++;
    return 1;
}

int jsonl_each(const char *path, int (*take)(void *to, const struct jsonl *j),
               void *to)
{
    OWNED(linefile_close) struct linefile *lines = NULL;
    OWNED(arena_free) struct arena *memory = arena_new();
    struct jsonl j = {.memory = memory};
    int rc;

    PASS(linefile_open(&lines, path));
    j.lines = lines;
    while ((rc = next(&j)) > 0)
        PASS(place(&j, take(to, &j)));
    return rc;
}
