"""What the names of public checkpoints, data sets and environments stand for.

Written from their public cards and papers. A row: loaders | pattern of the whole name, in lower
case, `_` and blanks as `-`, without its owner | what it is, phrases by commas | facts. A group of
the pattern is a fact by its name. Facts: `L` layers, `H` hidden size, `A` attention heads, `F`
feed-forward size, `P` parameters, `V` vocabulary, `C` context, `R` resolution, `Z` patch size,
`K` classes, `N` examples for training, `T` for testing; others by their own names.
"""

from __future__ import annotations

__all__ = ["FACT_NAMES", "LOADERS", "MODELS"]

LOADERS = """
model | transformers sentence_transformers diffusers timm open_clip clip peft | from_pretrained | 0
+ | pretrained_model_name_or_path
model | timm | create_model | 0 | model_name
model | transformers | pipeline | 1 | model
model | sentence_transformers | SentenceTransformer CrossEncoder | 0 | model_name_or_path
model | clip | load | 0 | name
model | open_clip | create_model_and_transforms create_model | 0 | model_name
model | torch | load | 1 | model
model | vllm | LLM | 0 | model
model | whisper | load_model | 0 | name
model | transformer_lens | from_pretrained | 0 | model_name
data | datasets | load_dataset | 0 | path
data | sklearn | fetch_openml | 0 | name
data | torch_geometric | Planetoid TUDataset | 1 | name
env | gym gymnasium | make make_vec | 0 | id
model | torchvision | resnet18 resnet34 resnet50 resnet101 resnet152 vgg16 vgg19 densenet121
+ mobilenet_v2 efficientnet_b0 convnext_tiny | = |
env | stable_baselines3 | make_vec_env make_atari_env | 0 | env_id
"""
"""What the first argument, or the one of that name, is a name of: kind | roots | calls | position
| keyword; `=` where the call's own name is one. A variable counts for the one text that the
repository gives it."""

FACT_NAMES = {
    "L": "layers layer blocks block depth",
    "H": "hidden width dim dimension dimensional embedding dmodel hiddensize hiddendim embeddim",
    "A": "heads head nhead numheads",
    "F": "feedforward ffn mlp intermediate dff",
    "P": "parameters parameter params",
    "V": "vocabulary vocab vocabsize",
    "C": "context window positions",
    "R": "resolution pixels",
    "Z": "patch patches patchsize",
    "K": "classes class categories labels numclasses",
    "N": "train training",
    "T": "test testing",
}
"""The words by which claims name a fact."""

