/*
 * vectors_moses: checks Moses's tokenizer and all stages of the German pipeline
 * of tensor2tensor.  Both require Moses's prefix lists in DATA/moses, where
 * DATA is the folder of third-party data.  The table of vectors.c lists the
 * checks.
 */
#include "harness/verify/metrics/vector_case.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/metrics/bleu/moses.h"

#include <stdlib.h>

static char *replace(const void *m, const char *line)
{
    (void)m;
    return moses_replace_punctuation(line);
}

static char *split(const void *m, const char *line)
{
    (void)m;
    return moses_split_compounds(line);
}

static char *plain(const void *m, const char *line)
{
    return moses_tokenize(m, line, 0);
}

static char *aggressive(const void *m, const char *line)
{
    return moses_tokenize(m, line, MOSES_AGGRESSIVE | MOSES_NO_ESCAPE);
}

static char *both(const void *m, const char *line)
{
    OWNED(free) char *replaced = moses_replace_punctuation(line);
    char *tokens = moses_tokenize(m, replaced, 0);

    return tokens;
}

/* Returns DATA/moses, or notes that the case was skipped and returns NULL. */
static char *find_lists(struct vector_case *c)
{
    char *folder = c->data ? str_format("%s/moses", c->data) : NULL;

    if (folder && file_exists(folder))
        return folder;
    free(folder);
    case_skip(c, "needs Moses's nonbreaking_prefix lists in DIR/moses; specify "
              "--data DIR");
    return NULL;
}

static int check_stages(struct vector_case *c, const char *folder)
{
    static const struct { const char *language, *from, *file; case_make *run; }
    stages[] = {{"de", "decodes.txt", "decodes.n", replace},
                {"de", "decodes.n", "decodes.tok", plain},
                {"de", "decodes.tok", "decodes.tok.atat", split},
                {"de", "ref.txt", "ref.tok", both},
                {"de", "ref.tok", "ref.tok.atat", split},
                {"en", "decodes.txt", "decodes.tok_en", plain},
                {"fr", "decodes.txt", "decodes.tok_fr", plain},
                {"de", "decodes.txt", "decodes.tok_de_noescape_aggressive",
                 aggressive}};

    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        OWNED(moses_close) struct moses *m = NULL;

        PASS(moses_open(&m, folder, stages[i].language));
        PASS(case_texts(c, stages[i].from, stages[i].file, stages[i].run, m));
    }
    return OK;
}

static int check_score(struct vector_case *c, const char *folder,
                       const char *key, int atat)
{
    OWNED(json_decref) json_t *run = json_copy(json_object_get(c->expected,
                                                               key));

    if (!run)
        return err_set(CASE_MISMATCH, "%s: expected.json lacks %s", c->path,
                       key);
    json_t *options = json_object();
    json_object_set_new(options, "nonbreaking", json_string(folder));
    json_object_set_new(options, "atat", json_boolean(atat));
    json_object_set_new(run, "options", options);
    return case_run(c, run, key);
}

int vectors_ende(struct vector_case *c)
{
    OWNED(free) char *folder = find_lists(c);

    if (!folder)
        return OK;
    PASS(check_stages(c, folder));
    PASS(case_open(c, "decodes.txt", "ref.txt", NULL));
    PASS(check_score(c, folder, "atat", 1));
    return check_score(c, folder, "no_atat", 0);
}

int vectors_moses(struct vector_case *c)
{
    OWNED(free) char *folder = find_lists(c);
    json_t *language;
    size_t i;

    if (!folder)
        return OK;
    json_array_foreach(json_object_get(c->expected, "languages"), i, language) {
        const char *name = json_string_value(language);
        OWNED(free) char *file = str_format("tok.%s.txt", name);
        OWNED(moses_close) struct moses *m = NULL;

        PASS(moses_open(&m, folder, name));
        PASS(case_texts(c, "input.txt", file, plain, m));
    }
    return OK;
}
