// What people ask of the table: answers, taking back, pause, a new game.

import { dialog } from "./dialog.js";
import { byId, el, say } from "./dom.js";
import { t } from "./messages.js";
import { ask, join } from "./phone.js";

let table = null;
// The latest snapshot, for whoever has to join before the table listens.
export const remember = (snapshot) => { table = snapshot; };

// Sends a request; a phone that has not joined is asked to. The answer's words go to the page. `quiet`: what was done
// shows by itself, only a refusal is said.
export async function request(path, body, { quiet = false } = {}) {
  for (;;) {
    const answer = await ask(path, body);
    if (answer.status === 401 && table && (await join(table))) continue;
    if (!answer.ok || !quiet) reply(answer.text || t("unreachable"), answer.ok);
    return answer.ok;
  }
}

let fading = 0;
export function reply(text, ok) {
  const line = byId("reply");
  line.classList.toggle("error", !ok);
  say(line, text);
  clearTimeout(fading);
  fading = setTimeout(() => say(line, ""), ok ? 4000 : 10000);
}

export async function releaseStop() {
  const pressed = await dialog(t("releaseSure"), [el("p", {}, t("releaseWhy"))], [["ok", t("release")]]);
  if (pressed === "ok") await request("api/stop", { stopped: false });
}

// Takes back the last `turns` of the `turn` that were played.
export async function undo(turn, turns = 1) {
  const [sure, why] = turns === 1 ? ["undoSure", "undoWhy"] : ["undoManySure", "undoManyWhy"];
  const pressed = await dialog(t(sure, { n: turns }), [el("p", {}, t(why))], [["ok", t("undo")]]);
  if (pressed === "ok") await request("api/undo", { turn, turns });
}

export async function abandon(game) {
  const pressed = await dialog(t("abandonSure"), [el("p", {}, t("abandonWhy"))], [["ok", t("abandonGame")]]);
  return pressed === "ok" ? request("api/abandon", { game }) : false;
}

// Whose turn it is, as radio buttons; a game that knows it by itself is not asked.
function seatChoice(players, chosen, asked) {
  if (!asked) return { node: null, seat: () => 0 };
  const node = el(
    "fieldset",
    {},
    el("legend", {}, t("whoseTurn")),
    ...players.map(({ seat, name }) =>
      el("label", {}, el("input", { type: "radio", name: "seat", value: seat, checked: seat === chosen }), ` ${name}`),
    ),
  );
  return { node, seat: () => Number(node.querySelector("input:checked").value) };
}

// A ruling of the house: play goes on from what lies there.
export async function rule({ verdict, players, olympeak }) {
  const next = (verdict.seat + 1) % players.length;
  const { node, seat } = seatChoice(players, next, olympeak == null);
  const parts = [el("p", {}, verdict.text), el("p", {}, t("ruleWhy")), node];
  const pressed = await dialog(t("ruleSure"), parts, [["ok", t("playOnHere")]]);
  if (pressed === "ok") await request("api/rule", { question: verdict.question, seat: seat() });
}

export async function startHere({ players, olympeak }) {
  const { node, seat } = seatChoice(players, 0, olympeak == null);
  const pressed = await dialog(t("startSure"), [el("p", {}, t("startWhy")), node], [["ok", t("startHere")]]);
  if (pressed === "ok") await request("api/start", { seat: seat() });
}

// Everything that was read and can be something else: {what, place, shown, text}.
function readings({ board, players, olympeak }) {
  if (olympeak) {
    const lying = olympeak.columns.flatMap(({ contender, cards }) =>
      cards.map(({ card }) => ({ what: "card", place: `column ${contender}`, shown: card.id, where: t(`contender.${contender}`) })),
    );
    const before = olympeak.zones
      .filter(({ card }) => card)
      .map(({ seat, card }) => ({ what: "card", place: `reveal ${seat}`, shown: card.id, where: players[seat].name }));
    return [...lying, ...before].map((each) => ({ ...each, text: t("readAt", { name: each.shown, where: each.where }) }));
  }
  const at = (what, place, shown, name, where) => ({ what, place, shown, text: t("readAt", { name, where }) });
  return [
    ...Object.entries(board.minis)
      .filter(([, space]) => space)
      .map(([deity, space]) => at("mini", space, deity, t(`deity.${deity}`), space === "top" ? t("summit") : space)),
    ...board.tokens.map(({ type, space }) => at("token", space, type, t(`token.${type}`), space)),
    ...board.cards.flatMap((cards, seat) =>
      cards.map(({ deity }) => at("card", `cards ${seat}`, deity, t("cardOf", { deity: t(`deity.${deity}`) }), players[seat].name)),
    ),
  ];
}

