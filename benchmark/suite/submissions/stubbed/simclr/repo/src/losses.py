import torch.nn.functional as F


def nt_xent_loss(z_i, z_j, temperature):
    """-log exp(sim(z_i, z_j) / t) / sum_k exp(sim(z_i, z_k) / t), averaged over 2N views."""
    z_i = F.normalize(z_i, dim=1)
    z_j = F.normalize(z_j, dim=1)
    positives = (z_i * z_j).sum(dim=1) / temperature
    # TODO: negatives
    return -positives.mean()
