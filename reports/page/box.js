"use strict";

/* The box: a question in words, typed, chosen or put together, and the card with its answer. */

const CALLS = 12;

class BoxView {
  /** A box in *parent* for what is *offered*; *ask* takes a question and gives its answers, *show*
   * puts one on the board; *command* decides it elsewhere; *lines* has the lines of clauses. */
  constructor(parent, offered, { players, ask, show, command, rules, lines }) {
    Object.assign(this, { offered, players, asking: ask, show, command, rules, lines });
    this.box = element("input", {
      type: "text",
      id: "ruling-box",
      list: "ruling-words",
      autocomplete: "off",
      spellcheck: false,
      required: true,
      maxlength: 2000,
    });
    this.words = element("datalist", { id: "ruling-words" });
    this.box.addEventListener("input", () => this.complete());
    this.asked = this.select(
      "ruling-asked",
      "Questions of judges",
      ["choose one", ...offered.rulings],
      (value) => this.put(value),
    );
    this.status = element("p", { role: "status", class: "about" });
    this.card = element("div", { class: "rulings" });
    const form = element(
      "form",
      { class: "asked" },
      element("label", { for: "ruling-box" }, "Question"),
      this.box,
      this.words,
      element("button", { type: "submit" }, "Ask"),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask(this.box.value);
    });
    fill(parent, form, this.asked, this.menus(), this.status, this.card);
    this.complete();
  }

  /** A labelled choice of *values*; *chosen* gets the one that is chosen, but not the first. */
  select(id, label, values, chosen) {
    const options = values.map((value, number) =>
      element("option", { value: number ? value : "" }, value),
    );
    const select = element("select", { id, onchange: () => chosen(select.value) }, options);
    return element("label", { class: "menu", for: id }, `${label} `, select);
  }

  /** Choices that put a question together. */
  menus() {
    const { offered, players } = this;
    const names = [...Array(players).keys()].map(playerName);
    const lying = [
      "nothing",
      ...names.flatMap((name) => offered.kinds.map((kind) => `${name}'s ${kind}`)),
    ];
    const questions = [
      "may they respond?",
      "may they do something now?",
      ...offered.acts.flatMap(([, act]) => [
        `may they ${act}?`,
        `may they ${act} before it resolves?`,
      ]),
      ...offered.questions.filter((one) => !one.startsWith("may")),
    ];
    const compose = () => this.put(this.composed());
    this.chosen = Object.fromEntries(
      [
        ["owner", this.select("ruling-owner", "Whose turn", ["any", ...names], compose)],
        ["step", this.select("ruling-step", "Step", ["any", ...offered.steps], compose)],
        ["holder", this.select("ruling-holder", "Priority", ["any", ...names], compose)],
        [
          "stack",
          offered.stack
            ? this.select("ruling-stack", offered.stack, ["any", ...lying], compose)
            : null,
        ],
        [
          "who",
          this.select(
            "ruling-who",
            "They are",
            [names[1] ?? names[0], ...names.filter((_, seat) => seat !== 1)],
            compose,
          ),
        ],
        [
          "question",
          this.select(
            "ruling-question",
            "Question",
            ["who has priority?", ...questions.filter((one) => one !== "who has priority?")],
            compose,
          ),
        ],
      ].filter(([, one]) => one),
    );
    return element(
      "details",
      { class: "more" },
      element("summary", {}, "Put a question together"),
      element("div", { class: "menus" }, Object.values(this.chosen)),
    );
  }

  /** The question that the menus say. */
  composed() {
    const said = (name) => this.chosen[name]?.querySelector("select").value ?? "";
    const [owner, step, holder, stack] = ["owner", "step", "holder", "stack"].map(said);
    const turn = step
      ? [`in ${owner ? `${owner}'s` : "the"} ${step}`]
      : owner
        ? [`it is ${owner}'s turn`]
        : [];
    const on =
      stack === "nothing"
        ? [`the ${this.offered.stack} is empty`]
        : stack
          ? [`${this.offered.stack}: ${stack}`]
          : [];
    const situation = [...turn, ...(holder ? [`${holder} has priority`] : []), ...on].join("; ");
    const who = said("who") || (this.players > 1 ? "B" : "A");
    const question = (said("question") || "who has priority?")
      .replace("they", who)
      .replace("do something now", "act now");
    return situation ? `${situation}: ${question}` : question;
  }

  put(text) {
    if (!text) return;
    this.box.value = text;
    this.ask(text);
  }

  /** Offer what may come next in the box. */
  complete() {
    const { value } = this.box;
    const [, before, begun] = /^(.*?(?:[;:]\s*)?)([^;:]*)$/s.exec(value);
    const isAsked = /:\s*$/.test(before);
    const names = [...Array(this.players).keys()].map(playerName);
    const { rulings, acts, steps, causes, questions } = this.offered;
    const doing = names.flatMap((name) => [
      ...acts.map(([act]) => `${name} ${act}`),
      `${name} passes`,
    ]);
    const may = names.flatMap((name) => [
      `may ${name} respond?`,
      ...acts.flatMap(([, act]) => [
        `may ${name} ${act}?`,
        `may ${name} ${act} before it resolves?`,
      ]),
    ]);
    const statements = [
      ...doing,
      "everybody passes",
      ...steps.map((step) => `in the ${step}`),
      ...causes,
    ];
    const begins = (one) => one.toLowerCase().startsWith(begun.trim().toLowerCase());
    const whole = rulings.filter(
      (one) => value && one.toLowerCase().includes(value.trim().toLowerCase()),
    );
    const next = [...(isAsked ? [] : statements), ...questions, ...may].filter(
      (one) => !begun.trim() || begins(one),
    );
    const found = [...(before ? [] : whole), ...next.map((one) => `${before}${one}`)].slice(
      0,
      CALLS,
    );
    fill(
      this.words,
      found.map((one) => element("option", { value: one })),
    );
  }

  async ask(text) {
    if (!text.trim()) return this.box.reportValidity();
    const turn = (this.turn = (this.turn ?? 0) + 1);
    fill(this.status, "");
    let said;
    try {
      said = await this.asking(text);
    } catch (error) {
      if (!(error instanceof LeftError)) throw error;
      said = { refused: `This page does not decide it: ${error.message}` };
    }
    if (turn !== this.turn) return;
    const command = element(
      "pre",
      { tabindex: 0, "aria-label": "The command" },
      this.command(text),
    );
    const decides = element(
      "p",
      { class: "about" },
      said.refused ? "Ask it at a terminal:" : "The same, at a terminal:",
    );
    fill(this.status, said.refused ?? "");
    fill(
      this.card,
      (said.answers ?? []).map((one) => this.told(one, said, text)),
      decides,
      command,
    );
  }

  /** The card of an answer. */
  told(
    { question, head, detail, note, clauses, open, listed, because = [], lanes, keys },
    { scope, players },
    text,
  ) {
    const words = listed.length
      ? `${listed.length} things:`
      : `${head.toUpperCase()}${detail ? `; ${detail}` : ""}.`;
    const clause = ({ id, title, line }) =>
      element("li", {}, element("a", { class: "id", href: `#L${line}` }, id), ` ${title}`);
    const [first] = clauses;
    const written = first
      ? element(
          "details",
          {},
          element("summary", {}, `${first.id} as it is written`),
          element("pre", { tabindex: 0 }, this.rules(first.line)),
        )
      : null;
    const may = open.map(({ id, title }) => `${title} (${id})`).join("; ");
    const kept = { name: text, says: head, end: detail };
    const put = (at = keys.length - 1) => this.show(keys, players, kept, at);
    return element(
      "article",
      { class: "ruling" },
      element("p", { class: "about" }, question),
      element("p", { class: "head" }, words),
      listed.length
        ? element(
            "ul",
            { class: "listed" },
            listed.map((one) => element("li", {}, one)),
          )
        : null,
      element("ul", { class: "deciding" }, clauses.map(clause)),
      written,
      because.length ? element("p", {}, `Because ${because.join("; ")}`) : null,
      element(
        "ol",
        { class: "play-lanes" },
        lanes.map((row) =>
          this.lane(row, keys.length && this.show ? () => put(row.moment) : null),
        ),
      ),
      open.length ? element("p", {}, `Open then: ${may}`) : null,
      element(
        "p",
        { class: "about" },
        [`Within ${scope}.`, ...(note ? [`Note: ${note}.`] : [])].join(" "),
      ),
      keys.length && this.show
        ? element(
            "p",
            {},
            element(
              "button",
              { type: "button", onclick: () => put() },
              "Put this play on the board",
            ),
          )
        : null,
    );
  }

  /** A row of the play: who has priority in it, what is done, and what lies where after it; its
   * number can be used to *put* it on the board. */
  lane({ number, words, clause, then, holders, passed, piles, filled }, put) {
    const mark = (seat) => (holders.includes(seat) ? "●" : passed.includes(seat) ? "·" : "│");
    const seats = Math.max(this.players, ...holders.map((seat) => seat + 1));
    const marks = [...Array(seats).keys()].map((seat) =>
      element("i", {}, `${playerName(seat)} ${mark(seat)}`),
    );
    const named = (whose) => joined(whose.map(playerName));
    const says = `priority: ${named(holders) || "nobody"}${passed.length ? `; passed: ${named(passed)}` : ""}`;
    const after = then.length
      ? element("span", { class: "detail" }, `then ${then.join(", ")}`)
      : null;
    const line = this.lines.get(clause);
    const id = line ? element("a", { class: "id", href: `#L${line}` }, clause) : clause;
    const what = element(
      "span",
      { class: filled ? "faint" : null },
      words,
      clause ? " " : "",
      id,
      filled ? " (filled in)" : "",
      after,
    );
    return element(
      "li",
      {},
      element(
        "span",
        { class: "number" },
        put
          ? element("button", { type: "button", class: "moment", onclick: put }, String(number))
          : String(number),
      ),
      what,
      element("span", { class: "marks", title: says }, marks),
      element("span", { class: "detail" }, piles.join("; ")),
    );
  }
}

/** The lines of the clause that begins on line *number* of the rules on the page. */
function writtenAt(number) {
  const line = (at) => document.getElementById(`L${at}`)?.textContent.replace(/\n$/, "");
  const indent = (text) => text.length - text.trimStart().length;
  const found = [line(number)];
  for (
    let at = number + 1;
    line(at) !== undefined && (!line(at).trim() || indent(line(at)) > indent(found[0]));
    at += 1
  )
    found.push(line(at));
  return found.join("\n").trimEnd();
}
