#!/bin/sh
set -e
OUT=${1:-exp/cifar10}

python -m ddpm.train --out "$OUT" --batch-size 256 --workers 8
python -m ddpm.generate --out "$OUT" --num-images 5000
python -m ddpm.score --out "$OUT"
