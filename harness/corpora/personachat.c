/*
 * personachat: reads dialogues of two people, each of whom plays a persona.
 *
 *     personachat/{train,valid,test}_FORM.txt    ParlAI's files; FORM is
 *                 self_original, both_revised or none_original_no_cands
 *         N your persona: ...         N partner's persona: ...
 *         N utterance<TAB>reply<TAB><TAB>candidate|...|candidate
 *     personachat_self_original.json
 *         {"train": [{"personality": [...], "utterances":
 *             [{"candidates": [..., reply], "history": [...]}]}], "valid"}
 *
 * If a line number does not increase, a new dialogue begins.  ASCII white space
 * at both ends of a field is removed.  "__SILENCE__", which the JSON release
 * spells "__ SILENCE __", is not added to the history.  A turn whose reply is
 * silence or empty is skipped.
 * Source: Zhang et al. (ACL 2018); Dinan et al., ConvAI2 (2019).
 */
#include "harness/corpora/corpus.h"

#include "harness/base/arena.h"
#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/data/format/jsonarray.h"
#include "harness/data/format/linefile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct list { /* a list of texts; item[n] is NULL */
    const char **item;
    int n;
    size_t cap;
};

struct dialog {
    struct corpus_reading *x;
    int number, turn;
    long last; /* number of the last line */
    struct list persona, partner, history, candidates;
    struct arena *memory; /* holds the texts */
};

static void clear(struct list *l)
{
    l->n = 0;
    if (l->item)
        l->item[0] = NULL;
}

/* Appends a text without copying it. */
static void append(struct list *l, const char *s)
{
    ARRAY_MORE(l->item, l->n, l->cap, 2);
    l->item[l->n++] = s;
    l->item[l->n] = NULL;
}

static const char *const *items(const struct list *l)
{
    static const char *const none[] = {NULL};

    return l->item ? l->item : none;
}

static void close_dialog(struct dialog *d)
{
    free(d->persona.item);
    free(d->partner.item);
    free(d->history.item);
    free(d->candidates.item);
    arena_free(d->memory);
}

static void begin(struct dialog *d)
{
    d->number++;
    d->turn = 0;
    clear(&d->persona);
    clear(&d->partner);
    clear(&d->history);
    arena_reset(d->memory);
}

/* Returns 0 if the text, without its blanks, is empty or __SILENCE__ in upper
 * or lower case, else 1. */
static int is_speech(const char *s)
{
    static const char blanks[] = " \t\n\v\f\r", silence[] = "__SILENCE__";
    size_t n = 0;

    for (s += strspn(s, blanks); *s; s += 1 + strspn(s + 1, blanks))
        if (toupper((unsigned char)*s) != silence[n++])
            return 1;
    return n && silence[n];
}

static int hand_out(struct corpus_reading *x, const struct dialog *d,
                    const char *reply)
{
    return ROW(x, INTEGER("dialog", d->number), INTEGER("turn", d->turn),
               TEXTS("persona", items(&d->persona)),
               TEXTS("partner_persona", items(&d->partner)),
               TEXTS("history", items(&d->history)), TEXT("target", reply),
               TEXTS("candidates", items(&d->candidates)));
}

/* ---- ParlAI's text ---- */

static char *next_field(char **s)
{
    static char none[1];

    return *s ? text_strip_ascii(strsep(s, "\t")) : none;
}

static int read_turn(struct corpus_reading *x, struct dialog *d,
                     long line, char *fields)
{
    const char *utterance = next_field(&fields), *reply = next_field(&fields);

    next_field(&fields); /* the reward */
    char *candidates = next_field(&fields);
    clear(&d->candidates);
    for (char *s = *candidates ? candidates : NULL; s;)
        append(&d->candidates, strsep(&s, "|"));
    if (is_speech(utterance))
        append(&d->history, arena_text(d->memory, utterance));
    if (!is_speech(reply))
        return corpus_skip(x, line, "empty-reply", NULL);
    PASS(hand_out(x, d, reply));
    d->turn++;
    append(&d->history, arena_text(d->memory, reply));
    return OK;
}

