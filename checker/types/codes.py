"""The codes of what can be wrong with a question: a closed table."""

from __future__ import annotations

from ...models.diagnostics import Code

CODES: dict[str, Code] = {
    "C101": Code(
        "unknown zone",
        "The scope gives sizes to zones of the ruleset, and the ruleset has no zone of this name. `stacklaw show GAME` lists them.",
        "stacklaw check fow --scope stack=3",
        "stacklaw check fow --scope chase=3",
    ),
    "C102": Code(
        "wrong number of players",
        "A ruleset says how many players it is for, and the search is for another number of them.",
        "stacklaw check zx --players 3",
        "stacklaw check mtg --players 3",
    ),
    "C103": Code(
        "no room on a zone",
        "A zone that holds nothing would cut every move that puts something there, and nothing would be searched.",
        "stacklaw check mtg --stack 0",
        "stacklaw check mtg --stack 1",
    ),
    "C104": Code(
        "larger than any search",
        "The number of positions grows with each player and each place on a zone, and no machine could look at so many. "
        "How many there are is estimated before a search begins; with `--time` it goes as far as it comes.",
        "stacklaw check mtg --stack 1000",
        "stacklaw check mtg --stack 4",
    ),
    "C105": Code(
        "no first value",
        "A variable whose range depends on the number of players or on options begins outside its range here.",
        "seat : 1 to number of players - 2 = 2 … played by 3",
        "seat : 1 to number of players = 2",
    ),
    "C106": Code(
        "no budget",
        "A search needs more than no time and more than no memory. Without a budget it ends when everything is searched.",
        "stacklaw check mtg --time 0",
        "stacklaw check mtg --time 60",
    ),
    "C107": Code(
        "no such number of threads",
        "A search is shared by one thread or more. More than the machine has cores gain nothing.",
        "stacklaw check mtg --threads 0",
        "stacklaw check mtg --threads 2",
    ),
    "C108": Code(
        "nothing to resume from",
        "A search goes on from what an earlier one wrote into a folder of checkpoints, so the folder has to be named.",
        "stacklaw check mtg --resume",
        "stacklaw check mtg --checkpoint searches --resume",
    ),
    "C109": Code(
        "an engine that does not do that",
        "The reference engine is the meaning itself, written to be read: it searches in one thread and writes no checkpoints.",
        "stacklaw check mtg --engine reference --threads 2",
        "stacklaw check mtg --threads 2",
    ),
    "C110": Code(
        "an engine that proves nothing",
        "The explicit and the reference engine look at every position of a scope; what holds for every size the symbolic engine proves, "
        "which is asked with them unless one engine is asked alone.",
        "stacklaw check mtg --engine explicit --prove",
        "stacklaw check mtg --prove",
    ),
    "C111": Code(
        "no key for checkpoints",
        "What a search writes down is signed with a key, so that nothing forged is believed when it goes on. It is your own on this "
        "machine, or the one in a file that `--key` names, which is made if it is not there. Nobody else may read it: it has mode 600, "
        "lies outside the folder of checkpoints, and nobody else can write in the folders on the way to it.",
        "stacklaw check mtg --checkpoint searches --key searches/key",
        "stacklaw check mtg --checkpoint searches --key ~/searches.key",
    ),
    "C112": Code(
        "checkpoints of somebody else",
        "In the folder of checkpoints there is something that was not signed with the key in use: another user or another machine wrote "
        "it, or somebody forged it, or your key has changed since. A search does not go on from it, and a result in it is not believed.",
        "stacklaw check mtg --checkpoint searches --resume … with the checkpoints of another machine",
        "stacklaw check mtg --checkpoint searches --resume --key shared.key … with the key they were signed with",
    ),
    "C113": Code(
        "a name that stands for nothing",
        "`--map OLD=NEW` says that a kind of item, a zone, an attribute, a value of one, a sequence or a step is called OLD in the old "
        "rules and NEW in the new ones. Each has one such name on either side.",
        "stacklaw diff old.rules new.rules --map spell=card … where the old rules have no spell",
        "stacklaw diff old.rules new.rules --map spell=card … where `spell` became `card`",
    ),
    "C115": Code(
        "an unfinished ruleset",
        "A clause has `todo` in the place of its body. `stacklaw check` says what can be said without it; what looks at all of a ruleset "
        "needs it whole.",
        "stacklaw loops mygame.rules … where clause 4 is `todo`",
        "stacklaw check mygame.rules",
    ),
    "C114": Code(
        "nothing to repair",
        "`stacklaw repair` looks for edits after which a property is met that is not met now. Within this scope it is met, "
        "or it needs more room to be decided.",
        "stacklaw repair mtg lifo",
        "stacklaw repair mygame.rules lifo … where `stacklaw check mygame.rules -p lifo` shows a play that breaks it",
    ),
    "C116": Code(
        "no Ray for a cluster",
        "Searches beyond one machine run on Ray, which comes with the extra `cluster` of Stacklaw and is not installed here.",
        "stacklaw check mtg --cluster auto … without Ray",
        "pip install 'stacklaw[cluster]', and then: stacklaw check mtg --cluster auto",
    ),
    "C117": Code(
        "a cluster that cannot be used",
        "Nobody answers at the address of the cluster, or it has fewer processors than workers are asked for, or a worker of it runs "
        "another version of Stacklaw, whose answers would be about other rules. docs/cluster.md says how to begin one.",
        "stacklaw check mtg --cluster 10.0.0.1:6379 … where no Ray was started",
        "ray start --head, and then: stacklaw check mtg --cluster 127.0.0.1:6379",
    ),
    "C118": Code(
        "no search on disk",
        "`--disk` needs a folder in which files can be written; it is made if it is not there.",
        "stacklaw check mtg --disk mygame.rules",
        "stacklaw check mtg --disk /scratch",
    ),
    "C119": Code(
        "two rulesets with nothing in common",
        "`stacklaw diff` tells what leads from one ruleset to the other. Where these have no kind of item, no zone, no attribute and no "
        "step in common everything is different.",
        "stacklaw diff mygame.rules another.rules … of two different games",
        "stacklaw compare mygame.rules another.rules",
    ),
}
