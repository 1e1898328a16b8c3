"""The defaults of parameters of public libraries, and how claims and code call them.

Read off the libraries' sources: torch 2.14, stable-baselines3 2.9, transformers 5.24, peft 0.21,
optax 0.2.8, keras 3.15, scikit-learn 1.9. What is known to differ between common versions is left
out. A row of `DEFAULTS`: a part of the dotted name | names | `key argument:position=value`, parted
by commas; the position (from 0) is left out where the argument is given by keyword alone.
"""

from __future__ import annotations

__all__ = ["DEFAULTS", "SPOKEN"]

_ADAM = "beta1 betas:2=0.9, beta2 betas:2=0.999, eps eps:3=1e-8, weight_decay weight_decay:4="
_DROPOUT = "dropout dropout:3=0.1, feedforward dim_feedforward:2=2048"
_KERAS = "beta1 beta_1=0.9, beta2 beta_2=0.999, eps epsilon=1e-7"
_SB3 = "discount gamma=0.99"

DEFAULTS = (
    ("torch.optim", "Adam", "lr lr:1=1e-3, " + _ADAM + "0"),
    ("torch.optim", "AdamW", "lr lr:1=1e-3, " + _ADAM + "0.01"),
    ("torch.optim", "RAdam", "lr lr:1=1e-3, " + _ADAM + "0"),
    ("torch.optim", "NAdam Adamax", "lr lr:1=2e-3, " + _ADAM + "0"),
    ("torch.optim", "SGD", "momentum momentum:2=0, weight_decay weight_decay:4=0"),
    (
        "torch.optim",
        "RMSprop",
        "lr lr:1=0.01, smoothing alpha:2=0.99, eps eps:3=1e-8, weight_decay weight_decay:4=0, "
        "momentum momentum:5=0",
    ),
    ("torch.optim", "Adagrad", "lr lr:1=0.01, eps eps:5=1e-10, weight_decay weight_decay:3=0"),
    (
        "torch.optim",
        "Adadelta",
        "lr lr:1=1, smoothing rho:2=0.9, eps eps:3=1e-6, weight_decay weight_decay:4=0",
    ),
    ("torch.optim", "StepLR MultiStepLR", "lr_gamma gamma:2=0.1"),
    ("torch.optim", "ReduceLROnPlateau", "lr_factor factor:2=0.1, patience patience:3=10"),
    ("torch.nn", "LayerNorm", "layer_norm_eps eps:1=1e-5"),
    ("torch.nn", "GroupNorm", "group_norm_eps eps:2=1e-5"),
    (
        "torch.nn",
        "BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm",
        "batch_norm_eps eps:1=1e-5, batch_norm_momentum momentum:2=0.1",
    ),
    ("torch.nn", "Dropout Dropout1d Dropout2d Dropout3d", "dropout p:0=0.5"),
    ("torch.nn", "dropout", "dropout p:1=0.5"),
    ("torch.nn", "LeakyReLU", "negative_slope negative_slope:0=0.01"),
    ("torch.nn", "leaky_relu", "negative_slope negative_slope:1=0.01"),
    ("torch.nn", "TransformerEncoderLayer TransformerDecoderLayer", _DROPOUT),
    ("torch.nn", "Transformer", "dropout dropout:5=0.1, feedforward dim_feedforward:4=2048"),
    ("torch.nn", "TripletMarginLoss", "margin margin:0=1"),
    ("torch.nn", "triplet_margin_loss", "margin margin:3=1"),
    ("torch.nn", "HuberLoss", "huber delta:1=1"),
    ("torch.nn", "huber_loss", "huber delta:3=1"),
    ("torch.nn", "SmoothL1Loss smooth_l1_loss", "smooth_l1 beta=1"),
    ("torch.nn", "CrossEntropyLoss cross_entropy", "label_smoothing label_smoothing=0"),
    ("torch.nn", "gumbel_softmax", "gumbel tau:1=1"),
    ("optax", "adam", "beta1 b1:1=0.9, beta2 b2:2=0.999, eps eps:3=1e-8"),
    (
        "optax",
        "adamw",
        "beta1 b1:1=0.9, beta2 b2:2=0.999, eps eps:3=1e-8, weight_decay weight_decay=1e-4",
    ),
    ("keras", "Adam Nadam Adamax", "lr learning_rate:0=1e-3, " + _KERAS),
    ("keras", "AdamW", "lr learning_rate:0=1e-3, weight_decay weight_decay:1=0.004, " + _KERAS),
    ("keras", "SGD", "lr learning_rate:0=0.01, momentum momentum:1=0"),
    ("keras", "RMSprop", "lr learning_rate:0=1e-3, smoothing rho:1=0.9, eps epsilon=1e-7"),
    (
        "transformers",
        "TrainingArguments Seq2SeqTrainingArguments",
        "lr learning_rate=5e-5, epochs num_train_epochs=3, beta1 adam_beta1=0.9, "
        "beta2 adam_beta2=0.999, eps adam_epsilon=1e-8, weight_decay weight_decay=0, "
        "max_grad_norm max_grad_norm=1, batch_size per_device_train_batch_size=8",
    ),
    (
        "peft",
        "LoraConfig",
        "lora_rank r=8, lora_alpha lora_alpha=8, lora_dropout lora_dropout=0",
    ),
    (
        "stable_baselines3",
        "PPO",
        "lr learning_rate:2=3e-4, n_steps n_steps:3=2048, batch_size batch_size:4=64, "
        "ppo_epochs n_epochs:5=10, gae_lambda gae_lambda:7=0.95, clip_range clip_range:8=0.2, "
        "ent_coef ent_coef=0, vf_coef vf_coef=0.5, max_grad_norm max_grad_norm=0.5, " + _SB3,
    ),
    (
        "stable_baselines3",
        "A2C",
        "lr learning_rate:2=7e-4, n_steps n_steps:3=5, gae_lambda gae_lambda:5=1, "
        "ent_coef ent_coef=0, vf_coef vf_coef=0.5, max_grad_norm max_grad_norm=0.5, " + _SB3,
    ),
    (
        "stable_baselines3",
        "SAC",
        "lr learning_rate:2=3e-4, buffer_size buffer_size:3=1000000, batch_size batch_size:5=256, "
        "polyak tau:6=0.005, " + _SB3,
    ),
    (
        "stable_baselines3",
        "TD3 DDPG",
        "lr learning_rate:2=1e-3, buffer_size buffer_size:3=1000000, polyak tau:6=0.005, " + _SB3,
    ),
    (
        "stable_baselines3",
        "DQN",
        "lr learning_rate:2=1e-4, buffer_size buffer_size:3=1000000, batch_size batch_size:5=32, "
        "max_grad_norm max_grad_norm=10, " + _SB3,
    ),
    ("sklearn", "RandomForestClassifier RandomForestRegressor", "forest_trees n_estimators:0=100"),
    (
        "sklearn",
        "GradientBoostingClassifier GradientBoostingRegressor",
        "boosted_trees n_estimators=100, boosting_rate learning_rate=0.1, boosting_depth "
        "max_depth=3",
    ),
    ("sklearn", "KNeighborsClassifier KNeighborsRegressor", "neighbors n_neighbors:0=5"),
    ("sklearn", "SVC SVR LinearSVC", "svm_c C=1"),
    ("sklearn", "LogisticRegression", "logistic_c C=1"),
    ("sklearn", "TSNE", "perplexity perplexity=30"),
)
"""The rows."""

