# cells.pl DUMP STORE: prints every cell and all weights of a store, as read by
# the program DUMP (dump.c). Prints first the lines that all cells share, then
# the lines that all cells of a task share, then the remaining lines of each
# cell.
use strict;
use warnings;
use File::Glob 'bsd_glob';
use JSON::PP;

my ($dump, $store) = @ARGV;
my %task; # name -> {cell's name -> its lines}

# If settings are varied, rows and variants have different names.
open my $experiment, '<', "$store/experiment.json" or die "$store: $!\n";
my %row = map { ($_->{id}, $_->{row}) }
    @{decode_json(join '', <$experiment>)->{cells}};

# Values that depend on the machine or the time. Only their presence is
# compared.
my $machine = qr/^(\@(?:date_created|history)|weights\@file_sha256
    |timing\@(?:processors|estimated_bytes)|provenance\@(?:build|compiler
    |cores\w*|ran_on|date|environment|flags|system|processor|instruction_set\w*
    |libraries\w*))\ =\ .*/x;

# Removes the lines config@KEY whose value is also in the JSON of the
# configuration. Lines of other keys (defaults) stay.
sub config {
    my ($c, $line) = @_;
    my %said = map { /^config\@(\S+) = (.*)/ ? ($1, $2) : () } @$line;
    delete $said{json};
    for my $k (sort keys %$c) {
        my $v = ref $c->{$k} ? $c->{$k} + 0 : $c->{$k};
        my $is = delete $said{$k} // 'nothing';
        die "config\@$k is $is, in the JSON $v\n" unless $is eq $v ||
            $is =~ /^[-\d.e]+$/ && $is == $v;
    }
    @$line = grep { !/^config\@(\S+) = / || $1 eq 'json' || exists $said{$1} }
        @$line;
}

open my $in, '-|', $dump, bsd_glob("$store/{cells,weights}/*.h5")
    or die "$dump: $!\n";
my (undef, @dump) = split /^file (.*)\n/m, join '', <$in>;
close $in or die "$dump, $store: exit $?\n";
while (my ($file, $text) = splice @dump, 0, 2) {
    my @line = split /\n/, $text;
    my ($json) = map { /^(?:config)?\@(?:json|config) = (.*)/ ? $1 : () } @line;
    my $c = decode_json($json);
    my ($id) = $file =~ m{([0-9a-f]+)\.h5$};
    my $name = ($row{$id} // $c->{variant}) . "/$c->{task}/$c->{seed}";
    $name .= ', weights' if $file =~ m{/weights/};
    @line = grep { !/^\@config = / } @line; # of weights: their cell's
    config($c, \@line) if $file !~ m{/weights/};
    for (@line) {
        s/$machine/$1 = */;
        s/^(timing@.* = )(.*\..*)/$1 . sprintf '%.9g', $2/e;
    }
    profile(\@line);
    die "$file: there are two of $name\n" if $task{$c->{task}}{$name};
    $task{$c->{task}}{$name} = \@line;
}

# Joins the lines timing/GROUP@NAME = SECONDS of a group into one line, with
# nine digits each.
sub profile {
    my ($line) = @_;
    my %group;
    for (@$line) {
        push @{$group{$1}}, sprintf '%s %.9g', $2, $3
            if m{^(timing/\w+)\@(\w+) = (.*)};
    }
    @$line = ((grep { !m{^timing/} } @$line),
        map { "$_ = " . join ', ', @{$group{$_}} } sort keys %group);
}

# Returns the lines of the first cell that all other cells have, too.
sub shared {
    my @of = @_;
    my %n;
    $n{$_}++ for map { @$_ } @of;
    return @of > 1 ? grep { $n{$_} == @of } @{$of[0]} : ();
}

sub part { # HEADING, LINES OF IT, LINES ABOVE
    my ($heading, $line, %above) = @_;
    my @own = grep { !$above{$_} } @$line;
    print "== $heading\n", map({ "$_\n" } @own), "\n" if @own;
}

my @cells = map { my $t = $task{$_}; map { $t->{$_} } sort keys %$t }
    sort keys %task;
my @common = shared(@cells);
my %common = map { ($_, 1) } @common;
part(scalar(@cells) . ' cells', \@common);
for my $t (sort keys %task) {
    my @name = sort keys %{$task{$t}};
    my @here = shared(map { $task{$t}{$_} } @name);
    my %here = map { ($_, 1) } @here;
    part($t, \@here, %common);
    part($_, $task{$t}{$_}, %common, %here) for @name;
}
