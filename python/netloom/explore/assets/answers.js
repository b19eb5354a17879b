/* The answer: a sentence, four numbers with what changed, links, steps so far, commands. */
// What the time of the critical path goes into: in words, and with the colour that the report gives it.
const PARTS = {
  compute: ["computing", "#009E73"], combine: ["combining what arrived", "#7FCFB5"], copy: ["copies in memory", "#CCEBE1"],
  call: ["entering collectives", "#8C8C8C"], overhead: ["processors, for messages", "#000000"], gap: ["waiting to start a message", "#F0E442"],
  rendezvous: ["handshakes", "#E69F00"], software: ["latency of software", "#A36A00"], latency: ["latency of routes", "#56B4E9"],
  bandwidth: ["bytes on an idle link", "#0072B2"], contention: ["sharing links", "#D55E00"], waiting: ["waiting for others", "#CC79A7"],
};

function showAnswer() {
  const { state, timed } = current;
  const before = steps[steps.indexOf(current) - 1] || null;
  const record = state.loads.record;
  const seconds = timed?.record ? timed.record.time_s : null;
  const headline = byId("headline");
  headline.classList.toggle("waiting", waiting);
  headline.replaceChildren(sentence(state, timed, before));
  const last = (pick) => (before ? pick(before) : null);
  byId("numbers").replaceChildren(
    tile("time", "simulated time", timed?.faults ? "not within the page's time" : timed ? time(seconds) : "…", change(seconds, last((step) => step.timed?.record?.time_s ?? null))),
    tile("worst", "worst link's bytes take", record.used_links ? time(record.max_s) : "no link used", change(record.max_s, last((step) => step.state.loads.record.max_s))),
    tile("hops", "hops of a byte, mean", three(record.mean_hops), change(record.mean_hops, last((step) => step.state.loads.record.mean_hops))),
    tile("price", "switches and cables", money(state.price.usd), change(state.price.usd, last((step) => step.state.price.usd))));
  byId("parts").replaceChildren(...[stepsTable(), hotTable(state), pathBar(timed), classTable(state), said(state, timed), commandList(state)].filter(Boolean));
}

function sentence(state, timed, before) {
  const record = state.loads.record;
  const what = scenario.workload === undefined ? "The jobs" : `${scenario.workload}${String(scenario.workload).includes(":") && scenario.size_bytes ? ` of ${scenario.size_bytes}` : ""}`;
  const where = `on ${state.network.label}`;
  const hot = state.loads.hottest[0];
  const link = hot ? `; the worst link, ${switchName(hot.from_switch)} → ${switchName(hot.to_switch)}, needs ${time(record.max_s)} for its ${bytes(record.max_bytes)}` : "; no link between switches is used";
  if (!timed) return `${what} ${where}: time is being simulated${link}.`;
  if (timed.faults) return `${what} ${where}: ${timed.faults[0].text}${link}.`;
  const now = timed.record.time_s;
  const was = before?.timed?.record?.time_s;
  const percent = was === undefined ? 0 : 100 * (now / was - 1);
  const far = percent > 100 || percent < -50;
  const than = Math.abs(percent) < 0.05 ? "" : `, ${far ? `${three(Math.max(now / was, was / now))} times as ${percent > 0 ? "long" : "fast"} as` : `${three(Math.abs(percent))} % ${percent > 0 ? "longer" : "less"} than`} before (${current.words})`;
  return `${what} ${where} takes ${time(now)}${than}${link}.`;
}

function tile(id, words, value, changed) {
  const kind = changed.startsWith("−") ? "less" : changed.startsWith("+") || changed.endsWith("times") ? "more" : "";
  return make("div", { class: "tile", id: `n-${id}` }, make("span", {}, words), make("b", {}, value), make("span", { class: `${kind} changed` }, changed || " "));
}

function stepsTable() {
  const rows = steps.map((step, at) => {
    const row = [make("button", { type: "button", class: "plain", onclick: () => goBack(at) }, `${at + 1}. ${step.words}`),
      step.timed?.record ? time(step.timed.record.time_s) : "–", time(step.state.loads.record.max_s), money(step.state.price.usd).replace(" USD", "")];
    row.className = step === current ? "now" : "";
    return row;
  });
  return make("div", { id: "steps" }, make("h2", {}, "Steps so far"), table(["what changed", "time", "worst link", "USD"], rows, [1, 2, 3]));
}

