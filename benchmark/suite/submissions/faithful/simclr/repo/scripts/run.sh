#!/usr/bin/env bash
set -euo pipefail
DATA=$1
GPUS=${2:-8}

torchrun --nproc_per_node "$GPUS" pretrain.py --data "$DATA" --batch-size 2048 --out out
python linear_eval.py --data "$DATA" --checkpoint out/pretrained.pt
for percent in 1 10; do
  python finetune.py --data "$DATA" --checkpoint out/pretrained.pt --percent "$percent"
done
