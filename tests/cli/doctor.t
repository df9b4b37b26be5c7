#!/bin/sh
# doctor: what it reports about a complete machine and about one with missing
# programs.
. tests/support/tap.sh

check() { # EXPRESSION of $c, perl: the checks of the last JSON by their names
    json 'our $c = {map { $_->{name} => $_ } @{$j->{checks}}}; '"$1"
}

# Stand-ins for programs: they precede the real ones in PATH and do what a test
# requests.
mkdir "$work/bin"
tool() { # NAME COMMANDS
    printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
for name in gcc g++ make git gnuplot apt-get npm mpirun sbatch; do
    tool $name "echo '$name 1.2'; echo more"
done
ln -s "$(command -v sh)" "$work/bin/sh"
doctor() { # ARGUMENT...: on a machine that has those alone
    PATH=$work/bin "$program" doctor "$@" >"$work/out" 2>"$work/err"
    code=$?
}

doctor
ok 'doctor begins with its verdict' test "$(head -n 1 "$work/out")" = \
    'everything that `make reproduce` needs is present'
doctor --json
cp "$work/out" "$work/json"
ok 'doctor --json has the promised keys' json '
    $j->{schema_version} == 1 && $j->{needed} == 0 && @{$j->{checks}} > 15 &&
    !grep { join(" ", sort keys %$_) ne
        "found meaning name package remedy state" || !length $_->{meaning}
    } @{$j->{checks}}'
ok '... of a machine that has everything the exit code is 0' exits 0
ok '... a tool is there, in its own words' check '
    $c->{gnuplot}{state} eq "ok" && $c->{gnuplot}{found} eq "gnuplot 1.2"'
ok '... it knows its commit, and its libraries' check '
    $c->{program}{found} =~ /^commit \w{7,12}\b/ &&
    $c->{libraries}{found} =~ /glibc 2\.\d+.*hdf5 \d/'
ok '... and the processor, as /proc has it' env \
    has="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" \
    sh -c '. tests/support/tap.sh; cp "$1" "$work/out"; json "
        \$ENV{has} eq (map { \$_->{found} } grep {
            \$_->{name} eq \"processor\" } @{\$j->{checks}})[0]"' - "$work/json"
doctor --format json
for out in out json; do # but for what is left of memory and disk
    sed '/"found": ".* \(left\|available\)"/d' "$work/$out" >"$work/$out.same"
done
ok '... --format json is the same' cmp "$work/out.same" "$work/json.same"
doctor
ok 'for people: a line a check' says '^ok  *gnuplot  *gnuplot 1\.2$'
ok '... and that all is here' says '^everything that `make reproduce` needs is present$'

# ---- missing programs ----

rm "$work/bin/npm"
doctor
ok 'without npm: absent, with the line that installs it' says \
    '^  apt-get install -y --no-install-recommends npm$'
ok '... which is no failure' exits 0
ok '... a row is no wider than 80 columns' sh -c '
    ! sed "/^\$/q" "$1" | grep -q ".\{81\}"' - "$work/out"
tool gnuplot 'case "$*" in *pngcairo*) exit 1 ;; esac; echo gnuplot 1.2'
doctor --json
ok 'a gnuplot that cannot draw is told from one that is not there' check '
    $c->{gnuplot}{state} eq "ok" &&
    $c->{"gnuplot terminals"}{state} eq "needed" &&
    $c->{"gnuplot terminals"}{found} eq "svg, dumb" &&
    $c->{"gnuplot terminals"}{meaning} =~ /without pngcairo/'
ok '... and fails' exits 1
rm "$work/bin/gnuplot"
doctor --json
ok 'without gnuplot it fails' exits 1
ok '... for that' check '$j->{needed} == 1 &&
    $c->{gnuplot}{state} eq "needed" && !$c->{"gnuplot terminals"} &&
    $c->{gnuplot}{package} eq "gnuplot-nox" && $c->{npm}{state} eq "absent"'

# ---- granted resources ----

sb doctor --json
cp "$work/out" "$work/all"
if command -v taskset >/dev/null; then
    taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" \
        "$program" doctor --json >"$work/out" 2>"$work/err"
    ok 'of one core that is granted others are none of ours' check '
        $c->{cores}{found} =~ /^1 of \d+ granted by affinity$/ &&
        $c->{cores}{state} eq "poor"'
fi
DNNL_MAX_CPU_ISA=SSE41 "$program" doctor --json >"$work/out" 2>"$work/err"
ok 'fewer instructions than the processor has are told, and what they cost' \
    check '$c->{"matrix products"}{found} =~ /: sse41$/ &&
    $c->{"matrix products"}{state} eq "poor" &&
    $c->{"matrix products"}{meaning} =~ /five times as long/'
cp "$work/all" "$work/out"
ok 'memory is what /proc/meminfo has, or less by a control group' check '
    open my $f, "<", "/proc/meminfo";
    my ($total) = map { /^MemTotal: +(\d+)/ } <$f>;
    my ($number, $unit) = $c->{memory}{found} =~ / of ([\d.]+) (.)B are left$/;
    my %unit = (M => 1e6, G => 1e9, T => 1e12);
    $number * $unit{$unit} <= 1024 * $total * 1.01'

# ---- real text ----

mkdir -p "$work/cache/sentiment/package/test/fixtures"
for origin in imdb yelp amazon; do
    echo '[]' >"$work/cache/sentiment/package/test/fixtures/$origin.json"
done
doctor --cache "$work/cache" --json
ok 'text that is there, and text that is not' check '
    $c->{"text sentiment"}{state} eq "ok" &&
    $c->{"text wesnoth"}{state} eq "absent" &&
    $c->{"text wesnoth"}{remedy} =~ /data fetch wesnoth/ &&
    $c->{cache}{found} =~ m{/cache: [\d.]+ .B left$}'

done_testing
