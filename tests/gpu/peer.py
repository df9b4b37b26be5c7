#!/usr/bin/python3
"""Times the steps of `synthbench bench` in PyTorch: a T5 encoder and decoder.

    peer.py --variant vanilla|random|dense-mtf --target LENGTH
            [--model LAYERS,WIDTH,HEADS,INNER,SOURCE,VOCABULARY]

The model is compiled (torch.compile), computes in bfloat16 (autocast) with
scaled_dot_product_attention if the variant has keys, and is updated by
torch.optim.Adafactor. Prints one JSON object: seconds of each step after the
warm-up, peak memory, the number of parameters and the loss of each step.
"""
import argparse
import json
import math
import time

import torch
from torch import nn
from torch.nn import functional as F

BUCKETS, FARTHEST, WARM = 32, 128, 3


def bucket(far, causal):
    """Returns T5's buckets of the distances `far` (key - query)."""
    n, base = (BUCKETS, 0) if causal else \
        (BUCKETS // 2, BUCKETS // 2 * (far > 0).long())
    far = (-far).clamp(min=0) if causal else far.abs()
    exact = n // 2
    log = torch.log(far.clamp(min=1) / exact) / math.log(FARTHEST / exact)
    wide = exact + (log * (n - exact)).long()
    return base + torch.where(far < exact, far, wide.clamp(max=n - 1))


class Norm(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(d))

    def forward(self, x):
        x = x.float()
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * \
            self.gain


class Relative(nn.Module):
    """The bias (heads,n,n) of the scores, shared by the layers of a stack."""
    def __init__(self, heads, n, causal):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(BUCKETS, heads))
        at = torch.arange(n)
        self.register_buffer('index', bucket(at[None] - at[:, None], causal))
        see = torch.ones(n, n, dtype=torch.bool)
        hidden = ~see.tril() if causal else ~see
        self.register_buffer('hidden', hidden)

    def forward(self):
        bias = self.table[self.index].permute(2, 0, 1)
        return bias.masked_fill(self.hidden, -math.inf)


class Attention(nn.Module):
    """Attention. With variant None, cross-attention by dot products."""
    def __init__(self, d, heads, n, longest, variant):
        super().__init__()
        self.heads, self.variant, k = heads, variant, d // heads
        self.v, self.o = (nn.Linear(d, d, bias=False) for _ in range(2))
        if variant == 'random':
            self.r = nn.Parameter(torch.randn(heads, longest, longest))
        else:
            self.q = nn.Linear(d, d, bias=False)
        if variant == 'dense-mtf':
            self.p = nn.Parameter(torch.randn(longest, k) * k ** -0.5)
        elif variant != 'random':
            self.k = nn.Linear(d, d, bias=False)

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, memory, bias):
        v, n = self.split(self.v(memory)), x.shape[1]
        if self.variant == 'random':
            p = torch.softmax(self.r[:, :n, :n] + bias, -1)
            y = p.to(v.dtype) @ v
        else:
            q = self.split(self.q(x))
            if self.variant == 'dense-mtf':
                q = F.relu(q)
                k = self.p[:n].to(q.dtype).expand(*q.shape[:2], n, -1)
            else:
                k = self.split(self.k(memory))
            mask = None if bias is None else \
                bias.to(q.dtype).expand(len(q), -1, -1, -1)
            y = F.scaled_dot_product_attention(q, k, v, mask, scale=1.0)
        return self.o(y.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self, d, heads, ff, n, longest, variant, cross):
        super().__init__()
        self.own = Attention(d, heads, n, longest, variant)
        self.own_norm, self.ff_norm = Norm(d), Norm(d)
        if cross:
            self.cross = Attention(d, heads, n, longest, None)
            self.cross_norm = Norm(d)
        self.w1 = nn.Linear(d, ff, bias=False)
        self.w2 = nn.Linear(ff, d, bias=False)

    def forward(self, x, bias, memory=None):
        z = self.own_norm(x)
        x = x + self.own(z, z, bias)
        if memory is not None:
            x = x + self.cross(self.cross_norm(x), memory, None)
        return x + self.w2(F.relu(self.w1(self.ff_norm(x))))


class Model(nn.Module):
    def __init__(self, shape, target, variant):
        super().__init__()
        layers, d, heads, ff, self.source, vocab = shape
        self.target = target
        self.table = nn.Parameter(torch.randn(vocab, d))
        for name, n, cross in (('encoder', self.source, False),
                               ('decoder', self.target, True)):
            setattr(self, name, nn.ModuleList(
                Layer(d, heads, ff, n, self.source, variant, cross)
                for _ in range(layers)))
            setattr(self, name + '_bias', Relative(heads, n, cross))
            setattr(self, name + '_norm', Norm(d))

    def forward(self, source, target, wanted):
        x, bias = F.embedding(source, self.table), self.encoder_bias()
        for layer in self.encoder:
            x = layer(x, bias)
        memory = self.encoder_norm(x)
        y, bias = F.embedding(target, self.table), self.decoder_bias()
        for layer in self.decoder:
            y = layer(y, bias, memory)
        y = self.decoder_norm(y) * self.table.shape[1] ** -0.5
        return F.cross_entropy(F.linear(y, self.table).flatten(0, 1).float(),
                               wanted.flatten())


def sync(device):
    if device == 'cuda':
        torch.cuda.synchronize()


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--variant', required=True)
    a.add_argument('--model', default='12,768,12,3072,512,32128')
    a.add_argument('--target', type=int, default=114)
    a.add_argument('--batch', type=int, default=128)
    a.add_argument('--shards', type=int, default=1)
    a.add_argument('--steps', type=int, default=8)
    a.add_argument('--device', default='cuda')
    a = a.parse_args()
    torch.manual_seed(1)
    with torch.device(a.device):
        model = Model(map(int, a.model.split(',')), a.target, a.variant)
        ids = [torch.randint(model.table.shape[0], (a.batch, n)) for n in
               (model.source, model.target, model.target)]
    optimizer = torch.optim.Adafactor(model.parameters(), lr=1e-2)
    step, seconds, losses = torch.compile(model), [], []
    for _ in range(WARM + a.steps):
        sync(a.device)
        began, sum_ = time.perf_counter(), 0
        for part in zip(*(x.chunk(a.shards) for x in ids)):
            with torch.autocast(a.device, torch.bfloat16):
                loss = step(*part) / a.shards
            loss.backward()
            sum_ += float(loss.detach())
        optimizer.step()
        optimizer.zero_grad()
        sync(a.device)
        seconds.append(time.perf_counter() - began)
        losses.append(sum_)
    print(json.dumps(dict(
        variant=a.variant, torch=torch.__version__,
        params=sum(p.numel() for p in model.parameters()),
        seconds=seconds[WARM:], warm_seconds=seconds[:WARM], losses=losses,
        peak_gpu_mb=torch.cuda.max_memory_allocated() / 2 ** 20
        if a.device == 'cuda' else None)))


if __name__ == '__main__':
    main()
