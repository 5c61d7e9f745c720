// The table of OlymPeak: columns, the places before the seats, the scoreboard, points and findings.

import { css, inkOn } from "./box.js";
import { byId, el, redraw, say, svg } from "./dom.js";
import { t } from "./messages.js";

export const CONTENDERS = {
  blue: [40, 90, 190], green: [50, 150, 70], red: [200, 40, 40], white: [240, 238, 230],
};
const LOWEST = -5;
const PEAK = 35;

const paint = (node, contender) => {
  node.style.setProperty("--contender", css(CONTENDERS[contender]));
  node.style.setProperty("--contender-ink", inkOn(CONTENDERS[contender]));
  return node;
};
const named = (contender) => t(`contender.${contender}`);
const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");

// A card in words.
export function cardWords({ id, kind, value, heads, signs }) {
  if (kind !== "progress") return t("cardOrder", { id, order: t(`order.${kind}`) });
  return t("cardWords", { id, value: signed(value), heads, signs: signs.map(named).join(", ") });
}

export function playCard(card, { fresh = false, wrong = false } = {}) {
  const { id, kind, value, heads, signs } = card;
  const order = kind !== "progress";
  const words = cardWords(card);
  const dots = signs.map((sign) => paint(el("span", { class: "sign" }), sign));
  const classes = ["play", order && "order", fresh && "new", wrong && "wrong"].filter(Boolean);
  return el(
    "div",
    { class: classes.join(" "), role: "img", title: words, "aria-label": wrong ? `${words}, ${t("cardWrong")}` : words },
    el("span", { class: "value" }, order ? t(`order.${kind}`) : signed(value)),
    el("span", { class: "signs" }, ...dots),
    el("span", { class: "id" }, order ? id : `${heads}♦ ${id}`),
  );
}

function at(node, column, row) {
  node.style.gridColumn = column;
  node.style.gridRow = row;
  return node;
}

// The columns side by side; nothing before the contenders are known.
export function columnsOf({ columns, contenders, free, row, places }) {
  const shown = columns.length ? columns : contenders.map((contender) => ({ contender, cards: [] }));
  if (!shown.length) return [];
  const open = free.length ? row : 0;
  const last = Math.max(open, ...shown.flatMap(({ cards }) => cards.map((card) => card.row)), 0);
  const parts = [];
  shown.forEach(({ contender, cards }, column) => {
    const count = cards.filter((card) => !card.wrong).length;
    const head = el(
      "div",
      { class: free.includes(contender) ? "contender free" : "contender" },
      named(contender),
      el("small", {}, places[contender] ? t("place", { n: places[contender] }) : String(count)),
    );
    head.setAttribute("aria-label", t("column", { contender: named(contender), n: count }));
    parts.push(at(paint(head, contender), column + 1, 1));
    for (let line = 1; line <= last; line += 1) {
      const here = cards.filter((card) => card.row === line);
      if (here.length) {
        const stack = el(
          "div",
          {},
          ...here.map((placed) => playCard(placed.card, { fresh: placed.new, wrong: placed.wrong })),
        );
        parts.push(at(stack, column + 1, line + 1));
      } else {
        const target = line === open && free.includes(contender);
        const slot = el("div", { class: target ? "slot free" : "slot" }, target ? t("rowFree", { row }) : "");
        parts.push(at(slot, column + 1, line + 1));
      }
    }
  });
  return [el("div", { class: "table" }, ...parts)];
}

function showColumns(view) {
  const { columns, contenders, free, row, phase, places } = view;
  redraw(byId("columns"), [columns, contenders, free, row, phase, places], () => columnsOf(view));
}

