#!/bin/sh
# `export` writes a store in long form, with every number, for other programs.
. tests/support/tap.sh

cat >"$work/x.yaml" <<'Y'
title: Export
variants: [vanilla, random+dense]
tasks: [lm1b, agnews]
scales: [smoke]
seeds: [1, 2]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 4, evals: 2, train: 64, valid: 16, test: 16}
override:
  - match: {task: lm1b}
    set: {batch.by: tokens, batch: 64}
Y
x=$work/x.yaml s=$work/store
export s

# records EXPRESSION: evaluates the Perl expression; @r are the records of
# $work/x.csv as hashes, $j is the last output.
records() {
    perl -MJSON::PP -e 'open my $in, "<", $ARGV[0] or die;
        local $/ = "\r\n";
        my $head = <$in>;
        chomp $head;
        my @key = split /,/, $head;
        my @r;
        while (my $line = <$in>) {
            chomp $line;
            my @x = $line =~ /\G(?:^|,)("(?:[^"]|"")*"|[^,]*)/g;
            @x == @key or die "$line: " . @x . " fields, not " . @key;
            s/^"(.*)"$/$1/ && s/""/"/g for @x;
            my %row;
            @row{@key} = @x;
            push @r, \%row;
        }
        undef $/;
        my $j = eval { decode_json(<STDIN>) };
        exit(!do {'"$1"'})' "$work/x.csv" <"$work/out"
}

sb export --store "$work/none"
ok 'no store is told' exits 7
sb run "$x" --store "$s" -j 2 -E 'seed==1 || task==lm1b'
sb export --store "$s"
cp "$work/out" "$work/x.csv"
ok 'a store in which cells are missing is exported' exits 0 \
    '2 of 8 cells are not finished and have no row'
sb export --store "$s" --format json
ok 'every metric of every cell has a row' records '
    my %rows;
    $rows{$_->{id}}++ for @r;
    my $wrong = 0;
    for my $id (keys %rows) {
        my $names = `h5dump -n 1 $ENV{s}/cells/$id.h5`;
        $wrong++ if $rows{$id} != (() = $names =~ m{dataset +/metrics/}g);
    }
    keys %rows == 6 && !$wrong'
ok '... and CSV and JSON have the same numbers' records '
    my $n = 0;
    for my $i (0 .. $#r) {
        for my $c (@{$j->{columns}}) {
            my ($a, $b) = ($r[$i]{$c->{name}}, $j->{rows}[$i]{$c->{name}});
            $n++ if !defined $b ? $a ne ""
                : $c->{type} eq "text" ? $a ne $b : $a != $b;
        }
    }
    @r == @{$j->{rows}} && @r > 15 && !$n'
ok '... a column has one type in all rows' records '
    my %form = (integer => qr/^-?\d*$/, boolean => qr/^[01]$/,
                real => qr/^(-?\d+(\.\d+)?(e[-+]\d+)?)?$/, text => qr/^[^\r\n]*$/);
    !grep { my $c = $_; grep { $_->{$c->{name}} !~ $form{$c->{type}} } @r }
        @{$j->{columns}}'
ok '... values are those of the cells' records '
    my ($ce) = grep { $_->{row} eq "vanilla" && $_->{task} eq "lm1b" &&
                      $_->{seed} == 2 && $_->{metric} eq "ce" } @r;
    my $dump = `h5dump -m %.17g -d /metrics/ce $ENV{s}/cells/$ce->{id}.h5`;
    $dump =~ /\(0\): (\S+)/ && abs($1 - $ce->{value}) < 1e-14 * $1 &&
        $ce->{unit} eq "nats/token" && $ce->{better} == -1'
sb export --store "$s" -E 'variant==vanilla && task==lm1b' --json
ok 'export --select: two cells' json '
    my %id = map { $_->{id} => 1 } @{$j->{rows}};
    keys %id == 2 && !grep { $_->{variant} ne "vanilla" } @{$j->{rows}}'
sb export --store "$s" -E 'seed==2 && task==agnews'
ok '... of none there is nothing' exits 7 'no selected cell is finished'
sb export --store "$s" -E 'task='
ok '... which is no filter' exits 2
sb export --store "$s" --output "$work/y.csv"
ok 'export --output: there, what else is printed' cmp "$work/x.csv" \
    "$work/y.csv"
sb export
ok 'export without a store asks for one' exits 2 'specify the results with --store DIR'

# ---- curves ----
sb export --store "$s" --curves
cp "$work/out" "$work/x.csv"
sb export --store "$s" --curves --json
ok 'export --curves: each point is a row' records '
    my %of;
    push @{$of{$_->{curve}}{$_->{id}}}, $_ for @r;
    my $wrong = 0;
    for my $curve ("train/loss", "train/lr", "valid/ce") {
        for my $id (keys %{$of{$curve}}) {
            my $values = `h5dump -y -w 0 -m %.17g -d /curves/$curve $ENV{s}/cells/$id.h5`;
            my @stored = $values =~ /DATA \{(.*?)\}/s && $1 =~ /[-0-9.e+]+/g;
            $wrong++ if @stored != @{$of{$curve}{$id}};
            for my $i (0 .. $#stored) {
                my $x = $of{$curve}{$id}[$i]{value};
                $wrong++ if abs($stored[$i] - $x) > 1e-14 * abs $x;
            }
        }
        $wrong++ if keys %{$of{$curve}} != 6;
    }
    !$wrong && @{$j->{rows}} == @r && $j->{rows}[0]{step} == 1'

# ---- a damaged cell ----

for cell in "$s"/cells/*.h5; do break; done
chmod u+w "$cell"
printf 'X' | dd of="$cell" bs=1 seek=900 conv=notrunc 2>/dev/null
sb export --store "$s"
ok 'a damaged cell is named, and what is whole is told' exits 5 \
    "$(basename "$cell" .h5)"
ok '... all five of it' test 5 = "$(cut -d, -f2 "$work/out" |
    grep -E '^[0-9a-f]{16}$' | sort -u | wc -l)"
done_testing
