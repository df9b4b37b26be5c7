#!/bin/sh
# The committed results in results/baselines equal what the program prints from
# their JSON, and numbers quoted in documents equal the committed ones. `make
# baselines` renders the results again.
. tests/support/tap.sh

same() { # FILE COMMAND...: COMMAND --from the JSON beside FILE prints FILE
    file=$1
    shift
    sb "$@" --from "${file%.*}.json" --format "${file##*.}"
    [ "$code" = 0 ] || { echo "exit code $code"; return 1; }
    cmp "$work/out" "$file"
}
found=0
for json in results/baselines/*/table*.json; do
    found=1
    table=${json##*/table}
    for file in "$json" "${json%.json}.md"; do
        ok "$file is rendered by this program" same "$file" \
            table "${table%.json}"
    done
done
ok 'there are such tables' test $found = 1
for json in results/baselines/*/claims.json; do
    ok "$json is rendered by this program" same "$json" claims
done
for folder in results/baselines/*/; do
    again=$work/$(basename "$folder")
    mkdir "$again"
    cp "$folder"*.json "$again"
    sh harness/make/pairs.sh "$program" "$again" 2>"$work/why"
    ok "$folder has the pairs of its tables as contrasts.csv" sh -c '
        if [ -f "$0/contrasts.csv" ] || [ -f "$1/contrasts.csv" ]; then
            cmp "$0/contrasts.csv" "$1/contrasts.csv"
        fi' "$folder" "$again"
done
mkdir "$work/lone" &&
    cp results/baselines/quick/contrasts.csv "$work/lone"
drawn() { # also README names the committed picture
    perl harness/make/pairs_plot.pl "$work/lone" lm1b ppl Title &&
        head -c 8 "$work/lone/contrasts.png" | grep -q PNG &&
        grep -q 'results/baselines/quick/contrasts.png' README.md &&
        [ -s results/baselines/quick/contrasts.png ]
}
ok "README's picture is drawn from the committed pairs" drawn
refused() {
    ! perl harness/make/pairs_plot.pl "$work/lone" lm1b bleu Title 2>"$work/why"
}
ok '... and none from pairs that are not there' refused
ls results/baselines/*/table* results/baselines/*/claims* |
    grep -v '\.json$\|\.md$' >"$work/others"
ok 'no other format is committed' test ! -s "$work/others"
# speed.json has the ratios that the page lists for the rows of Table 4.
ok 'each ratio of speeds on the page is that of the committed file' perl -MJSON::PP -e '
    local $/;
    my $j = decode_json(<STDIN>);
    my ($at) = grep { $j->{columns}[$_]{name} eq "speed_ratio" } 0 .. $#{$j->{columns}};
    my %name = ("lightweight-conv-mtf" => "Lightweight Convolution",
                "dynamic-conv-mtf" => "Dynamic Convolution", "dense-mtf" => "Dense",
                "random" => "Random", "random+vanilla" => "Random + Vanilla",
                "dense-mtf+vanilla" => "Dense + Vanilla");
    open my $in, "<", "results/baselines/README.md" or die $!;
    my ($page, $found) = (<$in>, 0);
    for (@{$j->{rows}}) {
        my ($x, $name) = ($_->{cells}[$at], $name{$_->{variant}}) or next;
        next unless $name;
        my $row = sprintf "| %s | %.3f [%.3f, %.3f] |", $name, @$x{"value", "low", "high"};
        index($page, $row) >= 0 or die "the page lacks: $row\n";
        $found++;
    }
    exit($found != 6)' <results/baselines/table4/speed.json
# The stores of `overnight` and of the earlier `reduced` are gone; their files
# lack the pairs that the page quotes.
ok 'each difference that a section quotes is a row of its contrasts.csv' \
    perl tests/project/contrasts.pl results/baselines/README.md overnight reduced
ok '... and so is each one of the study' \
    perl tests/project/contrasts.pl results/study.md
sed 's/-0.587 \[/-0.588 [/' results/baselines/README.md >"$work/README.md"
ln -s "$PWD/results/baselines/mix" "$work/mix"
refused() { ! perl tests/project/contrasts.pl "$work/README.md" >"$work/said"; }
ok '... and a changed digit is found' refused
ok '... and named' grep -q 'no row has -0.588 \[-0.674, -0.500\]' "$work/said"
quantile() { perl harness/make/holm.pl --quantile "$1" "$2"; }
ok "Student's quantiles are those of published tables" test \
    "$(quantile 0.95 1) $(quantile 0.95 2) $(quantile 0.95 3) $(quantile 0.95 5
    ) $(quantile 0.99 7)" = '12.706 4.303 3.182 2.571 3.499'
