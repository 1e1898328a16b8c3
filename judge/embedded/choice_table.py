"""The choices of method that are told apart, as a table of patterns."""

from __future__ import annotations

__all__ = ["TABLE"]

# A choice, `!` where it is told from names alone, `~` where it is if no line holds its own,
# `(` where it is about the arguments that follow, `=` where it is about one thing that is named;
# what a claim of it holds; its sides: what a claim says, what of it is plain enough to contradict,
# what code may do it by, what code does it by, and terms of such code. `+` goes on a line.
TABLE = r"""
choice reduction
hints mean averag sum median
side mean
said \bmean(?! (?:squared|absolute|and|vector|field|func|of the gaussian|μ))\b|\baverag(?:es
+ |ed|ing)\b|\baverage(?! (?:pool|precision))\b
plain \baverag(?:es|ed|ing)\b|\bmean (?:over|of|across|is taken|reduction)\b|\baverage (?:over|of
+ |across|is taken)\b|\b(?:batch|sample|global) (?:mean|average)\b|\bmean[- ]reduc
may mean\(|nanmean|average|\bavg|reduction\s*=\s*['"](?:batch)?mean|reduc\w+\([^)]*mean|fmean
+ |F\.\w+\((?!.*reduction)|\w+_loss\(\w+, \w+\)|[a-z]Loss\((?!.*reduction)|\)\s*/
+ |/\s*(?:self\.)?\w*(?:count|num|total|size|mask|denom|length)|/\s*(?:len|max
+ |float|\(|self|num|n|count|total|batch|size|k\b|m\b)|/=|statistics|\*\s*\(?1(?:\.0)?\s*/|einsum
+ |\.div\(
does \.mean\(|\b(?:np|torch|jnp|tf|F)\.(?:nan)?mean\(|reduce_mean\(|reduction\s*=\s*['"]mean
terms mean nanmean average avg reducemean fmean
side sum
said \bsum(?:s|med|ming)?\b(?! to (?:one|1))
plain \bsum(?:s|med|ming)?\b(?! to (?:one|1))(?! of (?:the )?(?:two|three|four|all|both
+ |\w+ terms)\b)
+ (?! of [^.;]*(?: and |\+))
may (?<!log)sum|\+=|@|matmul|einsum|\w \+ (?!eps)[A-Za-z_]|\.add|\bdot\(|batchmean
+ |\.mean\([^()]*\)\s*\*|mean\(.*\)\s*\*\s*(?:len|n|num|\w+\.(?:shape|size|numel))
does \A(?!.*mask\w*(?:\[[^\]]*\])?(?:\.\w+\(\))?\.sum\().*\.sum\(
+ |\b(?:np|torch|jnp|tf)\.(?:nan)?sum\(|reduce_sum\(|reduction\s*=\s*['"]sum
terms sum nansum reducesum cumsum bincount
side median
said \bmedian\b
may median|quantile|percentile
does \.median\(|\b(?:np|torch|jnp|statistics)\.(?:nan)?median\(
terms median nanmedian
side maximum
said (?!)
may (?!)
does \A(?!\s*(?:self\.)?\w*(?:best|worst|min|max|low|high|peak|top|range|bound|clip|idx|ind)\w*
+ \s*[,=:\[])\s*(?:(?:self\.)?[A-Za-z_]\w*(?:\[[^\]]*\])?\s*(?::[^=]*)?[-+*]?=(?!=)\s*|return\s+)-?
+ (?:(?:(?:[\w.]+|\w+\([^()]*\))\.a?max\((?:\s*\)|\s*(?:dim|axis|keepdim|-?\d)[^()]*\))
+ |(?:np|torch|jnp|tf)\.(?:a|nan|reduce_)?max\(\s*[\w.\[\]]+\s*(?:\)
+ |,\s*(?:dim|axis|keepdim|-?\d)[^()]*\)))(?:\.values|\[0\]|\.item\(\))?\s*\)*\s*\Z
+ |(?:np|torch|jnp|tf)\.(?:a|nan)?max\((?:np|torch|jnp)\.(?:stack|cat|array|concatenate)\((?!.*mean)
+ |(?:np|torch|jnp|tf)\.max(?:imum)?\(\s*(?:self\.)?(\w*?[A-Za-z])_?1\w*\s*,\s*(?:self\.)?\1_?2
+ (?!.*mean))
terms max maximum amax nanmax reducemax
side minimum
said (?!)
may (?!)
does \A(?!\s*(?:self\.)?\w*(?:best|worst|min|max|low|high|peak|top|range|bound|clip|idx|ind)\w*
+ \s*[,=:\[])\s*(?:(?:self\.)?[A-Za-z_]\w*(?:\[[^\]]*\])?\s*(?::[^=]*)?[-+*]?=(?!=)\s*|return\s+)-?
+ (?:(?:(?:[\w.]+|\w+\([^()]*\))\.a?min\((?:\s*\)|\s*(?:dim|axis|keepdim|-?\d)[^()]*\))
+ |(?:np|torch|jnp|tf)\.(?:a|nan|reduce_)?min\(\s*[\w.\[\]]+\s*(?:\)
+ |,\s*(?:dim|axis|keepdim|-?\d)[^()]*\)))(?:\.values|\[0\]|\.item\(\))?\s*\)*\s*\Z
+ |(?:np|torch|jnp|tf)\.(?:a|nan)?min\((?:np|torch|jnp)\.(?:stack|cat|array|concatenate)\((?!.*mean)
+ |(?:np|torch|jnp|tf)\.min(?:imum)?\(\s*(?:self\.)?(\w*?[A-Za-z])_?1\w*\s*,\s*(?:self\.)?\1_?2
+ (?!.*mean))
terms min minimum amin nanmin reducemin
choice extremum
hints maximum minimum largest smallest highest lowest argm closest nearest farthest
side maximum
said \bmaximum(?! (?:of \d|number|length|step|iter|sequence|epoch|learning|likelihood
+ |a posteriori|mean|context|position|token))\b|\blargest\b|\bhighest\b
+ |\barg\s?max|\bfarthest\b
plain \bmaximum (?:of the|over|across|value of|of [A-Za-z_]\w* and)\b
+ |\blargest\b|\bhighest\b|\barg\s?max|\bfarthest\b
may (?<![a-z])(?:arg|a|nan)?max(?:imum)?\(|min\(\s*-|\(-\w+\)\.|topk|relu|clamp\(|clip\(
+ |descending\s*=\s*True|reverse\s*=\s*True|\[-1\]|\[::-1\]|\[-\w+:\]|nlargest|most_common
+ |- \w+\)\.|\b1(?:\.0)?\s*-|\*\s*-1|neg
does (?<!\w)(?:\w+\.)*\w+\.arg_?max\(|\.a?max\(\s*(?:\)|dim\b|axis\b|keepdim|-?\d)
+ |\b(?:np|torch|jnp|tf)\.(?:a|nan|reduce_)?max\(\s*[\w.\[\]]+\s*(?:\)|,\s*(?:dim|axis|keepdim
+ |-?\d))
+ |\b(?:np|torch|jnp)\.(?:a|nan)?max\((?:np|torch|jnp)\.\w+\([^()]*\)\)
+ |\b(?:np|torch|jnp|tf)\.max(?:imum)?\(\s*(?:self\.)?(\w*?[A-Za-z])_?1\w*\s*,\s*(?:self\.)?\1_?2
+ |(?<![\w.])max\(\s*[\w.\[\]]+\s*(?:\)|,\s*key\b)|topk\((?!.*largest\s*=\s*False)|nlargest\(
terms max maximum argmax amax nanmax topk nlargest
side minimum
said \bminimum(?! (?:of \d|number|length|step|learning))\b|\bsmallest\b|\blowest\b
+ |\barg\s?min|\b(?:nearest|closest) (?:to|in|code|centroid|cluster|neighbo)
plain \bminimum (?:of the|over|across|value of|of [A-Za-z_]\w* and)\b
+ |\bsmallest\b|\blowest\b|\barg\s?min
may (?<![a-z])(?:arg|a|nan)?min(?:imum)?\(|max\(\s*-|\(-\w+\)\.|largest\s*=\s*False|sort\w*\(|heapq
+ |nsmallest|- \w+\)\.
+ |\b1(?:\.0)?\s*-|\*\s*-1|neg|topk\(\s*-
does (?<!\w)(?:\w+\.)*\w+\.arg_?min\(|\.a?min\(\s*(?:\)|dim\b|axis\b|keepdim|-?\d)
+ |\b(?:np|torch|jnp|tf)\.(?:a|nan|reduce_)?min\(\s*[\w.\[\]]+\s*(?:\)|,\s*(?:dim|axis|keepdim
+ |-?\d))
+ |\b(?:np|torch|jnp)\.(?:a|nan)?min\((?:np|torch|jnp)\.\w+\([^()]*\)\)
+ |\b(?:np|torch|jnp|tf)\.min(?:imum)?\(\s*(?:self\.)?(\w*?[A-Za-z])_?1\w*\s*,\s*(?:self\.)?\1_?2
+ |(?<![\w.])min\(\s*[\w.\[\]]+\s*(?:\)|,\s*key\b)|topk\(.*largest\s*=\s*False|nsmallest\(
terms min minimum argmin amin nanmin topk nsmallest
side mean
said (?!)
may (?!)
does \(\s*(?:self\.)?(\w*?[A-Za-z])_?1\w*\s*\+\s*(?:self\.)?\1_?2\w*\s*\)\s*(?:/\s*2(?:\.0)?\b
+ |\*\s*0?\.5)
+ |0?\.5\s*\*\s*\(\s*(?:self\.)?(\w*?[A-Za-z])_?1\w*\s*\+\s*(?:self\.)?\2_?2\w*\s*\)
+ |mean\((?:torch|np|jnp)\.stack\(\s*[\[(]\s*(?:self\.)?(\w*?[A-Za-z])_?1\w*\s*,\s*(?:self\.)?\3_?2
terms mean #2 #0.5 stack
choice of two ~
hints two both twin
side mean of two
said \b(?:mean|averag(?:e|es|ed|ing))(?: of| over)?(?: the| its| their)? (?:two|both|twin)\b
+ |\b(?:two|both|twin)(?: \w+){1,3} (?:are |is )?averaged\b(?! over)
may /\s*2(?:\.0)?\b|0?\.5\s*\*|\*\s*0?\.5|mean\([^()]*(?:\(|\[)
+ |\.mean\(\s*(?:(?:dim|axis)\s*=\s*)?-?\d|average|lerp
does \(\s*(?:self\.)?(\w*?[A-Za-z])_?1\w*\s*\+\s*(?:self\.)?\1_?2\w*\s*\)\s*(?:/\s*2(?:\.0)?\b
+ |\*\s*0?\.5)
terms mean #2 #0.5 average avg lerp
side minimum of two
said \b(?:minimum|min|smaller|smallest|lower|lesser)(?: of)?(?: the| its)? (?:two|both|twin)\b
may (?<![a-z])(?:arg|a|nan)?min(?:imum)?\(|max(?:imum)?\(\s*-|where\(|\bif\b|sort|fmin|topk
does \b(?:np|torch|jnp|tf)\.min(?:imum)?\(\s*(?:self\.)?(\w*?[A-Za-z])_?1\w*\s*,\s*(?:self\.)?\1_?2
terms min minimum amin fmin
choice bound (
hints max( max{ min( min{
side maximum
said (?<![\w.])(?:max|maximum)\s*(?=[({])
may max|clamp\(|clip\(|relu|ReLU|\bif\b.*\belse\b|where\(
does (?<![\w.])max\(|\b(?:np|torch|jnp|tf)\.max(?:imum)?\(
terms max maximum
side minimum
said (?<![\w.])(?:min|minimum)\s*(?=[({])
may (?<![a-z])min|clamp\(|clip\(|\bif\b.*\belse\b|where\(
does (?<![\w.])min\(|\b(?:np|torch|jnp|tf)\.min(?:imum)?\(
terms min minimum
choice sorting ~
hints ascend descend order largest smallest
side ascending
said \bascending\b|\bincreasing order\b|\bsmallest to largest\b|\blowest to highest\b
may sort\w*\((?!.*(?:descending\s*=\s*True|reverse\s*=\s*True))|heapq|\[::-1\]|flip
+ |ascending\s*=\s*True
does \bsort\w*\(\s*\w*\s*\)|descending\s*=\s*False|reverse\s*=\s*False|ascending\s*=\s*True
terms sort sorted argsort sortvalue
side descending
said \bdescending\b|\bdecreasing order\b|\blargest to smallest\b|\bhighest to lowest\b
may descending\s*=\s*True|reverse\s*=\s*True|\[::-1\]|sort\w*\(\s*-|\.flip|topk|largest
+ |key\s*=\s*lambda[^:]*:\s*\(?-|ascending\s*=\s*False|most_common|\[-\w+:\]
does descending\s*=\s*True|reverse\s*=\s*True|ascending\s*=\s*False
terms sort sorted argsort topk sortvalue
choice error ~
hints square absolute mse mae l1 l2
side squared error
said \b(?:mean[- ])?squared[- ](?:error|difference|distance|residual)|\bmean[- ]squared\b|\bMSE\b
+ |\bL2 loss\b
may mse|MSE|\*\*\s*2|pow|square|norm|cdist|l2|L2
does mse_loss\(|MSELoss\(|mean_squared_error\(|\)\s*\*\*\s*2|\.pow\(2\)|\.square\(
terms mse mseloss square squar pow meansquarederror #2
side absolute error
said \b(?:mean[- ])?absolute[- ](?:error|difference|deviation)|\bMAE\b|\bL1 loss\b
may \babs|l1|L1|mae|MAE|smooth|norm\([^)]*(?:ord|p)?\s*=?\s*1\b|mean_absolute
does \bl1_loss\(|\bL1Loss\(|mean_absolute_error\(
+ |\A\s*(?:self\.)?\w*(?:loss|mae)\w*\s*(?::[^=]*)?[-+*/]?=(?!=).*\babs\(
+ |mean\(.*\babs\([^()]* - |\babs\([^()]* - .*\)\.(?:mean|sum)\(
+ |\([^()]* - [^()]*\)\.abs\(\)\.(?:mean|sum)\(
terms l1loss abs mae meanabsoluteerror
choice norm
hints l1 l2 euclid manhattan
side L2 norm
said \bL_?2[- ](?:norm|penalt|regulari|distance)|\beuclidean (?:norm|distance)|ℓ_?2[- ]norm
plain \bL_?2[- ](?:norm|penalt|distance)|\beuclidean (?:norm|distance)|ℓ_?2[- ]norm
may norm|\*\*\s*2|pow|square|cdist|l2|L2|eucl|weight_decay|sqrt
does \.norm\((?![^)]*(?:p|ord)\s*=\s*(?:1|float|np\.inf|['"]))(?!\w*,\s*1\s*[,)])|\bp\s*=\s*2\b
+ |\bord\s*=\s*2\b
terms norm cdist normaliz ord
side L1 norm
said \bL_?1[- ](?:norm|penalt|regulari|distance)|\bmanhattan (?:norm|distance)|ℓ_?1[- ]norm
plain \bL_?1[- ](?:norm|penalt|distance)|\bmanhattan (?:norm|distance)|ℓ_?1[- ]norm
may abs|l1|L1|(?:p|ord)\s*=\s*1\b|,\s*1\s*[,)]|cityblock|manhattan
does \.norm\([^)]*(?:p|ord)\s*=\s*1\b|\.abs\([^)]*\)\.(?:sum|mean)\(|\b(?:p|ord)\s*=\s*1\b|cityblock
terms norm abs cdist normaliz ord cityblock
choice norm extent ~
hints norm
side a norm of each layer
said \bnorms?\b[^.;]{0,40}\b(?:separately|individually) (?:for|of|per|over|in) (?:each|every)
+  (?:layer|parameter|tensor|weight)|\b(?:per-layer|layer-?wise|per-parameter|per-tensor)
+  (?:gradient |weight )?norms?\b|\bnorms? (?:of|for|per) each (?:layer|parameter|tensor)
may \A(?!.*(?:stack|cat\(|clip_grad|global_?norm|total_?norm|to_vector)).*norm_?\(
+ |for \w+ in .*norm\(\)?[^\[\]]*\]\s*\Z
does (?!)
terms norm
side one norm over all
said \b(?:global|total) (?:gradient |weight )?norm\b|\bnorms?\b[^.;]{0,30}\bover all (?:parameters
+ |layers|weights)
may norm|sum|vector|sqrt
does \bnorm\(\s*(?:torch|np|jnp)\.(?:stack|cat|concatenate|array)\(.*norm\(|clip_grad_norm_?\(
+ |\bglobal_norm\(|norm\(.*parameters_to_vector\(
terms norm clipgradnorm globalnorm
choice squashing
hints softmax sigmoid logistic
side softmax
said \bsoftmax\b
may softmax|cross_entropy|CrossEntropy|logsumexp|Categorical|\bexp\(
does \bsoftmax\(|\.softmax\(|Softmax\(
terms softmax logsoftmax
side sigmoid
said \bsigmoid\b|\blogistic function
may sigmoid|expit|binary_cross_entropy|BCE|Bernoulli|1\s*/\s*\(1|1\.0\s*/\s*\(1
does \bsigmoid\(|\.sigmoid\(|Sigmoid\(
terms sigmoid
choice activation !
hints relu gelu silu swish tanh hyperbolic
side ReLU
said (?<!leaky )(?<!leaky-)\bReLUs?\b
may relu|ReLU|clamp_min|clamp\(min=0|maximum\(0
does \bReLU\(|F\.relu\(|torch\.relu\(|activation\s*=\s*['"]relu
terms relu
side GELU
said \bGELU\b
may gelu|GELU|\berf\(|0\.044715|1\.702
does \bGELU\(|F\.gelu\(|activation\s*=\s*['"]gelu
terms gelu
side SiLU
said \bSiLU\b|\bswish\b
may silu|SiLU|swish|Swish|SwiGLU|sigmoid
does \bSiLU\(|F\.silu\(|activation\s*=\s*['"]silu
terms silu swish
side tanh
said \btanh\b|hyperbolic tangent
may tanh|Tanh
does \bTanh\(|\btanh\(|activation\s*=\s*['"]tanh
terms tanh
side leaky ReLU
said leaky[- ]?ReLU
may leaky|Leaky
does LeakyReLU\(|leaky_relu\(
terms leakyrelu
choice normalisation !
hints norm
side batch normalisation
said \bbatch[- ]?norm(?:ali[sz]ation)?\b
may batch_?norm|BatchNorm|\bbn\d?\b|running_(?:mean|var)|\.var\(\(0,|\.var\((?:dim|axis)=\(?0\b
does BatchNorm\dd\(|batch_norm\(
terms batchnorm batchnorm1d batchnorm2d batchnorm3d
side layer normalisation
said \blayer[- ]?norm(?:ali[sz]ation)?\b
may layer_?norm|LayerNorm|\bln_?\w*\b|RMSNorm
does LayerNorm\(|layer_norm\(
terms layernorm
side group normalisation
said \bgroup[- ]?norm(?:ali[sz]ation)?\b
may group_?norm|GroupNorm
does GroupNorm\(|group_norm\(
terms groupnorm
side RMS normalisation
said \bRMS[- ]?norm
may rms_?norm|RMSNorm|rsqrt
does RMSNorm\(
terms rmsnorm
side instance normalisation
said \binstance[- ]?norm
may instance_?norm|InstanceNorm
does InstanceNorm\dd\(
terms instancenorm instancenorm1d instancenorm2d
side local response normalisation
said \blocal response norm
may LocalResponse|local_response
does LocalResponseNorm\(
terms localresponsenorm
choice pooling !
hints pool
side max pooling
said \bmax[- ]?pool
may max_?pool|MaxPool|amax|\.max\(|topk\((?:k=)?1\b
does MaxPool\dd\(|max_pool\dd\(
terms maxpool2d maxpool1d maxpool maxpool3d adaptivemaxpool2d
side average pooling
said \b(?:average|mean|avg)[- ]?pool
may avg|Avg|mean|average|Average
does AvgPool\dd\(|avg_pool\dd\(
terms avgpool2d avgpool1d avgpool adaptiveavgpool2d avgpool3d
choice optimiser !
hints adam sgd stochastic rmsprop adagrad
side Adam
said (?<!using )\bAdam\b(?! W)
may \bAdam|adam|addcmul_?\(|exp_avg
+ |getattr\([\w.]*optim\b
does \bAdam\(
terms adam
side AdamW
said \bAdamW\b
may AdamW|adamw|weight_decay|[Dd]ecoupled|\bwd\b|\w*decay|(?:mul_\(|\*=)\s*\(?1(?:\.0)?\s*-
+ |getattr\([\w.]*optim\b
does \bAdamW\(
terms adamw
side SGD
said \bSGD\b|\bstochastic gradient descent\b
may SGD|sgd|(?:-=|sub_\(|add_\().*(?:lr\b|_rate|step_?size|\beta\b|alpha)
+ |= \w+(?:\.data)? - (?:self\.)?(?:lr|learning_rate|alpha|eta)\b
+ |getattr\([\w.]*optim\b
does \bSGD\(
terms sgd
side RMSprop
said \bRMSProp\b
may RMSprop|rmsprop|RMSProp
+ |getattr\([\w.]*optim\b
does RMSprop\(
terms rmsprop
side Adagrad
said \bAdaGrad\b
may Adagrad|adagrad|AdaGrad
+ |getattr\([\w.]*optim\b
does Adagrad\(
terms adagrad
choice replacement ~
hints replacement bootstrap
side with replacement
said (?<!out )\bwith replacement\b|\bbootstrap(?:ped)? (?:sample|resampl)(?!.{0,40}\bwithout)
may replace\w*\s*=\s*True|choices\(|randint|bootstrap|resample|integers\(|Weighted\w*Sampler
+ |\brand\(|\.random\(
+ |\.choice\((?!.*replace\s*=\s*False)|multinomial\((?!.*replacement\s*=\s*False)
does replace\w*\s*=\s*True|random\.choices\(|\.choice\((?!.*replace)[^()]*\bsize\s*=[^()]*\)
+ |(?:integers|randint)\(\s*0\s*,\s*(\w+)\s*,\s*(?:size\s*=\s*)?\(?\1\b
terms replace choice choic randint integer bootstrap resampl resample replacement multinomial
side without replacement
said \bwithout replacement\b
may replace\w*\s*=\s*False|random\.sample\(|permut|randperm|shuffle|random_split
+ |multinomial\((?!.*True)
+ |\.choice\([^(),]*\)
does replace\w*\s*=\s*False|randperm\(|\.permutation\(|random\.sample\(
terms replace choice permut permutation randperm replacement sampl sample multinomial
choice deviation ~
hints biased ddof 1 population
side unbiased deviation
said \bunbiased (?:std|standard dev|variance|estimat)|\bddof\s*=\s*1
+ |\bn ?- ?1 in the denominator
may ddof\s*=\s*1|unbiased\s*=\s*True|(?<!np)\.std\(|stdev\(|(?<!np)\.var\(|- ?1\)|sem\(
does unbiased\s*=\s*True|ddof\s*=\s*1|correction\s*=\s*1
terms std var
side biased deviation
said (?<!un)\bbiased (?:std|standard dev|variance|estimat)|\bddof\s*=\s*0|\bpopulation (?:std
+ |standard|variance)
may ddof\s*=\s*0|unbiased\s*=\s*False|np\.(?:std|var)\((?!.*ddof)|pstdev|pvariance
+ |correction\s*=\s*0|(?<!np)\.(?:std|var)\((?!.*ddof)
does ddof\s*=\s*0|unbiased\s*=\s*False|correction\s*=\s*0|pstdev\(|pvariance\(
terms std var pstdev pvariance
choice schedule !
hints linear cosine constant step exponential plateau cycle
side linear schedule
said \blinear(?:ly)? (?:decay|schedul|anneal|decreas|learning[- ]rate (?:decay|schedul|anneal))
+ |\b(?:decay|anneal|decreas)\w* linearly
may Linear(?:LR|\w*[Ss]ched|\w*[Dd]ecay)|linear_(?:schedule|decay|anneal|lr)|get_linear|linspace
+ |lr_lambda|LambdaLR
+ |lerp|1(?:\.0)?\s*-\s*\w+\s*/|[Pp]olynomial|['"]linear['"]|interp\(|OneCycle|param_groups
+ |\b(?:get|create)_scheduler\(|getattr\([\w.]*lr_scheduler
does LinearLR\((?!.*start_factor)|get_linear_schedule\w*\(|lr_scheduler_type\s*=\s*['"]linear
terms linearlr getlinearschedulewithwarmup linearschedul
side cosine schedule
said \bcosine(?:[- ]anneal\w*)? (?:learning|decay|schedul|anneal|lr\b)|\bcosine[- ]anneal
+ |CosineAnnealing\w*
may [Cc]osine(?!_?-?[Ss]imilar|_?[Dd]ist|_?[Ee]mbed|\()|\bcos\(\s*(?:math|np|torch|jnp)?\.?pi\b
+ |cos\(.*(?:progress|step|epoch|frac|ratio|iter|tau|\bt\b)|(?:math|np)\.cos\(|OneCycle
+ |\b(?:get|create)_scheduler\(|getattr\([\w.]*lr_scheduler
does CosineAnnealing\w*\(|\w*cosine\w*sched\w*\(|(?:lr|scheduler|schedule)(?:_type
+ |_name)?['"]?\s*(?::\s*str\s*)?[=:]\s*['"]cosine
+ |cosine_decay\w*\(|cosine_annealing\w*\(
terms cosin
side constant schedule
said \bconstant (?:learning rate|lr\b)
may .
does ConstantLR\(|get_constant_schedule\w*\(
terms constantlr
side step schedule
said \bStepLR\b|\b(?:step|stepwise|step-wise|piecewise|multi-?step)[- ](?:decay|schedule
+ |learning[- ]rate
+ |lr\b)|\bMultiStepLR\b
may Step(?:LR|wise)|step_(?:lr|decay)|milestone|[Mm]ulti_?[Ss]tep|decay_(?:every|epochs)
+ |[Pp]iecewise
+ |LambdaLR|param_groups|\blr\s*\*=|\blr\s*=\s*\w+\s*\*|gamma\s*\*\*
+ |\b(?:get|create)_scheduler\(|getattr\([\w.]*lr_scheduler
does (?<![A-Za-z])(?:Multi)?StepLR\(|piecewise_constant\w*\(
terms steplr multisteplr
side exponential schedule
said \bexponential(?:ly)? (?:learning[- ]rate|decay(?:s|ed|ing)? (?:of the )?learning|lr\b)
+ |\bExponentialLR\b
may Exponential(?:LR|Decay)|exponential|decay_rate|\blr\s*\*=|LambdaLR|param_groups|(?:gamma
+ |decay\w*)\s*\*\*
+ |\b(?:get|create)_scheduler\(|getattr\([\w.]*lr_scheduler
does ExponentialLR\(|exponential_decay\(
terms exponentiallr exponentialdecai exponentialdecay
side plateau schedule
said \bReduceLROnPlateau\b|\b(?:on|at a?) plateaus?\b|\bplateaus?\b.{0,20}learning
may [Pp]lateau|patience|no_improve|param_groups
+ |\b(?:get|create)_scheduler\(|getattr\([\w.]*lr_scheduler
does ReduceLROnPlateau\(
terms reducelronplateau
side one-cycle schedule
said \bone-?cycle\b
may [Oo]ne_?[Cc]ycle|cycle
+ |\b(?:get|create)_scheduler\(|getattr\([\w.]*lr_scheduler
does OneCycleLR\(
terms onecyclelr
choice distribution
hints uniform gaussian normal n(0
side uniform
said \buniform(?:ly)?(?! spaced| grid| over the (?:step|layers)) (?:at random|distribut|sampl
+ |random|drawn|from|in |noise|over)
may rand|uniform|Uniform|choice|linspace|sample|shuffle
does \.uniform_?\(|torch\.rand\(|rand_like\(
terms uniform rand randint randlike
side Gaussian
said \b(?:gaussian|normal) (?:noise|distribut|random|sampl|init)|\bN\(0|\bstandard normal
may randn|normal|Normal|gauss|Gauss
does \brandn(?:_like)?\(|\.normal_?\(
terms randn normal randnlike gaussian
choice shuffling
hints shuffl
side shuffled
said (?<!not )(?<!un)(?<!no )(?<!non-)(?<!without )(?<!never )(?<!pixel )(?<!not be )\bshuffl(?:ed
+ |es|ing)\b(?! is (?:off|not|disabled))
plain \bshuffl(?:ed|es|ing)\b
may shuffle(?!\s*=\s*False)|randperm|permut|[Ss]ampler|choice
does shuffle\s*=\s*True|\.shuffle\(
terms shuffl shuffle randperm permut sampler permutation
side not shuffled
said \b(?:not|without|no|un|never|non)[- ]?(?:being |any |be )?shuffl(?:e\b|ed|ing)
+ |\bshuffling is (?:off|not|disabled)
+ |\b(?:original|fixed|sequential) order\b.{0,20}\bno shuffl
may shuffle\s*=\s*(?:False|[a-z(])|DataLoader\((?!.*shuffle)(?=.*\)\s*$)|SequentialSampler
does shuffle\s*=\s*False
terms shuffl shuffle dataloader dataload sequentialsampl
choice gradient =
hints detach gradient
side stopped gradient
said (?<!not )(?<!non-)(?<!un)(?<!never )(?<!without )(?<!without a )(?<!no )\b(?:stop[- ]?grad\w*
+ |detach(?:ed|es|ing)?\b)
+ |\bno gradients? (?:flows?|pass|is|are|propagat)|\bwithout gradients?\b|\bgradients? (?:is
+ |are) (?:stopped|blocked|cut)
may detach|no_grad|stop_gradient|inference_mode|\.data\b|\.item\(|numpy|requires_grad|stopgrad
+ |\bsg\(|set_grad_enabled|\.eval\(|copy
does \.detach\(\)|stop_gradient\(|no_grad\(
terms detach nograd stopgradient requiresgrad stopgrad
side flowing gradient
said \b(?:not|never|non|un|without|no)[- ](?:a |being |any )?(?:detach\w*|stop[- ]?grad\w*)
+ |(?<!no )(?<!stop )\bgradients? (?:does |do |also )?(?:flows?|passes|pass|propagates?|(?:is
+ |are) (?:back-?)?propagated) (?:back |also )?(?:through|into)\b
may requires_grad_?\(?\s*=?\s*True|enable_grad
does enable_grad\(
terms detach requiresgrad enablegrad
choice freezing =
hints froz freez trainable fixed
side frozen
said (?<!not )(?<!un)(?<!never )(?<!non-)\b(?:frozen|freez(?:es|ing))\b|\bkept fixed\b
+ |\bnot trainable\b
plain \b(?:is|are|kept|stays?|remains?|and) frozen\b|\bfrozen (?:encoder|backbone|decoder|teacher
+ |model|weights)|\bkept fixed\b|\bnot trainable\b
may requires_grad|no_grad|freeze|frozen|Frozen|\.eval\(|stop_gradient|detach|\blora|trainable
does requires_grad\s*=\s*False|requires_grad_\(\s*False|\b(?<!un)freeze\w*\(|freeze\w*\s*=\s*True
+ |frozen\s*=\s*True
terms requiresgrad freez freeze frozen
side trained
said \b(?:not|un|never|non)[- ]?(?:being |be |kept )?(?:frozen|freez\w*)|(?<!not )(?<!non-)\b(?:is
+ |are|stays?|remains?|kept|left) trainable\b|(?<!non-)\btrainable (?:encoder|backbone|decoder
+ |teacher|core|tokenizer|vae)\b
may requires_grad_?\(?\s*=?\s*True|unfreeze|freeze\w*\s*=\s*False|trainable\s*=\s*True
+ |requires_grad\s*=\s*[a-z(]|freeze\w*\s*:|if\b
does requires_grad\s*=\s*True|requires_grad_\(\s*(?:True)?\s*\)|\bunfreeze\w*\(
+ |freeze\w*\s*=\s*False|trainable\s*=\s*True
terms requiresgrad unfreez unfreeze freez freeze trainabl trainable
choice aim
hints maximi minimi
side maximised
said \bmaximi[sz](?:es|ed|ing|ation)\b
plain \bmaximi[sz](?:es|ed|ing)\b
may max|-\w|- |neg|ascent|\+=
does \bmaximize\s*=\s*True|direction\s*=\s*['"]maximize|\bmode\s*=\s*['"]max
terms maximiz maximize direct direction mode
side minimised
said \bminimi[sz](?:es|ed|ing|ation)\b
plain \bminimi[sz](?:es|ed|ing)\b
may min|-\w|- |neg|descent|-=|loss|backward
does \bmaximize\s*=\s*False|direction\s*=\s*['"]minimize|\bmode\s*=\s*['"]min
terms minimiz minimize direct direction mode
choice logarithm
hints log2 log_2 log₂ log10 log_10 log₁₀ base bits natural nats ln(
side base 2
said \blog(?:arithm)?s?[_ ]?(?:2|₂|base[- ]2|to (?:the )?base 2)\b|\bbase[- ]2 log|\bbits\b
may log2|log\(2|bit
does \blog2\(
terms log2
side base 10
said \blog(?:arithm)?[_ ]?(?:10|₁₀)\b|\bbase[- ]10 log
may log10|log\(10|dB
does \blog10\(
terms log10
side natural
said \bnatural log|\bnats\b|\bln\(
may \blog\(|\.log\(|nat
does \blog2\(|\blog10\(
terms log
choice norm placement
hints pre-norm prenorm pre-layer post-norm postnorm post-layer
side pre-norm
said \bpre-?(?:layer)?-?norm(?:ali[sz]ation)?\b(?!.{0,12}residual stream)
may (?:attn|attention|mlp|ffn|ff|forward|block|sublayer)\w*\(\s*self\.\w*(?:norm|ln)\w*
+ |pre_?norm|norm_first\s*=\s*True|=\s*self\.\w*(?:norm|ln)\w*\(\s*\w+\s*\)
does norm_first\s*=\s*True|\+\s*self\.\w+\(\s*self\.\w*(?:norm|ln)\w*\(
terms norm ln layernorm
side post-norm
said \bpost-?(?:layer)?-?norm(?:ali[sz]ation)?\b
may (?:norm|ln)\w*\(\s*\w+\s*\+|post_?norm|norm_first\s*=\s*False|TransformerEncoderLayer\(
does self\.\w*(?:norm|ln)\w*\(\s*\w+\s*\+
terms norm ln layernorm
choice direction
hints directional
side bidirectional
said \bbi-?directional(?! mask) (?:LSTM|GRU|RNN|recurr)
may bidirectional\s*=\s*True|BiLSTM|flip|backward
does bidirectional\s*=\s*True
terms bidirectional lstm gru
side unidirectional
said \buni-?directional (?:LSTM|GRU|RNN|recurr)
may LSTM|GRU|RNN|bidirectional\s*=\s*False
does bidirectional\s*=\s*True
terms bidirectional lstm gru
choice averaging ~
hints macro micro
side macro average
said \bmacro[- ](?:averag|F1)
may macro|mean
does average\s*=\s*['"]macro
terms macro average
side micro average
said \bmicro[- ](?:averag|F1)
may micro|accuracy
does average\s*=\s*['"]micro
terms micro average
choice decoding ~
hints greedy decod nucleus temperature
side greedy
said \bgreedy (?:decod|action|sampl|search)
may argmax|greedy|do_sample\s*=\s*(?:False|[a-z])|temperature\s*=\s*(?:0|[a-z])|max\(
+ |\.generate\((?!.*do_sample)
does do_sample\s*=\s*False|temperature\s*=\s*0\.?0?\b
terms greedy argmax dosample temperature
side sampled
said \btemperature sampling\b|\bsampled decod|\bnucleus sampling\b
may multinomial|do_sample\s*=\s*True|Categorical|sample|top_p|choice
does do_sample\s*=\s*True|multinomial\(
terms multinomial dosample sample
"""
