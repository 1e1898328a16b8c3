#!/usr/bin/env bash
cd "$(dirname "$0")/.." || exit 1
for data in breast-w kr-vs-kp hypothyroid mushroom soybean vehicle; do
  python experiment.py --data "$data" --settings settings.json
done
