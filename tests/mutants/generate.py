"""Generates mutants by rule from clang's syntax tree of a file
(python3-clang)."""
import functools
import glob
import hashlib
import itertools
import os
import re
import subprocess
import sys
from ctypes import POINTER, byref, c_uint, c_void_p

import stanza

C = ['-std=c11', '-D_POSIX_C_SOURCE=200809L', '-D_DEFAULT_SOURCE']
CXX = ['-x', 'c++', '-std=c++17']
# Kernels are parsed by the host's compiler, with the file that includes them.
CU = ['-x', 'c', *C]
KERNELS = 'harness/engine/cuda/kernels.cu'
FLAGS = ['-fopenmp', '-I.', '-Ibuild/release']
INSTEAD = {
    '+': '-', '-': '+', '*': '/', '/': '*', '%': '/',
    '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=',
    '<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==',
    '&&': '||', '||': '&&', '&': '|', '|': '&', '<<': '>>', '>>': '<<'}
KIND = {**dict.fromkeys(('+', '-', '*', '/', '%', '+=', '-=', '*=', '/='),
                        'sign'),
        **dict.fromkeys(('<', '<=', '>', '>=', '==', '!='), 'comparison'),
        **dict.fromkeys(('&&', '||', '&', '|', '<<', '>>'), 'logic')}
# Calls that only release memory or write a message.
SKIPPED = re.compile(r'(err_\w+|\w*free|free_\w+|\w*_close|f?close|'
                     r'arena_give|block_give|assert|'
                     r'fprintf|fputs|va_\w+|\w*_abandon|unlink|'
                     r'json_decref)$')
# Calls whose arguments may be swapped: always, or if only equality matters.
SYMMETRIC = re.compile(r'(calloc|fmaxf?|fminf?|hypot)$')
EQUALITY = re.compile(r'(strn?cmp|strn?casecmp|memcmp)$')
SKIPPED_MACROS = ('REQUIRE', 'assert', 'va_arg')
INTEGERS = ('int', 'long', 'long long', 'unsigned int', 'unsigned long')


def areas(root):
    """Returns {module: its source files}. A draw takes equally many mutants
    from each module."""
    files = glob.glob('harness/**/*.c*', root_dir=root, recursive=True) + \
        glob.glob('variants/*.c', root_dir=root) + \
        glob.glob('plots/*.c', root_dir=root)
    out = {}
    for f in sorted(files):
        part = f.split('/')
        out.setdefault('cuda' if 'cuda' in part else
                       part[1] if part[0] == 'harness' else part[0],
                       []).append(f)
    return out


@functools.cache
def library_flags():
    return subprocess.run(
        ['pkg-config', '--cflags', 'hdf5', 'gsl', 'sentencepiece', 'yaml-0.1',
         'jansson', 'simdjson', 'nettle', 'libxml-2.0', 'hwloc'],
        capture_output=True, text=True, check=False).stdout.split()


def clang():
    try:
        from clang import cindex
    except ImportError:
        raise stanza.Wrong('there is no python3-clang: make deps-long')
    cindex.conf.lib.clang_getFileLocation.argtypes = [
        cindex.SourceLocation, POINTER(c_void_p), POINTER(c_uint),
        POINTER(c_uint), POINTER(c_uint)]
    return cindex


