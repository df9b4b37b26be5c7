#!/usr/bin/python3
"""Check a torch.nn.Module against step 1 of a lent trace: check.py DIR [FILE.py]

FILE.py (default: model.py beside this file) has a class Model(config, tensors) whose parameters have the names of
params in start.h5 (a / may replace a dot, which register_parameter refuses), and whose forward(batch, smoothing)
returns the sum of the losses and their number.
Prints the relative error of the loss and of each gradient, the largest last, and then whether all are within the
limits. The exit code is 1 if one is not.
"""
import importlib.util
import json
import sys
from pathlib import Path
import h5py
import torch

LOSS, GRADIENT, FLOOR = 1e-5, 1e-4, 1e-4                           # the limits of `synthbench adopt`


def load(path):
    spec = importlib.util.spec_from_file_location('checked', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Model


def main(folder, path=Path(__file__).with_name('model.py')):
    c = dict(json.loads((Path(folder) / 'config.json').read_text()), dropout=0.0)
    with h5py.File(Path(folder) / 'trace.h5') as f:
        net = load(path)(c, f)
        batch = {n: torch.tensor(x[()]) for n, x in f['steps/1/batch'].items()}
        batch = {n: x.long() if x.dtype == torch.int32 else x for n, x in batch.items()}
        want, grads = f['steps/1/loss'][()], {n: torch.tensor(x[()]) for n, x in f['grads'].items()}
    loss, n = net(batch, c['label_smoothing'])
    (loss / n).backward()
    own = {n.replace('/', '.'): torch.zeros_like(p) if p.grad is None else p.grad for n, p in net.named_parameters()}
    error = {n: float((own[n] - g).norm() / (g.norm() + FLOOR * max(x.norm() for x in grads.values()))) if n in own else 1.0
             for n, g in grads.items()}
    off = abs(float(loss / n) / want - 1)
    print(f'{off:8.1e}  loss')
    for name in sorted(error, key=error.get):
        print(f'{error[name]:8.1e}  {name}' + ('' if name in own else ': is not a parameter of the model'))
    failed = not (off <= LOSS and all(x <= GRADIENT for x in error.values()))
    print(f'{"failed" if failed else "passed"} (limits: loss {LOSS:.0e}, gradients {GRADIENT:.0e})')
    return failed


if __name__ == '__main__':
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith('-'):
        sys.exit(__doc__)
    if not Path(sys.argv[1], 'config.json').is_file():
        sys.exit(f'{sys.argv[1]}: not a folder that `synthbench lend` wrote')
    sys.exit(main(*sys.argv[1:]))
