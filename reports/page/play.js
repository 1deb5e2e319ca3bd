"use strict";

/* A play that somebody makes: its moments, where in it one looks, and the link that holds it. */

const LINK = /^#play=([0-9a-f]{12})((?:~[0-9]{1,3})*)((?:-[0-9]{1,2})*)((?:\.[0-9a-z]{1,6})*)$/;
const LONGEST = 2000;
const UNDONE = 100;

class Play {
  /** A play told by *teller*, of the game with that *digest*; *changed* is called after each
   * change. */
  constructor(teller, digest, changed) {
    Object.assign(this, {
      teller,
      digest,
      changed,
      undoable: [],
      usual: teller.sizes,
      usualReading: teller.reading,
    });
    this.set([], 0);
  }

  /** Begin anew with the moves of these *numbers*, and look at moment *at*; return how many of them
   * are possible. */
  set(numbers, at) {
    this.moments = [this.moment(this.teller.start(), null)];
    this.numbers = [];
    const made = numbers.every((number) => this.make(number))
      ? numbers.length
      : this.numbers.length;
    this.at = Math.min(at, made);
    return made;
  }

  moment(halves, move) {
    return {
      halves,
      move,
      position: this.teller.positions.position(halves),
      holders: this.teller.holders(halves),
      moves: null,
    };
  }

  make(number) {
    const move = this.movesAt(this.numbers.length)[number];
    if (!move || this.numbers.length >= LONGEST) return false;
    this.numbers.push(number);
    this.moments.push(this.moment(move.target, move));
    return true;
  }

  movesAt(at) {
    const moment = this.moments[at];
    moment.moves ??= this.teller.moves(moment.halves);
    return moment.moves;
  }

  get here() {
    return this.moments[this.at];
  }

  get moves() {
    return this.movesAt(this.at);
  }

  /** Why each clause of the stage can be used here, or not: the records of `Teller.whyNot`. */
  get whyNot() {
    return this.teller.whyNot(this.here.halves, this.here.position.stage);
  }

  /** Whether the rules have no move here, of any size; where they cannot be asked, whether the page
   * has none and cuts none. */
  get isGap() {
    const { whyNot } = this;
    return (
      !this.moves.length && (whyNot.length ? !whyNot.some((record) => record.ends) : !this.cut)
    );
  }

  /** The names of what the move to moment *at* has changed, those of `partsOf`. */
  changedBy(at) {
    const [before, after] = [this.moments[at - 1], this.moments[at]];
    before.parts ??= partsOf(before.position);
    after.parts ??= partsOf(after.position);
    after.changed ??= new Set(
      [...after.parts.keys()].filter((name) => before.parts.get(name) !== after.parts.get(name)),
    );
    return after.changed;
  }

  /** How many more moves the rules have here that the sizes of the page cut. */
  get cut() {
    return this.moves.cut;
  }

  // ---------------------------------------------------------------- what somebody does

  remember() {
    this.undoable.push([this.numbers.slice(), this.at]);
    if (this.undoable.length > UNDONE) this.undoable.shift();
  }

  /** Make the move of that number at moment *at*, and what then goes by itself; what came after is
   * gone, until it is undone. */
  choose(number, at = this.at) {
    this.remember();
    this.numbers.length = at;
    this.moments.length = at + 1;
    this.at = at;
    if (this.make(number)) this.at += 1;
    this.settle();
    this.changed();
  }

  /** Make what goes by itself after the last move, and look at what it leads to. */
  settle() {
    for (let made = 0; made < SILENT; made += 1) {
      const number = silentOf(this.movesAt(this.numbers.length));
      if (number < 0 || !this.make(number)) break;
      this.at = this.numbers.length;
    }
  }

  /** Begin an empty play, with what goes by itself. */
  begin() {
    this.set([], 0);
    this.settle();
  }

  /** Begin anew with these *sizes* of zones, in that *reading*, if either is another. */
  setUp(sizes, reading) {
    if (sizes.join() === this.teller.sizes.join() && reading.join() === this.teller.reading.join())
      return;
    this.teller.setUp(sizes, reading);
    this.undoable.length = 0;
    this.begin();
  }

  /** Put an empty play in the place of this. */
  anew() {
    this.remember();
    this.begin();
    this.changed();
  }

  undo() {
    const before = this.undoable.pop();
    if (before) this.set(...before);
    this.changed();
  }

  /** Look at moment *at*, if there is one. */
  go(at) {
    if (at < 0 || at >= this.moments.length || at === this.at) return;
    this.at = at;
    this.changed();
  }

  /** Whether the move at moment *at* went by itself. */
  isSilent(at) {
    return at < this.numbers.length && silentOf(this.movesAt(at)) === this.numbers[at];
  }

