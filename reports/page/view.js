"use strict";

/* The view of a play: the players in lanes, zones in piles, what else is so, what the last move did, and the moves that are possible now. */

const SWIPE = 60;

class PlayView {
  /** Show *play* in *parent*, in the words of *phrases*, with the *obstacles* to what cannot be done, the words for *claiming* it, and the
      keys of all *positions*, if they are drawn. */
  constructor(parent, play, phrases, { obstacles, claiming, positions }) {
    Object.assign(this, { play, phrases, positions, why: new WhyNot(play, phrases, obstacles), claim: new ClaimView(play, claiming) });
    const { teller } = play;
    this.reading = new ReadingView("play-reading", teller.options, phrases, () => {
      play.setUp(teller.sizes, this.reading.value);
      play.changed();
      this.say("A play of this reading begins.");
    });
    this.parts = Object.fromEntries(["bar", "note", "did", "now", "moves", "made"].map((name) => [name, element("div", { class: name })]));
    this.parts.note.setAttribute("role", "status");
    this.parts.did.setAttribute("aria-live", "polite");
    const { bar, note, did, now, moves, made } = this.parts;
    this.buttons = {
      start: this.button("|◀ start", "Go to the start", () => play.go(0), "edge"),
      back: this.button("◀ back", "One move back", () => play.back()),
      forward: this.button("forward ▶", "One move forward", () => play.forward()),
      end: this.button("end ▶|", "Go to the last move", () => play.go(play.moments.length - 1), "edge"),
      undo: this.button("undo", "Undo the last choice", () => play.undo()),
      anew: this.button("start over", "Begin an empty play", () => play.replace([], 0)),
    };
    this.count = element("span", { class: "count" });
    this.link = element("a", { class: "link" }, "link to this play");
    fill(bar, ...Object.values(this.buttons), this.count, this.link);
    fill(parent, this.reading.players, this.reading.view, bar, note, element("div", { class: "board" }, element("div", {}, did, now), element("div", {}, moves, this.why.view, made, this.claim.view)));
    this.listen(parent);
  }

  button(words, label, act, kind = null) {
    return element("button", { type: "button", class: kind, "aria-label": label, onclick: act }, words);
  }

