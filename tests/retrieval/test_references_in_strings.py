"""What is called within and beside strings is called; a name in a text is not."""

from __future__ import annotations

import pytest

from tests.retrieval.handmade import build


@pytest.mark.parametrize(
    ("line", "reached"),
    [
        ('print(f"""loss {go(3)}""")', True),
        ('print(f"{go(3):.{digits}f}")', True),
        ("print('it\\'s ' + go(3) + ' done')", True),
        ("print(f\"{go('k')}\")", True),
        ('print(f"{go("k")}")', True),
        ("print('go', \"go(1)\")", False),
        ("print('''it's go(1)''')", False),
        ('print(f"{{go}} {x}")', False),
        ("print('it\\'s go(1)')", False),
    ],
)
def test_names_in_strings(line: str, *, reached: bool) -> None:
    index = build({"a.py": f"def go(x): return x\n\nx = digits = 2\n{line}\n"})
    assert index.reached("a.py", 1) is reached


def test_files_that_all_re_export_each_other_are_read() -> None:
    stars = "\n".join(f"from f{place} import *" for place in range(25))
    files = {f"f{place}.py": f"{stars}\ndef g{place}(): pass\n" for place in range(25)}
    index = build({**files, "main.py": "from f3 import *\ng7()\n"})
    assert index.reached("f7.py", 26) is True
    assert index.reached("f8.py", 26) is False
