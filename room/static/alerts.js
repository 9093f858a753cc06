// The alerts page: the list keeps itself up to date, the detail shows the proving moment, keys act.

import { call, island, key, localTimes, logClock, make, seatName, timeNode, toast, tried, watch } from "./core.js";
import { drawTable } from "./table_view.js";

const { shown, tab } = island("page-data");
const list = document.getElementById("list");

// ── the proving moment ──
function showProof() {
  if (!shown.moment) return;
  const { belief, events } = shown.moment;
  const round = `/rounds/${encodeURIComponent(shown.table)}/${encodeURIComponent(shown.round)}`;
  drawTable(document.getElementById("moment"), belief, { hot: shown.seat });
  if (events.length) {
    document.getElementById("proof-events").replaceChildren(...events.map((one) => make("li", {},
      make("a", { class: "link nowrap", href: `${round}?t=${one.at}` }, logClock(one.at)), make("span", {}, one.text), make("span", { class: "dim" }, one.witness))));
  }
  cameras();
}
function cameras() {
  const box = document.getElementById("shot");
  const opts = document.getElementById("proof-opts");
  const svg = document.getElementById("moment");
  const cap = document.getElementById("proof-cap");
  const base = (camera) => `/api/v1/tables/${encodeURIComponent(shown.table)}/cameras/${encodeURIComponent(camera)}`;
  const views = [["Drawn", null, null]];
  for (const camera of shown.cameras) views.push([camera, camera, "still"], [`${camera}, 10 s`, camera, "clip"]);
  if (views.length === 1) return;
  const choose = (index) => {
    const [name, camera, what] = views[index];
    svg.toggleAttribute("hidden", Boolean(camera));
    box.hidden = !camera;
    cap.textContent = camera ? (what === "clip" ? `Camera ${camera}, five seconds before and after` : `Camera ${camera} when it was proved`) : "The table when it was proved";
    if (what === "still") box.replaceChildren(make("img", { alt: `Camera ${camera} at the proving moment`, src: `${base(camera)}/still.jpg?at=${shown.at}` }));
    if (what === "clip") {
      const start = Math.max(0, shown.at - 5000);
      box.replaceChildren(make("video", { controls: true, autoplay: true, loop: true, muted: true, src: `${base(camera)}/clip.mp4?start=${start}&end=${shown.at + 5000}` }));
    }
    [...opts.children].forEach((node, i) => node.setAttribute("aria-pressed", String(i === index)));
    return name;
  };
  opts.replaceChildren(...views.map(([name], i) => make("button", { class: "btn small", type: "button", onclick: () => choose(i) }, name)));
  // The camera that saw it first, if one did.
  const witness = shown.moment.events[0]?.witness.replace("camera:", "");
  choose(Math.max(1, views.findIndex(([, camera, what]) => camera === witness && what === "still")));
}

// ── acting ──
const path = () => `/api/v1/alerts/${shown.id}`;
const onwards = () => {
  const items = [...list.querySelectorAll(".alert-item")];
  const at = items.findIndex((one) => Number(one.dataset.alert) === shown.id);
  const next = items[at + 1] ?? items[at - 1];
  location.href = next && tab === "open" ? next.href : location.href.split("#")[0];
};
const acknowledge = tried(async () => { await call("POST", `${path()}/acknowledge`); onwards(); });
const reopen = tried(async () => { await call("POST", `${path()}/reopen`); location.reload(); });

function dialog(id, send) {
  const box = document.getElementById(id);
  box.querySelector("form").addEventListener("submit", tried(async (event) => {
    event.preventDefault();
    const form = Object.fromEntries(new FormData(event.target));
    await send(form);
    box.close();
  }));
  return () => box.showModal();
}
const dismiss = dialog("dismiss-box", async ({ reason, note }) => { await call("POST", `${path()}/dismiss`, { reason, note }); onwards(); });
const escalate = dialog("escalate-box", async ({ case: number, title, note }) => {
  const answer = await call("POST", `${path()}/escalate`, number ? { case: Number(number), note } : { title: title || shown.title, note });
  location.href = `/cases/${(await answer.json()).case}`;
});

if (shown) {
  showProof();
  const wire = (id, letter, words, run) => {
    const button = document.getElementById(id);
    if (!button) return;
    button.addEventListener("click", run);
    key(letter, words, () => !button.disabled && button.click());
  };
  wire("ack", "a", "acknowledge", acknowledge);
  wire("dismiss", "d", "dismiss with a reason", dismiss);
  wire("escalate", "e", "escalate to a case", escalate);
  wire("reopen", "u", "reopen", reopen);
  key("r", "replay the round", () => document.getElementById("replay")?.click());
}
const move = (by) => {
  const items = [...list.querySelectorAll(".alert-item")];
  const at = items.findIndex((one) => one.hasAttribute("aria-current"));
  items[Math.min(Math.max(at + by, 0), items.length - 1)]?.click();
};
key("j", "next alert", () => move(1));
key("k", "previous alert", () => move(-1));
list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });

// ── the list keeps itself: worst first, newest first among equals ──
function item(one) {
  const unsure = one.ruling === "cannot_tell";
  const word = unsure ? "Cannot tell" : one.severity[0].toUpperCase() + one.severity.slice(1);
  return make("li", {}, make("a", {
    class: `alert-item fresh ${unsure ? "cannot_tell" : one.severity}`, href: `/alerts?tab=${tab}&alert=${one.id}`,
    "data-alert": one.id, "data-state": one.state, "data-rank": one.rank,
  }, make("span", { class: "row between" }, make("span", { class: `tag ${unsure ? "unsure" : one.severity}` }, word), make("span", { class: "dim" }, timeNode(one.wall))),
  make("span", { class: "t" }, one.title),
  make("span", { class: "w" }, make("span", {}, `${one.table} · ${seatName(one.seat)}${one.area ? `, ${one.area}` : ""}`), make("span", {}, one.clause))));
}
function bump(by) {
  const number = document.querySelector(".tabs [aria-current] b");
  if (number) number.textContent = String(Number(number.textContent) + by);
}
function gotAlert(one) {
  const wanted = { open: one.ruling === "violation" && one.state === "new", unsure: one.ruling === "cannot_tell", handled: one.ruling === "handled" }[tab];
  if (!wanted || list.querySelector(`[data-alert="${one.id}"]`)) return;
  document.getElementById("nothing")?.remove();
  const before = [...list.children].find((node) => Number(node.firstElementChild.dataset.rank) <= one.rank);
  list.insertBefore(item(one), before ?? null);
  bump(1);
  if (!shown && tab === "open") location.href = `/alerts?alert=${one.id}`;
}
function gotAction(action) {
  const node = list.querySelector(`[data-alert="${action.alert}"]`);
  if (tab === "open" && node && action.state !== "new" && action.alert !== shown?.id) { node.parentElement.remove(); bump(-1); }
  if (action.alert === shown?.id) {
    document.getElementById("state").textContent = action.state[0].toUpperCase() + action.state.slice(1);
    if (document.getElementById("ack") && action.state !== "new") document.getElementById("ack").disabled = true;
    if (action.state !== shown.state) toast(`${action.who}: ${action.what}`, action.why);
  }
}
localTimes();
watch({ alert: gotAlert, action: gotAction });
