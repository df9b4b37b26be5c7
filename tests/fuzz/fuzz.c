/*
 * Fuzzing of the readers of official files and of stores with libFuzzer
 * (`make fuzz`).
 *
 *     fuzz --list                  lists formats: name, maximum bytes, and the
 *                                  folder of seeds, or "-" if there is none
 *     fuzz --seeds FORMAT FOLDER   makes the seeds of a format without a folder
 *     FORMAT=csv fuzz -runs=N FOLDER SEEDS
 *
 * An input becomes the file or files of a corpus, which is read to its end or
 * its first error; every resulting byte is read. store.c has the formats of a
 * store.
 */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/corpora/corpus.h"
#include "tests/fuzz/store.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CORPUS(name) extern const struct corpus corpus_##name;
#include "harness/corpora/list.h"
#undef CORPUS

#define URL_LIST "url_lists/all_train.txt"
#define STORY "cnn/stories/11f6ad8ec52a2984abaafd7c3b516503785c2072.story"

static const struct format {
    const char *name, *seeds; /* folder in tests/data/fixtures */
    const struct corpus *corpus;
    const char *split, *files;     /* names of the input */
    const char *beside, *contents; /* an additional file */
} formats[] = {
    {"tsv", "glue_mnli/MNLI", &corpus_glue_mnli, "train", "MNLI/train.tsv",
     NULL, NULL},
    {"tsv-bare", "glue_cola/CoLA", &corpus_glue_cola, "train",
     "CoLA/train.tsv", NULL, NULL},
    {"tsv-msr", "glue_mrpc_raw/MRPC", &corpus_glue_mrpc, "train",
     "MRPC/msr_paraphrase_train.txt MRPC/mrpc_dev_ids.tsv", NULL, NULL},
    {"jsonl", "superglue_boolq/BoolQ", &corpus_superglue_boolq, "train",
     "BoolQ/train.jsonl", NULL, NULL},
    {"jsonl-multirc", "superglue_multirc/MultiRC", &corpus_superglue_multirc,
     "train", "MultiRC/train.jsonl", NULL, NULL},
    {"jsonl-record", "superglue_record/ReCoRD", &corpus_superglue_record,
     "test", "ReCoRD/test.jsonl", NULL, NULL},
    {"jsonl-wsc", "superglue_wsc/WSC", &corpus_superglue_wsc, "train",
     "WSC/train.jsonl", NULL, NULL},
    {"csv", "agnews/ag_news_csv", &corpus_agnews, "train",
     "ag_news_csv/train.csv", NULL, NULL},
    {"csv-header", "cnndm_csv/cnn_dailymail", &corpus_cnndm, "train",
     "cnn_dailymail/train.csv", NULL, NULL},
    {"story", "cnndm/cnn/stories", &corpus_cnndm, "train", STORY, URL_LIST,
     "x\n"},
    {"gzip", "c4/en", &corpus_c4, "train",
     "en/c4-train.00000-of-01024.json.gz", NULL, NULL},
    {"lines", "wmt14_ende/training", &corpus_wmt14_ende, "train",
     "commoncrawl.de-en.en commoncrawl.de-en.de", NULL, NULL},
    {"subwords", "wmt14_ende_t2t", &corpus_wmt14_ende, "train",
     "train.tok.clean.bpe.32000.en train.tok.clean.bpe.32000.de", NULL, NULL},
    {"sgm", "wmt14_ende/dev", &corpus_wmt14_ende, "test",
     "dev/newstest2014-deen-ref.en.sgm dev/newstest2014-deen-src.de.sgm", NULL,
     NULL},
    {"review", "imdb/aclImdb/train/neg", &corpus_imdb, "unsup",
     "aclImdb/train/unsup/1_0.txt", NULL, NULL},
    {"dialogue", "personachat/personachat", &corpus_personachat, "train",
     "personachat/train_self_original.txt", NULL, NULL},
    {"dialogue-json", "personachat_json", &corpus_personachat, "train",
     "personachat_self_original.json", NULL, NULL},
    {"deb822", "ddtp/lists", &corpus_packages, "all", "Packages", NULL, NULL},
    {"ddtp", "ddtp/lists", &corpus_ddtp_sum, "train", "Translation-en",
     "Packages", "Package: a\nSection: b\n"},
    {"mo", "mo/locale", &corpus_mo_ende, "all", "locale/de/LC_MESSAGES/x.mo",
     NULL, NULL},
    {"wml", "wesnoth", &corpus_wesnoth, "all", "scenarios/x.cfg", NULL, NULL},
    {"reviews", "sentiment/package", &corpus_sentiment, "all",
     "package/test/fixtures/imdb.json package/test/fixtures/yelp.json "
     "package/test/fixtures/amazon.json", NULL, NULL}};

