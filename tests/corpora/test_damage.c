/* Files with one mistake each, made for this test: the reader refuses them with
 * a message that names the place and the mistake. Files with the rarer forms of
 * a format: the rows that the reader makes of them. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/corpora/corpus.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

struct made { /* a file of the data folder; no name: none */
    const char *name, *text;
    size_t bytes;
    int times; /* the text is repeated; 0: once */
};
#define FILE_OF(name, text) {name, text, sizeof(text) - 1, 0}

struct row {
    const char *corpus, *split;
    struct made file[2];
    const char *says; /* all rows, or a part of the message */
};

static void put(const char *folder, const struct made *m)
{
    OWNED(free) char *path = str_format("%s/%s", folder, m->name);
    OWNED(text_free) struct text all = {0};
    char *slash = strrchr(path, '/');

    for (int i = 0; i < (m->times ? m->times : 1); i++)
        text_add(&all, m->text, m->bytes);
    *slash = 0;
    assert_int_equal(file_mkdirs(path), OK);
    *slash = '/';
    assert_int_equal(file_write(path, all.s ? all.s : "", all.n), OK);
}

struct seen {
    struct sink sink;
    struct text rows; /* "TEXT|TEXT;" of each row, "LINE: REASON;" of each
                         skipped row */
};

static int see_row(struct sink *s, const struct field *row)
{
    struct text *out = &((struct seen *)s)->rows;

    for (const char *bar = ""; row->key; row++)
        if (row->kind == FIELD_TEXT) {
            text_format(out, "%s%s", bar, row->text);
            bar = "|";
        }
    text_put(out, ";");
    return OK;
}

static int see_skipped(struct sink *s, const struct skipped *k)
{
    text_format(&((struct seen *)s)->rows, "%ld: %s;", k->line, k->reason);
    return OK;
}

/* Returns what corpus_read returns. */
static int read_made(struct seen *seen, const struct row *r)
{
    OWNED(free) char *folder = scratch_make();
    const struct corpus *c;

    *seen = (struct seen){{.row = see_row, .skip = see_skipped, .skip_nul = 1},
                          {0}};
    text_clear(&seen->rows);
    for (int i = 0; i < 2 && r->file[i].name; i++)
        put(folder, &r->file[i]);
    assert_int_equal(corpus_find(&c, r->corpus), OK);
    int rc = corpus_read(c, folder, r->split, &seen->sink);
    scratch_remove(folder);
    folder = NULL;
    return rc;
}

/* ---- refused files ---- */

#define CFG(text) {FILE_OF("A/scenarios/1.cfg", text)}
#define MO(text) {FILE_OF("locale/de/LC_MESSAGES/x.mo", text)}
#define MAGIC "\xde\x12\x04\x95"
#define SGM "dev/newstest2014-deen-"
#define SGMS(english, german) \
    {FILE_OF(SGM "ref.en.sgm", english), FILE_OF(SGM "src.de.sgm", german)}
#define DOC "<doc docid=\"d\">\n"
#define SEG "<seg id=\"1\">a</seg>\n"
#define HEX16 "0123456789abcdef"
#define HEX128 HEX16 HEX16 HEX16 HEX16 HEX16 HEX16 HEX16 HEX16