function hotTable(state) {
  if (!state.loads.hottest.length) return null;
  const rows = state.loads.hottest.map((link) => {
    const who = link.jobs[0];
    const name = state.loads.jobs.length > 1 && who ? `${Math.round(100 * who.bytes / link.bytes)} % ${state.loads.jobs[who.job]}` : who?.pairs[0] ? `rank ${who.pairs[0][0]} → ${who.pairs[0][1]}` : "";
    return [make("button", { type: "button", class: "plain", onclick: () => showLink(link) }, `${switchName(link.from_switch)} → ${switchName(link.to_switch)}`), time(link.seconds), bytes(link.bytes), name];
  });
  return make("div", { id: "hot" }, make("h2", {}, "Hottest links"), table(["link", "time", "bytes", "most from"], rows, [1, 2]));
}

function showLink(link) {
  const drawing = current.state.network.drawing;
  if (!drawing) return;
  const [a, b] = [Math.min(link.from_switch, link.to_switch), Math.max(link.from_switch, link.to_switch)];
  const at = drawing.cables.findIndex((cable) => cable[0] === a && cable[1] === b);
  if (at >= 0) pickCable(at);
}

function pathBar(timed) {
  if (!timed?.shares_s) return null;
  const total = Object.keys(PARTS).reduce((sum, part) => sum + (timed.shares_s[part] || 0), 0);
  const used = Object.keys(PARTS).filter((part) => timed.shares_s[part] > 0);
  if (!(total > 0)) return null;
  const colour = (part) => PARTS[part][1];
  const bar = make("div", { class: "split", role: "img", "aria-label": used.map((part) => `${PARTS[part][0]} ${Math.round(100 * timed.shares_s[part] / total)} %`).join(", ") },
    ...used.map((part) => { const one = make("i", {}); one.style.cssText = `width:${100 * timed.shares_s[part] / total}%;background:${colour(part)}`; return one; }));
  const keys = used.map((part) => { const box = make("i", {}); box.style.background = colour(part); return make("li", {}, box, `${PARTS[part][0]} ${(100 * timed.shares_s[part] / total).toFixed(1)} %`); });
  return make("div", { id: "path" }, make("h2", {}, "What the time goes into"), bar, make("ul", { class: "keys" }, ...keys));
}

function classTable(state) {
  const rows = state.loads.classes.map((row) => [row.class, String(row.links), String(row.used ?? 0), bytes(row.mean_bytes), bytes(row.max_bytes), time(row.max_s)]);
  return make("details", { id: "classes", open: folds.has("classes"), ontoggle: fold }, make("summary", {}, "Links by class"), table(["links of", "links", "used", "mean", "most", "time"], rows, [1, 2, 3, 4, 5]));
}

function said(state, timed) {
  const list = (lines) => make("ul", { class: "said" }, ...lines.map((line) => make("li", {}, line)));
  const limits = [...new Set([...state.loads.limits, ...(timed?.limits || [])])];
  const price = state.price.usd === null ? [`Price: ${state.price.words}.`] : [`Price: switches and cables between them, cost model ${state.price.words}; what is out of service was bought too.`];
  return make("details", { id: "said", open: folds.has("said"), ontoggle: fold }, make("summary", {}, "In words, and what the models leave out"),
    list([...state.loads.says, ...(timed?.says || [])]), make("h2", {}, "Left out, or taken for granted"), list([...limits, ...price]));
}

function commandList(state) {
  const lines = Object.values(state.commands);
  const inside = lines.length ? lines.map((line) => make("pre", {}, line)) : [make("p", {}, "Ranks were moved by hand: save the scenario, the commands for its file are shown there.")];
  return make("details", { id: "commands", open: folds.has("commands"), ontoggle: fold }, make("summary", {}, "Commands that give these numbers, scenario as TOML"), ...inside, make("pre", { id: "toml" }, state.toml));
}

const folds = new Set();
function fold(event) {
  if (event.target.open) folds.add(event.target.id);
  else folds.delete(event.target.id);
}

function showFaults(faults) {
  const box = (fault) => make("div", {}, fault.text, fault.hint ? make("small", {}, fault.hint) : null, ...remedies(fault));
  byId("faults").replaceChildren(...faults.map(box));
  for (const [axis, input] of Object.entries(inputs)) {
    if (input.mark) input.mark(faults.some((fault) => fault.place === axis || fault.place.startsWith(`${axis}.`) || fault.place.startsWith(`page.${axis}`)));
  }
}

/* A step back, and another routing where the network's own does not lead round what is out of service. */
function remedies(fault) {
  const made = [];
  const other = fault.code === "NL-R003" ? /`([^`]+)` does/.exec(fault.hint) : null;
  if (other) made.push(make("button", { type: "button", id: "reroute", onclick: () => set({ routing: other[1] }) }, `Use routing ${other[1]}`));
  if (current && !data.still) made.push(make("button", { type: "button", id: "take-back", onclick: () => goBack(steps.indexOf(current)) }, "Take it back"));
  return made;
}
