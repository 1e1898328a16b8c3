"""The ways in which code comes to run, one by one; and what cannot be told is not called dead."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.overview import ordered_calls
from tests.retrieval.handmade import build

MAIN = "if __name__ == '__main__':\n    main()\n"


def states(files: dict[str, str]) -> dict[str, bool | None]:
    index = build(files)
    return {
        f"{symbol.path}:{symbol.name}": index.reached(symbol.path, symbol.first)
        for symbol in index.symbols
        if symbol.name
    }


def check(files: dict[str, str], alive: str = "", unknown: str = "", dead: str = "") -> None:
    found = states(files)
    expected: dict[str, bool | None] = dict.fromkeys(alive.split(), True)
    expected |= dict.fromkeys(unknown.split())
    expected |= dict.fromkeys(dead.split(), False)
    assert {name: found[name] for name in expected} == expected


LOSSES = "def l1():\n    return helper()\n\ndef l2(): pass\n\ndef helper(): pass\n"
BY_NAME = [
    # A name that is written out decides; one that comes from outside leaves all of them open.
    (
        {"a.py": "def go(): pass\ndef other(): pass\nglobals()['go']()\n"},
        "a.py:go", "", "a.py:other",
    ),
    (
        {"a.py": "import sys\ndef go(): pass\ndef stop(): go()\nglobals()[sys.argv[1]]()\n"},
        "", "a.py:go a.py:stop", "",
    ),
    (
        {"a.py": "import sys\ndef go(): pass\nname = sys.argv[1]\nglobals().get(name)()\n"},
        "", "a.py:go", "",
    ),
    (
        {"a.py": "import sys\ndef go(): pass\ngetattr(sys.modules[__name__], sys.argv[1])()\n"},
        "", "a.py:go", "",
    ),
    (
        {"a.py": "import losses\nimport sys\ngetattr(losses, sys.argv[1])()\n",
         "losses.py": LOSSES},
        "", "losses.py:l1 losses.py:l2 losses.py:helper", "",
    ),
    (
        {"a.py": "from pkg import losses as L\nimport sys\nf = getattr(L, sys.argv[1])\nf()\n",
         "pkg/losses.py": LOSSES, "pkg/__init__.py": ""},
        "", "pkg/losses.py:l1 pkg/losses.py:l2", "",
    ),
    # The name stands in a configuration: that one runs, the others may.
    (
        {"a.py": "import losses, yaml\nc = yaml.safe_load(open('c.yaml'))\n"
         "getattr(losses, c['loss'])()\n", "losses.py": LOSSES, "c.yaml": "loss: l1\n"},
        "losses.py:l1 losses.py:helper", "losses.py:l2", "",
    ),
    # The name is partly written out.
    (
        {"a.py": "import sys\ndef run_x(): pass\ndef run_y(): pass\ndef eat(): pass\n"
         "globals()[f'run_{sys.argv[1]}']()\n"},
        "", "a.py:run_x a.py:run_y", "a.py:eat",
    ),
    (
        {"a.py": "import sys\nclass A:\n    def go(self, n):\n        getattr(self, 'on_' + n)()\n"
         "    def on_start(self): pass\n    def off(self): pass\nA().go(sys.argv[1])\n"},
        "a.py:A.go", "a.py:A.on_start", "a.py:A.off",
    ),
    (
        {"a.py": "class A:\n    def go(self):\n        for n in ('x', 'y'):\n"
         "            getattr(self, n)()\n"
         "    def x(self): pass\n    def y(self): pass\nA().go()\n"},
        "a.py:A.x a.py:A.y", "", "",
    ),
    # Others' modules hold nothing of ours; a plain value of an unknown object is no call.
    (
        {"a.py": "import torch\nimport sys\nclass A:\n    def f(self): pass\nA()\n"
         "getattr(torch.optim, sys.argv[1])()\nx = getattr(sys.argv, sys.argv[0])\n"},
        "a.py:A", "", "a.py:A.f",
    ),
    (
        {"a.py": "import sys\nclass A:\n    def f(self): pass\nobj = A()\n"
         "getattr(obj, sys.argv[1])()\n"},
        "a.py:A", "a.py:A.f", "",
    ),
    (
        {"a.py": "import sys\ndef go(): pass\neval(sys.argv[1] + '()')\n"},
        "", "a.py:go", "",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("files", "alive", "unknown", "dead"), BY_NAME)
def test_looked_up_by_name(files: dict[str, str], alive: str, unknown: str, dead: str) -> None:
    check(files, alive, unknown, dead)


MODELS = "def big():\n    return block()\ndef small(): pass\ndef block(): pass\ndef _size(): pass\n"
ASKED = (
    "import argparse, sys, inspect, importlib\nimport models\np = argparse.ArgumentParser()\n"
    "p.add_argument('--model', default='big')\n"
)
TABLES = [
    # A default names one of them: that one runs, the others may.
    (
        {"a.py": ASKED + "models.__dict__[p.parse_args().model](size=3)\n" + MAIN,
         "models.py": MODELS},
        "models.py:big models.py:block", "models.py:small", "",
    ),
    (
        {"a.py": ASKED.replace("default='big'", "choices=['small', 'tiny']")
         + "vars(models)[p.parse_args().model](size=3)\n" + MAIN, "models.py": MODELS},
        "models.py:small", "models.py:big models.py:block", "",
    ),
    (
        {"a.py": "import sys\nfrom pkg import models as m\nm.__dict__.get('b' + sys.argv[1])()\n"
         + MAIN, "pkg/__init__.py": "", "pkg/models.py": MODELS},
        "", "pkg/models.py:big pkg/models.py:block", "pkg/models.py:small",
    ),
    # What a package brings in from elsewhere stands in its table too.
    (
        {"a.py": "import sys\nimport models\nmodels.__dict__[sys.argv[1]]()\n" + MAIN,
         "models/__init__.py": "from .big import *\n", "models/big.py": MODELS,
         "models/old.py": "def old(): pass\n"},
        "", "models/big.py:big models/big.py:small", "models/old.py:old",
    ),
    # The whole table is taken, to be looked into later.
    (
        {"a.py": ASKED + "table = models.__dict__\ntable[sys.argv[1]]()\n" + MAIN,
         "models.py": MODELS},
        "", "models.py:small", "",
    ),
    (
        {"a.py": ASKED + "ALL = dict(inspect.getmembers(models, inspect.isfunction))\n"
         "ALL[sys.argv[1]]()\n" + MAIN, "models.py": MODELS},
        "", "models.py:small", "",
    ),
    (
        {"a.py": "import sys\ndef go(): pass\nsys.modules[__name__].__dict__[sys.argv[1]]()\n"
         + MAIN},
        "", "a.py:go", "",
    ),
    # A module that is imported by its name, and then asked for another one.
    (
        {"a.py": "import importlib, sys\nmodule = importlib.import_module('models')\n"
         "getattr(module, sys.argv[1])()\n" + MAIN, "models.py": MODELS},
        "", "models.py:big models.py:small", "",
    ),
    (
        {"a.py": "import importlib, sys\n"
         "make = getattr(importlib.import_module('models'), 'b' + sys.argv[1])\nmake()\n" + MAIN,
         "models.py": MODELS},
        "", "models.py:big", "models.py:small",
    ),
    # The table of an object holds its values; nobody calls what is only shown; other tables.
    (
        {"a.py": ASKED + "class A:\n    def old(self): pass\n    def go(self):\n"
         "        return self.__dict__[sys.argv[1]], vars(self)\nA().go()\n"
         "print(vars(p.parse_args()), A.__dict__.items(), p.__dict__)\nmodels.small()\n" + MAIN,
         "models.py": MODELS},
        "models.py:small a.py:A.go", "", "models.py:big a.py:A.old",
    ),
    (
        {"a.py": "import sys\nclass A:\n    def on(self): pass\n    def go(self):\n"
         "        type(self).__dict__[sys.argv[1]](self)\nA().go()\n" + MAIN},
        "a.py:A.go", "a.py:A.on", "",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("files", "alive", "unknown", "dead"), TABLES)
def test_looked_up_in_the_table_of_a_module(
    files: dict[str, str], alive: str, unknown: str, dead: str
) -> None:
    check(files, alive, unknown, dead)


REGISTRIES = [
    (
        {"a.py": "import models\nfrom reg import REG\nimport sys\nREG[sys.argv[1]]()\n",
         "reg.py": "REG = {}\ndef register(n):\n    def deco(f):\n        REG[n] = f\n"
         "        return f\n    return deco\n",
         "models.py": "from reg import register\n@register('x')\nclass X:\n"
         "    def __init__(self): self.go()\n    def go(self): pass\nclass Y: pass\n"},
        "models.py:X models.py:X.go reg.py:register", "", "models.py:Y",
    ),
    (
        {"a.py": "import sys\ndef f(): pass\nclass C:\n    def run(self): pass\n"
         "REG = {'f': f, 'c': C}\nREG[sys.argv[1]]().run()\n"},
        "a.py:f a.py:C a.py:C.run", "", "",
    ),
    (
        {"a.py": "import reg\nclass A(reg.Base): pass\nclass B: pass\nreg.make()\n",
         "reg.py": "class Base:\n    pass\ndef make():\n"
         "    return [c() for c in Base.__subclasses__()]\n"},
        "a.py:A", "", "a.py:B",
    ),
    (
        {"a.py": "import reg\nclass A(reg.Base):\n    pass\nclass B: pass\nreg.go()\n",
         "reg.py": "KNOWN = {}\nclass Base:\n    def __init_subclass__(cls):\n"
         "        KNOWN[cls.__name__] = cls\ndef go(): Base\n"},
        "a.py:A", "", "a.py:B",
    ),
    (
        {"a.py": "import gym\nfrom gym.envs.registration import register\n"
         "register(id='My-v0', entry_point='envs.my:MyEnv')\nwith gym.make('My-v0'): pass\n",
         "envs/my.py": "import gym\nclass MyEnv(gym.Env):\n    def step(self, a): self.inner()\n"
         "    def inner(self): pass\nclass Other: pass\n"},
        "envs/my.py:MyEnv envs/my.py:MyEnv.step envs/my.py:MyEnv.inner", "", "envs/my.py:Other",
    ),
    (
        {"a.py": "import gym\nclass Env(gym.Env):\n    def step(self, a): pass\n"
         "    def old(self): pass\nlearn(Env())\n"},
        "a.py:Env a.py:Env.step", "", "a.py:Env.old",
    ),
    # Hydra and its like name what is made in a configuration.
    (
        {"a.py": "import hydra\n@hydra.main(config_path='conf')\ndef main(cfg):\n"
         "    hydra.utils.instantiate(cfg.model)\n" + MAIN,
         "src/net.py": "class Net:\n    def __init__(self): self.go()\n    def go(self): pass\n"
         "class Old: pass\n",
         "conf/c.yaml": "model:\n  _target_: src.net.Net\n  size: 3\n"},
        "src/net.py:Net src/net.py:Net.go", "", "src/net.py:Old",
    ),
    (
        {"a.py": "from tools import make\nmake({'target': 'src.net.Net'})\n",
         "tools.py": "import importlib\ndef make(c):\n    m, n = c['target'].rsplit('.', 1)\n"
         "    return getattr(importlib.import_module(m), n)()\n",
         "src/net.py": "class Net: pass\n"},
        "src/net.py:Net", "", "",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("files", "alive", "unknown", "dead"), REGISTRIES)
def test_registries(files: dict[str, str], alive: str, unknown: str, dead: str) -> None:
    check(files, alive, unknown, dead)


MODULES = [
    (
        {"a.py": "import importlib\nm = importlib.import_module('tasks.walk')\nm.go()\n",
         "tasks/walk.py": "def go(): pass\ngone = [go]\n", "tasks/run.py": "def go(): pass\n"},
        "tasks/walk.py:go", "", "tasks/run.py:go",
    ),
    (
        {"a.py": "import importlib, sys\nm = importlib.import_module(f'tasks.{sys.argv[1]}')\n"
         "m.go()\n", "tasks/walk.py": "def go(): pass\n", "lib/run.py": "def go(): pass\n"},
        "", "tasks/walk.py:go", "lib/run.py:go",
    ),
    (
        {"a.py": "import models\nmodels.make()\n",
         "models/__init__.py": "import importlib, os\nfrom .reg import make\n"
         "for f in os.listdir(os.path.dirname(__file__)):\n"
         "    importlib.import_module(f'{__name__}.{f[:-3]}')\n",
         "models/reg.py": "def register(f): return f\ndef make(): pass\n",
         "models/net.py": "from .reg import register\n@register\nclass Net: pass\n"
         "def loose(): pass\n", "other.py": "def f(): pass\n"},
        "models/net.py:Net models/reg.py:make", "", "models/net.py:loose other.py:f",
    ),
    (
        {"a.py": "from models import *\nNet().fit()\n",
         "models/__init__.py": "from .net import *\n",
         "models/net.py": "class Net:\n    def fit(self): pass\nclass Old: pass\n"},
        "models/net.py:Net models/net.py:Net.fit", "", "models/net.py:Old",
    ),
    (
        {"a.py": "import models\nmodels.Net().fit()\n",
         "models/__init__.py": "from .net import *\n",
         "models/net.py": "class Net:\n    def fit(self): pass\nclass Old: pass\n"},
        "models/net.py:Net models/net.py:Net.fit", "", "models/net.py:Old",
    ),
    (
        {"a.py": "import models as m\nm.net.build()\n", "models/__init__.py": "from . import net\n",
         "models/net.py": "def build(): pass\ndef old(): pass\n"},
        "models/net.py:build", "", "models/net.py:old",
    ),
    (
        {"a.py": "import subprocess, sys\nsubprocess.run([sys.executable, 'steps/one.py'])\n",
         "steps/one.py": "def f(): pass\nx = f()\n", "steps/two.py": "def g(): pass\nx = g()\n"},
        "steps/one.py:f", "", "steps/two.py:g",
    ),
    (
        {"a.py": "import os\nos.system('python one.py --lr 1')\n",
         "one.py": "def f(): pass\nx = f()\n"},
        "one.py:f", "", "",
    ),
    (
        {"a.py": "import subprocess\nsubprocess.run(['python', '-m', 'pkg.one'])\n",
         "pkg/one.py": "def f(): pass\nx = f()\n"},
        "pkg/one.py:f", "", "",
    ),
    (
        {"a.py": "import runpy\nrunpy.run_path('one.py')\n", "one.py": "def f(): pass\nx = f()\n"},
        "one.py:f", "", "",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("files", "alive", "unknown", "dead"), MODULES)
def test_modules(files: dict[str, str], alive: str, unknown: str, dead: str) -> None:
    check(files, alive, unknown, dead)


COMMANDS = [
    ({"pyproject.toml": '[project.scripts]\ngo = "p.c:go"\n',
      "p/c.py": "def go(): pass\ndef old(): pass\n"}, "p/c.py:go", "p/c.py:old"),
    ({"setup.cfg": "[options.entry_points]\nconsole_scripts =\n    go = p.c:go\n",
      "p/c.py": "def go(): pass\n"}, "p/c.py:go", ""),
    ({"setup.py": "from setuptools import setup\nsetup(entry_points={'console_scripts':"
      " ['go=p.c:go']})\n", "p/c.py": "def go(): pass\n"}, "p/c.py:go", ""),
    ({"p/__main__.py": "from p.c import go\ngo()\n", "p/c.py": "def go(): pass\n"},
     "p/c.py:go", ""),
    ({"run.sh": "python -m p\n", "p/__init__.py": "",
      "p/__main__.py": "from .c import go\nx = go()\n", "p/c.py": "def go(): pass\n"},
     "p/c.py:go", ""),
    ({"run.sh": "python -m p.c\n", "p/c.py": "def go(): pass\nx = go()\n"}, "p/c.py:go", ""),
    ({"Makefile": "train:\n\tpython src/c.py --lr 1\n",
      "src/c.py": "def go(): pass\nx = go()\n"}, "src/c.py:go", ""),
    ({"Makefile": "PYTHON ?= python3\ntrain:\n\t$(PYTHON) src/c.py\n",
      "src/c.py": "def go(): pass\nx = go()\n"}, "src/c.py:go", ""),
    ({"justfile": "train:\n    uv run src/c.py\n",
      "src/c.py": "def go(): pass\nx = go()\n"}, "src/c.py:go", ""),
    ({"Dockerfile": 'FROM x\nCMD ["python", "src/c.py"]\n',
      "src/c.py": "def go(): pass\nx = go()\n"}, "src/c.py:go", ""),
    ({"dvc.yaml": "stages:\n  train:\n    cmd: python src/c.py\n",
      "src/c.py": "def go(): pass\nx = go()\n"}, "src/c.py:go", ""),
    ({"job.sh": "sbatch <<EOF\n#!/bin/bash\npython src/c.py\nEOF\n",
      "src/c.py": "def go(): pass\nx = go()\n"}, "src/c.py:go", ""),
    ({"n.ipynb": "# %% cell 1 [code]\npass  # magic: !python src/c.py\n",
      "src/c.py": "def go(): pass\nx = go()\n"}, "src/c.py:go", ""),
    ({"n.ipynb": "# %% cell 1 [code]\npass  # magic: %run src/c.py\n",
      "src/c.py": "def go(): pass\nx = go()\n"}, "src/c.py:go", ""),
    ({"n.ipynb": "# %% cell 1 [code]\nfrom src.c import go\ngo()\n",
      "src/c.py": "def go(): pass\ndef old(): pass\n"}, "src/c.py:go", "src/c.py:old"),
    ({"a.py": "import fire\ndef go(): pass\ndef stop(): pass\n"
      "if __name__ == '__main__':\n    fire.Fire()\n"}, "a.py:go a.py:stop", ""),
    ({"a.py": "import fire\nclass T:\n    def train(self): pass\n    def _no(self): pass\n"
      "def old(): pass\nif __name__ == '__main__':\n    fire.Fire(T)\n"},
     "a.py:T.train", "a.py:old a.py:T._no"),
    ({"a.py": "from fire import Fire\nclass T:\n    def train(self): pass\n"
      "if __name__ == '__main__':\n    Fire(T())\n"}, "a.py:T.train", ""),
    ({"a.py": "import argparse\ndef train(a): pass\ndef old(a): pass\n"
      "p = argparse.ArgumentParser()\ns = p.add_subparsers()\n"
      "s.add_parser('t').set_defaults(func=train)\na = p.parse_args()\na.func(a)\n"},
     "a.py:train", "a.py:old"),
    ({"a.py": "import click\n@click.group()\ndef cli(): pass\n@cli.command()\ndef train(): step()\n"
      "def step(): pass\ndef old(): pass\nif __name__ == '__main__':\n    cli()\n"},
     "a.py:train a.py:step", "a.py:old"),
    ({"a.py": "import hydra\n@hydra.main()\ndef main(cfg): go()\ndef go(): pass\n" + MAIN},
     "a.py:main a.py:go", ""),
    ({"a.py": "from torch.multiprocessing import spawn\ndef work(r): pass\nspawn(work, args=())\n"},
     "a.py:work", ""),
    ({"a.py": "class Log:\n    def on_end(self): pass\n    def old(self): pass\nclass Trainer:\n"
      "    def __init__(self, callbacks): self.callbacks = callbacks\n    def fit(self):\n"
      "        for c in self.callbacks:\n            c.on_end()\nTrainer([Log()]).fit()\n"},
     "a.py:Log.on_end", "a.py:Log.old"),
    ({"a.py": "import lightning as L\nclass Log(L.Callback):\n    def on_train_end(self, t): pass\n"
      "L.Trainer(callbacks=[Log()]).fit()\n"}, "a.py:Log.on_train_end", ""),
    ({"a.py": "class Net:\n    def loss(self): pass\n    def old(self): pass\nclass Agent:\n"
      "    def __init__(self):\n        self.net = Net()\n    def act(self):\n"
      "        self.net.loss()\nAgent().act()\n"}, "a.py:Net.loss", "a.py:Net.old"),
    ({"a.py": "class A:\n    def size(self): pass\n    def old(self): pass\na = A()\n"
      "for i in range(3): print(f'size: {a.size():.3f} old')\n"}, "a.py:A.size", "a.py:A.old"),
    ({"a.py": "class A:\n    def __init__(self): self.step = self._fast\n"
      "    def _fast(self): pass\n    def go(self): self.step()\nA().go()\n"}, "a.py:A._fast", ""),
]  # fmt: skip


@pytest.mark.parametrize(("files", "alive", "dead"), COMMANDS)
def test_commands_callbacks_and_instances(files: dict[str, str], alive: str, dead: str) -> None:
    check(files, alive, "", dead)


def test_what_is_only_possible_is_told_in_facts_and_chunks_too() -> None:
    files = {
        "a.py": "import losses, sys\ngetattr(losses, sys.argv[1])()\n",
        "losses.py": "def l1():\n    alpha = 0.5\n    return alpha\n",
        "island.py": "def f():\n    beta = 0.5\n    return beta\n",
    }
    index = build(files)
    facts = {fact.name: fact.reached for fact in index.facts}
    assert facts == {"l1.alpha": None, "f.beta": False}
    chunks = {chunk.symbol: chunk.reached for chunk in index.chunks if chunk.symbol}
    assert chunks == {"l1": None, "f": False}


IMPORTS = [
    # The folder that was handed in is the package itself, under a name that is not its own here.
    (
        {"scripts/train.py": "from proj.models.net import Net\nfrom proj import util\n"
         "util.go()\nwhile Net(): pass\n",
         "models/net.py": "from proj.util import go\nclass Net: pass\nclass Old: pass\n",
         "util.py": "def go(): pass\n"},
        "models/net.py:Net util.py:go", "", "models/net.py:Old",
    ),
    # Parts of it may not have been handed in.
    (
        {"train.py": "from proj.net import Net\nfrom proj.util import go\n"
         "from proj.data import Set\nwhile Net(): go()\n",
         "net.py": "class Net: pass\n", "util.py": "def go(): pass\n"},
        "net.py:Net util.py:go", "", "",
    ),
    # A library's own modules are none of ours, whatever they are called.
    (
        {"train.py": "import torch.nn\nfrom torch.utils import go\nwhile go(): pass\n",
         "utils.py": "def go(): pass\n"},
        "", "", "utils.py:go",
    ),
    # A stand-in for what cannot be imported: either may run.
    (
        {"train.py": "try:\n    from net import Net\nexcept ImportError:\n    class Net:\n"
         "        pass\nwhile Net(): pass\n", "net.py": "class Net: pass\n"},
        "net.py:Net train.py:Net", "", "",
    ),
]  # fmt: skip
CODE = "def go(): inner()\ndef inner(): pass\ndef old(): pass\n"
LOST = [
    # Called, and imported from nowhere: what was meant is not known, nor what that would lead to.
    ({"a.py": "go()\n", "b.py": CODE}, "", "b.py:go b.py:inner", "b.py:old"),
    ({"a.py": "def f():\n    return go()\nf()\n", "b.py": CODE},
     "a.py:f", "b.py:go b.py:inner", "b.py:old"),
    ({"a.py": "from b import old\nold(go)\ngo()\n", "b.py": CODE},
     "b.py:old", "b.py:go b.py:inner", ""),
    ({"a.py": "class Net(Base):\n    pass\nmake(Net())\n", "b.py": "def make(n): pass\n"},
     "a.py:Net", "b.py:make", ""),
    # Imported from a module of the repository's own that is not there, or has no such name.
    ({"p/a.py": "from .engine import go\ngo()\n", "p/b.py": CODE},
     "", "p/b.py:go p/b.py:inner", "p/b.py:old"),
    ({"a.py": "from p.engine import go as run\nfrom p.engine import go\ngo()\n", "p/b.py": CODE},
     "", "p/b.py:go p/b.py:inner", "p/b.py:old"),
    ({"a.py": "from c import go\ngo()\n", "c.py": "x = 1\n", "b.py": CODE},
     "", "b.py:go b.py:inner", "b.py:old"),
    # Code that nothing calls leaves nothing open.
    ({"a.py": "def f():\n    return go()\nprint(1)\n", "b.py": CODE},
     "", "", "a.py:f b.py:go b.py:inner b.py:old"),
    # Another package's, Python's own, or a value of the file itself: none of these is lost.
    ({"a.py": "from engine import go\ngo()\n", "b.py": CODE}, "", "", "b.py:go"),
    ({"a.py": "eval('1')\n", "b.py": "def eval(text): pass\n"}, "", "", "b.py:eval"),
    ({"a.py": "go = print\ngo()\n", "b.py": CODE}, "", "", "b.py:go"),
    ({"a.py": "go: object = print\ngo()\n", "b.py": CODE}, "", "", "b.py:go"),
    ({"a.py": "go, x = print, 1\ngo()\n", "b.py": CODE}, "", "", "b.py:go"),
    ({"a.py": "[go, (go, x), go, y] = [go, x, y] = 1\ngo()\n", "b.py": CODE}, "", "", "b.py:go"),
    ({"a.py": "[(x for x in [(lambda y, go: go())])]\ngo()\n", "b.py": CODE}, "", "", "b.py:go"),
    ({"a.py": "def f(x,\n      go):\n    go(x)\nf(1, print)\n", "b.py": CODE}, "a.py:f", "",
     "b.py:go"),
    ({"a.py": "for x, go in [(1, print)]:\n    go(x)\n", "b.py": CODE}, "", "", "b.py:go"),
    ({"a.py": "with open('x') as go:\n    go()\n", "b.py": CODE}, "", "", "b.py:go"),
    ({"a.py": "print((lambda go: go())(print))\n", "b.py": CODE}, "", "", "b.py:go"),
    # A method of something is no name that stands alone.
    ({"a.py": "import numpy as np\nnp.go()\nx = [].go()\n", "b.py": CODE}, "", "", "b.py:go"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "alive", "unknown", "dead"), LOST)
def test_names_that_mean_nothing_where_they_are_called(
    files: dict[str, str], alive: str, unknown: str, dead: str
) -> None:
    check(files, alive, unknown, dead)


def test_long_lines_of_words_that_bind_are_read_once() -> None:
    words = "\n".join(["# " + "for " * 400, "# " + "go, " * 400] * 1500)
    check({"a.py": f"go()\n{words}\n", "b.py": CODE}, "", "b.py:go b.py:inner", "b.py:old")


@pytest.mark.parametrize(("files", "alive", "unknown", "dead"), IMPORTS)
def test_imports(files: dict[str, str], alive: str, unknown: str, dead: str) -> None:
    check(files, alive, unknown, dead)


SCRIPT = """#!/bin/bash
# python never.py
python prepare.py --out data
for seed in 1 2; do
  python -m src.pretrain --seed $seed && \\
    torchrun --nproc 2 finetune.py
