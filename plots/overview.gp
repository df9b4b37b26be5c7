# Draws a field for each variant and task, with its rank, also as the colour,
# and its value.
data = name . '.tsv'
says(i, what) = value(sprintf('%s%d', what, i))
is(what) = strcol(8) eq what
shade(rank, of) = of > 1 ? (rank - 1) / (of - 1) : 0

set palette defined (0 '#5FA8D8', 1 '#F1F7FC')
set cbrange [0:1]
unset colorbox
unset border
unset grid
unset key
set xrange [0.5:columns + 0.5]
set yrange [rows + 0.5:0.5]
left = 245.0
do for [i = 1:rows] {
    left = greater(left, 8.7 * strlen(says(i, 'variant')) + 24)
}
set lmargin at screen left / width
room = (width - left - 12) / columns
set rmargin at screen (left + columns * (room < 150 ? room : 150.0)) / width
set tmargin at screen 1 - 1.0 * head / height
set bmargin at screen 1.0 * foot / height
unset xtics
set ytics scale 0 font ',12' ()
do for [i = 1:rows] { set ytics add (says(i, 'variant') i) }
do for [i = 1:columns] {
    set label says(i, 'task') at first i, screen 1 - 70.0 / height center \
        font ',12'
    set label says(i, 'metric') at first i, screen 1 - 90.0 / height center \
        font ',11' textcolor rgb '#444444'
    set label says(i, 'source') at first i, screen 1 - 108.0 / height center \
        font ',10' textcolor rgb '#8A4B00'
    set label says(i, 'why') at first i, screen 1 - 126.0 / height center \
        font ',11' textcolor rgb '#8A4B00'
}
set label 'rank, if any, and value; darkest: best rank; grey: one seed, ' . \
    'or not ranked (reason under the task); (lower), (higher): which is better' \
    at screen 12.0 / width, screen 20.0 / height left font ',11' \
    textcolor rgb '#444444'

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    set label 99 title at screen 0.5, screen 1 - 26.0 / height center \
        font ',16'
    plot data skip 1 using 10:11:(0.48):(0.46):(is('ranked') ? shade($6, $7) \
            : NaN) with boxxyerror fillstyle solid 1 noborder lc palette, \
        data skip 1 using 10:11:(is('ranked') || is('missing') ? NaN : 0.48): \
            (0.46) with boxxyerror fillstyle solid 1 noborder \
            lc rgb '#E4E4E4', \
        data skip 1 using ($10 - 0.2):11:(is('ranked') ? sprintf('%g', $6) \
            : '') with labels right font ',14' textcolor rgb '#000000', \
        data skip 1 using ($10 + 0.4):11:9 with labels right font ',12' \
            textcolor rgb '#222222'
    unset output
}
