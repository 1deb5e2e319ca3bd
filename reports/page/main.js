"use strict";

/* The page begins here: its data, its modules, and what is shown where they cannot run. */

/** The bytes that *text* is in base 64. */
function bytesOf(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Why nothing can be played in this browser; empty if it can. */
function lacking(data) {
  if (!data.game) return `${data.why} So nothing can be played on this page.`;
  if (typeof WebAssembly !== "object") return "This browser runs no WebAssembly, so nothing can be played on this page.";
  return "";
}

/** Let plays be made, and those of verdicts be stepped through. */
async function begin(data) {
  const { layout, told } = data.game.tables;
  const teller = new Teller(await WebAssembly.compile(bytesOf(data.game.tells)), told, layout);
  const phrases = new Phrases(data.words);
  let view = null;
  const play = new Play(teller, data.digest, () => {
    view.draw();
    history.replaceState(null, "", play.numbers.length ? play.link : "#play");
  });
  view = new PlayView(document.getElementById("play-view"), play, phrases);
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
    button.addEventListener("click", () => show(play, view, data.keys[Number(button.dataset.row)]));
  }
  document.documentElement.dataset.ready = "yes";
}

/** Show the play with these *keys*, from its start. */
function show(play, view, keys) {
  const found = play.find(keys);
  const whole = found === keys.length - 1;
  view.say(whole ? "This is the play of the verdict; go forward." : `This page has no room for move ${found + 1} of that play, so it is not shown here.`);
  document.getElementById("play").scrollIntoView();
  if (whole) view.buttons.forward.focus({ preventScroll: true });
}

const DATA = JSON.parse(document.getElementById("data").textContent);
const WHY = lacking(DATA);
const refuse = (why) => fill(document.getElementById("play-view"), element("p", { class: "refused", role: "status" }, why));
if (WHY) refuse(`${WHY} The verdicts, their plays and the rules are below.`);
else begin(DATA).catch((error) => refuse(`This browser does not run the game (${error.message}). The verdicts, their plays and the rules are below.`));
