"use strict";

/* The editor begins here: its files, saving them, and what happens to them elsewhere. */

const LOOK = 2000;

class Editor {
  constructor({ files, again, most, patterns }) {
    const colours = new Colours(patterns);
    this.again = again;
    this.drafts = new Drafts(files[0][0]);
    this.panes = files.map(
      ([name, title]) =>
        new Pane({
          name,
          title,
          colours,
          most,
          typed: (pane) => this.typed(pane),
          refused: (pane, size) => this.refused(pane, size),
          chosen: (place) => this.follower.go(place),
        }),
    );
    this.notes = new Map();
    this.isServed = true;
    this.follower = new Follower(
      this.panes,
      document.getElementById("frames"),
      document.getElementById("follows"),
      (disk) => this.heard(disk),
    );
    this.tabs = this.panes.map((pane, at) =>
      element(
        "button",
        { type: "button", role: "tab", onclick: () => this.choose(at) },
        pane.title,
      ),
    );
    const board = element(
      "button",
      { type: "button", class: "narrow", onclick: () => document.body.classList.add("boarded") },
      "Board",
    );
    this.saves = element(
      "button",
      { type: "button", title: "Ctrl-S", onclick: () => this.save() },
      "Save",
    );
    this.saving = element("span", { class: "saving", role: "status" });
    fill(document.getElementById("bar"), this.tabs, board, this.saves, this.saving);
    fill(
      document.getElementById("text"),
      this.panes.map(({ view }) => view),
    );
    window.addEventListener("keydown", saveKey);
    this.choose(0);
  }

  async begin() {
    for (const file of await (await askServer("files")).json()) this.pane(file.name).open(file);
    for (const { title, wrong } of this.panes)
      if (wrong) this.note(`wrong ${title}`, `${title} cannot be edited here. ${wrong}`);
    await this.offer();
    this.isBegun = true;
    this.typed(this.panes[0]);
    setInterval(() => document.hidden || this.look(), LOOK);
    document.documentElement.dataset.ready = "yes";
  }

  pane(name) {
    return this.panes.find((pane) => pane.name === name);
  }

  choose(at) {
    document.body.classList.remove("boarded");
    this.panes.forEach(({ view }, number) => (view.hidden = number !== at));
    this.tabs.forEach((tab, number) => tab.setAttribute("aria-selected", String(number === at)));
    this.panes[at].draw();
  }

  // ---------------------------------------------------------------- what is typed

  typed(pane) {
    if (!this.isBegun) return;
    const large = `${pane.title} is larger than ${kilobytes(pane.most)}, which is more than any ruleset needs. It is neither read nor saved: take something out.`;
    this.note(`large ${pane.name}`, pane.isTooLarge ? large : "");
    if (pane.isTooLarge) pane.tell([]);
    this.keep();
    this.follower.typed();
  }

  /** Say that *size* signs were pasted, which *pane* does not take. */
  refused({ title, most }, size) {
    this.note(
      "pasted",
      `What you paste into ${title} has ${kilobytes(size)}, which is more than any ruleset needs (${kilobytes(most)}). It is left out.`,
      ["Good", () => this.note("pasted")],
    );
  }

  /** Keep what is not saved, and say which files that are. */
  keep() {
    const dirty = this.panes.filter(({ isDirty }) => isDirty);
    this.drafts.keep(Object.fromEntries(dirty.map(({ name, text }) => [name, text])));
    this.tabs.forEach((tab, at) => {
      const { title, isDirty } = this.panes[at];
      fill(tab, `${title}${isDirty ? " ●" : ""}`);
    });
    this.saves.disabled = !dirty.length;
    const full = "It is too large to be kept in this browser.";
    fill(this.saving, dirty.length ? `Not saved. ${this.drafts.isFull ? full : ""}` : "");
  }

  /** Offer what a window that is gone has left and no file says. */
  async offer() {
    for (const [key, { texts, at }] of await this.drafts.left()) {
      const its = Object.entries(texts).filter(
        ([name, text]) => this.pane(name) && this.pane(name).text !== text,
      );
      const done = () => {
        this.drafts.forget(key);
        this.note(key);
      };
      if (!its.length) done();
      else
        this.note(
          key,
          `${joined(its.map(([name]) => this.pane(name).title))}: what was typed here until ${new Date(at).toLocaleString()} was not saved.`,
          [
            "Put it back",
            () => {
              for (const [name, text] of its) this.pane(name).put(text);
              done();
            },
          ],
          ["Forget it", done],
        );
    }
  }

