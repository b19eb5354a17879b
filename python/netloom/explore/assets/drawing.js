/* The network: cables coloured and as wide as their load, ranks on endpoints that can be dragged. */
let chosen = null; // a cable's number, or null
let lifted = null; // the rank that is being moved
let cursor = null; // the endpoint that the keyboard is at
let dots = [];

const dark = () => window.matchMedia("(prefers-color-scheme: dark)").matches;

/* Hot is far from the ground: dark on light, bright on dark. Width says the same. */
function heat(share) {
  const stops = data.heat;
  const at = (dark() ? 0.22 + 0.78 * share : 0.86 * (1 - share)) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const rgb = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
  const [from, to] = [rgb(stops[low]), rgb(stops[low + 1])];
  return `rgb(${from.map((value, i) => Math.round(value + (to[i] - value) * (at - low))).join(",")})`;
}

function switchName(at) {
  const names = current.state.network.switch_names;
  return names ? names[at] : String(at);
}

function cableName(at) {
  const [a, b] = current.state.network.drawing.cables[at];
  return `${switchName(a)} – ${switchName(b)}`;
}

/* How a failure is written: names where the network has them. */
const cableWords = (at) => {
  const [a, b] = current.state.network.drawing.cables[at];
  return `link:${switchName(a)}-${switchName(b)}`;
};

function draw() {
  const { network, loads, places } = current.state;
  const home = byId("picture");
  dots = [];
  if (!network.drawing) {
    home.replaceChildren(make("p", {}, `${network.label} has too many parts to draw: ${network.switches.toLocaleString("en")} switches, ${network.endpoints.toLocaleString("en")} endpoints. Its numbers hold all the same.`));
    byId("legend").replaceChildren();
    showDetail();
    return;
  }
  const all = [...network.drawing.switches, ...network.drawing.endpoints];
  const [xs, ys] = [all.map((p) => p[0]), all.map((p) => p[1])];
  const gap = Math.min(network.drawing.spacing, 220);
  const pad = 24 + 0.2 * gap;
  const box = [Math.min(...xs) - pad, Math.min(...ys) - pad, Math.max(...xs) - Math.min(...xs) + 2 * pad, Math.max(...ys) - Math.min(...ys) + 2 * pad];
  const svg = make("svg", { viewBox: box.map((v) => v.toFixed(1)).join(" "), tabindex: 0, role: "application", id: "network",
    "aria-label": `${network.label}: ${network.switches} switches, ${network.endpoints} endpoints. Arrow keys go from endpoint to endpoint, Enter takes a rank and puts it down, Escape lets it go.` });
  const worst = Math.max(0, ...loads.cables.map((row) => (row ? Math.max(row[0], row[1]) : 0)));
  svg.append(...network.drawing.endpoints.map(([x, y, on]) => make("path", { class: "tie", d: `M${x} ${y}L${network.drawing.switches[on].join(" ")}` })));
  svg.append(...network.drawing.cables.map((cable, at) => drawCable(at, cable, loads.cables[at], worst, gap)));
  drawSwitches(svg, network, gap);
  drawEndpoints(svg, network, places, gap);
  svg.addEventListener("keydown", keys);
  const focused = document.activeElement?.id === "network";
  home.replaceChildren(svg);
  if (focused) svg.focus({ preventScroll: true });
  legend(worst);
  showDetail();
}

function drawCable(at, [a, b, , bend], row, worst, gap) {
  const place = current.state.network.drawing.switches;
  const [[x1, y1], [x2, y2]] = [place[a], place[b]];
  const [mx, my] = [(x1 + x2) / 2 + (bend ? (y2 - y1) * 0.12 : 0), (y1 + y2) / 2 - (bend ? (x2 - x1) * 0.12 : 0)];
  const line = `M${x1} ${y1}Q${mx} ${my} ${x2} ${y2}`;
  const load = row ? Math.max(row[0], row[1]) : 0;
  const share = worst > 0 ? load / worst : 0;
  const thick = Math.max(1, Math.min(2 + 0.05 * gap, 12));
  const out = !row;
  const seen = make("path", { class: "seen", d: line, "stroke-width": out ? 2.5 : load > 0 ? (0.25 + 0.75 * share) * thick : Math.min(1.5, thick) });
  if (load > 0) seen.style.stroke = heat(share);
  return make("g", { class: `cable${out ? " out" : load > 0 ? "" : " idle"}${chosen === at ? " chosen" : ""}`, "data-cable": at, onclick: () => pickCable(at) },
    make("title", {}, out ? `${cableName(at)}: out of service` : `${cableName(at)}: ${time(load)}`),
    make("path", { class: "halo", d: line, "stroke-width": thick + 8 }), seen, make("path", { class: "hit", d: line }));
}

