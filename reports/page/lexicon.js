"use strict";

/* The vocabulary of a game: `checker/situations/vocabulary.py` on the page, whose names are in its
 * tables. */

const VERB = 1000;

class Lexicon {
  constructor(
    language,
    { clauses, names, kinds, steps, sequences, zones, causes, ways, inside, luck, roles, ...more },
  ) {
    this.words = new Words(language);
    this.clauses = new Map(clauses.map((clause) => [clause.id, clause]));
    this.names = names.map(([clause, words, choice, kind, verb]) => ({
      clause,
      words: new Set(words),
      choice,
      kind,
      verb,
    }));
    this.kinds = new Map(
      kinds.map(([name, title, texts]) => [
        name,
        { title, names: texts.map((one) => new Set(one)) },
      ]),
    );
    this.steps = steps.map(([number, step, texts, own]) => ({
      number,
      step,
      own,
      names: texts.map((one) => new Set(one)),
    }));
    this.causes = causes.map(([title, words, again]) => ({ title, again, words: new Set(words) }));
    this.zones = new Map(
      zones.map(([called, name, order, isLeft]) => [called, { name, order, isLeft }]),
    );
    Object.assign(this, {
      sequences,
      roles,
      ways: new Set(ways),
      inside: new Map(inside),
      luck: new Map(luck),
    });
    for (const name of ["generic", "doing", "hyphenated", "answering", "verbs"])
      this[name] = new Set(more[name]);
  }

  content(text) {
    return this.words.content(text);
  }

  /** What *phrase* fits of what players decide: an act, what the rules ask of them, or a pass. */
  decided(phrase) {
    return (
      this.fit(phrase, ["may"], false, { isDeed: true }) ??
      this.fit(phrase, ["must"], false, { isDeed: true, isMeant: ({ asks }) => asks }) ??
      this.fit(phrase, ["may", "must"], true, { isDeed: true })
    );
  }

  /** What *phrase* fits of what is done by players, be it that the rules say so. */
  done(phrase) {
    const [said, first] = [this.content(phrase), this.words.verb(phrase)];
    const isIt = ([verb, words]) => verb === first && isWithin(said, new Set(words));
    const deeds = [...this.clauses.values()].filter(({ deeds: all }) => all.some(isIt));
    const named = deeds.map(({ id }) => ({ clause: id, words: new Set(), choice: "", kind: "" }));
    return this.decided(phrase) ?? (named.length ? fitted(named) : null);
  }

  /** What *phrase* fits best among clauses of these *modes* that are meant: names, and how many
   * words of them it does not say. */
  fit(phrase, modes = ["may", "must"], passing = false, { isDeed, isMeant } = {}) {
    const ids = this.words.of(phrase).filter((word) => this.clauses.has(word));
    if (ids.length) {
      const found = [...new Set(ids)].sort();
      return fitted(
        found.map((clause) => ({ clause, words: new Set(), choice: "", kind: "", verb: "" })),
      );
    }
    const said = this.content(phrase);
    if (!said.size) return null;
    const verb = this.words.verb(phrase);
    const isOf = (one) =>
      modes.includes(one.mode) && one.passes === passing && (isMeant?.(one) ?? true);
    const named = this.names.filter(({ clause }) => isOf(this.clauses.get(clause)));
    const isSentence = ({ clause, choice }) =>
      this.clauses.get(clause).mode === "must" && !choice;
    const isDone = (one) =>
      !isDeed || verb === one.verb || (said.has(verb) && (said.size > 1 || isSentence(one)));
    const fits = named.filter((one) => isWithin(said, one.words) && isDone(one));
    if (fits.length)
      return least(fits, (one) => (one.verb !== verb) * VERB + extra(one.words, said));
    const what = new Set([...said].filter((word) => word !== verb));
    const alike = named.filter(({ words }) => what.size && isWithin(what, words));
    const put = this.generic.has(verb) ? alike.filter(({ kind }) => kind) : [];
    const near = this.doing.has(verb) ? alike.filter(({ words }) => extra(words, what) <= 1) : [];
    const best = put.length ? put : near;
    return best.length ? least(best, (one) => extra(one.words, what)) : null;
  }

