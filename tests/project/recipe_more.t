#!/bin/sh
# The other recipes of CONTRIBUTING.md, on a copy of the tree, up to the output
# that users see. A generator, a task, an official data set, a scorer, a table,
# a format, a figure, a command and a check take two edits each: the file and
# its row in a list. A metric takes three, a claim one. recipe.t tests variants
# and ops.
. tests/support/tap.sh
root=$PWD
unset MAKEFLAGS MFLAGS MAKELEVEL MODE CFLAGS

run() { "$@" > out 2>&1; }
says() { grep -qE -e "$1" out; }
sb() { run build/release/synthbench "$@"; }

# ---- a copy, with the objects that are built ----
cp -Rp Makefile harness variants plots experiments "$work" || exit 1
if [ -d build/release/harness ]; then
    mkdir -p "$work/build/release"
    (cd build/release && cp -Rp flags build_info.h harness variants plots \
        "$work/build/release")
    WERROR=$(grep -c -e ' -Werror ' build/release/flags) # or all is compiled
    export WERROR
fi
cd "$work" || exit 1

# ---- a cell from before the edits, and its baseline ----
text() { # VARIANTS FILE
    cat > "$2" <<Y
title: Text
variants: [$1]
tasks: [lm1b]
scales: [smoke]
seeds: [1]
settings:
  {layers: 1, d: 16, heads: 2, ff: 32, N: 16, vocab: 40, batch: 16,
   steps: 20, evals: 2, train: 200, valid: 20, test: 20}
Y
}
mkdir more
text vanilla text.yaml
text 'vanilla, random' more/text.yaml
before=$root/build/release/synthbench
"$before" run text.yaml --store old > out 2>&1
ok 'the program before the edits trains a cell' [ $? -eq 0 ]
"$before" baseline save old --store old --baselines . > out 2>&1
ok '... and saves it as a baseline' [ $? -eq 0 ]

row() { # ROW LIST
    case $2 in
    harness/metrics/list.h) sed "s/^#undef METRIC/$1\n\n&/" "$2" > new ;;
    *) { cat "$2"; echo "$1"; } > new ;;
    esac
    mv new "$2"
}

# ---- a generator ----
cat > harness/tasks/gen/gen_dice.c <<'C'
/* gen_dice    each symbol is drawn apart: the floor is ln(symbols) a token. */
#include "harness/tasks/gen/law.h"

#include <math.h>

struct dice { int length, symbols; };

static void begin(void *self, struct dataset *d, const struct task_opts *o)
{
    struct dice *me = self;

    *me = (struct dice){o->length, o->vocab - ID_FIRST};
    d->floor = log(me->symbols);
}

static void draw(struct draw *r, struct drawn *out)
{
    const struct dice *me = draw_self(r);

    out->ntarget = me->length;
    for (int t = 0; t < me->length; t++)
        out->target[t] = ID_FIRST + draw_below(r, me->symbols);
}

static double nll(const void *self, const struct example *e)
{
    const struct dice *me = self;

    return e->ntarget * log(me->symbols);
}

const struct task task_gen_dice = {
    .name = "gen_dice",
    .title = "Dice",
    .cite = "tests/project/recipe_more.t",
    .generator = "symbols drawn apart",
    .kind = TASK_LANGUAGE,
    .metrics = NAMES("bits", "ce"),
    .law = &(const struct law){
        .size = sizeof(struct dice), .begin = begin, .draw = draw, .nll = nll,
        .reach = ROWS_ANY, .length = 4, .vocab = ID_FIRST + 2},
};
C
row 'TASK(gen_dice)' harness/tasks/list.h

# ---- a metric ----
cat > harness/metrics/bits.c <<'C'
/* Bits a token: cross-entropy / ln 2. */
#include "harness/metrics/metric.h"

#include <math.h>

static void measure(const struct metric *m, struct scored *out,
                    const struct answer *s, size_t n)
{
    double nll = 0, tokens = 0;

    (void)m;
    for (size_t i = 0; i < n; i++) {
        nll += s[i].nll;
        tokens += (double)s[i].tokens;
    }
    *out = (struct scored){.value = nll / log(2) / tokens};
}

const struct metric metric_bits = {
    .name = "bits",
    .title = "bits a token",
    .unit = "bits/token",
    .better = -1,
    .signature = "sum of bits / target tokens",
    .measure = measure,
};
C
row 'METRIC(bits)' harness/metrics/list.h
sed 's/NAMES("ppl",/NAMES("bits", "ppl",/' harness/tasks/lm1b.c > new &&
    mv new harness/tasks/lm1b.c

