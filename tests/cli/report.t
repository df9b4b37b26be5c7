#!/bin/sh
# A report of a store: all pages exist, every link has a target, no label is
# interpreted as markup, the same store yields the same bytes, and files that
# the program did not write are never replaced. tests/project/browser.t tests a
# report in a browser.
. tests/support/tap.sh

cat >"$work/x.yaml" <<'Y'
title: "</title><script>alert('x')</script> & \"quoted\""
variants: [vanilla, random+dense]
tasks: [lm1b, agnews]
scales: [smoke]
seeds: [1, 2]
vary: {steps: [4, 6]}
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           evals: 2, train: 64, valid: 16, test: 16}
Y
s="$work/a&b 'store'" r=$work/report
export r

# pages EXPRESSION: evaluates the Perl expression over %page, which maps each
# page's path below $r to its text.
pages() {
    perl -MFile::Find -e 'our %page;
        find({no_chdir => 1, wanted => sub {
            return unless -f && /\.html$/;
            open my $in, "<", $_ or die "$_: $!";
            local $/;
            my $name = substr $_, 1 + length $ENV{r};
            $page{$name} = <$in>;
        }}, $ENV{r});
        die "no pages\n" unless %page;
        exit(!do {'"$1"'} || ($@ && die $@))'
}

# named AT_LEAST: checks that at least this many commands in the pages contain
# the name of the store, and that a shell parses it correctly.
named() {
    pages '
    for (values %page) {
        while (m{<code>(synthbench [^<]*a&amp;b[^<]*)</code>}g) {
            print $1 =~ s/&lt;/</gr =~ s/&gt;/>/gr =~ s/&quot;/"/gr =~
                s/&amp;/&/gr, "\n";
        }
    } 1' >"$work/commands"
    synthbench() {
        for word; do
            case $word in "$s" | "$s#"*) return ;; esac
        done
        echo "$*"
    }
    . "$work/commands" >"$work/wrong"
    [ "$(wc -l <"$work/commands")" -ge "$1" ] && [ ! -s "$work/wrong" ]
}

sb report --store "$work/none" -o "$r"
ok 'no store is told' exits 7
ok '... and leaves nothing behind' test ! -e "$r"
"$program" run "$work/x.yaml" --store "$s" -j 2 -E 'variant==vanilla ||
    (task==lm1b && seed==1)' 2>/dev/null
sb report --store "$s"
ok 'where to is asked' exits 2 'specify a folder'
sb report -o "$r"
ok 'of what is asked' exits 2 'specify a store with --store DIR'
sb report --store "$s" -o "$r/deep/"
ok 'a report is written' exits 0
ok '... and its first page is named' says "^$r/deep/index.html\$"
mv "$r/deep" "$r.new" && rmdir "$r" && mv "$r.new" "$r"

ok 'there is a page for each table, task, variant and cell' pages '
    my %n;
    $n{m{(.*)/} ? $1 : ""}++ for keys %page;
    $n{""} == 3 && $n{table} == 8 && $n{task} == 2 && $n{variant} == 4 &&
        $n{cell} == 16 && $n{figure} > 1 or die join ", ", %n'
"$program" list claims --json >"$work/claims.json"
export claims="$work/claims.json"
ok '... and for each claim, which the page of all claims leads to' pages '
    open my $in, "<", $ENV{claims} or die;
    local $/;
    my @id = <$in> =~ /"name": "(.*?)"/g;
    my $all = $page{"claims.html"};
    @id > 20 && !grep { !$page{"claim/$_.html"} ||
        $all !~ m{<a href="claim/\Q$_\E.html">\Q$_\E</a>} } @id'
ok '... with an icon and a word for its verdict' pages '
    my $all = $page{"claims.html"};
    $all =~ m{<li\ data-verdict="holds\ only\ if"><a\ href="claim/A9.html">A9
        </a>\ <span><span\ class="chip\ part"><span\ aria-hidden="true">\S+\x20
        </span>}x &&
        $all =~ m{<li data-verdict="fails">.*?class="chip bad"} &&
        $page{"claim/A9.html"} =~ m{<p><span class="chip part">}'