class Reader:
    """Finds the mutants of one file: spans of its text and their new text."""

    def __init__(self, cindex, tree, file):
        self.kind, self.lib = cindex.CursorKind, cindex.conf.lib
        self.text, self.file = tree.text(file), file
        self.bytes = self.text.encode()
        unit = cindex.Index.create().parse(
            os.path.join(tree.root,
                         KERNELS if file.endswith('.cu') else file),
            {'.cc': CXX, '.cu': CU}.get(os.path.splitext(file)[1], C) +
            library_flags() +
            [f.replace('-I', f'-I{tree.root}/') for f in FLAGS], options=1)
        fatal = [d for d in unit.diagnostics if d.severity >= 3]
        if fatal:
            print(f'mutants: {fatal[0]}', file=sys.stderr)
        top = [c for c in unit.cursor.get_children() if c.location.file
               and c.location.file.name.endswith(file)]
        self.barred = [self.span(c) for c in top
                       if c.kind == self.kind.MACRO_INSTANTIATION
                       and c.spelling in SKIPPED_MACROS]
        self.found, self.function, self.scope = set(), '', []
        for c in top:
            if c.kind in (self.kind.FUNCTION_DECL, self.kind.VAR_DECL,
                          self.kind.ENUM_DECL, self.kind.CXX_METHOD,
                          self.kind.LINKAGE_SPEC, self.kind.NAMESPACE):
                self.function = c.spelling
                self.walk(c, None)

    # ---- places ----
    def offset(self, location):
        at = c_uint()
        self.lib.clang_getFileLocation(location, None, None, None, byref(at))
        return len(self.bytes[:at.value].decode())

    def span(self, cursor):
        return (self.offset(cursor.extent.start),
                self.offset(cursor.extent.end))

    def put(self, operator, begin, end, new):
        inside = any(a <= begin < b for a, b in self.barred)
        if begin < end and not inside and self.text[begin:end] != new:
            self.found.add((begin, end, new, operator, self.function))

    # ---- operators ----
    def walk(self, c, parent):
        k = self.kind
        if c.kind == k.CALL_EXPR and SKIPPED.match(c.spelling or ''):
            return
        if c.kind in (k.BINARY_OPERATOR, k.COMPOUND_ASSIGNMENT_OPERATOR):
            self.operator(c)
        elif c.kind == k.UNARY_OPERATOR:
            self.unary(c)
        elif c.kind in (k.INTEGER_LITERAL, k.FLOATING_LITERAL):
            self.constant(c)
        elif c.kind == k.CALL_EXPR and not self.symmetric(c, parent):
            self.swap(c)
        elif c.kind in (k.DECL_REF_EXPR, k.MEMBER_REF_EXPR):
            self.other(c)
        children = list(c.get_children())
        if c.kind in (k.IF_STMT, k.WHILE_STMT, k.CONDITIONAL_OPERATOR):
            self.negate(children[0])
        if c.kind == k.IF_STMT and len(children) == 3:
            self.drop_else(children[1], children[2])
        statement = c.kind in (k.COMPOUND_STMT, k.IF_STMT, k.FOR_STMT,
                               k.WHILE_STMT)
        outer = len(self.scope)
        for n, child in enumerate(children):
            if child.kind in (k.VAR_DECL, k.PARM_DECL):
                self.scope.append(child)
            if self.is_size(c, child):
                continue
            if statement and (c.kind == k.COMPOUND_STMT or n > 0):
                self.delete(child)
            self.walk(child, parent if c.kind in (
                k.PAREN_EXPR, k.UNEXPOSED_EXPR) else c)
        if c.kind in (k.COMPOUND_STMT, k.FOR_STMT, k.FUNCTION_DECL,
                      k.CXX_METHOD):
            del self.scope[outer:]

    def negate(self, condition):
        begin, end = self.span(condition)
        self.put('condition', begin, end, f'!({self.text[begin:end]})')

    def drop_else(self, then, other):
        begin, end = self.span(then)[1], self.span(other)[1]
        between = self.text[begin:self.span(other)[0]].strip(' \n;')
        if between == 'else' and other.kind != self.kind.IF_STMT:
            self.put('branch', begin, end, self.text[begin:begin + 1]
                     if self.text[begin:begin + 1] == ';' else '')

    def other(self, c):
        """Returns another variable of the same type: the last one declared
        before it in scope, or the next member of the same struct."""
        k, at = self.kind, c.referenced
        if at is None or at.kind not in (k.VAR_DECL, k.PARM_DECL,
                                         k.FIELD_DECL):
            return
        rivals = self.scope if at.kind != k.FIELD_DECL else \
            [f for f in at.semantic_parent.get_children()
             if f.kind == k.FIELD_DECL]
        names = [v.spelling for v in rivals if v.spelling
                 and plain(v.type) == plain(at.type)]
        if at.spelling not in names or len(set(names)) < 2:
            return
        end = self.span(c)[1]
        begin = end - len(at.spelling)
        if self.text[begin:end] == at.spelling:
            self.put('variable', begin, end,
                     names[names.index(at.spelling) - 1])

    def is_size(self, c, child):
        """Returns whether child is the size of an array, which may be larger
        without effect."""
        begin, _ = self.span(child)
        return c.kind in (self.kind.VAR_DECL, self.kind.FIELD_DECL) and \
            self.text[:begin].rstrip()[-1:] == '['

    def symmetric(self, c, parent):
        if SYMMETRIC.match(c.spelling or ''):
            return True
        if not EQUALITY.match(c.spelling or '') or parent is None:
            return False
        begin, end = self.span(parent)
        return self.text[begin] == '!' or re.search(
            r'==\s*0$|!=\s*0$', self.text[begin:end]) or \
            parent.kind in (self.kind.IF_STMT, self.kind.WHILE_STMT) or \
            parent.kind == self.kind.BINARY_OPERATOR and self.logical(parent)

    def logical(self, c):
        left, right = [self.span(s) for s in c.get_children()]
        return re.search(r'&&|\|\|', self.text[left[1]:right[0]])

    def operator(self, c):
        sides = list(c.get_children())
        if len(sides) != 2:
            return
        begin, end = self.span(sides[0])[1], self.span(sides[1])[0]
        between = [t for t in stanza.tokens(self.text[begin:end])
                   if t[0] not in '()']
        if len(between) == 1 and between[0][0] in INSTEAD:
            t, a, b = between[0]
            self.put(KIND[t], begin + a, begin + b, INSTEAD[t])
            first, last = self.span(sides[0])[0], self.span(sides[1])[1]
            if t in ('&&', '||'):
                self.put('condition', begin + a, last, '')
                self.put('condition', first, begin + b, '')
            elif KIND[t] == 'comparison' and t not in ('==', '!=') and \
                    plain(sides[1].type) in INTEGERS:
                bound = self.text[end:last]
                for by in ('+ 1', '- 1'):
                    self.put('bound', end, last, f'({bound}) {by}')

    def unary(self, c):
        begin, end = self.span(c)
        if self.text[begin:begin + 1] in ('-', '!') and \
                self.text[begin:begin + 2] != '--':
            self.put('sign' if self.text[begin] == '-' else 'logic',
                     begin, begin + 1, '')

    def constant(self, c):
        begin, end = self.span(c)
        old = self.text[begin:end]
        if re.fullmatch(r'\d+[uUlL]*', old):
            value = int(old.rstrip('uUlL'))
            for new in {value - 1 if value else 1, value + 1, 2 * value}:
                self.put('constant', begin, end, str(new))
        elif re.fullmatch(r'[\d.]+(e[-+]?\d+)?f?', old):
            for new in ('0.0', '1.0', f'(2 * {old})'):
                self.put('constant', begin, end, new)

    def swap(self, c):
        given = list(c.get_arguments())
        for a, b in zip(given, given[1:]):
            (i, j), (m, n) = self.span(a), self.span(b)
            if j <= m and plain(a.type) == plain(b.type):
                self.put('arguments', i, n, self.text[m:n] +
                         self.text[j:m] + self.text[i:j])

    def delete(self, c):
        k = self.kind
        begin, end = self.span(c)
        call = c.kind == k.CALL_EXPR and not SKIPPED.match(c.spelling or '')
        ends = self.text[end:].lstrip()[:1] == ';'
        if ends and (call or c.kind == k.COMPOUND_ASSIGNMENT_OPERATOR or
                     c.kind == k.UNARY_OPERATOR or
                     c.kind == k.BINARY_OPERATOR and
                     re.search(r'[^=!<>]=[^=]', self.text[begin:end])):
            self.put('statement', begin, end, '')


