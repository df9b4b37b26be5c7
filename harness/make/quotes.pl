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
#
# Exit code 1: a quote differs, and what it should be is printed; with --write
# it is put in its place.
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));

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

# ---- all of them ----

my $write = @ARGV && $ARGV[0] eq '--write' ? shift @ARGV : 0;
die "usage: perl harness/make/quotes.pl [--write] FILE...\n" if !@ARGV;
my $all_wrong = 0;
for my $file (@ARGV) {
    my ($text, $quotes, $wrong) = (text_of($file), 0, 0);
    $text =~ s{(<!--\ quote\ (\S+)\ "([^"]*)"\ before\ "([^"]*)"\ -->
                \n+```\n)(.*?)(?=^```$)}{
        my ($head, $from, $first, $last, $is) = ($1, $2, $3, $4, $5);
        my $want = quote($from, $first, $last);
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