ok 'every page says that results are synthetic, once where they are' pages '
    my @no = grep { my $n = () = $page{$_} =~ /SYNTHETIC DATA: /g;
        $page{$_} !~ /SYNTHETIC DATA/ || $n != 1 && !m{^claim/} } keys %page;
    @no and print "# @no\n";
    !@no'
ok 'marks of a heading are chips, with a legend' pages '
    my $p = $page{"task/lm1b.html"};
    $p =~ m{<caption>LM1B <span class="chip part">SYNTHETIC</span>} &&
        $p =~ m{<footer>.*<p>SYNTHETIC: a generator made the examples}s &&
        $page{"cells.html"} !~ m{<p>SYNTHETIC: }'
ok 'a page says where it is' pages '
    my $p = $page{"claim/A9.html"};
    $p =~ m{<ol>\s*<li><a\ href="../index.html">Overview</a></li>\s*
        <li><a\ href="../claims.html">Claims</a></li>\s*<li
        \ aria-current="page">A9\ holds}x && $page{"index.html"} !~ /<ol>/ &&
        $page{"cells.html"} =~ m{<li aria-current="page">Cells</li>}'
ok 'a claim has its verdict, its sources and its arithmetic' pages '
    my $one = $page{"claim/A9.html"};
    $one =~ m{<h1>A9 holds only if the convolution has a d x d kernel for} &&
        $one =~ m{Japanese summary; Chinese report} &&
        $one =~ m{random/c4/steps_per_s} && $one =~ m{synthbench claims A9}'
ok '... and the first page counts them' pages '
    my ($n) = $page{"index.html"} =~ m{<a href="claims.html">(\d+) claims</a>};
    $n == grep { m{^claim/} } keys %page'
ok 'the first page has the status, then the matrix, findings by task' pages '
    $page{"index.html"} =~ m{of\ 16\ cells\ are\ done.*id="variants".*
        id="tasks".*id="tables".*id="figures"}sx'
ok '... in which each value is a link, and grey if nothing is learned' pages '
    my ($m) = $page{"index.html"} =~ m{(<table class="matrix">.*?</table>)}s;
    my @td = $m =~ m{<td[^>]*>(.*?)</td>}gs;
    @td == 8 && 6 == grep { m{^<a href="(?:cell|variant)/[^"]*">[\d.]+</a>$} }
        @td and $m !~ m{class="m\d"} && $m =~ m{<td>missing</td>} &&
        $m =~ m{<span class="chip part">uninformative</span>}'
ok '... and up to three findings, each with its picture' pages '
    my ($f) = $page{"index.html"} =~ m{<section id="tasks">(.*?)</section>}s;
    my $n = () = $f =~ m{</ul>\n<figure>}gs;
    $n == 2 && 2 == (() = $f =~ m{<img }g)'
ok '... and a grid of figures by task, each drawn one a link' pages '
    my ($g) = $page{"index.html"} =~ m{Figures by task(.*?)</table>}s;
    my @to = $g =~ m{href="(figure/[^"]*)"}g;
    @to > 4 && !grep { !$page{$_} } @to and
        @to == grep { m{^figure/.*_(?:lm1b|agnews).html} } keys %page'
ok '... under 1 MB each' pages '
    !grep { length $page{$_} > 1e6 } keys %page'
ok '... that are listed in the file that marks the folder' sh -c '
    cd "$r" && find . -type f ! -name synthbench-report.txt |
        sed "s|^./||" | sort >"$1/there" &&
        tail -n +2 synthbench-report.txt | sort | cmp - "$1/there"' - "$work"
