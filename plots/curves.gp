# Two panels side by side, one legend to the right of both: every variant with
# its last validation cross-entropy, the lowest first; under them, what is not drawn.
data = name . '.tsv'
array variant[n + 1]
array entry[n + 1]
do for [i = 1:n] {
    variant[i] = value(sprintf('variant%d', i))
    entry[i] = value(sprintf('entry%d', i))
}
series(i) = i > n ? 1 : value(sprintf('series%d', i)) # gnuplot tries one too many
of(curve, i) = strcol(1) eq curve && strcol(2) eq variant[i]
close = n <= 20 ? 1.0 : n >= 40 ? 0.5 : 20.0 / n # 20 lines fit into the legend
drawn(y) = abs(y) <= worst ? y : NaN

do for [kind in 'png svg'] {
    eval terminal(kind)
    set output name . '.' . kind
    set multiplot title title font ',16'
    set xlabel 'step'
    set label 1 note at screen 0.005, screen 0.016 left font ',11' \
        textcolor rgb '#444444'
    set tmargin at screen 0.87
    set bmargin at screen strlen(note) ? 0.125 : 0.11

    set title 'training loss, ' . unit . ' (moving mean)'
    set lmargin at screen 0.06
    set rmargin at screen 0.365
    set xrange [0:train_last]
    set yrange [train_low:train_high]
    unset key
    plot for [i = n:1:-1] data skip 1 \
        using 4:(of('train', i) ? drawn($6) : NaN) with lines lw 1.5 \
        lc rgb hue(series(i)) dt dash(series(i))

    unset label 1
    set title 'validation cross-entropy, ' . unit
    set lmargin at screen 0.425
    set rmargin at screen 0.73
    set xrange [0:valid_last]
    set yrange [valid_low:valid_high]
    # One column: beside the panels, not over them.
    set key at screen 0.995, screen 0.87 right top Right \
        spacing 1.35 samplen 2.5 font ',' . sprintf("%.1f", 12 * close) \
        title order font ",11"
    plot for [i = 1:n] data skip 1 \
        using 4:(of('valid', i) ? drawn($6) : NaN) with linespoints lw 2 ps 0.9 \
        lc rgb hue(series(i)) dt dash(series(i)) pt shape(series(i)) \
        title (i > sane ? '' : entry[i]), \
    for [i = sane + 1:n] keyentry with linespoints lw 2 ps 0.9 \
        lc rgb hue(series(i)) dt dash(series(i)) pt shape(series(i)) \
        title entry[i]
    unset multiplot
    unset output
}
