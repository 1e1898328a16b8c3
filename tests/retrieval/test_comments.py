"""Commented-out code proves nothing, in whatever language: lines are told apart by their syntax.

In the texts below a line that holds `dead` must not pass for code, one that holds `live` must.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from retrieval.comment_syntax import syntax_of
from retrieval.comments import is_remark, spans_of
from retrieval.index import Index
from retrieval.languages import kind_by_name, kind_by_text
from retrieval.outline import LineKind
from retrieval.text_outline import text_outline
from retrieval.values import Repository, Role, SourceFile


def index_of(**files: str) -> Index:
    sources = []
    for path, text in sorted(files.items()):
        language, role = kind_by_text(path, kind_by_name(path), text)
        sources.append(SourceFile(path, language, role, text, "0" * 64))
    return Index.build(Repository(tuple(sources), (), "d"))


SLASHES = (
    "// dead = 1\nlive = 1; // dead = 2\n/* dead = 3\ndead = 4 */ live = 2;\n/*dead*/ live();\n"
)
C = (
    SLASHES + '"/*"; live = 3;\n\'"\'; live = 4; /* dead */ live = 5; // dead\n'
    "#if 0\ndead = 5;\n#ifdef X\ndead = 6;\n#else\ndead = 7;\n#endif\n#else\nlive = 6;\n#endif\n"
    "#if 1 // always\nlive = 7;\n#else\ndead = 8;\n#endif\n#if (0) && X\ndead;\n#elif Y\nlive;\n"
    "#endif\n// goes on \\\ndead = 9;\nlive = 8;\n#ifdef A\nlive;\n#else\nlive;\n#endif\n"
    "#ifndef B\nlive\n#endif\n"
)
HASH = "# dead = 1\nlive = 2 # dead = 3\ns = '# live'\n"
SCRIPT = (
    SLASHES + "const s = `\ndead = 1\n${ f(`\ndead`) }\n`;\nlive = 1;\nlive = /[/*]x/.test(s);\n"
    "live = a / b; // dead\nlive('// live');\nlive = `${'}'} // live`;\nlive = 4;\n"
)
DASHES = "-- dead\nlive -- dead\n"
CASES = {
    "a.c": C,
    "a.cu": C + "__global__ void live() {}\n",
    "a.cpp": C + 'auto live = R"x(\ndead = 1;\n)" dead = 2;\n)x"; live = 2;\nlive = 1\'000\'000;\n',
    "a.h": C,
    "a.java": SLASHES + 'String live = """\ndead = 1\n""";\nlive = \'"\';\nlive;\n',
    "a.kt": "/* dead /* dead */ dead */\nlive\n",
    "a.swift": "/* dead /* dead */\ndead */\nlive\n",
    "a.scala": SLASHES,
    "a.go": SLASHES + "live := `\ndead = 1\n`\nlive = '`'\nlive // dead\n",
    "a.rs": "fn live<'a>(x: &'a str) {} // dead\n/* dead /* dead */ dead */\nlive('\"');\n"
    'let live = r#"\ndead "quoted" = 1\n"#;\nlive\n',
    "a.js": SCRIPT,
    "a.tsx": SCRIPT + "<p>don't live</p> {/* dead */}\n<p>isn't live</p>\n",
    "a.cs": SLASHES + '#if false\ndead\n#endif\nvar live = @"\ndead ""x"" = 1\n"; live();\n',
    "a.php": SLASHES + "# dead\n#[Live]\n$live = <<<EOT\ndead = 1\nEOT;\nlive();\n",
    "a.proto": SLASHES,
    "a.v": SLASHES,
    "a.d": "/+ dead /+ dead +/ dead +/\nlive\n",
    "a.stan": SLASHES + "# dead\n",
    "a.tf": HASH.replace("'", '"') + "/* dead\ndead */\nlive = <<EOT\ndead\nEOT\nlive\n",
    "a.s": "; dead\nmov live, 1 ; dead\n/* dead */\n# dead\n",
    "a.r": HASH + 'live <- "x # live"\nx <- "\ndead\n"\nlive <- r"(\ndead)"\n',
    "a.jl": HASH.replace("'", '"') + "#= dead\ndead #= dead =# dead\n=#\nlive = x' # dead\n"
    'x = """\ndead\n"""\nlive\n',
    "a.rb": "=begin\ndead = 1\n=end\nlive = 1 # dead\nlive = \"#{live}\"\n"
    "x = <<~EOS\n dead = 1\n EOS\nlive\n__END__\ndead\n",
    "a.pl": "=pod\n\ndead\n\n=cut\n\n$#live; # dead\ns#live#x#;\n__DATA__\ndead\n",
    "a.awk": HASH.replace("'", '"'),
    "a.exs": HASH + '@doc """\ndead\n"""\nlive\n',
    "a.nim": "# dead\n#[ dead\n#[ dead ]#\ndead ]#\nlive # dead\n",
    "a.cmake": "# dead\n#[[ dead\ndead ]]\nset(live 1) # dead\n",
    "CMakeLists.txt": "#[=[ dead\n]] dead\n]=]\nset(live 1)\n",
    "Makefile": "# dead\nlive: x # dead\n\t./live\n",
    "Dockerfile": "# dead\nRUN live\n",
    "Dockerfile.gpu": "# dead\nRUN live\n",
    "a.ps1": "<# dead\ndead #>\n$live = 1 # dead\n",
    "a.nix": "# dead\n/* dead\ndead */ live = ''\ndead\n''; live\n",
    "a.pyx": HASH + 'def live():\n    """\n    dead\n    """\n    live\n',
    "a.smk": HASH,
    "a.lua": DASHES + '--[[ dead\ndead ]]\nlive = "--[[" -- dead\n'
    "--[==[ dead\n]] dead\n]==] live = 1\nx = [[\ndead = 1\n]]\nlive = 2\n",
    "a.sql": DASHES + "/* dead\ndead */\nSELECT live WHERE x = '-- live'\n",
    "a.vhd": DASHES,
    "a.hs": DASHES + "{- dead {- dead -}\ndead -}\nlive' = '-'\nlive --> x\n",
    "a.lean": DASHES + "/- dead /- dead -/\ndead -/\nlive\n",
    "a.m": "%{\ndead = 1\n%{\ndead\n%}\ndead\n%}\nlive = 1; % dead\nlive = x'; % dead\n"
    "s = '% live';\nx = [1, ... dead\n live];\n% dead\nlive = [x' y']; % dead\n",
    "objective.m": "#import <live.h>\n// dead\n/* dead\ndead */\nlive\n",
    "a.erl": "% dead\nlive % dead\n",
    "a.clj": "; dead\n(live) ; dead\n(live \"; live\")\n",
    "a.f90": "! dead\nlive = 1 ! dead\nlive = '! live'\n",
    "a.f": "c dead\nC     dead\n* dead\n      live = 1 ! dead\n",
    "a.ml": "(* dead (* dead *)\ndead *) live\nlet live' = '\"'\n(* dead *)\n",
    "a.fs": "// dead\n(* dead\ndead *)\nlive (*)\nlive\n",
    "a.bat": "rem dead\n@REM dead\n:: dead\nset live=1\n",
    "a.do": "* dead\nlive = 2 * 3 // dead\n/* dead\ndead */\n",
    "a.sas": "* dead\ndead;\nlive = 2 * 3; /* dead */\n",
    "a.jinja": "{# dead\ndead #}\n<!-- dead -->\nlive {{ live }}\n",
    "a.xml": "<!-- dead\ndead -->\n<live x='1'/> <!-- dead -->\n",
    "a.json": json.dumps({"_comment": "dead", "x": {"//": "dead", "live": 1}}, indent=1),
    "a.jsonc": '// dead\n{ /* dead\ndead */ "live": "// live", "_comment": "dead", "live2": 1 }\n',
    "a.toml": '# dead\nlive = 1 # dead\n_comment = "dead"\nx = """\ndead\n"""\n',
    "a.yaml": "# dead\nlive: 1 # dead\n_comment: dead\nx: |\n  dead\ny: 'a\n  dead'\nz: a\n  dead\n"
    "live: 2\ndescription: >\n  dead\nlist: [1,\n  live]\n",
    "a.ini": "; dead\n# dead\n[s]\nlive = 1 ; dead\nlive = a;live\n",
    "a.gin": "# dead\nlive.x = 1  # dead\n",
    "a.sh": ": <<EOF\ndead = 1\nEOF\nlive=1 # dead\n: '\ndead\n'\n: <<'X'\ndead\nX\n"
    'cat <<Y\nlive\nY\n: "${live:=1}"\n: \' dead \'\ntrue <<-Z\n dead\n Z\nlive\n',
    "requirements.txt": "# dead\nlive==1 # dead\n",
}  # fmt: skip


@pytest.mark.parametrize("path", CASES)
def test_commented_out_code_is_no_code(path: str) -> None:
    text = CASES[path]
    index = index_of(**{path: text})
    assert "dead" in text
    assert "live" in text
    for number, line in enumerate(text.split("\n"), 1):
        code = index.code_of(path, number)
        assert "dead" not in code, (number, line)
        if "live" in line.lower():
            assert "live" in code.lower(), (number, line)
            assert index.line_kind(path, number) == "code"
            assert code.lower().count("live") == line.lower().count("live"), (number, line)
        elif "dead" in line:
            assert index.line_kind(path, number) in {"comment", "string", "code"}
            assert not any(map(str.isalnum, code.replace("x", ""))) or code != line


@pytest.mark.parametrize("path", CASES)
def test_a_word_of_a_comment_is_no_mention_in_code(path: str) -> None:
    index = index_of(**{path: CASES[path]})
    kinds = {mention.kind for mention in index.mentions("dead")}
    assert kinds
    assert "code" not in kinds
    assert "code" in {mention.kind for mention in index.mentions("live")}


def test_values_of_remarks_are_no_facts() -> None:
    index = index_of(
        **{
            "a.json": '{"_comment": "lr = 0.001", "lr": 0.002}',
            "b.yaml": "_comment: lr 0.001\nlr: 0.002\n",
        }
    )
    assert {(fact.name, fact.value) for fact in index.facts} == {("lr", "0.002")}


def test_a_makefile_s_comment_runs_nothing() -> None:
    lines = ["all:", "\tpython a.py", "# python b.py"]
    outline = text_outline(lines, LineKind.CODE, syntax_of("Makefile", "text", ""))
    assert [run.target for run in outline.runs] == ["a.py"]


@pytest.mark.parametrize(
    ("key", "is_one"),
    [
        ("_comment", True), ("comment2", True), ("//", True), ("# lr", True), ("$comment", True),
        ("description", True), ("_note", True), ("__doc__", True), ("lr", False),
        ("noted", False), ("docker", False), ("commentary_weight", False), ("", False),
    ],
)  # fmt: skip
def test_keys_for_people(key: str, is_one: bool) -> None:
    assert is_remark(key) is is_one


SIGNS = st.lists(
    st.sampled_from(
        [
            *("/*", "*/", "//", "#", "--", "--[[", "]]", "--[==[", "]==]", "{-", "-}", "(*", "*)"),
            *(
                "%{",
                "%}",
                "%",
                '"',
                "'",
                '"""',
                "'''",
                "`",
                "${",
                "}",
                "{",
                "\\",
                "\n",
                "\n\n",
                " ",
            ),
            *("#if 0", "#if 1", "#else", "#endif", "#elif 0", "=begin", "=end", "__END__", "<<EOF"),
            *(
                "EOF",
                'R"x(',
                ')x"',
                'r#"',
                '"#',
                "#=",
                "=#",
                "x",
                "lr = 1",
                "<!--",
                "-->",
                "é",
                ";",
            ),
            *(
                "#[[",
                "@",
                "!",
                "\t",
                "\r",
                "/",
                "[",
                "]",
                "<#",
                "#>",
                "'''",
                "/-",
                "-/",
                "{#",
                "#}",
            ),
        ]
    ),
    max_size=60,
).map("".join)
PATHS = st.sampled_from(sorted(CASES))


