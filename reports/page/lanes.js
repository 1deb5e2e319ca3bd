"use strict";

/* A ruling as it is told: its clauses, and its play as lanes, both as `reports/rulings/told.py`
 * tells them. */

class Telling {
  /** Tells answers in the words of *lexicon*. */
  constructor(lexicon) {
    this.lexicon = lexicon;
  }

  /** *answer* as plain data, as a page that is served gets it. */
  told(answer, referee) {
    const { question, detail, line, cut, stopped, needs } = answer;
    const isOfScope = cut && RESTING.has(answer.head);
    const head = isOfScope ? `${answer.head} within the scope` : answer.head;
    const clause = (id) => {
      const { title, line: at } = this.lexicon.clauses.get(id);
      return { id, title, line: at };
    };
    const more = [...(needs ?? [])].map(([zone, size]) => `--scope ${zone}=${size}`).join(" ");
    const cuts = `the scope cuts moves: ask with more room${more && `, such as ${more}`}`;
    const note = stopped
      ? "the search stopped: what it has not seen is not known"
      : isOfScope
        ? cuts
        : "";
    const keys = [
      ["", "", keyOf(line.before(0).spot.position)],
      ...line.steps.map(({ move, spot }) => [move.clause, move.way, keyOf(spot.position)]),
    ];
    return {
      question,
      head,
      detail,
      note,
      keys,
      listed: [],
      clauses: answer.clauses.map(clause),
      open: answer.can.map(clause),
      lanes: this.lanes(line, referee),
    };
  }

  /** A row for the start of *line*, and one for each move that somebody decides, with what the
   * rules do after it. */
  lanes(line, referee) {
    const labels = itemNames(line, this.lexicon);
    const rows = [
      {
        number: 0,
        moment: 0,
        words: this.start(line.before(0)),
        clause: "",
        then: [],
        filled: false,
        passed: [],
        ...this.now(line.before(0), labels),
      },
    ];
    let passed = [];
    for (const [at, { move, spot, how }] of line.steps.entries()) {
      const [before, after] = [line.before(at), line.before(at + 1)];
      const causes = referee.caused(move).map(({ title }) => title);
      const begun = this.begun(move, spot);
      if (how === "rules" && !causes.length) {
        const last = rows.at(-1);
        Object.assign(last, this.now(after, labels), {
          moment: at + 1,
          passed,
          then: [...last.then, ...begun, ...this.left(before, after, labels)],
        });
        continue;
      }
      const isPass = referee.isPass(move);
      passed = isPass && move.seat >= 0 ? [...passed, move.seat] : [];
      const words = [this.words(move, isPass), ...causes].join("; ");
      rows.push({
        number: rows.length,
        moment: at + 1,
        words,
        clause: move.clause,
        then: begun,
        filled: how === "filled",
        passed,
        ...this.now(after, labels),
      });
    }
    return rows;
  }

  words(move, isPass) {
    const who = move.seat >= 0 ? move.owner : "";
    if (isPass) return `${who} passes`.trim();
    const chosen = move.choices
      .filter(({ by, what, value }) => seatNamed(by) >= 0 && !what && value)
      .map(({ value }) => value);
    return `${who && `${who}: `}${[this.lexicon.clauses.get(move.clause).title, ...chosen].join("; ")}`;
  }

  /** Who has priority at the end of *line*, and what lies where. */
  now(line, labels) {
    const zones = line.spot.referee.positions.layout.zones;
    const piles = zones.flatMap(({ name, order }) => {
      const lying = [...line.items.keys()].filter(
        (number) => line.items[number].place?.[0] === name,
      );
      lying.sort((a, b) => line.items[a].place[1] - line.items[b].place[1]);
      if (order === "lifo") lying.reverse();
      return lying.length ? [`${name}: ${lying.map((number) => labels[number]).join(", ")}`] : [];
    });
    return { holders: [...line.spot.holders].sort((a, b) => a - b), piles };
  }

  start({ spot }) {
    const steps = this.lexicon.sequences.flatMap(({ steps: all }, at) =>
      spot.steps[at + 1] === NO_STEP ? [] : [new Map(all).get(spot.steps[at + 1])],
    );
    return [`${playerName(spot.active)}'s turn`, ...steps].join(", ");
  }

  begun(move, spot) {
    const names = this.lexicon.sequences.map(({ name }) => name);
    return move.events
      .filter(({ kind }) => kind === "step begins")
      .map(({ sequence }) => {
        const at = names.indexOf(sequence);
        return `${new Map(this.lexicon.sequences[at].steps).get(spot.steps[at + 1])} begins`;
      });
  }

  left(before, after, labels) {
    return before
      .leftIn(after)
      .map((number) => `${labels[number]} ${after.items[number].fate}`);
  }
}
