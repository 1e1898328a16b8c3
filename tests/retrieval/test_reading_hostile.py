"""Odd and hostile repositories: each bad file costs only itself, and is named."""

from __future__ import annotations

import codecs
import functools
import io
import json
import os
import shutil
import socket
import stat
import tempfile
import zipfile
from contextlib import contextmanager
from pathlib import Path

import pytest

import retrieval.reading
from benchmark.errors import InputError
from retrieval.opening import Tree, UnreadableError, shown
from retrieval.reading import ReadLimits, read_repository
from retrieval.values import Role

GOOD = "import torch\n\nlr = 1e-4\n"
posix = pytest.mark.skipif(os.name == "nt", reason="needs POSIX file types")


@pytest.fixture(params=["descriptors", "paths"])
def way(request, monkeypatch):
    """Both ways of opening files: the one of this system and the one of systems without openat."""
    if request.param == "descriptors" and os.name == "nt":
        pytest.skip("no folder descriptors here")
    made = functools.partial(Tree, descriptors=request.param == "descriptors")
    monkeypatch.setattr(retrieval.reading, "Tree", made)


@pytest.fixture
def repo(tmp_path):
    """A repository with one good file, beside a folder that must never be read."""
    root = tmp_path / "repo"
    root.mkdir()
    (root / "good.py").write_text(GOOD, encoding="utf-8")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("SECRET = 1\n", encoding="utf-8")
    return root


def write(root, path, content=GOOD):
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content.encode() if isinstance(content, str) else content)


def texts(repository):
    return {file.path: file.text for file in repository.files}


def reasons(repository):
    return {skipped.path: skipped.reason for skipped in repository.skipped}


def read_beside_good(root, **options):
    """Read, and see that the good file was read and nothing from outside."""
    repository = read_repository(root, **options)
    assert texts(repository)["good.py"] == GOOD
    assert not any("SECRET" in file.text for file in repository.files)
    named = [file.path for file in repository.files] + [s.path for s in repository.skipped]
    for path in named:
        path.encode()  # no lone surrogate
        assert not path.startswith("/")
    return repository


def png():
    return b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4


def zipped():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("x.py", GOOD)
    return buffer.getvalue()


# name, content, words of the reason
REFUSED = [
    ("x.png", png(), "an image"),
    ("image.py", png(), "an image"),
    ("archive.py", zipped(), "a zip archive"),
    ("packed.py", b"\x1f\x8b\x08\0\0\0\0\0" * 9, "gzip"),
    ("elf.py", b"\x7fELF" + bytes(60), "compiled program"),
    ("tool", b"\x7fELF" + bytes(60), "compiled program"),
    ("pickle.txt", b"\x80\x04\x95" + bytes(range(200)), "pickled"),
    ("zeros.py", bytes(5000), "binary data"),
    ("noise.yaml", bytes(range(32)) * 100, "binary data"),
    ("one_nul.py", b"\0", "binary data"),
    ("model.pt", b"PK\x03\x04", "weights"),
    ("module.pyc", b"\xa7\r\r\n", "compiled code"),
    ("jquery.min.js", "var a=1;", "minified"),
    ("bundle.js", "var a=1;" * 20_000, "minified"),
    ("package-lock.json", "{}", "lock file"),
    ("poetry.lock", "x", "lock file"),
    ("train.csv", "1,2,3\n" * 10_000, "too large"),
    ("train.jsonl", '{"a": 1}\n' * 10_000, "too large"),
    ("vocab.json", json.dumps({str(n): n for n in range(30_000)}), "too large"),
    ("big.py", "x = 1\n" * 200_000, "too large"),
    ("run.log", "step 1\n" * 10_000, "too large"),
    ("main.py.orig", GOOD, "copy"),
    ("main.py~", GOOD, "copy"),
    ("wheel.whl", zipped(), "archive"),
]


