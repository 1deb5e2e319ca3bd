"use strict";

/* The page begins here: its data, its modules, and what is shown where they cannot run. */

/** What *text* is, packed and in base 64. */
function unpacked(text) {
  const packed = new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]);
  return new Response(packed.stream().pipeThrough(new DecompressionStream("gzip")));
}

/** The module that *text* is; null if it is empty. */
async function moduleOf(text) {
  return text ? WebAssembly.compile(await unpacked(text).arrayBuffer()) : null;
}

/** Why nothing can be played in this browser; empty if it can. */
function lacking(data) {
  if (!data.game) return `${data.why} So nothing can be played on this page.`;
  if (typeof WebAssembly !== "object")
    return "This browser runs no WebAssembly, so nothing can be played on this page.";
  return "";
}

/** The box of rulings: it asks what serves the page, else the kernel *player* on it, if there is
 * one; plays are put on a board with *show*. */
async function beginBox(data, player = null, show = null) {
  const asking = await unpacked(data.asking).json();
  const local = async (text) => {
    if (!player) throw new LeftError("no game is in this page.");
    return player(asking)(text);
  };
  const served = async (text) => {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(`ruling${location.search}`, {
      method: "POST",
      headers,
      body: JSON.stringify({ ask: text }),
    });
    return response.ok ? response.json() : { refused: await response.text() };
  };
  const command = (text) => [...asking.command, text].map(quoted).join(" ");
  const box = new BoxView(document.getElementById("ruling-view"), asking.offered, {
    players: asking.players,
    ask: data.tool ? served : local,
    show,
    command,
    rules: writtenAt,
    lines: new Map(asking.lexicon.clauses.map(({ id, line }) => [id, line])),
  });
  document.documentElement.dataset.rules = "yes";
  return box;
}

/** What answers questions on the page with the module that *tells* moves, of the game *tables*. */
function playerOf(tells, tables, milliseconds = 4000) {
  return ({ language, lexicon: words }) => {
    const [teller, lexicon] = [
      new Teller(tells, tables, tables.sizes),
      new Lexicon(language.words, words),
    ];
    return (text) => {
      teller.setUp(tables.sizes, usualReading(tables.options));
      const answers = askPage(text, {
        teller,
        lexicon,
        patterns: language.patterns,
        sizes: tables.sizes,
        milliseconds,
      });
      const { players } = teller;
      const sizes = tables.layout.zones.map(
        ({ name }, number) => `${name} ${tables.sizes[number]}`,
      );
      const scope = [`${players} ${players === 1 ? "player" : "players"}`, ...sizes].join(", ");
      return {
        players,
        scope,
        answers: answers.map((one) => new Telling(lexicon).told(one, one.line.spot.referee)),
      };
    };
  };
}

