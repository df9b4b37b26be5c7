"""Reads mutants from stanzas: a sentence, old and new text (README.md)."""
import hashlib
import os
import re

TOKEN = re.compile(r'''
    (?P<blank> \s+ | \\(?:\n|\Z) | /\*.*?\*/ | //[^\n]* )
  | [A-Za-z_]\w*
  | \.?[0-9](?:[eEpP][-+]|[\w.])*
  | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
  | <<= | >>= | \.\.\. | -> | \+\+ | -- | << | >> | [<>=!]= | && | \|\|
  | [-+*/%&|^]= | .''', re.S | re.X)
CODE = ('harness', 'variants', 'plots')


class Wrong(Exception):
    """An error in a stanza, or in the mutant that it describes."""


def tokens(text):
    """Returns [(token, begin, end)...] of C text, without blanks and
    comments."""
    return [(m.group(), m.start(), m.end()) for m in TOKEN.finditer(text)
            if m.group('blank') is None]


def words(text):
    return [t for t, _, _ in tokens(text)]


def occurrences(old, have):
    """Returns [(begin, end)...] where the tokens `old` occur."""
    flat = [t for t, _, _ in have]
    n = len(old)
    return [(have[i][1], have[i + n - 1][2])
            for i in range(len(flat) - n + 1)
            if flat[i] == old[0] and flat[i:i + n] == old]


class Mutant:
    """One mutant; `area` is the name of its list."""

    def __init__(self, area, mistake, file, old, new, equivalent=None,
                 where='', operator=None, flags=None):
        self.area, self.mistake, self.file = area, mistake, file
        self.old, self.new = old, new
        self.equivalent, self.where = equivalent, where
        self.operator = operator  # of a generated one
        self.flags = flags        # expected by tests/gate/faults
        self.context = None       # the new text in its context, if generated
        self.place = None         # (file, begin, end), by find()
        text = '\0'.join([mistake if not operator else file,
                          ' '.join(words(old)), ' '.join(words(new))])
        self.key = hashlib.sha256(text.encode()).hexdigest()[:16]

    def planted(self):
        return self.operator is None

    def find(self, tree):
        """Finds the old text: once in its file, or else once in the code."""
        old = words(self.old)
        if not old:
            raise Wrong(f'{self.where}: there is no old text')
        if old == words(self.new):
            raise Wrong(f'{self.where}: old and new text are the same')
        found = places(old, tree, [self.file])
        if not found:
            found = places(old, tree, tree.files())
        if len(found) != 1:
            raise Wrong(f'{self.where}: the old text of "{self.mistake}" '
                        f'occurs {len(found)} times')
        self.place = found[0]
        return self.place

    def line(self, tree):
        return self.lines(tree)[0]

    def lines(self, tree):
        """Returns the first and last line that differ."""
        file, begin, end = self.place
        text = tree.text(file)
        have, want = tokens(text[begin:end]), words(self.new)
        first, last = 0, len(have) - 1
        while first < last and want[first:first + 1] == [have[first][0]]:
            first += 1
        n = len(want)
        while last > first and n > first and want[n - 1] == have[last][0]:
            last, n = last - 1, n - 1
        return tuple(text.count('\n', 0, begin + have[i][1]) + 1
                     for i in (first, last))

    def mutated(self, tree):
        file, begin, end = self.place
        text = tree.text(file)
        return text[:begin] + self.new + text[end:]

    def shown(self):
        """Returns old and new text in the form of a stanza."""
        new = self.new if self.planted() else self.context
        return [sign + line for sign, text in (('- ', self.old), ('+ ', new))
                for line in text.split('\n') if line.strip()]


def places(old, tree, files):
    return [(f, *at) for f in files if tree.exists(f)
            for at in occurrences(old, tree.tokens(f))]


class Tree:
    """The text of a working tree; each file is read once."""

    def __init__(self, root):
        self.root, self.known, self.split = root, {}, {}

    def text(self, file):
        if file not in self.known:
            with open(os.path.join(self.root, file), encoding='utf-8') as f:
                self.known[file] = f.read()
        return self.known[file]

    def tokens(self, file):
        if file not in self.split:
            self.split[file] = tokens(self.text(file))
        return self.split[file]

    def exists(self, file):
        return os.path.isfile(os.path.join(self.root, file))

    def files(self):
        return sorted(os.path.relpath(os.path.join(folder, name), self.root)
                      for top in CODE
                      for folder, _, names in os.walk(f'{self.root}/{top}')
                      for name in names
                      if name.endswith(('.c', '.h', '.cc', '.cu', '.gp')))

    def digest(self, file):
        return hashlib.sha256(self.text(file).encode()).hexdigest()[:16]


def read_stanza(block, where, area):
    field, old, new = {}, [], []
    for line in block:
        sign, rest = line[:1], line[2:]
        if sign == '-':
            old.append(rest)
        elif sign == '+':
            new.append(rest)
        else:
            name, colon, value = line.partition(':')
            if not colon or name not in ('mistake', 'file', 'why',
                                         'equivalent', 'flags') \
                    or name in field:
                raise Wrong(f'{where}: cannot read "{line}"')
            field[name] = value.strip()
    for name in ('mistake', 'file'):
        if not field.get(name):
            raise Wrong(f'{where}: a stanza without "{name}:"')
    return Mutant(area, field['mistake'], field['file'], '\n'.join(old),
                  '\n'.join(new), field.get('equivalent'), where,
                  flags=field.get('flags'))


def read_list(path):
    """Returns the stanzas of a file, which are separated by empty lines."""
    area = os.path.splitext(os.path.basename(path))[0]
    found, block, begin = [], [], 0
    with open(path, encoding='utf-8') as f:
        lines = f.read().split('\n') + ['']
    for n, line in enumerate(lines, 1):
        if line.startswith('#'):
            continue
        if line.strip():
            begin = begin if block else n
            block.append(line)
        elif block:
            found.append(read_stanza(block, f'{path}:{begin}', area))
            block = []
    return found


def planted(folder):
    """Returns the mutants of every list."""
    return [m for name in sorted(os.listdir(folder)) if name.endswith('.txt')
            for m in read_list(os.path.join(folder, name))]


def twice(mutants):
    """Yields an error for each sentence that occurs twice."""
    seen = {}
    for m in mutants:
        if m.mistake in seen:
            yield f'{m.where}: the mistake of {seen[m.mistake]} again'
        seen.setdefault(m.mistake, m.where)
