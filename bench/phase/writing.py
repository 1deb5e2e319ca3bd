"""Cards for a scenario, written for what happens in it: who is asked, what triggers, what leaves.

steps of a scenario ──▶ what each item and each deed is to do ──▶ a card for each, and listeners
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stacklaw.checker.scenarios.driver import CannotError
from stacklaw.checker.scenarios.steps import ScenarioStep

Card = dict[str, str]
Whose = tuple[int, ...]
"""The seats of players, each as often as it is meant."""

COLORS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
SUBTYPES = {
    "Artifact": (
        "Clue",
        "Food",
        "Treasure",
        "Blood",
        "Vehicle",
        "Map",
        "Powerstone",
        "Fortification",
    ),
    "Land": ("Gate", "Desert", "Cave", "Sphere", "Lair", "Locus"),
}
"""By these others hear of a card."""
TYPES = {
    "117.1a/a": "Instant", "117.1a/b": "Sorcery", "117.1b": "Artifact", "117.1d": "Artifact",
    "117.1c/b": "Land", "117.1c/a": "Artifact",
}  # fmt: skip
"""What a card has to be, for the player to do something by a clause. A special action that could be
taken in any step the engine does not have (suspending uses the stack in it): a mana ability stands
for it.
"""
FLOOD, TOWER = "Flood", "Tower"
ALWAYS: list[Card] = [
    {"name": FLOOD, "types": "Sorcery", "cost": "{0}", "text": "Draw thirty cards."},
    {
        "name": TOWER,
        "types": "Enchantment",
        "cost": "{0}",
        "text": "You have no maximum hand size.\n"
        "You may play any number of lands on each of your turns.",
    },
]
"""What draws all cards of a deck, and keeps them in the hand."""


@dataclass(frozen=True)
class Effect:
    """What an item does when it resolves, in which step: who of the players chooses, whether
    abilities trigger, whether something leaves.
    """

    number: int = 0
    asks: Whose = ()
    triggers: bool = False
    counters: bool = False

    def words(self, controller: int) -> str:
        """Return it as the text of a card. A life lost is nothing that anything hears of."""
        text = ["Counter target spell or ability."] if self.counters else []
        text += [_ASKED[who == controller] for who in self.asks]
        if self.triggers:
            text.append(f"Create a 0/1 white {heard_of(self.number)} creature token.")
        return " ".join(text or ["You lose 1 life."])


_ASKED = {True: "Scry 1.", False: "Each opponent discards a card."}
_CREATURES = (
    "Wall", "Cat", "Dog", "Elk", "Fox", "Goat", "Rat", "Bear", "Bird", "Boar", "Crab", "Frog", "Ox",
    "Wolf", "Horse", "Snake", "Spider", "Squirrel", "Turtle", "Whale",
)  # fmt: skip
_STEPS = {"first_main": "first main phase", "end_step": "end step"}
Written = tuple[dict[int, str], list[list[Card]], list[list[str]]]
"""The name of the card for a step, the cards of each player, and which lie on the table."""


def written(steps: Sequence[ScenarioStep], players: int) -> Written:
    """Return cards for *steps*, at a table of this many *players*."""
    return _Writer(steps, players).all()


class _Writer:
    def __init__(self, steps: Sequence[ScenarioStep], players: int) -> None:
        self.steps = steps
        self.names = dict[int, str]()
        self.decks: list[list[Card]] = [[] for _ in range(players)]
        self.table: list[list[str]] = [[] for _ in range(players)]
        self.colors = iter(COLORS)
        self.subtypes = {types: iter(names) for types, names in SUBTYPES.items()}

    def all(self) -> Written:
        for number, step in enumerate(self.steps):
            if step.does is None or step.does.clause not in TYPES:
                self._by_itself(number, step)
                continue
            try:
                self._of_deed(number, step, step.does.clause)
            except CannotError:
                continue  # there is no card for this step: the driver comes to no further
        return self.names, self.decks, self.table

    def _of_deed(self, number: int, step: ScenarioStep, clause: str) -> None:
        by, name = step.holder or 0, f"Card{number}"
        card = {"name": name, "types": TYPES[clause], "cost": "{0}"}
        height = len(step.look.get("stack") or ())
        text = (
            effect_of(self.steps, number + 1, height).words(by)
            if step.does and step.does.kind
            else ""
        )
        own = "".join(self._heard(number, step, by, card))
        match clause:
            case "117.1b":
                text = f"{{T}}: {text}"
            case "117.1d" | "117.1c/a":
                text = "{T}: Add {C}."
            case "117.1c/b":
                card["cost"] = ""
        card.setdefault("text", "\n".join(one for one in (text, own) if one))
        self.decks[by].append(card)
        if card["types"] == "Artifact":
            self.table[by].append(name)
        self.names[number] = name

    def _heard(self, number: int, step: ScenarioStep, by: int, card: Card) -> Iterator[str]:
        """Yield what *card* says of what triggers when it is played, or let others listen."""
        height = len(step.look.get("stack") or ()) + bool(step.does and step.does.kind)
        whose = [one.get("by") for one in step.seen if one.name == "trigger"]
        for at, who in enumerate(whose):
            words = effect_of(self.steps, number + 1, height + at).words(who)
            if card["types"] in ("Instant", "Sorcery") and step.does and step.does.kind:
                color = next(self.colors, None)
                if color is None:
                    raise CannotError("there are no colors left")
                card["colors"] = card.get("colors", "") + color
                when = "you cast a" if who == by else "an opponent casts a"
                self._listen(who, f"Whenever {when} {COLORS[color]} spell, {_small(words)}")
            elif who == by and card["types"] == "Artifact":
                yield f"Whenever {card['name']} becomes tapped, {_small(words)}\n"
            elif who == by and card["types"] == "Land":
                yield f"When {card['name']} enters, {_small(words)}\n"
            else:
                subtype = next(self.subtypes[card["types"]], None)
                if subtype is None:
                    raise CannotError("there are no subtypes left")
                card["subtypes"] = f"{card.get('subtypes', '')} {subtype}".strip()
                what = "enters" if card["types"] == "Land" else "becomes tapped"
                self._listen(who, f"Whenever a {subtype} {what}, {_small(words)}")

    def _by_itself(self, number: int, step: ScenarioStep) -> None:
        """Let what triggers when an item resolves listen to a creature that this brings, and what
        does when a step begins to that.
        """
        whose = [one.get("by") for one in step.seen if one.name == "trigger"]
        left = sum(one.name == "leave" for one in step.seen)
        is_resolving = any(one.name == "resolve" for one in step.seen)
        height = len(step.look.get("stack") or ()) - left - 1 if is_resolving else 0
        begun = {one.get("name") for one in step.seen if one.name == "step"}
        if "cleanup" in begun and any(one.name == "sba" for one in step.seen):
            self._dies(number, step)
        for at, who in enumerate(whose):
            text = _small(effect_of(self.steps, number + 1, height + at).words(who))
            heard = f"Whenever a {heard_of(number)} enters"
            when = heard if is_resolving else _beginning(step, who)
            self._listen(who, f"{when}, {text}")

    def _dies(self, number: int, step: ScenarioStep) -> None:
        """Let a creature of the active player die in the cleanup step: in the upkeep it gets as
        much until the end of the turn as it loses for good.
        """
        name, active = f"Card{number}", step.look.get("active")
        text = (
            f"At the beginning of your upkeep, {name} gets +1/+1 until end of turn. Put a -1/-1 "
            f"counter on {name}."
        )
        card = {"name": name, "types": "Creature", "size": "1/1", "cost": "{0}", "text": text}
        self.decks[active].append(card)
        self.table[active].append(name)
        self.names[number] = name

    def _listen(self, who: int, text: str) -> None:
        name = f"Listener{sum(map(len, self.decks))}"
        self.decks[who].append({"name": name, "types": "Enchantment", "cost": "{0}", "text": text})
        self.table[who].append(name)


def heard_of(number: int) -> str:
    """Return the creature that comes when something resolves in step *number*."""
    return _CREATURES[number % len(_CREATURES)]


def effect_of(steps: Sequence[ScenarioStep], first: int, at: int) -> Effect:
    """Return what the item that lies *at* so high does when it resolves, in step *first* or
    later.
    """
    for number, step in enumerate(steps[first:], first):
        names = [one.name for one in step.seen]
        top = len(step.look.get("stack") or ()) - 1
        if "resolve" in names and top == at:
            asks = tuple(one.get("by") for one in step.seen if one.name == "choice")
            return Effect(number, asks, "trigger" in names, "leave" in names)
        if "leave" in names and "resolve" in names:
            if at == top - 1:
                break  # it leaves without
            at -= 1
    return Effect()


def _beginning(step: ScenarioStep, who: int) -> str:
    """Return when it is that what *step* comes to has begun, as a card of *who* says it."""
    names = [one.get("name") for one in step.seen if one.name == "step"]
    turns = [one.get("of") for one in step.seen if one.name == "turn"]
    whose = "your" if (turns or [step.look.get("active")])[-1] == who else "each opponent's"
    return f"At the beginning of {whose} {_STEPS.get(names[-1] if names else '', 'draw step')}"


def _small(text: str) -> str:
    return text[0].lower() + text[1:]
