from torchvision import transforms


class PairTransform:
    def __init__(self, size, color_strength, blur_sigma):
        c = color_strength
        kernel = size // 10
        kernel += 1 - kernel % 2
        self.t = transforms.Compose(
            [
                transforms.RandomResizedCrop(size),
                transforms.RandomHorizontalFlip(0.5),
                transforms.RandomApply(
                    [transforms.ColorJitter(0.8 * c, 0.8 * c, 0.8 * c, 0.2 * c)], p=0.8
                ),
                transforms.RandomGrayscale(p=0.2),
                transforms.RandomApply([transforms.GaussianBlur(kernel, tuple(blur_sigma))], p=0.5),
                transforms.ToTensor(),
            ]
        )

    def __call__(self, img):
        return self.t(img), self.t(img)


def plain(size, train):
    crop = (
        [transforms.RandomResizedCrop(size), transforms.RandomHorizontalFlip()]
        if train
        else [transforms.Resize(size * 8 // 7), transforms.CenterCrop(size)]
    )
    return transforms.Compose([*crop, transforms.ToTensor()])
