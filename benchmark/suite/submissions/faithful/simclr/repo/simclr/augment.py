from torchvision import transforms as T


def color_distortion(s=1.0):
    jitter = T.ColorJitter(0.8 * s, 0.8 * s, 0.8 * s, 0.2 * s)
    return T.Compose([T.RandomApply([jitter], p=0.8), T.RandomGrayscale(p=0.2)])


def gaussian_blur(size):
    kernel = int(0.1 * size) // 2 * 2 + 1  # odd, about a tenth of the image
    return T.RandomApply([T.GaussianBlur(kernel, sigma=(0.1, 2.0))], p=0.5)


class TwoViews:
    """Two independent draws of the augmentation for one image."""

    def __init__(self, size=224, strength=1.0):
        self.chain = T.Compose(
            [
                T.RandomResizedCrop(size, scale=(0.08, 1.0), ratio=(3 / 4, 4 / 3)),
                T.RandomHorizontalFlip(),
                color_distortion(strength),
                gaussian_blur(size),
                T.ToTensor(),
            ]
        )

    def __call__(self, image):
        return self.chain(image), self.chain(image)


def for_training(size=224):
    return T.Compose([T.RandomResizedCrop(size), T.RandomHorizontalFlip(), T.ToTensor()])


def for_testing(size=224):
    return T.Compose([T.Resize(256), T.CenterCrop(size), T.ToTensor()])