/** Let plays be made, and those of verdicts be stepped through. */
async function begin(data) {
  const tables = await unpacked(data.game.tables).json();
  const told = await unpacked(data.game.told).json();
  const tells = await moduleOf(data.game.tells);
  const teller = new Teller(tells, tables, tables.sizes);
  const { words, rows } = told;
  const phrases = new Phrases(words);
  let view = null;
  const play = new Play(teller, data.digest, () => {
    view.draw();
    const { link } = play;
    const shown = play.numbers.length || !play.isUsualReading ? link : "#play";
    if (history.state?.link !== link) history.pushState({ link }, "", shown);
  });
  play.begin();
  view = new PlayView(document.getElementById("play-view"), play, phrases, told);
  view.draw();
  const follow = (link) => {
    const why = play.follow(link);
    view.say(why || "This is the play of the link.");
  };
  history.replaceState({ link: play.link }, "");
  window.addEventListener("popstate", ({ state }) => {
    if (!state || state.link === play.link) return;
    follow(state.link);
    view.say("");
  });
  const isPlay = () => location.hash.startsWith("#play=") && location.hash !== play.link;
  window.addEventListener("hashchange", () => isPlay() && follow(location.hash));
  if (isPlay()) follow(location.hash);
  for (const link of document.querySelectorAll(".map a")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      follow(link.getAttribute("href"));
      document.getElementById("play").scrollIntoView();
      view.focus();
    });
  }
  for (const button of document.querySelectorAll("[data-row], .play-lanes [data-at]")) {
    button.hidden = button.disabled = false;
    button.addEventListener("click", () => {
      const row = rows[Number(button.dataset.row ?? button.closest("ol").dataset.play)];
      const { keys, room } = row;
      const needs = new Map(room);
      const sizes = tables.layout.zones.map(
        ({ name }, number) => needs.get(name) ?? tables.sizes[number],
      );
      play.setUp(
        sizes,
        needs.has("players")
          ? readingOf(tables, needs.get("players"))
          : usualReading(tables.options),
      );
      const at = button.dataset.at ? Number(button.dataset.at) : keys.length - 1;
      show(view, play.find(keys), keys.length - 1, row, { at });
    });
  }
  const isShown = ({ name }, at) => [`#show=${name}`, `#show-V${at}`].includes(location.hash);
  const showNamed = () =>
    document.querySelector(`[data-row="${rows.findIndex(isShown)}"]`)?.click();
  window.addEventListener("hashchange", showNamed);
  showNamed();
  const box = await beginBox(data, playerOf(tells, tables), (keys, players, row, at) => {
    const sizes = [
      tables.sizes,
      ...(tables.limits ? [tables.layout.zones.map(({ size }) => size)] : []),
    ];
    const put = (its) => {
      play.setUp(its, readingOf(tables, players) ?? usualReading(tables.options));
      return play.find(keys);
    };
    const moves = keys.length - 1;
    const found = sizes.reduce((made, its) => (made === moves ? made : put(its)), -1);
    show(view, found, moves, row, { at, what: "ruling" });
  });
  if (data.tool) {
    window.standing = Object.assign(new Standing(play, view, tables), { box });
    const put = (reading, sizes, { name, outcome, keys, cards }) => {
      const fitting = sizes.map((size, number) =>
        tables.limits ? Math.min(size, tables.layout.zones[number].size) : tables.sizes[number],
      );
      play.setUp(fitting, reading);
      show(view, play.find(keys), keys.length - 1, {
        name,
        says: outcome,
        end: cards.at(-1)?.end ?? "",
      });
    };
    const begun = (players, settings, sizes) => {
      const reading = readingOf(tables, players, settings);
      const most = (number) => (tables.limits ? tables.layout.zones[number].size : 0);
      if (!reading || sizes.some((size, number) => size > (most(number) || tables.sizes[number])))
        return "The board of this page has no room for that.";
      play.setUp(tables.limits ? sizes : tables.sizes, reading);
      play.anew();
      document.getElementById("play").scrollIntoView();
      return "";
    };
    askTool({
      readingOf: (players, settings) => readingOf(tables, players, settings),
      put,
      play: begun,
    });
  }
  document.documentElement.dataset.ready = "yes";
  if (data.tool) return;
  if (data.game.searches.length) await beginAsk(data, { tables, told, phrases, play, view });
  else refuseAsk(data.missing ? "This page is not complete yet." : data.why);
}

/** Say *why* nothing can be searched for in the page. */
function refuseAsk(why) {
  fill(
    document.getElementById("ask-view"),
    element("p", { class: "about" }, `Nothing can be asked here. ${why}`),
  );
}

/** Let the page search again, with the modules in *data*; plays go on the board of *view*. */
async function beginAsk(data, { tables, told, phrases, play, view }) {
  const modules = await Promise.all(
    data.game.searches.map((texts) => Promise.all(texts.map(moduleOf))),
  );
  const script = document.getElementById("worker").textContent;
  new AskView(
    document.getElementById("ask-view"),
    tables,
    modules,
    told,
    phrases,
    script,
    (sizes, reading, numbers, row) => {
      play.setUp(sizes, reading);
      if (numbers) return show(view, play.replace(numbers, numbers.length), numbers.length, row);
      play.anew();
      document.getElementById("play").scrollIntoView();
    },
  );
  document.documentElement.dataset.asks = "yes";
}

