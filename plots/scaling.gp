# Draws milliseconds per step against length, width or threads, on logarithmic
# axes.  A dotted line marks where a variant has as many parameters as
# dot-product attention.
data = name . '.tsv'
entry(i) = value(sprintf('label%d', i))
even(i) = value(sprintf('even%d', i))
cross(i) = value(sprintf('cross%d', i))

set title title font ',16'
set xlabel xtitle
set ylabel 'milliseconds per training step' offset 1
set logscale xy
set xrange [x0 / 1.1:x1 * 1.1]
set xtics (x0)
do for [i = 1:12] { set xtics add (x0 * 2 ** i) }
set key opaque top left reverse Left samplen 2 spacing 1.3
do for [i = 1:n] {
    if (even(i) > x0 && even(i) < x1) {
        set arrow i from even(i), graph 0 to even(i), graph 1 nohead back \
            lc rgb hue(i) dt 3 lw 1.5
        words = sprintf('equal parameters at %g', even(i))
        if (even(i) ** 2 > x0 * x1) { # on the right there is less room
            set label i words at even(i), graph 0.03 * i right \
                offset -0.5, 0 textcolor rgb ink(i)
        } else {
            set label i words at even(i), graph 0.03 * i left \
                offset 0.5, 0 textcolor rgb ink(i)
        }
    }
}

# Rings mark where a variant is measured to be as fast as the first one.
do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    do for [i = 1:n] {
        if (cross(i) > 0) {
            set label 100 + i value(sprintf('ring%d', i)) at cross(i), \
                value(sprintf('height%d', i)) left point pt 6 ps mark(3) lw 2 \
                lc rgb hue(i) offset 1.4, -0.8 textcolor rgb ink(i)
        }
    }
    plot for [i = 1:n] data skip 1 using 1:i + 1 with linespoints \
        lw thick(i) ps mark(1.4) lc rgb hue(i) dt dash(i) pt shape(i) \
        title entry(i)
    unset output
}
