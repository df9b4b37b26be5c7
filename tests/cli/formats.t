#!/bin/sh
# Every format of a table has the same numbers (formats.pl), and LaTeX compiles:
# with pdflatex if it is installed (`make deps-long`); its structure is always
# checked.
. tests/support/tap.sh

made() { # JSON: its table in every form, in $work/t.*
    table=${1##*/table}
    for f in text:txt md:md tex:tex csv:csv json:json html:html; do
        sb table "${table%.json}" --all --from "$1" --format "${f%:*}" \
            -o "$work/t.${f#*:}"
        [ "$code" = 0 ] || return
    done
}
forms() { # of the numbers in $work/t.*
    (cd "$work" && perl "$here/tests/cli/formats.pl" t.json t.csv t.txt t.md \
        t.tex t.html)
}
# Checks LaTeX: every row of a table has as many fields as its columns, braces
# and environments are balanced, and special characters are escaped.
tex_stands() { perl -ne '
    next if /^%/;
    my $bare = s/\\[\\\$&%#_{}]/xx/gr;
    $depth += () = $bare =~ /\{/g;
    $depth -= () = $bare =~ /\}/g;
    push @open, $1 if /\\begin\{(\w+)\}/;
    if (/\\end\{(\w+)\}/) { (pop @open // "") eq $1 or die "\\end{$1}" }
    $columns = length $1 if /\\begin\{tabular\}\{([lr]+)\}/;
    if (s/ \\\\$//) {
        my $n = 1;
        $n += () = / & /g;
        $n += $_ - 1 for /\\multicolumn\{(\d+)\}/g;
        $n == $columns or die "$.: $n fields, not $columns: $_";
    }
    $bare =~ /[#_^~]|(?<!\\)%/ and die "$.: $&: $_";
    END { die "braces: $depth" if $depth; die "@open" if @open }' "$1"; }
compiles() { # FILE.tex
    { printf '%s\n' '\documentclass{article}' '\usepackage{booktabs}' \
        '\usepackage[T1]{fontenc}' '\begin{document}' '\input{t.tex}' \
        '\end{document}'; } >"$work/all.tex"
    (cd "$work" && pdflatex -draftmode -halt-on-error \
        -interaction=nonstopmode all.tex)
}
here=$PWD
seen=0
for json in results/baselines/*/table*.json tests/project/one_seed.json; do
    [ "$json" = tests/project/one_seed.json ] &&
        cp "$json" "$work/table2.json" && json=$work/table2.json
    seen=$((seen + 1))
    name=${json#results/baselines/}
    ok "$name is made in every form" made "$json"
    ok '... with the same numbers' forms
    ok '... and its LaTeX stands' tex_stands "$work/t.tex"
    if command -v pdflatex >/dev/null; then
        ok '... and compiles' compiles
    fi
done
ok 'there are such tables' test $seen -gt 10

# ---- formats.pl detects changed numbers ----
spoil() { # FILE PERL: another number in a form
    cp "$work/t.$1" "$work/kept"
    perl -CSD -pi -e "$2" "$work/t.$1"
    ! cmp -s "$work/t.$1" "$work/kept" && ! forms
    spoilt=$?
    mv "$work/kept" "$work/t.$1"
    return $spoilt
}
made results/baselines/quick/table2.json
ok 'another number is seen in text' spoil txt 's/2\.743/2.742/'
ok '... in Markdown' spoil md 's/2\.743/2.742/'
ok '... in LaTeX' spoil tex 's/2\.743/2.742/'
ok '... in HTML' spoil html 's/2\.743/2.742/'
ok '... in CSV' spoil csv 's/,2\.74(\d+),/,2.75$1,/'
made results/baselines/reduced/table7.json
ok 'another correlation is seen in text' spoil txt 's/\+0\.40 \[/+0.41 [/'
ok '... another bound of it in Markdown' spoil md 's/\[-0\.92/[-0.91/'
ok '... another p in LaTeX' spoil tex 's/p 0\.75;/p 0.74;/'
ok '... another tau in HTML' spoil html 's/\+0\.33, p/+0.34, p/'
ok '... in CSV' spoil csv 's/,4,0\.4,/,4,0.5,/'
done_testing
