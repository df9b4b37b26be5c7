#include "harness/verify/store/repair.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/store/journal.h"
#include "harness/verify/store/audit.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- quarantine ---- */

/* Returns the path of a quarantine folder that does not exist yet.  Its name is
 * the date, followed by a number if another repair started in the same second.
 * The caller frees the path. */
static char *new_folder(const char *store)
{
    char date[32], *path = NULL;

    clock_iso(date);
    for (int i = 1; !path || file_exists(path); i++) {
        free(path);
        path = i == 1 ? str_format("%s/quarantine/%s", store, date)
                      : str_format("%s/quarantine/%s-%d", store, date, i);
    }
    return path;
}

/* Returns "speed/" if `store` is the store of timings inside the repaired
 * store, or "" if it is the repaired store itself. */
static const char *below(const struct repair *r, const char *store)
{
    return strcmp(store, r->path) ? "speed/" : "";
}

static int put_aside(struct repair *r, const char *store, const char *subject,
                     int copy)
{
    OWNED(free) char *from = str_format("%s/%s", store, subject), *bytes = NULL;
    OWNED(free) char *to = str_format("%s/%s%s", r->aside, below(r, store),
                                      subject), *path = str_copy(to);
    size_t n;

    if (r->dry || !file_exists(from))
        return OK;
    PASS(file_mkdirs(dirname(path)));
    if (!copy && rename(from, to))
        return err_errno(ERR_IO, "%s", from);
    if (copy) {
        PASS(file_read(&bytes, &n, from));
        PASS(file_write(to, bytes, n));
    }
    return OK;
}

/* Reports what is wrong with a file, `why`, and what is done about it,
 * `follows`.  Cuts the path at the beginning of `why`, and the advice to run
 * `repair` at its end. */
static void report_repair(struct repair *r, const char *store,
                          const char *subject, const char *why,
                          const char *follows)
{
    OWNED(free) char *path = str_format("%s/%s", store, subject);
    const char *at = strstr(why, path);

    why = at ? at + strlen(path) : why;
    why += strspn(why, ": ");
    r->mended++;
    OWNED(free) char *line = str_format("%s%s: %.*s; %s%s", below(r, store),
                                        subject, (int)strcspn(why, ";"), why,
                                        r->dry ? "would be " : "", follows);
    r->report(line);
}

/* ---- the journal ---- */

struct lines { int damaged; char why[256]; };

static void look_at_line(void *arg, int number, const char *id, int unchecked,
                         const char *damage)
{
    struct lines *l = arg;

    (void)id, (void)unchecked;
    if (damage && !l->damaged++)
        snprintf(l->why, sizeof l->why, "line %d %s", number, damage);
}

static void ignore_id(void *arg, const char *id) { (void)arg, (void)id; }

/* Adds the missing lines to the journal of the store or of its folder
 * speed/. */
static int complete(struct repair *r, const char *store)
{
    OWNED(store_close) struct store *s = NULL;

    PASS(store_open(&s, store, 0));
    return store_complete(s, *below(r, store) ? "speed" : NULL);
}

static int mend_journal(struct repair *r, const char *store)
{
    struct lines l = {.damaged = 0};
    int rc = journal_check(store, look_at_line, ignore_id, &l);

    PASS(rc == ERR_STORE ? OK : rc);
    if (rc == ERR_STORE) /* the whole journal is lost */
        snprintf(l.why, sizeof l.why, "%s", err_last());
    else if (!l.damaged)
        return OK;
    report_repair(r, store, "journal.tsv", l.why,
                  "copied to quarantine, and rebuilt: valid lines stay, the "
                  "others come from the cells");
    PASS(put_aside(r, store, "journal.tsv", 1));
    if (!r->dry) {
        PASS(journal_mend(store));
        PASS(complete(r, store));
    }
    return OK;
}

/* ---- other files ---- */

static int starts(const char *s, const char *with)
{
    return !strncmp(s, with, strlen(with));
}