@pytest.mark.parametrize(("name", "content", "why"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_is_not_source_is_named_with_the_reason(repo, name, content, why):
    write(repo, name, content)
    assert why in reasons(read_beside_good(repo))[name]


# name, content, text as read, words of a note
DECODED = [
    ("bom.py", b"\xef\xbb\xbfx = 1\n", "x = 1\n", ""),
    ("utf16le.py", b"\xff\xfe" + "x = 'é'\n".encode("utf-16-le"), "x = 'é'\n", "UTF-16"),
    ("utf16be.py", b"\xfe\xff" + "x = 'é'\n".encode("utf-16-be"), "x = 'é'\n", "UTF-16"),
    ("utf32.py", "x = 'é'\n".encode("utf-32"), "x = 'é'\n", "UTF-32"),
    ("bare16le.py", "lr = 0.1\n".encode("utf-16-le"), "lr = 0.1\n", "without a byte order mark"),
    ("bare16be.py", "lr = 0.1\n".encode("utf-16-be"), "lr = 0.1\n", "without a byte order mark"),
    ("odd16.py", b"\xff\xfex\0=\0\x00\xd8", "x=\ufffd", "UTF-16"),
    ("cp1252.py", b"x = '\x93\xe9\x94'\n", "x = '“é”'\n", "cp1252"),
    ("latin.py", b"x = '\x81\xe9'\n", "x = '\x81é'\n", "latin-1"),
    ("koi.py", b"# -*- coding: koi8-r -*-\nx = '\xc1\xc2\xd7'\n", None, "koi8-r"),
    ("second.py", b"#!/usr/bin/python\n# coding=gbk\nx = '\xc4\xe3'\n", None, "gbk"),
    ("lying.py", "# coding: latin-1\nx = 'é'\n".encode(), "# coding: latin-1\nx = 'é'\n", ""),
    ("evil_cookie.py", b"# coding: zlib\nx = '\xe9'\n", "# coding: zlib\nx = 'é'\n", "cp1252"),
    ("idna_cookie.py", b"# coding: idna\nx = '\xe9'\n", "# coding: idna\nx = 'é'\n", "cp1252"),
    ("no_such.py", b"# coding: nonesuch\n'\xe9'\n", "# coding: nonesuch\n'é'\n", "cp1252"),
    ("surrogate.py", b"x = '\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xed\xa0\x80'\n", None, "replaced"),
    ("mostly.py", "é".encode() * 9 + b"\xff\n", "é" * 9 + "\ufffd\n", "replaced"),
    ("cut.py", b"x = 1 # \xe2\x80", "x = 1 # \ufffd", "replaced"),
    ("nul.py", b"x = 1\0\ny = 2\n" + b"z = 3\n" * 9, None, "NUL"),
    ("crlf.py", b"a\r\nb\r\n", "a\nb\n", ""),
    ("cr.py", b"a\rb\r\rc", "a\nb\n\nc", ""),
    ("feed.py", "a\x0cb\x0bc\x85d\u2028e\u2029f\x1cg".encode(), None, ""),
    ("tabs.py", b"if x:\n\ty = 1\n", "if x:\n\ty = 1\n", ""),
    ("empty.py", b"", "", ""),
    ("blank.py", b"\n\n", "\n\n", ""),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "text", "note"), DECODED, ids=[r[0] for r in DECODED])
def test_odd_encodings_are_read_and_noted(repo, name, content, text, note):
    write(repo, name, content)
    repository = read_beside_good(repo)
    file = next(file for file in repository.files if file.path == name)
    assert file.language == "python"
    assert "\0" not in file.text
    assert "\r" not in file.text
    file.text.encode()
    if text is not None:
        assert file.text == text
    assert any(note in found for found in file.notes) if note else not file.notes


def test_the_cookie_decides_where_utf8_does_not(repo):
    write(repo, "koi.py", "# coding: koi8-r\nx = 'абв'\n".encode("koi8-r"))
    assert "абв" in texts(read_beside_good(repo))["koi.py"]


def test_only_line_ends_that_an_editor_shows_count(repo):
    write(repo, "feed.py", "a\x0cb\x0bc\x85d\u2028e\u2029f\x1cg\nh".encode())
    assert texts(read_beside_good(repo))["feed.py"].count("\n") == 1


@posix
@pytest.mark.usefixtures("way")
class TestFileTypes:
    def test_pipe(self, repo):
        os.mkfifo(repo / "pipe.py")
        assert "pipe or socket" in reasons(read_beside_good(repo))["pipe.py"]

    def test_socket(self, repo, monkeypatch):
        monkeypatch.chdir(repo)  # a socket's path is short
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("s.py")
            assert "pipe or socket" in reasons(read_beside_good(repo))["s.py"]

    def test_device(self, repo):
        try:
            os.mknod(repo / "zero.py", stat.S_IFCHR | 0o666, os.makedev(1, 5))
        except PermissionError:
            pytest.skip("only root makes devices")
        assert "device" in reasons(read_beside_good(repo))["zero.py"]

    def test_a_folder_with_a_file_name(self, repo):
        write(repo, "x.py/inner.py", "inner = 1\n")
        assert texts(read_beside_good(repo))["x.py/inner.py"] == "inner = 1\n"

    @pytest.mark.parametrize(
        ("target", "why"),
        [
            ("../outside/secret.py", "out of the repository"),
            ("sub/../../outside/secret.py", "out of the repository"),
            ("/etc/passwd", "out of the repository"),
            ("good.py", "inside the repository"),
            ("nowhere.py", "inside the repository"),
            ("link.py", "inside the repository"),
        ],
    )
    def test_file_links(self, repo, target, why):
        (repo / "link.py").symlink_to(target)
        repository = read_beside_good(repo)
        assert why in reasons(repository)["link.py"]
        assert len(repository.files) == 1

    def test_absolute_link_into_the_root_reads_the_same_on_every_machine(self, repo):
        (repo / "link.py").symlink_to(repo / "good.py")
        assert "out of the repository" in reasons(read_beside_good(repo))["link.py"]

    @pytest.mark.parametrize("target", ["../outside", "..", ".", "/", "loop"])
    def test_folder_links(self, repo, target):
        (repo / "loop").symlink_to(target)
        repository = read_beside_good(repo)
        assert "link" in reasons(repository)["loop"]
        assert len(repository.files) == 1

    def test_links_that_chase_each_other(self, repo):
        (repo / "a").symlink_to("b")
        (repo / "b").symlink_to("a")
        assert {"a", "b"} <= set(reasons(read_beside_good(repo)))

    def test_hard_links_are_files(self, repo):
        os.link(repo / "good.py", repo / "same.py")
        assert texts(read_beside_good(repo))["same.py"] == GOOD

    def test_sparse_giant(self, repo):
        with (repo / "huge.py").open("wb") as file:
            file.truncate(10 << 30)
        assert "10,737,418,240 bytes" in reasons(read_beside_good(repo))["huge.py"]

    def test_unreadable(self):
        root = Path(tempfile.mkdtemp())
        try:
            root.chmod(0o755)
            write(root, "good.py")
            write(root, "locked.py")
            write(root, "sealed/x.py")
            (root / "good.py").chmod(0o644)
            (root / "locked.py").chmod(0)
            (root / "sealed").chmod(0)
            with without_root():
                found = reasons(read_beside_good(root))
            assert found["locked.py"] == "no permission to read it"
            assert "no permission" in found["sealed"]
        finally:
            (root / "sealed").chmod(0o755)
            shutil.rmtree(root)


@contextmanager
def without_root():
    if os.geteuid():
        yield
        return
    # Python's own files may lie where others cannot read them, and a codec once not found stays so.
    codecs.lookup("utf-8-sig")
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@posix
@pytest.mark.parametrize("descriptors", [True, False])
def test_a_link_that_takes_a_files_place_is_not_followed(repo, descriptors):
    with Tree(repo, descriptors=descriptors) as tree:
        (repo / "sub").mkdir()
        write(repo, "sub/x.py")
        assert tree.read(("sub",), "x.py", 100) == GOOD.encode()
        (repo / "good.py").unlink()
        (repo / "good.py").symlink_to("../outside/secret.py")
        shutil.rmtree(repo / "sub")
        (repo / "sub").symlink_to("../outside")
        for folder, name in ((), "good.py"), (("sub",), "secret.py"):
            with pytest.raises(UnreadableError), Tree(repo, descriptors=descriptors) as fresh:
                fresh.read(folder, name, 100)
        with pytest.raises(UnreadableError), Tree(repo, descriptors=descriptors) as fresh:
            fresh.entries(("sub",), 10)


@posix
@pytest.mark.parametrize("descriptors", [True, False])
def test_a_pipe_that_takes_a_files_place_does_not_hang(repo, descriptors):
    os.mkfifo(repo / "pipe.py")
    with Tree(repo, descriptors=descriptors) as tree, pytest.raises(UnreadableError):
        tree.read((), "pipe.py", 100)


@posix
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_a_file_that_hides_its_size_is_read_no_further_than_the_limit():
    with Tree(Path("/proc/self")) as tree, pytest.raises(UnreadableError, match="grew"):
        tree.read((), "status", 10)


@posix
@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    ("name", "path"),
    [
        (b"new\nline.py", "new\\nline.py"),
        (b"caf\xe9.py", "caf\\xe9.py"),
        (b"-rf.py", "-rf.py"),
        (b"--help.py", "--help.py"),
        (b"con.py", "con.py"),
        (b"nul .py", "nul .py"),
        (b"..hidden.py", "..hidden.py"),
        (b"..\\..\\etc.py", "..\\..\\etc.py"),
        (b"\xe2\x80\xaeyp.evil.py", "\\u202eyp.evil.py"),
        (b"\x1b[31m.py", "\\x1b[31m.py"),
        (b"n" * 252 + b".py", "n" * 252 + ".py"),
        ("größe 中.py".encode(), "größe 中.py"),
        (b"${HOME};rm.py", "${HOME};rm.py"),
    ],
)
def test_odd_names_are_read_and_shown_safely(repo, name, path):
    try:
        with open(os.path.join(os.fsencode(repo), name), "wb") as file:  # noqa: PTH118, PTH123
            file.write(b"odd = 1\n")
    except OSError:
        pytest.skip("this file system refuses the name")
    assert texts(read_beside_good(repo))[path] == "odd = 1\n"


