"""The shape of the house: imports run one way, files stay small, the packages in the wheel are
those on disk.
"""

from __future__ import annotations

import ast
import re
import tokenize
import tomllib
from collections import Counter
from collections.abc import Container
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module, resources
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ["models", "properties", "checker", "reports", "cli"]
WITH_ROOMS = ["checker", "cli"]
ENGINES = ["reference", "explicit", "symbolic"]
MOST_TOKENS = 4_500
MOST_FUNCTION_LINES = 70
LAYOUT = {tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT}
UNSAFE = {
    "pickle",
    "cPickle",
    "_pickle",
    "marshal",
    "shelve",
    "dill",
    "eval",
    "exec",
    "compile",
    "__import__",
}
"""Modules and functions by which data becomes code."""

PAGES = [
    path
    for folder in ("", *(f"{name}/**/" for name in (*LAYERS, "docs", "tests", "bench", "editors")))
    for path in sorted(ROOT.glob(f"{folder}*.md"))
    if path.parent.name != "expected"
]
MODULES = sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    return list(ast.walk(tree_of(path)))


@cache
def imported(path: Path) -> list[tuple[str, ...]]:
    """Return what *path* imports of the project, as paths from the root; what is imported only when
    it is needed, too.
    """
    here = path.relative_to(ROOT).parent.parts
    found = []
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = here[: len(here) - node.level + 1]
            module = tuple(node.module.split(".")) if node.module else ()
            found += [(*base, *module, alias.name) for alias in node.names]
        elif (
            isinstance(node, ast.ImportFrom)
            and node.module
            and node.module.split(".")[0] == "stacklaw"
        ):
            found.append(tuple(node.module.split(".")[1:]))
        elif isinstance(node, ast.Import):
            found += [
                tuple(alias.name.split(".")[1:])
                for alias in node.names
                if alias.name.split(".")[0] == "stacklaw"
            ]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "import_module"
        ):
            match node.args:
                case [ast.Constant(str(name)), ast.Name("__package__")]:
                    tail = name.lstrip(".")
                    found.append(
                        (*here[: len(here) - (len(name) - len(tail)) + 1], *tail.split("."))
                    )
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_run_one_way(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    for target in imported(path):
        if target and target[0] in LAYERS:
            assert LAYERS.index(target[0]) <= LAYERS.index(layer), (
                f"{path}: {layer} must not import {target[0]}"
            )


@pytest.mark.slow
def test_no_module_needs_itself() -> None:
    """Not by way of others either, nor for its types alone."""
    files = {path.relative_to(ROOT).with_suffix("").parts: path for path in MODULES}
    files = {name[:-1] if name[-1] == "__init__" else name: path for name, path in files.items()}
    needed = {
        name: {module for target in imported(path) if (module := _module(target, files))}
        for name, path in files.items()
    }
    list(TopologicalSorter(needed).static_order())  # raises CycleError, with the circle


def _module(target: tuple[str, ...], files: Container[tuple[str, ...]]) -> tuple[str, ...] | None:
    """Return the module of *files* that *target* is or is defined in, if any."""
    return next((module for module in (target, target[:-1]) if module in files), None)


@cache
def rooms() -> dict[str, set[str]]:
    """Return the folders of ``checker`` and of ``cli``, each with those that its modules import of
    the same of the two.
    """
    found: dict[str, set[str]] = {}
    files = {path.relative_to(ROOT).with_suffix("").parts for path in MODULES}
    for path in MODULES:
        parts = path.relative_to(ROOT).parent.parts
        if parts[0] not in WITH_ROOMS:
            continue
        here = "/".join(parts)
        there = {
            _room(target, files) for target in imported(path) if target and target[0] == parts[0]
        }
        found.setdefault(here, set()).update(there - {here})
    return found


def _room(target: tuple[str, ...], files: Container[tuple[str, ...]]) -> str:
    """Return the folder of the module that *target* is or is defined in."""
    module = _module(target, files)
    return "/".join(target[:-1] if module is None else module[:-1])


def _reached(room: str, known: dict[str, set[str]]) -> set[str]:
    """Return all rooms that *room* reaches, by way of others too."""
    found, todo = set[str](), [room]
    while todo:
        for other in known.get(todo.pop(), set()) - found:
            found.add(other)
            todo.append(other)
    return found


def test_rooms_are_in_an_order() -> None:
    """Each folder is below those that it is used by: no two need each other, not by way of others
    either.
    """
    list(TopologicalSorter(rooms()).static_order())  # raises CycleError, with the circle


def test_the_drawing_of_the_house_has_every_room() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawing = set(
        re.findall(r"\w+", page.partition("## The rooms\n")[2].partition("\nAn arrow")[0])
    )
    below = {path.parent.name for layer in LAYERS for path in (ROOT / layer).glob("*/__init__.py")}
    engines = {
        path.parent.name
        for engine in ENGINES
        for path in (ROOT / "checker" / engine).glob("*/__init__.py")
    }
    assert not (below | engines) - drawing


@pytest.mark.parametrize("engine", ENGINES)
def test_no_engine_reaches_another(engine: str) -> None:
    """Nor what prints, proves or replays: by no way of imports. The reference engine is the oracle
    of the others.
    """
    known = rooms()
    inside = [room for room in known if room.split("/")[1:2] == [engine]]
    assert inside
    forbidden = {
        other for other in known if other.split("/")[1:2] in [[e] for e in ENGINES if e != engine]
    }
    forbidden |= {
        "checker",
        *(f"checker/{upper}" for upper in ("prover", "replay", "run")),
    }
    for room in inside:
        assert not _reached(room, known) & forbidden, room


def test_renderers_read_the_record() -> None:
    """Only what makes it asks the checker anything; the others know the words of its verdicts and
    scopes.
    """
    for path in (ROOT / "reports").rglob("*.py"):
        if path.parent.name not in ("plays", "telling", "rulings"):
            there = {target[:2] for target in imported(path) if target[:1] == ("checker",)}
            assert there <= {("checker", "types")}, path


def test_the_oracle_has_no_plan() -> None:
    """What a formula remembers is planned once for two engines; the reference, which judges them,
    finds it out by itself.
    """
    known = rooms()
    reach = {room for room in known if "checker/watching" in _reached(room, known)}
    assert {"checker/explicit/emit", "checker/symbolic/encoding"} <= reach
    assert "checker/reference" not in reach
    assert known["checker/watching"] == set()


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_do_not_know_each_other(engine: str) -> None:
    for path in (ROOT / "checker" / engine).rglob("*.py"):
        for target in imported(path):
            others = [
                other for other in ENGINES if other != engine and target[:2] == ("checker", other)
            ]
            assert not others, f"{path} imports {others}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_and_functions_stay_small(path: Path) -> None:
    """A file is as large as its tokens are many; of a function the lines after its parameters and
    its docstring count.
    """
    with path.open("rb") as file:
        assert (
            sum(token.type not in LAYOUT for token in tokenize.tokenize(file.readline))
            <= MOST_TOKENS
        )
    for node in nodes_of(path):
        if isinstance(node, ast.FunctionDef):
            first = node.body[min(ast.get_docstring(node) is not None, len(node.body) - 1)]
            assert (node.end_lineno or 0) - first.lineno <= MOST_FUNCTION_LINES, node.name


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_engines_and_passes_never_print(path: Path) -> None:
    if path.relative_to(ROOT).parts[0] == "cli":
        return
    calls = [n for n in nodes_of(path) if isinstance(n, ast.Call)]
    assert not [c for c in calls if isinstance(c.func, ast.Name) and c.func.id == "print"]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_data_is_never_code(path: Path) -> None:
    """What is read from a file or a pipe is data: nothing unpickles, and nothing runs a text but
    what runs those that we have emitted.
    """
    words = set()
    for node in nodes_of(path):
        match node:
            case ast.Import(names):
                words |= {alias.name.split(".")[0] for alias in names}
            case ast.ImportFrom(module=str(name), level=0):
                words.add(name.split(".")[0])
            case ast.Call(ast.Name("import_module"), [ast.Constant(str(name)), *_]):
                words.add(name.split(".")[0])
            case ast.Call(ast.Name(name)):
                words.add(name)
    allowed = (
        {"exec", "compile", "marshal"}
        if path == ROOT / "checker" / "explicit" / "search" / "interpreted.py"
        else set()
    )
    assert words & UNSAFE <= allowed


def _constructor(kind: ast.ClassDef) -> ast.FunctionDef | None:
    return next(
        (one for one in kind.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"),
        None,
    )


@cache
def _constructed() -> set[str]:
    """Return the names of the classes that have a constructor of their own."""
    return {
        node.name
        for path in MODULES
        for node in nodes_of(path)
        if isinstance(node, ast.ClassDef) and _constructor(node)
    }


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_constructor_calls_that_of_its_base(path: Path) -> None:
    skipped = [
        node.name
        for node in nodes_of(path)
        if isinstance(node, ast.ClassDef)
        and {ast.unparse(base) for base in node.bases} & _constructed()
        and (made := _constructor(node))
        and "super().__init__(" not in ast.unparse(made)
    ]
    assert not skipped


MOST_OF_A_NAME = 8
"""In how many files a function of one name is defined at most: what is called like many others says
nothing of itself.
"""


def test_no_function_is_called_as_many_others() -> None:
    """Nor with a bar before its name; the names that Python gives are left out."""
    defined: dict[str, set[Path]] = {}
    for path in MODULES:
        for node in nodes_of(path):
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("__"):
                defined.setdefault(node.name.strip("_"), set()).add(path)
    often = {name: len(places) for name, places in defined.items()}
    assert not {name: n for name, n in often.items() if n > MOST_OF_A_NAME}


MOST_FILES = 14
"""How many modules a room has at most."""
ROOMS = sorted({path.parent for layer in LAYERS for path in (ROOT / layer).rglob("__init__.py")})


@pytest.mark.parametrize("room", ROOMS, ids=lambda p: str(p.relative_to(ROOT)))
def test_rooms_are_small_and_begin_with_what_they_are(room: Path) -> None:
    first = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")))
    assert first
    files = [path for path in room.glob("*.py") if path.name != "__init__.py"]
    assert len(files) <= MOST_FILES


_CONNECTIVE = frozenset(
    {"models/ir/program.py", "properties/formula.py", "checker/watching/plan.py"}
)
_QUANTIFIED = frozenset({"models/syntax.py", "properties/formula.py"})
ONE_CONCEPT = {
    "And": _CONNECTIVE,
    "Or": _CONNECTIVE,
    "Not": _CONNECTIVE,
    "Formula": _QUANTIFIED,
    "Spotlight": frozenset({"models/syntax.py", "properties/formula.py"}),
}
"""What is one concept at several stages: in the rules, in a formula about them, in the plan to
watch it; as written, and with its types.
"""
OF_THE_LANGUAGE = {
    "Move": ["checker/types/position.py", "models/ir/program.py"],
    "Term": ["checker/symbolic/solver/terms.py", "models/syntax.py"],
}
"""Words of the rules language (a statement, a name for an expression) that are the field's as well:
a move of a play, a term of Z3.
"""


def _public_types(path: Path) -> list[str]:
    """Return the names of the classes and of the aliases of types that the module defines for
    others.
    """
    found = []
    for node in tree_of(path).body:
        match node:
            case ast.ClassDef(name):
                found.append(name)
            case ast.AnnAssign(ast.Name(name), ast.Name("TypeAlias")):
                found.append(name)
            case ast.Assign([ast.Name(name)], ast.Subscript() | ast.BinOp()) if (
                name != name.upper()
            ):
                found.append(name)
    return [name for name in found if name[0].isupper()]


def _are_one_concept(name: str, places: list[str]) -> bool:
    """Whether *name* stands for one thing in all *places*: a word of the language as written and as
    meant, or what is told above.
    """
    return sorted(places) == ["models/ir/program.py", "models/syntax.py"] or (
        len(set(places)) == len(places) and set(places) <= ONE_CONCEPT.get(name, frozenset())
    )


def test_a_class_name_stands_for_one_thing() -> None:
    """And so does each exception: an unneeded one is taken from the tables."""
    places: dict[str, list[str]] = {}
    for path in MODULES:
        for name in _public_types(path):
            places.setdefault(name, []).append(path.relative_to(ROOT).as_posix())
    shared = {name: where for name, where in places.items() if len(where) > 1}
    several = {name: where for name, where in shared.items() if not _are_one_concept(name, where)}
    assert not {
        name: where for name, where in several.items() if where != OF_THE_LANGUAGE.get(name)
    }
    assert shared.keys() >= ONE_CONCEPT.keys() | OF_THE_LANGUAGE.keys()


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if path.name != "__init__.py"],
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_a_module_begins_with_its_name(path: Path) -> None:
    """A word of the file's name, in any form, stands in the first line of its docstring, before the
    first colon.
    """
    first = (
        (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")
        .split("\n")[0]
        .lower()
        .split(": ")[0]
    )
    words = "".join(
        letter if letter.isalnum() else " " for letter in f"{first} {first.replace('-', '')}"
    ).split()
    stems = [
        word[: max(3, min(4, len(word) - 1))]
        for word in path.stem.split("_")
        if word not in ("of", "for", "which")
    ]
    assert any(word.startswith(stem) for word in words for stem in stems or ["which"]), first


def test_nodes_are_given_out_as_they_are_defined() -> None:
    """A star brings what a module itself imports as well: nothing of that stands in the place of a
    node (``typing.Any`` of `ir.Any`).
    """
    package, folder = "stacklaw.models.ir", ROOT / "models" / "ir"
    starred = [
        node
        for node in tree_of(folder / "__init__.py").body
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
    ]
    assert starred
    for module in starred:
        for name in _public_types(folder / f"{module.module}.py"):
            assert getattr(import_module(package), name) is getattr(
                import_module(f"{package}.{module.module}"), name
            ), name


def test_packages_are_those_on_disk() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    on_disk = {"stacklaw"} | {
        ".".join(("stacklaw", *path.parent.relative_to(ROOT).parts))
        for layer in LAYERS
        for path in (ROOT / layer).rglob("__init__.py")
    }
    assert set(config["tool"]["setuptools"]["packages"]) == on_disk


def test_package_data_is_in_the_installed_package() -> None:
    package = resources.files("stacklaw")
    games = [
        "models/games/mtg.rules",
        "models/games/mtg.clauses",
        "models/examples/yugioh.rules",
        "models/examples/fab.rules",
    ]
    wanted = [
        "py.typed",
        "docs/errors.md",
        "docs/glossary.md",
        "docs/verdicts.md",
        "models/parsing/rules.lark",
        *games,
        "properties/catalogue/windows.props",
        "reports/pictures/templates/play.html.jinja",
    ]
    for name in wanted:
        assert package.joinpath(*name.split("/")).is_file(), name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_prose_is_a_hundred_columns_wide(page: Path) -> None:
    """But for tables, and what is to be copied as it stands."""
    code = re.compile(r"^ *```.*?^ *```|^    .*?$|`[^`]*`", re.MULTILINE | re.DOTALL)
    text = code.sub(lambda found: "\n" * found[0].count("\n"), page.read_text(encoding="utf-8"))
    lines = text.split("\n")
    assert [line for line in lines if len(line) > 100 and not line.startswith("|")] == []


def test_folders_have_a_readme() -> None:
    for folder in [*LAYERS, "tests", "bench"]:
        assert (ROOT / folder / "README.md").read_text(encoding="utf-8").count("\n") > 5


def test_no_name_is_that_of_two_scripts() -> None:
    """All scripts of a page are in one: a constant that is there twice is a page that does not
    begin.
    """
    names = Counter[str]()
    for path in (ROOT / "reports" / "page").glob("*.js"):
        said = path.read_text(encoding="utf-8")
        for found in re.finditer(
            r"^(?:const|let|(?:async )?function\*?|class) (\w+|[\[{][^=]*)", said, re.M
        ):
            names.update(re.findall(r"\w+", found[1]))
    assert [name for name, number in names.items() if number > 1] == []
