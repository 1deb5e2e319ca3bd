"use strict";

/* What a search of the page leaves open, and the command by which the tool decides that. */

/** Those of *questions* that the page does not ask in a *reading*, as *left* tells them: their
 * names, and why. */
function leftToTool(left, questions, reading) {
  return left
    .filter(([row]) => isMet(questions[row].when, reading))
    .map(([row, why]) => [questions[row].name, why]);
}

/** A word of a command, as a shell reads it. */
function quoted(word) {
  return /^[A-Za-z0-9@%+=:,./_-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The command that decides the properties *names* with this number of *players*, these *sizes* of
 * zones and *settings* of options, pairs of a name and a value. What is as in the ruleset itself is
 * not named: then a property that needs more gets it. */
function commandFor(target, usual, { players, sizes, settings }, names) {
  const other = (pairs, known) =>
    pairs
      .filter(([name, value]) => String(new Map(known).get(name)) !== String(value))
      .map((pair) => pair.join("="));
  return [
    "stacklaw",
    "check",
    target,
    ...(players === usual.players ? [] : ["--players", String(players)]),
    ...other(sizes, usual.sizes).flatMap((one) => ["--scope", one]),
    ...other(settings, usual.settings).flatMap((one) => ["--set", one]),
    ...names.flatMap((name) => ["-p", name]),
  ]
    .map(quoted)
    .join(" ");
}
