import os

import torch
from torchvision.utils import save_image

from ddpm.network import from_args
from ddpm.options import parser
from ddpm.process import Process


def main():
    args = parser("generate").parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    ckpt = torch.load(os.path.join(args.out, "ckpt.pt"), map_location=device)
    net = from_args(args).to(device)
    net.load_state_dict(ckpt["model"])
    net.eval()
    process = Process(args.num_steps, args.beta_first, args.beta_last, device)

    folder = os.path.join(args.out, "samples")
    os.makedirs(folder, exist_ok=True)
    made = 0
    while made < args.num_images:
        n = min(args.gen_batch, args.num_images - made)
        for image in process.generate(net, (n, 3, 32, 32), device):
            save_image(image, os.path.join(folder, f"{made:06d}.png"))
            made += 1


if __name__ == "__main__":
    main()
