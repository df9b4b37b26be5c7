/* Tasks at full scale, made from official data. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/data/tokenizer.h"
#include "harness/tasks/task.h"
#include "tests/support/dataset_rows.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TASK(name) extern const struct task task_##name;
#include "harness/tasks/list.h"
#undef TASK

enum { VOCAB = 300, LENGTH = 32 };

struct place {
    char *folder, *cache;
    struct task_opts opts;
};

static struct place open_place(void)
{
    struct place p = {.folder = scratch_make(), .cache = scratch_make()};

    p.opts = (struct task_opts){.official = 1, .N = LENGTH, .length = LENGTH,
                                .vocab = VOCAB, .cache = p.cache,
                                .files = p.folder};
    return p;
}

/* Opens a task; fails with the error message. */
static void open_task(struct dataset *d, const struct task *t,
                      const struct place *p)
{
    if (open_listed(d, t, &p->opts) < 0)
        fail_msg("%s", err_last());
}

static void close_place(struct place *p)
{
    scratch_remove(p->folder);
    scratch_remove(p->cache);
}

static void put(const struct place *p, const char *file, const char *text)
{
    char *path = str_format("%s/%s", p->folder, file);
    char *slash = strrchr(path, '/');

    *slash = 0;
    assert_int_equal(file_mkdirs(path), OK);
    *slash = '/';
    assert_int_equal(file_write(path, text, strlen(text)), OK);
    free(path);
}

/* Returns n different lines of a few made-up words, with the texts `before` and
 * `after` around each. */
static char *lines(int n, int seed, const char *before, const char *after)
{
    static const char *const words[] = {"ahoy", "tide", "bell", "rope", "keel",
                                        "mast", "fog", "herring"};
    struct text t = {0};

    text_clear(&t);
    for (int i = 0; i < n; i++) {
        unsigned x = (unsigned)(i + 1000 * seed);

        text_put(&t, before);
        for (int k = 0; k < 6; k++, x /= 8) {
            text_put(&t, words[x % 8]);
            text_put(&t, k < 5 ? " " : after);
        }
    }
    return t.s;
}

static void take_away(const struct place *p, const char *file)
{
    char *path = str_format("%s/%s", p->folder, file);

    assert_int_equal(unlink(path), 0);
    free(path);
}

static void put_lines(const struct place *p, const char *file, int n, int seed,
                      const char *before, const char *after)
{
    char *text = lines(n, seed, before, after);

    put(p, file, text);
    free(text);
}

static const char *shown(const struct dataset *d, const int *ids, int n,
                         struct arena *a)
{
    return dataset_text(d, ids, n, a);
}

static void put_translation(const struct place *p)
{
    static const char *const plain[] = {"commoncrawl.de-en",
                                        "dev/newstest2013"};
    static const int n[] = {500, 40};

    for (int i = 0; i < 2; i++) {
        char *en = str_format("%s.en", plain[i]);
        char *de = str_format("%s.de", plain[i]);

        put_lines(p, en, n[i], i, "the ", "\n");
        put_lines(p, de, n[i], i, "das ", "\n");
        free(en);
        free(de);
    }
    put(p, "dev/newstest2014-deen-ref.en.sgm",
        "<doc docid=\"x\">\n<seg id=\"1\">the rope</seg>\n</doc>\n");
    put(p, "dev/newstest2014-deen-src.de.sgm",
        "<doc docid=\"x\">\n<seg id=\"1\">das rope</seg>\n</doc>\n");
}

static void translations_have_no_prefix_of_t5(void **state)
{
    struct place p = open_place();
    struct arena *a = arena_new();
    struct dataset d;

    (void)state;
    put_translation(&p);
    open_task(&d, &task_wmt14_ende, &p);
    assert_int_equal(d.split[SPLIT_TRAIN].n, 500);
    assert_int_equal(d.split[SPLIT_VALID].n, 40);
    assert_int_equal(d.split[SPLIT_TEST].n, 1);
    const struct example *e = d.split[SPLIT_TEST].row;
    assert_string_equal(shown(&d, e->source, e->nsource, a), "the rope");
    assert_string_equal(e->text, "das rope");
    assert_non_null(strstr(d.source, "500 of 4508785"));
    assert_non_null(strstr(d.source, "a subset"));
    dataset_close(&d);
    arena_free(a);
    close_place(&p);
}

