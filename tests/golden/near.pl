# near.pl DUMP GOLDEN STORE: compares the cells of two stores. Another order of
# summation changes rounding. Entropies of attention, losses and perplexities
# must agree to 1 part in 100,000, unless a learning rate is absurdly large;
# values that training does not affect must be equal. Prints differences and the
# largest distance of each value. Exit code 1: some value is too far.
use strict;
use warnings;
use File::Glob 'bsd_glob';

my ($dump, @store) = @ARGV;
my %far; # path -> greatest relative distance
my $bad = 0;

# Returns the allowed relative distance of a value; 0: it must be equal; undef:
# it is not compared, for example because a word is either chosen or not.
sub tolerance {
    local $_ = shift;
    return 1e-5 if m{^attention/.*\@entropy_nats$|^metrics/(?:ce|ppl)$}
        || m{^curves/(?:train/loss|valid/ce)$};
    return 0 if m{\@(?:units|better|signature|params|flops_per_step|tokens)$};
    return undef if m{^(?:attention|weights|timing|provenance|metrics)\b}
        || m{^examples/test/(?:nll|hits|guess|hypothesis|nbest\w*)$}
        || m{^\@(?:date_created|history)$};
    return 0;
}

sub cells { # STORE: {id -> {path -> value}}
    my ($store) = @_;
    my @file = bsd_glob("$store/cells/*.h5") or die "$store: no cells\n";
    open my $in, '-|', $dump, 'all', @file or die "$dump: $!\n";
    my (%cell, $v);
    while (<$in>) {
        $v = $cell{$1} = {} if m{^file .*/(\S+)};
        $v->{$1} = $2 if /^(\S+) = (.*)/;
    }
    close $in or die "$dump, cells of $store: exit $?\n";
    return \%cell;
}

sub distance { # of two lists of numbers
    my ($a, $b) = map { [grep { !/^\[/ } split] } @_;
    my $most = @$a == @$b ? 0 : 9e9;
    for my $i (0 .. $#$a) {
        last if $most > 1;
        my $d = abs($a->[$i] - $b->[$i]) / (abs($a->[$i]) + 1e-6);
        $d = 9e9 unless $d <= 9e9; # what is no number is near nothing
        $most = $d if $d > $most;
    }
    return $most;
}

my @cells = map { cells($_) } @store;
for my $id (sort keys %{{map { %$_ } @cells}}) {
    my ($a, $b) = map { $_->{$id} // {} } @cells;
    for my $path (sort keys %{{%$a, %$b}}) {
        my $within = tolerance($path) // next;
        my $d = !defined $a->{$path} || !defined $b->{$path} ? 9e9
              : $within == 0 ? $a->{$path} ne $b->{$path} && 9e9
              : distance($a->{$path}, $b->{$path});
        $far{$path} = $d if $d > ($far{$path} // -1);
        next if $d <= $within;
        $bad++;
        print "$id $path\n  golden ", $a->{$path} // 'nothing', "\n  native ",
            $b->{$path} // 'nothing', "\n" if $bad <= 5;
    }
}
printf "%.1g %s\n", $far{$_}, $_ for grep { $far{$_} > 0 } sort keys %far;
exit($bad > 0);
