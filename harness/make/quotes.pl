#!/usr/bin/perl
# quotes: what a text quotes of results/baselines, held against it.
#
#     perl harness/make/quotes.pl [--write] FILE...
#
# A fenced block is a quote where this stands before it:
#
#     <!-- quote FILE "FIRST" before "LAST" -->   the paragraphs of FILE from
#         the first that has a line beginning with FIRST to that before the next
#         that has one with LAST
#     <!-- summary FOLDER -->   one column a task, of the tables in FOLDER
#
# Exit code 1: a quote differs, and what it should be is printed; with --write
# it is put in its place.
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));
use JSON::PP;

sub text_of {
    my ($file) = @_;
    open my $in, '<', $file or die "quotes: $file: $!\n";
    local $/;
    return <$in>;
}

# ---- quotes ----

sub quote {
    my ($file, $first, $last) = @_;
    my @taken;
    for my $part (split /\n\n+/, text_of($file)) {
        last if @taken && $part =~ /^\Q$last\E/m;
        push @taken, $part if @taken || $part =~ /^\Q$first\E/m;
    }
    die "quotes: $file: no paragraph begins with '$first'\n" if !@taken;
    my $all = join "\n\n", @taken;
    $all =~ s/\n*\z/\n/;
    return $all;
}

# ---- the summary ----

my @column = (
    # table, task, metric, decimals, heading
    [2, 'wmt14_ende', 'ce', 3, '', 'En-De↓'],
    [2, 'wmt14_enfr', 'ce', 3, '', 'En-Fr↓'],
    [2, 'lm1b', 'ppl', 2, 'LM1B', 'PPL↓'],
    [4, 'c4', 'ce', 3, 'C4', 'log-PPL↓'],
    [3, 'cnndm', 'ce', 3, 'CNN/DM', 'CE↓'],
    [3, 'personachat', 'ce', 3, 'Persona', 'CE↓'],
    [7, 'agnews', 'accuracy', 2, 'AG', 'News↑'],
    [7, 'imdb', 'accuracy', 2, '', 'Reviews↑'],
    [5, 'glue', 'glue8', 2, 'GLUE', 'avg 8↑'],
    [6, 'superglue', 'superglue', 2, 'Super', 'GLUE↑'],
);
my @row = (
    ['vanilla', 'Transformer'],
    ['fixed-random', 'Fixed Random'],
    ['random', 'Random'],
    ['factorized-random', 'Factorized Random'],
    ['dense', 'Dense'],
    ['factorized-dense', 'Factorized Dense'],
    ['random+dense', 'Random + Dense'],
    ['dense+vanilla', 'Dense + Vanilla'],
    ['random+vanilla', 'Random + Vanilla'],
    ['orthogonal', 'Orthogonal'],
    ['lightweight-conv', 'Lightweight Conv.'],
    ['uniform', 'Uniform'],
    [],
    ['unigram', 'Unigram model'],
    ['majority', 'Majority'],
    ['hypothesis-only', 'Hypothesis only'],
    ['overlap-only', 'Overlap only'],
);

# {value, best} of a row, undef where the table has none.
sub cell_of {
    my ($table, $name, $task, $metric) = @_;
    for my $row (@{$table->{rows}}, @{$table->{baselines}}) {
        next if ($row->{variant} // $row->{name}) ne $name;
        for my $c (0 .. $#{$table->{columns}}) {
            my $at = $table->{columns}[$c];
            return $row->{cells}[$c]
                if $at->{task} eq $task && $at->{metric} eq $metric;
        }
    }
    return undef;
}

sub right { my ($s, $width) = @_; return ' ' x ($width - length $s) . $s; }

sub summary {
    my ($folder) = @_;
    my %table;
    for my $n (map { $_->[0] } @column) {
        my $file = "$folder/table$n.json";
        $table{$n} //= -e $file ? decode_json(do {
            open my $in, '<:raw', $file or die "quotes: $file: $!\n";
            local $/;
            <$in>;
        }) : {rows => [], baselines => [], columns => []};
    }
    my @lines = map { [$_->[1] // ''] } @row;
    my ($above, $head) = (' ' x 19, sprintf '%-19s', 'Variant');
    for my $column (@column) {
        my ($n, $task, $metric, $decimals, $group, $title) = @$column;
        my @text = map {
            my $c = @$_ ? cell_of($table{$n}, $_->[0], $task, $metric) : undef;
            my $mark = $c && $c->{best} ? '*' : ' ';
            !@$_ ? '' : $c && defined $c->{value}
                ? sprintf("%.${decimals}f%s", $c->{value}, $mark) : '- ';
        } @row;
        my $width = 0;
        for (@text, "$title ", "$group ") {
            $width = length if length > $width;
        }
        $above .= ' ' . right("$group ", $width);
        $head .= ' ' . right("$title ", $width);
        push @{$lines[$_]}, right($text[$_], $width) for 0 .. $#row;
    }
    my $rule = '-' x (length($head) - 1);
    my @all = ($above, $head, $rule, map {
        my ($title, @cells) = @$_;
        $title eq '' ? $rule : join ' ', sprintf('%-19s', $title), @cells
    } @lines);
    s/ +$// for @all;
    return join('', map { "$_\n" } @all);
}

# ---- all of them ----

my $write = @ARGV && $ARGV[0] eq '--write' ? shift @ARGV : 0;
die "usage: perl harness/make/quotes.pl [--write] FILE...\n" if !@ARGV;
my $all_wrong = 0;
for my $file (@ARGV) {
    my ($text, $quotes, $wrong) = (text_of($file), 0, 0);
    $text =~ s{(<!--\ (quote|summary)\ (\S+)(?:\ "([^"]*)"\ before\ "([^"]*)")?\ -->
                \n+```\n)(.*?)(?=^```$)}{
        my ($head, $kind, $from, $first, $last, $is) = ($1, $2, $3, $4, $5, $6);
        my $want = $kind eq 'quote' ? quote($from, $first, $last)
                                    : summary($from);
        $quotes++;
        if ($want ne $is) {
            $wrong++;
            print "$file: not what $from has, which is\n$want" if !$write;
        }
        $head . $want;
    }gmsex;
    die "quotes: $file quotes nothing\n" if !$quotes;
    if ($write && $wrong) {
        open my $out, '>', $file or die "quotes: $file: $!\n";
        print $out $text;
        close $out or die "quotes: $file: $!\n";
    }
    $all_wrong += $wrong;
}
exit($all_wrong && !$write ? 1 : 0);
