#!/usr/bin/python3
"""Prints the files of a range of commits in which more than comments changed.

    tests/project/comment_only.py [RANGE]     (default: HEAD~1..HEAD)

C files are compared by their tokens, after the compiler has removed
comments; Python files by their syntax tree without docstrings; other text
with `#` comments by its remaining lines. Exit code 1 if any code differs.
"""
import ast
import re
import subprocess
import sys

HASH = ('.sh', '.t', '.pl', '.yaml', '.yml', '.gp', 'Makefile', 'packages')
STRING = r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\''


def git(*argv):
    return subprocess.run(('git',) + argv, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def code_of_c(text):
    out = subprocess.run(['cc', '-fpreprocessed', '-dD', '-E', '-P', '-x', 'c',
                          '-'], input=text, check=True, text=True,
                         stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
    return re.findall(STRING + r'|\w+|[^\w\s]', out)


def code_of_python(text):
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if ast.get_docstring(node, clean=False) is not None \
                if isinstance(node, (ast.Module, ast.ClassDef,
                                     ast.FunctionDef)) else False:
            node.body = node.body[1:]
    return ast.dump(tree)


def code_of_hash(text):
    return [line.rstrip() for line in text.splitlines()
            if not re.match(r'\s*#(?!!)', line) and line.strip()]


def code(path, text):
    if re.search(r'\.(c|h|cc|cu)$', path):
        return code_of_c(text)
    if path.endswith('.py') or text.startswith('#!/usr/bin/python3'):
        return code_of_python(text)
    if path.endswith(HASH):
        return code_of_hash(text)
    return text if not path.endswith('.md') else None


def main():
    commits = sys.argv[1] if len(sys.argv) > 1 else 'HEAD~1..HEAD'
    wrong = 0
    for commit in git('rev-list', '--no-merges', commits).split():
        for path in git('diff-tree', '-r', '--no-commit-id', '--name-only',
                        commit).splitlines():
            both = []
            for at in (commit + '^', commit):
                try:
                    both.append(code(path, git('show', f'{at}:{path}')))
                except subprocess.CalledProcessError:
                    both.append('no such file')
            if both[0] != both[1]:
                print(f'{commit[:12]} {path}: the code differs')
                wrong = 1
    return wrong


sys.exit(main())
