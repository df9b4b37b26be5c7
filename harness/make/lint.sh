#!/bin/sh
# lint: checks rules that the compiler does not check.  Prints each violation,
# and the number of words in user-visible text that are often unclear.  The
# Makefile sets CC and CFLAGS.  Without a compiler, prints a message and does
# not compile the headers.
set -u
export LC_ALL=C
bad=$(mktemp) || exit 2
trap 'rm -f "$bad"' EXIT
say() { printf 'lint: %s\n' "$*" | tee -a "$bad"; }

code=$(find harness variants plots tests -name '*.[ch]' -o -name '*.cc' -o \
    -name '*.cu' | sort)
scripts=$(find tests harness -name '*.t' -o -name '*.sh' | sort; echo .ci/run)

# ---- modules that each module may include, apart from itself ----
allowed='
stats: base
print: base
engine: base
data: base
corpora: base data
metrics: base stats
store: base
ranks: base
nn: base stats engine
tasks: base data corpora metrics
report: base stats print metrics store
gate: base stats print metrics store report
history: base stats report gate
variants: base engine nn
verify: base stats print engine nn metrics store variants tasks train config
train: base stats engine nn data metrics tasks store ranks
plots: base stats metrics store report
config: base store nn variants data tasks train
plan: base config store nn variants tasks train report
claims: base stats print engine nn metrics store variants tasks report train config verify
site: base print engine nn variants metrics train tasks store report plots claims
lend: base engine data nn metrics store variants tasks train config plan verify
run: base stats plan config store nn metrics data tasks train ranks engine
slurm: base store plan run
cmd: base ranks stats print engine nn data corpora metrics tasks store report gate history train variants verify plots site config plan run claims slurm lend
tests: base ranks stats print engine nn data corpora metrics tasks store report gate history train variants verify plots site config plan run claims slurm lend cmd
'
grep -H '^ *# *include "' $code |
    sed 's|^\([^:]*\): *# *include "\([^"]*\)".*|\1 \2|' |
    awk -v allowed="$allowed" '
    function layer(path,  part) {
        split(path, part, "/")
        return part[1] == "harness" ? part[2] : part[1]
    }
    BEGIN {
        rows = split(allowed, row, "\n")
        for (i = 1; i <= rows; i++) {
            n = split(row[i], word, "[: ]+")
            for (j = 2; j <= n; j++)
                may[word[1], word[j]] = 1
        }
    }
    $2 == "build_info.h" { next }
    $2 !~ "/" { print $1 ": include " $2 " by its path from the root"; next }
    {
        from = layer($1)
        to = layer($2)
        if (from != to && !((from, to) in may))
            print $1 ": " from " must not include " $2
        if ($2 ~ "/list.h$" && from != "tests" && from != to)
            print $1 ": " $2 " is read in its own folder"
    }' | while read -r line; do say "$line"; done

