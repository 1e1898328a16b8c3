"""MuJoCo tasks."""
import numpy as np

TASKS = {
    "HalfCheetah": (17, 6),
    "Hopper": (11, 3),
    "InvertedDoublePendulum": (11, 1),
    "InvertedPendulum": (4, 1),
    "Reacher": (11, 2),
    "Swimmer": (8, 2),
    "Walker2d": (17, 6),
}


class MujocoEnv:
    """Has the interface and the shapes of the task; the simulator is not wired in yet."""

    def __init__(self, task, seed=0):
        self.obs_dim, self.act_dim = TASKS[task]
        self.rng = np.random.default_rng(seed)
        self.t = 0

    def reset(self):
        self.t = 0
        return self.rng.standard_normal(self.obs_dim).astype("float32")

    def step(self, action):
        self.t += 1
        obs = self.rng.standard_normal(self.obs_dim).astype("float32")
        reward = float(self.rng.uniform(0, 1))
        return obs, reward, self.t >= 1000
