"""Rulings of the page: what it decides is what `stacklaw ask` says, word for word; the rest it
leaves to the command.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from stacklaw.checker.explicit import portable as portables
from stacklaw.checker.rulings.ask import ask
from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.asking.reading import read_target
from stacklaw.cli.exploring.making import offered_rulings, switched
from stacklaw.cli.exploring.search import ruling_answers
from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.shipped import example_names, game_names
from stacklaw.models.source import Source
from stacklaw.reports.page.page import RULINGS
from stacklaw.reports.rulings.asking import asking_words

from ..rulings.questions import DENIALS, judges
from .browser import needs_chromium, opened
from .compiled import portable
from .node import carried, needs_node, run
from .shown import SMALL

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCRIPTS = ("kernel", "positions", "dom", "reading", *RULINGS[:-1])
ASK = """
const kernel = new WebAssembly.Module(Buffer.from(given.tells, "base64"));
const { language, lexicon: words } = given.asking;
const [teller, lexicon] = [new Teller(kernel, given, given.sizes), new Lexicon(language.words, words)];
console.log(JSON.stringify(given.asked.map((text) => {
  try {
    teller.setUp(given.sizes, usualReading(given.options));
    const its = { teller, lexicon, patterns: language.patterns, sizes: given.sizes, milliseconds: 60000 };
    return { answers: askPage(text, its).map((one) => new Telling(lexicon).told(one, one.line.spot.referee)) };
  } catch (error) {
    if (!(error instanceof LeftError)) throw error;
    return { left: error.message };
  }
})));
"""


def answered(game: str, program: ir.Program, asked: Sequence[str]) -> list[dict[str, Any]]:
    """Return what the page of *game*, which is *program*, says to each of what is *asked*."""
    _, questions, _ = read_target(game, {}, (), (), with_claims=True)
    found, _ = switched(game, {}, program, questions)[0]
    with pytest.MonkeyPatch.context() as soon:
        soon.setattr(portables, "LONG", 0)
        kernel = portable(
            found.program, make_scope(program), (), [option.name for option in found.options]
        )
    given = {**carried(kernel), "asking": asking_words(program, ()), "asked": list(asked)}
    said: list[dict[str, Any]] = run(SCRIPTS, ASK, given)
    return said


def agrees(program: ir.Program, text: str, said: dict[str, Any]) -> None:
    """Hold what the page has *said* to *text* to the answer of the command."""
    told = ruling_answers(ask(program, text, make_scope(program)))["answers"]
    expected = [
        {name: value for name, value in one.items() if name not in ("because", "link")}
        for one in told
    ]
    assert said["answers"] == json.loads(json.dumps(expected)), text


def composed(game: str, program: ir.Program) -> Iterator[str]:
    """Yield questions as the menus put them together, some by chance."""
    chance = random.Random(game)
    offered = asking_words(program, ())["offered"]
    for _ in range(8):
        who, owner, holder = (chance.choice("AB") for _ in range(3))
        acts = [act for _, act in offered["acts"]]
        asked = chance.choice(
            [
                *offered["questions"],
                f"may {who} respond?",
                f"may {who} {chance.choice(acts)} now?",
                f"may {who} {chance.choice(acts)} before it resolves?",
            ]
        )
        said = [f"in {owner}'s {chance.choice(offered['steps'])}"]
        said += [f"{holder} has priority"] if chance.random() < 0.4 else []
        said += (
            [f"{offered['stack']}: {who}'s {chance.choice(offered['kinds'])}"]
            if chance.random() < 0.4
            else []
        )
        yield f"{'; '.join(said)}: {asked}"


@needs_node
@pytest.mark.long
@pytest.mark.parametrize("game", [*game_names(), *example_names()])
def test_the_page_says_what_the_command_says(game: str) -> None:
    program = load_game(game)
    rulings, more = offered_rulings(game), list(composed(game, program))
    more += [question for question, _ in judges(game)]
    said = answered(game, program, [*rulings, *more])
    for text, one in zip([*rulings, *more], said, strict=True):
        if "left" not in one:
            agrees(program, text, one)
    # Of C the page knows nothing: it has two seats.
    here = [
        (text, one)
        for text, one in zip(rulings, said, strict=False)
        if not re.search(r"\bC\b", text)
    ]
    left = [text for text, one in here if "left" in one and "the cards cause" not in text]
    assert len(left) <= len(here) / 6, left


@needs_node
@pytest.mark.slow
def test_what_the_page_does_not_understand_is_left_to_the_command(tmp_path: Path) -> None:
    file = tmp_path / "small.rules"
    file.write_text(SMALL, encoding="utf-8")
    program = load(Source("small.rules", SMALL))
    texts = [
        "",
        "?",
        "hello",
        "A sings: who has priority?",
        "may A sing?",
        "A casts a spell: may Z respond?",
        "may everybody pass?",
        "in which readings may A pass?",
        "A casts a sp\u00e9ll: who has priority?",
        "x" * 3000,
        "; ".join(["A passes"] * 61) + ": who has priority?",
        "in the moon: who has priority?",
        "stack: A's egg: who has priority?",
        "A passes; A passes: who has priority?",
        "A: who has priority?",
        "((((: who has priority?",
        "who has priority after the flood?",
        "A casts a spell; A passes; B responds to the spell: who has priority?",
        "A casts a spell: may B respond? may B respond if A passes?",
        "A casts a spell: who has priority? A passes: who has priority?",
    ]
    said = answered(
        str(file), program, [*texts, "A casts a spell: may B respond before it resolves?"]
    )
    assert all(one.get("left", "").endswith(".") for one in said[:-1]), said
    agrees(program, "A casts a spell: may B respond before it resolves?", said[-1])


@needs_node
@pytest.mark.slow
def test_what_is_removed_does_not_resolve_on_the_page(tmp_path: Path) -> None:
    file = tmp_path / "denials.rules"
    file.write_text(DENIALS, encoding="utf-8")
    program = load(Source("denials.rules", DENIALS))
    texts = [f"A strikes; B denies{more}: {asked}"
             for more in ("", "; A denies")
             for asked in ("which resolves first?", "does A's strike resolve first?",
                           "does A's strike resolve before B's denial?", "what happens next?")]  # fmt: skip
    texts += ["A strikes; B and A deny: which resolves first?", "A strikes; B, A both deny: who has priority?",
              "A strikes; B, A, A stay quiet: who has priority?", "A strikes; B and A each pass: who has priority?"]  # fmt: skip
    for text, said in zip(texts, answered(str(file), program, texts), strict=True):
        agrees(program, text, said)


@needs_chromium
@pytest.mark.long
def test_a_question_is_typed_put_together_and_put_on_the_board(
    browser: Browser, small: Path
) -> None:
    with opened(browser, small) as page:
        page.wait_for_selector("html[data-rules]")
        page.fill("#ruling-box", "A casts a spell; A passes: ")
        assert "A casts a spell; A passes: may B respond?" in page.eval_on_selector_all(
            "#ruling-words option", "all => all.map((o) => o.value)"
        )
        page.fill("#ruling-box", "A casts a spell; A passes: may B respond?")
        page.press("#ruling-box", "Enter")
        assert page.inner_text(".ruling .head") == "YES, NOW."
        assert page.inner_text("#ruling-view > :last-child > pre").endswith(
            " 'A casts a spell; A passes: may B respond?'"
        )
        page.click(".ruling .play-lanes button >> nth=1")  # a row leads to the board
        assert page.inner_text(".count") == "move 1 of 2"
        assert page.inner_text(".priority") == "A has priority."
        page.click(".ruling .play-lanes a >> nth=0")  # a clause to its line
        assert page.evaluate("document.querySelector(location.hash).textContent").startswith(
            '  may 1.1 "cast a spell"'
        )
        page.click("text=Put this play on the board")
        assert page.inner_text(".kept").startswith(
            "A casts a spell; A passes: may B respond? yes, now"
        )
        assert page.inner_text(".priority") == "B has priority."
        page.click("text=Put a question together")
        page.select_option("#ruling-holder", "B")
        assert page.input_value("#ruling-box") == "B has priority: who has priority?"
        assert page.inner_text(".ruling .head") == "B."
        page.select_option("#ruling-stack", "nothing")
        page.select_option("#ruling-question", "may they respond?")
        assert (
            page.input_value("#ruling-box") == "B has priority; the stack is empty: may B respond?"
        )
        page.fill("#ruling-box", "A sings: who has priority?")
        page.click("#ruling-view button:text-is('Ask')")
        assert (
            page.inner_text("#ruling [role=status]")
            == "This page does not decide it: Nothing in this game is called `sings`."
        )
        assert page.locator(".ruling").count() == 0
