// The live page: tiles for all tables, one table large.

import { icon, island, key, localTimes, make, seatName, timeNode, watch } from "./core.js";
import { drawOverlay, drawTable } from "./table_view.js";

const data = island("page-data");
const svg = document.getElementById("table");
const steps = ["betting", "dealing", "deciding", "settling", "closed"];
const WORDS = { cannot_tell: ["unsure", "Cannot tell"], handled: ["ok", "Handled"] };
// The overview camera first: the drawn table lies the same way round.
const first = (all) => (all.includes("overview") ? "overview" : all[0] ?? null);
let camera = first(data.previews.map((one) => one.camera));
const overlays = new Map(data.previews.map((one) => [one.camera, one.overlay]));

function showBelief(belief) {
  if (!belief || !svg) return;
  drawTable(svg, belief);
  document.getElementById("round-name").textContent = belief.round ? `Round ${belief.round}` : "No round yet";
  const at = steps.indexOf(belief.phase);
  for (const node of document.querySelectorAll("#steps li")) {
    const mine = steps.indexOf(node.dataset.step);
    node.className = mine === at ? "now" : mine < at ? "past" : "";
    if (mine === at) node.setAttribute("aria-current", "step"); else node.removeAttribute("aria-current");
  }
  if (belief.phase === "void") {
    const last = document.querySelector('#steps li[data-step="closed"]');
    last.textContent = "Void";
    last.className = "now void";
  } else document.querySelector('#steps li[data-step="closed"]').textContent = "Closed";
  const link = document.getElementById("open-round");
  link.hidden = !belief.round;
  if (belief.round) link.href = `/rounds/${encodeURIComponent(data.table)}/${encodeURIComponent(belief.round)}`;
  showUnseen(belief);
}

function showUnseen(belief) {
  const box = document.getElementById("unseen");
  const gaps = belief.unseen.map((one) => make("p", { class: "blind" }, icon("blind"), make("span", {}, make("b", {}, one.name), `: ${one.why}`)));
  const lost = belief.lost_cameras.map((name) => make("p", { class: "blind" }, icon("camera"), make("span", {}, make("b", {}, `Camera ${name}`), " gives no picture")));
  const fine = make("p", { class: "row" }, icon("eye"), make("span", {}, data.previews.length || camera ? "Every zone is in view." : "Nothing is reported hidden."));
  const blind = camera ? [] : [make("p", { class: "blind" }, icon("blind"), make("span", {}, make("b", {}, "No picture of this table"), ": its events come without video"))];
  const all = [...lost, ...gaps, ...blind];
  box.replaceChildren(...(all.length ? all : [fine]));
}

// ── pictures ──
const image = document.getElementById("picture");
let loading = false;
function showPicture(name, index) {
  if (!image || loading || name !== camera) return;
  loading = true;
  const next = new Image();
  next.onload = () => { image.src = next.src; const overlay = overlays.get(name); if (overlay) drawOverlay(document.getElementById("overlay"), overlay); fit(overlay); loading = false; };
  next.onerror = () => { loading = false; };
  next.src = `/api/v1/tables/${encodeURIComponent(data.table)}/cameras/${encodeURIComponent(name)}/preview.jpg?i=${index}`;
}
function fit(overlay) {
  // The canvas lies over the letterboxed picture, not over the whole box.
  const box = image.parentElement.getBoundingClientRect();
  const canvas = document.getElementById("overlay");
  if (!overlay || !box.width) return;
  const scale = Math.min(box.width / overlay.width, box.height / overlay.height);
  const [w, h] = [overlay.width * scale, overlay.height * scale];
  Object.assign(canvas.style, { width: `${w}px`, height: `${h}px`, left: `${(box.width - w) / 2}px`, top: `${(box.height - h) / 2}px`, inset: "auto" });
  canvas.style.left = `${(box.width - w) / 2}px`;
  canvas.style.top = `${(box.height - h) / 2}px`;
}
const names = new Set(data.previews.map((one) => one.camera));
function cameraButtons() {
  document.getElementById("cameras").replaceChildren(...[...names].sort().map((name) => make("button", {
    class: "btn small", type: "button", "aria-pressed": String(name === camera), onclick: () => choose(name),
  }, name)));
  document.getElementById("video-cap").textContent = camera ? `Camera ${camera}` : "";
}
function choose(name) { camera = name; cameraButtons(); showPicture(name, Date.now()); }
const came = new Map();
function checkStale() {
  const note = document.getElementById("stale");
  if (!note || !camera) return;
  const age = (Date.now() - (came.get(camera) ?? opened)) / 1000;
  note.hidden = age < 4;
  if (age >= 4) note.replaceChildren(icon("blind"), make("span", {}, make("b", {}, "Not live"), `: the last picture came ${Math.round(age)} s ago`));
}
const opened = Date.now();
setInterval(checkStale, 1000);
function gotPreview(one) {
  came.set(one.camera, Date.now());
  if (!names.has(one.camera)) {
    names.add(one.camera);
    camera = first([...names]);
    document.getElementById("video-view").hidden = false;
    document.getElementById("views").classList.remove("alone");
    cameraButtons();
  }
  overlays.set(one.camera, one.overlay);
  showPicture(one.camera, one.index);
}

