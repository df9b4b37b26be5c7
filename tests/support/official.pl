#!/usr/bin/perl
# official.pl DIR: writes fixtures in the official layouts, for rehearsals of
# the full scale. They have enough made-up words to train a tokenizer of 32,768
# pieces for each task, in texts about as long as real ones.
use strict;
use warnings;
use Digest::SHA 'sha1_hex';

my $to = shift or die "usage: official.pl DIR\n";
system('cp', '-R', 'tests/data/fixtures', $to) == 0 or die "$to: $!\n";

my $WORDS = 15000;
my $state = 1; # a generator of our own: the same words on every machine

sub draw {
    $state = ($state * 1103515245 + 12345) % 2147483648;
    return ($state >> 12) % shift;
}

sub word { return join '', map { chr(97 + draw(26)) } 1 .. 5 + draw(4) }
sub sentence { return join ' ', map { word() } 1 .. shift }

sub add { # FILE LENGTH FORMAT [WORDS]: lines of LENGTH words
    my ($file, $length, $line, $words) = @_;
    my $out;
    open($out, $file =~ /gz$/ ? "| gzip -n >>$to/$file" : ">>$to/$file")
        or die "$file: $!\n";
    print $out $line->(sentence($length)) for 1 .. ($words || $WORDS) / $length;
    close $out or die "$file: $!\n";
}

my $plain = sub { "$_[0]\n" };
for my $pair (['ende', 'de'], ['enfr', 'fr']) {
    my ($task, $other) = @$pair;
    add("wmt14_$task/training/europarl-v7.$other-en.$_", 25, $plain)
        for 'en', $other;
}
my $billion = 'lm1b/1-billion-word-language-modeling-benchmark-r13output/';
my $known = sub { # each word is of the list of those that count
    open my $out, '>>', "$to/lm1b/vocab-2016-09-10.txt" or die;
    print $out join("\n", split(' ', $_[0]), '');
    return "$_[0]\n";
};
add($billion . 'training-monolingual.tokenized.shuffled/' .
    'news.en-00001-of-00100', 25, $known);
my $document = sub { qq({"text":"$_[0]","timestamp":"","url":""}\n) };
add('c4/en/c4-train.00008-of-01024.json.gz', 300, $document);
add('agnews/ag_news_csv/train.csv', 40, sub { qq("1","a title","$_[0]"\n) });

my $n = 1000;
add('imdb/aclImdb/train/urls_pos.txt', 230, sub {
    open my $out, '>', "$to/imdb/aclImdb/train/pos/" . $n++ . '_9.txt' or die;
    print $out $_[0];
    return "http://example\n";
});
add('cnndm/url_lists/all_train.txt', 780, sub {
    my $url = 'http://harbour.example/more-' . $n++;
    open my $out, '>', "$to/cnndm/cnn/stories/" . sha1_hex($url) . '.story'
        or die;
    print $out "$_[0].\n\n\@highlight\n\n", sentence(56), "\n";
    return "$url\n";
});
my $turn = 1;
add('personachat/personachat/train_self_original.txt', 24, sub {
    my @w = split ' ', $_[0];
    return join("\t", $turn++ . " @w[0 .. 11]", "@w[12 .. 23]", '',
                "@w[12 .. 23]") . "\n";
});

# Running text. One or two rows of it are for validation and test.
add('c4/en/c4-validation.00001-of-00008.json.gz', 300, $document, 300);
add($billion . 'heldout-monolingual.tokenized.shuffled/' .
    "news.en.heldout-0000$_-of-00050", 25, $plain, 300) for 0, 1;
