#!/bin/sh
# Help, man page and shell completions. manpage.t, zsh.t and fish.t test how
# man, zsh and fish process them.
. tests/support/tap.sh

sb help
ok 'help lists the verbs' says '^  run  *Train '
sb run --help
cp "$work/out" "$work/of_run"
sb help run
ok 'help VERB is its --help' says '^  *--extend  '
ok '... with as many lines' sh -c '[ "$(wc -l <"$1")" -ge \
    "$(($(wc -l <"$2") - 12))" ]' - "$work/out" "$work/of_run"
sb help verify store
ok 'help VERB SUBJECT' says '^  *--store=DIR'
sb help verify stor
ok 'an unknown subject, with the nearest' exits 2 "did you mean 'store'?"
sb help run store
ok 'a subject of a verb that has none' exits 2 'run has no subcommands'
sb help
ok 'help names the glossary' says 'synthbench help glossary'
sb help glossary
ok 'help glossary prints the terms' says '^\* cell: One training run'
ok '... in 80 columns, without asterisks for bold' \
    sh -c '! grep -qE "\*\*|.{80}" "$1"' - "$work/out"
ok '... in alphabetical order' sh -c '
    sed -n "s/^\* \([^:]*\):.*/\1/p" "$1" | LC_ALL=C sort -c -f' - "$work/out"
sb help --man --completion bash
ok 'one thing at a time' exits 2 'one of COMMAND, --man and --completion'

# ---- the man page ----

sb help --man
cp "$work/out" "$work/page"
mkdir "$work/of"
prints "$work/commands" "$work/err" --help
listed() { sed -n "/^$1:/,/^\$/s/^  \\([a-z]*\\) .*/\\1/p" "$2"; } # HEAD FILE
for verb in $(listed Commands "$work/commands"); do
    echo "$verb"
    prints "$work/of/$verb" "$work/err" "$verb" --help
    for subject in $(listed Subcommands "$work/of/$verb"); do
        echo "$verb $subject"
        prints "$work/of/$verb $subject" "$work/err" "$verb" "$subject" --help
    done
done >"$work/verbs"
# Prints the options in the --help of a command that the command's section of
# the man page lacks, except options that every command has.
perl -e 'local $/; my ($page, @help) = @ARGV;
    open my $in, "<", $page; my $all = <$in>; $all =~ s/\\-/-/g;
    my %section = $all =~ /^\.SS synthbench (.*)\n((?:(?!\.S).*\n)*)/mg;
    for my $help (@help) {
        open my $in, "<", $help; (my $verb = $help) =~ s!.*/!!;
        for (<$in> =~ /^ +(?:-[A-Za-z], )* *(--[a-z-]+)/mg) {
            print "$verb: $_\n" unless /^--(help|usage|version)$/ ||
                $section{$verb} =~ /\Q$_\E\\fR/;
            $n++ }
    }
    print "$n options\n" if $n < 200' "$work/page" "$work"/of/* >"$work/missing"
ok 'there are verbs and subjects' test "$(wc -l <"$work/verbs")" -gt 20
ok 'the man page has every option of every verb' test ! -s "$work/missing"
for name in $(grep -rho 'getenv("[A-Z_]*")' harness plots variants |
    sed 's/.*"\(.*\)".*/\1/' | sort -u); do
    ok "the man page has the variable $name" grep -q "^\\.B .*$name" "$work/page"
done
for code in $(sed -n 's/^ *ERR_[A-Z]* = -\([1-9]\),.*/\1/p' harness/base/err.h); do
    ok "the man page has exit code $code" grep -q "^\\.B ..$code\$" "$work/page"
done
ok 'no line of it is a request by accident' sh -c '! grep "^[.'"'"']" "$1" |
    grep -qv "^\.\(TH\|SH\|SS\|TP\|PP\|B\|I\|br\|nh\)"' - "$work/page"

while read -r verb subject; do
    for short in -h '-?'; do
        # shellcheck disable=SC2086 # a subject, or none
        prints "$work/short" "$work/err" "$verb" $subject "$short"
        cmp "$work/short" "$work/of/$verb${subject:+ $subject}"
    done
done <"$work/verbs" >"$work/other" 2>&1
ok '-h, and -? as before, are --help of every verb' test ! -s "$work/other"
prints "$work/short" "$work/err" -h
sb --help
ok '... and of the program' cmp "$work/short" "$work/out"
ok '... which tell so' says '^  -h, --help  *Print this help$'
ok '... as the man page does' grep -q '^.fB.-h.fR, .fB.*help.fR$' "$work/page"

# ---- completions ----

prints "$work/bash" "$work/err" help --completion bash
completed() { # WORD...: what bash offers for the last of them
    bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _synthbench
             echo "${COMPREPLY[*]}"' "$work/bash" synthbench "$@"
}
all_completed() {
    [ "$(completed pl)" = 'plan plot' ] || return
    [ "$(completed verify s)" = 'science signature statistics store' ] || return
    [ "$(completed run --ti)" = '--timeout' ] || return
    [ "$(completed run --he)" = '--help' ] || return
    [ "$(completed run --vers)" = '--version' ] || return
    [ "$(completed verify exact --sa)" = '--sample' ] || return
    [ "$(completed table 2 --format '')" = 'text md tex csv json html' ] ||
        return
    [ "$(completed table 2 --format = m)" = 'md' ] || return
    [ "$(completed table 2 --format=m)" = '--format=md' ] || return
    [ -z "$(completed run exp)" ] # files
}
ok 'bash completes verbs, subjects, options and formats' all_completed
for shell in zsh fish; do
    prints "$work/$shell" "$work/err" help --completion $shell
    ok "$shell has each verb" sh -c 'while read -r verb rest; do
        grep -q "\<$verb\>" "$1" || exit; done <"$2"' - "$work/$shell" \
        "$work/verbs"
done

sb help --completion ksh
ok 'an unknown shell' exits 2 "unknown shell 'ksh'"

done_testing
