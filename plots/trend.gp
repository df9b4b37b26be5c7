# Draws values against the commits, a line for each cell, with its name at the
# right.  Rings and dashed vertical lines mark changes of level, with the name
# of the commit at the top.
data = name . '.tsv'
place(list, i) = value(sprintf('%s%d_at', list, i))
name_of(list, i) = value(sprintf('%s%d', list, i))
of(i) = strcol(6) eq value(sprintf('name%d', i > n ? n : i))
dot = last > 80 ? 0.3 : 0.7

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    set lmargin at screen left_panel
    set rmargin at screen right_panel
    set tmargin at screen top_panel
    set bmargin at screen bottom_panel
    unset arrow
    unset label
    eval names
    set label title at screen 0.02, screen 0.965 left font ',16'
    set ylabel axis offset 0.5
    set xrange [-0.5:last + 0.5]
    set yrange [low:high]
    set xtics rotate by -35 left () font ',11'
    do for [i = 1:tics] { set xtics add (name_of('tic', i) place('tic', i)) }
    do for [i = 1:changes] {
        x = place('change', i)
        set arrow from x, graph 0 to x, graph 1 nohead back dt 2 lw 1.2 \
            lc rgb '#888888'
        set label name_of('change', i) at x, graph 1.015 left rotate by 35 \
            font ',11' textcolor rgb '#A84A00'
    }
    unset key
    plot for [i = 1:n] data skip 1 using 2:(of(i) ? $3 : NaN) \
        with linespoints lw thick(i) ps dot lc rgb hue(i) dt dash(i) \
        pt shape(i), \
    for [i = 1:n] data skip 1 using 2:(of(i) && $4 == 1 ? $3 : NaN) \
        with points pt 6 ps mark(2.4) lw 2 lc rgb hue(i)
    unset output
}
