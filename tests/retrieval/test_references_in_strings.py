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


@pytest.mark.parametrize(
    ("code", "reached"),
    [
        ('text = f"""\n loss {go(3)} of\n"""\nx(text)', True),
        ('text = """\n loss\n""".format(go(3))\nx(text)', True),
        ('text = f"""\n {x.go()}\n"""\nx(text)', False),
        ('text = """\n loss {go(3)}\n"""\nx(text)', False),
        ('text = f"""\n loss {{go(3)}}\n"""\nx(text)', False),
    ],
)
def test_calls_in_strings_over_several_lines(code: str, *, reached: bool) -> None:
    block = "\n".join(f"    {line}" for line in code.split("\n"))
    index = build({"a.py": f"def go(x): return x\n\nif __name__ == '__main__':\n{block}\n"})
    assert index.reached("a.py", 1) is reached


def test_files_that_all_re_export_each_other_are_read() -> None:
    stars = "\n".join(f"from f{place} import *" for place in range(25))
    files = {f"f{place}.py": f"{stars}\ndef g{place}(): pass\n" for place in range(25)}
    index = build({**files, "main.py": "from f3 import *\ng7()\n"})
    assert index.reached("f7.py", 26) is True
    assert index.reached("f8.py", 26) is False
