// The preflight: what the table found of itself, go or no go, each in numbers with what to do.

import { el } from "./dom.js";
import { dialog } from "./dialog.js";
import { lang, t } from "./messages.js";
import { ask } from "./phone.js";
import { reply } from "./requests.js";

const MARKS = { good: "✓", doubtful: "!", bad: "✕", "not fitted": "–" };

const line = ({ what, seen, limit, judgement, advice }) =>
  el(
    "tr",
    { class: judgement.replace(" ", "-") },
    el("td", { "aria-label": t(`judged.${judgement.replace(" ", "_")}`) }, MARKS[judgement]),
    el("th", { scope: "row" }, what, advice && judgement !== "good" ? el("small", {}, advice) : null),
    el("td", {}, seen),
    el("td", {}, limit),
  );

const measured = ({ part, at }) =>
  el("li", {}, el("b", {}, t(`part.${part}`)), " ", at ? new Date(at * 1000).toLocaleDateString(lang) : t("neverMeasured"));

// Examines the table and shows what came of it. `button`: the one that was pressed.
export async function preflight(button) {
  button.disabled = true;
  reply(t("examining"), true);
  const answer = await ask("api/preflight", {});
  button.disabled = false;
  if (!answer.ok) {
    reply(answer.text || t("unreachable"), false);
    return;
  }
  const { go, findings, measured: parts } = answer.body;
  const table = el(
    "table",
    { class: "findings" },
    el("thead", {}, el("tr", {}, el("td"), ...["found", "seenIs", "shouldBe"].map((key) => el("th", { scope: "col" }, t(key))))),
    el("tbody", {}, ...findings.map(line)),
  );
  const body = [
    el("p", { class: go ? "go" : "no-go" }, t(go ? "goPlay" : "noGo")),
    table,
    el("h3", {}, t("measuredParts")),
    el("ul", { class: "measured" }, ...parts.map(measured)),
  ];
  await dialog(t("preflight"), body, [], t("close"));
}
