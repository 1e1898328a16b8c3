import copy
import os

import torch
from torch.utils.data import DataLoader
from torchvision import datasets
from torchvision import transforms as T

from ddpm.network import from_args
from ddpm.options import parser
from ddpm.process import Process


class Averager:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = copy.deepcopy(model).eval()
        for p in self.shadow.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.mul_(self.decay).add_(p, alpha=1.0 - self.decay)


def batches(args):
    pre = T.Compose([T.RandomHorizontalFlip(), T.ToTensor(), T.Normalize((0.5,) * 3, (0.5,) * 3)])
    data = datasets.CIFAR10(args.data, train=True, download=True, transform=pre)
    loader = DataLoader(data, args.batch_size, shuffle=True, drop_last=True, num_workers=args.workers)
    while True:
        yield from loader


def main():
    args = parser("train").parse_args()
    os.makedirs(args.out, exist_ok=True)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    model = from_args(args).to(device)
    process = Process(args.num_steps, args.beta_first, args.beta_last, device)
    ema = Averager(model, args.ema_decay)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    stream = batches(args)

    for it in range(args.iterations):
        x0, _ = next(stream)
        x0 = x0.to(device)
        t = torch.randint(0, process.T, (len(x0),), device=device)
        noise = torch.randn_like(x0)
        loss = process.objective(model, x0, t, noise)

        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip)
        ema.update(model)
        opt.step()

        if it % 500 == 0:
            print(f"{it:>7d}  {loss.item():.5f}")
        if (it + 1) % 50_000 == 0:
            torch.save(
                {"model": model.state_dict(), "ema": ema.shadow.state_dict(), "iteration": it},
                os.path.join(args.out, "ckpt.pt"),
            )


if __name__ == "__main__":
    main()
