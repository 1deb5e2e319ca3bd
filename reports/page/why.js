"use strict";

/* Why not: what keeps each clause of the present stage from being used, and the move that last
 * changed what that rests on. */

class WhyNot {
  /** Of the *play* that is looked at, in the words of *phrases*; *obstacles* are those of
   * `obstacles.py`. */
  constructor(play, phrases, obstacles) {
    Object.assign(this, { play, phrases, stages: new Map(obstacles) });
    this.summary = element("summary");
    this.list = element("ul", { class: "reasons" });
    this.view = element("details", { class: "more why", hidden: true }, this.summary, this.list);
  }

  draw() {
    const rows = this.rows();
    const clauses = new Set(rows.map((row) => row.clause).filter(Boolean)).size;
    const count = clauses
      ? `${clauses} ${clauses > 1 ? "clauses" : "clause"}`
      : joined(rows.flatMap((row) => row.who));
    this.view.hidden = !rows.length;
    fill(this.summary, `Why not? ${count} cannot ${clauses ? "be used" : "act"} now`);
    const held = this.list.contains(document.activeElement);
    fill(
      this.list,
      rows.map((row) => this.row(row)),
    );
    if (held) this.summary.focus({ preventScroll: true });
  }

  /** Who cannot use which clause, and why; players of whom the same is told together. No clause
   * stands for all that is left to who has priority. */
  rows() {
    const { position, holders } = this.play.here;
    const stage = this.stages.get(position.stage);
    if (!stage) return [];
    const clauses = new Map(stage.clauses);
    const rows = [];
    const others = [...Array(this.play.teller.players).keys()]
      .map(playerName)
      .filter((player) => !holders.includes(player));
    if (others.length && [...clauses.values()].some((clause) => clause.isHolders)) {
      rows.push({
        clause: "",
        who: others,
        says: [
          {
            words: `${others.length > 1 ? "have" : "has"} no priority`,
            changed: this.changed(stage.priority),
          },
        ],
      });
    }
    for (const record of this.play.whyNot) {
      const { clause, isEach, player } = record;
      if (
        this.play.moves.some((move) => move.clause === clause && (!isEach || move.owner === player))
      )
        continue;
      const { parts } = clauses.get(clause);
      // The reading does not have the clause.
      if (record.false.some((number) => parts[number].isOfReading)) continue;
      const row = {
        clause,
        who: [player || this.nobody(clause)],
        says: this.says(record, clauses.get(clause)),
      };
      const same = rows.find(
        (other) => other.clause === clause && this.text(other) === this.text(row),
      );
      if (same) same.who.push(...row.who);
      else rows.push(row);
    }
    return rows;
  }

  text({ says }) {
    return says.map(({ words, changed }) => `${words} ${changed}`).join("\n");
  }

  /** Who acts where no player does. */
  nobody(clause) {
    const { mode } = this.phrases.clause(clause);
    return { must: "the rules", chance: "the cards" }[mode] ?? "nobody";
  }

  /** What is told of a *record*: what is so and must not be, else what stops every move, else that
   * only the sizes of the page do. */
  says(record, { any, parts, stops }) {
    const names = new Map(
      this.play.here.position.arguments.map((cell) => [cell.name, this.phrases.value(cell)]),
    );
    if (any !== null) names.set(any, record.player);
    const said = ({ says, reads }) => ({
      words: says.map((part) => (typeof part === "string" ? part : names.get(part[0]))).join(""),
      changed: this.changed(reads),
    });
    if (record.ends)
      return [{ words: "the rules allow it, but a zone has no room for it here", changed: -1 }];
    const false_ = record.false.map((number) => said(parts[number]));
    if (false_.length)
      return false_.filter(
        (one, number) => false_.findIndex((other) => other.words === one.words) === number,
      );
    return [said(stops[record.stop])];
  }

  /** The last move that changed what is *read*, 0 if none has; -1 if it is not known what is. */
  changed(read) {
    if (read === null) return -1;
    for (let { at } = this.play; at > 0; at -= 1)
      if (read.some((name) => this.play.changedBy(at).has(name))) return at;
    return 0;
  }

  // ---------------------------------------------------------------- in the page

  row({ clause, who, says }) {
    const { title, line } = this.phrases.clause(clause);
    const id = clause
      ? [" ", element("a", { class: "id", href: `#L${line}` }, clause), title ? ` ${title}` : ""]
      : [];
    return element(
      "li",
      { class: colourOf(joined(who)) },
      element("p", {}, element("b", {}, joined(who)), id),
      element(
        "ul",
        {},
        says.map((one) => this.reason(one)),
      ),
    );
  }

  reason({ words, changed }) {
    if (changed < 0) return element("li", {}, words);
    if (!changed) return element("li", {}, words, element("small", {}, ", so from the start"));
    const { move } = this.play.moments[changed];
    const { owner, clause } = move;
    const said = `${this.phrases.owner(owner)} ${clause} ${this.phrases.clause(clause).title}`;
    const button = element(
      "button",
      {
        type: "button",
        class: "moment",
        title: said,
        "aria-label": `move ${changed}: ${said}`,
        onclick: () => this.play.go(changed),
      },
      `move ${changed}`,
    );
    return element(
      "li",
      {},
      words,
      element("small", {}, ", changed last by ", button, ` (${move.clause})`),
    );
  }
}
