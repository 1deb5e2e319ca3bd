"use strict";

/* Elements of the page. Text becomes text and never markup: nothing here reads HTML. */

/** An element *name* with *attributes* ("on…" are listeners) and *children*, elements or texts;
 * what is null is left out. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null));
  return made;
}

/** Put *children* in the place of what is in *parent*. */
function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter((child) => child !== null));
}

/** A, B and C. */
function joined(words, last = "and") {
  return words.length < 2
    ? words.join("")
    : `${words.slice(0, -1).join(", ")} ${last} ${words[words.length - 1]}`;
}

/** The class that has the colour of a player, by letter; none for anybody else. */
function colourOf(player) {
  const seat = LETTERS.indexOf(player);
  return player.length === 1 && seat >= 0 ? `player${seat % 6}` : "nobody";
}
