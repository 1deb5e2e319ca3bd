"use strict";

/* Positions: what the words of a position say, and the moves that a kernel tells of one. Words are
 * halves, numbers of 32 bits.
 *
 * A position is told as the plays of a check tell it: a stage, cells for its arguments and for
 * variables, and zones with their items. */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SITE = 0xffff;
const WHO = 16;
const PLACE = 24;
const AT = 0xff;
const TELLING = 2 ** 28;

/** The *bits* from number *shift* on of the word that begins with half *at*. */
function read(halves, at, shift, bits) {
  if (!bits) return 0;
  const [low, high] = [halves[at], halves[at + 1]];
  const value =
    shift >= 32 ? high >>> (shift - 32) : shift ? (low >>> shift) | (high << (32 - shift)) : low;
  return bits === 32 ? value >>> 0 : value & (2 ** bits - 1);
}

/** The numbers of the values that *options* have on the page. */
function usualReading(options) {
  return options.map((option) => option.usual);
}

/** How many players there are in a *reading* of the game whose tables are given; where that is left
 * open, its last number says so. */
function seatsIn({ layout, options }, reading) {
  return layout.seats ? Number(options.at(-1).values[reading.at(-1)]) : layout.players;
}

/** What the player at *seat* is called. */
function playerName(seat) {
  return LETTERS[seat] ?? `P${seat + 1}`;
}

/** The players of a set, whose bits are those of *members*. */
function playersIn(members, players) {
  return [...Array(players).keys()].filter((seat) => (members >>> seat) & 1).map(playerName);
}

class Positions {
  /** The positions of the layout whose table is *layout*, of as many *players* as there are. */
  constructor(layout) {
    Object.assign(this, { layout, players: layout.players });
    this.stages = new Map(layout.stages.map((stage) => [stage.code, stage]));
    this.parts = layout.item;
  }

  /** What the value with *code* is in words, of a *cell* of that sort. */
  words(cell, code) {
    switch (cell.kind) {
      case "flag":
        return [code ? "yes" : "no"];
      case "number":
        return [String(code)];
      case "word":
        return [cell.values[code]];
      case "player":
        return cell.isOptional && code === cell.high ? [] : [playerName(code)];
      default:
        return playersIn(code, this.players);
    }
  }

  /** What *cell* is in a position. */
  cell(cell, halves) {
    const code = read(halves, 2 * cell.word, cell.shift, cell.bits) + cell.low;
    const player = cell.seat === undefined || cell.seat === null ? "" : playerName(cell.seat);
    return { name: cell.name, player, kind: cell.kind, words: this.words(cell, code) };
  }

  /** The item whose slot begins at bit *shift* of the word that begins with half *at*. */
  item(halves, at, shift) {
    const [kind, controller, ...attributes] = this.parts.map((part) => {
      const stored = read(halves, at, shift + part.shift, part.bits);
      const code = part.isShifted ? (stored + part.high) % (part.high + 1) : stored + part.low;
      return { name: part.name, player: "", kind: part.kind, words: this.words(part, code) };
    });
    return { kind: kind.words[0], controller: controller.words[0], attributes };
  }

  /** The position with these *halves*, from *from* on. */
  position(halves, from = 0) {
    const its = from ? halves.subarray(from) : halves;
    const { stage, variables, zones } = this.layout;
    const at = this.stages.get(read(its, 2 * stage.word, stage.shift, stage.bits));
    return {
      stage: at.name,
      arguments: at.arguments.map((cell) => this.cell(cell, its)),
      variables: variables
        .filter(({ seat }) => (seat ?? 0) < this.players)
        .map((cell) => this.cell(cell, its)),
      zones: zones.map((zone) => {
        const length = read(its, 2 * zone.length.word, zone.length.shift, zone.length.bits);
        const items = [...Array(length).keys()].map((n) =>
          this.item(its, 2 * zone.slots.word, zone.slots.shift + n * zone.item),
        );
        return [zone.name, items];
      }),
    };
  }
}

