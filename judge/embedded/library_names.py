"""Names of libraries and collections of data that code spells otherwise than claims."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

__all__ = ["SPELLED", "is_spelled"]

# What claims say, without what separates its parts; what stands in code for it.
_TABLE = r"""
pytorch | torch
torch | torch
tensorflow | tf, tensorflow
keras | keras, tf
jax | jax, jnp, flax, haiku, optax
flax | flax, nn.compact
haiku | haiku, hk
mxnet | mxnet, mx, gluon
paddlepaddle | paddle
mindspore | mindspore
huggingface, huggingfacetransformers, huggingfacehub | transformers, datasets, accelerate
+ , diffusers, peft, trl, tokenizers, evaluate, huggingface_hub, AutoModel*, AutoTokenizer
+ , load_dataset, from_pretrained
transformers | transformers, AutoModel*, AutoTokenizer
huggingfaceaccelerate, accelerate | accelerate, Accelerator
huggingfacedatasets | datasets, load_dataset
huggingfacediffusers, diffusers | diffusers, *Pipeline
huggingfacepeft, peft | peft, LoraConfig, get_peft_model
huggingfacetrl, trl | trl, SFTTrainer, DPOTrainer, PPOTrainer, GRPOTrainer
huggingfaceevaluate | evaluate, load_metric
scikitlearn, sklearn | sklearn
scikitimage, skimage | skimage
scikitoptimize | skopt
scipy | scipy
numpy | numpy, np, jnp
pandas | pandas, pd
matplotlib | matplotlib, plt
seaborn | seaborn, sns
opencv, opencvpython | cv2
pillow, pil, pythonimaging | PIL, Image
weightsbiases, weightsandbiases, wandb, wb | wandb
tensorboard | tensorboard, tensorboardX, SummaryWriter
mlflow | mlflow
pytorchlightning, lightning | lightning, pytorch_lightning, pl, LightningModule
torchvision | torchvision
torchaudio | torchaudio
torchtext | torchtext
torchmetrics | torchmetrics
pytorchgeometric, pyg, torchgeometric | torch_geometric, pyg
deepgraphlibrary, dgl | dgl
opengraphbenchmark, ogb | ogb, ogbn*, ogbg*, ogbl*
stablebaselines3, stablebaselines, sb3 | stable_baselines3, stable_baselines
openaigym, gym, gymnasium, openaigymnasium, farama | gym, gymnasium
rllib, ray | ray, rllib
cleanrl | cleanrl
pettingzoo | pettingzoo
mujoco, mujocogym | mujoco*, gym, gymnasium, HalfCheetah*, Hopper*, Walker2d*, Ant, Humanoid*, brax
dmcontrol, deepmindcontrol, deepmindcontrolsuite, dmc, dmcsuite | dm_control, suite, dmc*
atari, atari2600, atari100k, ale | atari*, ALE, NoFrameskip*, *NoFrameskip*, Breakout*, Pong*
metaworld | metaworld, ML1, ML10, MT10, MT50
d4rl | d4rl, halfcheetah, hopper, walker2d, antmaze, minari
detectron2 | detectron2
mmdetection, mmdet | mmdet, mmcv
mmsegmentation | mmseg, mmcv
timm, pytorchimagemodels | timm, create_model
openclip | open_clip
segmentanything | segment_anything, sam_model_registry
kornia | kornia
albumentations | albumentations
monai | monai
spacy | spacy
nltk | nltk
gensim | gensim
sacrebleu | sacrebleu
rougescore | rouge_score, rouge
sentencetransformers, sbert, sentencebert | sentence_transformers, SentenceTransformer
sentencepiece | sentencepiece, spm
fairseq | fairseq
faiss | faiss
xgboost | xgboost, xgb, XGB*
lightgbm | lightgbm, lgb, LGBM*
catboost | catboost, CatBoost*
statsmodels | statsmodels, sm
optuna | optuna
raytune | ray, tune
deepspeed | deepspeed
megatronlm, megatron | megatron*
flashattention, flashattn, flashattention2 | flash_attn*, scaled_dot_product_attention
xformers | xformers, xops
bitsandbytes | bitsandbytes, bnb, BitsAndBytesConfig, load_in_*
vllm | vllm, LLM
openai, openaiapi | openai, OpenAI
langchain | langchain*
lmevaluationharness, lmevalharness, evalharness, lmeval | lm_eval*, simple_evaluate
networkx | networkx, nx
cvxpy | cvxpy, cp
pyro | pyro, numpyro
gpytorch | gpytorch
botorch | botorch
torchdiffeq, neuralode | torchdiffeq, odeint*
diffrax | diffrax
hydra | hydra, OmegaConf
einops | einops, rearrange
rdkit | rdkit, Chem
openmm | openmm
avalanche | avalanche
captum | captum
transformerlens | transformer_lens, HookedTransformer
pot, pythonoptimaltransport | ot
beir, beirbenchmark | beir, scifact, nfcorpus, fiqa, arguana, scidocs, quora, trec*, mteb
mteb | mteb
glue | glue, sst2, mrpc, cola, mnli, qnli, rte, qqp, stsb
superglue | super_glue, boolq, copa, wic, multirc
commonsense, commonsenseqa, commonsensereasoning | commonsense*, hellaswag, piqa, winogrande
domainbed | PACS, VLCS, OfficeHome, TerraIncognita
vtab, vtab1k | vtab*, caltech101, dtd, svhn, eurosat
imagenet, imagenet1k, ilsvrc, ilsvrc2012, ilsvrc12 | imagenet*, ImageFolder, ilsvrc*, wds
openwebtext | openwebtext*, owt, train.bin
tinystories | TinyStories*
c4, c4en | c4, allenai
longbench | longbench, narrativeqa, qasper, hotpotqa
bigbench, bigbenchhard, bbh | bbh, bigbench*, big_bench*
uci, ucirepository | ucimlrepo, uci, fetch_openml, concrete, yacht, energy, kin8nm
openml | openml, fetch_openml
"""


def _read() -> Iterator[tuple[str, str]]:
    for line in _TABLE.strip().replace("\n+ ", "").splitlines():
        said, code = line.split(" | ")
        words = (re.escape(word.strip()).replace(r"\*", r"\w*") for word in code.split(","))
        pattern = "|".join(words)
        for name in said.split(","):
            yield name.strip(), rf"(?<![a-zA-Z0-9])(?:{pattern})(?![a-zA-Z0-9])"


SPELLED: Mapping[str, str] = dict(_read())
"""For a name as claims have it, in lower case and without separators, what code spells it by."""


@cache  # the table is finite
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(SPELLED[name], re.IGNORECASE)


def is_spelled(name: str, code: str) -> bool:
    """Whether code holds what a library or collection goes by there.

    Args:
        name: As the claim has it, in lower case and without separators.
        code: Lines of code.
    """
    return name in SPELLED and _compiled(name).search(code) is not None
