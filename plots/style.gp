# Seven of the eight colours of Okabe and Ito, which people with any kind of
# colour blindness tell apart (the eighth, yellow, is lost on white).  Each
# series also has its own point and, from the eighth on, dashes.
array colour[7] = ['#000000', '#D55E00', '#0072B2', '#009E73', '#CC79A7', \
                   '#E69F00', '#56B4E9']
array mark[14] = [7, 5, 9, 11, 13, 15, 6, 4, 8, 10, 12, 14, 2, 1]
hue(i) = colour[(i - 1) % 7 + 1]
# Words in a colour are darker than lines: a contrast of 4.5 to 1 on white.
array dark[7] = ['#000000', '#A84A00', '#0069A3', '#00704F', '#A0457A', \
                 '#8A5F00', '#1F6A99']
ink(i) = dark[(i - 1) % 7 + 1]
dash(i) = (i - 1) / 7 % 2 == 0 ? 1 : 2
shape(i) = mark[(i - 1) % 14 + 1]

# eval terminal('png')
font = "font 'DejaVu Sans,13'"
terminal(kind) = kind eq 'png' \
    ? sprintf("set terminal pngcairo noenhanced size %d,%d %s", width, height, \
              font) \
    : sprintf("set terminal svg noenhanced size %d,%d dynamic %s " . \
              "background '#ffffff'", width, height, font)

set border 3 lc rgb '#444444'
set tics nomirror out textcolor rgb '#222222'
set grid lc rgb '#dddddd' lt 1 lw 1
set title font ',14'

# The words, as values: none of them is ever a command.
set datafile separator tab
set datafile commentschars ''
stats name . '.txt' using 0 nooutput
array text[STATS_records]
stats name . '.txt' using 0:(text[int($0) + 1] = strcol(2), $0) nooutput
set datafile missing 'NaN'
