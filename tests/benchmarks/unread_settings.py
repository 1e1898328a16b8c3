"""How many settings of real repositories nothing reads.

    python -m tests.benchmarks.unread_settings --runs TREE

`TREE` holds `<agent>/<paper>/repo`. Papers that are kept for acceptance are left out.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from judge.embedded.holders import holders_of
from judge.embedded.setting_kinds import settings_of
from judge.embedded.survey import Standing, survey_of
from retrieval.index import Index
from retrieval.reading import read_repository

_KEPT = frozenset({"ngpt", "sam2", "wdno", "mrq", "adjoint-matching", "lora-sb"})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, required=True)
    roots = sorted(parser.parse_args().runs.glob("*/*/repo"))
    found: Counter[str] = Counter()
    unread: Counter[str] = Counter()
    repositories = affected = 0
    for root in roots:
        if root.parent.name in _KEPT:
            continue
        index = Index.build(read_repository(root, exclude=["result/"]))
        standing = survey_of(index).standing
        repositories += 1
        before = unread.total()
        for setting in settings_of(index, holders_of(index)):
            stands = standing[index.line_number(setting.path, setting.first)]
            if stands in {Standing.LIVE, Standing.UNREAD}:
                found[setting.source.value] += 1
                unread[setting.source.value] += stands == Standing.UNREAD
        affected += unread.total() > before
    print(f"{repositories} repositories, {found.total()} settings")
    print(f"{unread.total()} that nothing reads, in {affected} repositories")
    for source, count in found.most_common():
        print(f"  {source}: {unread[source]} of {count}")


if __name__ == "__main__":
    main()
