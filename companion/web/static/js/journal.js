// The games that are kept: their list, and one of them step by step. Nothing of it touches the running table.

import { fetchJson } from "./connection.js";
import { byId, el, redraw, say, svg } from "./dom.js";
import { lang, t } from "./messages.js";
import { rights } from "./phone.js";
import { abandon, request } from "./requests.js";

const STEP_MS = 1200;
const SIGNS = {
  toBegin: "M6 5v14M19 5 9 12l10 7z", stepBack: "M16 5 6 12l10 7z", playOn: "M5 5l7 7-7 7zM13 5l7 7-7 7z",
  stopPlaying: "M8 5v14M16 5v14", stepOn: "M8 5l10 7-10 7z", toEnd: "M18 5v14M5 5l10 7-10 7z",
};
const when = (seconds) => new Date(seconds * 1000).toLocaleString(lang, { dateStyle: "medium", timeStyle: "short" });
const minute = (seconds) => new Date(seconds * 1000).toLocaleTimeString(lang, { timeStyle: "short" });

// `#journal` is the list, `#journal/3` a game, `#journal/3/12` a step of it.
function wanted() {
  const [name, game, step] = location.hash.slice(1).split("/");
  if (name !== "journal") return null;
  return { game: Number(game) || null, step: step == null ? null : Number(step) || 0 };
}

export class Journal {
  // `changed` is called whenever something else is to be drawn.
  constructor(changed) {
    this.changed = changed;
    this.games = [];
    this.statistics = null;
    this.replay = null;
    this.at = 0;
    this.table = null; // the snapshot of the step that is looked at
    this.playing = 0;
    window.addEventListener("hashchange", () => this.#follow());
    this.#follow();
  }

  get open() {
    return wanted() != null;
  }

  async #follow() {
    const asked = wanted();
    if (asked == null || asked.game == null) {
      this.#stop();
      this.replay = this.table = null;
      this.changed();
      if (asked) await this.#list();
      return;
    }
    if (this.replay?.game.id !== asked.game) {
      const replay = await fetchJson(`api/games/${asked.game}`);
      if (!replay) {
        location.hash = "journal";
        return;
      }
      this.replay = replay;
    }
    await this.#show(this.#within(asked.step ?? Infinity));
  }

