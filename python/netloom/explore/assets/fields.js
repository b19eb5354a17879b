/* The form: each axis of the scenario as a field; calls with their parameters. Static pages have lists only. */
const GROUPS = [
  ["Network", ["network"]],
  ["Out of service", ["fail"]],
  ["Workload", ["workload", "size_bytes"]],
  ["Ranks", ["placement", "order"]],
  ["Paths", ["routing", "variant"]],
];
const MORE = ["ranks", "cores", "root", "repetitions", "node", "calibration", "duplex", "switch_latency", "flops_per_s", "algorithms", "seed"];
const WORDS = {
  network: "Network", fail: "Failures", workload: "Workload", size_bytes: "Size of a collective", placement: "Which endpoints",
  order: "Order of ranks", routing: "Routing", variant: "Choice among paths", ranks: "Ranks", cores: "Ranks per endpoint",
  root: "Root rank", repetitions: "Repetitions", node: "Node behind an endpoint", calibration: "Calibration",
  duplex: "Duplex", switch_latency: "Latency of a switch", flops_per_s: "Speed of a rank", algorithms: "Algorithms of an application",
  seed: "Seed of detours",
};
const inputs = {};

function valueOf(axis) {
  return scenario[axis] === undefined ? data.fields.axes[axis].default : String(scenario[axis]);
}

function buildForm() {
  const form = byId("controls");
  form.addEventListener("submit", (event) => event.preventDefault());
  if (data.still) {
    for (const axis of data.still.axes) form.append(group(WORDS[axis.name], stillField(axis)));
    return;
  }
  for (const [title, axes] of GROUPS) {
    const fields = axes.map((axis) => (data.fields.calls[axis] ? callField(axis, axes.length === 1 || axis === "workload") : textField(axis)));
    const made = group(title, ...fields);
    if (title === "Out of service") made.append(make("ul", { class: "chips", id: "chips" }), failRow());
    if (title === "Ranks") made.append(moveRow());
    form.append(made);
  }
  const rest = make("div", { class: "pair" }, ...MORE.map((axis) => (data.fields.calls[axis] ? textField(axis) : textField(axis))));
  form.append(make("fieldset", {}, make("details", { id: "more" }, make("summary", {}, "Machine, ranks, repetitions"), rest)));
  form.append(saveGroup());
}

function group(title, ...inside) {
  return make("fieldset", {}, make("legend", {}, title), ...inside);
}

function stillField(axis) {
  const select = make("select", { id: `in-${axis.name}`, onchange: () => set({ [axis.name]: select.value }) },
    ...axis.values.map((value) => make("option", { value }, axis.words?.[value] || value)));
  inputs[axis.name] = { show: () => { select.value = valueOf(axis.name); } };
  return make("div", {}, make("label", { for: select.id, class: "visually" }, data.fields.axes[axis.name].help), select);
}

function textField(axis) {
  const choices = { calibration: data.fields.calibrations, duplex: ["full", "half"] }[axis];
  const label = make("label", { for: `in-${axis}`, title: data.fields.axes[axis].help }, WORDS[axis]);
  const change = () => set({ [axis]: input.value.trim() === data.fields.axes[axis].default ? undefined : input.value.trim() });
  const input = choices
    ? make("select", { id: `in-${axis}`, onchange: change }, ...choices.map((value) => make("option", { value }, value)))
    : make("input", { id: `in-${axis}`, onchange: change, spellcheck: "false", maxlength: 4000 });
  inputs[axis] = {
    show: () => {
      const value = valueOf(axis);
      if (choices && ![...input.options].some((option) => option.value === value)) input.append(make("option", { value }, value));
      input.value = value;
    },
    mark: (wrong) => mark(input, label, wrong),
  };
  return make("div", {}, label, input);
}

function mark(input, label, wrong) {
  input.setAttribute("aria-invalid", wrong ? "true" : "false");
  label.classList.toggle("wrong", wrong);
}

/* A call: which name, the text, and a field for each parameter. */
function callField(axis, wide) {
  const rows = data.fields.calls[axis];
  const text = make("input", { id: `in-${axis}`, spellcheck: "false", maxlength: 4000, onchange: () => set({ [axis]: text.value.trim() || undefined }) });
  const groups = [...new Set(rows.map((row) => row.group))];
  const options = (name) => rows.filter((row) => row.group === name).map((row) => make("option", { value: row.name, title: row.summary }, row.name));
  const select = make("select", { id: `name-${axis}`, onchange: () => choose(axis, select.value) });
  if (axis === "routing") select.append(make("option", { value: "auto" }, "auto"));
  select.append(...(groups.length > 1 ? groups.map((name) => make("optgroup", { label: name }, ...options(name))) : options(groups[0])));
  select.append(make("option", { value: "", hidden: true }, "a file"));
  const label = make("label", { for: text.id, title: data.fields.axes[axis].help }, "as a call");
  const first = make("label", { for: select.id, title: data.fields.axes[axis].help }, WORDS[axis]);
  const summary = make("p", { class: "summary" });
  const params = make("div", { class: "pair" });
  const own = wide ? [label, text] : [];
  const fold = make("details", {}, make("summary", {}, wide ? "Parameters" : `Parameters of ${WORDS[axis].toLowerCase()}`), ...(wide ? [] : [label, text]), params);
  inputs[axis] = {
    show: () => {
      text.value = valueOf(axis);
      const call = axis === "routing" && text.value === "auto" ? { name: "auto", given: {} } : calls[axis];
      select.value = call ? call.name : "";
      const row = call && rows.find((one) => one.name === call.name);
      summary.textContent = row ? row.summary : axis === "routing" ? "the network's own" : "";
      params.replaceChildren(...(row ? row.params.map((param) => paramField(axis, row, param, call.given)) : []));
    },
    mark: (wrong) => { mark(text, label, wrong); mark(select, first, wrong); if (wrong) fold.open = true; },
  };
  return make("div", {}, first, select, summary, ...own, fold);
}

