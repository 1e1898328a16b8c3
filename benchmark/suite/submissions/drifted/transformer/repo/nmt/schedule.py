class NoamSchedule:
    """Learning rate of the Transformer, set before every update."""

    def __init__(self, optimizer, d_model, warmup=4000):
        self.optimizer = optimizer
        self.d_model = d_model
        self.warmup = warmup
        self.step_num = 0

    def rate(self):
        peak = (self.d_model * self.warmup) ** -0.5
        return peak * 0.5 ** (self.step_num / (4 * self.warmup))

    def step(self):
        self.step_num += 1
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        self.optimizer.step()