MODELS = r"""
model | (?:vit|deit|deit3)-(?:ti|tiny)-?(?:patch-?)?(?P<Z>14|16)?-?(?P<R>\d{3})?(?:-.*)? |
+ vision transformer, ViT-Ti, patch embedding, self-attention, class token, position embedding,
+ layer normalization, GELU, multi-head attention | L=12 H=192 A=3 F=768 P=5.7M ratio=4
model | (?:vit|deit|deit3)-(?:s|small)-?(?:patch-?)?(?P<Z>8|14|16|32)?-?(?P<R>\d{3})?(?:-.*)? |
+ vision transformer, ViT-S, patch embedding, self-attention, class token, position embedding,
+ layer normalization, GELU, multi-head attention | L=12 H=384 A=6 F=1536 P=22M ratio=4
model | (?:vit|deit|deit3)-(?:b|base)-?(?:patch-?)?(?P<Z>8|14|16|32)?-?(?P<R>\d{3})?(?:-.*)? |
+ vision transformer, ViT-B, patch embedding, self-attention, class token, position embedding,
+ layer normalization, GELU, multi-head attention | L=12 H=768 A=12 F=3072 P=86M ratio=4
model | (?:vit|deit|deit3)-(?:l|large)-?(?:patch-?)?(?P<Z>14|16|32)?-?(?P<R>\d{3})?(?:-.*)? |
+ vision transformer, ViT-L, patch embedding, self-attention, class token, position embedding,
+ layer normalization, GELU, multi-head attention | L=24 H=1024 A=16 F=4096 P=307M P=304M ratio=4
model | vit-(?:h|huge)-?(?:patch-?)?(?P<Z>14)?-?(?P<R>\d{3})?(?:-.*)? | vision transformer, ViT-H,
+ patch embedding, self-attention, class token, GELU | L=32 H=1280 A=16 F=5120 P=632M ratio=4
model | dinov2-vits14.*|dinov2-small.* | DINOv2, vision transformer, self-supervised features
+ | L=12 H=384 A=6 P=22M Z=14
model | dinov2-vitb14.*|dinov2-base.* | DINOv2, vision transformer, self-supervised features
+ | L=12 H=768 A=12 P=86M Z=14
model | dinov2-vitl14.*|dinov2-large.* | DINOv2, vision transformer, self-supervised features
+ | L=24 H=1024 A=16 P=300M Z=14
model | dinov2-vitg14.*|dinov2-giant.* | DINOv2, vision transformer, self-supervised features
+ | L=40 H=1536 A=24 P=1.1B Z=14
model | clip-vit-base-patch(?P<Z>16|32) | CLIP, contrastive language-image, vision transformer,
+ image encoder, text encoder, cosine similarity | L=12 H=768 H=512 A=12 R=224 C=77
model | vit-b/(?P<Z>16|32) | CLIP, contrastive language-image, vision transformer, image encoder,
+ text encoder | L=12 H=768 H=512 A=12 R=224 C=77
model | clip-vit-large-patch14(?:-336)?|vit-l/14 | CLIP, contrastive language-image,
+ vision transformer, image encoder, text encoder | L=24 H=1024 H=768 A=16 Z=14 C=77
model | resnet-?18(?:[.-].*)? | ResNet, residual network, residual blocks, skip connection,
+ convolution, batch normalization, ReLU | L=18 P=11.7M features=512 R=224
model | resnet-?34(?:[.-].*)? | ResNet, residual network, residual blocks, skip connection,
+ convolution, batch normalization, ReLU | L=34 P=21.8M features=512 R=224
model | resnet-?50(?:[.-].*)? | ResNet, residual network, bottleneck blocks, skip connection,
+ convolution, batch normalization, ReLU | L=50 P=25.6M features=2048 R=224
model | resnet-?101(?:[.-].*)? | ResNet, residual network, bottleneck blocks, skip connection,
+ convolution, batch normalization, ReLU | L=101 P=44.5M features=2048 R=224
model | resnet-?152(?:[.-].*)? | ResNet, residual network, bottleneck blocks, skip connection,
+ convolution, batch normalization, ReLU | L=152 P=60.2M features=2048 R=224
model | vgg-?16(?:-.*)? | VGG, convolutional network, convolution, ReLU, max pooling | L=16 P=138M
model | vgg-?19(?:-.*)? | VGG, convolutional network, convolution, ReLU, max pooling | L=19 P=144M
model | densenet-?121(?:-.*)? | DenseNet, dense connections, convolution, batch normalization
+ | L=121 P=8M
model | mobilenet-?v2.* | MobileNetV2, inverted residual, depthwise separable convolution | P=3.5M
model | efficientnet-?b0.* | EfficientNet, compound scaling, depthwise convolution,
+ squeeze-and-excitation | P=5.3M R=224
model | convnext-tiny.* | ConvNeXt, depthwise convolution, layer normalization, GELU | P=28.6M
model | swin-tiny.* | Swin, shifted windows, window attention, hierarchical transformer | P=28M
model | swin-base.* | Swin, shifted windows, window attention, hierarchical transformer | P=88M
model | (?:openai-)?gpt-?2|gpt2-small | GPT-2, decoder-only, causal language model, transformer,
+ self-attention, GELU, layer normalization, autoregressive, byte-pair encoding
+ | L=12 H=768 A=12 P=124M F=3072 C=1024 V=50257
model | gpt-?2-medium | GPT-2, decoder-only, causal language model, transformer, self-attention,
+ GELU, layer normalization, autoregressive | L=24 H=1024 A=16 P=355M P=345M C=1024 V=50257
model | gpt-?2-large | GPT-2, decoder-only, causal language model, transformer, self-attention,
+ GELU, layer normalization, autoregressive | L=36 H=1280 A=20 P=774M C=1024 V=50257
model | gpt-?2-xl | GPT-2, decoder-only, causal language model, transformer, self-attention,
+ GELU, layer normalization, autoregressive | L=48 H=1600 A=25 P=1.5B C=1024 V=50257
model | distilgpt2 | GPT-2, distillation, decoder-only, causal language model, transformer
+ | L=6 H=768 A=12 P=82M C=1024 V=50257
model | gpt-neo-125m | GPT-Neo, decoder-only, causal language model, transformer
+ | L=12 H=768 A=12 P=125M C=2048 V=50257
model | gpt-j-6b | GPT-J, decoder-only, causal language model, rotary embedding
+ | L=28 H=4096 A=16 P=6B C=2048
model | gpt-neox-20b | GPT-NeoX, decoder-only, causal language model, rotary embedding
+ | L=44 H=6144 A=64 P=20B C=2048
model | bert-base-(?:un)?cased | BERT, bidirectional encoder, masked language model, transformer,
+ self-attention, WordPiece, GELU, layer normalization | L=12 H=768 A=12 F=3072 P=110M C=512
model | bert-large-(?:un)?cased.* | BERT, bidirectional encoder, masked language model, transformer,
+ self-attention, WordPiece, GELU, layer normalization | L=24 H=1024 A=16 F=4096 P=340M C=512
model | distilbert-base-(?:un)?cased.* | DistilBERT, distillation, bidirectional encoder,
+ transformer
+ | L=6 H=768 A=12 P=66M C=512
model | roberta-base | RoBERTa, BERT, bidirectional encoder, masked language model, transformer
+ | L=12 H=768 A=12 P=125M V=50265 C=512
model | roberta-large | RoBERTa, BERT, bidirectional encoder, masked language model, transformer
+ | L=24 H=1024 A=16 P=355M V=50265 C=512
model | deberta-v3-base | DeBERTa, disentangled attention, bidirectional encoder, transformer
+ | L=12 H=768 A=12
model | deberta-v3-large | DeBERTa, disentangled attention, bidirectional encoder, transformer
+ | L=24 H=1024 A=16
model | t5-small | T5, encoder-decoder, text-to-text, transformer, relative position
+ | L=6 H=512 A=8 F=2048 P=60M
model | t5-base | T5, encoder-decoder, text-to-text, transformer, relative position
+ | L=12 H=768 A=12 F=3072 P=220M
model | t5-large | T5, encoder-decoder, text-to-text, transformer, relative position
+ | L=24 H=1024 A=16 F=4096 P=770M
model | t5-v1-1-xxl | T5, encoder-decoder, text encoder, transformer | L=24 H=4096 A=64 P=11B
model | flan-t5-(?:small|base|large|xl|xxl) | FLAN-T5, T5, encoder-decoder, instruction tuning,
+ text-to-text |
model | (?:open-?)?llama-?(?:1-)?7b(?:-hf)? | LLaMA, decoder-only, causal language model,
+ transformer, RMS normalization, SwiGLU, rotary embedding | L=32 H=4096 A=32 F=11008 P=7B V=32000
model | llama-2-7b.* | LLaMA 2, decoder-only, causal language model, transformer,
+ RMS normalization, SwiGLU, rotary embedding | L=32 H=4096 A=32 F=11008 P=7B V=32000 C=4096
model | llama-2-13b.* | LLaMA 2, decoder-only, causal language model, transformer,
+ RMS normalization, SwiGLU, rotary embedding | L=40 H=5120 A=40 F=13824 P=13B V=32000 C=4096
model | llama-2-70b.* | LLaMA 2, decoder-only, causal language model, RMS normalization, SwiGLU,
+ rotary embedding, grouped-query attention | L=80 H=8192 A=64 F=28672 P=70B V=32000 C=4096
model | (?:meta-)?llama-3(?:\.1)?-8b.* | LLaMA 3, decoder-only, causal language model,
+ RMS normalization, SwiGLU, rotary embedding, grouped-query attention
+ | L=32 H=4096 A=32 F=14336 P=8B V=128256
model | (?:meta-)?llama-3(?:\.[13])?-70b.* | LLaMA 3, decoder-only, causal language model,
+ RMS normalization, SwiGLU, rotary embedding, grouped-query attention
+ | L=80 H=8192 A=64 F=28672 P=70B V=128256
model | llama-3\.2-1b.* | LLaMA 3, decoder-only, causal language model, RMS normalization, SwiGLU,
+ rotary embedding, grouped-query attention | L=16 H=2048 A=32 F=8192 P=1B P=1.2B V=128256
model | llama-3\.2-3b.* | LLaMA 3, decoder-only, causal language model, RMS normalization, SwiGLU,
+ rotary embedding, grouped-query attention | L=28 H=3072 A=24 F=8192 P=3B V=128256
model | mistral-7b.* | Mistral, decoder-only, causal language model, sliding window,
+ grouped-query attention, RMS normalization, SwiGLU, rotary embedding
+ | L=32 H=4096 A=32 F=14336 P=7B
model | qwen2\.5-0\.5b.* | Qwen, decoder-only, causal language model, RMS normalization, SwiGLU,
+ rotary embedding, grouped-query attention | L=24 H=896 A=14 P=0.5B
model | qwen2\.5-1\.5b.* | Qwen, decoder-only, causal language model, RMS normalization, SwiGLU,
+ rotary embedding, grouped-query attention | L=28 H=1536 A=12 P=1.5B
model | qwen2\.5-7b.* | Qwen, decoder-only, causal language model, RMS normalization, SwiGLU,
+ rotary embedding, grouped-query attention | L=28 H=3584 A=28 P=7B
model | gemma-2b.* | Gemma, decoder-only, causal language model, RMS normalization,
+ rotary embedding | L=18 H=2048 A=8 P=2B
model | gemma-7b.* | Gemma, decoder-only, causal language model, RMS normalization,
+ rotary embedding | L=28 H=3072 A=16 P=7B
model | phi-2 | Phi, decoder-only, causal language model, rotary embedding | L=32 H=2560 A=32 P=2.7B
model | opt-125m | OPT, decoder-only, causal language model | L=12 H=768 A=12 P=125M C=2048
model | opt-350m | OPT, decoder-only, causal language model | L=24 H=1024 A=16 P=350M C=2048
model | opt-1\.3b | OPT, decoder-only, causal language model | L=24 H=2048 A=32 P=1.3B C=2048
model | pythia-70m.* | Pythia, decoder-only, causal language model, rotary embedding
+ | L=6 H=512 A=8 P=70M C=2048
model | pythia-160m.* | Pythia, decoder-only, causal language model, rotary embedding
+ | L=12 H=768 A=12 P=160M C=2048
model | pythia-410m.* | Pythia, decoder-only, causal language model, rotary embedding
+ | L=24 H=1024 A=16 P=410M C=2048
model | pythia-1\.4b.* | Pythia, decoder-only, causal language model, rotary embedding
+ | L=24 H=2048 A=16 P=1.4B C=2048
model | pythia-6\.9b.* | Pythia, decoder-only, causal language model, rotary embedding
+ | L=32 H=4096 A=32 P=6.9B C=2048
model | all-minilm-l6-v2 | MiniLM, sentence embedding, mean pooling, transformer | L=6 H=384 P=22M
model | all-minilm-l12-v2 | MiniLM, sentence embedding, mean pooling, transformer | L=12 H=384
model | all-mpnet-base-v2 | MPNet, sentence embedding, mean pooling, transformer | L=12 H=768
model | whisper-tiny | Whisper, speech recognition, encoder-decoder | L=4 H=384 A=6 P=39M
model | whisper-base | Whisper, speech recognition, encoder-decoder | L=6 H=512 A=8 P=74M
model | whisper-small | Whisper, speech recognition, encoder-decoder | L=12 H=768 A=12 P=244M
model | whisper-large.* | Whisper, speech recognition, encoder-decoder | L=32 H=1280 A=20 P=1550M
model | wav2vec2-base.*|hubert-base.* | speech representation, self-supervised, transformer,
+ masked prediction, raw waveform | L=12 H=768 A=12 P=95M
model | stable-diffusion-v1-[45].*|stable-diffusion-2.* | Stable Diffusion, latent diffusion,
+ variational autoencoder, U-Net, text encoder, CLIP, cross-attention, classifier-free guidance,
+ noise schedule | channels=4 downsampling=8
model | stable-diffusion-xl-.* | Stable Diffusion XL, SDXL, latent diffusion,
+ variational autoencoder, U-Net, text encoders, cross-attention | R=1024 channels=4 downsampling=8
model | sd-vae-ft-(?:mse|ema).* | Stable Diffusion, variational autoencoder, latent space,
+ encoder, decoder | channels=4 downsampling=8
data | cifar-?10 | CIFAR-10, images, classification | K=10 N=50000 T=10000 R=32
data | cifar-?100 | CIFAR-100, images, classification | K=100 N=50000 T=10000 R=32
data | mnist|mnist-784 | MNIST, handwritten digits, images | K=10 N=60000 T=10000 R=28
data | fashion-?mnist | Fashion-MNIST, images | K=10 N=60000 T=10000 R=28
data | imagenet-1k | ImageNet, images, classification | K=1000
data | gsm8k | GSM8K, grade school math, word problems, reasoning | N=7473 T=1319
data | (?:competition-)?math|math-500 | MATH, competition mathematics, problems |
data | (?:openai-?)?humaneval | HumanEval, code generation, programming problems,
+ Python | problems=164
data | mbpp | MBPP, code generation, programming problems, Python | problems=974
data | mmlu | MMLU, multitask, multiple-choice questions, subjects | subjects=57
data | hellaswag | HellaSwag, commonsense, sentence completion, multiple-choice |
data | piqa | PIQA, physical commonsense, multiple-choice |
data | winogrande | WinoGrande, commonsense, pronoun resolution |
data | ai2-arc | ARC, science questions, multiple-choice, reasoning |
data | truthful-?qa | TruthfulQA, truthfulness, questions | questions=817
data | boolq | BoolQ, yes/no questions |
data | imdb | IMDb, movie reviews, sentiment classification, binary | N=25000 T=25000
data | ag-?news | AG News, topic classification, news | K=4 N=120000 T=7600
data | glue | GLUE, natural language understanding |
data | squad | SQuAD, question answering, reading comprehension |
data | wikitext.* | WikiText, Wikipedia, language modeling |
data | openwebtext.* | OpenWebText, web text, language modeling |
data | c4 | C4, Common Crawl, web text, language modeling |
data | hh-rlhf | helpful and harmless, human preference, dialogue, chosen and rejected |
data | summarize-from-feedback | TL;DR, summarization, Reddit, human feedback, preference |
data | webgpt-comparisons | WebGPT, human preference, comparisons, question answering |
data | alpaca | Alpaca, instruction following, instructions | N=52000
data | lmsys-chat-1m | LMSYS-Chat-1M, conversations, chat, real users |
data | apps | APPS, code generation, programming problems |
data | cora | Cora, citation network, papers | nodes=2708 K=7 features=1433
data | citeseer | Citeseer, citation network, papers | nodes=3327 K=6 features=3703
data | pubmed | PubMed, citation network, papers | nodes=19717 K=3 features=500
env | halfcheetah-v\d | HalfCheetah, MuJoCo, locomotion, continuous control | action=6
+ observation=17
env | hopper-v\d | Hopper, MuJoCo, locomotion, continuous control | action=3 observation=11
env | walker2d-v\d | Walker2d, MuJoCo, locomotion, continuous control | action=6 observation=17
env | ant-v\d | Ant, MuJoCo, locomotion, continuous control | action=8
env | humanoid-v\d | Humanoid, MuJoCo, locomotion, continuous control | action=17
env | swimmer-v\d | Swimmer, MuJoCo, locomotion, continuous control | action=2 observation=8
env | reacher-v\d | Reacher, MuJoCo, continuous control | action=2
env | cartpole-v1 | CartPole, pole balancing, discrete actions | action=2 observation=4 steps=500
env | pendulum-v1 | Pendulum, swing-up, continuous control | action=1 observation=3 steps=200
env | lunarlander-v\d | LunarLander, landing, discrete actions | action=4 observation=8
env | mountaincar-v0 | MountainCar, sparse reward, discrete actions | action=3 observation=2
env | acrobot-v1 | Acrobot, swing-up, discrete actions | action=3 observation=6
env | .*noframeskip-v4|ale/.* | Atari, arcade games, frames, pixels |
"""
"""The rows; `+` goes on a line."""
