"use strict";

/* From statements to the lines of play that they describe: `situation.py` and `wishes.py`, whose
 * words are used here. */

const [MOST_FILLED, MOST_SPOTS, FEW_SPOTS, MOST_APART] = [4000, 15000, 3000, 200];
const IN_STEP = "(?:in|during|at|on)";
const SOMEBODY =
  "[A-P](?:'s opponent)?|[Tt]he (?:turn|active|non-?turn|non-?active|other|opposing|defending) (?:player|owner)|[Tt]he opponent";
const SUBJECT = "([A-P](?:'s opponent)?|[Tt]he [a-z -]*(?:player|owner)|[Tt]he opponent)";
const EVERYBODY =
  "(?:everybody|everyone|both(?: players)?|all(?: players)?|each player|they (?=all|both))(?: all| both)? pass(?:es)?";
const TOGETHER = "([A-P]'s) (.+?) triggers? together with ([A-P]'s) (.+?)(?: at once| together)?";
const IS_DONE = /\b(?:is|are|was|were|gets?) \w+(?:ed|en)\b/;
const SEEN = new Set(["resolves", "is removed", "step begins", "step ends"]);

/** *lines* that lead to different positions; refused if there are very many. */
function apart(lines) {
  const found = different(lines, (line) => line.key);
  if (found.length > MOST_APART)
    throw new LeftError(`This can come about in more than ${MOST_APART} ways.`);
  return found;
}

class Situation {
  constructor(referee) {
    Object.assign(this, { referee, lexicon: referee.lexicon, events: new Happenings(referee) });
    Object.assign(this, {
      lines: [referee.start()],
      open: [],
      isSaid: false,
      isState: false,
      isTurn: false,
      isDuring: false,
      within: [],
    });
  }

  /** Whether a step or a turn was said; always, where the rules have no turns. */
  get isPlaced() {
    return this.within.length > 0 || this.lines[0].spot.steps.length < 2;
  }

  /** Let what *words* say happen, or be so. */
  say(words) {
    const given = /\bpass(?:es)? (?:the )?priority to ([A-P])$/.exec(words);
    const statement = words.replace(/\b(pass(?:es)?) (?:the )?priority(?: to .+)?$/, "$1");
    this.isSaid = true;
    const condition = this.condition(statement);
    if (condition) {
      this.isState = Boolean(condition.isStep) || (this.isState && this.open.length > 0);
      this.isTurn = Boolean(condition.isTurn) && !this.open.length;
      if (condition.isStep) this.stepSaid = condition;
      this.open.push(condition);
    } else {
      this.isState = this.isTurn = this.isDuring = false;
      this.settle();
      this.lines = apart(this.said(statement));
      if (given) this.goesTo(given[1]);
    }
  }

  /** Refuse unless the player of that *name* has priority next. */
  goesTo(name) {
    for (const line of this.lines) {
      const { spot } = this.referee.quietLines(line)[0] ?? line;
      if (!spot.holders.includes(this.seat(line, name)))
        throw new LeftError(`Priority does not go to ${name} here.`);
    }
  }

  /** Play on to where all that was said to be so is so. */
  settle() {
    if (!this.open.length) return;
    const isMet = (spot) => this.open.every((holds) => holds(spot));
    const reached = this.lines.map((line) => this.nearest(line, isMet, MOST_SPOTS));
    if (reached.includes(null)) throw new LeftError("The page finds no play that comes there.");
    const places = this.open.filter(({ isStep, isTurn }) => isStep || isTurn);
    if (places.length) this.within = places;
    this.lines = apart(reached);
    this.open = [];
  }

  // ---------------------------------------------------------------- what is so

