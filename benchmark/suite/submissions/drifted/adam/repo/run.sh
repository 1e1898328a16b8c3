#!/usr/bin/env bash
set -e
COMMON="--lr 3e-4 --eps 1e-6 --out results"

python -m adamlab.main logreg $COMMON --epochs 45
python -m adamlab.main mlp $COMMON --epochs 100 --batch-size 100
python -m adamlab.main vae $COMMON
