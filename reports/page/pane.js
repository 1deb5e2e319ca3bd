"use strict";

/* A pane: one file in a textarea, with its lines in colour behind it, and beside each what is wrong
 * with it or what came of it. */

const INDENT = "  ";
const UNDOABLE = 100; // lines: a browser takes long to put in more

class Pane {
  /** Of the file *name*, called *title*, in these *colours*; *typed* is called when it is another
   * text, *refused* with how much was pasted if that is more than it takes, *chosen* with the place
   * on the page of an outcome that is chosen. */
  constructor({ name, title, colours, most, typed, refused, chosen }) {
    Object.assign(this, { name, title, colours, most, typed, chosen });
    Object.assign(this, {
      digest: "",
      saved: "",
      wrong: "",
      lines: [],
      mistakes: [],
      outcomes: [],
    });
    this.gutter = element("div", { class: "gutter" });
    this.behind = element("div", { class: "behind", "aria-hidden": true });
    this.box = element("textarea", {
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      wrap: "off",
      "aria-label": title,
    });
    this.box.addEventListener("input", () => this.changed());
    this.box.addEventListener("beforeinput", (event) => {
      if ((event.data ?? "").length <= most) return;
      event.preventDefault();
      refused(this, event.data.length);
    });
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.list = element("ul", { class: "list", hidden: true, "aria-label": "Mistakes" });
    this.scroll = element(
      "div",
      { class: "scroll" },
      this.gutter,
      element("div", { class: "sheet" }, this.behind, this.box),
    );
    this.view = element("div", { class: "pane", role: "tabpanel" }, this.scroll, this.list);
  }

  get text() {
    return this.box.value;
  }

  get isDirty() {
    return this.text !== this.saved;
  }

  /** Whether it is larger than any file of rules may be. */
  get isTooLarge() {
    return (
      this.text.length > this.most ||
      (this.text.length > this.most / 3 && bytes(this.text) > this.most)
    );
  }

  /** Say what the file on disk says. */
  open({ text, digest, wrong }) {
    Object.assign(this, { digest, saved: text, wrong });
    this.box.readOnly = wrong !== "";
    if (this.text !== text) this.put(text);
  }

  /** Put *text* in the place of what stands there; where little changes undo takes it back. */
  put(text) {
    const { box } = this;
    const [old, at] = [box.value.split("\n"), box.selectionStart];
    const lines = text.split("\n");
    const [same, end] = common(old, lines);
    const changed = lines.slice(same, end + lines.length - old.length);
    const isSmall = !this.view.hidden && same < end && changed.length && changed.length < UNDOABLE;
    const active = document.activeElement;
    if (isSmall) {
      const from = old.slice(0, same).join("\n").length + (same ? 1 : 0);
      box.focus({ preventScroll: true });
      box.setSelectionRange(from, from + old.slice(same, end).join("\n").length);
    }
    if (!isSmall || !document.execCommand("insertText", false, changed.join("\n")))
      box.value = text;
    box.setSelectionRange(Math.min(at, text.length), Math.min(at, text.length));
    if (active !== box) active?.focus?.({ preventScroll: true });
    this.changed();
  }

  changed() {
    this.outcomes = this.moved(this.outcomes);
    this.draw();
    this.typed(this);
  }

  /** Tab and Enter as in an editor; Escape lets Tab leave. */
  key(event) {
    const { box } = this;
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") this.leaves = true;
    else if (event.key === "Tab" && !event.shiftKey && !this.leaves && !box.readOnly) {
      event.preventDefault();
      document.execCommand("insertText", false, INDENT);
    } else if (event.key === "Enter" && !box.readOnly) {
      const before = box.value.slice(0, box.selectionStart);
      const [indent] = /^[ ]*/.exec(before.slice(before.lastIndexOf("\n") + 1));
      event.preventDefault();
      document.execCommand("insertText", false, `\n${indent}`);
    }
    if (!["Escape", "Shift"].includes(event.key)) this.leaves = false;
  }

  /** *told*, each on the row that its line has now; what stands on a line that changed is old. */
  moved(told) {
    const lines = this.text.split("\n");
    const [same, end] = common(this.lines, lines);
    const more = lines.length - this.lines.length;
    return told.flatMap((one) => {
      if (one.row < same) return [{ ...one, isOld: true }];
      return one.row >= end ? [{ ...one, row: one.row + more, isOld: true }] : [];
    });
  }

  /** Tell these *mistakes*, each with its row. */
  tell(mistakes) {
    this.mistakes = mistakes;
    this.draw();
    this.list.hidden = !mistakes.length;
    fill(
      this.list,
      mistakes.map((one) =>
        element(
          "li",
          {},
          element(
            "button",
            { type: "button", class: one.severity, onclick: () => this.go(one) },
            `${one.row + 1}: ${one.message} ${one.hint ? `Hint: ${one.hint} ` : ""}(${one.code})`,
          ),
        ),
      ),
    );
  }

