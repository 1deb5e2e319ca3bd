"""The page in a browser: what it shows is what the interpreter says, and it can be used by mouse, by keys and by touch."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from stacklaw.checker.explicit.portable.portable import portable
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.position import Item, Position
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.checker.types.verdict import Counts, Outcome, Verdict
from stacklaw.cli.asking.ask import ask, asked_by
from stacklaw.cli.asking.reading import read
from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.shipped import game_names
from stacklaw.models.source import Source
from stacklaw.properties.formula import Property
from stacklaw.reports.naming import kind_title, player_name
from stacklaw.reports.page.page import Modules, render_page
from stacklaw.reports.telling.record import Answer, Record, make_record

from .browser import chromium, needs_chromium, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# A browser is another process, whose time no tier measures.
pytestmark = [needs_chromium, pytest.mark.long]

SMALL = """
game "Two passes"
source "a test"
players 2 or more
scope players 2, stack 2
start decide(active)
items
  spell "a spell"
zones
  stack last in first out
state
  passed : players
stage decide(holder: player) "a player has priority"
  priority holder
  may 1.1 "cast a spell"
    put spell on stack
    passed := none
    go decide(holder)
  may 1.2 "pass"
    pass
    passed += holder
    if passed is not everyone
      go decide(after holder)
    else if stack is not empty
      go resolve
    else
      game over
stage resolve "the top of the stack resolves"
  must 1.3 "the top item resolves"
    when stack is not empty
    resolve top of stack
    passed := none
    go decide(active)
claims
  possible two.spells "two spells wait"
    possible size of stack is 2
  fails one.spell
    never something resolves
  possible three.players
    needs players 3
    possible number of players is 3
