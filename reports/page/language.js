"use strict";

/* The language of questions, as `checker/situations` reads it; its patterns and lists of words are
 * on the page, from there. */

/** What *text* as a whole matches of *pattern*, which is `null` if it does not. */
function whole(text, pattern, flags = "") {
  return new RegExp(`^(?:${pattern})$`, flags).exec(text);
}

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

/** What text is asked in the language of these *patterns*: its statements and its questions. */
function readQuestion(text, patterns) {
  const said = text.split(/\s+/).filter(Boolean).join(" ");
  const begin = new RegExp(`(?:^|[:;.?,]\\s+)(?=(?:${patterns.asking})\\b)`, "gi");
  const begins = [...said.matchAll(begin)].map((found) => found.index + found[0].length);
  if (!begins.length) {
    const found = new RegExp(`\\s(?=(?:${patterns.turnsToAsk})\\b)`, "i").exec(said);
    if (!found) throw new LeftError("This asks nothing.");
    begins.push(found.index + 1);
  }
  const colon = said.lastIndexOf(": ");
  const first = begins.find((at) => at >= colon + 2) ?? begins[0];
  const asked = said
    .slice(first)
    .split("?")
    .map((one) => one.trim())
    .filter((one) => trimmed(one, " .;"));
  let situation = trimmed(said.slice(0, first), " :;,.", false);
  const later = asked.length === 1 && !situation ? whole(asked[0], patterns.inTurn, "i") : null;
  if (later) [situation, asked[0]] = [later[2], later[1]];
  const statements = partsOfText(situation).flatMap((one) => joinedParts(one, patterns.inTurn));
  return { statements, questions: asked.map((one) => readInquiry(one, patterns)) };
}

/** *text* without those *letters* at its end, and at its beginning too unless *both* is false. */
function trimmed(text, letters, both = true) {
  let [from, to] = [0, text.length];
  while (to > from && letters.includes(text[to - 1])) to -= 1;
  while (both && from < to && letters.includes(text[from])) from += 1;
  return text.slice(from, to);
}

function partsOfText(situation) {
  const text = situation.replace(/^(if|when|suppose|say|given that|while|after|once)\s+/i, "");
  const parts = text.split(/;|\.\s+|,?\s+then\s+(?=[a-zA-Z])/);
  return parts.map((one) => trimmed(one, " .;,")).filter(Boolean);
}

const JOINS = new RegExp(
  "(?:,\\s+and\\s+|,\\s+|\\s+and\\s+)(?=(?:[A-P] [a-z]|everybody |both |nobody |[A-P]'s |\\w+: " +
    "|passes\\b|holds priority|(?:the )?\\w+ is (?:not )?empty\\b|(?:casts|plays|activates|attacks|begins|declares|calls|buys|keeps|puts" +
    "|does|concedes|produces|reveals)\\b))",
);
const BEGINS = new RegExp(
  "^((?:in|during|at|on)\\b.*?)(?:,\\s*|\\s+)" +
    "(?=(?:[A-P] [a-z]|everybody|both players|[A-P], [A-P])" +
    "|(?:(?<=step )|(?<=phase ))[A-P]'s )",
  "i",
);

/** The statements that a comma or ``and`` joins in *part*, each with its player. */
function joinedParts(part, inTurn) {
  const named = BEGINS.exec(part);
  if (named && !/^(?:in|during|at|on)\s+[A-P] [a-z]/.test(part)) {
    return [trimmed(named[1], " ,"), ...joinedParts(part.slice(named[0].length), inTurn)];
  }
  const isList = /^[A-P](?:, [A-P])*,? (?:and )?[A-P] [a-z]+\.?$/.test(part);
  if (isList || /^\w+( zone)?: /.test(part)) return [part];
  const subject = /^([A-P]) [a-z]/.exec(part);
  const found = [];
  for (const piece of part.split(JOINS).map((one) => one.trim())) {
    const own = /^(?:[A-P](?:'s)? |everybody|both|nobody|all |an? |the |it |\w+: )/.test(piece);
    const said = own || !subject || !found.length ? piece : `${subject[1]} ${piece}`;
    const later = whole(said, inTurn, "i");
    found.push(...(later ? [later[2], later[1]] : [said]));
  }
  return found.filter(Boolean);
}

/** What is asked by *text*, without a situation. */
function readInquiry(text, { forms, now, responding, chance, inResponse }) {
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
    return form === "may" ? responded(asked, responding, chance, inResponse) : asked;
  }
  throw new LeftError("It is none of the questions that this page decides.");
}

/** What is *asked*, with what it says of answering something taken out of the act. */
function responded(asked, responding, chance, inResponse) {
  const said = asked.what;
  const to = new RegExp(responding, "i").exec(said);
  if (to) {
    const what = to.groups.with || to.groups.by || "";
    return { ...asked, what, respond: true, after: to.groups.to ?? "" };
  }
  if (new RegExp(chance, "i").test(said)) return { ...asked, what: "", respond: true };
  const found = new RegExp(inResponse, "i").exec(said);
  if (found) {
    const what = said.slice(0, found.index);
    return { ...asked, what, respond: true, after: found.groups.to ?? found.groups.over ?? "" };
  }
  return whole(said, "(?:act|do (?:something|anything))(?: here)?")
    ? { ...asked, what: "" }
    : asked;
}
