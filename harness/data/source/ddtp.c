#include "harness/data/source/ddtp.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* field: such as "Description-de" */
struct foreign { struct ddtp *d; char field[32]; };

static int is_blank(char c) { return c == ' ' || c == '\t'; }

/* Returns s without blanks at both ends; cuts in place. */
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

/* Splits a long description into blocks.  Cuts `rest` in place: joined text is
 * never longer than the lines it comes from. */
static void unfold(struct ddtp_text *t, char *rest)
{
    char *end = NULL; /* end of the open flowed paragraph, or NULL */

    for (char *line; (line = strsep(&rest, "\n"));) {
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
    char *rest = arena_text(a, value), *text = strsep(&rest, "\n");
    size_t lines = 0;

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

    PASS(deb822_need(&package, r, "Package"));
    PASS(deb822_need(&section, r, "Section"));
    char *name = arena_text(a, source ? source : package);
    if (source) /* "name (version)" */
        name[strcspn(name, " (")] = 0;
    *out = (struct ddtp_package){
        .name = source ? arena_text(a, package) : name,
        .source = name,
        .section = arena_text(a, str_base(section))}; /* "contrib/net" */
    return OK;
}

static int add_package(void *ddtp, const struct deb822 *r)
{
    struct ddtp *d = ddtp;
    struct ddtp_package p;

    PASS(ddtp_read_package(&p, r, d->memory));
    ARRAY_ROOM(d->package, d->packages, d->packages_cap);
    if (map_add(d->by_name, p.name, d->packages))
        d->package[d->packages++] = p;
    return OK;
}

const struct ddtp_package *ddtp_package(const struct ddtp *d, const char *name)
{
    int at = map_get(d->by_name, name, -1);

    return at < 0 ? NULL : &d->package[at];
}

struct ddtp_entry *ddtp_english(const struct ddtp *d, const char *md5)
{
    int at = map_get(d->by_md5, md5, -1);

    return at < 0 ? NULL : &d->entry[at];
}

int ddtp_read_record(struct ddtp_record *out, const struct deb822 *r,
                     const char *field)
{
    const char *md5;

    PASS(deb822_need(&out->package, r, "Package"));
    PASS(deb822_need(&md5, r, "Description-md5"));
    if (strlen(md5) != MD5_HEX - 1 ||
        strspn(md5, "0123456789abcdef") != MD5_HEX - 1)
        return deb822_refuse(r, "Description-md5", "not 32 hexadecimal digits");
    memcpy(out->md5, md5, MD5_HEX);
    return deb822_need(&out->value, r, field);
}

int ddtp_alike(const struct ddtp_text *a, const struct ddtp_text *b)
{
    for (int i = 0; a->n == b->n && i < a->n; i++)
        if (a->block[i].verbatim != b->block[i].verbatim)
            return 0;
    return a->n == b->n;
}

/* The MD5 sum covers the value and one additional LF. */
int ddtp_check_md5(const char *md5, const char *value, const struct deb822 *r)
{
    OWNED(free) char *text = str_format("%s\n", value);
    char got[MD5_HEX];

    hash_md5(text, strlen(text), got);
    if (!strcmp(got, md5))
        return OK;
    return deb822_refuse(r, "Description-en",
                         "the text does not match its Description-md5: the "
                         "file is damaged; fetch it again");
}

static int add_english(void *ddtp, const struct deb822 *r)
{
    struct ddtp *d = ddtp;
    struct arena *a = d->memory;
    struct ddtp_record x;

    PASS(ddtp_read_record(&x, r, "Description-en"));
    if (ddtp_english(d, x.md5)) /* another package has the same text */
        return OK;
    PASS(ddtp_check_md5(x.md5, x.value, r));
    map_add(d->by_md5, arena_text(a, x.md5), d->n);
    const struct ddtp_package *p = ddtp_package(d, x.package);
    ARRAY_ROOM(d->entry, d->n, d->cap);
    struct ddtp_entry *e = &d->entry[d->n++];

    *e = p ? (struct ddtp_entry){.source = p->source, .section = p->section}
           : (struct ddtp_entry){ /* package of another architecture */
                 .source = arena_text(a, x.package)};
    ddtp_read_text(&e->english, x.value, a);
    return OK;
}

static int add_foreign(void *foreign, const struct deb822 *r)
{
    struct foreign *of = foreign;
    struct ddtp_record x;

    PASS(ddtp_read_record(&x, r, of->field));
    struct ddtp_entry *e = ddtp_english(of->d, x.md5);
    if (e && !e->foreign.summary)
        ddtp_read_text(&e->foreign, x.value, of->d->memory);
    return OK;
}

void ddtp_begin(struct ddtp *d)
{
    *d = (struct ddtp){.by_md5 = map_new(), .by_name = map_new(),
                       .memory = arena_new()};
}

int ddtp_add_packages(struct ddtp *d, const char *path)
{
    return deb822_each(path, add_package, d);
}

int ddtp_add_english(struct ddtp *d, const char *path)
{
    return deb822_each(path, add_english, d);
}

int ddtp_open(struct ddtp *d, const char *folder, const char *language)
{
    OWNED(free) char *packages = str_format("%s/Packages", folder);
    OWNED(free) char *english = str_format("%s/Translation-en", folder);
    struct foreign x = {.d = d};

    ddtp_begin(d);
    int rc = ddtp_add_packages(d, packages);
    if (rc == OK)
        rc = ddtp_add_english(d, english);
    if (rc == OK && language) {
        OWNED(free) char *other = str_format("%s/Translation-%s", folder,
                                             language);
        snprintf(x.field, sizeof x.field, "Description-%s", language);
        rc = deb822_each(other, add_foreign, &x);
    }
    if (rc < 0)
        ddtp_close(d);
    return rc;
}

void ddtp_close(struct ddtp *d)
{
    map_free(d->by_md5);
    map_free(d->by_name);
    free(d->package);
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
