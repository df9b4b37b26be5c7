# Draws two panels side by side with a common vertical axis.  The names of the
# lines are at the right, with the last validation cross-entropy; cells that
# are not drawn are listed at the bottom.
data = name . '.tsv'
band(curve, i) = int(of_row(curve, i))
# Returns the first marked point: curves have their marks at different steps.
first(i) = int(marked * (i - 1) / n)

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    unset label
    unset arrow
    set multiplot title title font ',16'
    set xlabel 'step'
    set yrange [low:high]
    unset key

    set title 'validation cross-entropy, ' . unit
    set lmargin at screen left_valid
    set rmargin at screen right_valid
    set bmargin at screen bottom_valid
    set tmargin at screen top_valid
    set xrange [0:valid_last]
    eval names
    set label order at screen right_valid + 0.022, screen top_valid + 0.03 left \
        font ',11' textcolor rgb '#444444'
    set label note at screen 0.005, screen 0.016 left font ',11' \
        textcolor rgb '#444444'
    set label beyond at screen 0.995, screen 0.016 right font ',11' \
        textcolor rgb '#444444'
    set label told at screen 0.5, screen 0.945 center font ',11' \
        textcolor rgb '#444444'
    eval levels
    if (valid_cut) { eval cut_mark }
    plot for [i = n:1:-1] data skip 1 index band('valid', i) using 4:7:8 \
        with filledcurves fs transparent solid 0.15 noborder lc rgb hue(i), \
    for [i = n:1:-1] data skip 1 index band('valid', i) using 4:6 \
        with linespoints lw thick(i) ps mark(1.3) \
        lc rgb hue(i) dt dash(i) pt shape(i)

    unset label
    unset arrow
    set title 'training loss, ' . unit
    set lmargin at screen left_train
    set rmargin at screen right_train
    set xrange [0:train_last]
    if (train_cut) { eval cut_mark }
    plot for [i = n:1:-1] data skip 1 index band('train', i) using 4:7:8 \
        with filledcurves fs transparent solid 0.15 noborder lc rgb hue(i), \
    for [i = n:1:-1] data skip 1 index band('train', i) using 4:6 \
        with lines lw thick(i) lc rgb hue(i) dt dash(i), \
    for [i = n:1:-1] data skip 1 index band('train', i) \
        every int(marked)::first(i) using 4:6 \
        with points lw thick(i) ps mark(1.3) lc rgb hue(i) pt shape(i)
    unset multiplot
    unset output
}
