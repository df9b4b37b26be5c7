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

static int read_turns(struct reading *r, const char *path)
{
    return wml_each(path, take_turn, r);
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

static int read_usages(struct reading *r, const char *path)
{
    return synsets_each(path, take_usages, r);
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

static int read_opinions(struct reading *r, const char *path)
{
    return reviews_each(path, take_opinion, r);
}

/* ---- all ---- */

static int read_files(struct texts *t, const struct manifest *m,
                      const char *ending,
                      int (*read)(struct reading *r, const char *path))
{
    int rc = OK;

    for (int i = 0; i < m->n && rc == OK; i++) {
        struct reading r = {t, m->file[i].name};
        char *path = str_format("%s/%s", m->folder, r.file);

        if (str_ends(r.file, ending))
            rc = read(&r, path);
        free(path);
    }
    return rc;
}

int texts_open(struct texts *t, const struct manifest m[SOURCES],
               unsigned needs, const char *language)
{
    int rc = OK;

    *t = (struct texts){.memory = arena_new()};
    if (needs >> SOURCE_APT & 1)
        TRY(ddtp_open(&t->ddtp, m[SOURCE_APT].folder, language));
    if (needs >> SOURCE_WESNOTH & 1)
        TRY(read_files(t, &m[SOURCE_WESNOTH], ".cfg", read_turns));
    if (needs >> SOURCE_WORDNET & 1)
        TRY(read_files(t, &m[SOURCE_WORDNET], "", read_usages));
    if (needs >> SOURCE_SENTIMENT & 1)
        TRY(read_files(t, &m[SOURCE_SENTIMENT], ".json", read_opinions));
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
