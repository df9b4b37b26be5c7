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

/* ---- Wesnoth ---- */

static int read_turns(struct texts *t, const char *path, const char *file)
{
    struct arena *a = t->memory;
    struct wml *w = NULL;
    struct wml_turn turn;
    int rc;

    TRY(wml_open(&w, path));
    while ((rc = wml_next(w, &turn)) > 0) {
        if (turn.skipped)
            continue;
        ARRAY_ROOM(t->turn, t->turns, t->turns_cap);
        t->turn[t->turns++] = (struct turn){arena_text(a, file),
                                            arena_text(a, turn.speaker),
                                            arena_text(a, turn.text)};
    }
out:
    wml_close(w);
    return rc;
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

static void add_usages(struct texts *t, const struct synset *s, int meaning)
{
    struct arena *a = t->memory;

    for (int i = 0; s->lemma[i]; i++)
        for (int k = 0; s->example[k]; k++) {
            if (!has_word(s->example[k], s->lemma[i]))
                continue;
            ARRAY_ROOM(t->usage, t->usages, t->usages_cap);
            t->usage[t->usages++] = (struct usage){
                arena_text(a, s->lemma[i]), arena_text(a, s->pos), meaning,
                arena_text(a, s->example[k])};
        }
}

static int read_usages(struct texts *t, const char *path, const char *file)
{
    struct synsets *all = NULL;
    struct synset s;
    int rc, meaning = t->usages ? t->usage[t->usages - 1].meaning : 0;

    (void)file;
    TRY(synsets_open(&all, path));
    while ((rc = synsets_next(all, &s)) > 0)
        add_usages(t, &s, ++meaning);
out:
    synsets_close(all);
    return rc;
}

/* ---- reviews ---- */

static int read_opinions(struct texts *t, const char *path, const char *file)
{
    struct reviews *all = NULL;
    struct review r;
    int rc, film = strstr(file, "/imdb.json") != NULL;

    TRY(reviews_open(&all, path));
    while ((rc = reviews_next(all, &r)) > 0) {
        if (r.skipped)
            continue;
        ARRAY_ROOM(t->opinion, t->opinions, t->opinions_cap);
        t->opinion[t->opinions++] =
            (struct opinion){arena_text(t->memory, r.text), r.label, film};
    }
out:
    reviews_close(all);
    return rc;
}

/* ---- all ---- */

static int ends_in(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);

    return n >= m && !strcmp(s + n - m, end);
}

static int read_files(struct texts *t, const struct manifest *m,
                      const char *ending,
                      int (*read)(struct texts *t, const char *path,
                                  const char *file))
{
    int rc = OK;

    for (int i = 0; i < m->n && rc == OK; i++) {
        const char *file = m->file[i].name;
        char *path = str_format("%s/%s", m->folder, file);

        if (ends_in(file, ending))
            rc = read(t, path, file);
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
    if (t->ddtp.memory)
        ddtp_close(&t->ddtp);
    free(t->turn);
    free(t->usage);
    free(t->opinion);
    arena_free(t->memory);
    *t = (struct texts){.turns = 0};
}
