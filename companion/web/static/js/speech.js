// What the table says aloud on this phone, in its language: only if somebody wants it, each thing once, never over itself.

import { byId, el, redraw } from "./dom.js";
import { lang, t } from "./messages.js";

const KEPT = "olympus-aloud";
const synthesis = window.speechSynthesis;

function kept() {
  try {
    return localStorage.getItem(KEPT) === "1";
  } catch {
    return false; // a browser that keeps nothing: off until it is asked for
  }
}

let on = synthesis != null && kept();
let heard = null; // the key of what was said last, or stood there when the page was opened
let waiting = "";

const voice = () => synthesis.getVoices().find((each) => each.lang.toLowerCase().replace("iw", "he").startsWith(lang));

function speak() {
  if (!waiting || synthesis.speaking) return;
  const words = new SpeechSynthesisUtterance(waiting);
  waiting = "";
  words.lang = lang;
  words.voice = voice() ?? null;
  words.onend = words.onerror = speak;
  synthesis.speak(words);
}

function turn() {
  on = !on;
  try {
    localStorage.setItem(KEPT, on ? "1" : "0");
  } catch {
    // As above.
  }
  waiting = "";
  synthesis.cancel();
  // A browser lets a page speak once somebody has asked it to; so it says at once that it does.
  if (on) {
    waiting = t("announceOn");
    speak();
  }
  draw();
}

function draw() {
  redraw(byId("speech"), [on], () =>
    synthesis == null ? [] : [el("button", { "aria-pressed": String(on), onclick: turn }, t(on ? "announceOff" : "announce"))],
  );
}

// The latest snapshot: what is new in it is said, after what is being said.
export function announce({ spoken }) {
  draw();
  const key = spoken?.key ?? "";
  if (heard === null) heard = key;
  if (key === heard) return;
  heard = key;
  if (!on) return;
  waiting = spoken.text;
  speak();
}
