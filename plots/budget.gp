# Draws two panels with a common vertical axis.  The name of each line is
# followed by the mean cross-entropy at its most steps.
data = name . '.tsv'
of(i) = strcol(1) eq value(sprintf('name%d', i > n ? n : i))
mean(i) = of(i) && strcol(3) eq '-' ? $5 : NaN
seed(i) = of(i) && strcol(3) ne '-' ? $5 : NaN

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    unset label
    unset arrow
    set multiplot title title font ',16'
    set yrange [low:high]
    set logscale x
    set title 'test cross-entropy, nats/token'
    unset key

    set xlabel 'processor seconds of training'
    set lmargin at screen left_seconds
    set rmargin at screen right_seconds
    set bmargin at screen bottom_seconds
    set tmargin at screen top_seconds
    set xrange [seconds_least:seconds_most]
    set xtics ()
    do for [decade = -3:6] {
        do for [part in '1 2 5'] {
            at = part * 10.0 ** decade
            set xtics add (sprintf('%g', at) at)
        }
    }
    eval names
    eval levels
    set label order at screen right_seconds + 0.022, screen top_seconds + 0.03 \
        left font ',11' textcolor rgb '#444444'
    set label note at screen 0.005, screen 0.016 left font ',11' \
        textcolor rgb '#444444'
    set label beyond at screen 0.995, screen 0.016 right font ',11' \
        textcolor rgb '#444444'
    set label told at screen 0.5, screen 0.945 center font ',11' \
        textcolor rgb '#444444'
    plot for [i = n:1:-1] data skip 1 using 4:(seed(i)) with points pt 7 ps mark(0.5) \
        lc rgb hue(i), \
    for [i = n:1:-1] data skip 1 using 4:(mean(i)) with linespoints lw thick(i) \
        ps mark(0.9) lc rgb hue(i) dt dash(i) pt shape(i)

    unset label
    unset arrow
    eval levels
    set xlabel 'training steps'
    set lmargin at screen left_steps
    set rmargin at screen right_steps
    set xrange [steps_least:steps_most]
    set xtics ()
    plot for [i = n:1:-1] data skip 1 using 2:(seed(i)) with points pt 7 ps mark(0.5) \
        lc rgb hue(i), \
    for [i = n:1:-1] data skip 1 using 2:(mean(i)):xtic(2) with linespoints \
        lw thick(i) ps mark(0.9) lc rgb hue(i) dt dash(i) pt shape(i)
    unset multiplot
    unset output
}
