# archive: reads the texts of a cache independently of the program, and defines
# the reasons that decide who is meant in Winograd schemas. labels.pl uses it.
use strict;
use warnings;
no warnings 'portable'; # numbers of 64 bits
use utf8;
use open ':encoding(UTF-8)';
use JSON::PP;

our ($cache, $task);
our (@entry, %by_summary, %by_sentence, %by_text, %entry_of_md5); # packages
our (%opinion, %usage, %reply, %scenario);
my %package;

sub plain { my ($s) = @_; $s =~ s/ +/ /g; $s =~ s/^ | $//g; return $s }
sub sentences { return split /(?<=[.!?:])\s+(?=\p{Lu})/, $_[0] }
sub tokens { my @t = $_[0] =~ /\w+|[^\w\s]/g; return scalar @t }

# Returns FNV-1a of a text, modulo 100. A value below `valid` selects
# validation, one of the next `test` values selects test.
sub hash_of {
    my ($s) = @_;
    utf8::encode($s);
    my $h = 0xcbf29ce484222325;
    for my $c (unpack 'C*', $s) {
        use integer;
        $h = ($h ^ $c) * 0x100000001b3;
    }
    return $h & 0xffffffffffffffff;
}

sub split_of {
    my ($source, $valid, $test) = @_;
    my $slot = hash_of($source) % 100;
    return $slot < $valid ? 'valid' : $slot < $valid + $test ? 'test' : 'train';
}

# ---- package descriptions ----
sub records {
    my ($file) = @_;
    open my $in, '<', "$cache/apt/$file" or die "$file: $!";
    local $/ = '';
    return map { my %f = /^(\S+?):[ ]*(.*(?:\n[ \t].*)*)/mg; \%f } <$in>;
}

# Returns the summary and the paragraphs. A line that begins with two blanks is
# a paragraph of its own.
sub read_text {
    my ($summary, @lines) = split /\n/, $_[0];
    my (@blocks, $open);
    for (@lines) {
        if (/^ \.?\s*$/) { $open = 0 }
        elsif ($open && !/^  /) { $blocks[-1]{text} .= ' ' . plain($_) }
        else {
            $open = !/^  /;
            push @blocks, {text => plain($_), list => !$open};
        }
    }
    my @said = map { sentences($_->{text}) } grep { !$_->{list} } @blocks;
    return {summary => plain($summary), blocks => \@blocks, said => \@said};
}

sub read_packages {
    for my $r (records('Packages')) {
        (my $source = $r->{Source} // $r->{Package}) =~ s/ .*//;
        (my $section = $r->{Section}) =~ s{.*/}{};
        $package{$r->{Package}} //= {source => $source, section => $section,
                                     tags => [split /[,\s]+/, $r->{Tag} // '']};
    }
    for my $r (records('Translation-en')) {
        next if $entry_of_md5{$r->{'Description-md5'}};
        my $p = $package{$r->{Package}} // {source => $r->{Package}, tags => [],
                                            section => ''};
        my $text = read_text($r->{'Description-en'});
        my $e = {%$p, %$text, at => scalar @entry};
        my $all = join ' ', map { $_->{text} } @{$e->{blocks}};
        $entry_of_md5{$r->{'Description-md5'}} = $e;
        push @entry, $e;
        push @{$by_summary{$e->{summary}}}, $e;
        push @{$by_text{plain($all)}}, $e;
        push @{$by_sentence{plain($_)}}, $e for @{$e->{said}},
            $task =~ /glue/ ? $e->{summary} : ();
    }
}

# ---- reviews ----
sub read_reviews {
    my $at = 0;
    for my $origin (qw(imdb yelp amazon)) {
        my $file = "$cache/sentiment/package/test/fixtures/$origin.json";
        open my $in, '<:raw', $file or die "$file: $!";
        local $/;
        for (@{decode_json(<$in>)}) {
            (my $text = $_->{text} // '') =~ s/^\s+|\s+$//g;
            $opinion{plain($text)} //= {label => $_->{class}, origin => $origin,
                                        text => $text, at => $at++}
                if defined $_->{class};
        }
    }
}

# ---- meanings ----
# %usage maps a word and an example to the meanings that the word can have in
# the example, such as "n 00001740".
sub read_meanings {
    for my $part (qw(noun verb adj adv)) {
        open my $in, '<', "$cache/wordnet/data.$part" or die "$part: $!";
        while (<$in>) {
            next if /^  /;
            my ($head, $gloss) = /^(.*?)\| *(.*)$/;
            my ($offset, undef, $type, $n, @rest) = split ' ', $head;
            my ($meant, @quoted) = $gloss =~ /^(.*?)(; ".*)?$/;
            my @example = ($quoted[0] // '') =~ /"([^"]*)"/g;
            for my $i (0 .. hex($n) - 1) {
                (my $word = $rest[2 * $i]) =~ s/\((?:a|p|ip)\)$//;
                push @{$usage{$word}{plain($_)}}, "$type $offset" for @example;
            }
        }
    }
}

# ---- turns ----
sub read_turns {
    for my $file (sort glob "$cache/wesnoth/*/scenarios/*.cfg") {
        open my $in, '<', $file or die "$file: $!";
        local $/;
        my @turn;
        my $text = <$in>;
        for ($text =~ /\[message\](.*?)\[\/message\]/sg) {
            my ($who) = /^\s*speaker=(\S+)/m;
            push @turn, [$who, plain($1)] if /message= *_ *"(.*?)"/s;
        }
        (my $name = $file) =~ s{.*/}{};
        $scenario{$name} = @turn;
        for my $i (1 .. $#turn) {
            my ($x, $y) = @turn[$i - 1, $i];
            my $none = grep { $_->[0] =~ /^(?:narrator|unit|second_unit)$/ }
                $x, $y;
            push @{$reply{"persona: i am $y->[0]. $x->[0]: $x->[1]"}},
                [$y->[1], $name, $none || $x->[0] eq $y->[0]];
        }
    }
}

# ---- schemas ----
# each line: reasons that apply to the agent | to the other person
my %schema = (
    'X gave Y the book' => 'was generous, had two of them, liked to help |
        had asked for it, needed it, was curious',
    'X lent Y some money' => 'was rich, trusted people, had enough |
        was poor, could not pay, had to buy bread',
    'X thanked Y' => 'had been helped, was grateful, got a present |
        had been helpful, had cooked, gave a present',
    'X asked Y for advice' => 'was not sure, had no experience, was lost |
        was wise, was an expert, knew the way',
    'X caught Y' => 'was faster, was the better runner, did not tire |
        was slower, stumbled, was too tired to run',
    'X taught Y' => 'was a teacher, knew the subject, had studied it |
        was a pupil, wanted to learn, had to pass a test',
    'X visited Y in hospital' => 'was worried, had time,
        wanted to bring flowers | was ill, had broken a leg, could not leave',
    'X paid Y' => 'had ordered the work, was the owner, owed it |
        had done the work, had earned it, was the waiter');

# Returns the person meant by "he" in "Karl gave Otto the book because he
# REASON."
sub meant {
    my ($sentence) = @_;
    my ($act, $reason) = $sentence =~ /^(.*) because he (.*)\.$/ or return '';
    my ($x, $y) = $act =~ /\b(\p{Lu}\w+)\b/g;
    $act =~ s/\b$x\b/X/;
    $act =~ s/\b$y\b/Y/;
    my ($acts, $other) = map { [split /,\s*/, s/\s+/ /gr =~ s/^ | $//gr] }
        split /\|/, $schema{$act} // '';
    return $x if grep { $_ eq $reason } @{$acts // []};
    return $y if grep { $_ eq $reason } @{$other // []};
    return '';
}

1;
