# plots/style.c sets the look of each row: for row i its colour, its colour for
# text, its mark, its dash and the width of its line.  gnuplot also evaluates
# row n + 1, which does not exist: the functions then return 1.
get(what, i) = value(sprintf('%s%d', what, i))
of_row(what, i) = exists(sprintf('%s%d', what, i)) \
    ? value(sprintf('%s%d', what, i)) : 1
hue(i) = int(of_row('hue', i))
ink(i) = int(of_row('ink', i))
shape(i) = int(of_row('mark', i))
dash(i) = int(of_row('dash', i))
thick(i) = of_row('thick', i)
set dashtype 1 solid
set dashtype 2 (10, 4)
set dashtype 3 (4, 3)
set dashtype 4 (10, 3, 2, 3)
set dashtype 5 (2, 2)

# `eval terminal('png')` sets the terminal for a kind of file.
font = "font 'DejaVu Sans,13'"
terminal(kind) = kind eq 'png' \
    ? sprintf("set terminal pngcairo noenhanced size %d,%d %s", width, height, \
              font) \
    : kind eq 'pdf' \
    ? sprintf("set terminal pdfcairo noenhanced size %.4fin,%.4fin %s " . \
              "fontscale 0.75 linewidth 1.5 pointscale 0.8", \
              width / 96.0, height / 96.0, font) \
    : sprintf("set terminal svg noenhanced size %d,%d dynamic %s " . \
              "fontscale 1.3333 background '#ffffff'", width, height, font)

# Returns the point size that gives a mark the same size in every format: the
# SVG terminal draws marks larger.
mark(size) = kind eq 'svg' ? 0.63 * size : size

set border 3 lc rgb '#444444'
set tics nomirror out textcolor rgb '#222222'
set grid lc rgb '#dddddd' lt 1 lw 1
set title font ',14'

greater(a, b) = a > b ? a : b

# `eval log_ticks` sets the ticks of a logarithmic axis from tick_low to
# tick_high, few enough that their labels do not overlap.  Within a factor of
# two they are those of a linear axis.
step(x, ten) = (x >= 5 * ten ? 5 : x >= 2 * ten ? 2 : 1) * ten
tick_step(x) = step(x, 10.0 ** floor(log10(x)))
log_ticks = "set ytics (); tick_span = 1.0 * tick_high / tick_low; " . \
    "tick_parts = tick_span > 1e7 ? '1' : tick_span > 100 ? '1 2 5' : " . \
    "'1 1.2 1.5 2 2.5 3 4 5 6 8'; " . \
    "tick_by = tick_step((tick_high - tick_low) / 3.0); " . \
    "if (tick_span < 2) { " . \
    "do for [k = ceil(tick_low / tick_by):floor(tick_high / tick_by)] { " . \
    "set ytics add (sprintf('%g', k * tick_by) k * tick_by) } " . \
    "} else { " . \
    "do for [k = floor(log10(tick_low)):floor(log10(tick_high))] { " . \
    "do for [part in tick_parts] { tick = part * 10.0 ** k; " . \
    "set ytics add (sprintf('%g', tick) tick) } } }"

# Labels that no line may cross are boxed.
set style textbox opaque fillcolor rgb '#ffffff' noborder margins 0.4, 0.2

# `eval cut_mark` notes at the top of a panel that values above it are cut off.
cut_mark = "set arrow from graph 0, graph 1 to graph 1, graph 1 nohead " . \
    "dt 3 lw 1.5 lc rgb '#A84A00'; set label 'values above are cut off' " . \
    "at graph 0.99, graph 0.975 right font ',11' textcolor rgb '#A84A00'"

# Reads the words as values, so that none of them can be a command.
set datafile separator tab
set datafile commentschars ''
stats name . '.txt' using 0 nooutput
array text[STATS_records]
stats name . '.txt' using 0:(text[int($0) + 1] = strcol(2), $0) nooutput
set datafile missing 'NaN'
