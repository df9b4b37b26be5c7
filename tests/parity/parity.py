#!/usr/bin/python3
"""Check a `synthbench trace` file against an independent PyTorch model of the same mathematics.

  parity.py FILE.h5 [...]      repeat the recorded steps, compare, print PASS or FAIL (exit code 0 or 1)
  parity.py --make FILE.h5 --family F --preset P --variant V [--mix M] [--seed S] [--steps K] [-S key=value ...]
                               write such a file, computed in float32, as `synthbench trace` would
  parity.py --selftest         every variant passes, every planted fault is found

The steps run five times: in float64; twice with the kink of relu moved, by +1e-5 and by -1e-5 of its argument's RMS; with the other
sign of all gradients below 3e-7 of their tensor's RMS; and in float32. D is the largest distance of the other four runs from the
float64 run. It shows what rounding alone can do, for example where it switches a relu or reverses a small step. Each error is
||file - here|| / (||here|| + floor + 3 D / tolerance); a tensor is `widened` if it passes only because of D. The largest error of
each group counts:
  lr          1e-6  every step
  loss        1e-5  every step
  gradient    1e-4  per tensor, step 1; floor: 1e-4 of the largest gradient norm
  end         1e-3  per tensor, of the update over all K steps; floor: float32 rounding of the tensor. Only over elements whose
                    gradient is zero or above 1e-2 of its tensor's RMS in every step and run: below that a sign-like update (Adam;
                    Adafactor on vectors) turns rounding into a whole step, so the others are only bounded by the steps' sum, as are
                    tensors whose whole gradient is rounding (below 1e-6 of the largest): a key's bias, which a softmax cannot see
  orthogonal  1e-6  largest element of |Q^T Q - I|
--rtol X multiplies the first four. A file whose update drowns in float32 rounding fails: it needs larger steps. Files made here
start from perturbed gains, biases and mixing scalars, so that no fault hides behind a zero or a one.
"""
import argparse, json, math, os, sys, tempfile, time
from unittest import mock
import h5py, numpy as np, torch
TOL = dict(lr=1e-6, loss=1e-5, gradient=1e-4, end=1e-3, orthogonal=1e-6)
class Bad(Exception): """Raised if the file violates the format."""
def need(ok, text):
    if not ok: raise Bad(text)

# ---------------------------------------------------------------- configuration
PRESETS = {'t2t': dict(norm='layer', position='sinusoidal', ffn_bias=True, embed_scale=True, logit_scale=False, dot_scale=True),
           't5': dict(norm='rms', position='none', ffn_bias=False, embed_scale=False, logit_scale=True, dot_scale=False)}
REQUIRED = 'family preset variant layers d heads ff N vocab batch length label_smoothing relative_bias optimizer schedule seed'.split()
OPTIONAL = dict(mix=None, norm_eps=1e-6, tied=True, head_width=None, cross_heads=None, relative_buckets=32, relative_distance=128, rank=8,
                dense_bias=True, attention_bias=False, score_rate=1.0, inner=False, share_q=False,
                a=None, c=None, classes=None, projection=None, conv_heads=None, conv_width=3, **{'orthogonal.gain': False})
REMARKS = 'steps dropout shards R.init orthogonal.method init.embed program version commit'.split()
DECAYS = ('linear', 'cosine', 'trapezoid')
OPTIMIZERS = dict(adam=dict(b1=.9, b2=.997, eps=1e-9), adafactor=dict(decay=.8, eps1=1e-30, eps2=1e-3, clip=1.0, factor_min=128))
STACKS = dict(seq2seq=['encoder', 'decoder'], lm=['decoder'], encoder=['encoder'])
# One row per variant: its tensors in one layer, then its number of parameters in closed form. h heads of k, I = h k, x = d / h.
biases = lambda c, **s: s if c.dense_bias else {}
shares_q = lambda c: c.share_q and {'vanilla', 'dense-mtf'} <= set(c.parts)
QK, R = (lambda c: dict(q=(c.d, c.I), k=(c.d, c.I)), lambda c: 2 * c.d * c.I), (lambda c: dict(R=(c.h, c.N, c.N)), lambda c: c.h * c.N ** 2)
TIED = (lambda c: dict(q=(c.d, c.I)), lambda c: c.d * c.I)                     # one matrix for queries and keys
DOT = (lambda c: dict(QK[0](c), **({'q.bias': (c.I,), 'k.bias': (c.I,)} if c.attention_bias else {})),
       lambda c: QK[1](c) + 2 * c.attention_bias * c.I)                          # learned, with biases
GLU = lambda c: dict(w1=(c.d, 2 * c.d), b1=(2 * c.d,))
PARTS = {'vanilla': DOT, 'orthogonal': QK, 'orthogonal-split': QK, 'orthogonal-tied': TIED, 'frozen-gaussian': QK, 'random': R, 'fixed-random': R, 'mixer': R,
    'dense': (lambda c: dict(w1=(c.h, c.x, c.x), w2=(c.h, c.x, c.N), **biases(c, b1=(c.h, c.x), b2=(c.h, c.N))),
              lambda c: c.d * (c.x + c.N) + c.dense_bias * (c.d + c.h * c.N)),
    'dense-literal': (lambda c: dict(w1=(c.h, c.d, c.d), w2=(c.h, c.d, c.N), **biases(c, b1=(c.h, c.d), b2=(c.h, c.N))),
                      lambda c: c.h * (c.d * (c.d + c.N) + c.dense_bias * (c.d + c.N))),
    'dense-mtf': (lambda c: dict({} if shares_q(c) else dict(q=(c.d, c.I)), p=(c.k, c.N)), lambda c: c.k * c.N + (not shares_q(c)) * c.d * c.I),
    'factorized-random': (lambda c: dict(R1=(c.h, c.N, c.rank), R2=(c.h, c.N, c.rank)), lambda c: 2 * c.h * c.N * c.rank),
    'factorized-random-mtf': (lambda c: dict(R1=(c.rank, c.h, c.N), R2=(c.rank, c.h, c.N)), lambda c: 2 * c.h * c.N * c.rank),
    'factorized-dense': (lambda c: dict(wa=(c.h, c.x, c.a), wc=(c.h, c.x, c.c), **biases(c, ba=(c.h, c.a), bc=(c.h, c.c)),
                                        **(dict(w=(c.d, c.d)) if c.inner else {})),
                         lambda c: (c.d + c.dense_bias * c.h) * (c.a + c.c) + c.inner * c.d ** 2),
    'uniform': (lambda c: {}, lambda c: 0),
    'linformer': (lambda c: dict(DOT[0](c), e=(c.projection, c.N), f=(c.projection, c.N)), lambda c: DOT[1](c) + 2 * c.projection * c.N),
    'lightweight-conv': (lambda c: dict(GLU(c), taps=(c.conv_heads, c.conv_width)), lambda c: 2 * c.d * (c.d + 1) + c.conv_heads * c.conv_width),
    'dynamic-conv': (lambda c: dict(GLU(c), wk=(c.d, c.conv_heads * c.conv_width)), lambda c: c.d * (2 * c.d + 2 + c.conv_heads * c.conv_width))}