# With 3 degrees of freedom, p of t = 4 is 0.028 and p of t = 3 is 0.058. In a
# family of two tests, the smaller p is not below 0.025; as a single test, it is
# below 0.05.
cat >"$work/holm.md" <<'M'
## One
By 4.0 [0.8, 7.2] of perplexity.

<!-- holm 4 -->

## Two
By 4.0 [0.8, 7.2] and 3.0 [-0.2, 6.2] of perplexity.

<!-- holm 4 -->

## Three
By 0.01 [0.00, 0.02] of perplexity.
M
perl harness/make/holm.pl --write "$work/holm.md"
ok "Holm's correction is over a section" sh -c '
    [ "$(grep -c "all 1 that exclude 0 remain significant" "$1")" = 1 ] &&
        grep -q "not significant any more: 4.0 \[0.8, 7.2\]" "$1" &&
        [ "$(grep -c "correction" "$1")" = 2 ]' - "$work/holm.md"
ok '... and is what the sections say' perl harness/make/holm.pl \
    results/baselines/README.md
ok 'documents quote them as they are' perl harness/make/quotes.pl "$program" \
    README.md results/baselines/README.md

# ---- what --from refuses ----
one=tests/project/one_seed.json # of one seed: it ranks nothing
sb table 2 --from "$work/none.json"
ok 'a file that is not there' exits 2 'none.json: '
sb table 3 --from "$one"
ok 'a file of another table' exits 2 "$one: is table 2, not table 3"
sb table 1 --from "$one"
ok 'a table that is counted' exits 2 \
    '--from: table 1 is computed, not measured: `synthbench table 1`'
sb table 2 --from "$one" --store results
ok 'a file and a store' exits 2 'cannot be combined'

# many LIST N: repeats the first entry of the list N times.
many() {
    perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
        my ($list, $n) = @ARGV;
        $j->{correlations}[0] //= {qw(task wmt14_ende metric ce
            published bleu), spearman => 0.4, kendall => 0.3, n => 9,
            map { ("${_}_p" => 0.2, "${_}_low" => undef, "${_}_high" => undef) }
                qw(spearman kendall)};
        $j->{$list} = [($j->{$list}[0]) x $n];
        print encode_json($j)' "$@" <"$one" >"$work/many.json"
    sb table 2 --from "$work/many.json" --width 120
}
many correlations 256
ok 'as many correlations as a table may have columns' exits 0 ''
many correlations 257
ok '... and no more' exits 5 'correlations: expected a list of at most 256'
many rows 4096
ok 'as many rows as a table may have' exits 0 ''
many rows 4097
ok '... and no more' exits 5 'rows: expected a list of at most 4096'

# ---- tables with one seed ----
sb table 2 --from "$one" --json
ok 'of one seed a table ranks nothing' json '
    my @c = map { @{$_->{cells}} } @{$j->{rows}};
    !@{$j->{correlations}} && !grep { $_->{best} || defined $_->{rank} } @c'
ok '... and says so' json '
    !grep { $_->{better} ? $_->{withheld} ne "one seed"
                         : defined $_->{withheld} } @{$j->{columns}}'
perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
    delete $_->{withheld} for @{$j->{columns}};
    print encode_json($j)' <"$one" >"$work/older.json"
sb table 2 --from "$work/older.json"
ok 'a file that does not say what is withheld is refused' exits 5 \
    'columns[0].withheld: expected one of'
hand() { # PERL that edits $j
    perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
        sub cells { map { @{$_->{cells}} } @{$j->{rows}} }
        '"$1"';
        print encode_json($j)' <"$one" >"$work/hand.json"
    sb table 2 --from "$work/hand.json" --width 120
}
hand '$j->{tasks}[1]{uncompared} = JSON::PP::true;
      $_->{withheld} = "not compared"
          for grep { $_->{task} eq "lm1b" && $_->{better} } @{$j->{columns}}'
ok 'a task that is not compared is marked above its columns' says \
    'WMT En-De  *LM1B (NOT COMPARED)  *AGNews'
ok '... and below them' says '^  LM1B (NOT COMPARED): reported without rank'
hand '$j->{columns}[1]{withheld} = "because"'
ok 'a reason that there is none of' exits 5 \
    'columns[1].withheld: expected one of not compared,'
hand '$j->{columns}[1]{withheld} = ""'
ok '... or an empty one' exits 5 'withheld: expected one of not compared,'
hand '@{$j->{comparisons}[0]}{qw(verdict p difference low high)} =
          ("not converged", 0.01, -0.5, -0.75, -0.25)'
ok 'a verdict that is withheld is not told' says \
    'Uniform: -0.5000 nats/token \[-0.7500, -0.2500\], 500'
