"use strict";

/* Asking the tool that serves the page: it decides for other numbers of players, larger zones and
 * other options, and says line by line how far it is. */

class ToolView {
  /** Ask about *rows* what there is of *players*, of *zones*, up to *most* items, and of *options*;
   * plays are put on the *board*, if there is one. */
  constructor(parent, { rows, players, zones, most, options }, board) {
    Object.assign(this, { rows, zones, options, board });
    this.players = number("tool-players", ...players);
    this.sizes = zones.map(([, size], at) => number(`tool-${at}`, size, 1, most));
    this.settings = options.map(({ values, numbers, value }, at) =>
      numbers
        ? number(`tool-option-${at}`, value, ...numbers)
        : choice(`tool-option-${at}`, value, values),
    );
    const fields = [this.players, ...this.sizes].map((input, at) =>
      element(
        "label",
        { for: input.id },
        `${at ? zones[at - 1][0] : "players"} (${input.min} to ${input.max}) `,
        input,
      ),
    );
    const switches = options.map(({ name, title }, at) =>
      element(
        "li",
        {},
        element(
          "label",
          { for: `tool-option-${at}` },
          element("b", {}, name),
          ` ${title} `,
          this.settings[at],
        ),
      ),
    );
    const reading = options.length
      ? element(
          "details",
          { class: "more" },
          element("summary", {}, "Options"),
          element("ul", {}, switches),
        )
      : null;
    this.start = element("button", { type: "submit" }, "Ask with these settings");
    this.stop = element(
      "button",
      { type: "button", disabled: true, onclick: () => this.post("stop", "") },
      "Stop",
    );
    const play = board
      ? element(
          "button",
          { type: "button", onclick: () => this.play() },
          "Play with these settings",
        )
      : null;
    this.status = element("p", { role: "status" });
    this.table = element("div", { class: "answers" });
    const form = element(
      "form",
      {},
      element("div", { class: "sizes" }, fields),
      reading,
      element("div", { class: "sizes" }, this.start, this.stop, play),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask().catch((error) => this.end(`The tool does not answer (${error.message}).`));
    });
    fill(parent, form, this.status, this.table);
  }

  post(path, body) {
    return fetch(`${path}${location.search}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
  }

  /** The options that are not as above, pairs of a name and a value. */
  get chosen() {
    return this.options.flatMap(({ name, value }, at) =>
      this.settings[at].value === value ? [] : [[name, this.settings[at].value]],
    );
  }

  /** Begin a play with what is chosen, if the board has room for it. */
  play() {
    if (![this.players, ...this.sizes].every((input) => input.reportValidity())) return;
    const sizes = this.sizes.map((input) => Number(input.value));
    const why = this.board.play(Number(this.players.value), this.chosen, sizes);
    fill(this.status, why);
  }

  async ask() {
    // What is as above is not named, as in a command: then a property that needs more room gets it.
    const sizes = this.zones.flatMap(([zone, size], at) =>
      Number(this.sizes[at].value) === size ? [] : [[zone, Number(this.sizes[at].value)]],
    );
    const settings = this.chosen;
    const isUsual = this.players.value === this.players.defaultValue;
    const players = isUsual ? undefined : Number(this.players.value);
    this.asked = settings;
    this.start.disabled = true;
    fill(this.table);
    fill(this.status, "The tool begins.");
    const response = await this.post(
      "ask",
      JSON.stringify({
        players,
        sizes: Object.fromEntries(sizes),
        settings: Object.fromEntries(settings),
      }),
    );
    if (!response.ok) return this.end(await response.text());
    this.stop.disabled = false;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let [rest, last] = ["", null];
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const lines = (rest + read.value).split("\n");
      rest = lines.pop();
      for (const line of lines) this.hear((last = JSON.parse(line)));
    }
    if (!last || !(last.failed || last.answers)) this.end("The tool has ended before it answered.");
  }

  hear({ seconds, progress, failed, answers, found, ...scope }) {
    if (failed) this.end(failed);
    else if (answers) this.tell(answers, scope);
    else if (found) this.list(found.answers, found);
    else
      fill(
        this.status,
        [`${seconds} s`, ...(progress ? [progress.what, counted(progress)] : [])].join(", "),
      );
  }

  end(words) {
    this.start.disabled = false;
    this.stop.disabled = true;
    fill(this.status, words);
  }

  tell(answers, { players, sizes, milliseconds }) {
    const others = answers.filter((answer, row) => this.isOther(answer, row)).length;
    const open = answers.filter(({ outcome }) => OPEN.has(outcome)).length;
    const scope = [
      `${players} ${players === 1 ? "player" : "players"}`,
      ...this.zones.map(([zone], at) => `${zone} ${sizes[at]}`),
      ...this.asked.map((setting) => setting.join(" ")),
    ];
    this.end(
      `With ${scope.join(", ")}: ${compared(others, open)}. It took ${(milliseconds / 1000).toFixed(1)} s.`,
    );
    this.list(answers, { players, sizes });
  }

  /** Show *answers* for this number of *players* and these *sizes* of zones, those that are others
   * than above first. */
  list(answers, { players, sizes }) {
    const sorted = answers
      .map((answer, row) => [answer, row])
      .sort((a, b) => this.isOther(...b) - this.isOther(...a) || a[1] - b[1]);
    const reading = this.board?.readingOf(players, this.asked);
    const show = reading ? (answer) => this.board.put(reading, sizes, answer) : null;
    fill(
      this.table,
      element(
        "ul",
        {},
        sorted.map(([answer, row]) => this.row(answer, row, show)),
      ),
    );
  }

  /** What is found above, where *answer* is the one of that *row*; in another reading others may be
   * asked, and none is found. */
  before({ name }, row) {
    const at = this.asked.length ? this.rows.findIndex(([other]) => other === name) : row;
    return this.rows[at]?.[1] ?? "";
  }

  /** Whether an answer is another than that above; one that is open is not. */
  isOther(answer, row) {
    return !OPEN.has(answer.outcome) && isAnother(this.before(answer, row), answer.outcome);
  }

  /** The row of *answer*, of that number; *show* puts its play on the board, if that can be. */
  row(answer, row, show) {
    const { name, outcome, says, keys, cards } = answer;
    const before = this.before(answer, row);
    const said = [before === outcome ? "" : before ? `above: ${before}` : "not asked above", says]
      .filter(Boolean)
      .join("; ");
    const button =
      keys.length && show
        ? element("button", { type: "button", onclick: () => show(answer) }, "Show the play")
        : null;
    const told = cards.length
      ? element(
          "details",
          {},
          element("summary", {}, "The play in cards"),
          element("ol", { class: "cards" }, cards.map(card)),
        )
      : null;
    return element(
      "li",
      { class: this.isOther(answer, row) ? "changed" : null },
      element("span", { class: `outcome ${outcome.toLowerCase()}` }, outcome),
      " ",
      element("span", { class: "name" }, name),
      " ",
      element("span", { class: "says" }, said),
      button,
      told,
    );
  }
}

/** An input for a number from *low* to *high*. */
function number(id, value, low, high) {
  return element("input", { type: "number", id, min: low, max: high, value, required: true });
}

/** A choice of *values*, each with its title. */
function choice(id, value, values) {
  return element(
    "select",
    { id },
    values.map(([one, title]) =>
      element("option", { value: one, selected: one === value }, title ? `${one}: ${title}` : one),
    ),
  );
}

/** How far *progress* is: parts of a whole, or positions. */
function counted({ parts, positions }) {
  return parts ? `${parts[0]} of ${parts[1]}` : `${positions.toLocaleString("en")} positions`;
}

/** A card of a play. */
function card({ css, who, what, now, end }) {
  return element(
    "li",
    { tabindex: 0, class: css },
    element("p", { class: "who" }, who),
    element("p", {}, what),
    element("p", { class: "now" }, now),
    end ? element("p", { class: "end" }, end) : null,
  );
}
