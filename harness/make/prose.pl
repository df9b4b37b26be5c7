#!/usr/bin/perl
# prose: reports phrases that are never right in documents (FILE.md), in comments
# and string literals of C, and in YAML.  In documents and comments, also reports
# sentences of more than 35 words and those that begin with "Of"; in documents,
# lines of more than 120 columns outside tables and code.  Prints to stderr the
# number of words that are often unclear; with --list, lists them.
#
#     perl harness/make/prose.pl [--list] FILE...
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));

my $never = qr/\b(?:told\s+apart|(?<!there\s)is\s+none|came\s+about|foretell|foretold
                |for\s+who|as\s+ever)\b/xi;
my $unclear = qr/\b(?:told|tells|stands(?!\s+for)|beside|goes\s+on|nobody|whose
                  |somebody|put\s+aside|of\s+before|held\s+against|learn\s+of
                  |said\s+to\s+be|as\s+it\s+is|anew|at\s+work)\b/xi;
my $list = @ARGV && $ARGV[0] eq '--list' ? shift : 0;
my $count = 0;

sub words { # FILE LINE TEXT
    my ($file, $line, $text) = @_;
    print "$file:$line: never '$&'\n" if $text =~ $never;
    while ($text =~ /$unclear/g) {
        $count++;
        print "$file:$line: $&: ", substr($text, 0, 60), "\n" if $list;
    }
}

sub sentences { # FILE LINE TEXT: of one paragraph
    my ($file, $line, $text) = @_;
    $text =~ s/`[^`]*`/x/g;
    $text =~ s/\[([^\]]*)\]\([^)]*\)/$1/g;
    for (split /(?<=[.!?:])["')*]*\s+/, $text) {
        my $words = () = /\b[[:alpha:]][\w'-]*/g;
        print "$file:$line: a sentence of $words words: ",
            substr($_, 0, 50), "\n" if $words > 35;
        print "$file:$line: a sentence begins with 'Of'\n" if /^\s*Of\s/;
    }
}

sub comment { # FILE LINE TEXT: except paragraphs set as formulas or lists.
    # The parts between semicolons count as sentences.
    my ($file, $line, $text) = @_;
    $text =~ s/^[ \t]*\*[ \t]?//mg;
    print "$file:$line: never '$&'\n" if $text =~ s/\s+/ /gr =~ $never;
    for (split /\n\s*\n|\n(?=\s*[-*] )/, $text) {
        sentences($file, $line, s/\s+/ /gr =~ s/;/./gr)
            unless /^ {3,}|\S {3,}\S| = /m;
    }
}

sub code { # FILE: comments, and string literals, those that are continued as one
    my ($file) = @_;
    open my $in, '<', $file or die "prose: $file: $!\n";
    my $text = do { local $/; <$in> };
    while ($text =~ m{/\*(.*?)\*/|//([^\n]*)|'(?:\\.|[^'\\\n])+'
                      |("(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*)}gsx) {
        my ($comment, $literal) = ($1 // $2, $3);
        my $line = 1 + (substr($text, 0, $-[0]) =~ tr/\n//);
        comment($file, $line, $comment) if defined $comment;
        words($file, $line, $literal =~ s/"\s*"//gr) if defined $literal;
    }
}

sub document { # FILE
    my ($file) = @_;
    open my $in, '<', $file or die "prose: $file: $!\n";
    my ($code, $text, $start) = (0, '', 0);
    my $end = sub { sentences($file, $start, $text); $text = '' };
    while (<$in>) {
        chomp;
        if (/^\s*```/) { $code = !$code; $end->(); next }
        next if $code;
        my $table = /^\|/;
        print "$file:$.: over 120 columns\n" if !$table && length > 120;
        words($file, $., s/`[^`]*`//gr);
        if ($table || /^\s*$|^#|^<!--/) { $end->(); next }
        $end->() if /^\s*(?:[*-]|\d+\.)\s/;
        $start = $. if $text eq '';
        $text .= s/^\s*(?:[*-]|\d+\.)\s+//r . ' ';
    }
    $end->();
}

sub plain { # FILE
    my ($file) = @_;
    open my $in, '<', $file or die "prose: $file: $!\n";
    while (<$in>) { chomp; words($file, $., $_) }
}

for my $file (@ARGV) {
    $file =~ /\.md$/ ? document($file)
        : $file =~ /\.([ch]|cc|cu)$/ ? code($file) : plain($file);
}
print STDERR "prose: $count words that are often unclear\n" if $count && !$list;
