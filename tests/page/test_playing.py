"""Playing on a page, by mouse, by keys and by touch: what it shows is what the interpreter says."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.asking.ask import ask, asked_by
from stacklaw.models.load import load, load_game
from stacklaw.models.shipped import example_names, game_names
from stacklaw.models.source import Source

from .browser import needs_chromium, opened
from .shown import OPTIONS, SMALL, act, agrees, numbers_in, ready, shown, written

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# A browser is another process, whose time no tier measures.
pytestmark = [needs_chromium, pytest.mark.long]


@pytest.mark.parametrize("name", game_names())
def test_what_is_chosen_is_what_the_interpreter_does(
    name: str, browser: Browser, tmp_path: Path
) -> None:
    program = load_game(name)
    path, chance = written(tmp_path / "game.html", program), random.Random(name)
    assert path.stat().st_size < 1_000_000
    with opened(browser, path) as page:
        ready(page)
        for _ in range(60):
            page.eval_on_selector_all(
                ".moves details", "all => all.forEach((one) => { one.open = true; })"
            )
            buttons = page.query_selector_all(".moves button")
            if not buttons:
                page.click("text=undo")
                continue
            chance.choice(buttons).click()
        agrees(page, program, make_scope(program))
        assert len(numbers_in(page)) > 5


def test_a_play_forth_and_back_and_undone(browser: Browser, small: Path) -> None:
    program = load(Source("small.rules", SMALL))
    with opened(browser, small) as page:
        ready(page)
        for words in ("cast", "cast", "pass", "pass"):
            act(page, words)
            agrees(page, program, make_scope(program))
        assert page.inner_text(".count") == "move 5 of 5"  # the top item resolves by itself
        page.click("text=◀ back")
        page.click("text=◀ back")
        assert page.inner_text(".count") == "move 2 of 5"
        act(page, "pass")
        assert page.inner_text(".count") == "move 3 of 3"
        page.click("text=undo")
        assert page.inner_text(".count") == "move 2 of 5"
        page.click("text=end")
        assert page.inner_text(".count") == "move 5 of 5"
        page.click(".made button >> nth=0")
        assert page.inner_text(".count") == "move 1 of 5"
        page.click("text=start over")
        assert page.inner_text(".count") == "move 0 of 0"
        assert page.is_disabled("text=◀ back")


def test_keys_are_enough(browser: Browser, small: Path) -> None:
    with opened(browser, small) as page:
        ready(page)
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.closest('.choices') !== null"):
                break
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")  # cast a spell; then the first action has the focus
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.inner_text(".count") == "move 2 of 2"
        page.keyboard.press("ArrowLeft")
        assert page.inner_text(".count") == "move 1 of 2"
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert page.inner_text(".count") == "move 3 of 3"  # one move only was left: a pass


def test_swiping_steps(browser: Browser, small: Path) -> None:
    swipe = """([from, to]) => {
      const board = document.getElementById("play-view");
      const touch = (x) => new Touch({ identifier: 1, target: board, clientX: x, clientY: 300 });
      board.dispatchEvent(new TouchEvent("touchstart", { changedTouches: [touch(from)] }));
      board.dispatchEvent(new TouchEvent("touchend", { changedTouches: [touch(to)] }));
    }"""
    with opened(browser, small, width=390, has_touch=True) as page:
        ready(page)
        page.tap(".choices button >> nth=-1")
        page.evaluate(swipe, [100, 300])
        assert page.inner_text(".count") == "move 0 of 1"
        page.evaluate(swipe, [300, 100])
        assert page.inner_text(".count") == "move 1 of 1"
        page.evaluate(swipe, [300, 280])
        assert page.inner_text(".count") == "move 1 of 1"


def test_a_link_holds_the_play_and_other_rules_refuse_it(browser: Browser, small: Path) -> None:
    with opened(browser, small) as page:
        ready(page)
        act(page, "cast")
        act(page, "cast")
        link = page.get_attribute(".link", "href") or ""
        before = shown(page)
    assert re.fullmatch(r"#play=[0-9a-f]{12}\.0\.0", link)
    with opened(browser, small, link) as page:
        ready(page)
        assert shown(page) == before
    for wrong, why in (
        (f"#play=0{'1' * 11}.0.0", "other rules"),
        (f"{link}.z", "Move 3 of the link is not possible"),
        ("#play=<b>", "holds no play"),
        (f"{link}{'.1' * 2001}", "more than 2000 moves"),
    ):
        with opened(browser, small, wrong) as page:
            ready(page)
            assert why in page.inner_text(".note")
            assert page.inner_text(".count") == "move 0 of 0"


def test_back_goes_back(browser: Browser, small: Path) -> None:
    with opened(browser, small) as page:
        ready(page)
        for words in ("cast", "cast"):
            act(page, words)
        page.click("nav >> text=Rules")
        page.go_back()
        assert page.inner_text(".count") == "move 2 of 2"
        page.go_back()
        assert page.inner_text(".count") == "move 1 of 1"
        page.go_back()
        assert page.inner_text(".count") == "move 0 of 0"
        page.go_forward()
        assert page.inner_text(".count") == "move 1 of 1"


def test_each_part_is_named_in_sight_and_claims_are_folded(
    browser: Browser, tmp_path: Path
) -> None:
    program = load_game("zx")
    with opened(browser, written(tmp_path / "game.html", program)) as page:
        ready(page)
        heads = page.locator("#rules .file > summary").all_inner_texts()
        assert [head.partition(" ")[0] for head in heads] == ["zx.rules", "zx.claims"]
        assert not page.is_visible("#L300")
        page.evaluate("location.hash = '#L300'")
        page.wait_for_selector("nav [aria-current] >> text=Rules")
        assert page.is_visible("#L300")
        assert page.inner_text("#L300").rstrip("\n") == program.source.line(300)
        assert page.eval_on_selector("nav", "nav => nav.getBoundingClientRect().top") == 0


def test_the_plays_of_verdicts_are_stepped_through(browser: Browser, small: Path) -> None:
    program = load(Source("small.rules", SMALL))
    with opened(browser, small) as page:
        ready(page)
        names = page.eval_on_selector_all(
            ".verdict",
            "all => all.filter(o => o.querySelector('[data-row]')).map(o => "
            "o.querySelector('.name').textContent)",
        )
        assert {"two.spells", "one.spell"} <= set(names)
        assert "three.players" not in names
        for number in range(len(names)):
            row = page.locator(".verdict:has([data-row])").nth(number)
            row.locator("summary").click()
            moves = row.locator(".play-lanes li").count() - 1
            row.locator("text=Step through this play").click()
            assert "the play of the verdict" in page.inner_text(".note")
            at, last = (int(page.inner_text(".count").split()[place]) for place in (1, -1))
            assert at == last >= moves >= 0
            agrees(page, program, make_scope(program))
            said = " ".join(page.inner_text(".kept").split())
            if names[number] == "one.spell":
                assert said == "one.spell fails, as the author says. Here it breaks."
                page.keyboard.press("ArrowLeft")
                agrees(page, program, make_scope(program))
                assert page.inner_text(".kept") == "one.spell fails, as the author says."
                page.keyboard.press("ArrowRight")
                assert "Here it breaks." in page.inner_text(".kept")
            assert said.startswith(f"{names[number]} ")
    with opened(browser, small) as page:
        ready(page)
        page.click(".verdict:has-text('one.spell') summary >> nth=0")
        page.click(".verdict:has-text('one.spell') >> text=Step through this play")
        page.click("text=start over")
        page.wait_for_selector(".kept", state="hidden")  # that is no longer its play
        page.click("text=undo")
        page.wait_for_selector(".kept", state="visible")


def test_verdicts_are_filtered_and_guards_folded(browser: Browser, tmp_path: Path) -> None:
    rules = SMALL + "  holds 1.3/kept\n    never size of stack is 3\n"
    file = tmp_path / "small.rules"
    file.write_text(rules, encoding="utf-8")
    path = written(
        tmp_path / "small.html",
        load(Source("small.rules", rules)),
        ask(str(file), asked_by(OPTIONS)),
    )
    with opened(browser, path, width=390) as page:
        ready(page)
        assert page.inner_text(".guards > summary").startswith("1 more, met")
        assert not page.is_visible("text='1.3/kept'")
        page.fill("#verdict-filter", "KEPT")
        assert [one.inner_text() for one in page.locator(".verdict .name:visible").all()] == [
            "1.3/kept"
        ]
        page.fill("#verdict-filter", "as the author says")
        assert [one.inner_text() for one in page.locator(".verdict .name:visible").all()] == [
            "one.spell"
        ]
        page.fill("#verdict-filter", "")
        assert not page.is_visible("text='1.3/kept'")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


CAUSING = """
game "A turn, and what the cards cause"
source "a test"
players 2 or more
scope players 2, stack 2
start begin
items
  spell   "a spell"
  trigger "an ability"
