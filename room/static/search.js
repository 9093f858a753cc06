// Search: local times in, Unix milliseconds out; arrow keys through the results.

import { key, watch } from "./core.js";

const form = document.getElementById("search");
const two = (number) => String(number).padStart(2, "0");
const local = (ms) => { const d = new Date(ms); return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}T${two(d.getHours())}:${two(d.getMinutes())}`; };
for (const input of form.querySelectorAll("[data-time]")) {
  const hidden = form.elements[input.dataset.time];
  if (hidden.value) input.value = local(Number(hidden.value));
  input.addEventListener("change", () => { hidden.value = input.value ? String(new Date(input.value).getTime()) : ""; });
}
form.addEventListener("submit", () => {
  for (const field of form.elements) if (field.name && !field.value) field.disabled = true;
});
window.addEventListener("pageshow", () => { for (const field of form.elements) field.disabled = false; });
const rows = [...document.querySelectorAll("#results tbody a")];
let at = -1;
const move = (by) => { at = Math.min(Math.max(at + by, 0), rows.length - 1); rows[at]?.focus(); };
key("j", "next round", () => move(1));
key("k", "previous round", () => move(-1));
key("/", "to the search", () => form.elements.round.focus());
watch({});
