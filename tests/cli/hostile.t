#!/bin/sh
# Malicious stores, titles, names, paths and experiment files: no command in
# them is run, no file outside is written, no terminal escape is printed,
# nothing crashes or hangs, and the exit code is right.
ulimit -t 120 # of each command
. tests/support/tap.sh

here=$PWD
case $program in /*) ;; *) program=$here/$program ;; esac
cp -r experiments plots "$work" # where the program looks for its own files
cd "$work" || exit 1
mkdir outside
tried=0 held=0

# hostile NAME CODES ARGUMENT...: runs the program; CODES is a pattern for the
# exit code, such as "2" or "[25]".
hostile() {
    what=$1 codes=$2
    shift 2
    sb "$@"
    tried=$((tried + 1))
    before=$bad
    ok "$what" harmless "$codes"
    held=$((held + (before == bad)))
}

harmless() {
    case $code in
    $1) ;;
    *) echo "exit code $code, not $1"; return 1 ;;
    esac
    ! grep -a 'bug:' err || return 1
    [ -z "$(find . -name 'P*' ! -name 'PASS' | head -n 1)" ] ||
        { echo "made: $(find . -name 'P*')"; find . -name 'P*' -delete; return 1; }
    [ -z "$(ls outside)" ] ||
        { echo 'written outside'; rm -rf outside/*; return 1; }
    ! LC_ALL=C grep -aq "$(printf '[\001-\010\013-\037\177]')" out err ||
        { echo 'control characters on the terminal'; return 1; }
}

# ---- a store to corrupt ----
head='variants: [vanilla, uniform]
tasks: [lm1b, agnews]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 4, evals: 1, train: 64, valid: 16, test: 16}'
printf 'title: Test\n%s\n' "$head" >x.yaml
"$program" run x.yaml --store s -j 1 2>err
"$program" plot --store s >out 2>>err
ok 'a sound store is drawn' test -s s/plots/curves_lm1b.png
cp s/experiment.json sound.json

# forge PERL: edits $_, the contents of the store's experiment.json, and
# recomputes its ids and its seal.
forge() {
    perl -MDigest::SHA=sha256_hex -0777 -pe '
        '"$1"';
        s{"id": "[^"]*",(\s*)"data_recipe": (\d+),(\s*)"numerics": (\d+),(\s*)"config": (\{.*?\n\s*\})}{
            my ($a, $d, $b, $n, $c, $g) = ($1, $2, $3, $4, $5, $6);
            my $text = join "", map { s/^\s+//r =~ s/^("(?:[^"\\]|\\.)*"): /$1:/r } split /\n/, $g;
            my $id = substr sha256_hex("$text data $d numerics $n"), 0, 16;
            qq{"id": "$id",$a"data_recipe": $d,$b"numerics": $n,$c"config": $g};
        }gse;
        s/,\n "seal": "[0-9a-f]*"\n\}\n\z//;
        $_ .= ",\n \"seal\": \"" . sha256_hex($_) . "\"\n}\n";
    ' sound.json >s/experiment.json
}

forge ''
ok 'the forger makes what the program made' cmp sound.json s/experiment.json

# Texts that could be executed, or that could affect what is outside their
# place.
texts() {
    cat <<'T'
uniform'; system('touch P'); x='
`touch P`
$(touch P)
\"; system(\"touch P\"); x=\"
/../../../outside/x
../outside/x
-o
\u001b[31mred\u001b]0;title\u0007
two\nlines\ttab
@x {/Bold y} %s%n%d # !touch P
|touch P
< touch P
\u202egnirts\u200b
\u00e9t\u00e9
T
    printf '%05000d\n' 0
}

texts >texts
while IFS= read -r text; do
    called=$(printf '%.24s' "$text" | tr -dc ' -~')
    export text
    for key in variant task scale; do
        forge 's/("'$key'": )"[^"]*"/$1"$ENV{text}"/'
        hostile "$key: $called" 5 plot --store s
    done
    forge 's/(\n *)("scale": )/$1"pretrained": "$ENV{text}",$1$2/g'
    hostile "pretrained: $called" 5 status --store s
    hostile '... plot' '[057]' plot curves --store s
    forge 's/("title": )"[^"]*"/$1"$ENV{text}"/'
    hostile "title: $called" '[057]' status --store s
    forge 's/("name": )"[^"]*"/$1"$ENV{text}"/'
    hostile "name: $called" '[057]' table 2 --store s
    forge 's/("runtime": \{)/"refused": "$ENV{text}",$1/'
    hostile "refused: $called" '[0157]' plan x.yaml --store s
    hostile '... plot' '[057]' plot curves --store s
done <texts
text=$(head -n 10 texts | tr -d '\n')
export text
forge 's/("(?:title|name)": )"[^"]*"/$1"$ENV{text}"/'
hostile 'all of it at once, in every picture' '[057]' plot --store s
unset text

# Valid JSON that is not what a reader expects.
while IFS= read -r edit; do
    [ -n "$edit" ] || continue
    forge "$edit"
    hostile "experiment.json: $edit" 5 status --store s
    hostile '... plot' '[05]' plot --store s
done <<'T'
s/"seed": \d+/"seed": 1e300/
s/"seed": \d+/"seed": -99999999999999999999/
s/"seed": \d+/"seed": "1"/
s/"d": \d+/"d": 2147483648/
s/"d": \d+/"d": {}/
s/"config": \{/"config": [/
s/"cells": \[/"cells": {/
s/"schema_version": \d+/"schema_version": 99999999999/
$_ = "[" x 100000
$_ = "{}"
$_ = ""
$_ = "\0" x 1000
$_ = "\xff\xfe" x 1000
s/"title": "Test"/"title": "\xff\xfe"/
s/"runtime": \{/"runtime": {"\\u001b[31m": 1, /
T
sed 's/"seal": "./"seal": "z/' sound.json >s/experiment.json
hostile 'a wrong seal' 5 plot --store s

# Failure records.
id=$(sed -n 's/.*"id": "\(.*\)",/\1/p' sound.json | head -n 1)
cp sound.json s/experiment.json
mv "s/cells/$id.h5" cell.h5
while IFS= read -r text; do
    printf '{"class": "%.20s", "message": "%s", "seconds": 1, "date": "x"}' \
        "$text" "$text" >"s/failed/$id.json"
    hostile "failed: $(printf '%.24s' "$text" | tr -dc ' -~')" '[015]' \
        status --store s
done <texts
hostile '... plot' '[05]' plot --store s
rm "s/failed/$id.json"
mv cell.h5 "s/cells/$id.h5"

# Symbolic links in place of figures.
cp sound.json s/experiment.json
rm -rf s/plots
mkdir s/plots
for e in gp tsv txt png svg; do
    ln -s "$work/outside/x.$e" s/plots/curves_lm1b.$e
done
hostile 'pictures that are links' 0 plot --store s
rm -rf s/plots
ln -s "$work/outside" s/plots
hostile 'a folder of pictures that is a link' 5 plot --store s
rm s/plots

# The environment of gnuplot.
mkdir home
echo "system('touch P')" >home/.gnuplot
HOME=$work/home GNUTERM='x11; system("touch P")' GNUPLOT_LIB=$work/home \
    LC_ALL=C hostile 'settings of gnuplot' 0 plot --store s

# ---- paths ----
while IFS= read -r path; do
    path=$(printf '%b' "$path")
    rm -rf -- "./$path" 2>/dev/null
    hostile "--store $(printf '%.20s' "$path" | tr -dc ' -~')" '[0-9]' \
        status --store="$path"
    cp -r s "./$path" 2>/dev/null || continue
    sb plot curves --store="$path"
    ok '... is drawn' test $code = 0 -a -s "./$path/plots/curves_lm1b.png"
    rm -rf -- "./$path"
done <<'T'
a b
it's
"q"
$(touch P)
`touch P`
-s
--help
;touch P;
a\\nb
<touch P
|touch P
*
\303\251
%s%n
T
long=$(printf '%0300d' 0)
hostile '--store of a name too long' '[2579]' status --store "$long"
hostile '--store with no name' '[2579]' plot --store ''

# ---- experiment files ----
yaml() { # NAME CODES: of the file h.yaml
    hostile "yaml: $1" "$2" plan h.yaml
}
while IFS= read -r text; do
    printf 'title: "%s"\n%s\n' "$text" "$head" >h.yaml
    yaml "title $(printf '%.24s' "$text" | tr -dc ' -~')" '[02]'
    v=$text head=$head perl -e '$_ = $ENV{head}; s/vanilla/"$ENV{v}"/;
        print "title: T\n$_\n"' >h.yaml
    yaml "variant $(printf '%.24s' "$text" | tr -dc ' -~')" 2
done <texts
printf 'title: T\n%s\n' "$head" >sound.yaml
hostile 'a file named like a command' '[02]' plan '$(touch P).yaml'
cp sound.yaml 'it'"'"'s;touch P.yaml'
hostile '... that is there' 0 plan "it's;touch P.yaml"
rm 'it'"'"'s;touch P.yaml'
cp sound.yaml "$(printf 'a\033[31m.yaml')"
hostile 'a file named in colours' 0 plan "$(printf 'a\033[31m.yaml')"

perl -e 'print "title: T\n", "a: ", "[" x 200000' >h.yaml
yaml 'brackets 200,000 deep' 2
perl -e 'print "title: T\n", map { " " x $_ . "a:\n" } 0 .. 2000' >h.yaml
yaml 'maps 2,000 deep' 2
perl -e 'print "title: T\nsettings: {", "? " x 200000' >h.yaml
yaml 'keys 200,000 deep' 2
perl -e 'print "title: ", "x" x 5e6, "\n"' >h.yaml
tail -n +2 sound.yaml >>h.yaml
yaml 'a title of five million letters' '[02]'
perl -e 'print "title: T\n", map { "k$_: 1\n" } 1 .. 50000' >h.yaml
yaml '50,000 keys' 2
perl -e 'print "title: T\n", "layers: 1\n" x 50000' >h.yaml
yaml '50,000 times one key' 2
perl -e 'print "settings: {", join(", ", map { "k$_: 1" } 1 .. 50000), "}"' \
    >h.yaml
yaml '50,000 settings' 2
perl -pe 's/^seeds:.*/"seeds: [" . join(",", 1 .. 30000) . "]"/e' sound.yaml \
    >h.yaml
