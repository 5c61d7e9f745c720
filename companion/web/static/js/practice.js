// The practice table: the simulated pieces as they truly lie, dragged by whoever has taken over a seat.

import { DEITIES, TOKENS, css, initials, inkOn } from "./box.js";
import { dialog } from "./dialog.js";
import { byId, el, redraw, say, svg } from "./dom.js";
import { t } from "./messages.js";
import { rights } from "./phone.js";
import { request } from "./requests.js";

// Sizes in mm, as they are in the box.
const MINI = 11;
const TOKEN = 8;
const [CARD_WIDE, CARD_LONG] = [44, 68];
const [WIDE, HIGH] = [362, 222];
const TAP_MM = 5;
// What has been asked for is shown where it was let go until the hand has brought it, at most so long.
const GHOST_MS = 12000;

const space = (name) => (name === "top" ? t("summit") : name);

// A ring of the mountain, the lighter the higher.
function layer(r, height) {
  const disc = svg("circle", { r, class: "ring" });
  disc.style.setProperty("--ring", height);
  return disc;
}

export class Practice {
  constructor() {
    this.view = null;
    this.pieces = new Map();
    this.drag = null;
    this.ghosts = new Map();
    this.root = svg("svg", { viewBox: `${-WIDE} ${-HIGH} ${2 * WIDE} ${2 * HIGH}`, class: "tabletop", role: "group" });
    this.layers = {};
    for (const name of ["stone", "lamps", "pieces", "hands", "ghosts"]) {
      this.layers[name] = svg("g", { class: name });
      this.root.append(this.layers[name]);
    }
    byId("practice-table").append(this.root);
    this.root.addEventListener("pointerdown", (event) => this.#grasp(event));
    this.root.addEventListener("pointermove", (event) => this.#carry(event));
    this.root.addEventListener("pointerup", (event) => this.#let(event));
    this.root.addEventListener("pointercancel", () => this.#drop());
    this.root.addEventListener("keydown", (event) => this.#key(event));
  }

  show(view) {
    this.view = view;
    this.#draw();
  }

  // Who may be taken over stands beside the table; `players` are the running game's.
  showSeats(snapshot) {
    const { players, simulated, olympeak } = snapshot;
    const me = rights(snapshot);
    this.players = players;
    const shown = simulated && this.view != null && players.length > 0;
    byId("practice").hidden = !shown;
    if (!shown) {
      document.body.classList.remove("practising");
      return;
    }
    say(byId("practice-title"), t("practice"));
    const taken = this.view.seats;
    say(byId("practice-why"), t(taken.length ? "practiceDrag" : "practiceWatch"));
    // Who has a seat plays for that one; the host may play for anybody.
    const mayTake = players.filter(({ seat }) => me.host || me.seat == null || me.seat === seat);
    redraw(byId("practice-seats"), [mayTake, taken, olympeak != null], () =>
      mayTake.map(({ seat, name }) => {
        const mine = taken.includes(seat);
        return el(
          "button",
          { "aria-pressed": String(mine), onclick: () => request("api/practice/seat", { seat, taken: !mine }, { quiet: true }) },
          t(mine ? "giveBack" : "takeOver", { name }),
        );
      }),
    );
    byId("practice-table").hidden = taken.length === 0;
    document.body.classList.toggle("practising", taken.length > 0);
    this.root.setAttribute("aria-label", t("practice"));
  }

  // The colour of each LED, `rrggbb`: spaces column by column, then the summit.
  light(colours) {
    this.colours = colours;
    if (!this.view?.seats.length) return;
    const lit = this.#spaces().flatMap((name, index) => {
      const colour = colours[index];
      return colour && colour !== "000000" ? [[name, `#${colour}`]] : [];
    });
    redraw(this.layers.lamps, [lit, this.view.rings], () =>
      lit.map(([name, fill]) => {
        const [cx, cy] = this.#centre(name);
        return svg("circle", { cx, cy: -cy, r: name === "top" ? 30 : 13, fill });
      }),
    );
  }

  get #mayMove() {
    return this.view.seats.length > 0;
  }

  // ---- drawing; the table has y to the north, the drawing to the south

  #draw() {
    const { rings, things, hands } = this.view;
    if (this.view.seats.length === 0) return;
    redraw(this.layers.stone, rings, () => this.#stone());
    const known = new Set(things.map(({ name }) => name));
    for (const [name, piece] of this.pieces) {
      if (known.has(name)) continue;
      piece.remove();
      this.pieces.delete(name);
    }
    things.forEach((thing, at) => {
      let piece = this.pieces.get(thing.name);
      const look = JSON.stringify([thing.what, thing.up]);
      if (piece?.dataset.look !== look) {
        const fresh = this.#piece(thing);
        fresh.dataset.look = look;
        if (piece) piece.replaceWith(fresh);
        piece = fresh;
        this.pieces.set(thing.name, piece);
      }
      if (this.layers.pieces.children[at] !== piece && document.activeElement !== piece) {
        this.layers.pieces.insertBefore(piece, this.layers.pieces.children[at] ?? null);
      }
      const turned = thing.kind === "card" ? Math.round(-thing.yaw_deg / 180) * 180 - thing.yaw_deg : 0;
      piece.style.transform = `translate(${thing.x}px, ${-thing.y}px) rotate(${turned}deg)`;
      piece.classList.toggle("held", thing.held);
      piece.setAttribute("aria-label", this.#words(thing));
    });
    redraw(this.layers.hands, hands, () =>
      hands.map(({ tip, elbow }) =>
        svg("line", { x1: tip[0], y1: -tip[1], x2: elbow[0], y2: -elbow[1], class: "arm" }),
      ),
    );
    this.#settleGhosts(things);
    this.light(this.colours ?? []);
  }

  #stone() {
    const { rings, columns } = this.view;
    const drawn = [];
    rings.forEach(({ outer_mm, inner_mm, turn_deg, shift_mm }, number) => {
      const ring = svg("g", { transform: `translate(${shift_mm[0]} ${-shift_mm[1]}) rotate(${-turn_deg})` });
      ring.append(layer(outer_mm, number + 1));
      for (let column = 0; column < columns; column += 1) {
        const angle = ((90 - (360 / columns) * (column - 0.5)) * Math.PI) / 180;
        const [c, s] = [Math.cos(angle), -Math.sin(angle)];
        ring.append(svg("line", { x1: c * inner_mm, y1: s * inner_mm, x2: c * outer_mm, y2: s * outer_mm, class: "radial" }));
        if (number > 0) continue;
        const [x, y] = this.#centre(`${String.fromCharCode(97 + column)}1`);
        ring.append(svg("text", { x, y: -y + 13, class: "letter" }, String.fromCharCode(97 + column)));
      }
      drawn.push(ring);
    });
    const inner = rings.at(-1)?.inner_mm;
    if (inner) drawn.push(layer(inner, rings.length + 1.6));
    return drawn;
  }

  // The middle of a space as it lies, [x, y] in mm with y to the north.
  #centre(name) {
    if (name === "top") return [0, 0];
    const { rings, columns } = this.view;
    const { outer_mm, inner_mm, turn_deg, shift_mm } = rings[Number(name.slice(1)) - 1];
    const angle = ((90 - (360 / columns) * (name.charCodeAt(0) - 97) + turn_deg) * Math.PI) / 180;
    const radius = (outer_mm + inner_mm) / 2;
    return [shift_mm[0] + radius * Math.cos(angle), shift_mm[1] + radius * Math.sin(angle)];
  }

  #spaces() {
    const { rings, columns } = this.view;
    const letters = Array.from({ length: columns }, (_, column) => String.fromCharCode(97 + column));
    return [...letters.flatMap((letter) => rings.map((_, ring) => `${letter}${ring + 1}`)), "top"];
  }

