/*
 * settings: sets, reads, checks and stores the configuration of a cell by key.
 * Experiment files, the options -S and -E, cell ids and STORE/experiment.json
 * (store/frozen.h) use it.  One table (key_table.h) has the name, type,
 * default, range and meaning of each key.
 */
#pragma once

#include "harness/store/cell.h"
#include "harness/train/config.h"

enum { SETTINGS_ID = CELL_ID }; /* bytes of a cell id, with its NUL */

struct assign {        /* an assignment "key: value" of a file or option  */
    const char *key, *value;
    const char *where; /* prefix of error messages: "quick.yaml:12", "-S" */
};

/* Returns the name of key `i` (from 0), or NULL after the last one. */
const char *settings_name(int i);

/* Returns 1 if the key is variant, task, scale or seed. */
int         settings_is_axis(const char *key);

/* If only one part of an experiment file or one command can set the key,
 * returns its name: "'tune'" or "`adopt`".  Otherwise returns NULL. */
const char *settings_set_by(const char *key);

/* Returns 1 if the key changes no result and is not part of the cell id. */
int         settings_is_runtime(const char *key);

/* Sets a key from text.  Returns ERR_USAGE if the key is unknown (the message
 * names the nearest one), or the value has the wrong type or is out of range.
 */
int settings_set(struct config *c, const char *key, const char *value);

/* Sets *out to the value of a key as text; the caller frees it.  Returns
 * ERR_USAGE if the key is unknown. */
int settings_get(const struct config *c, const char *key, char **out);

/* Returns 1 if the key has this value, 0 if it has another value, or the error
 * of settings_set. */
int settings_same(const struct config *c, const char *key, const char *value);

/*
 * Sets *c to the configuration of a cell: the defaults of key_table.h, then the
 * values of the preset, the scale and the kind of task, then the `n`
 * assignments `a` in order (later ones win).  Fills in the settings that follow
 * from these (family, length) and checks the rules between settings.  `a` must
 * have the variant and the task.  Returns ERR_USAGE if an assignment is invalid
 * or settings conflict.
 */
int settings_resolve(struct config *c, const struct assign *a, int n);

/* settings_resolve_family does the same for a model family without a task.  The
 * caller sets model.vocab and model.classes. */
int settings_resolve_family(struct config *c, enum family family,
                            const struct assign *a, int n);

/* Checks the rules between settings.  Returns ERR_USAGE if two conflict. */
int settings_check(const struct config *c);

/* Returns ERR_USAGE if one of the `n` configurations `c` sets the key `mix`,
 * but the variant of none of them is a mixture.  The message states where this
 * assignment is, according to the `na` assignments `a`. */
int settings_check_mix(const struct config *c, int n, const struct assign *a,
                       int na);

/* Fills in model.vocab and model.classes, which train_cell takes from the data,
 * if they are known without the data.  The estimates of a plan use these
 * values. */
void settings_expect(struct config *c);

/* Returns settings as JSON with sorted keys and reals of 17 digits; the caller
 * frees the text.  If `hashed` is not 0, the text has the keys that are part of
 * the cell id, else the other keys. */
char *settings_all(const struct config *c, int hashed);

/* Returns the canonical text of a configuration; the caller frees it.  It is
 * the text of settings_all without the keys that have their default, so that a
 * new key changes no text.  Axes are always included. */
char *settings_text(const struct config *c, int hashed);

/* Returns the version of the cell's data (task_version), which cell_id takes as
 * its argument `recipe`. */
int settings_recipe(const struct config *c);

/* Sets `id` to the id of the cell, which cell_id (store/cell.h) computes from
 * settings_text and the versions of the data and of the computation. */
void settings_id(const struct config *c, char id[SETTINGS_ID]);

/* Restores a configuration from its two texts: `hashed` is the result of
 * settings_text(c, 1), `other` that of settings_text(c, 0).  Returns ERR_STORE
 * if a text is not a configuration, or has a key or value that this version
 * does not support. */
int settings_restore(struct config *c, const char *hashed, const char *other);
