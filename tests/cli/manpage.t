#!/bin/sh
# The man page as man shows it: there are no warnings, and its characters can be
# pasted into a shell in any locale.
command -v man >/dev/null || {
    echo '1..0 # SKIP there is no man: make deps-browser installs it'
    exit 0
}
. tests/support/tap.sh

export MANWIDTH=78 MAN_KEEP_FORMATTING= MANROFFOPT='-c -w all'
"$program" help --man >"$work/synthbench.1"
ok 'its source is ASCII' sh -c '! LC_ALL=C grep -q "[^ -~]" "$1"' - \
    "$work/synthbench.1"
shown() { # LOCALE DEVICE FILE
    LC_ALL=$1 man -E "$1" -T"$2" -l "$work/synthbench.1" 2>"$work/err" |
        sed 's/.\x08//g' >"$work/$3"
    cat "$work/err"
    [ ! -s "$work/err" ] && [ "$(wc -l <"$work/$3")" -gt 500 ]
}
ok 'man shows it in the C locale, without a complaint' shown C ascii c
ok '... and in UTF-8' shown C.UTF-8 utf8 utf8
ok '... which are the same letters' diff "$work/c" "$work/utf8"
for words in "'variant~random && task==lm1b'" '`list keys`' --data-dir \
    '-h, --help'; do
    ok "it says $words" grep -qF -e "$words" "$work/utf8"
done
if command -v lexgrog >/dev/null; then
    ok 'apropos finds its first line' sh -c 'lexgrog "$1" |
        grep -q "\"synthbench - train the Synthesizer"' - "$work/synthbench.1"
fi

done_testing
