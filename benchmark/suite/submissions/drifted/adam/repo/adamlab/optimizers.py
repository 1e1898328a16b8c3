import torch


class _Base:
    def __init__(self, params):
        self.params = [p for p in params if p.requires_grad]
        self.t = 0

    def zero_grad(self):
        for p in self.params:
            p.grad = None


class AdamOptimizer(_Base):
    """Adaptive moment estimation (Algorithm 1)."""

    def __init__(self, params, lr=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, bias_correction=True):
        super().__init__(params)
        self.lr, self.beta1, self.beta2, self.eps = lr, beta1, beta2, eps
        self.bias_correction = bias_correction
        self.m = [torch.zeros_like(p) for p in self.params]
        self.v = [torch.zeros_like(p) for p in self.params]

    @torch.no_grad()
    def step(self):
        self.t += 1
        # fold the correction into the step size, as suggested at the end of Section 2
        lr_t = self.lr
        if self.bias_correction:
            lr_t = self.lr / (1 - self.beta1**self.t)
        for p, m, v in zip(self.params, self.m, self.v):
            g = p.grad
            m.mul_(self.beta1).add_((1 - self.beta1) * g)
            v.mul_(self.beta2).add_((1 - self.beta2) * g * g)
            p.add_(-lr_t * m / torch.sqrt(v + self.eps))


class AdaMaxOptimizer(_Base):
    """Variant of Adam based on the infinity norm (Algorithm 2)."""

    def __init__(self, params, lr=2e-3, beta1=0.9, beta2=0.999):
        super().__init__(params)
        self.lr, self.beta1, self.beta2 = lr, beta1, beta2
        self.m = [torch.zeros_like(p) for p in self.params]
        self.u = [torch.zeros_like(p) for p in self.params]

    @torch.no_grad()
    def step(self):
        self.t += 1
        scale = self.lr / (1 - self.beta1**self.t)
        for p, m, u in zip(self.params, self.m, self.u):
            g = p.grad
            m.mul_(self.beta1).add_((1 - self.beta1) * g)
            u.mul_(self.beta2).add_((1 - self.beta2) * g.abs())
            u_hat = u / (1 - self.beta2**self.t)
            p.add_(-scale * m / (u_hat + 1e-12))


def make_optimizer(name, params, s):
    params = list(params)
    if name == "adam":
        return AdamOptimizer(params, s.lr, s.beta1, s.beta2, s.eps)
    if name == "adamax":
        return AdaMaxOptimizer(params)
    if name == "nesterov":
        return torch.optim.SGD(params, lr=0.1, momentum=0.9)
    if name == "adagrad":
        return torch.optim.Adagrad(params, lr=0.01)
    if name == "rmsprop":
        return torch.optim.RMSprop(params, lr=1e-3)
    if name == "adadelta":
        return torch.optim.Adadelta(params)
    raise KeyError(name)
