"""The components of methods that are known by name, as a table of patterns by group."""

from __future__ import annotations

__all__ = ["MODELS", "TABLE"]

MODELS = {
    "models": (
        r"(?<!tokenizer\.)(?<!tokenizerfast\.)(?<!processor\.)from_pretrained|\btimm\."
        r"""|create_model\(\s*['\"]|models\.\w+\(\s*(?:weights|pretrained)"""
        r"|torchvision\.models|torch\.hub|\bLLM\(|UNet\dD\w*\(|(?:LMHead\w*"
        r"|For\w+)\(\s*\w*config|open_clip"
    ),
    "others": (
        r"(?<!def )(?<!\bgpt\.)(?<!gpt2lmheadmodel\.)(?<!gpt2model\.)(?<!tokenizer\.)"
        r"(?<!tokenizerfast\.)(?<!processor\.)from_pretrained|\btimm\."
        r"""|create_model\(\s*['\"]|models\.\w+\(\s*(?:weights|pretrained)"""
        r"|torchvision\.models|torch\.hub|\bLLM\(|UNet\dD\w*\(|(?:LMHead\w*"
        r"|For\w+)\(\s*\w*config|open_clip"
    ),
    "llama": (
        r"llama|mistral|mixtral|qwen|gemma|deepseek|(?<!k)olmo|vicuna|auto_?model|smollm"
        r"|internlm|falcon|pythia|neox|vllm|\bLLM\(|modernbert|\bphi[-_]?\d|pipeline\("
    ),
    "auto": (r"auto_?(?:model|tokenizer)|from_pretrained|vllm|\bLLM\(|pipeline\("),
    "trainer": (
        r"TrainingArg|SFTConfig|DPOConfig|stable_baselines|pl\.Trainer|lightning|deepspeed"
    ),
}
"""What stands for many components at once: `<name>` in the table.

Models that come with them: any ready-made one, any such but GPT-2, the families of language models
whose parts are known, any model or tokeniser that is given by name, and trainers that do more than
they say.
"""

