// What a table has beside camera and board: the emergency stop, the lights' night, lamps and buttons.

import { byId, el, redraw, say } from "./dom.js";
import { t } from "./messages.js";
import { rights } from "./phone.js";
import { releaseStop, request } from "./requests.js";

const NIGHTS = ["auto", "night", "day"];
const BUTTONS = ["yes", "no", "undo", "emergency"];

export function showStop(snapshot) {
  const { stop } = snapshot;
  const { host } = rights(snapshot);
  byId("stop").hidden = stop == null;
  byId("stop").classList.toggle("on", Boolean(stop?.on));
  say(byId("stop-text"), stop?.on ? `${t("stopOn")} ${t(`stopBy.${stop.by}`)} ${stop.held ? t("stopHeld") : ""}` : "");
  // Anybody may press it, only the host releases it.
  redraw(byId("stop-buttons"), [stop, host], () =>
    stop?.on
      ? [host ? el("button", { onclick: releaseStop, disabled: stop.held }, t("release")) : el("p", {}, t("hostReleases"))]
      : [el("button", { class: "stop", onclick: () => request("api/stop", { stopped: true }) }, t("stopNow"))],
  );
}

function lamp(name, rhythm) {
  return el(
    "li",
    { class: `pilot ${name} ${rhythm || "dark"}` },
    el("span", { class: "bulb", "aria-hidden": "true" }),
    el("span", {}, t(`lamp.${name}`)),
    el("span", { class: "muted" }, t(`rhythm.${rhythm || "dark"}`)),
  );
}

function button(name, does, pressable) {
  const words = [el("b", {}, t(`pin.${name}`)), does ? el("span", {}, does) : null];
  return pressable
    ? el("button", { onclick: () => request("api/press", { button: name }) }, ...words)
    : el("span", { class: "pin" }, ...words);
}

const nightButtons = (night) => [
  ...NIGHTS.map((mode) =>
    el(
      "button",
      { "aria-pressed": String(night.mode === mode), onclick: () => request("api/lights", { night: mode }) },
      t(`nightMode.${mode}`),
    ),
  ),
  el(
    "button",
    { "aria-pressed": String(night.testing), onclick: () => request("api/lights", { test: !night.testing }) },
    t(night.testing ? "lightTestEnd" : "lightTest"),
  ),
];

export function showFitted(snapshot) {
  const { night, panel } = snapshot;
  const { host, acts } = rights(snapshot);
  byId("fitted").hidden = night == null && panel == null;
  say(byId("fitted-title"), t("fitted"));
  redraw(byId("night"), [night, host], () =>
    night == null
      ? []
      : [
          el("p", {}, t(night.dark ? "lightsDimmed" : "lightsBright")),
          ...(host ? nightButtons(night) : []),
        ],
  );
  redraw(byId("lamps"), panel?.lamps ?? {}, (lamps) => Object.entries(lamps).map(([name, rhythm]) => lamp(name, rhythm)));
  redraw(byId("pins"), [panel, host, acts], () => {
    if (panel == null) return [];
    const fitted = BUTTONS.filter((name) => name in panel.buttons);
    const sound = () => request("api/sound", { silent: !panel.silent });
    return [
      ...fitted.map((name) => button(name, panel.buttons[name], panel.pressable && host)),
      panel.silent == null || !acts ? null : el("button", { onclick: sound }, t(panel.silent ? "soundOn" : "soundOff")),
    ].filter(Boolean);
  });
}
