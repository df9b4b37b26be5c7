#include "harness/tasks/texts.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/data/format/reviews.h"
#include "harness/data/format/synsets.h"
#include "harness/data/format/wml.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where they go, and the file that they come from. */
struct reading { struct texts *to; const char *file; };

/* ---- Wesnoth ---- */

static int take_turn(void *reading, const struct wml_turn *turn)
{
    struct reading *r = reading;
    struct texts *t = r->to;
    struct arena *a = t->memory;

    if (turn->skipped)
        return OK;
    ARRAY_ROOM(t->turn, t->turns, t->turns_cap);
    t->turn[t->turns++] = (struct turn){arena_text(a, r->file),
                                        arena_text(a, turn->speaker),
                                        arena_text(a, turn->text)};
    return OK;
}

/* ---- WordNet ---- */

static int in_word(char c)
{
    unsigned char u = (unsigned char)c;

    return u >= 0x80 || isalnum(u) || c == '_' || c == '-' || c == '\'';
}

/* Whether the text has the word as it stands, not as a part of another. */
static int has_word(const char *text, const char *word)
{
    size_t n = strlen(word);

    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !in_word(at[-1])) && !in_word(at[n]))
            return 1;
    return 0;
}

/* A synset is a meaning. */
static int take_usages(void *reading, const struct synset *s)
{
    struct texts *t = ((struct reading *)reading)->to;
    struct arena *a = t->memory;

    t->meanings++;
    for (int i = 0; s->lemma[i]; i++)
        for (int k = 0; s->example[k]; k++) {
            if (!has_word(s->example[k], s->lemma[i]))
                continue;
            ARRAY_ROOM(t->usage, t->usages, t->usages_cap);
            t->usage[t->usages++] = (struct usage){
                arena_text(a, s->lemma[i]), arena_text(a, s->pos), t->meanings,
                arena_text(a, s->example[k])};
        }
    return OK;
}

/* ---- reviews ---- */

static int take_opinion(void *reading, const struct review *r)
{
    struct reading *of = reading;
    struct texts *t = of->to;
    int film = strstr(of->file, "/imdb.json") != NULL;

    if (r->skipped)
        return OK;
    ARRAY_ROOM(t->opinion, t->opinions, t->opinions_cap);
    t->opinion[t->opinions++] =
        (struct opinion){arena_text(t->memory, r->text), r->label, film};
    return OK;
}

/* ---- all ---- */

/* Files of other endings are none of ours. */
static int read_file(struct reading *r, enum source_id id, const char *path)
{
    if (id == SOURCE_WESNOTH)
        return str_ends(path, ".cfg") ? wml_each(path, take_turn, r) : OK;
    if (id == SOURCE_WORDNET)
        return synsets_each(path, take_usages, r);
    return str_ends(path, ".json") ? reviews_each(path, take_opinion, r) : OK;
}

static int read_files(struct texts *t, const struct manifest *m,
                      enum source_id id)
{
    for (int i = 0; i < m->n; i++) {
        struct reading r = {t, m->file[i].name};
        OWNED(free) char *path = str_format("%s/%s", m->folder, r.file);

        PASS(read_file(&r, id, path));
    }
    return OK;
}

int texts_open(struct texts *t, const struct manifest m[SOURCES],
               unsigned needs, const char *language)
{
    int rc = OK;

    *t = (struct texts){.memory = arena_new()};
    if (needs >> SOURCE_APT & 1)
        TRY(ddtp_open(&t->ddtp, m[SOURCE_APT].folder, language));
    for (int s = 0; s < SOURCES; s++)
        if (s != SOURCE_APT && needs >> s & 1)
            TRY(read_files(t, &m[s], (enum source_id)s));
out:
    if (rc < 0)
        texts_close(t);
    return rc;
}

void texts_close(struct texts *t)
{
    ddtp_close(&t->ddtp);
    free(t->turn);
    free(t->usage);
    free(t->opinion);
    arena_free(t->memory);
    *t = (struct texts){.turns = 0};
}