static void a_changed_file_gives_another_digest(void **state)
{
    struct place p = open_place();
    struct dataset d, again, other;

    (void)state;
    put_translation(&p);
    open_task(&d, &task_wmt14_ende, &p);
    open_task(&again, &task_wmt14_ende, &p);
    assert_string_equal(again.digest, d.digest);
    assert_string_equal(again.source, d.source);
    put_lines(&p, "commoncrawl.de-en.de", 500, 0, "die ", "\n");
    open_task(&other, &task_wmt14_ende, &p);
    assert_string_not_equal(other.digest, d.digest);
    dataset_close(&d);
    dataset_close(&again);
    dataset_close(&other);
    close_place(&p);
}

/* Sets the modification time of a file. */
static void set_time(const struct place *p, const char *file, time_t seconds)
{
    char *path = str_format("%s/%s", p->folder, file);
    struct timespec both[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};

    assert_int_equal(utimensat(AT_FDCWD, path, both, 0), 0);
    free(path);
}

/* Two folders share a cache, and a file is edited in one of them. */
static void files_of_equal_size_and_time_are_distinguished(void **state)
{
    static const char train[] = "ag_news_csv/train.csv";
    static const char test[] = "ag_news_csv/test.csv";
    static const char *const before[] = {"3,", "4,", "2,"};
    struct place p[2] = {open_place(), open_place()};
    struct dataset d[3];

    (void)state;
    p[1].opts.cache = p[0].opts.cache;
    for (int i = 0; i < 3; i++) {
        const struct place *at = &p[i > 0];

        put_lines(at, train, 1000, 0, "2,", ",x\n");
        put_lines(at, test, 10, 1, before[i], ",x\n");
        set_time(at, train, 1000000000);
        set_time(at, test, 1000000000);
        open_task(&d[i], &task_agnews, at);
        assert_int_equal(d[i].split[SPLIT_TEST].row[0].label,
                         before[i][0] - '1');
    }
    assert_string_not_equal(d[0].digest, d[1].digest);
    assert_string_not_equal(d[1].digest, d[2].digest);
    for (int i = 0; i < 3; i++)
        dataset_close(&d[i]);
    close_place(&p[0]);
    close_place(&p[1]);
}

static void a_corpus_without_validation_uses_a_part_of_training(void **state)
{
    struct place p = open_place();
    struct dataset d;

    (void)state;
    put_lines(&p, "ag_news_csv/train.csv", 1000, 0, "2,", ",x\n");
    put_lines(&p, "ag_news_csv/test.csv", 10, 1, "3,", ",x\n");
    open_task(&d, &task_agnews, &p);
    int train = d.split[SPLIT_TRAIN].n, valid = d.split[SPLIT_VALID].n;
    assert_int_equal(train + valid, 1000);
    assert_in_range(valid, 20, 100);
    assert_int_equal(d.split[SPLIT_TEST].n, 10);
    assert_int_equal(d.split[SPLIT_TRAIN].row[0].label, 1);
    assert_int_equal(d.split[SPLIT_TEST].row[0].label, 2);
    dataset_close(&d);
    close_place(&p);
}

static void the_input_of_a_dialogue_includes_the_persona(void **state)
{
    static const char *const splits[] = {"train", "valid", "test"};
    struct place p = open_place();
    struct arena *a = arena_new();
    struct dataset d;

    (void)state;
    for (int i = 0; i < 3; i++) {
        char *turns = lines(400, i, "1 ", "\ta rope\n");
        char *file = str_format("personachat/%s_self_original.txt", splits[i]);
        char *all = str_format("1 your persona: i fish.\n2 ahoy\taye\n%s",
                               turns);

        put(&p, file, all);
        free(turns);
        free(file);
        free(all);
    }
    p.opts.vocab = 280;
    open_task(&d, &task_personachat, &p);
    assert_int_equal(d.split[SPLIT_TEST].n, 401);
    int found = 0;
    for (int i = 0; i < 401; i++) {
        const struct example *e = &d.split[SPLIT_TEST].row[i];

        arena_reset(a);
        found += !strcmp(shown(&d, e->source, e->nsource, a),
                         "persona: i fish. ahoy") &&
                 !strcmp(e->text, "aye");
    }
    assert_int_equal(found, 1);
    dataset_close(&d);
    arena_free(a);
    close_place(&p);
}

#define LM "1-billion-word-language-modeling-benchmark-r13output/"
#define TRAIN LM "training-monolingual.tokenized.shuffled/news.en-"
#define HELD LM "heldout-monolingual.tokenized.shuffled/news.en.heldout-"
#define WORDS "vocab-2016-09-10.txt"

