// A question to the person at this phone.

import { el } from "./dom.js";
import { t } from "./messages.js";

// Opens a dialog with `parts` and resolves to the pressed button's value, "" when dismissed.
export function dialog(title, parts, buttons, dismiss = t("cancel")) {
  const form = el("form", { method: "dialog" }, el("h2", { id: "dialog-title" }, title), ...parts.filter(Boolean));
  form.append(
    el(
      "div",
      { class: "buttons" },
      el("button", { value: "", formnovalidate: true }, dismiss),
      ...buttons.map(([value, text]) => el("button", { value, class: "main" }, text)),
    ),
  );
  const box = el("dialog", { "aria-labelledby": "dialog-title" }, form);
  document.body.append(box);
  // Return presses the first button, which is to cancel: make it do what the main one does.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    form.querySelector("button.main")?.click();
  });
  return new Promise((resolve) => {
    box.addEventListener("close", () => {
      resolve(box.returnValue);
      box.remove();
    });
    box.showModal();
    // The first button has the focus, and what is long is read from its beginning all the same.
    box.scrollTop = 0;
    box.querySelector("input.code")?.focus();
  });
}
