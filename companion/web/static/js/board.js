// The mountain as a drawing: rings, pieces, marks, and the lights as they are on the board.

import { DEITIES, TOKENS, css, initials, inkOn, seatLight } from "./box.js";
import { svg } from "./dom.js";
import { t } from "./messages.js";

// Radii of the drawing. The summit is drawn wider than it is, so that the inner spaces hold a readable piece.
const RIM = 196;
const SUMMIT = 56;
const LETTERS = 204;
const LAMPS = 214;
const NAMES = 222;
const EDGE = 238;

const MARKS = {
  wrong: "M-3-3 3 3M3-3-3 3",
  return: "M3 2.5V0a2.5 2.5 0 0 0-2.5-2.5h-3M-.5-5-3-2.5-.5 0",
  remove: "M-3.5 0h7",
  missing: "M-3.5 0h7M0-3.5v7",
  target: "M-1 0a1 1 0 1 0 2 0 1 1 0 1 0-2 0",
  moved: "M-3 .5-1 3 3-3",
  winner: "M-3.5 2.5v-5l2 2L0-3l1.5 2.5 2-2v5z",
};

const column = (space) => space.charCodeAt(0) - 97;
const ringOf = (space) => Number(space.slice(1));
const point = (radius, degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return [radius * Math.cos(angle), -radius * Math.sin(angle)];
};
const xy = (radius, degrees) => point(radius, degrees).map((value) => value.toFixed(2)).join(" ");

let boards = 0;

export class Board {
  // `pick`: told of a piece that somebody points at, {what, place, shown}.
  constructor(parent, pick = null) {
    this.pick = pick;
    this.number = boards++; // several may be on the page, and what is named must be told apart
    this.turned = 0; // degrees by which the drawing is turned, counter-clockwise
    this.shape = "";
    this.minis = new Map();
    this.tokens = new Map();
    this.root = svg("svg", { viewBox: `${-EDGE} ${-EDGE} ${2 * EDGE} ${2 * EDGE}`, role: "img", class: "board" });
    this.layers = {};
    for (const name of ["stone", "lights", "seats", "marks", "tokens", "minis", "badges"]) {
      this.layers[name] = svg("g", { class: name });
      this.root.append(this.layers[name]);
    }
    parent.append(this.root);
  }

  show(snapshot, viewer) {
    const { board, players, verdict } = snapshot;
    const turned = viewer == null ? 0 : 45 * seatLight(viewer, players.length);
    const shape = JSON.stringify([board.rings, board.columns, turned, players]);
    if (shape !== this.shape) {
      this.shape = shape;
      this.turned = turned;
      this.rings = board.rings;
      this.columns = board.columns;
      this.width = (RIM - SUMMIT) / board.rings;
      this.#drawStone();
      this.#drawSeats(players);
      this.lit = [];
      this.marked = "";
    }
    this.#placeTokens(board.tokens, board.minis);
    this.#placeMinis(board.minis, board.tokens);
    this.#drawMarks(verdict?.marks ?? []);
    this.#markTurn(snapshot);
    this.root.setAttribute("aria-label", this.#describe(board, verdict?.marks ?? []));
    this.light(snapshot.lights);
  }

  // The colour of each LED, `rrggbb`: spaces column by column, the summit, eight seat lights.
  light(colours) {
    if (!this.cells) return;
    this.lamps.forEach((lamp, index) => {
      const colour = colours[index] ?? "000000";
      if (this.lit[index] === colour) return;
      this.lit[index] = colour;
      const rgb = [0, 2, 4].map((at) => parseInt(colour.slice(at, at + 2), 16));
      const strength = Math.max(...rgb) / 255;
      // LEDs look brighter than their numbers; a dim one must still be seen.
      const shown = strength ? rgb.map((value) => Math.round(value / strength)) : [0, 0, 0];
      lamp.style.setProperty("--lamp", css(shown));
      lamp.style.opacity = strength ? (0.25 + 0.7 * Math.sqrt(strength)).toFixed(2) : "0";
    });
  }

  #angle(columnIndex) {
    return 90 - (360 / this.columns) * columnIndex + this.turned;
  }

  #centre(space) {
    if (space === "top") return [0, 0];
    return point(RIM - this.width * (ringOf(space) - 0.5), this.#angle(column(space)));
  }

