import random

from torchvision import transforms as tf


class Blur:
    def __init__(self, side, low=0.1, high=2.0):
        self.kernel = max(3, round(side * 0.1) | 1)
        self.blur = tf.GaussianBlur(self.kernel, sigma=(low, high))

    def __call__(self, image):
        return self.blur(image) if random.random() < 0.5 else image


def contrastive(side, s):
    jitter = tf.ColorJitter(brightness=0.8 * s, contrast=0.8 * s, saturation=0.8 * s, hue=0.2 * s)
    return tf.Compose(
        [
            tf.RandomResizedCrop(side),
            tf.RandomHorizontalFlip(),
            tf.RandomApply([jitter], 0.8),
            tf.RandomGrayscale(0.2),
            Blur(side),
            tf.ToTensor(),
        ]
    )


def center(side):
    return tf.Compose([tf.Resize(256), tf.CenterCrop(side), tf.ToTensor()])


class Twice:
    def __init__(self, transform):
        self.transform = transform

    def __call__(self, image):
        return self.transform(image), self.transform(image)
