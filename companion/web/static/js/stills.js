// The moment of a ruling: its picture and what was seen, for whoever doubts it.

import { fetchJson } from "./connection.js";
import { el } from "./dom.js";
import { t } from "./messages.js";
import { dialog } from "./dialog.js";

export async function showStill(number) {
  const still = (await fetchJson("api/stills"))?.find((each) => each.number === number);
  const parts = still
    ? [
        still.text ? el("p", {}, still.text) : null,
        el("img", { src: `api/stills/${number}.jpg`, alt: t("cameraAlt"), class: "still" }),
        el("ul", { class: "evidence" }, ...still.evidence.map((line) => el("li", {}, line))),
      ]
    : [el("p", {}, t("stillGone"))];
  await dialog(t("whatWasSeen"), parts, [], t("close"));
}