// ── tiles ──
const tile = (table) => document.querySelector(`.tile[data-table="${CSS.escape(table)}"]`);
const tagOf = (one) => make("span", { class: `tag ${WORDS[one.ruling]?.[0] ?? one.severity}` }, WORDS[one.ruling]?.[1] ?? one.severity[0].toUpperCase() + one.severity.slice(1));
function gotTable(one) {
  const node = tile(one.table);
  if (!node) { if (!document.hidden) location.reload(); return; }
  const part = (role) => node.querySelector(`[data-role="${role}"]`);
  part("phase").textContent = one.phase === "none" ? "no round" : one.phase;
  part("round").textContent = one.round ? `Round ${one.round}` : "–";
  part("players").textContent = `${one.players} player${one.players === 1 ? "" : "s"}`;
  part("blind").hidden = !one.unseen.length;
  part("blind").querySelector("span").textContent = one.unseen.map((gap) => gap.name).join(", ");
  if (one.cameras.length) {
    part("cams").replaceChildren(...one.cameras.map((cam) => make("span", { class: `cam ${cam.state}` }, icon(cam.state === "seeing" ? "camera" : "blind"), cam.camera + ({ lost: " lost", silent: ": no live picture" }[cam.state] ?? ""))));
  }
}
function gotAlert(one) {
  const node = tile(one.table);
  if (node && one.ruling === "violation") {
    node.className = `tile ${one.severity}`;
    node.querySelector('[data-role="last"]').replaceChildren(tagOf(one), make("b", {}, one.title));
  }
  if (one.table !== data.table || one.ruling === "handled") return;
  const box = document.getElementById("recent");
  box.querySelector("p")?.remove();
  const href = `/alerts?alert=${one.id}${one.ruling === "cannot_tell" ? "&tab=unsure" : ""}`;
  box.prepend(make("a", { href, title: `${seatName(one.seat)}, clause ${one.clause}` }, timeNode(one.wall), make("b", {}, one.title), tagOf(one)));
  while (box.children.length > 4) box.lastChild.remove();
}

if (data.table) {
  cameraButtons();
  showBelief(data.belief);
  if (camera) showPicture(camera, Date.now());
  const order = [...document.querySelectorAll(".tile")];
  const go = (by) => { const at = order.findIndex((one) => one.hasAttribute("aria-current")); order[(at + by + order.length) % order.length]?.click(); };
  key("j", "next table", () => go(1));
  key("k", "previous table", () => go(-1));
  key("o", "open the round", () => document.getElementById("open-round").click());
  key("c", "next camera", () => { const list = [...names].sort(); if (list.length) choose(list[(list.indexOf(camera) + 1) % list.length]); });
  window.addEventListener("resize", () => fit(overlays.get(camera)));
}
localTimes();
watch({ table: gotTable, belief: (one) => one.table === data.table && showBelief(one.belief), preview: gotPreview, alert: gotAlert }, data.table);