sb table 2 --from "$work/hand.json" --json
ok '... in JSON' json '$j->{comparisons}[0]{verdict} eq "not converged"'
hand '@{$j->{comparisons}[0]}{qw(verdict p difference low high)} =
          ("not converged", 0.3, -0.5, -0.75, 0.25)'
ok '... nor where there is none' exits 5 'one that agrees with p, low and high'

# ---- builds ----
perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
    push @{$j->{builds}}, {%{$j->{builds}[0]}, cells => 1, compiler => "cc 0"};
    print encode_json($j)' <"$one" >"$work/mixed.json"
sb table 2 --from "$work/mixed.json" --format md
ok 'cells of different builds are told' exits 0 \
    '; cells differ in compiler,'
ok '... in the table too' says '^\* Cells of commits .* (1); cells differ in '
sb table 2 --from "$work/mixed.json" --json
ok '... and in its JSON' json '"@{$j->{builds_differ}}" eq "compiler"'

# other FACT: prints the build of other cells, which differs in FACT.
other() {
    perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
        my ($of, $is) = @ARGV;
        $j->{builds} = [map { {%$_, cells => 20 - 7 * $_->{one},
                              $_->{one} ? ($of => $is) : ()} }
            map { {%{$j->{builds}[0]}, one => $_} } 0, 1];
        delete $_->{one} for @{$j->{builds}};
        print encode_json($j)' "$@" <"$one" >"$work/mixed.json"
    sb table 2 --from "$work/mixed.json" --json
}
other flags '-O0 -march=native'
ok 'other flags are told' json '"@{$j->{builds_differ}}" eq "flags"'
other flags "$(perl -MJSON::PP -e 'local $/;
    print decode_json(<STDIN>)->{builds}[0]{flags} =~ s/-I\./-I. -Wextra/r' \
    <"$one")"
ok 'warnings and folders are no other flags' json '!@{$j->{builds_differ}}'

# ---- edited copies of a measured table ----
hand '$_->{best} = JSON::PP::false for cells'
fails() { ! "$@"; }
ok 'where nothing is best nothing says what a star is' \
    fails says 'the best value of the column'
hand '$_->{best} = JSON::PP::false for cells;
      $j->{rows}[0]{cells}[0]{best} = JSON::PP::true'
ok 'one star in the first cell is explained' says \
    'the best value of the column'
hand '$_->{published} = $_->{source} = undef for cells;
      $j->{rows}[0]{cells}[3]{published} = 27;
      $j->{rows}[0]{cells}[3]{source} = "somebody"'
ok 'what the paper has of the first row alone is shown' says \
    '27.00 a$\|27.00 a '
hand '@{$j->{comparisons}} = @{$j->{comparisons}}[0 .. 2];
      @{$j->{comparisons}[0]}{qw(verdict p difference low high)} =
          ("undecided", 0.3, -0.5, -2, 1);
      @{$j->{comparisons}[1]}{qw(verdict p difference low high)} =
          ("a", 0.01, -0.5, -0.75, -0.25);
      @{$j->{comparisons}[2]}{qw(verdict p difference low high)} =
          ("b", 0.01, 0.5, 0.25, 0.75)'
ok 'a comparison that decides nothing is told as that' says \
    'Transformer and Uniform do not differ significantly: -0.5000 nats.token \[-2.0000,'
ok '... the better one beats the other by what lies between' says \
    'Transformer beats Unigram model for this seed by 0.5000 .* \[0.2500,'
ok '... whichever stands first' says \
    'Uniform beats Transformer for this seed by 0.5000 .* \[0.2500,'
hand '$j->{scale} = "\e[31m"; $j->{builds}[0]{compiler} = "cc\e[31m"'
sb table 2 --from "$work/hand.json" --json
ok 'nothing that moves a cursor comes out of a file' json \
    '"$j->{scale} $j->{builds}[0]{compiler}" !~ /[^ -~]/'
hand '$j->{rows}[1]{cells}[0]{source} = 5'
ok 'a number in the place of a text' exits 5 'source: expected a string or null'

# ---- damage ----
head -c 5000 "$one" >"$work/part.json"
sb table 2 --from "$work/part.json" --width 120
ok 'half a file' exits 5 'part.json:'
sed 's/"better": -1,/"better": -2,/' "$one" >"$work/part.json"
sb table 2 --from "$work/part.json" -o "$work/none"
ok 'a number out of its range' exits 5 'better: expected -1 to 1'
ok '... leaves no file' test ! -e "$work/none"
printf '{"schema_version": 1}' >"$work/part.json"
sb table 2 --from "$work/part.json" --width 120
ok 'an older form, with what to do' exits 5 'write it again with'
sb table 2 --from "$work"
ok 'a folder' test "$code" != 0

done_testing
