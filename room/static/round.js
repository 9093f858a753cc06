// A round replayed: one clock drives the drawn table, the list of events, the timeline and the videos.

import { call, icon, island, key, localTimes, logClock, make, toast, tried, watch } from "./core.js";
import { drawTable } from "./table_view.js";

const data = island("page-data");
const NS = "http://www.w3.org/2000/svg";
const el = (name, attributes, text) => { const node = document.createElementNS(NS, name); for (const [k, v] of Object.entries(attributes)) node.setAttribute(k, v); if (text !== undefined) node.textContent = text; return node; };
const LANES = ["round", "wagers", "cards", "players", "sight"];
const COLOURS = { round: "#93a4b5", wagers: "#e9b949", cards: "#f3f7fb", players: "#6cc8ff", sight: "#d2b4ff" };
const base = `/api/v1/rounds/${encodeURIComponent(data.table)}/${encodeURIComponent(data.round)}`;
const LEAD = 2000;
const FRAME = 40;
const start = data.start;
const end = Math.max(data.end, start + 1);
let now = start;
let playing = false;
let speed = 1;
const bad = new Map();
for (const one of data.alerts) for (const seq of one.events) if (one.ruling !== "handled") bad.set(seq, one.ruling === "violation" ? "bad" : bad.get(seq) ?? "unsure");

// ── events ──
const list = document.getElementById("events");
const buttons = data.moments.map((one) => make("button", { class: `moment ${bad.get(one.seq) ?? ""}`, type: "button", onclick: () => go(one.at, one.seq) }, make("span", {}, logClock(one.at)), make("span", {}, one.text)));
list.append(...buttons);
let current = -1;
function atIndex() {
  let found = 0;
  data.moments.forEach((one, i) => { if (one.at <= now) found = i; });
  return found;
}

// ── timeline ──
const line = document.getElementById("timeline");
const W = 1000;
const x = (at) => 70 + ((at - start) / (end - start)) * (W - 84);
function drawLine() {
  line.setAttribute("viewBox", `0 0 ${W} 104`);
  line.setAttribute("preserveAspectRatio", "none");
  const parts = [];
  LANES.forEach((lane, i) => {
    const y = 10 + i * 15;
    parts.push(el("line", { x1: 70, x2: W - 14, y1: y, y2: y, stroke: "#2b3846", "stroke-width": 1 }));
    parts.push(el("text", { x: 4, y: y + 4, fill: "#b9c7d4", "font-size": 11, "font-family": "Inter, sans-serif" }, lane));
  });
  for (const one of data.moments) {
    const y = 10 + LANES.indexOf(one.group) * 15;
    parts.push(el("rect", { x: x(one.at) - 1.5, y: y - 5, width: 3, height: 10, rx: 1.5, fill: COLOURS[one.group] }));
  }
  for (const one of data.alerts) {
    if (one.ruling === "handled" || one.at < start || one.at > end) continue;
    const violation = one.ruling === "violation";
    if (!violation && one.at >= end) continue;
    parts.push(el("path", { d: `M ${x(one.at)} 84 l 7 13 h -14 z`, fill: violation ? "#ff5b63" : "none", stroke: violation ? "#ff5b63" : "#d2b4ff", "stroke-width": 1.5 }));
    if (violation) parts.push(el("line", { x1: x(one.at), x2: x(one.at), y1: 4, y2: 84, stroke: "#ff5b63", "stroke-width": 1.5, "stroke-dasharray": "3 3" }));
  }
  parts.push(el("line", { id: "head", x1: 0, x2: 0, y1: 0, y2: 104, stroke: "#ffe066", "stroke-width": 2.5 }));
  line.replaceChildren(...parts);
}
const fromPointer = (event) => { const box = line.getBoundingClientRect(); const px = ((event.clientX - box.left) / box.width) * W; go(start + ((px - 70) / (W - 84)) * (end - start)); };
line.addEventListener("pointerdown", (event) => { line.setPointerCapture(event.pointerId); fromPointer(event); });
line.addEventListener("pointermove", (event) => { if (event.buttons) fromPointer(event); });

// ── videos ──
const videos = new Map();
let camera = data.cameras[0] ?? null;
async function loadVideo(name) {
  if (videos.has(name)) return;
  const from = Math.max(0, start - LEAD);
  const node = make("video", { muted: true, playsinline: true, preload: "auto", "aria-label": `Camera ${name}` });
  const entry = { node, from };
  videos.set(name, entry);
  const answer = await call("GET", `/api/v1/tables/${encodeURIComponent(data.table)}/cameras/${encodeURIComponent(name)}/clip.mp4?start=${from}&end=${end + LEAD}`);
  entry.from = Number(answer.headers.get("X-Start"));
  node.src = URL.createObjectURL(await answer.blob());
  node.addEventListener("loadeddata", () => follow(true));
}
function showCamera(name) {
  camera = name;
  document.getElementById("video-cap").textContent = `Camera ${name}`;
  tried(loadVideo)(name).then(() => { document.getElementById("videos").replaceChildren(videos.get(name).node); follow(true); });
  document.getElementById("cameras").replaceChildren(...data.cameras.map((one) => make("button", { class: "btn small", type: "button", "aria-pressed": String(one === name), onclick: () => showCamera(one) }, one)));
}
function follow(jump = false) {
  const entry = videos.get(camera);
  if (!entry || entry.node.readyState < 1) return;
  const want = (now - entry.from) / 1000;
  if (jump || Math.abs(entry.node.currentTime - want) > 0.15) entry.node.currentTime = Math.max(0, want);
  entry.node.playbackRate = Math.min(speed, 8);
  if (playing && entry.node.paused) entry.node.play().catch(() => {});
  if (!playing && !entry.node.paused) entry.node.pause();
}