attributes
  colour : grey or red
zones
  stack last in first out
state
  passed : players
stage begin "a turn begins"
  must 1 "the turn begins"
    maybe "an ability triggers"
      put trigger by active on stack
    go draw
stage draw "the active player draws"
  must 2 "a card is drawn"
    go decide(active)
stage decide(holder: player) "a player has priority"
  priority holder
  may 3 "cast a spell"
    put spell on stack
    passed := none
    go decide(holder)
  may 4 "cast a red spell"
    put spell with colour red on stack
    passed := none
    maybe "an ability triggers"
      put trigger by active on stack
    go decide(holder)
  may 5 "pass"
    pass
    passed += holder
    if passed is not everyone
      go decide(after holder)
    else if stack is not empty
      go resolve
    else
      game over
stage resolve "the top of the stack resolves"
  must 6 "the top item resolves"
    when stack is not empty
    resolve top of stack
    passed := none
    go decide(active)
"""


@pytest.fixture(scope="module")
def causing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(
        tmp_path_factory.mktemp("page") / "causing.html", load(Source("causing.rules", CAUSING))
    )


def turns(page: Page) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(".turns li").all_inner_texts()]


def actions(page: Page) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(".choices > li").all_inner_texts()]


def test_what_is_silent_goes_by_itself_and_is_folded(browser: Browser, causing: Path) -> None:
    program = load(Source("causing.rules", CAUSING))
    with opened(browser, causing) as page:
        ready(page)
        assert page.inner_text(".then summary") == "then A has priority · 2 steps"
        assert actions(page) == ["A 5 pass", "A 3 cast a spell", "A 4 cast a red spell"]
        assert turns(page) == [
            "A has priority and can act now",
            "B cannot act now; next after A passes (5)",
        ]
        agrees(page, program, make_scope(program))
        act(page, "cast a spell")
        assert page.inner_text(".pile li") == "A's spell"  # its colour is as it begins
        act(page, "pass")
        assert turns(page) == [
            "A cannot act now; next after B passes (5), when A's spell resolves (6)",
            "B has priority and can act now",
        ]
        act(page, "pass")
        assert page.inner_text(".last").startswith("B 5 pass")
        assert page.inner_text(".then summary") == "then A's spell resolves and A has priority"
        agrees(page, program, make_scope(program))
        page.click("text=start over")
        assert page.inner_text(".count") == "move 2 of 2"


def test_what_the_cards_could_have_caused_is_folded_and_can_be_chosen(
    browser: Browser, causing: Path
) -> None:
    program = load(Source("causing.rules", CAUSING))
    with opened(browser, causing, width=390) as page:
        ready(page)
        assert page.locator(".causes button").count() == 2
        assert not page.locator(".causes button").first.is_visible()
        page.click(".causes summary")
        page.click(".causes li:has-text('before move 1') button")
        agrees(page, program, make_scope(program))
        assert shown(page)["piles"] == [["A's ability"]]
        assert page.inner_text(".last").startswith("the rules 1 the turn begins")
        assert page.inner_text(".then summary") == "then A has priority"


def test_the_line_of_each_player_stays_in_sight(browser: Browser, causing: Path) -> None:
    with opened(browser, causing, width=390) as page:
        page.set_viewport_size({"width": 390, "height": 844})
        ready(page)
        page.locator(".save summary").scroll_into_view_if_needed()
        page.mouse.wheel(0, 400)
        page.wait_for_function("document.querySelector('.turns').getBoundingClientRect().top >= 0")
        for box in (one.bounding_box() for one in page.locator(".turns li").all()):
            assert box is not None
            assert 0 <= box["y"] <= 300
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("name", [*game_names(), *example_names()])
def test_few_buttons_at_the_first_priority(name: str, browser: Browser, tmp_path: Path) -> None:
    """Each clause that can be used has one, of however many ways: nine in Riftbound."""
    with opened(browser, written(tmp_path / "game.html", load_game(name))) as page:
        ready(page)
        assert "has priority" in page.inner_text(".priority")
        assert not page.inner_text(".priority").startswith("Nobody")
        buttons = page.locator(".choices button:visible, .choices summary")
        clauses = [one.locator(".id").inner_text() for one in buttons.all()]
        assert 1 < len(set(clauses)) == len(clauses) <= {"riftbound": 9}.get(name, 8)
        assert re.search("pass|go on to the next phase|end the turn", actions(page)[0])


def test_casting_and_passing_takes_two_clicks(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, written(tmp_path / "mtg.html", load_game("mtg"))) as page:
        ready(page)
        act(page, "cast an instant")
        act(page, "pass")
        assert page.inner_text(".priority") == "B has priority."
        assert turns(page)[0].startswith(
            "A cannot act now; next after B passes (117.3d), when A's instant spell resolves "
            "(608.2)"
        )
        assert page.inner_text(".pile.stack li") == "A's instant spell"
