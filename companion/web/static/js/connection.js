// The line to the table: the latest state in, requests out. It mends itself.

const SILENT_MS = 5000; // the table gives a sign of life every two seconds
const FRESH_MS = 2500;
const RETRY_MS = 1000;
const HURRY_MS = 300;
const HURRIES = 3;

// Two clocks: one stands still while a phone sleeps, the other may be set.
const now = () => ({ wall: Date.now(), steady: performance.now() });
function since(then) {
  const wall = Date.now() - then.wall;
  return Math.max(performance.now() - then.steady, wall < -SILENT_MS ? SILENT_MS + 1 : wall);
}

export class Connection extends EventTarget {
  constructor() {
    super();
    this.heardAt = null;
    this.source = null;
    document.addEventListener("visibilitychange", () => this.#wake());
    window.addEventListener("pageshow", () => this.#wake());
    window.addEventListener("online", () => this.#wake());
    setInterval(() => this.#watch(), RETRY_MS);
    this.#open();
  }

  // How old what is shown is, in ms; 0 while the line is alive, null before anything came.
  get age() {
    if (this.heardAt == null) return null;
    const silent = since(this.heardAt);
    return silent > SILENT_MS || this.broken ? silent : 0;
  }

  // `hurries`: how often it is tried anew if nothing comes at once. A browser takes an old connection if it has one, and
  // after sleep that may be as dead as this line.
  #open(hurries = 0) {
    this.source?.close();
    this.openedAt = now();
    const source = new EventSource("api/events");
    this.source = source;
    let heard = false;
    if (hurries) setTimeout(() => { if (!heard && this.source === source) this.#open(hurries - 1); }, HURRY_MS);
    source.onerror = () => {
      this.broken = true;
      this.#tell("line");
    };
    for (const name of ["snapshot", "lights", "picture", "practice", "beat"]) {
      source.addEventListener(name, (event) => {
        heard = true;
        this.heardAt = now();
        this.broken = false;
        this.#tell(name, JSON.parse(event.data));
        this.#tell("line");
      });
    }
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #watch() {
    const silent = this.heardAt ? since(this.heardAt) : Infinity;
    if (silent > SILENT_MS && since(this.openedAt) > FRESH_MS && !document.hidden) this.#open(HURRIES);
    this.#tell("line");
  }

  // After sleep the old line may look open and be dead: ask at once instead of waiting for it.
  #wake() {
    if (document.hidden || (this.heardAt && since(this.heardAt) < FRESH_MS)) return;
    this.#open(HURRIES);
    this.#tell("line");
  }
}

// What is kept at an address of the table, null if it cannot be had.
export async function fetchJson(path) {
  try {
    const answer = await fetch(path, { headers: { Accept: "application/json" } });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

// Posts a request as the phone with this token. Gives {ok, status, text, body}: `text` in the table's own words.
export async function post(path, body, token) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Phone": token },
      body: JSON.stringify(body),
    });
    const said = await answer.json();
    return { ok: answer.ok, status: answer.status, text: said.text ?? said.error ?? "", body: said };
  } catch {
    return { ok: false, status: 0, text: "", body: null };
  }
}
