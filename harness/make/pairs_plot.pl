#!/usr/bin/perl
# pairs_plot FOLDER TASK METRIC TITLE: draws FOLDER/contrasts.png from the pairs
# of that task and metric in FOLDER/contrasts.csv, as `plot forest` draws those
# of a store: a line for each pair, sorted, with its interval and its seeds.
#
#     perl harness/make/pairs_plot.pl results/baselines/quick lm1b ppl "LM1B"
use strict;
use warnings;
use File::Temp 'tempdir';

@ARGV == 4 or die "usage: pairs_plot FOLDER TASK METRIC TITLE\n";
my ($folder, $task, $metric, $title) = @ARGV;
my $text = tempdir(CLEANUP => 1) . '/contrasts';

sub contents {
    my ($path) = @_;
    open my $in, '<', $path or die "pairs_plot: $path: $!\n";
    local $/;
    <$in>
}

sub put {
    my ($path, @lines) = @_;
    open my $out, '>', $path or die "pairs_plot: $path: $!\n";
    print $out @lines;
    close $out or die "pairs_plot: $path: $!\n";
}

my ($head, @rows) = split /\r?\n/, contents("$folder/contrasts.csv");
my @name = split /,/, $head;
my @pair = grep { $_->{task} eq $task && $_->{metric} eq $metric } map {
    my %row;
    @row{@name} = split /,/;
    \%row } @rows;
@pair or die "pairs_plot: no pair of $task, $metric\n";
my $better = $pair[0]{better};
@pair = sort { $better * ($b->{difference} - $a->{difference}) } @pair;

my ($reach, $seeds, $n, @data, @words) = (0, 0, 0);
for my $p (@pair) {
    my @a = split / /, $p->{values_a};
    my @b = split / /, $p->{values_b};
    $n++;
    for (@$p{qw(low high)}) {
        $reach = abs if abs > $reach;
    }
    $seeds = @a if @a > $seeds;
    my $verdict = {a => 'better', b => 'worse'}->{$p->{verdict}} //
        $p->{verdict};
    push @data, join("\t", 1, $n, $p->{a}, $p->{b}, $metric, $p->{difference},
        $p->{low}, $p->{high}, $verdict, $p->{seeds}, $p->{examples},
        sprintf('%+.1f [%.1f, %.1f]', @$p{qw(difference low high)}),
        join ' ', map { $a[$_] - $b[$_] } 0 .. $#a) . "\n";
    push @words, ["pair$n", "$p->{a} - $p->{b}"];
}
push @words, ['title', $title], ['axis1', "difference in \U$metric"],
    ['note', "a - b, its interval, the verdict on a; all $n intervals hold " .
        "jointly with 95 %; dots: seeds"];
my %is = (kinds => "'png'", name => "'contrasts'", width => 1200,
    height => 224 + 26 * $n, head => 112, foot => 112, numbers => 215,
    panels => 1, lines => $n, seeds => $seeds, reach1 => 1.1 * $reach,
    better1 => $better, absent => "''");
put("$text.tsv", "panel\n", @data);
put("$text.txt", map { "$_->[0]\t$_->[1]\n" } @words);
put("$text.gp", (map { "$_ = $is{$_}\n" } sort keys %is),
    contents('plots/style.gp'),
    (map { "$words[$_][0] = text[" . ($_ + 1) . "]\n" } 0 .. $#words),
    contents('plots/forest.gp'));
$text =~ s{/contrasts$}{};
system("cd '$text' && gnuplot contrasts.gp 2>log") == 0
    or die contents("$text/log"), "pairs_plot: gnuplot failed\n";
system('cp', "$text/contrasts.png", $folder) == 0 or
    die "pairs_plot: $folder/contrasts.png\n";
