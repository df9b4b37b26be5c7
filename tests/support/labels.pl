#!/usr/bin/perl
# labels: checks the examples of a task against the real text that they were
# made from. Reads the text independently of the program, by the rules in the
# headers of the tasks.
#
#     perl tests/support/labels.pl CACHE TASK <EXAMPLES
#
# EXAMPLES has one line per example, in order: split, subtask, label, source,
# target and reference (with | between its lines), separated by tabs. Prints
# what is wrong with the first three bad examples of each subtask. The exit code
# is 1 if there are any.
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));

our ($cache, $task) = @ARGV;
our (@entry, %by_summary, %by_sentence, %by_text, %entry_of_md5);
our (%opinion, %reply, %scenario);
require './tests/support/archive.pl';
my ($line, $subtask, %bad, @at); # @at: where in the text the examples stand

sub wrong {
    my ($why) = @_;
    print STDERR "$task, $subtask, example $line: $why\n"
        if ++$bad{$subtask} <= 3;
}

# Checks that lengths are within their bounds. The final report lists bounds
# that no text reaches.
my %length;
sub long {
    my ($what, $text, $least, $most) = @_;
    my $n = ref $text ? @$text : tokens($text);
    wrong("$what has $n, not $least to $most: " .
          (ref $text ? "@$text" : $text)) if $n < $least || $n > $most;
    $length{$what}{of} = [$least, $most];
    $length{$what}{$n}++;
}

