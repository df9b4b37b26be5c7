#!/usr/bin/perl
# labels: the examples of a task on real text, held against the text that they
# were made of: read anew here, by rules that tasks' headers tell.
#
#     perl tests/support/labels.pl CACHE TASK <EXAMPLES
#
# EXAMPLES, in their order, a line each: split, subtask, label, source, target
# with tabs between.  Says what is wrong with the first three of each subtask
# that are; exit code 1 where any is.
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));

our ($cache, $task) = @ARGV;
our (@entry, %by_summary, %by_sentence, %by_text, %entry_of_md5);
our (%opinion, %usage, %usages, %reply, %scenario);
require './tests/support/archive.pl';
my ($line, $subtask, %bad, @at); # @at: where in the text the examples stand

sub wrong {
    my ($why) = @_;
    print STDERR "$task, $subtask, example $line: $why\n"
        if ++$bad{$subtask} <= 3;
}

# Texts have so many tokens, neither more nor less, and all that are allowed: it
# is told at the end where the shortest or the longest are missing.
my %length;
sub long {
    my ($what, $text, $least, $most) = @_;
    my $n = ref $text ? @$text : tokens($text);
    wrong("$what has $n, not $least to $most: " .
          (ref $text ? "@$text" : $text)) if $n < $least || $n > $most;
    $length{$what}{of} = [$least, $most];
    $length{$what}{$n}++;
}

