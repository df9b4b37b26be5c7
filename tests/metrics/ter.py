#!/usr/bin/python3
"""A second implementation of TER, compared with that of the program.

    ter.py PROGRAM SEGMENTS [SEED]

Generates segments with three references each (entities, ampersands, hyphens,
numbers with points and commas, possessives, case, Asian punctuation, unusual
spaces, moved blocks), scores them with `PROGRAM score ter` for every
combination of options, and compares the edits and the length of every
segment, and the score. Prints the differences; exit code 1 if there are any.

Unlike the program, it uses Python's own strings and regular expressions, and
lists all shifts before it chooses one.
"""
import itertools
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

OPTIONS = ("normalized", "no_punct", "asian_support", "case_sensitive")
SHIFT_WORDS, SHIFT_PLACES, SHIFT_TRIALS, BEAM = 10, 50, 1000, 25

# ---- words ----

ASIAN_SIGNS = ("\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb"
               "\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09")
IDEOGRAPHS = ("\u4e00-\u9fff\u3400-\u4dbf\u31c0-\u31ef\u2e80-\u2eff"
              "\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f\u3200-\u3f22")
WESTERN = [
    (r"&quot;", '"'), (r"&amp;", "&"), (r"&lt;", "<"), (r"&gt;", ">"),
    (r"\A|\Z", " "),
    (r"([ !-&(-+/:-@\[-`{-~])", r" \1 "),
    (r"'s ", " 's "),
    (r"([^0-9])([.,])", r"\1 \2 "),
    (r"([.,])([^0-9])", r" \1 \2"),
    (r"([0-9])-", r"\1 - ")]


def words(line, normalized, no_punct, asian_support, case_sensitive):
    line = line.rstrip()
    if not case_sensitive:
        line = line.lower()
    if normalized and line:
        for pattern, by in WESTERN:
            line = re.sub(pattern, by, line)
        if asian_support:
            line = re.sub("([%s%s])" % (IDEOGRAPHS, ASIAN_SIGNS), r" \1 ", line)
    if no_punct:
        line = re.sub(r'[.,?:;!"()]', "", line)
        if asian_support:
            line = re.sub("[%s]" % ASIAN_SIGNS, "", line)
    return line.split()


# ---- edits ----

def table(hyp, ref, rows=()):
    """Returns the rows of the distance table, continuing `rows` if given."""
    ratio = len(ref) / len(hyp) if hyp else 1
    beam = math.ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
    rows = list(rows) or [list(range(len(ref) + 1))]
    for i in range(len(rows), len(hyp) + 1):
        middle, word, above = math.floor(i * ratio), hyp[i - 1], rows[-1]
        start = max(0, middle - beam)
        end = len(ref) + 1 if i == len(hyp) else middle + beam
        row = [math.inf] * start + [above[0] + 1] * (start == 0)
        for j in range(len(row), min(len(ref) + 1, end)):
            cost = above[j - 1] + (word != ref[j - 1])
            if above[j] < cost:
                cost = above[j] + 1
            if j and row[j - 1] < cost:
                cost = row[j - 1] + 1
            row.append(cost)
        rows.append(row + [math.inf] * (len(ref) + 1 - len(row)))
    return rows


def alignment(rows, hyp, ref):
    """Returns the hypothesis position at which each reference word is aligned,
    and the wrong words of both sides."""
    i, j = len(hyp), len(ref)
    align, wrong_hyp, wrong_ref = {}, set(), set()
    while i or j:
        same = i and j and hyp[i - 1] == ref[j - 1]
        if i and j and rows[i][j] == rows[i - 1][j - 1] + (not same):
            how = "=" if same else "s"
        else:
            how = "d" if i and rows[i][j] == rows[i - 1][j] + 1 else "i"
        if how != "d":
            align[j - 1] = i - 1
        if how in "sd":
            wrong_hyp.add(i - 1)
        if how in "si":
            wrong_ref.add(j - 1)
        i, j = i - (how != "i"), j - (how != "d")
    return align, wrong_hyp, wrong_ref


def blocks(hyp, ref):
    """Yields (start in hyp, start in ref, length) of all equal word
    sequences."""
    for h, r in itertools.product(range(len(hyp)), range(len(ref))):
        if abs(h - r) > SHIFT_PLACES:
            continue
        for n in range(1, SHIFT_WORDS + 1):
            if h + n > len(hyp) or hyp[h:h + n] != ref[r:r + n]:
                break
            yield h, r, n


def moved(hyp, start, length, target):
    block, rest = hyp[start:start + length], hyp[:start] + hyp[start + length:]
    at = target - length if target > start + length else target
    return rest[:at] + block + rest[at:]


def shifts(hyp, ref, rows):
    """Yields each shift to try as (target, start, length), block by block."""
    align, wrong_hyp, wrong_ref = alignment(rows, hyp, ref)
    for start, r, length in blocks(hyp, ref):
        if wrong_hyp.isdisjoint(range(start, start + length)) or \
           wrong_ref.isdisjoint(range(r, r + length)) or \
           start <= align[r] < start + length:
            continue
        targets = [align[k] + 1 if k >= 0 else 0
                   for k in range(r - 1, r + length)]
        yield [(target, start, length)
               for target, _ in itertools.groupby(targets)]


