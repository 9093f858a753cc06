// The drawn table: what Pitwatch believes, in the same orientation as the overview camera (dealer at the top).

import { money } from "./core.js";

const NS = "http://www.w3.org/2000/svg";
const SUIT = { c: "♣", d: "♦", h: "♥", s: "♠" };
const WORDS = { win: "WINS", lose: "LOSES", push: "PUSH", "not qualified": "ANTE WINS", fold: "FOLDED", void: "VOID", undecided: "CANNOT TELL" };

function el(name, attributes = {}, text = null) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== null) node.textContent = text;
  return node;
}
const group = (cls, ...children) => { const node = el("g", { class: cls }); node.append(...children.filter(Boolean)); return node; };

function card(x, y, w, h, held) {
  const box = { x, y, width: w, height: h, rx: w * 0.13 };
  if (held.card === "down") return group("down", el("rect", { ...box, class: "back" }));
  if (held.card === "unread") return group("unread", el("rect", box), el("text", { x: x + w / 2, y: y + h / 2, "font-size": h * 0.55 }, "?"));
  const rank = held.card[0] === "T" ? "10" : held.card[0];
  const suit = held.card[1];
  return group(
    "dh".includes(suit) ? "red" : "black",
    el("rect", { ...box, class: "face", opacity: held.up ? 1 : 0.72 }),
    el("text", { x: x + w / 2, y: y + h * 0.3, class: "rank", "font-size": h * 0.42 }, rank),
    el("text", { x: x + w / 2, y: y + h * 0.72, class: "rank", "font-size": h * 0.46 }, SUIT[suit]),
  );
}
function hand(cx, y, w, h, cards) {
  const count = cards.length;
  const step = Math.min(w + 3, (5 * (w + 3)) / Math.max(count, 1));
  const left = cx - ((count - 1) * step + w) / 2;
  return group("handcards", ...cards.map((held, i) => card(left + i * step, y, w, h, held)));
}

function wager(x, y, area, one) {
  const label = el("text", { x, y: y - 29, class: "area" }, area);
  if (!one) return group("none", el("rect", { x: x - 31, y: y - 18, width: 62, height: 36, rx: area === "bet" ? 18 : 7, class: "spot" }), label);
  const unknown = one.amount === null ? " unknown" : "";
  const text = one.state === "paid" ? `+${money(one.paid)}` : money(one.amount);
  const wide = Math.max(62, text.length * 10.5 + 16);
  return group(
    one.state + unknown,
    el("rect", { x: x - wide / 2, y: y - 18, width: wide, height: 36, rx: area === "bet" ? 18 : 7, class: "chip" }),
    el("text", { x, y: y + 1, class: "amount" }, text), label,
  );
}

function badge(x, y, text, kind) {
  const wide = Math.max(110, text.length * 10 + 24);
  return group(kind, el("rect", { x: x - wide / 2, y: y - 15, width: wide, height: 30, rx: 15, class: "badge" }), el("text", { x, y: y + 1, class: "badge-t" }, text));
}

function due(seat) {
  const owed = seat.due;
  if (!owed) return "";
  const values = [owed.ante_paid, owed.bet_paid, owed.ante_taken, owed.bet_taken];
  if (values.some((one) => one === null)) return "";
  const net = owed.ante_paid + owed.bet_paid - owed.ante_taken - owed.bet_taken;
  return net ? ` ${net > 0 ? "+" : "−"}${money(Math.abs(net))}` : "";
}

function seatGroup(seat, angle, options) {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const at = (share) => [500 - 412 * share * cos, 36 + 452 * share * sin];
  const [x, y] = at(1);
  const idle = !seat.present && !seat.cards.length && !Object.keys(seat.wagers).length;
  const parts = [];
  const hot = options.hot === seat.seat;
  if (seat.unseen) parts.push(el("rect", { x: x - 96, y: y - 56, width: 192, height: 136, rx: 14, class: "blindzone" }));
  if (hot) parts.push(el("rect", { x: x - 102, y: y - 56, width: 204, height: 138, rx: 14, class: "hot" }));
  if (!idle) {
    const inward = Math.abs(cos) > 0.9 ? 0.07 : 0; // at the ends of the table hands lie across, not along, the radius
    parts.push(wager(...at(0.5 - inward), "ante", seat.wagers.ante), wager(...at(0.72 - inward), "bet", seat.wagers.bet));
    if (seat.wagers.jackpot || seat.light) { const [jx, jy] = inward ? [at(0.43)[0], at(0.43)[1] + 34] : at(0.36); parts.push(el("circle", { cx: jx, cy: jy, r: 10, class: "jp" })); }
  }
  parts.push(seat.cards.length ? hand(x, y - 26, 33, 46, seat.cards) : el("rect", { x: x - 60, y: y - 26, width: 120, height: 46, rx: 8, class: "spot" }));
  parts.push(el("text", { x, y: seat.cards.length ? y - 40 : y - 3, class: "seatno" }, idle ? `${seat.seat}` : `Seat ${seat.seat}`));
  if (seat.unseen) parts.push(el("text", { x, y: y + 62, class: "blind-t" }, "Cannot see"));
  else if (seat.outcome) {
    const kind = seat.outcome === "not qualified" ? "win" : seat.outcome;
    parts.push(badge(x, y + 40, (WORDS[seat.outcome] ?? seat.outcome) + due(seat), kind));
  } else if (seat.decision === "bet") parts.push(el("text", { x, y: y + 36, class: "hand" }, "bet"));
  if (seat.outcome && seat.hand && !seat.unseen) parts.push(el("text", { x, y: y + 67, class: "hand" }, seat.hand));
  return group(idle ? "seat idle" : "seat", ...parts);
}

