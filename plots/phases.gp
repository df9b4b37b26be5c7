# Draws stacked bars; the legend lists the parts in the order of the stack.
data = name . '.tsv'
array part[13] = ['#999999', '#08306B', '#2171B5', '#6BAED6', '#9ECAE1', \
                  '#C6DBEF', '#DEEBF7', '#56B4E9', '#4A5A6A', '#E69F00', \
                  '#D55E00', '#009E73', '#CC79A7']

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    set title title font ',16'
    set ylabel axis offset 1
    set lmargin at screen 0.09
    set rmargin at screen 0.7
    set tmargin at screen 0.92
    # The names are rotated by 35 degrees.
    set bmargin at screen greater(0.2, (0.574 * longest + 40) / height)
    set label 1 note at screen 0.005, screen 0.016 left font ',11' \
        textcolor rgb '#444444'
    set style data histograms
    set style histogram rowstacked
    set style fill solid 1 border rgb '#444444'
    set boxwidth 0.75
    set yrange [0:*]
    set grid ytics noxtics
    set xtics rotate by -35 left nomirror
    set key at screen 0.995, screen 0.92 right top Left reverse invert \
        spacing 1.4 samplen 1.5 font ',11'
    plot for [i = 1:parts] data skip 1 using (column(i + 2)):xtic(1) \
        lc rgb part[i] title value(sprintf('entry%d', i))
    unset output
}