# `#` and a group, with `~` where any of it that stands in code takes the place of another. Then by
# line: a name, with `!` where only another of the group proves that it is absent; what a claim
# says; what code holds that may do it; what code does it by without doubt. `+` goes on a line.
TABLE = r"""
# activation ~
GELU | \bGELUs?\b|\bgaussian error linear | gelu|erf\(|0\.044715|<models>|\bgpt-?2
+ |getattr\(\s*(?:nn|F|torch\.nn|jax\.nn)\b|ACT2FN|get_activation
+ | nn\.GELU\b|\bgelu\(|['"]gelu['"]|nn\.gelu\b
ReLU | (?<!leaky )(?<!squared )(?<!leaky-)\bReLUs?\b|(?<!leaky )\brectified linear unit
+ | relu|clamp_?\(\s*(?:\w+, )?(?:min ?= ?)?0(?:\.0)?\)|maximum\(\s*0|maximum\(\w+, 0(?:\.0)?\)
+ |\bmax\(0(?:\.0)?,|MLP(?:Classifier|Regressor)|nn\.Transformer|\* \(\w+ > 0|<others>|resnet|vgg
+ |getattr\(\s*(?:nn|F|torch\.nn|jax\.nn)\b|ACT2FN|get_activation | nn\.ReLU\b|F\.relu\(|nn\.relu\b
+ |['"]relu['"]|torch\.relu\(
leaky ReLU | \bleaky[- ]?ReLU | leaky|negative_slope|prelu|rrelu|getattr\(\s*(?:nn|F|torch\.nn
+ |jax\.nn)\b|ACT2FN|get_activation | leaky_?relu
SiLU or Swish | \bSiLU\b|\bSwish\b | silu|swish|(\w+)\s*\*\s*(?:\w+\.)*sigmoid\(\s*\1\b
+ |sigmoid\(\s*(\w+)\s*\)\s*\*\s*\2\b|swi_?glu|<llama>|efficientnet|unet|diffusers
+ |getattr\(\s*(?:nn|F|torch\.nn|jax\.nn)\b|ACT2FN|get_activation | nn\.SiLU\b|F\.silu\(|nn\.silu\b
+ |['"](?:silu|swish)['"]|nn\.swish\b
SwiGLU | \bSwi-?GLU\b | swi_?glu|(?:silu|swish|act\w*|sigmoid)\(.*\*|\*.*(?:silu|swish|act\w*
+ |sigmoid)\(|gate|(?<!ge)(?<!re)glu\b|<llama>|dinov?2 | swi_?glu
GEGLU | \bGE-?GLU\b | ge_?glu|gelu\(.*\*|\*.*gelu\(|(?<!swi)glu\b|gemma|t5|diffusers | ge_?glu
gated linear unit | \bgated linear unit|\bGLUs?\b | glu|sigmoid|gate | F\.glu\(|nn\.GLU\b
tanh | \btanh\b|\bhyperbolic tangent | tanh|squash|nn\.LSTM|nn\.GRU|nn\.RNN|getattr\(\s*(?:nn|F
+ |torch\.nn|jax\.nn)\b|ACT2FN|get_activation | nn\.Tanh\b|['"]tanh['"]|torch\.tanh\(|nn\.tanh\b
ELU | \bELUs?\b | (?<![rgsc])elu\b|getattr\(\s*(?:nn|F|torch\.nn|jax\.nn)\b|ACT2FN|get_activation
+ | nn\.ELU\b|F\.elu\(|nn\.elu\b|['"]elu['"]
SELU | \bSELUs?\b | selu|getattr\(\s*(?:nn|F|torch\.nn|jax\.nn)\b|ACT2FN|get_activation
softplus | \bsoftplus\b | softplus|log1p|logaddexp|log\(1(?:\.0)? \+|logsigmoid | softplus\(
Mish | \bMish\b | mish|getattr\(\s*(?:nn|F|torch\.nn|jax\.nn)\b|ACT2FN|get_activation
+ | nn\.Mish\b|F\.mish\(
Hard-Swish | \bhard-?swish | hard_?swish|mobilenet
squared ReLU | \bsquared ReLU|\bReLU squared|\bReLU(?:\^2|²) | relu.*(?:\*\* ?2|square|pow)
+ |square\(.*relu|relu2|relu_sq
sine activation | \bsine activation|\bSIREN\b | sin\(|siren
# position ~
rotary embedding | \bRoPE\b|\brotary | rope\b|rope_|_rope|apply_rope|rotary|rotate_half|freqs
+ |inv_freq|polar\(|rotate|cos\w*\b.*sin|<llama>|vit_\w*rope|flux | rotary|rotate_half|apply_rope
sinusoidal positions | \bsinusoidal position|\bsinusoidal(?: \w+)? (?:embed|encod)
+ |\bsine[- ]cosine position | \bsin\(|\.sin\b|sinus|\bsin_|<others>
+ | sinusoid\w*_?pos|pe\[:, 0::2\]|PositionalEncoding\(
learned positions | \b(?:learn(?:ed|able|t)|trainable)(?: absolute)? position
+ | \bpos(?!terior|itive|sible|t)|_pos(?!terior|itive|sible|t)|position|wpe|nn\.Embedding\(
+ |nn\.Embed\(|<models>|\bgpt-?2 | \b(?:wpe|(?:self\.)?pos\w*emb\w*)\s*[=:]\s*nn\.(?:Parameter
+ |Embedding)\(|\bwpe\s*=\s*nn\.Embedding
ALiBi | \bALiBi\b | alibi|slopes?\b|bloom | alibi
relative positions | \brelative position(?:al)? (?:bias|embed|encod)
+ | relative|rel_|_rel|bucket|swin|t5\b|alibi|rope|rotary|bias_table|<others>
+ | relative_position|rel_pos
# attention
grouped queries | \bgrouped[- ]query|\bGQA\b|\bkey and value heads are shared (?:by|among|across)
+ | kv_?head|num_key_value|gqa|n_?kv|(?:n|num|kv|query|q|head)_groups|groups?_size|repeat_kv
+ |repeat_interleave|<llama>
multi-query attention | \bmulti-query (?:attention|heads?)|\bMQA\b
+ | kv_?head|mqa|multi_?query|num_key_value|<llama>
cross-attention | \bcross[- ]attention\b|\bcross-attend | cross(?!_?ent)|context|memory
+ |encoder_hidden|MultiheadAttention|TransformerDecoder|\bkv\b|<models>|attn\w*\(\w+, \w+|cond
linear attention | \blinear attention\b | linear_?att|elu|phi|kernel|feature_map|performer
+ |linformer|einsum
sliding window | \bsliding[- ]window attention|\bwindowed attention|\blocal attention
+ | window|local_att|\blocal\b|band|swin|<llama>|neighbou?rhood
causal mask | \bcausal (?:mask|self-?attention|attention)|\bcausally masked
+ | causal|tril|triu|subsequent|att\w*_mask|src_mask|tgt_mask|masked_fill|gpt|<llama>|<models>|<=|>=
query-key norm | \bQK[- ]?norm|\bquer(?:y
+ |ies) and keys? (?:vectors )?(?:are )?(?:\w+-)?normali[sz]ed | q_?norm|k_?norm|qk|F\.normalize
+ |normalize\(\s*[qk]|norm\w*\(\s*(?:self\.)?[qk]|norm_[qk]
multi-head attention | \bmulti-?head(?:ed)? (?:self-?)?attention
+ | heads?\b|n_?head|MultiheadAttention|<models>|attention
# norm ~
layer normalisation | \blayer[- ]?norm(?:ali[sz]ation)?\b|\bLayerNorm\b
+ | layer_?norm|\bln\w*\b|nn\.Transformer|\.var\(|\.std\(|<models>|\bgpt-?2|norm_layer
+ | \b(?:nn\.)?LayerNorm\(|F\.layer_norm\(
RMSNorm | \bRMS[- ]?norm|\broot[- ]mean[- ]square (?:layer )?norm
+ | (?<![a-z])rms(?!_?prop)|rms_?norm|rsqrt|pow\(2\)\.mean|square\(.*mean|mean\(.*\*\* ?2|<llama>
+ |F\.normalize|norm_layer|norm_type | (?:nn\.)?RMSNorm\(
batch normalisation | \bbatch[- ]?norm(?:ali[sz]ation)?\b|\bBatchNorm
+ | batch_?norm|\bbn\d?\b|_bn|bn_|resnet_?-?\d|vgg_?\d|mobilenet|efficientnet|densenet_?\d|<others>
+ |SyncBN|\.var\(|\.std\(|norm_layer|norm_type | (?:nn\.)?BatchNorm\w*\(
group normalisation | \bgroup[- ]?norm(?:ali[sz]ation)?\b | group_?norm|\bgn\d?\b|diffusers
+ |norm_groups|num_groups|instance_?norm|\.var\(|\.std\(|norm_layer|norm_type | (?:nn\.)?GroupNorm\(
instance normalisation | \binstance[- ]?norm(?:ali[sz]ation)?\b | instance_?norm|adain|group_?norm
+ |\.std\(|\.var\(|\.std\(|norm_layer|norm_type | (?:nn\.)?InstanceNorm\w*\(
# norm place ~
post-norm ! | \bpost-?(?:layer ?)?norm
+ |\bnorm\w* (?:is )?(?:applied |placed |comes |stands )?(?:after|behind) (?:each|every
+ |the) (?:sub-?layer|residual|attention|block)|\bsub-?layer is followed by (?:its|a|layer) norm
+ | norm\w*\(\s*\w+\s*\+|(?:norm|ln)\w*\(.*\+.*\(|post_?(?:ln|norm)|norm_first|nn\.Transformer
+ |TransformerEncoderLayer|TransformerDecoderLayer|^\s*(\w+) = (?:self\.)?(?:\w*norm_?\d
+ |ln_?\d)\(\1\)|<others> | (?:norm|ln)\w*\(\s*\w+\s*\+\s*(?:self\.)?\w+
pre-norm ! | \bpre-?(?:layer ?)?norm(?!\w*ed? (?:data|input))
+ |\bnorm\w* (?:is )?(?:applied |placed |comes |stands )?before (?:each|every|the) (?:sub-?layer
+ |attention (?:and|layer|module)|block) | \+ .*\(\s*(?:self\.)?\w*(?:norm|ln)\w*\(|pre_?(?:ln
+ |norm)|norm_first|^\s*(\w+) = (?:self\.)?(?:\w*norm_?\d|ln_?\d)\(\w+\)|<models>|\bgpt-?2
+ | \b(\w+) = \1 \+ .*\(\s*(?:self\.)?\w*(?:norm_?|ln_?)\d\w*\(|norm_first\s*=\s*True
# other norms
spectral normalisation | \bspectral norm(?:ali[sz]ation|ali[sz]ed) | spectral|svd|sigma
weight normalisation | \bweight norm(?:ali[sz]ation)\b | weight_?norm|normali[sz]e|parametriz
adaptive layer norm | \badaptive layer[- ]?norm|\badaLN\b|\bAdaIN\b|\badaptive instance norm
+ | ada_?ln|adaptive|modulat|shift|adain|film|ada_?norm|<models>
# regularisation
dropout | (?<!condition )(?<!conditioning )(?<!prompt )(?<!text )(?<!label )(?<!class )(?<!token )(?
+ <!caption )(?<!guidance )\bdropout\b | dropout|drop_?(?:rate|prob|p\b|path)|\bdrop\b|p_drop|pdrop
+ |<models>|\bgpt-?2|bernoulli|lora_
drop path | \bdrop[- ]?path\b|\bstochastic depth\b | drop_?path|stochastic_?depth|timm|swin
label smoothing | \blabel[- ]smooth | smooth
weight decay | \bweight[- ]decay\b(?! (?:of|is|set to) 0\b)|\bL2 (?:regulari[sz]ation|penalty)
+ | weight_?decay|\bwd\b|decay(?!_rate|_factor)|adamw|l2|regulari|\breg\b|_reg\b|weight_reg|ridge
gradient penalty | \bgradient[- ]penalty|\bWGAN-GP\b|\bR1 (?:penalty|regulari)
+ | penalt|\bgp\b|gp_|_gp|autograd\.grad|\br1|create_graph|jacob|jax\.grad
entropy bonus | \bentropy[- ](?:bonus|regulari[sz]|coefficient)
+ | (?<!cross_)(?<!cross)(?<!binary_)entrop|_ent\b|\bent_?(?:coef|w|bonus|loss|reg)|SAC\(|A2C\(
+ |alpha \* \w*log_?p|stable_baselines
KL penalty | \bKL[- ](?:penalty|regulari[sz]|coefficient) | \bkl\b|kl_|_kl|kl_div|ref_?log
+ |log_?ratio|logvar|DPO|trl\b
early stopping | \bearly[- ]stop | early|patience|best_|stop|wait
L1 penalty | \bL1[- ](?:penalty|regulari[sz])|\blasso\b | abs|l1|lasso|norm\(.*1
elastic weight consolidation | \belastic weight | ewc|fisher|elastic
# augmentation
mixup | \bmix-?up\b | mix_?up|\bbeta\(|\.beta\(|mixed|lam\b
CutMix | \bcutmix\b | cutmix|bbox|cut_
RandAugment | \bRand-?Augment | rand_?aug|rand-m|autoaugment|auto_augment
AutoAugment | \bAuto-?Augment | auto_?aug
TrivialAugment | \bTrivial-?Augment | trivial
random erasing | \brandom(?:ly)? eras|\bcutout\b | cutout|eras|hole|mask
flip | \b(?:horizontal|random|vertical|left-right|mirror)(?:ly)? flip|\bflipped (?:horizontally
+ |left|at random|randomly) | flip|\[::-1\]|fliplr
crop | \b(?:random|center|centre|resized)(?:ly)? crop | crop|narrow
colour jitter | \bcolou?r[- ]jitter|\bjitter\w* (?:of |in )?(?:colou?r|brightness)
+ | jitter|brightness|hue\b|saturation|contrast
Gaussian blur | \bgaussian blur|\bblurr?ed\b | blur|gaussian_filter|conv2d
grey-scale | \bgr[ae]y-?scale | gr[ae]y|convert\(['"]L|mean\(|MNIST
random rotation | \brandom(?:ly)? rotat | rot|affine
time or frequency masking | \bSpecAugment | spec_?aug|mask
back-translation | \bback-?translat | back_?transl
solarise | \bsolari[sz] | solari
# initialisation ~
Xavier initialisation | \bxavier\b|\bglorot\b | xavier|glorot|fan_in|fan_out|keras|Dense\(|sqrt\(6
+ |variance_scaling|nn\.Transformer|MultiheadAttention | xavier_|glorot
He initialisation | \bkaiming\b|\bHe[- ](?:normal|uniform|init) | kaiming|\bhe_|fan_in|fan_out
+ |sqrt\(2|variance_scaling|resnet | kaiming_|\bhe_(?:normal|uniform)
orthogonal initialisation | \borthogonal(?:ly)? init | orthogonal|qr\(|svd
+ | orthogonal_\(|initializers\.orthogonal
truncated normal | \btruncated[- ]normal | trunc|clamp|clip|<models>
+ | trunc_normal_|truncated_normal
# zero initialisation
zero initialisation | \bzero[- ]init|\binitiali[sz]ed (?:to|at|with|as) zeros?
+ | zeros?_\(|constant_\(.*0|fill_\(0|zero_?init|zeros|zero_?module|std ?= ?0|lora|peft|gain ?= ?0
+ |\* ?0
# optimiser ~
Adam | \bAdamW?\b|\bdecoupled weight decay | adam|exp_avg|PPO\(|SAC\(|<trainer>|m_hat
+ |create_optimizer|addcmul|first_mom|second_mom|moments\b|\bbetas\b|beta_?2\b|v_hat
+ |getattr\(\s*(?:torch\.)?optim|optim_factory|create_optimizer|getattr\(optax
+ | optim\.AdamW?\(|optax\.adamw?\(|optimizers\.AdamW?\(
SGD | \bSGD\b|\bstochastic gradient descent | sgd|-= ?.*(?:lr|eta|alpha|learning_rate|step)|(?:lr
+ |eta|alpha|gamma|learning_rate|step_?size|step)\w* ?\* ?\S*(?:grad|\bg\b)|(?:grad
+ |\bg\b)\S* ?\* ?\S*(?:lr|eta|alpha|learning|step)|getattr\(.*optim|- ?(?:self\.)?(?:lr|eta|alpha
+ |learning_rate|step_size) ?\*|create_optimizer|grad\S*, alpha ?=
+ | optim\.SGD\(|optax\.sgd\(|optimizers\.SGD\(
RMSprop | \brmsprop | rmsprop|square_avg|getattr\(\s*(?:torch\.)?optim|optim_factory
+ |create_optimizer|getattr\(optax | RMSprop\(
Adagrad | \badagrad\b | adagrad|G \+=|sqrt|getattr\(\s*(?:torch\.)?optim|optim_factory
+ |create_optimizer|getattr\(optax | Adagrad\(
Adadelta | \badadelta\b | adadelta|getattr\(\s*(?:torch\.)?optim|optim_factory|create_optimizer
+ |getattr\(optax | Adadelta\(
LAMB | \bLAMB\b | \blamb\b|lamb_|FusedLAMB|getattr\(\s*(?:torch\.)?optim|optim_factory
+ |create_optimizer|getattr\(optax
Lion | \bLion\b | \blion|sign\(|getattr\(\s*(?:torch\.)?optim|optim_factory|create_optimizer
+ |getattr\(optax | \bLion\(
Adafactor | \badafactor\b | adafactor|getattr\(\s*(?:torch\.)?optim|optim_factory|create_optimizer
+ |getattr\(optax | Adafactor\(
L-BFGS | \bL-?BFGS | bfgs|minimize\(|LogisticRegression|getattr\(\s*(?:torch\.)?optim|optim_factory
+ |create_optimizer|getattr\(optax | LBFGS\(
Muon | \bMuon\b | muon|newton_?schulz|zeropower|getattr\(\s*(?:torch\.)?optim|optim_factory
+ |create_optimizer|getattr\(optax | \bMuon\(
Shampoo | \bShampoo\b | shampoo|precondition|getattr\(\s*(?:torch\.)?optim|optim_factory
+ |create_optimizer|getattr\(optax
Sophia | \bSophia\b | sophia|hessian|getattr\(\s*(?:torch\.)?optim|optim_factory|create_optimizer
+ |getattr\(optax
RAdam | \bRAdam\b | radam|rectified|getattr\(\s*(?:torch\.)?optim|optim_factory|create_optimizer
+ |getattr\(optax
NAdam | \bNAdam\b | nadam|getattr\(\s*(?:torch\.)?optim|optim_factory|create_optimizer
+ |getattr\(optax
# parts of optimisers
momentum | \bmomentum (?:of|coefficient|term|parameter)|\bwith momentum\b|\bSGD momentum
+ | momentum|\bmom\b|velocity|heavy|nesterov|\bmu\b|\bbuf|betas?\b|\bb1\b|beta_?1
Nesterov momentum | \bnesterov | nesterov(?!\w*['"]?\s*[=:]\s*False)
AMSGrad | \bamsgrad | amsgrad(?!\w*['"]?\s*[=:]\s*False)
sharpness-aware minimisation | \bsharpness-aware | sam\b|sharp|perturb|rho\b|ascent|e_w
EMA of the weights | \b(?:exponential(?:ly)? moving average|EMA)\b.{0,25}(?:weights|parameters
+ |model|network)\b | \bema\b|_ema\b|\bema_|(?-i:Ema\b|EMA)|moving_av|average|lerp|polyak|\btau\b
+ |shadow|\bswa|(?:decay|momentum|beta|mu|alpha|m) \* .*\+ \(1|mul_\(\s*(?:self\.)?\w*(?:decay|ema
+ |beta|mu|mom|alpha|tau|m\b)|momentum_enc|incremental_update
stochastic weight averaging | \bstochastic weight averag|\bSWA\b | swa|averag|mean
gradient clipping | \bgradients?(?: norms?)? (?:are |is |are always )?(?:globally )?clip
+ |\bclip\w* (?:the |all )?gradient|\bclipped at (?:a )?(?:global )?norm
+ | clip_?grad|grad\w*_?clip|clip_by|max_?grad|grad_?norm|clip_?norm|clip_?val|global_norm
+ |clip\w*\(.*grad|grad\w*\.(?:data\.)?clamp|max_norm|<trainer>
gradient accumulation | \bgradient accumulation|\baccumulat\w+ gradients
+ |\bgradients are accumulated | accum|no_sync|micro_?batch|<trainer>|/ ?\w*steps
gradient checkpointing | \b(?:gradient|activation) checkpointing
+ | checkpoint(?:ing|\()|remat|<trainer>
mixed precision | \bmixed[- ]precision|\bbf16\b|\bfp16\b|\bbfloat16|\bhalf[- ]precision
+ | autocast|\bamp\b|amp_|_amp|float16|\.half\(|half_prec|fp16|bf16|precision\w*['\"]?\s*[=:]|mixed
+ |GradScaler|deepspeed
data parallelism | \bDDP\b|\bdistributed data[- ]parallel|\bdata[- ]parallel
+ | distributed|ddp|DataParallel|accelerat|pmap|torchrun|world_size|fsdp|deepspeed|shard
+ |device_count
DeepSpeed | \bDeepSpeed\b|\b(?-i:ZeRO)(?:-[123])?\b | deepspeed|zero_
# schedule ~
cosine schedule | \bcosine[- ](?:anneal|decay|schedul|learning|lr\b)|\bcosine lr\b|\bcosine phase\b
+ |\b(?:decay|anneal|follow|schedul)\w*(?: \w+){0,3} (?:a )?cosine\b | cosine(?!_?sim|_?dist|_?emb)
+ |cos_?(?:anneal|sched|decay|lr)|\bcos\(.*(?:pi\b|π)|(?:\bpi\b|π).*\bcos\(|1(?:\.0)? ?\+ ?\S*cos\(
+ |[+-] ?\S*cos\(|sgdr|get_scheduler|create_scheduler|(?:sched\w*|lr)_type|getattr\(.*sched
+ | CosineAnnealing\w*\(|get_cosine|['"]cosine['"]|math\.cos\(|cosine_decay
linear change | \b(?:anneal|decay|decreas|increas|ramp|schedul|warm)\w*(?: up| down)? linearly
+ |\blinearly (?:anneal|decay|decreas|increas|ramp|warm|schedul)|\blinear (?:decay|schedul|anneal
+ |warm|ramp|learning[- ]rate) | linear(?:LR|_?\w*(?:sched|decay|anneal|warm|lr))|(?:schedule|decay
+ |anneal|warmup)\w*_linear|get_linear|linspace|lr_lambda|lambdalr|lerp
+ |1(?:\.0)?\s*-\s*[\w.()]+\s*/|polynomial|['"]linear['"]|interp\(|onecycle|['"]lr['"]\]\s*[-+*/]?=
+ |get_scheduler|progress|frac|start_factor|(?:step|epoch|iter\w*|\bt|\bi)\)?\s*/|(?:step|epoch
+ |t)\w* \+ 1\)? / | LinearLR\(|get_linear_schedule
step decay | \bstep[- ](?:decay|schedule|learning[- ]rate)|\bmilestones?\b.{0,30}(?:rate|decay
+ |factor)|\b(?:learning[- ]rate|lr)\b.{0,60}\b(?:divided|multiplied|decayed|reduced
+ |dropped) by (?:a factor of |a tenth|\d)[^.;]{0,20} (?:every|at|after)
+ | StepLR|step_?size|milestone|(?:lr|rate)\w*_(?:decay|gamma|factor|drop|step)|(?:decay
+ |drop)_(?:steps?|rate|epoch|every|factor|at)|\*\*.*//|//.*\*\*|lr\w* ?[*/]=
+ |['\"]lr['\"]\] ?[*/]?=|exponential_decay|piecewise|get_scheduler|step_decay|create_scheduler
+ | StepLR\(
exponential decay | \bexponential(?:ly)? (?:decay|anneal|schedul)|\b(?:decay
+ |anneal)\w* exponential | exp\w*_?(?:decay|lr\b|sched|anneal)|exp\(|\*\*|pow\(|lr\w* ?\*=
+ |['\"]lr['\"]\] ?\*|decay_rate|gamma|decay ?\*|\*= ?\S*decay|get_scheduler|logspace|geomspace
+ | ExponentialLR\(|exponential_decay\(
polynomial schedule | \bpolynomial (?:decay|schedul|learning) | poly|power|\*\*|pow|get_scheduler
+ |create_scheduler|(?:sched\w*|lr)_type|getattr\(.*sched | PolynomialLR\(|get_polynomial
plateau | \bplateau | plateau|patience|get_scheduler|create_scheduler|(?:sched\w*|lr)_type
+ |getattr\(.*sched | ReduceLROnPlateau\(
one-cycle schedule | \bone-?cycle | one_?cycle|get_scheduler|create_scheduler|(?:sched\w*|lr)_type
+ |getattr\(.*sched | OneCycleLR\(
inverse square root schedule | \binverse[- ]squ?a?re?[- ]root (?:decay|schedul|learn|lr)|\bnoam\b
+ | sqrt|\*\*\s*\(?-|\*\* ?-?0\.5|-0\.5|noam|rsqrt|get_scheduler|create_scheduler|(?:sched\w*
+ |lr)_type|getattr\(.*sched | noam
# warm-up
warm-up | \bwarm-?up\b(?! (?:run|iteration|step)s? (?:of|for) (?:timing|bench))|\b(?:rate
+ |lr) (?:is |are )?(?:linearly )?warm(?:ed|s) up\b | warm|onecycle|start_factor|ramp|<trainer>
warm restarts | \bwarm restarts?\b|\bcosine restarts|\bSGDR\b | restart|T_0|T_mult|%
warm-up, stable, decay | \bwarm-?up[- ]stable[- ]decay|\bWSD\b|\btrapezoid\w* (?:schedul|learn)
+ | stable|wsd|trapez|decay
# loss ~
cross-entropy | \bcross[- ]entropy\b | cross_?ent|crossent|nll|log_?soft|bce|logsumexp|log_?prob
+ |softmax|\blog\(|Logistic|xent|\bce\b|_ce|<models>|\bgpt-?2
+ | F\.cross_entropy\(|CrossEntropyLoss\(|softmax_cross_entropy
squared error | \bMSE\b|\bmean[- ]squared[- ]error|\bsquared error
+ | mse|\*\* ?2|square|pow\(|\.norm\(|l2|power\(|r2_score|lstsq|LinearReg|<trainer>
+ | F\.mse_loss\(|MSELoss\(
Huber loss | \bhuber|\bsmooth[- ]L1 | huber|smooth_?l1|where\(.*abs | huber_loss|smooth_l1|SmoothL1
+ |HuberLoss
hinge loss | \bhinge | hinge|relu|clamp|maximum|max\(|margin|SVC|clip
# further losses
absolute error | \bL1[- ](?:loss|error|distance)|\bmean absolute error|\bMAE\b
+ | abs|l1|mae|ord=1|p=1|cityblock | F\.l1_loss\(|\bL1Loss\(
triplet loss | \btriplet | triplet|margin|anchor
contrastive loss | \binfo-?nce|\bnt-?xent|\bcontrastive (?:loss|objective|learning)
+ | nce|contrast|xent|temperature|tau\b|simclr|positive|cross_entropy|logsumexp
focal loss | \bfocal loss | focal|gamma
Dice loss | \bdice\b | dice|intersection|inter\b|f1
KL divergence | \bKL[- ]div|\bKullback | kl|log
JS divergence | \bjensen-shannon | js|jensen|log
Wasserstein distance | \bwasserstein | wasserstein|emd|sinkhorn|\bot\.|critic|\bw_?[12]|sqrtm|cdf
+ |sort|linear_sum|transport
perceptual loss | \bperceptual (?:loss|term)|\bLPIPS\b | lpips|percep|vgg
discriminator | \bdiscriminator|\badversarial loss | discrim|adv|critic|\bD\(|netD|gan\b|GAN
CTC loss | \bCTC\b | ctc
Gumbel | \bgumbel | gumbel
straight-through estimator | \bstraight[- ]through | straight|detach|stop_gradient|\bste\b|quantiz
+ |gumbel|custom_vjp|autograd\.Function
quantile loss | \bpinball|\bquantile (?:loss|regression) | pinball|quantile|tau\b
evidence lower bound | \bELBO\b|\bevidence lower bound | elbo|kl|log_?prob|logvar|vlb|log_?q
+ |free_energy
clipped surrogate | \bclipped (?:surrogate|objective|PPO) | clip_?(?:range|eps|ratio|param|coef
+ |frac)|clamp|PPO\(|\.clip\(|minimum|torch\.min|clipped|cliprange|surr
commitment loss | \bcommitment (?:loss|cost|term|weight) | commit|beta|vq|detach
knowledge distillation | \bknowledge distill|\bdistillation loss | distil|teacher|\bkd|kl_div
negative sampling | \bnegative sampl | neg
score matching | \bscore matching | score|denois|dsm
# reinforcement learning
replay | \breplay (?:buffer|memory)|\bexperience replay | replay|buffer|deque|memory|DQN\(|SAC\(
+ |TD3\(
prioritised replay | \bpriorit\w+ (?:experience )?replay|\bproportional to (?:their|its
+ |the) priorit | priorit|\bper\b|sum_?tree
target network | \btarget (?:network|critic)s?\b | target|_tgt|tgt_|ema\b|polyak|_old|frozen|DQN\(
+ |SAC\(|TD3\(|momentum
soft target update | \bpolyak|\bsoft (?:target )?update | tau\b|polyak|soft|lerp|ema|1(?:\.0)? ?-
+ |SAC\(|TD3\(
double Q-learning | \bdouble (?:DQN|Q-) | double|argmax|q_?1|q_?2|twin|qf2|minimum
dueling network | \bduel+ing | duel|advantage|\badv
n-step return | \bn-step (?:return|target|bootstrap|TD) | n_?step|multi_?step|gamma \*\*|reversed
+ |horizon|for
generalised advantage estimation | \bgenerali[sz]ed advantage|\bGAE\b
+ | \bgae|_gae|gae_|\blam\b|lambda|stable_baselines|trl\b
value clipping | \bvalue (?:loss |function )?clip|\bclipped value | clip|clamp
advantage normalisation | \badvantages? (?:are |is )?(?:\w+ )?normali[sz]
+ |\bnormali[sz]\w* (?:the )?advantages?\b | adv\w*.*(?:mean|std)|std|normali|whiten|PPO\(
epsilon-greedy | \bepsilon[- ]greedy|[εϵ]-greedy|epsilon\$?-greedy
+ | eps|greedy|explor|random\(\) ?<|DQN\(
Ornstein-Uhlenbeck noise | \bornstein | ornstein|\bou_|OU[A-Z]|_ou\b|theta
hindsight relabelling | \bhindsight | hindsight|\bher\b|relabel|achieved|her_
random network distillation | \brandom network distill|\bRND\b
+ | \brnd|_rnd|random_net|predictor_net|intrinsic
TD(lambda) | \bTD\s?\((?:λ|lambda|\\lambda)|\beligibility trace|\blambda[- ]returns? | lam|trace
frame stacking | \bframe[- ]?stack | stack|deque|history|cat
tree search | \bMCTS\b|\bmonte[- ]carlo tree | mcts|ucb|puct|visit|tree
upper confidence bound | \bupper confidence|\bUCB\d?\b | ucb|bonus|confidence|sqrt\(.*log
Thompson sampling | \bthompson | thompson|posterior
importance sampling | \bimportance[- ](?:sampling|weight) | importance|ratio|exp\(|is_|weight|iw
REINFORCE | \bREINFORCE\b | reinforce|log_?prob|logp|policy_?grad|rloo
trust region | \bTRPO\b|\btrust[- ]region | trpo|trust|kl
twin critics | \btwin (?:critic|Q)|\bclipped double | twin|q_?1|q_?2|critic_?2|minimum|torch\.min
+ |ensemble|SAC\(|TD3\(
delayed policy update | \bdelayed policy|\bpolicy delay | delay|%|policy_freq|TD3\(
# generation
beam search | \bbeam[- ]search | beam
nucleus sampling | \bnucleus sampling|\btop-p\b | top_?p|nucleus
top-k sampling | \btop-k (?:sampling|decoding|filter) | top_?k
greedy decoding | \bgreedy (?:decod|generat) | greedy|argmax|do_sample|temperature|\.max\(|topk
classifier-free guidance | \bclassifier-free | cfg|guidance|uncond|null|free
DDIM | (?<!/)\bDDIM\b(?!/) | ddim|pred_x_?0|x_?0_pred|pred_orig|determinis|\beta \*
DDPM | \bDDPM\b | ddpm|posterior_|betas\b|beta_t|alphas?_(?:cum|bar|prod|t)|alpha_?bar
Heun's method | \bheun\b | heun|second_?order|2nd|d_prime|0\.5 ?\* ?\(|1 ?/ ?2 ?\*|\) ?/ ?2\b
+ |/ ?2 ?\+|0\.5 ?\* ?d|order ?= ?2|odeint|solve_ivp|torchdiffeq|edm_sampler
integrator | \bRunge-?Kutta|\bRK4\b|\bdopri | rk4|rk45|dopri|runge|odeint|solve_ivp|k_?[14]\b|RK23
Euler method | \bEuler (?:method|step|integrat|solver|scheme|discreti|sampl|maruyama|update)
+ | euler|dt\b|odeint|step_size|delta|\bh ?\*|eps ?\*|\* ?eps|solve_ivp|\* ?\(|/ ?n
DPM solver | \bDPM-?Solver | dpm|multistep|unipc
Langevin dynamics | \blangevin | langevin|sgld|\bula\b|mala|sqrt\(2|noise
velocity prediction | \bv-prediction|\bvelocity prediction | v_pred|velocity|v_param|v_target
+ |pred_v|v_t\b|target_v|\bv =
min-SNR weighting | \bmin-?SNR | snr
speculative decoding | \bspeculative decod | specul|draft
repetition penalty | \brepetition penalty | repet|no_repeat
KV cache | \bKV[- ]cach|\bkey[- ]value cach | cache|past|<models>
majority vote | \bmajority vot|\bself-consisten | major|vote|most_common|Counter|bincount|mode\(
+ |consisten
rejection sampling | \brejection sampl | reject|accept
best of n | \bbest-of- | best|rerank|argmax
# recurrent ~
LSTM | \bLSTMs?\b | lstm | nn\.LSTM\w*\(|layers\.LSTM\(
GRU | \bGRUs?\b | gru\b|gru_|_gru|GRU | nn\.GRU\w*\(|layers\.GRU\(
# backbone
ResNet | \bResNet | resnet|res_?net|residual|BasicBlock|Bottleneck|ResBlock|backbone|timm|models\.
+ |<models>
VGG | \bVGG | vgg
DenseNet | \bDenseNet | dense_?net
MobileNet | \bMobileNet | mobile_?net
EfficientNet | \bEfficientNet | efficient_?net
Swin | \bSwin\b | swin
ConvNeXt | \bConvNeXt | conv_?next
U-Net | \bU-?Net\b | u_?net|down_?(?:block|s\b|path|conv|layer|sampl)|skip_?conn|\bskips\b|enc\d
ViT | \bViT\b|\bvision transformer | vit|vision|patch|\bclip\.|(?-i:CLIP)|clip_|dino|timm|<models>
BERT | \bBERT\b | bert|<models>
RoBERTa | \bRoBERTa\b | roberta|<auto>
T5 | \bT5\b | t5|<auto>
GPT-2 | \bGPT-?2\b | gpt|<auto>|tiktoken
# architecture
convolution | \bconvolutional (?:layer|network|neural|encoder|block)|\bCNNs?\b|\bconvolutions?\b
+ | conv|cnn|unfold|<models>|resnet|fft|filter|kernel|stencil
graph network | \bgraph (?:convolution|neural|attention)|\bGCNs?\b|\bGNNs?
+ | gcn|gnn|graph|message|adj|edge|scatter
mixture of experts | \bmixture[- ]of[- ]experts|\bMoE\b | moe|expert|gate|router|mixtral
LoRA | \bLoRA\b|\blow-rank adapt | lora|low_?rank|peft|rank|\bA\b.*\bB\b
adapters | \badapter (?:layer|module|tuning|block)s?\b|\bbottleneck adapters?\b
+ | adapter|down_?proj|bottleneck|houlsby
prompt tuning | \bprompt tuning|\bsoft prompts?\b|\bprefix[- ]tuning | prompt|prefix|soft_
FiLM | \bFiLM\b|\bfeature-wise linear | film|gamma|scale|modulat|beta
skip connections | \b(?:skip|residual) connection | \b(?:x\w*|h\w*|out\w*|hidden\w*|res\w*|identity
+ |\w*input\w*|\w*_in|z|y|u|v|s|tgt|src) \+ |\+ (?:x\w*|h|residual|identity|shortcut|inputs?|skip
+ |res\w*|self\.\w+\()|\+=|cat\(|resid|skip|<models>|concat|shortcut|nn\.Transformer
weight tying | \bweight[- ]tying|\btied? (?:the )?(?:embedding|weights)
+ |\bshares? (?:their |its )?weights|\bweights? are (?:tied|shared) | \.weight = (?:self\.|\w+\.)
+ |\btie|_tie|tied|shar|<models>|attend\(|F\.linear\(|\.weight\.(?:T|t)\b|\.weight\)|embedding\.T
+ |transpose
depthwise convolution | \bdepth-?wise | depth_?wise|groups ?=|\bdw|feature_group|Separable
+ |mobilenet|convnext|efficientnet
dilated convolution | \bdilated conv|\batrous|\bdilation | dilat|atrous
transposed convolution | \btransposed conv|\bdeconv | conv\w*transpose|transpose\w*conv|deconv
squeeze and excitation | \bsqueeze[- ]and[- ]excit|\bsqueeze-excit
+ | squeeze_?(?:and|ex)|excit|\bse_|SE(?:Block|Layer|Module)|efficientnet|senet
pixel shuffle | \bpixel[- ]?(?:un)?shuffl | pixel_?(?:un)?shuffle|rearrange|permute|depth_to_space
patch embedding | \bpatch embed | patch|unfold|timm|vit
class token | \bclass token|\b\[?CLS\]? token | cls|class_|<models>|\[:, 0\]
vector quantisation | \bvector[- ]quanti[sz]|\bcodebook
+ | codebook|\bvq|_vq|vq_|quanti[sz](?!ation_config)|code_?(?:vec|idx|ind|ids)|cdist|argmin
Fourier features | \bfourier features | fourier|sin|cos|fft
state-space model | \bMamba\b|\bstate[- ]space model|\bSSMs?\b | mamba|ssm|state_?space|\bs4|scan
normalising flow | \bnormali[sz]ing flow | flow|log_?det|coupling|nvp
hypernetwork | \bhyper-?network | hyper
# pooling ~
max pooling | \bmax[- ]?pool | max_?pool|amax|\.max\(|<models>|resnet|vgg|pool
+ | nn\.MaxPool\dd\(|F\.max_pool
average pooling | \b(?:average|mean)[- ]pool | avg|average|pool|mean|sum|<models>
+ | nn\.AvgPool\dd\(|F\.avg_pool
# interpolation ~
nearest-neighbour interpolation | \bnearest[- ]neighbou?r (?:interpol|upsampl|resiz)
+ | nearest|upsample\(|repeat|interpolate\((?!.*mode ?= ?['\"](?:bilinear|bicubic|area))|order=0
+ |kron | ['"]nearest['"]
bilinear interpolation | \bbilinear(?:ly)? (?:interpol|upsampl|resiz|downsampl)
+ | bilinear|resize|interpolate\((?!.*mode ?= ?['\"](?:nearest|bicubic|area))|grid_sample|zoom
+ |linear|map_coord | ['"]bilinear['"]|BILINEAR
bicubic interpolation | \bbicubic(?:ally)?\b | bicubic|resize\(|zoom|cubic
+ |interpolate\((?!.*mode ?= ?['\"](?:nearest|bilinear|area)) | ['"]bicubic['"]|BICUBIC
# metric
BLEU | \bBLEU\b | bleu
ROUGE | \bROUGE\b | rouge
METEOR | \bMETEOR\b | meteor
CIDEr | \bCIDEr\b | cider
BERTScore | \bBERTScore\b | bert_?score
perplexity | \bperplexity | perplex|ppl|exp\(
accuracy | \b(?:test |validation |classification |mean |top-1 )?accuracy (?:is|are) (?:reported
+ |measured|computed|evaluated|tracked)|\breport\w* (?:the )?(?:mean |test )?accuracy
+ | (?<!f)acc(?!el|um|ept|ess|ord)|correct|score|match|hit
F1 | \bF1\b | f1|fbeta|precision.*recall|f_score|fscore|dice
AUROC | \bAUROC\b|\bROC[- ]AUC|\barea under the (?:ROC|receiver)|\bAUC\b
+ | \bauc|auc\b|auc_|_auc|roc\b|roc_|_roc|auroc|trapz|trapezoid|mannwhitney
average precision | \baverage precision\b|\b(?-i:mAP)\b | average_prec|\bm?ap\b|ap_|_ap\b|precision
IoU | \bm?IoU\b|\bintersection[- ]over[- ]union|\bjaccard | iou|jaccard|intersection|inter\b|overlap
PSNR | \bPSNR\b | psnr|log10|signal_noise
SSIM | \bSSIM\b|\bstructural similarity | ssim|structural
FID | \bFID\b|\bfr[eé]chet inception | \bfid|fid\b|_fid|frechet|sqrtm|inception
KID | \bKID\b|\bkernel inception | \bkid|kernel_inc|polynomial_kernel|poly|mmd
FVD | \bFVD\b|\bfr[eé]chet video | fvd|i3d|frechet|sqrtm
inception score | \binception score | inception|\bis_(?:score|mean|std)|_is\b|isc\b
CLIP score | \bCLIP[- ]?score | clip
WER | \bWER\b|\bword error rate | wer\b|wer_|edit_?dist|levenshtein|jiwer
exact match | \bexact[- ]match | exact|\bem\b|em_|==|match
RMSE | \bRMSE\b|(?<!normalized )(?<!normalised )\broot[- ]mean[- ]squared? error
+ | rmse|sqrt|rms|\*\* ?0\.5
R squared | \bR\^?2\b|\bR²|\bcoefficient of determination | r2|r_?squared|ss_res|determin|score\(
+ |rsq
rank correlation | \bspearman|\bkendall | spearman|kendall|rankdata|argsort|corr
Pearson correlation | (?<!neyman-)(?<!clopper-)\bpearson(?:'s)? (?:r\b|corr|coef)
+ |\bpearson\b(?= and spearman) | pearson|corr|cov\(
mutual information score | \bNMI\b|\bnormali[sz]ed mutual | nmi|mutual
adjusted Rand index | \badjusted rand\b | adjusted_?rand|\bari\b
reciprocal rank | \bMRR\b|\bmean reciprocal rank | mrr|reciprocal|1(?:\.0)? ?/
recall at k | \brecall@|\bhits?@ | recall|hit|top_?k|r_at|r@
NDCG | \bNDCG\b | dcg
calibration error | \bexpected calibration error|\bECE\b | ece|calib|bin
Brier score | \bbrier | brier|\*\* ?2
CRPS | \bCRPS\b|\bcontinuous ranked | crps
pass at k | \bpass@ | pass|comb\(
MMD | \bMMD\b|\bmaximum mean discrep | mmd|kernel
CKA | \bCKA\b|\bcentered kernel | cka|hsic
confusion matrix | \bconfusion matri | confus|bincount|crosstab
FLOPs | \bFLOPs?\b | flop|macs\b|thop|fvcore
peak memory | \bpeak (?:GPU )?memory | mem
# protocol
cross-validation | \bcross[- ]validation\b|\b\w+-fold\b | fold|cross_val|leaveone|_cv|cv\b
bootstrap interval | \bbootstrap(?:ped|ping)? (?:confidence|resampl|interval|CI)
+ | boot|resampl|choice\(|randint
confidence interval | \bconfidence interval | 1\.96|conf(?!ig)|\bci\b|ci_|_ci|percentile|quantile
+ |sem\b|interval|stderr|std_?err|\.ppf|z_score|\bstd|multipl|bounds?\b
significance test | \bt-test|\bwilcoxon|\bmann-whitney|\bpermutation test
+ |\bstatistical significance | ttest|wilcoxon|mannwhitney|t_test|stats\.|permut|p_?val
stratified split | \bstratif | strat|per_class|class
leave-one-out | \bleave-one-out | leave|\bloo\b|rloo|loo_|_loo|/ ?\(\w+ - 1|!= [ij]\b|delete\(
grid search | \bgrid[- ]search | grid|product\(|sweep|for
random search | \brandom search | search|trial|sweep|sample
several seeds | \b(?:over|across|for|on|with (?!different|other
+ |distinct)) ?(?:\w+ )?(?:\w+ )?seeds\b|\b\w+ (?:random )?seeds are | seeds|\b(?:seed|run\w*|trial
+ |rep\w*|sim\w*|exp\w*)\b in\b|for \w*(?:seed|run|trial|rep|sim)\w*.* in |n_?(?:run|seed|trial|rep
+ |sim|exp)\w*|num_?(?:run|seed|trial|rep|sim|exp)\w*|seed\w*\)? ?\+ ?(?:i|r|k|s|t|run|trial|rep
+ |idx|n)\b|runs\b|trials|repeat(?:s|_)|default_rng\((?:i|r|s|t|trial|run)\)
min-max scaling | \bmin-max (?:scal|normal) | min|max
one-hot | \bone-hot | one_?hot|eye\(|dummies|scatter|==|identity
t-SNE | \bt-?SNE\b | tsne
UMAP | \bUMAP\b | umap
# tokeniser ~
BPE | \bBPE\b|\bbyte[- ]pair | bpe|tiktoken|gpt|bytelevel|<auto>|merges|clip
WordPiece | \bWordPiece | word_?piece|bert|<auto>
SentencePiece | \bSentencePiece | sentence_?piece|spm|unigram|t5|<auto>|tokenizer
character tokens | \bcharacter-level | char|ord\(|stoi|set\(
# linear algebra
Cholesky decomposition | \bcholesky | chol|cho_
SVD | \bSVD\b|\bsingular value decomp | svd|eigh|singular|low_?rank
PCA | \bPCA\b|\bprincipal component | pca|svd|eigh|principal
eigendecomposition | \beigen-?decomp | eig|diag|rank|svd|spectr|power|lobpcg
conjugate gradient | \bconjugate grad | conjugate|\bcg\b|cg_|_cg
power iteration | \bpower (?:iteration|method) | power|\w @ \w|matmul|\.dot\(|mv\b|spectral_norm|eig
QR decomposition | \bQR[- ](?:decomp|factori) | qr\b|qr_|orth|gram
pseudo-inverse | \bpseudo-?inverse | pinv|lstsq|inv\(|solve
Newton-Schulz | \bNewton-?Schulz | newton|schulz|zeropower
Hessian | \bHessian\b | hess|hvp|autograd|jvp|vjp|second|curv|grad
Fisher information | \bfisher information | fisher|fim|grad
finite differences | \bfinite[- ]difference | diff|fd_|_fd|/ ?\(?2|eps|\bh\b|gradient|dx
Fourier transform | \bFourier transform|\bFFT\b | fft|dft|fourier|stft|exp\(
# probability
MCMC | \bMCMC\b|\bmetropolis | metropolis|mcmc|accept|hmc|nuts|gibbs|langevin|emcee
Hamiltonian Monte Carlo | \bhamiltonian monte|\bHMC\b | hmc|hamilton|leapfrog|nuts
Gibbs sampling | \bgibbs sampl | gibbs
Dirichlet | \bdirichlet\b(?! (?:boundar|condition)) | dirichlet|exponential|gamma\(
Bernoulli | \bbernoulli\b | bernoulli|binomial|rand\w*\(.*<|< ?\S*rand|random\(\)|choice|bce|rand
Poisson | \bpoisson (?:distribut|process|noise|arriv|rate|regress|log)|\bpoisson\b(?= random)
+ | poisson
beta distribution | \bbeta distribution | beta
Laplace noise | \blaplac(?:e|ian) (?:noise|distribution|mechanism|prior) | laplac|abs
Student's t | \bstudent'?s?[- ]t\b | student|standard_t|t_dist|stats\.t\b|chi2
Sobol sequence | \bsobol | sobol|qmc
Halton sequence | \bhalton | halton|qmc
Latin hypercube | \blatin hyper | lhs|latin
Gaussian process | \bgaussian process | gaussian_?process|\bgp\b|gpytorch|\bgp_|_gp\b|gpr\b|kernel
+ |rbf|matern|chol
kernel density estimate | \bkernel density | kde|density|parzen
RBF kernel | \bRBF\b|\bgaussian kernel | rbf|exp\(
k-means | \bk-?means | k_?means|cluster|centroid
nearest neighbours | \bk-?NN\b|\bnearest[- ]neighbou?r classif|\bk-nearest
+ | knn|neighbo|cdist|top_?k|argsort|argpart|kdtree|faiss|argmin
random forest | \brandom forest | forest
gradient boosting | \bXGBoost\b|\bgradient[- ]boost|\bLightGBM\b|\bCatBoost\b
+ | boost|lgb|lightgbm|gbm
logistic regression | \blogistic regression | logistic|logreg|sigmoid|bce|linear|log_loss
support vector machine | \bSVMs?\b|\bsupport vector | svm|svc|hinge
Kalman filter | \bkalman | kalman|\bekf|ukf|enkf
expectation-maximisation | \bexpectation[- ]maximi[sz]ation | e_step|m_step|\bem_|_em\b|EM\b
+ |respons|mixture
isotonic regression | \bisotonic | isotonic
temperature scaling | \btemperature scaling | temp
assignment | \bhungarian|\bbipartite matching|\boptimal assignment
+ | linear_sum_assignment|hungarian|lap|assignment|sinkhorn
Sinkhorn | \bsinkhorn | sinkhorn|\bot\.|logsumexp
dynamic time warping | \bdynamic time warping|\bDTW\b | dtw|warp
ARIMA | \bARIMA\b | arima
# other
sign | \bsigns? (?:of (?:the|its|each|their)|function|update)|\bsgn\b|\bsign\(|\bsign-?SGD
+ |\bsigned (?:gradient|update) | sign_?\b|\bsgn|signum|copysign|heaviside|[<>]=?\s*0\b
"""