static const struct row refused[] = {
    /* Wesnoth's markup */
    {"wesnoth", "all", CFG("\nx=<<raw\n"), "1.cfg:2: << is never closed"},
    {"wesnoth", "all", CFG("\nx=\"a\n\n"), "1.cfg:2: the quote is never clos"},
    {"wesnoth", "all", CFG("{A \"}\"\n("), "1.cfg:1: the { is never closed"},
    {"wesnoth", "all", CFG("\n{A \"\n"), "1.cfg:2: the quote is never closed"},
    {"wesnoth", "all", CFG("[a\n]\n"), "1.cfg:1: the [ is never closed"},
    {"wesnoth", "all", CFG("[/a]\n"), "1.cfg:1: [/a] closes nothing"},
    {"wesnoth", "all", CFG("[a]\n[b]\n[/a]\n"),
     "1.cfg:3: [/a] while [b] of line 2 is open"},
    {"wesnoth", "all", CFG("\n[a]\n"), "1.cfg:2: [a] is never closed"},
    {"wesnoth", "all", {{"A/scenarios/1.cfg", "[a]\n", 4, 257}},
     "1.cfg:257: more than 256 nested tags"},
    /* WMT's lines and segments */
    {"wmt14_ende", "valid", {FILE_OF("dev/newstest2013.de", "a\n")},
     "newstest2013.en: missing, but the other side exists"},
    {"wmt14_ende", "train", {FILE_OF("dev/newstest2013.en", "a\n")},
     "training/europarl-v7.de-en.en: no such file"},
    {"wmt14_ende", "valid", {FILE_OF("dev/newstest2013.en", "a\n"),
                             FILE_OF("dev/newstest2013.de", "a\nb\nc\n")},
     "newstest2013.de:2: this line has no counterpart: there are 3 lines here "
     "and 1 in dev/newstest2013.en"},
    {"wmt14_ende", "test", SGMS("", DOC "<seg >a b</seg>\n"),
     "src.de.sgm:2: a segment without an id"},
    {"wmt14_ende", "test", SGMS("", DOC "<seg id=1 ids=\"2\">a</seg>\n"),
     "src.de.sgm:2: a segment without an id"},
    {"wmt14_ende", "test", SGMS("", DOC "<seg id=\"1>a</seg>\n"),
     "src.de.sgm:2: a segment without an id"},
    {"wmt14_ende", "test", SGMS("", DOC "<seg id=\"1>a\"</seg>\n"),
     "src.de.sgm:2: a segment without an id"},
    {"wmt14_ende", "test", SGMS("", DOC "<seg id=\"" HEX128 "\">a</seg>\n"),
     "src.de.sgm:2: a segment without an id"},
    {"wmt14_ende", "test", SGMS("", DOC "<seg\n"),
     "src.de.sgm:2: a segment without an id"},
    {"wmt14_ende", "valid", {FILE_OF("dev/newstest2013.en", "a\n"),
                             FILE_OF("dev/newstest2013.de", "a\nb\n\xff\n")},
     "newstest2013.de:3: not valid UTF-8"},
    {"wmt14_ende", "test", SGMS("", DOC "<seg id=\"1\"\n"),
     "src.de.sgm:2: a segment without an id"},
    {"wmt14_ende", "test", SGMS("", DOC "<seg id=\"1\">a</b>\n"),
     "src.de.sgm:2: a segment that does not end with </seg>"},
    {"wmt14_ende", "test", SGMS("", DOC "<seg id=\"1\">a</seg> b\n"),
     "src.de.sgm:2: a segment that does not end with </seg>"},
    {"wmt14_ende", "test", SGMS("", "<doc id=\"d\">\n"),
     "src.de.sgm:1: a document without a docid"},
    {"wmt14_ende", "test", SGMS("", "<doc docid=\"d\"\n"),
     "src.de.sgm:1: a document without a docid"},
    {"wmt14_ende", "test", SGMS("", DOC), "src.de.sgm: has no segments"},
    {"wmt14_ende", "test", SGMS("", DOC SEG SEG),
     "src.de.sgm:3: this segment appears twice"},
    {"wmt14_ende", "test", SGMS(DOC SEG SEG, DOC SEG),
     "ref.en.sgm:3: this segment appears twice"},
    {"wmt14_ende", "test", SGMS(DOC "<seg id=\"2\">a</seg>\n", DOC SEG),
     "ref.en.sgm:2: no such segment in dev/newstest2014-deen-src.de.sgm"},
    {"wmt14_ende", "test", SGMS(DOC SEG, DOC SEG "<seg id=\"2\">a</seg>\n"),
     "src.de.sgm:3: no such segment in dev/newstest2014-deen-ref.en.sgm"},
    /* gettext's .mo: magic, revision, texts, two tables of (length, offset) */
    {"mo_ende", "all", MO(MAGIC), "x.mo: 4 bytes are too few for a .mo file"},
    {"mo_ende", "all", MO(MAGIC "\0\0\2\0" "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                          "\0\0\0\0"),
     "x.mo: revision 2 of the format is not supported"},
    {"mo_ende", "all", MO(MAGIC "\0\0\0\0" "\1\0\0\0\x19\0\0\0\x14\0\0\0"
                          "\0\0\0\0\0\0\0\0\0\0\0\0"),
     "x.mo: truncated: its tables of 1 texts extend beyond the end"},
    {"mo_ende", "all", MO(MAGIC "\0\0\0\0" "\1\0\0\0\x14\0\0\0\x19\0\0\0"
                          "\0\0\0\0\0\0\0\0\0\0\0\0"),
     "x.mo: truncated: its tables of 1 texts extend beyond the end"},
    {"mo_ende", "all", MO(MAGIC "\0\0\0\0" "\1\0\0\0\x14\0\0\0\x14\0\0\0"
                          "\1\0\0\0\x1c\0\0\0" "a"),
     "x.mo: text 1 extends beyond the end or is not terminated"},
    {"mo_ende", "all", MO(MAGIC "\0\0\0\0" "\1\0\0\0\x14\0\0\0\x14\0\0\0"
                          "\1\0\0\0\x1c\0\0\0" "ab"),
     "x.mo: text 1 extends beyond the end or is not terminated"},
    {"mo_ende", "all", MO(MAGIC "\0\0\0\0" "\1\0\0\0\x14\0\0\0\x14\0\0\0"
                          "\1\0\0\0\x1c\0\0\0" "\xff\0"),
     "x.mo: text 1 is not valid UTF-8"},
    /* names of shards */
    {"c4", "train", {FILE_OF("en/c4-train.0000x-of-00001.json.gz", "")},
     "0000x-of-00001.json.gz: the name of a shard needs numbers"},
    {"c4", "train", {FILE_OF("en/c4-train.00000-of-0000x.json.gz", "")},
     "00000-of-0000x.json.gz: the name of a shard needs numbers"},
    {"c4", "train", {FILE_OF("en/c4-train.0-of--of-00001.json.gz", "")},
     "0-of--of-00001.json.gz: the name of a shard needs numbers"},
    {"c4", "train", {FILE_OF("en/c4-train.00000-of-00002.json.gz", ""),
                     FILE_OF("en/c4-train.00001-of-00003.json.gz", "")},
     "00001-of-00003.json.gz: one of 3 shards, but the folder also has one of "
     "2; keep shards of one total only"},
    {"c4", "train", {FILE_OF("en/c4-train.00002-of-00002.json.gz", "")},
     "00002-of-00002.json.gz: 2 shards are numbered from 0 to 1"},
    /* tables */
    {"agnews", "train", {FILE_OF("ag_news_csv/train.csv", "1\n")},
     "train.csv:1: 1 field instead of 3"},
    {"agnews", "train", {FILE_OF("ag_news_csv/train.csv", "0,a,b\n")},
     "train.csv:1: the class is not 1, 2, 3 or 4"},
    {"agnews", "train", {FILE_OF("ag_news_csv/train.csv", "1,a,b\n5,a,b\n")},
     "train.csv:2: the class is not 1, 2, 3 or 4"},
    {"agnews", "train", {FILE_OF("ag_news_csv/train.csv", "12,a,b\n")},
     "train.csv:1: the class is not 1, 2, 3 or 4"},
    {"cnndm", "train", {FILE_OF("train.csv", "article,highlights\na,b\n")},
     "train.csv:1: there is no column 'id'"},
    {"cnndm", "train", {FILE_OF("train.csv", "id,article,highlights\na,b\n")},
     "train.csv:2: the number of fields differs from the header's"},
    {"cnndm", "train", {FILE_OF("train.csv", "id,article,highlights\n")},
     "train.csv: has no records"},
    {"glue_stsb", "train", {FILE_OF("STS-B/train.tsv",
                                    "sentence1\tsentence2\tscore\na\tb\tx\n")},
     "train.tsv:2: 'x' is not a score from 0 to 5"},
    {"glue_stsb", "train", {FILE_OF("STS-B/train.tsv",
                                    "sentence1\tsentence2\tscore\na\tb\t-1\n")},
     "train.tsv:2: '-1' is not a score from 0 to 5"},
    /* JSON */
    {"superglue_record", "train", {FILE_OF("ReCoRD/train.jsonl",
     "{\"passage\": {\"text\": \"abc\", \"entities\": [{\"start\": -1, "
     "\"end\": 1}]}, \"qas\": [], \"idx\": 0}\n")},
     "train.jsonl:1: an entity from -1 to 1, but the passage has 3 characters"},
    {"superglue_record", "train", {FILE_OF("ReCoRD/train.jsonl",
     "{\"passage\": {\"text\": \"abc\", \"entities\": [{\"start\": 2, "
     "\"end\": 1}]}, \"qas\": [], \"idx\": 0}\n")},
     "train.jsonl:1: an entity from 2 to 1, but the passage has 3 characters"},
    {"superglue_boolq", "train", {FILE_OF("BoolQ/train.jsonl", "{\"a\": 1}\n")},
     "train.jsonl:1: there is no key 'label'"},
    {"superglue_boolq", "train", {FILE_OF("BoolQ/train.jsonl",
                                          "{\"label\": 1}\n")},
     "train.jsonl:1: 'label' is not true or false"},
    {"superglue_copa", "train", {FILE_OF("COPA/train.jsonl",
                                         "{\"label\": 2}\n")},
     "train.jsonl:1: 'label' is not 0 or 1"},
    {"superglue_copa", "train", {FILE_OF("COPA/train.jsonl",
                                         "{\"label\": false}\n")},
     "train.jsonl:1: 'label' is not 0 or 1"},
    {"superglue_cb", "train", {FILE_OF("CB/train.jsonl",
                                       "{\"label\": \"yes\"}\n")},
     "train.jsonl:1: 'label' is not the name of a class"},
    {"superglue_cb", "train", {FILE_OF("CB/train.jsonl", "{\"label\": 0}\n")},
     "train.jsonl:1: 'label' is not the name of a class"},
    {"sentiment", "all", {FILE_OF("package/test/fixtures/imdb.json", "[[1]]")},
     "imdb.json:1: not an object"},
    {"sentiment", "all", {FILE_OF("package/test/fixtures/imdb.json",
                                  "[\n{\"text\": \"a\", \"class\": 2}]")},
     "imdb.json:2: 'class' is neither 0 nor 1"},
    {"personachat", "train", {FILE_OF("personachat_self_original.json",
     "{\"train\": [{\"personality\": [1], \"utterances\": []}]}\n")},
     "'personality' has an element that is not a string"},
    /* folders */
    {"packages", "all", {FILE_OF("a_Packages", ""), FILE_OF("b_Packages", "")},
     ": a_Packages and b_Packages both match *Packages; keep only one"},
    {"imdb", "train", {FILE_OF("aclImdb/train/neg/0_1.txt", "a")},
     "/aclImdb/train/pos/*: no such files"}};

static void a_mistake_is_refused_with_its_place_and_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const struct row *r = &refused[i];
        struct seen seen;
        int rc = read_made(&seen, r);

        if (rc != ERR_DATA || !strstr(err_last(), r->says))
            print_error("%s, not '%s': %d, %s\n", r->corpus, r->says, rc,
                        rc < 0 ? err_last() : seen.rows.s);
        assert_int_equal(rc, ERR_DATA);
        assert_non_null(strstr(err_last(), r->says));
        text_free(&seen.rows);
    }
}