# ---- an official data set, and a task ----
cat > harness/corpora/moods.c <<'C'
/* moods: lines "0,text" or "1,text" in moods/{train,test}.csv. */
#include "harness/corpora/corpus.h"

#include "harness/data/format/csv.h"

static int take_row(void *x, const struct csv *c)
{
    if (c->n != 2)
        return csv_refuse(c, "expected a label and a text");
    return ROW((struct corpus_reading *)x, TEXT("text", csv_field(c, 1)),
               INTEGER("label", *csv_field(c, 0) - '0'));
}

static int read_file(struct corpus_reading *x, const char *path)
{
    return csv_each(path, "", take_row, x);
}

const struct corpus corpus_moods = {
    .name = "moods", .title = "Moods", .from = "tests/project/recipe_more.t",
    .layout = {{.name = "official", .file = read_file, .split = {
        {"train", "moods/train.csv", 40}, {"test", "moods/test.csv", 20}}}}};
C
row 'CORPUS(moods)' harness/corpora/list.h
cat > harness/tasks/moods.c <<'C'
/* moods: good or bad. */
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/official.h"

const struct task task_moods = {
    .name = "moods",
    .title = "Moods",
    .cite = "tests/project/recipe_more.t",
    .generator = "the majority class of a bag of symbols",
    .official = "moods/{train,test}.csv",
    .files = &(const struct official){.part = {
        {.corpus = "moods", .split = {"train", NULL, "test"},
         .source = "text"}}},
    .kind = TASK_CLASSIFY,
    .classes = 2,
    .metrics = NAMES("accuracy", "ce"),
    .generate = gen_majority,
};
C
row 'TASK(moods)' harness/tasks/list.h

# ---- a scorer ----
cat > harness/metrics/score_same.c <<'C'
/* same: the share of lines that equal their reference. */
#include "harness/metrics/scorer.h"

#include <string.h>

static int score(json_t *out, const struct score_input *in)
{
    size_t same = 0;

    for (size_t i = 0; i < in->hyp->n; i++)
        same += !strcmp(in->hyp->line[i], in->ref[0]->line[i]);
    result_real(out, "score", (double)same / (double)in->hyp->n);
    result_text(out, "signature", "same");
    return 0;
}

const struct scorer scorer_same = {
    .name = "same",
    .title = "Equal lines",
    .unit = "1",
    .takes = SCORE_ONE_REF,
    .score = score};
C
row 'SCORER(same)' harness/metrics/list.h

# ---- a table ----
cat > harness/report/table_bits.c <<'C'
/* Table bits: what dice cost. */
#include "harness/report/table.h"

static const struct table_row rows[] = {
    {"vanilla", "Transformer", 0}, {"random", "Random", 0}, {0}};
static const struct table_task tasks[] = {
    {"gen_dice", "Dice", NULL}, {0}};
static const struct table_column columns[] = {
    {"gen_dice", "bits", "bits", "bits a token", "bits/token", -1, 3, NULL},
    {0}};
static const struct contrast_named pairs[] = {{0}};

const struct table table_bits = {
    .name = "bits",
    .title = "Dice",
    .cite = "tests/project/recipe_more.t",
    .row = rows,
    .task = tasks,
    .column = columns,
    .pair = pairs,
};
C
row 'TABLE(bits)' harness/report/list.h

# ---- a format ----
cat > harness/print/wiki.c <<'C'
/* wiki: the rows of the grids, with a bar before each cell. */
#include "harness/print/sheet.h"

static void write_sheet(const struct sheet *s, FILE *out)
{
    for (int p = 0; p < s->parts; p++) {
        const struct grid *g = s->part[p].grid;

        for (int i = 0; g && i < grid_rows(g); i++) {
            for (int k = 0; k < g->columns; k++)
                fprintf(out, "| %s ", grid_at(g, i, k)->text);
            fputc('\n', out);
        }
    }
}

const struct format format_wiki = {"wiki", write_sheet};
C
row 'FORMAT(wiki)' harness/print/list.h

# ---- a figure ----
cat > plots/memory.c <<'C'
/* memory: the peak memory of the first finished cell of each variant. */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "plots/chart.h"
#include "plots/figure.h"
#include "plots/select.h"

struct row { const char *variant; int place; double bytes; };

static const struct column columns[] = {
    {"variant", NULL, COLUMN(struct row, variant)},
    {"place", NULL, COLUMN(struct row, place)},
    {"bytes", NULL, COLUMN(struct row, bytes)},
    {.type = COLUMN_END}};