  condition(statement) {
    const { lexicon, referee } = this;
    const priority = whole(statement, `(${SOMEBODY}) (?:has|gets|receives|have) priority`);
    if (priority) {
      const seat = this.called(priority[1], this.lines[0]);
      return seat === null ? null : (spot) => spot.holders.includes(seat);
    }
    const turn = whole(
      statement,
      "(?:it is )?([A-P])(?:'s turn| is (?:the )?(?:active|turn)(?: player)?)",
    );
    const ofTurn = (isIt) => Object.assign(isIt, { isTurn: true });
    if (turn) return ofTurn((spot) => spot.active === seatOf(turn[1]));
    const its = "(?:(?:([A-P])|the (?:turn|active) player)'s )?(.+)";
    const inStep = whole(
      statement,
      `${IN_STEP} (?:the (?:beginning|start) of )?${its}`,
      "i",
    );
    const found = inStep ?? whole(statement, `it is ${its}`, "i");
    if (!found) return this.ofZone(statement);
    const owner = found[1] ? seatOf(found[1]) : null;
    if (owner === null && found[1]) throw new LeftError(`\`${found[1]}\` is no player here.`);
    if (whole(found[2], "(?:[A-P]'s |the )?turn"))
      return ofTurn((spot) => owner === null || spot.active === owner);
    const words = lexicon.content(found[2]);
    const steps = lexicon.stepsCalled(words);
    if (!steps.length && new RegExp(`^${IN_STEP}\\b`, "i").test(statement))
      throw new LeftError(`No step is called \`${found[2]}\`.`);
    if (!steps.length) return this.ofZone(statement);
    const isIn =
      (spot) =>
      ({ number, step }) =>
        spot.steps[number + 1] === step || (!step && spot.steps[number + 1] !== NO_STEP);
    return Object.assign(
      (spot) => (owner === null || spot.active === owner) && steps.some(isIn(spot)),
      {
        isStep: true,
        standsIn: lexicon.standsIn(words, steps),
        isIn: (spot) => steps.some(isIn(spot)),
      },
    );
  }

  ofZone(statement) {
    const { zones } = this.lexicon;
    const names = [...zones.keys()].join("|");
    const bare = whole(
      statement,
      `(?:[Tt]he )?(${names}) is (not )?empty|(?:(?:with )?nothing|no item)(?: is)? (?:on|in) (?:the )?(${names})`,
    );
    if (bare) {
      const { name: zone } = zones.get(bare[1] || bare[3]);
      return (spot) => spot.zone(zone).length > 0 === Boolean(bare[2]);
    }
    const found = whole(
      statement,
      `(${names}): (.+)|(.+?) (?:is|are) (?:on|in) (?:the )?(${names})|with (.+?) (?:on|in) (?:the )?(${names})`,
    );
    if (!found) return null;
    const { name: zone } = zones.get(found[1] ?? found[4] ?? found[6]);
    const wanted = this.pile(found[2] ?? found[3] ?? found[5]);
    return (spot) => lies(spot.zone(zone), wanted, found[1] !== undefined);
  }

  /** The items that *said* names, the lowest first. */
  pile(said) {
    const downward = said.split(/,?\s+(?:above|over|on top of)\s+/);
    const names =
      downward.length > 1
        ? downward.reverse()
        : said.split(/,?\s+(?:below|under|beneath)\s+|,\s*(?:then )?|\s+and\s+/);
    let last = new Set();
    return names.map((name) => {
      const [owner = null] = this.lexicon.words.seats(name);
      const words = this.lexicon.content(name);
      if (words.size) last = new Set(this.lexicon.kindsCalled(words));
      if (words.size && !last.size) throw new LeftError(`No item is called \`${name}\`.`);
      return { owner, kinds: last };
    });
  }

  /** The line of fewest decisions from *line* to where *isMet* is so; null if it is so at none
   * of the first *most* spots. */
  nearest(line, isMet, most, withActs = true) {
    const { referee } = this;
    const [open, seen] = [new Heap(), new Set()];
    open.push(0, line);
    while (open.size && seen.size < most) {
      const { rank, one } = open.pop();
      if (seen.has(one.spot)) continue;
      seen.add(one.spot);
      if (isMet(one.spot)) return one;
      for (const step of referee.bounded(one.spot)) {
        const isAct = step.move.mode === "may" && !referee.isPass(step.move);
        if (seen.has(step.spot) || (isAct && !withActs)) continue;
        const how = step.move.mode === "must" && referee.isQuiet(step.move) ? "rules" : "filled";
        open.push(rank + referee.cost(step.move) * DECISION + 1, one.after(step, how));
      }
    }
    return null;
  }

