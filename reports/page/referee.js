"use strict";

/* Lines of play on the kernel: `checker/situations/line.py`, whose words are used here. Players are
 * seats, positions are spots. */

const NO_STEP = "none";
const [MOST_LINES, MOST_QUIET] = [24, 200];

/** A position by its *halves*, with what of it is asked for; one for each, so that equal ones are
 * the same. */
class Spot {
  constructor(referee, halves) {
    Object.assign(this, { referee, halves });
  }

  /** Whose turn it is, and the step of each sequence. */
  get steps() {
    const { positions, sequences } = this.referee;
    return (this.stepped ??= sequences.map((cell) => positions.cell(cell, this.halves).words[0]));
  }

  get active() {
    return LETTERS.indexOf(this.steps[0]);
  }

  get position() {
    return (this.decoded ??= this.referee.positions.position(this.halves));
  }

  get stage() {
    const { positions } = this.referee;
    const { word, shift, bits } = positions.layout.stage;
    return positions.stages.get(read(this.halves, 2 * word, shift, bits)).name;
  }

  zone(name) {
    return this.position.zones.find(([zone]) => zone === name)[1];
  }

  /** The seats that have priority. */
  get holders() {
    return (this.held ??= this.referee.teller
      .holders(this.halves)
      .map((name) => LETTERS.indexOf(name)));
  }
}

/** A play: a spot, the *last* step, which led to it, and the line *earlier* than that; it has
 * *length* moves. */
class Line {
  constructor(spot, earlier = null, last = null) {
    this.spot = spot;
    this.earlier = earlier;
    this.last = last;
    this.length = earlier ? earlier.length + 1 : 0;
  }

  /** The steps from the start, each a move, where it led to and *how* it came there: ``said``,
   * ``filled`` or ``rules``. */
  get steps() {
    if (this.all) return this.all;
    const found = [];
    for (let one = this; one.earlier; one = one.earlier) found.push(one.last);
    return (this.all = found.reverse());
  }

  /** The spots from the start on. */
  get spots() {
    const found = [];
    for (let one = this; one; one = one.earlier) found.push(one.spot);
    return found.reverse();
  }

  get key() {
    const items = this.items.map(({ place, fate, since }) => [place, fate, since]);
    return `${this.spot.key} ${JSON.stringify(items)}`;
  }

  /** All items that were put. */
  get items() {
    return (this.known ??= this.earlier ? this.follow() : []);
  }

  follow() {
    let { items, length } = this.earlier;
    for (const event of this.last.move.events) {
      if (!event.item) continue;
      const left = items.filter((one) => !one.place).length;
      items = items.map((one) => followed(one, event, left));
      if (event.kind !== "put") continue;
      const place = [event.zone, event.at];
      items.push({ item: event.item, place, fate: "", since: length, left: 0 });
    }
    return items;
  }

  /** The numbers of the items that lie somewhere here, and have left in *then*; which left first
   * comes first. */
  leftIn(then) {
    return [...this.items.keys()]
      .filter((at) => this.items[at].place && !then.items[at].place)
      .sort((one, other) => then.items[one].left - then.items[other].left);
  }

  after(step, how = step.how) {
    return new Line(step.spot, this, how === step.how ? step : { ...step, how });
  }

  before(steps) {
    return this.length <= steps ? this : this.earlier.before(steps);
  }
}

/** A tracked item after *event*; *left* is how many items have left before. */
function followed(one, event, left) {
  if (!one.place) return one;
  const place = placeAfter(one.place, event);
  const isIt = one.place[0] === event.zone && one.place[1] === event.at;
  const item = event.kind === "changes" && isIt ? event.item : one.item;
  return {
    ...one,
    item,
    place,
    fate: place ? "" : event.kind === "resolves" ? "resolves" : "is removed",
    left,
  };
}

const STAYING = new Set(["move", "changes"]);
const MOVING = new Set(["move", "changes", "resolves", "is removed"]);

/** Where an item that was at a place is after *event*; null if it has left. */
function placeAfter([zone, at], { kind, zone: from, at: which, toZone = from, toAt = which }) {
  if (kind === "put") return zone === from && at >= which ? [zone, at + 1] : [zone, at];
  if (!MOVING.has(kind)) return [zone, at];
  if (zone === from && at === which) return STAYING.has(kind) ? [toZone, toAt] : null;
  const left = zone === from && at > which ? at - 1 : at;
  return [zone, STAYING.has(kind) && zone === toZone && left >= toAt ? left + 1 : left];
}

/** The last of each that *key* does not tell apart, in the order of the first of them. */
function byKey(all, key) {
  return [...new Map(all.map((one) => [key(one), one])).values()];
}

