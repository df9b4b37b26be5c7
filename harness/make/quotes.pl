#!/usr/bin/perl
# quotes: checks that the quotes of results/baselines in documents equal what
# the program prints.
#
#     perl harness/make/quotes.pl [--write] PROGRAM FILE...
#
# A fenced block of FILE is a quote if this line precedes it:
#
#     <!-- quote JSON "FIRST" before "LAST" -->
#
# PROGRAM renders JSON (a table or claims) as text, 120 columns wide.  The quote
# begins with the first paragraph that has a line starting with FIRST, and ends
# before the next paragraph that has a line starting with LAST.
#
# If a quote differs, prints the correct text and exits with 1; with --write,
# replaces the quote instead.
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

sub rendered {
    my ($program, $json) = @_;
    my @what = $json =~ m{/table([^/]*)\.json$} ? (qw(table --all --width 120), $1) : qw(claims --all);
    open my $in, "-|", $program, @what, "--from", $json
        or die "quotes: $program: $!\n";
    local $/;
    my $text = <$in>;
    close $in or die "quotes: $program cannot render $json\n";
    return $text;
}

# ---- quotes ----

sub quote {
    my ($program, $json, $first, $last) = @_;
    my @taken;
    for my $part (split /\n\n+/, rendered($program, $json)) {
        last if @taken && $part =~ /^\Q$last\E/m;
        push @taken, $part if @taken || $part =~ /^\Q$first\E/m;
    }
    die "quotes: $json: no paragraph begins with '$first'\n" if !@taken;
    my $all = join "\n\n", @taken;
    $all =~ s/\n*\z/\n/;
    return $all;
}

# ---- all files ----

my $write = @ARGV && $ARGV[0] eq '--write' ? shift @ARGV : 0;
die "usage: perl harness/make/quotes.pl [--write] PROGRAM FILE...\n" if @ARGV < 2;
my $program = shift @ARGV;
my $all_wrong = 0;
for my $file (@ARGV) {
    my ($text, $quotes, $wrong) = (text_of($file), 0, 0);
    $text =~ s{(<!--\ quote\ (\S+)\ "([^"]*)"\ before\ "([^"]*)"\ -->
                \n+```\n)(.*?)(?=^```$)}{
        my ($head, $from, $first, $last, $is) = ($1, $2, $3, $4, $5);
        my $want = quote($program, $from, $first, $last);
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
