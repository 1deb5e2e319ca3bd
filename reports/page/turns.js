"use strict";

/* Who can act: a line for each player of what they can do now, or what comes before they can. */

const FEW = 2;

class Turns {
  /** Of *play*, in the words of *phrases*. */
  constructor(play, phrases) {
    Object.assign(this, { play, phrases });
    this.view = element("ul", { class: "turns", "aria-label": "Who can act" });
  }

  draw() {
    const { play } = this;
    const { halves, holders } = play.here;
    const next = outlook(play.teller, halves, play.moves);
    const players = [...Array(play.teller.players).keys()].map(playerName);
    fill(
      this.view,
      players.map((player) => this.row(player, holders.includes(player), next.get(player))),
    );
  }

  row(player, holds, next) {
    return element(
      "li",
      { class: colourOf(player) },
      element("b", {}, holds ? `${player} has priority` : player),
      ` ${holds ? "and " : ""}${this.says(player, next)}`,
    );
  }

  /** What *player* can do now; else what comes first, as *next* tells it. */
  says(player, next) {
    if (next && !next.before.length) return "can act now";
    if (this.play.moves.some((move) => move.owner === player))
      return `can only pass now${next ? `; can act ${this.after(next)}` : ""}`;
    if (!this.play.here.position.stage) return "cannot act any more";
    return `cannot act now; ${next ? `next ${this.after(next)}` : "nor while all pass"}`;
  }

  /** What comes before a player can act: who passes, what happens to items, and the step it comes
   * to. */
  after({ halves, before }) {
    const passes = before.filter(isPass);
    const who = [...new Set(passes.map(({ owner }) => owner))].sort();
    const clauses = [...new Set(passes.map(({ clause }) => clause))];
    const passed = who.length
      ? `after ${joined(who)} ${who.length > 1 ? "pass" : "passes"} (${clauses.join(", ")})`
      : "";
    const happens = before.flatMap((move) =>
      this.phrases.happens(move).map((words) => `${words} (${move.clause})`),
    );
    const more = happens.length > FEW ? [`${happens.length - FEW} more`] : [];
    const happened = happens.length ? `when ${joined([...happens.slice(0, FEW), ...more])}` : "";
    return [passed, happened, this.where(halves)].filter(Boolean).join(", ") || "by itself";
  }

  /** The step of the position with these *halves*, if it is another than that on the board. */
  where(halves) {
    const { variables } = this.play.teller.positions.position(halves);
    const now = this.play.here.position.variables;
    const names = new Set(this.phrases.sequences.map(({ variable }) => variable));
    const other = variables.filter(
      (cell, number) =>
        names.has(cell.name) &&
        cell.words[0] !== "none" &&
        cell.words.join() !== now[number].words.join(),
    );
    return other
      .map(
        (cell) => `in ${this.phrases.steps.get(`${cell.name}.${cell.words[0]}`) ?? cell.words[0]}`,
      )
      .join(", ");
  }
}