/** The first of each that *key* does not tell apart, in the order of the last of them. */
function different(all, key) {
  return byKey([...all].reverse(), key).reverse();
}

class Referee {
  /** Plays lines that *teller* tells, in the words of *lexicon*, within *sizes*, until the time is
   * *until*. */
  constructor(teller, lexicon, sizes, until) {
    const { layout, limits } = teller;
    const most = limits ? layout.zones.map(({ size }) => size) : sizes;
    const sequences = layout.variables.slice(0, 1 + lexicon.sequences.length);
    const { positions, players } = teller;
    Object.assign(this, {
      teller,
      lexicon,
      sizes,
      most,
      until,
      sequences,
      positions,
      players,
      known: new Map(),
    });
  }

  start() {
    return new Line(this.at(this.teller.start()));
  }

  at(halves) {
    const key = String.fromCharCode(
      ...new Uint16Array(halves.buffer, halves.byteOffset, 2 * halves.length),
    );
    if (!this.known.has(key)) this.known.set(key, Object.assign(new Spot(this, halves), { key }));
    return this.known.get(key);
  }

  /** The moves that the rules allow, each with where it leads to. */
  moves(spot) {
    const within = this.bounded(spot);
    if (!within.cut) return within;
    spot.allowed ??= this.tell(spot, this.most);
    if (spot.allowed.cut)
      throw new LeftError("The page has no room for all items that there may be.");
    return spot.allowed;
  }

  /** The moves within the scope. */
  bounded(spot) {
    return (spot.within ??= this.tell(spot, this.sizes));
  }

  tell(spot, sizes) {
    if (performance.now() > this.until) throw new LeftError("The page does not find it soon.");
    if (!spot.stage) return [];
    const { teller } = this;
    teller.setUp(sizes, teller.reading);
    const told = teller.moves(spot.halves);
    const found = told.map((move) => {
      move.seat = seatNamed(move.owner);
      return { move, spot: this.at(move.target), how: move.mode === "must" ? "rules" : "filled" };
    });
    return Object.assign(found, { cut: told.cut });
  }

  /** What the cards cause in *move* and might not: each title, with the seats that are chosen for
   * it. */
  caused(move) {
    if (move.caused) return move.caused;
    const [found, { ways, luck }] = [[], this.lexicon];
    const own = luck.get(move.clause) ?? [];
    let inside = [];
    for (const { by, what, value, at } of move.choices) {
      if (by !== "cards") continue;
      if (what) {
        const seat = chosenSeat(value);
        if (found.length && seat >= 0) found.at(-1).seats.push(seat);
      } else if (inside.includes(value)) {
        found.at(-1).title = value;
      } else if (at && (!ways.has(value) || own.includes(value))) {
        found.push({ title: value, seats: [] });
        inside = this.lexicon.inside.get(value) ?? [];
      }
    }
    return (move.caused = found);
  }

  /** The titles of the ways that the cards take in *move*, as they had to take one. */
  went(move) {
    const caused = this.caused(move).map(({ title }) => title);
    return move.choices
      .filter(({ by, what }) => by === "cards" && !what)
      .map(({ value }) => value)
      .filter((one) => one && !caused.includes(one) && !one.startsWith("no: "));
  }

  isQuiet(move) {
    return !this.caused(move).length;
  }

  isPass(move) {
    return move.events.some(({ kind }) => kind === "passes");
  }

  /** How much is decided in *move*. */
  cost(move) {
    if (!this.isQuiet(move) || move.mode === "chance") return 12;
    if (move.mode === "must") return move.choices.some(({ by }) => seatNamed(by) >= 0) ? 2 : 0;
    return this.isPass(move) ? 1 : 8;
  }

  /** *line* with each of the rules that apply at once where it goes on by itself; *line* alone if
   * they never do. */
  forks(line) {
    const seen = new Set([line.spot]);
    for (let one = line; ;) {
      const moves = one.spot.stage ? this.byItself(one.spot) : [];
      if (this.rests(one.spot) && !moves.length) break;
      if (new Set(moves.map(({ move }) => move.clause)).size > 1)
        return moves.map((step) => one.after(step, "rules"));
      if (!moves.length || seen.has(moves[0].spot)) break;
      seen.add(moves[0].spot);
      one = one.after(moves[0], "rules");
    }
    return [line];
  }

  /** Whether somebody who has priority can do something there. */
  rests(spot) {
    return spot.holders.length > 0 && this.moves(spot).some(({ move }) => move.mode === "may");
  }

