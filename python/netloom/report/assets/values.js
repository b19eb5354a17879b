"use strict";
// What the other scripts share: the data of the page, colours, numbers with their units.
const netloom = (() => {
  const data = JSON.parse(document.getElementById("netloom-data").textContent);
  const scheme = window.matchMedia("(prefers-color-scheme: dark)");
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const escape = (text) =>
    String(text).replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c]);
  const make = (tag, props = {}, ...inside) => {
    const node = Object.assign(document.createElement(tag), props);
    node.append(...inside);
    return node;
  };

  const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f4: Float32Array };
  const unpack = (text, type) => new TYPES[type](Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);

  // Paper is white, whatever the reader's scheme: pictures are drawn anew for it.
  let printing = false;
  const redraws = [];
  const isDark = () => scheme.matches && !printing;
  const redraw = () => redraws.forEach((act) => act());
  scheme.addEventListener("change", redraw);
  const opened = [];
  const onPaper = (on) => {
    if (on === printing) return;
    printing = on;
    document.documentElement.classList.toggle("paper", on);
    if (on) {
      for (const fold of document.querySelectorAll("main details.fold:not([open]):not(:has(.table))")) { fold.open = true; opened.push(fold); }
    } else opened.splice(0).forEach((fold) => { fold.open = false; });
    redraw();
  };
  window.addEventListener("beforeprint", () => onPaper(true));
  window.addEventListener("afterprint", () => onPaper(false));

  // On a phone the contents would push the answer away.
  const side = document.querySelector(".side details");
  if (side && window.innerWidth < 1120) side.open = false;

  // Marker outlines in a box of 10, by the names that the printed figures use.
  const MARKS = {
    o: "M5 0A5 5 0 1 1 5 10A5 5 0 1 1 5 0Z",
    s: "M.6 .6H9.4V9.4H.6Z",
    "^": "M5 .3L10 9.5H0Z",
    D: "M5 0L10 5L5 10L0 5Z",
    v: "M5 9.7L10 .5H0Z",
    P: "M3.4 0H6.6V3.4H10V6.6H6.6V10H3.4V6.6H0V3.4H3.4Z",
    X: "M2 0L5 3L8 0L10 2L7 5L10 8L8 10L5 7L2 10L0 8L3 5L0 2Z",
    "*": "M5 0L6.5 3.5L10 3.8L7.3 6.2L8.1 10L5 8L1.9 10L2.7 6.2L0 3.8L3.5 3.5Z",
    "<": "M.3 5L9.5 0V10Z",
    ">": "M9.7 5L.5 0V10Z",
  };
  const DASHES = ["solid", "dashed", [8, 3, 2, 3], "dotted"];
  // The two darkest colours, lighter on a dark page.
  const ON_DARK = { "#000000": "#f0f0f0", "#0072B2": "#4aa3df" };
  const look = (i) => {
    const { palette, markers } = data.look;
    const colour = palette[i % palette.length];
    return {
      colour: (isDark() && ON_DARK[colour]) || colour,
      path: MARKS[markers[i % markers.length]],
      dash: DASHES[Math.floor(i / palette.length) % DASHES.length],
    };
  };
  // A place between 0 and 1 on the scale of heat maps, as red, green, blue.
  const shade = (stops, share) => {
    const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
    const k = Math.min(stops.length - 2, Math.floor(at));
    const part = (hex, i) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
    return [0, 1, 2].map((i) => Math.round(part(stops[k], i) + (at - k) * (part(stops[k + 1], i) - part(stops[k], i))));
  };

  // The same numbers as netloom.plot.units writes.
  const OF_TIME = { ps: 1e-12, ns: 1e-9, "µs": 1e-6, ms: 1e-3, s: 1 };
  const TIMES = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"], [1e-12, "ps"]];
  const PREFIXES = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
  const BINARY = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  const PREFIXED = ["B", "B/s", "flop/s", "messages/s", "W"];
  const grouped = (text) => {
    const [whole, part] = text.split(".");
    const digits = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
    return part === undefined ? digits : `${digits}.${part}`;
  };
  const plain = (v, digits = 4) => {
    const size = Math.abs(v);
    if (Number.isInteger(v) && size < 1e15) return grouped(String(v));
    if (size < 1e-4 || size >= 1e15) return v.toExponential(digits - 1).replace(/\.?0+e/, "e").replace(/e([+-])(\d)$/, "e$10$2");
    const places = Math.max(0, digits - 1 - Math.floor(Math.log10(size) + 1e-12));
    const text = v.toFixed(places);
    return grouped(text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  };
  const scaled = (v, steps, digits) => {
    const size = Math.abs(Number(v.toPrecision(digits)));
    return steps.find(([scale]) => size >= scale);
  };
  const withUnit = (v, unit = "", digits = 4) => {
    if (v === null || v === undefined || Number.isNaN(v)) return "–";
    if (unit in OF_TIME) {
      const seconds = v * OF_TIME[unit];
      if (seconds === 0) return "0 s";
      const [scale, name] = scaled(seconds, TIMES, digits) || TIMES[TIMES.length - 1];
      return `${plain(seconds / scale, digits)} ${name}`;
    }
    // Sizes are binary, sums and loads decimal; which of them a column holds is told with its unit.
    if (unit === "bytes") {
      let power = 0;
      while (Math.abs(v) >= 1024 && power < BINARY.length - 1) { v /= 1024; power += 1; }
      return `${plain(v, digits)} ${BINARY[power]}`;
    }
    if (PREFIXED.includes(unit)) {
      const [scale, prefix] = scaled(v, PREFIXES, digits) || [1, ""];
      return `${plain(v / scale, digits)} ${prefix}${prefix && unit === "messages/s" ? " " : ""}${unit}`;
    }
    let text = plain(v, digits);
    if (unit === "USD") text = Math.abs(v) >= 1000 || Number.isInteger(v) ? grouped(v.toFixed(0)) : grouped(v.toFixed(2));
    return unit ? `${text} ${unit}` : text;
  };

  // The command that repeats a run: its inputs as a scenario on stdin.
  const runs = {};
  const runsOf = (key) => {
    if (!(key in data.runs)) return null;
    if (!runs[key]) {
      const column = (c) => ({ name: c.name, values: c.values, index: unpack(c.index, "u4") });
      const { evaluator, options, inputs, labels } = data.runs[key];
      runs[key] = {
        evaluator, options: options.map(column), inputs: inputs && inputs.map(column), labels: labels.map(column),
      };
    }
    return runs[key];
  };
  const quote = (text) => (/^[A-Za-z0-9_./:=,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const told = (columns, k) => columns.filter((c) => c.index[k]).map((c) => [c.name, c.values[c.index[k] - 1]]);
  const runText = (key, k) => {
    const found = runsOf(key);
    if (!found) return null;
    const labels = told(found.labels, k).map(([name, value]) => [name, String(JSON.parse(value))]);
    if (!found.inputs) return { labels, command: "" };
    const scenario = `{${told(found.inputs, k).map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(", ")}}`;
    const options = told(found.options, k)
      .map(([name, value]) => ` --option ${quote(`${name}=${String(JSON.parse(value))}`)}`).join("");
    return { labels, command: `echo ${quote(scenario)} | netloom evaluate - -e ${quote(found.evaluator)}${options}` };
  };

  return { data, css, escape, make, unpack, isDark, redraws, look, shade, withUnit, plain, runText };
})();