  async #list() {
    [this.games, this.statistics] = await Promise.all([
      fetchJson("api/games").then((games) => games ?? []), fetchJson("api/statistics"),
    ]);
    this.changed();
  }

  async #show(step) {
    const { id } = this.replay.game;
    const table = await fetchJson(`api/games/${id}/steps/${step}`);
    // Somebody may have stepped on while this one was on its way.
    const asked = wanted();
    if (!table || asked?.game !== id || this.#within(asked.step ?? step) !== step) return;
    this.at = step;
    this.table = table;
    this.changed();
  }

  #within(step) {
    return Math.min(Math.max(step, 0), this.replay.steps.length - 1);
  }

  #go(step) {
    const address = `#journal/${this.replay.game.id}/${step}`;
    history.replaceState(null, "", address);
    this.#show(step);
  }

  #step(by) {
    // From the step that was asked for last, which may still be on its way: no press is lost.
    const next = this.#within((wanted()?.step ?? this.at) + by);
    this.#go(next);
    if (next === this.replay.steps.length - 1) this.#stop();
  }

  #stop() {
    clearInterval(this.playing);
    this.playing = 0;
  }

  #play() {
    if (this.playing) this.#stop();
    else {
      if (this.at === this.replay.steps.length - 1) this.#go(0);
      this.playing = setInterval(() => this.#step(1), STEP_MS);
    }
    this.changed();
  }

  // Draws list or replay beside the table; `live` is the snapshot of the running table.
  show(live) {
    byId("journal").hidden = !this.open || this.replay != null;
    byId("replay").hidden = this.replay == null;
    if (this.replay) this.#showReplay();
    else if (this.open) this.#showList(live);
  }

  #showList(live) {
    say(byId("journal-title"), t("journal"));
    this.#showStatistics();
    redraw(byId("games"), [this.games, live.game, live.verdict != null, rights(live).host], () =>
      this.games.length === 0
        ? [el("li", {}, t("journalNone"))]
        : this.games.map((game) => this.#entry(game, live)),
    );
  }

  #showStatistics() {
    redraw(byId("statistics"), this.statistics, (all) =>
      !all?.games.length
        ? []
        : [
            el("h3", {}, t("statistics")),
            ...all.games.map(({ game, games, turns, minutes, refusals }) =>
              el("p", {}, t("statisticsOf", { game: t(game), n: games, turns, minutes, refusals })),
            ),
            el(
              "table",
              {},
              el("thead", {}, el("tr", {}, ...[t("statisticsPlayer"), t("statisticsGames"), t("statisticsWon")].map((text) => el("th", { scope: "col" }, text)))),
              el("tbody", {}, ...all.players.map(({ name, games, won }) =>
                el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, String(games)), el("td", {}, String(won))),
              )),
            ),
          ],
    );
  }

  #entry(game, live) {
    const { id, players, begun_at: begun, status, turns, text, current } = game;
    const here = rights(live).host && live.verdict != null && live.game === game.game && status === "open" && !current;
    const again = async (done) => { if (await done) await this.#list(); };
    return el(
      "li",
      { "data-status": status },
      el("h3", {}, players.join(", "), el("span", { class: "badge-text small" }, t(`gameStatus.${current ? "current" : status}`))),
      el("p", {}, `${t(game.game)}, ${when(begun)}, ${t("turnsPlayed", { n: turns })}. ${text}`),
      el(
        "div",
        { class: "buttons" },
        el("a", { class: "button", href: `#journal/${id}/0` }, t("lookAt")),
        here
          ? el("button", { onclick: async () => { if (await request("api/resume", { game: id })) location.hash = ""; } }, t("resumeGame"))
          : null,
        here ? el("button", { onclick: () => again(abandon(id)) }, t("abandonGame")) : null,
        el("a", { class: "button", href: `api/games/${id}/record`, download: true }, t("record")),
      ),
    );
  }

  #showReplay() {
    const { game, steps } = this.replay;
    const step = steps[this.at];
    say(byId("replay-title"), t("replayOf", { players: game.players.join(", "), begun: when(game.begun_at) }));
    byId("replay").dataset.kind = step.kind;
    say(byId("replay-kind"), t(`stepKind.${step.kind}`));
    say(byId("replay-text"), step.name ? `${step.name}: ${step.text}` : step.text);
    say(byId("replay-when"), t("stepOf", { n: this.at, last: steps.length - 1, at: when(step.at) }));
    redraw(byId("replay-bar"), [game.id, steps.length, this.at, this.playing !== 0], () => {
      const last = steps.length - 1;
      const button = (name, act, disabled) =>
        el(
          "button",
          { onclick: act, disabled, "aria-label": t(name), title: t(name) },
          svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: SIGNS[name] })),
        );
      return [
        button("toBegin", () => this.#go(0), this.at === 0),
        button("stepBack", () => this.#step(-1), this.at === 0),
        button(this.playing ? "stopPlaying" : "playOn", () => this.#play(), last === 0),
        button("stepOn", () => this.#step(1), this.at === last),
        button("toEnd", () => this.#go(last), this.at === last),
        el("input", {
          type: "range", min: 0, max: last, value: this.at, "aria-label": t("step"),
          oninput: (event) => this.#go(Number(event.target.value)),
        }),
      ];
    });
    redraw(byId("replay-steps"), [game.id, steps.length, this.at], () =>
      steps.map(({ number, at, kind, name, text }) =>
        el(
          "li",
          { "data-kind": kind, "aria-current": number === this.at ? "step" : null },
          el("button", { onclick: () => this.#go(number) }, el("small", {}, minute(at)), ` ${name ? `${name}: ` : ""}${text}`),
        ),
      ),
    );
    const chosen = byId("replay-steps").children[this.at];
    chosen?.scrollIntoView({ block: "nearest" });
  }
}
