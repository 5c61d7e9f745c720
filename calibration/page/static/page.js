// Draws the latest view and posts the keys people press. There is no rule and no state in it but the table's code.

const at = (id) => document.getElementById(id);
const WORDS = { good: "go", doubtful: "look", bad: "no go", "not fitted": "–" };
let shownPicture = null;

function text(id, value) {
  const element = at(id);
  if (element.textContent !== value) element.textContent = value;
}

function list(element, items) {
  element.replaceChildren(...items);
}

const SIGNS = { done: "✓", now: "▶", open: "·", "not fitted": "–" };

function course(view) {
  const several = view.course.length > 1;
  at("whole").hidden = at("course").hidden = !several;
  if (!several) return;
  at("whole").value = view.whole;
  list(at("course"), view.course.map(({ title, standing }) => {
    const item = document.createElement("li");
    item.className = standing.replace(" ", "-");
    item.textContent = `${SIGNS[standing]} ${title}${standing === "not fitted" ? " (not fitted)" : ""}`;
    if (standing === "now") item.setAttribute("aria-current", "step");
    return item;
  }));
}

function draw(view) {
  course(view);
  at("simulated").hidden = !view.simulated;
  text("title", view.title || "Calibration");
  text("place", view.number ? `${view.number} of ${view.count}` : "");
  text("instructions", view.phase === "intro" ? view.instructions : "");
  const advice = view.phase === "measuring" ? view.advice : null;
  text("advice", advice ? advice.text : view.phase === "measuring" ? "Waiting for the first picture …" : "");
  form(advice ? advice.form : null);
  const share = at("share");
  share.hidden = !advice || advice.share === null;
  if (!share.hidden) share.value = advice.share;
  list(at("lines"), (advice ? advice.lines : []).map((line) => {
    const item = document.createElement("li");
    item.textContent = line;
    return item;
  }));
  text("summary", view.phase === "ended" ? view.ending : view.phase === "judged" ? view.summary : "");
  text("trouble", view.trouble);
  findings(view.phase === "intro" ? [] : view.findings);
  keys(view.keys);
  picture(view.picture);
}

let shownForm = null;

function form(asked) {
  at("form").hidden = !asked;
  if (!asked) {
    shownForm = null;
    return;
  }
  // What somebody is typing is left alone.
  if (asked.number === shownForm) return;
  shownForm = asked.number;
  text("form-title", asked.title);
  text("form-trouble", asked.trouble);
  list(at("fields"), asked.fields.map(field));
}

function field({ name, label, value, choices, several }) {
  const box = document.createElement("label");
  box.append(label, " ");
  if (several) {
    const chosen = value.split(" ");
    const group = document.createElement("fieldset");
    const legend = document.createElement("legend");
    legend.textContent = label;
    group.append(legend, ...choices.map((choice) => {
      const one = document.createElement("label");
      const tick = document.createElement("input");
      Object.assign(tick, { type: "checkbox", name, value: choice, checked: chosen.includes(choice) });
      one.append(tick, ` ${choice}`);
      return one;
    }));
    return group;
  }
  const entry = document.createElement(choices.length ? "select" : "input");
  entry.name = name;
  for (const choice of choices) entry.append(new Option(choice, choice, false, choice === value));
  entry.value = value;
  box.append(entry);
  return box;
}

function answers() {
  const values = {};
  for (const entry of at("fields").querySelectorAll("input, select")) {
    const said = entry.type === "checkbox" && !entry.checked ? "" : entry.value;
    values[entry.name] = `${values[entry.name] ?? ""} ${said}`.trim();
  }
  return values;
}

at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  post("/api/answer", { number: shownForm, values: answers() });
});
at("aside").addEventListener("click", () => post("/api/answer", { number: shownForm, values: null }));

function findings(found) {
  at("findings").hidden = found.length === 0;
  list(at("findings").tBodies[0], found.map((finding) => {
    const row = document.createElement("tr");
    for (const cell of ["what", "seen", "limit"]) {
      const box = row.insertCell();
      box.textContent = finding[cell];
      if (cell === "what" && finding.advice) {
        const advice = document.createElement("small");
        advice.textContent = finding.advice;
        box.append(advice);
      }
    }
    const verdict = row.insertCell();
    verdict.textContent = WORDS[finding.judgement];
    verdict.className = finding.judgement;
    return row;
  }));
}

function keys(offered) {
  const nav = at("keys");
  const same = [...nav.children].map((button) => button.value).join() === offered.map((one) => one.key).join();
  // Buttons that stay are left alone, or a finger would miss them.
  if (same) return;
  list(nav, offered.map(({ key, words }) => {
    const button = document.createElement("button");
    button.value = key;
    button.textContent = words;
    button.addEventListener("click", () => press(key));
    return button;
  }));
}

function picture(number) {
  if (number === null || number === shownPicture) return;
  shownPicture = number;
  const next = new Image();
  next.addEventListener("load", () => {
    at("picture").src = next.src;
    at("picture").hidden = false;
  });
  next.src = `/api/picture?${number}`;
}

function press(key) {
  return post("/api/press", { key });
}

async function post(path, body) {
  const code = sessionStorage.getItem("code");
  if (!code) return ask(path, body, "");
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Table-Code": code },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (answer && !answer.ok) {
    const { error } = await answer.json();
    if (answer.status === 401 || answer.status === 429) return ask(path, body, error);
    text("trouble", error);
  }
  return undefined;
}

function ask(path, body, refused) {
  sessionStorage.removeItem("code");
  at("refused").textContent = refused;
  const dialog = at("ask");
  dialog.addEventListener("close", () => {
    const code = at("code").value.trim();
    if (!code) return;
    sessionStorage.setItem("code", code);
    post(path, body);
  }, { once: true });
  dialog.showModal();
}

const events = new EventSource("/api/events");
events.addEventListener("view", (event) => {
  at("line").hidden = true;
  draw(JSON.parse(event.data));
});
events.addEventListener("beat", () => { at("line").hidden = true; });
events.addEventListener("error", () => { at("line").hidden = false; });
