"use strict";

/* What is kept of a verdict while its play is on the board: its name on every move, what the text
 * of it calls items, where it breaks, and why. */

class Kept {
  /** Of *play*; nothing is kept at first. */
  constructor(play) {
    Object.assign(this, { play, row: null });
    this.line = element("p", { class: "kept", role: "status" });
    this.because = element("div", { class: "because" });
  }

  /** Keep what *row* tells of the play on the board, at whose end one looks. */
  keep(row) {
    const { at, link } = this.play;
    Object.assign(this, { row, at, link });
    this.draw();
  }

  /** Whether the play that is kept is on the board. */
  get isOn() {
    const { play } = this;
    return this.row !== null && play.at <= this.at && play.linkTo(this.at) === this.link;
  }

  draw() {
    const { row, play, isOn } = this;
    fill(this.line, isOn ? this.says() : "");
    const [title, findings] = (isOn && row.why) || [];
    const list = (findings ?? []).map(([holds, words]) =>
      element("li", {}, element("b", {}, holds ? "yes" : "no"), ` ${words}`),
    );
    fill(
      this.because,
      isOn && row.title ? element("p", {}, element("b", {}, row.name), ` ${row.title}`) : null,
      title ? element("h4", {}, `${title}:`) : null,
      title ? element("ul", {}, list) : null,
    );
    this.because.hidden = !this.because.childNodes.length;
    this.because.classList.toggle("decides", isOn && play.at === this.at);
  }

  says() {
    const { row, play } = this;
    const end = play.at === this.at ? ` ${row.end}` : "";
    return [
      element("b", {}, row.name),
      ` ${row.says}.`,
      element("b", { class: this.tone }, end),
    ];
  }

  /** The class of what is said of its end, which is red where the author expects something else. */
  get tone() {
    return this.row.isWrong ? "end wrong" : "end";
  }

  /** What is said of moment *at* where it ends: that it breaks there. */
  ending(at) {
    return this.isOn && at === this.at ? this.row.end : "";
  }

  /** What the text of the verdict tells of the move to moment *at*; nothing if it does not. */
  told(at) {
    return (this.isOn && this.row.told?.[at]) || null;
  }

  /** What the text of the verdict calls the items on zone *number* now; nothing if it does not. */
  named(number) {
    return (this.isOn && this.row.named?.[this.play.at]?.[number]) || null;
  }
}
