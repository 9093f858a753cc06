// What every page shares: calls to the API, the push, keys, sound, times, messages.

const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? "";

export async function call(method, path, body) {
  const headers = { "X-CSRF-Token": meta("csrf") };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  if (answer.ok) return answer;
  let why = `${answer.status}`;
  try {
    const said = (await answer.json()).detail;
    why = typeof said === "string" ? said : said.map((one) => `${one.loc.at(-1)}: ${one.msg}`).join("; ");
  } catch { /* not JSON: the status must do */ }
  throw new Error(why);
}

export const island = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

export function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") node.className = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((one) => one !== null && one !== undefined));
  return node;
}

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "ico");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `/static/icons.svg#${name}`);
  svg.append(use);
  return svg;
}

// ── times in the house's time zone ──
const two = (number) => String(number).padStart(2, "0");
export const hms = (date) => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
export function localTimes(root = document) {
  for (const node of root.querySelectorAll("time[datetime]")) {
    const date = new Date(node.getAttribute("datetime"));
    const day = date.toLocaleDateString("en-GB", { day: "2-digit", month: "short" });
    node.textContent = node.dataset.form === "full" ? `${day} ${hms(date)}` : hms(date);
  }
}
export function timeNode(wall) {
  const date = new Date(wall);
  return make("time", { datetime: date.toISOString() }, hms(date));
}
export const logClock = (ms) => `${Math.floor(ms / 60000)}:${two(Math.floor((ms % 60000) / 1000))}.${Math.floor((ms % 1000) / 100)}`;
export const seatName = (seat) => (seat === null || seat === undefined ? "Table" : seat === 0 ? "Dealer" : `Seat ${seat}`);
export const money = (cents) => {
  if (cents === null || cents === undefined) return "?";
  const text = (cents / 100).toLocaleString("en-US", { minimumFractionDigits: cents % 100 ? 2 : 0, maximumFractionDigits: 2 });
  return text;
};

// ── messages ──
export function toast(title, text = "", kind = "", href = null) {
  const box = document.querySelector(".toasts");
  const inner = [make("b", {}, title), text ? make("span", {}, text) : null];
  const node = href ? make("a", { class: `toast ${kind}`, href }, ...inner) : make("div", { class: `toast ${kind}` }, ...inner);
  box.append(node);
  while (box.children.length > 4) box.firstChild.remove();
  setTimeout(() => node.remove(), href ? 12000 : 5000);
}
export const tried = (work) => async (...args) => {
  try { return await work(...args); } catch (error) { toast("That did not work", error.message, "bad"); return null; }
};

// ── keys ──
const keys = new Map();
export function key(name, words, run) { keys.set(name, { words, run }); }
const keysOff = () => localStorage.getItem("keys") === "off";
function listen() {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || keysOff()) return;
    if (document.querySelector("dialog[open]")) return;
    const onButton = event.target.closest("button, a, summary") && (event.key === " " || event.key === "Enter");
    const found = keys.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!found || onButton) return;
    event.preventDefault();
    found.run(event);
  });
}
function helpDialog() {
  const dialog = document.getElementById("keys");
  const list = dialog.querySelector(".keys");
  list.replaceChildren(...[...keys].flatMap(([name, { words }]) => [
    make("dt", {}, make("kbd", {}, name === " " ? "space" : name)), make("dd", {}, words),
  ]));
  const box = dialog.querySelector("input");
  box.checked = !keysOff();
  box.onchange = () => localStorage.setItem("keys", box.checked ? "on" : "off");
  dialog.showModal();
}

// ── sound: two falling tones, louder for worse; made here, so no file is needed ──
let audio = null;
const soundOn = () => localStorage.getItem("sound") !== "off";
export function beep(rank) {
  if (!soundOn() || rank < 2) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") { audio.resume().catch(() => {}); }
  const start = audio.currentTime;
  for (let i = 0; i < (rank >= 4 ? 3 : 2); i += 1) {
    const tone = audio.createOscillator();
    const level = audio.createGain();
    tone.frequency.value = i % 2 ? 660 : 880;
    level.gain.setValueAtTime(rank >= 3 ? 0.22 : 0.12, start + i * 0.18);
    level.gain.exponentialRampToValueAtTime(0.001, start + i * 0.18 + 0.16);
    tone.connect(level).connect(audio.destination);
    tone.start(start + i * 0.18);
    tone.stop(start + i * 0.18 + 0.17);
  }
}
function soundButton() {
  const button = document.getElementById("sound");
  if (!button) return;
  const show = () => {
    button.setAttribute("aria-pressed", String(soundOn()));
    button.querySelector("use").setAttribute("href", `/static/icons.svg#${soundOn() ? "sound" : "mute"}`);
    button.setAttribute("aria-label", soundOn() ? "Sound is on" : "Sound is off");
  };
  const turn = () => { localStorage.setItem("sound", soundOn() ? "off" : "on"); show(); if (soundOn()) beep(3); };
  button.addEventListener("click", turn);
  key("m", "sound on or off", turn);
  show();
}