"""
OPTIONS = {"seconds": None, "memory": None, "sizes": (), "settings": (), "players": None, "stack": None}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened_browser:
        yield opened_browser


def written(path: Path, program: ir.Program, record: Record | None = None, why: str = "", properties: Sequence[Property] = ()) -> Path:
    """Write the page of *program*, without a game in it if there is a reason *why*."""
    scope = make_scope(program)
    game = portable(program, scope, properties)
    modules = None if why else Modules(game.tells, game.searches, game.tables)
    path.write_text(render_page(record or make_record(program, scope, ()), program, modules, why, "0"), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "small.rules").write_text(SMALL, encoding="utf-8")
    file = str(folder / "small.rules")
    program, questions, _ = read(file, {}, (), (), with_claims=True)
    return written(folder / "small.html", program, ask(file, asked_by(OPTIONS)), properties=[one for one, _, _ in questions])


def ready(page: Page) -> None:
    page.wait_for_selector("html[data-ready]", timeout=20_000)


def numbers_in(page: Page) -> list[int]:
    """Return the moves of the play that the link holds."""
    _, *words = page.evaluate("location.hash").split(".")
    return [int(word, 36) for word in words]


def shown(page: Page) -> dict[str, Any]:
    """Return what the page shows of the position."""
    script = """() => {
      const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
      const [stage] = texts(".now h3");
      const lanes = [...document.querySelectorAll(".lane")].map((lane) => [...lane.querySelectorAll(".holds")].length);
      const piles = [...document.querySelectorAll(".pile")].map((pile) => [...pile.querySelectorAll("li")].map((one) => one.textContent));
      return { stage, priority: texts(".priority")[0], lanes, piles, moves: texts(".choices button").length };
    }"""
    found: dict[str, Any] = page.evaluate(script)
    return found


def expected(program: ir.Program, scope: Scope, numbers: list[int]) -> dict[str, Any]:
    """Return what the interpreter says of the position after the moves of these *numbers*."""
    interpreter = Interpreter(program, scope)
    here = interpreter.initial()
    for number in numbers:
        here = interpreter.moves(here).moves[number][1]
    holders = [player_name(seat) for seat in sorted(interpreter.priority(here))]
    said = " and ".join([", ".join(holders[:-1]), holders[-1]]) if len(holders) > 1 else "".join(holders) or "Nobody"
    return {
        "stage": stage_words(program, here),
        "priority": f"{said} {'have' if len(holders) > 1 else 'has'} priority.",
        "lanes": [int(player_name(seat) in holders) for seat in range(scope.players)],
        "piles": [
            [item_words(program, item) for item in in_order(zone, items)] for zone, items in zip(program.zones, here.zones, strict=True)
        ],
        "moves": len(interpreter.moves(here).moves),
    }


def stage_words(program: ir.Program, here: Position) -> str:
    if not here.stage:
        return "the game is over"
    stage = program.stage(here.stage)
    return stage.title or stage.name


def in_order(zone: ir.Zone, items: tuple[Item, ...]) -> tuple[Item, ...]:
    return items[::-1] if zone.order == "lifo" else items


def item_words(program: ir.Program, item: Item) -> str:
    return f"{player_name(item.controller)}'s {kind_title(program, item.kind)}"


def agrees(page: Page, program: ir.Program, scope: Scope) -> None:
    """Hold what the page shows to the interpreter; arguments of stages and attributes of items are left to `test_kernel`."""
    found, told = shown(page), expected(program, scope, numbers_in(page))
    assert found.pop("stage").startswith(told.pop("stage"))
    assert [[card.partition(" (")[0] for card in pile] for pile in found.pop("piles")] == told.pop("piles")
    assert found == told


# ------------------------------------------------------------------ playing


@pytest.mark.parametrize("name", game_names())
def test_what_is_chosen_is_what_the_interpreter_does(name: str, browser: Browser, tmp_path: Path) -> None:
    program = load_game(name)
    path, chance = written(tmp_path / "game.html", program), random.Random(name)
    assert path.stat().st_size < 1_000_000
    with opened(browser, path) as page:
        ready(page)
        for _ in range(60):
            buttons = page.query_selector_all(".choices button")
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
        for number in (0, 0, 1, 1):
            page.click(f".choices button >> nth={number if number < 1 else page.locator('.choices button').count() - 1}")
            agrees(page, program, make_scope(program))
        assert page.inner_text(".count") == "move 4 of 4"
        page.click("text=◀ back")
        page.click("text=◀ back")
        assert page.inner_text(".count") == "move 2 of 4"
        page.click(".choices button >> nth=-1")
        assert page.inner_text(".count") == "move 3 of 3"
        page.click("text=undo")
        assert page.inner_text(".count") == "move 2 of 4"
        page.click("text=end")
        assert page.inner_text(".count") == "move 4 of 4"
        page.click(".made button >> nth=0")
        assert page.inner_text(".count") == "move 1 of 4"
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
        page.keyboard.press("Enter")
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
        page.tap(".choices button >> nth=0")
        page.evaluate(swipe, [100, 300])
        assert page.inner_text(".count") == "move 0 of 1"
        page.evaluate(swipe, [300, 100])
        assert page.inner_text(".count") == "move 1 of 1"
        page.evaluate(swipe, [300, 280])
        assert page.inner_text(".count") == "move 1 of 1"


def test_a_link_holds_the_play_and_other_rules_refuse_it(browser: Browser, small: Path) -> None:
    with opened(browser, small) as page:
        ready(page)
        page.click(".choices button >> nth=0")
        page.click(".choices button >> nth=0")
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


def test_the_plays_of_verdicts_are_stepped_through(browser: Browser, small: Path) -> None:
    program = load(Source("small.rules", SMALL))
    with opened(browser, small) as page:
        ready(page)
        names = page.eval_on_selector_all(
            ".verdict", "all => all.filter(o => o.querySelector('[data-row]')).map(o => o.querySelector('.name').textContent)"
        )
        assert {"two.spells", "one.spell"} <= set(names)
        assert "three.players" not in names
        for number in range(len(names)):
            row = page.locator(".verdict:has([data-row])").nth(number)
            row.locator("summary").click()
            moves = row.locator(".cards li").count() - 1
            row.locator("[data-row]").click()
            assert "the play of the verdict" in page.inner_text(".note")
            last = int(page.inner_text(".count").split()[-1])
            assert last >= moves >= 0
            page.keyboard.press("ArrowRight")
            agrees(page, program, make_scope(program))


# ------------------------------------------------------------------ asking


def test_other_sizes_are_asked_in_the_page(browser: Browser, small: Path) -> None:
    program = load(Source("small.rules", SMALL))
    with opened(browser, small) as page:
        page.wait_for_selector("html[data-asks]")
        page.fill("#size-0", "1")
        page.click("text=Ask with these sizes")
        page.wait_for_selector(".answers li")
        assert "With stack 1 there are" in page.inner_text("#ask [role=status]")
        first = page.inner_text(".answers li >> nth=0")
        assert "IMPOSSIBLE" in first
        assert "two.spells" in first
        assert "above: POSSIBLE" in first
        row = page.locator(".answers li:has-text('one.spell')")
        assert "VIOLATED" in row.inner_text()
        row.locator("button").click()
        assert page.inner_text(".count") == "move 0 of 4"
        page.click("text=end ▶|")
        assert "~1." in page.evaluate("location.hash")
        agrees(page, program, make_scope(program, sizes={"stack": 1}))
        link = page.evaluate("location.hash")
        page.fill("#size-0", "4")
        page.click("text=Play with these sizes")
        for _ in range(4):
            page.click(".choices button >> nth=0")
        agrees(page, program, make_scope(program, sizes={"stack": 4}))
        page.fill("#size-0", "5")
        page.click("text=Ask with these sizes")
        assert page.locator("#size-0:invalid").count() == 1
    with opened(browser, small, link) as page:
        ready(page)
        assert page.inner_text(".count") == "move 4 of 4"
    with opened(browser, small, link.replace("~1", "~9")) as page:
        ready(page)
        assert "no room for" in page.inner_text(".note")


def test_a_search_is_stopped_and_says_how_far_it_came(browser: Browser, tmp_path: Path) -> None:
    program, questions, _ = read("mtg", {}, (), (), with_claims=True)
    properties = [question for question, claim, _ in questions if claim is not None]
    scope = make_scope(program)
    record = make_record(program, scope, [Answer(Verdict(program, one, Outcome.HOLDS, scope, Counts(0, 0, 0, 0))) for one in properties])
    path = written(tmp_path / "mtg.html", program, record, properties=properties)
    with opened(browser, path) as page:
        page.wait_for_selector("html[data-asks]", timeout=60_000)
        page.fill("#size-0", "5")
        page.click("text=Ask with these sizes")
        page.wait_for_selector("#ask [role=status]:has-text('positions in this search')")
        page.click("button:text-is('Stop')")
        page.wait_for_selector(".answers li", timeout=20_000)
        outcomes = set(page.eval_on_selector_all(".answers .outcome", "all => all.map((one) => one.textContent)"))
        assert "HOLDS" not in outcomes
        assert outcomes & {"BOUNDED", "UNKNOWN"}


# ------------------------------------------------------------------ where it cannot run; strangers


def test_without_a_game_the_page_says_so_and_shows_the_rest(browser: Browser, tmp_path: Path) -> None:
    program = load(Source("small.rules", SMALL))
    path = written(tmp_path / "page.html", program, why="LLVM is somewhere else.")
    with opened(browser, path) as page:
        assert "LLVM is somewhere else. So nothing can be played on this page." in page.inner_text(".refused")
        assert 'may 1.1 "cast a spell"' in page.inner_text(".text")


def test_a_browser_without_webassembly_shows_the_rest(browser: Browser, small: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("delete window.WebAssembly")
    page.goto(small.as_uri())
    assert "This browser runs no WebAssembly" in page.inner_text(".refused")
    page.click("summary >> nth=0")
    assert page.locator(".cards li").first.is_visible()
    context.close()


HOSTILE = (
    SMALL.replace('"Two passes"', '"</title><script>alert(1)</script><img src=x onerror=alert(2)>\u202eevil"')
    .replace(
        '"cast a spell"', '"</script><script>alert(3)</script>\u2066' + "long " * 30 + '{{ 7 * 7 }} <b style=color:red>&amp;${alert(4)}"'
    )
    .replace('spell "a spell"', 'spell "<img src=https://example.org/x.png>"')
    .replace("passed", "__proto__")
    .replace("1.3", "constructor")
)


@pytest.mark.parametrize("width", [1400, 390])
def test_a_hostile_ruleset_makes_a_harmless_page(width: int, browser: Browser, tmp_path: Path) -> None:
    rules = HOSTILE.replace("spell", f"s{'p' * 4_800}") if width == 390 else HOSTILE
    (tmp_path / "hostile.rules").write_text(rules, encoding="utf-8")
    program = load(Source("hostile.rules", rules))
    path = written(tmp_path / "page.html", program, ask(str(tmp_path / "hostile.rules"), asked_by(OPTIONS)))
    with opened(browser, path, width=width) as page:
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        ready(page)
        for _ in range(6):
            page.click(".choices button >> nth=0")
        assert page.evaluate("document.querySelectorAll('img, iframe, object, link, [style], [onerror]').length") == 0
        assert page.evaluate("document.querySelectorAll('script').length") == 3
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        text = page.content()
        assert "\u202e" not in text
        assert "\u2066" not in text
        assert "49 <b" not in page.inner_text("body")
        assert "</script><script>alert(3)" in page.inner_text("main")


def test_the_policy_lets_nothing_else_in(browser: Browser, small: Path) -> None:
    context = browser.new_context()
    page, refused, answered = context.new_page(), list[str | None](), list[str]()
    page.goto(small.as_uri())
    ready(page)
    page.on("requestfailed", lambda request: refused.append(request.failure))
    page.on("requestfinished", lambda request: answered.append(request.url))
    tried = """async () => {
      const script = document.createElement("script");
      script.textContent = "window.hurt = true";
      document.body.append(script);
      document.body.setAttribute("style", "color: rgb(1, 2, 3)");
      const image = document.createElement("img");
      image.src = "https://example.org/x.png";
      document.body.append(image);
      const fetched = await fetch("https://example.org/").then(() => true, () => false);
      return [window.hurt ?? false, getComputedStyle(document.body).color === "rgb(1, 2, 3)", fetched];
    }"""
    assert page.evaluate(tried) == [False, False, False]
    assert set(refused) == {"csp"}
    assert not answered
    context.close()


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (800, "dark"), (390, "light"), (390, "dark")])
def test_it_fits_and_can_be_read(width: int, scheme: str, browser: Browser, small: Path) -> None:
    with opened(browser, small, width=width, color_scheme=scheme) as page:
        ready(page)
        page.click(".choices button >> nth=0")
        page.eval_on_selector_all("details", "all => all.forEach((one) => { one.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(CONTRAST) == []
        assert page.evaluate(
            "[...document.querySelectorAll('button')].every((one) => one.getAttribute('aria-label') || one.textContent.trim())"
        )


CONTRAST = """() => {
  const numbers = (colour) => colour.match(/[0-9.]+/g).map(Number);
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const ground = (one) => {
    const own = numbers(getComputedStyle(one).backgroundColor);
    return own[3] === 0 ? ground(one.parentElement) : own;
  };
  const poor = [];
  for (const one of document.querySelectorAll("main *, header *")) {
    if (![...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) continue;
    if (one.disabled || !one.checkVisibility()) continue;
    const [a, b] = [light(numbers(getComputedStyle(one).color)), light(ground(one))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push([one.className, one.textContent.slice(0, 20), ratio]);
  }
  return poor;
}"""
"""What has less contrast than the AA level of WCAG asks for."""


def test_data_cannot_end_its_element(small: Path) -> None:
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', small.read_text(encoding="utf-8"), re.DOTALL)
    assert json.loads(data)["game"]["tables"]["layout"]["players"] == 2
    assert not re.search(r"[<>&]", data)
