#!/usr/bin/python3
"""Train a cell that `synthbench lend STORE#CELL -o DIR` wrote: train.py DIR [--device cuda] [--bf16] [--compile]

Reads DIR, as docs/trainer-protocol.md describes it, and writes DIR/trained, which `synthbench adopt DIR` checks.
"""
import argparse, contextlib, json, platform, shutil
from pathlib import Path
import h5py, numpy as np, torch
import model

# ---- data: rows are slices of one array of ids; a batch is padded with zeros ----
def padded(ids, first, rows, start=None):
    """Returns ids (b,n) and lengths (b); if `start` is given, the ids are shifted right after it."""
    of = [ids[first[r]:first[r + 1]] for r in rows]
    out = np.zeros((len(of), max(map(len, of))), 'int64')
    for x, row in zip(of, out):
        row[:len(x)] = x if start is None else [start, *x[:-1]]
    return torch.tensor(out), torch.tensor([len(x) for x in of])
def make_batch(c, data, rows):
    b = {}
    if 'source' in data: b['source'], b['source_length'] = padded(data['source'], data['source_first'], rows)
    if 'target' in data:
        b['target_out'], b['target_length'] = padded(data['target'], data['target_first'], rows)
        b['target_in'], _ = padded(data['target'], data['target_first'], rows, c['start_id'])
        b['prompt'] = torch.tensor(data['prompt'][rows])
    else:
        b['label'] = torch.tensor(data['label'][rows])
    return b
def arrays(group): return {n: x[()] for n, x in group.items()}

# ---- optimizers: the learning rate of a tensor is that of the step times its own multiplier ----
class Adafactor:
    """Shazeer and Stern 2018, factored over the two largest axes where both have factor_min elements."""
    def __init__(self, c, tensors): self.c, self.of, self.t = c, [(p, rate, {}) for p, rate in tensors], 0
    def step(self, lr):
        self.t += 1
        b, o = 1 - self.t ** -self.c['optimizer.decay'], lambda key: self.c['optimizer.' + key]
        rms = lambda x: x.pow(2).mean().sqrt()
        for p, rate, s in self.of:
            g2, axes = p.grad ** 2 + o('eps1'), sorted(range(p.dim()), key=lambda i: -p.shape[i])[:2]
            moment = lambda name, x: s.update({name: b * s.get(name, 0) + (1 - b) * x}) or s[name]
            if len(axes) == 2 and p.shape[axes[1]] >= o('factor_min'):
                row, column = (moment(i, g2.mean(i, keepdim=True)) for i in axes)
                u = p.grad * torch.rsqrt(row / row.mean(axes[1], keepdim=True)) * torch.rsqrt(column)
            else:
                u = p.grad * torch.rsqrt(moment('v', g2))
            p.data -= lr * rate * rms(p.data).clamp(min=o('eps2')) * u / (rms(u) / o('clip')).clamp(min=1)
class Adam:
    def __init__(self, c, tensors):
        o = lambda key: c['optimizer.' + key]
        self.of, self.rate = torch.optim.Adam([dict(params=[p], lr=0) for p, _ in tensors], betas=(o('b1'), o('b2')), eps=o('eps')), [r for _, r in tensors]
    def step(self, lr):
        for group, rate in zip(self.of.param_groups, self.rate): group['lr'] = lr * rate
        self.of.step()
def optimizer_of(c, net):
    learned = [(p, c['rates'].get(n.replace('/', '.'), 1)) for n, p in net.named_parameters()]
    return dict(adam=Adam, adafactor=Adafactor)[c['optimizer.name']](c, learned)

def one_step(net, c, opt, batch, lr, autocast=contextlib.nullcontext):
    net.zero_grad()
    with autocast(): loss, n = net(batch, c['label_smoothing'])
    (loss / n).backward()
    for p in net.parameters():
        if p.grad is None: p.grad = torch.zeros_like(p)                        # the step did not use it
    opt.step(lr)
    return float(loss / n)
def learned(net): return {n.replace('/', '.'): p for n, p in net.named_parameters()}
def put(group, tensors):
    for n, x in tensors.items(): group[n][...] = x.detach().cpu().numpy()

