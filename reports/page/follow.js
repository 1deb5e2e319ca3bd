"use strict";

/* Following: mistakes at each key, the board and the verdicts after a pause, each of the texts as
 * they stand; what is out of date is not shown. */

const SOON = 60;
const PAUSE = 400;

/** The answer to what is asked of the server at *path*; throws where it does not answer, or
 * refuses. */
async function askServer(path, asked = {}, signal = null) {
  const response = await fetch(`/${path}${location.search}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(asked),
    signal,
  });
  if (response.ok) return response;
  throw Object.assign(new Error((await response.text()).trim()), { status: response.status });
}

class Follower {
  /** Follows *panes*; the board is one of *frames*, what is said of it stands in *status*. *heard*
   * is called with what the files on disk say, or null where nobody answers. */
  constructor(panes, frames, status, heard) {
    Object.assign(this, { panes, frames, status, heard, asking: new AbortController() });
    this.shown = null;
  }

  /** Follow what was typed. */
  typed() {
    clearTimeout(this.later);
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    this.say(this.shown ? "The board is of the text before the last keys." : "");
    if (this.panes.some(({ isTooLarge }) => isTooLarge)) return;
    this.later = setTimeout(() => this.check(signal), SOON);
  }

  async check(signal) {
    const texts = Object.fromEntries(this.panes.map(({ name, text }) => [name, text]));
    try {
      if (this.tell(await this.asked("check", { texts }, signal))) return;
      await new Promise((done) => setTimeout(done, PAUSE - SOON));
      if (signal.aborted) return;
      if (this.tell(await this.asked("check", { texts, whole: true }, signal))) return;
      await this.make(texts, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.say(error.status ? error.message : "");
      if (error.status === undefined || error.status === 403) this.heard(null);
    }
  }

  async asked(path, body, signal) {
    const said = await (await askServer(path, body, signal)).json();
    if (signal.aborted) throw new Error("aborted");
    this.heard(said.disk);
    return said;
  }

  /** Tell the *mistakes*; return whether the rules cannot be read. */
  tell({ mistakes }) {
    for (const pane of this.panes) pane.tell(mistakes.filter(({ file }) => file === pane.name));
    const isWrong = mistakes.some(({ severity }) => severity === "error");
    if (isWrong) this.say(this.shown ? "The board is of the last text that could be read." : "");
    return isWrong;
  }

  /** Have the board of *texts* made, and show what comes of it. */
  async make(texts, signal) {
    this.say("The board follows …");
    const response = await askServer("board", { texts }, signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const lines = (rest + read.value).split("\n");
      rest = lines.pop();
      for (const line of lines) await this.hear(JSON.parse(line), signal);
    }
  }

  async hear({ page, outcomes, failed, progress }, signal) {
    if (signal.aborted) return;
    if (failed) this.say(failed);
    if (outcomes)
      for (const pane of this.panes) pane.show(outcomes.filter(({ file }) => file === pane.name));
    if (page) {
      const said = await this.put(page, signal);
      const what = progress
        ? "The board is of this text; its verdicts are looked for."
        : "The board and the verdicts are of this text.";
      if (!signal.aborted)
        this.say(
          [what, (this.lost = said || (progress ? "" : this.lost))].filter(Boolean).join(" "),
        );
    }
  }

  /** Show page number *page*, at what was on the board before; return what of that was lost. */
  async put(page, signal) {
    const frame = element("iframe", {
      class: "coming",
      title: "The board",
      src: `/${page}/${location.search}`,
    });
    this.frames.append(frame);
    const standing = await begun(frame, signal);
    if (!standing) {
      frame.remove();
      return "";
    }
    const said = this.shown ? standing.take(this.shown.contentWindow.standing.told()) : "";
    frame.classList.remove("coming");
    this.shown?.remove();
    this.shown = frame;
    frame.contentWindow.addEventListener("keydown", saveKey);
    return said;
  }

  /** Go to the *place* of a verdict on the page. */
  go(place) {
    const { location: at } = this.shown?.contentWindow ?? {};
    if (at) at.hash = `#${place}`;
    document.body.classList.add("boarded");
  }

  say(words) {
    fill(
      this.status,
      words || (this.shown ? "" : "The board begins as soon as the rules can be read."),
    );
  }
}

/** What stands on the page of *frame* once it has begun; nothing if *signal* comes before. */
async function begun(frame, signal) {
  while (!signal.aborted) {
    const standing = frame.contentWindow?.standing;
    if (standing) return standing;
    await new Promise((done) => setTimeout(done, 30));
  }
  return null;
}
