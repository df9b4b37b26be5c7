# Draws a panel for each variant and layer: the start of training is filled,
# the end is a line.
data = name . '.tsv'
left = 225.0
do for [i = 1:rows] {
    left = greater(left, 8.7 * strlen(get('variant', i)) + 26)
}
right = 16.0
each = (width - left - right) / columns

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    set multiplot title title font ',16'
    set logscale x
    set xrange [1e-6:1]
    set yrange [0:*]
    set border 1
    set grid noxtics noytics
    unset ytics
    unset key
    set label 1 note at screen 0.005, screen 13.0 / height left font ',11' \
        textcolor rgb '#444444'
    do for [k = 1:columns] {
        set label 10 + k get('place', k) at \
            screen (left + (k - 0.5) * each) / width, \
            screen 1 - 78.0 / height center font ',13'
    }
    do for [i = 1:rows] {
        set label 100 + i get('variant', i) at screen (left - 14) / width, \
            screen 1 - (head + (i - 0.45) * row) / height right \
            font ',12' textcolor rgb ink(i)
    }
    set label 2 'start' at screen 0.42, screen 1 - 50.0 / height center \
        textcolor rgb '#555555'
    set label 3 'end' at screen 0.58, screen 1 - 50.0 / height center
    set object 1 rectangle from screen 0.37, screen 1 - 56.0 / height \
        to screen 0.395, screen 1 - 44.0 / height fc rgb '#CCCCCC' fs solid \
        noborder
    set arrow 1 from screen 0.535, screen 1 - 50.0 / height \
        to screen 0.56, screen 1 - 50.0 / height nohead lw 2 lc rgb '#000000'
    do for [p = 1:panels] {
        r = get('row', p)
        k = get('column', p)
        last = r == rows
        set lmargin at screen (left + (k - 1) * each + 14) / width
        set rmargin at screen (left + k * each - 14) / width
        set tmargin at screen 1 - (head + (r - 1) * row + 4.0) / height
        set bmargin at screen 1 - (head + r * row - 4.0) / height
        set xtics ('' 1e-6, '' 1e-4, '' 1e-2, '' 1) scale 0.5
        if (last) {
            set xtics ('1e-6' 1e-6, '1e-4' 1e-4, '0.01' 0.01, '1' 1) \
                scale 0.5 font ',11'
        }
        set label 4 get('entropy', p) at graph 0.06, graph 0.8 left \
            font ',11' textcolor rgb '#444444'
        plot data index p using 4:5 with fillsteps fs solid 1 \
                lc rgb '#CCCCCC', \
            data index p using 4:6 with steps lw 1.8 \
                lc rgb hue(r)
        if (p == 1) {
            unset label 1
            do for [k = 1:columns] { unset label 10 + k }
            do for [i = 1:rows] { unset label 100 + i }
            unset label 2
            unset label 3
            unset object 1
            unset arrow 1
        }
    }
    unset multiplot
    unset output
}