def test_names_that_would_be_written_alike_do_not_hide_each_other(repo):
    if os.name == "nt":
        pytest.skip("needs POSIX names")
    write(repo, "a\nb.py", "first = 1\n")
    write(repo, "a\\nb.py", "second = 1\n")
    repository = read_beside_good(repo)
    assert "a\\nb.py" in texts(repository)
    assert "same way" in reasons(repository)["a\\nb.py"]


def test_shown_leaves_nothing_that_breaks_a_line():
    for point in (*range(32), 127, 0x85, 0x2028, 0x202E, 0xFEFF, 0xDCFF):
        escaped = shown(f"a{chr(point)}b")
        assert escaped.isprintable()
        assert escaped.startswith("a\\")


def test_names_that_differ_in_case_are_both_read(repo):
    write(repo, "A.py", "upper = 1\n")
    write(repo, "a.py", "lower = 1\n")
    files = {file.path: file for file in read_beside_good(repo).files}
    if len(files) == 2:
        pytest.skip("this file system does not tell case apart")
    assert files["A.py"].text != files["a.py"].text
    assert "A.py" in files["a.py"].notes[0]


def test_deep_folders_are_cut_off_and_named(repo):
    place = repo
    for _ in range(45):
        place /= "d"
    place.mkdir(parents=True)
    (place / "deep.py").write_text("deep = 1\n", encoding="utf-8")
    found = reasons(read_beside_good(repo))
    assert found["/".join(["d"] * 41)] == "more than 40 folders deep"


