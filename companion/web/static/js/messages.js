// Every text of the page, by language. A new language is one more catalogue with the same keys.

const en = {
  above: "Above",
  olympeak: "OlymPeak",
  title: "{game} – Olympus companion",
  turn: "Turn {turn}",
  simulated: "Simulated",
  simulatedWhy: "The table shown here is simulated; no real pieces are watched.",
  paused: "Paused",
  connecting: "Connecting to the table…",
  lost: "Connection lost. What you see is {age} old. Trying again…",
  lostNever: "The table cannot be reached. Trying again…",
  seconds: "{n} s",
  minutes: "{n} min",
  kind: {
    none: "No game",
    setup: "Set up",
    ready: "To move",
    lifted: "In hand",
    unfinished: "Go on",
    complete: "Complete",
    illegal: "Not allowed",
    question: "A question",
    hold: "One moment",
    over: "Victory",
  },
  noGame: "No game has begun yet. Start one below.",
  pausedText: "Paused: nothing on the table is judged until you go on.",
  rule: "Rule: {rule}",
  answers: "Answers",
  seat: "Seat {n}",
  mountain: "The mountain",
  onSpace: "{what} on {space}",
  offBoard: "{what} beside the board",
  summit: "the summit",
  mark: {
    moved: "has moved",
    target: "allowed",
    wrong: "wrong",
    return: "goes back here",
    remove: "take off",
    missing: "missing",
    winner: "winner",
  },
  deity: {
    ze: "Zeus", he: "Hera", ar: "Ares", at: "Athena",
    ha: "Hades", de: "Demeter", po: "Poseidon", ap: "Aphrodite",
  },
  token: { thunder: "Thunder", fertility: "Fertility", gate: "Gate", barrier: "Barrier" },
  seats: "Cards",
  toMove: "to move",
  won: "has won",
  powered: "{deity}, powered",
  spent: "{deity}, spent",
  poweredCount: "{n} of {all} powered",
  pile: "Discard pile: {cards}",
  pileEmpty: "The discard pile is empty.",
  score: "How it stands",
  camera: "What the camera sees",
  cameraNone: "There is no picture yet.",
  cameraLarge: "Open the picture by itself",
  cameraAlt: "Camera picture of the table with the recognised pieces outlined",
  device: { camera: "Camera", controller: "Board electronics", lights: "Lights", journal: "Journal" },
  deviceOk: "working",
  deviceAbsent: "not there",
  history: "Turns so far",
  historyNone: "No turn has been completed yet.",
  undo: "Take back a turn",
  undoSure: "Take back the last turn?",
  undoWhy: "The game returns to the beginning of the turn before. Put the pieces back as the lights show.",
  pause: "Pause",
  goOn: "Go on",
  newGame: "New game",
  newGameWhy: "The running game is kept in the journal, and a new one begins.",
  players: "Players",
  two: "Two",
  four: "Four, in two teams",
  name: "Name at seat {n}",
  record: "Download the record",
  rotate: "Turn the board to {who}",
  rotateNorth: "Board as the camera sees it",
  code: "The table’s code",
  codeWhy: "The host’s screen shows it. This phone remembers it until its tab is closed.",
  codeEnter: "Join",
  codeWrong: "That is not the table’s code.",
  cancel: "Cancel",
  begin: "Begin",
  unreachable: "The table cannot be reached just now; nothing was changed.",
};

const catalogues = { en };

function language() {
  const wanted = navigator.languages ?? [navigator.language];
  return wanted.map((tag) => tag.slice(0, 2)).find((tag) => tag in catalogues) ?? "en";
}

export const lang = language();

// t("lost", {age: "5 s"}) or t("kind.ready"); an unknown key shows itself, so that it is noticed.
export function t(key, values = {}) {
  const text = key.split(".").reduce((part, name) => part?.[name], catalogues[lang]);
  if (typeof text !== "string") return key.split(".").at(-1);
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