yaml 'more cells than there may be' 2
perl -pe 's/^seeds:.*/"seeds: [" . join(",", 1 .. 50000, 7) . "]"/e' \
    sound.yaml >h.yaml
yaml 'a seed twice among 50,000' 2
perl -pe 's/^seeds:.*/"seeds: [" . join(",", 1 .. 2500) . "]"/e' sound.yaml \
    >many.yaml
cp many.yaml h.yaml
yaml '10,000 cells' 0
perl -e 'print "override:\n"; print "- {match: {seed: [",
    join(",", 1 .. 2500), "]}, set: {layers: 1}}\n" for 1 .. 40' >>h.yaml
yaml '... with overrides that all match' 0
cp many.yaml h.yaml
perl -e 'print "exclude:\n"; print "- {seed: $_, task: lm1b}\n" x 4
    for 1 .. 5000' >>h.yaml
yaml '... with 20,000 exclusions' 0
cp many.yaml h.yaml
perl -e 'print "override:\n";
    print "- {match: {scale: smoke}, set: {layers: 1}}\n" x 5000' >>h.yaml
yaml '... with 5,000 overrides of all of them' 2
printf 'title: T\nx: &a [*a, *a]\n' >h.yaml
yaml 'an anchor in itself' 2
perl -e 'print "a: &a [x,x]\n"; print chr(97 + $_), ": &", chr(97 + $_), " [*",
    chr(96 + $_), ",*", chr(96 + $_), "]\n" for 1 .. 20' >h.yaml