static void running_text_is_taken_from_its_beginning(void **state)
{
    struct place p = open_place();
    struct dataset d, all;

    (void)state;
    p.opts.train = 3;
    put_lines(&p, TRAIN "00001-of-00100", 2000, 0, "", "\n");
    put_lines(&p, TRAIN "00002-of-00100", 2000, 3, "", "\n");
    put_lines(&p, HELD "00000-of-00050", 100, 1, "", "\n");
    put_lines(&p, HELD "00007-of-00050", 100, 2, "", "\n");
    put(&p, WORDS, "ahoy\ntide\nbell\nrope\nkeel\nmast\nfog\nherring\n");
    open_task(&d, &task_lm1b, &p);
    assert_int_equal(d.split[SPLIT_TRAIN].n, 3);
    assert_int_equal(d.split[SPLIT_TRAIN].row[0].ntarget, LENGTH);
    p.opts.train = 0;
    open_task(&all, &task_lm1b, &p);
    assert_true(all.split[SPLIT_TRAIN].n > 300);
    for (int i = 0; i < 3; i++)
        assert_memory_equal(d.split[SPLIT_TRAIN].row[i].target,
                            all.split[SPLIT_TRAIN].row[i].target,
                            LENGTH * sizeof(int));
    dataset_close(&d);
    dataset_close(&all);
    close_place(&p);
}

static void put_test(const struct place *p, const char *line)
{
    struct text t = {0};

    for (int i = 0; i < 20; i++)
        text_put(&t, line);
    put(p, HELD "00000-of-00050", t.s);
    text_free(&t);
}

/* As in the code whose perplexities were published, the test set is the first
 * held-out shard, and only words of the list are known. */
static void words_of_lm1b_not_in_its_list_are_unknown(void **state)
{
    struct place p = open_place();
    struct arena *a = arena_new();
    struct dataset d;

    (void)state;
    put_lines(&p, TRAIN "00001-of-00100", 500, 0, "", "\n");
    put_test(&p, " ahoy  keel\xc2\xa0" "fogs fog UNK Tide\n");
    put_lines(&p, HELD "00007-of-00050", 100, 2, "", "\n");
    assert_int_equal(open_listed(&d, &task_lm1b, &p.opts), ERR_DATA);
    assert_non_null(strstr(err_last(), "lm1b (vocabulary)"));
    put(&p, WORDS, "<S>\nahoy \ntide\nbell\nrope\nmast\nfog\nherring\n");
    open_task(&d, &task_lm1b, &p);
    const struct example *e = &d.split[SPLIT_TEST].row[0];
    assert_string_equal(shown(&d, e->target, e->ntarget, a),
                        "ahoy UNK UNK fog UNK UNK");
    for (int i = 0; i < d.split[SPLIT_TRAIN].n; i++) {
        e = &d.split[SPLIT_TRAIN].row[i];
        for (int k = 0; k < e->ntarget; k++)
            assert_null(strstr(shown(&d, e->target + k, e->ntarget - k, a),
                               "keel"));
    }
    e = &d.split[SPLIT_VALID].row[0];
    assert_null(strstr(shown(&d, e->target, e->ntarget, a), "fogs"));
    dataset_close(&d);
    arena_free(a);
    close_place(&p);
}

/* 50 of 500 pairs are drawn, each at most once, in order, and from both
 * halves. */
static void fewer_pairs_are_a_sample_of_all(void **state)
{
    struct place p = open_place();
    struct dataset d, all;
    int at = 0, late = 0;

    (void)state;
    put_translation(&p);
    open_task(&all, &task_wmt14_ende, &p);
    p.opts.train = 50;
    open_task(&d, &task_wmt14_ende, &p);
    assert_int_equal(d.split[SPLIT_TRAIN].n, 50);
    for (int i = 0; i < 50; i++, at++) {
        while (strcmp(all.split[SPLIT_TRAIN].row[at].text,
                      d.split[SPLIT_TRAIN].row[i].text))
            assert_in_range(++at, 0, 499);
        late += at >= 250;
    }
    assert_in_range(late, 10, 40);
    dataset_close(&d);
    dataset_close(&all);
    close_place(&p);
}

/* The training text is raw, the test text is tokenized by Moses. */
static void splits_of_two_layouts_are_refused(void **state)
{
    struct place p = open_place();
    struct dataset d;

    (void)state;
    put_translation(&p);
    put_lines(&p, "newstest2014.tok.bpe.32000.en", 40, 2, "the ", "\n");
    put_lines(&p, "newstest2014.tok.bpe.32000.de", 40, 2, "das ", "\n");
    open_task(&d, &task_wmt14_ende, &p); /* the first layout has all splits */
    assert_int_equal(d.split[SPLIT_TEST].n, 1);
    dataset_close(&d);
    take_away(&p, "dev/newstest2014-deen-ref.en.sgm");
    take_away(&p, "dev/newstest2014-deen-src.de.sgm");
    assert_int_equal(open_listed(&d, &task_wmt14_ende, &p.opts), ERR_DATA);
    assert_non_null(strstr(err_last(), "train as 'official' "
                                       "(commoncrawl.de-en.de)"));
    assert_non_null(strstr(err_last(), "test as 't2t-bpe' "
                                       "(newstest2014.tok.bpe.32000.de)"));
    close_place(&p);
}

