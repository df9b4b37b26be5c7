"""Finds the lines that each test executes, with gcov, once per test."""
import difflib
import glob
import json
import os
import subprocess
import sys

import place
from kept import load, save

DUMP = 'build/mutants_dump.o'
FLAGS = ['CFLAGS=-O1 --coverage', 'CXXFLAGS=-O1 --coverage',
         f'LDLIBS=--coverage -Wl,--wrap=_exit {DUMP}']


def gcov(tree, data):
    """Yields what gcov's JSON says of each source of the program in these files
    of a build, .gcda or .gcno."""
    for i in range(0, len(data), 50):
        out = subprocess.run(['gcov', '-bt', '--json-format',
                              *data[i:i + 50]], cwd=tree,
                             capture_output=True, text=True).stdout
        for line in out.splitlines():
            for f in json.loads(line)['files']:
                if f['file'].startswith(('harness/', 'variants/', 'plots/')) \
                        and os.path.exists(os.path.join(tree, f['file'])):
                    yield f


class Coverage:
    """The executed lines of all tests. build/mutants/coverage has, for each
    test, its key and, per file, the executed lines and the digest of the
    file's text; and the texts with these digests."""

    def __init__(self, root, tree, tests):
        self.root, self.tree, self.tests = root, tree, tests
        self.folder = os.path.join(root, 'build', 'mutants', 'coverage')
        os.makedirs(self.folder, exist_ok=True)
        self.executed, self.moved = {}, {}
        self.able = load(self.file('able'))

    def file(self, name):
        return os.path.join(self.folder,
                            name.replace('/', '.').replace(':', '.'))

    # ---- measuring ----
    def measure(self):
        todo = [t for t in self.tests
                if load(self.file(t.name + '.json')).get('key') != t.key]
        if todo:
            self.place = place.Place(self.root, 'coverage_job')
            self.build(todo)
            for n, t in enumerate(todo, 1):
                print(f'what does {t.name} execute? {n}/{len(todo)}',
                      flush=True)
                self.measure_one(t)

    def build(self, tests):
        self.place.sync(place.tree_files(self.root), builds=False)
        os.makedirs(self.place.path('build'), exist_ok=True)
        subprocess.run(['gcc', '-c', '-o', DUMP, 'tests/mutants/dump.c'],
                       cwd=self.place.tree, check=True)
        targets = {}
        for t in tests:
            for mode, names in t.builds.items():
                targets.setdefault(mode, set()).update(names)
        for mode, names in targets.items():
            wrong = self.place.make(mode, sorted(names), True, FLAGS)
            if wrong:
                sys.exit(f'mutants: no build with --coverage:\n{wrong}')

    def measure_one(self, t):
        self.forget()
        outcome, said, _ = self.place.run(t.command, 1200, t.env())
        if outcome == 'skipped':
            return
        if outcome != 'passed':
            print(f'    {outcome} under coverage: {said}')
        lines, sources = {}, {}
        for name, some in self.counts():
            digest = self.tree.digest(name)
            sources[name] = digest
            self.keep(name, digest)
            able = self.able.setdefault(digest, [])
            able += sorted({n for n, _ in some} - set(able))
            lines[name] = sorted({n for n, c in some if c}
                                 | set(lines.get(name, ())))
        save(self.file('able'), self.able)
        save(self.file(t.name + '.json'),
             {'key': t.key, 'sources': sources, 'lines': lines})

    def forget(self):
        for f in glob.glob(self.place.path('build/**/*.gcda'),
                           recursive=True):
            os.remove(f)

    def counts(self):
        """Returns (file, [(line, count)...]) of the code executed since
        forget()."""
        data = glob.glob(self.place.path('build/**/*.gcda'), recursive=True)
        for f in gcov(self.place.tree, data):
            yield f['file'], [(x['line_number'], x['count'])
                              for x in f['lines']]

    def keep(self, name, digest):
        path = self.file('text.' + digest)
        if not os.path.exists(path):
            with open(path, 'w', encoding='utf-8') as f:
                f.write(self.tree.text(name))

    # ---- queries ----
    def read(self):
        for t in self.tests:
            self.executed[t.name] = load(self.file(t.name + '.json'))

    def now(self, name, digest, lines):
        """Returns the current numbers of lines of an older text, which is given
        by its digest. A new line counts as executed if a neighbour does."""
        if digest == self.tree.digest(name):
            return set(lines)
        moves = self.moves(name, digest)
        have = set(lines)
        return {new for new, olds in moves if olds & have}

    def moves(self, name, digest):
        if (name, digest) not in self.moved:
            with open(self.file('text.' + digest), encoding='utf-8') as f:
                old = f.read().split('\n')
            new = self.tree.text(name).split('\n')
            moves = []
            for tag, i, i2, j, j2 in difflib.SequenceMatcher(
                    None, old, new, False).get_opcodes():
                moves += [(j + n + 1, {i + n + 1} if tag == 'equal' else
                           set(range(i, i2 + 2))) for n in range(j2 - j)]
            self.moved[name, digest] = moves
        return self.moved[name, digest]

    def test_lines(self, test, name):
        """Returns the lines of a file that a test executes, or None if the test
        does not use the file."""
        r = self.executed[test.name]
        if name not in r.get('sources', {}):
            return None
        key = (test.name, name)
        if key not in self.moved:
            self.moved[key] = self.now(name, r['sources'][name],
                                       r['lines'][name])
        return self.moved[key]

    def able_lines(self, name):
        digests = {r['sources'][name] for r in self.executed.values()
                   if name in r.get('sources', {})}
        return set().union(*(self.now(name, d, self.able[d])
                             for d in digests))

    def ran(self, name, first, last):
        """Returns the tests that execute some lines of a file. A line without
        code counts as the statement above it. For a line outside functions,
        returns all tests, first those that execute the file. If the compiler
        has moved the code of a line, returns all tests of its function."""
        able = self.able_lines(name)
        lines = set(range(first, last + 1)) & able
        if not lines:
            lines = self.above(name, first) & able
        if not lines:
            return sorted(self.tests, key=lambda t: not
                          self.test_lines(t, name))
        return self.through(name, lines) or \
            self.through(name, self.function(name, first))

    def through(self, name, lines):
        return [t for t in self.tests
                if (self.test_lines(t, name) or set()) & lines]

    def function(self, name, line):
        """Returns the lines of the function that contains this one."""
        text = ['}', *self.tree.text(name).split('\n'), '}']
        first = max(n for n in range(line) if text[n].startswith('}'))
        last = min(n for n in range(line, len(text))
                   if text[n].startswith('}'))
        return set(range(first + 1, last + 1))

    def above(self, name, line):
        """Yields the preceding lines of the function, the nearest first."""
        text = self.tree.text(name).split('\n')
        able = self.able_lines(name)
        for n in range(line - 1, 0, -1):
            if text[n - 1].startswith('}'):
                break
            if n in able:
                return {n}
        return set()