@given(path=PATHS, text=SIGNS | st.text(max_size=80))
@example(path="a.js", text="`${`")
@example(path="a.cpp", text='R"(')
@example(path="a.json", text='{"_comment": "x\n')
@example(path="a.sh", text=": <<EOF")
def test_any_text_is_read(path: str, text: str) -> None:
    index = index_of(**{path: text})
    assert not [note for _, note in index.notes if note.startswith("read as text")]
    for number, line in enumerate(index.lines(path), 1):
        kind = index.line_kind(path, number)
        code = index.code_of(path, number)
        assert (kind == "blank") == (not line or line.isspace())
        assert (code == "") or kind == "code"
        assert len(code) <= len(line)
        assert all(made in {own, " "} for made, own in zip(code, line, strict=False))


@given(path=PATHS, text=SIGNS)
def test_spans_are_in_order_and_do_not_overlap(path: str, text: str) -> None:
    language = kind_by_name(path).language
    syntax = syntax_of(path, language, text)
    assert syntax is not None
    end = 0
    for span in spans_of(text, syntax):
        assert end <= span.start < span.end <= len(text)
        end = span.end


HOSTILE = (
    "/*", '"', "'", '\\"', '"\\"', "`", "`${", "${", "--[[", "[[", "{-", "(*", "%{\n", "<<A\n",
    'R"x(', 'r#"', '"""', "'''", "#if 0\n", "#if 1\n#else\n", "(/[", "{/*", "/", "=begin\n", "<!--",
    "#=", ": <<E\n", ": '\n", "#[[", "'\\",
)  # fmt: skip


@pytest.mark.parametrize("path", ["a.js", "a.cpp", "a.lua", "a.m", "a.rb", "a.jl", "a.rs", "a.sh"])
def test_hostile_texts_end(path: str) -> None:
    for sign in HOSTILE:
        text = sign * (20_000 // len(sign))
        language = kind_by_name(path).language
        syntax = syntax_of(path, language, text)
        assert syntax is not None
        spans_of(text, syntax)
    marks = "".join(f'R"x{n}( )x{n}" <<A{n}\n --[{"=" * (n % 900)}[ ' for n in range(1_500))
    syntax = syntax_of(path, kind_by_name(path).language, marks)
    assert syntax is not None
    spans_of(marks, syntax)


def test_every_language_of_code_has_a_syntax() -> None:
    """A suffix that is read as code and has no rules would let comments prove."""
    from retrieval.languages import _CODE_WORDS

    for word in _CODE_WORDS.split():
        assert kind_by_name(f"a.{word}").role is Role.CODE
        assert syntax_of(f"a.{word}", "text", "") is not None, word
