// Everything around the mountain: verdict, cards, history, camera, devices.

import { DEITIES, css, initials, inkOn } from "./box.js";
import { byId, el, redraw, say, svg } from "./dom.js";
import { t } from "./messages.js";
import { rights } from "./phone.js";
import { request, rule, undo } from "./requests.js";
import { showStill } from "./stills.js";

const ICONS = {
  none: "M5 12h14",
  setup: "M5 7h14M5 12h14M5 17h9",
  ready: "M8 5v14l11-7z",
  lifted: "M12 19V6M6 11l6-6 6 6",
  unfinished: "M6 12h.01M12 12h.01M18 12h.01",
  complete: "M5 13l4.5 4.5L19 7",
  illegal: "M6 6l12 12M18 6L6 18",
  question: "M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1-1.5 2.3M12 18.5v.01",
  hold: "M9 6v12M15 6v12",
  over: "M5 17V8l4 4 3-6 3 6 4-4v9z",
};

const playerName = (players, seat) =>
  players.find((player) => player.seat === seat)?.name ?? t("seat", { n: seat + 1 });

export function showHeader({ game, turn, simulated, paused, verdict, olympeak }) {
  say(byId("game-title"), t(game));
  const where = olympeak?.rounds
    ? t("roundTurn", olympeak)
    : t("turn", { turn: verdict?.kind === "over" ? turn : turn + 1 });
  say(byId("turn"), verdict && (!olympeak || olympeak.rounds) ? where : "");
  document.title = t("title", { game: t(game) });
  redraw(byId("badges"), [simulated, paused], () => [
    ...(paused ? [el("span", { class: "badge-text paused" }, t("paused"))] : []),
    ...(simulated ? [el("span", { class: "badge-text", title: t("simulatedWhy") }, t("simulated"))] : []),
  ]);
}

// A space of the mountain as it is; a part of an OlymPeak table ("reveal 2", "column red") in words.
function placeName(space, players) {
  const [part, which] = space.split(" ");
  if (which == null) return part === "round" ? t("roundMarker") : space;
  return part === "reveal" || part === "tiles" ? playerName(players, Number(which)) : t(`contender.${which}`);
}

export function showVerdict(snapshot) {
  const { verdict, players, paused } = snapshot;
  const section = byId("verdict");
  const kind = paused && verdict?.kind !== "over" ? "hold" : (verdict?.kind ?? "none");
  section.dataset.kind = kind;
  redraw(byId("verdict-icon"), kind, () => [
    svg("svg", { viewBox: "0 0 24 24" }, svg("path", { d: ICONS[kind] ?? ICONS.none })),
  ]);
  say(byId("verdict-word"), paused ? t("paused") : t(`kind.${kind}`));
  const named = verdict && kind !== "over" && kind !== "setup";
  say(byId("verdict-seat"), named ? playerName(players, verdict.seat) : "");
  const said = byId("verdict-said");
  const urgency = kind === "illegal" ? "assertive" : "polite";
  if (said.getAttribute("aria-live") !== urgency) said.setAttribute("aria-live", urgency);
  say(byId("verdict-text"), paused ? t("pausedText") : (verdict?.text ?? t("noGame")));
  say(byId("verdict-rule"), verdict?.rule && !paused ? t("rule", { rule: verdict.rule }) : "");
  // What the sentence above says already is not said twice, unless it has a place.
  const acts = (verdict?.todo ?? []).filter(({ text, space }) => space || text !== verdict.text);
  redraw(byId("todo"), paused ? [] : acts, (todo) =>
    todo.map(({ text, space }) =>
      el("li", {}, el("span", {}, text), space ? el("span", { class: "where" }, placeName(space, players)) : null),
    ),
  );
  const answers = byId("answers");
  answers.setAttribute("aria-label", t("answers"));
  const choices = paused ? [] : (verdict?.choices ?? []);
  const me = rights(snapshot);
  const asked = snapshot.asks == null ? t("theHost") : playerName(players, snapshot.asks);
  const still = paused ? null : stillOf(snapshot, kind, snapshot.turn);
  redraw(answers, { choices, question: verdict?.question, may: snapshot.may_rule, me, asked, still }, () => [
    ...choices.map(({ key, text }) =>
      me.answers
        ? el("button", { class: "answer", onclick: (event) => answer(event.currentTarget, key, verdict.question) }, text)
        : el("p", { class: "choice" }, text),
    ),
    choices.length && !me.answers ? el("p", { class: "muted" }, t("othersAnswer", { who: asked })) : null,
    // Against the rules, so it stands apart and asks again.
    snapshot.may_rule && me.host ? el("button", { class: "rule", onclick: () => rule(snapshot) }, t("playOnHere")) : null,
    still ? el("button", { class: "rule", onclick: () => showStill(still) }, t("whatWasSeen")) : null,
  ].filter(Boolean));
}

// The number of the newest picture of such a ruling in this turn, if it is kept.
const stillOf = ({ stills }, kind, turn) => stills.findLast((each) => each.kind === kind && each.turn === turn)?.number;

async function answer(button, key, question) {
  const group = [...button.parentElement.children];
  group.forEach((other) => { other.disabled = true; });
  await request("api/answer", { key, question });
  group.forEach((other) => { other.disabled = false; });
}

