// Saves what is typed as a draft a few seconds after the typing stops. The
// buttons of the form do the same without a script.
const line = document.querySelector("[data-saved]");
const form = line?.closest("form");
const text = () => new URLSearchParams(new FormData(form));
const blank = (t) => !((t.get("title") ?? "") + t.get("body")).trim();
let saved = form && text().toString();
let timer = 0;
let next = 0;

async function save() {
  stop();
  const now = text();
  if (now.toString() === saved || blank(now)) return;
  next = Date.now() + 15000;
  try {
    const body = new URLSearchParams(now);
    body.set("draft", "auto");
    // A page that goes away may send no more than this.
    const keepalive = document.hidden && `${body}`.length < 65536;
    const answer = await fetch(form.action, { method: "POST", body, redirect: "error", keepalive });
    if (!answer.ok) throw new Error(answer.status);
    saved = now.toString();
    line.textContent = line.dataset.saved;
  } catch {
    line.textContent = line.dataset.failed;
  }
}

function stop() {
  clearTimeout(timer);
  timer = 0;
}

form?.addEventListener("input", () => {
  stop();
  line.textContent = "";
  timer = setTimeout(save, Math.max(3000, next - Date.now()));
});
form?.addEventListener("submit", stop);
document.querySelector(".draft")?.addEventListener("submit", stop); // or what is discarded comes back
document.addEventListener("visibilitychange", () => {
  if (timer && document.hidden) save();
});