// ── the badge: how many violations nobody has looked at ──
const bare = document.title;
export function counts(change) {
  for (const [word, by] of Object.entries(change)) {
    const node = document.querySelector(`[data-count="${word}"]`);
    if (!node) continue;
    const number = Math.max(0, Number(node.querySelector("b").textContent) + by);
    node.querySelector("b").textContent = String(number);
    node.classList.toggle("on", number > 0);
  }
  showBadge();
}
function showBadge() {
  const total = [...document.querySelectorAll("[data-count] b")].reduce((sum, node) => sum + Number(node.textContent), 0);
  document.title = total ? `(${total}) ${bare}` : bare;
}

// ── the push: nothing is missed, because the cursor of the last message is sent when it reconnects ──
const known = new Set();
const words = ["info", "low", "medium", "high", "critical"];
export function watch(handlers, table = null) {
  const first = meta("cursor");
  if (!first) return;
  let source = null;
  let last = first;
  const state = document.getElementById("link-state");
  const say = (text, lost) => { state.textContent = text; state.classList.toggle("lost", lost); };
  const open = () => {
    const query = new URLSearchParams({ cursor: last, ...(table ? { table } : {}) });
    source = new EventSource(`/api/v1/stream?${query}`);
    source.addEventListener("hello", (event) => {
      const { problem } = JSON.parse(event.data);
      say(problem ? "Record away" : "Live", Boolean(problem));
      document.documentElement.dataset.push = "open";
    });
    source.addEventListener("health", (event) => {
      const { problem } = JSON.parse(event.data);
      say(problem ? "Record away" : "Live", Boolean(problem));
    });
    for (const name of ["alert", "action", "table", "belief", "preview"]) {
      source.addEventListener(name, (event) => {
        if (event.lastEventId) last = event.lastEventId;
        const data = JSON.parse(event.data);
        if (name === "alert") { if (known.has(data.id)) return; known.add(data.id); arrived(data); }
        if (name === "action") acted(data);
        handlers[name]?.(data);
      });
    }
    source.onerror = () => {
      document.documentElement.dataset.push = "lost";
      say("No connection: nothing here is current", true);
      if (source.readyState === EventSource.CLOSED) { setTimeout(open, 1500); }
    };
  };
  open();
  window.addEventListener("pagehide", () => source?.close());
}
const states = new Map();
function arrived(alert) {
  states.set(alert.id, alert.state);
  if (alert.ruling !== "violation" || alert.state !== "new") return;
  counts({ [alert.severity]: 1 });
  beep(alert.rank);
  toast(alert.title, `${alert.table} · ${seatName(alert.seat)} · clause ${alert.clause}`, alert.severity, `/alerts?alert=${alert.id}`);
}
function acted(action) {
  if (action.ruling !== "violation") return;
  const before = states.get(action.alert) ?? document.querySelector(`[data-alert="${action.alert}"]`)?.dataset.state ?? (action.what === "new" ? "acknowledged" : "new");
  const wasNew = before === "new";
  const isNew = action.state === "new";
  states.set(action.alert, action.state);
  if (wasNew !== isNew) counts({ [words[action.rank]]: isNew ? 1 : -1 });
}

function start() {
  localTimes();
  listen();
  for (const link of document.querySelectorAll(".rail a[data-key]")) {
    key(link.dataset.key, link.dataset.words, () => link.click());
  }
  key("?", "these keys", helpDialog);
  document.getElementById("help")?.addEventListener("click", helpDialog);
  for (const button of document.querySelectorAll("dialog [data-close]")) {
    button.addEventListener("click", () => button.closest("dialog").close());
  }
  soundButton();
  showBadge();
  const clock = document.getElementById("clock");
  if (clock) { const tick = () => { clock.textContent = hms(new Date()); }; tick(); setInterval(tick, 1000); }
}
start();
