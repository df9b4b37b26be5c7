# Draws a panel for each cell: the change of its value in percent since the
# first commit.  Rings mark changes of level, with the name of the commit.
data = name . '.tsv'
of(i) = strcol(6) eq get('name', i)
dot = last > 80 ? 0.3 : 0.7
left = 70.0
gap = 14.0
each = (width - left - 10.0) / across
rows = int((n + across - 1) / across)

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    set multiplot
    set label 1 title at screen 0.01, screen 1 - 22.0 / height left font ',16'
    set label 2 axis at screen 0.01, screen 1 - 44.0 / height left \
        font ',12' textcolor rgb '#444444'
    unset key
    set xrange [-0.5:last + 0.5]
    set yrange [low:high]
    do for [i = 1:n] {
        row = int((i - 1) / across)
        column = (i - 1) - row * across
        set lmargin at screen (left + column * each) / width
        set rmargin at screen (left + (column + 1) * each - gap) / width
        set tmargin at screen 1 - (head + row * panel + 26.0) / height
        set bmargin at screen 1 - (head + (row + 1) * panel - 8.0) / height
        set label 3 get('name', i) at graph 0, graph 1.08 left font ',12' \
            textcolor rgb ink(i)
        set label 4 get('values', i) at graph 1, graph 1.08 \
            right font ',11' textcolor rgb '#444444'
        set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead back \
            lw 1.2 lc rgb '#444444'
        if (column == 0) { set ytics format '%+g' font ',11'
        } else { set ytics format '' }
        set xtics ('' 0, '' last)
        unset label 5
        unset label 6
        if (i + across > n) {
            set label 5 from at graph 0, graph -0.14 left font ',11'
            set label 6 to at graph 1, graph -0.14 right font ',11'
        }
        plot data skip 1 using 2:(of(i) ? $7 : NaN) \
            with linespoints lw thick(i) ps dot lc rgb hue(i) pt shape(i), \
            data skip 1 using 2:(of(i) && $4 == 1 ? $7 : NaN) \
            with points pt 6 ps mark(2.4) lw 2 lc rgb hue(i), \
            data skip 1 using 2:(of(i) && $4 == 1 ? $7 : NaN):8 \
            with labels offset 0, 1 font ',11' textcolor rgb '#A84A00'
        unset label 1
        unset label 2
    }
    unset multiplot
    unset output
}