class Teller {
  /** What tells the moves of the game *tables* with these *sizes* of zones, in the page's reading:
   * *module*, compiled. */
  constructor(module, tables, sizes) {
    const { told, layout, limits, options } = tables;
    this.kernel = new Kernel(module, TELLING);
    this.positions = new Positions(layout);
    Object.assign(this, {
      tables,
      told,
      layout,
      limits,
      options,
      size: layout.words,
      here: PAGE,
      out: PAGE + layout.words * WORD,
    });
    this.reasons = new Map(told.whyNot);
    if (!this.kernel.has(this.out + told.buffer * WORD))
      throw new RangeError("there is no memory to tell moves");
    this.setUp(sizes, usualReading(options));
  }

  /** Tell from now on plays with these *sizes* of zones, in that *reading*. */
  setUp(sizes, reading) {
    Object.assign(this, { sizes, reading });
    this.positions.players = seatsIn(this.tables, reading);
    this.kernel.limit(this.out, this.limits, sizes);
  }

  /** How many players there are. */
  get players() {
    return this.positions.players;
  }

  /** The halves of the position in which every play begins. */
  start() {
    const initial = this.layout.initial[this.layout.seats ? this.reading.at(-1) : 0];
    this.kernel.store(this.here, withReading(initial, this.layout.options, this.reading));
    this.kernel.calls.begun(this.here, this.out);
    return this.kernel.words(this.out + this.told.first * WORD, this.size);
  }

  /** Who has priority in the position with these *halves*. */
  holders(halves) {
    this.kernel.store(this.here, halves);
    return playersIn(Number(this.kernel.calls.holders(this.here)), this.players);
  }

  /** The moves of the position with these *halves*, in their documented order; *cut* says how many
   * more the scope cuts. */
  moves(halves) {
    this.kernel.store(this.here, halves);
    this.kernel.put(this.out + this.told.cut * WORD, 0);
    const end = Number(this.kernel.calls.told(this.here, this.out));
    const found = [];
    for (let at = this.told.first; at < end;) {
      const length = this.kernel.number(this.out + (at + this.size + 1) * WORD);
      const whole = this.size + 2 + length;
      found.push(this.move(this.kernel.words(this.out + at * WORD, whole), length));
      at += whole;
    }
    found.cut = this.kernel.number(this.out + this.told.cut * WORD);
    return found;
  }

  /** Why each clause of the stage *name* can be used in the position with these *halves*, or not,
   * as the rules have it, which set no limits.
   *
   * A record says whose clause it is, whether it comes to its *end*, the numbers of the *false*
   * parts of what has to be so, and that of the statement that no move gets past, -1 if there is
   * none. */
  whyNot(halves, name) {
    if (!this.reasons.size) return [];
    this.kernel.store(this.here, halves);
    this.kernel.calls.why(this.here, this.out);
    const of = this.reasons.get(name) ?? [];
    const records = ({ isEach, number }) => [...Array(isEach ? this.players : number).keys()];
    return of.flatMap((clause) =>
      records(clause).map((number) => this.record(clause, clause.first + number * clause.size)),
    );
  }

  record({ clause, isEach, first, size, bits, parts, stops }, at) {
    const owner = this.kernel.number(this.out + at * WORD) - 1;
    const has = (bit) =>
      (this.kernel.number(this.out + (at + 1 + Math.floor(bit / bits)) * WORD) >>> (bit % bits)) &
      1;
    const numbers = (many) => [...Array(many).keys()];
    const ends = Boolean(has(0));
    const stopped = (stop) => has(1 + parts + 2 * stop) && !has(2 + parts + 2 * stop);
    const seat = isEach ? (at - first) / size : owner;
    return {
      clause,
      isEach,
      player: seat < 0 ? "" : playerName(seat),
      ends,
      false: numbers(parts).filter((part) => has(1 + part)),
      stop: ends ? -1 : numbers(stops).findIndex(stopped),
    };
  }

  /** The move that is *told*, whose trail has *length* words. */
  move(told, length) {
    const whose = told[2 * this.size];
    const clause = this.told.clauses[whose >>> 8];
    const seat = (whose & AT) - 1;
    const owner = seat >= 0 ? playerName(seat) : clause.mode === "chance" ? "cards" : "rules";
    return new ToldMove(this, told, length, clause, owner);
  }

