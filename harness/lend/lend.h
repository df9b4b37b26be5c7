/*
 * lend: lets another program train a cell.  The command `lend` calls lend_cell,
 * which writes everything that the training needs into a folder DIR.  The other
 * program trains and writes its results into DIR/trained.  The command `adopt`
 * calls contract_read, adopt_cell and contract_close; adopt_cell checks the
 * results, evaluates the weights and stores them as a separate cell.
 * docs/trainer-protocol.md describes every file.
 */
#pragma once

#include "harness/plan/plan.h"
#include "harness/store/trace_file.h"

/* The lent cell, as read from DIR/contract.json. */
struct contract {
    struct arena      *memory;
    const char        *folder;
    char               sha256[HASH_HEX];  /* digest of contract.json */
    struct config      config; /* of the cell as the engine trains it */
    struct mix         mix;
    const struct task *task;
    const char        *row;
    const char        *data_digest;
    const char        *start_sha256; /* of the pretrained weights, or "" */
    const char        *ids; /* path of data.h5: "data.h5", or absolute */
};

/* `cache` is the folder of fetched and prepared data, `files` that of official
 * data. */
struct lend_data { const char *cache, *files; };

/* Writes everything that is needed to train the cell into `folder`, which must
 * not have a contract.json yet.  If `ids` is NULL, this includes data.h5;
 * otherwise `ids` is the path of a data.h5 that an earlier call wrote for the
 * same data, and the contract refers to this file.  Returns ERR_USAGE if the
 * cell cannot be lent or the folder has a contract.json. */
int lend_cell(const struct plan *p, const struct cell *c, const char *folder,
              const char *ids, const struct lend_data *at);

/* Reads the contract in `folder` and checks the files of the folder against it.
 * Returns ERR_DATA if a file is missing or was changed, or if another version
 * of synthbench wrote the folder.  The caller calls contract_close. */
int  contract_read(struct contract *out, const char *folder);
void contract_close(struct contract *c);
OWNER_OF_VALUE(contract_close, struct contract)

/* Writes contract.json.  All other files of the folder must exist. */
int contract_write(const struct cell *c, const struct contract *k);

/* Sets *out to the cell that the other program trains, which has its own id,
 * row and configuration.  The texts of *out live in the arena `a`. */
void lend_external(struct cell *out, const struct contract *k,
                   struct arena *a);

/* Checks DIR/trained, evaluates the weights, stores the trained cell in `store`
 * and sets `id` to its id.  If a check fails, stores nothing and returns
 * ERR_DATA with a message that names the check. */
int adopt_cell(const struct contract *k, const char *store,
               const struct lend_data *at, char id[SETTINGS_ID]);