static int take_line(void *dialog, const struct linefile *f, char *line)
{
    struct dialog *d = dialog;
    static const char *const whose[] = {"your persona: ",
                                        "partner's persona: "};
    size_t digits = strspn(line, "0123456789");

    if (!digits || digits > 9 || (line[digits] && line[digits] != ' '))
        return linefile_refuse(f, "the line does not begin with its number");
    long number = atol(line);
    if (number <= d->last)
        begin(d);
    d->last = number;
    line += digits + !!line[digits];
    for (int i = 0; i < 2; i++) {
        size_t n = strlen(whose[i]);

        if (strncmp(line, whose[i], n) || strchr(line, '\t'))
            continue;
        append(i ? &d->partner : &d->persona,
               arena_text(d->memory, text_strip_ascii(line + n)));
        return OK;
    }
    return read_turn(d->x, d, linefile_number(f), line);
}

static int read_text(struct corpus_reading *x, const char *path)
{
    struct dialog d = {.x = x, .memory = arena_new()};
    int rc = linefile_each(path, take_line, &d);

    close_dialog(&d);
    return rc;
}

/* ---- JSON ---- */

static int fill(struct list *l, const struct value *object, const char *key,
                int speech)
{
    const struct value *v;

    clear(l);
    PASS(value_list(&v, object, key));
    for (; v; v = v->next) {
        if (v->kind != VALUE_STRING)
            return err_set(ERR_DATA, "'%s' has an element that is not a string",
                           key);
        if (!speech || is_speech(v->string))
            append(l, v->string);
    }
    return OK;
}

static int read_utterance(struct corpus_reading *x, struct dialog *d,
                          const struct value *utterance)
{
    PASS(fill(&d->candidates, utterance, "candidates", 0));
    PASS(fill(&d->history, utterance, "history", 1));
    const char *reply =
        d->candidates.n ? d->candidates.item[d->candidates.n - 1] : "";
    int rc = is_speech(reply)
                 ? hand_out(x, d, reply)
                 : corpus_skip(x, 0, "empty-reply",
                               FIELDS(INTEGER("dialog", d->number),
                                      INTEGER("turn", d->turn)));
    d->turn++;
    return rc;
}

static int take_dialog(void *dialog, const struct value *v, struct arena *a)
{
    struct dialog *d = dialog;
    const struct value *utterance;

    (void)a;
    begin(d);
    PASS(fill(&d->persona, v, "personality", 0));
    PASS(value_list(&utterance, v, "utterances"));
    for (; utterance; utterance = utterance->next)
        PASS(read_utterance(d->x, d, utterance));
    return OK;
}

static int read_json(struct corpus_reading *x, const char *path)
{
    struct dialog d = {.x = x, .number = -1, .memory = arena_new()};
    int rc = jsonarray_each(path, x->split->name, take_dialog, &d);

    close_dialog(&d);
    return rc;
}

#define PARLAI(form)                                                          \
    {                                                                         \
        .name = "parlai", .file = read_text, .split = {                       \
            {"train", "personachat/train_" form ".txt", 65719},               \
            {"valid", "personachat/valid_" form ".txt", 7801},                \
            {"test", "personachat/test_" form ".txt", 0}}                     \
    }

#define PERSONACHAT "ParlAI: personachat.tgz (https://parl.ai/docs/tasks.html)"

const struct corpus corpus_personachat = {
    .name = "personachat", .title = "PersonaChat",
    .from = PERSONACHAT "; or the transfer-learning "
            "release of ConvAI2 in JSON",
    .counted = "empty-reply",
    .layout = {PARLAI("self_original"),
               {.name = "json", .file = read_json, .split = {
                   {"train", "personachat_self_original.json", 0},
                   {"valid", "personachat_self_original.json", 0}}}}};

const struct corpus corpus_personachat_both_revised = {
    .name = "personachat_both_revised", .title = "PersonaChat, revised",
    .from = PERSONACHAT,
    .counted = "empty-reply",
    .layout = {PARLAI("both_revised")}};

/* ConvAI2 contains each dialogue from both sides, so its training set has twice
 * the turns of PersonaChat's. */
const struct corpus corpus_convai2 = {
    .name = "convai2", .title = "ConvAI2",
    .from = "ParlAI: convai2_fix_723.tgz (https://parl.ai/docs/tasks.html)",
    .counted = "empty-reply",
    .layout = {{.name = "parlai", .file = read_text, .split = {
        {"train", "train_none_original_no_cands.txt", 131438},
        {"valid", "valid_none_original_no_cands.txt", 7801}}}}};