# folder, files in it, words of the reason
LEFT_OUT = [
    (".git", ["config"], "tool"),
    ("pkg/__pycache__", ["x.py"], "tool"),
    ("web/node_modules", ["a/index.js"], "installed packages"),
    ("lib/site-packages", ["a.py"], "installed packages"),
    ("vendor", ["a.py"], "vendored"),
    ("src/third_party", ["a.py"], "vendored"),
    ("venv", ["pyvenv.cfg", "x.py"], "virtual environment"),
    ("myenv", ["pyvenv.cfg", "bin/activate_this.py"], "virtual environment"),
    ("env", ["bin/activate_this.py", "lib/python3.11/os.py"], "virtual environment"),
    ("x.egg-info", ["PKG-INFO"], "build output"),
    ("build", ["bdist.linux-x86_64/x.py", "lib/x.py"], "build output"),
    ("wandb/run-20260101_101010-ab12", ["config.yaml"], "recorded run"),
]


@pytest.mark.parametrize(("folder", "names", "why"), LEFT_OUT, ids=[row[0] for row in LEFT_OUT])
def test_folders_that_are_not_the_submissions(repo, folder, names, why):
    for name in names:
        write(repo, f"{folder}/{name}")
    repository = read_beside_good(repo)
    assert why in reasons(repository)[folder]
    assert set(texts(repository)) == {"good.py"}


