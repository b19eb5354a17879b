"use strict";
/* Numbers as people read them, and elements; all text goes through textContent. */
const data = JSON.parse(document.getElementById("explore-data").textContent);
const byId = (id) => document.getElementById(id);

function make(name, attributes = {}, ...inside) {
  const svg = ["svg", "g", "path", "circle", "rect", "text", "title"].includes(name);
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...inside.filter((one) => one !== null && one !== undefined));
  return made;
}

function three(value) {
  return String(Number(value.toPrecision(3)));
}

function time(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds === 0) return "0 s";
  const rounded = Number(seconds.toPrecision(3));
  for (const [size, unit] of [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]]) {
    if (rounded >= size * (1 - 1e-12)) return `${three(seconds / size)} ${unit}`;
  }
  return `${three(seconds / 1e-12)} ps`;
}

function bytes(amount) {
  if (amount === null || amount === undefined) return "–";
  const rounded = Number(amount.toPrecision(3));
  for (const [size, unit] of [[1e15, "PB"], [1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]) {
    if (rounded >= size) return `${three(amount / size)} ${unit}`;
  }
  return `${three(amount)} B`;
}

function money(usd) {
  return usd === null || usd === undefined ? "unknown" : `${Math.round(usd).toLocaleString("en")} USD`;
}

function change(now, before) {
  if (now === null || before === null || now === undefined || before === undefined || before === 0) return "";
  const percent = 100 * (now / before - 1);
  if (Math.abs(percent) < 0.05) return "as before";
  const size = Math.abs(percent) >= 100 && percent > 0 ? `${three(now / before)} times` : `${percent > 0 ? "+" : "−"}${three(Math.abs(percent))} %`;
  return size;
}

function table(heads, rows, numbers = []) {
  const kind = (at) => (numbers.includes(at) ? "n" : null);
  const cells = (row) => row.map((cell, at) => make("td", { class: kind(at) }, cell));
  return make("div", { class: "scroll" }, make("table", {},
    make("thead", {}, make("tr", {}, ...heads.map((text, at) => make("th", { scope: "col", class: kind(at) }, text)))),
    make("tbody", {}, ...rows.map((row) => make("tr", { class: row.className || null }, ...cells(row))))));
}
