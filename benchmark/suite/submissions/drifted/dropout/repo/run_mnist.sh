#!/bin/bash
set -eu
python -m dropmnist architectures --momentum 0.9 --lr 0.05
python -m dropmnist regularizers --momentum 0.9 --lr 0.05
python -m dropmnist montecarlo --momentum 0.9 --lr 0.05
