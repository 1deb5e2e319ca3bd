"use strict";

/* Drafts: what was typed and is not saved, kept in this browser, so that it is offered again
 * whatever ends the window or the server. */

class Drafts {
  /** Of the files that the ruleset *name* has, for this window. */
  constructor(name) {
    this.prefix = `stacklaw ${name} `;
    this.key = `${this.prefix}${crypto.randomUUID()}`;
    this.isFull = false;
    navigator.locks?.request(this.key, () => new Promise(() => {}));
  }

  /** Keep these *texts*, by the names of their files; nothing is kept of no text. */
  keep(texts) {
    this.isFull = false;
    try {
      if (Object.keys(texts).length) {
        localStorage.setItem(this.key, JSON.stringify({ texts, at: Date.now() }));
      } else localStorage.removeItem(this.key);
    } catch {
      this.isFull = true;
    }
  }

  /** What other windows, which are closed, have left: pairs of a key and what it keeps. */
  async left() {
    const held = (await navigator.locks?.query())?.held ?? [];
    const living = new Set(held.map(({ name }) => name));
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(this.prefix) && key !== this.key && !living.has(key))
      .map((key) => [key, JSON.parse(localStorage.getItem(key))]);
  }

  forget(key) {
    localStorage.removeItem(key);
  }
}
