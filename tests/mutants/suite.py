"""Lists the tests: what must be built for each, how it is run, and a digest
of its contents."""
import glob
import hashlib
import os
import re
import subprocess

NEVER = [f'tests/project/{name}.t' for name in (
    'build', 'lint', 'recipe', 'recipe_more', 'mutants')]
# These tests build or read the sources themselves, not the results of a build.


class Test:
    """A test. `builds` is {mode: [target...]}; `key` depends on its text."""

    def __init__(self, root, name, mode='release'):
        self.file, self.mode = name, mode
        self.name = name if mode == 'release' else f'{mode}:{name}'
        self.program = f'build/{mode}/synthbench'
        if name.endswith('.t'):
            self.command = ['sh', name]
            self.builds = script_builds(root, name)
            texts = script_texts(root, name)
        else:
            self.command = [f'build/{mode}/{name}']
            self.builds = {mode: [self.program, self.command[0]]}
            texts = c_texts(root, name + '.c')
        self.key = digest(root, texts)
        self.seconds = None

    def env(self):
        return {'SYNTHBENCH': self.program}


def digest(root, files):
    h = hashlib.sha256()
    for f in sorted(files):
        with open(os.path.join(root, f), 'rb') as text:
            h.update(text.read())
    return h.hexdigest()[:16]


def text(root, file):
    with open(os.path.join(root, file), encoding='utf-8',
              errors='replace') as f:
        return f.read()


def script_builds(root, name):
    """Returns the builds of a script: all programs, including that for MPI,
    and the tools; in another mode if the script names it."""
    builds = {'release': ['all', *make_says(root, ['TOOLS'])]}
    if 'build/double' in text(root, name):
        builds['double'] = ['build/double/synthbench']
    if 'build/golden' in text(root, name):
        builds['golden'] = make_says(root, ['GOLDEN_TOOLS'])
    return builds


def script_texts(root, name):
    """Returns the script and the files of tests/ that it names."""
    named = re.findall(r'tests/[\w/.-]+\.(?:sh|pl|py)', text(root, name))
    return {name, *(f for f in named if os.path.isfile(f'{root}/{f}'))}


def c_texts(root, name):
    """Returns the file and the headers of tests/ that it includes, with
    their C files."""
    found, todo = set(), [name]
    while todo:
        f = todo.pop()
        if f in found or not os.path.isfile(f'{root}/{f}'):
            continue
        found.add(f)
        for h in re.findall(r'#include "(tests/[^"]+)"', text(root, f)):
            todo += [h, h[:-2] + '.c']
    return found


def make_says(root, names):
    """Returns the values of variables of the Makefile, as words."""
    rule = 'mutants-say: ; @echo ' + ' '.join(f'$({n})' for n in names)
    env = {k: v for k, v in os.environ.items() if not k.startswith('M')}
    return subprocess.run(['make', '-s', f'--eval={rule}', 'mutants-say'],
                          cwd=root, env=env, check=True, text=True,
                          capture_output=True).stdout.split()


def suite(root, without):
    """Returns every test of `make check`, except those that no mutant can
    fail."""
    def names(pattern):
        return sorted(os.path.relpath(f, root)
                      for f in glob.glob(f'{root}/{pattern}'))

    found = [Test(root, f[:-2]) for f in names('tests/*/test_*.c')]
    found += [Test(root, f, 'double')
              for f in make_says(root, ['DOUBLE_TESTS'])]
    scripts = make_says(root, ['SHELL_TESTS', 'TORTURE_TESTS'])
    found += [Test(root, f) for f in names('tests/golden/*.t') + scripts
              if f not in NEVER]
    return [t for t in found if not any(w in t.name for w in without)]