function drawSwitches(svg, network, gap) {
  const size = Math.max(3, Math.min(0.13 * gap, 22));
  network.drawing.switches.forEach(([x, y], at) => {
    const out = network.out_switches.includes(at);
    svg.append(make("rect", { class: `switch${out ? " out" : ""}`, "data-switch": at, x: x - size, y: y - size, width: 2 * size, height: 2 * size, rx: size / 3,
      onclick: () => showSwitch(at) }, make("title", {}, `switch ${switchName(at)}${out ? ": out of service" : ""}`)));
    if (gap > 32) svg.append(make("text", { class: "name", x, y, "font-size": Math.min(size * (switchName(at).length > 3 ? 0.6 : 0.95), 16) }, switchName(at).slice(0, 6)));
  });
}

function drawEndpoints(svg, network, places, gap) {
  const held = new Map();
  (places || []).forEach((endpoint, rank) => held.set(endpoint, [...(held.get(endpoint) || []), rank]));
  const size = Math.max(2, Math.min(0.105 * gap, 0.44 * network.drawing.endpoint_spacing || 18, 18));
  network.drawing.endpoints.forEach(([x, y, at], endpoint) => {
    const ranks = held.get(endpoint) || [];
    const name = network.endpoint_names ? network.endpoint_names[endpoint] : endpoint;
    const words = ranks.length ? `rank ${ranks.length > 4 ? `${ranks.slice(0, 4).join(", ")}, … (${ranks.length})` : ranks.join(", ")}` : "free";
    const circle = make("circle", { class: `endpoint${ranks.length ? " full" : ""}${network.out_endpoints.includes(endpoint) ? " out" : ""}`, cx: x, cy: y, r: size,
      "data-endpoint": endpoint, "data-ranks": ranks.join(" "), onpointerdown: (event) => lift(event, endpoint) },
      make("title", {}, `endpoint ${name} on switch ${switchName(at)}: ${words}`));
    dots[endpoint] = { circle, ranks, x, y, words, name };
    svg.append(circle);
    if (ranks.length && size > 4) svg.append(make("text", { class: "rank", x, y, "font-size": size * (String(ranks[0]).length > 2 ? 0.75 : 1.05) }, ranks.length > 1 ? `${ranks[0]}+` : String(ranks[0])));
  });
}

function legend(worst) {
  const stops = [0, 0.25, 0.5, 0.75, 1].map(heat).join(",");
  const scale = make("span", { class: "scale" });
  scale.style.background = `linear-gradient(90deg, ${stops})`;
  byId("legend").replaceChildren(
    make("span", {}, "time of a cable's bytes, its busier direction: 0", scale, time(worst)),
    make("span", {}, make("span", { class: "key" }), "idle"),
    make("span", {}, make("span", { class: "key out" }), "out of service"));
}

/* What is known of one cable or switch, and what can be done with it. */
function pickCable(at) {
  chosen = at;
  for (const one of document.querySelectorAll(".cable")) one.classList.toggle("chosen", Number(one.dataset.cable) === at);
  showDetail();
}

function showDetail() {
  const home = byId("detail");
  const drawing = current.state.network.drawing;
  const cable = drawing && chosen !== null ? drawing.cables[chosen] : null;
  if (!cable) {
    const hint = data.still ? "Choose what should change; point at a cable for its load." : "Drag a rank to another endpoint. Click a cable or a switch to see its load, or to take it out of service.";
    home.replaceChildren(make("p", {}, current.state.places || data.still ? hint : "Several jobs: their ranks stay where their list puts them."));
    return;
  }
  const [a, b, count] = cable;
  const row = current.state.loads.cables[chosen];
  const lines = [make("p", {}, make("strong", {}, `Cable ${cableName(chosen)}`), ` ${drawing.class_names[drawing.classes[chosen]]}${count > 1 ? `, ${count} in parallel, the busiest` : ""}`)];
  if (row) {
    for (const [from, to, at] of [[a, b, 0], [b, a, 1]]) lines.push(make("p", {}, `${switchName(from)} → ${switchName(to)}: ${bytes(row[at + 2])}, ${time(row[at])}${culprits(from, to)}`));
  } else {
    lines.push(make("p", {}, "Out of service."));
  }
  if (!data.still) {
    const what = cableWords(chosen);
    if (row || failures().includes(what)) lines.push(make("button", { type: "button", id: "fail-cable", onclick: () => toggleFailure(what) }, failures().includes(what) ? "Back into service" : "Take out of service"));
  }
  home.replaceChildren(...lines);
}

