# Draws a row for each variant, with the start and the end of training for each
# head.
data = name . '.tsv'
says(i, what) = value(sprintf('%s%d', what, i))
left = 205.0
do for [i = 1:rows] {
    left = greater(left, 8.7 * strlen(says(i, 'variant')) + 24)
}
right = 16.0
step = map + 12.0
room = (width - left - right) / (heads * times)
each = room < map + 24 ? room : map + 24.0

set palette defined (-1 '#B35806', -0.5 '#FDB863', 0 '#FFFFFF', \
    0.5 '#92C5DE', 1 '#053061')
set cbrange [-1:1]
set border 31 lc rgb '#BBBBBB'
unset grid
unset key
unset xtics
unset ytics

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    set multiplot title title font ',16'
    set label 1 note at screen 0.005, screen 13.0 / height left font ',11' \
        textcolor rgb '#444444'
    set label 2 bias at screen 0.005, screen 31.0 / height left font ',11' \
        textcolor rgb '#444444'
    do for [k = 1:heads * times] {
        set label 10 + k sprintf('head %d %s', (k + 1) / 2, \
            k % 2 ? 'start' : 'end') at \
            screen (left + (k - 1) * each + map / 2.0) / width, \
            screen 1 - (head - 14.0) / height center font ',12'
    }
    do for [i = 1:rows] {
        set label 100 + i says(i, 'variant') at screen (left - 12) / width, \
            screen 1 - (head + (i - 1) * step + 40.0) / height right \
            font ',12' textcolor rgb ink(i)
        set label 200 + i sprintf('+-%.2g', says(i, 'largest')) \
            at screen (left - 12) / width, \
            screen 1 - (head + (i - 1) * step + 60.0) / height right \
            font ',11' textcolor rgb '#444444'
    }
    do for [p = 1:panels] {
        r = says(p, 'row')
        k = says(p, 'column')
        from = left + (k - 1) * each
        top = head + (r - 1) * step
        set lmargin at screen from / width
        set rmargin at screen (from + map) / width
        set tmargin at screen 1 - top / height
        set bmargin at screen 1 - (top + map) * 1.0 / height
        set xrange [0.5:says(p, 'keys') + 0.5]
        set yrange [says(p, 'side') + 0.5:0.5]
        unset colorbox
        plot data index p using 6:5:($7 / says(r, 'largest')) \
            with image
        if (p == 1) {
            unset label
        }
    }
    unset multiplot
    unset output
}
