# Draws panels of lines side by side.  In each panel, bands are drawn first,
# then dots, lines and the marks of lines; the lowest line is drawn last.  The
# names of the lines are at the right of the first panel.
data = name . '.tsv'
block(k, i) = int(of_row('block', panels * (i - 1) + k))
# gnuplot also reads the data for i = 0 where no plot is wanted, and warns if no
# point is valid.
is(i) = i < 1 || strcol(1) eq get('name', i > n ? n : i)
# Size and line width of the dots; the index is the kind of dots plus 1.
array dot_size[3] = [0, 0.5, 1]
array dot_line[3] = [0, 1, 1.2]

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    set multiplot title title font ',16'
    unset key
    set bmargin at screen bottom
    set tmargin at screen top
    do for [k = 1:panels] {
        unset label
        unset arrow
        set title get('title', k)
        set xlabel get('x_title', k)
        set ylabel get('y_title', k) offset -0.3
        set lmargin at screen get('left', k)
        set rmargin at screen get('right', k)
        low = get('low', k)
        high = get('high', k)
        set xrange [get('least', k):get('most', k)]
        set yrange [low:high]
        unset logscale
        set xtics autofreq
        set ytics autofreq
        if (get('log_x', k)) {
            set logscale x
            set xtics ()
            do for [decade = -3:6] {
                do for [part in '1 2 5'] {
                    at = part * 10.0 ** decade
                    set xtics add (sprintf('%g', at) at)
                }
            }
        }
        if (get('ticks', k)) {
            set xtics ()
            do for [i = 1:ticks] { set xtics add (get('tick', i)) }
        }
        if (get('log_y', k)) {
            set logscale y
            tick_low = low
            tick_high = high
            eval log_ticks
        }
        if (k == 1) {
            eval names
            set label order at screen get('right', 1) + 0.022, \
                screen top + 0.03 left font ',11' textcolor rgb '#444444'
            set label note at screen 0.005, screen 0.016 left font ',11' \
                textcolor rgb '#444444'
            set label beyond at screen 0.995, screen 0.016 right font ',11' \
                textcolor rgb '#444444'
            set label subtitle at screen 0.5, screen 0.945 center font ',11' \
                textcolor rgb '#444444'
        }
        if (get('levels', k)) { eval levels }
        if (get('cut', k)) { eval cut_mark }
        if (zero) {
            set arrow from graph 0, first 0 to graph 1, first 0 nohead lw 1.5 \
                lc rgb '#444444'
        }
        x = int(get('x', k))
        y = int(get('y', k))
        band = int(get('band', k))
        lower = band > 0 ? band : y
        upper = band > 0 ? band + 1 : y
        every = int(get('every', k))
        step = every > 0 ? every : 1
        # Lines have their marks at different points.
        first(i) = int(1.0 * every * (i - 1) / n)
        plot for [i = n * (band > 0):1:-1] data index block(k, i) \
                using x:(column(lower)):(column(upper)) with filledcurves \
                fs transparent solid 0.15 noborder lc rgb hue(i), \
            for [i = n * (dots > 0):1:-1] data index 0 \
                using x:(is(i) ? column(y) : NaN) with points \
                pt (dots == 2 ? shape(i) : 7) \
                ps mark(dot_size[dots + 1]) \
                lw dot_line[dots + 1] lc rgb hue(i), \
            for [i = n:1:-1] data index block(k, i) \
                using x:(column(y)) with lines lw thick(i) \
                lc rgb hue(i) dt dash(i), \
            for [i = n * (every > 0):1:-1] data index block(k, i) \
                every step::first(i) using x:(column(y)) with points \
                lw thick(i) ps mark(1.1) lc rgb hue(i) pt shape(i)
    }
    unset multiplot
    unset output
}