function choose(axis, name) {
  const row = data.fields.calls[axis].find((one) => one.name === name);
  const value = row ? row.example : name;
  set({ [axis]: value === data.fields.axes[axis].default || (axis === "placement" && value === "linear(first=0)") ? undefined : value });
}

function paramField(axis, row, param, given) {
  const id = `in-${axis}-${param.name}`;
  const now = given[param.name] === undefined ? "" : given[param.name];
  const change = () => {
    const value = input.value.trim();
    const next = { ...given, [param.name]: value };
    set({ [axis]: written(row, next) });
  };
  const shown = param.default ? param.default.replaceAll('"', "") : param.required ? "" : "absent";
  const input = param.options.length
    ? make("select", { id, onchange: change }, make("option", { value: "" }, `${shown} (default)`), ...param.options.map((value) => make("option", { value }, value)))
    : make("input", { id, value: now, placeholder: shown, onchange: change, spellcheck: "false", title: param.kind });
  if (param.options.length) input.value = now;
  return make("div", {}, make("label", { for: id, title: `${param.help}: ${param.kind}` }, param.name.replaceAll("_", " ")), input);
}

function written(row, given) {
  const parts = [];
  for (const param of row.params) {
    const value = given[param.name];
    if (value === undefined || value === "") continue;
    const quoted = (param.type === "quantity" && !/^[0-9.]+$/.test(value)) || (param.type === "text" && !/^[\w.-]+$/.test(value)) ? JSON.stringify(value.replaceAll('"', "")) : value;
    if (param.variadic) parts.unshift(quoted.replace(/^\[|\]$/g, ""));
    else parts.push(`${param.name}=${["ints", "counts"].includes(param.type) && quoted.includes(",") && !quoted.startsWith("[") ? `[${quoted}]` : quoted}`);
  }
  return parts.length || row.group === "topologies" ? `${row.name}(${parts.join(",")})` : row.name;
}

/* Failures: chips to take back, and a row for those who do not point at the drawing. */
function failures() {
  const said = scenario.fail === undefined || scenario.fail === "none" ? "" : String(scenario.fail);
  return said.split(/[;\n]/).map((one) => one.trim()).filter(Boolean);
}

function setFailures(list, words) {
  set({ fail: list.length ? list.join("; ") : undefined }, words);
}

function toggleFailure(what) {
  const list = failures();
  setFailures(list.includes(what) ? list.filter((one) => one !== what) : [...list, what]);
}

function failRow() {
  const input = make("input", { id: "fail-what", placeholder: "0-1 or 5" });
  const add = () => {
    const said = input.value.trim();
    if (said) toggleFailure(/[:%]/.test(said) ? said : said.includes("-") ? `link:${said}` : `switch:${said}`);
    input.value = "";
  };
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") add(); });
  return make("div", { class: "row" }, make("label", { for: "fail-what" }, "Take out a cable (A-B) or a switch", input), make("button", { type: "button", id: "fail-add", onclick: add }, "Fail"));
}

function showChips() {
  const chips = byId("chips");
  if (chips) chips.replaceChildren(...failures().map((one) => make("li", {}, make("button", { type: "button", title: "back into service", "aria-label": `${one}: back into service`, onclick: () => toggleFailure(one) }, `${one} ×`))));
}

function moveRow() {
  const rank = make("input", { id: "move-rank", inputmode: "numeric" });
  const to = make("input", { id: "move-to", inputmode: "numeric" });
  const go = () => {
    const [a, b] = [Number(rank.value), Number(to.value)];
    if (rank.value.trim() && to.value.trim() && current?.state.places && a in current.state.places) moveRank(a, b);
  };
  const back = make("button", { type: "button", id: "move-back", hidden: true, onclick: () => set({ mapping: undefined }, "moved ranks back") }, "Undo all moves");
  inputs.mapping = { show: () => { back.hidden = !Array.isArray(scenario.mapping); } };
  return make("div", {}, make("div", { class: "row" }, make("label", { for: "move-rank" }, "Move rank", rank), make("label", { for: "move-to" }, "to endpoint", to),
    make("button", { type: "button", id: "move-go", onclick: go }, "Move")), back);
}

function saveGroup() {
  const name = make("input", { id: "save-name", value: "scenario.toml", spellcheck: "false" });
  const button = make("button", { type: "button", id: "save", onclick: () => save(name.value.trim()) }, "Save");
  name.addEventListener("input", () => { replaceName = null; });
  return make("fieldset", {}, make("legend", {}, "Save"), make("div", { class: "row" }, make("label", { for: "save-name" }, `in ${data.folder}`, name), button), make("div", { id: "saved", role: "status" }));
}
