// Calibration: click landmarks on a still, see the layout projected over it, drag, save, check drift.

import { call, icon, island, key, make, toast, tried, watch } from "./core.js";

const { table, camera, may } = island("page-data");
const NS = "http://www.w3.org/2000/svg";
const el = (name, attributes, text) => { const node = document.createElementNS(NS, name); for (const [k, v] of Object.entries(attributes)) node.setAttribute(k, v); if (text !== undefined) node.textContent = text; return node; };
const base = `/api/v1/calibration/${encodeURIComponent(table)}/${encodeURIComponent(camera)}`;
const board = document.getElementById("board") ?? document.createElementNS(NS, "svg"); // none: no camera to calibrate
let state = null;
let size = [1920, 1080];
let chosen = null;
let points = {};
const moved = {};
let shapes = [];
let off = new Map();

async function begin() {
  state = await (await call("GET", base)).json();
  points = state.points;
  shapes = state.projected;
  const image = new Image();
  image.src = `${base}/still.jpg`;
  await image.decode().catch(() => toast("No picture", "This camera has sent none yet.", "bad"));
  if (image.naturalWidth) size = [image.naturalWidth, image.naturalHeight];
  if (state.size && state.size[0] !== size[0]) {
    const scale = size[0] / state.size[0];
    const fit = ([x, y]) => [x * scale, y * scale];
    shapes = shapes.map((one) => ({ ...one, line: one.line.map(fit), centre: fit(one.centre) }));
    for (const name of Object.keys(state.guides)) state.guides[name] = fit(state.guides[name]);
    for (const name of Object.keys(points)) points[name] = fit(points[name]);
  }
  board.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  chosen = state.landmarks.find((one) => !(one.name in points))?.name ?? state.landmarks[0].name;
  draw();
  if (Object.keys(points).length >= 6) solve();
}

function draw() {
  const unit = size[1] / 1080;
  const drag = document.getElementById("areas").checked;
  const parts = [el("image", { href: `${base}/still.jpg`, width: size[0], height: size[1] })];
  for (const one of shapes) {
    parts.push(el("polyline", { points: one.line.concat(one.area === "cloth" ? [] : [one.line[0]]).map((p) => p.join(",")).join(" "), fill: "none", stroke: one.area === "cloth" ? "#ffe066" : "#ff6bff", "stroke-width": 2 * unit, opacity: 0.9 }));
    if (drag && one.seat) {
      const [x, y] = moved[one.name] ?? one.centre;
      parts.push(el("circle", { cx: x, cy: y, r: 12 * unit, fill: moved[one.name] ? "#ffc04a" : "#6cc8ff", stroke: "#000", "data-area": one.name, class: "handle" }));
    }
  }
  for (const [name, [x, y]] of Object.entries(points)) {
    const here = name === chosen;
    const colour = off.get(name) === false ? "#ff5b63" : here ? "#ffe066" : "#55d69a";
    parts.push(el("circle", { cx: x, cy: y, r: 9 * unit, fill: "none", stroke: colour, "stroke-width": 3 * unit, "data-point": name }));
    parts.push(el("path", { d: `M ${x - 16 * unit} ${y} h ${32 * unit} M ${x} ${y - 16 * unit} v ${32 * unit}`, stroke: colour, "stroke-width": unit }));
  }
  const guide = state.guides[chosen];
  if (guide && !(chosen in points)) parts.push(el("circle", { cx: guide[0], cy: guide[1], r: 26 * unit, fill: "none", stroke: "#ffe066", "stroke-width": 3 * unit, "stroke-dasharray": `${8 * unit} ${6 * unit}` }));
  board.replaceChildren(...parts);
  list();
}
function list() {
  document.getElementById("marks").replaceChildren(...state.landmarks.map((one) => {
    const set = one.name in points;
    const wrong = off.get(one.name) === false;
    return make("button", { class: `markb ${set ? "set" : ""} ${wrong ? "off" : ""}`, type: "button", "aria-pressed": String(one.name === chosen), "data-mark": one.name, onclick: () => { chosen = one.name; draw(); } },
      icon(wrong ? "cross" : set ? "check" : "dash"), make("span", {}, one.words), make("span", { class: "dim" }, errors.get(one.name) ?? ""));
  }));
}
const errors = new Map();

