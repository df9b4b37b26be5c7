#!/bin/sh
# `show`, `status` and `compare` print the values that h5dump reads from the
# cells, each under its own name, in text and in JSON.
. tests/support/tap.sh
export work SB="$program"
s=$work/s

cat >"$work/x.yaml" <<'Y'
title: Two variants, two seeds
variants: [vanilla, uniform]
tasks: [wmt14_ende]
scales: [smoke]
seeds: [1, 2]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 20, evals: 2, train: 40, valid: 8, test: 16}
Y
sb run "$work/x.yaml" --store "$s" -j 2
ok 'four cells are trained' exits 0 'trained 4 cells'

# read.pl sets $of{ID}{"metrics/ce"} and similar entries; attributes have keys
# such as "timing/params"
cat >"$work/read.pl" <<'P'
use File::Glob "bsd_glob";
use JSON::PP;
our (%of, %all, %id);
for my $file (bsd_glob("$ENV{work}/s/cells/*.h5")) {
    my ($name) = $file =~ m|(\w+)\.h5$|;
    my @at; # what encloses a line: three blanks each
    for (qx(h5dump -m %.17g -w 0 '$file')) {
        @at[length($1) / 3 .. $#at + 1] = ($2)
            if /^( *)(?:GROUP|DATASET|ATTRIBUTE) "(.*)" \{/;
        my $key = join "/", grep { defined && $_ ne "/" } @at;
        /^ *\((\d+)\): (.*)/ or next;
        $of{$name}{$key} = $2 =~ s/^"(.*)"$/$1/r if $1 == 0;
        push @{$all{$name}{$key}}, split /, */, $2;
    }
    $id{"$of{$name}{variant}/$of{$name}{seed}"} = $name;
}
sub near { abs($_[0] - $_[1]) <= ($_[2] // 1e-9) * abs $_[1] }
sub out { local $/; open my $f, "<", "$ENV{work}/out"; <$f> }
sub mean { my $t = 0; $t += $_ for @_; $t / @_ }
1;
P
told() { # PERL: true, with what stands in the files
    perl -e 'do "$ENV{work}/read.pl" or die $@;'"$1"
}

ok 'h5dump reads all metrics of all four' told '
    exit !(keys %of == 4 && 4 == grep { $of{$_}{"metrics/ce"} > 0 &&
        $of{$_}{"metrics/ce"} != $of{$_}{"metrics/token_accuracy"} } keys %of)'

# ---- show ----
sb show "$s#uniform/wmt14_ende/2" --json
ok 'show has each metric as it is in the file' told '
    my $c = decode_json(out())->{cells}[0];
    my $f = $of{$id{"uniform/2"}};
    exit !($c->{id} eq $id{"uniform/2"} && keys %{$c->{metrics}} == 3 &&
        !grep { !near($c->{metrics}{$_}, $f->{"metrics/$_"}) }
            keys %{$c->{metrics}})'
ok '... and each attribute' told '
    my $c = decode_json(out())->{cells}[0];
    my $f = $of{$id{"uniform/2"}};
    my ($n, $bad) = (0, 0);
    for my $group (qw(provenance timing weights curves/train)) {
        for my $name (keys %{$c->{$group}}) {
            my ($x, $y) = ($c->{$group}{$name}, $f->{"$group/$name"});
            $n++;
            next if $x eq $y || ($y =~ /^[-+.e\d]+$/ && near($x, $y, 1e-5));
            print "$group/$name: $x, not $y\n";
            $bad++;
        }
    }
    exit !($n > 40 && !$bad && 2 == keys %{$c->{"curves/train"}})'
ok '... operations of a step among them' told '
    my $c = decode_json(out())->{cells}[0];
    my $p = decode_json(join "",
        qx($ENV{SB} plan $ENV{work}/x.yaml --json))->{cells};
    my ($same) = grep { $_->{id} eq $c->{id} } @$p;
    exit !near($c->{timing}{flops_per_step}, $same->{flops_per_step}, 1e-5)'
ok '... and each key of the configuration, defaults too' told '
    my $c = decode_json(out())->{cells}[0]{config};
    my $f = $of{$id{"uniform/2"}};
    my @key = map { m|^config/(.*)| && $1 ne "json" ? $1 : () } keys %$f;
    for (@key) {
        my ($is, $want) = ($c->{$_} + 0, $f->{"config/$_"});
        die "$_: $c->{$_}, not $want" unless $c->{$_} eq $want ||
            $want =~ /^[-+.e\d]+$/ && near($is, $want);
    }
    exit !(@key > 60)'
sb show "$s#uniform/wmt14_ende/2" --all
ok 'show in words has them under the same names' told '
    my $f = $of{$id{"uniform/2"}};
    my $n = 0;
    for (split /\n/, out()) {
        my ($name, $x) = m{^(metrics|timing|provenance|curves/train)
            \.(\S+)\ +(\S+)}x ?
            ("$1/$2", $3) : next;
        my $y = $f->{$name};
        next unless $y =~ /^[-+.e\d]+$/;
        $n++;
        near($x, $y, 1e-5) or die "$name: $x, not $y";
    }
    exit !($n > 25)'

# ---- status ----
sb status --store "$s" --json
ok 'status has the metrics of each cell' told '
    my @c = @{decode_json(out())->{cells}};
    exit !(@c == 4 && !grep {
        my $c = $_;
        my $f = $of{$c->{id}};
        $f->{variant} ne $c->{variant} || $f->{seed} != $c->{seed} ||
            grep { !near($c->{metrics}{$_}, $f->{"metrics/$_"}) }
            qw(ce token_accuracy bleu)
    } @c)'
ok '... and whether it is worse than what sees no input' told '
    exit !!grep {
        my $x = $all{$_->{id}};
        my $blind = mean(@{$x->{"examples/test/unigram_nll"}}) /
                    mean(@{$x->{"examples/test/tokens"}});
        !!$_->{worse_than_blind} ne
            ($of{$_->{id}}{"metrics/ce"} > $blind)
    } @{decode_json(out())->{cells}}'
sb status --store "$s"
ok '... in words, with the number that it is worse than' told '
    my $lines = 0;
    for (split /\n/, out()) {
        my ($id) = /^(\w{16}) /  or next;
        my $f = $of{$id};
        my $blind = mean(@{$all{$id}{"examples/test/unigram_nll"}}) /
                    mean(@{$all{$id}{"examples/test/tokens"}});
        $lines++;
        / \Q$f->{variant}\E .* $f->{seed} +done / or die $_;
        for my $m (qw(ce token_accuracy bleu)) {
            my $x = sprintf "%.4g", $f->{"metrics/$m"};
            /\b$m \Q$x\E(,|;|$)/ or die "$m $x: $_";
        }
        my $worse = sprintf "worse than the unigram model: ce %.4g against %.4g",
            $f->{"metrics/ce"}, $blind;
        ($f->{"metrics/ce"} > $blind) == (/\Q$worse\E$/ || 0) or die $_;
    }
    exit !($lines == 4)'

# ---- compare ----
sb compare "$s#vanilla/wmt14_ende/1" "$s#uniform/wmt14_ende/2" --json
ok 'compare has A and B as they are in their files' told '
    my ($x, $y) = ($of{$id{"vanilla/1"}}, $of{$id{"uniform/2"}});
    my @r = @{decode_json(out())->{rows}};
    exit !(@r == 3 && !grep {
        my $m = "metrics/$_->{metric}";
        !near($_->{a}, $x->{$m}) || !near($_->{b}, $y->{$m}) ||
        !near($_->{difference}, $y->{$m} - $x->{$m}, 1e-6) ||
        $_->{better} ne ($_->{metric} eq "ce" ? "lower" : "higher") ||
        !($_->{low} <= $_->{difference} && $_->{difference} <= $_->{high})
    } @r)'
cp "$work/out" "$work/one.json"
sb compare "$s#vanilla/wmt14_ende/1" "$s#uniform/wmt14_ende/2"
ok '... in words in that order, with their interval' told '
    open my $in, "<", "$ENV{work}/one.json";
    my %r = map { $_->{metric} => $_ } @{decode_json(join "", <$in>)->{rows}};
    my $lines = 0;
    for (split /\n/, out()) {
        my ($m) = /^(\w+) +(?:lower|higher) / or next;
        my $want = sprintf "%s %s %.5g %.5g %+.4g %+.4g to %+.4g ", $m,
            @{$r{$m}}{qw(better a b difference low high)};
        $lines++;
        index(s/ +/ /gr, $want) == 0 or die "$want: $_";
    }
    exit !($lines == 3)'
sb compare "$s#vanilla/wmt14_ende" "$s#uniform/wmt14_ende" --json
ok 'of two seeds each it has means and spreads' told '
    exit !!grep {
        my $m = "metrics/$_->{metric}";
        my @a = map { $of{$id{"vanilla/$_"}}{$m} } 1, 2;
        my @b = map { $of{$id{"uniform/$_"}}{$m} } 1, 2;
        my $wins = 0; # of b over a
        for my $x (@b) { $wins += ($x > $_) + ($x == $_) / 2 for @a }
        !near($_->{a}, mean(@a)) || !near($_->{b}, mean(@b)) ||
        !near($_->{sd_a}, abs($a[0] - $a[1]) / sqrt 2, 1e-6) ||
        !near($_->{sd_b}, abs($b[0] - $b[1]) / sqrt 2, 1e-6) ||
        !near($_->{interquartile_mean_a}, mean(@a), 1e-6) ||
        !near($_->{interquartile_mean_b}, mean(@b), 1e-6) ||
        $_->{a12} != $wins / 4 || $_->{cliff_delta} != $wins / 2 - 1 ||
        !($_->{p} >= $_->{p_unadjusted})
    } @{decode_json(out())->{rows}}'

done_testing
