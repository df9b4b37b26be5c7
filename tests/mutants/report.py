"""Prints the results of all mutants."""

KILLED = ('failed', 'hung')


def line(m, record, tree):
    where = f'{m.place[0]}:{m.line(tree)}'
    if record['outcome'] in KILLED:
        how = f'killed by {record["test"]}: {record["said"]}'
    elif record['outcome'] == 'error':
        how = 'does not compile:\n' + record['said']
    elif record['outcome'] == 'same':
        how = 'equivalent: the same object code'
    else:
        how = 'SURVIVES'
    return f'{m.area}: {where}: {m.mistake}\n    {how}'


def rate(found, of):
    return f'{found}/{of}' + (f' {100 * found / of:.0f} %' if of else '')


def survivor(m, record, tree):
    ran = sorted(record['passed'])
    out = [f'{m.place[0]}:{m.line(tree)}: {m.mistake}']
    out += m.shown()
    out += [f'    passed by {len(ran)} tests: {" ".join(ran[:8])}'
            + (' ...' if len(ran) > 8 else '')] if ran else \
        ['    not executed by any test']
    return out


def area_lines(name, kind, mutants, found):
    """Returns the row of an area: its killed/planted mutants."""
    tried = [m for m in mutants if not m.equivalent
             and found.get(m.key, {}).get('outcome') in (*KILLED, 'survived')]
    killed = sum(found[m.key]['outcome'] in KILLED for m in tried)
    same = sum(bool(m.equivalent) or found.get(m.key, {}).get('outcome')
               == 'same' for m in mutants)
    return f'{name:12} {kind:9} {rate(killed, len(tried)):16}' + \
        (f' {same} equivalent' if same else ''), killed, len(tried)


def report(mutants, found, tree):
    rows, out = [], []
    for kind, some in (('planted', [m for m in mutants if m.planted()]),
                       ('generated', [m for m in mutants
                                      if not m.planted()])):
        killed = tried = 0
        for area in sorted({m.area for m in some}):
            row, k, n = area_lines(area, kind,
                                   [m for m in some if m.area == area], found)
            rows.append(row.rstrip())
            killed, tried = killed + k, tried + n
        if some:
            rows.append(f'{"all":12} {kind:9} {rate(killed, tried)}')
    for title, outcome, show in (
            ('survivors', 'survived', survivor),
            ('planted mistakes that do not compile', 'error',
             lambda m, r, t: [line(m, r, t)])):
        some = [m for m in mutants if not m.equivalent
                and found.get(m.key, {}).get('outcome') == outcome
                and (outcome != 'error' or m.planted())]
        if some:
            out += ['', f'{title}:']
            for m in some:
                out += show(m, found[m.key], tree)
    return '\n'.join(rows + out) + '\n'
