/* new: writes the source file of a new variant, a copy of `uniform`, and adds
 * the variant to the lists of the source tree. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "variants/variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 48 };

static const char list[] = "variants/list.h";
static const char rules[] = "harness/verify/attention/formula_rules.c";

/* Replaces the comment at the top of variants/uniform.c. */
static const char head[] =
    "/*\n"
    " * %s: a copy of `uniform`, whose scores are 0, to be replaced.\n"
    " *\n"
    " * init declares the parameters (params_add; variants/random.c has an\n"
    " * example), and scores returns B, (heads, rows, keys), of which the\n"
    " * engine takes the softmax.  harness/nn/attention.h describes both\n"
    " * functions and the fields of the struct below: all but the name, title\n"
    " * and cite are still those of `uniform`; edit them, too.\n"
    " */\n";

static int check_name(const char *name)
{
    const struct variant *known = NULL;
    size_t n = strlen(name);

    if (!n || n >= NAME || !strchr("abcdefghijklmnopqrstuvwxyz", *name) ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") < n ||
        name[n - 1] == '-' || strstr(name, "--"))
        return err_set(ERR_USAGE, "new variant: '%s' is not a name: use up to "
                       "%d lower-case letters, digits and single hyphens, the "
                       "first a letter", name, NAME - 1);
    for (int i = 0; (known = variant_all[i]); i++)
        if (!strcmp(known->name, name))
            return err_set(ERR_USAGE, "new variant: '%s' is a variant already",
                           name);
    return OK;
}

/* Inserts `line` before the text `before` of a file, or at the end of the file
 * if `before` is "". */
static int insert(const char *path, const char *before, const char *line)
{
    OWNED(free) char *text = NULL;

    PASS(file_read(&text, NULL, path));
    const char *at = *before ? strstr(text, before) : text + strlen(text);
    if (!at)
        return err_set(ERR_USAGE, "%s: has no line %s, before which the new "
                       "variant's belongs", path, before);
    OWNED(free) char *all = str_format("%.*s%s%s", (int)(at - text), text,
                                       line, at);
    return file_write(path, all, strlen(all));
}

/* Sets *out to the text of the new file: that of variants/uniform.c with
 * another comment and other names.  The caller frees it. */
static int fill(char **out, const char *name, const char *identifier)
{
    static const char of[] = "variants/uniform.c";
    OWNED(free) char *text = NULL;
    OWNED(free) char *quoted = str_format("\"%s\"", name);
    OWNED(free) char *variant = str_format("variant_%s", identifier);
    OWNED(text_free) struct text all = {0};

    PASS(file_read(&text, NULL, of));
    const char *at = strstr(text, "#include");
    if (!at)
        return err_set(ERR_USAGE, "%s: has no #include", of);
    text_format(&all, head, name);
    text_swap(&all, at, (const char *const[][2]){
        {"\"Uniform (mean pooling)\"", quoted}, {"\"uniform\"", quoted},
        {"\"reference\"", "\"unpublished\""}, {"variant_uniform", variant},
        {"uniform", "own"} /* the struct */, {NULL, NULL}});
    *out = str_copy(all.s);
    return OK;
}

static int run_new(const void *given, const struct arguments *args)
{
    const char *name = args->of[0];
    char identifier[NAME];

    (void)given;
    PASS(check_name(name));
    snprintf(identifier, sizeof identifier, "%s", name);
    for (char *c = identifier; *c; c++)
        *c = *c == '-' ? '_' : *c;
    OWNED(free) char *path = str_format("variants/%s.c", identifier);
    OWNED(free) char *text = NULL;
    OWNED(free) char *row = str_format("VARIANT(%s)\n", identifier);
    OWNED(free) char *rule = str_format("    {.name = \"%s\", .scores = "
                                        "formula_uniform},\n", name);

    if (!file_exists(list) || !file_exists(rules))
        return err_set(ERR_USAGE, "new variant: there is no %s here; run it at "
                       "the top of the source tree",
                       file_exists(list) ? rules : list);
    if (file_exists(path))
        return err_set(ERR_USAGE, "new variant: %s exists", path);
    PASS(fill(&text, name, identifier));
    PASS(insert(rules, "};\n/* clang-format on */", rule));
    PASS(insert(list, "", row));
    PASS(file_write(path, text, strlen(text)));
    printf("wrote %s, a copy of `uniform`: write your scores there, and "
           "edit .title,\n    .cite, .formula, .depends, .traits and .learns\n"
           "added its row to %s\n"
           "added its formula, that of `uniform`, to %s:\n"
           "    replace it with yours, or `verify variants` fails\n"
           "next:\n"
           "    make\n"
           "    build/release/synthbench verify variants %s\n"
           "    build/release/synthbench run smoke --variant %s --task lm1b\n",
           path, list, rules, name, name);
    return OK;
}

static const struct command new_variant = {
    .name = "variant",
    .summary = "Begin an attention variant, as a copy of `uniform`",
    .args = "NAME",
    .doc = "Writes variants/NAME.c, its row in variants/list.h and its "
           "formula in harness/verify. Run it at the top of the source tree.",
    .least = 1,
    .most = 1,
    .run = run_new};

static const struct command *const subjects[] = {&new_variant, NULL};

const struct command command_new = {
    .name = "new",
    .summary = "Begin an attention variant of your own",
    .args = "variant NAME",
    .subjects = subjects,
    .least = 1};
