import torch


def nt_xent(a, b, tau):
    z = torch.nn.functional.normalize(torch.cat([a, b]), dim=1)
    n = len(a)
    similarity = torch.mm(z, z.t()) / tau
    itself = torch.eye(2 * n, dtype=torch.bool, device=z.device)
    log_denominator = similarity.masked_fill(itself, float("-inf")).logsumexp(dim=1)
    pair = torch.cat([similarity.diagonal(n), similarity.diagonal(-n)])
    return (log_denominator - pair).mean()