  // ---------------------------------------------------------------- what happens

  said(statement) {
    if (whole(statement, EVERYBODY)) return this.lines.flatMap((line) => this.everybody(line));
    const names = whole(statement, "((?:[A-P](?:, | and |, and )?)+) (?:all |both |each )?pass(?:es)?");
    if (names) {
      const passing = (lines, seat) => lines.flatMap((line) => this.passes(line, seat));
      return this.lexicon.words.seats(names[1]).reduce(passing, this.lines);
    }
    const pass = whole(statement, `${SUBJECT} pass(?:es)?`);
    if (pass) {
      const seat = this.seat(this.lines[0], pass[1]);
      return this.lines.flatMap((line) => this.passes(line, seat));
    }
    const holds = whole(statement, `${SUBJECT} (?:holds|keeps|retains) priority`);
    if (holds) return this.lines.map((line) => this.holds(line, this.seat(line, holds[1])));
    const both = whole(statement, TOGETHER);
    if (!both) return this.done(statement);
    if (both[4] !== both[2]) throw new LeftError("Of what happens at once, two can be said.");
    const [first, second] = [both[1], both[3]].map((whose) => `${whose} ${both[2]} triggers`);
    const found = [...this.inTurn(first, second), ...this.inTurn(second, first)];
    const together = found.filter(({ items }) => waitTogether(items));
    if (!together.length) throw new LeftError("That cannot happen together here.");
    return together;
  }

  /** The lines in which one *statement* happens after the other; where it begins is kept. */
  inTurn(...statements) {
    const begun = this.lines;
    for (const one of statements) this.lines = apart(this.done(one));
    const found = this.lines;
    this.lines = begun;
    return found;
  }

  /** The seat of the player whom *words* name, null if they name none. */
  called(words, line) {
    return playerCalled(words.replace("The ", "the "), line.spot, this.referee.players);
  }

  seat(line, words) {
    const seat = this.called(words, line);
    if (seat === null || seat >= this.referee.players)
      throw new LeftError(`\`${words}\` is no player here.`);
    return seat;
  }

  done(said) {
    const lower = `a${said.slice(1)}`;
    const statement = this.lexicon.causes.some(({ title }) => title === lower) ? lower : said;
    if (whole(statement, SUBJECT))
      throw new LeftError(`\`${statement}\` does not say what that player does.`);
    const subject = new RegExp(`^${SUBJECT} (\\S.*)$`).exec(statement);
    const responds = subject && whole(subject[2], RESPONDS);
    const isDeed = ({ verb }) => verb === this.lexicon.words.stem(responds[1]);
    if (responds && !this.lexicon.names.some(isDeed))
      throw new LeftError(`\`${statement}\` does not say with what.`);
    const [phrase, answered] = subject ? withoutResponse(subject[2]) : ["", null];
    const fit = subject && this.lexicon.done(phrase);
    if (fit) {
      const act = (line) => this.acts(line, this.seat(line, subject[1]), phrase, fit);
      const found = this.lines.flatMap(act);
      return answered === null ? found : this.answering(found, answered);
    }
    // "It is countered" is not "it counters".
    const titles = this.lexicon
      .causesCalled(this.lexicon.content(statement))
      .filter((title) => IS_DONE.test(title) || !IS_DONE.test(statement));
    if (titles.length) {
      const doers = subject ? [this.seat(this.lines[0], subject[1])] : [];
      const owners = this.owners(statement).filter((seat) => seat < this.referee.players);
      const seats = [...doers, ...owners];
      return this.lines.flatMap((line) => this.causes(line, titles, seats));
    }
    const event = this.events.named(this.lines[0], statement);
    this.isDuring = event?.kind === "resolving";
    if (event) return this.lines.map((line) => this.until(line, event));
    throw new LeftError(`Nothing in this game is called \`${subject ? subject[2] : statement}\`.`);
  }

