# Draws the efficiency in percent against the number of ranks, a line for each
# task.  A dotted line marks a sufficient efficiency; the assumptions are at
# the bottom.
data = name . '.tsv'
entry(i) = value(sprintf('label%d', i))

set title title font ',16'
set xlabel 'ranks'
set ylabel 'parallel efficiency, %' offset 1
set logscale x 2
set xrange [0.9:x1 * 1.1]
set yrange [0:105]
set xtics () out
do for [i = 0:16] { if (2 ** i <= x1) { set xtics add (2 ** i) } }
set bmargin 7
set label caption1 at screen 0.02, screen 0.06 left font ',11'
set label caption2 at screen 0.02, screen 0.03 left font ',11'
set arrow from graph 0, first enough to graph 1, first enough nohead back \
    lc rgb '#444444' dt 3 lw 1.5
set label sprintf('%.0f %%', enough) at graph 1, first enough right \
    offset -0.5, 0.6 textcolor rgb '#444444'
set key opaque bottom left reverse Left samplen 3 spacing 1.2

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    plot for [i = 1:n] data skip 1 using 1:i + 1 with linespoints \
        lw thick(i) ps mark(1.3) lc rgb hue(i) dt dash(i) pt shape(i) \
        title entry(i)
    unset output
}
