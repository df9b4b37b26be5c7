#!/bin/sh
# Completions in fish itself, installed as `make install` does.
command -v fish >/dev/null || {
    echo '1..0 # SKIP there is no fish: make deps-browser installs it'
    exit 0
}
. tests/support/tap.sh

export HOME="$work" XDG_DATA_DIRS="$work/share" # where fish looks by itself
mkdir -p "$work/share/fish/vendor_completions.d" "$work/bin"
cp "$program" "$work/bin/synthbench"
"$program" help --completion fish \
    >"$work/share/fish/vendor_completions.d/synthbench.fish"
ok 'fish reads them' fish -n "$work/share/fish/vendor_completions.d/synthbench.fish"
offers() { # LINE WORDS: of the first words of what it offers, these and no more
    PATH=$work/bin:$PATH fish -c 'complete -C "$argv[1]"' "$1" 2>"$work/err" |
        cut -f 1 | sort | paste -s -d ' ' - >"$work/out"
    [ "$(cat "$work/out")" = "$2" ]
}
cd "$work" || exit # a folder of few names
ok 'fish completes verbs' offers 'synthbench pl' 'plan plot'
ok '... subjects' offers 'synthbench verify sc' science
ok '... options' offers 'synthbench run --ti' --timeout
ok '... of a subject' offers 'synthbench verify exact --sa' --sample
ok '... that every verb has' offers 'synthbench run --vers' --version
ok '... no others' offers 'synthbench list --ti' ''
PATH=$work/bin:$PATH fish -c 'complete -C "synthbench run -"' >"$work/out"
ok '... letters too' says '^-j'
ok '... and says what each is for' says '^--timeout.*Time limit of a cell'

done_testing
