/*
 * agnews: reads news texts in four topic classes.
 *
 *     ag_news_csv/{train,test}.csv    "class 1-4","title","description"
 *     text    title, a blank, description; unchanged, except that blanks
 *             before a field are dropped
 *
 * Source: Zhang, Zhao and LeCun (NeurIPS 2015).
 */
#include "harness/corpora/corpus.h"

#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/data/format/csv.h"

#include <string.h>

struct rows {
    struct corpus_reading *x;
    long n;
};

static int take_row(void *rows, const struct csv *c)
{
    struct rows *r = rows;
    OWNED(text_free) struct text t = {0};

    if (c->n != 3)
        return linefile_refuse_at(c->lines, c->first, "%d field%s instead of "
                                  "3: class, title, description", c->n,
                                  c->n == 1 ? "" : "s");
    const char *class = csv_field(c, 0);
    if (strlen(class) != 1 || *class < '1' || *class > '4')
        return csv_refuse(c, "the class is not 1, 2, 3 or 4");
    text_format(&t, "%s %s", csv_field(c, 1), csv_field(c, 2));
    r->n++;
    return ROW(r->x, TEXT("text", t.s), INTEGER("label", *class - '1'));
}

static int read_file(struct corpus_reading *x, const char *path)
{
    struct rows r = {.x = x};
    int rc = csv_each(path, " ", take_row, &r);

    return rc == OK && !r.n ? err_set(ERR_DATA, "%s: has no rows", path) : rc;
}

const struct corpus corpus_agnews = {
    .name = "agnews", .title = "AG News",
    .from = "Zhang, Zhao and LeCun: ag_news_csv.tar.gz "
            "(https://github.com/zhangxiangxiao/Crepe)",
    .layout = {{.name = "official", .file = read_file, .split = {
        {"train", "ag_news_csv/train.csv", 120000},
        {"test", "ag_news_csv/test.csv", 7600}}}}};
