# Draws one panel with logarithmic axes.  The name of each variant is followed
# by the maximum of its curve.
data = name . '.tsv'
of(i) = strcol(1) eq value(sprintf('name%d', i > n ? n : i)) && strcol(2) eq '-'

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    set title title font ',16' offset 0, 1.2
    set xlabel 'step'
    set ylabel 'RMS change of an unmasked logit per step' offset -0.3
    set lmargin at screen left_panel
    set rmargin at screen right_panel
    set tmargin at screen top_panel
    set bmargin at screen bottom_panel
    set logscale x 2
    set logscale y
    tick_low = low
    tick_high = high
    eval log_ticks
    set xrange [1:last]
    set yrange [low:high]
    unset key
    unset label
    unset arrow
    eval names
    set label order at screen right_panel + 0.022, screen top_panel + 0.03 left \
        font ',11' textcolor rgb '#444444'
    set label note at screen 0.005, screen 0.016 left font ',11' \
        textcolor rgb '#444444'
    set label told at graph 0.5, screen top_panel + 0.03 center font ',11' \
        textcolor rgb '#444444'
    plot for [i = n:1:-1] data skip 1 \
        using 3:(of(i) ? $5 : NaN):(of(i) ? $6 : NaN) \
        with filledcurves fs transparent solid 0.15 noborder lc rgb hue(i), \
    for [i = n:1:-1] data skip 1 \
        using 3:(of(i) ? $4 : NaN) with linespoints lw thick(i) ps mark(0.9) \
        lc rgb hue(i) dt dash(i) pt shape(i)
    unset output
}
