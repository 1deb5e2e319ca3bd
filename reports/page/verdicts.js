"use strict";

/* Verdicts that are found in the page: what is asked, search by search, and what the answers come
 * to. It says no more than the searches show. */

class Asking {
  /** Ask of the game *tables*, whose *modules* are compiled, with these *sizes* of zones and up to
   * *most* bytes of memory, in that *reading*. */
  constructor(tables, modules, sizes, most, reading = usualReading(tables.options)) {
    Object.assign(this, {
      tables,
      modules,
      sizes,
      most,
      reading,
      searches: new Map(),
      stopped: "",
      known: 0,
    });
  }

  /** Decide every question, those that share a search one after the other. It can be left at any
   * time; each answer is given to *tell*. */
  *run(tell) {
    const whole = this.tables.texts.length - 1;
    const counted = yield* this.search(whole, 0, null);
    tell({ counts: counted.counts, stopped: counted.stopped });
    for (const asked of this.tables.asked) tell({ row: asked.row, ...(yield* this.answer(asked)) });
  }

  /** The answer to what is *asked*: its outcome, why, how much was looked at, and the numbers of
   * the moves of a play. */
  *answer(asked) {
    const zones = this.tables.layout.zones.map((zone, number) => [zone.name, this.sizes[number]]);
    const has = new Map([["players", seatsIn(this.tables, this.reading)], ...zones]);
    const lacks = asked.needs.filter(([name, size]) => has.get(name) < size);
    if (lacks.length)
      return {
        outcome: "UNKNOWN",
        reason: `it needs ${lacks.map((need) => need.join(" ")).join(" and ")}`,
      };
    const first = yield* this.look(asked.first);
    if (first.found)
      return { ...first, outcome: asked.isPossible ? "POSSIBLE" : "VIOLATED", reason: "" };
    if (first.stopped) return { ...first, ...this.unfinished(first) };
    if (asked.isPossible) return { ...first, outcome: "IMPOSSIBLE", reason: "" };
    let open = "";
    for (const [text, place] of asked.conditions) {
      const arises = yield* this.look(place);
      if (arises.found) continue;
      if (!arises.stopped && !arises.counts.cut)
        return { ...first, outcome: "VACUOUS", reason: `its condition never arises: ${text}` };
      if (!arises.stopped) {
        open ||= `nothing breaks it; whether its condition ever arises is open, for the sizes cut moves: ${text}`;
        continue;
      }
      open ||= `nothing breaks it; whether its condition ever arises is open: ${arises.stopped}`;
    }
    return { ...first, outcome: open ? "UNKNOWN" : "HOLDS", reason: open };
  }

  unfinished({ depth, stopped }) {
    if (depth < 1) return { outcome: "UNKNOWN", reason: stopped };
    return { outcome: "BOUNDED", reason: `every play of up to ${depth} moves; ${stopped}` };
  }

  /** What the search for the formula at *place* has found. */
  *look([group, which, bit]) {
    const result = yield* this.search(group, which, this.bits(group, which));
    const found = result.hits.has(bit);
    return {
      found,
      counts: result.counts,
      depth: result.depth,
      stopped: found ? "" : result.stopped,
      play: result.hits.get(bit) ?? null,
    };
  }

  /** The bits of all formulas that are looked for in one search. */
  bits(group, which) {
    const places = this.tables.asked.flatMap((one) => [
      one.first,
      ...one.conditions.map(([, place]) => place),
    ]);
    return [
      ...new Set(places.filter(([g, w]) => g === group && w === which).map(([, , bit]) => bit)),
    ];
  }

  /** The bits of those formulas of a search whose plays are told: what breaks a property, or shows
   * it. */
  told(group, which) {
    return this.tables.asked
      .map((one) => one.first)
      .filter(([g, w]) => g === group && w === which)
      .map(([, , bit]) => bit);
  }

  /** The result of a search, made now if it has not been; its memory is given back. */
  *search(group, which, wanted) {
    const key = `${group} ${which}`;
    if (this.searches.has(key)) return this.searches.get(key);
    const given = this.tables.texts[group];
    const [module, marking] = this.modules[group];
    const search = new Search(
      new Kernel(module, this.most),
      given,
      which,
      this.tables.limits,
      this.sizes,
      this.reading,
    );
    if (!this.stopped && search.begin()) {
      const run = search.run(wanted);
      while (!this.stopped && !run.next().done) {
        this.known = search.known;
        yield;
      }
    }
    const plays = new Map();
    for (const bit of wanted === null ? [] : this.told(group, which)) {
      if (search.hits.has(bit) && !this.stopped)
        plays.set(bit, yield* this.numbers(search, given, marking, which, bit));
    }
    const hits = new Map([...search.hits].map(([bit]) => [bit, plays.get(bit) ?? null]));
    const { counts, depth } = search;
    const result = { counts, depth, stopped: search.stopped || this.stopped, hits };
    this.searches.set(key, result);
    return result;
  }

  /** The numbers of the moves of a shortest play on which the formula of *bit* becomes true: of
   * several from one position to the next the first. */
  *numbers(search, given, marking, which, bit) {
    const play = yield* search.play(bit);
    if (!play.length) return [];
    const size = given.layout.words;
    const kernel = new Kernel(marking, TELLING);
    const out = PAGE + size * WORD;
    if (!kernel.has(out + given.buffer * WORD))
      throw new RangeError("there is no memory to tell a play");
    kernel.put(out + given.which * WORD, which);
    kernel.limit(out, this.tables.limits, this.sizes);
    const isNext = (at, next) => kernel.words(at, size).every((half, n) => half === next[n]);
    const isMarked = (at) => (kernel.words(at + size * WORD, 1)[bit >> 5] >>> (bit & 31)) & 1;
    return play.map((halves, number) => {
      kernel.store(PAGE, halves);
      kernel.put(out + given.number * WORD, 0);
      const end = out + Number(kernel.calls.marked(PAGE, out)) * WORD;
      for (let at = out + given.first * WORD; at < end; at += (size + 2) * WORD) {
        if (number + 1 < play.length ? isNext(at, play[number + 1]) : isMarked(at))
          return kernel.number(at + (size + 1) * WORD);
      }
      throw new Error("a move of the play is lost");
    });
  }
}
