#include "harness/tasks/texts.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/corpora/corpus.h"

#include <stdlib.h>
#include <string.h>

struct reading { struct sink sink; struct texts *to; }; /* `sink` first */

static const char *copy_of(const struct field *row, const char *key,
                           struct arena *a)
{
    return arena_text(a, corpus_field(row, key)->text);
}

/* ---- Wesnoth ---- */

static int take_turn(struct sink *sink, const struct field *row)
{
    struct texts *t = ((struct reading *)sink)->to;
    struct arena *a = t->memory;

    ARRAY_ROOM(t->turn, t->turns, t->turns_cap);
    t->turn[t->turns++] = (struct turn){copy_of(row, "origin", a),
                                        copy_of(row, "speaker", a),
                                        copy_of(row, "text", a)};
    return OK;
}

/* ---- reviews ---- */

static int take_opinion(struct sink *sink, const struct field *row)
{
    struct texts *t = ((struct reading *)sink)->to;

    ARRAY_ROOM(t->opinion, t->opinions, t->opinions_cap);
    t->opinion[t->opinions++] = (struct opinion){
        copy_of(row, "text", t->memory),
        (int)corpus_field(row, "label")->integer,
        !strcmp(corpus_field(row, "origin")->text, "imdb")};
    return OK;
}

/* ---- all ---- */

/* The sources except ddtp; files with other endings are ignored. */
static const struct from {
    const char *corpus, *ending;
    int (*take)(struct sink *sink, const struct field *row);
} from[SOURCES] = {
    [SOURCE_SENTIMENT] = {"sentiment", ".json", take_opinion},
    [SOURCE_WESNOTH] = {"wesnoth", ".cfg", take_turn},
};

static int read_files(struct texts *t, const struct manifest *m,
                      const struct from *of)
{
    struct reading r = {.sink = {.row = of->take}, .to = t};
    const struct corpus *c;

    PASS(corpus_find(&c, of->corpus));
    for (int i = 0; i < m->n; i++)
        if (str_ends(m->file[i].name, of->ending))
            PASS(corpus_read_file(c, m->folder, m->file[i].name, &r.sink));
    return OK;
}

int texts_open(struct texts *t, const struct manifest m[SOURCES],
               unsigned needs, const char *language)
{
    int rc = OK;

    *t = (struct texts){.memory = arena_new()};
    if (needs >> SOURCE_APT & 1)
        GOTO_IF_ERR(ddtp_open(&t->ddtp, m[SOURCE_APT].folder, language));
    for (int s = 0; s < SOURCES; s++)
        if (s != SOURCE_APT && needs >> s & 1)
            GOTO_IF_ERR(read_files(t, &m[s], &from[s]));
out:
    if (rc < 0)
        texts_close(t);
    return rc;
}

void texts_close(struct texts *t)
{
    ddtp_close(&t->ddtp);
    free(t->turn);
    free(t->opinion);
    arena_free(t->memory);
    *t = (struct texts){.turns = 0};
}
