import sacrebleu
import torch
from torch.nn import functional as F

from corpus import Corpus
from decoding import greedy
from net import Translator
from optim import make_adam

STEPS = 100_000
BATCH = 64
LR = 1e-4
SAVE_EVERY = 5_000


def fit(net, corpus):
    adam = make_adam(net.parameters(), LR)
    step = 0
    while True:
        for src, tgt in corpus.batches(BATCH):
            logits = net(src, tgt[:, :-1])
            # label smoothing of 0.1
            loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=0)
            adam.zero_grad()
            loss.backward()
            adam.step()
            step += 1
            if step % SAVE_EVERY == 0:
                torch.save(net.state_dict(), f"net-{step}.pt")
                print(step, round(loss.item(), 3))
            if step == STEPS:
                return


def evaluate(net, corpus):
    net.eval()
    hypotheses, references = [], []
    for row in corpus.data["test"]:
        ids = greedy(net, torch.tensor([corpus.ids(row["en"])]))
        hypotheses.append(corpus.text(ids))
        references.append(row["de"].lower())
    return sacrebleu.corpus_bleu(hypotheses, [references]).score


if __name__ == "__main__":
    torch.manual_seed(0)
    corpus = Corpus()
    net = Translator(len(corpus.words))
    fit(net, corpus)
    print("BLEU", evaluate(net, corpus))