CONVS, FROZEN = ['lightweight-conv', 'dynamic-conv'], ['fixed-random', 'orthogonal', 'orthogonal-split', 'orthogonal-tied', 'frozen-gaussian']
factors = lambda c, part: c['orthogonal.gain'] and part in FROZEN and part != 'fixed-random'  # frozen products may learn one per head
ALONE = CONVS + ['linformer', 'mixer']                                           # variants without scores cannot be mixed
class Config(dict):
    """The config attribute with every default filled in; c.key reads a key."""
    __getattr__ = dict.__getitem__
    def __init__(self, given, edge=0.0):
        for key in REQUIRED: need(key in given, f'config key {key} is missing')
        need(given['preset'] in PRESETS and given['family'] in STACKS, f"unknown {given['preset']} or {given['family']}")
        super().__init__(OPTIONAL, **PRESETS[given['preset']])
        for key in given: need(key in self or key in REQUIRED + REMARKS or key.startswith('score_rate.'), f'unknown config key {key}')
        for key in given: need(not key.startswith('score_rate.') or key[11:] in given['variant'].split('+'), f'{key}: no such part')
        self.update(given)
        need(self.optimizer.get('name') in OPTIMIZERS, f'unknown optimizer {self.optimizer}')
        need(self.schedule.get('name') in ('noam', 'rsqrt', 'rsqrt-decay', 'constant', *DECAYS), f'unknown schedule {self.schedule}')
        self['optimizer'] = {**OPTIMIZERS[self.optimizer['name']], **self.optimizer}
        for key in {*self.optimizer} - {'name', *OPTIMIZERS[self.optimizer['name']]} | {*self.schedule} - {'name', 'scale', 'warmup'}:
            need(False, f'unknown config key {key} of optimizer or schedule')
        p = self['parts'] = self.variant.split('+')
        for x in p: need(x in PARTS and (len(p) == 1 or x not in ALONE) and p.count(x) == 1, f'variant {x} in {self.variant}')
        need(self.mix in ([None] if len(p) == 1 else ['logits', 'plus', 'weights'] + ['heads'] * (self.heads % len(p) == 0) + ['sigmoid'] * (len(p) == 2)), f'mix {self.mix}')
        need(self.relative_bias in (True, False), 'relative_bias is true or false')
        need(p != ['linformer'] or self.family == 'encoder', 'linformer cannot be causal')
        need('factorized-dense' not in p or self.a * self.c == self.N, 'factorized-dense needs a c = N')
        self.update(edge=edge, given=given, h=self.heads, k=self.head_width or self.d // self.heads, x=self.d // self.heads)
        self.update(I=self.h * self.k, cross_heads=self.cross_heads or self.h, conv_heads=self.conv_heads or self.h,
                    relative=self.relative_bias and p[0] not in ALONE)           # no relative bias without scores (n,n)
def own(c):
    """Returns the configuration of a part of the mixture: with mix heads, it has its own heads of the same width."""
    if c.mix != 'heads': return c
    part = Config.__new__(Config)
    h = c.h // len(c.parts)
    part.update(c, h=h, heads=h, x=c.d // h, I=h * c.k)
    return part
def shapes(c):
    """Returns ({learned name: shape}, {frozen name: shape}) of the whole model."""
    learned, still, d = {'embed.table': (c.vocab, c.d)}, {}, c.d
    norm = lambda name: learned.update({f'{name}.{t}': (d,) for t in ['gain', 'bias'][:1 + (c.norm == 'layer')]})
    for stack in STACKS[c.family]:
        for i in range(c.layers):
            at, conv, cross = f'{stack}.{i}.', c.parts[0] in CONVS, ['cross'] * (c.family == 'seq2seq' and stack == 'decoder')
            for sub in ['self', *cross, 'ffn']: norm(f'{at}{sub}.norm')
            learned.update({f'{at}{sub}.{t}': (d, d) for sub in cross for t in 'qkvo'})
            learned.update({at + 'self.o': (d, d)} if conv else {at + 'self.v': (d, c.I), at + 'self.o': (c.I, d)})
            learned.update({f'{at}self.{t}.bias': s for t, s in dict(v=(c.I,), o=(d,)).items() if c.attention_bias and not (conv and t == 'v')})
            for part in c.parts:
                (still if part in FROZEN else learned).update({f'{at}self.{part}.{t}': s for t, s in PARTS[part][0](own(c)).items()})
                if factors(c, part): learned[f'{at}self.{part}.gain'] = (own(c).h, 1)
            if c.mix not in (None, 'plus', 'heads'): learned[at + 'self.mix.a'] = (1 if c.mix == 'sigmoid' else len(c.parts),)
            learned.update({at + 'ffn.' + t: s for t, s in dict(w1=(d, c.ff), b1=(c.ff,), w2=(c.ff, d), b2=(d,)).items() if c.ffn_bias or t[0] == 'w'})
        norm(stack + '.norm')
        learned.update({stack + '.relative': (c.relative_buckets, c.h)} if c.relative else {})
    if c.family == 'encoder': learned.update({'classifier.w': (d, c.classes), 'classifier.b': (c.classes,)})
    elif not c.tied: learned['softmax.table'] = (c.vocab, d)
    return learned, still
def count(c):
    """Returns the number of learned parameters in closed form, independently of shapes()."""
    d, norm, n = c.d, (1 + (c.norm == 'layer')) * c.d, len(STACKS[c.family]) * c.layers
    layer = d * d if c.parts[0] in CONVS else 2 * d * c.I
    layer += c.attention_bias * (d + (c.parts[0] not in CONVS) * c.I)
    layer += sum(PARTS[p][1](own(c)) for p in c.parts if p not in FROZEN) + own(c).h * sum(factors(c, p) for p in c.parts) + {'logits': len(c.parts), 'weights': len(c.parts), 'sigmoid': 1}.get(c.mix, 0)
    layer += 2 * d * c.ff + c.ffn_bias * (c.ff + d) + 2 * norm
    total = c.vocab * d + n * layer + len(STACKS[c.family]) * (norm + c.relative * c.relative_buckets * c.h)
    return total + (c.family == 'seq2seq') * c.layers * (4 * d * d + norm) + (d * c.classes + c.classes if c.family == 'encoder' else (not c.tied) * c.vocab * d)

# ---------------------------------------------------------------- model: b batch, h heads, n length, d width, k head width
# split: (b,n,h k) -> (b,h,n,k), heads are contiguous slices of the last axis; per_head: x (b,h,n,i), w (h,i,o) -> (b,h,n,o);
# crop: the top-left corner of a table of scores; pair: B[i,j] = A[i, j mod a] C[i, j div a]
def split(x, h): return x.view(*x.shape[:2], h, -1).transpose(1, 2)
def join(x): return x.transpose(1, 2).flatten(2)
def dot(q, k, scale): return q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale else 1.0)
def crop(R, n): return R[..., :n, :n]
def softmax(B, keep):
    """Softmax over the keys that are kept; a row that keeps none is zero."""
    B = B.masked_fill(~keep, -math.inf)
    e = torch.exp(B - B.detach().amax(-1, keepdim=True).clamp_min(torch.finfo(B.dtype).min))
    return e / e.sum(-1, keepdim=True).clamp_min(torch.finfo(B.dtype).tiny)
def visible(keys, causal):
    """Expands keys (b,n), true where a token is not padding, to a mask (b,1,n,n), true where query i may see key j."""
    see = keys[:, None, None, :].expand(-1, 1, keys.shape[1], -1)
    return see & torch.ones(see.shape[-2:], dtype=torch.bool).tril() if causal else see
def normalise(c, P, name, x):
    x = x - x.mean(-1, keepdim=True) if c.norm == 'layer' else x
    x = x * torch.rsqrt((x * x).mean(-1, keepdim=True) + c.norm_eps) * P[name + '.gain']
    return x + P[name + '.bias'] if c.norm == 'layer' else x
def sinusoid(n, d):
    """Sines in the first half of the width, cosines in the second; wavelengths 2 pi to 10000 x 2 pi; first position 0."""
    angle = torch.arange(n).double()[:, None] * 10000.0 ** (-torch.arange(d // 2).double() / max(d // 2 - 1, 1))
    return torch.cat([angle.sin(), angle.cos()], 1)
def bucket(far, causal, buckets, longest):
    """Returns T5's bucket of far = key - query: exact up to half the buckets of a direction, then logarithmic up to `longest`."""
    buckets = buckets if causal else buckets // 2
    base, far = (0, max(-far, 0)) if causal else (buckets * (far > 0), abs(far))
    exact = buckets // 2
    if far >= exact: far = exact + int(math.log(far / exact) / math.log(longest / exact) * (buckets - exact) + 1e-9)
    return base + min(far, buckets - 1)
def relative_bias(c, table, n, causal):
    index = [[bucket(j - i, causal, c.relative_buckets, c.relative_distance) for j in range(n)] for i in range(n)]
    return table[torch.tensor(index)].permute(2, 0, 1)                           # (h,n,n)
def linear(P, name, x): return x @ P[name] + P.get(name + '.bias', 0)
def qk(c, P, at, x, scale=True): return dot(split(linear(P, at + 'q', x), c.h), split(linear(P, at + 'k', x), c.h), scale)
def factor(P, at): return P[at + 'gain'][:, :, None] if at + 'gain' in P else 1
def tied(c, P, at, x):
    q = split(x @ P[at + 'q'], c.h)
    return dot(q, q, True) * factor(P, at)
def frozen_qk(c, P, at, x): return qk(c, P, at, x) * factor(P, at)
def per_head(c, P, at, w, b, x): return x @ P[at + w] + (P[at + b][:, None] if c.dense_bias else 0)
def dense(c, P, at, x): return per_head(c, P, at, 'w2', 'b2', relu(c, per_head(c, P, at, 'w1', 'b1', split(x, c.h))))[..., :x.shape[1]]
def dense_literal(c, P, at, x): return per_head(c, P, at, 'w2', 'b2', relu(c, per_head(c, P, at, 'w1', 'b1', x[:, None])))[..., :x.shape[1]]
def dense_mtf(c, P, at, x):
    return relu(c, split(x @ P[(at.replace('dense-mtf', 'vanilla') if shares_q(c) else at) + 'q'], c.h)) @ P[at + 'p'][:, :x.shape[1]]
def pair(A, C): return (C[..., :, None] * A[..., None, :]).flatten(-2)
def factorized_dense(c, P, at, x):
    xh = split(relu(c, x @ P[at + 'w']) if c.inner else x, c.h)
    return pair(per_head(c, P, at, 'wa', 'ba', xh), per_head(c, P, at, 'wc', 'bc', xh))[..., :x.shape[1]]
def factorized_random_mtf(c, P, at, x): return crop((P[at + 'R1'] * P[at + 'R2']).sum(0)[:, None].expand(-1, c.N, c.N), x.shape[1])
SCORES = {'vanilla': lambda c, P, at, x: qk(c, P, at, x, c.dot_scale), 'orthogonal': frozen_qk, 'orthogonal-split': frozen_qk,
    'orthogonal-tied': tied, 'frozen-gaussian': frozen_qk, 'dense': dense, 'dense-literal': dense_literal, 'dense-mtf': dense_mtf, 'factorized-dense': factorized_dense,
    'random': lambda c, P, at, x: crop(P[at + 'R'], x.shape[1]), 'fixed-random': lambda c, P, at, x: crop(P[at + 'R'], x.shape[1]),
    'factorized-random': lambda c, P, at, x: crop(P[at + 'R1'] @ P[at + 'R2'].transpose(1, 2), x.shape[1]),
    'factorized-random-mtf': factorized_random_mtf, 'uniform': lambda c, P, at, x: x.new_zeros(c.h, x.shape[1], x.shape[1])}
def relu(c, x): return x * (x > c.edge * rms(x))
def shares(a): return torch.softmax(a, 0)
def synthesized(c, P, at, x, see, bias):
    """Returns the attention weights of one part or of a mixture. The relative bias is added once, after the scores are mixed."""
    B = [SCORES[part](own(c), P, f'{at}{part}.', x) for part in c.parts]
    if c.mix == 'heads': return softmax(torch.cat([b if b.dim() == 4 else b.expand(len(x), *b.shape) for b in B], 1) + bias, see)
    if c.mix in (None, 'plus'): return softmax(sum(B) + bias, see)
    a = P[at + 'mix.a']
    if c.mix == 'sigmoid': return softmax(B[0] + torch.sigmoid(a) * (B[1] - B[0]) + bias, see)
    if c.mix == 'weights': return sum(s * softmax(b + bias, see) for s, b in zip(shares(a), B))
    return softmax(sum(s * b for s, b in zip(shares(a), B)) + bias, see)
def linformer(c, P, at, x, keys):
    n, z = x.shape[1], keys[:, :, None].to(x.dtype)
    q, k, v = (split(t, c.h) for t in (linear(P, at + 'linformer.q', x), linear(P, at + 'linformer.k', x) * z, linear(P, at + 'v', x) * z))
    A = torch.softmax(dot(q, P[at + 'linformer.e'][:, :n] @ k, c.dot_scale), -1)
    return A @ (P[at + 'linformer.f'][:, :n] @ v)
def convolution(c, P, at, x, keys, causal):
    own, K, (b, n, d) = f'{at}{c.parts[0]}.', c.conv_width, x.shape
    u, gate = (x @ P[own + 'w1'] + P[own + 'b1']).chunk(2, -1)
    u = u * torch.sigmoid(gate) * keys[:, :, None].to(x.dtype)
    w = (u @ P[own + 'wk']).view(b, n, -1, K) if own + 'wk' in P else P[own + 'taps'].expand(b, n, -1, -1)
    w = torch.softmax(w, -1)[:, :, torch.arange(d) * c.conv_heads // d]          # (b,n,d,K): channel i is in group i H div d
    first = -(K - 1) if causal else -(K // 2)                                    # offset of tap 0
    wide = torch.nn.functional.pad(u, (0, 0, -first, K - 1 + first))
    return sum(w[..., j] * wide[:, j:j + n] for j in range(K))
def self_attention(c, P, at, x, keys, causal, bias):
    if c.parts[0] in CONVS: return linear(P, at + 'o', convolution(c, P, at, x, keys, causal))
    if c.parts[0] == 'linformer': return linear(P, at + 'o', join(linformer(c, P, at, x, keys)))
    see = visible(keys, causal)
    A = crop(P[at + 'mixer.R'], x.shape[1]) * see if c.parts[0] == 'mixer' else synthesized(c, P, at, x, see, bias)
    return linear(P, at + 'o', join(A @ split(linear(P, at + 'v', x), c.h)))
def cross_attention(c, P, at, x, memory, keys):
    q, k, v = (split(y @ P[at + n], c.cross_heads) for y, n in ((x, 'q'), (memory, 'k'), (memory, 'v')))
    return join(softmax(dot(q, k, c.dot_scale), keys[:, None, None, :]) @ v) @ P[at + 'o']
def ffn(c, P, at, x): return relu(c, x @ P[at + 'w1'] + P.get(at + 'b1', 0)) @ P[at + 'w2'] + P.get(at + 'b2', 0)
def stack(c, P, name, ids, keys, memory=None, memory_keys=None):
    causal, n = name == 'decoder', ids.shape[1]
    x = P['embed.table'][ids] * (math.sqrt(c.d) if c.embed_scale else 1.0)
    x = x + sinusoid(n, c.d).to(x.dtype) if c.position == 'sinusoidal' else x
    bias = relative_bias(c, P[name + '.relative'], n, causal) if c.relative else 0
    for at in (f'{name}.{i}.' for i in range(c.layers)):
        x = x + self_attention(c, P, at + 'self.', normalise(c, P, at + 'self.norm', x), keys, causal, bias)
        if memory is not None:
            x = x + cross_attention(c, P, at + 'cross.', normalise(c, P, at + 'cross.norm', x), memory, memory_keys)
        x = x + ffn(c, P, at + 'ffn.', normalise(c, P, at + 'ffn.norm', x))
    return normalise(c, P, name + '.norm', x)
def inside(ids, length): return torch.arange(ids.shape[1]) < length[:, None]
def forward(c, P, batch):
    """Returns the logits: (b,m,V), or (b,C) in family encoder."""
    memory = keys = None
    if 'source' in batch:
        keys = inside(batch['source'], batch['source_length'])
        memory = stack(c, P, 'encoder', batch['source'], keys)
    if c.family == 'encoder':
        z = keys[:, :, None].to(memory.dtype)
        return (memory * z).sum(1) / z.sum(1).clamp_min(1) @ P['classifier.w'] + P['classifier.b']
    y = stack(c, P, 'decoder', batch['target_in'], inside(batch['target_in'], batch['target_length']), memory, keys)
    return y * (c.d ** -0.5 if c.logit_scale else 1.0) @ P['embed.table' if c.tied else 'softmax.table'].T
def cross_entropy(logits, target, e):
    """Returns -sum_v q_v log p_v with q = 1 - e at the target and e / (V - 1) at each other class."""
    logp = torch.log_softmax(logits, -1)
    hit = logp.gather(-1, target[..., None])[..., 0]
    return -(1 - e) * hit - (e / (logits.shape[-1] - 1) * (logp.sum(-1) - hit) if e else 0)
def counted(batch): return inside(batch['target_out'], batch['target_length'])
def loss_of(c, P, batch):
    logits = forward(c, P, batch)
    if c.family == 'encoder' and c.classes == 1: return (logits[:, 0] - batch['label']).double().pow(2).mean()
    if c.family == 'encoder': return cross_entropy(logits, batch['label'], c.label_smoothing).double().mean()
    keep = counted(batch)
    return (cross_entropy(logits, batch['target_out'], c.label_smoothing).double() * keep).sum() / keep.sum()

# ---------------------------------------------------------------- training: steps t = 1, 2, ...
def rate(c, t, T):
    """Returns the learning rate of step t of T. Decaying schedules would reach 0 at step T + 1; a warmup of w steps ends at the maximum."""
    s, w, name = c.schedule.get('scale', 1.0), c.schedule.get('warmup', 1), c.schedule['name']
    if name in DECAYS and t < w: return s * min(t / w, 5 * (T + 1 - t) / T if name == 'trapezoid' else 1)
    gone = (t - w) / (T + 1 - w) if name in DECAYS else 0
    if name == 'rsqrt-decay': return s * max(t, w) ** -0.5 * min(1, 10 * (T + 1 - t) / T)
    return s * {'noam': c.d ** -0.5 * min(t ** -0.5, t * w ** -1.5), 'rsqrt': max(t, w) ** -0.5, 'constant': 1,
                'linear': 1 - gone, 'cosine': (1 + math.cos(math.pi * gone)) / 2, 'trapezoid': min(1, 5 * (T + 1 - t) / T)}[name]
def adam(o, p, g, s, t, lr):
    s['m'] = o['b1'] * s.get('m', 0) + (1 - o['b1']) * g
    s['v'] = o['b2'] * s.get('v', 0) + (1 - o['b2']) * g * g
    return p - lr * (s['m'] / (1 - o['b1'] ** t)) / ((s['v'] / (1 - o['b2'] ** t)).sqrt() + o['eps'])
def rms(x): return float(x.pow(2).mean().sqrt())
def adafactor(o, p, g, s, t, lr):
    """Updates p. Its state is factored over the two largest axes (of equal ones, the earlier) if both have at least factor_min elements."""
    b, g2 = 1 - t ** -o['decay'], g * g + o['eps1']
    axes = sorted(range(g.dim()), key=lambda i: -g.shape[i])[:2]
    if len(axes) == 2 and g.shape[axes[1]] >= o['factor_min']:
        for name, axis in zip('rc', axes): s[name] = b * s.get(name, 0) + (1 - b) * g2.mean(axis, keepdim=True)
        u = g * torch.rsqrt(s['r'] / s['r'].mean(axes[1], keepdim=True)) * torch.rsqrt(s['c'])
    else:
        s['v'] = b * s.get('v', 0) + (1 - b) * g2
        u = g * torch.rsqrt(s['v'])
    return p - lr * max(rms(p), o['eps2']) * u / max(1.0, rms(u) / o['clip'])
def of_scores(name):
    """Returns whether scores are computed from the tensor: it belongs to a part of self-attention, and is neither linformer's F nor the
    gate of a convolution, which make values."""
    part, _, leaf = name.rpartition('.self.')[2].partition('.')
    return '.self.' in name and part in PARTS and not (part in CONVS and leaf in ('w1', 'b1') or (part, leaf) == ('linformer', 'f'))
def own_rate(c, name):
    """Returns the learning-rate multiplier of a tensor: that of its part, or the common one, if scores are computed from it; otherwise
    1."""
    return c.get('score_rate.' + name.rpartition('.self.')[2].partition('.')[0], c.score_rate) if of_scores(name) else 1
def train(c, learned, still, batches, dtype, rounding=0.0):
    """Repeats the steps. Returns the losses, rates and gradients of each step, and the learned tensors at the end. rounding: elements of a
    gradient below this fraction of its RMS have their sign reversed, which Adam turns into a whole step."""
    P, F = ({n: x.to(dtype) for n, x in t.items()} for t in (learned, still))
    state, steps = {n: {} for n in P}, []
    for t, batch in enumerate(batches, 1):
        P = {n: p.detach().requires_grad_() for n, p in P.items()}
        loss, lr = loss_of(c, {**P, **F}, batch), rate(c, t, len(batches))
        g = torch.autograd.grad(loss, list(P.values()), allow_unused=True)
        g = {n: torch.zeros_like(p) if x is None else x for (n, p), x in zip(P.items(), g)}
        if rounding: g = {n: torch.where(x.abs() < rounding * rms(x), -x, x) for n, x in g.items()}
        with torch.no_grad():
            P = {n: dict(adam=adam, adafactor=adafactor)[c.optimizer['name']](c.optimizer, p, g[n], state[n], t, lr * own_rate(c, n))
                 for n, p in P.items()}
        steps.append((float(loss), lr, g))
    return *zip(*steps), P

# ---------------------------------------------------------------- checking a file
BATCH = dict(seq2seq='source source_length target_in target_out target_length'.split(), lm='target_in target_out target_length'.split(),
             encoder='source source_length label'.split())
def read(path):
    """Returns (config, {dataset: array}, names with optimiser state, steps); every name, shape and type is checked."""
    data = {}
    try:
        with h5py.File(path, 'r') as f:
            need({*f.attrs} - {'version'} == {'config', 'state'}, f"attribute missing or unexpected: {', '.join({*f.attrs} ^ {'config', 'state'})}")
            given, names = (json.loads(f.attrs[k]) for k in ('config', 'state'))
            f.visititems(lambda n, x: data.update({n: x[()]}) if isinstance(x, h5py.Dataset) else None)
    except (OSError, ValueError) as e: raise Bad(str(e))
    c = Config(given)
    learned, still = shapes(c)
    want = {f'{g}/{n}': ('float32', s) for g in ('params', 'grads', 'end') for n, s in learned.items()}
    want.update({f'{g}/{n}': ('float32', s) for g in ('frozen', 'frozen_end') for n, s in still.items()})
    K = max([int(n.split('/')[1]) for n in data if n.startswith('steps/')], default=1)
    for t in range(1, K + 1):
        want.update({f'steps/{t}/{n}': ('float64', ()) for n in ('loss', 'lr')})
        for n in BATCH[c.family]:
            kind = 'float32' if n == 'label' and c.classes == 1 else 'int32'
            want[f'steps/{t}/batch/{n}'] = (kind, None if n in ('source', 'target_in', 'target_out') else (c.batch,))
    for what, odd in (('missing', {*want} - {*data}), ('unexpected', {*data} - {*want})):
        need(not odd, f"{what} dataset {', '.join(sorted(odd)[:4])}{' ...' * (len(odd) > 4)}")
    for n, (kind, shape) in want.items():
        x = np.asarray(data[n])
        need(x.dtype == kind and shape in (None, x.shape), f'{n} is {x.dtype} {x.shape}, not {kind} {shape}')
    return c, data, names, K
def batch_of(c, data, t):
    b = {n: torch.from_numpy(x.astype('int64' if x.dtype == 'int32' else x.dtype)) for n in BATCH[c.family] for x in [data[f'steps/{t}/batch/{n}']]}
    for n, length in dict(source='source_length', target_out='target_length', target_in='target_length').items():
        if n in b:
            ids, first = b[n], n == 'target_in'                                  # target_in may start with 0
            need(ids.dim() == 2 and len(ids) == c.batch and ids.shape[1] <= c.N and 0 <= int(ids.min()) <= int(ids.max()) < c.vocab,
                 f'steps/{t}/batch/{n}: shape {tuple(ids.shape)} or an id out of range')
            need(torch.equal(ids[:, first:] != 0, inside(ids, b[length])[:, first:]), f'steps/{t}/batch/{n}: zeros and {length} disagree')
    return b
def error(name, a, here, floor=0.0):
    """Compares a tensor with `here`: that of the main run, then those of the other runs. Returns (relative error, whether the other
    runs more than doubled the tolerance)."""
    a, b, *others = (torch.as_tensor(x, dtype=torch.float64) for x in (a, *here))
    gap, slack, size = float((a - b).norm()), 3 * max(float((b - x).norm()) for x in others), float(b.norm()) + floor
    e = gap / (size + slack / TOL[name]) if size + slack else gap and math.inf
    return e if math.isfinite(e) else math.inf, slack > TOL[name] * size
def check(path, dtype=torch.float64, rtol=1.0, say=print):
    """Returns (list of failures, {group: worst error})."""
    fails, worst, _ = [], {}, say(path)
    def group(name, errors, note=''):
        n, (e, _) = max(errors, key=lambda x: x[1])
        tol, worst[name], wide = TOL[name] * (1 if name == 'orthogonal' else rtol), e, sum(w for _, (_, w) in errors)
        note += f', {wide} widened' * (wide > 0)
        say(f'{name:12s} {len(errors):4d} compared, worst {e:8.1e} (tolerance {tol:.0e}) {n}{note}')
        fails.extend([] if e <= tol else [f'{name} {n} {e:.1e} > {tol:.0e}'])
    def holds(name, wrong):
        say(f"{name:12s} {'ok' if not wrong else ', '.join(wrong[:4])}")
        fails.extend([f"{name}: {', '.join(wrong[:4])}"] if wrong else [])
    try:
        c, data, names, K = read(path)
        batches = [batch_of(c, data, t) for t in range(1, K + 1)]
    except (Bad, KeyError, TypeError, ValueError) as e: return [f'{type(e).__name__}: {e}'], worst
    start, still, still_end, first, last = ({n[len(g) + 1:]: torch.from_numpy(x) for n, x in data.items() if n.startswith(g + '/')}
                                            for g in ('params', 'frozen', 'frozen_end', 'grads', 'end'))
    runs = [train(Config({**c.given}, edge), start, still, batches, t, r) for edge, t, r in
            ((0, dtype, 0), (1e-5, torch.float64, 0), (-1e-5, torch.float64, 0), (0, torch.float64, 3e-7), (0, torch.float32, 0))]
    (losses, rates, grads, end), total = zip(*runs), sum(x.numel() for x in start.values())
    holds('count', [] if total == count(c) else [f'{total} in the file, {count(c)} by formula'])
    holds('state', sorted({*names} ^ {*start}))
    holds('frozen', [n for n, x in still_end.items() if x.numpy().tobytes() != still[n].numpy().tobytes()])
    for name, here in (('lr', rates), ('loss', losses)):
        group(name, [(f'step {t}', error(name, data[f'steps/{t}/{name}'], x)) for t, x in enumerate(zip(*here), 1)])
    tops = [max(float(x.norm()) for x in g.values()) for g in grads[0]]
    silent = {n for n in start if all(float(g[n].norm()) <= 1e-6 * top for g, top in zip(grads[0], tops))}
    group('gradient', [(n, error('gradient', first[n], [g[0][n] for g in grads], (1e-2 if n in silent else 1e-4) * tops[0])) for n in start])
    errors, stuck, lost, beyond, weak = [], [], [], [], 0
    for n, p in start.items():
        p, e, f = p.double(), end[0][n].double(), last[n].double()
        firm = torch.stack([(g[n] == 0) | (g[n].abs() >= 1e-2 * rms(g[n])) for run in grads for g in run]).all(0)
        grain, step, weak = 6e-8 * K ** .5 * float(p.norm()), float((e - p).norm()), weak + int((~firm).sum())   # rounding, update
        if n not in silent: errors.append((n, error('end', (f - p)[firm], [(r[n] - p)[firm] for r in end], grain / TOL['end'])))
        if n not in silent: stuck, lost = stuck + [n] * (step > 0 and torch.equal(p, f)), lost + [n] * (0 < 10 * grain > step > 0)
        reach = 2 * sum(rates[0]) * own_rate(c, n) * (max(rms(p), c.optimizer['eps2']) * c.optimizer['clip'] * p.numel() ** .5 if 'clip' in c.optimizer else 1)
        beyond += [n] if not float((f - e).abs().max()) <= reach + 1e-6 * float(p.abs().max()) else []
    group('end', errors, f', {weak} of {total} elements weak')
    for name, wrong in dict(moved=stuck, bounded=beyond, resolved=lost).items(): holds(name, wrong)
    for kind, h in (('orthogonal', own(c).h), ('orthogonal-tied', own(c).h), ('orthogonal-split', 1)):
        W = {n: x.double().view(c.d, h, -1).transpose(0, 1) for n, x in still_end.items() if f'.{kind}.' in n}
        if W: group('orthogonal', [(n, (float((w.transpose(1, 2) @ w - torch.eye(w.shape[2])).abs().max()), False)) for n, w in W.items()])
    return fails, worst

# ---------------------------------------------------------------- making a file
def settings(family, preset, variant, mix=None, seed=1, sets=()):
    """Returns a small configuration; sets are key=value strings, optimizer.KEY and schedule.KEY set nested keys."""
    parts, t2t = variant.split('+'), preset == 't2t'
    given = dict(family=family, preset=preset, variant=variant, layers=2, d=16, heads=4, ff=24, N=24, vocab=40, batch=3, length=20,
                 label_smoothing=.1 if t2t and family == 'seq2seq' else 0.0, relative_bias=not t2t, seed=seed,
                 optimizer={'name': 'adam'} if t2t else {'name': 'adafactor', 'factor_min': 8},
                 schedule=dict(name='noam', scale=2.0, warmup=100) if t2t else dict(name='rsqrt', scale=1.0, warmup=10000))
    for wanted, more in ((len(parts) > 1, dict(mix=mix or 'logits')), (family == 'encoder', dict(classes=3)),
                         ('factorized-random' in variant, dict(rank=3)), (parts[0] in CONVS, dict(conv_heads=2, conv_width=5)),
                         (parts[0] == 'linformer', dict(projection=6)), ('factorized-dense' in parts, dict(a=4, c=6))):
        given.update(more if wanted else {})
    for key, value in (s.split('=', 1) for s in sets):
        group, _, inner = key.partition('.')
        at, key = (given[group], inner) if group in ('optimizer', 'schedule') else (given, key)
        try: at[key] = json.loads(value)
        except ValueError: at[key] = value
    return given
def initial(c, name, shape, rng):
    last, normal = name.split('.')[-1], lambda std: rng.standard_normal(shape) * std
    if last == 'gain': return 1 + normal(.1)
    if last in ('bias', 'a', 'b', 'b1', 'b2', 'ba', 'bc', 'relative'): return normal(.3)
    if last == 'table': return normal(c.get('init.embed', 1.0 if c.preset == 't5' else c.d ** -.5))
    if last in ('R', 'R1', 'R2'): return normal(c.N ** -.5 if 'mixer' in name else 1.0 if last == 'R' else c.rank ** -.25)
    if 'orthogonal' in name:
        W = [np.linalg.qr(w) for w in rng.standard_normal((1, c.d, c.d) if 'split' in name else (own(c).h, c.d, c.k))]
        return np.concatenate([q * np.sign(np.diag(r)) for q, r in W], 1)
    if 'frozen-gaussian' in name or last in 'ef': return normal((c.projection if last in 'ef' else c.d) ** -.5)
    if c.preset == 't5': return normal((shape[-2] * (c.k if last == 'q' and 'dense' not in name else 1)) ** -.5)
    return rng.uniform(-1, 1, shape) * (6 / (shape[-2] + shape[-1])) ** .5
def drawn_batch(c, rng, t):
    """Draws lengths n < N that differ in a batch, between steps, and between source and target; ids 2.., the last is 1; start 0 (t5) or
    1."""
    def sentences(n):
        length = np.array([n, *rng.integers(n // 2, n, c.batch - 1)], 'int32')[:, None]
        ids = np.where(np.arange(n) == length - 1, 1, rng.integers(2, c.vocab, (c.batch, n)))
        return np.where(np.arange(n) < length, ids, 0).astype('int32'), length[:, 0]
    b, n = {}, c.length - t % 3
    if c.family != 'lm': b['source'], b['source_length'] = sentences(n)
    if c.family == 'encoder':
        b['label'] = rng.standard_normal(c.batch).astype('float32') if c.classes == 1 else rng.integers(0, c.classes, c.batch).astype('int32')
    else:
        out, b['target_length'] = sentences(n - 3)
        shifted = np.hstack([np.full((c.batch, 1), int(c.preset == 't2t')), out[:, :-1]])
        b['target_out'], b['target_in'] = out, (shifted * (out != 0)).astype('int32')
    return b
def make(path, given, K=3):
    c, rng = Config(given), np.random.default_rng(given['seed'])
    learned, still = ({n: torch.tensor(initial(c, n, s, rng)).float() for n, s in t.items()} for t in shapes(c))
    data = {f'steps/{t}/batch/{n}': x for t in range(1, K + 1) for n, x in drawn_batch(c, rng, t).items()}
    losses, rates, grads, end = train(c, learned, still, [batch_of(c, data, t) for t in range(1, K + 1)], torch.float32)
    for group, tensors in dict(params=learned, frozen=still, frozen_end=still, grads=grads[0], end=end).items():
        data.update({f'{group}/{n}': x.numpy() for n, x in tensors.items()})
    for t in range(1, K + 1): data.update({f'steps/{t}/loss': np.float64(losses[t - 1]), f'steps/{t}/lr': np.float64(rates[t - 1])})
    with h5py.File(path, 'w') as f:
        f.attrs['config'], f.attrs['state'] = json.dumps(dict(given, steps=K)), json.dumps(list(learned))
        for n, x in data.items(): f[n] = x

# ---------------------------------------------------------------- self-test
MIXED = [('random+dense', 'logits'), ('dense+vanilla', 'weights'), ('random+vanilla', 'sigmoid'), ('dense-mtf+vanilla', 'plus'),
         ('factorized-random+vanilla+uniform', 'logits'), ('fixed-random+orthogonal+factorized-dense', 'weights')]
EXTRA = ['seq2seq t5 dense-mtf+vanilla plus share_q=true head_width=6 cross_heads=2', 'lm t2t random tied=false optimizer.name=adafactor',
         'lm t2t factorized-dense inner=true N=30 a=5 c=6 dense_bias=false', 'encoder t2t dense classes=1 schedule.name=constant schedule.scale=0.01',
         'encoder t5 lightweight-conv conv_width=4', 'lm t5 vanilla N=160 length=150 dot_scale=true', 'seq2seq t5 random relative_bias=false',
         'encoder t2t fixed-random classes=5 label_smoothing=0.1',
         'seq2seq t5 random+vanilla logits attention_bias=true', 'encoder t2t linformer attention_bias=true',
         *[f'lm t2t random schedule.name={s} schedule.scale=0.02 schedule.warmup=2' for s in ('linear', 'cosine', 'trapezoid', 'rsqrt-decay')],
         'seq2seq t5 orthogonal+random logits orthogonal.gain=true', 'lm t2t frozen-gaussian orthogonal.gain=true score_rate=3',
         'seq2seq t5 random+vanilla heads', 'lm t2t dense+orthogonal-tied heads orthogonal.gain=true', 'encoder t2t dense-mtf+vanilla heads share_q=true',
         'lm t2t random+vanilla logits score_rate.random=3', 'seq2seq t5 factorized-random+dense weights score_rate=2 score_rate.dense=0.5',
         *[f'{v} score_rate=3' for v in ('seq2seq t2t random+vanilla logits', 'encoder t2t linformer', 'lm t5 dynamic-conv', 'lm t5 vanilla')]]
FULL = 'd=768 ff=3072 layers=12 N=512 vocab=32128 heads=8 head_width=128 cross_heads=12 '     # parameters of the released code
COUNTS = {'vanilla heads=12 head_width=64': 222903552, 'dense-mtf': 224476160, 'dense-mtf+vanilla plus share_q=true': 243350528, 'random': 254360576,
          'random+vanilla plus': 292109312, 'random+vanilla sigmoid': 292109336, 'factorized-random-mtf rank=16': 207174656}
ORIGINAL, R0, Q0 = dict(globals()), 'decoder.0.self.fixed-random.R', 'decoder.0.self.orthogonal.q'
def was(name, *a): return ORIGINAL[name](*a)
def edit(name, change): return lambda f: f.__setitem__(name, change(f.pop(name)[()]))
def flip(x): return np.nextafter(x, np.float32(np.inf), where=np.arange(x.size).reshape(x.shape) == 0, out=x.copy())
def resize(R, n): return torch.nn.functional.interpolate(R[None], (n, n), mode='bilinear')[0]
FAULTS = [  # fault, cell, and one of: a setting that differs from the recorded one; functions with an error; an edit of the file
    ('no 1/sqrt(k)', 'lm t2t vanilla', 'dot_scale=false'), ('weights mixed, not logits', 'lm t2t random+dense logits', 'mix=weights'),
    ('LayerNorm eps 1e-3', 'encoder t2t dense', 'norm_eps=0.001'), ('RMSNorm eps 1e-5', 'lm t5 dense init.embed=0.01', 'norm_eps=0.00001'),
    ('Adam b2 0.98', 'lm t2t vanilla', 'optimizer.b2=0.98'), ('logits not scaled', 'lm t5 random init.embed=0.3', 'logit_scale=false'),
    ('Adafactor not factored', 'lm t5 random', 'optimizer.factor_min=99'), ('Adafactor not clipped', 'lm t5 vanilla', 'optimizer.clip=99'),
    ('1/sqrt(k) on random scores', 'lm t2t random', dict(crop=lambda R, n: was('crop', R, n) / 2)),
    ('a factor of frozen scores left out', 'lm t2t orthogonal orthogonal.gain=true', dict(factor=lambda P, at: 1)),
    ('softmax over the queries', 'encoder t2t dense', dict(softmax=lambda B, s: was('softmax', B.transpose(2, 3), s).transpose(2, 3))),
    ('no causal mask', 'lm t2t random', dict(visible=lambda k, causal: was('visible', k, False))),
    ('pads attended', 'encoder t2t random', dict(visible=lambda k, causal: was('visible', k | True, causal))),
    ('R resized, not cut', 'encoder t2t random', dict(crop=resize)),
    ('alpha not normalised', 'lm t2t random+dense logits', dict(shares=torch.exp)),
    ('sigmoid on the other part', 'lm t5 random+vanilla sigmoid', lambda f: [edit(f'{g}/decoder.1.self.mix.a', np.negative)(f) for g in ('params', 'grads', 'end')]),
    ('heads interleaved', 'encoder t2t vanilla', dict(split=lambda x, h: x.view(*x.shape[:2], -1, h).permute(0, 3, 1, 2))),
    ('q and k exchanged', 'encoder t2t orthogonal', dict(dot=lambda q, k, scale: was('dot', k, q, scale))),
    ('tiling on both sides', 'encoder t2t factorized-dense', dict(pair=lambda A, C: A.repeat(1, 1, 1, C.shape[3]) * C.repeat(1, 1, 1, A.shape[3]))),
    ('smoothing e / V', 'seq2seq t2t vanilla', dict(cross_entropy=lambda x, t, e: was('cross_entropy', x, t, e * (1 - 1 / x.shape[-1])))),
    ('pads counted in the loss', 'seq2seq t2t random', dict(counted=lambda b: b['target_out'] >= 0)),
    ('no bias correction', 'lm t2t vanilla', dict(adam=lambda o, p, g, s, t, lr: was('adam', o, p, g, s, t, lr * (1 - o['b1'] ** t) / (1 - o['b2'] ** t) ** .5))),
    ('Adafactor step not scaled', 'lm t5 dense', dict(adafactor=lambda o, p, *a: was('adafactor', o, p, *a[:3], a[3] / max(rms(p), 1e-3)))),
    ('bucket off by one', 'encoder t5 random', dict(bucket=lambda far, *a: was('bucket', far + 1, *a))),
    ('buckets both ways in a decoder', 'lm t5 dense', dict(bucket=lambda far, causal, *a: was('bucket', far, False, *a))),
    ('sines and cosines interleaved', 'lm t2t dense', dict(sinusoid=lambda n, d: was('sinusoid', n, d).view(n, 2, -1).transpose(1, 2).flatten(1))),
    ('centred taps in a decoder', 'lm t2t lightweight-conv', dict(convolution=lambda *a: was('convolution', *a[:5], False))),
    ('taps see pads', 'encoder t2t dynamic-conv', dict(convolution=lambda c, P, at, x, k, causal: was('convolution', c, P, at, x, k | True, causal))),
    ('linformer sees pads', 'encoder t2t linformer', dict(linformer=lambda c, P, at, x, k: was('linformer', c, P, at, x, k | True))),
    ('frozen tensor moved by one bit', 'lm t2t fixed-random', edit('frozen_end/' + R0, flip)),
    ('Q not orthogonal', 'lm t2t orthogonal', lambda f: [edit(g + Q0, lambda x: x + np.float32(1e-5))(f) for g in ('frozen/', 'frozen_end/')]),
    ('state for a frozen tensor', 'lm t2t fixed-random', lambda f: f.attrs.modify('state', json.dumps(json.loads(f.attrs['state']) + [R0]))),
    ('a learned tensor stands still', 'lm t2t random', lambda f: edit('end/decoder.0.self.random.R', lambda x: f['params/decoder.0.self.random.R'][()])(f)),
    ('a dataset missing', 'lm t2t dense', lambda f: f.pop('grads/decoder.0.self.dense.b2')),
    ('a dataset too many', 'lm t2t dense', lambda f: f.create_dataset('params/decoder.0.self.dense.b3', data=[1.0])),
    ('unknown key', 'lm t2t dense', lambda f: f.attrs.modify('config', f.attrs['config'].replace('"d"', '"colour": 1, "d"'))),
    ('a gradient wrong by 0.1 %', 'seq2seq t5 vanilla', edit('grads/decoder.1.cross.k', lambda x: x * np.float32(1.001))),
    *[(f'loss times {z}', 'encoder t2t dense', edit('steps/2/loss', lambda x, z=z: x * z)) for z in (1.0001, np.nan)]]
def cell(text, seed=1, more=()):
    words = text.split()
    return settings(*[w for w in words if '=' not in w], seed=seed, sets=[w for w in words if '=' in w] + list(more))
def selftest(path):
    worst, fails, began, quiet = {}, [], time.time(), lambda text: None
    cells = [f'{f} {p} {v}' for f in STACKS for p in PRESETS for v in [*PARTS] + [' '.join(m) for m in MIXED] if v != 'linformer' or f == 'encoder']
    rounded = lambda c, P, *a: was('train', c, {n: x * (1 + 6e-8 * torch.randn(x.shape)) for n, x in P.items()}, *a)
    for seed, text in enumerate(cells + EXTRA, 1):
        torch.manual_seed(seed)                                                              # for the draws of `rounded`
        with mock.patch.dict(globals(), train=rounded): make(path, cell(text, seed))         # rounding differs from the checker's
        wrong, errors = check(path, say=quiet)
        fails += [f'{text}: {w}' for w in wrong]
        worst.update({g: max(worst.get(g, (0, '')), (e, text)) for g, e in errors.items()})
    print(f'{len(cells + EXTRA)} cells, {len(fails)} failures, {time.time() - began:.0f} s; worst float32 against float64:')
    for g, (e, text) in worst.items(): print(f'  {g:12s} {e:8.1e} (tolerance {TOL[g]:.0e}) {text}')
    for text, known in COUNTS.items():
        c = Config(cell(f'seq2seq t5 {FULL}{text}'))
        fails += [] if sum(map(math.prod, shapes(c)[0].values())) == count(c) == known else [f'{text}: {count(c)} parameters, not {known}']
    for fault, text, plant in FAULTS:
        with mock.patch.dict(globals(), plant if isinstance(plant, dict) else {}):
            make(path, cell(text, more=[plant] if isinstance(plant, str) else []))
        with h5py.File(path, 'r+') as f:
            f.attrs['config'] = json.dumps(cell(text))
            if callable(plant): plant(f)
        wrong = check(path, say=quiet)[0]
        fails += [] if wrong else [f'not found: {fault}']
        print(f"  {'found ' if wrong else 'MISSED'} {fault:32s} {wrong[0] if wrong else ''}")
    print(f'{len(FAULTS)} faults; {time.time() - began:.0f} s')
    return fails
def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in dict(dtype='float64', rtol=1.0, make='', family='lm', preset='t2t', variant='vanilla', mix='', seed=1, steps=3).items():
        ap.add_argument('--' + name, default=default, type=type(default))
    ap.add_argument('files', nargs='*', metavar='FILE.h5'), ap.add_argument('--selftest', action='store_true')
    ap.add_argument('-S', action='append', default=[], metavar='KEY=VALUE')
    o = ap.parse_args()
    torch.set_num_threads(1)
    try:
        if o.make: make(o.make, settings(o.family, o.preset, o.variant, o.mix, o.seed, o.S), o.steps)
        with tempfile.TemporaryDirectory() as folder: fails = selftest(os.path.join(folder, 'trace.h5')) if o.selftest else []
        for path in o.files: fails += [f'{path}: {f}' for f in check(path, getattr(torch, o.dtype), o.rtol)[0]]
    except Bad as e: fails = [str(e)]
    print(f"FAIL: {'; '.join(fails)}" if fails else 'PASS')
    return bool(fails)
if __name__ == '__main__': sys.exit(main())