function showSwitch(at) {
  chosen = null;
  for (const one of document.querySelectorAll(".cable.chosen")) one.classList.remove("chosen");
  const what = `switch:${switchName(at)}`;
  const here = dots.filter((dot, endpoint) => dot && current.state.network.drawing.endpoints[endpoint][2] === at);
  byId("detail").replaceChildren(make("p", {}, make("strong", {}, `Switch ${switchName(at)}`), here.length ? `: ${here.map((dot) => `endpoint ${dot.name} (${dot.words})`).slice(0, 8).join(", ")}` : ": no endpoints"),
    ...(data.still ? [] : [make("button", { type: "button", id: "fail-switch", onclick: () => toggleFailure(what) }, failures().includes(what) ? "Back into service" : "Take out of service")]));
}

function culprits(from, to) {
  const link = current.state.loads.hottest.find((one) => one.from_switch === from && one.to_switch === to);
  const pair = link?.jobs[0]?.pairs[0];
  return pair ? `; most from rank ${pair[0]} to ${pair[1]}` : "";
}

/* Ranks by hand: with a pointer, or with the keyboard. */
function lift(event, endpoint) {
  const dot = dots[endpoint];
  if (event.button !== 0 || !dot.ranks.length || data.still || !current.state.places) return;
  event.preventDefault();
  const svg = byId("network");
  svg.focus({ preventScroll: true });
  const ghost = make("circle", { class: "ghost", r: dot.circle.getAttribute("r"), cx: dot.x, cy: dot.y });
  svg.append(ghost);
  dot.circle.classList.add("lifted");
  svg.setPointerCapture(event.pointerId);
  const under = (at) => document.elementsFromPoint(at.clientX, at.clientY).map((one) => one.dataset?.endpoint).find((one) => one !== undefined);
  const move = (at) => {
    const point = new DOMPoint(at.clientX, at.clientY).matrixTransform(svg.getScreenCTM().inverse());
    ghost.setAttribute("cx", point.x);
    ghost.setAttribute("cy", point.y);
    const target = under(at);
    dots.forEach((one, number) => one.circle.classList.toggle("target", String(number) === target && number !== endpoint));
  };
  const end = (at) => {
    svg.removeEventListener("pointermove", move);
    svg.removeEventListener("pointerup", end);
    svg.removeEventListener("pointercancel", end);
    ghost.remove();
    dots.forEach((one) => one.circle.classList.remove("target", "lifted"));
    const target = at.type === "pointerup" ? under(at) : undefined;
    if (target !== undefined && Number(target) !== endpoint) moveRank(dot.ranks[0], Number(target));
    else if (target !== undefined) byId("detail").replaceChildren(make("p", {}, make("strong", {}, `Endpoint ${dot.name}`), `: ${dot.words}. Drag it to another endpoint.`));
  };
  svg.addEventListener("pointermove", move);
  svg.addEventListener("pointerup", end);
  svg.addEventListener("pointercancel", end);
}

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function keys(event) {
  if (event.key === "Escape") lifted = null;
  else if (event.key === "Enter" || event.key === " ") take();
  else if (WAYS[event.key]) step(...WAYS[event.key]);
  else return;
  event.preventDefault();
  dots.forEach((dot, at) => {
    dot.circle.classList.toggle("at", at === cursor);
    dot.circle.classList.toggle("lifted", lifted !== null && dot.ranks.includes(lifted));
  });
  if (cursor !== null && dots[cursor]) byId("detail").replaceChildren(make("p", {}, `${lifted === null ? "" : `Moving rank ${lifted}. `}Endpoint ${dots[cursor].name}: ${dots[cursor].words}`));
}

function step(dx, dy) {
  if (cursor === null || !dots[cursor]) {
    cursor = dots.length ? 0 : null;
    return;
  }
  const from = dots[cursor];
  let best = Infinity;
  let next = cursor;
  dots.forEach((dot, at) => {
    const [along, across] = [(dot.x - from.x) * dx + (dot.y - from.y) * dy, Math.abs((dot.x - from.x) * dy) + Math.abs((dot.y - from.y) * dx)];
    const far = along + 2.5 * across;
    if (along > 1 && far < best) [best, next] = [far, at];
  });
  cursor = next;
}

function take() {
  if (cursor === null || data.still || !current.state.places) return;
  if (lifted === null) lifted = dots[cursor].ranks[0] ?? null;
  else {
    const rank = lifted;
    lifted = null;
    moveRank(rank, cursor);
  }
}