ok 'nothing is loaded from anywhere' pages '
    !grep { $page{$_} =~ m{<(?:link|iframe|object|embed)\b|\@import|
        (?:src|href)="(?:https?:|//)|url\((?!\#)}x } keys %page'
ok '... and no page names a host' pages '
    !grep { $page{$_} =~ m{https?://} } keys %page'
ok 'a title with markup is text, everywhere' pages '
    !grep { my $p = $page{$_}; my $n = () = $p =~ /<script>/g;
            $n != 1 || $p =~ /alert\(.x.\)<\/script>/ } keys %page'
ok '... as it stands' pages '
    $page{"index.html"} =~ m{<h1>&lt;/title&gt;&lt;script&gt;alert\(.x.\)
        &lt;/script&gt;\ &amp;\ &quot;quoted&quot;</h1>}x'
ok '... and so is the name of a store' pages '
    $page{"cells.html"} =~ m{/a&amp;b .store.\.}'
ok 'only the script whose digest the page has may run' pages '
    use Digest::SHA "sha256_base64";
    !grep { my ($script) = $page{$_} =~ m{<script>(.*)</script>}s;
            my ($says) = $page{$_} =~ m{sha256-([^=]*)=};
            sha256_base64($script) ne $says } keys %page'
ok 'an id stands once in a page' pages '
    !grep { my %n; $n{$1}++ while $page{$_} =~ /\bid="([^"]*)"/g;
            grep { $_ > 1 } values %n } keys %page'

one=$(ls "$s/cells" | head -n 1)
export one="${one%.h5}"
sb show "$s#$one" --json
ok 'a cell has every metric that show tells, and where it comes from' perl \
    -MJSON::PP -e 'local $/;
    my $c = decode_json(<STDIN>)->{cells}[0];
    open my $in, "<", "$ENV{r}/cell/$ENV{one}.html" or die;
    my $p = <$in>;
    $p =~ s/&quot;/"/g;
    for (keys %{$c->{metrics}}) {
        my $x = sprintf "%.6g", $c->{metrics}{$_};
        $p =~ m{<th scope="row">\Q$_\E</th><td>\Q$x\E</td>} or die "$_ $x";
    }
    for (qw(commit compiler processor data_digest numerics_version date)) {
        my $x = $c->{provenance}{$_};
        $p =~ m{>\Q$_\E</th><td class="l t">\Q$x\E</td>} or die "$_: $x";
    }
    $p =~ m{<code>synthbench rerun .*a&amp;b.*#$ENV{one}</code>}
        or die "no command";
    for (qw(ff vocab train)) {
        my $x = $c->{config}{$_};
        $p =~ m{>$_</th><td class="l t">\Q$x\E</td>} or die "$_: $x";
    }
    $p =~ /SB\|t:/ or die "no signature"' <"$work/out"
ok 'commands name the store as a shell reads it' named 30
ok '... and its losses drawn' pages '
    $page{"cell/$ENV{one}.html"} =~
        m{<svg class="curve"(?:.*?)<path class="train" d="M[\d. L]+"/?>}s'
ok 'a variant has its formula, its source, its ranks and its losses' pages '
    my $p = $page{"variant/random+dense,steps=4.html"};
    $p =~ m{<caption>Synthesizer\ \(Random\).*?<msub><mi>B</mi><mi>h</mi></msub>
        <mo>=</mo><msub><mi>R</mi><mi>h</mi></msub>}xs &&
        $p =~ m{<caption>Synthesizer \(Dense\).*?<mi>relu</mi>}s &&
        $p =~ m{>Source</th><td[^>]*>Tay et al. 2021, section 3.1<} &&
        $p =~ m{>Setting R.init</th>} && $p =~ m{svg class="curve"} &&
        $p =~ m{<section\ id="ranks">.*?>LM1B</a></th><td>ppl.*?</td><td>
            <a\ href="../cell/[0-9a-f]{16}.html">[\d.]+</a></td>}xs'
sb table lm1b --store "$s"
sb table x --store "$s" --format json
ok 'numbers of a table are those that table prints' perl -MJSON::PP -e '
    local $/;
    my $j = decode_json(<STDIN>);
    open my $in, "<", "$ENV{r}/table/x.html" or die;
    my $p = <$in>;
    for my $row (@{$j->{rows}}) {
        for my $i (0 .. $#{$j->{columns}}) {
            my $x = $row->{cells}[$i]{value};
            next unless defined $x && $j->{columns}[$i]{better};
            my $text = sprintf "%.*f", $j->{columns}[$i]{decimals}, $x;
            $p =~ m{(?:<a\ href="[^"]*">|<td>)(?:\(\d/\d\)\ )?\Q$text\E</}x
                or die "$row->{variant}: $text";
        }
    }' <"$work/out"
ok '... a table for each task, so that none is wider than a window' pages '
    my $p = $page{"table/2.html"};
    $p =~ m{<caption[^>]*>LM1B } && $p =~ m{<caption[^>]*>AGNews }'
ok '... with what was published beside it, and what trains a row again' pages '
    my $p = $page{"table/2.html"};
    $p =~ m{<th scope="row">Transformer \(Vaswani et al., dagger\)</th>} &&
        $p =~ m{<code>synthbench run [^<]* -E FILTER</code>}'
ok 'a number of one seed leads to its cell, of several to all of them' pages '
    my $p = $page{"table/x.html"};
    my ($of) = $p =~ m{<tr>\n?(<th[^>]*><a[^>]*>vanilla,steps=4<.*?)</tr>}s;
    my ($one) = $p =~
        m{<tr>\n?(<th[^>]*><a[^>]*>random\+dense,steps=4<.*?)</tr>}s;
    $of =~ m{<td><a href="../variant/vanilla,steps=4.html#[a-z0-9]+">} &&
        $of !~ m{href="../cell/} &&
        $one =~ m{<td><a href="../cell/[0-9a-f]{16}.html">} &&
        $page{"variant/vanilla,steps=4.html"} =~
        m{<section id="lm1b">(.*?)</section>}s &&
        2 == (() = $1 =~ m{<th scope="row"><a href="../cell/}g)'

# ---- reproducible bytes ----

sb report --store "$s" -o "$work/again"
ok 'the same store gives the same bytes' diff -r "$r" "$work/again"

# ---- findings ----

cat >"$work/y.yaml" <<'Y'
title: Findings
variants: [vanilla, uniform, random]
tasks: [lm1b, agnews]
scales: [smoke]
seeds: [1, 2, 3]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 1500, schedule.name: linear, schedule.scale: 0.003,
           schedule.warmup: 50, evals: 2, train: 640, valid: 16, test: 64}
Y
"$program" run "$work/y.yaml" --store "$work/y" -j 2 2>/dev/null
r=$work/found
sb report --store "$work/y" -o "$r" --no-figures --no-claims
ok '--no-claims: nothing of claims' pages '
    !grep { m{^claim} || $page{$_} =~ /claims.html/ } keys %page'
ok 'the matrix colours values from the worst to the best of a column' pages '
    my ($m) = $page{"index.html"} =~ m{(<table class="matrix">.*?</table>)}s;
    my @row = sort { $b->[1] <=> $a->[1] } map {
        [m{<td class="m(\d)">.*?>([\d.]+)<}] } $m =~ m{(<td class.*?</td>)}g;
    @row == 3 && $row[0][0] == 0 && $row[-1][0] == 4 or die "not 0 to 4";
    $row[$_][0] >= $row[$_ - 1][0] or die $_ for 1 .. $#row;
    3 == (() = $m =~ m{<td><b><a [^>]*>100.00</a>}g) or die "equal values";
    $m =~ m{<td class="m4"><b><a [^>]*>[\d.]+</a>}'
sb table y --store "$work/y" --format json
ok 'findings name the best, n and interval, and what is not told from it' perl \
    -MJSON::PP -e 'local $/;
    my $j = decode_json(<STDIN>);
    open my $in, "<", "$ENV{r}/index.html" or die;
    my ($p) = <$in> =~ m{<section id="tasks">(.*?)</section>}s;
    $p =~ s/<[^>]*>//g;
    sub number { # in a text; without an interval where none is known
        my ($title, $c, $x) = @_;
        my $text = sprintf "%s %.*f", $title, $c->{decimals}, $x->{value};
        return "$text too few seeds" if defined $x->{low} && $x->{n} < 5 &&
            $x->{low} <= 0 && $x->{high} >= 2 * $x->{value};
        $text .= sprintf " [%.*f, %.*f]", map { $c->{decimals}, $x->{$_} }
            qw(low high) if defined $x->{low};
        $text }
    my ($one, $several) = (0, 0);
    for my $i (0 .. $#{$j->{columns}}) {
        my $c = $j->{columns}[$i];
        next if !$c->{better} || $c->{task} eq "lm1b" && $c->{metric} eq "ce";
        my @best = grep { $_->{cells}[$i]{best} } @{$j->{rows}};
        @best or die "$c->{task} $c->{metric}: nobody is best";
        my ($line) = grep { /^$c->{metric} \(/ } split /\n/, $p;
        for (@best) {
            my $x = $_->{cells}[$i];
            my $text = number($_->{title}, $c, $x);
            $line =~ /\Q$text\E/ or die "$text: $line";
        }
        my $known = grep { defined $_->{cells}[$i]{low} } @best;
        my $n = () = $line =~ /\[|too few seeds/g;
        $n == $known or die "$n numbers: $line";
        $line =~ /\(3 seeds, (95 % interval over \w|interval unknown)/ or
            die $line;
        $line =~ (@best > 1 ? qr/leads, but/ :
            qr/is best: it differs significantly from each of the 2/)
            or die $line;
        @best > 1 ? $several++ : $one++;
    }
    $one && $several or die "$one, $several";
    $p !~ /^ce/m || (() = $p =~ /^ce/mg) == 1 or die "told twice"' <"$work/out"
cp "$work/out" "$work/table"
sb report --store "$work/y" -o "$work/said" --no-figures --no-claims --findings
tr '\n' ' ' <"$work/out" | tr -s ' ' >"$work/words"
ok '--findings: what was found, in sentences' perl -MJSON::PP -e 'local $/;
    my $j = decode_json(<STDIN>);
    open my $in, "<", $ARGV[0] or die;
    my $p = <$in>;
    $p =~ /^y: 18 of 18 cells are done, on synthetic data/ or die $p;
    my %last; # of each task the metric that counts most
    $last{$j->{columns}[$_]{task}} = $_ for grep {
        $j->{columns}[$_]{better} } 0 .. $#{$j->{columns}};
    for my $task (keys %last) {
        my ($i, $c) = ($last{$task}, $j->{columns}[$last{$task}]);
        my @best = sort { $c->{better} * ($b->{cells}[$i]{value} -
                          $a->{cells}[$i]{value}) } grep {
                          $_->{cells}[$i]{best} } @{$j->{rows}};
        my $x = $best[0]{cells}[$i];
        my $text = sprintf "%s: %s %.*f", $c->{metric}, $best[0]{title},
            $c->{decimals}, $x->{value};
        my $few = defined $x->{low} && $x->{n} < 5 && $x->{low} <= 0 &&
            $x->{high} >= 2 * $x->{value};
        $text .= sprintf " [%.*f, %.*f]", map { $c->{decimals}, $x->{$_} }
            qw(low high) if defined $x->{low} && !$few;
        index($p, $text) >= 0 or die "$text: $p";
    }
    keys %last == 2 or die "tasks"' "$work/words" <"$work/table"
ok '... and then where the pages are' test "$(tail -n 1 "$work/out")" = \
    "$work/said/index.html"
ok '... within 100 columns' sh -c '! grep -q ".\{101\}" "$1"' - "$work/out"
# vanilla at a step where its loss is close to that of a converged uniform
cat >"$work/young.yaml" <<'Y'
title: Still learning
variants: [vanilla, uniform]
tasks: [lm1b]
scales: [smoke]
seeds: [1, 2, 3]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 64,
           steps: 150, schedule.warmup: 150, schedule.scale: 1, evals: 1,
           train: 4096, valid: 16, test: 400}
override:
  - match: {variant: uniform}
    set: {steps: 600, schedule.warmup: 240}
Y
"$program" run "$work/young.yaml" --store "$work/young" -j 2 2>/dev/null
sb report --store "$work/young" -o "$work/learning" --no-figures --no-claims
ok '... and nobody where variants still learn' grep -q \
    '^<li>ppl (.*): no best: variants have not converged' \
    "$work/learning/index.html"
ok 'the first page has the paired comparisons of the tables' sh -c '
    sed -n "/<h2>Paired comparisons/,/<.section>/p" "$1" |
        grep -q "^<li>LM1B.*Uniform"' - "$work/learning/index.html"
"$program" run experiments/smoke.yaml --store "$work/glue" -j 2 -S steps=2 \
    -E 'task~glue && variant==uniform' 2>/dev/null
r=$work/glued
sb report --store "$work/glue" -o "$r" --no-claims
ok 'a picture belongs to its task, not to one whose name ends so' pages '
    my $p = $page{"figure/curves_superglue.html"};
    $p =~ m{href="../task/superglue.html"} && $p !~ m{"../task/glue.html"}'
r=$work/report

# ---- links ----

links() {
    pages '
    my $wrong = 0;
    for my $from (keys %page) {
        while ($page{$from} =~ /\b(?:href|src)="([^"]*)"/g) {
            my ($to, $at) = split /#/, $1, 2;
            my @at = split m{/}, $from;
            pop @at;
            for (split m{/}, $to) { $_ eq ".." ? pop @at : push @at, $_ }
            my $path = $to eq "" ? $from : join "/", @at;
            next if -f "$ENV{r}/$path" && (!defined $at ||
                $page{$path} =~ /\bid="\Q$at\E"/);
            print "$from: $1\n";
            $wrong++;
        }
    }
    !$wrong'
}
ok 'every link leads to a page, and to a place in it' links

# ---- existing files ----

tree() { (cd "$1" && find . | sort && cat -- * 2>/dev/null) }

echo mine >"$work/file"
sb report --store "$s" -o "$work/file" --no-figures --no-claims
ok 'a file is not replaced' exits 2 'is a file'
ok '... and stays' test "$(cat "$work/file")" = mine
mkdir "$work/full" && echo mine >"$work/full/index.html"
sb report --store "$s" -o "$work/full" --no-figures --no-claims
ok 'nor a folder of something else' exits 2 'contains files other than a report'
ok '... which stays' test "$(tree "$work/full" | tail -n 1)" = mine
sb report --store "$s" -o /proc/rep
ok 'nor one that cannot be created' exits 2 'cannot create /proc/rep, because'
ln -s "$work/again" "$work/link"
sb report --store "$s" -o "$work/link" --no-figures --no-claims
ok 'nor a report through a link: it is replaced itself' exits 2 'is a link'
echo mine >"$work/again/cell/notes.txt"
sb report --store "$s" -o "$work/again" --no-figures --no-claims
ok 'nor a report with a file in it that is not ours' exits 2 \
    'cell/notes.txt: is not a page'
ok '... which stays as it is' test "$(cat "$work/again/cell/notes.txt")" = mine
ok '... with all the rest' test -e "$work/again/index.html"
rm "$work/again/cell/notes.txt"
sb report --store "$s" -o "$work/again" --no-figures --no-claims
ok 'a report is replaced' exits 0
ok '... whole: what it does not have any more is gone' test -z \
    "$(ls "$work/again/figure")"
mkdir "$work/empty"
sb report --store "$s" -o "$work/empty" --no-figures --no-claims
ok 'an empty folder is filled' exits 0
ok '... the same' diff -r "$work/again" "$work/empty"
sb report --store "$s" -o "$work/file/below" --no-figures --no-claims
ok 'below a file there is no folder' exits 2 'file'
sb report --store "$s" -o /dev/null --no-figures --no-claims
ok 'a device is none' exits 2 '/dev/null: is'
ok 'no half of a report is left behind' test -z "$(ls -d "$work"/*.new-* \
    2>/dev/null)"

# ---- a damaged cell ----

file=$(ls "$s"/cells/*.h5 | head -n 1)
printf x | dd of="$file" bs=1 seek=2000 conv=notrunc 2>/dev/null
sb report --store "$s" -o "$work/hurt" --no-figures --no-claims
ok 'a store with a damaged cell has its report, and the code says so' exits 5 \
    'does not match its line'
ok '... in which the cell says it' grep -q 'does not match its line' \
    "$work/hurt/cell/$(basename "$file" .h5).html"

done_testing
