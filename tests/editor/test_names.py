"""Every name of the games is declared somewhere, and can be called otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="pygls is not installed: pip install 'stacklaw[editor]'")

from stacklaw.cli.editor.actions import RenameError, rename
from stacklaw.cli.editor.names import _MEANS, Occurrence, names_in
from stacklaw.cli.editor.texts import OpenTexts
from stacklaw.models.parsing.scan import grammar
from stacklaw.models.read import read_source
from stacklaw.models.shipped import example_names, file_beside, game_names, game_source
from stacklaw.models.source import Source

BUILT_IN = {"step", "turn", "active", "controller", "kind", "none"}
GAMES = Path(__file__).parents[2] / "models" / "games"


def inventory_of(game: str) -> Source | None:
    path = file_beside(game, ".clauses")
    return read_source(path) if path.is_file() else None


@pytest.mark.parametrize("game", [*game_names(), *example_names()])
def test_every_name_leads_somewhere(game: str) -> None:
    source = game_source(game)
    names = names_in(source, inventory_of(game))

    def is_known(one: Occurrence) -> bool:
        line = one.source.line(one.word.span.line).split()
        of_catalogue = line[:1] == ["with"] and len(one.word.name) == 1
        return bool(names.declarations(one)) or one.word.name in BUILT_IN or of_catalogue

    lost = [one.word for one in names.all if not is_known(one) and one.word.space != "clause"]
    assert lost == []
    assert len(names.all) > 300
    for one in names.all:
        declared = names.declarations(one)
        assert one in names.references(one) or not declared
        if one.word.declares:
            assert one in declared or one.word.what == "value"


def test_what_each_name_of_the_grammar_means_is_said() -> None:
    """A new rule of the grammar with a name or an id in it is missed here, and nowhere else."""
    rules = {
        str(rule.alias or rule.origin.name)
        for rule in grammar().rules
        if any(symbol.name in ("NAME", "ID") for symbol in rule.expansion)
    }
    assert {rule for rule in rules if not rule.startswith("__")} == _MEANS.keys()


@pytest.mark.slow
def test_names_are_changed_in_all_their_places() -> None:
    """Each name of a game that means one thing; the rules are compared by who renames it."""
    texts, path = OpenTexts(), str(GAMES / "zx.rules")
    source = game_source(path)
    names = names_in(source, texts.file(str(GAMES / "zx.clauses")))
    changed, refused = 0, {}
    for one in {one.word.name: one for one in names.all[::7] if one.source == source}.values():
        if source.files.place_of(one.word.span.line)[0] != path:
            continue
        try:
            edit = rename(texts, path, texts.range_of(source, one.word.span).start, "quite_new")
        except RenameError as error:
            refused[one] = str(error)
            continue
        assert edit is not None
        assert edit.changes is not None
        assert sum(map(len, edit.changes.values())) == len(names.references(one))
        changed += 1
    assert changed > 15
    for one, why in refused.items():
        declared = names.declarations(one)
        is_asked_by_name = one.word.what == "tag" or "The rulings say" in why
        assert len(declared) != 1 or is_asked_by_name, (one.word, why)
