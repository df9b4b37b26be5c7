"""Tests mutants, each in a copy of the tree, and stores the results."""
import fcntl
import os
import queue
import sys
import threading
import time

import coverage
import place
import report
import suite
from kept import load, save

SOURCES = ('harness/', 'variants/', 'plots/', 'experiments/', 'Makefile')


def limit(test):
    """Returns the seconds after which a test counts as hung."""
    return 20 + 5 * (test.seconds or 60)


class Work:
    def __init__(self, root, tree, mutants, args):
        self.root, self.tree, self.args = root, tree, args
        self.mutants = mutants
        self.folder = os.path.join(root, 'build', 'mutants')
        os.makedirs(self.folder, exist_ok=True)
        self.alone()
        self.tests = suite.suite(root, args.without)
        if args.tests:
            self.tests = [t for t in self.tests
                          if any(w in t.name for w in args.tests)]
        if not self.tests:
            sys.exit('mutants: there is no such test')
        self.by_name = {t.name: t for t in self.tests}
        self.found = load(self.file('results.json'))
        if args.fresh:
            for m in mutants:
                self.found.pop(m.key, None)
        self.lock = threading.Lock()
        self.kills = {}

    def alone(self):
        """Locks the copies, which two runs at once would change."""
        self.mine = open(self.file('lock'), 'w')  # closed at exit
        try:
            fcntl.flock(self.mine, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit('mutants: another one is at work here')

    def file(self, name):
        return os.path.join(self.folder, name)

    # ---- the unchanged tree ----
    def prepare(self):
        """Makes and builds the copies. Every test must pass in the first
        copy."""
        files = place.tree_files(self.root)
        self.sources = suite.digest(self.root, [f for f in files
                                                if f.startswith(SOURCES)])
        self.places = [place.Place(self.root, f'job{i}')
                       for i in range(self.args.jobs)]
        for p in self.places:
            p.sync(files)
            if p is not self.places[0]:
                p.take_builds(self.places[0].path('build'))
            self.build_all(p)
        self.prove(self.places[0])
        self.coverage = None
        if not self.args.tests:
            self.coverage = coverage.Coverage(self.root, self.tree,
                                              self.tests)
            self.coverage.measure()
            self.coverage.read()

    def build_all(self, p):
        targets = {}
        for t in self.tests:
            for mode, names in t.builds.items():
                targets.setdefault(mode, set()).update(names)
        for mode, names in sorted(targets.items(), reverse=True):
            print(f'MODE={mode}: building {len(names)} of {p.tree}',
                  flush=True)
            wrong = p.make(mode, sorted(names), whole=True)
            if wrong:
                sys.exit(f'mutants: the tree does not build:\n{wrong}')

    def prove(self, p):
        passes = load(self.file('passes.json'))
        for t in sorted(self.tests, key=lambda t: t.name.endswith('.t')):
            known = passes.get(t.name)
            if known and known[:2] == [self.sources, t.key]:
                t.seconds = known[2]
                continue
            t.seconds = known[2] if known else None
            print(f'without mistakes: {t.name}', flush=True)
            for _ in range(2):  # a loaded machine may fail a test once
                outcome, said, t.seconds = p.run(t.command, 900, t.env())
                if outcome in ('passed', 'skipped'):
                    break
            else:
                sys.exit(f'mutants: {t.name} {outcome} in the tree without '
                         f'mistakes: {said}')
            if outcome == 'skipped':
                print(f'    left out: {said}', flush=True)
                self.tests.remove(t)
                continue
            passes[t.name] = [self.sources, t.key, t.seconds]
            save(self.file('passes.json'), passes)

    # ---- one mutant ----
    def order(self, m):
        """Returns the tests that may kill the mutant. Fast tests come first,
        and tests that have killed other mutants of this file."""
        kills = self.kills.get(m.place[0], {})
        tests = self.coverage.ran(m.place[0], *m.lines(self.tree)) \
            if self.coverage else self.tests
        return sorted(tests, key=lambda t: (
            t.seconds / (1 + kills.get(t.name, 0)), t.name))

    def known(self, m):
        """Returns a result of an earlier run that is still valid, or None. A
        kill is valid as long as its test exists. A survivor is valid as long
        as its file is unchanged, and must pass only new or changed tests."""
        r = self.found.get(m.key)
        if r and r['outcome'] in report.KILLED:
            return r if os.path.exists(
                os.path.join(self.root, r['file'])) else None
        return r if r and r['outcome'] == 'same' else None

    def attempt(self, p, m):
        digest = self.tree.digest(m.place[0])
        old = self.found.get(m.key, {})
        passed = old.get('passed', {}) if old.get('source') == digest else {}
        record = {'outcome': 'survived', 'source': digest, 'passed': passed}
        tests = self.order(m)
        same = 0
        p.change(m.place[0], m.mutated(self.tree))
        try:
            for t in tests:
                if passed.get(t.name) == t.key:
                    continue
                if self.builds_not(p, t, record):
                    break
                if p.unchanged(t.builds):
                    same += 1
                elif self.fails(p, t, record):
                    break
                passed[t.name] = t.key
        finally:
            p.mend()
        if same and same == len(tests):
            record['outcome'] = 'same'
        return record

    def builds_not(self, p, t, record):
        for mode, targets in t.builds.items():
            wrong = p.make(mode, targets)
            if wrong:
                record.update(outcome='error', said=wrong[-2000:])
                return True
        return False

    def fails(self, p, t, record):
        outcome, said, _ = p.run(t.command, limit(t), t.env())
        if outcome == 'failed':  # twice, as load can fail it once
            outcome, said, _ = p.run(t.command, limit(t), t.env())
        if outcome in ('passed', 'skipped'):
            return False
        record.update(outcome=outcome, said=said, test=t.name, file=t.file
                      if t.file.endswith('.t') else t.file + '.c')
        return True

    # ---- all mutants ----
    def run(self):
        begin = time.monotonic()
        todo = queue.Queue()
        for m in self.mutants:
            if m.equivalent:
                continue
            if self.known(m):
                self.note(m, self.known(m))
            else:
                todo.put(m)
        self.left = self.size = todo.qsize()
        print(f'{self.size} of {len(self.mutants)} mistakes to try with '
              f'{len(self.tests)} tests', flush=True)
        threads = [threading.Thread(target=self.serve, args=(p, todo, begin),
                                    daemon=True) for p in self.places]
        for t in threads:
            t.start()
        for t in threads:
            while t.is_alive():
                t.join(0.5)

    def serve(self, p, todo, begin):
        while True:
            try:
                m = todo.get_nowait()
            except queue.Empty:
                return
            start = time.monotonic()
            record = self.attempt(p, m)
            record['seconds'] = round(time.monotonic() - start, 1)
            with self.lock:
                self.note(m, record)
                self.found[m.key] = record
                save(self.file('results.json'), self.found)
                self.left -= 1
                self.tell(m, record, begin)

    def note(self, m, record):
        if record['outcome'] in report.KILLED:
            by = self.kills.setdefault(m.place[0], {})
            by[record['test']] = by.get(record['test'], 0) + 1

    def tell(self, m, record, begin):
        done = self.size - self.left
        eta = (time.monotonic() - begin) / done * self.left / 60
        print(f'[{done}/{self.size}, {eta:.0f} min left] '
              + report.line(m, record, self.tree), flush=True)


def work(root, tree, mutants, args):
    w = Work(root, tree, mutants, args)
    if any(not m.equivalent for m in mutants):
        w.prepare()
        w.run()
    text = report.report(mutants, w.found, tree)
    with open(w.file('report.txt'), 'w', encoding='utf-8') as f:
        f.write(text)
    print(text, end='')
