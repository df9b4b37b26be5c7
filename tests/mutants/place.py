"""A copy of the tree in which mutants are built, tested and reverted."""
import glob
import os
import shutil
import signal
import subprocess
import threading
import time

MODES = ('release', 'double', 'golden')
SOURCES = ('.c', '.cc', '.cu')  # files that become objects
COMMON = {'LC_ALL': 'C.UTF-8', 'CMOCKA_MESSAGE_OUTPUT': 'TAP'}
DROPPED = ('MAKEFLAGS', 'MFLAGS', 'MAKELEVEL', 'MAKEOVERRIDES', 'MODE', 'CC',
           'CXX', 'CFLAGS')
LINKER = ['LDLIBS=-fuse-ld=gold'] if shutil.which('ld.gold') else []
LIMITS = ['prlimit', f'--as={16 << 30}:', '--core=0']  # browsers may raise it


def tree_files(root):
    """Returns the files that git tracks or would track, without ignored
    files."""
    out = subprocess.run(['git', 'ls-files', '-z', '-co',
                          '--exclude-standard'], cwd=root, check=True,
                         capture_output=True, text=True).stdout
    return [f for f in out.split('\0')
            if f and os.path.isfile(os.path.join(root, f))]


class Place:
    """A folder with tree/ and its own home/ and tmp/."""

    def __init__(self, root, name):
        self.root = root
        self.folder = os.path.join(root, 'build', 'mutants', name)
        self.tree = os.path.join(self.folder, 'tree')
        self.tmp = os.path.join(self.folder, 'tmp')
        self.home = os.path.join(self.folder, 'home')
        self.saved, self.times = {}, {}
        self.mended = 0  # when an included file was reverted, in ns

    def path(self, file):
        return os.path.join(self.tree, file)

    def environment(self, more=None):
        e = {k: v for k, v in os.environ.items() if k not in DROPPED}
        e.update(COMMON, HOME=self.home, TMPDIR=self.tmp,
                 XDG_CACHE_HOME=os.path.join(self.home, 'cache'),
                 GIT_CEILING_DIRECTORIES=self.folder)
        e.update(more or {})
        return e

    # ---- the copy ----
    def sync(self, files, builds=True):
        """Copies the root to the tree; build outputs stay."""
        os.makedirs(self.tree, exist_ok=True)
        os.makedirs(self.home, exist_ok=True)
        for f in set(self.have()) - set(files):
            os.remove(self.path(f))
        for f in files:
            copy_changed(os.path.join(self.root, f), self.path(f))
        if builds:
            self.take_builds(os.path.join(self.root, 'build'))

    def take_builds(self, builds):
        """Starts from existing builds."""
        for mode in MODES:
            if os.path.isdir(f'{builds}/{mode}/harness') and \
                    not os.path.isdir(self.path(f'build/{mode}')):
                os.makedirs(self.path('build'), exist_ok=True)
                subprocess.run(['cp', '-a', f'{builds}/{mode}',
                                self.path('build')], check=True)

    def have(self):
        return [os.path.relpath(os.path.join(d, n), self.tree)
                for d, folders, names in os.walk(self.tree)
                for n in names
                if not os.path.relpath(d, self.tree).startswith('build')]

    def clear(self):
        shutil.rmtree(self.tmp, ignore_errors=True)
        shutil.rmtree(self.home, ignore_errors=True)
        os.makedirs(self.tmp, exist_ok=True)
        os.makedirs(self.home)

    # ---- building ----
    def make(self, mode, targets, whole=False, more=()):
        """Builds targets. Returns None, or the output of make if it fails.
        Unless `whole`, trusts the stamps and may use a faster linker."""
        stamps = [] if whole else ['-o', f'build/{mode}/flags', '-o',
                                   f'build/{mode}/build_info.h', *LINKER]
        jobs = os.cpu_count() if whole else 1
        done = subprocess.run(
            ['make', f'-j{jobs}', f'MODE={mode}', *stamps, *more, *targets],
            cwd=self.tree, env=self.environment(), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors='replace')
        return None if done.returncode == 0 else done.stdout

    def change(self, file, text):
        """Changes `file` to `text`; saves its objects for mend()."""
        stem = 'tests/support/kernels' if file.endswith('.cu') else \
            os.path.splitext(file)[0]
        modes = os.listdir(self.path('build'))
        objects = [self.path(f'build/{m}/{stem}.o') for m in modes]
        whole = self.path(file)
        self.saved = {whole: read(whole)}
        objects = [o for o in objects if os.path.exists(o)]
        fresh = all(os.stat(o).st_mtime_ns > self.mended for o in objects)
        if file.endswith(SOURCES) and fresh: # a .gp is not a source
            self.saved.update({o: read(o) for o in objects})
        self.times = {p: os.stat(p) for p in self.saved}
        with open(whole, 'w', encoding='utf-8') as f:
            f.write(text)

    def unchanged(self, modes):
        """Returns whether the object code of these modes is unchanged."""
        objects = [o for o in self.saved if o.endswith('.o')
                   and os.path.relpath(o, self.tree).split('/')[1] in modes]
        return bool(objects) and all(read(o) == self.saved[o]
                                     for o in objects)

    def mend(self):
        """Reverts change(). Makes the saved objects newer than the programs
        linked with the changed ones, and an included file newer than the
        objects of the files that include it."""
        kept = any(path.endswith(('.o', '.gp')) for path in self.saved)
        for path, bytes_ in self.saved.items():
            with open(path, 'wb') as f:
                f.write(bytes_)
            if path.endswith(('.c', '.cc', '.gp')) and kept and \
                    not self.included(path):
                t = self.times[path]
                os.utime(path, ns=(t.st_atime_ns, t.st_mtime_ns))
            if not path.endswith((*SOURCES, '.o', '.gp')):
                self.mended = time.time_ns()
        self.saved = {}

    def included(self, path):
        """Returns whether the file is included by another source, as recipe.c
        is by support/recipe_next.c."""
        line = f'#include "{os.path.relpath(path, self.tree)}"\n'
        return any(line.encode() in read(f) for f in glob.glob(
            self.path('tests/support/*.c')))

    # ---- running ----
    def run(self, command, limit, env):
        """Runs a test. Returns (outcome, words, seconds); the outcome is
        passed, skipped, failed or hung."""
        self.clear()
        begin = time.monotonic()
        p = subprocess.Popen([*LIMITS, *command], cwd=self.tree,
                             env=self.environment(env), errors='replace',
                             stdin=subprocess.DEVNULL, text=True,
                             stdout=subprocess.PIPE, bufsize=1,
                             stderr=subprocess.STDOUT, start_new_session=True)
        try:
            outcome = self.listen(p, begin + limit)
        finally:
            self.end(p)
        return (*outcome, time.monotonic() - begin)

    def listen(self, p, end):
        """Reads TAP until the first test that fails."""
        timer = Timer(end - time.monotonic(), lambda: kill_group(p))
        last = plan = ''
        with timer:
            for line in p.stdout:
                line = line.rstrip('\n')
                if line.startswith('not ok') and '# TODO' not in line:
                    return 'failed', line
                if line.startswith('1..'):
                    plan = line
                last = line or last
            code = p.wait()
        if timer.rung:
            return 'hung', 'it does not end'
        if code or not plan:
            return 'failed', f'exit code {code}: {last[:120]}'
        if plan.startswith('1..0'):
            return 'skipped', plan.partition('# SKIP ')[2]
        return 'passed', ''

    def end(self, p):
        """Ends all processes that the test has started."""
        kill_group(p)
        p.stdout.close()
        p.wait()
        mark = f'TMPDIR={self.tmp}\0'.encode()
        for pid in filter(str.isdigit, os.listdir('/proc')):
            try:
                if mark in read(f'/proc/{pid}/environ'):
                    os.kill(int(pid), signal.SIGKILL)
            except OSError:
                pass


class Timer:
    """Calls `ring` once after some seconds, unless its block ends earlier."""

    def __init__(self, seconds, ring):
        self.rung, self.ring = False, ring
        self.timer = threading.Timer(max(seconds, 0), self.out)

    def out(self):
        self.rung = True
        self.ring()

    def __enter__(self):
        self.timer.start()

    def __exit__(self, *_):
        self.timer.cancel()


def kill_group(p):
    try:
        os.killpg(p.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def copy_changed(source, target):
    if os.path.exists(target) and read(source) == read(target):
        return
    new = not os.path.exists(target)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy2(source, target)
    if not new:
        os.utime(target)
