import numpy as np


class Network:
    """Fully connected ReLU network with dropout on its input and hidden layers."""

    def __init__(self, sizes, keep_input, keep_hidden, rng):
        self.rng = rng
        self.keep = [keep_input] + [keep_hidden] * (len(sizes) - 2)
        self.W = [rng.normal(0, np.sqrt(2 / a), (b, a)) for a, b in zip(sizes, sizes[1:])]
        self.b = [np.zeros(b) for b in sizes[1:]]
        self.vW = [np.zeros_like(w) for w in self.W]
        self.vb = [np.zeros_like(b) for b in self.b]

    def forward(self, x):
        """Training pass; keeps what the backward pass needs."""
        self.inputs, self.masks = [], []
        y = x
        for layer, (W, b) in enumerate(zip(self.W, self.b)):
            mask = self.rng.random(y.shape) < self.keep[layer]
            y = y * mask
            self.masks.append(mask)
            self.inputs.append(y)
            z = y @ W.T + b
            y = np.maximum(z, 0) if layer < len(self.W) - 1 else z
        return y

    def backward(self, scores, labels):
        """Gradients of the mean cross-entropy."""
        p = np.exp(scores - scores.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        p[np.arange(len(labels)), labels] -= 1
        delta = p / len(labels)
        gW, gb = [None] * len(self.W), [None] * len(self.W)
        for layer in reversed(range(len(self.W))):
            gW[layer], gb[layer] = delta.T @ self.inputs[layer], delta.sum(axis=0)
            if layer:
                delta = (delta @ self.W[layer]) * (self.inputs[layer] > 0)
        return gW, gb

    def step(self, gW, gb, rate, momentum):
        for i in range(len(self.W)):
            self.vW[i] = momentum * self.vW[i] - rate * gW[i]
            self.vb[i] = momentum * self.vb[i] - rate * gb[i]
            self.W[i] += self.vW[i]
            self.b[i] += self.vb[i]

    def constrain(self, c):
        """Project incoming weight vectors onto the ball of radius c."""
        pass

    def predict(self, x):
        """Test-time network with weights scaled by the retention probability."""
        y = x
        for layer, (W, b) in enumerate(zip(self.W, self.b)):
            scale = 1.0  # TODO: retention probability of the layer
            z = y @ (scale * W).T + b
            y = np.maximum(z, 0) if layer < len(self.W) - 1 else z
        return y.argmax(axis=1)


class GaussianNoise:
    """Multiplicative noise N(1, (1 - p) / p)."""

    def __init__(self, p):
        self.variance = None

    def __call__(self, y):
        # TODO: sample the noise
        return y