  /** The parts of the trail that is *told*, of *length* words: choices, what happens, and what
   * tells the move from others. */
  parts({ told, length, owner }) {
    const [choices, events, way] = [[], [], [owner]];
    for (let n = 0; n < length; n += 2) {
      const at = 2 * (this.size + 2 + n);
      const site = this.told.sites[told[at] & SITE];
      const place = (told[at] >>> PLACE) | (told[at + 1] << (32 - PLACE));
      const item = () => this.positions.item(told, at + 2, 0);
      if (site.by) {
        choices.push(this.choice(site, (told[at] >>> WHO) & AT, place, owner, item));
        way.push(place + (site.low ?? 0));
      } else events.push(this.event(site, place, owner, item));
    }
    return { choices, events, way: way.join(" ") };
  }

  /** Who chooses, what it is called, and what is chosen; *at* is the number of a branch, or of an
   * item on its zone. */
  choice(site, who, place, owner, item) {
    const by = who
      ? playerName(who - 1)
      : site.by === "player"
        ? "nobody"
        : site.by === "cards"
          ? "cards"
          : owner;
    if (site.what === "branch") return { by, what: "", value: site.options[place], at: place };
    if (site.of === "item") return { by, what: site.variable, value: item(), at: place };
    const value = site.of === "player" ? playerName(place) : String(place + site.low);
    return { by, what: site.variable, value, at: -1 };
  }

  /** What happens, with the item and its places, or who passes. */
  event(site, place, owner, item) {
    if (site.what === "passes") return { kind: site.what, player: owner };
    if (site.sequence) return { kind: site.what, sequence: site.sequence };
    const moves = site.toZone ? { toZone: site.toZone, toAt: place >>> 8 } : {};
    return { kind: site.what, item: item(), zone: site.zone, at: place & AT, ...moves };
  }
}

/** A move that a teller tells; what is in it is read when it is asked for. */
class ToldMove {
  constructor(teller, told, length, { id, mode }, owner) {
    Object.assign(this, {
      teller,
      told,
      length,
      clause: id,
      mode,
      owner,
      target: told.subarray(0, 2 * teller.size),
    });
  }

  get parts() {
    return (this.read ??= this.teller.parts(this));
  }

  get choices() {
    return this.parts.choices;
  }

  get events() {
    return this.parts.events;
  }

  /** What tells it from the others of its clause, as `ways_of` of states.py does. */
  get way() {
    return this.parts.way;
  }
}

/** What tells a row of cells from others. */
function cellsOf(row) {
  return row.map((cell) => cell.words.join("+")).join(",");
}

/** What tells the items of a zone from others. */
function itemsOf(zone) {
  return zone
    .map((item) => `${item.kind}/${item.controller}/${cellsOf(item.attributes)}`)
    .join(" ");
}

/** What tells *position* from all others, as `rows.py` writes it. */
function keyOf(position) {
  return [
    position.stage,
    cellsOf(position.arguments),
    cellsOf(position.variables),
    ...position.zones.map(([, zone]) => itemsOf(zone)),
  ].join("|");
}

/** What tells each part of *position* from others, by the name that `obstacles.py` gives it; of
 * zones also their size alone, and whether they are empty. Arguments are of their stage. */
function partsOf(position) {
  const parts = new Map();
  for (const cell of position.arguments)
    parts.set(`argument ${cell.name}`, `${position.stage} ${cellsOf([cell])}`);
  for (const { name } of position.variables) {
    if (!parts.has(`variable ${name}`))
      parts.set(
        `variable ${name}`,
        cellsOf(position.variables.filter((cell) => cell.name === name)),
      );
  }
  for (const [name, zone] of position.zones) {
    parts.set(`zone ${name}`, itemsOf(zone));
    parts.set(`size ${name}`, zone.length);
    parts.set(`empty ${name}`, !zone.length);
  }
  return parts;
}
