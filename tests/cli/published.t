#!/bin/sh
# Every number of experiments/published.tsv is shown in some table, or there is
# a stated reason why not. This test finds the numbers by the rows and columns
# as printed in the paper.
. tests/support/tap.sh

sb table --published --json
ok 'table --published has every line of the file' test \
    "$(grep -cv '^#\|^table[[:space:]]' experiments/published.tsv)" = \
    "$(grep -c '"place":' "$work/out")"
cp "$work/out" "$work/published.json"

# The JSON of each table: cells, disputes, and the rows below.
sb table 1 --json
cp "$work/out" "$work/1.json"
for t in 2 3 4 5 6 7; do
    sb table $t --all --from results/baselines/reduced/table$t.json --json
    cp "$work/out" "$work/$t.json"
done
sb table heads --all --from results/baselines/heads/tableheads.json --json
cp "$work/out" "$work/heads.json"
places() { perl -MJSON::PP -e '
    local $/;
    sub load { open my $f, "<", "$ARGV[0]/$_[0].json" or die $_[0];
               decode_json(<$f>) }
    my %table = map { $_ => load($_) } 1 .. 7, "heads";
    my (%shown, %below);
    while (my ($name, $j) = each %table) {
        for my $l (@{$j->{beside}}) {
            $below{$name}{join "\t", @$l{qw(table row column value source)}} = 1;
        }
        next if $name eq "1";
        for my $row (@{$j->{rows}}) {
            my $is = $row->{published_variant} // $row->{variant};
            for my $c (0 .. $#{$j->{columns}}) {
                my $cell = $row->{cells}[$c];
                my $key = "$is/$j->{columns}[$c]{task}/" .
                          $j->{columns}[$c]{metric};
                $shown{$name}{$key} = [$cell->{published},
                    $cell->{dispute} // "", $j->{columns}[$c]{better}]
                    if defined $cell->{published};
            }
        }
    }
    for my $column (@{$table{1}{published}}) {
        $shown{1}{"$_->{variant}/$column->{task}/params"} =
            [$_->{published}, "", 1] for @{$column->{rows}};
    }
    my ($bad, %n) = 0;
    for my $l (@{load("published")->{rows}}) {
        my ($place, $key, $value) = @$l{qw(place key value)};
        my ($variant, $task, @metric) = split m{/}, $key;
        my @value = split m{/}, $value;
        if ($place =~ /^no table: \w+/) {
            $n{none}++;
            next if !$key && $l->{table} =~ /^TEXT|^EXTERNAL/;
        } elsif ($place =~ /^below table (\w+)$/) {
            $n{below}++;
            next if $below{$1}{join "\t",
                               @$l{qw(table row column value source)}};
        } elsif ($place =~ /^table 4 --columns speed$/) {
            $n{speed}++; # test_table_counted.c: it takes long
            next if $key =~ m{^[-+a-z]+/c4/(steps_per_s\w*|tflops)$};
        } elsif ($place =~ /^table (\d)$/) {
            my $table = $1;
            $n{cell}++;
            next if @metric == @value && @metric == grep {
                my $x = $shown{$table}{"$variant/$task/$metric[$_]"};
                my %unit = (K => 1e3, M => 1e6);
                my $is = $value[$_] =~ /^(.*)([KM])$/ ? $1 * $unit{$2}
                                                      : $value[$_];
                $x && $x->[2] && ($x->[0] == $is || $table == 1 ||
                    $x->[1] =~ /\Q$value[$_]\E in \Q$l->{source}\E/)
            } 0 .. $#metric;
        }
        print join(" | ", @$l{qw(table row column value place key)}), "\n";
        $bad = 1;
    }
    print "$_: $n{$_}\n" for sort keys %n;
    exit($bad || $n{none} != 34 || $n{cell} < 250 || $n{below} < 100)' "$work"
}
ok 'each stands where it says that it does' places
sb table 5 --all --from results/baselines/reduced/table5.json
ok 'T5 Base+ stands below table 5' says '^T5 (Base+)  *82.8 '
sb table heads --all --from results/baselines/heads/tableheads.json
ok 'the heads of the appendix stand below table heads' says \
    '^Synthesizer h=16  *21.61$'
sb table --published
ok 'what is in no table says why' says 'no task here is from Long Range Arena'
done_testing
