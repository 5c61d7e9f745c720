// Draws the latest snapshot. The page keeps no state of the game.

import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { byId, el, redraw, say } from "./dom.js";
import { lang, t } from "./messages.js";
import { showOlympeak } from "./olympeak.js";
import {
  Camera, showDevices, showHeader, showHistory, showNotices, showScore, showSeats, showVerdict,
} from "./panels.js";
import { newGame, request, undo } from "./requests.js";

document.documentElement.lang = lang;
say(byId("mountain-title"), t("mountain"));

const board = new Board(byId("mountain"));
const camera = new Camera();
let snapshot = null;

function viewer() {
  const seat = new URLSearchParams(location.search).get("seat");
  if (seat == null || !snapshot) return null;
  // In the address seats count from 1, as people do.
  return snapshot.players.some((player) => player.seat === Number(seat) - 1) ? Number(seat) - 1 : null;
}

function turnBoard() {
  const next = viewer() == null ? 0 : viewer() + 1;
  const address = new URL(location.href);
  if (next < snapshot.players.length) address.searchParams.set("seat", next + 1);
  else address.searchParams.delete("seat");
  history.replaceState(null, "", address);
  draw();
}

function showControls() {
  const { paused, players, turn, verdict, olympeak } = snapshot;
  const next = viewer() == null ? 0 : viewer() + 1;
  const who = players[next]?.name;
  redraw(byId("controls"), [paused, players, turn, viewer(), verdict != null, olympeak != null], () => [
    ...(players.length && !olympeak
      ? [el("button", { onclick: turnBoard }, who ? t("rotate", { who }) : t("rotateNorth"))]
      : []),
    ...(verdict
      ? [
          el("button", { onclick: () => undo(turn), disabled: turn === 0 }, t("undo")),
          el("button", { onclick: () => request("api/pause", { paused: !paused }) }, t(paused ? "goOn" : "pause")),
        ]
      : []),
    el("button", { onclick: () => newGame(players, olympeak != null) }, t("newGame")),
    ...(verdict ? [el("a", { href: "api/record", download: true, class: "button" }, t("record"))] : []),
  ]);
}

function draw() {
  showHeader(snapshot);
  showVerdict(snapshot);
  showNotices(snapshot);
  showOlympeak(snapshot);
  byId("mountain").hidden = snapshot.olympeak != null;
  if (!snapshot.olympeak) board.show(snapshot, viewer());
  showSeats(snapshot, viewer());
  showScore(snapshot);
  showHistory(snapshot);
  showDevices(snapshot);
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
  draw();
} else say(byId("verdict-text"), t("connecting"));

const connection = new Connection();
connection.addEventListener("snapshot", ({ detail }) => {
  snapshot = detail;
  draw();
});
connection.addEventListener("lights", ({ detail }) => {
  if (!snapshot?.olympeak) board.light(detail);
});
connection.addEventListener("picture", ({ detail }) => camera.offer(detail));
connection.addEventListener("line", () => {
  const { age, broken } = connection;
  document.body.classList.toggle("stale", Boolean(age));
  if (age) say(byId("lost"), t("lost", { age: duration(age) }));
  else say(byId("lost"), age == null && broken ? t("lostNever") : "");
});
