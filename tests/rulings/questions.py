"""Questions of judges beside those in the files of rulings: what is asked of each game, in the
words of a table.
"""

from __future__ import annotations

from stacklaw.checker.rulings.file import read_rulings, rulings_beside

GAMES = ("mtg", "fftcg", "zx", "fow", "stack")
JUDGES = {
    "mtg": [
        "A casts an instant; A passes: may B respond before A's instant resolves?",
        "A casts an instant; A passes; B casts an instant: who has priority? may A pass?",
        "A casts an instant; A passes; B casts an instant; B passes; A passes: who has priority?",
        "in the main phase; A casts a sorcery: may A cast another sorcery in response?",
        "in the untap step: may A cast an instant?",
        "A casts an instant; A passes; B passes: may B respond before it resolves?",
        "in the draw step; B's ability triggers: may A respond before it is put on the stack?",
        "A activates a mana ability: may B respond?",
        "in the end step; everybody passes: may A cast an instant?",
        "A plays a land: may B respond?",
        "A casts a creature spell: who has priority?",
        "A holds priority and casts another instant: may B respond?",
    ],
    "fftcg": [
        "in the main phase; A plays a Character from hand: may B respond?",
        "A casts a Summon; A passes; B casts a Summon: which resolves first?",
        "A casts a Summon: may A cast another Summon before B?",
        "A casts a Summon; A passes; B passes: who has priority?",
        "in Main Phase 1; everybody passes: what happens next?",
        "in A's Attack Preparation Step: may B cast a Summon before A declares an attack?",
        "A declares an attack: may B cast a Summon before a block is declared?",
        "B plays a Character via Back Attack: who has priority?",
    ],
    "zx": [
        "in the main phase; A plays a card: may B respond?",
        "A begins a battle: who has priority?",
        "A begins a battle; A plays a card: who has priority?",
        "A begins a battle; A passes; B plays a card: may A play a card?",
        "A begins a battle; A passes; B passes: what happens next?",
        "in the main phase: may B play a card?",
        "in the main phase; A passes: may B play a card before the phase ends?",
        "A's automatic ability triggers: who has priority?",
    ],
    "fow": [
        "A plays a resonator: may B play a chant-instant before it resolves?",
        "A plays a chant; A passes; B plays a chant-instant: which resolves first?",
        "in the main phase; A passes; B passes: what happens next?",
        "A plays a resonator; A passes; B passes: who has priority?",
        "A initiates battle: may B play a chant-instant before the attack is declared?",
        "A calls a magic stone: may B respond?",
        "A plays a resonator: may A play another resonator?",
        "in B's main phase: may A play a resonator?",
    ],
    "stack": [
        "A plays a slow card: may B play something fast before it resolves?",
        "A plays something fast; A passes; B plays something fast; B passes: may A play something fast?",
        "A plays something fast; B plays something fast; B passes: may B pass?",
        "A buys a card: may B respond?",
        "A passes the turn: may B play something fast before B's turn begins?",
        "A plays a slow card; an ability of B triggers: who resolves first?",
        "A plays a slow card; a hybrid ability of B triggers: who has priority?",
        "A passes the turn; A's hybrid ability triggers; A pays for it: who has priority?",
        "A passes the turn; A's hybrid ability triggers: who decides? may B pay for it?",
        "A plays something fast; A passes: may C respond?",
        "A attacks B: may B play something fast before the attack resolves?",
    ],
}


def asked_of(game: str) -> list[tuple[str, tuple[tuple[str, str], ...], int | None]]:
    """Return the questions in the file of *game*, each with its reading and its players, and those
    of judges.
    """
    source = rulings_beside(game)
    filed = (
        []
        if source is None
        else [(one.question, one.reading, one.players) for one in read_rulings(source)]
    )
    return [*filed, *((question, (), None) for question in JUDGES.get(game, []))]
