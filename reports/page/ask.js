"use strict";

/* Asking in the page: other sizes and another reading are chosen, a worker searches, and what it
 * finds is set beside what was found when the page was written. */

const [LEAST_MEMORY, MEMORY, MOST_MEMORY] = [16, 1024, 2047]; // MiB
const GOOD = new Set(["HOLDS", "PROVED"]);
const ENDS = { VIOLATED: "Here it breaks.", POSSIBLE: "This is the witness." };
const OPEN = new Set(["UNKNOWN", "BOUNDED"]);

/** Whether *outcome* is another than the one *before*, if there is one; HOLDS and PROVED are the
 * same within sizes. */
function isAnother(before, outcome) {
  return before !== "" && before !== outcome && !(GOOD.has(before) && GOOD.has(outcome));
}

/** How many answers *differ* from those above, and how many are *open*, in words. */
function compared(differ, open) {
  const number = differ > 1 ? "answers differ" : "answer differs";
  const others = `${differ || "no"} ${number} from those above`;
  return open ? `${others}, and ${open} ${open > 1 ? "are" : "is"} open` : others;
}

class AskView {
  /** Ask of the game *given*, its tables, whose *modules* are compiled, *questions*, some of them
   * those of *rows*; *show* puts a play of some sizes and reading on the board. */
  constructor(parent, given, modules, { rows, questions, claiming, usual }, phrases, script, show) {
    Object.assign(this, {
      given,
      modules,
      rows,
      questions,
      claiming,
      usual,
      script,
      show,
      worker: null,
    });
    const { layout, sizes, left, limits, options } = given;
    this.reading = new ReadingView("ask-reading", options, phrases);
    const least = (zone) => (limits ? 1 : zone.size);
    this.inputs = layout.zones.map((zone, number) =>
      element("input", {
        type: "number",
        id: `size-${number}`,
        min: least(zone),
        max: zone.size,
        value: sizes[number],
      }),
    );
    const fields = layout.zones.map((zone, number) =>
      element(
        "label",
        { for: `size-${number}` },
        `${zone.name} (${least(zone)} to ${zone.size}) `,
        this.inputs[number],
      ),
    );
    this.memory = element("input", {
      type: "number",
      id: "ask-memory",
      min: LEAST_MEMORY,
      max: MOST_MEMORY,
      value: MEMORY,
    });
    fields.push(element("label", { for: "ask-memory" }, "memory, MiB at most ", this.memory));
    this.start = element("button", { type: "submit" }, "Ask with these settings");
    this.stop = element(
      "button",
      { type: "button", disabled: true, onclick: () => this.worker.postMessage({ stop: true }) },
      "Stop",
    );
    const play = element(
      "button",
      {
        type: "button",
        onclick: () => this.sizes() && show(this.sizes(), this.reading.value, null),
      },
      "Play with these settings",
    );
    this.status = element("p", { role: "status" });
    this.table = element("div", { class: "answers" });
    const form = element(
      "form",
      { class: "sizes" },
      this.reading.view,
      this.reading.players,
      fields,
      this.start,
      this.stop,
      play,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.sizes() && this.memory.reportValidity()) this.ask(this.sizes(), this.reading.value);
    });
    const above = new Set(left.map(([row]) => questions[row].row).filter((row) => row !== null))
      .size;
    const other = above
      ? ` ${above} of the ${rows.length} properties above need the tool; each answer names them, and the command that decides them.`
      : "";
    const fixed = joined([
      ...(this.reading.players ? [] : ["players"]),
      ...(this.reading.view.hidden ? ["options"] : []),
    ]);
    const kept = fixed && `${fixed[0].toUpperCase()}${fixed.slice(1)} are those of the page.`;
    fill(
      parent,
      element("p", { class: "about" }, `${kept}${other}`),
      form,
      this.status,
      this.table,
    );
  }

  /** The sizes that were chosen; nothing if one is not possible. */
  sizes() {
    return this.inputs.every((input) => input.reportValidity())
      ? this.inputs.map((input) => Number(input.value))
      : null;
  }

  ask(sizes, reading) {
    this.worker?.terminate();
    const address = URL.createObjectURL(new Blob([this.script], { type: "text/javascript" }));
    const worker = (this.worker = new Worker(address));
    URL.revokeObjectURL(address);
    Object.assign(this, {
      begun: performance.now(),
      answers: [],
      counted: null,
      asked: { sizes, reading },
    });
    const asked = this.given.asked.filter(({ row }) => isMet(this.questions[row].when, reading));
    const players = seatsIn(this.given, reading);
    this.tables = {
      ...this.given,
      asked: asked.filter(({ needs }) =>
        needs.every(([name, number]) => name !== "players" || number <= players),
      ),
    };
    this.lacking = asked.length - this.tables.asked.length;
    this.wanted = asked.length - this.lacking;
    this.stop.disabled = false;
    this.list = element("ul");
    fill(this.table, this.list);
    this.answerProved(reading);
    // What an earlier one has said may still be on its way.
    const isPresent = () => worker === this.worker;
    worker.onmessage = ({ data }) => isPresent() && this.hear(data);
    worker.onerror = (event) => isPresent() && this.end(`The search has failed: ${event.message}`);
    worker.postMessage({
      tables: this.tables,
      modules: this.modules,
      sizes,
      reading,
      most: Number(this.memory.value) * 2 ** 20,
    });
  }

  /** Answer what is proved above, for all sizes and players: that is not searched for again. */
  answerProved(reading) {
    if (unusual(this.given.options, reading).length) return;
    const above = ({ row }) => this.rows[this.questions[row].row];
    const { asked } = this.tables;
    this.tables.asked = asked.filter((one) => !above(one)?.every);
    for (const { row } of asked.filter((one) => above(one)?.every)) {
      const { outcome, every } = above({ row });
      this.take({ row, outcome, reason: `proved for ${every}`, play: null });
    }
  }

  /** Take in an *answer*, and show it. */
  take(answer) {
    this.answers.push(answer);
    const at = this.sorted().indexOf(answer);
    this.list.insertBefore(this.row(answer), this.list.children[at] ?? null);
  }

  hear({ answer, known, failed, done }) {
    if (failed) this.end(`The search has failed: ${failed}`);
    else if (done)
      this.end(
        `${this.summary()} It took ${((performance.now() - this.begun) / 1000).toFixed(1)} s.`,
      );
    else if (answer && answer.counts && answer.row === undefined) this.counted = answer;
    else if (answer) this.take(answer);
    else
      fill(
        this.status,
        `${this.answers.length} of ${this.wanted} are answered; ${known.toLocaleString("en")} positions in this search.`,
      );
  }

  end(words) {
    this.worker.terminate();
    this.stop.disabled = true;
    fill(this.status, words);
    fill(this.table, this.list, this.rest());
  }

  /** What is left to the tool in the reading that was asked, and what this search has left open,
   * with the command that decides it. */
  rest() {
    const { given, questions, usual, claiming, asked } = this;
    const open = this.open.map(({ row, outcome }) => [questions[row].name, `${outcome} here`]);
    const left = [...leftToTool(given.left, questions, asked.reading), ...open];
    if (!left.length) return null;
    const { layout, options } = given;
    const settings = new Map(claiming.settings);
    options.forEach(
      ({ name, values, isPlayers }, number) =>
        isPlayers || settings.set(name, values[asked.reading[number]]),
    );
    const sizes = layout.zones.map(({ name }, number) => [name, asked.sizes[number]]);
    const said = { players: seatsIn(given, asked.reading), sizes, settings: [...settings] };
    const command = commandFor(
      usual.target,
      { ...claiming.scope, settings: usual.settings },
      said,
      [...new Set(left.map(([name]) => name))],
    );
    const rows = left.map(([name, why]) =>
      element(
        "li",
        {},
        element("span", { class: "outcome" }, "ask the tool"),
        " ",
        element("span", { class: "name" }, name),
        " ",
        element("span", { class: "says" }, why),
      ),
    );
    return [
      element("h3", {}, "Left to the tool"),
      element("p", { class: "about" }, "This command decides them with the same settings:"),
      element("pre", { tabindex: 0, "aria-label": "The command" }, command),
      element("ul", {}, rows),
    ];
  }

  summary() {
    const { counts, stopped } = this.counted;
    const sizes = this.given.layout.zones.map(
      (zone, number) => `${zone.name} ${this.asked.sizes[number]}`,
    );
    const players = seatsIn(this.given, this.asked.reading);
    const where = [
      ...(this.reading.players ? [`${players} ${players === 1 ? "player" : "players"}`] : []),
      ...sizes,
      ...unusual(this.given.options, this.asked.reading),
    ].join(", ");
    const lacking = this.lacking
      ? ` ${this.lacking} more ${this.lacking === 1 ? "needs" : "need"} more players than you chose.`
      : "";
    const positions = `${counts.positions.toLocaleString("en")} positions${stopped ? ` and more (${stopped})` : ""}`;
    const differ = this.answers.filter((answer) => this.isOther(answer)).length;
    const fallen = this.answers.filter(
      ({ row, outcome }) => outcome === "VIOLATED" && GOOD.has(this.before(this.questions[row])),
    );
    const broken = fallen.length
      ? ` What holds there and is broken here: ${joined(fallen.map(({ row }) => this.questions[row].name))}.`
      : "";
    return `With ${where} there are ${positions}; ${compared(differ, this.open.length)}.${broken}${lacking}`;
  }

  /** The answers that decide nothing. */
  get open() {
    return this.answers.filter(({ outcome }) => OPEN.has(outcome));
  }

  /** What the page says of a question; nothing if it is not asked in the page's reading. */
  before(question) {
    return question.row === null ? "" : this.rows[question.row].outcome;
  }

  /** Whether *answer* is another than that of the page; one that is open is not. */
  isOther({ row, outcome }) {
    return !OPEN.has(outcome) && isAnother(this.before(this.questions[row]), outcome);
  }

  /** The answers, those first that are others than the page's. */
  sorted() {
    return [...this.answers].sort((a, b) => this.isOther(b) - this.isOther(a) || a.row - b.row);
  }

  row(answer) {
    const { row, outcome, reason, play } = answer;
    const { name, title } = this.questions[row];
    const before = this.before(this.questions[row]);
    const isOther = this.isOther(answer);
    const said = [
      isAnother(before, outcome)
        ? `above: ${before}`
        : before
          ? ""
          : "not asked above, in the page's reading",
      reason,
    ].filter(Boolean);
    const button = play
      ? element(
          "button",
          {
            type: "button",
            onclick: () =>
              this.show(this.asked.sizes, this.asked.reading, play, {
                name,
                says: outcome,
                end: ENDS[outcome] ?? "",
              }),
          },
          "Show the play",
        )
      : null;
    return element(
      "li",
      { class: isOther ? "changed" : null },
      element("span", { class: "outcome" }, outcome),
      " ",
      element("span", { class: "name" }, name),
      ` ${title} `,
      element("span", { class: "says" }, said.length ? `(${said.join("; ")})` : ""),
      button,
    );
  }
}
