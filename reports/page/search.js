"use strict";

/* The search: all positions that a kernel finds, layer by layer.

   Its memory: the module's own page, the buffer and the slots, the tally, the positions that a play may begin with, the table, and behind
   it the positions in the order in which they are found. So a layer is a part of the last, and a table that becomes larger is filled from it. */

const TALLY = { known: 0, moves: 1, cut: 2, found: 3, bits: 4, mostKnown: 5, mostFound: 6, cells: 8 };
const LOAD = 0.7;
const PART = 4096;

class Search {
  /** A search in *kernel*, whose sizes *given* are those of the tables; positions have so many *words*. */
  constructor(kernel, given, words) {
    Object.assign(this, { kernel, given, size: words * WORD, log: given.log, layers: 0, note: "" });
    this.out = PAGE;
    this.slots = this.out + given.buffer * WORD;
    this.tally = this.slots + given.buffer * WORD;
    this.table = this.tally + TALLY.cells * WORD;
  }

  get known() {
    return this.cell("known");
  }

  /** Where the positions begin that were found. */
  get positions() {
    return this.table + this.size * 2 ** this.log;
  }

  cell(name) {
    return this.kernel.number(this.tally + TALLY[name] * WORD);
  }

  set(name, value) {
    this.kernel.put(this.tally + TALLY[name] * WORD, value);
  }

  /** Begin a play with each of *starts*, variables as halves; return whether there was room. */
  begin(starts) {
    const { kernel, given } = this;
    if (!kernel.has(this.positions + (starts.length * given.batch + given.batch) * this.size)) return this.full();
    let found = 0;
    for (const start of starts) {
      const words = [];
      for (let at = 0; at < start.length; at += 2) words.push((BigInt(start[at + 1]) << 32n) | BigInt(start[at]));
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
    this.layers = 1;
    return true;
  }

  /** Look for all positions. Stop between any two parts, each of some milliseconds at most; *note* says why there may be more. */
  *run() {
    const { kernel, given } = this;
    let first = 0;
    while (first < this.known) {
      const end = this.known;
      for (let at = first; at < end; ) {
        if (this.known + given.batch > LOAD * 2 ** this.log && !(yield* this.widen())) return;
        if (!kernel.has(this.positions + (this.known + PART + given.batch) * this.size)) return this.full();
        this.set("mostKnown", Math.floor(LOAD * 2 ** this.log) + 1);
        this.set("mostFound", this.known + PART + given.batch);
        const stop = Math.min(end, at + PART);
        const from = this.positions;
        const log = BigInt(this.log);
        at = Number(kernel.calls.expand(this.table, log, from, BigInt(at), BigInt(stop), from, this.out, this.slots, this.tally));
        yield;
      }
      first = end;
      if (this.known > end) this.layers += 1;
    }
  }

  /** Take a table twice as large; return whether there is room. */
  *widen() {
    const { kernel } = this;
    const before = this.positions;
    const bytes = this.known * this.size;
    if (!kernel.has(before + this.size * 2 ** this.log + bytes)) return this.full();
    this.log += 1;
    const memory = new Uint8Array(kernel.memory.buffer);
    memory.copyWithin(this.positions, before, before + bytes);
    memory.fill(0, this.table, this.positions);
    for (let at = 0; at < this.known; at += PART) {
      const number = Math.min(PART, this.known - at);
      kernel.calls.insert(this.table, BigInt(this.log), this.positions + at * this.size, BigInt(number));
      yield;
    }
    return true;
  }

  full() {
    this.note = "no more memory may be taken";
    return false;
  }

  get counts() {
    return { positions: this.known, moves: this.cell("moves"), layers: this.layers, cut: this.cell("cut") };
  }
}
