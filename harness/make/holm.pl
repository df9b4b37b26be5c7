#!/usr/bin/perl
# holm: reports which differences of a section are no longer significant if the
# section is tested as one family (Holm, 1979).
#
#     perl harness/make/holm.pl [--write] FILE...
#
# A section of FILE (from one `## ` to the next) is checked if it has this line.
# The text after it, up to an empty line, is the output of this program:
#
#     <!-- holm SEEDS -->
#
# The differences of a section are the intervals in it, such as
# `-0.2 [-0.3, -0.1]`, outside code; repeated ones count once.  Their stores no
# longer exist, so p is computed from the printed interval, with Student's t with
# SEEDS - 1 degrees of freedom.  The level of an interval is that of
# `synthbench compare`: 95 % on language modelling, 98.3 % on translation, where
# three metrics are tested together.
#
# If the text differs from the output, prints the output and exits with 1; with
# --write, replaces the text instead.
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));

my $PI = 4 * atan2(1, 1);

# Returns P(|T| < t), where T has Student's t distribution with n degrees of
# freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4).
sub within {
    my ($t, $n) = @_;
    my $angle = atan2($t, sqrt $n);
    my ($term, $sum) = $n % 2 ? (cos $angle, 0) : (1, 0);

    for (my $k = $n % 2 ? 2 : 1; $k < $n; $k += 2) {
        $sum += $term;
        $term *= cos($angle)**2 * $k / ($k + 1);
    }
    return $n % 2 ? 2 / $PI * ($angle + sin($angle) * $sum)
                  : sin($angle) * $sum;
}

# Returns the t for which P(|T| < t) is `level`, with n degrees of freedom.
sub quantile {
    my ($level, $n) = @_;
    my ($low, $high) = (0, 1e4);

    for (1 .. 100) {
        my $t = ($low + $high) / 2;
        within($t, $n) < $level ? ($low = $t) : ($high = $t);
    }
    return $low;
}

if (@ARGV && $ARGV[0] eq '--quantile') { # for its test
    printf "%.3f\n", quantile(@ARGV[1, 2]);
    exit 0;
}

my $number = qr/[-+]?\d+(?:\.\d+)?/;

# Returns the differences in a text, each as [words, value, low, high, level].
sub differences {
    my ($text, $level) = @_;
    my @found;

    while ($text =~ /($number)(?:\s+(?:nats|points))?\s+
                     \[($number),\s+($number)\]/gx) {
        push @found, ["$1 [$2, $3]", $1, $2, $3, $level];
    }
    return @found;
}

# Returns the differences of a section.  A difference is on language modelling if
# the header of its table column, or its paragraph, has "perplexity", "language"
# or a sequence length; else it is on translation.
sub all_of {
    my ($section) = @_;
    my (@found, @head, %seen);

    $section =~ s/^```.*?^```$//gms;
    $section =~ s/^<!-- holm \d+ -->\n(?:.+\n)*//m;
    for my $part (split /\n\n+/, $section) {
        my @lines = $part =~ /^\|/ ? split /\n/, $part : ($part);
        @head = $part =~ /^\|/ ? split /\|/, $lines[0] : ();
        for my $line (@lines) {
            my @cells = $part =~ /^\|/ ? split /\|/, $line : ($line);
            for my $i (0 .. $#cells) {
                my $about = ($head[$i] // '') . ' ' . (@head ? '' : $cells[$i]);
                push @found, differences($cells[$i],
                    $about =~ /perplexity|language|N =|\b\d+ $/ ? 0.95
                                                   : 1 - 0.05 / 3);
            }
        }
    }
    return grep { !$seen{$_->[0]}++ } @found;
}

sub p_of {
    my ($d, $seeds) = @_;
    my (undef, $value, $low, $high, $level) = @$d;
    my $half = ($high - $low) / 2;

    return $half > 0 ? 1 - within(abs($value) / $half *
                                  quantile($level, $seeds - 1), $seeds - 1)
                     : 0;
}

# Returns the text that a section must contain.
sub verdict {
    my ($section, $seeds) = @_;
    my @all = all_of($section);
    my @by_p = sort { $a->[5] <=> $b->[5] }
        map { [@$_, p_of($_, $seeds)] } @all;
    my ($fails, $known, @lost) = (0, 0);

    for my $i (0 .. $#by_p) {
        my $d = $by_p[$i];
        my $apart = $d->[2] > 0 || $d->[3] < 0;
        $fails ||= $d->[5] * (@by_p - $i) >= 0.05;
        $known += $apart;
        push @lost, $d->[0] if $apart && $fails;
    }
    my $with = "With Holm's correction over the printed intervals of this " .
               'section, ';
    return wrapped($with . (@lost
        ? 'these are not significant any more: ' . join('; ', @lost) . '.'
        : "all $known that exclude 0 remain significant."));
}

sub wrapped {
    my ($text) = @_;
    my @lines = ('');

    for my $word (split / (?![^\[]*\])/, $text) {
        push @lines, '' if length("$lines[-1] $word") > 120;
        $lines[-1] .= ($lines[-1] eq '' ? '' : ' ') . $word;
    }
    return join("\n", @lines) . "\n";
}

my $write = @ARGV && $ARGV[0] eq '--write' && shift;
my $differ = 0;
for my $file (@ARGV) {
    open my $in, '<', $file or die "holm: $file: $!\n";
    my $text = do { local $/; <$in> };
    my @section = split /^(?=## )/m, $text;
    for my $s (@section) {
        next unless $s =~ /^<!-- holm (\d+) -->\n((?:.+\n)*)/m;
        my ($seeds, $old) = ($1, $2);
        my $new = verdict($s, $seeds);
        next if $old eq $new;
        $differ = 1;
        print "holm: $file: expected after `<!-- holm $seeds -->`:\n$new"
            unless $write;
        $s =~ s/^(<!-- holm \d+ -->\n)(?:.+\n)*/$1$new/m;
    }
    next unless $write;
    open my $out, '>', $file or die "holm: $file: $!\n";
    print {$out} join '', @section or die "holm: $file: $!\n";
    close $out or die "holm: $file: $!\n";
}
exit($differ && !$write);
