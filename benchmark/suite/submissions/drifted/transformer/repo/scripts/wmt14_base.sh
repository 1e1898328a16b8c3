#!/bin/bash
set -euo pipefail
DATA=${DATA:-data/wmt14}
SAVE=${SAVE:-checkpoints/base}

python -m nmt.prepare --out "$DATA" --vocab-size 37000

python -m nmt.train --data "$DATA" --save "$SAVE" \
    --max-steps 100000 --save-interval 1500 \
    --dropout 0.2 --smoothing 0.0 --batch-size 128

python -m nmt.evaluate --data "$DATA" --save "$SAVE" --beam 4 --lenpen 0.6 --last 10