const DEITY_KEYS = ["ze", "he", "ar", "at", "ha", "de", "po", "ap"];
const TOKEN_KEYS = ["thunder", "fertility", "gate", "barrier"];

// "That is Ares, not Hera": what was misread, and what it is. `picked`: what somebody pointed at, if anything.
export async function correct(snapshot, picked = null) {
  const all = readings(snapshot);
  if (!all.length) return;
  const same = (one) => picked && one.what === picked.what && one.place === picked.place && one.shown === picked.shown;
  const options = all.map((one, number) => el("option", { value: number, selected: Boolean(same(one)) }, one.text));
  const which = el("select", { "aria-label": t("misreadWhat") }, ...options);
  const right = el("span", {});
  const draw = () => {
    const { what, shown } = all[which.value];
    const keys = what === "token" ? TOKEN_KEYS : DEITY_KEYS;
    const name = what === "token" ? "token" : "deity";
    right.replaceChildren(
      snapshot.olympeak
        ? el("input", { maxlength: 4, pattern: "[po][0-9]+", required: true, placeholder: "p014", "aria-label": t("misreadRight"), autocomplete: "off" })
        : el("select", { "aria-label": t("misreadRight") }, ...keys.filter((key) => key !== shown).map((key) => el("option", { value: key }, t(`${name}.${key}`)))),
    );
  };
  which.addEventListener("change", draw);
  draw();
  const parts = [
    el("p", {}, t("misreadWhy")),
    el("label", {}, t("misreadWhat"), which),
    el("label", {}, t("misreadRight"), right),
  ];
  const pressed = await dialog(t("misread"), parts, [["ok", t("misreadSay")]]);
  if (pressed !== "ok") return;
  const { what, place, shown } = all[which.value];
  const said = right.firstChild.value.trim().toLowerCase();
  await request("api/correct", { what, place, shown, said });
}

export async function newGame(players, olympeak) {
  const sizes = olympeak ? [2, 3, 4, 5, 6] : [2, 4];
  const count = sizes.includes(players.length) ? players.length : 2;
  const seats = Array.from({ length: sizes.at(-1) }, (_, seat) => seat);
  const names = seats.map((seat) =>
    el("input", {
      maxlength: 24, "aria-label": t("name", { n: seat + 1 }), placeholder: t("name", { n: seat + 1 }),
      value: players[seat]?.name ?? "", autocomplete: "off",
    }),
  );
  const ages = seats.map((seat) =>
    el("input", {
      class: "age", inputmode: "numeric", pattern: "[1-6]", maxlength: 1, autocomplete: "off",
      value: seat + 1, "aria-label": t("youngest", { n: seat + 1 }),
    }),
  );
  const lines = seats.map((seat) => el("div", { class: "player" }, names[seat], olympeak ? ages[seat] : null));
  const choose = (n) => lines.forEach((line, seat) => { line.hidden = seat >= n; });
  const choice = (n, text) =>
    el(
      "label",
      {},
      el("input", { type: "radio", name: "players", value: n, checked: n === count, onchange: () => choose(n) }),
      ` ${text}`,
    );
  const word = (n) => (olympeak ? t("someone", { n }) : t(n === 2 ? "two" : "four"));
  const counts = el("fieldset", {}, el("legend", {}, t("players")), ...sizes.map((n) => choice(n, word(n))));
  choose(count);
  const parts = [el("p", {}, t("newGameWhy")), counts, olympeak ? el("p", {}, t("agesWhy")) : null, ...lines];
  const pressed = await dialog(t("newGame"), parts, [["ok", t("begin")]]);
  if (pressed !== "ok") return;
  const chosen = Number(counts.querySelector("input:checked").value);
  const given = names.slice(0, chosen).map((input) => input.value.trim());
  const body = { players: chosen, names: given.every(Boolean) ? given : [] };
  if (olympeak) body.ages = ages.slice(0, chosen).map((input) => Number(input.value) - 1);
  await request("api/new", body);
}