  /** Step with arrow keys, wherever nothing else wants them, and by swiping over the board. */
  listen(parent) {
    const keys = { ArrowLeft: () => this.play.back(), ArrowRight: () => this.play.forward() };
    document.addEventListener("keydown", (event) => {
      const taken = event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, summary, .map");
      if (taken || !keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
    let from = null;
    parent.addEventListener("touchstart", (event) => (from = event.changedTouches[0]), { passive: true });
    parent.addEventListener("touchend", (event) => {
      const to = event.changedTouches[0];
      const [x, y] = from ? [to.clientX - from.clientX, to.clientY - from.clientY] : [0, 0];
      if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) keys[x < 0 ? "ArrowRight" : "ArrowLeft"]();
    }, { passive: true });
  }

  /** Say *words* of what was just done. */
  say(words) {
    fill(this.parts.note, words);
  }

  draw() {
    const { play, buttons } = this;
    const last = play.moments.length - 1;
    buttons.start.disabled = buttons.back.disabled = play.at === 0;
    buttons.end.disabled = play.at === last;
    buttons.forward.disabled = play.at === last && play.moves.length !== 1;
    buttons.undo.disabled = !play.undoable.length;
    buttons.anew.disabled = !last;
    this.reading.set(play.teller.reading);
    fill(this.count, `move ${play.at} of ${last}`);
    this.link.setAttribute("href", play.link);
    this.say("");
    const chose = this.parts.moves.contains(document.activeElement);
    fill(this.parts.did, this.did());
    fill(this.parts.now, this.now());
    fill(this.parts.moves, this.moves());
    this.mark();
    this.why.draw();
    this.claim.draw();
    fill(this.parts.made, this.made());
    if (chose) this.focus();
  }

  /** Go to the first move that is possible, or to the way back. */
  focus() {
    (this.parts.moves.querySelector("button") ?? this.buttons.back).focus({ preventScroll: true });
  }

  /** Mark what is on the board on the maps. */
  mark() {
    const { play, phrases } = this;
    const { position } = play.here;
    const said = document.getElementById("map-here");
    if (said) fill(said, `The board is at: ${phrases.stage(position.stage)}.`);
    markIn("map-stages", position.stage ? `stage-${phrases.map.indexOf(position.stage)}` : "stage-over");
    markIn("map-positions", play.isUsualReading ? `position-${this.positions.indexOf(keyOf(position))}` : "");
  }

  // ---------------------------------------------------------------- the last move

  did() {
    const { move } = this.play.here;
    if (!move) return element("p", { class: "last" }, "The game begins.");
    const details = [...this.phrases.choices(move), ...this.phrases.events(move)];
    return element("p", { class: `last ${colourOf(move.owner)}` }, this.named(move), ...details.map((words) => element("span", { class: "detail" }, words)));
  }

  /** Whose *move* it is, and by which clause. */
  named(move) {
    const { title, line } = this.phrases.clause(move.clause);
    const id = line ? element("a", { href: `#L${line}` }, move.clause) : move.clause;
    return [element("b", {}, this.phrases.owner(move.owner)), " ", id, title ? ` ${title}` : ""];
  }

  // ---------------------------------------------------------------- the position

  now() {
    const { play, phrases } = this;
    const { position, holders } = play.here;
    const before = play.at ? new Map(play.moments[play.at - 1].position.variables.map((cell) => [nameOf(cell), cell.words.join()])) : null;
    const changed = (cell) => before !== null && before.get(nameOf(cell)) !== cell.words.join();
    const stage = position.arguments.map((cell) => `${cell.name} ${phrases.value(cell)}`);
    const steps = phrases.sequences.map(({ variable, title }) => {
      const cell = position.variables.find((one) => one.name === variable);
      return cell.words[0] === "none" && variable !== "step" ? null : this.fact(title, phrases.steps.get(`${variable}.${cell.words[0]}`) ?? cell.words[0], changed(cell));
    });
    const sequences = new Set(phrases.sequences.map(({ variable }) => variable));
    const rest = position.variables.filter((cell) => !cell.player && !sequences.has(cell.name));
    const facts = rest.filter((cell) => cell.kind !== "player" && cell.kind !== "players");
    return [
      element("h3", {}, phrases.stage(position.stage), stage.length ? element("small", {}, ` ${joined(stage)}`) : null),
      element("p", { class: "priority" }, `${joined(holders) || "Nobody"} ${holders.length > 1 ? "have" : "has"} priority.`),
      element("ul", { class: "lanes", "aria-label": "Players" }, this.lanes(position, holders, rest, changed)),
      element("div", { class: "piles" }, position.zones.map(([name, items]) => this.pile(name, items))),
      element("dl", { class: "facts" }, steps, facts.map((cell) => this.fact(phrases.variable(cell.name), phrases.value(cell), changed(cell), cell.kind === "flag" && cell.words[0] === "no"))),
    ];
  }

  fact(name, value, isChanged, isFaint = false) {
    return element("div", { class: `fact${isChanged ? " changed" : ""}${isFaint ? " faint" : ""}` }, element("dt", {}, name), element("dd", {}, value));
  }

  /** A lane for each player: what is so of them. */
  lanes(position, holders, rest, changed) {
    return [...Array(this.play.teller.players).keys()].map(playerName).map((player) => {
      const marks = rest.filter((cell) => (cell.kind === "player" || cell.kind === "players") && cell.words.includes(player));
      const own = position.variables.filter((cell) => cell.player === player);
      const badges = marks.map((cell) => element("span", { class: `badge${changed(cell) ? " changed" : ""}` }, cell.name === "active" ? "active" : this.phrases.variable(cell.name)));
      const values = own.map((cell) => element("span", { class: `badge${changed(cell) ? " changed" : ""}` }, `${this.phrases.variable(cell.name)}: ${this.phrases.value(cell)}`));
      const holds = holders.includes(player) ? element("span", { class: "badge holds" }, "priority") : null;
      return element("li", { class: `lane ${colourOf(player)}` }, element("b", {}, player), holds, badges, values);
    });
  }

  /** A zone with its items, the next to leave first. */
  pile(name, items) {
    const { title, order, role } = this.phrases.zones.get(name);
    const shown = order === "last in first out" ? items.slice().reverse() : items;
    const list = shown.map((item) => element("li", { class: `card ${colourOf(item.controller)}` }, this.phrases.item(item)));
    const { layout, sizes } = this.play.teller;
    const size = sizes[layout.zones.findIndex((zone) => zone.name === name)];
    return element("section", { class: `pile ${role}` }, element("h4", {}, title, element("small", {}, ` ${order}, ${items.length} of ${size}`)), list.length ? element("ol", {}, list) : element("p", { class: "faint" }, "empty"));
  }

  // ---------------------------------------------------------------- moves

  /** The moves that are possible now: those of one clause and owner together. */
  moves() {
    const { play, phrases } = this;
    if (!play.here.position.stage) return element("h3", {}, "The game is over");
    const groups = new Map();
    play.moves.forEach((move, number) => {
      const key = `${move.owner} ${move.clause}`;
      groups.set(key, [...(groups.get(key) ?? []), { move, number, words: phrases.choices(move).join("; ") }]);
    });
    const head = element("h3", {}, play.moves.length ? "What can happen now" : "Nothing can happen now");
    const why = !play.isGap ? null : element("p", {}, "No clause applies here. This is a gap in the rules.");
    const cut = play.cut ? element("p", { class: "about" }, `Left out, since a zone has no room for it here: ${play.cut} ${play.cut > 1 ? "moves" : "move"}.`) : null;
    return [head, why, cut, element("ul", { class: "choices" }, [...groups.values()].map((group) => this.group(group)))];
  }

  group(group) {
    const [{ move, number, words }] = group;
    const { title } = this.phrases.clause(move.clause);
    const head = [element("b", {}, this.phrases.owner(move.owner)), " ", element("span", { class: "id" }, move.clause), title ? ` ${title}` : ""];
    const act = (of) => () => this.play.choose(of);
    if (group.length === 1) {
      const said = words ? element("span", { class: "detail" }, words) : null;
      return element("li", { class: colourOf(move.owner) }, element("button", { type: "button", onclick: act(number) }, head, said));
    }
    const same = (one) => group.filter((other) => other.words === one.words);
    const ways = group.map((one) => element("button", { type: "button", onclick: act(one.number) }, `${one.words || "nothing more"}${same(one).length > 1 ? ` (${same(one).indexOf(one) + 1})` : ""}`));
    return element("li", { class: colourOf(move.owner) }, element("p", {}, head), element("div", { class: "ways" }, ways));
  }

  /** The moves that were made, each leading back to it. */
  made() {
    const rows = this.play.moments.slice(1).map(({ move }, index) => {
      const at = index + 1;
      const { title } = this.phrases.clause(move.clause);
      const words = `${this.phrases.owner(move.owner)} ${move.clause} ${title}`;
      return element("li", {}, element("button", { type: "button", "aria-current": at === this.play.at ? "step" : null, onclick: () => this.play.go(at) }, words));
    });
    return rows.length ? [element("h3", {}, "Moves so far"), element("ol", {}, rows)] : [];
  }
}

/** Mark the box of class *name* on the map *id*, if there is one, and have it in sight there. */
function markIn(id, name) {
  const map = document.getElementById(id);
  map?.querySelector(".here")?.classList.remove("here");
  const box = name ? map?.querySelector(`.${name}`) : null;
  if (!box) return;  // no play comes here in the reading of the map
  box.classList.add("here");
  const { x, y, width, height } = box.getBBox();
  map.scrollTo(x + (width - map.clientWidth) / 2, y + (height - map.clientHeight) / 2);
}

/** What a variable is called, or a player's entry of it. */
function nameOf(cell) {
  return `${cell.name} ${cell.player}`;
}
