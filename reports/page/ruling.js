"use strict";

/* Rulings of the page: a question is answered on the kernel as `checker/rulings` answers it, or it
 * is left to the tool.
 *
 * What is here is held to that code by a test that asks every ruling of the games. */

const MOST_WAYS = 24;
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
  "ahead",
  "next",
  "decides",
  "whose",
  "turn",
  "fate",
  "lies",
]);

/** The answers to *text* in the game that *teller* tells, within *sizes*, in *milliseconds*. Throws
 * a `LeftError` that says why not. */
function askPage(text, { teller, lexicon, patterns, sizes, milliseconds }) {
  if (text.length > LETTERS_OF_TEXT || /[^\x20-\x7e’]/.test(text))
    throw new LeftError("The page does not read this.");
  const { players } = teller;
  const table = new RegExp(`^(?:${patterns.table})`, "i").exec(text);
  const untold = table ? text.slice(table[0].length) : text;
  const said = plainly(untold, lexicon.roles, patterns, lexicon.words);
  const { statements, questions } = readQuestion(lexicon.hyphened(said), patterns);
  if (statements.length > STATEMENTS)
    throw new LeftError("The situation is too long for the page.");
  const count = patterns.counts.indexOf(table?.[1].toLowerCase());
  const most = table ? (count < 0 ? Number(table[1]) : count) : 0;
  const seats = lexicon.words.seats(said);
  if (seats.includes(NINTH) && !seats.includes(NINTH - 1))
    throw new LeftError("`I` is the ninth player here.");
  const named = Math.max(1 + Math.max(-1, ...seats), most);
  if (most && (most < named || most < players))
    throw new LeftError(`This is no question for ${most} player${most === 1 ? "" : "s"}.`);
  const reading = named > players ? readingOf(teller.tables, named) : teller.reading;
  if (!reading) throw new LeftError(`This page has ${players} players.`);
  teller.setUp(sizes, reading);
  const situation = new Situation(
    new Referee(teller, lexicon, sizes, performance.now() + milliseconds),
  );
  for (const one of statements) situation.say(one);
  situation.settle();
  return questions.map((question) => new Answers(situation, question, patterns).common());
}

/** Who chooses in the *move* of a step, but for the cards; the rules, if nobody does. */
function choosers({ move }) {
  const by = move.choices.map((choice) => choice.by).filter((one) => one !== "cards");
  return by.length ? by : ["rules"];
}

/** Whether the item has left *line* by resolving. */
function hasResolved(line, number) {
  return line.items[number].fate === "resolves";
}

/** Answers to one *question* about a *situation*. */
class Answers {
  constructor(situation, question, patterns) {
    const { referee, lexicon, events } = situation;
    Object.assign(this, { situation, question, patterns, referee, lexicon, events });
    this.isPriority = new RegExp(patterns.priority, "i");
    this.isAct = new RegExp(patterns.act, "i");
  }

  /** The answer that all lines have in common. */
  common() {
    const { form } = this.question;
    if (!FORMS_HERE.has(form)) throw new LeftError("This page does not answer such a question.");
    const answers = this.situation.lines.map((line) => this.byEachRule(form, line));
    for (const answer of answers) this.stayInStep(answer);
    if (new Set(answers.map(({ head }) => head)).size > 1)
      throw new LeftError("It can be read in several ways, with different answers.");
    return answers[0];
  }

