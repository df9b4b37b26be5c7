#!/bin/sh
# What must be on disk before other steps rely on it. The system calls of a run
# are recorded in order (tests/inject/calls.c).
. tests/support/tap.sh
export CALLS="$work/calls"
calls=$(cd "${program%/*}" && pwd)/calls.so
s=$work/store

cat >"$work/x.yaml" <<'Y'
title: Files of every kind
variants: [vanilla]
tasks: [c4, lm1b]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 8, heads: 2, ff: 8, N: 8, vocab: 16, batch: 4,
           steps: 3, evals: 1, train: 20, valid: 4, test: 4, dropout: 0,
           checkpoint_seconds: 0}
override:
  - match: {task: lm1b}
    set: {schedule.name: constant, schedule.scale: 1e30}
Y

LD_PRELOAD=$calls "$program" run "$work/x.yaml" --store "$s" -j 1 \
    >"$work/out" 2>"$work/err"
code=$?
ok 'a run whose calls are noted goes as any other' exits 1 'trained 1 cell'

"$program" plan "$work/x.yaml" --json >"$work/plan"
ok 'the cell that takes longest is begun first' perl -MJSON::PP -e 'local $/;
    my ($a, $b) = sort { $b->{seconds} <=> $a->{seconds} }
        @{decode_json(<STDIN>)->{cells}};
    open my $f, "<", $ARGV[0] or die;
    my @begun = <$f> =~ m/ link .*claims\/(\w{16})$/mg;
    exit("@begun" ne "$a->{id} $b->{id}")' "$CALLS" <"$work/plan"

# calls PERL: evaluates PERL over @c, the calls as [who, what, path, to], with
# paths below the store; says(...) reports an error.
calls() {
    perl -e '
        our ($store, $bad) = (shift, 0);
        sub says { print "@_\n"; $bad = 1 }
        sub folder { my $f = shift; $f =~ s|/?[^/]*$||; $f }
        our @c = map { chomp; s/\Q$store\E\/?//g; [(split / /), ""] } <STDIN>;
        sub first { my ($from, $test) = @_; local $_;
            for my $i ($from .. $#c) { $_ = $c[$i]; return $i if $test->() }
            scalar @c }
        eval(shift) // die $@; exit $bad' "$(cd "$s" && pwd -P)" "$1" <"$CALLS"
}

# Checks every file that is renamed to its final name.
ok 'a file is synced before it gets its name' calls '
    for my $i (0 .. $#c) {
        my ($who, $what, $from, $to) = @{$c[$i]};
        next if $what ne "rename";
        my $synced = 0;
        for (@c[0 .. $i - 1]) {
            next if $_->[0] ne $who || $_->[2] ne $from;
            $synced = 0 if $_->[1] =~ /^(write|close|unlink)$/;
            $synced = 1 if $_->[1] eq "fsync";
        }
        says("$to was not") if !$synced;
    } 1'
ok '... and its folder next, before anything else' calls '
    for my $i (grep { $c[$_][1] eq "rename" } 0 .. $#c) {
        my ($who, undef, undef, $to) = @{$c[$i]};
        my $next = first($i + 1, sub { $_->[0] eq $who });
        says("that of $to was not") if $next == @c ||
            $c[$next][1] ne "fsync" || $c[$next][2] ne folder($to);
    } 1'
for kind in 'cells/\w{16}\.h5' 'weights/\w{16}\.h5' 'failed/\w{16}\.json' \
    'checkpoints/\w{16}\.0\.ckpt' 'checkpoints/\w{16}\.1\.ckpt' \
    'experiment\.json' 'index\.h5'; do
    ok "so it is with $kind" calls '
        says("it was not renamed") if
            !grep { $_->[1] eq "rename" && $_->[3] =~ m|^'"$kind"'$| } @c; 1'
done

ok 'a line of the journal is synced as it is written' calls '
    my @line = grep { $c[$_][1] eq "write" && $c[$_][2] eq "journal.tsv" }
        0 .. $#c;
    says("there are " . @line . " lines, not 2") if @line != 2;
    for my $i (@line) {
        my $next = first($i + 1, sub { $_->[0] eq $c[$i][0] });
        says("line of call $i was not") if $next == @c ||
            $c[$next][1] ne "fsync" || $c[$next][2] ne "journal.tsv";
    } 1'
ok 'weights are there before the cell that says what they are' calls '
    my $cell = first(0, sub { $_->[1] eq "rename" && $_->[3] =~ /^cells/ });
    my $synced = first(0, sub { $_->[1] eq "fsync" && $_->[2] eq "weights" });
    says("they are not") if $synced > $cell; 1'
ok 'a worker says that it is done when its cell is on the disk' calls '
    my $cell = first(0, sub { $_->[1] eq "fsync" && $_->[2] eq "cells" });
    my $note = first($cell, sub { $_->[0] eq $c[$cell][0] &&
        $_->[1] eq "write" && $_->[2] =~ /^pipe/ });
    says("it says nothing then") if $note == @c;
    my $line = first($note, sub { $_->[1] eq "write" &&
        $_->[2] eq "journal.tsv" });
    says("the journal has it before") if $line == @c; 1'
ok 'checkpoints go when the cell is on the disk, the claim when the journal is' \
    calls '
    my ($id) = map { $_->[3] =~ m|^cells/(\w+)\.h5$| } @c;
    my $cell = first(0, sub { $_->[1] eq "fsync" && $_->[2] eq "cells" });
    my $line = first($cell, sub { $_->[1] eq "fsync" &&
        $_->[2] eq "journal.tsv" });
    for (["checkpoints/$id.0.ckpt", $cell], ["checkpoints/$id.1.ckpt", $cell],
         ["claims/$id", $line]) {
        my ($file, $after) = @$_;
        my @gone = grep { $c[$_][1] eq "unlink" && $c[$_][2] eq $file }
            0 .. $#c;
        says("$file stays") if !@gone;
        says("$file goes before") if grep { $_ < $after } @gone;
    } 1'

: >"$CALLS"
LD_PRELOAD=$calls "$program" status --store "$s" --json >"$work/status"
LD_PRELOAD=$calls "$program" table 4 --store "$s" -o "$work/store/t.txt" \
    2>"$work/err"
code=$?
ok 'what is asked for with -o is synced too' calls '
    my $i = first(0, sub { $_->[1] eq "rename" && $_->[3] eq "t.txt" });
    says("it is not renamed") if $i == @c;
    says("it was not") if $i == 0 || $c[$i - 1][1] ne "fsync"; 1'
ok '... and a look at a store writes nothing into it' calls '
    for (@c) {
        says("@$_") if $_->[1] =~ /^(write|rename|link|unlink)$/ &&
            $_->[2] !~ /^(\/|pipe|t\.txt)/;
    } 1'

done_testing
