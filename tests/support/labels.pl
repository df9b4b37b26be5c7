#!/usr/bin/perl
# labels: checks the examples of a task against the real text that they were
# made from. Reads the text independently of the program, by the rules in the
# headers of the tasks.
#
#     perl tests/support/labels.pl CACHE TASK <EXAMPLES
#
# EXAMPLES has one line per example, in order: split, subtask, label, source and
# target, separated by tabs. Prints what is wrong with the first three bad
# examples of each subtask; exit code 1 if there are any.
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));

our ($cache, $task) = @ARGV;
our (@entry, %by_summary, %by_sentence, %by_text, %entry_of_md5);
our (%opinion, %usage, %reply, %scenario);
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

# ---- balanced pairs ----
sub tenth { # in which the share lies that both have of the shorter text's words
    my ($one, $two) = map { my %w = map { lc $_ => 1 } /\w+/g; \%w } @_;
    ($one, $two) = ($two, $one) if keys %$one > keys %$two;
    my $both = grep { $two->{$_} } keys %$one;
    return $both < keys %$one ? int(10 * $both / keys %$one) : 9;
}

# Each text occurs equally often with each label, and so does each second text
# among the pairs with the same tenth of overlap. Counts here; the final report
# lists violations.
my (%even, %labels_of);
sub even {
    my ($split, $label, $what) = @_;
    $even{$subtask}{"$split: $what"}{$label}++;
    $labels_of{$subtask}{$label} = 1;
}

sub pair {
    my ($split, $label, $premise, $hypothesis) = @_;
    even($split, $label, "first $premise");
    even($split, $label, "second $hypothesis");
    even($split, $label,
         "tenth " . tenth($premise, $hypothesis) . " of $hypothesis");
}

# ---- facts: a facet with a single value that is known ----
# For each facet: the question; claims, with % for the value; values; other
# words that a text must not name in addition; words that refer to the facet.
my %facet = (
    'implemented-in' => ['which language',
        ['it is written in %', 'this was implemented with %',
         'the source code is %', 'a programmer of % wrote it',
         'its authors used % for it', '% was chosen to write it',
         'its code, which you can read, is %',
         '% and its tools are needed to change it'],
        [qw(perl python java ocaml c++ ruby php haskell lisp tcl lua fortran
            erlang shell)],
        ['c#', qw(c c89 c99 c11 go golang rust javascript js scheme vala prolog
            ada pascal r bash smalltalk assembler assembly basic d perl5 perl6
            python2 python3 python-3 jruby jython elisp sml scala matlab octave
            cython pythonic)],
        [qw(written implemented implementation implements)]],
    'uitoolkit' => ['which toolkit',
        ['it is built on %', 'this was made with %',
         'the widgets are those of %', 'a part of % draws it',
         'its authors used % for the windows', '% is used to draw it',
         'its windows, which you can see, are from %',
         '% and its parts are needed to show it'],
        [qw(gtk qt ncurses sdl tk xlib motif wxwidgets fltk gnustep athena)],
        [qw(gtk1 gtk2 gtk3 gtk4 qt3 qt4 qt5 qt6 x11 xt xaw wx wxgtk curses sdl2
            efl clutter pygtk pyqt swing awt)],
        [qw(kde gnome xfce toolkit toolkits widget widgets gui window
            windows)]],
    'suite' => ['which suite',
        ['it is made for %', 'this belongs to %',
         'the aim of it is to extend %', 'it comes as an addition to %',
         'its authors had % in mind',
         'it was written with % and its users in mind',
         'you can use it from %', 'the place for all of this is %'],
        [qw(gnome kde xfce gnustep emacs apache)],
        [qw(mozilla openoffice libreoffice lxde lxqt mate cinnamon unity xemacs
            gnome2 kde3 kde4 kde5 plasma apache2)],
        [qw(httpd desktop desktops elisp)]],
    'culture' => ['which human language',
        ['it is made for %', 'this was written with % in mind',
         'the users of it read %', 'a user of it needs %',
         'its authors know how to handle %', '% is what it can handle',
         'you can use it to write %', '% and its writing are helped by it'],
        [qw(japanese german greek french chinese arabic czech korean italian
            polish hebrew slovak russian finnish thai irish portuguese spanish
            bulgarian swedish turkish hungarian danish)],
        [qw(english latin brazilian cyrillic farsi persian hindi cjk asian
            norwegian tamil bengali)],
        [qw(language languages translation translations)]],
    'field' => ['which field',
        ['it is made for %', 'this was written with % in mind',
         'the users of it work in %', 'a user of it studies %',
         'its authors know % and its tools', '% is what it serves to study',
         'you can use it for work in %', 'the place of this is that of %'],
        [qw(biology mathematics statistics finance geography physics linguistics
            chemistry astronomy electronics genealogy medicine geology
            aviation)],
        [qw(bioinformatics)],
        [qw(science sciences scientific research numerical)]]);