done
sbatch <<EOF
python evaluate.py
EOF
"""
PHASES = {
    "run_all.sh": SCRIPT,
    "prepare.py": "print(1)\n",
    "src/pretrain.py": "print(2)\n",
    "finetune.py": "print(3)\n",
    "evaluate.py": "print(4)\n",
    "never.py": "def f(): pass\n",
    "Makefile": "all:\n\tpython prepare.py\n",
}


def test_a_script_tells_the_order_of_phases() -> None:
    index = build(PHASES)
    assert index.graph.scripts == ("run_all.sh::",)
    script = index.symbol_at("run_all.sh", 4)
    assert script is not None
    assert [(call.name, call.line, call.target) for call in script.calls] == [
        ("prepare.py", 3, "prepare.py::"),
        ("src.pretrain", 5, "src/pretrain.py::"),
        ("finetune.py", 6, "finetune.py::"),
        ("evaluate.py", 9, "evaluate.py::"),
    ]
    evaluate = index.graph.symbol("evaluate.py::")
    assert evaluate is not None
    assert [caller.path for caller in index.callers_of(evaluate)] == ["run_all.sh"]
    assert index.reached("never.py", 1) is False


def test_claims_about_order_are_shown_the_scripts_first() -> None:
    lines = ordered_calls(build(PHASES), [], 12)
    assert lines == (
        "run_all.sh:1 script: prepare.py (3) > src.pretrain (5) > finetune.py (6)"
        " > evaluate.py (9)",
    )


def test_stages_of_a_pipeline_are_phases_too() -> None:
    files = {
        "dvc.yaml": "stages:\n  a:\n    cmd: python one.py\n  b:\n    cmd: python two.py\n",
        "one.py": "print(1)\n",
        "two.py": "print(2)\n",
    }
    assert ordered_calls(build(files), [], 12) == ("dvc.yaml:1 script: one.py (3) > two.py (5)",)


@pytest.mark.parametrize(
    "text",
    [
        "class A:\n" + "    def f(self): getattr(self, x)()\n" * 3_000,
        "".join(f"class C{n}(C{n - 1}):\n    def f{n}(self): getattr(self, 'f' + x)()\n"
                for n in range(2_000)),
        "".join(f"getattr(a, 'x{n}' + b)()\n" for n in range(4_000)),
        "import os\n" + "".join(f"os.system('python a{n}.py')\n" for n in range(4_000)),
        "import importlib\n" + "".join(f"importlib.import_module(f'a{n}.{{x}}')\n"
                                       for n in range(4_000)),
    ],
    ids=["same", "heirs", "patterns", "commands", "modules"],
)  # fmt: skip
def test_thousands_of_lookups_end(text: str) -> None:
    files = {"main.py": text + "for i in range(2): pass\n"}
    files |= {f"p/m{n}.py": f"class K{n}:\n    def x{n}(self): pass\n" for n in range(200)}
    assert build(files).has_entry_point


DIGEST = """
import random
from tests.retrieval.handmade import build
pick = random.Random(1).choice
forms = ["def {}(): {}()\\n", "class {}({}):\\n    class {}: pass\\n    def {}(self): self.{}()\\n",
         "from m{n} import {}\\n", "from m{n} import *\\n", "getattr({}, x)()\\n", "x.{}()\\n",
         "globals()[{}]()\\n", "a.{}.{}\\n",
         "def {}(): a.{}.{}\\n", "{}({})\\n"]
