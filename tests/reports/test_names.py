"""No message of the tool has a name that is not the author's: what binding numbers is called as it
is written.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from stacklaw.checker.run.check import check, simulate
from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.main import run
from stacklaw.models import ir
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import game_names, load, load_game
from stacklaw.models.parsing.mistakes.forms import forms_of
from stacklaw.models.parsing.outline import HEADS
from stacklaw.models.parsing.scan import lexicon
from stacklaw.models.shipped import example_names
from stacklaw.models.source import Source
from stacklaw.properties.load import claims_of
from stacklaw.properties.wording import expression_words
from stacklaw.reports.json import fields_of
from stacklaw.reports.plays.explain import explain, retell
from stacklaw.reports.text.page import plain
from stacklaw.reports.text.ruling import render_ruling

from ..rulesets import SPELLS

NUMBERED = re.compile(r"\b[A-Za-z]\w*_\d+\b")
TWICE = f"""\
game "Names that stand twice"
players 2
scope players 2, stack 2
start decide(active)
{SPELLS}
term is_crowded means some t in stack where (some t_9 in stack where controller of t_9 is not controller of t)

to pick(who: player) "somebody picks"
  choose n in 1 to 2
  luck := n

state
  luck : 0 to 2

stage decide(holder: player) "a player has priority"
  priority holder

  may 1 "cast a spell"
    when (no t in stack where controller of t is holder) and no t in stack where controller of t is after holder
    put spell on stack
    do pick(holder)
    do pick(after holder)
    go decide(after holder)
"""


def strange(text: str, source: str) -> list[str]:
    """Return the names in *text* that are numbered and not in *source*."""
    return [name for name in NUMBERED.findall(text) if not re.search(rf"\b{name}\b", source)]


def told(text: str) -> str:
    program = load(Source("twice.rules", text))
    claims = [one.property for one in claims_of(program)]
    plays = [
        explain(verdict)
        for verdict in check(program, claims, make_scope(program), engine=engine_named("reference"))
    ]
    plays += [
        retell(program, make_scope(program), simulate(program, make_scope(program), seed, 6))
        for seed in range(4)
    ]
    said = [
        plain(render_ruling(play, full=full)) + json.dumps(fields_of(play))
        for play in plays
        if play
        for full in (False, True)
    ]
    guards = [expression_words(program, clause.guard) for _, clause in program.clauses]
    return "\n".join([*said, *guards])


def test_what_is_chosen_and_quantified_is_called_as_it_is_written() -> None:
    said = told(
        f'{TWICE}\nclaims\n  possible x "nothing applies"\n    possible no clause applies\n'
    )
    assert strange(said, TWICE) == []
    assert "A chooses n = 1. A chooses n = 1." in said
    assert "no t in stack where controller of t is after holder" in said


def test_two_names_that_are_one_in_the_text_stay_apart() -> None:
    program = load(Source("twice.rules", TWICE))
    inner = ir.Exists("t_3", ir.ItemsOn("stack"), ir.Equal(ir.Local("t_3"), ir.Local("t")))
    assert (
        expression_words(program, ir.Exists("t", ir.ItemsOn("stack"), inner))
        == "some t in stack where (some other t in stack where other t is t)"
    )
    assert "t_9" in expression_words(
        program, replace(inner, variable="t_9", body=ir.Equal(ir.Local("t_9"), ir.Local("t")))
    )


@pytest.mark.parametrize("game", [*game_names(), *example_names()])
def test_games_have_no_other_names(game: str) -> None:
    program = load_game(game)
    guards = [expression_words(program, clause.guard) for _, clause in program.clauses]
    plays = [
        retell(program, make_scope(program), simulate(program, make_scope(program), seed, 40))
        for seed in range(3)
    ]
    said = [plain(render_ruling(play, full=full)) for play in plays for full in (False, True)]
    assert strange("\n".join([*guards, *said]), program.source.text) == []


@pytest.mark.parametrize(
    "broken",
    ["choose n in nothing", "choose t in stack where controller of t is who", "go deside(who)"],
)
def test_mistakes_have_no_other_names(broken: str) -> None:
    text = TWICE.replace("  choose n in 1 to 2\n  luck := n\n", f"  {broken}\n")
    with pytest.raises(InputError) as caught:
        load(Source("twice.rules", text))
    said = "\n".join(f"{one.message} {one.hint}" for one in caught.value.diagnostics)
    assert strange(said, text) == []


def test_forms_of_lines_name_nothing() -> None:
    """How a line is written is shown with the words of the language; what an author names is in
    capitals, or a letter.
    """
    known = {*lexicon().words, "active"}
    forms = [
        form
        for place in HEADS
        for word in (*HEADS[place], "NAME")
        for form in forms_of(place, word)
    ]
    assert len(forms) > 50
    for form in forms:
        assert [
            one
            for one in re.findall(r"[A-Za-z_]{2,}", form)
            if not one.isupper() and one not in known
        ] == [], form


ROOT = Path(__file__).parents[2]
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RECORDED = sorted(
    [
        *ROOT.glob("tests/cases/*/*/*.expect"),
        *ROOT.glob("tests/reports/expected/*"),
        *ROOT.glob("docs/*.md"),
        ROOT / "README.md",
    ]
)


def test_what_is_recorded_has_no_other_names() -> None:
    """What commands print in the tests and the manual: a numbered name in it stands in the ruleset,
    in the page, or in what is shipped.
    """
    shipped = "\n".join(
        path.read_text(encoding="utf-8")
        for path in [*ROOT.glob("models/*/*.rules"), *ROOT.glob("properties/*/*.props")]
    )
    assert len(RECORDED) > 100
    for path in RECORDED:
        said = path.read_text(encoding="utf-8")
        beside = path.with_suffix(".rules")
        source = (
            beside.read_text(encoding="utf-8", errors="replace") if beside.exists() else shipped
        )
        if path.suffix == ".md":
            said, source = "\n".join(CONSOLE.findall(said)), CONSOLE.sub("", said) + shipped
        assert (path.name, strange(said, source)) == (path.name, [])


MANY = (
    TWICE
    + """
  may 2 "pass"
    pass
    choose t in 0 to 1
    if (some t_9 in stack where controller of t_9 is holder) and some s in stack where controller of s is not holder
      go resolve
    else if luck is t or far is wide
      go decide(after holder)
    else
      go decide(holder)

