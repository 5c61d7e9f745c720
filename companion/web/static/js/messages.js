// The page's own words, in its language. They stand in the catalogue of all sentences, companion/messages/words/page.toml.

const { language, languages, foreign, strings } = await (
  await fetch(document.querySelector("link[data-messages]").href)
).json();

export { languages };
export const lang = language;

const plurals = new Intl.PluralRules(lang);
const OTHER_WAY = new RegExp(foreign);

// What runs the other way is set apart, so that signs beside it stay where they belong.
const apart = (value) => (OTHER_WAY.test(value) ? `\u2068${value}\u2069` : value);

function put(part, values) {
  if (typeof part === "string") return part;
  if (Array.isArray(part)) return part.map((each) => put(each, values)).join("");
  if (part.put) return apart(String(values[part.put] ?? ""));
  const value = values[part.by];
  const cases = typeof value === "number" ? [`=${value}`, plurals.select(value)] : [String(value)];
  return put(part.of[cases.find((each) => each in part.of) ?? "other"] ?? "", values);
}

// t("lost", {age: "5 s"}) or t("kind.ready"); an unknown key shows itself, so that it is noticed.
export function t(key, values = {}) {
  return key in strings ? put(strings[key], values) : key.split(".").at(-1);
}

// The language is kept in a cookie, so that the table's own sentences come in it from the first on.
export function speak(code) {
  document.cookie = `language=${code}; path=/; max-age=31536000; samesite=strict`;
  location.reload();
}