function card({ deity, powered }) {
  const colour = DEITIES[deity];
  const name = t(`deity.${deity}`);
  const chip = el(
    "li",
    { class: powered ? "card powered" : "card spent", title: name },
    el("span", { class: "coin", "aria-hidden": "true" }, initials(deity)),
    el("span", { class: "card-name", "aria-hidden": "true" }, name),
    el("span", { class: "unseen" }, t(powered ? "powered" : "spent", { deity: name })),
  );
  chip.style.setProperty("--deity", css(colour));
  chip.style.setProperty("--ink-on", inkOn(colour));
  return chip;
}

export function showSeats({ players, board, verdict, olympeak }, viewer) {
  const over = verdict?.kind === "over";
  const view = players.map(({ seat, name }) => ({
    seat,
    name,
    cards: board.cards[seat] ?? [],
    on: over ? verdict.winners.includes(seat) : verdict?.seat === seat,
    tag: over ? "won" : "toMove",
  }));
  byId("seats").hidden = players.length === 0 || olympeak != null;
  say(byId("seats-title"), t("seats"));
  byId("seat-list").dataset.players = players.length;
  redraw(byId("seat-list"), [view, viewer], () =>
    view.map(({ name, cards, on, tag }) => {
      const powered = cards.filter((one) => one.powered).length;
      // With four, spent cards lie on the common pile: there is nothing to count them against.
      const count = players.length === 4 ? t("poweredHeld", { n: powered }) : t("poweredCount", { n: powered, all: cards.length });
      return el(
        "article",
        { class: on ? "seat on" : "seat", "aria-label": name },
        el("h3", {}, el("span", { class: "dot", "aria-hidden": "true" }), name, on ? el("em", {}, t(tag)) : null),
        el("p", { class: "count" }, count),
        el("ul", { class: "cards" }, ...cards.map(card)),
      );
    }),
  );
  const pile = board.pile.map((deity) => t(`deity.${deity}`)).join(", ");
  say(byId("pile"), players.length === 4 ? (pile ? t("pile", { cards: pile }) : t("pileEmpty")) : "");
}

export function showScore({ score }) {
  byId("score-panel").hidden = score.length === 0;
  say(byId("score-title"), t("score"));
  redraw(byId("score"), score, () => score.map((line) => el("li", {}, line)));
}

export function showHistory(snapshot) {
  const { history, turn: played, verdict } = snapshot;
  const { host } = rights(snapshot);
  say(byId("history-title"), t("history"));
  redraw(byId("history"), [history, played, verdict != null, host, snapshot.stills], () =>
    history.length === 0
      ? [el("li", { class: "none" }, t("historyNone"))]
      : history.toReversed().map(({ turn, seat, name, text }) =>
          el(
            "li",
            { value: turn, "data-seat": seat },
            // A turn of OlymPeak is everybody's, and its words name each.
            snapshot.olympeak ? null : el("b", {}, name),
            ` ${text} `,
            seen(stillOf(snapshot, "accepted", turn)),
            verdict && host
              ? el(
                  "button",
                  { class: "back-to", onclick: () => undo(played, played - turn + 1), title: t("undoTo"), "aria-label": t("undoTo") },
                  "↶",
                )
              : null,
          ),
        ),
  );
}

const seen = (still) =>
  still
    ? el("button", { class: "back-to", onclick: () => showStill(still), title: t("whatWasSeen"), "aria-label": t("whatWasSeen") }, "◉")
    : null;

// What is out of order with the table itself, each with what to do about it.
export function showNotices({ notices }) {
  redraw(byId("notices"), notices, () =>
    notices.map(({ key, text, todo }) => el("li", { "data-key": key }, el("b", {}, text), ` ${todo}`)),
  );
}

export function showDevices({ devices }) {
  redraw(byId("devices"), devices, () =>
    devices.map(({ name, ok, detail, simulated }) => {
      const state = detail || t(ok ? "deviceOk" : "deviceAbsent");
      return el(
        "span",
        { class: ok ? "device" : "device absent" },
        el("b", {}, t(`device.${name}`)),
        ` ${state}`,
        simulated ? el("span", { class: "badge-text small" }, t("simulated")) : null,
      );
    }),
  );
}

// The picture is fetched only while it is looked at, and one at a time.
export class Camera {
  constructor() {
    this.image = byId("picture");
    this.image.alt = t("cameraAlt");
    byId("picture-link").title = t("cameraLarge");
    say(byId("camera-title"), t("camera"));
    say(byId("picture-none"), t("cameraNone"));
    this.seen = false;
    this.loading = false;
    this.wanted = 0;
    this.shown = 0;
    new IntersectionObserver(([entry]) => {
      this.seen = entry.isIntersecting;
      this.#load();
    }, { rootMargin: "80px" }).observe(byId("camera"));
    document.addEventListener("visibilitychange", () => this.#load());
  }

  offer(version) {
    this.wanted = version;
    this.#load();
  }

  async #load() {
    if (!this.seen || document.hidden || this.loading || this.wanted === this.shown) return;
    this.loading = true;
    const version = this.wanted;
    try {
      const next = new Image();
      next.src = `camera.jpg?v=${version}`;
      await next.decode();
      this.image.src = next.src;
      this.image.width = next.naturalWidth;
      this.image.height = next.naturalHeight;
      this.image.hidden = false;
      say(byId("picture-none"), "");
      this.shown = version;
    } catch {
      this.shown = version; // the next picture will try again
    } finally {
      this.loading = false;
    }
  }
}