# The packages of a text; one of them must be of the example's split.
my (%chosen, %share);
sub entries {
    my ($of, $text, $split) = @_;
    my @found = grep {
        split_of($_->{source}, @share{qw(valid test)}) eq $split
    } @{$of->{$text} // []};
    wrong("'$text' is no text of a package of $split") unless @found;
    return @found;
}

# ---- facts: the only value of a facet, where it is known ----
my %facet = (
    'implemented-in' => [qr/^It is written in (.*)\.$/,
        'Which language is it written in?', qr/^is it written in (.*)$/,
        qw(perl python java ocaml c++ ruby php haskell lisp tcl lua fortran
           erlang shell)],
    'uitoolkit' => [qr/^It uses the (.*) toolkit\.$/,
        'Which toolkit does it use?', qr/^does it use the (.*) toolkit$/,
        qw(gtk qt ncurses sdl tk xlib motif wxwidgets fltk gnustep athena)]);

sub values_of {
    my ($e, $facet) = @_;
    return map { /^\Q$facet\E::(.*)/ ? $1 : () } @{$e->{tags}};
}

sub names { return $_[0] =~ /(?<![A-Za-z0-9])\Q$_[1]\E(?![A-Za-z0-9])/i }

# What a claim or question (form 0, 2) says of a package that has the sentence:
# entailment, contradiction, neutral; or why it should not have been made.
sub relation {
    my ($e, $sentence, $text, $form) = @_;
    for my $f (keys %facet) {
        next unless $text =~ $facet{$f}[$form];
        my $value = lc $1;
        my @has = values_of($e, $f);
        return "of '$value', which nobody knows"
            unless grep { $_ eq $value } @{$facet{$f}}[3 .. $#{$facet{$f}}];
        my $only = @has == 1 ? $has[0] : '';
        return $only eq $value ? 'entailment' : 'named against the tags'
            if names($sentence, $value);
        return 'neutral' unless @has;
        return $only && $only ne $value && names($sentence, $only)
            ? 'contradiction' : 'decided, but not by the sentence';
    }
    return 'of no facet';
}

# Every sentence that a claim is about names a value that is a fact.
sub is_fact {
    my ($e, $sentence) = @_;
    for my $f (keys %facet) {
        my @has = values_of($e, $f);
        return 1 if @has == 1 && names($sentence, $has[0]) &&
            grep { $_ eq $has[0] } @{$facet{$f}}[3 .. $#{$facet{$f}}];
    }
    return 0;
}

my %code = map { $_ => 1 } qw(perl python java ocaml lisp ruby php haskell libs
    libdevel devel doc rust golang oldlibs gnu-r debug javascript);
my %coded; # by subtask: premises of sections for programmers, and of others

sub inference {
    my ($split, $premise, $claim, $target, $two) = @_;
    my @e = (entries(\%by_sentence, $premise, $split));
    my @is = map { relation($_, $premise, $claim, 0) } @e;
    if ($two) { s/^(?:neutral|contradiction)$/not_entailment/ for @is }
    $coded{$subtask}{$code{$e[0]{section}} ? 'code' : 'other'}++ if @e == 1;
    wrong("'$claim' of '$premise' is $is[0], not $target")
        unless !@e || grep { $_ eq $target } @is;
    long('a premise', $premise, 3, 24) unless $by_summary{$premise};
    wrong("'$premise' names no fact")
        unless !@e || grep { is_fact($_, $premise) } @e;
    return @e;
}

# ---- the tasks ----
my (%count, %told);
my @three = qw(entailment neutral contradiction);
my @two = qw(entailment not_entailment);
my %labels = (cola => [qw(acceptable unacceptable)],
    sst2 => [qw(positive negative)], mrpc => [qw(equivalent not_equivalent)],
    qqp => [qw(duplicate not_duplicate)], mnli_matched => \@three,
    mnli_mismatched => \@three, cb => \@three, rte => \@two, qnli => \@two,
    wnli => \@two, copa => [qw(choice1 choice2)],
    map { $_ => [qw(True False)] } qw(boolq multirc wic wsc));

sub truth { return $_[0] ? 'True' : 'False' }
sub must {
    my ($target, $want, $what) = @_;
    wrong("$what: the label is $target, not $want") unless $target eq $want;
}

my $two_alone = 0; # of COPA, from texts of two sentences
my %matched; # half of the sources are for either task
sub matches {
    my ($split, $one, $two, $target, @label) = @_;
    my @p = entries(\%by_summary, $one, $split);
    my @q = entries(\%by_sentence, $two, $split);
    wrong("'$two' begins no description")
        unless grep { $_->{said}[0] eq $two } @q;
    long("a sentence of $subtask", $two, 5, 20);
    my $same = grep { my $p = $_; grep { $_ == $p } @q } @p;
    must($target, $label[!!$same], "$one / $two");
    wrong("'$one' and '$two' are of different sections") unless grep {
        my $p = $_; grep { $_->{section} eq $p->{section} } @q } @p;
    wrong("$p[0]{source} is of $matched{$p[0]{source}} too")
        if @p == 1 && ($matched{$p[0]{source}} //= $subtask) ne $subtask;
    return @p;
}

# ---- faults ----
my %function = map { $_ => 1 } qw(the a an of to in for and with from by on);
my @number = ([qw(is are)], [qw(was were)], [qw(has have)],
    [qw(provides provide)], [qw(uses use)], [qw(contains contain)],
    [qw(allows allow)], [qw(supports support)]);
my %number = map { ($_->[0] => $_->[1], $_->[1] => $_->[0]) } @number;

# What a sentence becomes with one fault => which it is.
sub faults {
    my @w = split ' ', $_[0];
    my %all;
    for my $i (0 .. $#w) {
        my @before = @w[0 .. $i - 1];
        my @behind = @w[$i + 1 .. $#w];
        $all{"@before $behind[0] $w[$i] @behind[1 .. $#behind]"} = 'order'
            if @behind && $behind[0] ne $w[$i];
        $all{"@before @behind"} = 'lost' if $function{$w[$i]};
        $all{"@before $w[$i] $w[$i] @behind"} = 'doubled' if $function{$w[$i]};
        $all{"@before $number{$w[$i]} @behind"} = 'number' if $number{$w[$i]};
    }
    return map { (plain($_) => $all{$_}) } keys %all;
}

my (%faulty, %fault); # texts with one; how many of each kind
sub fault {
    my ($s, $split) = @_;
    if (!%faulty) {
        for my $e (@entry) {
            next unless @{$e->{said}};
            my %all = faults($e->{said}[0]);
            push @{$faulty{$_}}, [$e, $all{$_}] for keys %all;
        }
    }
    my ($of) = grep { split_of($_->[0]{source}, 2, 8) eq $split }
        @{$faulty{$s} // []};
    $fault{$of->[1]}++ if $of;
    return $of;
}

# Words with a capital that begin no sentence.
sub names_in { return $_[0] =~ /(?<=[^.] )([A-Z][A-Za-z0-9-]+)/g }

# The first two examples of one meaning (True) or of two, which are not the
# same and of a length that is taken.
sub first_pair {
    my ($of, $target) = @_;
    my @u = grep { tokens($_->[0]) >= 4 && tokens($_->[0]) <= 13 } @$of;
    for my $i (0 .. $#u) {
        for my $j ($i + 1 .. $#u) {
            return "$u[$i][0] / $u[$j][0]" if $u[$i][0] ne $u[$j][0] &&
                truth($u[$i][1] eq $u[$j][1]) eq $target;
        }
    }
    return '';
}

my %check = (
    cola => sub {
        my ($split, $x, $target) = @_;
        my ($s) = $x =~ /^cola sentence: (.*)$/ or return wrong($x);
        my $good = grep { $_->{said}[0] eq $s } @{$by_sentence{$s} // []};
        must($target, $good ? 'acceptable' : 'unacceptable', $s);
        long('a sentence of CoLA', $s, 5, 20) if $good;
        wrong("'$s' has no fault that is known")
            unless $good || fault($s, $split);
        return $good ? entries(\%by_sentence, $s, $split) : ();
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
    mrpc => sub {
        my ($split, $x, $target) = @_;
        my ($a, $b) = $x =~ /^mrpc sentence1: (.*) sentence2: (.*)$/;
        return matches($split, $a, $b, $target, 'not_equivalent', 'equivalent');
    },
    qqp => sub {
        my ($split, $x, $target) = @_;
        my ($a, $b) = $x =~ /^qqp question1: (.*) question2: (.*)$/;
        return matches($split, $a, $b, $target, 'not_duplicate', 'duplicate');
    },
    stsb => sub { # 5 |A and B| / |A or B|, in steps of 0.2
        my ($split, $x, $target) = @_;
        my ($one, $two) = $x =~ /^stsb sentence1: (.*) sentence2: (.*)$/;
        my @p = entries(\%by_summary, $one, $split);
        my @q = entries(\%by_summary, $two, $split);
        my (@score, $together);
        for my $p (@p) {
            for my $q (@q) {
                my @t = map { [grep { !/^role::|::TO[D]O$/ } @{$_->{tags}}] }
                    $p, $q;
                my %a = map { $_ => 1 } @{$t[0]};
                my $both = grep { $a{$_} } @{$t[1]};
                my $all = @{$t[0]} + @{$t[1]} - $both;
                push @score, 5 * $both / $all if $all;
                $together ||= $p->{section} eq $q->{section};
            }
        }
        wrong("'$one' and '$two' are of different sections") unless $together;
        wrong("$one / $two: the score is $target, not @score")
            unless grep { abs($_ - $target) <= 0.1 + 1e-9 } @score;
        wrong("$target is no step of 0.2") if $target * 10 % 2;
        for my $e (@p == 1 ? @p : (), @q == 1 ? @q : ()) {
            long('a first sentence of STS-B', $e->{said}[0], 5, 20);
        }
        return @p;
    },
    mnli_matched => sub {
        my ($split, $x, $target, $of) = @_;
        my ($h, $p) = $x =~ /^mnli hypothesis: (.*) premise: (.*)$/;
        my @e = inference($split, $p, $h, $target, 0);
        wrong("'$p' is of section $e[0]{section}") unless !@e || grep {
            !$code{$_->{section}} == ($of eq 'mnli_mismatched') } @e;
        return @e;
    },
    cb => sub {
        my ($split, $x, $target) = @_;
        my ($h, $p) = $x =~ /^cb hypothesis: (.*) premise: (.*)$/;
        return inference($split, $p, $h, $target, 0);
    },
    rte => sub {
        my ($split, $x, $target) = @_;
        my ($p, $h) = $x =~ /^rte sentence1: (.*) sentence2: (.*)$/;
        ($h, $p) = $x =~ /^rte hypothesis: (.*) premise: (.*)$/
            unless defined $h;
        return inference($split, $p, $h, $target, 1);
    },
    qnli => sub {
        my ($split, $x, $target) = @_;
        my ($q, $s) = $x =~ /^qnli question: (.*) sentence: (.*)$/;
        my ($f) = grep { $facet{$_}[1] eq $q } keys %facet;
        my @e = entries(\%by_sentence, $s, $split);
        long('a sentence of QNLI', $s, 3, 24) unless $by_summary{$s};
        my @answers = grep {
            my @has = values_of($_, $f); @has == 1 && names($s, $has[0]) } @e;
        must($target, @answers ? 'entailment' : 'not_entailment', "$q $s");
        wrong("nobody can answer '$q'")
            unless grep { values_of($_, $f) == 1 } @e;
        return @e;
    },
    boolq => sub {
        my ($split, $x, $target) = @_;
        my ($p, $q) = $x =~ /^boolq passage: (.*) question: (.*)$/;
        my @e = entries(\%by_sentence, $p, $split);
        my @is = map { relation($_, $p, $q, 2) } @e;
        my $want = $target eq 'True' ? 'entailment' : 'contradiction';
        wrong("$q $p: $target, but it is @is") unless grep { $_ eq $want } @is;
        return @e;
    },
    multirc => sub {
        my ($split, $x, $target) = @_;
        my ($q, $a, $p) =
            $x =~ /^multirc question: (.*) answer: (.*) paragraph: (.*)$/;
        my ($f) = grep { $facet{$_}[1] eq $q } keys %facet;
        my @e = entries(\%by_sentence, $p, $split);
        my ($has) = map { values_of($_, $f) } @e;
        must($target, truth(($has // '') eq lc $a), "$q $a: $p");
        wrong("'$p' names $a too") if $target eq 'False' && names($p, $a);
        return @e;
    },
    copa => sub {
        my ($split, $x, $target) = @_;
        my ($one, $two, $p, $asked) = $x =~
            /^copa choice1: (.*) choice2: (.*) premise: (.*) question: (.*)$/;
        my ($right, $else) = $target eq 'choice1' ? ($one, $two) : ($two, $one);
        my @both = $asked eq 'effect' ? ($p, $right) : ($right, $p);
        my @e = grep {
            my @first = (@{$_->{said}}, '')[0, 1];
            "@first" eq "@both"
        } entries(\%by_sentence, $p, $split);
        wrong("'$both[1]' does not follow '$both[0]'") unless @e;
        long('a sentence of COPA', $_, 4, 13) for @both, $else;
        $two_alone++ if grep { @{$_->{said}} == 2 } @e;
        wrong("'$else' is of the same package")
            if grep { my $e = $_; grep { $_ == $e } @{$by_sentence{$else}} } @e;
        entries(\%by_sentence, $else, $split);
        return @e;
    },
    record => sub {
        my ($split, $x, $target) = @_;
        my ($q, $list, $p) =
            $x =~ /^record query: (.*) entities: (.*) passage: (.*)$/;
        my @names = split /, /, $list;
        my $gaps = (my $whole = $q) =~ s/\@placeholder/$target/;
        wrong("'$q' asks for nothing") unless $gaps;
        my @e = grep { my @s = @{$_->{said}};
                       $#s = 5 if $#s > 5;
                       plain("@s") eq "$p $whole" }
            entries(\%by_sentence, (sentences($p))[0], $split);
        wrong("no text is '$p $whole'") unless @e;
        wrong("'$target' is none of $list")
            unless grep { $_ eq $target } @names;
        my %once;
        my @all = grep { !$once{$_}++ } names_in($p);
        $#all = 7 if @all > 8;
        wrong("'$list' is not '@all'") if "@names" ne "@all";
        long('a list of names', \@names, 3, 7);
        long('a passage of ReCoRD', $p, 1, 80);
        long('a query of ReCoRD', $whole, 1, 30);
        my ($before) = $q =~ /^(.*)\@placeholder/;
        wrong("'$target' is not the first name of '$whole'")
            if grep { $once{$_} } names_in($before);
        return @e;
    },
    wic => sub {
        my ($split, $x, $target) = @_;
        my ($one, $two, $w) =
            $x =~ /^wic sentence1: (.*) sentence2: (.*) word: (.*)$/;
        my ($a, $b) = map { $usage{$w}{$_} // [] } $one, $two;
        my %in = map { $_ => 1 } @$a;
        my %part = map { (split)[0] => 1 } @$a;
        must($target, truth(scalar grep { $in{$_} } @$b), "$w: $one / $two");
        wrong("'$w' is of two parts of speech")
            unless grep { $part{(split)[0]} } @$b;
        wrong("'$w' in $split") unless split_of($w, 2, 8) eq $split;
        long('an example of WiC', $_, 4, 13) for $one, $two;
        wrong("'$one' and '$two' are not the first of '$w'")
            unless grep { first_pair($_, $target) eq "$one / $two" }
                values %{$usages{$w}};
        return ();
    },
    wnli => sub {
        my ($split, $x, $target) = @_;
        my ($s, $said) = $x =~ /^wnli sentence1: (.*) sentence2: (.*)$/;
        my ($reason) = $s =~ /because he (.*)$/;
        my $true = $said eq meant($s) . " $reason";
        must($target, $true ? 'entailment' : 'not_entailment', $x);
        wrong("'$s' in $split") unless split_of($s, 2, 8) eq $split;
        return ();
    },
    wsc => sub {
        my ($split, $x, $target) = @_;
        my ($s) = $x =~ /^wsc text: (.*)$/;
        my ($asked) = $s =~ /\* (.*) \*/;
        $s =~ s/[*#] | [*#]//g;
        must($target, truth($asked eq meant($s)), $x);
        wrong("'$s' in $split") unless split_of($s, 2, 8) eq $split;
        return ();
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
$check{mnli_mismatched} = $check{mnli_matched};

# A sentence or a whole paragraph, and what stands there in the translation.
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

# Every sentence once, of training first; a package's in their order.
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

# Two people's neighbouring turns; or a fact that is asked for.
# Whole scenarios by their hash: test until it has 7 % of the turns, then
# validation; those of over 12 % are for training.
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

# ---- the whole ----
my %needs = (packages => qr/glue|wmt|lm1b|cnndm|agnews/,
             reviews => qr/^glue|imdb/, meanings => qr/super/,
             turns => qr/persona/);
read_packages() if $task =~ $needs{packages};
$check{$task} = translation($1) if $task =~ /^wmt14_en(..)$/;
read_reviews() if $task =~ $needs{reviews};
read_meanings() if $task =~ $needs{meanings};
read_turns() if $task =~ $needs{turns};
@share{qw(valid test)} = $task =~ /glue/ ? (2, 8) : (5, 5);

my ($changes, $before) = (0, '');
while (<STDIN>) {
    chomp;
    my ($split, $label, $source, $target);
    ($split, $subtask, $label, $source, $target) = split /\t/, $_, -1;
    my $check = $check{$subtask} or die "no rule for '$subtask'";
    $line = $.;
    $count{$subtask}++;
    $told{$subtask}{$target}++;
    $changes += $subtask ne $before;
    $before = $subtask;
    for my $e ($check->($split, $source, $target, $subtask, $label)) {
        next unless ref $e;
        # one package of each source, and none that the language model read
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
if ($task eq 'glue') {
    for (qw(order lost doubled number)) {
        wrong("hardly any fault is '$_'") if ($fault{$_} // 0) < 20;
    }
}
for my $of (grep { /^(?:rte|cb)$/ } keys %count) {
    for (qw(code other)) {
        wrong("$of: hardly any is of $_ sections")
            if ($coded{$of}{$_} // 0) < 5;
    }
}
wrong('no story of two sentences') if $task eq 'superglue' && !$two_alone;
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