  /** Whether *answer* tells what follows a step that only stands for the one that was said. */
  stayInStep({ line }) {
    const { stepSaid } = this.situation;
    if (!stepSaid?.standsIn) return;
    const after = line.spots.reverse().findIndex((spot) => stepSaid.isIn(spot));
    const words = this.question.before || this.question.what;
    const event = words ? this.events.named(line, words) : null;
    if (after > (event?.kind === "ends" ? 1 : 0)) throw standsIn();
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

  rest(line, isInStep = this.situation.isState) {
    if (this.situation.isDuring) return line;
    return this.referee.quietLines(line, isInStep ? line.spot.steps : null)[0] ?? line;
  }

  // ---------------------------------------------------------------- words

  holders(spot) {
    const names = [...spot.holders].sort((a, b) => a - b).map(playerName);
    return names.length
      ? `${joined(names)} ${names.length === 1 ? "has" : "have"} priority`
      : "nobody has priority";
  }

  /** In which step *end* is, if that is another one than that of *begin*. */
  elsewhere(begin, end) {
    if (begin.steps.join() === end.steps.join()) return "";
    const titles = this.lexicon.sequences.flatMap(({ steps }, number) => {
      const now = end.steps[number + 1];
      return now === NO_STEP ? [] : [new Map(steps).get(now)];
    });
    const title = (titles.at(-1) ?? "turn").replace(/^the /, "");
    return `in ${begin.active === end.active ? "the" : `${playerName(end.active)}'s`} ${title}`;
  }

  /** Who has priority at the end of *rest*; if that is nobody, when somebody has. */
  untilWords(rest) {
    const words = this.holders(rest.spot);
    const on = this.referee.quietLines(rest)[0]?.spot ?? rest.spot;
    if (rest.spot.holders.length || !on.holders.length) return words;
    const where = this.elsewhere(rest.spot, on).replace(/^in /, "");
    return where ? `${words} until ${where}` : words;
  }

  /** Who has priority at the end of *rest*, and in which step if that is not the one of *line*. */
  whoThen(line, rest) {
    const where = this.elsewhere(line.spot, rest.spot);
    return `${this.holders(rest.spot)}${where && ` next, ${where}`}`;
  }

  /** Whether *event* happened in the last move that was said, or as play went on from it. */
  justHappened(line, event) {
    const said = line.steps.findLastIndex(({ how }) => how === "said");
    if (said < 0) return false;
    let one = line.before(said);
    return line.steps.slice(said).some((step) => {
      const [before, then] = [one, one.after(step)];
      one = then;
      return this.events.happens(event, before, then);
    });
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
    if (/ (?:later )?(?:in )?this turn$/.test(this.question.what))
      throw new LeftError("This page looks at no whole turn.");
    const [question, line] = this.where(begun);
    const there = new Answers(this.situation, question, this.patterns);
    there.isOfStep = question !== this.question;
    there.isThere = this.situation.isState || there.isOfStep;
    return there.mayThere(line, seat, line === begun);
  }

  /** The question without what it says of where that is, and the line played on to there. */
  where(line) {
    const { question, lexicon } = this;
    const lying = whole(question.what, "(.+) while (.+?) (?:is|are) (?:still )?(?:on|in) the \\w+");
    if (lying) {
      const isThere = lexicon.decided(lying[1]) && line.items[this.one(line, lying[2])].place;
      return [isThere ? { ...question, what: lying[1], now: true } : question, line];
    }
    const inStep = question.respond
      ? null
      : whole(question.what, "(.+) (?:in|during) ((?:the|[A-P]'s|this) .+)");
    if (!inStep) return [question, line];
    const steps = lexicon.stepsCalled(
      lexicon.content(inStep[2].replace(/^(?:the|[A-P]'s|this) /, "")),
    );
    const isAct =
      lexicon.decided(inStep[1]) || this.isPriority.test(inStep[1]) || this.isAct.test(inStep[1]);
    if (!steps.length || !isAct || lexicon.decided(question.what))
      return [question, line];
    return [{ ...question, what: inStep[1] }, this.inStep(line, inStep[2], steps)];
  }

  /** *line* played on to one of *steps*, in the turn of the player whose that is by its *words*. */
  inStep(line, words, steps) {
    const owner = words.startsWith("'s", 1) ? this.situation.seat(line, words[0]) : -1;
    const isOther = owner >= 0 && line.spot.active !== owner;
    const begun = isOther ? this.situation.until(line, { kind: "turn", words, seat: owner }) : line;
    const isThere = steps.some(({ number, step }) => begun.spot.steps[number + 1] === step);
    return isThere ? begun : this.situation.until(begun, { kind: "begins", words, steps });
  }

  mayThere(line, seat, isBegun) {
    const { question } = this;
    const doing = { ...this.doing(), seat };
    // Where play went on to the step that is asked about, nothing waits that was said.
    const subject = isBegun ? this.subject(line) : null;
    if (question.respond && subject === null && !line.steps.some(({ how }) => how === "said"))
      throw new LeftError("Nothing was done yet that could be answered.");
    if (question.before) return this.window(line, doing, this.end(line));
    if (subject !== null && (question.respond || doing.sort === "priority"))
      return this.window(line, doing, { kind: "leaves", words: "it resolves", item: subject });
    if (question.respond) return this.withoutItem(line, doing);
    if (this.situation.isTurn && !this.isOfStep && !question.now)
      throw new LeftError("This page looks at no whole turn.");
    const answer = this.now(line, doing);
    const isNowhere = !(this.situation.isPlaced || this.isThere || question.now);
    if (answer.head === "no" && isNowhere && line.steps.every(({ how }) => how === "rules"))
      throw new LeftError("This page looks at no whole turn.");
    return answer;
  }

  /** The event before which it is asked. */
  end(line) {
    const { before } = this.question;
    const event = this.events.named(line, before);
    if (!event) throw new LeftError(`Nothing in this game is called \`${before}\`.`);
    if (ENDS_OF_ITEMS.has(event.kind))
      this.one(line, before.replace(/ (?:is|are|has|resolves?|leaves).*$/, ""));
    const isIn = ({ number, step }) => {
      const now = line.spot.steps[number + 1];
      return now === step || (!step && now !== NO_STEP);
    };
    const isThere =
      (event.kind === "begins" && event.steps.some(isIn)) ||
      (event.kind === "turn" && line.spot.active === event.seat);
    const isDone = Boolean(event.clauses?.length) && this.justHappened(line, event);
    if ((isThere || isDone) && !/\b(?:next|another|again)\b/.test(before))
      throw new LeftError(`\`${before}\`: play has come there already.`);
    return event;
  }

  must(line) {
    const { situation, question } = this;
    const doing = { ...this.doing(), seat: situation.seat(line, question.player) };
    const here = this.rest(line);
    const decided = (one) =>
      this.referee
        .moves(one.spot)
        .map(({ move }) => move)
        .filter((move) => isBy(move, doing.seat));
    const waiting = { fit: null, sort: "priority", others: [], seat: doing.seat };
    const later = decided(here).length ? null : this.later(here, waiting);
    const [rest, mine] = later ? [later, decided(later)] : [here, decided(here)];
    const meant = mine.filter((move) => this.does(move, doing));
    const others = mine.filter((move) => !this.does(move, doing)).map(({ clause }) => clause);
    const head = meant.length && !others.length ? "yes" : "no";
    const once = later ? `once ${this.passed(here, rest)}` : "";
    const elsewise = head === "no" ? `${playerName(doing.seat)} may do something else` : once;
    const clauses = [...meant.slice(0, 1).map(({ clause }) => clause), ...this.ruling(line, rest)];
    const can = [...new Set(others)];
    return this.answer(
      line,
      rest,
      head,
      meant.length ? elsewise : once || this.holders(rest.spot),
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
    if (respond && after && !this.isOfLast(after, line))
      throw new LeftError(`There is no \`${after}\` here that could be answered.`);
    const acts = [...line.steps.keys()].filter(
      (at) => line.steps[at].how === "said" && !this.referee.isPass(line.steps[at].move),
    );
    const numbers = [...line.items.keys()];
    if (acts.length) {
      const [before, then] = [line.before(acts.at(-1)).items, line.before(acts.at(-1) + 1).items];
      const isMoved = ({ place }, number) =>
        place && then[number].place && place[0] !== then[number].place[0];
      const moved = [...before.keys()].filter((number) => isMoved(before[number], number));
      // What resolves as it is put was never where it could be answered.
      const isPut = ({ since, place }) => since === acts.at(-1) && place;
      const put = [...then.keys()].filter((number) => isPut(then[number]));
      return [...moved, ...put].at(-1) ?? null;
    }
    if (numbers.filter((number) => line.items[number].place).length > 1)
      throw new LeftError("Say which item is answered.");
    return numbers.find((number) => line.items[number].place) ?? null;
  }

  /** Whether *phrase* may be said of what was done last, which put no item that it names. */
  isOfLast(phrase, line) {
    const step = line.steps.findLast(({ how }) => how === "said");
    if (!step) return true;
    const { lexicon } = this;
    if (lexicon.words.seats(phrase).some((seat) => seat !== step.move.seat)) return false;
    const words = lexicon.content(phrase);
    const isName = (one) => one.clause === step.move.clause && isWithin(words, one.words);
    return lexicon.names.some(isName) || !lexicon.kindsCalled(words).length;
  }

  doing() {
    const { lexicon, question } = this;
    const plain = question.what.replace(
      /^(?:a|an|another|any|some) | without (?:\w+ )?passing$/g,
      "",
    );
    const what = plain.replaceAll(/ (?:a|an) (?:second|third|further|new) /g, " another ");
    const sorted = (sort) => ({ fit: null, sort, others: [] });
    if (!what || this.isAct.test(what)) return sorted(question.respond ? "answer" : "act");
    if (whole(what, "pass(?: priority)?")) return sorted("pass");
    if (this.isPriority.test(what)) return sorted("priority");
    // "Respond with an instant" names what is put, not what is done.
    const isNoun = question.respond && !lexicon.verbs.has(lexicon.words.verb(what));
    const kinds = isNoun ? lexicon.kindsCalled(lexicon.content(what)) : [];
    const named = lexicon.names.filter(({ kind }) => kinds.includes(kind));
    const fit = named.length ? fitted(named) : lexicon.decided(what);
    if (!fit) throw new LeftError(`Nothing in this game is called \`${question.what}\`.`);
    return { fit, sort: "", others: lexicon.words.seats(what) };
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

  does(move, { fit, seat, others, sort }) {
    if (fit) return isDoneBy(move, seat, fit, others);
    if (move.seat !== seat || move.mode !== "may") return false;
    const { answering } = this.lexicon;
    if (sort === "priority") return true;
    if (this.referee.isPass(move)) return sort === "pass";
    return sort === "act" || (sort === "answer" && (!answering.size || answering.has(move.clause)));
  }

  withoutItem(line, doing) {
    const rest = this.rest(line);
    const said = [...line.steps.keys()].filter((at) => line.steps[at].how === "said");
    const stage = said.length ? line.before(said.at(-1)).spot.stage : rest.spot.stage;
    const ways = said.length ? this.ways(rest.spot, doing) : [];
    const beyond = ways.length ? this.goneOn(line, rest, said.at(-1)) : "";
    if (beyond) return this.answer(line, rest, "no", `play goes on to ${beyond} first`);
    const isDeed = ({ move }) =>
      move.seat >= 0 || move.choices.some(({ by }) => seatNamed(by) >= 0);
    if (!ways.length && rest.spot.stage !== stage && isDeed(line.steps[said.at(-1)]))
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

  /** To what play has gone on at *rest* from the move that was *said* last: to another turn, or, if
   * nobody did more than pass, to another step; empty if to neither. */
  goneOn(line, rest, said) {
    const begun = line.before(said).spot;
    if (begun.active !== rest.spot.active) return "another turn";
    const isPass = said === line.length - 1 && this.referee.isPass(line.steps[said].move);
    return isPass && begun.steps.join() !== rest.spot.steps.join() ? "another step" : "";
  }

  /** Whether it can be done before *end*: from where somebody decides on, or on the *whole* way.
   * */
  window(line, doing, end, isWhole = false) {
    const [until, isOver] = isWhole ? [line, true] : this.untilRest(line, end);
    // Where it happens by itself, only what the cards cause on the way may give somebody a window
    // before.
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
    const within = this.situation.isSaid || this.isThere ? line.spot.steps : null;
    const { isDuring } = this.situation;
    const rest = isDuring ? line : this.referee.quietLines(line, within)[0];
    const ways = this.ways(rest.spot, doing);
    const ruled = this.ruling(line, rest);
    if (ways.length)
      return this.answer(line, rest, "yes, now", "", [ways[0], ...ruled], { can: ways });
    const later = this.question.now || isDuring ? null : this.later(rest, doing);
    if (!later && !this.question.now && this.isThere && !rest.spot.holders.length) {
      const steps = rest.spot.steps
        .slice(1)
        .map((step, number) => ({ number, step }))
        .filter(({ step }) => step !== NO_STEP);
      const end = { kind: "ends", words: "the step ends", steps };
      const found = this.window(line, doing, end, true);
      if (found.head === "only if") return found;
    }
    if (!later)
      return this.answer(line, rest, "no", this.untilWords(rest), [
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
    const { steps } = rest.spot;
    const asked = doing.fit?.clauses ?? [];
    const hasWindow =
      !asked.length || asked.some((clause) => this.lexicon.clauses.get(clause)?.window);
    let one = rest;
    for (let count = 0; count < 4 * this.referee.players; count += 1) {
      const [step] = this.referee.quietMoves(one.spot);
      if (!step) return null;
      const then = one.after(step);
      const isGone = one.items.some(({ place }, number) => place && !then.items[number].place);
      if ((isLeft(steps, step.spot) && hasWindow) || isGone) return null;
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
    const isPlayedOn = event && !this.justHappened(line, event);
    const begin = isPlayedOn ? this.situation.until(line, event) : line;
    // As a step begins: in that step.
    const rest = this.rest(begin, event?.kind === "begins" || this.situation.isState);
    const holders = [...rest.spot.holders].sort((a, b) => a - b);
    if (holders.length) {
      const where = this.elsewhere(begin.spot, rest.spot);
      return this.answer(line, rest, joined(holders.map(playerName)), where);
    }
    if (!rest.spot.stage) return this.answer(line, rest, "nobody", "the game is over");
    const deciding = this.deciding(rest.spot);
    return this.answer(
      line,
      rest,
      "nobody",
      deciding.length ? `${joined(deciding.map(playerName))} decides without it` : "",
    );
  }

  /** Whose acts or choices the moves from *spot* are. */
  deciding(spot) {
    const deciders = ({ move }) =>
      [move.seat, ...move.choices.map(({ by }) => seatNamed(by))].filter((seat) => seat >= 0);
    return [...new Set(this.movesFrom(spot).flatMap(deciders))].sort((a, b) => a - b);
  }

  movesFrom(spot) {
    return spot.stage ? this.referee.moves(spot) : [];
  }

  /** Who makes the next decision of the rules: whose choice it is among what could go on. */
  decides(line) {
    let [one, isAct] = [line, false];
    for (let count = 0; count < 100; count += 1) {
      const moves = this.movesFrom(one.spot);
      const choosers = moves
        .filter(({ move }) => move.mode === "must")
        .flatMap(({ move }) => move.choices.map(({ by }) => by).filter((by) => by !== "cards"));
      if (choosers.length && new Set(moves.map(({ spot }) => spot)).size > 1) {
        const names = [...new Set(choosers)].map((by) => (seatNamed(by) < 0 ? `the ${by}` : by));
        const then = one.after(moves[0], "rules");
        const clauses = [moves[0].move.clause, ...this.ruling(line, then)];
        return this.answer(line, then, joined(names), "", clauses);
      }
      const [on] = one.spot.holders.length ? [] : this.referee.quietMoves(one.spot);
      isAct = on?.move.seat >= 0;
      if (!on || isAct) break;
      one = one.after(on);
    }
    if (this.question.what && !isAct)
      throw new LeftError("The rules come to no such choice here.");
    const holders = [...one.spot.holders].sort((a, b) => a - b);
    const names = (holders.length ? holders : this.deciding(one.spot)).map(playerName);
    return this.answer(line, one, joined(names) || "nobody");
  }

  holds(line) {
    const [seat, rest] = [this.situation.seat(line, this.question.player), this.rest(line)];
    return this.answer(
      line,
      rest,
      rest.spot.holders.includes(seat) ? "yes" : "no",
      this.whoThen(line, rest),
    );
  }

  /** Whether something happens by itself, or while players only pass. */
  happens(line) {
    const event = this.events.named(line, this.question.what);
    if (!event) throw new LeftError("It is none of the questions that this page decides.");
    const told = (one, then) => {
      if (this.events.happens(event, one, then)) {
        const passes = then.steps.slice(line.length).some(({ move }) => this.referee.isPass(move));
        const first = this.firstSeen(line, then);
        if (!passes && first && /^is /i.test(this.question.text))
          return this.answer(line, then, "not yet", `${first} first`);
        const once = passes ? `once ${this.passed(line, then)}` : "";
        return this.answer(line, then, passes ? "not yet" : "yes", once);
      }
      return one.leftIn(then).length
        ? this.answer(line, then, "no", `${this.seen(one, then)} first`)
        : null;
    };
    return this.played(line, told, (end) => {
      const detail = `not while players only pass; ${this.holders(end.spot)}`;
      return this.answer(line, this.rest(line), "no", detail);
    });
  }

  turn(line) {
    const rest = this.rest(line);
    return this.answer(line, rest, playerName(rest.spot.active));
  }

  first(line) {
    const told = (one, then) => {
      const number = one.leftIn(then).find((at) => hasResolved(then, at));
      if (number === undefined) return null;
      const clauses = [...this.placedBy(then, number), ...this.ruling(line, then)];
      return this.answer(line, then, this.item(then, number), "", clauses);
    };
    const none = "nothing resolves while players only pass";
    return this.played(line, told, (end) => this.answer(line, end, "nothing", none));
  }

  /** The clause by which the rules put an item where it lies last; none where a player's act
   * did. */
  placedBy(line, number) {
    let [zone, by] = [-1, null];
    for (let at = 1; at < line.length; at += 1) {
      const place = line.before(at).items[number]?.place;
      if (place && place[0] !== zone) [zone, by] = [place[0], line.steps[at - 1].move];
    }
    return by?.mode === "must" ? [by.clause] : [];
  }

  /** Whether an item resolves first while players only pass, or before another one. */
  ahead(line) {
    const { what, before } = this.question;
    const number = this.asked(line, what);
    const other = before ? this.asked(line, before) : null;
    const told = (one, then) => {
      for (const at of one.leftIn(then)) {
        const resolves = hasResolved(then, at);
        if (at === number && !resolves)
          return this.answer(line, then, "no", `${this.item(then, at)} is removed`);
        if (at === number || (resolves && [null, at].includes(other))) {
          const detail = `${this.item(then, at)} resolves first`;
          return this.answer(line, then, at === number ? "yes" : "no", detail);
        }
      }
      return null;
    };
    const none = "it does not while players only pass";
    return this.played(line, told, (end) => this.answer(line, end, "no", none));
  }

  next(line) {
    const begun = line.last?.how === "said" && line.last.move.mode === "may" && this.begun(line);
    if (begun) {
      const rest = this.rest(line);
      return this.answer(line, rest, begun, this.whoThen(line, rest));
    }
    const told = (one, then) => {
      const said = this.seen(one, then);
      if (!said) return null;
      const rest = this.rest(then);
      return this.answer(line, rest, said, this.whoThen(then, rest));
    };
    return this.played(line, told, (end) =>
      end.spot.stage
        ? this.answer(line, end, "nothing", this.holders(end.spot))
        : this.answer(line, end, "the game is over"),
    );
  }

  whose(line) {
    return this.answer(line, line, line.items[this.asked(line)].item.controller);
  }

  fate(line) {
    const number = this.asked(line);
    if (!line.items[number].place) return this.answer(line, line, line.items[number].fate);
    const told = (_, then) => {
      const { place, fate } = then.items[number];
      return place ? null : this.answer(line, then, fate, `once ${this.passed(line, then)}`);
    };
    return this.played(line, told, () => this.answer(line, line, "stays where it is"));
  }

  lies(line) {
    const zone = this.lexicon.zones.get(this.question.what);
    if (!zone) throw new LeftError(`There is no zone called ${this.question.what}.`);
    const rest = zone.isLeft ? line : this.rest(line);
    const lying = [...rest.items.keys()]
      .filter((number) => rest.items[number].place?.[0] === zone.name)
      .sort((one, other) => rest.items[one].place[1] - rest.items[other].place[1])
      .map((number) => this.item(rest, number));
    const head =
      zone.order === "unordered"
        ? joined(lying)
        : zone.order === "fifo"
          ? lying.join(", then ")
          : lying.reverse().join(" above ");
    return this.answer(line, rest, head || "nothing");
  }

  /** The item that is asked about. */
  asked(line, what = this.question.what) {
    const lying = [...line.items.keys()].filter((number) => line.items[number].place);
    const isIt = lying.length === 1 && whole(what, "it|that|this") && !focusOf(line).length;
    return isIt ? lying[0] : this.one(line, what);
  }

  /** What is *told* of the first move of which anything is, while players only pass; what *never*
   * tells where that is of none. Where the rules, or a player, may go on in several ways all are
   * followed. */
  played(line, told, never) {
    const [answers, deciders, open, seen] = [[], new Set(), [line], new Set([line.key])];
    let last = line;
    while (open.length && answers.length < MOST_WAYS) {
      const one = (last = open.pop());
      const steps = one.spot.stage ? [...this.referee.quietMoves(one.spot, true)] : [];
      let ways = steps.map((step) => one.after(step));
      if (one.spot.holders.length) ways = ways.filter(({ key }) => !seen.has(key)).slice(0, 1);
      if (ways.length > 1) for (const by of steps.flatMap(choosers)) deciders.add(by);
      const found = ways.map((then) => told(one, then));
      answers.push(...found.filter((answer) => answer));
      for (const [at, then] of [...ways.entries()].reverse()) {
        if (found[at] || seen.has(then.key)) continue;
        seen.add(then.key);
        open.push(then);
      }
    }
    if (!answers.length) return never(last);
    const heads = [...new Set(answers.map(({ head }) => head))];
    if (heads.length < 2) return answers[0];
    const [by] = deciders;
    const isOne = deciders.size === 1 && seatNamed(by) >= 0;
    const head = joined(heads, "or");
    const detail = isOne ? `as ${by} chooses` : "the rules do not say which";
    return { ...answers[0], head, detail };
  }

  /** What players see first between the ends of *line* and of *then*, but for what is last
   * there. */
  firstSeen(line, then) {
    for (let at = line.length + 1; at < then.length; at += 1) {
      const seen = this.seen(then.before(at - 1), then.before(at));
      if (seen) return seen;
    }
    return "";
  }

  /** Which step the last move of *line* begins, empty if that is none. */
  begun(line) {
    const [before, after] = [line.before(line.length - 1), line].map(({ spot }) => new Line(spot));
    const seen = this.seen(before, after);
    return seen.endsWith("begins") ? seen : "";
  }

  /** What players see happen: an item leaves, a step begins, the game ends. */
  seen(before, after) {
    for (const [number, { place }] of before.items.entries()) {
      const now = after.items[number];
      if (place && !now.place) {
        const [first] = before.leftIn(after);
        return `${this.item(after, first)} ${after.items[first].fate}`;
      }
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