enum { FORMATS = sizeof formats / sizeof *formats };

static const struct format *format;
static const struct store_format *store_format;
static char folder[] = "/dev/shm/synthbench-fuzz-XXXXXX";
static volatile size_t seen; /* prevents the compiler from removing reads */

static int look(struct sink *s, const struct field *row)
{
    for (; row->key; row++) {
        if (row->kind == FIELD_TEXT && row->text)
            seen += strlen(row->text);
        if (row->kind == FIELD_TEXTS)
            for (const char *const *t = row->texts; *t; t++)
                seen += strlen(*t);
        if (row->kind == FIELD_OBJECT)
            look(s, row->object);
    }
    return OK;
}

static int look_skipped(struct sink *s, const struct skipped *k)
{
    seen += strlen(k->file) + strlen(k->reason);
    return k->more ? look(s, k->more) : OK;
}

static int look_file(struct sink *s, const char *path, const char *file)
{
    (void)s;
    seen += strlen(path) + strlen(file);
    return OK;
}

/* Writes a file in the folder and creates the folders that it needs. */
static void put(const char *file, const void *data, size_t size)
{
    char *path = str_format("%s/%s", folder, file);
    char *slash = strrchr(path, '/');

    *slash = 0;
    REQUIRE(file_exists(path) || file_mkdirs(path) == OK, "%s", err_last());
    *slash = '/';
    FILE *f = fopen(path, "wb");
    REQUIRE(f && fwrite(data, 1, size, f) == size, "%s: cannot be written",
            path);
    fclose(f);
    free(path);
}

enum { MOST = 4096 }; /* bytes of an input */

static void list(void)
{
    for (int i = 0; i < FORMATS; i++)
        printf("%s %d tests/data/fixtures/%s\n", formats[i].name, MOST,
               formats[i].seeds);
    for (const struct store_format *f = store_formats; f->name; f++)
        printf("%s %d -\n", f->name, f->most);
}

static const struct store_format *of_store(const char *name)
{
    const struct store_format *f = store_formats;

    while (f->name && (!name || strcmp(f->name, name)))
        f++;
    return f->name ? f : NULL;
}

static void remove_folder(void)
{
    char *command = str_format("rm -rf %s", folder);

    if (system(command))
        perror(folder);
    free(command);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("FORMAT");

    if (*argc > 1 && !strcmp((*argv)[1], "--list")) {
        list();
        exit(0);
    }
    if (*argc > 3 && !strcmp((*argv)[1], "--seeds")) {
        REQUIRE(of_store((*argv)[2]), "%s: has no seeds", (*argv)[2]);
        of_store((*argv)[2])->seeds((*argv)[3]);
        exit(0);
    }
    for (int i = 0; name && i < FORMATS; i++)
        if (!strcmp(formats[i].name, name))
            format = &formats[i];
    store_format = of_store(name);
    REQUIRE(format || store_format, "FORMAT says none of what --list prints");
    REQUIRE(mkdtemp(folder), "%s: cannot be made", folder);
    atexit(remove_folder);
    if (format && format->beside)
        put(format->beside, format->contents, strlen(format->contents));
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sink sink = {look, look_skipped, look_file};
    char file[CORPUS_PATH];
    struct corpus_split names = {.files = format ? format->files : NULL};

    if (store_format) {
        store_format->read(folder, data, size);
        return 0;
    }
    for (int i = 0; corpus_pattern(file, &names, i); i++)
        put(file, data, size);
    corpus_read(format->corpus, folder, format->split, &sink);
    return 0;
}
