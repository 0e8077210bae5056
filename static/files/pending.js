// Follows the delivery of the mail: swaps #delivery and nothing else, so that
// a half-typed code stays. Stops when the mail is sent or has failed.
const box = document.querySelector("[data-follow]");
const over = (line) => !line || ["sent", "failed"].includes(line.dataset.state);
let wait = 1000;

async function look() {
  const line = document.getElementById("delivery");
  if (over(line)) return;
  if (!document.hidden) {
    try {
      const answer = await fetch(box.dataset.follow, { cache: "no-store", redirect: "error" });
      if (!answer.ok) throw new Error(answer.status);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("delivery");
      if (!fresh) return;
      if (fresh.dataset.state !== line.dataset.state) line.replaceWith(fresh);
    } catch {
      wait *= 2; // the link beside the line still works
    }
    wait = Math.min(wait * 1.3, 20000);
  }
  setTimeout(look, wait);
}

if (box) setTimeout(look, wait);

// Counts the wait for another mail down to two, since "1 seconds" is no English,
// and takes its words away at the end.
const hint = document.querySelector("[data-wait]");
if (hint) {
  const end = Date.now() + hint.dataset.wait * 1000;
  const inSeconds = hint.dataset.wait <= 120; // longer waits are told in minutes
  const tick = setInterval(() => {
    const left = Math.ceil((end - Date.now()) / 1000);
    if (inSeconds && left > 1) hint.textContent = hint.textContent.replace(/\d+/, left);
    if (left > 0) return;
    clearInterval(tick);
    hint.remove();
  }, 1000);
}
