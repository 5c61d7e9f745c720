// The pieces of a simulated table as they lie: how each kind is drawn, in mm, its middle at the origin.

import { DEITIES, TOKENS, css, initials, inkOn } from "./box.js";
import { svg } from "./dom.js";
import { t } from "./messages.js";
import { CONTENDERS, cardWords } from "./olympeak.js";

const BACK = "#51607a";
const SPENT = "#6b6b70";
const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");

// A sheet of card; `ink` for what is written on it.
function sheet([wide, long], fill, ink, ...inside) {
  const paper = svg("rect", { x: -wide / 2, y: -long / 2, width: wide, height: long, rx: 4, fill });
  return [paper, ...inside.map((part) => { part.style.fill ||= ink; return part; })];
}

const words = (text, y = 0, kind = "") => svg("text", { y, class: kind }, text);

// A card of OlymPeak: value and signs where others leave them open, at the top.
function play({ size_mm: size, face }) {
  if (!face) return sheet(size, BACK, "#ffffff", svg("circle", { r: 12, fill: "#ffffff33" }));
  const [wide, long] = size;
  const order = face.kind !== "progress";
  const head = -long / 2 + 12;
  const dots = face.signs.map((sign, at) =>
    svg("circle", { cx: wide / 2 - 9 - 12 * at, cy: head, r: 5, fill: css(CONTENDERS[sign]), class: "sign" }),
  );
  const said = order ? t(`order.${face.kind}`) : signed(face.value);
  return sheet(
    size, order ? "#efe3c2" : "#fbf8f0", "#1d2127",
    svg("text", { x: -wide / 2 + 6, y: head, class: order ? "said" : "value" }, said),
    ...dots,
    words(order ? face.id : `${face.heads}♦  ${face.id}`, long / 2 - 8, "small"),
  );
}

const DRAWN = {
  mini: ({ size_mm: [wide], what }) => [
    svg("circle", { r: wide / 2, fill: css(DEITIES[what]) }),
    svg("text", { fill: inkOn(DEITIES[what]) }, initials(what)),
  ],
  token: ({ size_mm: [wide], what }) => [
    svg("circle", { r: wide / 2, fill: css(TOKENS[what].colour) }),
    svg("path", { d: TOKENS[what].shape, fill: inkOn(TOKENS[what].colour) }),
  ],
  card: ({ size_mm: size, what, up }) =>
    sheet(size, up ? css(DEITIES[what]) : SPENT, up ? inkOn(DEITIES[what]) : "#ffffff", words(t(`deity.${what}`), 0, "small")),
  play,
  contender: ({ size_mm: size, what }) =>
    sheet(size, css(CONTENDERS[what]), inkOn(CONTENDERS[what]), words(t(`contender.${what}`), -size[1] / 2 + 14, "said")),
  player_card: ({ size_mm: size }) => sheet(size, "#d8c9a6", "#1d2127"),
  tile: ({ size_mm: size, what }) => sheet(size, what ? css(CONTENDERS[what]) : BACK, "#ffffff"),
  cube: ({ size_mm: size, what }) => sheet(size, css(CONTENDERS[what]), "#ffffff"),
  round: ({ size_mm: [wide] }) => [svg("circle", { r: wide / 2, fill: "#f3eee4" })],
  stack: ({ size_mm: size, what }) => sheet(size, what === "draw" ? BACK : "#c9bfa8", "#ffffff"),
  phone: ({ size_mm: size }) => sheet(size, "#15181d", "#ffffff"),
};

// What the kinds are dragged for; the rest lies there.
export const MOVES = new Set(["mini", "token", "card", "play"]);
// Cards that lie askew are drawn so; a round print is read upright.
export const turns = ({ kind }) => kind !== "mini" && kind !== "token" && kind !== "round";

export const drawn = (thing) => (DRAWN[thing.kind] ?? (() => []))(thing);

// A piece in words; `where`: where it lies, if that has a name.
export function named({ kind, what, up, face }, where = "") {
  if (kind === "card") return t(up ? "powered" : "spent", { deity: t(`deity.${what}`) });
  if (kind === "play") return face ? cardWords(face) : t("cardDown");
  const name = t(`${kind === "mini" ? "deity" : "token"}.${what}`);
  return where ? t("onSpace", { what: name, space: where }) : t("offBoard", { what: name });
}
