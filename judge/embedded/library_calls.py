"""What calls of public libraries carry out, and the defaults that they act with.

Written from the libraries' public documentation. A row: root packages | names | what it carries
out, phrases by commas, the first saying what it is | defaults. A name behind `!` acts without its
result being used. A default is `argument:position=value`, other words by which claims name it
behind `/`; the position (from 0) is left out where it is given by keyword alone. Only what holds
in all common versions stands here.
"""

from __future__ import annotations

__all__ = ["CALLS"]

CALLS = """
torch | MultiheadAttention | multi-head attention, query, key, value, projection,
+ scaled dot-product, softmax, attention weights, weighted sum, concatenation, heads,
+ output projection, linear projection, square root | dropout:2=0
torch | scaled_dot_product_attention | scaled dot-product attention, query, key, value, softmax,
+ attention weights, scaling by square root, weighted sum, matrix multiplication | dropout_p:4=0
flash_attn | flash_attn_func flash_attn_qkvpacked_func flash_attn_varlen_func |
+ flash attention, scaled dot-product, query, key, value, softmax, weighted sum |
xformers | memory_efficient_attention | memory-efficient attention, scaled dot-product,
+ query, key, value, softmax, weighted sum |
torch | TransformerEncoderLayer | transformer encoder layer, self-attention, multi-head attention,
+ feed-forward network, residual connection, skip connection, layer normalization, dropout,
+ query, key, value, projection, softmax, MLP
+ | dim_feedforward/feedforward/ffn/mlp:2=2048 dropout:3=0.1 layer_norm_eps/eps/epsilon:5=1e-5
torch | TransformerDecoderLayer | transformer decoder layer, self-attention, cross-attention,
+ encoder-decoder attention, multi-head attention, feed-forward network, residual connection,
+ layer normalization, dropout, query, key, value, projection, softmax, MLP
+ | dim_feedforward/feedforward/ffn/mlp:2=2048 dropout:3=0.1 layer_norm_eps/eps/epsilon:5=1e-5
torch | TransformerEncoder | transformer encoder, stacked layers, self-attention |
torch | TransformerDecoder | transformer decoder, stacked layers, self-attention,
+ cross-attention |
torch | Transformer | transformer encoder-decoder, self-attention, cross-attention,
+ multi-head attention, feed-forward network, residual connection, layer normalization, softmax
+ | d_model/hidden/dimension:0=512 nhead/heads:1=8 num_encoder_layers/layers:2=6
+ num_decoder_layers/layers:3=6 dim_feedforward/feedforward/ffn:4=2048 dropout:5=0.1
torch | LSTM LSTMCell | long short-term memory, LSTM, input gate, forget gate, output gate,
+ cell state, hidden state, recurrent network, sigmoid, tanh |
torch | GRU GRUCell | gated recurrent unit, GRU, reset gate, update gate, hidden state,
+ recurrent network, sigmoid, tanh |
torch | RNN RNNCell | recurrent network, hidden state, tanh |
torch | Linear LazyLinear | linear layer, affine, fully connected, dense layer, weight matrix,
+ bias, projection |
torch | Bilinear | bilinear layer, bilinear form, weight, bias |
torch | Embedding EmbeddingBag | embedding table, lookup, learned embedding, token embedding |
torch | Conv1d Conv2d Conv3d LazyConv2d | convolution, convolutional layer, kernel, filter |
torch | ConvTranspose1d ConvTranspose2d ConvTranspose3d | transposed convolution, deconvolution,
+ upsampling, kernel |
torch | LayerNorm layer_norm | layer normalization, mean, variance, normalize, scale and shift,
+ affine | eps/epsilon:1=1e-5
torch | RMSNorm rms_norm | RMS normalization, root mean square, normalize, gain, square root |
torch | BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm | batch normalization, mean, variance,
+ running statistics, running mean, moving average, normalize, scale and shift, affine
+ | eps/epsilon:1=1e-5 momentum:2=0.1
torch | GroupNorm group_norm | group normalization, groups, mean, variance, normalize, affine,
+ scale and shift | eps/epsilon:2=1e-5
torch | InstanceNorm1d InstanceNorm2d InstanceNorm3d | instance normalization, mean, variance,
+ normalize | eps/epsilon:1=1e-5 momentum:2=0.1
torch | LocalResponseNorm | local response normalization
+ | alpha:1=1e-4 beta:2=0.75 k:3=1
torch | spectral_norm weight_norm | weight normalization, reparameterization |
torch | Dropout Dropout1d Dropout2d Dropout3d | dropout, inverted dropout, Bernoulli mask, scaling,
+ zeroed units, regularization, drop probability | p/dropout/rate/probability:0=0.5
torch | dropout | dropout, inverted dropout, Bernoulli mask, scaling, zeroed units,
+ drop probability | p/dropout/rate/probability:1=0.5
torch | GELU gelu | GELU, Gaussian error linear unit, activation, nonlinearity |
torch | ReLU relu ReLU6 | ReLU, rectified linear unit, rectifier, activation, nonlinearity |
torch | LeakyReLU | leaky ReLU, activation, nonlinearity, negative slope
+ | negative_slope/slope:0=0.01
torch | leaky_relu | leaky ReLU, activation, nonlinearity, negative slope
+ | negative_slope/slope:1=0.01
torch | PReLU | parametric ReLU, activation, learned slope | init/slope:1=0.25
torch | ELU | exponential linear unit, ELU, activation, nonlinearity | alpha:0=1
torch | elu | exponential linear unit, ELU, activation, nonlinearity |
torch | SiLU silu | SiLU, swish, sigmoid linear unit, activation, nonlinearity, sigmoid |
torch | GLU glu | gated linear unit, gate, sigmoid |
torch | Sigmoid sigmoid | sigmoid, logistic function, squashing |
torch | Tanh tanh | tanh, hyperbolic tangent, squashing |
torch | Softplus softplus | softplus, smooth ReLU, logarithm, exponential |
torch | Softmax softmax | softmax, exponential, normalized probabilities |
torch | log_softmax LogSoftmax | log-softmax, log probabilities, logarithm, exponential, softmax |
torch | logsumexp | log-sum-exp, logarithm, exponential, sum |
torch | gumbel_softmax | Gumbel softmax, Gumbel noise, temperature, relaxation, reparameterization
+ | tau/temperature:1=1
torch | logsigmoid LogSigmoid | log-sigmoid, logarithm, sigmoid |
torch | MaxPool1d MaxPool2d MaxPool3d max_pool2d max_pool1d | max pooling, downsampling, maximum |
torch | AvgPool1d AvgPool2d AvgPool3d avg_pool2d avg_pool1d | average pooling, downsampling, mean |
torch | AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d adaptive_avg_pool2d |
+ adaptive average pooling, average pooling, mean |
torch | AdaptiveMaxPool1d AdaptiveMaxPool2d | adaptive max pooling, max pooling, maximum |
torch | Upsample interpolate | upsampling, interpolation, resizing |
torch | PixelShuffle pixel_shuffle | pixel shuffle, sub-pixel, upsampling, rearrangement |
torch | PixelUnshuffle pixel_unshuffle | pixel unshuffle, downsampling, space-to-depth |
torch | Unfold unfold | unfold, sliding blocks, patches |
torch | grid_sample | grid sampling, bilinear interpolation, warping |
torch | cross_entropy CrossEntropyLoss | cross-entropy loss, log-softmax,
+ negative log-likelihood, softmax, logits, logarithm
+ | label_smoothing/smoothing=0
torch | nll_loss NLLLoss | negative log-likelihood loss, log probabilities |
torch | binary_cross_entropy_with_logits BCEWithLogitsLoss | binary cross-entropy loss, sigmoid,
+ logits, logistic, logarithm |
torch | binary_cross_entropy BCELoss | binary cross-entropy loss, logarithm, probabilities |
torch | kl_div KLDivLoss | KL divergence, Kullback-Leibler, relative entropy,
+ pointwise divergence |
torch | mse_loss MSELoss | mean squared error, squared error, MSE, squared difference, L2 loss,
+ regression loss |
torch | l1_loss L1Loss | mean absolute error, MAE, absolute difference, L1 loss |
torch | smooth_l1_loss SmoothL1Loss | smooth L1 loss, Huber, squared, absolute | beta:5=1
torch | huber_loss HuberLoss | Huber loss, squared, absolute |
torch | TripletMarginLoss | triplet margin loss, anchor, positive, negative, hinge, distance
+ | margin:0=1 p/norm:1=2
torch | triplet_margin_loss | triplet margin loss, anchor, positive, negative, hinge, distance
+ | margin:3=1 p/norm:4=2
torch | CosineEmbeddingLoss | cosine embedding loss, cosine similarity, margin |
torch | MarginRankingLoss margin_ranking_loss | margin ranking loss, hinge, pairwise |
torch | HingeEmbeddingLoss | hinge embedding loss, margin | margin:0=1
torch | CTCLoss ctc_loss | connectionist temporal classification, CTC, alignment, blank |
torch | GaussianNLLLoss gaussian_nll_loss | Gaussian negative log-likelihood, variance, mean |
torch | cosine_similarity CosineSimilarity | cosine similarity, dot product, norm, normalized |
torch | normalize | L2 normalization, unit norm, norm, unit length | p/norm:1=2
torch | cdist pairwise_distance PairwiseDistance | pairwise distance, Euclidean distance, norm |
torch | one_hot | one-hot encoding, class indices |
torch | Adam | Adam optimizer, adaptive moment estimation, first moment, second moment,
+ moment estimates, bias correction, moving averages of gradients, adaptive learning rate,
+ squared gradient, momentum, beta1, beta2, epsilon
+ | lr/rate:1=0.001 betas/beta/beta1/momentum/decay:2=0.9
+ betas/beta/beta2/decay:2=0.999 eps/epsilon:3=1e-8 weight_decay:4=0
torch | AdamW | AdamW optimizer, Adam, decoupled weight decay, adaptive moment estimation,
+ first moment, second moment, bias correction, moving averages of gradients, squared gradient,
+ adaptive learning rate, momentum, beta1, beta2, epsilon
+ | lr/rate:1=0.001 betas/beta/beta1/momentum/decay:2=0.9
+ betas/beta/beta2/decay:2=0.999 eps/epsilon:3=1e-8 weight_decay:4=0.01
torch | Adamax NAdam RAdam | adaptive optimizer, Adam, first moment, second moment, momentum
+ | betas/beta/beta1:2=0.9 betas/beta/beta2:2=0.999 eps/epsilon:3=1e-8
torch | SGD | stochastic gradient descent, SGD optimizer, gradient descent, gradient step
+ | momentum:2=0 weight_decay:4=0
torch | RMSprop | RMSprop optimizer, squared gradient, moving average, adaptive learning rate
+ | lr/rate:1=0.01 alpha/smoothing/decay:2=0.99 eps/epsilon:3=1e-8
torch | Adagrad | Adagrad optimizer, accumulated squared gradient, adaptive learning rate
+ | lr/rate:1=0.01 eps/epsilon=1e-10
torch | Adadelta | Adadelta optimizer, adaptive learning rate | rho:2=0.9 eps/epsilon:3=1e-6
torch | LBFGS | L-BFGS optimizer, quasi-Newton, second-order, curvature, history
+ | max_iter/iteration:2=20 history_size/history:6=100
torch | Muon | Muon optimizer, momentum, orthogonalization, Newton-Schulz |
torch | CosineAnnealingLR | cosine annealing, cosine schedule, learning rate decay, scheduler,
+ cosine learning rate | eta_min/minimum:2=0
torch | CosineAnnealingWarmRestarts | cosine annealing, warm restarts, SGDR, learning rate,
+ scheduler,
+ cosine schedule | T_mult:2=1 eta_min/minimum:3=0
torch | OneCycleLR | one-cycle schedule, learning rate, warmup, cosine annealing, momentum cycling
+ | pct_start/warmup:5=0.3 div_factor:10=25 final_div_factor:11=1e4
torch | StepLR | step decay, learning rate decay, scheduler, decay factor
+ | gamma/factor/decay:2=0.1
torch | MultiStepLR | step decay, milestones, learning rate decay, scheduler
+ | gamma/factor/decay:2=0.1
torch | ExponentialLR | exponential decay, learning rate decay, scheduler |
torch | LinearLR | linear schedule, linear warmup, learning rate, scheduler |
torch | PolynomialLR | polynomial decay, learning rate decay, scheduler | power:2=1
torch | ReduceLROnPlateau | reduce on plateau, learning rate decay, scheduler, patience
+ | factor/decay:2=0.1 patience:3=10
torch | LambdaLR | learning rate schedule, scheduler |
torch | CyclicLR | cyclical learning rate, triangular schedule, scheduler |
torch | SequentialLR ChainedScheduler | sequential schedule, learning rate, scheduler |
torch | !clip_grad_norm_ !clip_grad_norm | gradient clipping, clipped gradient norm, global norm,
+ maximum norm | norm_type:2=2
torch | !clip_grad_value_ | gradient clipping, clipped gradient value, elementwise clipping |
torch | AveragedModel | weight averaging, stochastic weight averaging, averaged weights,
+ running average |
torch | !update_bn | batch normalization statistics, recomputed statistics |
torch | GradScaler | gradient scaling, mixed precision, loss scaling, half precision, fp16 |
torch | autocast | mixed precision, automatic mixed precision, half precision, autocast |
torch | DataLoader | data loader, mini-batches, batching, batch sampling, collation |
torch | random_split | random split, train and validation split, disjoint subsets |
torch | WeightedRandomSampler | weighted sampling, class balancing, replacement |
torch | DistributedSampler | distributed sampling, sharding, data parallel |
torch | DistributedDataParallel DDP | distributed data parallel, gradient averaging, all-reduce,
+ synchronization, replicas |
torch | FullyShardedDataParallel FSDP fully_shard | fully sharded data parallel, sharding, FSDP |
torch | checkpoint | gradient checkpointing, activation checkpointing, recomputation |
torch | !xavier_uniform_ !xavier_normal_ | Xavier initialization, Glorot initialization, fan-in,
+ fan-out, weight initialization |
torch | !kaiming_uniform_ !kaiming_normal_ | Kaiming initialization, He initialization, fan-in,
+ weight initialization |
torch | !orthogonal_ | orthogonal initialization, orthogonal matrix, weight initialization |
torch | !trunc_normal_ | truncated normal, weight initialization, Gaussian initialization |
torch | !normal_ | Gaussian initialization, normal distribution, random initialization |
torch | !zeros_ | zero initialization, initialized to zero |
torch | !constant_ !ones_ | constant initialization |
torch | Normal | Gaussian distribution, normal distribution, log probability, sampling, entropy |
torch | MultivariateNormal | multivariate Gaussian, normal distribution, covariance, sampling |
torch | Categorical | categorical distribution, log probability, sampling, entropy, stochastic |
torch | Bernoulli | Bernoulli distribution, log probability, sampling |
torch | Beta Dirichlet Gamma | distribution, sampling, log probability |
torch | kl_divergence | KL divergence, Kullback-Leibler, relative entropy |
torch | multinomial | multinomial sampling, categorical sampling, drawn from distribution |
torch | bernoulli | Bernoulli sampling, Bernoulli mask, random mask |
torch | randn randn_like | Gaussian noise, standard normal, random noise, normal distribution |
torch | rand rand_like | uniform noise, uniform distribution, random |
torch | randperm | random permutation, shuffling |
torch | !manual_seed !manual_seed_all | random seed, seeding, reproducibility |
torch | no_grad inference_mode | no gradient, gradient-free, stop gradient |
torch | vjp | vector-Jacobian product, gradient, backward, reverse mode, adjoint |
torch | jvp | Jacobian-vector product, forward mode, directional derivative |
torch | jacobian jacrev jacfwd | Jacobian, derivative, gradient |
torch | hessian | Hessian, second derivative, second-order |
torch | grad | gradient, automatic differentiation, backpropagation, derivative |
torch | fft fft2 fftn rfft rfft2 rfftn | Fourier transform, FFT, frequency domain, spectral,
+ spectrum,
+ frequencies |
torch | ifft ifft2 ifftn irfft irfft2 irfftn | inverse Fourier transform, inverse FFT, spectral,
+ frequency domain |
torch | stft | short-time Fourier transform, spectrogram, windows, frequency |
torch | svd svdvals svd_lowrank | singular value decomposition, SVD, singular values, low-rank |
torch | qr | QR decomposition, orthogonalization, orthonormal basis |
torch | eigh eig eigvalsh eigvals | eigendecomposition, eigenvalues, eigenvectors, spectrum |
torch | cholesky | Cholesky decomposition, triangular factor |
torch | solve lstsq | linear system, least squares, solve |
torch | pinv | pseudo-inverse, Moore-Penrose, least squares |
torch | inv inverse | matrix inverse, inversion |
torch | slogdet logdet | log determinant, determinant |
torch | matrix_exp | matrix exponential |
torch | topk | top-k selection, largest, ranking |
torch | cumsum | cumulative sum, prefix sum |
torch | cumprod | cumulative product |
torch | einsum | tensor contraction, Einstein summation, matrix multiplication, dot product, sum |
torch | bmm matmul mm | matrix multiplication, matrix product, dot product, inner product |
torch | triu tril generate_square_subsequent_mask | triangular mask, causal mask,
+ autoregressive mask |
torch | quantize_dynamic | dynamic quantization, 8-bit, int8 |
torch | pack_padded_sequence pad_sequence | padding, variable length, sequences |
torch | !l1_unstructured !random_unstructured !ln_structured | pruning, sparsity, mask, magnitude |
torchvision | RandomResizedCrop | random resized crop, random crop, resizing, augmentation, scale,
+ aspect ratio | scale/area:1=0.08
torchvision | RandomCrop | random crop, cropping, augmentation, padding |
torchvision | CenterCrop | center crop, cropping |
torchvision | RandomHorizontalFlip | random horizontal flip, flipping, augmentation
+ | p/probability:0=0.5
torchvision | RandomVerticalFlip | random vertical flip, flipping, augmentation
+ | p/probability:0=0.5
torchvision | ColorJitter | color jitter, brightness, contrast, saturation, hue, augmentation |
torchvision | RandomGrayscale | random grayscale, augmentation | p/probability:0=0.1
torchvision | GaussianBlur | Gaussian blur, blurring, augmentation | sigma:1=0.1 sigma:1=2
torchvision | RandomErasing | random erasing, cutout, augmentation | p/probability:0=0.5
torchvision | RandomRotation RandomAffine | random rotation, augmentation |
torchvision | RandAugment | RandAugment, augmentation, random policy
+ | num_ops/operations:0=2 magnitude:1=9
torchvision | AutoAugment TrivialAugmentWide AugMix | automatic augmentation, augmentation policy |
torchvision | MixUp Mixup | mixup, augmentation, convex combination | alpha:0=1
torchvision | CutMix | CutMix, augmentation, patches | alpha:0=1
torchvision | Normalize | channel normalization, mean and standard deviation, standardized |
torchvision | ToTensor | tensor conversion, scaled to [0 1], pixel values |
torchvision | Resize | resizing, interpolation |
torchvision | CIFAR10 | CIFAR-10, images, natural images, classification
+ | @classes/class/categories=10 @train/training=50000
+ @test=10000 @resolution/pixels=32
torchvision | CIFAR100 | CIFAR-100, images, natural images, classification
+ | @classes/class/categories=100 @train/training=50000
+ @test=10000 @resolution/pixels=32
torchvision | MNIST | MNIST, handwritten digits, grayscale images, classification
+ | @classes/class/digits=10 @train/training=60000 @test=10000
+ @resolution/pixels=28 @dimension/input=784
torchvision | FashionMNIST KMNIST | Fashion-MNIST, grayscale images, classification
+ | @classes/class=10 @train/training=60000 @test=10000
+ @resolution/pixels=28 @dimension/input=784
torchvision | SVHN | SVHN, street view house numbers, digits, images
+ | @classes/class/digits=10 @train/training=73257 @test=26032
+ @resolution/pixels=32
torchvision | STL10 | STL-10, images, unlabeled, classification
+ | @classes/class=10 @train/labeled=5000 @test=8000 @unlabeled=100000
+ @resolution/pixels=96
torchvision | CelebA | CelebA, faces, face images, attributes | @attributes=40
torchvision | ImageNet | ImageNet, ILSVRC, images, classification
+ | @classes/class/categories=1000 @validation=50000
torchvision | LSUN | LSUN, scenes, bedrooms, images |
torchvision | ImageFolder DatasetFolder | image folder, labeled images, classes |
torchvision | inception_v3 | Inception v3, Inception features, pretrained classifier,
+ convolutional network | @features/feature/dimension/pool=2048
torchvision | alexnet | AlexNet, convolutional network, pretrained classifier |
torchvision | vit_b_16 | ViT-B/16, vision transformer, patch embedding, self-attention, class token,
+ position embedding, GELU, layer normalization
+ | @layers/blocks/depth=12 @hidden/width/dimension/embedding=768 @heads=12 @patch=16
+ @mlp/feedforward=3072 @parameters=86M
torchvision | save_image make_grid | image grid, saved images |
torchvision | nms batched_nms | non-maximum suppression, boxes, overlap |
torchmetrics | FrechetInceptionDistance | Frechet inception distance, FID, Inception features,
+ mean and covariance, Gaussian, generated images | feature/features/dimension:0=2048
torchmetrics | KernelInceptionDistance | kernel inception distance, KID, maximum mean discrepancy,
+ polynomial kernel, Inception features | subsets:1=100 subset_size:2=1000 degree:3=3
torchmetrics | InceptionScore | inception score, KL divergence, marginal, splits | splits:1=10
torchmetrics | StructuralSimilarityIndexMeasure | SSIM, structural similarity |
torchmetrics | PeakSignalNoiseRatio | PSNR, peak signal-to-noise ratio |
torchmetrics | LearnedPerceptualImagePatchSimilarity | LPIPS, perceptual similarity |
lpips | LPIPS | LPIPS, perceptual similarity, perceptual distance, deep features |
pytorch_fid cleanfid | calculate_fid_given_paths compute_fid | Frechet inception distance, FID,
+ Inception features, mean and covariance |
timm | Mixup | mixup, CutMix, augmentation, label smoothing |
timm | DropPath | stochastic depth, drop path, residual branch |
timm | CosineLRScheduler | cosine schedule, learning rate decay, warmup, scheduler |
ema_pytorch torch_ema | EMA ExponentialMovingAverage | exponential moving average, EMA weights,
+ averaged weights, shadow parameters, decay |
diffusers | EMAModel | exponential moving average, EMA weights, averaged weights, decay
+ | decay/ema:1=0.9999
diffusers | DDPMScheduler | DDPM scheduler, noise schedule, forward diffusion, beta schedule,
+ reverse process, ancestral sampling, timesteps, alpha cumulative product, linear schedule
+ | num_train_timesteps/timesteps/steps/t:0=1000 beta_start/beta/betas:1=0.0001
+ beta_end/beta/betas:2=0.02
diffusers | DDIMScheduler | DDIM scheduler, noise schedule, deterministic sampling, beta schedule,
+ reverse process, timesteps, alpha cumulative product, non-Markovian
+ | num_train_timesteps/timesteps/steps/t:0=1000 beta_start/beta/betas:1=0.0001
+ beta_end/beta/betas:2=0.02
diffusers | DPMSolverMultistepScheduler | DPM-Solver, multistep solver, ODE solver, noise schedule,
+ timesteps, fast sampling | num_train_timesteps/timesteps/t:0=1000 solver_order/order=2
diffusers | EulerDiscreteScheduler EulerAncestralDiscreteScheduler PNDMScheduler
+ HeunDiscreteScheduler FlowMatchEulerDiscreteScheduler | sampling scheduler, noise schedule,
+ ODE solver, timesteps | num_train_timesteps/timesteps/t:0=1000
diffusers | UNet2DModel | U-Net, downsampling, upsampling, skip connections, residual blocks,
+ time embedding, self-attention, convolution, group normalization |
diffusers | UNet2DConditionModel | conditional U-Net, downsampling, upsampling, skip connections,
+ residual blocks, time embedding, cross-attention, convolution, group normalization |
transformers | get_cosine_schedule_with_warmup | cosine schedule, linear warmup, warmup steps,
+ learning rate decay, scheduler, cosine decay | num_cycles:3=0.5
transformers | get_linear_schedule_with_warmup | linear schedule, linear warmup, warmup steps,
+ linear decay, learning rate, scheduler |
transformers | get_constant_schedule_with_warmup | constant schedule, linear warmup, warmup steps,
+ learning rate, scheduler |
transformers | get_polynomial_decay_schedule_with_warmup | polynomial decay, linear warmup,
+ learning rate, scheduler | power:4=1
transformers | TrainingArguments Seq2SeqTrainingArguments | training arguments, AdamW optimizer,
+ learning rate schedule, linear decay
+ | learning_rate/lr/rate=5e-5 num_train_epochs/epochs=3 per_device_train_batch_size/batch=8
+ max_grad_norm/clipping/norm=1 adam_beta1/beta1=0.9 adam_beta2/beta2=0.999
+ adam_epsilon/eps/epsilon=1e-8 weight_decay=0 seed=42
transformers | Trainer Seq2SeqTrainer | trainer, fine-tuning loop, gradient clipping, AdamW,
+ learning rate schedule, optimizer, backpropagation, checkpoints |
transformers | DataCollatorForLanguageModeling | language modeling collator, padding |
transformers | DataCollatorWithPadding DataCollatorForSeq2Seq | padding collator, dynamic padding |
transformers | EarlyStoppingCallback | early stopping, patience |
transformers | BitsAndBytesConfig | quantization, low-bit weights, bitsandbytes |
peft | LoraConfig | LoRA, low-rank adaptation, low-rank update, frozen base weights, rank, adapters,
+ scaling, trainable matrices | r/rank=8 lora_alpha/alpha=8 lora_dropout/dropout=0
peft | get_peft_model | parameter-efficient fine-tuning, frozen base weights, adapters,
+ trainable parameters |
peft | PrefixTuningConfig PromptTuningConfig PromptEncoderConfig | prompt tuning, virtual tokens,
+ frozen base weights, soft prompt, prefix |
peft | AdaLoraConfig | AdaLoRA, low-rank adaptation, frozen base weights, adaptive rank |
peft | IA3Config | IA3, learned scaling vectors, frozen base weights |
peft | !prepare_model_for_kbit_training | k-bit training, quantized weights, frozen base weights |
trl | SFTTrainer | supervised fine-tuning, next-token prediction, cross-entropy, language modeling,
+ instruction tuning |
trl | DPOTrainer | direct preference optimization, DPO, preference pairs, chosen and rejected,
+ reference model, log ratio, log-sigmoid, Bradley-Terry |
trl | DPOConfig | direct preference optimization, DPO | beta=0.1
trl | PPOTrainer | proximal policy optimization, PPO, clipped surrogate, KL penalty, value head,
+ reference model, advantage, reinforcement learning |
trl | GRPOTrainer | group relative policy optimization, GRPO, group advantage, clipped surrogate,
+ reward, reinforcement learning |
trl | RewardTrainer | reward model, preference pairs, chosen and rejected, pairwise loss,
+ Bradley-Terry, log-sigmoid |
trl | KTOTrainer ORPOTrainer CPOTrainer | preference optimization, chosen and rejected |
trl | AutoModelForCausalLMWithValueHead | value head, causal language model, critic |
accelerate | Accelerator | distributed training, device placement, mixed precision,
+ gradient accumulation |
einops | rearrange Rearrange | rearrangement, reshape, transpose |
einops | reduce Reduce | reduction, pooling |
stable_baselines3 | PPO | proximal policy optimization, PPO, clipped surrogate objective, clipping,
+ generalized advantage estimation, GAE, actor-critic, value function, entropy bonus, minibatch
+ epochs, policy gradient, advantage normalization, probability ratio, rollout
+ | learning_rate/lr/rate:2=3e-4 n_steps/steps/rollout:3=2048 batch_size/batch/minibatch:4=64
+ n_epochs/epochs:5=10 gamma/discount:6=0.99 gae_lambda/lambda/gae:7=0.95
+ clip_range/clip/clipping/epsilon:8=0.2 ent_coef/entropy:11=0 vf_coef/value:12=0.5
+ max_grad_norm/norm/clipping:13=0.5
stable_baselines3 | A2C | advantage actor-critic, A2C, policy gradient, value function, entropy,
+ n-step returns, RMSprop | learning_rate/lr/rate:2=7e-4 n_steps/steps:3=5 gamma/discount:4=0.99
+ gae_lambda/lambda:5=1 vf_coef/value:7=0.5 max_grad_norm/norm:8=0.5
stable_baselines3 | DQN | deep Q-network, DQN, Q-learning, replay buffer, experience replay,
+ target network, epsilon-greedy, exploration, temporal difference, Bellman, Huber
+ | learning_rate/lr/rate:2=1e-4 buffer_size/buffer/replay:3=1000000 batch_size/batch:5=32
+ tau:6=1 gamma/discount:7=0.99 train_freq/frequency:8=4
+ target_update_interval/target:12=10000 exploration_final_eps/epsilon/exploration:15=0.05
stable_baselines3 | SAC | soft actor-critic, SAC, entropy temperature, maximum entropy,
+ replay buffer,
+ twin critics, target network, Polyak averaging, reparameterization, tanh, off-policy
+ | learning_rate/lr/rate:2=3e-4 buffer_size/buffer/replay:3=1000000 batch_size/batch:5=256
+ tau/polyak:6=0.005 gamma/discount:7=0.99
stable_baselines3 | TD3 | twin delayed DDPG, TD3, twin critics, delayed policy updates,
+ target policy smoothing, replay buffer, target network, Polyak averaging, off-policy
+ | learning_rate/lr/rate:2=1e-3 buffer_size/buffer/replay:3=1000000 batch_size/batch:5=256
+ tau/polyak:6=0.005 gamma/discount:7=0.99 policy_delay/delay=2
stable_baselines3 | DDPG | deep deterministic policy gradient, DDPG, replay buffer, target network,
+ deterministic policy, Polyak averaging, off-policy | gamma/discount:7=0.99 tau/polyak:6=0.005
stable_baselines3 | VecNormalize | observation normalization, reward normalization,
+ running mean and variance, clipping | clip_obs/clip:4=10 clip_reward/clip:5=10
+ gamma/discount:6=0.99
stable_baselines3 | evaluate_policy | policy evaluation, mean reward, standard deviation, episodes,
+ deterministic | n_eval_episodes/episodes:2=10
sb3_contrib | RecurrentPPO MaskablePPO | proximal policy optimization, PPO, clipped surrogate
+ objective, generalized advantage estimation, actor-critic |
sb3_contrib | TRPO | trust region policy optimization, TRPO, conjugate gradient, KL constraint,
+ line search |
gym gymnasium | SyncVectorEnv AsyncVectorEnv | vectorized environments, parallel environments |
gym gymnasium | AtariPreprocessing | Atari preprocessing, frame skip, grayscale, resizing,
+ no-op starts | frame_skip/skip/frames:2=4 screen_size/size:3=84
+ noop_max/noop:1=30
gym gymnasium | FrameStack FrameStackObservation | frame stacking, stacked frames |
sklearn | KFold | k-fold cross-validation, folds, splits, held out
+ | n_splits/folds/fold/k:0=5
sklearn | StratifiedKFold GroupKFold StratifiedGroupKFold | k-fold cross-validation, folds,
+ stratified, groups, splits, held out | n_splits/folds/fold/k:0=5
sklearn | RepeatedKFold RepeatedStratifiedKFold | repeated k-fold cross-validation, folds, repeats,
+ splits, held out | n_splits/folds/fold/k=5 n_repeats/repeats/repetitions=10
sklearn | LeaveOneOut LeaveOneGroupOut | leave-one-out cross-validation, held out |
sklearn | ShuffleSplit StratifiedShuffleSplit | random splits, shuffled, cross-validation, held out
+ | n_splits/splits:0=10
sklearn | TimeSeriesSplit | time series split, expanding window, cross-validation
+ | n_splits/splits/folds:0=5
sklearn | cross_val_score cross_validate cross_val_predict | cross-validation, folds, held out,
+ scores
+ | cv/folds/fold=5
sklearn | GridSearchCV | grid search, hyperparameter search, cross-validation, exhaustive, folds,
+ refit, best parameters | cv/folds/fold=5
sklearn | RandomizedSearchCV | random search, hyperparameter search, cross-validation, folds
+ | n_iter/iterations:2=10 cv/folds/fold=5
sklearn | train_test_split | train and test split, random split, held-out set |
sklearn | LogisticRegression | logistic regression, linear classifier, L2 regularization, sigmoid,
+ cross-entropy, linear probe | C/regularization=1 max_iter/iterations=100
sklearn | LogisticRegressionCV | logistic regression, cross-validation, regularization path,
+ L2 regularization |
sklearn | LinearRegression | linear regression, ordinary least squares, intercept |
sklearn | Ridge RidgeClassifier | ridge regression, L2 regularization, least squares, linear
+ | alpha/regularization/lambda:0=1
sklearn | RidgeCV RidgeClassifierCV | ridge regression, L2 regularization, cross-validation,
+ generalized cross-validation, leave-one-out, least squares, selected regularization |
sklearn | Lasso | lasso, L1 regularization, sparse linear regression |
+ alpha/regularization/lambda:0=1
sklearn | LassoCV | lasso, L1 regularization, cross-validation, selected regularization |
sklearn | ElasticNet ElasticNetCV | elastic net, L1 and L2 regularization, linear regression
+ | l1_ratio=0.5
sklearn | SVC NuSVC | support vector machine, SVM, RBF kernel, margin, classifier | C=1
sklearn | LinearSVC | linear support vector machine, SVM, hinge, margin | C=1
sklearn | SVR | support vector regression, RBF kernel | C=1 epsilon=0.1
sklearn | RandomForestClassifier RandomForestRegressor ExtraTreesClassifier | random forest,
+ decision trees, bagging, ensemble, bootstrap | n_estimators/trees/estimators:0=100
sklearn | GradientBoostingClassifier GradientBoostingRegressor | gradient boosting, boosted trees,
+ ensemble | n_estimators/trees/estimators=100 learning_rate/shrinkage=0.1 max_depth/depth=3
sklearn | HistGradientBoostingClassifier HistGradientBoostingRegressor | gradient boosting,
+ histogram,
+ boosted trees | learning_rate/shrinkage=0.1 max_iter/iterations/trees=100
sklearn | AdaBoostClassifier | AdaBoost, boosting, ensemble | n_estimators/estimators=50
sklearn | DecisionTreeClassifier DecisionTreeRegressor | decision tree, splits |
sklearn | KNeighborsClassifier KNeighborsRegressor | k-nearest neighbors, KNN, neighbors, distance,
+ majority vote | n_neighbors/neighbors/k:0=5
sklearn | NearestNeighbors | nearest neighbors, KNN, distance | n_neighbors/neighbors/k=5
sklearn | GaussianNB MultinomialNB BernoulliNB | naive Bayes, classifier |
sklearn | MLPClassifier MLPRegressor | multi-layer perceptron, MLP, neural network, ReLU, Adam
+ | hidden_layer_sizes/hidden/units:0=100
sklearn | GaussianProcessRegressor GaussianProcessClassifier | Gaussian process, kernel, posterior |
sklearn | KMeans MiniBatchKMeans | k-means clustering, clusters, centroids, k-means++
+ | n_clusters/clusters/k:0=8
sklearn | GaussianMixture | Gaussian mixture, expectation maximization, components, covariance |
sklearn | DBSCAN AgglomerativeClustering SpectralClustering | clustering, clusters |
sklearn | PCA | principal component analysis, PCA, singular value decomposition, SVD,
+ explained variance, principal components, projection, centering |
sklearn | TruncatedSVD | truncated SVD, singular value decomposition, low-rank
+ | n_components/components:0=2
sklearn | NMF | non-negative matrix factorization |
sklearn | TSNE | t-SNE, embedding, visualization, perplexity
+ | n_components/dimensions:0=2 perplexity=30
umap | UMAP | UMAP, embedding, visualization, neighbors
+ | n_neighbors/neighbors:0=15 min_dist=0.1
sklearn | StandardScaler | standardization, zero mean, unit variance, mean, standard deviation,
+ z-score, normalization, feature scaling |
sklearn | MinMaxScaler | min-max scaling, range, normalization, minimum, maximum |
sklearn | RobustScaler | robust scaling, median, interquartile range |
sklearn | OneHotEncoder LabelEncoder OrdinalEncoder | encoding, categories, one-hot |
sklearn | PolynomialFeatures | polynomial features, interactions, degree | degree:0=2
sklearn | SimpleImputer KNNImputer | imputation, missing values |
sklearn | TfidfVectorizer TfidfTransformer | TF-IDF, term frequency, inverse document frequency,
+ bag of words, n-grams |
sklearn | CountVectorizer | bag of words, token counts, n-grams, vocabulary |
sklearn | Pipeline make_pipeline ColumnTransformer | pipeline, preprocessing, chained |
sklearn | accuracy_score balanced_accuracy_score | accuracy, correct predictions, classification |
sklearn | f1_score | F1 score, precision, recall, harmonic mean |
sklearn | precision_score recall_score precision_recall_fscore_support | precision, recall |
sklearn | classification_report | precision, recall, F1 score, classification |
sklearn | confusion_matrix | confusion matrix, true positives, false positives |
sklearn | roc_auc_score roc_curve | ROC AUC, area under the curve, true positive rate,
+ false positive rate |
sklearn | average_precision_score precision_recall_curve | average precision, precision-recall |
sklearn | mean_squared_error | mean squared error, MSE, squared difference |
sklearn | mean_absolute_error | mean absolute error, MAE |
sklearn | r2_score | coefficient of determination, R2, explained variance |
sklearn | matthews_corrcoef cohen_kappa_score | correlation coefficient, agreement, kappa |
sklearn | silhouette_score adjusted_rand_score normalized_mutual_info_score | clustering quality |
sklearn | pairwise_distances euclidean_distances | pairwise distance, Euclidean distance |
sklearn | cosine_similarity | cosine similarity, dot product, norm |
sklearn | rbf_kernel | RBF kernel, Gaussian kernel, exponential, squared distance |
sklearn | CalibratedClassifierCV calibration_curve | calibration, Platt scaling, reliability |
sklearn | IsotonicRegression | isotonic regression, monotone, calibration |
sklearn | IsolationForest OneClassSVM LocalOutlierFactor | outlier detection, anomaly |
sklearn | mutual_info_classif mutual_info_regression SelectKBest RFE | feature selection,
+ feature ranking |
sklearn | resample | bootstrap, resampling, replacement |
scipy | ttest_ind ttest_rel ttest_1samp | t-test, Student, significance, p-value, test statistic |
scipy | wilcoxon | Wilcoxon signed-rank test, paired, nonparametric, significance, p-value |
scipy | mannwhitneyu ranksums | Mann-Whitney U test, rank-sum, nonparametric, significance,
+ p-value |
scipy | kruskal friedmanchisquare f_oneway | analysis of variance, ANOVA, significance, p-value |
scipy | chi2_contingency chisquare fisher_exact | chi-squared test, contingency table, significance,
+ p-value |
scipy | ks_2samp kstest | Kolmogorov-Smirnov test, distribution, significance, p-value |
scipy | spearmanr | Spearman rank correlation, ranks, correlation coefficient, monotone |
scipy | pearsonr | Pearson correlation, correlation coefficient, linear correlation |
scipy | kendalltau | Kendall tau, rank correlation, concordant pairs |
scipy | bootstrap | bootstrap, confidence interval, resampling
+ | n_resamples/resamples/samples=9999 confidence_level/confidence=0.95
scipy | sem | standard error, standard error of the mean |
scipy | entropy | entropy, KL divergence, relative entropy, logarithm |
scipy | gaussian_kde | kernel density estimation, Gaussian kernel, bandwidth, Scott |
scipy | wasserstein_distance | Wasserstein distance, earth mover distance, optimal transport |
scipy | jensenshannon | Jensen-Shannon distance, divergence, KL divergence |
scipy | linear_sum_assignment | Hungarian algorithm, optimal assignment, bipartite matching |
scipy | sqrtm | matrix square root, Frechet distance, covariance |
scipy | expm | matrix exponential |
scipy | solve_ivp odeint | ODE solver, initial value problem, numerical integration |
scipy | minimize | numerical optimization, minimization, objective |
scipy | curve_fit least_squares | curve fitting, nonlinear least squares, parameters |
scipy | gaussian_filter | Gaussian filter, smoothing, blurring |
scipy | find_peaks butter filtfilt | signal processing, filtering |
scipy | erf | error function, Gaussian |
numpy | fft fft2 fftn rfft rfft2 rfftn | Fourier transform, FFT, frequency domain, spectral,
+ spectrum |
numpy | ifft ifft2 ifftn irfft irfft2 irfftn | inverse Fourier transform, inverse FFT, spectral |
numpy | svd | singular value decomposition, SVD, singular values, low-rank |
numpy | eigh eig eigvalsh | eigendecomposition, eigenvalues, eigenvectors |
numpy | qr | QR decomposition, orthogonalization |
numpy | cholesky | Cholesky decomposition, triangular factor |
numpy | lstsq solve | least squares, linear system, solve |
numpy | pinv | pseudo-inverse, Moore-Penrose, least squares |
numpy | cov | covariance matrix, covariance |
numpy | corrcoef | Pearson correlation, correlation coefficient |
numpy | polyfit | polynomial fit, least squares, regression |
numpy | percentile quantile | percentile, quantile, interpolation |
numpy | permutation | random permutation, shuffling |
xgboost | XGBClassifier XGBRegressor XGBRanker | gradient boosting, boosted trees, XGBoost,
+ ensemble,
+ regularized objective | n_estimators/trees/estimators=100 max_depth/depth=6 learning_rate/eta=0.3
lightgbm | LGBMClassifier LGBMRegressor LGBMRanker | gradient boosting, boosted trees, LightGBM,
+ ensemble | n_estimators/trees/estimators=100 num_leaves/leaves=31 learning_rate/shrinkage=0.1
catboost | CatBoostClassifier CatBoostRegressor | gradient boosting, boosted trees, CatBoost,
+ ensemble |
torch_geometric | GCNConv | graph convolution, GCN, message passing, neighbor aggregation,
+ symmetric normalization, self-loops, degree normalization, adjacency |
torch_geometric | GATConv GATv2Conv | graph attention, GAT, message passing, attention coefficients,
+ softmax, neighbor aggregation, leaky ReLU | heads:2=1 negative_slope/slope:4=0.2
torch_geometric | SAGEConv | GraphSAGE, message passing, neighbor aggregation, mean aggregation |
torch_geometric | GINConv | graph isomorphism network, GIN, message passing, sum aggregation |
torch_geometric | global_mean_pool global_add_pool global_max_pool | graph pooling, readout |
torch_geometric | Planetoid | citation network, Cora, Citeseer, PubMed, nodes |
torch_geometric | NeighborLoader NeighborSampler | neighbor sampling, mini-batches |
torchdiffeq | odeint odeint_adjoint | ODE solver, neural ODE, numerical integration
+ | rtol:3=1e-7 atol:4=1e-9
optax | adam adamw | Adam optimizer, adaptive moment estimation, first moment, second moment,
+ bias correction, moving averages of gradients, squared gradient
+ | b1/beta/beta1/betas:1=0.9 b2/beta/beta2/betas:2=0.999 eps/epsilon:3=1e-8
optax | clip_by_global_norm | gradient clipping, global norm, clipped gradient norm |
optax | warmup_cosine_decay_schedule | cosine schedule, linear warmup, cosine decay, learning rate,
+ warmup steps | end_value/end:4=0
optax | cosine_decay_schedule | cosine schedule, cosine decay, learning rate |
jax | value_and_grad grad | gradient, automatic differentiation, backpropagation |
jax | vmap | vectorization, batching |
nltk | word_tokenize sent_tokenize | tokenization, words |
nltk | sentence_bleu corpus_bleu | BLEU, n-gram precision, brevity penalty |
sacrebleu | corpus_bleu | BLEU, n-gram precision, brevity penalty |
rouge_score | RougeScorer | ROUGE, overlap, recall, longest common subsequence |
faiss | IndexFlatL2 IndexFlatIP IndexIVFFlat | nearest neighbor search, similarity search, index |
vllm | LLM | language model inference, generation, batched decoding |
tiktoken | get_encoding encoding_for_model | byte-pair encoding, BPE, tokenizer, tokens |
tokenizers | BpeTrainer | byte-pair encoding, BPE, tokenizer training, merges |
"""
"""The rows; `+` goes on a line. `@name` is a fact that no argument changes."""
