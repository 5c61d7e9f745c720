// The line to the table: the latest state in, requests out. It mends itself.

const SILENT_MS = 5000; // the table gives a sign of life every two seconds
const RETRY_MS = 1000;

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
    const silent = Date.now() - this.heardAt;
    return silent > SILENT_MS || this.broken ? silent : 0;
  }

  #open() {
    this.source?.close();
    this.openedAt = Date.now();
    const source = new EventSource("api/events");
    this.source = source;
    source.onerror = () => {
      this.broken = true;
      this.#tell("line");
    };
    for (const name of ["snapshot", "lights", "picture", "practice", "beat"]) {
      source.addEventListener(name, (event) => {
        this.heardAt = Date.now();
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
    const since = Date.now() - Math.max(this.heardAt ?? 0, this.openedAt);
    if (since > SILENT_MS && !document.hidden) this.#open();
    this.#tell("line");
  }

  // After sleep the old line may look open and be dead: ask at once instead of waiting for it.
  async #wake() {
    if (document.hidden || (this.heardAt && Date.now() - this.heardAt < 2500)) return;
    this.#open();
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
