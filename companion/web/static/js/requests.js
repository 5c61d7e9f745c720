// What people ask of the table: answers, taking back, pause, a new game; and the code that allows it.

import { post } from "./connection.js";
import { byId, el, say } from "./dom.js";
import { t } from "./messages.js";

const KEPT = "table-code";

// The host's QR code carries the code behind the #, which browsers never send anywhere.
const scanned = /[#&]code=(\w+)/.exec(location.hash);
if (scanned) {
  sessionStorage.setItem(KEPT, scanned[1]);
  history.replaceState(null, "", location.pathname + location.search);
}

// Opens a dialog with `parts` and resolves to the pressed button's value, "" when dismissed.
function dialog(title, parts, buttons) {
  const form = el("form", { method: "dialog" }, el("h2", { id: "dialog-title" }, title), ...parts.filter(Boolean));
  form.append(
    el(
      "div",
      { class: "buttons" },
      el("button", { value: "", formnovalidate: true }, t("cancel")),
      ...buttons.map(([value, text]) => el("button", { value, class: "main" }, text)),
    ),
  );
  const box = el("dialog", { "aria-labelledby": "dialog-title" }, form);
  document.body.append(box);
  // Return presses the first button, which is to cancel: make it do what the main one does.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    form.querySelector("button.main").click();
  });
  return new Promise((resolve) => {
    box.addEventListener("close", () => {
      resolve(box.returnValue);
      box.remove();
    });
    box.showModal();
    box.querySelector("input.code")?.focus();
  });
}

async function askCode(wrong) {
  const input = el("input", {
    name: "code", inputmode: "numeric", autocomplete: "one-time-code", required: true, maxlength: 12,
    "aria-label": t("code"), class: "code", autofocus: true,
  });
  const parts = [el("p", {}, t("codeWhy")), input];
  if (wrong) parts.push(el("p", { class: "error", role: "alert" }, wrong));
  const pressed = await dialog(t("code"), parts, [["ok", t("codeEnter")]]);
  return pressed === "ok" ? input.value.trim() : "";
}

// Sends a request, asking for the code where there is none or a wrong one. The answer's words go to the page.
export async function request(path, body) {
  let wrong = "";
  for (;;) {
    let code = sessionStorage.getItem(KEPT);
    if (!code) {
      code = await askCode(wrong);
      if (!code) return false;
    }
    const answer = await post(path, body, code);
    if (answer.status === 401) {
      sessionStorage.removeItem(KEPT);
      wrong = answer.text || t("codeWrong");
      continue;
    }
    if (answer.status) sessionStorage.setItem(KEPT, code);
    reply(answer.text || t("unreachable"), answer.ok);
    return answer.ok;
  }
}

let fading = 0;
function reply(text, ok) {
  const line = byId("reply");
  line.classList.toggle("error", !ok);
  say(line, text);
  clearTimeout(fading);
  fading = setTimeout(() => say(line, ""), ok ? 4000 : 10000);
}

export async function undo(turn) {
  const pressed = await dialog(t("undoSure"), [el("p", {}, t("undoWhy"))], [["ok", t("undo")]]);
  if (pressed === "ok") await request("api/undo", { turn });
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