static void missing_files_are_named(void **state)
{
    struct place p = open_place();
    struct dataset d;

    (void)state;
    put_lines(&p, "ag_news_csv/train.csv", 10, 0, "2,", ",x\n");
    assert_int_equal(open_listed(&d, &task_agnews, &p.opts), ERR_DATA);
    assert_non_null(strstr(err_last(), ": agnews (test); "));
    assert_null(strstr(err_last(), "train"));
    assert_non_null(strstr(err_last(), p.folder));
    close_place(&p);
}

/* ---- fixtures: a few rows of each data set ---- */

static int subtask_of(const struct dataset *d, const char *name)
{
    int i = 0;

    while (d->subtasks[i] && strcmp(d->subtasks[i], name))
        i++;
    assert_non_null(d->subtasks[i]);
    return i;
}

static int count_of(const struct dataset *d, enum split s, const char *name)
{
    int subtask = subtask_of(d, name), n = 0;

    for (int i = 0; i < d->split[s].n; i++)
        n += d->split[s].row[i].subtask == subtask;
    return n;
}

/* Returns the number of test examples of a subtask that have this reference. */
static int asked(const struct dataset *d, const char *name, const char *text)
{
    const struct examples *e = &d->split[SPLIT_TEST];
    int subtask = subtask_of(d, name), n = 0;

    for (int i = 0; i < e->n; i++)
        n += e->row[i].subtask == subtask && !strcmp(e->row[i].text, text);
    return n;
}

static void open_fixtures(struct dataset *d, const struct task *t,
                          struct place *p)
{
    *p = open_place();
    p->opts.files = "tests/data/fixtures";
    open_task(d, t, p);
}

/* Checks the number of examples of each split. Running text is cut into rows. A
 * twentieth of the rows of AG News is for validation. */
static void every_task_reads_its_official_files(void **state)
{
    static const struct {
        const struct task *task;
        int n[SPLITS];
    } tasks[] = {{&task_wmt14_ende, {19, 7, 9}},
                 {&task_wmt14_enfr, {15, 6, 10}},
                 {&task_lm1b, {2, 2, 1}},
                 {&task_c4, {3, 2, 2}},
                 {&task_cnndm, {8, 7, 7}},
                 {&task_personachat, {14, 6, 6}},
                 {&task_agnews, {12, 1, 7}}};

    (void)state;
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        struct place p = open_place();
        struct dataset d;

        p.opts.files = "tests/data/fixtures";
        p.opts.vocab = 340;
        p.opts.N = p.opts.length = 192;
        open_task(&d, tasks[i].task, &p);
        for (int s = 0; s < SPLITS; s++)
            if (d.split[s].n != tasks[i].n[s])
                fail_msg("%s: %d %s examples, not %d", tasks[i].task->name,
                         d.split[s].n, split_name[s], tasks[i].n[s]);
        dataset_close(&d);
        close_place(&p);
    }
}

static void each_review_is_a_file(void **state)
{
    static const char *const halves[] = {"train/pos", "train/neg", "test/pos",
                                         "test/neg"};
    struct place p = open_place();
    struct dataset d;

    (void)state;
    for (int h = 0; h < 4; h++)
        for (int i = 0; i < 100; i++) {
            char *file = str_format("aclImdb/%s/%d_%d.txt", halves[h], i,
                                    h % 2 ? 2 : 9);
            char *text = lines(1, 100 * h + i, "the ", ".");

            put(&p, file, text);
            free(file);
            free(text);
        }
    p.opts.vocab = 280;
    open_task(&d, &task_imdb, &p);
    int valid = d.split[SPLIT_VALID].n, positive = 0;
    assert_in_range(valid, 1, 25);
    assert_int_equal(d.split[SPLIT_TRAIN].n + valid, 200);
    assert_int_equal(d.split[SPLIT_TEST].n, 200);
    for (int i = 0; i < 200; i++)
        positive += d.split[SPLIT_TEST].row[i].label;
    assert_int_equal(positive, 100);
    dataset_close(&d);
    close_place(&p);
}

/* The official number of rows does not apply to a data set in another layout,
 * so the two are not compared. */
