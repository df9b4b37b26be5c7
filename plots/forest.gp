# Draws a line for each pair, with its numbers on the right and a small dot for
# each seed.  Zero is marked, and the top says which side of it is better.
data = name . '.tsv'
is(k) = $1 == k
of(k, verdict) = $1 == k && strcol(9) eq verdict
array verdict[5] = ['better', 'worse', 'undecided', 'not converged', \
                    'not compared']
array paint[5] = ['#0069A3', '#A84A00', '#000000', '#777777', '#777777']
array point[5] = [7, 5, 6, 12, 8]
array meaning[5] = ['better', 'worse', 'undecided', 'not converged', \
                    'not compared']
by_seed(k) = k <= words(strcol(13)) && strcol(13) ne '-' \
    ? word(strcol(13), k) + 0.0 : NaN
power(x) = 10 ** floor(log10(x))
rounded(x) = (x >= 5 * power(x) ? 5 : x >= 2 * power(x) ? 2 : 1) * power(x)
# Returns a tick step that gives a narrow panel zero and one tick on either
# side.
sparse(x) = x >= 4 * power(x) && x < 5 * power(x) ? 4 * power(x) : rounded(x)
within(x, reach) = x < -reach ? -reach : x > reach ? reach : x
left = 340.0
do for [i = 1:lines] {
    left = greater(left, 7.7 * strlen(get('pair', i)) + 20)
}
each = (width - left - 10.0) / panels
array from[5] = [-1, 85, 165, 280, 425]

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    set multiplot title title font ',16'
    set tmargin at screen 1 - 1.0 * head / height
    set bmargin at screen 1.0 * foot / height
    set yrange [lines + 0.6:0.4]
    set grid xtics noytics
    unset key
    set label 1 note at screen 0.005, screen 14.0 / height left font ',11' \
        textcolor rgb '#444444'
    set label 4 absent at screen 0.005, screen 32.0 / height left font ',11' \
        textcolor rgb '#444444'
    do for [v = 1:5] {
        set label 10 + v meaning[v] at screen (left + from[v]) / width, \
            screen 1 - 54.0 / height left font ',12' offset 1, 0 \
            point pt point[v] ps mark(1.4) lc rgb paint[v]
    }
    do for [k = 1:panels] {
        reach = get('reach', k)
        start = left + (k - 1) * each
        set lmargin at screen start / width
        set rmargin at screen (start + each - numbers) / width
        set xrange [-reach:reach]
        set xlabel get('axis', k) font ',12'
        by = panels == 1 ? rounded(reach / 1.5) : sparse(reach)
        set xtics -by * floor(reach / by), by, by * floor(reach / by) \
            font ',11'
        if (k == 1) {
            set ytics scale 0 font ',11' ()
            do for [i = 1:lines] { set ytics add (get('pair', i) i) }
        } else { unset ytics }
        set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead lw 1.5 \
            lc rgb '#444444'
        set label 2 (get('better', k) < 0 ? '<- better' : '<- worse') \
            at graph 0, screen 1 - (head - 12.0) / height left font ',12'
        set label 3 (get('better', k) < 0 ? 'worse ->' : 'better ->') \
            at graph 1, screen 1 - (head - 12.0) / height right font ',12'
        plot for [s = 1:seeds] data skip 1 using (by_seed(s)): \
                (is(k) ? $2 + 0.27 : NaN) with points pt 7 ps mark(0.7) \
                lc rgb '#777777', \
            for [v = 1:5] data skip 1 using (within($7, reach)): \
                (of(k, verdict[v]) ? $2 : NaN): \
                (within($8, reach) - within($7, reach)):(0) \
                with vectors nohead lw 1.8 lc rgb paint[v], \
            for [v = 1:5] data skip 1 using (0.93 * reach): \
                (of(k, verdict[v]) && $8 > reach ? $2 : NaN): \
                (0.07 * reach):(0) with vectors head filled size screen \
                0.008, 25 lw 1.8 lc rgb paint[v], \
            for [v = 1:5] data skip 1 using (-0.93 * reach): \
                (of(k, verdict[v]) && $7 < -reach ? $2 : NaN): \
                (-0.07 * reach):(0) with vectors head filled size screen \
                0.008, 25 lw 1.8 lc rgb paint[v], \
            for [v = 1:5] data skip 1 using \
                (abs($6) > reach ? NaN : $6):(of(k, verdict[v]) ? $2 : NaN) \
                with points ps mark(1.4) pt point[v] lc rgb paint[v], \
            data skip 1 using (reach):(is(k) ? $2 : NaN):12 with labels left \
                offset 1, 0 font ',11' textcolor rgb '#222222'
        unset label
    }
    unset multiplot
    unset output
}