yaml 'a billion laughs' 2
printf 'title: "\377\376"\n' >h.yaml
yaml 'not UTF-8' 2
printf '\377\376t\000i\000' >h.yaml
yaml 'UTF-16' 2
perl -e 'print "\0" x 100000' >h.yaml
yaml 'NUL bytes' 2
perl -e 'print pack "C*", map { $_ * 7919 % 256 } 1 .. 100000' >h.yaml
yaml 'noise' 2
: >h.yaml
yaml 'nothing' 2
hostile 'a folder' 2 plan outside
hostile 'a device' 2 plan /dev/null

# ---- NaN and infinity ----
printf 'title: T\n%s\noverride:\n- {match: {variant: uniform}, set: %s}\n' \
    "$head" '{schedule.scale: 1e38, steps: 1}' >h.yaml
hostile 'a variant that diverges' '[01]' run h.yaml --store d -j 1
hostile '... is drawn as such' 0 plot --store d
ok '... by name' grep -Eq \
    '(diverged|worse than what sees no input): uniform' d/plots/curves_lm1b.txt
ok '... without a number that is none' \
    sh -c '! grep -Eiw "inf|-nan|nan|infinity" d/plots/*.tsv d/plots/*.gp |
        grep -v NaN'

echo "# hostile: $held/$tried"
done_testing