_OPTIMISER = r"\badam|optimi[sz]|rmsprop|adagrad|adadelta"
_BETA = r"(?:\\?beta|β)"
_EPS = r"\beps(?:ilon)?\b|ε|\\epsilon"
_LR = r"(?:initial |base |constant )?learning[ _-]rate|\blr\b|step[- ]size"

SPOKEN = {
    "weight_decay": ("", r"\bwd\b|weight[ _-]?decay(?: (?:coefficient|factor|rate|strength))?",
                     "weight_decay wd weight_decay_rate l2_reg"),
    "betas": ("", rf"\(?{_BETA}_?\{{?[1₁]\}}?\s*(?:,|and)\s*{_BETA}_?\{{?[2₂]\}}?\)?|\bbetas\b"
              r"(?: (?:coefficients|parameters|values))?", ""),
    "beta1": ("", rf"(?:\bfirst beta\b|{_BETA}_?\{{?[1₁]\}}?(?!\d))",
              "betas beta1 b1 adam_beta1 adam_betas"),
    "beta2": ("", rf"(?:\bsecond beta\b|{_BETA}_?\{{?[2₂]\}}?(?!\d))",
              "betas beta2 b2 adam_beta2 adam_betas"),
    "eps": (_OPTIMISER, _EPS, "eps epsilon adam_eps adam_epsilon"),
    "layer_norm_eps": (r"layer[ -]?norm", _EPS, "eps epsilon norm_eps layer_norm_eps"),
    "group_norm_eps": (r"group[ -]?norm", _EPS, "eps epsilon norm_eps group_norm_eps"),
    "batch_norm_eps": (r"batch[ -]?norm", _EPS, "eps epsilon norm_eps bn_eps"),
    "momentum": (r"\bSGD|stochastic gradient|optimi[sz]", r"(?:Nesterov )?momentum", "momentum mu"),
    "batch_norm_momentum": (r"batch[ -]?norm", r"momentum", "momentum bn_momentum"),
    "lr": ("", _LR, "lr learning_rate step_size base_lr init_lr"),
    "lr_gamma": (r"learning[- ]rate|schedul|milestone|StepLR", r"\bgamma\b|γ|decay factor",
                 "gamma lr_gamma decay_factor"),
    "lr_factor": (r"plateau", r"\bfactor\b", "factor lr_factor"),
    "patience": (r"plateau", r"\bpatience\b", "patience"),
    "smoothing": (r"rmsprop|adadelta", r"\balpha\b|\brho\b|α|ρ|smoothing(?: constant)?|decay rate",
                  "alpha rho"),
    "dropout": ("", r"\bdropout(?: (?:rate|probability|ratio|layers?))?\b",
                "dropout dropout_rate p_drop drop_rate drop dropout_p"),
    "negative_slope": (r"leaky", r"(?:negative )?slope", "negative_slope slope leak"),
    "feedforward": (r"transformer|encoder|decoder|attention",
                    r"(?:feed-?forward|FFN)(?: (?:hidden|inner|network|layer))*"
                    r" (?:dimension|size|width|dim)\b", "dim_feedforward d_ff ffn_dim ff_dim"),
    "margin": (r"triplet", r"\bmargin\b", "margin"),
    "huber": (r"huber", r"\bdelta\b|δ|threshold", "delta huber_delta"),
    "smooth_l1": (r"smooth[- ]?l1", r"\bbeta\b|β", "beta"),
    "label_smoothing": ("", r"label[ _-]smoothing(?: (?:factor|coefficient|rate))?",
                        "label_smoothing smoothing"),
    "gumbel": (r"gumbel", r"temperature|\btau\b|τ", "tau temperature temp"),
    "epochs": (r"fine-?tun|training|trained", r"\bepochs\b",
               "epochs num_train_epochs num_epochs n_epochs max_steps"),
    "batch_size": ("", r"\b(?:mini-?)?batch[ _-]size", "batch_size bs "
                   "minibatch_size accumulation_steps gradient_accumulation_steps"),
    "max_grad_norm": (r"clip|gradient", r"max(?:imum)?[ _](?:grad|gradient)[ _]norm|gradient norm"
                      r"|gradients? (?:is|are )?clip(?:ped|ping)(?: norm)?",
                      "max_grad_norm grad_clip clip_grad_norm clip"),
    "lora_rank": (r"lora|low-rank", r"\brank\b", "rank r lora_rank lora_r"),
    "lora_alpha": (r"lora|low-rank", r"\balpha\b|α", "lora_alpha alpha"),
    "lora_dropout": (r"lora|low-rank", r"dropout", "lora_dropout dropout"),
    "n_steps": (r"\bPPO|\bA2C", r"n_steps|rollout (?:length|steps)|steps per (?:rollout|update)",
                "n_steps num_steps rollout_length"),
    "ppo_epochs": (r"\bPPO", r"n_epochs|epochs per update|\bPPO epochs|update epochs",
                   "n_epochs ppo_epochs update_epochs num_epochs epochs"),
    "discount": ("", r"discount(?: factor| rate)?|\bgamma\b|γ", "gamma discount discount_factor"),
    "gae_lambda": (r"gae|advantage|\bPPO|\bA2C", r"(?:gae[ _-])?(?:lambda\b|λ)",
                   "gae_lambda lam lambda_gae lmbda"),
    "clip_range": (r"\bPPO|clip", r"clip(?:ping)?[ _-](?:range|ratio|parameter|epsilon)",
                   "clip_range clip_ratio clip_eps clip_epsilon clip_param clip_coef"),
    "ent_coef": ("", r"entropy (?:bonus )?(?:coefficient|weight)|ent_coef",
                 "ent_coef entropy_coef entropy_coefficient"),
    "vf_coef": ("", r"value[ -](?:function |loss )?(?:coefficient|weight)|vf_coef",
                "vf_coef value_coef value_loss_coef"),
    "buffer_size": ("", r"(?:replay )?buffer(?: size| capacity)",
                    "buffer_size replay_size memory_size buffer_capacity capacity"),
    "polyak": ("", r"\btau\b|τ|polyak(?: coefficient)?|soft[- ]update (?:coefficient|rate)",
               "tau polyak soft_tau"),
    "forest_trees": (r"random forest", r"\btrees\b|\bestimators\b",
                     "n_estimators num_trees n_trees"),
    "boosted_trees": (r"gradient[- ]boost", r"\btrees\b|\bestimators\b|boosting rounds",
                      "n_estimators num_trees n_trees"),
    "boosting_rate": (r"gradient[- ]boost", r"learning[ _-]rate|shrinkage",
                      "learning_rate lr shrinkage"),
    "boosting_depth": (r"gradient[- ]boost", r"(?:max(?:imum)? )?depth\b", "max_depth depth"),
    "neighbors": (r"nearest|\bk-?nn", r"\bk\b|neighbou?rs\b", "n_neighbors k num_neighbors"),
    "svm_c": (r"\bSVM|\bSVC|support vector", r"\bC\b|regulari[sz]ation parameter", "c"),
    "logistic_c": (r"logistic", r"\bC\b|regulari[sz]ation parameter", "c"),
    "perplexity": (r"t-?sne", r"perplexity", "perplexity"),
}  # fmt: skip
"""By key: what a claim must speak of, the names in claims (both patterns), the names in code.

Where code gives one of these names anything, nothing is said of the default.
"""
