/*
 * settings: sets, reads, checks and stores the configuration of a cell by key.
 * One table (key_table.h) has the name, type, default, range and meaning of
 * each key.  Experiment files, -S, -E, cell ids and the frozen experiment all
 * use it.
 */
#pragma once

#include "harness/store/cell.h"
#include "harness/train/config.h"

enum { SETTINGS_ID = CELL_ID }; /* bytes of a cell id, with its NUL */

struct assign {        /* an assignment "key: value" of a file or option  */
    const char *key, *value;
    const char *where; /* "quick.yaml:12", "-S": prefix of error messages */
};

/* Returns the name of key i = 0, 1, ..., or NULL after the last. */
const char *settings_name(int i);

/* Returns 1 if the key is variant, task, scale or seed. */
int         settings_is_axis(const char *key);

/* Returns the only source that may set the key ("'tune'", "`adopt`"), or NULL
 * if every source may. */
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

/* Returns 1 if the key has this value, 0 if it has another, or ERR_USAGE as
 * settings_set does. */
int settings_same(const struct config *c, const char *key, const char *value);

/*
 * Sets *c to the configuration of a cell: the defaults of the table, then the
 * values of the preset, the scale and the kind of task, then a[n] in order
 * (later ones win).  Fills in what follows from these (family, length) and
 * checks the rules between settings.  a must have the variant and the task.
 * Returns ERR_USAGE if an assignment is invalid or settings conflict.
 */
int settings_resolve(struct config *c, const struct assign *a, int n);

/* Does the same for a model family without a task.  The caller sets model.vocab
 * and model.classes. */
int settings_resolve_family(struct config *c, enum family family,
                            const struct assign *a, int n);

/* Checks the rules between settings.  Returns ERR_USAGE if two conflict. */
int settings_check(const struct config *c);

/* Returns ERR_USAGE if one of n configurations sets `mix`, but none is of a
 * mixture.  a[na]: the assignments, for the place in the message. */
int settings_check_mix(const struct config *c, int n, const struct assign *a,
                       int na);

/* Fills in model.vocab and model.classes, which train_cell takes from the data,
 * as far as they are known without it.  For estimates of plans. */
void settings_expect(struct config *c);

/* Returns the settings as JSON with sorted keys and reals of 17 digits; the
 * caller frees it.  If `hashed`, has the keys of the cell id, else the others.
 */
char *settings_all(const struct config *c, int hashed);

/* Returns the canonical text; the caller frees it.  It is settings_all without
 * the keys that have their default, so that a new key changes no text.  Axes
 * are always included. */
char *settings_text(const struct config *c, int hashed);

/* Returns task_version of the cell's data, one of the two versions that the
 * cell id hashes. */
int settings_recipe(const struct config *c);

/* Sets id to the first 16 digits of the SHA-256 of the hashed text and the two
 * versions. */
void settings_id(const struct config *c, char id[SETTINGS_ID]);

/* Restores *c from its texts: `hashed` is settings_text(c, 1), `other` is
 * settings_text(c, 0).  Returns ERR_STORE if a text is not a configuration, or
 * has a key or value that this version does not support. */
int settings_restore(struct config *c, const char *hashed, const char *other);
