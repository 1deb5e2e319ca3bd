"use strict";

/* Rulings of the page: a question is answered on the kernel as `checker/rulings` answers it, or it
 * is left to the tool.
 *
 * What is here is held to that code by a test that asks every ruling of the games. */

const NO_STEP = "none";
const LETTERS_OF_TEXT = 2000;
const STATEMENTS = 60;
const ENDS_OF_ITEMS = new Set(["leaves", "moves"]);
const FORMS_HERE = new Set([
  "may",
  "must",
  "who",
  "holds",
  "happens",
  "first",
  "next",
  "whose",
  "turn",
  "fate",
]);

/** The answers to *text* in the game that *teller* tells, within *sizes*, in *milliseconds*. Throws
 * a `LeftError` that says why not. */
function askPage(text, { teller, lexicon, patterns, sizes, milliseconds }) {
  if (text.length > LETTERS_OF_TEXT || /[^\x20-\x7e’]/.test(text))
    throw new LeftError("The page does not read this.");
  const { players } = teller;
  const table = new RegExp(`^(?:${patterns.table})`, "i").exec(text);
  const said = table ? text.slice(table[0].length) : text;
  const { statements, questions } = readQuestion(lexicon.hyphened(said), patterns);
  if (statements.length > STATEMENTS)
    throw new LeftError("The situation is too long for the page.");
  const count = patterns.counts.indexOf(table?.[1].toLowerCase());
  const most = table ? (count < 0 ? Number(table[1]) : count) : 0;
  const named = Math.max(1 + Math.max(-1, ...lexicon.words.seats(said)), most);
  if (most && (most < named || most < players))
    throw new LeftError(`This is no question for ${most} players.`);
  const reading = named > players ? readingOf(teller.tables, named) : teller.reading;
  if (!reading) throw new LeftError(`This page has ${players} players.`);
  teller.setUp(sizes, reading);
  const situation = new Situation(
    new Referee(teller, lexicon, sizes, performance.now() + milliseconds),
  );
  for (const one of statements) situation.say(one);
  situation.settle();
  return questions.map((question) => new Answers(situation, question).common());
}

/** Answers to one *question* about a *situation*. */
class Answers {
  constructor(situation, question) {
    const { referee, lexicon, events } = situation;
    Object.assign(this, { situation, question, referee, lexicon, events });
  }

  /** The answer that all lines have in common. */
  common() {
    const { form } = this.question;
    if (!FORMS_HERE.has(form)) throw new LeftError("This page does not answer such a question.");
    const answers = this.situation.lines.map((line) => this.byEachRule(form, line));
    if (new Set(answers.map(({ head }) => head)).size > 1)
      throw new LeftError("It can be read in several ways, with different answers.");
    return answers[0];
  }

  byEachRule(form, line) {
    const forks = this.referee.forks(line);
    const answers = forks.map((fork) => this[form](fork));
    if (new Set(answers.map(({ head }) => head)).size > 1)
      throw new LeftError("Two rules apply here, with different answers.");
    return forks.length === 1 ? answers[0] : this[form](line);
  }

  answer(line, end, head, detail = "", clauses = this.ruling(line, end), more = {}) {
    const found = {
      head,
      detail,
      line: end,
      situation: line.length,
      clauses: [...new Set(clauses)],
      can: [],
      ...more,
    };
    return {
      ...found,
      question: this.question.text,
      cut: Boolean(more.cut),
      stopped: Boolean(more.stopped),
    };
  }

  /** The clauses that decide what follows *line*: the first of the rules after it, and the last
   * that was said. */
  ruling(line, end) {
    const after = end.steps.slice(line.length).filter(({ move }) => move.mode === "must");
    const said = line.steps.filter(({ how }) => how === "said");
    return [...new Set([...after.slice(0, 1), ...said.slice(-1)].map(({ move }) => move.clause))];
  }

  rest(line) {
    return (
      this.referee.quietLines(line, this.situation.isState ? line.spot.steps.join() : "")[0] ?? line
    );
  }

  // ---------------------------------------------------------------- words

  holders(spot) {
    const names = [...spot.holders].sort((a, b) => a - b).map(playerName);
    return names.length
      ? `${joined(names)} ${names.length === 1 ? "has" : "have"} priority`
      : "nobody has priority";
  }

  item(line, number) {
    return itemNames(line, this.lexicon)[number];
  }

