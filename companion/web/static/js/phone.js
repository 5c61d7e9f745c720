// Who this phone is: it made up a token once, keeps it, and joins with it. The token is shown to nobody.

import { post } from "./connection.js";
import { dialog } from "./dialog.js";
import { el } from "./dom.js";
import { t } from "./messages.js";

const KEPT = "olympus-phone";

function kept() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null; // a browser that keeps nothing: this phone joins again after a reload
  }
}

function makeToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  const made = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
  try {
    localStorage.setItem(KEPT, made);
  } catch {
    // As above.
  }
  return made;
}

let token = kept();
let id = "";
let changed = () => {};

// What this phone may do, by what the table says of who has joined.
export function rights(snapshot) {
  const phone = id && snapshot ? snapshot.phones.find((each) => each.id === id) : null;
  const host = phone?.host ?? false;
  const hosted = snapshot?.phones.some((each) => each.host) ?? false;
  const seat = phone?.seat ?? null;
  const asked = snapshot?.asks ?? null;
  return {
    id,
    host,
    seat,
    joined: phone != null,
    acts: host || seat != null,
    answers: host || (seat != null && (asked == null ? !hosted : asked === seat)),
  };
}

function send(path, body) {
  token ??= makeToken();
  return post(path, body, token);
}

// While this is open the phone has yet to learn who it is, and what is asked waits for that.
let arriving = Promise.resolve();

// Posts as this phone. Gives {ok, status, text, body} as `post` does.
export async function ask(path, body) {
  await arriving;
  return send(path, body);
}

async function learn(answer) {
  if (answer.ok) {
    id = answer.body.id;
    changed();
  }
  return answer;
}

export const here = async () => (token ? learn(await send("api/here", {})) : null);

// The host's link, or the invitation's, carries its code behind the #, which browsers never send anywhere.
const scanned = /[#&](host|join)=(\w+)/.exec(location.hash);
if (scanned) history.replaceState(null, "", location.pathname + location.search);

async function arrive() {
  await here();
  return scanned?.[1] === "host" ? learn(await send("api/join", { code: scanned[2] })) : null;
}

// Joins by the link this page was opened with, or learns who this phone was before. `snapshot`: who plays.
export async function begin(snapshot, onChange) {
  changed = onChange;
  arriving = arrive();
  const joined = await arriving;
  if (scanned?.[1] === "join" && rights(snapshot).seat == null) await join(snapshot, scanned[2]);
  return joined;
}

function seatChoice({ players, phones }, chosen, without) {
  const choice = (value, text, taken) =>
    el(
      "label",
      {},
      el("input", { type: "radio", name: "seat", value, disabled: taken, checked: value === chosen }),
      ` ${taken ? t("seatTaken", { who: text }) : text}`,
    );
  const taken = (seat) => phones.some((phone) => phone.seat === seat && phone.id !== id);
  const node = el(
    "fieldset",
    {},
    el("legend", {}, t("whichSeat")),
    ...players.map(({ seat, name }) => choice(seat, name, taken(seat))),
    without ? choice("", t("noSeat"), false) : null,
  );
  return { node, seat: () => (node.querySelector("input:checked")?.value || null) };
}

// Asks for what is missing, a code or a seat, until this phone has joined or the person has enough. Gives true if so.
export async function join(snapshot, code = "") {
  let wrong = "";
  let first = snapshot.players.find(({ seat }) => !snapshot.phones.some((phone) => phone.seat === seat))?.seat ?? "";
  for (;;) {
    const input = el("input", {
      name: "code", inputmode: "numeric", autocomplete: "one-time-code", required: true, maxlength: 12,
      "aria-label": t("code"), class: "code", value: code,
    });
    const { node, seat } = seatChoice(snapshot, first, true);
    const parts = [
      el("p", {}, t("codeWhy")),
      input,
      node,
      wrong ? el("p", { class: "error", role: "alert" }, wrong) : null,
    ];
    if ((await dialog(t("joinTable"), parts, [["ok", t("codeEnter")]])) !== "ok") return false;
    code = input.value.trim();
    first = seat() == null ? "" : Number(seat());
    const answer = await learn(await ask("api/join", { code, seat: seat() == null ? null : Number(seat()) }));
    if (answer.ok) return true;
    wrong = answer.text || t("unreachable");
  }
}

export async function takeSeat(snapshot) {
  const { node, seat } = seatChoice(snapshot, rights(snapshot).seat ?? "", true);
  if ((await dialog(t("whichSeat"), [node], [["ok", t("takeSeat")]])) !== "ok") return null;
  return learn(await ask("api/seat", { seat: seat() == null ? null : Number(seat()) }));
}

export const leave = async () => learn(await ask("api/leave", {}));
