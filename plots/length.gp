# Draws three panels: the loss, and on logarithmic axes the measured time and
# the counted operations.  A ring marks where a variant costs as much as the
# first one.
data = name . '.tsv'
of(i, what) = strcol(1) eq value(sprintf('name%d', i > n ? n : i)) && strcol(2) eq what

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    unset label
    unset arrow
    set multiplot title title font ',16'
    set logscale xy
    set xlabel 'length N'
    set xrange [least:most]
    set xtics ()
    do for [i = 1:lengths] { set xtics add (value(sprintf('length%d', i))) }
    unset key

    set title work_title
    set lmargin at screen left_work
    set rmargin at screen right_work
    set bmargin at screen bottom_work
    set tmargin at screen top_work
    set yrange [work_low:work_high]
    tick_low = work_low
    tick_high = work_high
    eval log_ticks
    eval names
    set label note at screen 0.005, screen 0.016 left font ',11' \
        textcolor rgb '#444444'
    set label told at screen 0.5, screen 0.945 center font ',11' \
        textcolor rgb '#444444'
    plot for [i = n:1:-1] data skip 1 using 3:(of(i, 'run') ? $5 / unit : NaN) \
        with linespoints lw thick(i) ps mark(1) lc rgb hue(i) dt dash(i) pt shape(i), \
    for [i = n:1:-1] data skip 1 using 3:(of(i, 'even') ? $5 / unit : NaN) \
        with points pt 6 ps mark(2.6) lw 2 lc rgb hue(i)

    unset label
    unset arrow
    set title 'microseconds per token, measured'
    set lmargin at screen left_time
    set rmargin at screen right_time
    set yrange [time_low:time_high]
    tick_low = time_low
    tick_high = time_high
    eval log_ticks
    set label silent at graph 0.5, graph 0.5 center textcolor rgb '#444444'
    plot for [i = n:1:-1] data skip 1 using 3:(of(i, 'run') ? $4 * 1e6 : NaN) \
        with linespoints lw thick(i) ps mark(1) lc rgb hue(i) dt dash(i) pt shape(i), \
    for [i = n:1:-1] data skip 1 using 3:(of(i, 'even') ? $4 * 1e6 : NaN) \
        with points pt 6 ps mark(2.6) lw 2 lc rgb hue(i)

    unset label
    unset logscale y
    set title 'test cross-entropy, nats/token'
    set lmargin at screen left_loss
    set rmargin at screen right_loss
    set yrange [loss_low:loss_high]
    set ytics autofreq
    set label band at screen left_loss, screen top_loss + 0.015 left \
        font ',11' textcolor rgb '#444444'
    plot for [i = n:1:-1] data skip 1 \
        using 3:(of(i, 'run') ? $7 : NaN):(of(i, 'run') ? $8 : NaN) \
        with filledcurves fs transparent solid 0.15 noborder lc rgb hue(i), \
    for [i = n:1:-1] data skip 1 using 3:(of(i, 'run') ? $6 : NaN) \
        with linespoints lw thick(i) ps mark(1) lc rgb hue(i) dt dash(i) pt shape(i)
    unset multiplot
    unset output
}
