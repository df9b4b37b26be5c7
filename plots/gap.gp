# Draws one panel: differences on a linear axis, the varied number on a
# logarithmic one.  Dots are seeds, lines join means.
data = name . '.tsv'
of(i, what) = strcol(1) eq value(sprintf('name%d', i > n ? n : i)) && strcol(2) eq what

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    set title title font ',16' offset 0, 1.2
    set xlabel axis
    set ylabel 'difference in test cross-entropy, nats'
    set lmargin at screen left_panel
    set rmargin at screen right_panel
    set tmargin at screen top_panel
    set bmargin at screen bottom_panel
    set logscale x 2
    set xrange [least / 1.1:most * 1.1]
    set xtics ()
    do for [i = 1:numbers] { set xtics add (value(sprintf('number%d', i))) }
    set yrange [low:high]
    unset key
    unset label
    unset arrow
    eval names
    set arrow from graph 0, first 0 to graph 1, first 0 nohead lw 1.5 \
        lc rgb '#444444'
    set label note at screen 0.005, screen 0.016 left font ',11' \
        textcolor rgb '#444444'
    set label told at graph 0.5, screen top_panel + 0.03 center font ',11' \
        textcolor rgb '#444444'
    plot for [i = n:1:-1] data skip 1 using 3:(of(i, 'mean') ? $5 : NaN) \
        with linespoints lw thick(i) ps 0 lc rgb hue(i) dt dash(i), \
    for [i = n:1:-1] data skip 1 using 3:(of(i, 'seed') ? $5 : NaN) \
        with points ps mark(1) lw 1.2 lc rgb hue(i) pt shape(i)
    unset output
}
