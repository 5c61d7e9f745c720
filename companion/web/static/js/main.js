// Draws the latest snapshot. The page keeps no state of the game.

import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { byId, el, redraw, say } from "./dom.js";
import { showFitted, showStop } from "./fitted.js";
import { Journal } from "./journal.js";
import { lang, languages, speak, t } from "./messages.js";
import { showOffer } from "./offer.js";
import { showOlympeak } from "./olympeak.js";
import {
  Camera, showDevices, showHeader, showHistory, showNotices, showScore, showSeats, showVerdict,
} from "./panels.js";
import { begin, here, rights } from "./phone.js";
import { Practice } from "./practice.js";
import { preflight } from "./preflight.js";
import { correct, newGame, remember, reply, request, startHere, undo } from "./requests.js";
import { showRoom } from "./room.js";
import { announce } from "./speech.js";

say(byId("mountain-title"), t("mountain"));
byId("language").prepend(
  el(
    "select",
    { "aria-label": t("language"), onchange: (event) => speak(event.target.value) },
    ...Object.entries(languages).map(([code, name]) => el("option", { value: code, lang: code, selected: code === lang }, name)),
  ),
);

// Who points at a piece on the page has something to say about it.
const board = new Board(byId("mountain"), (picked) => {
  if (snapshot?.verdict && !journal.open && rights(snapshot).host) correct(snapshot, picked);
});
const camera = new Camera();
const practice = new Practice();
let snapshot = null;
// What is looked at of the games that are kept, beside the running table.
const journal = new Journal(() => { if (snapshot) draw(); });

function viewer() {
  if (!snapshot) return null;
  const seat = new URLSearchParams(location.search).get("seat");
  if (seat == null) return rights(snapshot).seat;
  if (seat === "0") return null;
  // In the address seats count from 1, as people do.
  return snapshot.players.some((player) => player.seat === Number(seat) - 1) ? Number(seat) - 1 : null;
}

function turnBoard() {
  const next = viewer() == null ? 0 : viewer() + 1;
  const address = new URL(location.href);
  // 0 is nobody's: the board as the camera sees it.
  address.searchParams.set("seat", next < snapshot.players.length ? next + 1 : 0);
  history.replaceState(null, "", address);
  draw();
}

function showControls() {
  const { paused, players, turn, verdict, olympeak, may_start: mayStart } = snapshot;
  const next = viewer() == null ? 0 : viewer() + 1;
  const who = players[next]?.name;
  const { host, acts, seat } = rights(snapshot);
  // A seat takes back its own last turn, the host any.
  const mayUndo = host || (seat != null && snapshot.history.at(-1)?.seat === seat);
  const state = [
    paused, players, turn, viewer(), verdict != null, olympeak != null, mayStart, journal.open, journal.replay != null,
    host, acts, mayUndo,
  ];
  redraw(byId("controls"), state, () =>
    journal.open
      ? [
          el("a", { href: "#", class: "button" }, t(verdict ? "toTable" : "journalClose")),
          journal.replay ? el("a", { href: "#journal", class: "button" }, t("journal")) : null,
        ].filter(Boolean)
      : [
          ...(players.length && !olympeak
            ? [el("button", { onclick: turnBoard }, who ? t("rotate", { who }) : t("rotateNorth"))]
            : []),
          ...(verdict && acts
            ? [
                mayUndo ? el("button", { onclick: () => undo(turn), disabled: turn === 0 && verdict.kind !== "complete" }, t("undo")) : null,
                host ? el("button", { onclick: () => correct(snapshot) }, t("misread")) : null,
                el("button", { onclick: () => request("api/pause", { paused: !paused }) }, t(paused ? "goOn" : "pause")),
              ].filter(Boolean)
            : []),
          ...(mayStart && verdict && host ? [el("button", { onclick: () => startHere(snapshot) }, t("startHere"))] : []),
          ...(host ? [el("button", { onclick: () => newGame(players, olympeak != null) }, t("newGame"))] : []),
          ...(acts ? [el("button", { onclick: (event) => preflight(event.currentTarget) }, t("preflight"))] : []),
          el("a", { href: "#journal", class: "button" }, t("journal")),
          ...(verdict ? [el("a", { href: "api/record", download: true, class: "button" }, t("record"))] : []),
        ],
  );
}

// The table as it is, or as it stood at the step of a kept game that is looked at.
function draw() {
  remember(snapshot);
  const shown = journal.table ?? snapshot;
  const live = shown === snapshot && !journal.open;
  document.body.classList.toggle("replaying", !live);
  showHeader(live ? snapshot : { ...shown, simulated: false, paused: false, verdict: null });
  showVerdict(snapshot);
  showNotices(snapshot);
  showOlympeak(shown);
  byId("mountain").hidden = shown.olympeak != null;
  if (!shown.olympeak) board.show(shown, live ? viewer() : null);
  showSeats(shown, viewer());
  showScore(shown);
  showHistory(snapshot);
  showDevices(snapshot);
  showStop(snapshot);
  showFitted(snapshot);
  showOffer(live ? snapshot : { offer: null, phones: [] });
  showRoom(snapshot);
  journal.show(snapshot);
  practice.light(snapshot.lights);
  practice.showSeats(live ? snapshot : { ...snapshot, simulated: false });
  showControls();
}

function duration(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? t("seconds", { n: seconds }) : t("minutes", { n: Math.round(seconds / 60) });
}

// The page comes with the table as it was when it was asked for; what has changed since follows at once.
const painted = document.querySelector('meta[name="table"]').content;
if (painted) {
  snapshot = JSON.parse(painted);
  announce(snapshot);
  draw();
} else say(byId("verdict-text"), t("connecting"));

const connection = new Connection();
connection.addEventListener("snapshot", ({ detail }) => {
  snapshot = detail;
  announce(snapshot);
  draw();
});
if (snapshot) {
  begin(snapshot, draw).then((answer) => {
    if (answer?.text) reply(answer.text, answer.ok);
  });
}
document.addEventListener("visibilitychange", () => { if (!document.hidden) here(); });
connection.addEventListener("lights", ({ detail }) => {
  if (snapshot?.olympeak || journal.table) return;
  board.light(detail);
  practice.light(detail);
});
connection.addEventListener("practice", ({ detail }) => {
  practice.show(detail);
  if (snapshot && !journal.open) practice.showSeats(snapshot);
});
connection.addEventListener("picture", ({ detail }) => camera.offer(detail));
connection.addEventListener("line", () => {
  const { age, broken } = connection;
  document.body.classList.toggle("stale", Boolean(age));
  if (age) say(byId("lost"), t("lost", { age: duration(age) }));
  else say(byId("lost"), age == null && broken ? t("lostNever") : "");
});

// Browsers allow it only where nobody could have changed the page on its way: on the table itself, or by https.
if (window.isSecureContext) navigator.serviceWorker?.register("sw.js");
