#!/bin/sh
# The documents: their examples are up to date, and the files that they name
# exist.
. tests/support/tap.sh
export LC_ALL=C.UTF-8

awk '/^<!-- make layers -->$/ { on = 1; next }
     on && /^```$/ { if (++fence == 2) exit; next }
     on { print }' ARCHITECTURE.md >"$work/shown"
make -s layers >"$work/layers" 2>"$work/err"
ok 'make layers draws every room' test "$(wc -l <"$work/layers")" -ge 16
ok 'ARCHITECTURE.md shows what make layers draws' \
    cmp "$work/shown" "$work/layers"
for room in $(awk '{ print $2 }' "$work/layers"); do
    ok "ARCHITECTURE.md says what $room is" grep -q "^| .*\`$room\`.* |" \
        ARCHITECTURE.md
done

ok 'README.md is under 200 lines' test "$(wc -l <README.md)" -lt 200
for text in README.md ARCHITECTURE.md CONTRIBUTING.md; do
    ok "no line of $text is over 120 columns" test -z \
        "$(perl -CSD -ne 'chomp; print "$.\n" if length > 120' $text |
           tee "$work/err")"
done
for text in docs/*.md results/README.md results/baselines/README.md; do
    ok "no line of $text outside tables and code is over 120 columns" test -z \
        "$(perl -CSD -ne 'chomp; $code = !$code if /^```/;
           print "$.\n" if length > 120 && !$code && !/^\|/' $text |
           tee "$work/err")"
done

# Links are relative to the folder of the document, file names in code to the
# root.
for text in $(find . -name '*.md' -not -path './build/*' \
    -not -path './results/baselines/*/*' | sort); do
    grep -o '](\([^)#]*\))' "$text" | sed 's/^](\(.*\))$/\1/' |
        grep -v ':' | while read -r to; do
        [ -e "${text%/*}/$to" ] || echo "$text: link to $to"
    done
    grep -o '`\(harness\|variants\|plots\|tests\|experiments\)/[a-z0-9_./-]*`' \
        "$text" | tr -d '`' | while read -r to; do
        [ -e "$to" ] || echo "$text: $to"
    done
done >"$work/missing"
ok 'every link and every file that documents name is there' \
    sh -c '! cat "$1" | grep .' - "$work/missing"
for script in harness/make/*.sh harness/make/*.pl; do
    ok "the Makefile or a script runs $script" \
        grep -rqF "$script" Makefile harness/make
done
# Names of packages appear in one list only.
awk '$1 == "build" && $2 ~ /-dev$/ { print $2 }' harness/make/packages \
    >"$work/libraries"
ok 'harness/make/packages has the libraries' \
    test "$(wc -l <"$work/libraries")" -ge 10
ok '... and nothing else names their packages' sh -c '
    ! grep -rwnF -f "$1" Makefile harness | grep -v "^harness/make/packages:"' \
    - "$work/libraries"
make -pn MPI=0 -f Makefile clean 2>/dev/null |
    sed -n 's/^\(PKGS\|ASIDE\) := //p' | tr ' ' '\n' |
    sed 's/^sentencepiece$/&\nprotobuf-lite/' | # which it requires
    sort >"$work/pkgs"
sed -n 's/^build .*library:\([^ ]*\).*/\1/p' harness/make/packages | sort \
    >"$work/listed"
ok '... and it has what the Makefile asks pkg-config for' \
    sh -c '[ -s "$1" ] && diff "$1" "$2"' - "$work/pkgs" "$work/listed"
ok 'CITATION.cff cites this program, and the paper as a reference' perl -0777 -ne '
    exit !(/^title: "synthbench/m && /^type: software$/m &&
           !/preferred-citation/ &&
           /^references:\n  - type: conference-paper\n    title: "Synthesizer: /m
          )' CITATION.cff

# Every dataset of a cell has a row in cell_layout.c
# (tests/train/test_stored.c).
sed -n 's/^    {"\([a-z_/*]*\)", {.*/\1/p' harness/store/cell_layout.c |
    sed 's|.*/||; /\*/d' | sort -u >"$work/datasets"
sed -n '/^## A cell file/,/^## Other files/p' docs/file-format.md >"$work/cell"
ok 'docs/file-format.md describes every dataset of a cell' sh -c '
    [ "$(wc -l <"$1")" -ge 30 ] && while read -r name; do
        grep -q "[\`/]$name\`" "$2" || { echo "$name"; exit 1; }; done <"$1"' \
    - "$work/datasets" "$work/cell"

done_testing
