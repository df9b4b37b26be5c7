# One panel of logarithms; the legend has every variant with its largest move,
# the farthest first.
data = name . '.tsv'
array variant[n + 1]
array entry[n + 1]
do for [i = 1:n] {
    variant[i] = value(sprintf('variant%d', i))
    entry[i] = value(sprintf('entry%d', i))
}
series(i) = i > n ? 1 : value(sprintf('series%d', i)) # gnuplot tries one too many
of(i) = strcol(1) eq variant[i]
drawn(y) = y > 0 ? y : NaN

do for [kind in 'png svg'] {
    eval terminal(kind)
    set output name . '.' . kind
    set title title font ',16'
    set xlabel 'step'
    set ylabel 'root mean square change of a visible logit in one step' offset 1
    set label 1 note at screen 0.005, screen 0.016 left font ',11' \
        textcolor rgb '#444444'
    set lmargin at screen 0.095
    set rmargin at screen 0.73
    set tmargin at screen 0.92
    set bmargin at screen 0.11
    set logscale x 2
    set logscale y
    set ytics ()
    do for [k = -12:12] {
        do for [m in '1 2 5'] {
            set ytics add (sprintf('%g', m * 10.0 ** k) m * 10.0 ** k)
        }
    }
    set xrange [1:last]
    set yrange [low:high]
    set key at screen 0.995, screen 0.92 right top Right spacing 1.35 \
        samplen 2.5 font ',12' title order font ',11'
    plot for [i = 1:n] data skip 1 \
        using 3:(of(i) ? drawn($4) : NaN) with linespoints lw 2 ps 0.9 \
        lc rgb hue(series(i)) dt dash(series(i)) pt shape(series(i)) notitle, \
    for [i = 1:n] keyentry with linespoints lw 2 ps 0.9 \
        lc rgb hue(series(i)) dt dash(series(i)) pt shape(series(i)) \
        title entry[i]
    unset output
}
