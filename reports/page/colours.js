"use strict";

/* Colours of a line, by the patterns of the grammar that editors have. */

class Colours {
  /** By *patterns*, each of which has a scope or one for each of its groups. */
  constructor(patterns) {
    let group = 1;
    this.scopes = [];
    const parts = patterns.map(({ match, name, captures }) => {
      const inner = new RegExp(`${match}|`).exec("").length - 1;
      const own = captures
        ? Object.entries(captures).map(([at, one]) => [group + Number(at), colourClass(one.name)])
        : [[group, colourClass(name)]];
      this.scopes.push(...own);
      group += inner + 1;
      return `(${match})`;
    });
    this.pattern = new RegExp(parts.join("|"), "dg");
  }

  /** The stretches of *line* that have a colour: from, to, its class. */
  of(line) {
    const found = [];
    for (const { indices } of line.matchAll(this.pattern))
      for (const [group, css] of this.scopes)
        if (indices[group] && css && indices[group][0] < indices[group][1])
          found.push([...indices[group], css]);
    return found;
  }
}

/** The class of what has that *scope*; none for what has no colour. */
function colourClass(scope) {
  const [first, second] = scope.split(".");
  if (first === "variable") return "";
  return first === "keyword" ? `c-keyword-${second}` : `c-${first}`;
}
