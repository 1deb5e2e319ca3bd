"use strict";

/* Phrases: what moves and positions are called, with the titles of the ruleset. */

const NOT = "no: ";
const STAYS = new Set(["put", "move", "changes", "begins resolving"]);

class Phrases {
  /** The words of a ruleset, by the names that it gives: see `words.py`. */
  constructor(words) {
    for (const name of [
      "stages",
      "variables",
      "kinds",
      "clauses",
      "steps",
      "zones",
      "options",
      "defaults",
    ])
      this[name] = new Map(words[name]);
    Object.assign(this, { sequences: words.sequences, map: words.map });
  }

  owner(owner) {
    return owner === "rules" || owner === "cards" ? `the ${owner}` : owner;
  }

  stage(name) {
    return this.stages.get(name) ?? "the game is over";
  }

  variable(name) {
    return this.variables.get(name) ?? name;
  }

  clause(id) {
    return this.clauses.get(id) ?? { title: "", line: 0 };
  }

  /** What *cell* is in words. */
  value(cell) {
    if (cell.kind === "player" || cell.kind === "players") return joined(cell.words) || "nobody";
    return cell.words[0];
  }

  /** The attributes of an item that say something: a flag where it is up, others where they are not
   * as they begin. */
  attributes(item) {
    const says = ({ kind, name, words }) =>
      kind === "flag" ? words[0] === "yes" : words.join() !== this.defaults.get(name);
    const told = item.attributes.filter(says);
    return told
      .map((one) => (one.kind === "flag" ? one.name : `${one.name} ${this.value(one)}`))
      .join(", ");
  }

  /** An *item* in words, *called* so. */
  item(item, called = `${item.controller}'s ${this.kinds.get(item.kind) ?? item.kind}`) {
    const more = this.attributes(item);
    return `${called}${more ? ` (${more})` : ""}`;
  }

  /** What is chosen in *choice*; empty where the cards cause nothing that has a name. */
  choice(choice) {
    if (choice.what)
      return typeof choice.value === "string"
        ? `${choice.what} is ${choice.value}`
        : `chooses ${this.item(choice.value)}`;
    if (isNothing(choice)) return "";
    return choice.value || `way ${choice.at + 1}`;
  }

  /** The choices of *move*, with who makes them where that is not its owner, said once of what they
   * choose in a row. */
  choices(move) {
    const told = [];
    for (const choice of move.choices) {
      const [words, last] = [this.choice(choice), told.at(-1)];
      if (words && last && choice.by !== move.owner && choice.by === last.by)
        last.words += `, ${words}`;
      else if (words) told.push({ by: choice.by, words });
    }
    return told.map(({ by, words }) => (by === move.owner ? words : `${this.owner(by)}: ${words}`));
  }

  /** What happens in *move* to items, and who passes; steps are seen in the position. */
  events(move) {
    return move.events.flatMap((event) => {
      if (event.kind === "passes") return [`${event.player} passes`];
      if (!event.item) return [];
      const item = this.item(event.item);
      switch (event.kind) {
        case "put":
          return [`${item} is put on ${this.zone(event.zone)}`];
        case "move":
          return [`${item} goes from ${this.zone(event.zone)} to ${this.zone(event.toZone)}`];
        case "changes":
          return [`on ${this.zone(event.zone)} is now ${item}`];
        default:
          return [`${item} ${event.kind}`];
      }
    });
  }

  /** What happens in *move* to items that leave, in short. */
  happens(move) {
    const leaves = move.events.filter(({ item, kind }) => item && !STAYS.has(kind));
    return leaves.map(({ item, kind }) => `${this.item(item)} ${kind}`);
  }

  zone(name) {
    return (this.zones.get(name) ?? { title: name }).title;
  }
}
