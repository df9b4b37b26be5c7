#!/usr/bin/python3
"""wrong_trainer.py MISTAKE DIR: trains the lent cell of DIR with a mistake found in public implementations.

wrong_trainer.py --list prints the mistakes. Each replaces functions of examples/pytorch/model.py.
"""
import json
import sys
from pathlib import Path
import torch
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / 'examples' / 'pytorch'))
import model
import train

right = {n: getattr(model, n) for n in ('matrix', 'scores', 'softmax', 'visible')}


def per_example_R():  # torch.randn(batch, heads, n, n) in each forward pass
    def scores(c, part, T, L, x):
        B = right['scores'](c, part, T, L, x)
        return torch.randn(len(x), *B.shape[1:]) if part == 'random' else B
    model.scores = scores


def unregistered_R():  # a plain tensor, which no optimizer sees
    model.matrix = lambda R, n: right['matrix'](R.detach(), n)


def no_softmax():
    model.softmax = lambda B, see: B * see


def tiled_alike():  # both factors repeated as a whole, so columns repeat
    def pair(A, C):
        N = A.shape[-1] * C.shape[-1]
        return A.repeat(1, 1, 1, N // A.shape[-1]) * C.repeat(1, 1, 1, N // C.shape[-1])
    model.pair = pair


def scale_synthesized(factor):
    def scores(c, part, *of):
        return right['scores'](c, part, *of) * (1 if part == 'vanilla' else factor(c))
    model.scores = scores


def scaled():  # 1/sqrt(k), which is for dot products only
    scale_synthesized(lambda c: model.width(c) ** -0.5)


def scaled_by_width():
    scale_synthesized(lambda c: c['d'] ** -0.5)


def unscaled():
    model.root = lambda c, yes: 1


def late_mask():  # the causal mask after the softmax
    def softmax(B, see):
        keys = see.any(-2, keepdim=True)
        return right['softmax'](B, keys) * see
    model.softmax = softmax


def no_mask():
    model.visible = lambda keys, causal: right['visible'](keys, False)


def padding():
    model.visible = lambda keys, causal: right['visible'](torch.ones_like(keys), causal)


def over_queries():
    model.softmax = lambda B, see: B.masked_fill(~see, -1e30).softmax(-2) * see


def one_R(T, layer, head):
    """Returns the tensors with those of layer 0, or of head 0, instead of each layer's or head's own."""
    def of(name):
        stack, number, rest = name.split('.', 2)
        x = T[f'{stack}.0.{rest}'] if layer else T[name]
        return x[:1].expand_as(x) if head else x
    return {n: of(n) if '.self.' in n and n.split('.')[-1] in ('R', 'R1', 'R2') else x for n, x in T.items()}


def shared(layer, head):
    def plant():
        tensors = model.Model.tensors
        model.Model.tensors = lambda self: one_R(tensors(self), layer, head)
    return plant


def no_bias():
    model.per_head = lambda T, w, b, x: x @ T[w]


MISTAKES = {
    'per-example-R': per_example_R, 'unregistered-R': unregistered_R, 'no-softmax': no_softmax,
    'tiled-alike': tiled_alike, 'scaled': scaled, 'scaled-by-width': scaled_by_width, 'unscaled': unscaled,
    'late-mask': late_mask, 'no-mask': no_mask, 'padding': padding, 'over-queries': over_queries,
    'one-R-for-heads': shared(False, True), 'one-R-for-layers': shared(True, False),
    'one-R-for-all': shared(True, True), 'no-bias': no_bias}


def main():
    if sys.argv[1:] == ['--list']:
        print(*MISTAKES, sep='\n')
        return
    folder = Path(sys.argv[2])
    c, out = json.loads((folder / 'config.json').read_text()), folder / 'trained'
    torch.manual_seed(1)
    MISTAKES[sys.argv[1]]()
    out.mkdir(exist_ok=True)
    train.write_trace(folder, c, out)
    train.train(folder, c, out)


if __name__ == '__main__':
    main()