@pytest.mark.parametrize(
    "folder",
    [
        "results",
        "build",
        "data",
        "dist",
        "env",
        "venv",
        "output",
        "artifacts",
        "lib",
        "bin",
        "logs",
        "src/env",
        "tests",
        ".github",
    ],
)
def test_real_code_is_read_whatever_its_folder_is_called(repo, folder):
    write(repo, f"{folder}/train.py", "trained = 1\n")
    assert texts(read_beside_good(repo))[f"{folder}/train.py"] == "trained = 1\n"


def test_root_that_is_missing_or_no_folder(tmp_path):
    for root in (tmp_path / "none", tmp_path / "file"):
        (tmp_path / "file").write_text("", encoding="utf-8")
        with pytest.raises(InputError) as caught:
            read_repository(root)
        assert str(root) in str(caught.value)


def test_root_with_a_nul_in_its_name():
    with pytest.raises(InputError):
        read_repository(Path("a\0b"))


def test_empty_repository(tmp_path):
    repository = read_repository(tmp_path)
    assert repository.files == ()
    assert repository.skipped == ()
    assert repository.digest


@posix
def test_root_may_be_a_link(repo, tmp_path):
    (tmp_path / "link").symlink_to(repo)
    assert read_repository(tmp_path / "link") == read_repository(repo)


class TestExclude:
    def test_patterns_are_those_of_gitignore(self, repo):
        for path in ("result/x.py", "src/result/y.py", "a.log", "src/keep.log", "src/main.py"):
            write(repo, path)
        repository = read_beside_good(repo, exclude=["/result/", "*.log", "!keep.log"])
        assert set(texts(repository)) == {
            "good.py",
            "src/keep.log",
            "src/main.py",
            "src/result/y.py",
        }
        assert reasons(repository)["result"] == "excluded by the pattern '/result/'"
        assert reasons(repository)["a.log"] == "excluded by the pattern '*.log'"

    def test_an_excluded_folder_does_not_come_back(self, repo):
        write(repo, "result/keep.py")
        repository = read_beside_good(repo, exclude=["result/", "!result/keep.py"])
        assert set(texts(repository)) == {"good.py"}

    def test_the_repositorys_own_ignore_file_hides_nothing(self, repo):
        write(repo, ".gitignore", "configs/\n*.py\n")
        write(repo, "configs/main.yaml", "lr: 1e-4\n")
        assert "configs/main.yaml" in texts(read_beside_good(repo))

    def test_a_pattern_that_is_none(self, repo):
        with pytest.raises(InputError) as caught:
            read_repository(repo, exclude=["ok/", "!"])
        assert "'!'" in str(caught.value)

    def test_comments_and_empty_lines_do_nothing(self, repo):
        assert read_beside_good(repo, exclude=["# a comment", "", "  "]).skipped == ()


