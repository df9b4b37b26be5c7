/*
 * cell_config: the configuration of a cell as a store knows it: JSON whose
 * canonical text, with two versions, is what the id hashes.  Private to this
 * folder but for cell_id and struct cell_labels (cell.h).
 */
#ifndef STORE_CELL_CONFIG_H
#define STORE_CELL_CONFIG_H

#include "harness/base/arena.h"
#include "harness/base/json.h"
#include "harness/store/cell.h"

/* Letters, digits and + _ . - , at most 127, the first no dot or dash: safe as
 * part of a file's name and in any script. */
int cell_name_ok(const char *s);

/* Keys sorted, no blanks, reals with 17 digits. */
const char *cell_config_text(const json_t *config, struct arena *a);

/* ERR_STORE: one is missing or no name.  Texts live in a. */
int cell_config_labels(struct cell_labels *out, const json_t *config,
                       struct arena *a);

#endif
