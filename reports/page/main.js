"use strict";

/* The page begins here: its data, its modules, and what is shown where they cannot run. */

/** The module that *text* is, packed and in base 64; null if it is empty. */
async function moduleOf(text) {
  if (!text) return null;
  const packed = new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]);
  const bytes = new Response(packed.stream().pipeThrough(new DecompressionStream("gzip")));
  return WebAssembly.compile(await bytes.arrayBuffer());
}

/** Why nothing can be played in this browser; empty if it can. */
function lacking(data) {
  if (!data.game) return `${data.why} So nothing can be played on this page.`;
  if (typeof WebAssembly !== "object") return "This browser runs no WebAssembly, so nothing can be played on this page.";
  return "";
}

/** Let plays be made, and those of verdicts be stepped through. */
async function begin(data) {
  const { tables } = data.game;
  const teller = new Teller(await moduleOf(data.game.tells), tables, tables.sizes);
  const phrases = new Phrases(data.words);
  let view = null;
  const play = new Play(teller, data.digest, () => {
    view.draw();
    history.replaceState(null, "", play.numbers.length ? play.link : "#play");
  });
  view = new PlayView(document.getElementById("play-view"), play, phrases, data.obstacles);
  view.draw();
  const follow = () => {
    if (!location.hash.startsWith("#play=") || location.hash === play.link) return;
    const why = play.follow(location.hash);
    view.say(why || "This is the play of the link.");
  };
  window.addEventListener("hashchange", follow);
  follow();
  for (const button of document.querySelectorAll("button[data-row]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      play.resize(tables.sizes);
      show(play, view, data.rows[Number(button.dataset.row)].keys);
    });
  }
  document.documentElement.dataset.ready = "yes";
  const modules = await Promise.all(data.game.searches.map((texts) => Promise.all(texts.map(moduleOf))));
  const script = document.getElementById("worker").textContent;
  new AskView(document.getElementById("ask-view"), data.game, modules, data.rows, script, (sizes, keys) => {
    play.resize(sizes);
    play.replace([], 0);
    show(play, view, keys === null ? null : keys.map((key) => [null, key]));
  });
  document.documentElement.dataset.asks = "yes";
}

/** Show the play with these *keys*, from its start; with none, the board. */
function show(play, view, keys) {
  document.getElementById("play").scrollIntoView();
  if (keys === null) return;
  const found = keys.length ? play.find(keys) : 0;
  const whole = found === Math.max(0, keys.length - 1);
  view.say(whole ? "This is the play of the verdict; go forward." : `This page has no room for move ${found + 1} of that play, so it is not shown here.`);
  if (whole) view.buttons.forward.focus({ preventScroll: true });
}

const DATA = JSON.parse(document.getElementById("data").textContent);
const WHY = lacking(DATA);
const refuse = (why) => fill(document.getElementById("play-view"), element("p", { class: "refused", role: "status" }, why));
if (WHY) refuse(`${WHY} The verdicts, their plays and the rules are below.`);
else begin(DATA).catch((error) => refuse(`This browser does not run the game (${error.message}). The verdicts, their plays and the rules are below.`));
