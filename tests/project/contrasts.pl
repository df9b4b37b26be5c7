#!/usr/bin/perl
# contrasts: checks that each difference with an interval which a document quotes
# is a row of a contrasts.csv next to the committed results.
#
#     perl tests/project/contrasts.pl PAGE [WITHOUT...]
#
# A section of PAGE that links to folders with a contrasts.csv, such as
# [mix](baselines/mix), may only quote rows of these files, such as "-0.023
# [-0.083, 0.037]".  The folders WITHOUT are left out.  Quotes must agree with a
# row as printed: with their decimals, with either sign.  A percentage is 100
# times an accuracy.  Prints each number that no row has, and exits with 1.
use strict;
use warnings;

sub rows {    # FILE: [difference, low, high] of each row
    my ($file) = @_;
    local ($/, $_) = "\n";
    open my $in, '<', $file or die "contrasts: $file: $!\n";
    my @name = split /,/, <$in> =~ s/\s+\z//r;
    my %at = map { $name[$_] => $_ } 0 .. $#name;
    my @rows;
    while (<$in>) {
        my @cell = /("(?:[^"]|"")*"|[^,\n]*)(?:,|\n)/g;
        push @rows, [@cell[@at{qw(difference low high)}]];
    }
    return @rows;
}

sub agrees {    # PRINTED VALUE: equal with the decimals of PRINTED
    my ($printed, $value) = @_;
    my $decimals = $printed =~ /\.(\d+)/ ? length $1 : 0;
    return abs($printed - $value) <= 0.5001 * 10**-$decimals;
}

sub has_row {    # PRINTED...: the difference and the ends of its interval
    my ($rows, $d, $low, $high) = @_;
    for my $row (@$rows) {
        next if grep { $_ eq '' } @$row;
        for my $unit (1, -1, 100, -100) {
            my ($x, $y, $z) = map { $_ * $unit } @$row;
            ($y, $z) = ($z, $y) if $unit < 0;
            return 1 if agrees($d, $x) && agrees($low, $y) && agrees($high, $z);
        }
    }
    return 0;
}

my ($page, @without) = @ARGV;
my ($folder) = $page =~ m{^(.*)/} or die "contrasts: name a page in a folder\n";
my ($bad, $found, $line, @rows) = (0, 0, 0);
my $number = qr/[-+]?\d+(?:\.\d+)?/;
open my $in, '<', $page or die "contrasts: $page: $!\n";
local $/ = '';
while (<$in>) {
    @rows = () if /^## /;
    while (m{\[(\w+)\]\(((?:\w+/)*\1)\)}g) {
        my ($name, $file) = ($1, "$folder/$2/contrasts.csv");
        push @rows, rows($file) if -e $file && !grep { $_ eq $name } @without;
    }
    next if !@rows || /^<!--|^```/;
    while (/(?<![\w.])($number)(?:\s+(?:nats|points|of\s+perplexity))?
            \s+\[($number),\s+($number)\]/gx) {
        $found++;
        next if has_row(\@rows, $1, $2, $3);
        print "$page: no row has $1 [$2, $3]\n";
        $bad = 1;
    }
}
print "contrasts: $page: $found quoted differences\n";
exit $bad;