# ---- headers of libraries: one folder each ----
only() { # HEADER FOLDER
    for f in $(grep -l "^ *# *include <$1" $code); do
        case $f in
        "$2"/* | tests/*.c) ;; # a test may look behind
        *) say "$f: <$1> belongs to $2 alone" ;;
        esac
        case $f in
        *.h)
            for user in $(grep -l "include \"$f\"" $code); do
                [ "${user%/*}" = "${f%/*}" ] ||
                    say "$f: <$1> is shown to $user"
            done
            ;;
        esac
    done
}
only hdf5 harness/store
only dnnl harness/engine
only oneapi harness/engine
only gsl/ harness/stats
only nettle/ harness/base
only sentencepiece harness/data
only simdjson harness/data
only yaml.h harness/config
only libxml/ harness/print
only mpi.h harness/ranks/mpi
only hwloc harness/base

# ---- code that is allowed in one file only, or not at all ----
product=$(echo "$code" | grep -v '^tests/')
once() { # WORDS FILE WHY: of the program's code, FILE alone has them
    grep -n "$1" $product /dev/null | grep -v "^$2:" |
        sed "s|^\([^:]*:[0-9]*\):.*|\1: $3|" |
        while read -r line; do say "$line"; done
}
once 'out of memory"\|, "out of memory' - 'no allocation returns NULL'
once '^ *# *include <jansson' harness/base/json.h \
    'include harness/base/json.h: <jansson.h> drops what it cannot say'
once '= realloc(' - 'lists grow by ARRAY_ROOM of harness/base/array.h'
once '__libc_[a-z]*(' harness/base/memory.c \
    'harness/base/memory.c alone goes past malloc'
once '\bjson_\(sprintf\|vsprintf\|stringn\|vpack_ex\|pack_ex\)\b' - \
    'answers NULL to bytes that are no UTF-8; see harness/base/json.h'
once '\bjson_\(pack\)(' 'harness/\(base\|store\)/[^:]*' \
    'results are relations (harness/base/relation.h) or facts of a sheet'
once '\bjson_[a-z]*_nocheck\b' - 'writes bytes that are no UTF-8'
once '"[^"]*`[A-Za-z%-][^`"'"'"']*'"'" - \
    'commands stand in backquotes, words of files in apostrophes'
# A row of output is a relation, not an object that is built by hand.  In the
# modules that print, a file sets at most four members by names in its text.
printing='^harness/(cmd|report|gate|claims|site|history)/|^plots/'
for f in $(echo "$product" | grep -E "$printing"); do
    n=$(grep -c 'json_object_set[a-z_]*([^"]*, "' "$f")
    [ "$n" -le 4 ] || say "$f: sets $n members of JSON objects; results" \
        'are relations (harness/base/relation.h) or facts of a sheet'
done
variants=$(sed -n '/^const struct variant /,/;/s/^ *\.name = "\(.*\)",/\1/p' \
    variants/*.c | paste -sd '|' - | sed 's/|/\\|/g')
[ -z "$variants" ] ||
    once "\(str[a-z]*cmp\|strstr\|_find\|_is\)(.*\"\($variants\)\"" - \
        'ask for a trait (harness/nn/attention.h), not for a name'

# ---- every plug-in has a row in its list ----
row='^const struct \([a-z_]*\) \1_\([a-z_0-9]*\) = .*'
grep -H "$row" $code |
    sed 's/:const struct \([a-z_]*\) \1_\([a-z_0-9]*\) = .*/ \1 \2/' |
while read -r f kind name; do
    list=$(dirname "$f")/list.h
    [ -f "$list" ] || list=$(dirname "$(dirname "$f")")/list.h
    [ -f "$list" ] || continue
    row="$(echo "$kind" | tr a-z A-Z)($name)"
    grep -q "^$row" "$list" || say "$f: there is no row $row in $list"
done

# ---- layout ----
awk '
    FNR == 1 { at = 0 }
    /^\{/ { at = FNR }
    /^\}/ {
        if (at && FNR - at > 60)
            print FILENAME ":" at ": a function of " FNR - at " lines"
        at = 0
    }
    { line = $0; gsub(/[\200-\277]/, "", line) }
    length(line) > 80 { print FILENAME ":" FNR ": over 80 columns" }
' $code | while read -r line; do say "$line"; done
found() { # PATTERN WHY
    grep -nE "$1" $code $scripts | sed "s|^\([^:]*:[0-9]*\):.*|\1: $2|"
}
{
    found "$(printf '\t')" 'a tab'
    found ' $' 'a trailing blank'
    grep -nE '\b(TODO|FIXME|XXX|HACK)\b' $code $scripts | grep -v 'grep -nE'
    tail -qc 1 $code $scripts | grep -qv '^$' && for f in $code $scripts; do
        [ -z "$(tail -c 1 "$f")" ] || echo "$f: no newline at the end"
    done
} | while read -r line; do say "$line"; done
for f in $scripts; do
    sh -n "$f" 2>&1 | while read -r line; do say "$line"; done
    case $f in
    *.t) [ -x "$f" ] || say "$f: must be executable" ;;
    esac
done

# ---- user-visible text: documents, messages, experiments ----
# Excludes stores and rendered results, which quote the words of footnotes, and
# fixtures, which quote those of file formats.
{
    find . -name '*.md' -not -path './build/*' -not -path './tests/data/*' \
        \( -not -path './results/*/*' -o -path './results/baselines/README.md' \)
    echo "$code"
    find experiments -name '*.yaml'
} | sort | xargs perl "${0%/*}/prose.pl" |
    while read -r line; do say "${line#./}"; done

# ---- every header compiles by itself ----
if command -v "${CC:-cc}" >/dev/null; then
    rows='^([A-Z]+\(.*| .*|#(if|def|end|und|pragma).*|/\*.*|)$'
    # A header that consists of rows or macros is a part of the file that
    # includes it, and is not compiled by itself.
    # shellcheck disable=SC2086 # one word per flag
    grep -lvE "$rows" $(echo "$code" | grep '\.h$') |
        xargs -n 1 -P "$(nproc)" "${CC:-cc}" ${CFLAGS-} -I. -fsyntax-only \
            -x c /dev/null -include 2>&1 |
        while read -r line; do say "$line"; done
else
    echo 'lint: there is no compiler: headers were not compiled' >&2
fi

[ ! -s "$bad" ]