/* ---- rarer forms ---- */

#define MSR "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
#define SAYS(more) "[message]\nspeaker=A\n" more "\n[/message]\n"

static const struct row forms[] = {
    {"wesnoth", "all", CFG(SAYS("message= _ \"a\" + # why\n\n_\"b\"+_ \"c\"")),
     "A|abc|1.cfg;"},
    {"wesnoth", "all", CFG(SAYS("message=_\"say \"\"no\"\"\"")),
     "A|say \"no\"|1.cfg;"},
    {"wesnoth", "all", CFG(SAYS("message =bare + \"text\" # why")),
     "A|bare + text|1.cfg;"},
    {"wesnoth", "all", CFG(SAYS("message=a<<raw\n]>>")), "A|a|1.cfg;"},
    {"wesnoth", "all", CFG(SAYS("message={M}")), "1: macro;"},
    {"wesnoth", "all", CFG(SAYS("message={M} a")), "A|a|1.cfg;"},
    {"wesnoth", "all", CFG(SAYS("message=")), "1: no-message;"},
    {"wesnoth", "all", CFG(SAYS("")), "1: no-message;"},
    {"wesnoth", "all", CFG("[message]\nmessage=a\nrole=\n[/message]\n"),
     "1: no-speaker;"},
    {"wesnoth", "all", CFG("stray\"\n[+message]\nid=A\n[b]\nmessage=c\n[/b]\n"
                           "message=a\n[/message]\n"), "A|a|1.cfg;"},
    {"wmt14_ende", "valid", {FILE_OF("dev/newstest2013.en", "a\nb\0\nc\n"),
                             FILE_OF("dev/newstest2013.de", "d\ne\nf\0\n")},
     "translate English to German: a|d;2: nul-byte;3: nul-byte;"},
    {"wmt14_ende", "valid",
     {FILE_OF("newstest2013.tok.bpe.32000.en", "a@@ b@@c d@@\n"),
      FILE_OF("newstest2013.tok.bpe.32000.de", "e\n")},
     "translate English to German: ab@@c d|e|a@@ b@@c d@@|e;"},
    {"lm1b", "vocabulary", {FILE_OF("vocab-2016-09-10.txt", "a\nb\0\n\n")},
     "a;2: nul-byte;3: empty;"},
    {"superglue_copa", "train", {FILE_OF("COPA/train.jsonl", "{\"\0\": 1}\n")},
     "1: nul-byte;"},
    {"glue_sst2", "train", {FILE_OF("SST-2/train.tsv", "sentence\tlabel\n"
                                    "a\t1\nb\0\t1\nc\t\n")},
     "sst2 sentence: a|positive;3: nul-byte;4: empty-label;"},
    {"personachat", "train", {FILE_OF("personachat/train_self_original.txt",
                                      "1 __sil\t__SILENCE__\n2 b\tc\n")},
     "1: empty-reply;c;"},
    {"imdb", "unsup", {FILE_OF("aclImdb/train/unsup/1_0.html", "a"),
                       FILE_OF("aclImdb/train/unsup/1_100.txt", "a")},
     "0: not-a-review;0: not-a-review;"},
    {"imdb", "unsup", {FILE_OF("aclImdb/train/unsup/2_0.txt", "b"),
                       FILE_OF("aclImdb/train/unsup/02_0.txt", " a ")},
     "a;b;"},
    {"superglue_wsc", "test", {FILE_OF("WSC/test.jsonl",
     "{\"text\": \"Ann left.\", \"target\": {\"span1_text\": \"ann.\", "
     "\"span1_index\": 0, \"span2_text\": \"Left\", \"span2_index\": 1}, "
     "\"idx\": 0}\n")}, "wsc: Ann *left*.|Ann;"},
    {"superglue_wsc", "test", {FILE_OF("WSC/test.jsonl",
     "{\"text\": \"Ann left.\", \"target\": {\"span1_text\": \"Bob\", "
     "\"span1_index\": 9, \"span2_text\": \"she\", \"span2_index\": 1}, "
     "\"idx\": 0}\n")}, "1: span2-not-found;"},
    {"superglue_wsc", "test", {FILE_OF("WSC/test.jsonl",
     "{\"text\": \"7 men left.\", \"target\": {\"span1_text\": \"Men.\", "
     "\"span1_index\": 0, \"span2_text\": \"left\", \"span2_index\": 2}, "
     "\"idx\": 0}\n")}, "wsc: 7 men *left*.|Men.;"},
    {"superglue_wsc", "test", {FILE_OF("WSC/test.jsonl",
     "{\"text\": \"7 men left.\", \"target\": {\"span1_text\": \"Men.\", "
     "\"span1_index\": -1, \"span2_text\": \"left\", \"span2_index\": 2}, "
     "\"idx\": 0}\n")}, "wsc: 7 men *left*.|Men.;"},
    {"superglue_wsc", "test", {FILE_OF("WSC/test.jsonl",
     "{\"text\": \"7 men left.\", \"target\": {\"span1_text\": \"Men.\", "
     "\"span1_index\": 1, \"span2_text\": \"left\", \"span2_index\": 2}, "
     "\"idx\": 0}\n")}, "wsc: 7 men *left*.|men;"},
    {"superglue_record", "test", {FILE_OF("ReCoRD/test.jsonl",
     "{\"passage\": {\"text\": \"\\n@highlight\\na.\\n@highlight\\n\\n"
     "@highlight\\nb\", \"entities\": []}, \"idx\": 0, \"qas\": [{\"query\": "
     "\"c\", \"idx\": 1}, {\"query\": \"d\", \"idx\": 2, \"answers\": "
     "[{\"text\": \"e\"}]}]}\n")},
     "record query: c entities:  passage: . a. . b|<unk>;"
     "record query: d entities:  passage: . a. . b|e;"},
    {"glue_mrpc", "train", {FILE_OF("MRPC/mrpc_dev_ids.tsv", "3\t4\n\n"),
                            FILE_OF("MRPC/msr_paraphrase_train.txt",
                                    MSR "1\t1\t2\ta\tb\n0\t3\t4\tc\td\n"
                                    "1\n1\t2\n")},
     "mrpc sentence1: a sentence2: b|equivalent;4: missing-field;5: "
     "missing-field;"},
    {"cnndm", "train", {FILE_OF("url_lists/all_train.txt",
                                "http://c/d\nhttp://a/b\nhttp://c/d\n"
                                "http://a/b\n"),
     FILE_OF("dailymail/stories/d213c5ed66059532eca58e5b73ad2532528d8718.story",
             "One\n\n@highlight\n\nTwo\n")}, /* the SHA-1 of http://a/b */
     "summarize: One .|Two .|d213c5ed66059532eca58e5b73ad2532528d8718;"
     "1: no-story;3: no-story;"},
    {"wesnoth", "all", CFG(SAYS(" = x\nmessage=a")), "A|a|1.cfg;"},
    {"wesnoth", "all", CFG(SAYS("message=a\n[message]\nmessage=b\nspeaker=B\n"
                                "[/message]")), "A|a|1.cfg;"},
    {"wesnoth", "all", CFG(SAYS("message=_b")), "A|_b|1.cfg;"},
    {"personachat", "train", {FILE_OF("personachat/train_self_original.txt",
                                      "1 your persona: a\tb\n2 c\td\n")},
     "b;d;"},
    {"wmt14_ende", "test", SGMS(DOC "<segments>\n" SEG, DOC SEG),
     "translate English to German: a|a;"}};

static void a_rarer_form_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct seen seen;
        int rc = read_made(&seen, &forms[i]);

        if (rc != OK)
            print_error("%s: %s\n", forms[i].says, err_last());
        assert_int_equal(rc, OK);
        assert_string_equal(seen.rows.s, forms[i].says);
        text_free(&seen.rows);
    }
}

static void an_unknown_split_is_refused(void **state)
{
    struct row r = {"agnews", "valid",
                    {FILE_OF("ag_news_csv/train.csv", "1,a,b\n")}, NULL};
    struct seen seen;

    (void)state;
    assert_int_equal(read_made(&seen, &r), ERR_USAGE);
    assert_non_null(strstr(err_last(), "'valid'"));
    text_free(&seen.rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mistake_is_refused_with_its_place_and_reason),
        cmocka_unit_test(a_rarer_form_is_read),
        cmocka_unit_test(an_unknown_split_is_refused)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
