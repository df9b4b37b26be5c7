# archive: reads the texts of a cache independently of the program. labels.pl
# uses it.
use strict;
use warnings;
no warnings 'portable'; # numbers of 64 bits
use utf8;
use open ':encoding(UTF-8)';
use JSON::PP;

our $cache;
our (@entry, %by_summary, %by_sentence, %by_text, %entry_of_md5); # packages
our (%opinion, %reply, %scenario);
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
        $package{$r->{Package}} //= {source => $source, section => $section};
    }
    for my $r (records('Translation-en')) {
        next if $entry_of_md5{$r->{'Description-md5'}};
        my $p = $package{$r->{Package}} // {source => $r->{Package}, section => ''};
        my $text = read_text($r->{'Description-en'});
        my $e = {%$p, %$text, at => scalar @entry};
        my $all = join ' ', map { $_->{text} } @{$e->{blocks}};
        $entry_of_md5{$r->{'Description-md5'}} = $e;
        push @entry, $e;
        push @{$by_summary{$e->{summary}}}, $e;
        push @{$by_text{plain($all)}}, $e;
        push @{$by_sentence{plain($_)}}, $e for @{$e->{said}};
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

1;