  /** Those of *lines* whose last move was made while there was something to answer. */
  answering(lines, answered) {
    const isIt = (line) => {
      const before = line.before(line.length - 1);
      const all = [...before.items.keys()];
      const named = answered ? itemsCalled(before, answered, this.lexicon) : all;
      return named.some((number) => before.items[number].place);
    };
    const found = lines.filter(isIt);
    if (!found.length) throw new LeftError("There is nothing then that could be answered.");
    return found;
  }

  /** What tells whether a spot beyond *line* is out of the step or turn in which that is said to
   * be. */
  leaves(line) {
    const isPass = line.last?.how === "said" && this.referee.isPass(line.last.move);
    const here = isPass ? this.referee.quietLines(line).slice(0, 1) : [];
    const within = this.within.filter(
      (holds) => holds(line.spot) && here.every(({ spot }) => holds(spot)),
    );
    return (spot) => !within.every((holds) => holds(spot));
  }

  acts(line, seat, phrase, fit) {
    const leaves = this.leaves(line);
    const others = this.lexicon.words.seats(phrase).filter((other) => other !== seat);
    const { clauses } = this.lexicon;
    const doer = (move, spot) => clauses.get(move.clause).doer ?? spot.active;
    const whose = (move, spot) =>
      move.owner === "rules" && doer(move, spot) === seat ? null : seat;
    const isIt = (move, spot) =>
      this.referee.isQuiet(move) &&
      isDoneBy(move, whose(move, spot), fit, others) &&
      !leaves(spot);
    const found = this.soonest(line, isIt);
    const begins =
      found.length || line.steps.some(({ how }) => how === "said") ? null : this.before(line, isIt);
    const whole = begins ? this.soonest(begins, isIt) : found;
    if (!whole.length)
      throw new LeftError(`\`${playerName(seat)} ${phrase}\` cannot be done here.`);
    return whole;
  }

  /** *line* with what has to be done before a move that is it. */
  before(line, isIt, withActs = true) {
    const isMet = (spot) => this.referee.moves(spot).some(({ move }) => isIt(move, spot));
    return this.nearest(line, isMet, FEW_SPOTS, withActs);
  }

  passes(line, seat) {
    const { referee } = this;
    const isPass = ({ move }) =>
      move.seat === seat && referee.isPass(move) && referee.isQuiet(move);
    const leaves = this.leaves(line);
    const passing = (rest) =>
      (leaves(rest.spot) ? [] : referee.moves(rest.spot))
        .filter(isPass)
        .map((step) => rest.after(step, "said"));
    const found = referee.quietLines(line).flatMap(passing);
    if (!found.length) throw new LeftError(`${playerName(seat)} cannot pass here.`);
    return found;
  }

  everybody(line) {
    const passed = this.passed(line);
    if (passed.size === this.referee.players) passed.clear();
    const before = passed.size;
    let lines = [line];
    while (passed.size < this.referee.players) {
      const [rest] = this.referee.quietLines(lines[0]);
      const seat = rest.spot.holders.find((one) => !passed.has(one));
      if (seat === undefined) break;
      lines = lines.flatMap((one) => this.passes(one, seat));
      passed.add(seat);
    }
    if (passed.size === before) throw new LeftError("Nobody can pass here.");
    return lines;
  }

  /** Who has passed in *line* since somebody did something else, or anything came of it. */
  passed(line) {
    const passed = new Set();
    for (const { move } of [...line.steps].reverse()) {
      const isPass = this.referee.isPass(move);
      const isSeen = move.events.some(({ kind }) => SEEN.has(kind));
      if ((move.mode !== "must" && !isPass) || isSeen) break;
      if (isPass && move.seat >= 0) passed.add(move.seat);
    }
    return passed;
  }

  holds(line, seat) {
    const found = this.referee.quietLines(line).find((rest) => rest.spot.holders.includes(seat));
    if (!found) throw new LeftError(`${playerName(seat)} does not have priority here.`);
    return found;
  }

