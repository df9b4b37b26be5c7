/* baseline: saves, lists, prints, compares and removes baselines, which are
 * accepted results, stored as text to be committed. */
#include "harness/cmd/baseline_verbs.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/gate/examples_cache.h"
#include "harness/store/cell.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- shared by the subcommands ---- */

int baseline_path(char **out, const char *folder, const char *name)
{
    if (!cell_name_ok(name))
        return err_set(ERR_USAGE, "'%s' is not a valid baseline name: use "
                                  "letters, digits and + _ . -, and begin "
                                  "with a letter, a digit, + or _", name);
    *out = str_format("%s/%s.tsv", folder, name);
    return OK;
}

int baseline_named(struct baseline **out, char **path, const char *folder,
                   const char *name)
{
    PASS(baseline_path(path, folder, name));
    return baseline_read(out, *path);
}

double baseline_bytes(const char *path)
{
    OWNED(free) char *kept = examples_cache_path(path);
    struct stat s;

    return stat(kept, &s) ? NAN : (double)s.st_size;
}

const char *baseline_value_text(struct arena *a, const struct baseline_value *v)
{
    if (!v)
        return "-";
    return v->text ? arena_format(a, "%.16s", v->text)
                   : arena_format(a, "%.6g", v->value);
}

json_t *baseline_value_json(const struct baseline_value *v)
{
    return v ? v->text ? json_string(v->text) : json_whole(v->value)
             : json_null();
}

/* ---- remove ---- */

struct given { const char *folder; };

static const struct opt remove_options[] = {
    {.group = opts_baselines, .at = OPT_AT(folder)}, {.name = NULL}};

static int remove_one(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(free) char *path = NULL, *kept = NULL;

    PASS(baseline_path(&path, g->folder, args->of[0]));
    if (unlink(path))
        return errno == ENOENT ? baseline_missing(path)
                               : err_errno(ERR_IO, "%s", path);
    say("%s is removed", path);
    kept = examples_cache_path(path);
    if (!unlink(kept))
        say("%s is removed", kept);
    else if (errno != ENOENT)
        return err_errno(ERR_IO, "%s", kept);
    return OK;
}

static const struct command baseline_remove = {
    .name = "remove",
    .summary = "Remove a baseline",
    .args = "NAME",
    .options = remove_options, .bytes = sizeof(struct given),
    .least = 1, .most = 1, .run = remove_one};

static const struct command *const subjects[] = {
    &baseline_save, &baseline_list, &baseline_show, &baseline_diff,
    &baseline_remove, NULL};

const struct command command_baseline = {
    .name = "baseline",
    .summary = "Save accepted results, and compare them",
    .args = "save|list|show|diff|remove [NAME]",
    .subjects = subjects,
    .least = 1};