class TestLimits:
    def test_many_files_are_counted_in_one_entry(self, repo):
        for number in range(3_000):
            (repo / f"f{number:04}.py").touch()
        limits = ReadLimits(max_files=100)
        repository = read_beside_good(repo.parent / "repo", limits=ReadLimits())
        assert len(repository.files) == 3_001
        repository = read_repository(repo, limits=limits)
        assert len(repository.files) == 100
        assert reasons(repository) == {".": "2,901 more files: over the limit of 100 files in all"}

    def test_code_is_read_before_a_flood_of_other_files(self, repo):
        for number in range(50):
            write(repo, f"aaa/{number}.txt", "x")
        write(repo, "src/deep/model.py", "model = 1\n")
        repository = read_beside_good(repo, limits=ReadLimits(max_files=10))
        assert "src/deep/model.py" in texts(repository)

    def test_names_are_bounded_too(self, repo):
        for number in range(50):
            write(repo, f"a/{number:02}.py")
            write(repo, f"b/{number:02}.py")
        repository = read_beside_good(repo, limits=ReadLimits(max_entries=20))
        found = reasons(repository)
        assert found["a"] == "33 more names: over the limit of 20 names in all"
        assert found["."] == "1 more folder not looked into: over the limit of 20 names in all"
        assert {f"a/{n:02}.py" for n in range(17)} <= set(texts(repository))

    def test_a_flood_of_skipped_names_is_counted(self, repo):
        for number in range(50):
            write(repo, f"{number:02}.png")
        repository = read_beside_good(repo, limits=ReadLimits(max_skipped=10))
        assert len(repository.skipped) == 11
        assert reasons(repository)["."] == "40 more paths skipped, not named one by one"

    def test_installed_packages_do_not_use_up_the_names(self, repo):
        for number in range(50):
            write(repo, f".git/{number}")
            write(repo, f"aenv/{number}")
        write(repo, "aenv/pyvenv.cfg")
        write(repo, "aenv/bin/python")
        write(repo, "src/x.py")
        assert "src/x.py" in texts(read_beside_good(repo, limits=ReadLimits(max_entries=60)))

    def test_all_bytes_together(self, repo):
        for number in range(10):
            write(repo, f"z{number}.py", "x" * 1000)
        repository = read_beside_good(repo, limits=ReadLimits(max_total_bytes=3_000))
        assert len(repository.files) == 4
        assert "3,000 bytes" in reasons(repository)["."]

    def test_long_lines_are_cut_and_the_others_keep_their_numbers(self, repo):
        blob = "A" * 300_000
        write(repo, "blob.py", f'x = 1\nBLOB = "{blob}"\ny = 2\n')
        file = next(f for f in read_beside_good(repo).files if f.path == "blob.py")
        lines = file.text.split("\n")
        assert lines[0] == "x = 1"
        assert lines[2] == "y = 2"
        assert len(lines[1]) < 6_000
        compile(file.text, "blob.py", "exec")  # the literal still closes
        assert file.notes == ("1 line over 5,000 characters cut: 2",)

    def test_limits_must_be_positive(self):
        with pytest.raises(ValueError, match="max_files"):
            ReadLimits(max_files=0)


