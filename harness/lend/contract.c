/* Reads and writes contract.json: the lent cell and the digest of every
 * file. */
#include "harness/lend/lend.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/json.h"
#include "harness/base/str.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1 };

static const char *const files[] = {"config.json", "start.h5", "steps.h5",
                                    "trace.h5", NULL};

static char *path_of(const struct contract *k, const char *file)
{
    return *file == '/' ? str_copy(file)
                        : str_format("%s/%s", k->folder, file);
}

static char *text_of(const json_t *object)
{
    return json_dumps(object, JSON_SORT_KEYS | JSON_COMPACT |
                                  JSON_REAL_PRECISION(17));
}

/* Computes the SHA-256 of the contract without its seal. */
static void seal_of(const json_t *object, char hex[HASH_HEX])
{
    OWNED(json_decref) json_t *copy = json_copy((json_t *)object);

    json_object_del(copy, "seal");
    OWNED(free) char *text = text_of(copy);
    hash_sha256(text, strlen(text), hex);
}

/* ---- writing ---- */

static int put_digest(json_t *to, const char *name, const char *path)
{
    char hex[HASH_HEX];

    PASS(hash_file(path, hex));
    json_object_set_new(to, name, json_string(hex));
    return OK;
}

static int digests(json_t *to, const struct contract *k)
{
    for (const char *const *f = files; *f; f++) {
        OWNED(free) char *path = path_of(k, *f);

        PASS(put_digest(to, *f, path));
    }
    OWNED(free) char *ids = path_of(k, k->ids);
    return put_digest(to, "data.h5", ids);
}

int contract_write(const struct cell *c, const struct contract *k)
{
    OWNED(free) char *config = settings_text(&c->config, 1);
    OWNED(free) char *runtime = settings_text(&c->config, 0);
    OWNED(free) char *path = path_of(k, "contract.json");
    OWNED(json_decref) json_t *file = json_object();
    OWNED(json_decref) json_t *all = json_object();
    char hex[HASH_HEX];

    PASS(digests(file, k));
    json_object_set_new(all, "format", json_integer(FORMAT));
    json_object_set_new(all, "id", json_string(c->id));
    json_object_set_new(all, "row", json_string(c->row));
    json_object_set_new(all, "config", json_loads(config, 0, NULL));
    json_object_set_new(all, "runtime", json_loads(runtime, 0, NULL));
    json_object_set_new(all, "data_digest", json_string(k->data_digest));
    json_object_set_new(all, "start_sha256", json_string(k->start_sha256));
    json_object_set_new(all, "ids", json_string(k->ids));
    json_object_set_new(all, "curve_stride",
                        json_integer(train_stride(c->config.steps)));
    json_object_set(all, "files", file);
    seal_of(all, hex);
    json_object_set_new(all, "seal", json_string(hex));
    OWNED(free) char *text = json_dumps(all, JSON_INDENT(1) |
                                        JSON_REAL_PRECISION(17));
    return file_output(path, text, strlen(text));
}

/* ---- reading ---- */

static int wrong(const struct contract *k, const char *why)
{
    return err_set(ERR_DATA, "%s/contract.json: %s", k->folder, why);
}

static const char *word(const struct contract *k, const json_t *all,
                        const char *name)
{
    const char *s = json_string_value(json_object_get(all, name));

    return s ? arena_text(k->memory, s) : NULL;
}

static int check_file(const struct contract *k, const json_t *file,
                      const char *name, const char *path)
{
    const char *want = json_string_value(json_object_get(file, name));
    char hex[HASH_HEX];

    if (!want)
        return wrong(k, "a digest is missing");
    if (!file_exists(path))
        return err_set(ERR_DATA, "%s: is missing; it is part of the contract",
                       path);
    PASS(hash_file(path, hex));
    return strcmp(want, hex)
               ? err_set(ERR_DATA, "%s: was changed after it was lent: its "
                         "SHA-256 is not that of the contract", path)
               : OK;
}

static int check_files(const struct contract *k, const json_t *file)
{
    for (const char *const *f = files; *f; f++) {
        OWNED(free) char *path = path_of(k, *f);

        PASS(check_file(k, file, *f, path));
    }
    OWNED(free) char *ids = path_of(k, k->ids);
    return check_file(k, file, "data.h5", ids);
}

/* Reads the configuration, computes its id as this version of the program does,
 * and checks that this is `id`, that of the contract. */
static int read_cell(struct contract *k, const json_t *all, const char *id)
{
    OWNED(free) char *config = text_of(json_object_get(all, "config"));
    OWNED(free) char *runtime = text_of(json_object_get(all, "runtime"));
    char own[SETTINGS_ID], name[MIX_NAME];

    if (settings_restore(&k->config, config, runtime) < 0)
        return err_wrap(ERR_DATA, "%s/contract.json", k->folder);
    PASS(mix_parse(&k->mix, name, k->config.variant));
    PASS(task_find(&k->task, k->config.task));
    settings_id(&k->config, own);
    return !strcmp(id, own)
               ? OK
               : wrong(k, "its id is not that of its configuration: another "
                          "version of synthbench lent it");
}

static int read_all(struct contract *k, const json_t *all)
{
    const char *seal = json_string_value(json_object_get(all, "seal"));
    const char *id = word(k, all, "id");
    char hex[HASH_HEX];

    if (!seal)
        return wrong(k, "is not a contract of `synthbench lend`");
    seal_of(all, hex);
    if (strcmp(seal, hex))
        return wrong(k, "was edited: it does not match its seal");
    if (json_integer_value(json_object_get(all, "format")) != FORMAT)
        return wrong(k, "has another format; use the version of synthbench "
                        "that lent it");
    k->row = word(k, all, "row");
    k->data_digest = word(k, all, "data_digest");
    k->start_sha256 = word(k, all, "start_sha256");
    k->ids = word(k, all, "ids");
    if (!id || !k->row || !k->data_digest || !k->start_sha256 || !k->ids ||
        !json_is_object(json_object_get(all, "config")) ||
        !json_is_object(json_object_get(all, "runtime")))
        return wrong(k, "lacks a field");
    PASS(read_cell(k, all, id));
    return check_files(k, json_object_get(all, "files"));
}

int contract_read(struct contract *out, const char *folder)
{
    OWNED(contract_close) struct contract k = {.memory = arena_new()};
    OWNED(json_decref) json_t *all = NULL;
    OWNED(free) char *path = NULL;

    *out = (struct contract){.memory = NULL};
    k.folder = arena_text(k.memory, folder);
    path = path_of(&k, "contract.json");
    if (!file_exists(path))
        return err_set(ERR_DATA, "%s: is missing; `synthbench lend` writes it",
                       path);
    if (json_read(&all, path) < 0)
        return err_set(ERR_DATA, "%s", err_last());
    PASS(hash_file(path, k.sha256));
    PASS(read_all(&k, all));
    *out = k;
    k.memory = NULL;
    return OK;
}

void contract_close(struct contract *c)
{
    arena_free(c->memory);
}

void lend_external(struct cell *out, const struct contract *k, struct arena *a)
{
    *out = (struct cell){.config = k->config, .mix = k->mix, .task = k->task,
                         .selected = 1};
    out->config.trainer = TRAINER_EXTERNAL;
    out->row = arena_format(a, "%s" CELL_EXTERNAL, k->row);
    settings_id(&out->config, out->id);
}