  /** *text* with a hyphen between words that this game writes as one. */
  hyphened(text) {
    const isOne = (first, second) => this.hyphenated.has(this.words.stem(first + second));
    return text.replace(/\b([A-Za-z]{3,}) (?=([A-Za-z]{3,})\b)/g, (all, first, second) =>
      isOne(first, second) ? `${first}-` : all,
    );
  }

  /** Whether all words of *phrase* are in one name of that *kind*. */
  isCalled(kind, phrase) {
    return !phrase.size || this.kinds.get(kind).names.some((words) => isWithin(phrase, words));
  }

  kindsCalled(phrase) {
    const ranks = [...this.kinds].flatMap(([kind, { names }]) => {
      const fits = names.filter((words) => phrase.size && isWithin(phrase, words));
      return fits.length ? [[Math.min(...fits.map((words) => extra(words, phrase))), kind]] : [];
    });
    return lowest(ranks);
  }

  /** The steps that *phrase* names best; each may be called a step, or a phase. */
  stepsCalled(phrase) {
    const found = [phrase, this.counted(phrase), this.bare(phrase)];
    return found.map((one) => this.stepsNamed(one)).find((all) => all.length) ?? [];
  }

  /** *phrase* with a number in the place of what counts. */
  counted(phrase) {
    const numbers = new Map(["first", "second"].map((word, at) => [this.words.stem(word), at + 1]));
    return new Set([...phrase].map((word) => `${numbers.get(word) ?? word}`));
  }

  /** *phrase* without what each step may be called. */
  bare(phrase) {
    const plain = ["step", "phase"].map((word) => this.words.stem(word));
    return new Set([...phrase].filter((word) => !plain.includes(word)));
  }

  /** Whether *phrase* names none of *steps* by their own names: then one only stands for it. */
  standsIn(phrase, steps) {
    const meant = ({ number, step }) =>
      this.steps.find((one) => one.number === number && one.step === step);
    const named = steps.filter(({ step }) => step).map(meant);
    const said = [phrase, this.counted(phrase), this.bare(phrase)];
    const isOwn = ({ names, own }) =>
      names.slice(0, own).some((words) => said.some((one) => isWithin(one, words)));
    return named.length > 0 && !named.some(isOwn);
  }

  stepsNamed(phrase) {
    const ranks = this.steps.flatMap(({ number, step, names }) => {
      const fits = names.filter((words) => phrase.size && isWithin(phrase, words));
      const rank = () => (step ? Math.min(...fits.map((words) => extra(words, phrase))) : 0);
      return fits.length ? [[rank(), { number, step }]] : [];
    });
    return lowest(ranks);
  }

  causesCalled(phrase) {
    const fits = this.causes.filter(({ words }) => phrase.size && isWithin(phrase, words));
    fits.sort((a, b) => extra(a.words, phrase) - extra(b.words, phrase));
    return [
      ...new Set([...fits.map(({ title }) => title), ...fits.flatMap(({ again }) => again)]),
    ];
  }
}

/** *names*, those of clauses that are themselves called so before those that only put what is. */
function preferred(names) {
  const titled = new Set(names.filter(({ kind }) => !kind).map(({ clause }) => clause));
  return titled.size ? names.filter(({ clause }) => titled.has(clause)) : names;
}

/** Those of *ranks*, pairs of a number and what has it, whose number is least. */
function lowest(ranks) {
  const best = Math.min(...ranks.map(([rank]) => rank));
  return ranks.filter(([rank]) => rank === best).map(([, one]) => one);
}

function least(names, rank) {
  const extra = Math.min(...names.map(rank)) % VERB;
  return fitted(preferred(lowest(names.map((one) => [rank(one), one]))), extra);
}

function fitted(names, extra = 0) {
  return { names, extra, clauses: [...new Set(names.map(({ clause }) => clause))] };
}
