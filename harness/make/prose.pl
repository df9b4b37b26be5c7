#!/usr/bin/perl
# prose: reports in documents constructions that are never right, sentences of
# more than 35 words, and lines of more than 120 columns outside tables and code.
#
#     perl harness/make/prose.pl FILE.md...
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));

my $never = qr/\b(?:told\s+apart|is\s+none|came\s+about|foretell|foretold
                |for\s+who|as\s+ever)\b/xi;
for my $file (@ARGV) {
    open my $in, '<', $file or die "prose: $file: $!\n";
    my ($code, $text, $start) = (0, '', 0);
    my $sentences = sub {
        $text =~ s/`[^`]*`/x/g;
        $text =~ s/\[([^\]]*)\]\([^)]*\)/$1/g;
        for (split /(?<=[.!?:])["')*]*\s+/, $text) {
            my $words = () = /\b[[:alpha:]][\w'-]*/g;
            print "$file:$start: a sentence of $words words: ",
                substr($_, 0, 50), "\n" if $words > 35;
            print "$file:$start: a sentence begins with 'Of'\n" if /^Of\s/;
        }
        $text = '';
    };
    while (<$in>) {
        chomp;
        if (/^\s*```/) { $code = !$code; $sentences->(); next }
        next if $code;
        my $table = /^\|/;
        print "$file:$.: over 120 columns\n" if !$table && length > 120;
        print "$file:$.: never '$&'\n" if s/`[^`]*`//gr =~ $never;
        if ($table || /^\s*$|^#|^<!--/) { $sentences->(); next }
        $sentences->() if /^\s*(?:[*-]|\d+\.)\s/;
        $start = $. if $text eq '';
        $text .= s/^\s*(?:[*-]|\d+\.)\s+//r . ' ';
    }
    $sentences->();
}
