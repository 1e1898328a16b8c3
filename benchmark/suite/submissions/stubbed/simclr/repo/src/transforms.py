from torchvision import transforms


class GaussianBlur:
    """Blur with probability 0.5, sigma in [0.1, 2.0], kernel of 10 % of the image."""

    def __init__(self, image_size, p=0.5):
        self.kernel = int(0.1 * image_size)
        self.p = p

    def __call__(self, image):
        # TODO: blur
        return image


def simclr_transform(image_size):
    return transforms.Compose(
        [
            transforms.RandomResizedCrop(image_size),
            transforms.RandomHorizontalFlip(),
            # TODO: apply with probability 0.8, then grayscale with 0.2
            transforms.ColorJitter(0.8, 0.8, 0.8, 0.2),
            GaussianBlur(image_size),
            transforms.ToTensor(),
        ]
    )


class ViewGenerator:
    def __init__(self, transform):
        self.transform = transform

    def __call__(self, image):
        return [self.transform(image), self.transform(image)]
