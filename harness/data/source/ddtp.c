#include "harness/data/source/ddtp.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

struct origin {
    const char *source, *section, *tags;
};

struct reader { /* what lives while the files are read */
    struct ddtp *d;
    struct map *by_package, *by_md5; /* indices of origin, of d->entry */
    struct origin *origin;
    int n;
    size_t cap;
    char field[32]; /* "Description-de" */
};

static int is_blank(char c) { return c == ' ' || c == '\t'; }

/* s without blanks at both ends, cut in place. */
static char *trim(char *s)
{
    while (is_blank(*s))
        s++;
    size_t n = strlen(s);
    while (n && is_blank(s[n - 1]))
        n--;
    s[n] = 0;
    return s;
}

/* The blocks of a long description.  `line` is its first line, cut in place:
 * joined text is never longer than the lines it comes from. */
static void unfold(struct ddtp_text *t, char *line)
{
    char *end = NULL; /* of the open flowed paragraph */

    for (char *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        int verbatim = is_blank(line[0]) && is_blank(line[1]);
        char *text = trim(line);
        size_t n = strlen(text);

        if (!n || (!verbatim && !strcmp(text, "."))) {
            end = NULL;
        } else if (end && !verbatim) {
            *end++ = ' ';
            memmove(end, text, n + 1);
            end += n;
        } else {
            t->block[t->n++] = (struct ddtp_block){text, verbatim};
            end = verbatim ? NULL : text + n;
        }
    }
}

void ddtp_read_text(struct ddtp_text *t, const char *value, struct arena *a)
{
    char *text = arena_text(a, value), *rest = strchr(text, '\n');
    size_t lines = 0;

    if (rest)
        *rest++ = 0;
    for (const char *s = rest; s; s = strchr(s + 1, '\n'))
        lines++;
    *t = (struct ddtp_text){.summary = trim(text)};
    t->block = arena_take(a, lines * sizeof *t->block);
    unfold(t, rest);
}

int ddtp_read_package(struct ddtp_package *out, const struct deb822 *r,
                      struct arena *a)
{
    const char *package, *section, *source = deb822_get(r, "Source");
    const char *tags = deb822_get(r, "Tag");

    PASS(deb822_need(&package, r, "Package"));
    PASS(deb822_need(&section, r, "Section"));
    char *name = arena_text(a, source ? source : package);
    if (source) /* "name (version)" */
        name[strcspn(name, " (")] = 0;
    const char *slash = strrchr(section, '/'); /* "contrib/net" */
    *out = (struct ddtp_package){
        .name = source ? arena_text(a, package) : name,
        .source = name,
        .section = arena_text(a, slash ? slash + 1 : section),
        .tags = tags ? arena_text(a, tags) : NULL};
    return OK;
}

static int add_package(void *reader, const struct deb822 *r)
{
    struct reader *x = reader;
    struct ddtp_package p;

    PASS(ddtp_read_package(&p, r, x->d->memory));
    ARRAY_ROOM(x->origin, x->n, x->cap);
    if (map_add(x->by_package, p.name, x->n))
        x->origin[x->n++] = (struct origin){p.source, p.section, p.tags};
    return OK;
}

int ddtp_read_md5(char md5[MD5_HEX], const struct deb822 *r)
{
    const char *value;

    PASS(deb822_need(&value, r, "Description-md5"));
    if (strlen(value) != MD5_HEX - 1 ||
        strspn(value, "0123456789abcdef") != MD5_HEX - 1)
        return deb822_refuse(r, "Description-md5", "not 32 hexadecimal digits");
    memcpy(md5, value, MD5_HEX);
    return OK;
}

/* The sum covers the value and one LF more. */
int ddtp_check_md5(const char *md5, const char *value, const struct deb822 *r)
{
    size_t n = strlen(value);
    char got[MD5_HEX], *text = malloc(n + 1);

    memcpy(text, value, n);
    text[n] = '\n';
    hash_md5(text, n + 1, got);
    free(text);
    if (!strcmp(got, md5))
        return OK;
    return deb822_refuse(r, "Description-en",
                         "the text has not its Description-md5: the file is "
                         "damaged, fetch it again");
}

static struct ddtp_entry *new_entry(struct ddtp *d)
{
    ARRAY_ROOM(d->entry, d->n, d->cap);
    return &d->entry[d->n++];
}

static int add_english(void *reader, const struct deb822 *r)
{
    struct reader *x = reader;
    const char *package, *value;
    struct arena *a = x->d->memory;
    char md5[MD5_HEX];

    PASS(deb822_need(&package, r, "Package"));
    PASS(ddtp_read_md5(md5, r));
    PASS(deb822_need(&value, r, "Description-en"));
    if (map_get(x->by_md5, md5, -1) >= 0) /* a package more of this text */
        return OK;
    PASS(ddtp_check_md5(md5, value, r));
    map_add(x->by_md5, arena_text(a, md5), x->d->n);
    int at = map_get(x->by_package, package, -1); /* -1: of other machines */
    struct origin o =
        at < 0 ? (struct origin){arena_text(a, package), NULL, NULL}
               : x->origin[at];
    struct ddtp_entry *e = new_entry(x->d);
    *e = (struct ddtp_entry){
        .source = o.source, .section = o.section, .tags = o.tags};
    ddtp_read_text(&e->english, value, a);
    return OK;
}

static int add_foreign(void *reader, const struct deb822 *r)
{
    struct reader *x = reader;
    struct ddtp *d = x->d;
    const char *package, *value;
    char md5[MD5_HEX];

    PASS(deb822_need(&package, r, "Package"));
    PASS(ddtp_read_md5(md5, r));
    PASS(deb822_need(&value, r, x->field));
    d->records++;
    int at = map_get(x->by_md5, md5, -1);
    if (at < 0) { /* English has no such text */
        d->unique += map_add(x->by_md5, arena_text(d->memory, md5), -1);
    } else if (!d->entry[at].foreign.summary) {
        d->unique++;
        d->aligned++;
        ddtp_read_text(&d->entry[at].foreign, value, d->memory);
    }
    return OK;
}

static int read_file(struct reader *x, const char *folder, const char *name,
                     const char *suffix,
                     int (*add)(void *reader, const struct deb822 *))
{
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
    return deb822_each(path, add, x);
}

int ddtp_open(struct ddtp *d, const char *folder, const char *language)
{
    struct reader x = {d, map_new(), map_new(), NULL, 0, 0, ""};
    int rc = OK;

    *d = (struct ddtp){.memory = arena_new()};
    TRY(read_file(&x, folder, "Packages", "", add_package));
    TRY(read_file(&x, folder, "Translation-", "en", add_english));
    if (language) {
        snprintf(x.field, sizeof x.field, "Description-%s", language);
        TRY(read_file(&x, folder, "Translation-", language, add_foreign));
    }
out:
    map_free(x.by_package);
    map_free(x.by_md5);
    free(x.origin);
    if (rc < 0)
        ddtp_close(d);
    return rc;
}

void ddtp_close(struct ddtp *d)
{
    free(d->entry);
    arena_free(d->memory);
    *d = (struct ddtp){.n = 0};
}

enum split ddtp_split(const char *source, int valid, int test)
{
    int slot = (int)(hash_name(source) % 100);

    if (slot < valid)
        return SPLIT_VALID;
    return slot < valid + test ? SPLIT_TEST : SPLIT_TRAIN;
}
