# Two panels of one vertical axis; the legend has every line with the mean
# cross-entropy of its most steps.
data = name . '.tsv'
array variant[n + 1]
array entry[n + 1]
do for [i = 1:n] {
    variant[i] = value(sprintf('variant%d', i))
    entry[i] = value(sprintf('entry%d', i))
}
of(i) = strcol(1) eq variant[i]
mean(i) = of(i) && strcol(3) eq '-' ? $5 : NaN
seed(i) = of(i) && strcol(3) ne '-' ? $5 : NaN

do for [kind in 'png svg'] {
    eval terminal(kind)
    set output name . '.' . kind
    set multiplot title title font ',16'
    set label 1 note at screen 0.005, screen 0.016 left font ',11' \
        textcolor rgb '#444444'
    set tmargin at screen 0.87
    set bmargin at screen strlen(note) ? 0.125 : 0.11
    set yrange [low:high]
    set logscale x

    set title 'test cross-entropy, nats'
    set xlabel 'steps of training'
    set lmargin at screen 0.06
    set rmargin at screen 0.385
    set xrange [steps_least:steps_most]
    set xtics ()
    unset key
    plot for [i = 1:n] data skip 1 using 2:(seed(i)) with points pt 7 ps 0.5 \
        lc rgb hue(i), \
    for [i = 1:n] data skip 1 using 2:(mean(i)):xtic(2) with linespoints lw 2 ps 0.9 \
        lc rgb hue(i) dt dash(i) pt shape(i)

    unset label 1
    set xlabel 'processor seconds of training'
    set lmargin at screen 0.425
    set rmargin at screen 0.75
    set xrange [seconds_least:seconds_most]
    set xtics ()
    do for [decade = 0:6] {
        do for [part in '1 2 5'] {
            at = part * 10 ** decade
            set xtics add (sprintf('%g', at) at)
        }
    }
    set key at screen 0.995, screen 0.87 right top Right spacing 1.35 samplen 2.5 \
        font ",12"
    plot for [i = 1:n] data skip 1 using 4:(seed(i)) with points pt 7 ps 0.5 \
        lc rgb hue(i) notitle, \
    for [i = 1:n] data skip 1 using 4:(mean(i)) with linespoints lw 2 ps 0.9 \
        lc rgb hue(i) dt dash(i) pt shape(i) title entry[i]
    unset multiplot
    unset output
}
