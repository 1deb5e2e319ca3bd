"use strict";

/* The view of a play: the players in lanes, zones in piles, what else is so, what the last move
 * did, and the moves that are possible now. */

const SWIPE = 60;

class PlayView {
  /** Show *play* in *parent*, in the words of *phrases*, with the *obstacles* to what cannot be
   * done, the words for *claiming* it, and the keys of all *positions*, if they are drawn. */
  constructor(parent, play, phrases, { obstacles, claiming, positions }) {
    Object.assign(this, {
      play,
      phrases,
      positions,
      why: new WhyNot(play, phrases, obstacles),
      claim: new ClaimView(play, claiming),
    });
    const { teller } = play;
    this.reading = new ReadingView("play-reading", teller.options, phrases, () => {
      play.setUp(teller.sizes, this.reading.value);
      play.changed();
      this.say("A play of this reading begins.");
    });
    this.parts = Object.fromEntries(
      ["bar", "note", "did", "now", "moves", "made"].map((name) => [
        name,
        element("div", { class: name }),
      ]),
    );
    this.parts.note.setAttribute("role", "status");
    this.parts.did.setAttribute("aria-live", "polite");
    const { bar, note, did, now, moves, made } = this.parts;
    this.buttons = {
      start: this.button("|◀ start", "Go to the start", () => play.go(0), "edge"),
      back: this.button("◀ back", "One move back", () => play.back()),
      forward: this.button("forward ▶", "One move forward", () => play.forward()),
      end: this.button(
        "end ▶|",
        "Go to the last move",
        () => play.go(play.moments.length - 1),
        "edge",
      ),
      undo: this.button("undo", "Undo the last choice", () => play.undo()),
      anew: this.button("start over", "Begin an empty play", () => play.anew()),
    };
    this.count = element("span", { class: "count" });
    this.link = element("a", { class: "link" }, "link to this play");
    this.turns = new Turns(play, phrases);
    this.kept = new Kept(play);
    const { line, because } = this.kept;
    fill(bar, ...Object.values(this.buttons), this.count, this.link, line, this.turns.view);
    fill(
      parent,
      bar,
      note,
      element(
        "div",
        { class: "board" },
        element("div", {}, did, now),
        element("div", {}, because, moves, this.why.view, made, this.claim.view),
      ),
      element("div", { class: "settings" }, this.reading.players, this.reading.view),
    );
    this.listen(parent);
  }

  button(words, label, act, kind = null) {
    return element(
      "button",
      { type: "button", class: kind, "aria-label": label, onclick: act },
      words,
    );
  }

