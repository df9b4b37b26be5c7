#!/bin/sh
# Completions in zsh itself, installed as `make install` does.
command -v zsh >/dev/null || {
    echo '1..0 # SKIP there is no zsh: make deps-browser installs it'
    exit 0
}
. tests/support/tap.sh

mkdir "$work/fpath"
"$program" help --completion zsh >"$work/fpath/_synthbench"
ok 'zsh reads them' zsh -n "$work/fpath/_synthbench"

# A shell on a terminal: types a line and presses Tab.
cat >"$work/tab.zsh" <<'Z'
folder=$1 line=$2 pattern=$3 most=${4:-400}
zmodload zsh/zpty
seen() { # PATTERN TIMES
    for i in {1..$2}; do
        while zpty -r -t shell part; do out+=$part; done
        [[ $out == *${~1}* ]] && return
        sleep 0.05
    done
    return 1
}
out=
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=($folder \$fpath); autoload -U compinit; compinit -D -u; echo rea''dy"
seen ready 400
out=
zpty -w -n shell "$line"$'\t'
seen $pattern $most
found=$?
print -r -- "$out"
zpty -d shell
exit $found
Z
offers() { # LINE PATTERN [TIMES]
    zsh -f "$work/tab.zsh" "$work/fpath" "$@"
}
ok 'zsh completes verbs, at the first time' offers 'synthbench pl' 'plan*plot'
ok '... subjects' offers 'synthbench verify sc' science
ok '... options' offers 'synthbench run --ti' --timeout
ok '... that every verb has' offers 'synthbench run --vers' --version
ok '... of each verb its own' offers 'synthbench list --fo' --format
others() { ! offers 'synthbench list --ti' --timeout 20; }
ok '... and no others' others
ok '... of an option its values' offers 'synthbench table 2 --format=cs' csv

done_testing
