/*
 * cnndm: reads news articles and their highlights.
 *
 *     url_lists/all_{train,val,test}.txt      one URL per line
 *     {cnn,dailymail}/stories/SHA1(URL).story lines of the article, @highlight,
 *                                             lines of a highlight, @highlight,
 *                                             ...
 *     {train,validation,test}.csv, .jsonl     article, highlights, id; here or
 *                                             in cnn_dailymail/
 *
 * White space at both ends of each line of a story is removed, and empty lines
 * are dropped.  A line that does not end in . ! ? ' " ) ` or a closing
 * quotation mark gets " ." unless "@highlight" is in it.  The lines of the
 * article are joined by a blank, the lines after the first @highlight by LF.
 *
 * Stories come in the order of their hashes, cnn before dailymail.  A URL
 * without a story is skipped, and so is an empty article or summary.
 * Source: Hermann et al. (NIPS 2015); See, Liu and Manning (ACL 2017).
 */
#include "harness/base/array.h"
#include "harness/corpora/corpus.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/data/format/csv.h"
#include "harness/data/format/jsonl.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct listed {
    char hash[SHA1_HEX];
    char found;
    long line; /* line in the list */
};

struct list {
    struct listed *url;
    size_t n, cap;
};

static void close_list(struct list *l) { free(l->url); }
OWNER_OF_VALUE(close_list, struct list)

static int is_blank(const char *s) { return !text_rstrip(s, strlen(s)); }

static int hand_out(struct corpus_reading *x, long line, const char *article,
                    const char *summary, const char *id)
{
    const char *why = is_blank(article)   ? "empty-article"
                      : is_blank(summary) ? "empty-summary"
                                          : NULL;
    OWNED(text_free) struct text source = {0};

    if (why)
        return corpus_skip(x, line, why, NULL);
    text_format(&source, "summarize: %s", article);
    return ROW(x, TEXT("source", source.s), TEXT("target", summary),
               TEXT("id", id));
}

/* ---- stories ---- */

static int add_url(void *list, const struct linefile *f, char *url)
{
    struct list *l = list;

    ARRAY_ROOM(l->url, l->n, l->cap);
    struct listed *u = &l->url[l->n++];
    url = text_strip(url);
    hash_sha1(url, strlen(url), u->hash);
    u->line = linefile_number(f);
    u->found = 0;
    return OK;
}

static int by_hash(const void *a, const void *b)
{
    const struct listed *p = a, *q = b;
    int order = strcmp(p->hash, q->hash);

    return order ? order : p->line < q->line ? -1 : p->line > q->line;
}

static int read_list(struct list *l, struct corpus_reading *x,
                     const char *file)
{
    char path[CORPUS_PATH];

    PASS(corpus_path(path, x, file));
    PASS(linefile_each(path, add_url, l));
    qsort(l->url, l->n, sizeof *l->url, by_hash);
    return OK;
}

static const char marker[] = "@highlight";

static int is_ended(const char *line)
{
    static const char *const signs[] = {".", "!", "?", "'", "\"", ")", "`",
                                        "\xe2\x80\x99", "\xe2\x80\x9d"};

    if (strstr(line, marker))
        return 1;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (str_ends(line, signs[i]))
            return 1;
    return 0;
}

static int read_story(struct corpus_reading *x, const char *file,
                      const char *id)
{
    OWNED(text_free) struct text all = {0}, article = {0}, summary = {0};
    char path[CORPUS_PATH];
    int marked = 0;

    text_clear(&article);
    text_clear(&summary);
    PASS(corpus_path(path, x, file));
    PASS(linefile_text(&all, path));
    for (char *rest = all.s, *line; (line = strsep(&rest, "\n"));) {
        struct text *to = marked ? &summary : &article;

        line = text_strip(line);
        if (!strncmp(line, marker, sizeof marker - 1)) {
            marked = 1;
        } else if (*line) {
            text_format(to, "%s%s%s", !to->n ? "" : marked ? "\n" : " ", line,
                        is_ended(line) ? "" : " .");
        }
    }
    return hand_out(x, 0, article.s, summary.s, id);
}

