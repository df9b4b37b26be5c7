# One point a variant with its 95 % interval; its name beside it, joined by a
# line where it had to stand apart.
data = name . '.tsv'
n = words(numbers)
series(i) = int(word(numbers, i))

set lmargin at screen left
set rmargin at screen right
set bmargin at screen bottom
set tmargin at screen top
set title title font ',16'
set xlabel xtitle
set ylabel ytitle offset 1
set label note at screen right, screen 0.016 right font ',11' \
    textcolor rgb '#444444'
set label absent at screen 0.005, screen 0.016 left font ',11' \
    textcolor rgb '#444444'
set xrange [x0:x1]
set yrange [y0:y1]
set bars 0.6
unset key

do for [kind in 'png svg'] {
    eval terminal(kind)
    set output name . '.' . kind
    plot for [i = 1:n] data skip 1 every ::i - 1::i - 1 \
            using 8:9:10:11 with vectors nohead lw 1 lc rgb hue(series(i)), \
        for [i = 1:n] data skip 1 every ::i - 1::i - 1 \
            using 2:3:4:5 with yerrorbars lw 1.2 ps 1.8 \
            lc rgb hue(series(i)) pt shape(series(i)), \
        for [i = 1:n] data skip 1 every ::i - 1::i - 1 \
            using 6:7:1 with labels center textcolor rgb ink(series(i))
    unset output
}