// ── the clock ──
let wanted = null;
function show() {
  const index = wanted ?? atIndex();
  if (index !== current) {
    buttons[current]?.removeAttribute("aria-current");
    current = index;
    const button = buttons[current];
    if (button) {
      button.setAttribute("aria-current", "true");
      list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
      const alert = data.alerts.find((one) => one.ruling === "violation" && one.events.includes(data.moments[index].seq));
      drawTable(document.getElementById("table"), data.beliefs[index], { hot: alert ? alert.seat : null });
      document.getElementById("saying").textContent = data.moments[index].text;
    }
  }
  document.getElementById("now").textContent = logClock(now);
  document.getElementById("head")?.setAttribute("x1", x(now));
  document.getElementById("head")?.setAttribute("x2", x(now));
  line.setAttribute("aria-valuenow", Math.round(now));
  line.setAttribute("aria-valuetext", `${logClock(now)}, ${data.moments[current]?.text ?? ""}`);
}
function go(at, seq = null) {
  now = Math.min(Math.max(at, start), end);
  wanted = seq === null ? null : data.moments.findIndex((one) => one.seq === seq);
  follow(true);
  show();
  wanted = null;
}
let before = 0;
function tick(stamp) {
  if (!playing) return;
  now = Math.min(now + Math.min(stamp - before, 250) * speed, end);
  before = stamp;
  follow();
  show();
  if (now >= end) turn(false); else requestAnimationFrame(tick);
}
function turn(on) {
  playing = on;
  if (on && now >= end) now = start;
  const button = document.getElementById("play");
  button.replaceChildren(icon(on ? "pause" : "play"));
  button.setAttribute("aria-label", on ? "Pause" : "Play");
  follow();
  if (on) { before = performance.now(); requestAnimationFrame(tick); }
}
const step = (by) => { turn(false); const index = Math.min(Math.max((current < 0 ? 0 : current) + by, 0), data.moments.length - 1); go(data.moments[index].at, data.moments[index].seq); };
const frame = (by) => { turn(false); go(now + by * FRAME); };

document.getElementById("play").addEventListener("click", () => turn(!playing));
document.getElementById("back").addEventListener("click", () => step(-1));
document.getElementById("forward").addEventListener("click", () => step(1));
document.getElementById("speed").addEventListener("change", (event) => { speed = Number(event.target.value); follow(); });
key(" ", "play or pause", () => turn(!playing));
key("ArrowLeft", "one event back", () => step(-1));
key("ArrowRight", "one event on", () => step(1));
key(",", "one frame back", () => frame(-1));
key(".", "one frame on", () => frame(1));
key("Home", "to the beginning", () => go(start));
key("End", "to the end", () => go(end));
key("p", "previous round", () => document.getElementById("before").click());
key("n", "next round", () => document.getElementById("after").click());

// ── link, case, evidence ──
const copy = tried(async () => {
  const url = new URL(location.href);
  url.searchParams.set("t", Math.round(now));
  history.replaceState(null, "", url);
  await navigator.clipboard?.writeText(url.href).catch(() => {});
  toast("Link to this moment", url.pathname + url.search, "good");
});
document.getElementById("link").addEventListener("click", copy);
key("y", "copy a link to this moment", copy);
const exporting = document.getElementById("export");
if (exporting) {
  exporting.addEventListener("click", tried(async () => {
    const answer = await call("POST", `${base}/export`);
    const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition"))[1];
    make("a", { href: URL.createObjectURL(await answer.blob()), download: name }).click();
    toast("Evidence exported", `${name} is signed; anybody can verify it.`, "good");
  }));
  key("x", "export evidence", () => exporting.click());
}
const caseBox = document.getElementById("case-box");
document.getElementById("to-case")?.addEventListener("click", () => caseBox.showModal());
caseBox.querySelector("form").addEventListener("submit", tried(async (event) => {
  event.preventDefault();
  const form = Object.fromEntries(new FormData(event.target));
  const number = form.case ? Number(form.case) : (await (await call("POST", "/api/v1/cases", { title: form.title })).json()).id;
  await call("POST", `/api/v1/cases/${number}/rounds`, { table: data.table, round: data.round });
  location.href = `/cases/${number}`;
}));

drawLine();
if (camera) showCamera(camera);
const asked = Number(new URLSearchParams(location.search).get("t"));
const proof = data.alerts.filter((one) => one.ruling === "violation").sort((a, b) => a.seq - b.seq)[0];
if (asked) go(asked); else if (proof) go(proof.at, proof.seq); else go(start);
localTimes();
watch({});