# Returns the packages that have a text. At least one of them must be in the
# example's split.
my (%chosen, %share);
sub entries {
    my ($of, $text, $split) = @_;
    my @found = grep {
        split_of($_->{source}, @share{qw(valid test)}) eq $split
    } @{$of->{$text} // []};
    wrong("'$text' is no text of a package of $split") unless @found;
    return @found;
}

# ---- balanced texts ----
# Each text occurs equally often with each label. Counts here; the final report
# lists violations.
my (%even, %labels_of);
sub even {
    my ($split, $label, $what) = @_;
    $even{$subtask}{"$split: $what"}{$label}++;
    $labels_of{$subtask}{$label} = 1;
}

# ---- the tasks ----
my (%count, %told);
my @three = qw(entailment neutral contradiction);
my @two = qw(entailment not_entailment);
my @truth = qw(True False);

# Forms of sources, with the short description of a package and a sentence, and
# the answers: one package, two of one section, two of different sections.
my ($one, $two) = ('(?<one>.*)', '(?<two>.*)');
my %pair = (
    mrpc => ["mrpc sentence1: $one sentence2: $two",
             qw(equivalent not_equivalent)],
    qqp => ["qqp question1: $one question2: $two", qw(duplicate not_duplicate)],
    stsb => ["stsb sentence1: $one sentence2: $two", qw(5.0 2.6 0.0)],
    mnli_matched => ["mnli hypothesis: $two premise: $one", @three],
    mnli_mismatched => ["mnli hypothesis: $two premise: $one", @three],
    cb => ["cb hypothesis: $two premise: $one", @three],
    qnli => ["qnli question: $one sentence: $two", @two],
    rte => ["rte (?:hypothesis: $two premise: $one|" .
            "sentence1: $one sentence2: $two)", @two],
    wnli => ["wnli sentence1: $one sentence2: $two", @two],
    boolq => ["boolq passage: $one question: $two", @truth],
    multirc => ['multirc question: Which sentence belongs to it\? ' .
                "answer: $two paragraph: $one", @truth],
    wic => ["wic sentence1: $one sentence2: $two word: (?<word>.*)", @truth]);
my %labels = (cola => [qw(acceptable unacceptable)],
    sst2 => [qw(positive negative)], copa => [qw(choice1 choice2)],
    wsc => \@truth, map { $_ => [@{$pair{$_}}[1 .. $#{$pair{$_}}]] } keys %pair);

sub must {
    my ($target, $want, $what) = @_;
    wrong("$what: the label is $target, not $want") unless $target eq $want;
}

# Returns the first sentence of a package that is short enough.
sub short {
    my ($e) = @_;
    return (grep { tokens($_) >= 3 && tokens($_) <= 12 }
            map { plain($_) } @{$e->{said}})[0] // '';
}

# Returns the packages whose short description, or whose first short sentence,
# is the text.
sub described {
    my ($text, $split) = @_;
    long('a short description', $text, 3, 12);
    return entries(\%by_summary, $text, $split);
}
sub sentenced {
    my ($text, $split) = @_;
    long('a sentence', $text, 3, 12);
    my @all = grep { short($_) eq $text } entries(\%by_sentence, $text, $split);
    wrong("'$text' is not the first sentence of its length") unless @all;
    return @all;
}

sub relation {
    my ($p, $q) = @_;
    return $p == $q ? 0 : $p->{section} eq $q->{section} ? 1 : 2;
}

sub related { # whether two of these packages are so
    my ($how, $p, $q) = @_;
    return grep { my $x = $_; grep { relation($x, $_) == $how } @$q } @$p;
}

# Returns the packages of "NAME: short description. NAME: short description."
sub introduced {
    my ($text, $split) = @_;
    while ($text =~ /\. /g) {
        my @half = (substr($text, 0, $-[0]), substr($text, $+[0], -1));
        my @e = map { my ($n, $s) = /^(\S+): (.*)$/;
                      [grep { $_->{source} eq $n }
                       @{$by_summary{$s // ''} // []}] } @half;
        return ($e[0][0], $e[1][0]) if @{$e[0]} && @{$e[1]};
    }
    wrong("'$text' introduces no packages of $split");
    return ();
}

my %answer; # of ReCoRD by split
my %check = (
    cola => sub {
        my ($split, $x, $target) = @_;
        my ($s) = $x =~ /^cola sentence: (.*)$/ or return wrong($x);
        return sentenced($s, $split) if $target eq 'acceptable';
        my @w = split / /, $s;
        for my $i (0 .. $#w - 1) {
            my $t = join ' ', @w[0 .. $i - 1, $i + 1, $i, $i + 2 .. $#w];
            return sentenced($t, $split)
                if $t ne $s && grep { short($_) eq $t } @{$by_sentence{$t}};
        }
        wrong("'$s' has not two words swapped");
    },
    sst2 => sub {
        my ($split, $x, $target) = @_;
        my ($s) = $x =~ /^sst2 sentence: (.*)$/ or return wrong($x);
        my $o = $opinion{$s} or return wrong("'$s' is no review");
        must($target, $o->{label} ? 'positive' : 'negative', $s);
        wrong("'$s' is of $o->{origin}") unless $o->{origin} eq 'imdb';
        wrong("'$s' in $split") unless split_of($o->{text}, 2, 8) eq $split;
        return ();
    },
    copa => sub {
        my ($split, $x, $target) = @_;
        my ($c, $d, $p, $asked) = $x =~
            /^copa choice1: (.*) choice2: (.*) premise: (.*) question: (.*)$/;
        ($c, $d) = ($d, $c) if $target eq 'choice2';
        my ($of, $to) = $asked eq 'effect' ? (\&described, \&sentenced)
                                           : (\&sentenced, \&described);
        my @p = $of->($p, $split);
        my @right = $to->($c, $split);
        wrong("'$c' is of another package") unless related(0, \@p, \@right);
        wrong("'$d' is of another section")
            unless related(1, \@p, [$to->($d, $split)]);
        even($split, $target, "$asked: " . join ' / ', sort $c, $d);
        return @p;
    },
    record => sub {
        my ($split, $x, $target, undef, undef, $said) = @_;
        my ($q, $names, $p) = $x =~
            /^record query: \@placeholder: (.*) entities: (.*) passage: (.*)$/;
        my @e = introduced($p, $split) or return ();
        my ($of) = grep { $_->{source} eq $target } @e;
        wrong("'$q' is not of $target")
            unless $of && related(0, [$of], [sentenced($q, $split)]);
        wrong("'$names' is not '$p' in order")
            if $names ne join ', ', sort map { $_->{source} } @e;
        must($said, $split eq 'train' ? $target : "$target|$of->{summary}",
             'accepted') if $of;
        wrong("$target is an answer again") if $answer{$split}{$target}++;
        return $of;
    },
    wsc => sub {
        my ($split, $x, $target, undef, undef, $said) = @_;
        my ($p, $q) = $x =~ /^wsc: (.*) \*It\*: (.*)$/;
        my @e = introduced($p, $split) or return ();
        my ($of) = grep { related(0, [$_], [sentenced($q, $split)]) } @e;
        my $true = $of && $of->{source} eq $target;
        wrong("'$q' is of none") unless $of;
        wrong("$target is not named")
            unless grep { $_->{source} eq $target } @e;
        wrong("'$q' is not of $target") if $split eq 'train' && !$true;
        must($said, ($true ? 'True' : 'False') . "|$target", $x)
            if $split ne 'train';
        $told{$subtask}{$true ? 'True' : 'False'}++;
        return $of;
    },
    agnews => sub {
        my ($split, $x, undef, undef, $label) = @_;
        my %topic = (games => 0, (map { $_ => 1 } qw(science math electronics
            hamradio)), (map { $_ => 2 } qw(net web httpd mail comm news)),
            (map { $_ => 3 } qw(sound video graphics)));
        my ($e) = grep { $x eq plain("$_->{summary}. " . join ' ',
                                     map { $_->{text} } @{$_->{blocks}}) }
            map { @{$by_summary{$_} // []} } ($x =~ /^(.*?)\. /);
        return wrong("'$x' is no description") unless $e;
        must($label, $topic{$e->{section}} // -1, "$x ($e->{section})");
        wrong("$e->{source} in $split")
            unless split_of($e->{source}, 8, 14) eq $split;
        wrong("$e->{source} comes again") if $chosen{$e->{source}}++;
        push @at, $e->{at};
        return ();
    },
    imdb => sub {
        my ($split, $x, undef, undef, $label) = @_;
        my $o = $opinion{$x} or return wrong("'$x' is no review");
        must($label, $o->{label}, $x);
        wrong("'$x' in $split") unless split_of($o->{text}, 10, 10) eq $split;
        wrong("'$x' comes again") if $chosen{$x}++;
        push @at, $o->{at};
        return ();
    },
    cnndm => sub {
        my ($split, $x, $target) = @_;
        my @e = grep { $_->{summary} eq $target }
            entries(\%by_text, $x, $split);
        wrong("'$target' sums up another text than '$x'") unless @e;
        long('an article', $x, 20, 60);
        wrong("$e[0]{source} comes again") if @e && $chosen{$e[0]{source}}++;
        wrong("'$target' comes again") if $chosen{"= $target"}++;
        push @at, $e[0]{at} if @e;
        return ();
    },
);
my %matched; # the pairs of either part of MNLI
for my $of (keys %pair) {
    my ($form, @answers) = @{$pair{$of}};
    $check{$of} = sub {
        my ($split, $x, $target) = @_;
        $x =~ /^$form$/ or return wrong("'$x' has another form");
        my ($s, $t) = @+{qw(one two)};
        my @p = described($s, $split);
        my @q = sentenced($t, $split);
        my ($how) = grep { $answers[$_] eq $target } 0 .. $#answers;
        wrong("'$s' / '$t' are not $target") unless related($how, \@p, \@q);
        wrong("$+{word} is not the section") if defined $+{word} &&
            !grep { $_->{section} eq $+{word} } @p;
        even($split, $target, "first $s");
        even($split, $target, "second $t");
        wrong("'$s' is of both parts of MNLI")
            if $of =~ /^mnli/ && ($matched{$s} //= $of) ne $of;
        return @p;
    };
}

# Returns whether a sentence or a whole paragraph has this counterpart in the
# translation.
sub translates {
    my ($e, $one, $two) = @_;
    my @side = map { my $t = $_; [grep { !$_->{list} } @{$t->{blocks}}] }
        $e, $e->{foreign};
    for my $sides (\@side, [$e->{blocks}, $e->{foreign}{blocks}]) {
        for my $i (0 .. $#{$sides->[0]}) {
            my ($x, $y) = map { plain($_->[$i]{text} // '') } @$sides;
            my @x = sentences($x);
            my @y = sentences($y);
            return 1 if $x eq $one && $y eq $two;
            return 1 if @x == @y &&
                grep { $x[$_] eq $one && $y[$_] eq $two } 0 .. $#x;
        }
    }
    return 0;
}

sub translation {
    my ($language) = @_;
    for my $r (records("Translation-$language")) {
        my $e = $entry_of_md5{$r->{'Description-md5'}} or next;
        $e->{foreign} //= read_text($r->{"Description-$language"});
        push @{$by_sentence{$_->{text}}}, $e for @{$e->{blocks}};
    }
    return sub {
        my ($split, $x, $target) = @_;
        my @e = grep { $_->{foreign} && translates($_, $x, $target) }
            entries(\%by_sentence, $x, $split);
        wrong("'$target' does not translate '$x'") unless @e;
        wrong("'$x' is in $chosen{$x} too")
            if ($chosen{$x} //= $split) ne $split;
        push @at, $e[0]{at} if @e;
        return ();
    };
}

# Every sentence occurs once; if it has duplicates, in training. The sentences
# of a package are in order.
my (%heard, $teller);
$check{lm1b} = sub {
    my ($split, $x) = @_;
    my @e = entries(\%by_sentence, $x, $split);
    wrong("'$x' comes again") if $heard{$x}++;
    return () unless @e;
    push @at, $e[0]{at} if ($teller // '') ne $e[0]{source};
    $teller = $e[0]{source};
    return ();
};

sub all_sentences { # those of packages of a split that none before has
    my ($split) = @_;
    my @all = grep { split_of($_->{source}, 5, 5) eq $split } @entry;
    return map { map { plain($_) } @{$_->{said}} } @all;
}

# Neighbouring turns are by different speakers, or are a fact and the question
# about it. Scenarios are divided as a whole, in order of their hash: into test
# until it has 7 % of all turns, then into validation until that has 7 %, too;
# the others are for training, as are all with more than 12 % of all turns.
sub scenario_splits {
    my ($all, %of, %done) = (0);
    $all += $_ for values %scenario;
    for (sort { hash_of($a) <=> hash_of($b) } keys %scenario) {
        my $s = $scenario{$_};
        my ($to) = $s * 100 > 12 * $all ? 'train'
            : grep { $_ eq 'train' || 100 * ($done{$_} // 0) < 7 * $all }
              qw(test valid train);
        $done{$of{$_} = $to} += $s;
    }
    return \%of;
}

my $scenario_split;
$check{wesnoth} = sub {
    my ($split, $x, $target) = @_;
    my @r = grep { $_->[0] eq $target } @{$reply{$x} // []};
    return wrong("'$target' is no reply to '$x'") unless @r;
    wrong("'$x': one speaks to himself, or is no person") if $r[0][2];
    $scenario_split //= scenario_splits();
    wrong("a turn of $r[0][1] is in $split")
        unless grep { $scenario_split->{$_->[1]} eq $split } @r;
    return ();
};
$check{persona} = sub {
    my ($split, $x, $target) = @_;
    my %named = $x =~ / i have a (\w+) named (\w+)\./g;
    my ($asked) = $x =~ / you: what is the name of your (\w+)\?$/;
    must($target, "my $asked is named $named{$asked}.", $x);
    wrong(keys(%named) . ' facts') if keys %named < 3 || keys %named > 5;
    return ();
};

# ---- main ----
my %needs = (packages => qr/glue|wmt|lm1b|cnndm|agnews/,
             reviews => qr/^glue|imdb/, turns => qr/persona/);
read_packages() if $task =~ $needs{packages};
$check{$task} = translation($1) if $task =~ /^wmt14_en(..)$/;
read_reviews() if $task =~ $needs{reviews};
read_turns() if $task =~ $needs{turns};
@share{qw(valid test)} = $task =~ /glue/ ? (2, 8) : (5, 5);

my ($changes, $before) = (0, '');
while (<STDIN>) {
    chomp;
    my ($split, $label, $source, $target, $said);
    ($split, $subtask, $label, $source, $target, $said) = split /\t/, $_, -1;
    my $check = $check{$subtask} or die "no rule for '$subtask'";
    $line = $.;
    $count{$subtask}++;
    $told{$subtask}{$target}++;
    $changes += $subtask ne $before;
    $before = $subtask;
    my @of = grep { ref } $check->($split, $source, $target, $subtask, $label,
                                     $said);
    # if several packages have the text, the example's package is unknown
    for my $e (@of > 1 ? () : @of) {
        # one package per source, and none in the training text of the language
        # model
        my $one = $chosen{$e->{source}} //= $e;
        wrong("$e->{source} gives two packages") if $one != $e;
        wrong("$e->{source} is training text of the language model")
            if $split ne 'train' && split_of($e->{source}, 5, 5) eq 'train';
    }
}
($line, $subtask) = ('all', 'all');
if ($task eq 'lm1b') {
    for my $split (qw(train valid test)) {
        my %missing = map { $_ => 1 }
            grep { !$heard{$_} } all_sentences($split);
        my $n = keys %missing; # what is left at the end fills no row
        wrong("$n sentences of $split are missing") if $n > 40;
    }
}
for my $what (keys %length) {
    for (@{$length{$what}{of}}) {
        wrong("$what never has $_") if $_ > 1 && !$length{$what}{$_};
    }
}
for my $of (keys %even) {
    my @want = keys %{$labels_of{$of}};
    ($subtask) = $of;
    for my $what (sort keys %{$even{$of}}) {
        my @n = map { $even{$of}{$what}{$_} // 0 } @want;
        wrong("$what stands @n times with the labels @want")
            if grep { $_ != $n[0] } @n;
    }
}
$subtask = 'all';
if ($task eq 'cnndm') { # a package of every source whose text is an article
    for (grep { !$chosen{$_->{source}} } @entry) {
        my $text = plain(join ' ', map { $_->{text} } @{$_->{blocks}});
        wrong("nothing is of $_->{source}") if tokens($text) >= 20 &&
            tokens($text) <= 60 && @{$by_text{$text}} == 1 &&
            @{$by_summary{$_->{summary}}} == 1;
    }
}
if (@at > 100) { # in random order every second one is a descent
    my $down = grep { $at[$_] < $at[$_ - 1] } 1 .. $#at;
    wrong("in the order of the text ($down descents of $#at)")
        if abs($down / $#at - 0.5) > 0.1;
}
wrong("subtasks follow one another ($changes changes)")
    if keys %count > 2 && $changes < $. / 2;
my %parts = (personachat => [qw(wesnoth persona)],
    glue => [qw(cola sst2 mrpc stsb qqp mnli_matched mnli_mismatched qnli rte
                wnli)],
    superglue => [qw(boolq cb copa multirc record rte wic wsc)]);
$count{$_} //= 0 for @{$parts{$task} // [$task]};
for my $of (keys %count) {
    wrong("only $count{$of} of $of") if $count{$of} < 20;
    for (@{$labels{$of} // []}) {
        wrong("$of: hardly any $_") if ($told{$of}{$_} // 0) < 5;
    }
}
exit(%bad ? 1 : 0);