/** Show the play of the verdict that *row* tells, or the ruling, *at* its end or an earlier moment;
 * of its *moves* the number *found* was found here. */
function show(view, found, moves, row, { at = moves, what = "verdict" } = {}) {
  document.getElementById("play").scrollIntoView();
  const whole = found === moves;
  if (whole) view.keep(row, at);
  const lost = `This page has no room for move ${found + 1} of that play, so it is not shown here.`;
  const where = at === moves ? "at its end; go back" : `after move ${at} of ${moves}`;
  view.say(whole ? `This is the play of the ${what}, ${where}.` : lost);
  if (whole) view.buttons.back.focus({ preventScroll: true });
}

/** Open what the place of the address is folded into, and go there. */
function unfold() {
  const place = document.getElementById(location.hash.replace(/^#(show-)?/, ""));
  const folds = () => place?.closest("details:not([open])");
  if (!folds()) return;
  for (let folded = folds(); folded; folded = folds()) folded.open = true;
  place.scrollIntoView();
}

/** Say in the list of the page's parts which one is in sight. */
function markParts() {
  const links = new Map(
    [...document.querySelectorAll("nav a")].map((link) => [
      link.getAttribute("href").slice(1),
      link,
    ]),
  );
  const inSight = new Set();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        inSight[isIntersecting ? "add" : "delete"](target.id);
      const first = [...links.keys()].find((id) => inSight.has(id));
      for (const [id, link] of links)
        id === first
          ? link.setAttribute("aria-current", "true")
          : link.removeAttribute("aria-current");
    },
    { rootMargin: "-25% 0px -60% 0px" },
  );
  for (const id of links.keys()) observer.observe(document.getElementById(id));
}

/** Let the verdicts be filtered by what is said of them. */
function filterVerdicts() {
  const input = document.getElementById("verdict-filter");
  const [all, guards] = [document.querySelectorAll(".verdict"), document.querySelector(".guards")];
  const headed = document.querySelectorAll(".verdicts");
  input.closest(".filter").hidden = false;
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    for (const one of all) one.hidden = !one.textContent.toLowerCase().includes(wanted);
    for (const one of headed) one.hidden = !one.querySelector(".verdict:not([hidden])");
    if (guards) guards.open = wanted !== "";
    const shown = [...all].filter((one) => !one.hidden).length;
    fill(
      input.closest(".filter").querySelector("[role=status]"),
      wanted ? `${shown} of ${all.length}` : "",
    );
  });
}

/** Let the tool be asked, if one serves this page; its plays are put on the *board*, if there is
 * one. */
function askTool(board) {
  if (DATA.tool) new ToolView(document.getElementById("tool-view"), DATA.tool, board);
}

const DATA = JSON.parse(document.getElementById("data").textContent);
const WHY = lacking(DATA);
filterVerdicts();
markParts();
for (const again of document.querySelectorAll("#again")) {
  again.hidden = false;
  again.addEventListener("click", () => location.reload());
  if (window.parent !== window) again.closest(".missing").remove(); // the editor brings the next
}
unfold();
window.addEventListener("hashchange", unfold);
const refuse = (why) => {
  fill(
    document.getElementById("play-view"),
    element("p", { class: "refused", role: "status" }, why),
  );
  askTool(null);
  const begun = beginBox(DATA);
  if (DATA.tool) begun.then((box) => (window.standing = Object.assign(new Standing(), { box })));
};
if (WHY) refuse(`${WHY} The verdicts, their plays and the rules are below.`);
else
  begin(DATA).catch((error) =>
    refuse(
      `This browser does not run the game (${error.message}). The verdicts, their plays and the rules are below.`,
    ),
  );