my @facets = qw(implemented-in uitoolkit suite culture field);

# Any word with this prefix names the field.
my %begins = (biology => 'biolog', mathematics => 'mathemat',
    statistics => 'statistic', finance => 'financ', geography => 'geograph',
    physics => 'physic', linguistics => 'linguist', chemistry => 'chemi',
    astronomy => 'astronom', electronics => 'electronic',
    genealogy => 'genealog', medicine => 'medic', geology => 'geolog',
    aviation => 'aviat');

my %pattern; # of a word: compiled once
sub names {
    my ($text, $word) = @_;
    $pattern{$word} //= $begins{$word}
        ? qr/(?<![A-Za-z0-9])\Q$begins{$word}\E/i
        : qr/(?<![A-Za-z0-9])\Q$word\E(?![A-Za-z0-9])/i;
    return $text =~ $pattern{$word};
}

sub values_of {
    my ($e, $facet) = @_;
    return map { /^\Q$facet\E::(.*)/ ? $1 : () } @{$e->{tags}};
}

# Returns [facet, value] of the last fact about the package in the text, or
# undef.
sub fact {
    my ($e, $text) = @_;
    for my $f (reverse @facets) {
        my (undef, undef, $known, $others) = @{$facet{$f}};
        my @has = values_of($e, $f);
        my @named = grep { names($text, $_) } @$known, @$others;
        return [$f, @has] if @has == 1 && "@named" eq "@has" &&
            grep { $_ eq $has[0] } @$known;
    }
    return undef;
}

sub speaks_of {
    my ($text, $f) = @_;
    return grep { names($text, $_) } map { @$_ } @{$facet{$f}}[2 .. 4];
}

# Returns [facet, value] of a claim, or undef if it is unknown. For a question
# (ask), the value is empty.
sub claimed {
    my ($claim, $ask) = @_;
    for my $f (@facets) {
        for my $frame (@{$facet{$f}[1]}) {
            for my $v ($ask ? $facet{$f}[0] : @{$facet{$f}[2]}) {
                return [$f, $ask ? '' : $v]
                    if lc $claim eq $frame =~ s/%/$v/r;
            }
        }
    }
    return undef;
}