for _ in range(40):
    files = {}
    for n in range(4):
        lines = [pick(forms).format(*(pick("fghKLM") for _ in range(5)), n=pick("0123"))
                 for _ in range(8)]
        files[f"m{n}.py"] = "".join(lines)
    files["m0.py"] += "for i in range(2): f()\\n"
    index = build(files)
    print([(symbol.key, symbol.calls, index.reached(symbol.path, symbol.first))
           for symbol in index.symbols])
"""


def test_what_is_reached_is_the_same_in_every_process() -> None:
    # Sets of strings are gone through in another order for each seed.
    found = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "123"
    }
    assert len(found) == 1
    text = found.pop()
    assert "True)" in text
    assert "False)" in text
    assert "None)" in text


SETUP = (
    "from setuptools import find_packages, setup\n\nsetup(name='lib', packages=find_packages())\n"
)


@pytest.mark.parametrize("name", ["setup.py", "noxfile.py", "tools/setup.py"])
def test_what_builds_a_library_is_no_run_of_it(name: str) -> None:
    files = {name: SETUP, "lib/core.py": "def fit(): pass\n"}
    assert states(files) == {"lib/core.py:fit": None}
    shell = {**files, "install.sh": f"python {name} install\n"}
    assert states(shell) == {"lib/core.py:fit": None}


def test_a_script_beside_a_setup_file_is_still_what_runs() -> None:
    files = {
        "setup.py": SETUP,
        "lib/core.py": "def fit(): pass\ndef unused(): pass\n",
        "train.py": "from lib.core import fit\n\nfit()\n",
    }
    check(files, alive="lib/core.py:fit", dead="lib/core.py:unused")


def test_a_console_script_of_a_setup_file_runs() -> None:
    text = SETUP.replace(
        "packages=", "entry_points={'console_scripts': ['go = lib.core:main']}, packages="
    )
    files = {
        "setup.py": text,
        "lib/__init__.py": "",
        "lib/core.py": "def main(): pass\ndef no(): pass\n",
    }
    check(files, alive="lib/core.py:main", dead="lib/core.py:no")
