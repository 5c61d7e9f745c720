// An open game that may go on, with a picture of where it stands. It is offered, never insisted on.

import { Board } from "./board.js";
import { byId, el, redraw, say } from "./dom.js";
import { lang, t } from "./messages.js";
import { columnsOf, lanesOf } from "./olympeak.js";
import { rights } from "./phone.js";
import { abandon, newGame, request } from "./requests.js";

let board = null;

export function showOffer(snapshot) {
  const { offer, players, olympeak } = snapshot;
  const { host } = rights(snapshot);
  byId("offer").hidden = offer == null;
  if (offer == null) return;
  say(byId("offer-title"), t(offer.here ? "offerHere" : "offerAside"));
  const begun = new Date(offer.begun_at * 1000).toLocaleString(lang, { dateStyle: "medium", timeStyle: "short" });
  const told = { players: offer.players.join(", "), begun, n: offer.turns };
  say(byId("offer-text"), `${t("offerText", told)} ${offer.text}`);
  redraw(byId("offer-buttons"), [offer.game, offer.here, players, host], () => !host ? [el("p", { class: "muted" }, t("othersAnswer", { who: t("theHost") }))] : [
    el("button", { class: "main", onclick: () => request("api/resume", { game: offer.game }) }, t("resumeGame")),
    offer.here ? el("button", { onclick: () => newGame(players, olympeak != null) }, t("newGame")) : null,
    el("button", { onclick: () => abandon(offer.game) }, t("abandonGame")),
  ].filter(Boolean));
  const picture = byId("offer-picture");
  if (offer.board) {
    board ??= new Board(picture);
    const seats = offer.players.map((name, seat) => ({ seat, name }));
    board.show({ board: offer.board, players: seats, verdict: null, lights: [] }, null);
  } else {
    redraw(picture, offer.olympeak, (view) => [...columnsOf(view), ...lanesOf(view.cubes)]);
  }
}