def edits(hyp, ref):
    if not ref:
        return len(hyp)
    made = tried = 0
    while True:
        rows, found, costs = table(hyp, ref), [], {}
        now = rows[-1][-1]
        for block in shifts(hyp, ref, rows):
            for target, start, length in block:
                text = tuple(moved(hyp, start, length, target))
                if text not in costs:
                    same = min(start, target) + 1
                    costs[text] = table(text, ref, rows[:same])[-1][-1]
                found.append((now - costs[text], length, -start, -target, text))
            tried += len(block)
            if tried >= SHIFT_TRIALS:
                return made + now
        best = max(found, default=(0,))
        if best[0] <= 0:
            return made + now
        hyp, made = list(best[-1]), made + 1


def statistics(hyp, refs, options):
    """Returns the fewest edits and the mean length of the references."""
    hyp = words(hyp, *options)
    refs = [words(ref, *options) for ref in refs]
    return (min(edits(hyp, ref) for ref in refs),
            sum(map(len, refs)) / len(refs))


# ---- segments ----

VOCABULARY = (
    "the a cat dog's It's J's &amp; &lt; &gt; &quot;x&quot; &amp;lt; &AMP; R&D "
    "&amp;amp; &apos; AT&T 1,000.50 3.14 2004. 10-20 3- -5 x-y e-mail .5 5, "
    "a.b , . ; ! ? (x) [y] \"q\" it's. 's s' 's's ' can't U.S. 1-2-3 ... .. ,, "
    "1,a a,1 \u00bd 2\u00bd-3 \u0663.\u0664 $5 50% #1 @me a/b {z} ~ ^ _ ` | \\ "
    "\u0130 \u03a3\u0391\u03a3. \u039f\u0394\u039f\u03a3's \u1e9e \u212a "
    "\u201ex\u201c \u2013 \u2019s \u4e2d\u6587\u3002 \u30ab\u30ca \uff08x\uff09 "
    "\u32ff\u3300 \u3f22\u3f23").split()
GAPS = [" "] * 30 + ["  ", "", "-", "\u00a0", "\u3000", "\u200b", "\t", "\u2028",
                     "\x1c", "\x85"]


def changed(rng, text):
    text = list(text)
    for _ in range(rng.randint(0, 1 + len(text) // 4)):
        i, what = rng.randint(0, len(text)), rng.random()
        if what < .2:
            del text[i:i + 1]
        elif what < .4:
            text.insert(i, rng.choice(VOCABULARY))
        elif what < .55:
            text[i:i + 1] = [rng.choice([str.upper, str.lower, str.title])(word)
                             for word in text[i:i + 1]]
        else:
            block = text[i:i + rng.randint(1, 12)]
            del text[i:i + len(block)]
            at = rng.randint(0, len(text))
            text[at:at] = block
    return text


def joined(rng, text):
    return "".join(word + rng.choice(GAPS) for word in text)


def segment(rng):
    few = rng.sample(VOCABULARY, rng.choice([3, 8, 20, len(VOCABULARY)]))
    most = rng.choice([3, 8, 12, 16, 24]) if rng.random() < .97 else 90
    text = [rng.choice(few) for _ in range(rng.randint(0, most))]
    if rng.random() < .05:  # different lengths widen the beam
        text = text[:rng.randint(0, 2)]
    hyp, *refs = (joined(rng, changed(rng, text)) for _ in range(4))
    if rng.random() < .03:
        refs[rng.randrange(3)] = joined(rng, [rng.choice(few)] * 60)
    return hyp, refs


# ---- comparison ----

def program(path, folder, texts, options):
    command = [path, "score", "ter", "--json", "-S", "sentence_level=yes"]
    for kind, lines in texts:
        name = os.path.join(folder, str(len(command)))
        with open(name, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(line + "\n" for line in lines)
        command += [kind, name]
    for key, value in zip(OPTIONS, options):
        command += ["-S", "%s=%s" % (key, ("no", "yes")[value])]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE,
                                     check=True).stdout)


def compare(path, folder, segments, options):
    texts = [("--hyp", [hyp for hyp, _ in segments])]
    texts += [("--ref", refs) for refs in zip(*(refs for _, refs in segments))]
    got = program(path, folder, texts, options)
    each, bad, sums = got["sentences"], 0, [0, 0]
    for i, (hyp, refs) in enumerate(segments):
        want = statistics(hyp, refs, options)
        sums = [a + b for a, b in zip(sums, want)]
        this = each["num_edits"][i], each["avg_ref_len"][i]
        if this[0] != want[0] or abs(this[1] - want[1]) > 1e-9:
            bad += 1
            print("segment %d, %s: (edits, length) are %s, not %s: %r, %r" %
                  (i, options, this, want, hyp, refs))
    score = 100 * (sums[0] / sums[1])
    printed = "TER = %.2f" % score
    if abs(got["score"] - score) > 1e-9 or got["printed"] != printed:
        bad += 1
        print("%s: TER is %r (%s), not %r (%s)" % (
            options, got["score"], got["printed"], score, printed))
    return bad


def main(path, count, seed="1"):
    rng, bad = random.Random(int(seed)), 0
    segments = [segment(rng) for _ in range(int(count))]
    ways = list(itertools.product((0, 1), repeat=len(OPTIONS)))
    with tempfile.TemporaryDirectory() as folder:
        for k, options in enumerate(ways):
            share = segments[k::len(ways)]
            bad += compare(path, folder, share, options) if share else 0
    print("%d segments, %d differences" % (len(segments), bad))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
