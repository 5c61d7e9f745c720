// Who is here: which seats have a phone, and what host and guests do about it.

import { dialog } from "./dialog.js";
import { byId, el, redraw, say, svg } from "./dom.js";
import { t } from "./messages.js";
import { ask, join, leave, rights, takeSeat } from "./phone.js";
import { reply, request } from "./requests.js";

const told = (answer) => { if (answer) reply(answer.text || t("unreachable"), answer.ok); };

export function showRoom(snapshot) {
  const { players, phones, verdict } = snapshot;
  byId("room").hidden = players.length === 0 || verdict == null;
  say(byId("room-title"), t("room"));
  const me = rights(snapshot);
  redraw(byId("room-seats"), [players, phones, me], () =>
    players.map(({ seat, name }) => {
      const phone = phones.find((each) => each.seat === seat);
      const state = phone == null ? "seatFree" : phone.id === me.id ? "seatMine" : "seatJoined";
      return el(
        "li",
        {},
        el("b", {}, name),
        el("span", { class: "muted" }, ` ${t(state)}${phone?.host ? `, ${t("isHost")}` : ""}`),
        me.host && phone && phone.id !== me.id
          ? el("span", { class: "buttons" },
              el("button", { onclick: () => passOn(phone.id, name) }, t("passOn")),
              el("button", { onclick: () => request("api/free", { seat }) }, t("freeSeat")))
          : null,
      );
    }),
  );
  const host = phones.some((each) => each.host);
  say(byId("room-text"), me.host ? t("youAreHost") : host ? "" : t("noHost"));
  redraw(byId("room-buttons"), [me, players, phones], () =>
    me.joined
      ? [
          me.host ? el("button", { class: "main", onclick: () => invite() }, t("invite")) : null,
          el("button", { onclick: async () => told(await takeSeat(snapshot)) }, t(me.seat == null ? "takeSeat" : "changeSeat")),
          el("button", { onclick: async () => told(await leave()) }, t("leaveTable")),
        ].filter(Boolean)
      : [el("button", { class: "main", onclick: () => join(snapshot) }, t("joinTable"))],
  );
}

async function passOn(phone, who) {
  const pressed = await dialog(t("passOnSure", { who }), [el("p", {}, t("passOnWhy"))], [["ok", t("passOn")]]);
  if (pressed === "ok") await request("api/pass", { phone });
}

// The host's screen shows how others join: a QR code to point a camera at, and the number behind it.
async function invite(renew = false) {
  const { ok, body, text } = await ask("api/invite", { renew });
  if (!ok) {
    reply(text || t("unreachable"), false);
    return;
  }
  const [{ address, size, path }] = body.links;
  const quiet = 4;
  const wide = size + 2 * quiet;
  const code = svg(
    "svg",
    { viewBox: `${-quiet} ${-quiet} ${wide} ${wide}`, class: "qr", role: "img", "aria-label": t("qr") },
    svg("rect", { x: -quiet, y: -quiet, width: wide, height: wide, fill: "#fff" }),
    svg("path", { d: path, fill: "#000" }),
  );
  const parts = [
    el("p", {}, t("inviteWhy")),
    code,
    el("p", { class: "code-shown" }, body.code),
    ...body.links.map((link) => el("p", { class: "address" }, link.address.split("/#")[0])),
    /\/\/(127\.|localhost|\[::1\])/.test(address) ? el("p", { class: "error" }, t("onlyHere")) : null,
  ];
  const pressed = await dialog(t("invite"), parts, [["new", t("newCode")]], t("close"));
  if (pressed === "new") await invite(true);
}
