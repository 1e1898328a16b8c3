import torch
from torch import nn

from dropmnist.modules import MLP, max_norm_


def cycle(images, labels, batch):
    while True:
        for index in torch.randperm(len(images), device=images.device).split(batch):
            yield images[index], labels[index]


def train(args, widths, data, p_in=None, p_hid=None, c=None, l2=0.0):
    torch.manual_seed(args.seed)
    images, labels = data
    model = MLP(widths, p_in or 0.0, p_hid or 0.0).to(images.device)
    opt = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=args.momentum, weight_decay=l2)
    criterion = nn.CrossEntropyLoss()
    batches = cycle(images, labels, args.batch)
    model.train()
    for step in range(args.updates):
        x, y = next(batches)
        loss = criterion(model(x), y)
        opt.zero_grad()
        loss.backward()
        if c:
            max_norm_(model, c)
        opt.step()
        if step % 20_000 == 0:
            print(f"  {step:>8d} {loss.item():.4f}", flush=True)
    return model


@torch.no_grad()
def test_error(model, data):
    model.eval()
    images, labels = data
    wrong = sum(
        (model(x).argmax(1) != y).sum().item()
        for x, y in zip(images.split(500), labels.split(500))
    )
    return 100 * wrong / len(labels)


@torch.no_grad()
def monte_carlo_error(model, data, k):
    model.train()
    images, labels = data
    wrong = 0
    for x, y in zip(images.split(500), labels.split(500)):
        mean = torch.stack([model(x).softmax(1) for _ in range(k)]).mean(0)
        wrong += (mean.argmax(1) != y).sum().item()
    return 100 * wrong / len(labels)