  /** Step with arrow keys, wherever nothing else wants them, and by swiping over the board. */
  listen(parent) {
    const keys = { ArrowLeft: () => this.play.back(), ArrowRight: () => this.play.forward() };
    document.addEventListener("keydown", (event) => {
      const taken =
        event.altKey ||
        event.ctrlKey ||
        event.metaKey ||
        event.target.closest("input, select, textarea, summary, .map");
      if (taken || !keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
    let from = null;
    parent.addEventListener("touchstart", (event) => (from = event.changedTouches[0]), {
      passive: true,
    });
    parent.addEventListener(
      "touchend",
      (event) => {
        const to = event.changedTouches[0];
        const [x, y] = from ? [to.clientX - from.clientX, to.clientY - from.clientY] : [0, 0];
        if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y))
          keys[x < 0 ? "ArrowRight" : "ArrowLeft"]();
      },
      { passive: true },
    );
  }

  /** Say *words* of what was just done. */
  say(words) {
    fill(this.parts.note, words);
  }

  /** Keep the verdict that *row* tells on every move of its play, which is on the board now, and
   * look at moment *at* of it. */
  keep(row, at = this.play.at) {
    this.kept.keep(row);
    this.play.at = at;
    this.draw();
  }

  draw() {
    const { play, buttons } = this;
    const last = play.moments.length - 1;
    buttons.start.disabled = buttons.back.disabled = play.at === 0;
    buttons.end.disabled = play.at === last;
    buttons.forward.disabled = play.at === last && play.onward < 0;
    buttons.undo.disabled = !play.undoable.length;
    buttons.anew.disabled = !last;
    this.reading.set(play.teller.reading);
    fill(this.count, `move ${play.at} of ${last}`);
    this.link.setAttribute("href", play.link);
    this.say("");
    this.kept.draw();
    this.turns.draw();
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
    markIn(
      "map-stages",
      position.stage ? `stage-${phrases.map.indexOf(position.stage)}` : "stage-over",
    );
    markIn(
      "map-positions",
      play.isUsualReading ? `position-${this.positions.indexOf(keyOf(position))}` : "",
    );
  }

  // ---------------------------------------------------------------- the last move

  /** What was decided last, and what then went by itself. */
  did() {
    const { play } = this;
    const from = play.decided(play.at);
    const silent = play.moments.slice(from + 1, play.at + 1).map(({ move }) => move);
    return [this.decision(from), silent.length ? this.silent(silent, from + 1) : null];
  }

  /** The move to moment *at*, which somebody has decided. */
  decision(at) {
    const { move } = this.play.moments[at];
    if (!move) return element("p", { class: "last" }, "The game begins.");
    return element(
      "p",
      { class: `last ${colourOf(move.owner)}` },
      this.named(move),
      this.details(move, at),
    );
  }

  /** What is chosen and happens in the *move* to moment *at*. */
  details(move, at) {
    const said = [...this.phrases.choices(move), ...this.phrases.events(move)];
    return (this.kept.told(at) ?? said).map((words) => element("span", { class: "detail" }, words));
  }

  /** The *moves* that went by themselves from moment *at* on, folded. */
  silent(moves, at) {
    const happened = moves.flatMap((move) => this.phrases.events(move));
    const { holders } = this.play.here;
    const holds = holders.length
      ? [`${joined(holders)} ${holders.length > 1 ? "have" : "has"} priority`]
      : [];
    const said = [...happened, ...holds].length
      ? [...happened, ...holds]
      : [this.phrases.clause(moves.at(-1).clause).title];
    const steps = moves.length > 1 ? ` · ${moves.length} steps` : "";
    const list = moves.map((move, number) =>
      element("li", {}, this.named(move), this.details(move, at + number)),
    );
    return element(
      "details",
      { class: "then" },
      element("summary", {}, `then ${joined(said)}${steps}`),
      element("ol", {}, list),
    );
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
    const from = play.decided(play.at);
    const before = from
      ? new Map(
          play.moments[from - 1].position.variables.map((cell) => [
            nameOf(cell),
            cell.words.join(),
          ]),
        )
      : null;
    const changed = (cell) => before !== null && before.get(nameOf(cell)) !== cell.words.join();
    // Who has priority is told below.
    const stage = position.arguments
      .filter((cell) => cell.kind !== "player" || joined(holders) !== phrases.value(cell))
      .map((cell) => `${cell.name} ${phrases.value(cell)}`);
    const steps = phrases.sequences.map(({ variable, title }) => {
      const cell = position.variables.find((one) => one.name === variable);
      return cell.words[0] === "none" && variable !== "step"
        ? null
        : this.fact(
            title,
            phrases.steps.get(`${variable}.${cell.words[0]}`) ?? cell.words[0],
            changed(cell),
          );
    });
    const sequences = new Set(phrases.sequences.map(({ variable }) => variable));
    const rest = position.variables.filter((cell) => !cell.player && !sequences.has(cell.name));
    const facts = rest.filter((cell) => cell.kind !== "player" && cell.kind !== "players");
    return [
      element(
        "h3",
        {},
        phrases.stage(position.stage),
        stage.length ? element("small", {}, ` ${joined(stage)}`) : null,
      ),
      element(
        "p",
        { class: "priority" },
        `${joined(holders) || "Nobody"} ${holders.length > 1 ? "have" : "has"} priority.`,
      ),
      element(
        "ul",
        { class: "lanes", "aria-label": "Players" },
        this.lanes(position, holders, rest, changed),
      ),
      element(
        "div",
        { class: "piles" },
        position.zones.map(([name, items], number) =>
          this.pile(name, items, this.kept.named(number)),
        ),
      ),
      element(
        "dl",
        { class: "facts" },
        steps,
        facts.map((cell) =>
          this.fact(
            phrases.variable(cell.name),
            phrases.value(cell),
            changed(cell),
            cell.kind === "flag" && cell.words[0] === "no",
          ),
        ),
      ),
    ];
  }

  fact(name, value, isChanged, isFaint = false) {
    return element(
      "div",
      { class: `fact${isChanged ? " changed" : ""}${isFaint ? " faint" : ""}` },
      element("dt", {}, name),
      element("dd", {}, value),
    );
  }

  /** A lane for each player: what is so of them. */
  lanes(position, holders, rest, changed) {
    return [...Array(this.play.teller.players).keys()].map(playerName).map((player) => {
      const marks = rest.filter(
        (cell) =>
          (cell.kind === "player" || cell.kind === "players") && cell.words.includes(player),
      );
      const own = position.variables.filter((cell) => cell.player === player);
      const badges = marks.map((cell) =>
        element(
          "span",
          {
            class: `badge${changed(cell) ? " changed" : ""}`,
            title: this.phrases.variable(cell.name),
          },
          cell.name.replaceAll("_", " "),
        ),
      );
      const values = own.map((cell) =>
        element(
          "span",
          { class: `badge${changed(cell) ? " changed" : ""}` },
          `${this.phrases.variable(cell.name)}: ${this.phrases.value(cell)}`,
        ),
      );
      const holds = holders.includes(player)
        ? element("span", { class: "badge holds" }, "priority")
        : null;
      return element(
        "li",
        { class: `lane ${colourOf(player)}` },
        element("b", {}, player),
        holds,
        badges,
        values,
      );
    });
  }

  /** A zone with its items, the next to leave first, as they are *called*. */
  pile(name, items, called) {
    const { title, order, role } = this.phrases.zones.get(name);
    const shown = order === "last in first out" ? items.slice().reverse() : items;
    const list = shown.map((item, number) =>
      element(
        "li",
        { class: `card ${colourOf(item.controller)}` },
        this.phrases.item(item, called?.[number]),
      ),
    );
    const { layout, sizes } = this.play.teller;
    const size = sizes[layout.zones.findIndex((zone) => zone.name === name)];
    return element(
      "section",
      { class: `pile ${role}` },
      element("h4", {}, title, element("small", {}, ` ${order}, ${items.length} of ${size}`)),
      list.length ? element("ol", {}, list) : element("p", { class: "faint" }, "empty"),
    );
  }

  // ---------------------------------------------------------------- moves

  /** The moves that are possible now, one button an action and passes first; what the cards may
   * cause is folded. */
  moves() {
    const { play } = this;
    if (!play.here.position.stage) return [element("h3", {}, "The game is over"), this.caused([])];
    const { actions, caused } = this.sorted();
    const head = element(
      "h3",
      {},
      play.moves.length ? "What can happen now" : "Nothing can happen now",
    );
    const why = !play.isGap
      ? null
      : element("p", {}, "No clause applies here. This is a gap in the rules.");
    const cut = play.cut
      ? element(
          "p",
          { class: "about" },
          `Left out, since a zone has no room for it here: ${play.cut} ${play.cut > 1 ? "moves" : "move"}.`,
        )
      : null;
    return [
      head,
      why,
      cut,
      element(
        "ul",
        { class: "choices" },
        actions.map((group) => this.group(group)),
      ),
      this.caused(caused),
    ];
  }

  /** The *actions* that are possible here, in groups, and the moves in which the cards cause
   * something, if there are any without. */
  sorted() {
    const all = this.play.moves.map((move, number) => ({ move, number, at: this.play.at }));
    const isCaused = ({ move }) =>
      move.owner === "cards" ||
      (!move.choices.every((choice) => choice.by !== "cards" || isNothing(choice)) &&
        all.some((other) => this.isQuieter(other.move, move)));
    const caused = all.filter(isCaused);
    const groups = [...this.grouped(all.filter((one) => !isCaused(one))).values()];
    const passes = (group) => Number(isPass(group[0].move));
    groups.sort((a, b) => passes(b) - passes(a));
    return groups.length
      ? { actions: groups, caused }
      : { actions: [...this.grouped(caused).values()], caused: [] };
  }

  /** Whether *other* is *move* but that the cards cause nothing in it. */
  isQuieter(other, move) {
    return (
      other !== move &&
      other.owner === move.owner &&
      other.clause === move.clause &&
      other.choices.every((choice) => choice.by !== "cards" || isNothing(choice))
    );
  }

  /** Those of *moves* of one clause and owner together. */
  grouped(moves) {
    const groups = new Map();
    for (const one of moves) {
      const key = `${one.at} ${one.move.owner} ${one.move.clause}`;
      groups.set(key, [
        ...(groups.get(key) ?? []),
        { ...one, words: this.phrases.choices(one.move).join("; ") },
      ]);
    }
    return groups;
  }

  /** What the cards may cause here, *caused*, and could have caused in the moves that went by
   * themselves since the last decision. */
  caused(caused) {
    const { play } = this;
    const earlier = [];
    for (let at = play.decided(play.at); at < play.at; at += 1) {
      play
        .movesAt(at)
        .forEach(
          (move, number) => number === play.numbers[at] || earlier.push({ move, number, at }),
        );
    }
    const rows = [...this.grouped(caused).values(), ...this.grouped(earlier).values()];
    if (!rows.length) return null;
    const count = caused.length + earlier.length;
    return element(
      "details",
      { class: "more causes" },
      element("summary", {}, `…and the cards cause something (${count})`),
      element(
        "ul",
        {},
        rows.map((group) => this.group(group, true)),
      ),
    );
  }

  group(group, isFolded = false) {
    const [{ move, at, words }] = group;
    const { title } = this.phrases.clause(move.clause);
    const before = at < this.play.at ? element("small", {}, ` before move ${at + 1}`) : null;
    const head = [
      element("b", {}, this.phrases.owner(move.owner)),
      " ",
      element("span", { class: "id" }, move.clause),
      title ? ` ${title}` : "",
      before,
    ].filter((part) => part !== null);
    const button = (one, ...said) =>
      element(
        "button",
        {
          type: "button",
          "data-move": one.at === this.play.at ? String(one.number) : null,
          onclick: () => this.play.choose(one.number, one.at),
        },
        ...said,
      );
    if (group.length === 1) {
      const said = words ? element("span", { class: "detail" }, words) : null;
      return element("li", { class: colourOf(move.owner) }, button(group[0], head, said));
    }
    const same = (one) => group.filter((other) => other.words === one.words);
    const ways = element(
      "div",
      { class: "ways" },
      group.map((one) =>
        button(
          one,
          `${one.words || "nothing more"}${same(one).length > 1 ? ` (${same(one).indexOf(one) + 1})` : ""}`,
        ),
      ),
    );
    const parts = isFolded
      ? [element("p", {}, head), ways]
      : element(
          "details",
          { class: "action" },
          element(
            "summary",
            {},
            head,
            element("span", { class: "detail" }, `${group.length} ways`),
          ),
          ways,
        );
    return element("li", { class: colourOf(move.owner) }, parts);
  }

  /** The moves that were made, each leading back to it. */
  made() {
    const { play } = this;
    const rows = [];
    for (let at = 1; at < play.moments.length; at += 1) {
      if (!play.isSilent(at - 1)) rows.push(this.step(at));
      else if (at > 1 && play.isSilent(at - 2)) continue;
      else {
        let end = at;
        while (end < play.moments.length - 1 && play.isSilent(end)) end += 1;
        const steps = [...Array(end - at + 1).keys()].map((number) => this.step(at + number));
        const isHere = at <= play.at && play.at < end;
        rows.push(
          element(
            "li",
            {},
            element(
              "details",
              { open: isHere },
              element(
                "summary",
                {},
                `the rules go on · ${steps.length} ${steps.length > 1 ? "steps" : "step"}`,
              ),
              element("ol", {}, steps),
            ),
          ),
        );
      }
    }
    return rows.length ? [element("h3", {}, "Moves so far"), element("ol", {}, rows)] : [];
  }

  /** A move that was made, which leads back to it. */
  step(at) {
    const { move } = this.play.moments[at];
    const { owner, clause } = move;
    const words = `${this.phrases.owner(owner)} ${clause} ${this.phrases.clause(clause).title}`;
    const end = this.kept.ending(at);
    return element(
      "li",
      {},
      element(
        "button",
        {
          type: "button",
          "data-at": at,
          "aria-current": at === this.play.at ? "step" : null,
          onclick: () => this.play.go(at),
        },
        words,
        end ? element("b", { class: this.kept.tone }, ` ${end}`) : null,
      ),
    );
  }
}

/** Mark the boxes of class *name* on the map *id*, if there are any, and have them in sight
 * there. */
function markIn(id, name) {
  const map = document.getElementById(id);
  for (const box of map?.querySelectorAll(".here") ?? []) box.classList.remove("here");
  // None if no play comes here in the reading of the map.
  for (const box of (name && map?.querySelectorAll(`.${name}`)) || []) {
    box.classList.add("here");
    if (!box.getClientRects().length) continue; // the map for screens of another width
    const { x, y, width, height } = box.getBBox();
    map.scrollTo(x + (width - map.clientWidth) / 2, y + (height - map.clientHeight) / 2);
  }
}

/** What a variable is called, or a player's entry of it. */
function nameOf(cell) {
  return `${cell.name} ${cell.player}`;
}