  /** The moves by which play goes on with nobody deciding anything; of those between items that
   * look *alike* each. */
  byItself(spot, alike = false) {
    const found = this.moves(spot).filter(({ move }) => this.isQuiet(move));
    const ruled = found.filter(({ move }) => move.mode === "must");
    if (spot.holders.length && found.some(({ move }) => move.mode === "may")) return ruled;
    if (ruled.length && this.asksAPlayer(ruled)) return [];
    if (ruled.length) return alike ? ruled : different(ruled, (one) => one.spot);
    return this.hasToBeDone(spot, found);
  }

  /** Whether a player decides which of *moves*, all of the rules, is made. */
  asksAPlayer(moves) {
    if (new Set(moves.map(({ spot }) => spot)).size < 2) return false;
    const chooses = ({ move }) => move.choices.some(({ by, what }) => seatNamed(by) >= 0 && !what);
    return new Set(moves.map(({ move }) => move.clause)).size === 1 && moves.some(chooses);
  }

  hasToBeDone(spot, found) {
    const acts = found.filter(({ move }) => move.mode === "may");
    if (acts.length && new Set(acts.map(({ move }) => move.owner)).size === 1) {
      const on = acts.filter((one) => one.spot.stage !== spot.stage);
      const isOne = (of) => new Set(on.map(of)).size === 1;
      return isOne((one) => one.spot) && isOne(({ move }) => move.clause) ? on : [];
    }
    return acts.length ? [] : found.filter(({ move }) => move.mode === "chance").slice(0, 1);
  }

  /** *line* played on to where somebody decides; with *within*, no further than while the steps are
   * these. */
  quietLines(line, within = null) {
    const [ended, open, seen] = [[], [line], new Set([line.spot])];
    for (let count = 0; count < MOST_QUIET && open.length; count += 1) {
      const one = open.pop();
      const moves = one.spot.stage ? this.byItself(one.spot) : [];
      const rests = one.spot.stage !== "" && this.rests(one.spot);
      if (!moves.length || rests) ended.push(one);
      for (const step of moves) {
        if (within && isLeft(within, step.spot)) {
          if (!rests) ended.push(one);
        } else if (!seen.has(step.spot)) {
          seen.add(step.spot);
          open.push(one.after(step, goesOn(step)));
        }
      }
    }
    return byKey(ended, (one) => one.key).slice(0, MOST_LINES);
  }

  /** The moves of a quiet play: what goes by itself, else passes. */
  quietMoves(spot, alike = false) {
    if (!this.rests(spot))
      return this.byItself(spot, alike).map((step) => ({ ...step, how: goesOn(step) }));
    const passes = this.moves(spot).filter(({ move }) => this.isQuiet(move) && this.isPass(move));
    return passes.map((step) => ({ ...step, how: "filled" }));
  }
}

/** Whether *spot* is in one of *steps* no more; what was not going on may begin. */
function isLeft(steps, spot) {
  return steps.some((was, at) => was !== NO_STEP && was !== spot.steps[at]);
}

/** How a move that goes by itself came into a line. */
function goesOn({ move }) {
  return move.seat >= 0 || move.mode === "chance" ? "filled" : "rules";
}

/** The seat of the player who is called that; -1 for anybody else. */
function seatNamed(name) {
  return name.length === 1 ? LETTERS.indexOf(name) : -1;
}

/** The seat that a choice of *value* names: a player, or who controls an item. */
function chosenSeat(value) {
  if (typeof value !== "string") return seatNamed(value.controller);
  return /^\d+$/.test(value) ? Number(value) : seatNamed(value);
}

/** What is put in comes out by *rank*, a number, the least first, and of equals the first. */
class Heap {
  constructor() {
    Object.assign(this, { all: [], count: 0 });
  }

  get size() {
    return this.all.length;
  }

  isLess(a, b) {
    return a.rank < b.rank || (a.rank === b.rank && a.count < b.count);
  }

  push(rank, one) {
    const { all } = this;
    const put = { rank, count: (this.count += 1), one };
    let at = all.push(put) - 1;
    for (let up = (at - 1) >> 1; at && this.isLess(put, all[up]); at = up, up = (at - 1) >> 1)
      all[at] = all[up];
    all[at] = put;
  }

  pop() {
    const { all } = this;
    const [first, last] = [all[0], all.pop()];
    let at = 0;
    for (let down = 1; down < all.length; at = down, down = 2 * at + 1) {
      if (down + 1 < all.length && this.isLess(all[down + 1], all[down])) down += 1;
      if (!this.isLess(all[down], last)) break;
      all[at] = all[down];
    }
    if (all.length) all[at] = last;
    return first;
  }
}

/** A rank that counts decisions first, then moves. */
const DECISION = 2 ** 20;