static int add_line(struct chart *c, struct picture *p, const struct report *r,
                    const struct report_cell *of, const struct style *look)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;
    struct row row = {of->variant, c->n + 1, 0};

    PASS(report_read(&cell, r, of->id));
    PASS(cell_get_real(cell, "timing", "peak_rss_bytes", &row.bytes));
    c->line[c->n++] = (struct chart_line){of->variant, "", *look, row.bytes,
                                          {picture_block(p)}};
    c->panel[0].high = 1.1 * row.bytes;
    picture_row(p, columns, &row);
    return OK;
}

static int draw(const struct figure *f, const struct report *r,
                const char *task, const struct output *to)
{
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("%s_%s", f->name, task);
    const struct style *look = looks_of(select_variants(r), r->memory);
    struct chart c = {.panels = 1, .title = f->title};

    c.panel[0] = (struct chart_panel){
        .x_title = "place", .y_title = "bytes", .left = 0.11, .right = 0.7,
        .most = r->n + 1, .x = 2, .y = 3, .every = 1};
    c.line = arena_zero(r->memory, ((size_t)r->n + 1) * sizeof *c.line);
    PASS(picture_begin(&p, to, name));
    picture_head(&p, columns);
    for (int i = 0; i < r->n; i++)
        if (r->cell[i].state == CELL_DONE)
            PASS(add_line(&c, &p, r, &r->cell[i], &look[c.n]));
    return chart_end(&p, &c, r);
}

const struct figure figure_memory = {
    .name = "memory",
    .title = "Peak memory",
    .none = "no finished cell has a value to plot",
    .draw = draw,
};
C
row 'FIGURE(memory)' plots/list.h

# ---- a command ----
cat > harness/cmd/cmd_greet.c <<'C'
/* greet: says hello. */
#include "harness/cmd/command.h"

#include <stdio.h>

struct given { const char *whom; int times; };

static const struct opt options[] = {
    {"--times", 't', "N", opt_count, OPT_AT(times), .doc = "So often",
     .initial = "1", .most = 9},
    {.name = NULL}};

static int run_greet(const void *given, const struct arguments *args)
{
    const struct given *g = given;

    for (int i = 0; i < g->times; i++)
        printf("hello, %s\n", args->of[0]);
    return 0;
}

const struct command command_greet = {
    .name = "greet",
    .summary = "Say hello",
    .args = "NAME",
    COMMAND_RUNS(run_greet, 1, 1)};
C
row 'COMMAND(greet)' harness/cmd/list.h

# ---- a check, and a claim that uses it ----
cat > harness/claims/check_harmonic.c <<'C'
/* harmonic: sums 1 + 1/2 + ... + 1/n. */
#include "harness/claims/check.h"

static int run(const struct check_values *v, struct check_out *o)
{
    double sum = 0;

    for (int i = 1; i <= v->n; i++)
        sum += 1.0 / i;
    check_say(o, "sum", sum, 0);
    return 0;
}

const struct check check_harmonic = {
    "harmonic", "sums of the harmonic series", "n=10", run,
    {{"sum", "of them"}}};
C
row 'CHECK(harmonic)' harness/claims/list.h
cat >> experiments/claims.yaml <<'Y'
  - id: H1
    source: Nicole Oresme
    text: The harmonic series passes 5
    kind: computed
    check: harmonic
    cases:
      - if: there are 83 terms
        args: {n: 83}
        expect: {sum: "> 5"}
      - if: there are 82 terms
        args: {n: 82}
        expect: {sum: "> 5"}
Y

# ---- all of them together ----
said() { sed -n "s/^| $1 | \([0-9]*\) |.*/\1/p" "$root/CONTRIBUTING.md"; }
ok 'CONTRIBUTING.md says two edits each' [ "$(for what in 'a generator' \
    'a task' 'an official data set' 'a scorer' 'a table' 'a format' \
    'a figure' 'a command' 'a check'; do
    said "$what"; done | paste -s -d ' ' -)" = '2 2 2 2 2 2 2 2 2' ]
ok '... three for a metric' [ "$(said 'a metric')" -eq 3 ]
ok '... and one for a claim' [ "$(said 'a claim')" -eq 1 ]
ok 'ten recipes: ten files, eight lists, one task with the metric' \
    [ "$(for d in harness plots; do diff -rq "$root/$d" $d; done |
        wc -l)" -eq 19 ]
