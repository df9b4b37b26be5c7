"""Every variant of `synthbench list variants` as a PyTorch module that takes the tensors of a lent start.h5.

Shapes: b rows of a batch, n positions, d width, h heads of width k. Tensors have the names of start.h5.
"""
import math
import torch
from torch.nn import functional as F

# ---- scores B of every variant: (b,h,n,n), or (1,h,n,n) if they are the same for every input; T: the part's tensors, L: the layer's
def split(x, h): return x.unflatten(-1, (h, -1)).transpose(1, 2)                        # (b,n,h k) -> (b,h,n,k)
def join(x): return x.transpose(1, 2).flatten(2)                                        # and back
def linear(T, name, x): return x @ T[name] + T.get(name + '.bias', 0)
def under(T, prefix): return {n[len(prefix):]: x for n, x in T.items() if n.startswith(prefix)}
def width(c): return c['head_width'] or c['d'] // c['heads']
def root(c, yes): return width(c) ** -0.5 if yes else 1
def matrix(R, n): return R[None, :, :n, :n]                                             # the same R for all rows of the batch
def pair(A, C): return (C[..., :, None] * A[..., None, :]).flatten(-2)                  # column j: A[j mod a] C[j div a]
def per_head(T, w, b, x): return x @ T[w] + (T[b][:, None] if b in T else 0)            # x (b,h,n,.)
def dense(T, x): return per_head(T, 'w2', 'b2', F.relu(per_head(T, 'w1', 'b1', x)))
def dense_mtf(q, p, x, k): return F.relu(split(x @ q, q.shape[1] // k)) @ p
def factorized(T, x): return pair(per_head(T, 'wa', 'ba', x), per_head(T, 'wc', 'bc', x))
def dot(c, T, x, scaled):
    q = split(linear(T, 'q', x), T['q'].shape[1] // width(c))
    k = split(linear(T, 'k', x), q.shape[1]) if 'k' in T else q
    return q @ k.mT * root(c, scaled) * (T['gain'][:, :, None] if 'gain' in T else 1)
def scores(c, part, T, L, x):
    n = x.shape[1]
    if part in ('random', 'fixed-random'): return matrix(T['R'], n)
    if part == 'factorized-random': return matrix(T['R1'] @ T['R2'].mT, n)
    if part == 'factorized-random-mtf': return (T['R1'] * T['R2']).sum(0)[None, :, None, :n].expand(-1, -1, n, -1)
    if part == 'uniform': return x.new_zeros(1, c['heads'] // (len(c['parts']) if c['mix'] == 'heads' else 1), n, n)
    if part == 'dense': return dense(T, split(x, T['w1'].shape[0]))[..., :n]
    if part == 'dense-literal': return dense(T, x[:, None])[..., :n]
    if part == 'dense-mtf': return dense_mtf(T['q'] if 'q' in T else L['vanilla.q'], T['p'], x, width(c))[..., :n]
    if part == 'factorized-dense': return factorized(T, split(F.relu(x @ T['w']) if 'w' in T else x, T['wa'].shape[0]))[..., :n]
    return dot(c, T, x, c['dot_scale'] or part != 'vanilla')                            # vanilla, and frozen products
def softmax(B, see): return B.masked_fill(~see, -1e30).softmax(-1)
def visible(keys, causal):                                                              # keys (b,n), false at padding -> (b,1,n,n)
    see = keys[:, None, None, :].expand(-1, 1, keys.shape[1], -1)
    return see & torch.ones_like(see[0, 0]).tril() if causal else see
def mixture(c, L, B, bias, see, drop):
    a, mix = L.get('mix.a'), c['mix'] if len(B) > 1 else 'plus'
    if mix == 'weights': return sum(s * drop(softmax(b + bias, see)) for s, b in zip(a.softmax(0), B))
    if mix == 'heads': B = [torch.cat([b.expand(len(see), -1, -1, -1) for b in B], 1)]
    if mix == 'sigmoid': B = [B[0] + torch.sigmoid(a) * (B[1] - B[0])]
    if mix == 'logits': B = [s * b for s, b in zip(a.softmax(0), B)]
    return drop(softmax(sum(B) + bias, see))
def convolution(c, T, x, keys, causal, drop):
    u, d = F.glu(x @ T['w1'] + T['b1'], -1) * keys[:, :, None], c['d']
    H = d if c['parts'][0].endswith('-mtf') else c['conv_heads'] or c['heads']
    w = (u @ T['wk'] + T.get('bk', 0)).unflatten(-1, (H, -1)) if 'wk' in T else T['taps'].expand(*u.shape[:2], -1, -1)
    w, K = drop(w.softmax(-1))[:, :, torch.arange(d, device=x.device) * H // d], w.shape[-1]       # (b,n,d,K)
    first = 1 - K if causal else -(K // 2)                                              # offset of tap 0
    wide = F.pad(u, (0, 0, -first, K - 1 + first))
    y = sum(w[..., j] * wide[:, j:j + x.shape[1]] for j in range(K)) + T.get('bias', 0)
    return y @ T['w2'] + T['b2'] if 'w2' in T else y
def linformer(c, T, L, x, keys, drop):
    n, z, h = x.shape[1], keys[:, :, None], c['heads']
    q, k, v = split(linear(T, 'q', x), h), split(linear(T, 'k', x) * z, h), split(linear(L, 'v', x) * z, h)
    return join(drop((q @ (T['e'][:, :n] @ k).mT * root(c, c['dot_scale'])).softmax(-1)) @ (T['f'][:, :n] @ v))
def self_attention(c, L, x, keys, causal, bias, drop):
    first, see = c['parts'][0], visible(keys, causal)
    T = under(L, first + '.')
    if 'conv' in first: return linear(L, 'o', convolution(c, T, x, keys, causal, drop))
    if first == 'linformer': return linear(L, 'o', linformer(c, T, L, x, keys, drop))
    if first == 'mixer': A = drop(matrix(T['R'], x.shape[1]) * see)
    else: A = mixture(c, L, [scores(c, p, under(L, p + '.'), L, x) for p in c['parts']], bias, see, drop)
    return linear(L, 'o', join(A @ split(linear(L, 'v', x), c['heads'])))

# ---- the Transformer around it ----
class Model(torch.nn.Module):
    def __init__(self, c, start):
        super().__init__()
        self.c, self.names = c, [n for g in ('params', 'frozen') for n in start[g]]
        for n, x in start['params'].items(): self.register_parameter(n.replace('.', '/'), torch.nn.Parameter(torch.tensor(x[()])))
        for n, x in start['frozen'].items(): self.register_buffer(n.replace('.', '/'), torch.tensor(x[()]))
    def tensors(self): return {n: getattr(self, n.replace('.', '/')) for n in self.names}
    def drop(self, x): return F.dropout(x, self.c['dropout'], self.training)
    def norm(self, T, name, x):
        if self.c['norm'] == 'layer': return F.layer_norm(x, x.shape[-1:], T[name + '.gain'], T[name + '.bias'], self.c['norm_eps'])
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.c['norm_eps']) * T[name + '.gain']
    def positions(self, T, name, n):
        if self.c['position'] != 'sinusoidal': return T[name + '.position'][:n] if self.c['position'] == 'learned' else 0
        half = self.c['d'] // 2                                                         # sines, then cosines
        angle = torch.arange(n)[:, None] * 10000.0 ** (-torch.arange(half).double() / max(half - 1, 1))
        return torch.cat([angle.sin(), angle.cos()], 1).to(T['embed.table'])
    def bias(self, T, name, n, causal):                                                 # T5's relative position bias (1,h,n,n)
        if name + '.relative' not in T: return 0
        far, buckets = torch.arange(n)[None] - torch.arange(n)[:, None], self.c['relative_buckets'] // (1 if causal else 2)
        base, far, exact = 0 if causal else buckets * (far > 0), (-far).clamp(min=0) if causal else far.abs(), buckets // 2
        log = torch.log(far.double().clamp(min=1) / exact) / math.log(self.c['relative_distance'] / exact) * (buckets - exact)
        index = base + torch.where(far < exact, far, (exact + (log + 1e-9).long()).clamp(max=buckets - 1))
        return T[name + '.relative'][index].permute(2, 0, 1)[None]
    def stack(self, T, name, ids, keys, memory=None, memory_keys=None):
        c, causal, n, drop = self.c, name == 'decoder', ids.shape[1], self.drop
        x = drop(F.embedding(ids, T['embed.table']) * (c['d'] ** 0.5 if c['embed_scale'] else 1) + self.positions(T, name, n))
        bias = self.bias(T, name, n, causal)
        for L in (under(T, f'{name}.{i}.') for i in range(c['layers'])):
            x = x + drop(self_attention(c, under(L, 'self.'), self.norm(L, 'self.norm', x), keys, causal, bias, drop))
            if memory is not None:
                h, y = c['cross_heads'] or c['heads'], self.norm(L, 'cross.norm', x)
                q, k, v = split(y @ L['cross.q'], h), split(memory @ L['cross.k'], h), split(memory @ L['cross.v'], h)
                B = q @ k.mT * (q.shape[-1] ** -0.5 if c['dot_scale'] else 1)
                x = x + drop(join(drop(softmax(B, memory_keys[:, None, None])) @ v) @ L['cross.o'])
            inner = F.relu(self.norm(L, 'ffn.norm', x) @ L['ffn.w1'] + L.get('ffn.b1', 0))
            x = x + drop(drop(inner) @ L['ffn.w2'] + L.get('ffn.b2', 0))
        return self.norm(T, name + '.norm', x)
    def forward(self, b, smoothing=0.0):                                                # -> sum of the losses, number of targets
        c, T, memory, keys = self.c, self.tensors(), None, None
        def inside(ids, length): return torch.arange(b[ids].shape[1], device=b[ids].device) < b[length][:, None]
        if 'source' in b: memory = self.stack(T, 'encoder', b['source'], keys := inside('source', 'source_length'))
        if c['family'] == 'encoder':
            mean = (memory * keys[:, :, None]).sum(1) / keys.sum(1, True).clamp(min=1)
            logits, target = mean @ T['classifier.w'] + T['classifier.b'], b['label']
            if c['classes'] == 1: return (logits[:, 0] - target).pow(2).sum(), len(target)
        else:
            y = self.stack(T, 'decoder', b['target_in'], inside('target_in', 'target_length'), memory, keys)
            logits = y * (c['d'] ** -0.5 if c['logit_scale'] else 1) @ T['embed.table' if c['tied'] else 'softmax.table'].mT
            given = torch.arange(y.shape[1], device=y.device) < b['prompt'][:, None] if 'prompt' in b else False
            target = b['target_out'].masked_fill(~inside('target_out', 'target_length') | given, -100)
        e = smoothing * logits.shape[-1] / (logits.shape[-1] - 1)                       # here smoothing spreads over the wrong classes only
        return F.cross_entropy(logits.flatten(0, -2).float(), target.flatten().long(), reduction='sum', label_smoothing=e), (target != -100).sum()
