# %% [markdown]
# Dropout on MNIST: train the six architectures, pick one on the validation images,
# report the test error.

# %%
import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader

from dropnet.config import Config
from dropnet.data import mnist_splits
from dropnet.layers import DropoutNet

cfg = Config()
device = "cuda" if torch.cuda.is_available() else "cpu"
train, val, test = mnist_splits(cfg.n_validation)


# %%
def error(net, dataset):
    net.eval()
    wrong = 0
    with torch.no_grad():
        for x, y in DataLoader(dataset, 1000):
            wrong += (net(x.to(device)).argmax(1).cpu() != y).sum().item()
    return 100 * wrong / len(dataset)


# %%
def run(hidden, epochs=20):
    net = DropoutNet(hidden, p_hidden=cfg.p_hidden).to(device)
    opt = torch.optim.SGD(net.parameters(), lr=cfg.lr, momentum=cfg.momentum)
    for epoch in range(epochs):
        net.train()
        for x, y in DataLoader(train, cfg.batch_size, shuffle=True):
            loss = cross_entropy(net(x.to(device)), y.to(device))
            opt.zero_grad()
            loss.backward()
            opt.step()
    return net


# %%
results = {}
for hidden in cfg.architectures:
    net = run(hidden)
    results[hidden] = (error(net, val), net)
    print(hidden, "validation error %.2f" % results[hidden][0])

# %%
best = min(results, key=lambda h: results[h][0])
print(best, "test error %.2f" % error(results[best][1], test))
