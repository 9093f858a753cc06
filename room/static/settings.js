// Settings: tokens, password, accounts, chains.

import { call, localTimes, make, toast, tried, watch } from "./core.js";

const form = (id, send) => document.getElementById(id)?.addEventListener("submit", tried(async (event) => {
  event.preventDefault();
  await send(Object.fromEntries(new FormData(event.target)));
}));
form("new-token", async ({ label, days }) => {
  const { secret } = await (await call("POST", "/api/v1/tokens", { label, days: Number(days) })).json();
  document.getElementById("secret").replaceChildren(make("p", {}, make("b", {}, "Copy it now: "), make("span", { class: "mono" }, secret)));
});
form("password", async (body) => { await call("POST", "/api/v1/me/password", body); location.href = "/sign-in"; });
form("new-account", async (body) => { await call("POST", "/api/v1/accounts", body); location.reload(); });
for (const button of document.querySelectorAll(".end-token")) {
  button.addEventListener("click", tried(async () => { await call("DELETE", `/api/v1/tokens/${button.dataset.token}`); location.reload(); }));
}
for (const button of document.querySelectorAll(".toggle")) {
  button.addEventListener("click", tried(async () => { await call("PATCH", `/api/v1/accounts/${button.dataset.name}`, { active: button.dataset.active !== "true" }); location.reload(); }));
}
for (const select of document.querySelectorAll(".role")) {
  select.addEventListener("change", tried(async () => { await call("PATCH", `/api/v1/accounts/${select.dataset.name}`, { role: select.value }); toast("Role changed", `${select.dataset.name}: ${select.value}`, "good"); }));
}
document.getElementById("chains")?.addEventListener("click", tried(async () => {
  const results = await (await call("POST", "/api/v1/audit/verify")).json();
  document.getElementById("chain-result").replaceChildren(...results.map((one) => make("p", { class: "row" },
    make("span", { class: `tag ${one.holds ? "ok" : "lost"}` }, one.holds ? "holds" : "broken"), make("b", {}, one.chain), one.holds ? `${one.lines} lines` : one.problem)));
}));
localTimes();
watch({});
