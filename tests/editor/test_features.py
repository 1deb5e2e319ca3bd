"""What an editor asks of the server, over stdin and stdout, one feature after the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="pygls is not installed: pip install 'stacklaw[editor]'")

from lsprotocol import types

from stacklaw.bench.editor import Client
from stacklaw.cli.editor.texts import OpenTexts
from stacklaw.models.source import Source, Span

RULES = """\
game "Two passes"
source "an example"
players 2 or more
scope players 2, stack 2
start decide(active)

items
  spell  "spell"

zones
  stack  last in first out

state
  passed : players  "who has passed in succession"

term all_passed means passed is everyone

stage decide(holder: player) "a player has priority"
  priority holder

  may 1.1 "cast a spell"
    put spell on stack
    passed := none
    go decide(holder)

  may 1.2 "pass"
    pass
    passed += holder
    if not all_passed
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
"""
CLAIMS = """\
claims
  holds     response_window
  possible  hold_priority  cites 1.1
  holds one.at.a.time "nothing resolves unless somebody passed just before"
    never (something resolves and not previously someone passes)
  possible all "all have passed"
    possible (all_passed and clause 1.2)
"""
CLAUSES = "1.1\ta player with priority may cast a spell\n1.2\tor pass\n1.3\tthe top item resolves\n"
LINES = RULES.splitlines()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("editor")
    for suffix, text in ((".rules", RULES), (".claims", CLAIMS), (".clauses", CLAUSES)):
        (folder / f"mine{suffix}").write_text(text, encoding="utf-8")
    with Client(folder) as editor:
        for suffix in (".rules", ".claims", ".clauses"):
            editor.open(f"mine{suffix}")
        yield editor
    assert editor.errors == ""


def place(word: str, line: str, lines: list[str] = LINES) -> tuple[int, int]:
    """Return the number of the first line with *line* in it, and where *word* stands there."""
    number = next(number for number, text in enumerate(lines) if line in text)
    return number + 1, lines[number].index(line) + line.index(word)


def where(found: list[dict[str, Any]]) -> list[str]:
    return [
        f"{Path(one['uri']).suffix}:{one['range']['start']['line'] + 1}"
        f":{one['range']['start']['character']}"
        for one in found
    ]


def told(client: Client, word: str, line: str, file: str = "mine.rules") -> str:
    lines = CLAIMS.splitlines() if file.endswith(".claims") else LINES
    said: str = client.at("hover", file, *place(word, line, lines))["contents"]["value"]
    return said


# ------------------------------------------------------------------ hover


def test_a_clause_tells_where_it_leads_and_who_cites_it(client: Client) -> None:
    said = told(client, "1.1", "may 1.1")
    assert "cast a spell" in said
    assert "→ decide" in said
    assert "cited by `hold_priority`" in said
    assert "a player with priority may cast a spell" in said


def test_a_clause_in_a_formula_is_the_clause(client: Client) -> None:
    assert "→ decide, resolve, game over" in told(client, "1.2", "clause 1.2", "mine.claims")


def test_a_name_tells_its_declaration(client: Client) -> None:
    said = told(client, "passed", "passed := none")
    assert 'passed : players  "who has passed in succession"' in said
    assert "used in 4 places" in said


def test_a_stage_tells_its_clauses(client: Client) -> None:
    assert 'must 1.3 "the top item resolves"' in told(client, "resolve", "go resolve")


def test_a_property_tells_its_entry(client: Client) -> None:
    said = told(client, "hold_priority", "possible  hold_priority", "mine.claims")
    assert said.startswith("**hold_priority**")


def test_a_word_tells_its_forms(client: Client) -> None:
    assert "put KIND on ZONE" in told(client, "put", "put spell")


def test_nothing_is_told_of_nothing(client: Client) -> None:
    assert client.at("hover", "mine.rules", 6, 0) is None


def test_a_mistake_tells_its_page(client: Client) -> None:
    client.change("mine.claims", {"text": CLAIMS.replace("all_passed", "al_passed")})
    number, character = place("(all_passed", "possible (all_passed", CLAIMS.splitlines())
    said = client.at("hover", "mine.claims", number, character + 2)["contents"]["value"]
    assert "Mended:" in said
    client.change("mine.claims", {"text": CLAIMS})


def test_rulings_are_no_rules(client: Client) -> None:
    """The lines of a file of rulings are not those of the rules beside it."""
    client.open("mine.rulings", RULES)
    for feature in ("hover", "definition", "completion"):
        assert not client.at(feature, "mine.rulings", *place("decide", "start decide"))
    client.tell("textDocument/didClose", textDocument={"uri": client.uri("mine.rulings")})


def test_lines_that_only_we_break_are_one_in_the_editor(client: Client) -> None:
    broken = f'# one\u2028{RULES}\nstage late\n  must 9 "it ends"\n    pass\n    go late'
    client.change("mine.rules", {"text": broken})
    found = {one["name"]: one for one in client.of("documentSymbol", "mine.rules")}
    assert found["late"]["selectionRange"]["start"]["line"] == broken.split("\n").index(
        "stage late"
    )
    rows = broken.split("\n")
    asked = place("resolve", "go resolve", rows)
    row, start = place("resolve", "stage resolve", rows)
    assert where(client.at("definition", "mine.rules", *asked)) == [f".rules:{row}:{start}"]
    options = {"tabSize": 2, "insertSpaces": True}
    (edit,) = client.of("formatting", "mine.rules", options=options)
    assert edit["range"]["end"]["line"] <= len(rows)
    client.change("mine.rules", {"text": RULES})


def test_every_place_is_found_again() -> None:
    """In rules and in the claims beside them, with any line breaks and signs of any width."""
    texts, text = OpenTexts(), "a\u2028bc\x0bd 🂡 e\n\n\x85f\ngh"
    source = Source("m.rules", text).with_claims(Source("m.claims", text))
    for number, line in enumerate(source.lines, 1):
        path, _ = source.files.place_of(number)
        for column in range(1, len(line) + 2):
            span = Span(number, column, column)
            assert texts.span_at(source, path, texts.range_of(source, span).start) == span
    end = types.Position(99, 0)
    assert texts.span_at(source, "m.claims", end).line >= len(source.lines)


# ------------------------------------------------------------------ places


@pytest.mark.parametrize(
    ("word", "line", "found"),
    [
        ("resolve", "go resolve", [".rules:36:6"]),
        ("decide", "start decide", [".rules:18:6"]),
        ("spell", "put spell", [".rules:8:2"]),
        ("stack", "on stack", [".rules:11:2"]),
        ("holder", "go decide(after holder)", [".rules:18:13"]),
        ("all_passed", "if not all_passed", [".rules:16:5"]),
        ("1.1", "may 1.1", [".clauses:1:0"]),
    ],
)
def test_a_name_leads_to_its_declaration(
    client: Client, word: str, line: str, found: list[str]
) -> None:
    number, character = place(word, line)
    assert where(client.at("definition", "mine.rules", number, character)) == found
    end = character + len(word)
    assert where(client.at("definition", "mine.rules", number, end)) == found


def test_a_claim_leads_into_the_rules(client: Client) -> None:
    lines = CLAIMS.splitlines()
    asked = place("all_passed", "possible (all_passed", lines)
    assert where(client.at("definition", "mine.claims", *asked)) == [".rules:16:5"]
    cited = place("1.1", "cites 1.1", lines)
    found = client.at("definition", "mine.claims", *cited)
    assert where(found) == [".rules:21:6", ".clauses:1:0"]


def test_a_statement_leads_to_its_clause(client: Client) -> None:
    assert where(client.at("definition", "mine.clauses", 3, 1)) == [".rules:38:7"]


def test_references_are_in_all_files(client: Client) -> None:
    found = client.at(
        "references",
        "mine.rules",
        *place("1.1", "may 1.1"),
        context={"includeDeclaration": True},
    )
    assert where(found) == [".rules:21:6", ".clauses:1:0", ".claims:3:33"]
    found = client.at(
        "references",
        "mine.rules",
        *place("all_passed", "term all_passed"),
        context={"includeDeclaration": False},
    )
    assert where(found) == [".rules:29:11", ".claims:7:14"]


def test_a_local_name_ends_with_its_stage(client: Client) -> None:
    found = client.at("references", "mine.rules", 18, 14, context={"includeDeclaration": True})
    assert where(found) == [
        ".rules:18:13", ".rules:19:11", ".rules:24:14", ".rules:28:14", ".rules:30:22"
    ]  # fmt: skip


# ------------------------------------------------------------------ rename


def edited(client: Client, new: str, at: tuple[int, int], file: str = "mine.rules") -> Any:
    return client.at("rename", file, *at, newName=new)


def test_a_term_is_renamed_in_its_claims(client: Client) -> None:
    found = edited(client, "everybody_passed", place("all_passed", "if not all_passed"))["changes"]
    assert sorted((Path(uri).suffix, len(edits)) for uri, edits in found.items()) == [
        (".claims", 1),
        (".rules", 2),
    ]


def test_an_id_is_renamed_in_all_files(client: Client) -> None:
    found = edited(client, "2.7", (1, 1), "mine.clauses")["changes"]
    assert sorted(Path(uri).suffix for uri in found) == [".claims", ".clauses", ".rules"]


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("9", "`9` cannot be a name."),
        ("spell", "There is a `spell` already."),
        ("top", "`top` is a word of the language"),
    ],
)
def test_a_name_that_cannot_be_is_refused(client: Client, new: str, why: str) -> None:
    assert edited(client, new, place("passed", "passed := none")) is None
    client.settle(0.2)
    assert why in client.others[-1]["params"]["message"]


# ------------------------------------------------------------------ writing


def completed(client: Client, text: str, after: str) -> dict[str, str]:
    """Return what can stand at the end of the line *text*, put below the line *after*, and what it
    is.
    """
    number = next(number for number, line in enumerate(LINES, 1) if after in line)
    whole = {"text": "\n".join([*LINES[:number], text, *LINES[number:]])}
    client.change("mine.rules", whole)
    found = client.at("completion", "mine.rules", number + 1, len(text))
    client.change("mine.rules", {"text": RULES})
    return {one["label"]: one["detail"] for one in found}


@pytest.mark.parametrize(
    ("text", "after", "some", "not_"),
    [
        ("    go ", "may 1.1", {"decide", "resolve"}, {"spell", "stack", "when"}),
        ("    go de", "may 1.1", {"decide"}, {"spell"}),
        ("    put ", "may 1.1", {"spell"}, {"stack", "decide"}),
        ("    put spell on ", "may 1.1", {"stack"}, {"spell"}),
        ("    when passed ", "may 1.1", {"is"}, {"stack"}),
        ("    when ", "may 1.1", {"holder", "passed", "not", "all_passed"}, {"spell", "go"}),
        ("    ", "may 1.1", {"put", "go", "require"}, {"may", "stage"}),
        ("  ", "priority holder", {"may", "must", "chance"}, {"put"}),
        ("", "passed : players", {"stage", "term", "claims"}, {"put", "may"}),
        ("claims\n  holds ", "passed : players", {"response_window"}, {"passed"}),
    ],
)
def test_what_can_stand_there_is_offered(
    client: Client, text: str, after: str, some: set[str], not_: set[str]
) -> None:
    if "\n" in text:
        head, _, text = text.partition("\n")
        client.change("mine.rules", {"text": RULES + f"\n{head}\n{text}"})
        found = client.at("completion", "mine.rules", len(LINES) + 3, len(text))
        client.change("mine.rules", {"text": RULES})
        labels = {one["label"] for one in found}
    else:
        labels = {*completed(client, text, after)}
    assert some <= labels
    assert not labels & not_


def test_words_come_with_their_form(client: Client) -> None:
    assert completed(client, "    ", "may 1.1")["require"] == "require CONDITION"


def test_errors_in_one_part_leave_the_others(client: Client) -> None:
    client.change("mine.rules", {"text": RULES.replace("put spell on stack", "put spell on (")})
    assert "used in" in told(client, "passed", "passed := none")
    client.change("mine.rules", {"text": RULES})


def test_the_layout_is_an_edit_of_what_differs(client: Client) -> None:
    options = {"tabSize": 2, "insertSpaces": True}
    client.change("mine.rules", {"text": RULES.replace("put spell", "put   spell")})
    (edit,) = client.of("formatting", "mine.rules", options=options)
    assert edit["range"]["start"]["line"] + 1 == place("put", "put spell")[0]
    assert edit["newText"] == "    put spell on stack\n"
    client.change("mine.rules", {"text": RULES + "("})
    assert client.of("formatting", "mine.rules", options=options) == []
    client.change("mine.rules", {"text": RULES})


def test_a_hint_that_compiles_is_an_action(client: Client) -> None:
    wrong = RULES.replace("put spell on stack", "put spel on stack")
    client.change("mine.rules", {"text": wrong})
    line = place("put", "put spell")[0] - 1
    chosen = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}}
    (action,) = client.of("codeAction", "mine.rules", range=chosen, context={"diagnostics": []})
    assert action["title"] == "did you mean `spell`?"
    ((edit,),) = action["edit"]["changes"].values()
    assert edit["newText"] == "    put spell on stack\n"
    client.change("mine.rules", {"text": RULES})


def test_a_hint_in_the_claims_is_an_edit_of_the_claims(client: Client) -> None:
    client.change("mine.claims", {"text": CLAIMS.replace("all_passed", "al_passed")})
    chosen = {"start": {"line": 6, "character": 0}, "end": {"line": 6, "character": 0}}
    (action,) = client.of("codeAction", "mine.claims", range=chosen, context={"diagnostics": []})
    ((uri, (edit,)),) = action["edit"]["changes"].items()
    assert uri == client.uri("mine.claims")
    assert edit["newText"] == CLAIMS.splitlines(keepends=True)[6]
    assert edit["range"]["start"] == {"line": 6, "character": 0}
    client.change("mine.claims", {"text": CLAIMS})


def test_names_are_offered_in_claims(client: Client) -> None:
    lines = CLAIMS.splitlines()
    number, character = place("(all_passed", "possible (all_passed", lines)
    found = client.at("completion", "mine.claims", number, character + 1)
    assert {"all_passed", "passed", "someone"} <= {one["label"] for one in found}


def test_an_id_is_completed_as_a_whole(client: Client) -> None:
    client.change("mine.claims", {"text": f"{CLAIMS}  possible another cites 1."})
    number = CLAIMS.count("\n") + 1
    found = client.at("completion", "mine.claims", number, 27)
    edits = {one["label"]: one["textEdit"] for one in found}
    assert {"1.1", "1.2", "1.3"} <= {*edits}
    assert edits["1.3"]["range"]["start"]["character"] == 25
    client.change("mine.claims", {"text": CLAIMS})


# ------------------------------------------------------------------ reading


def test_symbols_are_a_tree(client: Client) -> None:
    found = {one["name"]: one for one in client.of("documentSymbol", "mine.rules")}
    assert [one["name"] for one in found["decide"]["children"]] == ["1.1", "1.2"]
    ((name, detail),) = [(one["name"], one["detail"]) for one in found["items"]["children"]]
    assert (name, detail, found["items"]["detail"]) == ("spell", '"spell"', "")
    assert found["decide"]["detail"] == 'stage (holder: player) "a player has priority"'
    assert found["decide"]["range"]["end"]["line"] == place("game", "game over")[0]


def test_clauses_tell_where_they_lead(client: Client) -> None:
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 30, "character": 0}}
    found = client.of("inlayHint", "mine.rules", range=whole)
    assert [(one["position"]["line"] + 1, one["label"]) for one in found] == [
        (place("1.1", "may 1.1")[0], " → decide"),
        (place("1.2", "may 1.2")[0], " → decide, resolve, game over"),
    ]
    assert client.of("inlayHint", "mine.claims", range=whole) == []


def test_blocks_fold(client: Client) -> None:
    found = {
        (one["startLine"] + 1, one["endLine"] + 1)
        for one in client.of("foldingRange", "mine.rules")
    }
    assert (18, place("game", "game over")[0]) in found


# ------------------------------------------------------------------ mistakes


def test_mistakes_come_and_go(client: Client) -> None:
    uri = client.uri("mine.rules")
    client.settle()
    assert client.diagnostics[uri] == []
    client.change("mine.rules", {"text": RULES.replace("go resolve", "go resolv")})
    client.wait()
    (told_,) = client.diagnostics[uri]
    assert told_["code"].startswith("R1")
    assert "Hint: did you mean `resolve`?" in told_["message"]
    client.change("mine.rules", {"text": RULES})
    client.settle()
    assert client.diagnostics[uri] == []


def test_claims_are_typed_after_a_pause(client: Client) -> None:
    uri = client.uri("mine.claims")
    client.change("mine.claims", {"text": CLAIMS.replace("someone passes)", "someone naps)")})
    client.settle()
    assert [one["code"][0] for one in client.diagnostics[uri]] == ["R"]
    client.change("mine.claims", {"text": CLAIMS.replace("all_passed", "nobody_passed")})
    client.settle()
    assert [one["range"]["start"]["line"] for one in client.diagnostics[uri]] == [6]
    client.change("mine.claims", {"text": CLAIMS})
    client.settle()
    assert client.diagnostics[uri] == []
