# Plots two columns of values against the step, with letters as points.
set terminal dumb mono noenhanced size 79,22
set output name . '.out'
unset grid
set xlabel 'step'
set ylabel ''
set key tmargin right horizontal
plot name . '.tsv' skip 1 using 1:2 with points pt '.' title train, \
     '' skip 1 using 1:3 with points pt 'o' title valid
unset output