/* Reads the listed stories of one newspaper. */
static int read_paper(struct list *l, struct corpus_reading *x,
                      const char *paper)
{
    struct stat st;

    for (size_t i = 0; i < l->n; i++) {
        struct listed *u = &l->url[i];
        OWNED(free) char *file =
            str_format("%s/stories/%s.story", paper, u->hash);
        OWNED(free) char *path = str_format("%s/%s", x->folder, file);

        if (i && !strcmp(u[-1].hash, u->hash)) { /* listed twice */
            u->found = u[-1].found;
        } else if (!stat(path, &st)) {
            u->found = 1;
            PASS(read_story(x, file, u->hash));
        }
    }
    return OK;
}

static int read_stories(struct corpus_reading *x)
{
    char file[CORPUS_PATH];
    OWNED(close_list) struct list l = {.n = 0};

    PASS(read_list(&l, x, corpus_pattern(file, x->split, 0)));
    PASS(read_paper(&l, x, "cnn"));
    PASS(read_paper(&l, x, "dailymail"));
    x->file = file;
    for (size_t i = 0; i < l.n; i++)
        if (!l.url[i].found)
            PASS(corpus_skip(x, l.url[i].line, "no-story", NULL));
    return OK;
}

/* ---- tables ---- */

enum { COLUMNS = 3 };
struct table { /* columns: fields of the header; 0: not read yet */
    struct corpus_reading *x;
    int column[COLUMNS], columns, n;
};

static int find_column(int *out, const struct csv *c, const char *name)
{
    for (*out = 0; *out < c->n; ++*out)
        if (!strcmp(csv_field(c, *out), name))
            return OK;
    return linefile_refuse_at(c->lines, 1, "there is no column '%s'", name);
}

static int take_record(void *table, const struct csv *c)
{
    static const char *const name[COLUMNS] = {"article", "highlights", "id"};
    struct table *t = table;

    if (!t->columns) {
        for (int i = 0; i < COLUMNS; i++)
            PASS(find_column(&t->column[i], c, name[i]));
        t->columns = c->n;
        return OK;
    }
    if (c->n != t->columns)
        return csv_refuse(c, "the number of fields differs from the header's");
    t->n++;
    return hand_out(t->x, c->first, csv_field(c, t->column[0]),
                    csv_field(c, t->column[1]), csv_field(c, t->column[2]));
}

static int read_records(struct corpus_reading *x, const char *path)
{
    struct table t = {.x = x};
    int rc = csv_each(path, "", take_record, &t);

    return rc == OK && !t.n ? err_set(ERR_DATA, "%s: has no records", path)
                            : rc;
}

static int take_object(void *x, const struct jsonl *j)
{
    const char *article, *summary, *id;

    PASS(value_string(&article, j->object, "article"));
    PASS(value_string(&summary, j->object, "highlights"));
    PASS(value_string(&id, j->object, "id"));
    return hand_out(x, linefile_number(j->lines), article, summary, id);
}

#define LIST(split) "url_lists/all_" split ".txt cnn/stories/*.story " \
                    "dailymail/stories/*.story"
#define HERE(file) "cnn_dailymail/" file " " file
#define SPLITS(train, valid, test)                                            \
    {{"train", train, 287113}, {"valid", valid, 13368}, {"test", test, 11490}}

const struct corpus corpus_cnndm = {
    .name = "cnndm", .title = "CNN/DailyMail",
    .from = "DMQA: cnn_stories.tgz, dailymail_stories.tgz "
            "(https://cs.nyu.edu/~kcho/DMQA), with See's lists of URLs "
            "(https://github.com/abisee/cnn-dailymail); or cnn_dailymail 3.0.0 "
            "as csv or jsonl",
    .layout = {
        {.name = "story", .read = read_stories, .split =
            SPLITS(LIST("train"), LIST("val"), LIST("test"))},
        {.name = "csv", .read = corpus_first, .file = read_records, .split =
            SPLITS(HERE("train.csv"), HERE("validation.csv"),
                   HERE("test.csv"))},
        {.name = "jsonl", .read = corpus_first, .object = take_object, .split =
            SPLITS(HERE("train.jsonl"), HERE("validation.jsonl"),
                   HERE("test.jsonl"))}}};
