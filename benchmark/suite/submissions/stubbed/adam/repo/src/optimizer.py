"""Adam and AdaMax in NumPy."""
import numpy as np


class Adam:
    """Adam keeps running averages of gradients and squared gradients per parameter array."""

    def __init__(self, alpha: float, beta1: float, beta2: float, epsilon: float):
        self.alpha = alpha
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.t = 0
        self.m: dict[str, np.ndarray] = {}
        self.v: dict[str, np.ndarray] = {}

    def update(self, params: dict[str, np.ndarray], grads: dict[str, np.ndarray]) -> None:
        self.t += 1
        for key, g in grads.items():
            if key not in self.m:
                self.m[key] = np.zeros_like(g)
                self.v[key] = np.zeros_like(g)
            self.m[key] = self.beta1 * self.m[key] + (1.0 - self.beta1) * g
            self.v[key] = self.beta2 * self.v[key] + (1.0 - self.beta2) * np.square(g)
            m_hat = self.m[key] / (1.0 - self.beta1 ** self.t)
            v_hat = self.v[key] / (1.0 - self.beta2 ** self.t)
            params[key] -= self.alpha * m_hat / (np.sqrt(v_hat) + self.epsilon)


class AdaMax:
    """Adam variant based on the infinity norm."""

    def __init__(self, **kwargs):
        self.options = kwargs

    def update(self, params, grads):
        # TODO: implement Algorithm 2
        raise NotImplementedError("AdaMax update")


def decayed_stepsize(alpha: float, t: int) -> float:
    """Stepsize at step t of the convex experiments."""
    # TODO: apply the 1/sqrt(t) decay
    return alpha
