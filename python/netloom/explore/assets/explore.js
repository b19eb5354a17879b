/* The scenario, its steps, and the questions to the server, or to the answers that a static page brings along. */
let scenario = { ...data.start };
let calls = {};
let current = null; // the step that is shown
let steps = [];
let waiting = false;
let replaceName = null;
let turn = 0;
/* Another name for each opened page: what is new in one is not old in another, whatever the clocks say. */
const PAGE = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join("-");
/* What a choice makes meaningless: ranks that were moved by hand on another machine. */
const DROPS_MOVES = ["network", "placement", "order", "ranks", "cores", "node"];
const MOST_STEPS = 200;

function set(changes, words) {
  const next = { ...scenario, ...changes };
  if (DROPS_MOVES.some((axis) => axis in changes) && Array.isArray(next.mapping)) delete next.mapping;
  if ("network" in changes && !("fail" in changes)) delete next.fail;
  for (const axis of Object.keys(next)) if (next[axis] === undefined || next[axis] === "") delete next[axis];
  if (JSON.stringify(next) === JSON.stringify(scenario)) return show();
  const told = words || Object.keys(changes).map((axis) => `${WORDS[axis].toLowerCase()} ${next[axis] === undefined ? data.fields.axes[axis].default || "none" : next[axis]}`).join(", ");
  scenario = next;
  return ask(told);
}

function moveRank(rank, endpoint) {
  const { places, network, cores } = current.state;
  if (!Number.isInteger(endpoint) || endpoint < 0 || endpoint >= network.endpoints) {
    showFaults([{ text: `endpoint must be in 0..${network.endpoints - 1}, got ${endpoint}`, place: "mapping", hint: "" }]);
    return;
  }
  const next = [...places];
  const from = next[rank];
  if (from === endpoint) return;
  const there = next.map((at, one) => [at, one]).filter(([at]) => at === endpoint).map(([, one]) => one);
  next[rank] = endpoint;
  const swapped = there.length >= cores ? there[0] : null;
  if (swapped !== null) next[swapped] = from;
  set({ mapping: next }, swapped === null ? `rank ${rank} to endpoint ${endpoint}` : `ranks ${rank} and ${swapped} swapped`);
}

async function ask(words) {
  turn += 1;
  const mine = turn;
  waiting = true;
  document.body.setAttribute("aria-busy", "true");
  if (current) byId("headline").classList.add("waiting");
  const asked = { ...scenario };
  const state = await question("state", asked, mine);
  if (mine !== turn || state.superseded) return;
  waiting = false;
  showFaults(state.faults || []);
  if (state.faults) {
    document.body.removeAttribute("aria-busy");
    show();
    return;
  }
  const step = { scenario: asked, state, timed: null, words };
  const at = steps.indexOf(current);
  steps = [...steps.slice(0, at + 1), step].slice(-MOST_STEPS);
  current = step;
  calls = state.calls;
  cursor = null;
  chosen = state.network.drawing && chosen !== null && chosen < state.network.drawing.cables.length ? chosen : null;
  if (steps.length > 1 && steps[steps.length - 2].state.network.label !== state.network.label) chosen = null;
  show();
  const timed = await question("time", asked, mine);
  if (timed.superseded) return;
  step.timed = timed;
  if (mine === turn) document.body.removeAttribute("aria-busy");
  if (current === step || steps.includes(step)) showAnswer();
}

async function question(what, asked, mine) {
  if (data.still) return stillAnswer(what, asked);
  try {
    const reply = await fetch(`./${what}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ page: PAGE, turn: mine, scenario: asked }) });
    if (reply.headers.get("Content-Type") !== "application/json") throw new Error(await reply.text());
    return await reply.json();
  } catch (error) {
    return { faults: [{ text: `The explorer does not answer: ${error.message}`, place: "", hint: "Is netloom explore still running?" }] };
  }
}

/* A static page: the choices make a key; what several answers share is stored once. */
function stillAnswer(what, asked) {
  const key = data.still.axes.map((axis) => axis.values.indexOf(asked[axis.name] ?? data.fields.axes[axis.name].default)).join(".");
  const found = data.still.answers[key];
  if (!found) return { faults: [{ text: "This page holds no answer to that choice.", place: "", hint: "netloom explore answers any." }] };
  if (found.faults) return { faults: found.faults };
  if (what === "time") return { ...found.timed, limits: data.still.limits.time };
  const { network, price } = data.still.networks[found.network];
  return { ...found.state, calls: {}, network, price, loads: { ...found.state.loads, limits: data.still.limits.loads } };
}

function goBack(at) {
  current = steps[at];
  scenario = { ...current.scenario };
  calls = current.state.calls;
  turn += 1;
  showFaults([]);
  if (!current.timed) question("time", current.scenario, turn).then((timed) => { if (!timed.superseded) steps[at].timed = timed; showAnswer(); });
  show();
}

function show() {
  for (const input of Object.values(inputs)) input.show();
  showChips();
  if (!current) return;
  const { network } = current.state;
  byId("bar").replaceChildren(make("strong", {}, network.label), ...buttons());
  draw();
  showAnswer();
}

function buttons() {
  const at = steps.indexOf(current);
  const undo = make("button", { type: "button", id: "undo", disabled: at <= 0, onclick: () => goBack(at - 1) }, "Undo");
  const redo = make("button", { type: "button", id: "redo", disabled: at + 1 >= steps.length, onclick: () => goBack(at + 1) }, "Redo");
  const hot = current.state.loads.hottest[0];
  const fail = make("button", { type: "button", id: "fail-hottest", disabled: !hot, onclick: () => toggleFailure(`link:${switchName(hot.from_switch)}-${switchName(hot.to_switch)}`) }, "Fail the worst link");
  return data.still ? [undo, redo] : [fail, undo, redo];
}

async function save(name) {
  const home = byId("saved");
  const reply = await fetch("./save", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ scenario, name, replace: replaceName === name }) })
    .then((found) => found.json()).catch((error) => ({ faults: [{ text: error.message, hint: "", code: "" }] }));
  if (reply.faults) {
    if (reply.faults.some((fault) => fault.text.includes("is there already"))) replaceName = name;
    home.replaceChildren(...reply.faults.map((fault) => make("p", {}, fault.text, make("br"), fault.hint)));
    return;
  }
  replaceName = null;
  home.replaceChildren(make("p", {}, `Saved ${reply.files.join(", ")}.`), ...reply.commands.map((line) => make("pre", {}, line)));
}

document.body.classList.toggle("still", Boolean(data.still));
byId("about").textContent = data.still ? "Answers computed before, for the choices below. netloom explore answers any." : "Change anything and see what it does to loads, time and price.";
buildForm();
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (current) draw(); });
show();
ask("start");