  // ---------------------------------------------------------------- what the cards cause

  owners(statement) {
    const owns = (word) =>
      word.endsWith("'s") || new RegExp(`\\b(?:of|for|by|under) ${word}\\b`).test(statement);
    return this.lexicon.words
      .of(statement)
      .filter((word) => seatOf(word) !== null && owns(word))
      .map(seatOf);
  }

  causes(line, titles, seats) {
    const isIt = (caused, move, known) =>
      caused.length === 1 &&
      titles.includes(caused[0].title) &&
      concerns(move, caused[0].seats, seats, known);
    const leaves = this.leaves(line);
    const newly = (move, spot) => {
      if (leaves(spot)) return false;
      const caused = this.referee.caused(move);
      if (move.mode !== "chance" || caused.length)
        return ["chance", "must"].includes(move.mode) && isIt(caused, move, null);
      const { title } = this.lexicon.clauses.get(move.clause);
      const chosen = move.choices
        .filter(({ what }) => what)
        .map(({ value }) => (typeof value === "string" ? chosenSeat(value) : -1));
      const isNamed = [title, ...this.referee.went(move)].some((one) => titles.includes(one));
      return isNamed && concerns(move, chosen, seats, null);
    };
    const amended = this.amended(line, isIt);
    let found = [...amended, ...this.soonest(line, newly)];
    if (!found.length) {
      const isBegun = line.steps.some(({ how }) => how === "said");
      const begins = this.before(line, newly, !isBegun);
      found = begins ? this.soonest(begins, newly) : [];
    }
    if (!found.length) throw new LeftError("What the cards cause cannot happen here.");
    const ranks = found.map((end) => this.rank(end.last.move, titles));
    const fits = found.filter((_, number) => ranks[number] === Math.min(...ranks));
    const first = fits.filter((end) => amended.includes(end));
    return first.length ? first : fits;
  }

  /** *line* with what the cards cause added to its last move, if that was said. */
  amended(line, isIt) {
    const last = line.last;
    if (last?.how !== "said") return [];
    const { referee } = this;
    const known = referee.caused(last.move);
    const before = line.before(line.length - 1);
    const byPlayers = (move) => JSON.stringify(move.choices.filter(({ by }) => by !== "cards"));
    // What a clause of luck has brought about stays.
    const byLuck = last.move.mode !== "chance" ? [] : last.move.choices
      .filter(
        ({ by, value, at }) =>
          by === "cards" && (at || value) && !String(value).startsWith("no: "),
      )
      .map((choice) => JSON.stringify(choice));
    const isSame = (move) =>
      move.clause === last.move.clause &&
      move.owner === last.move.owner &&
      byPlayers(move) === byPlayers(last.move) &&
      byLuck.every((one) => move.choices.some((choice) => JSON.stringify(choice) === one));
    const fits = ({ move }) => {
      const rest = isSame(move) ? without(referee.caused(move), known) : null;
      return rest !== null && isIt(rest, move, last.move);
    };
    return referee
      .moves(before.spot)
      .filter(fits)
      .map((step) => before.after(step, "said"));
  }

  rank(move, titles) {
    const caused = this.referee.caused(move).map(({ title }) => title);
    const went = move.mode === "chance" ? this.referee.went(move) : [];
    const said = caused.length ? caused : [this.lexicon.clauses.get(move.clause).title, ...went];
    const more = went.filter((title) => !titles.includes(title)).length;
    const places = said
      .filter((title) => titles.includes(title))
      .map((title) => titles.indexOf(title));
    return more * (titles.length + 1) + Math.min(...places);
  }

  // ---------------------------------------------------------------- playing on

  /** *line* played on quietly, and with the first moves that match. */
  soonest(line, matches) {
    const { referee } = this;
    const [open, seen, found] = [[line], new Set([line.spot]), []];
    let depth = -1;
    for (const one of open) {
      if (seen.size >= MOST_FILLED || (found.length && one.length > depth)) break;
      for (const step of referee.moves(one.spot)) {
        if (!matches(step.move, one.spot)) continue;
        found.push(one.after(step, "said"));
        depth = one.length;
      }
      for (const step of found.length ? [] : referee.quietMoves(one.spot)) {
        if (seen.has(step.spot)) continue;
        seen.add(step.spot);
        open.push(one.after(step));
      }
    }
    return found;
  }