  #spaceAt(x, y) {
    let best = null;
    for (const name of this.#spaces()) {
      const [cx, cy] = this.#centre(name);
      const away = Math.hypot(cx - x, cy - y);
      if (away < (best?.away ?? 20)) best = { name, away };
    }
    return best?.name ?? null;
  }

  #piece(thing) {
    const attributes = { class: `piece ${thing.kind}`, tabindex: 0, role: "button", "data-name": thing.name };
    if (thing.kind === "card") {
      const colour = DEITIES[thing.what];
      return svg(
        "g",
        attributes,
        svg("rect", {
          x: -CARD_WIDE / 2, y: -CARD_LONG / 2, width: CARD_WIDE, height: CARD_LONG, rx: 4,
          fill: thing.up ? css(colour) : "#6b6b70",
        }),
        svg("text", { fill: thing.up ? inkOn(colour) : "#ffffff", class: "name" }, t(`deity.${thing.what}`)),
      );
    }
    const colour = thing.kind === "mini" ? DEITIES[thing.what] : TOKENS[thing.what].colour;
    return svg(
      "g",
      attributes,
      svg("circle", { r: thing.kind === "mini" ? MINI : TOKEN, fill: css(colour) }),
      thing.kind === "mini"
        ? svg("text", { fill: inkOn(colour) }, initials(thing.what))
        : svg("path", { d: TOKENS[thing.what].shape, fill: inkOn(colour) }),
    );
  }

  #words({ kind, what, x, y, up }) {
    if (kind === "card") return t(up ? "powered" : "spent", { deity: t(`deity.${what}`) });
    const name = t(`${kind === "mini" ? "deity" : "token"}.${what}`);
    const on = this.#spaceAt(x, y);
    return on ? t("onSpace", { what: name, space: space(on) }) : t("offBoard", { what: name });
  }

  // ---- dragging

  #at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM().inverse());
    return [point.x, -point.y];
  }

  #grasp(event) {
    const piece = event.target.closest(".piece");
    if (!piece || !this.#mayMove || event.button) return;
    event.preventDefault();
    piece.focus({ preventScroll: true });
    this.root.setPointerCapture(event.pointerId);
    const name = piece.dataset.name;
    const thing = this.view.things.find((each) => each.name === name);
    const start = this.#at(event);
    this.drag = { thing, start, off: [thing.x - start[0], thing.y - start[1]], node: this.#ghost(thing) };
  }

  #ghost(thing) {
    const ghost = this.#piece(thing);
    ghost.classList.add("ghost");
    for (const name of ["tabindex", "role", "data-name"]) ghost.removeAttribute(name);
    ghost.setAttribute("aria-hidden", "true");
    ghost.style.transform = `translate(${thing.x}px, ${-thing.y}px)`;
    this.layers.ghosts.append(ghost);
    return ghost;
  }

  #carry(event) {
    if (!this.drag) return;
    const [x, y] = this.#at(event);
    const { node, off } = this.drag;
    node.style.transform = `translate(${x + off[0]}px, ${-y - off[1]}px)`;
    this.layers.stone.querySelector(".aim")?.remove();
    const aim = this.drag.thing.kind === "card" ? null : this.#spaceAt(x + off[0], y + off[1]);
    if (!aim) return;
    const [cx, cy] = this.#centre(aim);
    this.layers.stone.append(svg("circle", { cx, cy: -cy, r: 13, class: "aim" }));
  }

  async #let(event) {
    const drag = this.drag;
    if (!drag) return;
    const [x, y] = this.#at(event);
    const moved = Math.hypot(x - drag.start[0], y - drag.start[1]);
    if (moved < TAP_MM) {
      this.#drop();
      if (drag.thing.kind === "card") await request("api/practice/turn", { piece: drag.thing.name }, { quiet: true });
      return;
    }
    this.drag = null;
    this.layers.stone.querySelector(".aim")?.remove();
    await this.#put(drag.thing, [x + drag.off[0], y + drag.off[1]], drag.node);
  }

  #drop() {
    this.drag?.node.remove();
    this.drag = null;
    this.layers.stone.querySelector(".aim")?.remove();
  }

  // A piece let go near the middle of a space is meant for it.
  async #put(thing, [x, y], node) {
    const aim = thing.kind === "card" ? null : this.#spaceAt(x, y);
    const [to, away] = aim ? [this.#centre(aim), Math.hypot(...this.#centre(aim).map((c, n) => c - [x, y][n]))] : [[x, y], 0];
    const [px, py] = away < 12 ? to : [x, y];
    node.style.transform = `translate(${px}px, ${-py}px)`;
    this.ghosts.get(thing.name)?.node.remove();
    this.ghosts.set(thing.name, { node, from: [thing.x, thing.y], until: Date.now() + GHOST_MS });
    const done = await request("api/practice/put", { piece: thing.name, x: px, y: py }, { quiet: true });
    if (!done) this.#forget(thing.name);
  }

  #forget(name) {
    this.ghosts.get(name)?.node.remove();
    this.ghosts.delete(name);
  }

  #settleGhosts(things) {
    for (const [name, { from, until }] of this.ghosts) {
      const thing = things.find((each) => each.name === name);
      const arrived = thing && !thing.held && Math.hypot(thing.x - from[0], thing.y - from[1]) > 3;
      if (!thing || arrived || Date.now() > until) this.#forget(name);
    }
  }

  // Without a pointer: Enter on a piece asks where to.
  async #key(event) {
    const piece = event.target.closest(".piece");
    if (!piece || !this.#mayMove || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    const thing = this.view.things.find((each) => each.name === piece.dataset.name);
    if (thing.kind === "card") {
      await request("api/practice/turn", { piece: thing.name }, { quiet: true });
      return;
    }
    const select = el("select", { "aria-label": t("moveTo") }, ...this.#spaces().map((name) => el("option", { value: name }, space(name))));
    if (thing.kind === "token") select.prepend(el("option", { value: "" }, t("reserve")));
    const pressed = await dialog(this.#words(thing), [el("label", {}, t("moveTo"), select)], [["ok", t("moveHere")]]);
    if (pressed !== "ok") return;
    const to = select.value ? this.#centre(select.value) : [-178, -172];
    await this.#put(thing, to, this.#ghost(thing));
  }
}
