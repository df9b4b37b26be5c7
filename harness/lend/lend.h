/*
 * lend: cells that another program trains.  `lend` writes a folder with
 * everything that the training starts from; the other program writes its
 * results into DIR/trained; `adopt` checks them, evaluates the weights and
 * stores a cell of its own.  docs/trainer-protocol.md describes every file.
 *
 * Order of calls: lend_cell; the external training; contract_read, adopt_cell,
 * contract_close.
 */
#pragma once

#include "harness/plan/plan.h"
#include "harness/store/trace_file.h"

/* The lent cell, as read from DIR/contract.json. */
struct contract {
    struct arena      *memory;
    const char        *folder;
    char               sha256[HASH_HEX];  /* digest of contract.json */
    struct config      config;            /* of the engine's cell    */
    struct mix         mix;
    const struct task *task;
    const char        *row;
    const char        *data_digest;
    const char        *start_sha256; /* of the pretrained cell, or "" */
    const char        *ids; /* "data.h5", or an absolute path         */
};

/* Folders of the data cache and of the data files. */
struct lend_data { const char *cache, *files; };

/* Lends the cell into a new folder.  ids: path of the data.h5 of an earlier
 * lend of the same data, to which the contract refers instead of a copy; NULL:
 * data.h5 is written.  Returns OK, or ERR_USAGE if the cell cannot be lent. */
int lend_cell(const struct plan *p, const struct cell *c, const char *folder,
              const char *ids, const struct lend_data *at);

/* Reads the contract in `folder` and checks the files against it.  Returns
 * ERR_DATA if a file is missing or was changed, or if another version of
 * synthbench lent it.  The caller calls contract_close. */
int  contract_read(struct contract *out, const char *folder);
void contract_close(struct contract *c);
OWNER_OF_VALUE(contract_close, struct contract)

/* Writes contract.json, after all other files of the folder. */
int contract_write(const struct cell *c, const struct contract *k);

/* Fills *out with the cell as another program trains it: id, row,
 * configuration.  Its texts are in arena a. */
void lend_external(struct cell *out, const struct contract *k,
                   struct arena *a);

/* Checks DIR/trained, evaluates the weights and stores the cell in `store`;
 * writes its id.  Returns ERR_DATA if a check fails; the message says which,
 * and nothing is stored. */
int adopt_cell(const struct contract *k, const char *store,
               const struct lend_data *at, char id[SETTINGS_ID]);
