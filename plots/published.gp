# Draws panels of slopes, `across` of them in a row, from the published value
# on the left to ours on the right.  A label that had to move is joined to its
# point.
data = name . '.tsv'
at(i, x) = $1 == i ? x : NaN
paint(i) = hue(int(i))
dye(i) = ink(int(i))
point(i) = shape(int(i))
each = 1.0 * width / across
shift = panels == 1 ? each / 2 : 0
outer = 86.0
end = 166.0
side = 225.0
slope = each - end - side
first = (outer - end) / slope
last = 1 + (side - 6) / slope

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    set multiplot title title font ',16'
    unset key
    unset xtics
    set border 2
    set ytics scale 0.5 font ',10'
    set grid noxtics noytics
    set xrange [first:last]
    do for [i = 1:panels] {
        start = (i - 1) % across * each + shift
        top = head + (i - 1) / across * panel
        set lmargin at screen (start + outer) / width
        set rmargin at screen (start + each - 6) / width
        set tmargin at screen 1 - (top + 62.0) / height
        set bmargin at screen 1 - (top + 62.0 + axes) / height
        set yrange [get('low', i):get('high', i)]
        set ylabel get('axis', i) font ',11'
        set label 1 (i == 1 ? note : '') at screen 0.005, screen 14.0 / height \
            left font ',11' textcolor rgb '#444444'
        set label 6 (i == 1 ? absent : '') at screen 0.005, \
            screen 32.0 / height left font ',11' textcolor rgb '#444444'
        set label 2 get('column', i) at first 0.5, \
            screen 1 - (top + 8.0) / height center font ',13'
        set label 3 get('why', i) at first 0.5, \
            screen 1 - (top + 26.0) / height center font ',11' \
            textcolor rgb '#8A4B00'
        set label 4 'published' at first 0, \
            screen 1 - (top + 48.0) / height center font ',12'
        set label 5 'ours' at first 1, \
            screen 1 - (top + 48.0) / height center font ',12'
        set arrow 1 from first 0, first 0 to first 1, first 0 nohead lw 1 \
            dt 3 lc rgb '#888888'
        do for [x = 0:1] {
            set arrow 2 + x from first x, graph 0 to first x, graph 1 nohead \
                lw 1 lc rgb '#AAAAAA'
        }
        plot data skip 1 using (at(i, 0)):8:(1):($9 - $8):(paint($10)) \
                with vectors nohead lw 2 lc rgb variable, \
            data skip 1 using (at(i, 0)):8:(-0.06):($11 - $8):(paint($10)) \
                with vectors nohead lw 1 lc rgb variable, \
            data skip 1 using (at(i, 1)):9:(0.06):($12 - $9):(paint($10)) \
                with vectors nohead lw 1 lc rgb variable, \
            data skip 1 using (at(i, 0)):8:(point($10)):(paint($10)) \
                with points pt variable ps mark(1.2) lc rgb variable, \
            data skip 1 using (at(i, 1)):9:(point($10)):(paint($10)) \
                with points pt variable ps mark(1.2) lc rgb variable, \
            data skip 1 using (at(i, -0.08)):11:14:(dye($10)) with labels \
                right font ',11' tc rgb variable, \
            data skip 1 using (at(i, 1.08)):12:13:(dye($10)) with labels \
                left font ',11' tc rgb variable
        unset label
        unset arrow
    }
    unset multiplot
    unset output
}
