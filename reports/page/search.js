"use strict";

/* The search: all positions that a kernel finds, layer by layer, until everything that is looked
 * for has been seen.
 *
 * Its memory: the module's own page, the buffer and the slots, the tally, three words for the way
 * back, the table, and behind it the positions in the order in which they are found. So a layer is
 * a part of the last, and a table that becomes larger is filled from it. */

const TALLY = {
  known: 0,
  moves: 1,
  cut: 2,
  found: 3,
  bits: 4,
  mostKnown: 5,
  mostFound: 6,
  cells: 8,
};
const LOAD = 0.7;
const PART = 4096;

class Search {
  /** A search in *kernel* for the formulas of number *which* of the text *given*, with these
   * *sizes* of zones, in that *reading*. */
  constructor(kernel, given, which = 0, limits = null, sizes = [], reading = []) {
    const size = given.layout.words * WORD;
    Object.assign(this, {
      kernel,
      given,
      which,
      limits,
      sizes,
      reading,
      size,
      log: given.log,
      stopped: "",
      ends: [],
      hits: new Map(),
    });
    this.out = PAGE;
    this.slots = this.out + given.buffer * WORD;
    this.tally = this.slots + given.buffer * WORD;
    this.wanted = this.tally + TALLY.cells * WORD;
    this.noted = this.wanted + size;
    this.table = this.noted + size;
  }

  get known() {
    return this.ends.length ? this.cell("known") : 0;
  }

  /** Where the positions begin that were found. */
  get positions() {
    return this.table + this.size * 2 ** this.log;
  }

  /** So many moves every play was followed, however it goes. */
  get depth() {
    return this.ends.length - 1;
  }

  get counts() {
    const { known, ends } = this;
    return {
      positions: known,
      moves: known && this.cell("moves"),
      layers: ends.length,
      cut: known && this.cell("cut"),
    };
  }

  cell(name) {
    return this.kernel.number(this.tally + TALLY[name] * WORD);
  }

  set(name, value) {
    this.kernel.put(this.tally + TALLY[name] * WORD, value);
  }

  /** Begin with every start of the text; return whether there was room. */
  begin() {
    const { kernel, given } = this;
    const cells = given.layout.options.slice(0, this.reading.length);
    const begun = given.starts[this.which][given.layout.seats ? this.reading.at(-1) : 0];
    const starts = begun.map((start) => withReading(start, cells, this.reading));
    if (!kernel.has(this.positions + (starts.length + 2) * given.batch * this.size))
      return this.full();
    kernel.put(this.out + given.which * WORD, this.which);
    kernel.limit(this.out, this.limits, this.sizes);
    let found = 0;
    for (const start of starts) {
      const words = [];
      for (let at = 0; at < start.length; at += 2)
        words.push((BigInt(start[at + 1]) << 32n) | BigInt(start[at]));
      const end = Number(kernel.calls.start(...words, this.out, BigInt(given.first)));
      const size = this.size / WORD;
      for (let at = given.first; at < end; at += size) {
        kernel.store(this.positions + found * this.size, kernel.words(this.out + at * WORD, size));
        found += 1;
      }
    }
    kernel.calls.insert(this.table, BigInt(this.log), this.positions, BigInt(found));
    this.set("known", found);
    this.set("found", found);
    this.ends.push(found);
    this.see(this.out + given.bits * WORD, 0);
    return true;
  }

  /** Note for each bit at *address* that is new that it is true after this number of *moves*. */
  see(address, moves) {
    const halves = this.kernel.words(address, 1);
    for (let bit = 0; bit < 64; bit += 1) {
      if ((halves[bit >> 5] >>> (bit & 31)) & 1 && !this.hits.has(bit)) this.hits.set(bit, moves);
    }
  }

  /** Look on until all bits in *wanted* were seen, or all positions. It can be left between any two
   * parts; *stopped* says why there may be more. */
  *run(wanted = null) {
    const { kernel, given } = this;
    let first = 0;
    const seen = () => wanted !== null && wanted.every((bit) => this.hits.has(bit));
    while (first < this.known && !seen()) {
      const end = this.known;
      for (let at = first; at < end;) {
        if (this.known + given.batch > LOAD * 2 ** this.log && !(yield* this.widen())) return;
        if (!kernel.has(this.positions + (this.known + PART + given.batch) * this.size))
          return this.full();
        this.set("mostKnown", Math.floor(LOAD * 2 ** this.log) + 1);
        this.set("mostFound", this.known + PART + given.batch);
        const stop = Math.min(end, at + PART);
        const from = this.positions;
        const log = BigInt(this.log);
        at = Number(
          kernel.calls.expand(
            this.table,
            log,
            from,
            BigInt(at),
            BigInt(stop),
            from,
            this.out,
            this.slots,
            this.tally,
          ),
        );
        yield;
      }
      this.see(this.tally + TALLY.bits * WORD, this.ends.length);
      first = end;
      if (this.known > end) this.ends.push(this.known);
    }
  }

  /** Take a table twice as large; return whether there is room. It is filled from a copy of the old
   * one, in whose order both are gone through from their beginning, or where there is no room for
   * that from the positions. */
  *widen() {
    const { kernel, size } = this;
    const [before, bytes, slots] = [this.positions, this.known * this.size, 2 ** this.log];
    const copy = before + size * slots + bytes;
    if (!kernel.has(copy)) return this.full();
    const isCopied = kernel.has(copy + size * slots);
    this.log += 1;
    const memory = new Uint8Array(kernel.memory.buffer);
    memory.copyWithin(this.positions, before, before + bytes);
    if (isCopied) memory.copyWithin(copy, this.table, before);
    memory.fill(0, this.table, this.positions);
    const [from, all] = isCopied ? [copy, slots] : [this.positions, this.known];
    for (let at = 0; at < all; at += PART) {
      kernel.calls.insert(
        this.table,
        BigInt(this.log),
        from + at * size,
        BigInt(Math.min(PART, all - at)),
      );
      yield;
    }
    return true;
  }

  full() {
    this.stopped = "no more memory may be taken";
    return false;
  }

  /** The positions of a shortest play, as halves, from whose last a move makes the formula of *bit*
   * true; none if it is so at the start. */
  *play(bit) {
    const moves = this.hits.get(bit);
    if (!moves) return [];
    const mask = [bit < 32 ? 2 ** bit : 0, bit < 32 ? 0 : 2 ** (bit - 32)];
    const play = [yield* this.least("make", moves - 1, mask)];
    for (let layer = moves - 2; layer >= 0; layer -= 1)
      play.unshift(yield* this.least("lead", layer, play[0]));
    return play;
  }

  /** The smallest position of *layer* that has a move to what is *wanted*, or makes that true. */
  *least(call, layer, wanted) {
    const { kernel, size } = this;
    kernel.store(this.wanted, new Uint32Array(size / 4));
    kernel.store(this.noted, new Uint32Array(size / 4));
    kernel.store(this.wanted, wanted);
    const [first, end] = [layer ? this.ends[layer - 1] : 0, this.ends[layer]];
    const number = BigInt(size / WORD);
    for (let at = first; at < end; at += PART) {
      const stop = BigInt(Math.min(end, at + PART));
      kernel.calls[call](
        this.positions,
        BigInt(at),
        stop,
        this.wanted,
        number,
        this.noted,
        this.out,
      );
      yield;
    }
    return kernel.words(this.noted, size / WORD);
  }
}
