// Small helpers to build and update elements. Text is always set as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

export const el = (tag, attributes = {}, ...children) =>
  build(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) =>
  build(document.createElementNS(SVG, tag), attributes, children);

export const byId = (id) => document.getElementById(id);

// Changes the text only if it differs, so that screen readers speak what is new and nothing else.
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
  node.hidden = text === "";
}

// Replaces the children only if what they show has changed.
export function redraw(node, value, draw) {
  const key = JSON.stringify(value);
  if (node.dataset.shown === key) return;
  node.dataset.shown = key;
  node.replaceChildren(...draw(value));
}