# Returns how a claim relates to the text of a package: entailment,
# contradiction or neutral; if the claim should not exist, returns the reason.
sub relation {
    my ($e, $text, $claim) = @_;
    my $fact = fact($e, $text) or return 'of a text without a fact';
    my ($f, $v) = @{$claim // return 'no claim that is known'};
    return $fact->[1] eq $v ? 'entailment' : 'contradiction'
        if $fact->[0] eq $f;
    return speaks_of($text, $f) ? 'spoken of' : 'neutral';
}

my (%told_of, %framed); # by subtask: facets of claims, and claims
sub inference {
    my ($split, $premise, $claim, $target, $two) = @_;
    my $of = claimed($claim =~ s/\.$//r, 0);
    my @e = entries(\%by_sentence, $premise, $split);
    my @is = map { relation($_, $premise, $of) } @e;
    if ($two) { s/^(?:neutral|contradiction)$/not_entailment/ for @is }
    wrong("'$claim' of '$premise' is $is[0], not $target")
        unless !@e || grep { $_ eq $target } @is;
    wrong("'$claim' does not begin a sentence") unless $claim =~ /^\p{Lu}/;
    long('a premise', $premise, 3, 22);
    pair($split, $target, $premise, $claim);
    $told_of{$subtask}{$of->[0]}++ if $of;
    $framed{$subtask}{$claim}++;
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
my %near; # by subtask: other texts of the same section
sub matches {
    my ($split, $one, $two, $target, @label) = @_;
    my @p = entries(\%by_summary, $one, $split);
    my @q = grep { $_->{said}[0] eq $two }
        entries(\%by_sentence, $two, $split);
    wrong("'$two' begins no description") unless @q;
    long("a sentence of $subtask", $two, 5, 20);
    my $same = grep { my $p = $_; grep { $_ == $p } @q } @p;
    must($target, $label[!!$same], "$one / $two");
    pair($split, $target, $one, $two);
    if (!$same && @p && @q) {
        wrong("'$one' and '$two' are of texts that are alike")
            unless grep { my $p = $_; grep {
                tenth($_->{summary}, $one) < 5 &&
                tenth($p->{said}[0], $two) < 5 } @q } @p;
        $near{$subtask}{$p[0]{section} eq $q[0]{section} ? 'same' : 'other'}++;
    }
    for my $e (@p == 1 ? @p : (), @q == 1 ? @q : ()) {
        wrong("$e->{source} is of $matched{$e->{source}} too")
            if ($matched{$e->{source}} //= $subtask) ne $subtask;
    }
    return @p;
}

# ---- faults ----
my %function = map { $_ => 1 } qw(the a an of to in for and with from by on);
my @number = ([qw(is are)], [qw(was were)], [qw(has have)],
    [qw(provides provide)], [qw(uses use)], [qw(contains contain)],
    [qw(allows allow)], [qw(supports support)]);
my %number = map { ($_->[0] => $_->[1], $_->[1] => $_->[0]) } @number;

# Returns a map from each sentence that one fault can produce to the kind of the
# fault.
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

# Returns capitalized words that do not begin a sentence.
sub names_in { return $_[0] =~ /(?<=[^.] )([A-Z][A-Za-z0-9-]+)/g }

# Returns the packages whose description begins with the text; the description
# may have further paragraphs.
sub beginning {
    my ($text, $split) = @_;
    my %all;
    while ($text =~ / |$/g) {
        $all{$_} = $_ for @{$by_sentence{substr $text, 0, $-[0]} // []};
    }
    return grep { split_of($_->{source}, @share{qw(valid test)}) eq $split }
        values %all;
}

my (%answer, %second); # of ReCoRD by split, of WiC by word
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
        my ($split, $x, $target, undef, $label) = @_;
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
        my @is = grep { abs($_ - $target) <= 0.1 + 1e-9 } @score;
        wrong("$one / $two: the score is $target, not @score") unless @is;
        wrong("$target is no step of 0.2") if $target * 10 % 2;
        wrong("$one / $two: $target is of class $label")
            unless !@is || grep { ($_ >= 2.5) == $label } @is;
        if ($label) {
            wrong("'$one' and '$two' are of different sections")
                unless $together;
            wrong("'$one' and '$two' share many words")
                if tenth($one, $two) > 2;
        }
        even($split, $label, "first $one");
        even($split, $label, "second $two");
        even($split, $label, 'tenth ' . tenth($one, $two) . " of $two");
        for my $e (@p == 1 ? @p : (), @q == 1 ? @q : ()) {
            long('a first sentence of STS-B', $e->{said}[0], 5, 20);
        }
        return @p;
    },
    mnli_matched => sub {
        my ($split, $x, $target) = @_;
        my ($h, $p) = $x =~ /^mnli hypothesis: (.*) premise: (.*)$/;
        return inference($split, $p, $h, $target, 0);
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
        my $of = claimed($q =~ s/\?$//r, 1) or
            return wrong("'$q' asks for no facet");
        my @e = entries(\%by_sentence, $s, $split);
        my @is = map { relation($_, $s, $of) } @e;
        s/^contradiction$/entailment/, s/^neutral$/not_entailment/ for @is;
        wrong("'$q' of '$s' is $is[0], not $target")
            unless !@e || grep { $_ eq $target } @is;
        long('a sentence of QNLI', $s, 3, 22);
        pair($split, $target, $s, $q);
        return @e;
    },
    boolq => sub {
        my ($split, $x, $target) = @_;
        my ($p, $q) = $x =~ /^boolq passage: (.*) question: (.*)$/;
        my @e = entries(\%by_sentence, $p, $split);
        my ($claim) = $q =~ /^is it true that (.*)$/ or
            return wrong("'$q' is no question");
        my @is = map { relation($_, $p, claimed($claim, 0)) } @e;
        my $want = $target eq 'True' ? 'entailment' : 'contradiction';
        wrong("$q $p: $target, but it is @is") unless grep { $_ eq $want } @is;
        long('a passage of BoolQ', $p, 3, 22);
        pair($split, $target, $p, $q);
        return @e;
    },
    multirc => sub {
        my ($split, $x, $target) = @_;
        my ($which, $noun, $a, $first, $second) = $x =~
            /^multirc question: Of the (first|second) text, (.*)\? answer: (.*) paragraph: First: (.*) Second: (.*)$/
            or return wrong("'$x' is no question");
        my @text = ($first, $second);
        my @of = map { [entries(\%by_sentence, $_, $split)] } @text;
        my @fact = map { my $k = $_;
            [map { fact($_, $text[$k]) // () } @{$of[$k]}] } 0, 1;
        my ($f) = grep { $facet{$_}[0] eq $noun } @facets;
        wrong("nobody knows $noun") unless $f;
        long('a half of a paragraph', $_, 3, 9) for @text;
        my ($x1, $x2) = map { (grep { $_->[0] eq ($f // '') } @$_)[0] } @fact;
        return wrong("'$x' is not of two facts of one facet")
            unless $x1 && $x2 && $x1->[1] ne $x2->[1];
        my ($asked, $else) = $which eq 'first' ? ($x1, $x2) : ($x2, $x1);
        wrong("$a is the value of neither text")
            unless grep { $_->[1] eq lc $a } $asked, $else;
        must($target, truth($asked->[1] eq lc $a), $x);
        even($split, $target, "$_->[0] $_->[1]") for
            ['answer', "$a: $first / $second"],
            ['question', "$which $noun: $first / $second"],
            ['paragraph', "$first / $second"];
        return map { @$_ == 1 ? @$_ : () } @of;
    },
    copa => sub {
        my ($split, $x, $target) = @_;
        my ($one, $two, $p, $asked) = $x =~
            /^copa choice1: (.*) choice2: (.*) premise: (.*) question: (.*)$/;
        my ($right, $else) = $target eq 'choice1' ? ($one, $two) : ($two, $one);
        my @both = $asked eq 'effect' ? ($p, $right) : ($right, $p);
        my @e = grep {
            my @all = @{$_->{said}};
            $#all = 5 if $#all > 5;
            grep { "@all[$_ - 1, $_]" eq "@both" } 1 .. $#all
        } entries(\%by_sentence, $p, $split);
        wrong("'$both[1]' does not follow '$both[0]'") unless @e;
        long('a sentence of COPA', $_, 4, 10) for @both, $else;
        even($split, $target, "$asked: $one / $two");
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
            beginning($p, $split);
        wrong("no text is '$p $whole'") unless @e;
        wrong("'$target' is none of $list")
            unless grep { $_ eq $target } @names;
        my %once;
        my @all = grep { !$once{$_}++ } names_in($p);
        $#all = 7 if @all > 8;
        @all = sort @all; # their order tells nothing
        wrong("'$list' is not '@all'") if "@names" ne "@all";
        wrong("$target is an answer again") if $answer{$split}{$target}++;
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
        # an example may have two meanings
        wrong("$w: $one / $two: the label is $target") unless grep {
            my $of = $_; grep { truth($_ eq $of) eq $target } @$b } @$a;
        wrong("'$w' is of two parts of speech")
            unless grep { $part{(split)[0]} } @$b;
        wrong("'$w' in $split") unless split_of($w, 2, 8) eq $split;
        long('an example of WiC', $_, 4, 13) for $one, $two;
        wrong("'$w' comes twice in '$one'") if $one eq $two;
        even($split, $target, 'second ' . "$two of $w");
        even($split, $target, 'tenth ' . tenth($one, $two) . " of $two of $w");
        $second{join ' ', $w, sort keys %part}{$two} = 1;
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
# until it has 7 % of all turns, then into validation, likewise. Scenarios with
# more than 12 % of all turns are for training.
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
    my @of = grep { ref } $check->($split, $source, $target, $subtask, $label);
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
if ($task eq 'glue') {
    for (qw(order lost doubled number)) {
        wrong("hardly any fault is '$_'") if ($fault{$_} // 0) < 20;
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
for my $of (keys %told_of) { # what is claimed of suites is so in one part
    my $suites = $told_of{$of}{suite} // 0;
    wrong("$of: $suites claims of suites")
        if $of eq 'mnli_matched' ? $suites : !$suites;
    wrong("$of: another facet than languages and suites")
        if $of eq 'mnli_mismatched' &&
           grep { !/^(?:suite|implemented-in)$/ } keys %{$told_of{$of}};
    wrong("$of: hardly any wording") if keys %{$framed{$of}} < 10;
}
for my $of (keys %near) { # of one section where one fits
    wrong("$of: hardly any other text is of the same section")
        if ($near{$of}{same} // 0) < ($near{$of}{other} // 0);
}
for (keys %second) {
    wrong("$_ stands second with more than three examples")
        if keys %{$second{$_}} > 3;
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
