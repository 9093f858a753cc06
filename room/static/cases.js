// Cases: open, note, hold, close, export, verify.

import { call, icon, island, localTimes, make, toast, tried, watch } from "./core.js";

const { case: number } = island("page-data");
const base = `/api/v1/cases/${number}`;

document.getElementById("new-case")?.addEventListener("submit", tried(async (event) => {
  event.preventDefault();
  const made = await (await call("POST", "/api/v1/cases", { title: new FormData(event.target).get("title") })).json();
  location.href = `/cases/${made.id}`;
}));
document.getElementById("add-note")?.addEventListener("submit", tried(async (event) => {
  event.preventDefault();
  await call("POST", `${base}/notes`, { text: new FormData(event.target).get("text") });
  location.reload();
}));
const flip = (id, field) => document.getElementById(id)?.addEventListener("click", tried(async (event) => {
  await call("PATCH", base, { [field]: event.currentTarget.dataset.now !== "true" });
  location.reload();
}));
flip("hold", "held");
flip("close", "closed");
for (const button of document.querySelectorAll(".export")) {
  button.addEventListener("click", tried(async () => {
    const { table, round } = button.dataset;
    const answer = await call("POST", `/api/v1/rounds/${encodeURIComponent(table)}/${encodeURIComponent(round)}/export`);
    const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition"))[1];
    make("a", { href: URL.createObjectURL(await answer.blob()), download: name }).click();
    toast("Evidence exported", `${name} is signed; anybody can verify it.`, "good");
  }));
}
document.getElementById("package").addEventListener("change", tried(async (event) => {
  const file = event.target.files[0];
  if (!file) return;
  const token = document.querySelector('meta[name="csrf"]').content;
  const answer = await fetch("/api/v1/evidence/verify", { method: "POST", body: file, headers: { "X-CSRF-Token": token, "Content-Type": "application/zip" } });
  const said = await answer.json();
  const box = document.getElementById("verified");
  const whose = said.ours ? "signed by this house" : `signed by ${said.manifest.signer ?? "nobody known"}`;
  box.replaceChildren(said.holds
    ? make("p", { class: "row" }, make("span", { class: "tag ok" }, "Holds"), `${said.manifest.table}, ${said.manifest.round}: ${whose}`)
    : make("div", { class: "stack tight" }, make("p", { class: "row" }, icon("cross"), make("b", {}, "Does not hold")), ...said.problems.map((one) => make("p", {}, `${one.part}: ${one.what}`))));
}));
localTimes();
watch({});