def write_trace(folder, c, out, Model=model.Model):
    """Copies the lent trace to out, with the losses, gradients and updates that this program computes from it."""
    shutil.copy(folder / 'trace.h5', out / 'trace.h5')
    with h5py.File(out / 'trace.h5', 'r+') as f:
        net = Model(dict(c, dropout=0.0), f)
        opt = optimizer_of(c, net)
        for t in sorted(f['steps'], key=int):
            batch = {n: torch.tensor(x[()]).long() if x.dtype == 'int32' else torch.tensor(x[()]) for n, x in f[f'steps/{t}/batch'].items()}
            f[f'steps/{t}/loss'][()] = one_step(net, c, opt, batch, float(f[f'steps/{t}/lr'][()]))
            if t == '1': put(f['grads'], {n: p.grad for n, p in learned(net).items()})
        put(f['end'], learned(net))
        put(f['frozen_end'], {n.replace('/', '.'): x for n, x in net.named_buffers()})
        f.attrs['state'] = json.dumps(list(learned(net)))

def train(folder, c, out, device='cpu', bf16=False, compiled=False, Model=model.Model):
    torch.manual_seed(c['seed'])                                               # for dropout
    autocast = (lambda: torch.autocast(device, torch.bfloat16)) if bf16 else contextlib.nullcontext
    with h5py.File(folder / 'data.h5') as f, h5py.File(folder / 'steps.h5') as s, h5py.File(folder / 'start.h5') as start:
        data, valid, steps, net = arrays(f['train']), arrays(f['valid']), arrays(s), Model(c, start).to(device)
    opt, run = optimizer_of(c, net), torch.compile(net) if compiled else net
    to = lambda b: {n: x.to(device) for n, x in b.items()}
    lines, losses = ['step\ttrain\tvalid'], []
    for t in range(c['steps']):
        rows = steps['rows'][steps['first'][t]:steps['first'][t + 1]]
        losses.append(one_step(run, c, opt, to(make_batch(c, data, rows)), float(steps['lr'][t]), autocast))
        if (t + 1) % c['curve_stride'] == 0 or t + 1 == c['steps']:
            lines.append(f'{t + 1}\t{np.mean(losses)}\t')
            losses = []
    net.eval()
    n = len(valid['label' if 'label' in valid else 'prompt'])
    with torch.no_grad():                                                      # in float32, without label smoothing
        sums = [net(to(make_batch(c, valid, np.arange(i, min(i + 64, n))))) for i in range(0, n, 64)]
    lines[-1] += str(sum(float(x) for x, _ in sums) / sum(int(k) for _, k in sums))
    (out / 'curve.tsv').write_text('\n'.join(lines) + '\n')
    shutil.copy(folder / 'start.h5', out / 'weights.h5')
    with h5py.File(out / 'weights.h5', 'r+') as f: put(f['params'], learned(net))
    about = dict(framework=f'PyTorch {torch.__version__}' + ', bf16' * bf16 + ', compiled' * compiled,
                 machine=torch.cuda.get_device_name() if device == 'cuda' else platform.processor() or platform.machine())
    (out / 'trainer.json').write_text(json.dumps(about))

def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('folder', type=Path)
    ap.add_argument('--device', default='cpu')
    ap.add_argument('--bf16', action='store_true', help='matrix products of training in bfloat16')
    ap.add_argument('--compile', action='store_true', help='torch.compile')
    o = ap.parse_args()
    if o.compile and not hasattr(torch, 'compile'): ap.error(f'--compile needs PyTorch 2, not {torch.__version__}')
    if o.device.startswith('cuda') and not torch.cuda.is_available(): ap.error('--device cuda: PyTorch finds no GPU')
    if not (o.folder / 'config.json').is_file(): ap.error(f'{o.folder}: not a folder that `synthbench lend` wrote')
    c, out = json.loads((o.folder / 'config.json').read_text()), o.folder / 'trained'
    out.mkdir(exist_ok=True)
    write_trace(o.folder, c, out)
    train(o.folder, c, out, o.device, o.bf16, o.compile)
    print(f'wrote {out}; `synthbench adopt {o.folder} --store DIR` checks and stores the cell')
if __name__ == '__main__': main()
