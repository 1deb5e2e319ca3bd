"use strict";

/* A reading: a value for each option that can be switched on the page. Its last number is of the
 * players, where there may be several numbers of them. */

/** Whether *when*, a condition on options as `switches.py` writes it, is met in a *reading*. */
function isMet(when, reading) {
  if (typeof when === "boolean") return when;
  const [what, ...parts] = when;
  switch (what) {
    case "in":
      return parts[1].includes(reading[parts[0]]);
    case "not":
      return !isMet(parts[0], reading);
    case "all":
      return parts.every((part) => isMet(part, reading));
    default:
      return parts.some((part) => isMet(part, reading));
  }
}

/** What *options* are in a *reading*, those that are not as usual; of the players nothing is said.
 * */
function unusual(options, reading) {
  return options.flatMap(({ name, values, usual, isPlayers }, number) =>
    isPlayers || reading[number] === usual ? [] : [`${name} ${values[reading[number]]}`],
  );
}

/** The reading of the game whose tables are given with this number of *players* and *settings*,
 * pairs of an option and its value, and else as usual; null if the page does not have it. */
function readingOf({ layout, options }, players, settings = []) {
  if (!layout.seats && players !== layout.players) return null;
  const wanted = [...settings, ...(layout.seats ? [[options.at(-1).name, String(players)]] : [])];
  const reading = usualReading(options);
  for (const [name, value] of wanted) {
    const number = options.findIndex(
      (option) => option.name === name && option.values.includes(value),
    );
    if (number < 0) return null;
    reading[number] = options[number].values.indexOf(value);
  }
  return reading;
}

class ReadingView {
  /** Selects of *options*, whose names begin with *id*, in the words of *phrases*, that of the
   * players by itself; *changed* is called when somebody has chosen. */
  constructor(id, options, phrases, changed = () => {}) {
    this.options = options;
    const chosen = () => {
      this.tell();
      changed();
    };
    this.selects = options.map(({ name, values }, number) => {
      const titles = new Map(phrases.options.get(name)?.values);
      const choices = values.map((value) =>
        element("option", {}, titles.has(value) ? `${value}: ${titles.get(value)}` : value),
      );
      return element("select", { id: `${id}-${number}`, onchange: chosen }, choices);
    });
    const labels = options.flatMap(({ name, isPlayers }, number) =>
      isPlayers
        ? []
        : [
            element(
              "li",
              {},
              element(
                "label",
                { for: `${id}-${number}` },
                element("b", {}, name),
                ` ${phrases.options.get(name).title}`,
              ),
              this.selects[number],
            ),
          ],
    );
    this.summary = element("summary");
    this.view = element(
      "details",
      { class: "reading", hidden: !labels.length },
      this.summary,
      element("ul", {}, labels),
    );
    const players = options.findIndex(({ isPlayers, values }) => isPlayers && values.length > 1);
    this.players =
      players < 0
        ? null
        : element(
            "span",
            {},
            element("label", { for: `${id}-${players}` }, "players"),
            " ",
            this.selects[players],
          );
    this.set(usualReading(options));
  }

  /** The numbers of the values that are chosen. */
  get value() {
    return this.selects.map((select) => select.selectedIndex);
  }

  set(reading) {
    this.selects.forEach((select, number) => (select.selectedIndex = reading[number]));
    this.tell();
  }

  tell() {
    const said = unusual(this.options, this.value);
    fill(this.summary, `Reading: ${said.length ? joined(said) : "that of the verdicts"}`);
  }
}
