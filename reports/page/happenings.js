"use strict";

/* What a question names in a line: players, items, events; and the windows before an event:
 * `nouns.py`, `events.py`, `window.py`. */

const ORDINALS = ["first", "second", "third", "fourth", "fifth"];
const ANY_ITEM = [
  "spell",
  "card",
  "ability",
  "item",
  "effect",
  "thing",
  "action",
  "object",
  "character",
  "play",
  "activation",
];
const ITSELF = /^(?:it|that|this|they|them|(?:this|that|the) (?:card|spell|ability|item|effect))$/;
const [ENDING, BEGINNING] = [
  "(?:ends?|(?:is )?over|(?:has )?ended)",
  "(?:begins?|starts?|has begun|comes)",
];
const OTHER_PLAYER =
  "(?:the )?(?:non-?turn|non-?active|inactive|other|opposing|defending) player|(?:the )?opponent";
const [MOST_WINDOWS, MOST_LARGER] = [40000, 400];
const RESTING = new Set(["yes, in every play", "no"]);

/** The seat of the player whom *words* name at *spot*, null if they name none. */
function playerCalled(words, spot, players) {
  const said = words.trim().replace(/'s$/, "");
  const seat = said.length === 1 ? seatOf(said) : null;
  if (seat !== null) return seat;
  const other = whole(said, "([A-P])'s opponent");
  if (players === 2 && other) return 1 - seatOf(other[1]);
  if (whole(said, "(?:the )?(?:turn|active) (?:player|owner)")) return spot.active;
  return players === 2 && whole(said, OTHER_PLAYER) ? 1 - spot.active : null;
}

/** The item that is spoken of: the last that was put by what is said, else the only one there is.
 * */
function focusOf(line) {
  const said = [...line.items.keys()].filter(
    (number) => line.steps[line.items[number].since].how === "said",
  );
  return said.length ? said.slice(-1) : line.items.length === 1 ? [0] : [];
}

/** The numbers of the items of *line* that *phrase* may mean. */
function itemsCalled(line, phrase, lexicon) {
  const said = phrase.trim();
  // "The spell" is it, unless spells are told from other things here.
  const isIt = ITSELF.test(said) && !lexicon.kindsCalled(lexicon.content(said)).length;
  if (isIt) return focusOf(line);
  const owns = (word) => word.endsWith("'s") || new RegExp(`\\bof ${word}\\b`).test(said);
  const owner = lexicon.words.of(said).find((word) => seatOf(word) !== null && owns(word));
  const plain = new Set([...ORDINALS.map((one) => lexicon.words.stem(one)), "top"]);
  const words = new Set([...lexicon.content(said)].filter((word) => !plain.has(word)));
  const isIts = ({ item }) => owner === undefined || seatNamed(item.controller) === seatOf(owner);
  const fits = [...line.items.keys()].filter(
    (number) => isIts(line.items[number]) && isItemCalled(line, number, words, lexicon),
  );
  const lying = fits.filter((number) => line.items[number].place);
  const alive = lying.length ? lying : fits;
  const ordinal = ORDINALS.findIndex((one) => said.toLowerCase().split(/\s+/).includes(one));
  if (ordinal >= 0) return fits.slice(ordinal, ordinal + 1);
  const focus = focusOf(line);
  if (owner === undefined && focus.some((number) => alive.includes(number))) return focus;
  if (/\btop\b/.test(said)) throw new LeftError("The page does not follow the top of a zone.");
  return alive;
}

/** Whether an item of *line* may be called *words*: by its kind, by the clause that put it, or as
 * any item. */
function isItemCalled(line, number, words, lexicon) {
  const { item, since } = line.items[number];
  if (!words.size || lexicon.isCalled(item.kind, words)) return true;
  const generic = new Set(ANY_ITEM.map((word) => lexicon.words.stem(word)));
  if (isWithin(words, generic) && !lexicon.kindsCalled(words).length) return true;
  const { clause } = line.steps[since].move;
  const named = lexicon.names.filter((name) => name.clause === clause);
  // What triggers as a spell is cast is put with it, and no spell.
  const put = named.map(({ kind }) => kind).filter(Boolean);
  if (put.length && !put.includes(item.kind)) return false;
  return !lexicon.clauses.get(clause).passes && named.some((name) => isWithin(words, name.words));
}

/** What each item of *line* is called: whose it is, its kind, and which of several. */
function itemNames(line, lexicon) {
  const plain = line.items.map(({ item }) => [
    item.controller,
    lexicon.kinds.get(item.kind).title.replace(/^(?:an?|the) /, ""),
  ]);
  const isSame = (one) => (other) => one.join() === other.join();
  return plain.map((one, number) => {
    const at = plain.slice(0, number).filter(isSame(one)).length;
    const which = plain.filter(isSame(one)).length > 1 ? `${ORDINALS[at] ?? `${at + 1}th`} ` : "";
    return `${one[0]}'s ${which}${one[1]}`;
  });
}

/** Why nothing is said of what comes before or after a step that only stands for another one. */
function standsIn() {
  return new LeftError("The rules have another step in its place, and do not say what comes next.");
}

class Happenings {
  /** The events that words name, in the rules that *referee* plays. */
  constructor(referee) {
    Object.assign(this, { referee, lexicon: referee.lexicon });
  }

  /** The event that *words* name where *line* has come to; null if they name none. */
  named(line, words) {
    const said = words.trim();
    if (/^(?:it|this|that|they)\b/.test(said) && !focusOf(line).length)
      throw new LeftError(`\`${said}\`: nothing was put here that it could be.`);
    const leaves =
      "(.+?) (?:resolves?|is resolved|has resolved|leaves(?: the \\w+)?)";
    const moves = "(.+?) (?:is|are|has been) (?:put|placed|played|moved)(?: on(?:to)? the \\w+)?";
    const resolving =
      "(.+?) (?:is|are) (?:being resolved|resolving)|(.+?) (?:begins?|starts?) (?:to resolve|resolving)";
    for (const [pattern, kind] of [
      [leaves, "leaves"],
      [moves, "moves"],
      [resolving, "resolving"],
    ]) {
      const found = whole(said, pattern);
      const items = found ? itemsCalled(line, found[1] ?? found[2], this.lexicon) : [];
      if (items.length) return { kind, words, item: items[0] };
    }
    if (/^[A-P](?:'s opponent)? [a-z]/.test(said)) return this.ofPlayers(line, said);
    return (
      this.passive(line, said) ??
      this.ofTime(line, said) ??
      this.ofPlayers(line, said) ??
      this.ofRules(said)
    );
  }

  /** That something is done, whoever does it. */
  passive(line, said) {
    const found = whole(said, "(.+?) (?:is|are|has been) (\\w*(?:ed|en|ought|cast))");
    if (!found) return null;
    const verb = this.lexicon.words.stem(found[2]);
    if (whole(found[1], "it|this|that|they")) {
      const by = focusOf(line).map((number) => line.steps[line.items[number].since].move.clause);
      const isDone = (one) => by.includes(one.clause) && one.verb === verb;
      const clauses = this.lexicon.names.filter(isDone).map(({ clause }) => clause);
      return clauses.length ? { kind: "rule", words: said, clauses } : null;
    }
    const fit = this.lexicon.fit(`${found[2]} ${found[1]}`);
    return fit && fit.names[0].verb === verb
      ? { kind: "rule", words: said, clauses: fit.clauses }
      : null;
  }

  ofTime(line, said) {
    const { lexicon } = this;
    const turn = whole(said, `(?:the )?(?:(.+?)(?:'s)? )?(?:next )?turn (${BEGINNING}|${ENDING})`);
    if (turn) {
      const seat = playerCalled(turn[1] ?? "", line.spot, this.referee.players);
      return {
        kind: "turn",
        words: said,
        seat: seat === null || whole(turn[2], ENDING) ? -1 : seat,
      };
    }
    const goes = whole(
      said,
      "(?:.+ )?(?:go(?:es)?|proceeds?|moves?|continues?)(?: on)? (?:in)?to (?:the )?(.+)",
    );
    const to = goes ? this.steps(lexicon.content(goes[1])) : [];
    if (to.length) return { kind: "begins", words: said, steps: to };
    if (whole(said, "(?:the )?next turn")) return { kind: "turn", words: said, seat: -1 };
    if (whole(said, `(?:the |this )?(?:present |current )?(?:phase|step) ${ENDING}`))
      return { kind: "ends", words: said, steps: [] };
    const found = whole(said, `(.+?) (${BEGINNING}|${ENDING})`);
    if (found) {
      const called = new Set([...lexicon.content(found[1])].filter((word) => word !== "next"));
      const steps = this.steps(called);
      if (steps.length)
        return { kind: whole(found[2], ENDING) ? "ends" : "begins", words: said, steps };
    }
    const steps = IS_DONE.test(said) ? [] : this.steps(lexicon.content(said));
    return steps.length ? { kind: "begins", words: said, steps } : null;
  }

  /** The steps that *words* name themselves. */
  steps(words) {
    const steps = this.lexicon.stepsCalled(words);
    if (this.lexicon.standsIn(words, steps)) throw standsIn();
    return steps;
  }

  ofPlayers(line, said) {
    const found = whole(said, "([A-P]|the [a-z ]*player|the opponent)(?: (.+))?");
    const seat = found ? playerCalled(found[1], line.spot, this.referee.players) : null;
    if (seat === null) return null;
    const isPriority =
      "(?:has|gets|receives|gains) priority|(?:may|can) (?:act|respond)" +
      "|(?:gets|has)(?: a (?:chance|window))? to (?:act|respond)";
    if (!found[2] || whole(found[2], isPriority))
      return { kind: "priority", words: said, seat };
    if (whole(found[2], "acts|does (?:something|anything)(?: else)?"))
      return { kind: "acts", words: said, seat, clauses: [] };
    const fit = this.lexicon.done(found[2].replace(/ (?:the )?priority$/, ""));
    return fit && { kind: "acts", words: said, seat, clauses: fit.clauses };
  }

  ofRules(said) {
    const fit = this.lexicon.fit(said, ["must", "may", "chance"]);
    const isGuess = fit && fit.extra > 0 && this.lexicon.content(said).size === 1;
    return fit && !isGuess && { kind: "rule", words: said, clauses: fit.clauses };
  }

  /** Whether *event* happens in the last move of line *then*, which goes on from line *one*. */
  happens(event, one, then) {
    const [before, after] = [one.spot, then.spot];
    const { move } = then.last;
    const placeIn = (line) => (event.item === undefined ? null : line.items[event.item]?.place);
    const [was, now] = [placeIn(one), placeIn(then)];
    switch (event.kind) {
      case "leaves":
        return (
          event.item < then.items.length && !now && (event.item >= one.items.length || Boolean(was))
        );
      case "moves":
        return Boolean(was) && (!now || now[0] !== was[0]);
      case "resolving":
        return move.events.some(
          (one) => one.kind === "begins resolving" && one.zone === was?.[0] && one.at === was[1],
        );
      case "turn":
        return before.active !== after.active && (event.seat < 0 || event.seat === after.active);
      case "ends":
      case "begins":
        return this.changes(event, before, after);
      case "acts":
        if (!event.clauses.length)
          return move.mode === "may" && !this.referee.isPass(move) && move.seat === event.seat;
        return (
          event.clauses.includes(move.clause) &&
          (isBy(move, event.seat) || (move.owner === "rules" && before.active === event.seat))
        );
      case "priority":
        return after.holders.includes(event.seat) && !before.holders.includes(event.seat);
      case "rule":
        return event.clauses.includes(move.clause);
      default:
        return after.stage === event.stage;
    }
  }

  changes({ kind, steps }, before, after) {
    if (!steps.length) return before.steps.join() !== after.steps.join();
    const [there, away] = kind === "begins" ? [after, before] : [before, after];
    return steps.some(({ number, step }) => {
      const [was, now] = [away.steps[number + 1], there.steps[number + 1]];
      return (now === step && was !== step) || (!step && now !== NO_STEP && was === NO_STEP);
    });
  }

  // ---------------------------------------------------------------- windows

  /** Whether *can* comes to be so before *end*: at the end of *line*, in every play from there, in
   * the quiet one, or in some. What rests on what no play shows, where the scope cuts moves, is
   * looked for with more room, too. */
  window(line, can, end) {
    const { sizes, most, positions } = this.referee;
    const found = this.within(line, can, end, MOST_WINDOWS, sizes);
    if (!RESTING.has(found.head) || !found.needs?.size || found.stopped) return found;
    const larger = positions.layout.zones.map(({ name }, at) =>
      Math.max(sizes[at], found.needs.get(name) ?? 0),
    );
    if (larger.some((size, at) => size > most[at]))
      throw new LeftError("The page has no room for all items that there may be.");
    const then = this.within(line, can, end, MOST_LARGER, larger);
    return (found.head === "no" ? then.head === "only if" : then.misses) ? then : found;
  }

  /** Whether *end* happens in no play from *line* on within the scope, all of which were looked at.
   * */
  never(line, end) {
    const { over, stopped } = this.search(line, null, end, MOST_WINDOWS, this.referee.sizes);
    return !over && !stopped;
  }

  /** What *most* positions within *sizes* show. */
  within(line, can, end, most, sizes) {
    if (can(line.spot)) return { head: "yes, now", line };
    const quiet = this.quietly(line, can, end);
    const { window, over, cut, stopped } = this.search(line, can, end, most, sizes);
    const needs = cut ? this.missing(cut, sizes) : null;
    const found = (head, shown) => ({
      head,
      line: shown,
      cut: Boolean(cut),
      stopped,
      needs,
      misses: Boolean(over),
    });
    if (window && !over && !stopped)
      return found("yes, in every play", quiet.can ? quiet.line : window);
    if (quiet.can) return found("not yet", quiet.line);
    return window ? found("only if", window) : found(stopped ? "not known" : "no", quiet.line);
  }

  /** For each zone that within *sizes* is too small for a move which the rules allow at *spot* the
   * least size that has room for one. */
  missing(spot, sizes) {
    const { zones } = this.referee.positions.layout;
    const needed = new Map();
    for (const { move } of this.referee.moves(spot)) {
      const now = new Map(zones.map(({ name }) => [name, spot.zone(name).length]));
      const used = new Map(now);
      const add = (zone, by) => {
        now.set(zone, now.get(zone) + by);
        used.set(zone, Math.max(used.get(zone), now.get(zone)));
      };
      for (const { kind, zone, toZone = zone } of move.events) {
        if (kind === "put") add(zone, 1);
        else if (kind !== "changes" && MOVING.has(kind)) add(zone, -1);
        if (kind === "move") add(toZone, 1);
      }
      zones.forEach(
        ({ name }, at) =>
          used.get(name) > sizes[at] &&
          needed.set(name, Math.min(used.get(name), needed.get(name) ?? Infinity)),
      );
    }
    return needed;
  }

  quietly(line, can, end) {
    const [open, seen] = [[line], new Set([line.spot])];
    let [last, ended] = [line, null];
    for (const one of open) {
      last = one;
      for (const step of this.referee.quietMoves(one.spot)) {
        const then = one.after(step);
        if (this.happens(end, one, then)) ended ??= then;
        else if (can(step.spot)) return { line: then, can: true };
        else if (!seen.has(step.spot)) {
          seen.add(step.spot);
          open.push(then);
        }
      }
    }
    return { line: ended ?? last, can: false };
  }

  /** What a search finds, fewest decisions first: where *can* is so, and where *end* happens before
   * that, or the game does; if *can* is null, *end* alone. */
  search(line, can, end, most, sizes) {
    const { referee } = this;
    const keyOfLine = (one) =>
      end.item === undefined ? one.spot.key : `${one.spot.key} ${one.items[end.item]?.place}`;
    const [open, seen] = [new Heap(), new Set()];
    const found = { window: null, over: null, cut: null, stopped: false };
    open.push(0, line);
    while (open.size && !((found.window || !can) && found.over)) {
      if (seen.size > most) return { ...found, stopped: true };
      const { rank, one } = open.pop();
      if (seen.has(keyOfLine(one))) continue;
      seen.add(keyOfLine(one));
      const moves =
        sizes === referee.sizes ? referee.bounded(one.spot) : referee.tell(one.spot, sizes);
      if (moves.cut) found.cut ??= one.spot;
      for (const step of moves) {
        const then = one.after(step);
        if ((can && !step.spot.stage) || this.happens(end, one, then)) found.over ??= then;
        else if (can?.(step.spot)) found.window ??= then;
        else if (!seen.has(keyOfLine(then)))
          open.push(rank + referee.cost(step.move) * DECISION + 1, then);
      }
    }
    return found;
  }
}

/** Whether *move* is of the player at *seat*, or they choose something in it. */
function isBy(move, seat) {
  return move.seat === seat || move.choices.some(({ by }) => seatNamed(by) === seat);
}