class TestDigest:
    def test_does_not_depend_on_the_order_of_creation(self, tmp_path):
        names = [f"{a}/{b}.py" for a in "abc" for b in "xyz"] + ["a-b.py", "a.py", "é.py"]
        for root, order in (("one", names), ("two", names[::-1])):
            for name in order:
                write(tmp_path / root, name, f"name = {name!r}\n")
        one, two = (read_repository(tmp_path / root) for root in ("one", "two"))
        assert one == two
        assert [f.path for f in one.files] == sorted(names, key=str.encode)

    def test_changes_with_content_name_and_what_is_left_out(self, repo):
        seen = {read_repository(repo).digest}
        for path, content in [
            ("good.py", "lr = 2\n"), ("new.py", ""), ("big.py", "x" * (2 << 20)), ("x.png", ""),
        ]:  # fmt: skip
            write(repo, path, content)
            seen.add(read_repository(repo).digest)
        (repo / "new.py").rename(repo / "other.py")
        seen.add(read_repository(repo).digest)
        assert len(seen) == 6

    def test_does_not_change_with_what_tools_and_graders_leave(self, repo):
        before = read_repository(repo, exclude=["result/"]).digest
        write(repo, "result/score.json", "{}")
        write(repo, "__pycache__/good.pyc", b"\0")
        write(repo, ".git/HEAD", "ref")
        assert read_repository(repo, exclude=["result/"]).digest == before


# path, content, language, role
KINDS = [
    ("main", "import torch\n\ndef main():\n    pass\n", "python", Role.CODE),
    ("model/ca2", "```python\n## x\nimport torch\nclass A(nn.Module):\n", "python", Role.CODE),
    ("test_a.py}", GOOD, "python", Role.CODE),
    ("run", "#!/usr/bin/env python3\nx = 1\n", "python", Role.CODE),
    ("go", "#!/bin/bash\npython main.py\n", "shell", Role.CODE),
    ("notes", "from here on we import ideas\nimport them well, please do\n", "text", Role.DATA),
    ("letter", "from here import goods\nfrom there import more\n", "text", Role.DATA),
    ("README", "import torch\n\ndef main():\n", "text", Role.DOC),
    ("test_time_compute.py", "def test_time_compute(x):\n    return x\n", "python", Role.CODE),
    ("test.py", "from model import net\nprint(net.evaluate())\n", "python", Role.CODE),
    ("tests/test_x.py", "import pytest\n", "python", Role.TEST),
    ("tests/test_y.py", "def test_y():\n    assert 1\n", "python", Role.TEST),
    ("test_z.py", "class T(TestCase):\n    def test_a(self):\n        self.assertTrue(1)\n",
     "python", Role.TEST),
    ("tests/data.py", "x = 1\n", "python", Role.CODE),
    ("src/check.py", "import pytest\n", "python", Role.CODE),
    ("stub.pyi", "x: int\n", "python", Role.CODE),
    ("requirements.txt", "torch\n", "text", Role.CONFIG),
    ("requirements-dev.txt", "torch\n", "text", Role.CONFIG),
    ("prompts/judge.txt", "You are\n", "text", Role.CONFIG),
    ("notes.txt", "words\n", "text", Role.DOC),
    ("a.yaml", "a: 1\n", "yaml", Role.CONFIG),
    ("a.JSON", "{}", "json", Role.CONFIG),
    ("list.json", "[1, 2]", "json", Role.DATA),
    ("results/metrics.json", "{}", "json", Role.DATA),
    ("a.toml", "a = 1\n", "toml", Role.CONFIG),
    ("setup.cfg", "[a]\n", "ini", Role.CONFIG),
    (".env.example", "A=1\n", "ini", Role.CONFIG),
    ("run.sbatch", "srun x\n", "shell", Role.CODE),
    ("README.md", "# x\n", "markdown", Role.DOC),
    ("a.rst", "x\n", "text", Role.DOC),
    ("kernel.cu", "x\n", "text", Role.CODE),
    ("Makefile", "x:\n", "text", Role.CODE),
    ("Dockerfile", "FROM x\n", "text", Role.CODE),
    ("train.R", "x <- 1\n", "text", Role.CODE),
    ("tasks.csv", "a,b\n", "text", Role.DATA),
    (".gitignore", "x\n", "text", Role.DATA),
]  # fmt: skip


@pytest.mark.parametrize(("path", "content", "language", "role"), KINDS, ids=[r[0] for r in KINDS])
def test_language_and_role(repo, path, content, language, role):
    write(repo, path, content)
    file = next(file for file in read_beside_good(repo).files if file.path == path)
    assert (file.language, file.role) == (language, role)