  /** Tell these *outcomes* of claims and rulings. */
  show(outcomes) {
    this.outcomes = outcomes;
    this.draw();
  }

  /** Put the cursor where a mistake is. */
  go({ row, start }) {
    const lines = this.text.split("\n");
    const before = lines.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0);
    const at = before + units(lines[row] ?? "", start);
    this.box.focus({ preventScroll: true });
    this.box.setSelectionRange(at, at);
    this.gutter.children[row]?.scrollIntoView({ block: "center" });
  }

  // ---------------------------------------------------------------- drawing

  draw() {
    this.view.classList.toggle("plain", this.isTooLarge);
    const lines = this.isTooLarge ? [] : this.text.split("\n");
    const told = Map.groupBy([...this.mistakes, ...this.outcomes], ({ row }) => row);
    const keys = lines.map((line, row) => line + JSON.stringify(told.get(row) ?? ""));
    const [same, end] = common(this.keys ?? [], keys);
    const old = (this.keys ?? []).length;
    for (const part of [this.behind, this.gutter]) removeFrom(part.children[same], end - same);
    const more = keys.length - old;
    const rows = [...Array(end + more - same).keys()].map((at) => same + at);
    insertAt(
      this.behind,
      same,
      rows.map((row) => this.line(lines[row], told.get(row) ?? [])),
    );
    insertAt(
      this.gutter,
      same,
      rows.map((row) => this.number(row, told.get(row) ?? [])),
    );
    if (more)
      for (let row = end + more; row < keys.length; row += 1)
        this.gutter.children[row].firstChild.data = String(row + 1);
    Object.assign(this, { keys, lines });
  }

  line(text, told) {
    const mistakes = told.filter(({ severity }) => severity);
    const spans = this.colours.of(text);
    const marks = mistakes.map(({ start, end, severity }) => {
      const from = units(text, start);
      return [from, Math.max(units(text, end), from + 1), `mark ${severity}`];
    });
    const cuts = new Set([0, text.length]);
    for (const [from, to] of [...spans, ...marks]) cuts.add(from).add(Math.min(to, text.length));
    const at = [...cuts].sort((a, b) => a - b);
    const parts = at.slice(1).map((to, number) => {
      const from = at[number];
      const css = [...spans, ...marks].filter((one) => one[0] <= from && one[1] >= to);
      const words = text.slice(from, to);
      return css.length
        ? element("span", { class: css.map((one) => one[2]).join(" ") }, words)
        : words;
    });
    const beside = told
      .slice(0, 2)
      .map((one) =>
        element(
          "span",
          {
            class: `beside ${one.severity ?? one.tone.replace(" ", "-")}${one.isOld ? " old" : ""}`,
          },
          one.message ?? `${one.words}${one.isOld ? ", before the last edits" : ""}`,
        ),
      );
    return element("div", {}, parts, beside);
  }

  number(row, told) {
    const worst = ["error", "warning"].find((one) => told.some(({ severity }) => severity === one));
    const made = element("div", { class: worst ?? null }, String(row + 1));
    for (const { place, words, tone } of told.filter((one) => one.place)) {
      const sign = { met: "✓", said: "✓", "not met": "✗" }[tone] ?? "?";
      const show = () => this.chosen(place);
      const css = tone.replace(" ", "-");
      made.append(
        element(
          "button",
          {
            type: "button",
            class: css,
            title: words,
            "aria-label": `${words}: show it`,
            onclick: show,
          },
          sign,
        ),
      );
    }
    return made;
  }
}

/** How many lines at the start are the same in both, and where those at the end begin in *old*. */
function common(old, lines) {
  const least = Math.min(old.length, lines.length);
  let same = 0;
  while (same < least && old[same] === lines[same]) same += 1;
  let last = 0;
  while (last < least - same && old.at(-1 - last) === lines.at(-1 - last)) last += 1;
  return [same, old.length - last];
}

/** Take away *number* nodes, from *node* on. */
function removeFrom(node, number) {
  for (let [at, next] = [0, node]; at < number; at += 1) {
    node = next;
    next = node.nextSibling;
    node.remove();
  }
}

/** Put *children* into *parent*, before the child of that number. */
function insertAt(parent, number, children) {
  const before = parent.children[number] ?? null;
  const made = document.createDocumentFragment();
  made.append(...children);
  parent.insertBefore(made, before);
}

/** How many units of UTF-16 the first *signs* signs of *line* have. */
function units(line, signs) {
  return [...line].slice(0, signs).join("").length;
}

function bytes(text) {
  return new TextEncoder().encode(text).length;
}
