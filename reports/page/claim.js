"use strict";

/* A play as a claim of the rules language: that it is possible, move by move by the same players
 * and clauses from the start on, and where it leads. */

/* An expression has at most 60 levels: each move takes two, and each condition that is joined to
 * others takes one. */
const MOST_CLAIMED = 25;
const MOST_JOINED = 20;

/** What is so if each of *conditions* is. */
function allOf(conditions) {
  if (conditions.length <= MOST_JOINED) return conditions.join(" and ");
  const parts = [];
  for (let at = 0; at < conditions.length; at += MOST_JOINED)
    parts.push(`(${conditions.slice(at, at + MOST_JOINED).join(" and ")})`);
  return allOf(parts);
}

class PlayClaim {
  /** Of *play*, as far as one looks at it; *words* are those of `claiming.py`. */
  constructor(play, words) {
    Object.assign(this, { play, words, layout: play.teller.layout });
  }

  /** What the players are called. */
  get names() {
    return new Map(
      this.words.players
        .slice(0, this.play.teller.players)
        .map((name, seat) => [playerName(seat), name]),
    );
  }

  /** Why there is none; empty if there is one. */
  get why() {
    const { scope } = this.words;
    if (this.play.teller.players < scope.players)
      return `The ruleset decides its claims with ${scope.players} players, so none is about this play.`;
    return this.play.at > MOST_CLAIMED
      ? `A claim holds ${MOST_CLAIMED} moves at most; go back to an earlier one.`
      : "";
  }

  /** The claim as text, to stand at the end of the ruleset. */
  get text() {
    const { play, words, names } = this;
    const moves = play.moments.slice(1, play.at + 1).map(({ move }) => move);
    const title =
      moves
        .map((move) => (names.has(move.owner) ? `${move.owner} ${move.clause}` : move.clause))
        .join(", ") || "the start";
    const needs = this.needs();
    const made = moves.reverse().map((move) => `        ${this.made(move)} and previously (`);
    return [
      this.head(),
      `  possible played.${
        play.numbers
          .slice(0, play.at)
          .map((number) => number.toString(36))
          .join("-") || "start"
      } "${title}"`,
      ...(needs.length ? [`    needs ${needs.join(", ")}`] : []),
      `    for some ${[...names.values()].map((name) => `player ${name}`).join(", ")}:`,
      `      possible ((${allOf(this.here())}) and`,
      ...made,
      `        (${allOf(this.start())})${")".repeat(moves.length + 1)}`,
      "",
    ].join("\n");
  }

  /** Of which reading the claim is. */
  head() {
    const { options, reading } = this.play.teller;
    const values = new Map(this.words.settings);
    options.forEach(
      ({ name, values: known, isPlayers }, number) =>
        isPlayers || values.set(name, known[reading[number]]),
    );
    return values.size
      ? `claims when ${[...values].map(([name, value]) => `${name} is ${value}`).join(" and ")}`
      : "claims";
  }

  /** The sizes that the play may take and the scope of the ruleset does not have. */
  needs() {
    const { sizes, players } = this.words.scope;
    const own = new Map(sizes);
    const zones = this.layout.zones.map(({ name }, number) => [
      name,
      this.play.teller.sizes[number],
      own.get(name),
    ]);
    return [["players", this.play.teller.players, players], ...zones]
      .filter(([, size, usual]) => size > usual)
      .map(([name, size]) => `${name} ${size}`);
  }

  /** That *move* was made. */
  made(move) {
    return this.names.has(move.owner)
      ? `${this.names.get(move.owner)} uses ${move.clause}`
      : `clause ${move.clause}`;
  }

  /** What is so at the start and nowhere else, with who sits where. */
  start() {
    const names = [...this.names.values()];
    const [active] = this.play.moments[0].position.variables.find(
      (cell) => cell.name === "active",
    ).words;
    return [
      "not previously yes",
      `${this.names.get(active)} is active`,
      ...names.slice(1).map((name, seat) => `${name} is after ${names[seat]}`),
    ];
  }

  /** What is so in the position that one looks at. */
  here() {
    const { position, holders } = this.play.here;
    const names = [...this.names];
    const priority = names.map(([player, name]) =>
      holders.includes(player) ? `${name} has priority` : `not (${name} has priority)`,
    );
    return [
      position.stage ? `at ${position.stage}` : "game is over",
      ...priority,
      ...position.variables.flatMap((cell) =>
        this.cell(cell, cell.player ? `${cell.name} of ${this.names.get(cell.player)}` : cell.name),
      ),
      ...position.zones.flatMap(([name, items]) => this.zone(name, items)),
    ];
  }

  /** That *what* has the value of *cell*. */
  cell({ kind, words }, what) {
    switch (kind) {
      case "flag":
        return [words[0] === "yes" ? what : `not ${what}`];
      case "player":
        return [`${what} is ${words.length ? this.names.get(words[0]) : "nobody"}`];
      case "players":
        return [...this.names].map(
          ([player, name]) => `${name} ${words.includes(player) ? "in" : "not in"} ${what}`,
        );
      default:
        return [`${what} is ${words[0]}`];
    }
  }

  /** That on *zone* lie as many items as *items*, and look like them. */
  zone(zone, items) {
    const { item: name } = this.words;
    const looks = [...new Set(items.map((item) => this.looks(name, item)))];
    const each = looks.length
      ? [`(every ${name} in ${zone} satisfies (${looks.map((look) => `(${look})`).join(" or ")}))`]
      : [];
    const some =
      looks.length > 1 ? looks.map((look) => `(some ${name} in ${zone} where (${look}))`) : [];
    return [`size of ${zone} is ${items.length}`, ...each, ...some];
  }

  /** That the item called *name* looks like *item*. */
  looks(name, item) {
    const attributes = item.attributes.flatMap((cell) =>
      this.cell(cell, `${cell.name} of ${name}`),
    );
    return allOf([
      `kind of ${name} is ${item.kind}`,
      `controller of ${name} is ${this.names.get(item.controller)}`,
      ...attributes,
    ]);
  }
}

class ClaimView {
  /** Show the claim of *play*; *words* are those of `claiming.py`. */
  constructor(play, words) {
    this.claim = new PlayClaim(play, words);
    this.note = element("p", { class: "about", role: "status" });
    this.text = element("pre", { tabindex: 0, "aria-label": "The play as a claim" });
    this.button = element("button", { type: "button", onclick: () => this.copy() }, "copy");
    this.view = element(
      "details",
      { class: "more save" },
      element("summary", {}, "Save as a test"),
      this.note,
      this.text,
      this.button,
    );
  }

  draw() {
    const { why } = this.claim;
    const about =
      "At the end of the ruleset this claims that the rules allow these moves, by these players, and that they lead to what is so here. Which items are chosen on the way it does not say.";
    fill(this.note, why || about);
    this.text.hidden = this.button.hidden = why !== "";
    if (!why) fill(this.text, this.claim.text);
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.claim.text);
      fill(this.note, "It is copied.");
    } catch {
      getSelection().selectAllChildren(this.text);
      fill(this.note, "This browser lets no page copy; it is selected, so you can.");
    }
  }
}
