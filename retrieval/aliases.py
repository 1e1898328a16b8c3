"""What papers and programs call the same thing.

Each group is a set of spellings that a reader takes for one another. The table is ours and small:
it holds what is common in machine learning code, not what is in any one benchmark.
"""

from __future__ import annotations

from retrieval.words import join

__all__ = ["aliases_of"]

_GROUPS = """
learning rate, lr, step size, alpha, eta
batch size, bs, batch, minibatch size, mini batch size
weight decay, wd, l2 regularization, l2
epsilon, eps
lambda, lam, lambd, lmbda, reg weight, coef
sigma, std, standard deviation, stddev, noise scale
temperature, temp, tau
momentum, beta1, mu
discount factor, gamma, discount
optimizer, optim, opt
gradient, grad
gradient clipping, clip grad norm, grad clip, max grad norm, clip grad value
maximum, max
minimum, min
average, mean, avg
validation, val, valid, dev
evaluation, eval, evaluate
test, testing
train, training, fit
configuration, config, cfg, args, hparams, opt
hyperparameter, hparam, hyper parameter
sequence, seq
length, len
sequence length, seq len, max len, context length, block size, max seq length, n ctx
attention, attn
attention heads, num heads, n head, n heads, nhead
embedding, emb, embed
position, pos
positional encoding, pos embed, position embedding, positional embedding, pos enc
parameter, param
function, fn, func
iteration, iter, step
epoch, num epochs, n epochs
probability, prob
distribution, dist
distance, dist
accuracy, acc
initialization, init, initialize
difference, diff, delta
entropy, ent
normalization, norm, normalize
number of, num, n
environment, env
observation, obs
reward, rew
action, act
image, img
reference, ref
hidden, hid
hidden size, hidden dim, d model, hidden dimension, n embd, embed dim, dim
dimension, dim
feed forward, ffn, mlp, feedforward
layers, num layers, n layer, depth, n layers
random seed, seed, manual seed
warmup, warm up, warmup steps
scheduler, lr scheduler, schedule
cosine schedule, cosine annealing, cosine decay, cosineannealinglr
linear schedule, linear decay, linearlr
exponential moving average, ema
dropout, drop, p drop, drop rate
label smoothing, smoothing
cross entropy, ce, nll, crossentropyloss
binary cross entropy, bce, bcewithlogits
mean squared error, mse, l2 loss, mseloss
mean absolute error, mae, l1, l1 loss
kullback leibler, kl, kl divergence, kld, kldiv
total variation, tv
maximum mean discrepancy, mmd
jensen shannon, js, jsd
cosine similarity, cos sim, cosine
euclidean distance, l2 norm, cdist
log likelihood, logp, log prob, nll
evidence lower bound, elbo
variational autoencoder, vae
generative adversarial network, gan
convolution, conv
batch normalization, batch norm, bn, batchnorm2d
layer normalization, layer norm, ln
root mean square, rms, rmsnorm
multi layer perceptron, mlp
recurrent neural network, rnn
long short term memory, lstm
graph neural network, gnn, gcn
convolutional neural network, cnn
vision transformer, vit
residual, resnet, skip connection, shortcut
stochastic gradient descent, sgd
adam, adamw
proximal policy optimization, ppo
soft actor critic, sac
deep q network, dqn
replay buffer, buffer, memory
advantage, gae, adv
value function, critic, value net
policy, actor, pi
discriminator, disc, critic
generator, gen
encoder, enc
decoder, dec
latent, z
denoising, denoise
diffusion, ddpm, ddim
timestep, t, time step, timesteps, num timesteps
noise schedule, beta schedule, betas
signal to noise ratio, snr
frechet inception distance, fid
frechet video distance, fvd
inception score, is score
peak signal to noise ratio, psnr
structural similarity, ssim
perplexity, ppl
f1 score, f1
area under the curve, auc, auroc, roc auc
average precision, map, ap
intersection over union, iou, miou, jaccard
mean reciprocal rank, mrr
normalized discounted cumulative gain, ndcg
word error rate, wer
bleu, sacrebleu
k nearest neighbor, knn
support vector machine, svm
logistic regression, lr, logreg
principal component analysis, pca
singular value decomposition, svd
cross validation, kfold, k fold, cv
standard error, sem, stderr
confidence interval, ci
data augmentation, augment, transform, aug
random crop, randomcrop, random resized crop, randomresizedcrop
horizontal flip, hflip, randomhorizontalflip
cifar 10, cifar10
cifar 100, cifar100
imagenet, ilsvrc, imagenet1k
mnist, fashionmnist
low rank adaptation, lora
large language model, llm
chain of thought, cot
in context learning, icl
reinforcement learning from human feedback, rlhf
direct preference optimization, dpo
supervised fine tuning, sft
fine tune, finetune, finetuning
pre train, pretrain, pretrained
mixed precision, amp, fp16, bf16, autocast, bfloat16
teacher, ema model, target network
stop gradient, detach, stopgrad, no grad
softmax, log softmax
transpose, permute, t
concatenate, concat, cat, stack
sample, sampling, sampler, rsample
gaussian, normal, randn
uniform, rand
bernoulli, binary mask
inverse, inv, solve
matrix multiplication, matmul, mm, bmm, einsum
square root, sqrt
exponential, exp
logarithm, log
indicator, mask
absolute, abs
threshold, thresh, thr
weighted, weight, coef, coefficient
baseline, baselines
dataset, data, dataloader
preprocess, preprocessing, prepare data
algorithm, algo
agent, policy
trajectory, traj, rollout, episode
frames, num frames
channels, in channels
patch size, patch
resolution, image size, img size
frozen, freeze, requires grad
update, optimizer step, backward
"""


def _table() -> dict[str, tuple[str, ...]]:
    table: dict[str, dict[str, None]] = {}
    for line in _GROUPS.strip().splitlines():
        keys = list(dict.fromkeys(join(name) for name in line.split(",")))
        for key in keys:
            table.setdefault(key, {}).update(dict.fromkeys(k for k in keys if k != key))
    return {key: tuple(others) for key, others in table.items()}


_ALIASES = _table()


def aliases_of(term: str) -> tuple[str, ...]:
    """Other terms for what a term names, in a fixed order; empty where none are known."""
    return _ALIASES.get(term, ())
