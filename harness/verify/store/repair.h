/*
 * repair: quarantines files of a store that are damaged or belong to nothing,
 * and rebuilds files whose contents the other files determine.  Nothing is
 * deleted; quarantined files are moved to
 *
 *     STORE/quarantine/DATE/cells/ID.h5 ...
 *
 * The journal is repaired first, because cells are compared with it.  Its valid
 * lines stay; a cell without a line then gets a line from its own file.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/store/store.h"

/* Called with a line that says what is wrong and what is done about it. */
typedef void repair_report(const char *line);

struct repair {
    const char    *path;
    struct store  *store;
    char          *aside;    /* quarantine folder of this repair */
    int            dry;      /* 1: only reports                  */
    repair_report *report;
    int            mended;   /* files quarantined or rebuilt */
    int            index;    /* 1: rebuild the index; 2: it is also damaged */
};

/* Repairs the store in a folder or, if `dry` is 1, reports what would be done.
 * Then out->aside exists if a file was quarantined.  Returns ERR_BUSY if
 * another process is using the store, ERR_EMPTY if there is no store, or ERR_IO
 * or ERR_SPACE.  Call repair_close in any case. */
int  repair_store(struct repair *out, const char *path, int dry,
                  repair_report *report);
void repair_close(struct repair *r);
OWNER_OF_VALUE(repair_close, struct repair)
