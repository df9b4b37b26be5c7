"""Mistakes made by rule, of what clang reads in a file (python3-clang)."""
import glob
import hashlib
import os
import re
import sys
from ctypes import POINTER, byref, c_uint, c_void_p

import stanza

AREAS = {
    'variants': ['variants/*.c'],
    'engine': ['harness/engine/*.c', 'harness/engine/cpu/*.c'],
    'nn': ['harness/nn/*.c'],
    'tasks': ['harness/tasks/*.c', 'harness/tasks/*/*.c'],
    'metrics': ['harness/metrics/*.c', 'harness/metrics/*/*.c'],
    'stats': ['harness/stats/*.c'],
    'report': ['harness/report/*.c'],
}
FLAGS = ['-std=c11', '-fopenmp', '-D_POSIX_C_SOURCE=200809L',
         '-D_DEFAULT_SOURCE', '-I.', '-Ibuild/release']
INSTEAD = {
    '+': '-', '-': '+', '*': '/', '/': '*', '%': '/',
    '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=',
    '<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==',
    '&&': '||', '||': '&&', '&': '|', '|': '&', '<<': '>>', '>>': '<<'}
KIND = {**dict.fromkeys(('+', '-', '*', '/', '%', '+=', '-=', '*=', '/='),
                        'sign'),
        **dict.fromkeys(('<', '<=', '>', '>=', '==', '!='), 'comparison'),
        **dict.fromkeys(('&&', '||', '&', '|', '<<', '>>'), 'logic')}
# What they are told cannot matter, or they release what is not used again.
SKIPPED = re.compile(r'(err_\w+|\w*free|free_\w+|\w*_close|f?close|'
                     r'arena_give|block_give|assert|'
                     r'fprintf|fputs|va_\w+|\w*_abandon|unlink|'
                     r'json_decref)$')
# Their arguments may change places: always, or where only equality is asked.
SYMMETRIC = re.compile(r'(calloc|fmaxf?|fminf?|hypot)$')
EQUALITY = re.compile(r'(strn?cmp|strn?casecmp|memcmp)$')
SKIPPED_MACROS = ('REQUIRE', 'assert', 'va_arg')


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
    """The mistakes of one file: spans of its text and what they become."""

    def __init__(self, cindex, tree, file):
        self.kind, self.lib = cindex.CursorKind, cindex.conf.lib
        self.text, self.file = tree.text(file), file
        self.bytes = self.text.encode()
        unit = cindex.Index.create().parse(
            os.path.join(tree.root, file),
            [f.replace('-I', f'-I{tree.root}/') for f in FLAGS], options=1)
        fatal = [d for d in unit.diagnostics if d.severity >= 3]
        if fatal:
            print(f'mutants: {fatal[0]}', file=sys.stderr)
        top = [c for c in unit.cursor.get_children() if c.location.file
               and c.location.file.name.endswith(file)]
        self.barred = [self.span(c) for c in top
                       if c.kind == self.kind.MACRO_INSTANTIATION
                       and c.spelling in SKIPPED_MACROS]
        self.found, self.function = set(), ''
        for c in top:
            if c.kind in (self.kind.FUNCTION_DECL, self.kind.VAR_DECL,
                          self.kind.ENUM_DECL):
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
        statement = c.kind in (k.COMPOUND_STMT, k.IF_STMT, k.FOR_STMT,
                               k.WHILE_STMT)
        children = list(c.get_children())
        for n, child in enumerate(children):
            if self.is_size(c, child):
                continue
            if statement and (c.kind == k.COMPOUND_STMT or n > 0):
                self.delete(child)
            self.walk(child, parent if c.kind in (
                k.PAREN_EXPR, k.UNEXPOSED_EXPR) else c)

    def is_size(self, c, child):
        """Of an array: one that is larger makes no difference."""
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
    """Old and new text of whole lines, as many as occur once."""
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


def mutants_of(cindex, tree, area, file):
    text = tree.text(file)
    out = []
    for begin, end, new, operator, function in sorted(
            Reader(cindex, tree, file).found):
        stanza_ = with_context(text, begin, end, new)
        if stanza_ is None or stanza.words(stanza_[0]) == \
                stanza.words(stanza_[1]):
            continue
        old = ' '.join(text[begin:end].split())
        what = f'"{old}" becomes "{" ".join(new.split())}"' if new else \
            f'"{old}" is left out'
        m = stanza.Mutant(area, f'{function}: {what}', file, *stanza_,
                          where=file, operator=operator)
        m.place, m.context, m.new = (file, begin, end), m.new, new
        out.append(m)
    return out


def equivalents(tree, path):
    """({(file, tokens that it becomes): reason}, [(file, begin, end, reason)]
    of "...": whatever is changed between)."""
    whole, within = {}, []
    for m in stanza.read_list(path):
        file, begin, end = m.find(tree)
        if m.new.strip() == '...':
            within.append((file, begin, end, m.equivalent))
        else:
            whole[file, tuple(stanza.words(m.mutated(tree)))] = m.equivalent
    return whole, within


def known_equivalent(tree, m, whole, within):
    """The reason, or None."""
    file, begin, end = m.place
    for f, first, last, reason in within:
        if f == file and first <= begin and end <= last:
            return reason
    if any(f == file for f, _ in whole):
        return whole.get((file, tuple(stanza.words(m.mutated(tree)))))
    return None


def generated(tree, areas, sample, seed, equivalent):
    """Of each area `sample` mutants, by their digests with the seed."""
    same, out = equivalents(tree, equivalent), []
    for area, patterns in AREAS.items():
        if areas and area not in areas:
            continue
        cindex = clang()
        files = sorted(os.path.relpath(f, tree.root) for p in patterns
                       for f in glob.glob(os.path.join(tree.root, p)))
        all_ = [m for f in files
                for m in mutants_of(cindex, tree, area, f)]
        all_.sort(key=lambda m: hashlib.sha256(
            f'{seed} {m.key}'.encode()).hexdigest())
        some = all_[:sample] if sample else all_
        for m in some:
            m.equivalent = known_equivalent(tree, m, *same)
        out += some
    return out