static void row_counts_are_compared_within_a_layout(void **state)
{
    static const char *const folder[] = {"tests/data/fixtures/wmt14_ende",
                                         "tests/data/fixtures/wmt14_ende_t2t"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct place p = open_place();
        struct dataset d;

        p.opts.files = folder[i];
        p.opts.vocab = 340;
        p.opts.N = p.opts.length = 192;
        open_task(&d, &task_wmt14_ende, &p);
        assert_int_equal(d.subset, !i);
        dataset_close(&d);
        close_place(&p);
    }
}

static void glue_is_tested_on_examples_with_known_labels(void **state)
{
    struct place p;
    struct dataset d;

    (void)state;
    open_fixtures(&d, &task_glue, &p);
    assert_int_equal(count_of(&d, SPLIT_TRAIN, "mnli_mismatched"), 0);
    assert_int_equal(count_of(&d, SPLIT_VALID, "mnli_mismatched"), 0);
    assert_int_equal(count_of(&d, SPLIT_TEST, "mnli_matched"), 7);
    assert_int_equal(count_of(&d, SPLIT_TEST, "mnli_mismatched"), 7);
    assert_int_equal(asked(&d, "stsb", "2.8"), 2);
    assert_int_equal(asked(&d, "wnli", "<unk>"), 0);
    dataset_close(&d);
    close_place(&p);
}

static void a_question_with_several_answers_is_asked_once(void **state)
{
    struct place p;
    struct dataset d;
    int queries = 0, rows = 0, last = -1;

    (void)state;
    open_fixtures(&d, &task_superglue, &p);
    assert_int_equal(asked(&d, "record", "Olsund\nVelmouth"), 1);
    assert_int_equal(count_of(&d, SPLIT_TEST, "record"), 4);
    assert_in_range(count_of(&d, SPLIT_TRAIN, "record"), 5, 40);
    assert_int_equal(asked(&d, "wsc", "False\nThe gull"), 1);
    for (int i = 0; i < d.split[SPLIT_TRAIN].n; i++) /* one reference each */
        assert_null(strchr(d.split[SPLIT_TRAIN].row[i].text, '\n'));
    int multirc = subtask_of(&d, "multirc");
    for (int i = 0; i < d.split[SPLIT_TEST].n; i++) {
        const struct example *e = &d.split[SPLIT_TEST].row[i];

        if (e->subtask != multirc)
            continue;
        rows++;
        queries += e->group != last;
        last = e->group;
    }
    assert_int_equal(rows, 7);
    assert_int_equal(queries, 4);
    dataset_close(&d);
    close_place(&p);
}

static void the_tokenizer_of_glue_is_that_of_c4(void **state)
{
    struct place p;
    struct dataset glue, c4;
    char mine[HASH_HEX], its[HASH_HEX];

    (void)state;
    open_fixtures(&glue, &task_glue, &p);
    open_task(&c4, &task_c4, &p);
    tokenizer_digest(glue.tokenizer, mine);
    tokenizer_digest(c4.tokenizer, its);
    assert_string_equal(mine, its);
    p.opts.files = "tests/data/fixtures/glue_rte";
    dataset_close(&c4);
    assert_int_equal(open_listed(&c4, &task_glue, &p.opts), ERR_DATA);
    assert_non_null(strstr(err_last(), "glue_cola, glue_sst2"));
    assert_null(strstr(err_last(), ", glue_rte"));
    dataset_close(&glue);
    close_place(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(translations_have_no_prefix_of_t5),
        cmocka_unit_test(a_changed_file_gives_another_digest),
        cmocka_unit_test(files_of_equal_size_and_time_are_distinguished),
        cmocka_unit_test(a_corpus_without_validation_uses_a_part_of_training),
        cmocka_unit_test(the_input_of_a_dialogue_includes_the_persona),
        cmocka_unit_test(running_text_is_taken_from_its_beginning),
        cmocka_unit_test(words_of_lm1b_not_in_its_list_are_unknown),
        cmocka_unit_test(fewer_pairs_are_a_sample_of_all),
        cmocka_unit_test(splits_of_two_layouts_are_refused),
        cmocka_unit_test(missing_files_are_named),
        cmocka_unit_test(every_task_reads_its_official_files),
        cmocka_unit_test(each_review_is_a_file),
        cmocka_unit_test(row_counts_are_compared_within_a_layout),
        cmocka_unit_test(glue_is_tested_on_examples_with_known_labels),
        cmocka_unit_test(a_question_with_several_answers_is_asked_once),
        cmocka_unit_test(the_tokenizer_of_glue_is_that_of_c4)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