  /** The moment that the last decision before moment *at* led to, 0 if there is none. */
  decided(at) {
    let from = at;
    while (from > 0 && this.isSilent(from - 1)) from -= 1;
    return from;
  }

  /** The number of the move that forward makes at the end of the play, -1 if somebody has to
   * choose. */
  get onward() {
    return this.moves.length === 1 ? 0 : silentOf(this.moves);
  }

  /** Look at the moment of the decision before. */
  back() {
    this.go(Math.max(0, this.decided(this.at) - 1));
  }

  /** Look at what the next decision leads to; at the end, make the move if only one is possible. */
  forward() {
    const last = this.moments.length - 1;
    if (this.at === last) {
      if (this.onward >= 0) this.choose(this.onward);
      return;
    }
    let to = this.at + 1;
    while (to < last && this.isSilent(to)) to += 1;
    this.go(to);
  }

  /** Put the moves of these *numbers* in the place of all. */
  replace(numbers, at) {
    this.remember();
    const made = this.set(numbers, at);
    this.changed();
    return made;
  }

  /** Make *moves*, pairs of a clause and the way of it, as far as they are possible, and look at
   * moment *at*; return how many were made. */
  resume(moves, at) {
    this.set([], 0);
    const isMade = ([clause, way]) =>
      this.make(
        this.movesAt(this.numbers.length).findIndex(
          (move) => move.clause === clause && move.way === way,
        ),
      );
    const lost = moves.findIndex((one) => !isMade(one));
    const made = lost < 0 ? moves.length : lost;
    this.at = Math.min(at, made);
    this.changed();
    return made;
  }

  // ----------------------------------------------------------- links, and plays that were found

  get link() {
    return this.linkTo(this.at);
  }

  /** The link to the play up to moment *at*. */
  linkTo(at) {
    const sizes =
      this.teller.sizes.join() === this.usual.join()
        ? ""
        : this.teller.sizes.map((size) => `~${size}`).join("");
    const reading = this.isUsualReading
      ? ""
      : this.teller.reading.map((value) => `-${value}`).join("");
    return `#play=${this.digest}${sizes}${reading}${this.numbers
      .slice(0, at)
      .map((number) => `.${number.toString(36)}`)
      .join("")}`;
  }

  get isUsualReading() {
    return this.teller.reading.join() === this.usualReading.join();
  }

  /** Take the play that *link* holds; return why not, or nothing. */
  follow(link) {
    const said = LINK.exec(link);
    if (!said) return "The link holds no play.";
    if (said[1] !== this.digest)
      return "The link holds a play of other rules, or of a page of another reading, of other players or of other sizes, so it is not shown.";
    const sizes = said[2] ? said[2].split("~").slice(1).map(Number) : this.usual;
    const { layout, limits } = this.teller;
    const fits = (size, number) =>
      size >= (limits ? 1 : this.usual[number]) && size <= layout.zones[number].size;
    if (sizes.length !== layout.zones.length || !sizes.every(fits))
      return "The link is of sizes that this page has no room for.";
    const reading = said[3] ? said[3].split("-").slice(1).map(Number) : this.usualReading;
    const { options } = this.teller;
    const isKnown =
      reading.length === options.length &&
      reading.every((value, number) => value < options[number].values.length);
    if (!isKnown)
      return "The link is of a reading, or a number of players, that this page does not have.";
    const numbers = said[4]
      .split(".")
      .slice(1)
      .map((word) => parseInt(word, 36));
    if (numbers.length > LONGEST)
      return `The link holds more than ${LONGEST} moves, so it is not shown.`;
    const before = [this.teller.sizes, this.teller.reading, this.numbers, this.at];
    this.setUp(sizes, reading);
    const made = this.replace(numbers, numbers.length);
    if (made === numbers.length) return "";
    this.setUp(before[0], before[1]);
    this.set(before[2], before[3]);
    this.changed();
    return `Move ${made + 1} of the link is not possible, so the play is not shown.`;
  }

  /** Take the play whose moves and positions have these *keys*, as `rows.py` writes them; return
   * how many moves of it were found. */
  find(keys) {
    const numbers = [];
    let here = this.teller.start();
    if (keyOf(this.teller.positions.position(here)) !== keys[0][2]) return 0;
    for (const [clause, way, key] of keys.slice(1)) {
      const moves = this.teller.moves(here);
      const number = moves.findIndex((move) => move.clause === clause && move.way === way);
      if (number < 0 || keyOf(this.teller.positions.position(moves[number].target)) !== key) break;
      numbers.push(number);
      here = moves[number].target;
    }
    if (numbers.length === keys.length - 1) this.replace(numbers, numbers.length);
    return numbers.length;
  }
}