  passed(begin, end) {
    const passes = end.steps
      .slice(begin.length)
      .filter(({ move }) => move.seat >= 0 && this.referee.isPass(move));
    const names = [...new Set(passes.map(({ move }) => move.owner))];
    return names.length
      ? `${joined(names)} ${names.length > 1 ? "pass" : "passes"}`
      : "the rules have gone on";
  }

  // ---------------------------------------------------------------- what a player may do

  may(begun) {
    if (/^(?:any|some|every)(?:body|one)$|^a player$/.test(this.question.player))
      throw new LeftError("Ask of one player.");
    const seat = this.situation.seat(begun, this.question.player);
    const [question, line] = this.where(begun);
    return new Answers(this.situation, question).mayThere(line, seat);
  }

  /** The question without what it says of where that is, and the line played on to there. */
  where(line) {
    const { question, lexicon } = this;
    const lying = whole(question.what, "(.+) while (.+?) (?:is|are) (?:still )?(?:on|in) the \\w+");
    if (lying) {
      const isThere = lexicon.fit(lying[1]) && line.items[this.one(line, lying[2])].place;
      return [isThere ? { ...question, what: lying[1], now: true } : question, line];
    }
    const inStep = question.respond
      ? null
      : whole(question.what, "(.+) (?:in|during) ((?:the|[A-P]'s|this) .+)");
    if (!inStep) return [question, line];
    const steps = lexicon.stepsCalled(
      lexicon.content(inStep[2].replace(/^(?:the|[A-P]'s|this) /, "")),
    );
    if (!steps.length || !lexicon.fit(inStep[1]) || lexicon.fit(question.what))
      return [question, line];
    const isThere = steps.some(({ number, step }) => line.spot.steps[number + 1] === step);
    const event = { kind: "begins", words: inStep[2], steps };
    return [{ ...question, what: inStep[1] }, isThere ? line : this.situation.until(line, event)];
  }

  mayThere(line, seat) {
    const { question } = this;
    const doing = { ...this.doing(), seat };
    const subject = this.subject(line);
    if (question.before) {
      const event = this.events.named(line, question.before);
      if (!event) throw new LeftError(`Nothing in this game is called \`${question.before}\`.`);
      if (ENDS_OF_ITEMS.has(event.kind))
        this.one(line, question.before.replace(/ (?:is|are|has|resolves?|leaves).*$/, ""));
      return this.window(line, doing, event);
    }
    if (!question.respond && this.situation.isTurn && !question.now)
      throw new LeftError("This page looks at no whole turn.");
    if (!question.respond) return this.now(line, doing);
    if (subject === null) return this.withoutItem(line, doing);
    return this.window(line, doing, { kind: "leaves", words: "it resolves", item: subject });
  }

  must(line) {
    const { situation, question } = this;
    const doing = { ...this.doing(), seat: situation.seat(line, question.player) };
    const rest = this.rest(line);
    const mine = this.referee
      .moves(rest.spot)
      .map(({ move }) => move)
      .filter((move) => isBy(move, doing.seat));
    const meant = mine.filter((move) => this.does(move, doing));
    const others = mine.filter((move) => !this.does(move, doing)).map(({ clause }) => clause);
    const head = meant.length && !others.length ? "yes" : "no";
    const elsewise = head === "no" ? `${playerName(doing.seat)} may do something else` : "";
    const clauses = [...meant.slice(0, 1).map(({ clause }) => clause), ...this.ruling(line, rest)];
    const can = [...new Set(others)];
    return this.answer(
      line,
      rest,
      head,
      meant.length ? elsewise : this.holders(rest.spot),
      clauses,
      { can },
    );
  }

  /** The number of the item that *phrase* means. */
  one(line, phrase) {
    const fits = itemsCalled(line, phrase, this.lexicon);
    if (fits.length !== 1) throw new LeftError(`\`${phrase}\` is no one item here.`);
    return fits[0];
  }

  /** The item that is answered: the one named, else the one that was put by what was said last;
   * null if there is none. */
  subject(line) {
    const { after, respond } = this.question;
    if (respond && after && itemsCalled(line, after, this.lexicon).length)
      return this.one(line, after);
    const acts = [...line.steps.keys()].filter(
      (at) => line.steps[at].how === "said" && !this.referee.isPass(line.steps[at].move),
    );
    const numbers = [...line.items.keys()];
    if (acts.length)
      return numbers.filter((number) => line.items[number].since === acts.at(-1)).at(-1) ?? null;
    if (numbers.filter((number) => line.items[number].place).length > 1)
      throw new LeftError("Say which item is answered.");
    return numbers.find((number) => line.items[number].place) ?? null;
  }

  doing() {
    const { lexicon, question } = this;
    const plain = question.what.replace(
      /^(?:a|an|another|any|some) | without (?:\w+ )?passing$/g,
      "",
    );
    const what = plain.replaceAll(/ (?:a|an) (?:second|third|further|new) /g, " another ");
    if (!what) return { fit: null, isPass: false, others: [] };
    if (whole(what, "pass(?: priority)?")) return { fit: null, isPass: true, others: [] };
    const kinds = question.respond ? lexicon.kindsCalled(lexicon.content(what)) : [];
    const named = lexicon.names.filter(({ kind }) => kinds.includes(kind));
    const fit = this.situation.fit(what) ?? (named.length ? fitted(named) : null);
    if (!fit) throw new LeftError(`Nothing in this game is called \`${question.what}\`.`);
    return { fit, isPass: false, others: lexicon.words.seats(what) };
  }

  /** The clauses by which it can be done at *spot*. */
  ways(spot, doing) {
    const might = doing.fit
      ? doing.fit.clauses.some((id) => this.lexicon.clauses.get(id).stage === spot.stage)
      : spot.holders.includes(doing.seat);
    if (!spot.stage || !might) return [];
    const found = this.referee.moves(spot).filter(({ move }) => this.does(move, doing));
    return [...new Set(found.map(({ move }) => move.clause))];
  }

  does(move, { fit, seat, others, isPass }) {
    if (fit) return isDoneBy(move, seat, fit, others);
    return move.seat === seat && move.mode === "may" && this.referee.isPass(move) === isPass;
  }

  withoutItem(line, doing) {
    const rest = this.rest(line);
    const said = [...line.steps.keys()].filter((at) => line.steps[at].how === "said");
    const stage = said.length ? line.before(said.at(-1)).spot.stage : rest.spot.stage;
    const ways = said.length ? this.ways(rest.spot, doing) : [];
    if (ways.length && this.passedOn(line, rest))
      return this.answer(line, rest, "no", "play goes on to another step first");
    if (!ways.length && rest.spot.stage !== stage)
      return this.window(line, doing, { kind: "stage", words: "play goes on", stage });
    const ruled = this.ruling(line, rest);
    if (ways.length)
      return this.answer(line, rest, "yes, now", "", [...ruled, ways[0]], { can: ways });
    if (!said.length) throw new LeftError("Nothing was done yet that could be answered.");
    return this.answer(line, rest, "no", "it puts nothing where it could be answered", [
      ...said.slice(-1).map((at) => line.steps[at].move.clause),
      ...ruled,
    ]);
  }

  /** Whether it was a pass that was said last, and *rest* is in another step than that was made in.
   * */
  passedOn(line, rest) {
    if (line.last?.how !== "said" || !this.referee.isPass(line.last.move)) return false;
    return line.before(line.length - 1).spot.steps.join() !== rest.spot.steps.join();
  }

  /** Whether it can be done before *end*: from where somebody decides on, or on the *whole* way.
   * */
  window(line, doing, end, isWhole = false) {
    const [until, isOver] = isWhole ? [line, true] : this.untilRest(line, end);
    // Where it happens by itself, only what the cards cause on the way may give somebody a window before.
    const begin = isOver ? line : until;
    const known = new Map();
    const can = (spot) =>
      known.get(spot) ?? known.set(spot, this.ways(spot, doing).length > 0).get(spot);
    const found = this.events.window(begin, can, end);
    const isNever =
      this.question.before && RESTING.has(found.head) && this.events.never(begin, end);
    if (isNever)
      throw new LeftError(
        `Within the scope no play from here on brings it about that ${this.question.before}.`,
      );
    const ways = this.ways(found.line.spot, doing);
    const details = {
      "not yet": () => `once ${this.passed(begin, found.line)}`,
      "only if": () => this.condition(begin, found.line),
      "not known": () => "the search ended before it had seen all plays",
      no: () => (this.hasEnded(found.line, end) ? `${this.happening(found.line, end)} first` : ""),
    };
    const detail = details[found.head]?.() ?? "";
    const clauses = [...this.ruling(line, found.line), ...ways.slice(0, 1)];
    return this.answer(line, found.line, found.head, detail, clauses, {
      can: ways,
      cut: found.cut,
      stopped: found.stopped,
      needs: found.needs,
    });
  }

  /** *line* played on by itself, no further than to *end*, and whether that has happened. */
  untilRest(line, end) {
    let one = line;
    for (const step of this.rest(line).steps.slice(line.length)) {
      const then = one.after(step);
      if (this.events.happens(end, one, then)) return [then, true];
      one = then;
    }
    return [one, false];
  }

  happening(line, { kind, item, words }) {
    if (!ENDS_OF_ITEMS.has(kind) || item >= line.items.length) return words;
    return `${this.item(line, item)} ${line.items[item].fate || "is put on the stack"}`;
  }

  hasEnded(line, { kind, item }) {
    return !ENDS_OF_ITEMS.has(kind) || (item < line.items.length && !line.items[item].place);
  }

  /** What somebody decides on the way from *begin* to *end*. */
  condition(begin, end) {
    const said = end.steps.slice(begin.length).flatMap(({ move }) => {
      const who = move.seat >= 0 ? move.owner : `the ${move.owner}`;
      const { title } = this.lexicon.clauses.get(move.clause);
      const act = this.referee.isPass(move)
        ? [`${who} passes`]
        : move.mode === "must"
          ? []
          : [move.seat >= 0 ? `${who}: ${title}` : title];
      const chosen = move.choices.filter(
        ({ by, what, value }) => seatNamed(by) >= 0 && !what && value,
      );
      return [
        ...act,
        ...chosen.map(({ by, value }) => `${by}: ${value}`),
        ...this.referee.caused(move).map((one) => one.title),
      ];
    });
    return [...new Set(said)].join("; ");
  }

  /** What a player may do where they are, without the step ending. */
  now(line, doing) {
    const within = this.situation.isSaid ? line.spot.steps.join() : "";
    const rest = this.referee.quietLines(line, within)[0];
    const ways = this.ways(rest.spot, doing);
    const ruled = this.ruling(line, rest);
    if (ways.length)
      return this.answer(line, rest, "yes, now", "", [ways[0], ...ruled], { can: ways });
    const later = this.question.now ? null : this.later(rest, doing);
    if (!later && !this.question.now && this.situation.isState && !rest.spot.holders.length) {
      const steps = rest.spot.steps
        .slice(1)
        .map((step, number) => ({ number, step }))
        .filter(({ step }) => step !== NO_STEP);
      const end = { kind: "ends", words: "the step ends", steps };
      const found = this.window(line, doing, end, true);
      if (found.head === "only if") return found;
    }
    if (!later)
      return this.answer(line, rest, "no", this.holders(rest.spot), [
        ...(doing.fit?.clauses.slice(0, 1) ?? []),
        ...ruled,
      ]);
    const can = this.ways(later.spot, doing);
    const clauses = [...this.ruling(rest, later).slice(0, 1), ...can.slice(0, 1)];
    return this.answer(line, later, "not yet", `once ${this.passed(rest, later)}`, clauses, {
      can,
    });
  }

  /** The quiet play in which it can be done in this step, before anything resolves; null if there
   * is none. */
  later(rest, doing) {
    const steps = rest.spot.steps.join();
    const asked = doing.fit?.clauses ?? [];
    const hasWindow =
      !asked.length || asked.some((clause) => this.lexicon.clauses.get(clause)?.window);
    let one = rest;
    for (let count = 0; count < 4 * this.referee.players; count += 1) {
      const [step] = this.referee.quietMoves(one.spot);
      if (!step) return null;
      const then = one.after(step);
      const isGone = one.items.some(({ place }, number) => place && !then.items[number].place);
      if ((step.spot.steps.join() !== steps && hasWindow) || isGone) return null;
      one = then;
      if (this.ways(one.spot, doing).length) return one;
    }
    return null;
  }

  // ---------------------------------------------------------------- what comes of it

  who(line) {
    const { after } = this.question;
    const event = after ? this.events.named(line, after) : null;
    if (after && !event) throw new LeftError(`Nothing in this game is called \`${after}\`.`);
    const rest = this.rest(event ? this.situation.until(line, event) : line);
    const holders = [...rest.spot.holders].sort((a, b) => a - b);
    if (holders.length) return this.answer(line, rest, joined(holders.map(playerName)));
    if (!rest.spot.stage) return this.answer(line, rest, "nobody", "the game is over");
    const deciders = ({ move }) =>
      [move.seat, ...move.choices.map(({ by }) => seatNamed(by))].filter((seat) => seat >= 0);
    const deciding = [...new Set(this.referee.moves(rest.spot).flatMap(deciders))].sort(
      (a, b) => a - b,
    );
    return this.answer(
      line,
      rest,
      "nobody",
      deciding.length ? `${joined(deciding.map(playerName))} decides without it` : "",
    );
  }

  holds(line) {
    const [seat, rest] = [this.situation.seat(line, this.question.player), this.rest(line)];
    return this.answer(
      line,
      rest,
      rest.spot.holders.includes(seat) ? "yes" : "no",
      this.holders(rest.spot),
    );
  }

  /** Whether something happens by itself, or while players only pass. */
  happens(line) {
    const event = this.events.named(line, this.question.what);
    if (!event) throw new LeftError("It is none of the questions that this page decides.");
    let one = line;
    for (const then of this.quietly(line)) {
      if (this.events.happens(event, one, then)) {
        const passes = then.steps.slice(line.length).some(({ move }) => this.referee.isPass(move));
        return this.answer(
          line,
          then,
          passes ? "not yet" : "yes",
          passes ? `once ${this.passed(line, then)}` : "",
        );
      }
      const isGone = one.items.some(({ place }, number) => place && !then.items[number].place);
      if (isGone) return this.answer(line, then, "no", `${this.seen(one, then)} first`);
      one = then;
    }
    return this.answer(
      line,
      this.rest(line),
      "no",
      `not while players only pass; ${this.holders(one.spot)}`,
    );
  }

  turn(line) {
    const rest = this.rest(line);
    return this.answer(line, rest, playerName(rest.spot.active));
  }

  first(line) {
    let one = line;
    for (const then of this.quietly(line)) {
      const number = one.items.findIndex(({ place }, at) => place && !then.items[at].place);
      if (number >= 0) return this.answer(line, then, this.item(then, number));
      one = then;
    }
    return this.answer(line, one, "nothing", "nothing resolves while players only pass");
  }

  next(line) {
    let one = line;
    for (const then of this.quietly(line)) {
      const said = this.seen(one, then);
      if (said) {
        const rest = this.rest(then);
        return this.answer(line, rest, said, this.holders(rest.spot));
      }
      one = then;
    }
    return one.spot.stage
      ? this.answer(line, one, "nothing", this.holders(one.spot))
      : this.answer(line, one, "the game is over");
  }

  whose(line) {
    return this.answer(line, line, line.items[this.asked(line)].item.controller);
  }

  fate(line) {
    const number = this.asked(line);
    const end = [line, ...this.quietly(line)].find((then) => !then.items[number].place);
    if (!end) return this.answer(line, line, "stays where it is");
    return this.answer(
      line,
      end,
      end.items[number].fate,
      line.items[number].place ? `once ${this.passed(line, end)}` : "",
    );
  }

  /** The item that is asked about. */
  asked(line) {
    const { what } = this.question;
    const lying = [...line.items.keys()].filter((number) => line.items[number].place);
    const fits =
      [itemsCalled(line, what, this.lexicon), focusOf(line), lying].find((all) => all.length) ?? [];
    return fits.length === 1 ? fits[0] : this.one(line, what);
  }

  /** *line* with one move more, and one more, while players only pass, until it would come back to
   * where it was. */
  *quietly(line) {
    const seen = new Set([line.spot]);
    const next = (one) =>
      one.spot.stage ? this.referee.quietMoves(one.spot).find(({ spot }) => !seen.has(spot)) : null;
    for (let [one, step] = [line, next(line)]; step; step = next(one)) {
      seen.add(step.spot);
      one = one.after(step);
      yield one;
    }
  }

  /** What players see happen: an item leaves, a step begins, the game ends. */
  seen(before, after) {
    for (const [number, { place }] of before.items.entries()) {
      const now = after.items[number];
      if (place && !now.place) return `${this.item(after, number)} ${now.fate}`;
      if (place && now.place[0] !== place[0])
        return `${this.item(after, number)} is put on ${now.place[0]}`;
    }
    for (const [number, { title, steps }] of this.lexicon.sequences.entries()) {
      const [was, now] = [before.spot.steps[number + 1], after.spot.steps[number + 1]];
      if (was !== now)
        return now === NO_STEP ? `${title} ends` : `${new Map(steps).get(now)} begins`;
    }
    if (!after.spot.stage) return "the game is over";
    return before.spot.active === after.spot.active
      ? ""
      : `${playerName(after.spot.active)}'s turn begins`;
  }
}
