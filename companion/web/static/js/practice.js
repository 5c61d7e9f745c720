// The practice table: the simulated pieces as they truly lie, dragged by whoever has taken over a seat.

import { dialog } from "./dialog.js";
import { byId, el, redraw, say, svg } from "./dom.js";
import { t } from "./messages.js";
import { cardWords, playCard } from "./olympeak.js";
import { ask, rights } from "./phone.js";
import { MOVES, drawn, named, turns } from "./pieces.js";
import { request } from "./requests.js";

const [WIDE, HIGH] = [362, 222];
const TAP_MM = 5;
const CARD = [63, 88];
// What has been asked for is shown where it was let go until the hand has brought it, at most so long.
const GHOST_MS = 12000;

const space = (name) => (name === "top" ? t("summit") : name);

// A part of the table that cards belong to.
const area = ({ kind, x, y, size_mm: [width, height] }) =>
  svg("rect", { x: x - width / 2, y: -y - height / 2, width, height, rx: 5, class: `area ${kind}` });

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
    this.hands = new Map(); // seat → the cards that only its player sees
    this.root = svg("svg", { viewBox: `${-WIDE} ${-HIGH} ${2 * WIDE} ${2 * HIGH}`, class: "tabletop", role: "group" });
    this.layers = {};
    for (const name of ["stone", "lamps", "pieces", "hands", "ghosts"]) {
      this.layers[name] = svg("g", { class: name });
      this.root.append(this.layers[name]);
    }
    byId("practice-table").append(this.root);
    // A card from the hand begins its way below the table, so the whole section follows the pointer.
    const section = byId("practice");
    section.addEventListener("pointerdown", (event) => this.#grasp(event));
    section.addEventListener("pointermove", (event) => this.#carry(event));
    section.addEventListener("pointerup", (event) => this.#let(event));
    section.addEventListener("pointercancel", () => this.#drop());
    section.addEventListener("keydown", (event) => this.#key(event));
  }

  show(view) {
    this.view = view;
    this.#draw();
    this.#look();
  }

  // The cards in hand are asked for when cards on the table have changed, once at a time.
  async #look() {
    const seats = this.view.areas.length ? this.view.seats : [];
    const key = JSON.stringify([seats, this.view.things.filter(({ kind }) => kind === "play").map(({ name }) => name).sort()]);
    if (key === this.looked || this.looking) return;
    this.looking = true;
    const hands = new Map();
    for (const seat of seats) {
      const answer = await ask("api/practice/private", { seat });
      if (answer.ok) hands.set(seat, answer.body);
    }
    this.looking = false;
    this.looked = key;
    this.hands = hands;
    this.#showHands();
  }

  #showHands() {
    const shown = [...this.hands].map(([seat, hand]) => ({ seat, ...hand }));
    redraw(byId("practice-hands"), [shown, this.players], () =>
      shown.map(({ seat, cards, first, second, may_predict: may }) => {
        const name = this.players?.find((player) => player.seat === seat)?.name ?? t("seat", { n: seat + 1 });
        const list = cards.map((card) => {
          const node = playCard(card);
          node.setAttribute("role", "button");
          node.tabIndex = 0;
          node.classList.add("in-hand");
          node.dataset.name = card.id;
          return node;
        });
        const tiles = t("predicted", { first: t(`contender.${first}`), second: t(`contender.${second}`) });
        const change = may
          ? el("button", { onclick: () => this.#predict(seat, first, second) }, t("predictOther"))
          : null;
        return el(
          "article",
          { "aria-label": t("handOf", { name }) },
          el("h3", {}, t("handOf", { name })),
          el("div", { class: "hand" }, ...list),
          el("p", {}, tiles, " ", change),
        );
      }),
    );
  }

  async #predict(seat, first, second) {
    const racing = this.view.things.filter(({ kind }) => kind === "contender").map(({ what }) => what);
    const choice = (label, chosen) =>
      el(
        "select",
        { "aria-label": label },
        ...racing.map((what) => el("option", { value: what, selected: what === chosen }, t(`contender.${what}`))),
      );
    const [one, two] = [choice(t("predictFirst"), first), choice(t("predictSecond"), second)];
    const parts = [el("label", {}, t("predictFirst"), one), el("label", {}, t("predictSecond"), two)];
    if ((await dialog(t("predictOther"), parts, [["ok", t("predictOther")]])) !== "ok") return;
    await request("api/practice/predict", { seat, first: one.value, second: two.value });
    this.looked = "";
    await this.#look();
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
    say(byId("practice-why"), t(!taken.length ? "practiceWatch" : olympeak ? "practiceCards" : "practiceDrag"));
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
    if (!this.view?.seats.length || !this.view.rings.length) return;
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
    const { rings, areas, things, hands } = this.view;
    if (this.view.seats.length === 0) return;
    redraw(this.layers.stone, [rings, areas], () => [...this.#stone(), ...areas.map(area)]);
    const known = new Set(things.map(({ name }) => name));
    for (const [name, piece] of this.pieces) {
      if (known.has(name)) continue;
      piece.remove();
      this.pieces.delete(name);
    }
    things.forEach((thing, at) => {
      let piece = this.pieces.get(thing.name);
      const look = JSON.stringify([thing.kind, thing.what, thing.up, thing.face]);
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
      // What is printed on a card is read from any side: it is drawn the right way up.
      const turned = turns(thing) ? Math.round(thing.yaw_deg / 180) * 180 - thing.yaw_deg : 0;
      piece.style.transform = `translate(${thing.x}px, ${-thing.y}px) rotate(${turned}deg)`;
      piece.classList.toggle("held", thing.held);
      if (MOVES.has(thing.kind)) piece.setAttribute("aria-label", this.#words(thing));
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
    const moves = MOVES.has(thing.kind);
    const handle = moves ? { tabindex: 0, role: "button", "data-name": thing.name } : { "aria-hidden": "true" };
    return svg("g", { class: moves ? `piece ${thing.kind}` : thing.kind, ...handle }, ...drawn(thing));
  }

  #words(thing) {
    const on = this.view.rings.length ? this.#spaceAt(thing.x, thing.y) : null;
    return named(thing, on ? space(on) : "");
  }

  // ---- dragging

  #at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM().inverse());
    return [point.x, -point.y];
  }

  // A piece on the table, or a card in hand as if it came over the table's edge.
  #thing(node, [x, y] = [0, -HIGH]) {
    const name = node.dataset.name;
    const lying = this.view.things.find((each) => each.name === name);
    if (lying) return lying;
    for (const [seat, { cards }] of this.hands) {
      const face = cards.find(({ id }) => id === name);
      if (face) return { name, kind: "play", what: name, x, y, yaw_deg: 0, size_mm: CARD, up: true, face, inHand: true, seat };
    }
    return null;
  }

  #grasp(event) {
    const node = event.target.closest(".piece, .in-hand");
    if (!node || !this.#mayMove || event.button) return;
    const start = this.#at(event);
    const thing = this.#thing(node, start);
    if (!thing) return;
    event.preventDefault();
    node.focus({ preventScroll: true });
    byId("practice").setPointerCapture(event.pointerId);
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
    const aim = this.#aims(this.drag.thing) && this.#spaceAt(x + off[0], y + off[1]);
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
      if (drag.thing.kind === "play") await this.#askWhere(drag.thing);
      if (drag.thing.kind === "card") await request("api/practice/turn", { piece: drag.thing.name }, { quiet: true });
      return;
    }
    this.drag = null;
    this.layers.stone.querySelector(".aim")?.remove();
    await this.#put(drag.thing, [x + drag.off[0], y + drag.off[1]], drag.node);
  }

  // Is it meant for the middle of a space?
  #aims({ kind }) {
    return kind === "mini" || kind === "token";
  }

  #drop() {
    this.drag?.node.remove();
    this.drag = null;
    this.layers.stone.querySelector(".aim")?.remove();
  }

  // A piece let go near the middle of a space is meant for it.
  async #put(thing, [x, y], node) {
    const aim = this.#aims(thing) ? this.#spaceAt(x, y) : null;
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
    const node = event.target.closest(".piece, .in-hand");
    if (!node || !this.#mayMove || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    const thing = this.#thing(node);
    if (!thing) return;
    if (thing.kind === "card") await request("api/practice/turn", { piece: thing.name }, { quiet: true });
    else await this.#askWhere(thing);
  }

  async #askWhere(thing) {
    const places = thing.kind === "play" ? this.#cardPlaces(thing) : this.#piecePlaces(thing);
    const options = places.map(({ text }, number) => el("option", { value: number }, text));
    const select = el("select", { "aria-label": t("moveTo") }, ...options);
    const parts = [el("label", {}, t("moveTo"), select)];
    if ((await dialog(this.#words(thing), parts, [["ok", t("moveHere")]])) !== "ok") return;
    await this.#put(thing, places[select.value].at, this.#ghost(thing));
  }

  #piecePlaces({ kind }) {
    const spaces = this.#spaces().map((name) => ({ text: space(name), at: this.#centre(name) }));
    return kind === "token" ? [{ text: t("reserve"), at: [-178, -172] }, ...spaces] : spaces;
  }

  // Where a card can go: before its player, under a contender, away, back to the hand.
  #cardPlaces({ inHand, seat }) {
    const { areas, things } = this.view;
    const zones = areas.filter((area) => area.kind === "zone" && (inHand ? area.seat === seat : this.hands.has(area.seat)));
    const discard = areas.find(({ kind }) => kind === "discard");
    return [
      ...zones.map((area) => ({ text: zones.length > 1 ? this.players[area.seat].name : t("ownPlace"), at: [area.x, area.y] })),
      ...things
        .filter(({ kind }) => kind === "contender")
        .map(({ what, x }) => ({ text: t(`contender.${what}`), at: [x, 0] })),
      { text: t("discardPile"), at: [discard.x, discard.y] },
      ...(inHand ? [] : [{ text: t("backToHand"), at: [0, 1 - HIGH] }]),
    ];
  }
}