stage resolve
  the first that applies
    must 3 "one resolves"
      when some t in stack where controller of t is active
      choose t in stack where controller of t is active
      resolve t
      do pick(active)
      go decide(active)
    must 4 "one is gone"
      by any q where some t in stack where controller of t is q
      remove every t in stack where controller of t is q
      do pick(q)
      go decide(active)
    must 5 "nothing is left"
      go decide(active)

option far "how far it goes"
  near  "not far"
  wide  "far"

claims
  holds  response_window
  holds  lifo
  fails  complete
  holds  stack_drains
  holds alone "what resolves leaves only the active player's"
    for every item t:
      never (t resolves and (some s in stack where controller of s is active)
        and some s in stack where controller of s is not active)
"""
)
FILES = [
    "--graph",
    "play.svg",
    "--graph",
    "play.html",
    "--graph",
    "play.mmd",
    "--graph",
    "play.dot",
    "--graph",
    "play.graphml",
]
COMMANDS = [
    [
        "check",
        "--full",
        "--annotations",
        "--junit",
        "a.xml",
        "--sarif",
        "a.sarif",
        "--markdown",
        "a.md",
        "--itf",
        "itf",
        *FILES,
    ],
    ["check", "--format", "json"],
    ["check", "--prove", "--explain-proofs", "--assumptions"],
    ["check", "--all-readings"],
    ["check", "--for-which", "far", "--property", "alone"],
    ["check", "--smallest", "--property", "response_window"],
    ["check", "--property", "deny_window", "--property", "stall"],
    ["show", *FILES],
    ["simulate", "--steps", "30", *FILES],
    ["simulate", "--format", "json"],
    ["loops"],
    ["diff", "other.rules"],
    ["mutate", "--format", "json", "--every-edit"],
    ["repair", "response_window"],
    ["measure"],
    ["prove"],
]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_commands_have_no_other_names(
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("many.rules").write_text(MANY, encoding="utf-8")
    Path("other.rules").write_text(
        MANY.replace("      resolve t\n", "      remove t\n"), encoding="utf-8"
    )
    assert run([command[0], "many.rules", *command[1:]]) in (0, 1, 3)
    written = [
        path.read_text(encoding="utf-8")
        for path in tmp_path.rglob("*")
        if path.is_file() and path.suffix not in (".rules", ".proofs")
    ]
    out = capfd.readouterr()
    assert out.out
    assert strange("\n".join([out.out, out.err, *written]), MANY) == []
