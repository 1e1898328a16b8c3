import torch


def average_weights(files):
    """Mean of the weights of several checkpoints."""
    states = [torch.load(f, map_location="cpu") for f in files]
    return {key: torch.stack([s[key] for s in states]).mean(0) for key in states[0]}


@torch.no_grad()
def beam_search(net, src, beam=4, alpha=0.6, extra=50, bos=1, eos=2):
    memory, pad = net.encode(src)
    alive, ended = [(0.0, [bos])], []
    for _ in range(src.size(1) + extra):
        options = []
        for score, ids in alive:
            logp = net.decode(torch.tensor([ids]), memory, pad)[0, -1].log_softmax(-1)
            top = logp.topk(beam)
            options += [
                (score + s, ids + [i]) for s, i in zip(top.values.tolist(), top.indices.tolist())
            ]
        options = sorted(options, reverse=True)[:beam]
        alive = [o for o in options if o[1][-1] != eos]
        ended += [(s / ((5 + len(i)) / 6) ** alpha, i) for s, i in options if i[-1] == eos]
        if not alive:
            break
    return max(ended or alive)[1]


@torch.no_grad()
def greedy(net, src, limit=100, bos=1, eos=2):
    memory, pad = net.encode(src)
    ids = [bos]
    for _ in range(limit):
        ids.append(net.decode(torch.tensor([ids]), memory, pad)[0, -1].argmax().item())
        if ids[-1] == eos:
            break
    return ids
