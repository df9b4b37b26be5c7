# Draws one point for each variant, with its 95 % interval and its name.  A
# line joins them if the name could not be next to the point.
data = name . '.tsv'

set lmargin at screen left
set rmargin at screen right
set bmargin at screen bottom
set tmargin at screen top
set title title font ',16' offset 0, 1.2
set xlabel xtitle
set ylabel ytitle offset 1
eval levels
set label subtitle at graph 0.5, screen top + 0.03 center font ',11' \
    textcolor rgb '#444444'
set label note at screen 0.995, screen 0.018 right font ',11' \
    textcolor rgb '#444444'
set label absent at screen 0.005, screen 0.018 left font ',11' \
    textcolor rgb '#444444'
set xrange [x0:x1]
set yrange [y0:y1]
set x2range [0:1]
set y2range [0:1]
if (logarithms) {
    set logscale x
    set xtics ()
    do for [decade = -3:15] {
        do for [part in '1 2 5'] {
            at = part * 10.0 ** decade
            set xtics add (sprintf('%g', at) at)
        }
    }
}
set bars 0.6
unset key

# The order is: fronts, lines to names, intervals, white marks that hide them
# behind open marks, marks, names.
do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    plot for [s = 1:sets] data index s using 1:2 axes x2y2 with lines lw 2 \
            lc rgb '#949494', \
        for [i = 1:n] data skip 1 index 0 every ::i - 1::i - 1 \
            using 9:10:11:12 axes x2y2 with vectors nohead lw 1 \
            lc rgb hue(i), \
        for [i = 1:n] data skip 1 index 0 every ::i - 1::i - 1 \
            using ($2 / unit):3:4:5 with yerrorbars lw 1.2 ps 0 \
            lc rgb hue(i), \
        for [i = 1:n] data skip 1 index 0 every ::i - 1::i - 1 \
            using ($2 / unit):3 with points ps mark(1.8) \
            pt shape(i) / 2 * 2 + 1 lc rgb '#ffffff', \
        for [i = 1:n] data skip 1 index 0 every ::i - 1::i - 1 \
            using ($2 / unit):3 with points lw 2 ps mark(1.8) pt shape(i) \
            lc rgb hue(i), \
        for [i = 1:n] data skip 1 index 0 every ::i - 1::i - 1 \
            using 7:8:1 axes x2y2 with labels center boxed \
            textcolor rgb ink(i)
    unset output
}
