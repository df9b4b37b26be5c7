# Draws a block for each variant, side by side, with a map for each head.  Rows
# are the tokens that attend, columns the tokens that they attend to.
data = name . '.tsv'
left = 40.0
each = map + 8.0
block = left + heads * each
across = int((width - 12) / block)
margin = (width - across * block) / 2

set palette defined (0 '#FFFFFF', 1 '#C6DBEF', 2 '#6BAED6', 3 '#08306B')
set logscale cb
set cbrange [0.001:1]
set border 31 lc rgb '#BBBBBB'
unset grid
unset key

do for [kind in kinds] {
    eval terminal(kind)
    set output name . '.' . kind
    set multiplot title title font ',16'
    set label 1 note at screen 0.005, screen 13.0 / height left font ',11' \
        textcolor rgb '#444444'
    do for [i = 1:lines] {
        set label 1 + i get('sentence', i) at screen 0.005, \
            screen (13.0 + 18 * (lines + 1 - i)) / height left font ',11'
    }
    do for [p = 1:panels] {
        r = get('row', p) - 1
        k = get('column', p) - 1
        from = margin + (r % across) * block + left + k * each
        top = head + (r / across) * step
        set lmargin at screen from / width
        set rmargin at screen (from + map) / width
        set tmargin at screen 1 - 1.0 * top / height
        set bmargin at screen 1 - 1.0 * (top + map) / height
        set xrange [0.5:get('keys', p) + 0.5]
        set yrange [get('side', p) + 0.5:0.5]
        set xtics 5, 5 scale 0.3 offset 0, 0.6 font ',10' \
            textcolor rgb '#444444'
        if (k == 0) {
            set ytics 5, 5 scale 0.3 offset 0.4, 0 font ',10' \
                textcolor rgb '#444444'
            set label 30 get('variant', r + 1) at screen from / width, \
                screen 1 - (top - 13.0) / height left \
                textcolor rgb ink(r + 1)
        } else { unset ytics; unset label 30 }
        if (p == 1) {
            set colorbox horizontal user origin screen 0.36, \
                screen 1 - 56.0 / height size screen 0.28, \
                screen 12.0 / height
            set cbtics ('<= 0.001' 0.001, '0.01' 0.01, '0.1' 0.1, '1' 1) \
                font ',11' scale 0.4 offset 0, 0.5
        } else { unset colorbox }
        plot data index p using 5:4:6 with image
        if (p == 1) {
            unset label 1
            do for [i = 1:lines] { unset label 1 + i }
        }
    }
    unset multiplot
    unset output
}
