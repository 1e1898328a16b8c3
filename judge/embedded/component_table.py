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
    "chosen": (
        r"""create_model\(\s*(?!['"])|models\.__dict__|getattr\(\s*(?:torchvision\.)?models"""
        r"|get_model\(|encoder_name|backbone_name|AutoModelForImage|AutoBackbone|smp\."
    ),
    "loaded": r"""(?:evaluate|metrics?)\.load\(\s*(?!['"])|load_metric\(\s*(?!['"])""",
}
"""What stands for many components at once: `<name>` in the table.

Models that come with them: any ready-made one, any such but GPT-2, the families of language models
whose parts are known, any model or tokeniser that is given by name; trainers that do more than they
say; a vision model and a metric that a setting chooses.
"""

# `#` and a group, with `~` where any of it that stands in code takes the place of another. Then by
# line: a name, with `!` where only another of the group proves that it is absent, with `=` where
# code hardly does it without its name; what a claim says; what code holds that may do it, written
# out too; what code does it by without doubt. `+` goes on a line.
TABLE = r"""
# activation ~
GELU | \bGELUs?\b|\bgaussian error linear | gelu|erf\(|0\.044715|<models>|\bgpt-?2|getattr\(\s*(?:nn
+ |F|torch\.nn|jax\.nn)\b|ACT2FN|get_activation|1\.702|ndtr|norm\w*\.cdf|tanh\(.*\+ | nn\.GELU\b
+ |\bgelu\(|['"]gelu['"]|nn\.gelu\b
ReLU | (?<!leaky )(?<!squared )(?<!leaky-)\bReLUs?\b|(?<!leaky )\brectified linear unit | relu
+ |clamp_?\(\s*(?:\w+, )?(?:min ?= ?)?0(?:\.0)?\)|maximum\(\s*0|maximum\(\w+, 0(?:\.0)?\)
+ |\bmax\(0(?:\.0)?,|MLP(?:Classifier|Regressor)|nn\.Transformer|\* \(\w+ > 0|<others>|resnet|vgg
+ |getattr\(\s*(?:nn|F|torch\.nn|jax\.nn)\b|ACT2FN|get_activation|where\(\w+ > 0|if \w+ > 0 else
+ |clip\(.*, ?0|\.clip\(0|maximum\(.*, ?0(?:\.0)?\)|threshold\(|Classifier | nn\.ReLU\b|F\.relu\(
+ |nn\.relu\b|['"]relu['"]|torch\.relu\(
leaky ReLU | \bleaky[- ]?ReLU | leaky|negative_slope|prelu|rrelu|getattr\(\s*(?:nn|F|torch\.nn
+ |jax\.nn)\b|ACT2FN|get_activation|where\(\w+ > 0|maximum\(.*\* ?\w+\)|\bmax\(0\.\d|maximum\(0\.\d
+ | leaky_?relu
SiLU or Swish | \bSiLU\b|\bSwish\b | silu|swish|(\w+)\s*\*\s*(?:\w+\.)*sigmoid\(\s*\1\b
+ |sigmoid\(\s*(\w+)\s*\)\s*\*\s*\2\b|swi_?glu|<llama>|efficientnet|unet|diffusers|getattr\(\s*(?:nn
+ |F|torch\.nn|jax\.nn)\b|ACT2FN|get_activation|\* ?\S*sigmoid\(|sigmoid\(.*\) ?\*
+ |/ ?\(1(?:\.0)? ?\+ ?\S*exp\(- | nn\.SiLU\b|F\.silu\(|nn\.silu\b|['"](?:silu|swish)['"]
+ |nn\.swish\b
SwiGLU | \bSwi-?GLU\b | swi_?glu|(?:silu|swish|act\w*|sigmoid)\(.*\*|\*.*(?:silu|swish|act\w*
+ |sigmoid)\(|gate|(?<!ge)(?<!re)glu\b|<llama>|dinov?2|chunk\(2
+ |^ *\w+, *\w+ *=.{0,80}split\(.{0,40}dim | swi_?glu
GEGLU | \bGE-?GLU\b | ge_?glu|gelu\(.*\*|\*.*gelu\(|(?<!swi)glu\b|gemma|t5|diffusers|chunk\(2|gate
+ | ge_?glu
gated linear unit | \bgated linear unit|\bGLUs?\b | glu|sigmoid|gate|chunk\(2 | F\.glu\(|nn\.GLU\b
tanh | \btanh\b|\bhyperbolic tangent | tanh|squash|nn\.LSTM|nn\.GRU|nn\.RNN|getattr\(\s*(?:nn|F
+ |torch\.nn|jax\.nn)\b|ACT2FN|get_activation|sinh|exp\(-? ?2 | nn\.Tanh\b|['"]tanh['"]
+ |torch\.tanh\(|nn\.tanh\b
ELU | \bELUs?\b | (?<![rgsc])elu\b|getattr\(\s*(?:nn|F|torch\.nn|jax\.nn)\b|ACT2FN|get_activation
+ |expm1|where\(.*exp\(|exp\(.*\) ?- ?1 | nn\.ELU\b|F\.elu\(|nn\.elu\b|['"]elu['"]
SELU | \bSELUs?\b | selu|getattr\(\s*(?:nn|F|torch\.nn|jax\.nn)\b|ACT2FN|get_activation|1\.0507
+ |1\.67
softplus | \bsoftplus\b | softplus|log1p|logaddexp|log\(1(?:\.0)? \+|logsigmoid|log\(1(?:\.0)? ?\+
+ |log\(.*exp\( | softplus\(
Mish | \bMish\b | mish|getattr\(\s*(?:nn|F|torch\.nn|jax\.nn)\b|ACT2FN|get_activation
+ |tanh\(.*(?:softplus|log1p|log\() | nn\.Mish\b|F\.mish\(
Hard-Swish | \bhard-?swish | hard_?swish|mobilenet|relu6|\+ ?3(?:\.0)?\b.*/ ?6|/ ?6(?:\.0)?\b
squared ReLU | \bsquared ReLU|\bReLU squared|\bReLU(?:\^2|²) | relu.*(?:\*\* ?2|square|pow)
+ |square\(.*relu|relu2|relu_sq|(?:clamp|maximum)\(.*(?:\*\* ?2|square|pow)|square\(
+ |\b(?P<a>\w+) \* (?P=a)\b
sine activation | \bsine activation|\bSIREN\b | sin\(|siren|\.sin\b|sin_\(
# position ~
rotary embedding | \bRoPE\b|\brotary | rope\b|rope_|_rope|apply_rope|rotary|rotate_half|freqs
+ |inv_freq|polar\(|rotate|cos\w*\b.*sin|<llama>|vit_\w*rope|flux|\.cos\(\)|(?:torch|jnp|np
+ |mx)\.cos\b|outer\(|complex|base \*\*|theta \*\*|10_?000 | rotary|rotate_half|apply_rope
sinusoidal positions | \bsinusoidal position|\bsinusoidal(?: \w+)? (?:embed|encod)
+ |\bsine[- ]cosine position | \bsin\(|\.sin\b|sinus|\bsin_|<others>|10_?000|outer\(|complex
+ | sinusoid\w*_?pos|pe\[:, 0::2\]|PositionalEncoding\(
learned positions | \b(?:learn(?:ed|able|t)|trainable)(?: absolute)? position | \bpos(?!terior|itive
+ |sible|t)|_pos(?!terior|itive|sible|t)|position|wpe|nn\.Embedding\(|nn\.Embed\(|<models>|\bgpt-?2
+ |Parameter\(.*(?:zeros|randn|empty)\(\s*1,\s | \b(?:wpe
+ |(?:self\.)?pos\w*emb\w*)\s*[=:]\s*nn\.(?:Parameter|Embedding)\(|\bwpe\s*=\s*nn\.Embedding
ALiBi | \bALiBi\b | alibi|slopes?\b|bloom|distance|- ?(?:torch|np|jnp)\.arange|2 ?\*\* ?\(?-
+ |None\] ?- ?.*None | alibi
relative positions | \brelative position(?:al)? (?:bias|embed|encod) | relative|rel_|_rel|bucket
+ |swin|t5\b|alibi|rope|rotary|bias_table|<others>|offset|distance|None\] ?- ?.*None
+ | relative_position|rel_pos
# attention
grouped queries | \bgrouped[- ]query|\bGQA\b|\bkey and value heads are shared (?:by|among|across)
+ | kv_?head|num_key_value|gqa|n_?kv|(?:n|num|kv|query|q|head)_groups|groups?_size|repeat_kv
+ |repeat_interleave|<llama>|n_?rep\b|kv_|_kv\b|key_heads|kvh|expand\(
multi-query attention | \bmulti-query (?:attention|heads?)|\bMQA\b | kv_?head|mqa|multi_?query
+ |num_key_value|<llama>|kv_|_kv\b|expand\(|head_dim\)
cross-attention | \bcross[- ]attention\b|\bcross-attend | cross(?!_?ent)|context|memory
+ |encoder_hidden|MultiheadAttention|TransformerDecoder|\bkv\b|<models>|attn\w*\(\w+, \w+|cond
+ |attend|quer
linear attention | \blinear attention\b | linear_?att|elu|phi|kernel|feature_map|performer|linformer
+ |einsum|\bkv\b|cumsum|relu|\.(?:T|t\(\)|mT) ?@ ?\S*v
sliding window | \bsliding[- ]window attention|\bwindowed attention|\blocal attention | window
+ |local_att|\blocal\b|band|swin|<llama>|neighbou?rhood|diagonal|triu|tril|abs\(.*-
+ |None\] ?- ?.*None
causal mask | \bcausal (?:mask|self-?attention|attention)|\bcausally masked | causal|tril|triu
+ |subsequent|att\w*_mask|src_mask|tgt_mask|masked_fill|gpt|<llama>|<models>|<=|>=|\bmask|-inf
+ |arange
query-key norm | \bQK[- ]?norm|\bquer(?:y
+ |ies) and keys? (?:vectors )?(?:are )?(?:\w+-)?normali[sz]ed | q_?norm|k_?norm|qk|F\.normalize
+ |normalize\(\s*[qk]|norm\w*\(\s*(?:self\.)?[qk]|norm_[qk]|norm\w*\((?:self\.)?\w*(?:quer|key)
+ |(?:quer\w*|keys?|\bq\w?|\bk\w?) ?= ?.*norm|(?:quer\w*|keys?|\bq|\bk) / \S*norm|l2norm
multi-head attention | \bmulti-?head(?:ed)? (?:self-?)?attention | heads?\b|n_?head
+ |MultiheadAttention|<models>|attention|attn|rearrange|qkv
# norm ~
layer normalisation | \blayer[- ]?norm(?:ali[sz]ation)?\b|\bLayerNorm\b | layer_?norm|\bln\w*\b
+ |nn\.Transformer|\.var\(|\.std\(|<models>|\bgpt-?2|norm_layer|standardi[sz]|moments\(
+ |- ?\w*(?:mean|mu)\b.*(?:/|rsqrt) | \b(?:nn\.)?LayerNorm\(|F\.layer_norm\(
RMSNorm | \bRMS[- ]?norm|\broot[- ]mean[- ]square (?:layer )?norm | (?<![a-z])rms(?!_?prop)
+ |rms_?norm|rsqrt|pow\(2\)\.mean|square\(.*mean|mean\(.*\*\* ?2|<llama>|F\.normalize|norm_layer
+ |norm_type|sqrt\(.*mean|mean\(.*sqrt|\*\* ?-0?\.5|mean_sq|/ ?\S*norm\(|square\(
+ | (?:nn\.)?RMSNorm\(
batch normalisation | \bbatch[- ]?norm(?:ali[sz]ation)?\b|\bBatchNorm | batch_?norm|\bbn\d?\b|_bn
+ |bn_|resnet_?-?\d|vgg_?\d|mobilenet|efficientnet|densenet_?\d|<others>|SyncBN|\.var\(|\.std\(
+ |norm_layer|norm_type|running_(?:mean|var)|moments\(|standardi[sz] | (?:nn\.)?BatchNorm\w*\(
group normalisation | \bgroup[- ]?norm(?:ali[sz]ation)?\b | group_?norm|\bgn\d?\b|diffusers
+ |norm_groups|num_groups|instance_?norm|\.var\(|\.std\(|norm_layer|norm_type|reshape\(.*group
+ |view\(.*group | (?:nn\.)?GroupNorm\(
instance normalisation | \binstance[- ]?norm(?:ali[sz]ation)?\b | instance_?norm|adain|group_?norm
+ |\.std\(|\.var\(|\.std\(|norm_layer|norm_type|mean\(.*[(\[]2, ?3[)\]]|standardi[sz]
+ | (?:nn\.)?InstanceNorm\w*\(
# norm place ~
post-norm ! | \bpost-?(?:layer ?)?norm
+ |\bnorm\w* (?:is )?(?:applied |placed |comes |stands )?(?:after|behind) (?:each|every
+ |the) (?:sub-?layer|residual|attention|block)|\bsub-?layer is followed by (?:its|a|layer) norm
+ | norm\w*\(\s*\w+\s*\+|(?:norm|ln)\w*\(.*\+.*\(|post_?(?:ln|norm)|norm_first|nn\.Transformer
+ |TransformerEncoderLayer|TransformerDecoderLayer|^ *(\w+) = (?:self\.)?(?:\w*norm_?\d
+ |ln_?\d)\(\1\)|<others>|^ *(?P<a>\w+) = (?:self\.)?(?:\w*(?:att\w*|mlp|ffn?)_(?:norm|ln)|(?:norm
+ |ln)_(?:att|mlp|ff))\w*\((?P=a)\) | (?:norm|ln)\w*\(\s*\w+\s*\+\s*(?:self\.)?\w+
pre-norm ! | \bpre-?(?:layer ?)?norm(?!\w*ed? (?:data|input))
+ |\bnorm\w* (?:is )?(?:applied |placed |comes |stands )?before (?:each|every|the) (?:sub-?layer
+ |attention (?:and|layer|module)|block) | \+ .*\(\s*(?:self\.)?\w*(?:norm|ln)\w*\(|pre_?(?:ln|norm)
+ |norm_first|^ *(\w+) = (?:self\.)?(?:\w*norm_?\d|ln_?\d)\(\w+\)|<models>|\bgpt-?2
+ |^ *\w+ = (?:self\.)?(?:\w*(?:att\w*|mlp|ffn?)_(?:norm|ln)|(?:norm|ln)_(?:att|mlp|ff))\w*\(\w+\)
+ |(?:att\w*|mlp|ffn?)\(\s*(?:self\.)?\w*(?:norm|ln)\w*\(
+ | \b(\w+) = \1 \+ .*\(\s*(?:self\.)?\w*(?:norm_?|ln_?)\d\w*\(|norm_first\s*=\s*True
# other norms
spectral normalisation | \bspectral norm(?:ali[sz]ation|ali[sz]ed) | spectral|svd|sigma|power_?iter
+ |matrix_norm|norm\(.*\b2\)
weight normalisation | \bweight norm(?:ali[sz]ation)\b | weight_?norm|normali[sz]e|parametriz|norm\(
adaptive layer norm | \badaptive layer[- ]?norm|\badaLN\b|\bAdaIN\b|\badaptive instance norm
+ | ada_?ln|adaptive|modulat|shift|adain|film|ada_?norm|<models>|scale|gamma|chunk\(
# regularisation
dropout | (?<!condition )(?<!conditioning )(?<!prompt )(?<!text )(?<!label )(?<!class )(?<!token )(?
+ <!caption )(?<!guidance )\bdropout\b | dropout|drop_?(?:rate|prob|p\b|path)|\bdrop\b|p_drop|pdrop
+ |<models>|\bgpt-?2|bernoulli|lora_|keep_?(?:prob|rate)|rand\w*\(.*[<>]
drop path | \bdrop[- ]?path\b|\bstochastic depth\b | drop_?path|stochastic_?depth|timm|swin|survival
+ |keep_?(?:prob|rate)|bernoulli|rand\w*\(.*[<>]|layer_?drop|skip_prob|droppath
label smoothing | \blabel[- ]smooth | smooth|1(?:\.0)? ?- ?(?:self\.|args\.)?(?:eps|alpha|ls)
+ |/ ?\(?(?:self\.)?(?:num|n)_?(?:class|label|vocab)|soft_?(?:target|label)|full_like
+ |one_hot\(.*\) ?\*|1(?:\.0)? ?- ?0?\.[01]
weight decay | \bweight[- ]decay\b(?! (?:of|is|set to) 0\b)|\bL2 (?:regulari[sz]ation|penalty)
+ | weight_?decay|\bwd\b|decay(?!_rate|_factor)|adamw|l2|regulari|\breg\b|_reg\b|weight_reg|ridge
+ |mul_\(\s*1(?:\.0)? ?-|penalt|shrink|\bp\w*\.(?:pow|norm|square)\(|\b[pw]\w* ?\*\* ?2
+ |LogisticRegression|LinearSVC|MLPClassifier|MLPRegressor|square\(.*\b(?:w|p|param|weight)\w*\b
gradient penalty | \bgradient[- ]penalty|\bWGAN-GP\b|\bR1 (?:penalty|regulari) | penalt|\bgp\b|gp_
+ |_gp|autograd\.grad|\br1|create_graph|jacob|jax\.grad|\.grad\b.*norm|vjp|GradientTape|lipschitz
entropy bonus | \bentropy[- ](?:bonus|regulari[sz]|coefficient)
+ | (?<!cross_)(?<!cross)(?<!binary_)entrop|_ent\b|\bent_?(?:coef|w|bonus|loss|reg)|SAC\(|A2C\(
+ |alpha \* \w*log_?p|stable_baselines|prob\w* ?\* ?\S*log|log\w* ?\* ?\S*prob|\* ?\S*log\(
+ |log\w*\(?\)? ?\*|PPO\(
KL penalty | \bKL[- ](?:penalty|regulari[sz]|coefficient) | \bkl\b|kl_|_kl|kl_div|ref_?log
+ |log_?ratio|logvar|DPO|trl\b|ref\b|_ref|reference|beta|log\w* -\s|log\(.*/|log\w*\([^()\n]*\) ?- ?
early stopping | \bearly[- ]stop | early|patience|best_|stop|wait|\bbreak\b|since|lowest|improv
+ |min_delta|stall|bad_epoch|converg|\btol\b|\bmin\(
L1 penalty | \bL1[- ](?:penalty|regulari[sz])|\blasso\b | abs|l1|lasso|norm\(.*1|sign\(|soft_?thres
+ |l_1
elastic weight consolidation | \belastic weight | ewc|fisher|elastic|importance|omega|anchor
+ |consolid|\(\w+ ?- ?\w*(?:old|star|prev)\w*\)
# augmentation
mixup | \bmix-?up\b | mix_?up|\bbeta\(|\.beta\(|mixed|lam\b|blend|mix|\w+ \* \S+ \+ \(1(?:\.0)? ?-
+ |interpolat
CutMix | \bcutmix\b | cutmix|bbox|cut_|\w ?: ?\w+, ?\w+ ?: ?\w+\] ?=|box|paste
RandAugment = | \bRand-?Augment | rand_?aug|rand-m|autoaugment|auto_augment|magnitude|num_ops
+ |(?:choice|choices|sample)\(.*(?:ops|aug|transform)|\baa ?=|create_transform
AutoAugment = | \bAuto-?Augment | auto_?aug|sub_?polic|rand-m|\baa ?=|create_transform
TrivialAugment = | \bTrivial-?Augment | trivial|magnitude|(?:choice|choices|sample)\(.*(?:ops|aug
+ |transform)
random erasing | \brandom(?:ly)? eras|\bcutout\b | cutout|eras|hole|mask|\] ?= ?0|zero_\(|re_?prob
+ |\w ?: ?\w+, ?\w+ ?: ?\w+\] ?=
flip | \b(?:horizontal|random|vertical|left-right|mirror)(?:ly)? flip|\bflipped (?:horizontally|left
+ |at random|randomly) | flip|\[::-1\]|fliplr|::-1|mirror|reverse|-1, -1\)
crop | \b(?:random|center|centre|resized)(?:ly)? crop | crop|narrow|\w+ ?: ?\w+ ?\+ ?\w+|randint\(
+ |unfold
colour jitter | \bcolou?r[- ]jitter|\bjitter\w* (?:of |in )?(?:colou?r|brightness) | jitter
+ |brightness|hue\b|saturation|contrast|enhance|hsv|\bgain|gamma|uniform\(
Gaussian blur | \bgaussian blur|\bblurr?ed\b | blur|gaussian_filter|conv2d|smooth|kernel|convolve
grey-scale | \bgr[ae]y-?scale | gr[ae]y|convert\(['"]L|mean\(|MNIST|0\.299|0\.2989|0\.2126|0\.2125
+ |rgb2|luma|luminance|in_chan\w* ?= ?1\b
random rotation | \brandom(?:ly)? rotat | rot|affine|cos\(|warp
time or frequency masking | \bSpecAugment | spec_?aug|mask|\] ?= ?0|zero_\(
back-translation | \bback-?translat | back_?transl|marian|opus-mt|nllb|m2m|translat
solarise | \bsolari[sz] | solari|invert|255 ?-|1(?:\.0)? ?- ?(?:x|img|image)
# initialisation ~
Xavier initialisation | \bxavier\b|\bglorot\b | xavier|glorot|fan_in|fan_out|keras|Dense\(|sqrt\(6
+ |variance_scaling|nn\.Transformer|MultiheadAttention|sqrt\(\s*6|sqrt\(2(?:\.0)? ?/|(?:rand|uniform
+ |normal|init|std|bound|scale)\w*\b.*(?:sqrt\(|\*\* ?-0?\.5)|\bbound|stdv|uniform_?\(.*- | xavier_
+ |glorot
He initialisation ! | \bkaiming\b|\bHe[- ](?:normal|uniform|init) | kaiming|\bhe_|fan_in|fan_out
+ |sqrt\(2|variance_scaling|resnet|sqrt\(\s*6|(?:rand|uniform|normal|init|std|bound
+ |scale)\w*\b.*(?:sqrt\(|\*\* ?-0?\.5)|\bbound|stdv | kaiming_|\bhe_(?:normal|uniform)
orthogonal initialisation | \borthogonal(?:ly)? init | orthogonal|qr\(|svd|ortho|layer_init
+ |stable_baselines|PPO\(|A2C\(|\borth\b | orthogonal_\(|initializers\.orthogonal
truncated normal | \btruncated[- ]normal | trunc|clamp|clip|<models>|erfinv|resampl|lecun|keras|flax
+ |haiku|hk\. | trunc_normal_|truncated_normal
# zero initialisation
zero initialisation | \bzero[- ]init|\binitiali[sz]ed (?:to|at|with|as) zeros? | zeros?_\(
+ |constant_\(.*0|fill_\(0|zero_?init|zeros|zero_?module|std ?= ?0|lora|peft|gain ?= ?0|\* ?0|zero
+ |fill\(|full\(.*0
# optimiser ~
Adam | \bAdamW?\b|\bdecoupled weight decay | adam|exp_avg|PPO\(|SAC\(|<trainer>|m_hat
+ |create_optimizer|addcmul|first_mom|second_mom|moments\b|\bbetas\b|beta_?2\b|v_hat
+ |getattr\(\s*(?:torch\.)?optim|optim_factory|create_optimizer|getattr\(optax|\bb_?1\b|\bb_?2\b
+ |bias_corr|\bnu\b|[mv]_t\b|1(?:\.0)? ?- ?(?:self\.)?b(?:eta)?_?[12]|\.compile\(|MLPClassifier
+ |MLPRegressor|\b(?P<a>[mv]) = \S+ \* (?P=a) \+|0?\.999\b | optim\.AdamW?\(|optax\.adamw?\(
+ |optimizers\.AdamW?\(
SGD | \bSGD\b|\bstochastic gradient descent | sgd|-= ?.*(?:lr|eta|alpha|learning_rate|step)|(?:lr
+ |eta|alpha|gamma|learning_rate|step_?size|step)\w* ?\* ?\S*(?:grad|\bg\b)|(?:grad
+ |\bg\b)\S* ?\* ?\S*(?:lr|eta|alpha|learning|step)|getattr\(.*optim|- ?(?:self\.)?(?:lr|eta|alpha
+ |learning_rate|step_size) ?\*|create_optimizer|grad\S*, alpha ?=|-=|sub_\(|alpha ?= ?-
+ |apply_updates|tree_map|\.compile\(|SGDClassifier | optim\.SGD\(|optax\.sgd\(|optimizers\.SGD\(
RMSprop | \brmsprop | rmsprop|square_avg|getattr\(\s*(?:torch\.)?optim|optim_factory
+ |create_optimizer|getattr\(optax|sqrt\(.*eps|avg_sq|mean_sq|\bcache\b|\bms\b|\.compile\(
+ | RMSprop\(
Adagrad | \badagrad\b | adagrad|G \+=|sqrt|getattr\(\s*(?:torch\.)?optim|optim_factory
+ |create_optimizer|getattr\(optax|\.compile\(|grad\w* ?\*\* ?2 | Adagrad\(
Adadelta | \badadelta\b | adadelta|getattr\(\s*(?:torch\.)?optim|optim_factory|create_optimizer
+ |getattr\(optax|delta|\brho\b | Adadelta\(
LAMB = | \bLAMB\b | \blamb\b|lamb_|FusedLAMB|getattr\(\s*(?:torch\.)?optim|optim_factory
+ |create_optimizer|getattr\(optax|trust_?ratio|layer_?wise
Lion = | \bLion\b | \blion|sign\(|getattr\(\s*(?:torch\.)?optim|optim_factory|create_optimizer
+ |getattr\(optax | \bLion\(
Adafactor = | \badafactor\b | adafactor|getattr\(\s*(?:torch\.)?optim|optim_factory|create_optimizer
+ |getattr\(optax|factored|row_|_row|col_|_col | Adafactor\(
L-BFGS = | \bL-?BFGS | bfgs|minimize\(|LogisticRegression|getattr\(\s*(?:torch\.)?optim
+ |optim_factory|create_optimizer|getattr\(optax|quasi|two_loop|s_list|MLPClassifier|MLPRegressor
+ |GaussianProcess|curvature_pair | LBFGS\(
Muon = | \bMuon\b | muon|newton_?schulz|zeropower|getattr\(\s*(?:torch\.)?optim|optim_factory
+ |create_optimizer|getattr\(optax|svd|ortho|polar|matrix_sign | \bMuon\(
Shampoo = | \bShampoo\b | shampoo|precondition|getattr\(\s*(?:torch\.)?optim|optim_factory
+ |create_optimizer|getattr\(optax|kron|matrix_power|inv\w*_root|eigh|soap
Sophia = | \bSophia\b | sophia|hessian|getattr\(\s*(?:torch\.)?optim|optim_factory|create_optimizer
+ |getattr\(optax|hutchinson|gnb|gauss_newton
RAdam = | \bRAdam\b | radam|rectified|getattr\(\s*(?:torch\.)?optim|optim_factory|create_optimizer
+ |getattr\(optax|rho_(?:inf|t)\b
NAdam = | \bNAdam\b | nadam|getattr\(\s*(?:torch\.)?optim|optim_factory|create_optimizer
+ |getattr\(optax|nesterov|m_bar
# parts of optimisers
momentum | \bmomentum (?:of|coefficient|term|parameter)|\bwith momentum\b|\bSGD momentum | momentum
+ |\bmom\b|velocity|heavy|nesterov|\bmu\b|\bbuf|betas?\b|\bb1\b|beta_?1|moment|0\.9\b|exp_avg|adam
+ |lion|ewma|\bema
Nesterov momentum | \bnesterov | nesterov(?!\w*['"]?\s*[=:]\s*False)|look_?ahead|(?:momentum|\bmu
+ |beta\w*) \* .*(?:momentum|\bmu|beta\w*) \*|\+ ?(?:self\.)?(?:mu|momentum|beta\w*) ?\* ?(?:v|vel
+ |buf)|nadam
AMSGrad | \bamsgrad | amsgrad(?!\w*['"]?\s*[=:]\s*False)|max\w*\(.*(?:v|sq|hat)|v_?max|vhat
sharpness-aware minimisation | \bsharpness-aware | sam\b|sharp|perturb|rho\b|ascent|e_w|climb
+ |first_step|adversarial_weight|neighbou?rhood
EMA of the weights | \b(?:exponential(?:ly)? moving average|EMA)\b.{0,25}(?:weights|parameters|model
+ |network)\b | \bema\b|_ema\b|\bema_|(?-i:Ema\b|EMA)|moving_av|average|lerp|polyak|\btau\b|shadow
+ |\bswa|(?:decay|momentum|beta|mu|alpha|m) \* .*\+ \(1|mul_\(\s*(?:self\.)?\w*(?:decay|ema|beta|mu
+ |mom|alpha|tau|m\b)|momentum_enc|incremental_update|mul_\(.*\)\.add_\(|copy_\(.*\*|\* ?0?\.99
+ |0?\.99\d*\b|slow|teacher|target_(?:net|model|q|param|enc)|1(?:\.0)? ?- ?(?:self\.
+ |args\.)?(?:decay|tau|m\b|mu|alpha|beta|rate|momentum|gamma)
stochastic weight averaging | \bstochastic weight averag|\bSWA\b | swa|averag|mean
gradient clipping | \bgradients?(?: norms?)? (?:are |is |are always )?(?:globally )?clip
+ |\bclip\w* (?:the |all )?gradient|\bclipped at (?:a )?(?:global )?norm | clip_?grad|grad\w*_?clip
+ |clip_by|max_?grad|grad_?norm|clip_?norm|clip_?val|global_norm|clip\w*\(.*grad
+ |grad\w*\.(?:data\.)?clamp|max_norm|<trainer>|\.grad\b.*(?:\*=|mul_|/=|div_|min|clamp|clip)
+ |grads?\w* ?[*/]=|\bg\w* ?\*=|min\(\s*1(?:\.0)?,\s|min\(.*/ ?\w*(?:norm|total)|clamp\(max ?= ?1
+ |total_norm|clip_coef|clipnorm|clipvalue|rescale|norm\w* >\s|PPO\(|A2C\(|clip\w*\(.*\bg
gradient accumulation | \bgradient accumulation|\baccumulat\w+ gradients|\bgradients are accumulated
+ | accum|no_sync|micro_?batch|<trainer>|/ ?\w*steps|% ?\S+ ?(?:==|!=) ?0|\+ 1\) ?%|sub_?batch
+ |mini_?batch|chunk|virtual|effective_b|MultiSteps|apply_every|/ ?(?:n|k|acc\w*)\b|/ ?(?:self|args
+ |cfg|config)\.\w+
gradient checkpointing | \b(?:gradient|activation) checkpointing | checkpoint(?:ing|\()|remat
+ |<trainer>|recompute|reentrant
mixed precision | \bmixed[- ]precision|\bbf16\b|\bfp16\b|\bbfloat16|\bhalf[- ]precision | autocast
+ |\bamp\b|amp_|_amp|float16|\.half\(|half_prec|fp16|bf16|precision\w*['\"]?\s*[=:]|mixed|GradScaler
+ |deepspeed|apex|accelerat|lightning|bfloat|load_in_|mixed_float|jmp
data parallelism | \bDDP\b|\bdistributed data[- ]parallel|\bdata[- ]parallel | distributed|ddp
+ |DataParallel|accelerat|pmap|torchrun|world_size|fsdp|deepspeed|shard|device_count|all_?reduce
+ |local_rank|\brank\b|nccl|horovod|lightning|<trainer>|Strategy|gpus|\bmesh\b|sharding
DeepSpeed = | \bDeepSpeed\b|\b(?-i:ZeRO)(?:-[123])?\b | deepspeed|zero_|offload|fsdp
# schedule ~
cosine schedule | \bcosine[- ](?:anneal|decay|schedul|learning|lr\b)|\bcosine lr\b|\bcosine phase\b
+ |\b(?:decay|anneal|follow|schedul)\w*(?: \w+){0,3} (?:a )?cosine\b | cosine(?!_?sim|_?dist|_?emb)
+ |cos_?(?:anneal|sched|decay|lr)|\bcos\(.*(?:pi\b|π)|(?:\bpi\b|π).*\bcos\(|1(?:\.0)? ?\+ ?\S*cos\(
+ |[+-] ?\S*cos\(|sgdr|get_scheduler|create_scheduler|(?:sched\w*|lr)_type|getattr\(.*sched|\bcos\(
+ |lr_lambda|get_schedule | CosineAnnealing\w*\(|get_cosine|['"]cosine['"]|math\.cos\(|cosine_decay
linear change | \b(?:anneal|decay|decreas|increas|ramp|schedul|warm)\w*(?: up| down)? linearly
+ |\blinearly (?:anneal|decay|decreas|increas|ramp|warm|schedul)|\blinear (?:decay|schedul|anneal
+ |warm|ramp|learning[- ]rate) | linear(?:LR|_?\w*(?:sched|decay|anneal|warm|lr))|(?:schedule|decay
+ |anneal|warmup)\w*_linear|get_linear|linspace|lr_lambda|lambdalr|lerp|1(?:\.0)?\s*-\s*[\w.()]+\s*/
+ |polynomial|['"]linear['"]|interp\(|onecycle|['"]lr['"]\]\s*[-+*/]?=|get_scheduler|progress|frac
+ |start_factor|(?:step|epoch|iter\w*|\bt|\bi)\)?\s*/|(?:step|epoch|t)\w* \+ 1\)? /|Trainer\(
+ |GRPOConfig|\bmin\(|/ ?\(?(?:self\.|args\.|cfg\.)?(?:total|max|num|n_|warm|steps|epochs|decay
+ |anneal)|1(?:\.0)? ?- ?\w+|(?P<a>\b\w+) ?-= ?|start\w*.*end|transition | LinearLR\(
+ |get_linear_schedule
step decay | \bstep[- ](?:decay|schedule|learning[- ]rate)|\bmilestones?\b.{0,30}(?:rate|decay
+ |factor)|\b(?:learning[- ]rate|lr)\b.{0,60}\b(?:divided|multiplied|decayed|reduced
+ |dropped) by (?:a factor of |a tenth|\d)[^.;]{0,20} (?:every|at|after) | StepLR|step_?size
+ |milestone|(?:lr|rate)\w*_(?:decay|gamma|factor|drop|step)|(?:decay|drop)_(?:steps?|rate|epoch
+ |every|factor|at)|\*\*.*//|//.*\*\*|lr\w* ?[*/]=|['\"]lr['\"]\] ?[*/]?=|exponential_decay
+ |piecewise|get_scheduler|step_decay|create_scheduler|\bepoch\w* (?:in|==|>=|>|%|//)|(?:step|it\w*
+ |\bt|\bi) (?:%|//)\s|\*= ?0\.|/= ?(?:10|2|5)\b|lr_lambda|LambdaLR|boundaries|adjust_l | StepLR\(
exponential decay | \bexponential(?:ly)? (?:decay|anneal|schedul)|\b(?:decay|anneal)\w* exponential
+ | exp\w*_?(?:decay|lr\b|sched|anneal)|exp\(|\*\*|pow\(|lr\w* ?\*=|['\"]lr['\"]\] ?\*|decay_rate
+ |gamma|decay ?\*|\*= ?\S*decay|get_scheduler|logspace|geomspace|lr_lambda|LambdaLR|half_?life
+ |adjust_l|exponential|(?:lr|rate|\beps\w*|\btemp\w*|sigma) ?\*=|-= | ExponentialLR\(
+ |exponential_decay\(
polynomial schedule | \bpolynomial (?:decay|schedul|learning) | poly|power|\*\*|pow|get_scheduler
+ |create_scheduler|(?:sched\w*|lr)_type|getattr\(.*sched|lr_lambda|LambdaLR|1(?:\.0)? ?- ?\S+ ?/
+ | PolynomialLR\(|get_polynomial
plateau | \bplateau | plateau|patience|get_scheduler|create_scheduler|(?:sched\w*|lr)_type
+ |getattr\(.*sched|bad_epoch|no_improv|stagn|since|\bwait|lr\w* ?[*/]=|['"]lr['"]\] ?[*/]?=
+ | ReduceLROnPlateau\(
one-cycle schedule | \bone-?cycle | one_?cycle|get_scheduler|create_scheduler|(?:sched\w*|lr)_type
+ |getattr\(.*sched|lr_lambda|LambdaLR|interp\(|triang|cycl|pct_start | OneCycleLR\(
inverse square root schedule | \binverse[- ]squ?a?re?[- ]root (?:decay|schedul|learn|lr)|\bnoam\b
+ | sqrt|\*\*\s*\(?-|\*\* ?-?0\.5|-0\.5|noam|rsqrt|get_scheduler|create_scheduler|(?:sched\w*
+ |lr)_type|getattr\(.*sched|lr_lambda|LambdaLR | noam
# warm-up
warm-up | \bwarm-?up\b(?! (?:run|iteration|step)s? (?:of|for) (?:timing|bench))|\b(?:rate
+ |lr) (?:is |are )?(?:linearly )?warm(?:ed|s) up\b | warm|onecycle|start_factor|ramp|<trainer>
+ |min\(\s*1(?:\.0)?,\s|min\(.*/|min\w*\(.*, ?1(?:\.0)?\)|lr_lambda|LambdaLR|(?:step|it\w*|epoch|\bs
+ |\bt|\bi)\w*\)? ?(?:\+ ?1\)? ?)?/|SequentialLR|join_schedules|scheduler\(|Trainer\(|noam|burn_?in
+ |(?:step|it\w*|epoch)\w* <|interp\(|init_lr|initial_lr|lr_start
warm restarts | \bwarm restarts?\b|\bcosine restarts|\bSGDR\b | restart|T_0|T_mult|%|cycle|period
warm-up, stable, decay | \bwarm-?up[- ]stable[- ]decay|\bWSD\b|\btrapezoid\w* (?:schedul|learn)
+ | stable|wsd|trapez|decay|interp\(|lr_lambda|LambdaLR|join_schedules
# loss ~
cross-entropy | \bcross[- ]entropy\b | cross_?ent|crossent|nll|log_?soft|bce|logsumexp|log_?prob
+ |softmax|\blog\(|Logistic|xent|\bce\b|_ce|<models>|\bgpt-?2|logit|Classifier|xgb|lightgbm
+ |categorical | F\.cross_entropy\(|CrossEntropyLoss\(|softmax_cross_entropy
squared error | \bMSE\b|\bmean[- ]squared[- ]error|\bsquared error | mse|\*\* ?2|square|pow\(
+ |\.norm\(|l2|power\(|r2_score|lstsq|LinearReg|<trainer>|\b(?P<a>\w+) \* (?P=a)\b|Regress|residual
+ |quadratic|sq_|_sq\b|Ridge | F\.mse_loss\(|MSELoss\(
Huber loss | \bhuber|\bsmooth[- ]L1 | huber|smooth_?l1|where\(.*abs|delta|DQN\(|\babs\(|\.abs\(
+ |charbonnier | huber_loss|smooth_l1|SmoothL1|HuberLoss
hinge loss | \bhinge | hinge|relu|clamp|maximum|max\(|margin|SVC|clip|1(?:\.0)? ?- ?\w+ ?\*
# further losses
absolute error | \bL1[- ](?:loss|error|distance)|\bmean absolute error|\bMAE\b | abs|l1|mae|ord=1
+ |p=1|cityblock | F\.l1_loss\(|\bL1Loss\(
triplet loss | \btriplet | triplet|margin|anchor|d_?(?:ap|an|pos|neg)\b|positive|negative
+ |pos\b.*neg\b|clamp_?\(\s*min|relu\(.* -\s|max\w*\(0.* -\s
contrastive loss | \binfo-?nce|\bnt-?xent|\bcontrastive (?:loss|objective|learning) | nce|contrast
+ |xent|temperature|tau\b|simclr|positive|cross_entropy|logsumexp|\bpos|_pos\b|neg\b|negative
+ |similarit|cos_?sim|normalize\(|cdist|logits|@ ?\S+\.(?:T|t\(|mT)
focal loss | \bfocal loss | focal|gamma|\*\* ?(?:self\.)?\w+|\.pow\(|1(?:\.0)? ?- ?p
Dice loss | \bdice\b | dice|intersection|inter\b|f1|overlap|\btp\b|union|2(?:\.0)? ?\* ?.*/
KL divergence | \bKL[- ]div|\bKullback | kl|log
JS divergence | \bjensen-shannon | js|jensen|log
Wasserstein distance | \bwasserstein | wasserstein|emd|sinkhorn|\bot\.|critic|\bw_?[12]|sqrtm|cdf
+ |sort|linear_sum|transport|cumsum|quantile|frechet|gan\b|mean\(\) ?-\s
perceptual loss | \bperceptual (?:loss|term)|\bLPIPS\b | lpips|percep|vgg|feat|alexnet|content
discriminator | \bdiscriminator|\badversarial loss | discrim|adv|critic|\bD\(|netD|gan\b|GAN|\breal
+ |fake|domain|revers
CTC loss = | \bCTC\b | ctc|blank
Gumbel | \bgumbel | gumbel|log\(\s*-|concrete|exponential_|\.log\(\)\.neg|-(?:torch|np|jnp)\.log
straight-through estimator | \bstraight[- ]through | straight|detach|stop_gradient|\bste\b|quantiz
+ |gumbel|custom_vjp|autograd\.Function|round\(|sign\(|\.data\b
quantile loss | \bpinball|\bquantile (?:loss|regression) | pinball|quantile|tau\b|maximum\(
+ |torch\.max\(|\bq \*|percentile|where\(
evidence lower bound | \bELBO\b|\bevidence lower bound | elbo|kl|log_?prob|logvar|vlb|log_?q
+ |free_energy|recon|reparam|nll|log_?sigma
clipped surrogate | \bclipped (?:surrogate|objective|PPO) | clip_?(?:range|eps|ratio|param|coef
+ |frac)|clamp|PPO\(|\.clip\(|minimum|torch\.min|clipped|cliprange|surr|ratio|stable_baselines|trl\b
+ |clip
commitment loss | \bcommitment (?:loss|cost|term|weight) | commit|beta|vq|detach|stop_gradient
+ |codebook|quanti
knowledge distillation | \bknowledge distill|\bdistillation loss | distil|teacher|\bkd|kl_div
+ |student|soft_?(?:target|label|logit)|temperature
negative sampling | \bnegative sampl | neg|corrupt|randint|sample
score matching | \bscore matching | score|denois|dsm|sigma
# reinforcement learning
replay | \breplay (?:buffer|memory)|\bexperience replay | replay|buffer|deque|memory|DQN\(|SAC\(
+ |TD3\(|storage|transitions?\b|randint\(|random\.(?:sample|choices?)\(|capacity|experience
+ |\.sample\(|push\(|DDPG|rollout|past\b
prioritised replay | \bpriorit\w+ (?:experience )?replay|\bproportional to (?:their|its|the) priorit
+ | priorit|\bper\b|sum_?tree|td_?err|p ?= ?\w*p|multinomial|WeightedRandom
target network | \btarget (?:network|critic)s?\b | target|_tgt|tgt_|ema\b|polyak|_old|frozen|DQN\(
+ |SAC\(|TD3\(|momentum|deepcopy|load_state_dict|slow|DDPG|0?\.99\d|prime|avg|\btau\b
soft target update | \bpolyak|\bsoft (?:target )?update | tau\b|polyak|soft|lerp|ema|1(?:\.0)? ?-
+ |SAC\(|TD3\(|0?\.99\d*\b|0?\.005|mul_\(|copy_\(.*[*+]|incremental_update|\w \* \S+ ?\+ ?\S+ ?\*
+ |DDPG|decay
double Q-learning | \bdouble (?:DQN|Q-) | double|argmax|q_?1|q_?2|twin|qf2|minimum|\bmin\(|next_q
dueling network | \bduel+ing | duel|advantage|\badv|val\w*\b.*\+|mean\(
n-step return | \bn-step (?:return|target|bootstrap|TD) | n_?step|multi_?step|gamma \*\*|reversed
+ |horizon|for
generalised advantage estimation | \bgenerali[sz]ed advantage|\bGAE\b | \bgae|_gae|gae_|\blam\b
+ |lambda|stable_baselines|trl\b|delta|advant|reversed|PPO\(|A2C\(|td_?err|discount
value clipping | \bvalue (?:loss |function )?clip|\bclipped value | clip|clamp|PPO\(
advantage normalisation | \badvantages? (?:are |is )?(?:\w+ )?normali[sz]
+ |\bnormali[sz]\w* (?:the )?advantages?\b | adv\w*.*(?:mean|std)|std|normali|whiten|PPO\(|mean\(
epsilon-greedy | \bepsilon[- ]greedy|[εϵ]-greedy|epsilon\$?-greedy | eps|greedy|explor|random\(\) ?<
+ |DQN\(|rand\w*\([^)]*\) ?<|< ?\S*rand|action_space\.sample|randint
Ornstein-Uhlenbeck noise | \bornstein | ornstein|\bou_|OU[A-Z]|_ou\b|theta|noise|\bdt\b
hindsight relabelling | \bhindsight | hindsight|\bher\b|relabel|achieved|her_|goal|future
random network distillation | \brandom network distill|\bRND\b | \brnd|_rnd|random_net|predictor_net
+ |intrinsic|novelty|bonus|curios|predictor
TD(lambda) | \bTD\s?\((?:λ|lambda|\\lambda)|\beligibility trace|\blambda[- ]returns? | lam|trace
+ |eligib|decay
frame stacking | \bframe[- ]?stack | stack|deque|history|cat|frames?\b|roll\(
tree search | \bMCTS\b|\bmonte[- ]carlo tree | mcts|ucb|puct|visit|tree|node|child|simulat|rollout
upper confidence bound | \bupper confidence|\bUCB\d?\b | ucb|bonus|confidence|sqrt\(.*log|optimis
+ |count|log\(
Thompson sampling | \bthompson | thompson|posterior|beta\(|multivariate_normal|\.sample\(|normal\(
importance sampling | \bimportance[- ](?:sampling|weight) | importance|ratio|exp\(|is_|weight|iw
+ |/ ?\w*prob|log\w* -\s
REINFORCE | \bREINFORCE\b | reinforce|log_?prob|logp|policy_?grad|rloo|log_?soft|\.log\(|score_func
+ |returns\b
trust region | \bTRPO\b|\btrust[- ]region | trpo|trust|kl|fisher|conjugate|line_?search|radius
twin critics | \btwin (?:critic|Q)|\bclipped double | twin|q_?1|q_?2|critic_?2|minimum|torch\.min
+ |ensemble|SAC\(|TD3\(|q1|two|\bmin\(
delayed policy update | \bdelayed policy|\bpolicy delay | delay|%|policy_freq|TD3\(
# generation
beam search | \bbeam[- ]search | beam|heap|hypothes|candidat|generate\(|width
nucleus sampling | \bnucleus sampling|\btop-p\b | top_?p|nucleus|cumsum|cumulative|vllm
top-k sampling | \btop-k (?:sampling|decoding|filter) | top_?k|kth|generate\(|topk
greedy decoding | \bgreedy (?:decod|generat) | greedy|argmax|do_sample|temperature|\.max\(|topk
+ |generate\(|beam
classifier-free guidance | \bclassifier-free | cfg|guidance|uncond|null|free|cond\b|\bw \*
+ |drop_?(?:label|prob|cond)|1(?:\.0)? ?\+ ?\w+\) ?\*|scale
DDIM | (?<!/)\bDDIM\b(?!/) | ddim|pred_x_?0|x_?0_pred|pred_orig|determinis|\beta \*|sqrt\(.*alpha
+ |alpha\w*.*sqrt|\.step\(|x_?0\b|eta\b
DDPM | \bDDPM\b | ddpm|posterior_|betas\b|beta_t|alphas?_(?:cum|bar|prod|t)|alpha_?bar|cumprod|noise
+ |diffusers|\.step\(
Heun's method | \bheun\b | heun|second_?order|2nd|d_prime|0\.5 ?\* ?\(|1 ?/ ?2 ?\*|\) ?/ ?2\b
+ |/ ?2 ?\+|0\.5 ?\* ?d|order ?= ?2|odeint|solve_ivp|torchdiffeq|edm_sampler|corrector|trapez
+ |\bk_?2\b|k1|\+ ?\w+\) ?[*/] ?(?:2|0\.5)
integrator | \bRunge-?Kutta|\bRK4\b|\bdopri | rk4|rk45|dopri|runge|odeint|solve_ivp|k_?[14]\b|RK23
+ |/ ?6\b|diffrax|\bode\w*\b|integrat|k2
Euler method | \bEuler (?:method|step|integrat|solver|scheme|discreti|sampl|maruyama|update) | euler
+ |dt\b|odeint|step_size|delta|\bh ?\*|eps ?\*|\* ?eps|solve_ivp|\* ?\(|/ ?n|linspace|integrat|sigma
+ |\+= ?|drift
DPM solver = | \bDPM-?Solver | dpm|multistep|unipc|log_?snr|lambda_t|diffusers
Langevin dynamics | \blangevin | langevin|sgld|\bula\b|mala|sqrt\(2|noise
velocity prediction | \bv-prediction|\bvelocity prediction | v_pred|velocity|v_param|v_target|pred_v
+ |v_t\b|target_v|\bv =|target|noise ?-\s|- ?noise|flow
min-SNR weighting | \bmin-?SNR | snr|minimum\(|clamp\(|alpha\w* ?/
speculative decoding | \bspeculative decod | specul|draft|assist|accept|verif
repetition penalty | \brepetition penalty | repet|no_repeat|penal
KV cache | \bKV[- ]cach|\bkey[- ]value cach | cache|past|<models>|generate\(|vllm|\bLLM\(|\bmems?\b
majority vote | \bmajority vot|\bself-consisten | major|vote|most_common|Counter|bincount|mode\(
+ |consisten|count|unique|max\(
rejection sampling | \brejection sampl | reject|accept|while True|\bkeep|filter|rand\w*\(.*<|mask
best of n | \bbest-of- | best|rerank|argmax|max\(|sorted|reward
# recurrent ~
LSTM | \bLSTMs?\b | lstm|forget|chunk\(4|\bcell\b | nn\.LSTM\w*\(|layers\.LSTM\(
GRU | \bGRUs?\b | gru\b|gru_|_gru|GRU|reset_?gate|update_?gate|\(1(?:\.0)? ?- ?\w+\) ?\* ?\w*h
+ | nn\.GRU\w*\(|layers\.GRU\(
# backbone
ResNet = | \bResNet | resnet|res_?net|residual|BasicBlock|Bottleneck|ResBlock|backbone|timm|models\.
+ |<models>|<chosen>
VGG = | \bVGG | vgg|<chosen>
DenseNet = | \bDenseNet | dense_?net|<chosen>
MobileNet = | \bMobileNet | mobile_?net|<chosen>
EfficientNet = | \bEfficientNet | efficient_?net|<chosen>
Swin = | \bSwin\b | swin|<chosen>
ConvNeXt = | \bConvNeXt | conv_?next|<chosen>
U-Net | \bU-?Net\b | u_?net|down_?(?:block|s\b|path|conv|layer|sampl)|skip_?conn|\bskips\b|enc\d
+ |ConvTranspose|Upsample|\bup\w*\d|\bdown\d?|decoder
ViT | \bViT\b|\bvision transformer | vit|vision|patch|\bclip\.|(?-i:CLIP)|clip_|dino|timm|<models>
BERT = | \bBERT\b | bert|<models>|<chosen>
RoBERTa = | \bRoBERTa\b | roberta|<auto>
T5 = | \bT5\b | t5|<auto>
GPT-2 | \bGPT-?2\b | gpt|<auto>|tiktoken|n_embd|wte\b|<models>
# architecture
convolution | \bconvolutional (?:layer|network|neural|encoder|block)|\bCNNs?\b|\bconvolutions?\b
+ | conv|cnn|unfold|<models>|resnet|fft|filter|kernel|stencil|unet|roll\(|vit\b|clip
graph network | \bgraph (?:convolution|neural|attention)|\bGCNs?\b|\bGNNs? | gcn|gnn|graph|message
+ |adj|edge|scatter|node|neighbou?r|aggregat|laplac|dgl|pyg
mixture of experts | \bmixture[- ]of[- ]experts|\bMoE\b | moe|expert|gate|router|mixtral
LoRA | \bLoRA\b|\blow-rank adapt | lora|low_?rank|peft|rank|\bA\b.*\bB\b|\.up\(|nn\.Linear\(\w+, r\b
+ |\bdown\w*\(
adapters | \badapter (?:layer|module|tuning|block)s?\b|\bbottleneck adapters?\b | adapter|down_?proj
+ |bottleneck|houlsby|lora|peft|bottle
prompt tuning | \bprompt tuning|\bsoft prompts?\b|\bprefix[- ]tuning | prompt|prefix|soft_
FiLM | \bFiLM\b|\bfeature-wise linear | film|gamma|scale|modulat|beta
skip connections | \b(?:skip|residual) connection | \b(?:x\w*|h\w*|out\w*|hidden\w*|res\w*|identity
+ |\w*input\w*|\w*_in|z|y|u|v|s|tgt|src) \+ |\+ (?:x\w*|h|residual|identity|shortcut|inputs?|skip
+ |res\w*|self\.\w+\()|\+=|cat\(|resid|skip|<models>|concat|shortcut|nn\.Transformer
+ |^ *(?P<a>\w+) = .*\+ ?(?P=a)\b|^ *return .*\+|add\(
weight tying | \bweight[- ]tying|\btied? (?:the )?(?:embedding|weights)
+ |\bshares? (?:their |its )?weights|\bweights? are (?:tied|shared) | \.weight = (?:self\.|\w+\.)
+ |\btie|_tie|tied|shar|<models>|attend\(|F\.linear\(|\.weight\.(?:T|t)\b|\.weight\)|embedding\.T
+ |transpose|emb\w*\.T\b|<llama>|gpt
depthwise convolution | \bdepth-?wise | depth_?wise|groups ?=|\bdw|feature_group|Separable|mobilenet
+ |convnext|efficientnet|mamba|groups
dilated convolution | \bdilated conv|\batrous|\bdilation | dilat|atrous|2 ?\*\* ?|tcn|wavenet
transposed convolution | \btransposed conv|\bdeconv | conv\w*transpose|transpose\w*conv|deconv|convt
squeeze and excitation | \bsqueeze[- ]and[- ]excit|\bsqueeze-excit | squeeze_?(?:and|ex)|excit|\bse_
+ |SE(?:Block|Layer|Module)|efficientnet|senet|sigmoid\(.*(?:pool|mean|fc)|adaptive_?avg|channel_att
pixel shuffle | \bpixel[- ]?(?:un)?shuffl | pixel_?(?:un)?shuffle|rearrange|permute|depth_to_space
+ |reshape\(|view\(
patch embedding | \bpatch embed | patch|unfold|timm|vit|Conv2d\(.*stride|rearrange|reshape\(
class token | \bclass token|\b\[?CLS\]? token | cls|class_|<models>|\[:, 0\]|Parameter\(.*1, ?1,
+ |pooler|\[:, ?0\b
vector quantisation | \bvector[- ]quanti[sz]|\bcodebook | codebook|\bvq|_vq|vq_
+ |quanti[sz](?!ation_config)|code_?(?:vec|idx|ind|ids)|cdist|argmin
Fourier features | \bfourier features | fourier|sin|cos|fft
state-space model | \bMamba\b|\bstate[- ]space model|\bSSMs?\b | mamba|ssm|state_?space|\bs4|scan
+ |A_log|\bdt_|discreti|selective|associative
normalising flow | \bnormali[sz]ing flow | flow|log_?det|coupling|nvp|slogdet|jacob|inverse|invert
hypernetwork | \bhyper-?network | hyper|functional_call|weight_gen|gen\w*_weight|meta
# pooling ~
max pooling | \bmax[- ]?pool | max_?pool|amax|\.max\(|<models>|resnet|vgg|pool|topk|scatter_reduce
+ | nn\.MaxPool\dd\(|F\.max_pool
average pooling | \b(?:average|mean)[- ]pool | avg|average|pool|mean|sum|<models> | nn\.AvgPool\dd\(
+ |F\.avg_pool
# interpolation ~
nearest-neighbour interpolation | \bnearest[- ]neighbou?r (?:interpol|upsampl|resiz) | nearest
+ |upsample\(|repeat|interpolate\((?!.*mode ?= ?['\"](?:bilinear|bicubic|area))|order=0|kron
+ |np\.repeat|round\(|NEAREST | ['"]nearest['"]
bilinear interpolation | \bbilinear(?:ly)? (?:interpol|upsampl|resiz|downsampl) | bilinear|resize
+ |interpolate\((?!.*mode ?= ?['\"](?:nearest|bicubic|area))|grid_sample|zoom|linear|map_coord
+ | ['"]bilinear['"]|BILINEAR
bicubic interpolation | \bbicubic(?:ally)?\b | bicubic|resize\(|zoom|cubic
+ |interpolate\((?!.*mode ?= ?['\"](?:nearest|bilinear|area)) | ['"]bicubic['"]|BICUBIC
# metric
BLEU = | \bBLEU\b | bleu|n_?gram|brevity|<loaded>
ROUGE = | \bROUGE\b | rouge|\blcs|n_?gram|longest|<loaded>
METEOR = | \bMETEOR\b | meteor|coco_?eval|<loaded>
CIDEr = | \bCIDEr\b | cider|coco_?eval|tf_?idf|<loaded>
BERTScore = | \bBERTScore\b | bert_?score|<loaded>
perplexity | \bperplexity | perplex|ppl|exp\(|2 ?\*\*|\bbits
accuracy | \b(?:test |validation |classification |mean |top-1 )?accuracy (?:is|are) (?:reported
+ |measured|computed|evaluated|tracked)|\breport\w* (?:the )?(?:mean |test )?accuracy
+ | (?<!f)acc(?!el|um|ept|ess|ord)|correct|score|match|hit|==\s*\(?(?:y|label|target|gold|answer
+ |truth|tgt|ref|true|expected)|(?:\by\w*|pred\w*|label\w*|target\w*|gold|answer\w*|truth|guess\w*
+ |out\w*)\)? ?(?:==|!=)|\.eq\(|classification_report|evaluate\(|compute_metrics|lm_eval|\berr
+ |argmax
F1 | \bF1\b | f1|fbeta|precision.*recall|f_score|fscore|dice|classification_report|precision
+ |2(?:\.0)? ?\* ?\w*p\w* ?\*|\btp\b|true_pos|seqeval|harmonic|<loaded>
AUROC | \bAUROC\b|\bROC[- ]AUC|\barea under the (?:ROC|receiver)|\bAUC\b | \bauc|auc\b|auc_|_auc
+ |roc\b|roc_|_roc|auroc|trapz|trapezoid|mannwhitney|rank|\btpr\b|\bfpr\b|concord|\bpos\b|_pos\b
+ |\bneg\b|_neg\b
average precision | \baverage precision\b|\b(?-i:mAP)\b | average_prec|\bm?ap\b|ap_|_ap\b|precision
IoU | \bm?IoU\b|\bintersection[- ]over[- ]union|\bjaccard | iou|jaccard|intersection|inter\b|overlap
+ |union|confus|bincount|classification|\w ?& ?\w
PSNR | \bPSNR\b | psnr|log10|signal_noise|log\(10|/ ?(?:math|np)\.log\(10|\bdb\b|skimage
SSIM | \bSSIM\b|\bstructural similarity | ssim|structural|\bc_?1\b|msssim|skimage|\bpiq\b|kornia
+ |0\.01 ?\*|0\.01\b.*\*\* ?2
FID = | \bFID\b|\bfr[eé]chet inception | \bfid|fid\b|_fid|frechet|sqrtm|inception|fidelity|cov\(
+ |torchmetrics
KID = | \bKID\b|\bkernel inception | \bkid|kernel_inc|polynomial_kernel|poly|mmd|fidelity
+ |torchmetrics
FVD = | \bFVD\b|\bfr[eé]chet video | fvd|i3d|frechet|sqrtm|fidelity|torchmetrics|cov\(
inception score = | \binception score | inception|\bis_(?:score|mean|std)|_is\b|isc\b|fidelity
+ |torchmetrics|exp\(.*kl
CLIP score = | \bCLIP[- ]?score | clip
WER = | \bWER\b|\bword error rate | wer\b|wer_|edit_?dist|levenshtein|jiwer|edit|distance|<loaded>
+ |\[\w ?- ?1\]|min\(.*\+ ?1, .*\+ ?1
exact match | \bexact[- ]match | exact|\bem\b|em_|==|match|strip\(
RMSE | \bRMSE\b|(?<!normalized )(?<!normalised )\broot[- ]mean[- ]squared? error | rmse|sqrt|rms
+ |\*\* ?0\.5|\bmse\b|_mse|root|norm\(
R squared | \bR\^?2\b|\bR²|\bcoefficient of determination | r2|r_?squared|ss_res|determin|score\(
+ |rsq|1(?:\.0)? ?- .*/|explained_var|corrcoef|Regress
rank correlation | \bspearman|\bkendall | spearman|kendall|rankdata|argsort|corr|rank|sort\(
Pearson correlation | (?<!neyman-)(?<!clopper-)\bpearson(?:'s)? (?:r\b|corr|coef)
+ |\bpearson\b(?= and spearman) | pearson|corr|cov\(|cos_?sim|covar|std\(|norm\(
mutual information score | \bNMI\b|\bnormali[sz]ed mutual | nmi|mutual|v_measure|contingency|entrop
adjusted Rand index | \badjusted rand\b | adjusted_?rand|\bari\b|contingency|comb\(|rand_score
reciprocal rank | \bMRR\b|\bmean reciprocal rank | mrr|reciprocal|1(?:\.0)? ?/|rank
recall at k | \brecall@|\bhits?@ | recall|hit|top_?k|r_at|r@|argsort|rank|\[:k|\[:, ?:k|intersect
+ |isin|any\(
NDCG | \bNDCG\b | dcg|log2|pytrec|trec_eval|mteb|beir
calibration error | \bexpected calibration error|\bECE\b | ece|calib|bin|confiden|digitize|reliab
+ |(?:arange|linspace)\(0(?:\.0)?, ?1|\) & \(\w+ <
Brier score | \bbrier | brier|\*\* ?2|square\(|\.pow\(|mse
CRPS | \bCRPS\b|\bcontinuous ranked | crps|properscor|cdf|pinball|quantile|energy|ensemble
pass at k | \bpass@ | pass|comb\(
MMD | \bMMD\b|\bmaximum mean discrep | mmd|kernel|rbf|gram\b|cdist|exp\(
CKA | \bCKA\b|\bcentered kernel | cka|hsic|center|gram\b|\bfro\b
confusion matrix | \bconfusion matri | confus|bincount|crosstab|\] ?\+= ?1|add\.at
+ |classification_report|\btp\b
FLOPs | \bFLOPs?\b | flop|macs\b|thop|fvcore|mult_?add|\bops\b|6 ?\* ?\w+|2 ?\* ?\w+ ?\*
peak memory | \bpeak (?:GPU )?memory | mem|rusage|nvidia|nbytes
# protocol
cross-validation | \bcross[- ]validation\b|\b\w+-fold\b | fold|cross_val|leaveone|_cv|cv\b
+ |array_split|leave|GridSearch|n_splits|permutation\(
bootstrap interval | \bbootstrap(?:ped|ping)? (?:confidence|resampl|interval|CI) | boot|resampl
+ |choice\(|randint|\.sample\(|replace ?= ?True|choices\(
confidence interval | \bconfidence interval | 1\.96|conf(?!ig)|\bci\b|ci_|_ci|percentile|quantile
+ |sem\b|interval|stderr|std_?err|\.ppf|z_score|\bstd|multipl|bounds?\b
significance test | \bt-test|\bwilcoxon|\bmann-whitney|\bpermutation test|\bstatistical significance
+ | ttest|wilcoxon|mannwhitney|t_test|stats\.|permut|p_?val|pvalue|\.cdf\(|\.sf\(|mcnemar|signed
stratified split | \bstratif | strat|per_class|class|unique\(|groupby|bincount|balanced|by_label
+ |for \w+ in (?:set|classes|labels)
leave-one-out | \bleave-one-out | leave|\bloo\b|rloo|loo_|_loo|/ ?\(\w+ - 1|!= [ij]\b|delete\(
+ |exclud|hold_?out|held|other|except|remove\(|pop\(|!= ?\w+
grid search | \bgrid[- ]search | grid|product\(|sweep|for
random search | \brandom search | search|trial|sweep|sample|choice|uniform|random
several seeds | \b(?:over|across|for|on|with (?!different|other
+ |distinct)) ?(?:\w+ )?(?:\w+ )?seeds\b|\b\w+ (?:random )?seeds are | seeds|\b(?:seed|run\w*|trial
+ |rep\w*|sim\w*|exp\w*)\b in\b|for \w*(?:seed|run|trial|rep|sim)\w*.* in |n_?(?:run|seed|trial|rep
+ |sim|exp)\w*|num_?(?:run|seed|trial|rep|sim|exp)\w*|seed\w*\)? ?\+ ?(?:i|r|k|s|t|run|trial|rep|idx
+ |n)\b|runs\b|trials|repeat(?:s|_)|default_rng\((?:i|r|s|t|trial|run)\)
min-max scaling | \bmin-max (?:scal|normal) | min|max
one-hot | \bone-hot | one_?hot|eye\(|dummies|scatter|==|identity
t-SNE = | \bt-?SNE\b | tsne|perplexity ?=|manifold|joint_prob
UMAP = | \bUMAP\b | umap
# tokeniser ~
BPE | \bBPE\b|\bbyte[- ]pair | bpe|tiktoken|gpt|bytelevel|<auto>|merges|clip|tokenizer|pairs?\b
+ |merge
WordPiece = | \bWordPiece | word_?piece|bert|<auto>|vocab\.txt|##|tokenizer
SentencePiece = | \bSentencePiece | sentence_?piece|spm|unigram|t5|<auto>|tokenizer
character tokens | \bcharacter-level | char|ord\(|stoi|set\(|\bchars?|alphabet|ascii|\bbytes?\b
+ |for c in|list\(
# linear algebra
Cholesky decomposition | \bcholesky | chol|cho_|linalg\.solve|multivariate_?normal|ldl|gpytorch
+ |GaussianProcess|\bL\[|psd
SVD | \bSVD\b|\bsingular value decomp | svd|eigh|singular|low_?rank|eig|pinv|matrix_rank|decompos
+ |\bpca
PCA | \bPCA\b|\bprincipal component | pca|svd|eigh|principal|cov\(|components|decompos|eig
eigendecomposition | \beigen-?decomp | eig|diag|rank|svd|spectr|power|lobpcg
conjugate gradient | \bconjugate grad | conjugate|\bcg\b|cg_|_cg|minres|pcg|rs_?(?:old|new)|krylov
+ |lanczos|residual
power iteration | \bpower (?:iteration|method) | power|\w @ \w|matmul|\.dot\(|mv\b|spectral_norm|eig
QR decomposition | \bQR[- ](?:decomp|factori) | qr\b|qr_|orth|gram|\bQ, ?_|householder|givens
+ |\bq, ?r\b
pseudo-inverse | \bpseudo-?inverse | pinv|lstsq|inv\(|solve|\.T ?@|ridge|svd
Newton-Schulz | \bNewton-?Schulz | newton|schulz|zeropower|3\.4445|1\.5 ?\*|ns_|_ns\b
+ |orthogonali[sz]
Hessian | \bHessian\b | hess|hvp|autograd|jvp|vjp|second|curv|grad
Fisher information | \bfisher information | fisher|fim|grad|\*\* ?2|outer|square|natural|pow\(
finite differences | \bfinite[- ]difference | diff|fd_|_fd|/ ?\(?2|eps|\bh\b|gradient|dx|roll\(|\[2:
+ |\[1:|laplac
Fourier transform | \bFourier transform|\bFFT\b | fft|dft|fourier|stft|exp\(|spectr|cos\(
# probability
MCMC | \bMCMC\b|\bmetropolis | metropolis|mcmc|accept|hmc|nuts|gibbs|langevin|emcee|chain|proposal
+ |burn|sampler|rand\w*\(.*<
Hamiltonian Monte Carlo | \bhamiltonian monte|\bHMC\b | hmc|hamilton|leapfrog|nuts|kinetic|blackjax
+ |pyro|pymc|stan\b|momentum
Gibbs sampling | \bgibbs sampl | gibbs|conditional|resampl|pymc
Dirichlet = | \bdirichlet\b(?! (?:boundar|condition)) | dirichlet|exponential|gamma\(|simplex
+ |\.gamma\(
Bernoulli | \bbernoulli\b | bernoulli|binomial|rand\w*\(.*<|< ?\S*rand|random\(\)|choice|bce|rand
+ |uniform
Poisson | \bpoisson (?:distribut|process|noise|arriv|rate|regress|log)|\bpoisson\b(?= random)
+ | poisson|expon|arriv|factorial|lgamma|exp\(-
beta distribution | \bbeta distribution | beta
Laplace noise | \blaplac(?:e|ian) (?:noise|distribution|mechanism|prior) | laplac|abs|exponential
+ |sign\(
Student's t | \bstudent'?s?[- ]t\b | student|standard_t|t_dist|stats\.t\b|chi2|gamma\(|\bdf\b|\bnu\b
+ |1(?:\.0)? ?\+ .*/ ?
Sobol sequence = | \bsobol | sobol|qmc|low_discrep|quasi
Halton sequence = | \bhalton | halton|qmc|radical|corput|low_discrep
Latin hypercube | \blatin hyper | lhs|latin|permutation|strat|qmc
Gaussian process | \bgaussian process | gaussian_?process|\bgp\b|gpytorch|\bgp_|_gp\b|gpr\b|kernel
+ |rbf|matern|chol
kernel density estimate | \bkernel density | kde|density|parzen|exp\(|gaussian
RBF kernel | \bRBF\b|\bgaussian kernel | rbf|exp\(|gamma|cdist
k-means | \bk-?means | k_?means|cluster|centroid|argmin|cdist|lloyd
nearest neighbours | \bk-?NN\b|\bnearest[- ]neighbou?r classif|\bk-nearest | knn|neighbo|cdist
+ |top_?k|argsort|argpart|kdtree|faiss|argmin|sort\(|distance
random forest = | \brandom forest | forest|bagging|DecisionTree|trees|ExtraTrees|autogluon
gradient boosting = | \bXGBoost\b|\bgradient[- ]boost|\bLightGBM\b|\bCatBoost\b | boost|lgb|lightgbm
+ |gbm|xgb|DecisionTree|stump|autogluon
logistic regression | \blogistic regression | logistic|logreg|sigmoid|bce|linear|log_loss|log\(1
+ |exp\(-|cross_entropy|softmax
support vector machine | \bSVMs?\b|\bsupport vector | svm|svc|hinge|maximum\(0|\bmax\(0|cvx|\bqp\b
+ |SGDClassifier|margin|relu\(1|clamp\(1
Kalman filter | \bkalman | kalman|\bekf|ukf|enkf|innovation|filterpy|\bK ?=\s|gain
expectation-maximisation | \bexpectation[- ]maximi[sz]ation | e_step|m_step|\bem_|_em\b|EM\b|respons
+ |mixture|GaussianMixture|baum|log_?lik|posterior|\bresp
isotonic regression | \bisotonic | isotonic|\bpav|pool_adj
temperature scaling | \btemperature scaling | temp
assignment | \bhungarian|\bbipartite matching|\boptimal assignment | linear_sum_assignment|hungarian
+ |lap|assignment|sinkhorn|auction|permutations|munkres|min_cost
Sinkhorn | \bsinkhorn | sinkhorn|\bot\.|logsumexp|geomloss|doubly|/ ?\S*\.sum\(|K\w* ?@
dynamic time warping | \bdynamic time warping|\bDTW\b | dtw|warp|\[i ?- ?1|tslearn
ARIMA = | \bARIMA\b | arima|auto_?reg|statsmodels|statsforecast
# other
sign | \bsigns? (?:of (?:the|its|each|their)|function|update)|\bsgn\b|\bsign\(|\bsign-?SGD
+ |\bsigned (?:gradient|update) | sign_?\b|\bsgn|signum|copysign|heaviside|[<>]=?\s*0\b|where\(
+ |/ ?\S*abs\(|\.gt\(
"""