ok 'it builds' run make all
ok '... without a warning' [ "$(grep -c warning: out)" -eq 0 ]

cat > new.yaml <<'Y'
title: Dice
variants: [vanilla, random]
tasks: [gen_dice]
scales: [smoke]
seeds: [1]
settings:
  {layers: 1, d: 16, heads: 2, ff: 32, N: 16, vocab: 40, batch: 16,
   steps: 40, evals: 2, train: 200, valid: 20, test: 20}
Y
sb run new.yaml --store store
ok 'the generator is a task: cells of it train' [ $? -eq 0 ]
sb show store#vanilla/gen_dice/1
ok 'the metric is stored' says 'bits'
number() { # METRIC: of vanilla
    build/release/synthbench show store#vanilla/gen_dice/1 --json |
        perl -MJSON::PP -e 'local $/;
            print decode_json(<STDIN>)->{cells}[0]{metrics}{$ARGV[0]}' "$1"
}
ok '... and is what it says' perl -e 'exit(abs($ARGV[0] * log(2) - $ARGV[1]) >
    1e-9)' "$(number bits)" "$(number ce)"
sb table bits --store store
ok 'the table has it' says '^Random +[0-9]+\.[0-9]{3}'
sb table bits --store store --format wiki
ok 'the format has the row of the table' \
    says '^\| Random \| [0-9]+\.[0-9]{3} '

# ---- the metric in cells, before and after ----
sb run text.yaml --store after
ok 'the cell is trained again with the metric' [ $? -eq 0 ]
sb compare --digests old after
ok 'the metric makes no difference between the cells' [ $? -eq 0 ]
ok '... which are equal' says '^1 equal$'
sb compare old after
ok '... nor between the stores' [ $? -eq 0 ]
sb gate --baseline old --baselines . --store after
ok 'the gate reports it' says '^added .*bits .*not in the baseline'
ok '... and is not alarmed' [ $? -eq 0 ]
sb gate --baseline old --baselines . --store after --exact
ok '... even by --exact' [ $? -eq 0 ]
sb run more/text.yaml --store old --extend
ok 'a store with cells from before the metric takes cells with it' [ $? -eq 0 ]
sb table text --store old
ok 'the table shows it, where a cell has it' \
    says '^random .* [0-9]+\.[0-9]{3} *$'
ok '... and says where none has it' says '^vanilla .* n/a *$'
sb verify store --store old
ok '... and the store is sound' [ $? -eq 0 ]

# ---- the task, from its official files to the table ----
mkdir -p files/moods
for i in 1 2 3 4 5 6 7 8 9 10; do
    printf '0,a sad day %s\n1,a good day %s\n0,no hope %s\n1,all joy %s\n' \
        $i $i $i $i
done > files/moods/train.csv
head -n 20 files/moods/train.csv | sed 's/day/night/' > files/moods/test.csv
sb data check moods --data-dir files
ok 'the data set is complete' says '^train +complete: 40 rows of 40'
cat > moods.yaml <<'Y'
title: Moods
variants: [vanilla]
tasks: [moods]
scales: [full]
seeds: [1]
settings:
  {layers: 1, d: 16, heads: 2, ff: 32, N: 16, vocab: 300, batch: 8,
   steps: 20, evals: 2, train: 40, valid: 4, test: 20}
Y
sb run moods.yaml --store moods --data-dir files --cache cache
ok 'the task trains on it' [ $? -eq 0 ]
sb table moods --store moods
ok 'its table has the accuracy' says '^vanilla .* [0-9]+\.[0-9]{2}'
ok '... of the official files' says 'Data: Moods, official files, 40 of 40'
sb plot memory --store store
ok 'the figure is drawn' test -s "$(ls store/plots/memory*.png | head -n 1)"
printf 'a\nb\n' > a.txt
printf 'a\nc\n' > b.txt
sb score same --hyp a.txt --ref b.txt
ok 'the scorer scores' says '0\.5'
sb greet world --times 2
ok 'the verb runs, with its option' [ "$(grep -c '^hello, world$' out)" -eq 2 ]
sb greet --help
ok '... which --help tells' says '^ +-t, --times=N +So often \(default: 1\)'
sb help --man
ok '... and the man page' says 'SS synthbench greet'
sb claims H1
ok 'the claim is judged by its check' says '^H1 holds only if there are 83 terms'
for list in tasks:gen_dice metrics:bits scorers:same tables:bits \
    figures:memory checks:harmonic; do
    sb list "${list%:*}"
    ok "list ${list%:*} has it" says "^${list#*:} "
done

done_testing