  #cell(columnIndex, ring) {
    const half = 180 / this.columns;
    const middle = this.#angle(columnIndex);
    const [outer, inner] = [RIM - this.width * (ring - 1), RIM - this.width * ring];
    return (
      `M${xy(outer, middle + half)}A${outer} ${outer} 0 0 1 ${xy(outer, middle - half)}` +
      `L${xy(inner, middle - half)}A${inner} ${inner} 0 0 0 ${xy(inner, middle + half)}Z`
    );
  }

  #drawStone() {
    const { stone, lights } = this.layers;
    stone.replaceChildren(svg("circle", { r: RIM + 3, class: "foot" }));
    lights.replaceChildren();
    this.cells = new Map();
    this.lamps = [];
    const add = (space, shape, ring, shade) => {
      const cell = shape();
      cell.setAttribute("class", "cell");
      cell.style.setProperty("--ring", ring);
      cell.style.setProperty("--shade", shade.toFixed(2));
      stone.append(cell);
      const lamp = shape();
      lamp.setAttribute("class", "lamp");
      lights.append(lamp);
      this.cells.set(space, cell);
      this.lamps.push(lamp);
    };
    for (let index = 0; index < this.columns; index += 1) {
      const letter = String.fromCharCode(97 + index);
      // The light falls from the upper left of the drawing.
      const shade = Math.cos(((this.#angle(index) - 120) * Math.PI) / 180);
      for (let ring = 1; ring <= this.rings; ring += 1) {
        add(`${letter}${ring}`, () => svg("path", { d: this.#cell(index, ring) }), ring, shade);
      }
      const [x, y] = point(LETTERS, this.#angle(index));
      stone.append(svg("text", { x, y, class: "letter" }, letter));
    }
    add("top", () => svg("circle", { r: SUMMIT - 1 }), this.rings + 1.6, 0);
    stone.append(svg("path", { class: "peak", d: "M-19 14-6-9l5 8L6-15 20 14z" }));
    for (let ring = 1; ring <= this.rings; ring += 1) {
      const [x, y] = point(RIM - this.width * (ring - 0.5), this.#angle(0) + 180 / this.columns);
      stone.append(svg("text", { x, y, class: "number" }, String(ring)));
    }
  }

  #drawSeats(players) {
    const { seats } = this.layers;
    seats.replaceChildren();
    this.seatNames = new Map();
    for (let light = 0; light < 8; light += 1) {
      const middle = 270 - 45 * light + this.turned;
      const arc = (radius, half, flip) =>
        flip
          ? `M${xy(radius, middle - half)}A${radius} ${radius} 0 0 0 ${xy(radius, middle + half)}`
          : `M${xy(radius, middle + half)}A${radius} ${radius} 0 0 1 ${xy(radius, middle - half)}`;
      const player = players.find(({ seat }) => seatLight(seat, players.length) === light);
      if (player) seats.append(svg("path", { d: arc(LAMPS, 11, false), class: "socket" }));
      const lamp = svg("path", { d: arc(LAMPS, 11, false), class: "seat-lamp" });
      seats.append(lamp);
      this.lamps.push(lamp);
      if (!player) continue;
      // In the lower half of the drawing the name runs the other way, so that nobody reads upside down.
      const below = Math.sin((middle * Math.PI) / 180) < -0.2;
      const id = `seat-arc-${this.number}-${player.seat}`;
      seats.append(svg("path", { id, d: arc(below ? NAMES + 10 : NAMES, 40, below), class: "unseen-path" }));
      const name = svg(
        "text",
        { class: "seat-name" },
        svg("textPath", { href: `#${id}`, startOffset: "50%" }, player.name),
      );
      seats.append(name);
      this.seatNames.set(player.seat, name);
    }
  }

  #markTurn({ verdict }) {
    const over = verdict?.kind === "over";
    for (const [seat, name] of this.seatNames) {
      name.classList.toggle("on", over ? verdict.winners.includes(seat) : verdict?.seat === seat);
    }
  }

  #place(node, space, dx, dy) {
    const [x, y] = this.#centre(space);
    node.style.transform = `translate(${(x + dx).toFixed(2)}px, ${(y + dy).toFixed(2)}px)`;
  }

  #placeMinis(minis, tokens) {
    const crowded = new Set(tokens.map(({ space }) => space));
    for (const [deity, space] of Object.entries(minis)) {
      let mini = this.minis.get(deity);
      if (!mini) {
        mini = svg(
          "g",
          { class: "mini" },
          svg("circle", { r: 10.6, fill: css(DEITIES[deity]) }),
          svg("text", { fill: inkOn(DEITIES[deity]) }, initials(deity)),
          svg("title", {}, t(`deity.${deity}`)),
        );
        mini.addEventListener("click", () => this.pick?.({ what: "mini", place: mini.dataset.space, shown: deity }));
        this.minis.set(deity, mini);
        this.layers.minis.append(mini);
      }
      mini.classList.toggle("away", space == null);
      if (space == null) continue;
      mini.dataset.space = space;
      const shift = crowded.has(space) ? -3.5 : 0;
      this.#place(mini, space, shift, shift);
    }
  }

  // Tokens of one type cannot be told apart: what vanished here and appeared there has been moved.
  #placeTokens(tokens, minis) {
    const crowded = new Set(Object.values(minis));
    const wanted = new Set(tokens.map(({ type, space }) => `${type} ${space}`));
    const gone = [...this.tokens.keys()].filter((key) => !wanted.has(key));
    for (const { type, space } of tokens) {
      const key = `${type} ${space}`;
      let token = this.tokens.get(key);
      if (!token) {
        const from = gone.findIndex((old) => old.startsWith(`${type} `));
        if (from >= 0) {
          const [old] = gone.splice(from, 1);
          token = this.tokens.get(old);
          this.tokens.delete(old);
        } else {
          token = this.#newToken(type);
        }
        this.tokens.set(key, token);
      }
      token.dataset.space = space;
      const shift = crowded.has(space) ? 4.5 : 0;
      this.#place(token, space, shift, shift);
    }
    for (const key of gone) {
      const token = this.tokens.get(key);
      this.tokens.delete(key);
      token.classList.add("away");
      setTimeout(() => token.remove(), 600);
    }
  }

  #newToken(type) {
    const { colour, shape } = TOKENS[type];
    const token = svg(
      "g",
      { class: `token ${type}` },
      svg("circle", { r: 9, fill: css(colour) }),
      svg("path", { d: shape, fill: inkOn(colour) }),
      svg("title", {}, t(`token.${type}`)),
    );
    token.addEventListener("click", () => this.pick?.({ what: "token", place: token.dataset.space, shown: type }));
    this.layers.tokens.append(token);
    return token;
  }

  #drawMarks(marks) {
    const key = JSON.stringify(marks);
    if (key === this.marked) return;
    this.marked = key;
    const { marks: outlines, badges } = this.layers;
    outlines.replaceChildren();
    badges.replaceChildren();
    for (const { space, mark } of marks) {
      const cell = this.cells.get(space);
      if (!cell) continue;
      const outline = cell.cloneNode();
      outline.setAttribute("class", `outline ${mark}`);
      outlines.append(outline);
      const [x, y] =
        space === "top"
          ? [0, -SUMMIT + 12]
          : point(RIM - this.width * (ringOf(space) - 1) - 5, this.#angle(column(space)) - 100 / this.columns);
      badges.append(
        svg(
          "g",
          { class: `badge ${mark}`, transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})` },
          svg("circle", { r: 6 }),
          svg("path", { d: MARKS[mark] }),
          svg("title", {}, `${space}: ${t(`mark.${mark}`)}`),
        ),
      );
    }
  }

  #describe(board, marks) {
    const place = (space) => (space === "top" ? t("summit") : space);
    const minis = Object.entries(board.minis).map(([deity, space]) =>
      space == null
        ? t("offBoard", { what: t(`deity.${deity}`) })
        : t("onSpace", { what: t(`deity.${deity}`), space: place(space) }),
    );
    const tokens = board.tokens.map(({ type, space }) => t("onSpace", { what: t(`token.${type}`), space }));
    const shown = marks.map(({ space, mark }) => `${place(space)}: ${t(`mark.${mark}`)}`);
    return [t("mountain"), ...minis, ...tokens, ...shown].join(", ");
  }
}
