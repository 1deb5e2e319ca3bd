"""The page itself: where it cannot run, what strangers write into it, and whether it can be
read.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.asking.ask import ask, asked_by
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.reports.page.page import Served, render_page
from stacklaw.reports.telling.record import make_record

from .browser import needs_chromium, opened
from .served import RULES
from .shown import OPTIONS, SMALL, ready, written

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# A browser is another process, whose time no tier measures.
pytestmark = [needs_chromium, pytest.mark.long]


def test_without_a_game_the_page_says_so_and_shows_the_rest(
    browser: Browser, tmp_path: Path
) -> None:
    program = load(Source("small.rules", SMALL))
    path = written(tmp_path / "page.html", program, why="LLVM is somewhere else.")
    with opened(browser, path) as page:
        assert "LLVM is somewhere else. So nothing can be played on this page." in page.inner_text(
            ".refused"
        )
        page.click("#rules .file summary")
        assert 'may 1.1 "cast a spell"' in page.inner_text(".text")


def test_a_browser_without_webassembly_shows_the_rest(browser: Browser, small: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("delete window.WebAssembly")
    page.goto(small.as_uri())
    assert "This browser runs no WebAssembly" in page.inner_text(".refused")
    page.click("#verdicts summary >> nth=0")
    assert page.locator(".play-lanes li").first.is_visible()
    context.close()


HOSTILE = (
    SMALL.replace(
        '"Two passes"', '"</title><script>alert(1)</script><img src=x onerror=alert(2)>\u202eevil"'
    )
    .replace(
        '"cast a spell"',
        '"</script><script>alert(3)</script>\u2066'
        + "long " * 30
        + '{{ 7 * 7 }} <b style=color:red>&amp;${alert(4)}"',
    )
    .replace('spell "a spell"', 'spell "<img src=https://example.org/x.png>"')
    .replace("passed", "__proto__")
    .replace("1.3", "constructor")
)


@pytest.mark.parametrize("width", [1400, 390])
def test_a_hostile_ruleset_makes_a_harmless_page(
    width: int, browser: Browser, tmp_path: Path
) -> None:
    rules = HOSTILE.replace("spell", f"s{'p' * 4_800}") if width == 390 else HOSTILE
    (tmp_path / "hostile.rules").write_text(rules, encoding="utf-8")
    program = load(Source("hostile.rules", rules))
    path = written(
        tmp_path / "page.html", program, ask(str(tmp_path / "hostile.rules"), asked_by(OPTIONS))
    )
    with opened(browser, path, width=width) as page:
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        ready(page)
        for _ in range(6):
            page.click(".choices button >> nth=-1")
        assert (
            page.evaluate(
                "document.querySelectorAll('img, iframe, object, link, [style], [onerror]').length"
            )
            == 0
        )
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


@pytest.mark.parametrize(
    ("width", "scheme"), [(1400, "light"), (800, "dark"), (390, "light"), (390, "dark")]
)
def test_it_fits_and_can_be_read(width: int, scheme: str, browser: Browser, small: Path) -> None:
    with opened(browser, small, width=width, color_scheme=scheme) as page:
        ready(page)
        page.click(".choices button >> nth=-1")
        page.eval_on_selector_all("details", "all => all.forEach((one) => { one.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(CONTRAST) == []
        assert page.evaluate(
            "[...document.querySelectorAll('button')].every((one) => "
            "one.getAttribute('aria-label') || one.textContent.trim())"
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


def test_data_cannot_end_its_element() -> None:
    """What is told of a game is packed; a page that is served says the rest as it is, and why a
    page has no board.
    """
    evil = "</script><script>alert(1)</script><!-- &quot; ]]>"
    program = load(Source("small.rules", RULES.replace("whether spells can be cast", evil)))
    record = make_record(program, make_scope(program), ())
    page = render_page(record, program, None, evil, "0", served=Served(2, 16, 64))
    (data,) = re.findall(
        r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL
    )
    told = json.loads(data)
    assert [told["why"], told["tool"]["options"][0]["title"]] == [evil, evil]
    assert not re.search(r"[<>&]", data)


def test_what_is_not_met_comes_first_and_only_that_is_red(tmp_path: Path) -> None:
    wrong = SMALL + "  holds one.pass\n    never size of stack is 2\n"
    (tmp_path / "small.rules").write_text(wrong, encoding="utf-8")
    record = ask(str(tmp_path / "small.rules"), asked_by(OPTIONS))
    path = written(tmp_path / "page.html", load(Source("small.rules", wrong)), record)
    endings = {row.name: row.play.ending for row in record.rows if row.play is not None}
    assert (endings["one.spell"], endings["one.pass"]) == ("expected", "breaks")
    told = re.findall(
        r'<span class="outcome ?(.*?)">([\w, ]+)</span> <span class="name">(.*?)</span>',
        path.read_text(encoding="utf-8"),
    )
    assert told[0] == ("bad", "VIOLATED", "one.pass")
    assert ("said", "fails, as the author says", "one.spell") in told
    assert [tone for tone, _, _ in told].count("bad") == 1
    assert [outcome for tone, outcome, _ in told if not tone]
