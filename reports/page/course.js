"use strict";

/* The course of a play: what goes on by itself, for nobody decides anything in it, and when each
 * player can act next. */

const SILENT = 200;

/** Whether in *choice* the cards cause nothing. */
function isNothing({ by, what, value, at }) {
  return by === "cards" && at === 0 && !what && (!value || value.startsWith(NOT));
}

/** Whether *move* is a player's. */
function isPlayers(move) {
  return move.owner !== "rules" && move.owner !== "cards";
}

/** Whether the cards alone decide on *move*. */
function isOfCards(move) {
  return (
    move.owner === "cards" ||
    (move.owner === "rules" &&
      move.choices.length > 0 &&
      move.choices.every(({ by }) => by === "cards"))
  );
}

/** Whether the rules make *move*, and nobody chooses anything in it. */
function isQuiet(move) {
  return move.owner === "rules" && move.choices.every(isNothing);
}

/** Whether with *move* its player passes. */
function isPass(move) {
  return isPlayers(move) && move.events.some(({ kind }) => kind === "passes");
}

/** The number of that of *moves* which goes by itself: the only quiet one, if nobody but the cards
 * could do anything else; -1 if there is none. */
function silentOf(moves) {
  const goes =
    moves.every((move) => isQuiet(move) || isOfCards(move)) && moves.filter(isQuiet).length === 1;
  return goes ? moves.findIndex(isQuiet) : -1;
}

/** What each player can do, from the position with these *halves* on, while all only pass and the
 * cards do nothing: their own *actions* there, whether they could *pass* here, and what comes
 * *before* that, moves. Who is not told of has no action on that way. */
function outlook(teller, halves, moves) {
  const told = new Map();
  const before = [];
  for (let [here, from] = [halves, moves]; before.length < SILENT && told.size < teller.players;) {
    for (const player of new Set(
      from.filter((move) => isPlayers(move) && !isPass(move)).map(({ owner }) => owner),
    )) {
      if (!told.has(player)) told.set(player, { halves: here, before: before.slice() });
    }
    const silent = silentOf(from);
    const next =
      silent >= 0
        ? from[silent]
        : from.find((move) => isPass(move) && move.choices.every(isNothing));
    if (!next) break;
    before.push(next);
    here = next.target;
    from = teller.moves(here);
  }
  return told;
}
