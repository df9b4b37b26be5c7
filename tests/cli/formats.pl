# formats.pl JSON CSV FORM...: checks that each FORM of a table (.txt, .md,
# .tex, .html) contains, row by row, the numbers of its JSON: cells as they are
# printed, published values, intervals, published values of other columns, and
# the correlation of each column's order with the paper's. Prints the
# differences.
use strict;
use warnings;
use utf8;
use JSON::PP;
use open qw(:std :utf8);

my ($json, $csv, @forms) = @ARGV;
my $bad = 0;
sub complain { print "@_\n"; $bad = 1 }
sub slurp { local $/; open my $f, '<', $_[0] or die "$_[0]: $!"; <$f> }

my $j = JSON::PP->new->decode(slurp($json));
my @columns = @{$j->{columns}};
my @rows = (@{$j->{rows}}, @{$j->{baselines}});
my %title = map { $_->{title} => 1 } @rows;
my $number = qr/[-+]?\d+(?:\.\d+)?[KMBT]?/;

# ---- values of the JSON that a table shows ----
sub count {
    my ($x, $k) = (@_, 0);
    for (; $x >= 999.5 && $k < 4; $k++) { $x /= 1000 }
    my $n = $k == 0 || $x >= 99.95 ? 0 : $x >= 9.995 ? 1 : 2;
    return sprintf('%.*f', $n, $x) . ('', 'K', 'M', 'B', 'T')[$k];
}
sub shown {
    my ($cell, $column) = @_;
    my @all;
    my ($x, $n, $of) = @$cell{qw(value n asked)};
    if (defined $x) {
        push @all, $n, $of if $column->{better} && $n < $of;
        push @all, $column->{better} ? sprintf('%.*f', $column->{decimals}, $x)
                                     : count($x);
    } elsif ($cell->{status} eq 'missing' && $of) {
        push @all, 0, $of;
    }
    return @all unless $column->{better};
    push @all, sprintf '%.2f', $cell->{published} if defined $cell->{published};
    # With few seeds, an interval that excludes almost nothing is not printed.
    my $vague = defined $cell->{low} && $n > 1 && $n < 5 &&
        $cell->{low} <= 0 && $cell->{high} >= 2 * $x;
    push @all, map { sprintf '%.*f', $column->{decimals}, $_ }
        @$cell{qw(low high)} if defined $cell->{low} && !$vague;
    return @all;
}
# The rows below the table as they are printed. Of several published values, the
# one with the highest confidence is printed.
my (%beside, %sure);
my @sure = qw(wrong low medium medium-high high);
for my $l (@{$j->{beside}}) {
    my ($at) = grep { $sure[$_] eq $l->{confidence} } 0 .. $#sure;
    my $where = "$l->{table}/$l->{column}";
    next if $at <= ($sure{$l->{row}}{$where} // -1);
    $sure{$l->{row}}{$where} = $at;
    $beside{$l->{row}}{$where} = $l->{value};
}
my %want;
for my $row (@rows) {
    my @all = map { shown($row->{cells}[$_], $columns[$_]) } 0 .. $#columns;
    push @all, map { /$number/g } values %{$beside{$row->{title}} // {}};
    $want{$row->{title}} = join ' ', sort @all;
}

# ---- contents of a format: a map from titles to their fields ----
sub of_text { # in grids alone: a title, two blanks, the rest
    my %row;
    for (split /\n/, $_[0]) {
        for my $title (sort { length $b <=> length $a } keys %title) {
            next unless /^\Q$title\E(?:  +(.*))?$/;
            push @{$row{$title}}, split ' ', $1 // '';
            last;
        }
    }
    return %row;
}
sub of_markdown {
    my %row;
    for (grep { /^\| / } split /\n/, $_[0]) {
        s/\\([*_<>`\\])/$1/g, s/\\\|/\x{1}/g;
        my ($title, @rest) = map { s/^ +| +$//gr } split /\|/, s/^\| //r;
        s/\x{1}/|/g, s/\*\*//g for $title, @rest;
        push @{$row{$title}}, @rest;
    }
    return %row;
}
sub of_tex {
    my %row;
    for (grep { s/ \\\\$// } split /\n/, $_[0]) {
        s/^\{\}//, s/\\textbf\{([^}]*)\}/$1/g, s/\$-\$/-/g, s/\\([_%&#])/$1/g;
        my ($title, @rest) = split / & /;
        push @{$row{$title // ''}}, @rest;
    }
    return %row;
}
sub of_html {
    my %row;
    for ($_[0] =~ m{<tr>(.*?)</tr>}gs) {
        my ($head) = m{<th scope="row">(.*?)</th>}s or next;
        my @cells = ($head, m{<td[^>]*>(.*?)</td>}gs);
        for (@cells) {
            s{<span[^>]*>.*?</span>}{}gs, s/<[^>]*>//g;
            s/&lt;/</g, s/&gt;/>/g, s/&quot;/"/g, s/&amp;/&/g;
        }
        push @{$row{shift @cells}}, @cells;
    }
    return %row;
}
my %reader = (txt => \&of_text, md => \&of_markdown, tex => \&of_tex,
              html => \&of_html);

# Returns "+0.40 [-0.92, +0.99], p 0.75", the Spearman or Kendall coefficient of
# a column.
sub order {
    my ($c, $of) = @_;
    my ($r, $p, $low, $high) = map { $c->{"$of$_"} } '', qw(_p _low _high);
    my $text = sprintf '%+.2f', $r;
    $text .= sprintf ' [%+.2f, %+.2f]', $low, $high if defined $low;
    return $text unless defined $p;
    for my $digits (2 .. 15) {
        my $shown = sprintf '%.*g', $digits, $p;
        return "$text, p $shown" if ($shown < 0.05) == ($p < 0.05);
    }
}
sub correlation {
    my ($c) = @_;
    my ($column) = grep { $_->{name} eq "$c->{task}.$c->{metric}" } @columns;
    return defined $c->{spearman}
        ? "$column->{heading}: " . order($c, 'spearman') .
            (defined $c->{spearman_p} ? '; ' : ', ') . order($c, 'kendall') .
            " over $c->{n} variants"
        : "$column->{heading}: not computed ($c->{n} variant";
}
sub flat { $_[0] =~ s/\$-\$/-/gr =~ s/\\([\[\]])/$1/gr =~ s/\s+/ /gr }

for my $path (@forms) {
    my ($form) = $path =~ /\.(\w+)$/;
    my %row = $reader{$form}->(slurp($path));
    my $flat = flat(slurp($path));
    for (map { correlation($_) } @{$j->{correlations}}) {
        complain("$path: there is no '$_'") if index($flat, $_) < 0;
    }
    for my $title (sort keys %title) {
        my $got = join ' ', sort map { /$number/g } @{$row{$title} // []};
        complain("$path: $title: $got: JSON has $want{$title}")
            if $got ne $want{$title};
    }
}

# ---- CSV: every field at full precision ----
my @lines = map { [fields($_)] } split /\r\n/, slurp($csv);
sub fields {
    my @f;
    push @f, defined $1 ? $1 =~ s/""/"/gr : $2
        while $_[0] =~ /\G(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g;
    pop @f if @f && $_[0] !~ /,$/;
    return @f;
}
my @head = @{shift @lines};
my %csv;
for (@lines) {
    my %l;
    @l{@head} = @$_;
    $csv{"$l{variant}/$l{task}.$l{metric}"} = \%l;
}
my %correlation = map { ("$_->{task}.$_->{metric}" => $_) }
    @{$j->{correlations}};
for my $row (@rows) {
    for my $c (0 .. $#columns) {
        my $order = $correlation{$columns[$c]{name}} // {};
        my $name = ($row->{variant} // $row->{name}) . "/$columns[$c]{name}";
        my $cell = $row->{cells}[$c];
        next if !$csv{$name} && exists $row->{name} && !$cell->{n};
        for (qw(value low high n asked published rank rank_published)) {
            next unless exists $csv{$name}{$_};
            my $got = $csv{$name}{$_};
            complain("$csv: $name: $_: $got: JSON has " . ($cell->{$_} // ''))
                if defined $cell->{$_} ? $got eq '' || $got != $cell->{$_}
                                       : $got ne '';
        }
        for (qw(status source)) {
            my $got = $csv{$name}{$_};
            complain("$csv: $name: $_: $got") if $got ne ($cell->{$_} // '');
        }
        for (map { ($_, "${_}_p", "${_}_low", "${_}_high") }
             qw(spearman kendall)) {
            my ($got, $is) = ($csv{$name}{$_}, $order->{$_});
            complain("$csv: $name: $_: " . ($got // 'no such field'))
                if !defined $got ||
                    (defined $is ? $got eq '' || $got != $is : $got ne '');
        }
    }
}
exit $bad;