def plain(type_):
    return type_.get_canonical().spelling.replace('const ', '')


def with_context(text, begin, end, new):
    """Returns old and new text of whole lines, as many as needed to be
    unique."""
    lines = text.split('\n')
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    first = text.count('\n', 0, begin)
    last = text.count('\n', 0, end)
    have = stanza.tokens(text)
    while True:
        a, b = starts[first], starts[last + 1] - 1
        old = text[a:b]
        if len(stanza.occurrences(stanza.words(old), have)) == 1:
            return old, text[a:begin] + new + text[end:b]
        if first == 0 and last == len(lines) - 1:
            return None
        first, last = max(first - 1, 0), min(last + (first % 2),
                                             len(lines) - 1)


def spans_of(cindex, tree, file, seed):
    """Returns [(digest, file, begin, end, new, operator, function)...]. The
    digest depends on the change and the function, not on the line."""
    text, seen, out = tree.text(file), {}, []
    for begin, end, new, operator, function in sorted(
            Reader(cindex, tree, file).found):
        what = (seed, file, function, text[begin:end], new)
        seen[what] = seen.get(what, 0) + 1
        digest = hashlib.sha256(f'{what} {seen[what]}'.encode()).hexdigest()
        out.append((digest, file, begin, end, new, operator, function))
    return out