  /** *line* played on quietly until *event* happens. */
  until(line, event) {
    const [open, seen] = [[line], new Set([line.spot])];
    for (const one of open) {
      if (seen.size >= MOST_FILLED) break;
      for (const step of this.referee.quietMoves(one.spot)) {
        const then = one.after(step);
        if (this.events.happens(event, one, then)) return then;
        if (seen.has(step.spot)) continue;
        seen.add(step.spot);
        open.push(then);
      }
    }
    throw new LeftError(`\`${event.words}\` does not happen here while players only pass.`);
  }
}

/** Whether *items* of a zone are those *wanted*, and no others if it is *exact*. */
function lies(items, wanted, exact) {
  const fits = ({ owner, kinds }, { kind, controller }) =>
    (owner === null || seatNamed(controller) === owner) && (!kinds.size || kinds.has(kind));
  if (exact)
    return items.length === wanted.length && wanted.every((one, at) => fits(one, items[at]));
  const rest = [...items];
  return wanted.every((one) => {
    const at = rest.findIndex((item) => fits(one, item));
    return at >= 0 && rest.splice(at, 1).length === 1;
  });
}

const RESPONDS = "(responds?|answers?|reacts?)(?: to (?!.+ (?:with|by) ).+)?";

/** *phrase* as what is done, where it says that it answers something, and what that is. */
function withoutResponse(phrase) {
  const to = whole(phrase, "(?:responds?|answers?|reacts?)(?: to (.+?))? (?:with|by) (.+)");
  if (to) return [`plays ${to[2]}`, to[1] ?? ""];
  const found = whole(phrase, "(.+?),? in (?:response|answer)(?: to (.+))?");
  return found ? [found[1], found[2] ?? ""] : [phrase, null];
}

/** Whether the last two of *items* lie in one zone. */
function waitTogether(items) {
  const zones = items.slice(-2).map(({ place }) => place?.[0]);
  return zones[0] !== undefined && new Set(zones).size === 1;
}

/** Whether the player at *seat*, or whoever makes it if that is null, does in *move* what *fit*
 * names, with the *others* it chooses. */
function isDoneBy(move, seat, fit, others) {
  if (!fit.clauses.includes(move.clause)) return false;
  const chosen = move.choices
    .filter(({ by, what }) => !what && by !== "cards")
    .map(({ value }) => value);
  const kinds = move.events
    .filter(({ kind, item }) => kind === "put" && item)
    .map(({ item }) => item.kind);
  const seats = move.choices
    .filter(({ what, value }) => what && typeof value === "string")
    .map(({ value }) => chosenSeat(value));
  const isNamed = (name) =>
    name.clause === move.clause &&
    (!name.choice || chosen.includes(name.choice)) &&
    (!name.kind || kinds.includes(name.kind));
  return (
    fit.names.some(isNamed) &&
    (seat === null || isBy(move, seat)) &&
    others.every((other) => seats.includes(other))
  );
}

/** Whether what is *caused* for some seats in *move* is of those *seats*: what they control is put
 * there that is not put in the *known* one. */
function concerns(move, caused, seats, known) {
  const count = (one, seat) =>
    (one?.events ?? []).filter(
      ({ kind, item }) => kind === "put" && item && seatNamed(item.controller) === seat,
    ).length;
  return seats.every((seat) => caused.includes(seat) || count(move, seat) > count(known, seat));
}

/** What is caused in *all* and not among *part*; null if some of that is not in *all*. */
function without(all, part) {
  const rest = all.map((one) => JSON.stringify(one));
  for (const one of part) {
    const at = rest.indexOf(JSON.stringify(one));
    if (at < 0) return null;
    rest.splice(at, 1);
  }
  return rest.map((one) => JSON.parse(one));
}
