"use strict";

/* Standing: what is on the board, told so that the page of edited rules can take it over. */

class Standing {
  /** Of *play*, on the board of *view*, with the *tables* of the game; null where nothing can be
   * played. */
  constructor(play = null, view = null, tables = null) {
    Object.assign(this, { play, view, tables, box: null });
  }

  /** What the next page needs to go on from here. */
  told() {
    const { play, tables, box } = this;
    const asked = box?.turn ? box.box.value : "";
    const scroll = window.scrollY;
    if (!play) return { asked, scroll };
    const { options, layout } = tables;
    const values = play.teller.reading.map((value, at) => [
      options[at].name,
      options[at].values[value],
    ]);
    const sizes = layout.zones.map(({ name }, at) => [name, play.teller.sizes[at]]);
    const moves = play.moments.slice(1).map(({ move: { clause, way } }) => [clause, way]);
    return { asked, scroll, values, sizes, moves, at: play.at };
  }

  /** Go on from what another page has *told*; return what of it these rules do not allow. */
  take({ asked, scroll, values = [], sizes = [], moves = [], at = 0 }) {
    const said = this.play && moves.length ? this.resume(values, new Map(sizes), moves, at) : "";
    if (asked && this.box) this.box.put(asked);
    window.scrollTo(0, scroll);
    return said;
  }

  resume(values, sizes, moves, at) {
    const { play, tables } = this;
    const { options, layout, limits } = tables;
    const reading = usualReading(options);
    for (const [name, value] of values) {
      const number = options.findIndex((one) => one.name === name && one.values.includes(value));
      if (number >= 0) reading[number] = options[number].values.indexOf(value);
    }
    const its = layout.zones.map(({ name, size }, number) =>
      limits ? Math.min(sizes.get(name) ?? tables.sizes[number], size) : tables.sizes[number],
    );
    play.setUp(its, reading);
    const made = play.resume(moves, at);
    if (made === moves.length) return "";
    const lost = moves[made][0];
    return `These rules do not allow move ${made + 1} of the play (${lost}) any more: the board is at move ${play.at}.`;
  }
}