  // ---------------------------------------------------------------- saving

  async save() {
    for (const pane of this.panes)
      if (pane.isDirty && !pane.isTooLarge && !pane.wrong) await this.write(pane);
  }

  /** Write the file of *pane*, unless it is another by now than it was. */
  async write(pane) {
    const { name, text, digest } = pane;
    try {
      const said = await (await askServer("save", { file: name, text, digest })).json();
      Object.assign(pane, { saved: text, digest: said.digest });
      this.note(name);
      this.keep();
      if (!pane.isDirty) fill(this.saving, "Saved.");
    } catch (error) {
      if (error.status === 409) await this.look();
      else if (error.status && error.status !== 403)
        this.note(name, `${pane.title} is not saved. ${error.message}`);
      else this.heard(null);
    }
  }

  // ---------------------------------------------------------------- what happens elsewhere

  async look() {
    try {
      this.heard(await (await askServer("disk")).json());
    } catch {
      this.heard(null);
    }
  }

  /** Hear what tells what the files on *disk* say; null says that nobody answers. */
  heard(disk) {
    const gone = `What serves this page has ended. What you type is kept in this browser: begin \`${this.again}\`, open the address that it prints, and it is offered there.`;
    this.note("gone", disk === null ? gone : "");
    for (const pane of this.panes)
      if (
        disk &&
        disk[pane.name] !== pane.digest &&
        this.notes.get(pane.name)?.disk !== disk[pane.name]
      )
        this.changed(pane, disk[pane.name]);
  }

  /** The file of *pane* is another on *disk*: it is read again, or whoever has changed it here is
   * asked. */
  async changed(pane, disk) {
    const known = pane.digest;
    const files = await (await askServer("files")).json();
    const file = files.find(({ name }) => name === pane.name);
    if (pane.digest !== known || file.digest !== disk) return;
    if (file.text === pane.text || !pane.isDirty) {
      const isNews = file.text !== pane.text;
      pane.open(file);
      this.keep();
      this.note(
        pane.name,
        isNews ? `${pane.title} was changed elsewhere, and is read again.` : "",
        ["Good", () => this.note(pane.name)],
      );
      return;
    }
    const what = file.digest ? "was changed elsewhere" : "was removed";
    this.note(
      pane.name,
      `${pane.title} ${what} while you changed it here. Nothing is written yet.`,
      [
        "Take what is there",
        () => {
          const mine = pane.text;
          pane.open(file);
          this.keep();
          this.note(
            pane.name,
            `${pane.title} is as it is there.`,
            [
              "Put mine back",
              () => {
                pane.put(mine);
                this.note(pane.name);
              },
            ],
            ["Good", () => this.note(pane.name)],
          );
        },
      ],
      [
        "Write mine over it",
        () => {
          pane.digest = file.digest;
          this.note(pane.name);
          this.write(pane);
        },
      ],
    );
    this.notes.get(pane.name).disk = disk;
  }

  /** Say *words* under *key*, with *buttons*, pairs of a word and what it does; say nothing more
   * under it if there are none. */
  note(key, words = "", ...buttons) {
    if (this.notes.get(key)?.words === words) return;
    this.notes.get(key)?.view.remove();
    this.notes.delete(key);
    if (!words) return;
    const view = element(
      "p",
      {},
      words,
      buttons.map(([word, act]) => element("button", { type: "button", onclick: act }, word)),
    );
    this.notes.set(key, { view, words });
    document.getElementById("notes").append(view);
  }
}

function kilobytes(signs) {
  return `${Math.round(signs / 1000).toLocaleString("en")} kB`;
}

/** Save where somebody asks for that by key, here or on the board. */
function saveKey(event) {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
  event.preventDefault();
  EDITOR.save();
}

const EDITOR = new Editor(JSON.parse(document.getElementById("data").textContent));
EDITOR.begin().catch(() => EDITOR.heard(null));
