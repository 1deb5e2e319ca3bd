"use strict";

/* The language of questions, as `checker/situations` reads it; its patterns and lists of words are
 * on the page, from there. */

/** What *text* as a whole matches of *pattern*, which is `null` if it does not. */
function whole(text, pattern, flags = "") {
  return new RegExp(`^(?:${pattern})$`, flags).exec(text);
}

/** The seat that `I` names. */
const NINTH = 8;

/** Why the page leaves a question to the tool. */
class LeftError extends Error {}

class Words {
  /** Words as the tables `words` of `asking.py` have them. */
  constructor({ empty, irregular, suffixes, least }) {
    Object.assign(this, { empty: new Set(empty), irregular: new Map(irregular), suffixes, least });
    this.stems = new Map();
  }

  of(text) {
    return text.replaceAll("’", "'").match(/[A-Za-z0-9]+(?:[-/.][A-Za-z0-9]+)*(?:'s)?/g) ?? [];
  }

  stem(word) {
    if (!this.stems.has(word))
      this.stems.set(word, this.made(word.toLowerCase().replace(/'s$/, "").replaceAll("-", "")));
    return this.stems.get(word);
  }

  made(word) {
    let stem = this.irregular.get(word) ?? word;
    const long = (suffix) => stem.length - suffix.length >= this.least && !stem.endsWith("ss");
    const found = this.suffixes.find(([suffix]) => stem.endsWith(suffix) && long(suffix));
    if (found) stem = stem.slice(0, stem.length - found[0].length) + found[1];
    stem = this.irregular.get(stem) ?? stem;
    return stem.length > this.least && /([a-z])\1$/.test(stem) ? stem.slice(0, -1) : stem;
  }

  verb(text) {
    const [first] = this.of(text);
    return first === undefined ? "" : this.stem(first);
  }

  /** The stems of the words of *text* that carry content. */
  content(text) {
    const carries = (word) => !this.empty.has(word.toLowerCase()) && seatOf(word) === null;
    return new Set(
      this.of(text)
        .filter(carries)
        .map((word) => this.stem(word)),
    );
  }

  seats(text) {
    return this.of(text)
      .map(seatOf)
      .filter((seat) => seat !== null);
  }
}

/** The seat of the player that *word* names by a capital letter, or null. */
function seatOf(word) {
  const found = /^([A-P])(?:'s)?$/.exec(word);
  return found ? LETTERS.indexOf(found[1]) : null;
}

/** Whether all of *part* is in *all*, both sets. */
function isWithin(part, all) {
  return [...part].every((one) => all.has(one));
}

/** How many of *all* are not in *part*, both sets. */
function extra(all, part) {
  return [...all].filter((one) => !part.has(one)).length;
}

/** What is *asked* with what can be said in many ways put in the one way that is read, players by
 * their letters in the place of their *roles*. */
function plainly(asked, roles, { phrases, mine, speaking }, words) {
  const text = replaced(asked, roles);
  const isNamed = words.of(text).some((word) => ![null, NINTH].includes(seatOf(word)));
  const tables = new RegExp(speaking).test(text) && !isNamed ? [...mine, ...phrases] : phrases;
  return replaced(text, tables).split(/\s+/).filter(Boolean).join(" ");
}

/** *text* with what stands in the place of each pattern of *table*, in its order. */
function replaced(text, table) {
  return table.reduce((all, [one, put]) => all.replace(new RegExp(one, "g"), put), text);
}

/** What is asked in the language of these *patterns* by what is *said*: its statements and its
 * questions. */
function readQuestion(said, patterns) {
  const begin = new RegExp(`(?:^|[:;.?,]\\s+)(?=(?:${patterns.asking})\\b)`, "gi");
  const begins = [...said.matchAll(begin)].map((found) => found.index + found[0].length);
  if (!begins.length) {
    const found = new RegExp(`\\s(?=(?:${patterns.turnsToAsk})\\b)`, "i").exec(said);
    if (!found) throw new LeftError("This asks nothing.");
    begins.push(found.index + 1);
  }
  const colon = said.lastIndexOf(": ");
  const first = begins.find((at) => colon < 0 || at >= colon + 2) ?? begins[0];
  const asked = said
    .slice(first)
    .split("?")
    .map((one) => one.trim())
    .filter((one) => trimmed(one, " .;"));
  let situation = trimmed(said.slice(0, first), " :;,.", false);
  const later = asked.length === 1 && !situation ? whole(asked[0], patterns.inTurn, "i") : null;
  if (later) [situation, asked[0]] = [later[2], later[1]];
  const done = asked.length === 1 ? whole(asked[0], patterns.whenDone) : null;
  if (done && !new RegExp(`^(?:${patterns.filledIn})`).test(asked[0]))
    [situation, asked[0]] = [`${situation}; ${done[2]}`, done[1]];
  if (asked.length > 1 || situation.includes("?"))
    needOneSituation([...situation.split("?").slice(1), ...asked], patterns);
  const parts = partsOfText(situation).flatMap((one) => joinedParts(one, patterns));
  const questions = asked.map((one) => readInquiry(one, patterns));
  return { statements: withSubjects(parts, patterns), questions };
}

/** Throw a `LeftError` if one of several questions, of those *asked*, says more of the situation,
 * which is that of all of them. */
function needOneSituation(asked, { asking, filledIn, whenDone }) {
  const begins = new RegExp(`^(?:and )?(?:${asking})\\b`, "i");
  const isFilledIn = new RegExp(`^(?:${filledIn})`);
  const other = asked.find(
    (one) => (whole(one, whenDone) && !isFilledIn.test(one)) || !begins.test(one),
  );
  const hint = "Put what happens before the colon, or ask this question alone.";
  if (other !== undefined)
    throw new LeftError(`\`${other.trim()}\` says more of what happens. ${hint}`);
}

/** *statements*, those without a subject with that of the statement before. */
function withSubjects(statements, { subject: named, noSubject }) {
  let subject = "";
  return statements.map((one) => {
    subject = new RegExp(`^${named} [a-z]`).exec(one)?.[1] ?? subject;
    return subject && new RegExp(`^(?:${noSubject})`).test(one) ? `${subject} ${one}` : one;
  });
}

/** *text* without those *letters* at its end, and at its beginning too unless *both* is false. */
function trimmed(text, letters, both = true) {
  let [from, to] = [0, text.length];
  while (to > from && letters.includes(text[to - 1])) to -= 1;
  while (both && from < to && letters.includes(text[from])) from += 1;
  return text.slice(from, to);
}

function partsOfText(situation) {
  const text = situation.replaceAll(
    /(^|[.;]\s+)(if|when|suppose|say|given that|while|after|once)\s+/gi,
    "$1",
  );
  const parts = text.split(/;|\.\s+|,?\s+then\s+(?=[a-zA-Z])/);
  return parts.map((one) => trimmed(one, " .;,")).filter(Boolean);
}

const LIST = /^[A-P](?:, [A-P])*,? (?:and )?[A-P] (?:both |all |each )?pass(?:es)?\.?$/;
const DEED = /^[A-P] (?:both |all |each )?(?=[a-z])/;

/** The statements that a comma or ``and`` joins in *part*, each with its player. */
function joinedParts(part, patterns) {
  const named = new RegExp(`^(?:${patterns.begins})`).exec(part);
  if (named && !/^(?:[Ii]n|[Dd]uring|[Aa]t|[Oo]n)\s+[A-P] [a-z]/.test(part)) {
    return [trimmed(named[1], " ,"), ...joinedParts(part.slice(named[0].length), patterns)];
  }
  const late = whole(part, patterns.inTurn, "i");
  if (LIST.test(late ? late[1] : part)) return late ? [late[2], late[1]] : [part];
  if (/^\w+( zone)?: /.test(part)) return [part];
  const subject = new RegExp(`^${patterns.subject} [a-z]`).exec(part);
  const pieces = part
    .split(new RegExp(patterns.joins))
    .map((found) => found.trim())
    .flatMap((joined) => (/^[A-P](?:, [A-P])+$/.test(joined) ? joined.split(", ") : [joined]));
  for (let at = pieces.length - 2; at >= 0; at -= 1) {
    // "A and B fold": each of them does.
    const deed = /^[A-P]$/.test(pieces[at]) && DEED.exec(pieces[at + 1]);
    if (!deed) continue;
    const words = pieces[at + 1].slice(deed[0].length);
    pieces.splice(at, 2, `${pieces[at]} ${words}`, `${deed[0][0]} ${words}`);
  }
  const found = [];
  const whose = (one) => (subject ? one.replace(/^its /, `${subject[1]}'s `) : one);
  for (const one of pieces) {
    const piece = whose(one);
    const own = piece !== one || /^(?:[A-P](?:'s)? |everybody|both|nobody|all |an? |the |it |\w+: )/.test(piece);
    const said = own || !subject || !found.length ? piece : `${subject[1]} ${piece}`;
    const later = whole(said, patterns.inTurn, "i");
    found.push(...(later ? [later[2], later[1]] : [said]));
  }
  return found.filter(Boolean);
}

/** What is asked by *text*, without a situation. */
function readInquiry(text, patterns) {
  const { forms, now } = patterns;
  let said = trimmed(text, " .;:,");
  if (/^(?:in|under) (?:which|what) readings? /i.test(said))
    throw new LeftError("It asks about readings.");
  said = said.slice(0, 1).toLowerCase() + said.slice(1);
  said = said.replace(/^and\s+/, "");
  const isNow = new RegExp(now).test(said);
  const plain = said.replace(new RegExp(now), "");
  for (const [pattern, form] of forms) {
    const found = whole(plain, pattern) ?? whole(said, pattern);
    if (!found) continue;
    const group = (name) => (found.groups?.[name] ?? "").trim();
    const [player, what, before, after] = ["player", "what", "before", "after"].map(group);
    const asked = {
      form,
      text: text.trim(),
      player,
      what,
      before,
      after,
      respond: false,
      now: isNow,
    };
    return ["may", "must"].includes(form) ? responded(asked, patterns) : asked;
  }
  throw new LeftError("It is none of the questions that this page decides.");
}

/** What is *asked*, with what it says of answering something taken out of the act. */
function responded(asked, { responding, chance, inResponse, act }) {
  const given = new RegExp(chance, "i").exec(asked.what);
  const said = given ? (given.groups.what ?? "respond") : asked.what;
  const to = new RegExp(responding, "i").exec(said);
  if (to) {
    const what = to.groups.with || to.groups.by || "";
    return { ...asked, what, respond: true, after: to.groups.to ?? "" };
  }
  const found = new RegExp(inResponse, "i").exec(said);
  if (found) {
    const what = said.slice(0, found.index);
    return { ...asked, what, respond: true, after: found.groups.to ?? found.groups.over ?? "" };
  }
  return { ...asked, what: new RegExp(act, "i").test(said) ? "" : said };
}
