"""branches.py BUILD: prints the share of branches that the tests took, by
module, from the counts of gcov in BUILD. Writes the lines with branches that
were never taken to BUILD/untaken.txt.

IGNORED lines do not count: tests/cli/faults.t takes their error returns by
injection, and a violated contract aborts. Headers do not count: gcc puts a copy
of the functions that OWNED calls in each function that owns something. Nor do
the branches that were never taken in the functions that EXCUSED lists.
"""
import collections
import glob
import itertools
import os
import re
import sys

import coverage

IGNORED = re.compile(
    r"\b(PASS|GOTO_IF_ERR|REQUIRE|json_(array|object)_foreach) ?\(")

# Lines `FILE FUNCTION: REASON`; empty lines and those that begin with # do not
# count.
EXCUSED = 'tests/coverage/untaken.txt'


def measure(build):
    """Returns {(file, line): [how often each branch was taken]} and {(file,
    function): (first line, last line)}. Several objects may have the code of a
    line, as that of a header; their counts are added."""
    found, functions = {}, {}
    notes = glob.glob(f'{build}/**/*.gcno', recursive=True)
    for file in coverage.gcov('.', notes):
        for f in file['functions']:
            functions[file['file'], f['name']] = f['start_line'], f['end_line']
        for line in file['lines']:
            counts = [b['count'] for b in line['branches'] if not b['throw']]
            place = file['file'], line['line_number']
            found[place] = [sum(pair) for pair in itertools.zip_longest(
                found.get(place, []), counts, fillvalue=0)]
    return found, functions


def is_counted(place):
    file, line = place
    if file.endswith('.h'):
        return False
    with open(file, encoding='utf-8') as f:
        return not IGNORED.search(next(itertools.islice(f, line - 1, None)))


def excuse(counts, functions):
    """Removes the branches that EXCUSED excuses from the counts. Returns the
    complaints about lines whose function does not exist or needs no excuse."""
    complaints = []
    with open(EXCUSED, encoding='utf-8') as f:
        text = f.read().split('\n')
    for number, line in enumerate(text, 1):
        if not line or line.startswith('#'):
            continue
        file, _, name = line.partition(':')[0].partition(' ')
        if (file, name) not in functions:
            complaints.append(
                f'{EXCUSED}:{number}: {file} has no function {name}')
            continue
        first, last = functions[file, name]
        lines = [p for p in counts if p[0] == file and first <= p[1] <= last
                 and 0 in counts[p]]
        if not lines:
            complaints.append(f'{EXCUSED}:{number}: the tests take every '
                              f'branch of {name}; remove the line')
        for p in lines:
            counts[p] = [c for c in counts[p] if c]
    return complaints


def module(file):
    return file.removeprefix('harness/').split('/')[0]


def row(name, counts):
    taken = sum(c > 0 for c in counts)
    share = 100 * taken / len(counts)
    return share, f'{name:9} {len(counts):8} {taken:8} {share:5.1f} %'


def main(build):
    found, functions = measure(build)
    counts = {place: c for place, c in sorted(found.items())
              if c and is_counted(place)}
    complaints = excuse(counts, functions)
    by_module = collections.defaultdict(list)
    for (file, _), c in counts.items():
        by_module[module(file)] += c
    untaken = os.path.join(build, 'untaken.txt')
    with open(untaken, 'w', encoding='utf-8') as f:
        for (file, line), c in counts.items():
            if 0 in c:
                f.write(f'{file}:{line}: {c.count(0)} of {len(c)}\n')
    print('module    branches    taken')
    for _, text in sorted(row(m, c) for m, c in by_module.items()):
        print(text)
    print(row('all', sum(by_module.values(), []))[1])
    print(f'{untaken} lists the lines with branches that were never taken')
    if complaints:
        sys.exit('\n'.join(complaints))


main(sys.argv[1])
