#!/usr/bin/env bash
# Prediction target: noise against posterior mean, same fixed variance.
set -euo pipefail

for target in eps mean; do
  python train.py --config config.yaml --target "$target" --out "runs/$target"
  python evaluate.py --config config.yaml --ckpt "runs/$target/last.pt" --metrics fid \
    --json "runs/$target/fid.json"
done

python - <<'PY'
import json
for target in ("eps", "mean"):
    print(target, json.load(open(f"runs/{target}/fid.json")))
PY