function showZones({ zones, phase }, players) {
  redraw(byId("zones"), [zones, phase, players], () => {
    if (phase === "over" || !zones.length) return [];
    const list = zones.map(({ seat, state, card, order, status }) => {
      const lies =
        card ? playCard(card) : el("div", { class: state === "down" ? "back" : "slot", "aria-hidden": "true" });
      return el(
        "article",
        { class: "zone", "data-status": status },
        el("h4", {}, order ? el("b", {}, t("nth", { n: order })) : null, players[seat]?.name ?? t("seat", { n: seat + 1 })),
        lies,
        el("p", {}, status ? t(`status.${status}`) : t(`zone.${state}`)),
      );
    });
    return [el("div", { class: "list" }, ...list)];
  });
}

// The scoreboard, with what is to be moved.
export function lanesOf(cubes) {
  if (!cubes.length) return [];
  const [left, right, high] = [74, 628, 34];
  const x = (place) => left + ((place - LOWEST) / (PEAK - LOWEST)) * (right - left);
  const bottom = 24 + high * cubes.length;
  const root = svg("svg", { viewBox: `0 0 650 ${bottom}`, class: "lanes", role: "img" });
  const said = cubes.map(({ contender, place, seen }) =>
    seen == null || seen === place
      ? t("cubeAt", { contender: named(contender), place })
      : t("cubeMove", { contender: named(contender), seen, place }),
  );
  root.setAttribute("aria-label", said.join("; "));
  for (let place = LOWEST; place <= PEAK; place += 5) {
    root.append(
      svg("path", { d: `M${x(place)} 18V${bottom}`, class: "tick" }),
      svg("text", { x: x(place), y: 9 }, signed(place)),
    );
  }
  cubes.forEach(({ contender, place, seen }, lane) => {
    const y = 24 + high * lane + high / 2 - 2;
    const group = paint(svg("g", {}), contender);
    group.append(
      svg("text", { x: 6, y, class: "name" }, named(contender)),
      svg("path", { d: `M${left} ${y}H${right}`, class: "track" }),
    );
    if (seen != null && seen !== place) {
      const back = seen > place ? 12 : -12;
      group.append(
        svg("rect", { x: x(seen) - 11, y: y - 11, width: 22, height: 22, rx: 3, class: "seen" }),
        svg("path", { d: `M${x(seen)} ${y}H${x(place) + back}`, class: "move" }),
      );
    }
    group.append(
      svg("rect", { x: x(place) - 12, y: y - 12, width: 24, height: 24, rx: 4, class: "cube" }),
      svg("text", { x: x(place), y }, String(place).replace("-", "−")),
    );
    root.append(group);
  });
  return [el("h3", {}, t("scoreboard")), root];
}

function showLanes({ cubes }) {
  redraw(byId("lanes"), cubes, lanesOf);
}

function showResults({ results }, players) {
  redraw(byId("results"), [results, players], () =>
    results.length === 0
      ? []
      : [
          el("h3", {}, t("results")),
          ...results.map(({ seat, first, second, points, reasons, won }) =>
            el(
              "article",
              { class: won ? "result won" : "result" },
              el("h4", {}, el("span", {}, players[seat]?.name ?? ""), el("span", {}, t("points", { n: points }))),
              el("p", {}, t("predicted", { first: named(first), second: named(second) })),
              ...reasons.map((reason) => el("p", {}, reason)),
            ),
          ),
        ],
  );
}

function showFindings({ findings, assumed }) {
  redraw(byId("findings"), [findings, assumed], () => {
    if (!findings.length && !assumed) return [];
    return [
      el("h3", {}, t("findings")),
      el("ul", {}, ...findings.map((finding) => el("li", {}, finding))),
      ...(assumed ? [el("p", {}, t("assumed"))] : []),
    ];
  });
}

export function showOlympeak({ olympeak, players }) {
  byId("peak").hidden = olympeak == null;
  say(byId("peak-title"), t("table"));
  if (olympeak == null) return;
  showColumns(olympeak);
  showZones(olympeak, players);
  showLanes(olympeak);
  showResults(olympeak, players);
  showFindings(olympeak);
}