def mutant(tree, area, span):
    """Returns the mutant of a span, or None if the change affects no token or
    has no unique place."""
    _, file, begin, end, new, operator, function = span
    text = tree.text(file)
    stanza_ = with_context(text, begin, end, new)
    if stanza_ is None or stanza.words(stanza_[0]) == stanza.words(stanza_[1]):
        return None
    old = ' '.join(text[begin:end].split())
    what = f'"{old}" becomes "{" ".join(new.split())}"' if new else \
        f'"{old}" is left out'
    m = stanza.Mutant(area, f'{function}: {what}', file, *stanza_,
                      where=file, operator=operator)
    m.place, m.context, m.new = (file, begin, end), m.new, new
    return m


def equivalents(tree, path):
    """Returns {(file, tokens after the change): reason}, and a list [(file,
    begin, end, reason)...] for stanzas with "...": there, any change is
    equivalent."""
    whole, within = {}, []
    for m in stanza.read_list(path):
        file, begin, end = m.find(tree)
        if m.new.strip() == '...':
            within.append((file, begin, end, m.equivalent))
        else:
            whole[file, tuple(stanza.words(m.mutated(tree)))] = m.equivalent
    return whole, within


def known_equivalent(tree, m, whole, within):
    """Returns why a mutant is known to be equivalent, or None."""
    file, begin, end = m.place
    for f, first, last, reason in within:
        if f == file and first <= begin and end <= last:
            return reason
    if any(f == file for f, _ in whole):
        return whole.get((file, tuple(stanza.words(m.mutated(tree)))))
    return None


def generated(tree, only, n, seed, equivalent):
    """Draws n mutants, equally many per module: those with the lowest digests
    for the seed."""
    same, out = equivalents(tree, equivalent), []
    chosen = {a: files for a, files in areas(tree.root).items()
              if not only or a in only}
    share = -(-n // len(chosen)) if chosen else 0
    for area, files in chosen.items():
        cindex = clang()
        drawn = (mutant(tree, area, span) for span in sorted(
            span for f in files for span in spans_of(cindex, tree, f, seed)))
        for m in itertools.islice(filter(None, drawn), share):
            m.equivalent = known_equivalent(tree, m, *same)
            out.append(m)
    return out
