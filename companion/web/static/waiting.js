// Shown from what a phone keeps while the table cannot be reached: as soon as it can, the page itself comes.

const RETRY_MS = 1000;

async function look() {
  try {
    const answer = await fetch("icon.svg", { method: "HEAD", cache: "no-store" });
    if (answer.status) location.reload();
  } catch {
    setTimeout(look, RETRY_MS);
  }
}

window.addEventListener("online", look);
setTimeout(look, RETRY_MS);
