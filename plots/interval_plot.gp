# Draws a panel for each kind of value and a line for each value, with its
# numbers in words on the right.  The claimed range is a grey band.  Positions
# are in pixels from the left and from the top.
data = name . '.tsv'
of(what, k) = value(sprintf('%s%d', what, k))
in_words(what, k, i) = value(sprintf('%s%d_%d', what, k, i))
across(x) = 1.0 * x / width
down(y) = 1 - 1.0 * y / height
array of_verdict[4] = ['holds', 'fails', 'undecided', '-']
array meaning[4] = ['holds', 'fails', 'undecided', 'no claim']
array paint[4] = ['#0069A3', '#A84A00', '#000000', '#777777']
array point[4] = [7, 5, 6, 12]
right = wide_measured + wide_claim
is(k, v) = int($1) == k && strcol(10) eq of_verdict[v]
# A range without a bound extends to the end of the axis.  On a logarithmic
# axis, zero has no place.
within(x, low, high) = x < low ? low : x > high ? high : x
bound(c, edge, low, high) = strcol(c) eq '-' \
    ? edge : within(column(c) / unit, low, high)
claimed(k) = int($1) == k && !(strcol(8) eq '-' && strcol(9) eq '-')
edge(k, c) = int($1) == k && strcol(c) ne '-'

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    set multiplot
    unset key
    unset ylabel
    set grid xtics noytics
    set border 1 lc rgb '#444444'
    do for [i = 1:heads] {
        set label value(sprintf('head%d', i)) at screen 0.01, \
            screen down(head_line * (i - 0.4)) left font ',14'
    }
    do for [i = 1:verdicts] {
        set label value(sprintf('verdict%d', i)) at screen 0.01, \
            screen down(head_line * (heads + i - 0.4)) left font ',14' \
            textcolor rgb '#444444'
    }
    legend = head_line * (heads + verdicts) + 22
    set object 1 rectangle from screen across(12), screen down(legend - 8) \
        to screen across(38), screen down(legend + 8) \
        fillcolor rgb '#DADADA' fillstyle solid 1 border lc rgb '#777777'
    set label 'claimed' at screen across(46), screen down(legend) \
        left font ',12'
    do for [v = 1:4] {
        if (of('legend', v)) {
            set label '' at screen across(of('legend', v)), \
                screen down(legend) point pt point[v] ps mark(1.4) \
                lc rgb paint[v]
            set label meaning[v] at screen across(of('legend', v) + 12), \
                screen down(legend) left font ',12'
        }
    }
    set label 'measured' at screen across(width - right + 14), \
        screen down(legend) left font ',12'
    set label 'claimed' at screen across(width - wide_claim + 14), \
        screen down(legend) left font ',12'
    set lmargin at screen across(left)
    set rmargin at screen across(width - right)
    do for [k = 1:panels] {
        unit = of('unit', k)
        low = of('low', k) / unit
        high = of('high', k) / unit
        n = int(of('lines', k))
        titles = int(of('titles', k))
        top = of('top', k)
        pitch = (of('bottom', k) - top) / n
        set tmargin at screen down(top)
        set bmargin at screen down(of('bottom', k))
        unset logscale
        if (of('logarithmic', k)) { set logscale x }
        set xrange [low:high]
        set yrange [n + 0.5:0.5]
        set xtics auto font ',11' format '%g'
        if (of('zero', k)) { set xtics add ('0' low) }
        unset ytics
        do for [i = 1:titles] {
            set label in_words('title', k, i) at screen across(left), screen \
                down(top - 6 - panel_line * (titles - i + 0.5)) left \
                font ',12'
        }
        do for [i = 1:n] {
            y = top + pitch * (i - 0.5)
            rows = int(value(sprintf('name%d_%d_s', k, i)))
            do for [j = 1:rows] {
                set label value(sprintf('name%d_%d_%d', k, i, j)) \
                    at screen across(left - 10), screen \
                    down(y + name_line * (j - 0.5 - rows / 2.0)) right \
                    font ',11'
            }
            set label in_words('measured', k, i) at screen \
                across(width - right + 14), screen down(y) left font ',11'
            set label in_words('claim', k, i) at screen \
                across(width - wide_claim + 14), screen down(y) left font ',11'
        }
        arrow = of('logarithmic', k) ? low * (high / low)**0.05 : low
        plot data skip 1 using (bound(8, low, low, high)):(claimed(k) \
                ? $2 : NaN):(bound(8, low, low, high)): \
                (bound(9, high, low, high)):($2 - 0.5):($2 + 0.5) \
                with boxxyerror fs solid 1 noborder fc rgb '#DADADA', \
            for [c = 8:9] data skip 1 using (bound(c, low, low, high)): \
                (edge(k, c) ? $2 - 0.5 : NaN):(0):(1) \
                with vectors nohead lw 1.5 lc rgb '#777777', \
            for [v = 1:4] data skip 1 using (bound(6, $5 / unit, low, high)): \
                (is(k, v) ? $2 : NaN):(bound(7, $5 / unit, low, high) - \
                bound(6, $5 / unit, low, high)):(0) \
                with vectors nohead lw 1.8 lc rgb paint[v], \
            for [v = 1:4] data skip 1 using \
                (of('logarithmic', k) && $5 <= 0 ? arrow : NaN): \
                (is(k, v) ? $2 : NaN):(low - arrow):(0) \
                with vectors head filled size screen 0.008, 25 lw 1.8 \
                lc rgb paint[v], \
            for [v = 1:4] data skip 1 using \
                (of('logarithmic', k) && $5 <= 0 ? NaN : $5 / unit): \
                (is(k, v) ? $2 : NaN) with points ps mark(1.4) pt point[v] \
                lc rgb paint[v]
        unset label
        unset object
    }
    unset multiplot
    unset output
}
