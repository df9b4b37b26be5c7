/*
 * lend: a cell that another program trains.  `lend` writes a folder with all
 * that the training starts from; the other program writes its results into
 * DIR/trained; `adopt` checks them, evaluates the weights and stores a cell of
 * its own.  docs/trainer-protocol.md describes every file.
 */
#pragma once

#include "harness/plan/plan.h"
#include "harness/store/trace_file.h"

/* The lent cell, as DIR/contract.json says it. */
struct contract {
    struct arena      *memory;
    const char        *folder;
    char               sha256[HASH_HEX];  /* digest of contract.json */
    struct config      config;            /* of the engine's cell    */
    struct mix         mix;
    const struct task *task;
    const char        *row;
    const char        *data_digest;
    const char        *start_sha256; /* of the cell it starts from, or "" */
    const char        *ids; /* data.h5, or its whole path elsewhere   */
};

/* Where the data are. */
struct lend_data { const char *cache, *files; };

/* ERR_USAGE: this cell cannot be lent; ids: the data.h5 of an earlier lend of
 * the same data, which is named and not copied; NULL: it is written. */
int lend_cell(const struct plan *p, const struct cell *c, const char *folder,
              const char *ids, const struct lend_data *at);

/* Checks the files of DIR against the contract.  ERR_DATA: one is missing or
 * was changed, or another version of synthbench lent it. */
int  contract_read(struct contract *out, const char *folder);
void contract_close(struct contract *c);
OWNER_OF_VALUE(contract_close, struct contract)

/* Writes contract.json behind the other files. */
int contract_write(const struct cell *c, const struct contract *k);

/* The cell as another program trains it: id, row and configuration. */
void lend_external(struct cell *out, const struct contract *k,
                   struct arena *a);

/* Checks DIR/trained, evaluates the weights and stores the cell in `store`.
 * ERR_DATA: the message says what is wrong; nothing is stored. */
int adopt_cell(const struct contract *k, const char *store,
               const struct lend_data *at, char id[SETTINGS_ID]);