function dealerGroup(dealer, options) {
  const parts = [];
  if (dealer.unseen) parts.push(el("rect", { x: 350, y: 6, width: 300, height: 128, rx: 14, class: "blindzone" }));
  if (options.hot === 0) parts.push(el("rect", { x: 350, y: 6, width: 300, height: 128, rx: 14, class: "hot" }));
  parts.push(dealer.cards.length ? hand(500, 36, 46, 62, dealer.cards) : el("rect", { x: 380, y: 36, width: 240, height: 62, rx: 8, class: "spot" }));
  parts.push(el("text", { x: 500, y: 21, class: "seatno" }, "Dealer"));
  const said = dealer.unseen ? "Cannot see" : dealer.qualifies === true ? `${dealer.hand || "hand"}: qualifies` : dealer.qualifies === false ? `${dealer.hand || "hand"}: does not qualify` : "";
  if (said) parts.push(el("text", { x: 500, y: 117, class: dealer.unseen ? "blind-t" : "dealer-t" }, said));
  return group("dealer", ...parts);
}

function defs() {
  const node = el("defs");
  const pattern = el("pattern", { id: "hatch", width: 10, height: 10, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
  pattern.append(el("rect", { width: 10, height: 10, fill: "#2a1f42" }), el("rect", { width: 4, height: 10, fill: "#54417e" }));
  node.append(pattern);
  return node;
}

const spoken = (belief) => {
  const seats = belief.seats.filter((one) => one.cards.length || Object.keys(one.wagers).length)
    .map((one) => `seat ${one.seat}: ${one.hand || `${one.cards.length} cards`}, ${one.decision || "no decision"}${one.outcome ? `, ${one.outcome}` : ""}`);
  return `Round ${belief.round ?? "none"}, ${belief.phase}. ${seats.join("; ")}`;
};

export function drawTable(svg, belief, options = {}) {
  svg.setAttribute("viewBox", "0 0 1000 590");
  svg.setAttribute("class", "tsvg");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `The table as Pitwatch believes it: ${spoken(belief)}`);
  const count = belief.seats.length;
  const step = count > 1 ? 156 / (count - 1) : 0;
  const seats = belief.seats.map((seat, i) => seatGroup(seat, ((168 - step * i) * Math.PI) / 180, options));
  const parts = [defs(), el("path", { d: "M 6 4 H 994 C 1000 360 800 586 500 586 C 200 586 0 360 6 4 Z", class: "felt" }), ...seats, dealerGroup(belief.dealer, options)];
  if (belief.unseen.some((one) => one.zone === "table")) parts.push(el("rect", { x: 300, y: 250, width: 400, height: 60, rx: 12, class: "blindzone" }), el("text", { x: 500, y: 280, class: "blind-t" }, "The table cannot be seen"));
  svg.replaceChildren(...parts);
}

// The overlay on a picture: what the eyes found, with how sure they are.
export function drawOverlay(canvas, overlay) {
  const { width, height, marks } = overlay;
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, width, height);
  pen.font = `700 ${Math.round(height / 42)}px Inter, sans-serif`;
  for (const { quad, label, conf, kind } of marks) {
    const unsure = label === "??" || conf < 0.5;
    pen.strokeStyle = unsure ? "#d2b4ff" : kind === "card" ? "#55d69a" : kind === "stack" || kind === "chip" ? "#ffc04a" : "#6cc8ff";
    pen.lineWidth = Math.max(1.5, height / 500);
    pen.setLineDash(unsure ? [5, 4] : []);
    pen.beginPath();
    quad.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.closePath();
    pen.stroke();
    if (!label || label === "back") continue;
    const text = `${label}${conf < 0.95 ? ` ${Math.round(conf * 100)}%` : ""}`;
    const [x, y] = quad.reduce((a, b) => (b[1] < a[1] ? b : a));
    const wide = pen.measureText(text).width + 6;
    pen.fillStyle = "rgba(5, 8, 11, 0.78)";
    pen.fillRect(x - wide / 2, y - height / 30, wide, height / 34);
    pen.fillStyle = pen.strokeStyle;
    pen.fillText(text, x - wide / 2 + 3, y - height / 90);
  }
}