const solve = tried(async () => {
  if (Object.keys(points).length < 6 || !may) return;
  try {
    const answer = await (await call("POST", `${base}/solve`, body())).json();
    shapes = answer.projected;
    off = new Map(answer.residuals.map((one) => [one.name, one.used]));
    errors.clear();
    for (const one of answer.residuals) errors.set(one.name, `${one.mm} mm`);
    const wrong = answer.residuals.filter((one) => !one.used).length;
    say(answer.sigma_mm <= 3, `${answer.rms_mm} mm`, `mean error over ${answer.residuals.length - wrong} landmarks; expected error on the cloth ${answer.sigma_mm} mm, at worst ${answer.worst_sigma_mm} mm`, wrong ? `${wrong} not believed: click again or remove` : "");
    document.getElementById("save")?.removeAttribute("disabled");
  } catch (error) {
    say(false, "Cannot be solved", error.message, "");
    document.getElementById("save")?.setAttribute("disabled", "");
  }
  draw();
});
const body = () => ({ width: size[0], height: size[1], points, moved });
function say(good, title, text, more) {
  document.getElementById("result").replaceChildren(make("p", { class: "row" }, make("span", { class: `tag ${good ? "ok" : "medium"}` }, good ? "Good" : "Look again"), make("b", {}, title)), make("p", { class: "dim" }, text), more ? make("p", { class: "diff" }, more) : null ?? "");
}

// ── pointing ──
const where = (event) => { const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse()); return [Math.min(Math.max(p.x, 0), size[0] - 1), Math.min(Math.max(p.y, 0), size[1] - 1)]; };
let held = null;
board.addEventListener("pointerdown", (event) => {
  const area = event.target.dataset?.area;
  const point = event.target.dataset?.point;
  board.setPointerCapture(event.pointerId);
  if (area) { held = ["area", area]; return; }
  if (document.getElementById("areas").checked) return;
  if (point) { chosen = point; held = ["point", point]; draw(); return; }
  points[chosen] = where(event);
  held = ["point", chosen];
  draw();
});
board.addEventListener("pointermove", (event) => {
  if (!held || !event.buttons) return;
  if (held[0] === "area") moved[held[1]] = where(event); else points[held[1]] = where(event);
  draw();
});
board.addEventListener("pointerup", () => {
  if (!held) return;
  const wasPoint = held[0] === "point";
  held = null;
  if (wasPoint) chosen = state.landmarks.find((one) => !(one.name in points) && one.name in state.guides)?.name ?? chosen;
  draw();
  solve();
});
board.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!step || !points[chosen]) return;
  event.preventDefault();
  event.stopPropagation();
  points[chosen] = [points[chosen][0] + step[0] * 0.5, points[chosen][1] + step[1] * 0.5];
  draw();
  solve();
});

// ── buttons ──
const remove = () => { delete points[chosen]; off.delete(chosen); errors.delete(chosen); draw(); solve(); };
if (table) {
  document.getElementById("undo").addEventListener("click", remove);
  document.getElementById("areas").addEventListener("change", draw);
  document.getElementById("save")?.addEventListener("click", tried(async () => {
    const answer = await (await call("POST", `${base}/save`, body())).json();
    for (const name of Object.keys(moved)) delete moved[name];
    shapes = answer.projected;
    draw();
    toast("Saved", `${table}, camera ${camera}: ${answer.rms_mm} mm. The old file was kept.`, "good");
  }));
  document.getElementById("drift").addEventListener("click", tried(async () => {
    const answer = await (await call("POST", `${base}/drift`)).json();
    say(answer.good, answer.good ? "The camera has not moved" : "The camera may have moved", `${Math.round(answer.found * 100)} % of the printed layout found where it should be${answer.rms_mm === null ? "" : `, ${answer.rms_mm} mm off`}`, answer.good ? "" : "Calibrate again, or see whether the cloth is covered.");
  }));
  key("s", "save", () => document.getElementById("save")?.click());
  key("Backspace", "remove the landmark", remove);
  tried(begin)();
}
watch({});