static const char *consequence(const struct audit_row *row)
{
    const char *s = row->subject;

    return row->cure == CURE_CELL
               ? "quarantined; the next `synthbench run` trains the cell "
                 "again"
           : !strcmp(s, "experiment.json")
               ? "quarantined; the cells belong to no experiment until "
                 "`synthbench run EXPERIMENT.yaml` with this --store writes "
                 "it again"
           : starts(s, "cells/")       ? "quarantined; no table shows it"
           : starts(s, "weights/")     ? "quarantined"
           : starts(s, "checkpoints/") ? "quarantined; the cell resumes "
                                         "from its other checkpoint, or "
                                         "starts again"
           : starts(s, "failed/")      ? "quarantined; the next run tries "
                                         "the cell again"
                                       : "quarantined; nothing needs it";
}

/* Repairs what one row of the audit reports.  Meanwhile holds the lease of the
 * cell, so that no runner starts to train it. */
static int mend(struct repair *r, const struct audit_row *row)
{
    OWNED(free) char *cell = str_format("cells/%s.h5", row->id);
    const char *subject = row->cure == CURE_CELL ? cell : row->subject;
    struct journal_line line;
    int claims = *row->id && !r->dry && !*below(r, row->store) &&
                 !starts(row->subject, "claims/"); /* not itself a lease */

    if (row->cure == CURE_INDEX) {
        report_repair(r, row->store, row->subject, row->remark, "rebuilt");
        r->index = 2;
        return OK;
    }
    if (starts(row->subject, "cells/") && !r->index)
        r->index = 1;
    if (row->cure == CURE_JOURNAL)
        return r->dry ? OK : complete(r, row->store);
    if (claims)
        PASS(store_claim(r->store, row->id));
    int rc = put_aside(r, row->store, subject, 0);
    /* The journal records that a cell to train again was removed on purpose. */
    if (rc == OK && !r->dry && !strcmp(subject, cell) &&
        journal_find(row->store, row->id, &line) == OK)
        rc = journal_add(row->store, row->id, NULL);
    if (claims)
        store_release(r->store, row->id);
    PASS(rc);
    report_repair(r, row->store, row->subject, row->remark, consequence(row));
    return OK;
}

static int mend_all(struct repair *r)
{
    OWNED(audit_close) struct audit *a = NULL;

    PASS(audit_store(&a, r->path));
    for (int i = 0; i < a->n; i++) {
        const struct audit_row *row = &a->row[i];

        if (row->cure != CURE_NONE) {
            PASS(mend(r, row));
        } else if (row->verdict == VERDICT_FAIL) { /* experiment.json is lost */
            OWNED(free) char *line = str_format("%s %s", row->subject,
                                                row->remark);

            r->report(line);
            r->mended++;
        }
    }
    if (r->index == 1)
        report_repair(r, r->path, "index.h5",
                      "lists a cell that is quarantined", "rebuilt");
    if (r->index && !r->dry) {
        PASS(put_aside(r, r->path, "index.h5", 0));
        PASS(store_reindex(r->store));
    }
    return OK;
}

/* ---- all of it ---- */

int repair_store(struct repair *out, const char *path, int dry,
                 repair_report *report)
{
    OWNED(free) char *speed = str_format("%s/speed", path);
    OWNED(close) int fd = -1;
    char who[256];

    *out = (struct repair){.path = path, .dry = dry, .report = report};
    PASS(store_look(&out->store, path));
    if (store_at_work(out->store, who, sizeof who))
        return err_set(ERR_BUSY, "%s: another process is using it (%s); "
                                 "repair it when that has finished",
                       path, who);
    PASS(store_lock(&fd, path, "lock"));
    out->aside = new_folder(path);
    if (!audit_never_begun(path)) {
        PASS(mend_journal(out, path));
        if (!audit_never_begun(speed))
            PASS(mend_journal(out, speed));
    }
    return mend_all(out);
}

void repair_close(struct repair *r)
{
    store_close(r->store);
    free(r->aside);
}
