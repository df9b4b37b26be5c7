#!/bin/sh
# Computed claims: each has its known verdict, and its measurements have their
# known values.
. tests/support/tap.sh

sb claims --json
cp "$work/out" "$work/all.json"
ok 'all are judged' exits 0
sb claims --from "$work/all.json"
ok '... and listed on one screen' test "$(wc -l <"$work/out")" -le 40

# Each line has an id, its verdict, and for `holds only if` the number of cases
# that hold.
known='
A7c holds_only_if 1    A8c holds_only_if 1
B1 holds_only_if 5     B2 fails 0             B3 fails 0
B4 fails 0             B5 holds_only_if 1     B5b holds_only_if 1
B6 holds_only_if 1     B7 fails 0             B8 fails 0
B9 fails 0             B10 holds_only_if 4    B11 holds_only_if 1
B12 fails 0            B13 holds 2            B14 holds_only_if 1
B15 holds_only_if 1    B16 holds 4            B18 fails 0
B19 holds_only_if 1
C1 holds_only_if 1     C2 holds_only_if 1     C3 holds_only_if 2
C4 holds_only_if 1     C5 holds 5             C6 holds_only_if 1
C7 holds 1             C7b holds_only_if 1    C8 holds_only_if 1
C8b fails 0            C9 holds_only_if 1     C10 holds 2
C14 holds 1            C15 holds_only_if 1
D1 holds 5             D2 holds 2             D3 holds 7
D5 holds 1             D6 holds 2             D7 holds 1
D8 holds 1             D9 holds 1
'
echo "$known" | xargs -n 3 | while read -r id verdict cases; do
    echo "$id $(echo "$verdict" | tr _ ' ') $cases"
done | sort >"$work/known"
perl -MJSON::PP -0777 -ne '
    for my $c (grep { $_->{kind} eq "computed" } @{decode_json($_)->{claims}}) {
        my (%case, @of);
        for my $m (@{$c->{measured}}) {
            my $when = $m->{case} // "";
            push @of, $when unless exists $case{$when};
            $case{$when} //= 1;
            $case{$when} &&= ($m->{verdict} // "holds") eq "holds";
        }
        printf "%s %s %d\n", $c->{id}, $c->{verdict},
            scalar grep { $case{$_} } @of;
    }' "$work/all.json" | sort >"$work/got"
ok 'every one comes out as it is known to' diff "$work/known" "$work/got"

# ID MEASURE CASE LOW HIGH: checks that the measure of the claim's case with
# this number is between LOW and HIGH.
measured() {
    perl -MJSON::PP -0777 -e '
        my ($id, $measure, $at, $low, $high) = splice @ARGV, 0, 5;
        my ($c) = grep { $_->{id} eq $id } @{decode_json(<>)->{claims}};
        my @m = grep { $_->{measure} eq $measure } @{$c->{measured}};
        my $x = $m[$at - 1]{value};
        print STDERR "# $id: $measure is $x\n";
        exit !($x >= $low && $x <= $high);
    ' "$@" "$work/all.json"
}
ok 'Proposition 1 for k < d keeps k/d, 0.25' measured C1 inner 2 0.24 0.26
ok '... and for k = d all' measured C1 inner 1 0.9999 1.0001
ok 'Proposition 2 for one path is exact' measured C9 path 1 0.9999 1.0001
ok '... for a layer it is not' measured C9 block 2 0.5 0.7
ok '... and in saturation nothing comes by the scores' \
    measured C9 scores 5 0 0.001
ok 'heads that are drawn apart overlap by k/d' measured C6 overlap 2 0.23 0.27
ok 'a Gaussian of 512 x 64 has a condition number of 2' \
    measured C7b condition 2 1.9 2.2
ok 'softmax(R) from a Glorot start: 3.8e-6 nats' measured D1 kl 2 3.7e-6 3.9e-6
ok '... from N(0,1): 0.50' measured D1 kl 4 0.49 0.51
ok 'Random of T5-base has 254,360,576 parameters' \
    measured D3 model 3 254360576 254360576

sb claims C1
ok 'one claim tells its formula' says '(k / d) <x,y>'
ok '... and its reason' says 'W W^T'
ok '... a verdict on what is claimed of a case' \
    says '^inner  *k < d  *0\.2.* +- .* 0\.99 to 1\.01  *fails$'
ok '... and none on what is measured beside it' says '^gram  *k < d  *[0-9][-0-9.e]* *$'
done_testing
