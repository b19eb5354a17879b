"use strict";
// Charts: everything was computed before; this draws it with ECharts and keeps every text a text.
const netloom = (() => {
  const data = JSON.parse(document.getElementById("netloom-data").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const escape = (text) =>
    String(text).replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c]);

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
      colour: (dark.matches && ON_DARK[colour]) || colour,
      path: MARKS[markers[i % markers.length]],
      dash: DASHES[Math.floor(i / palette.length) % DASHES.length],
    };
  };

  const PREFIX = { "-15": "f", "-12": "p", "-9": "n", "-6": "µ", "-3": "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P" };
  const plain = (v) => {
    if (v === 0) return "0";
    const size = Math.abs(v);
    if (size >= 1e6 || size < 1e-4) return v.toExponential(3).replace(/\.?0+e/, "e").replace("e+", "e");
    return String(Number(v.toPrecision(4)));
  };
  const binary = (v) => {
    const names = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let power = 0;
    while (Math.abs(v) >= 1024 && power < names.length - 1) { v /= 1024; power += 1; }
    return `${plain(v)} ${names[power]}`;
  };
  // A number with its unit: bytes in KiB, B, seconds and rates with a decimal prefix, all others as they are.
  const withUnit = (v, unit) => {
    if (v === null || v === undefined || Number.isNaN(v)) return "–";
    if (unit === "bytes") return binary(v);
    if (unit === "s" || unit === "B" || unit === "B/s" || unit === "W") {
      if (v === 0) return `0 ${unit}`;
      let power = 3 * Math.floor(Math.log10(Math.abs(v)) / 3 + 1e-9);
      power = Math.max(unit === "s" ? -15 : 0, Math.min(unit === "s" ? 0 : 15, power));
      return `${plain(v / 10 ** power)} ${PREFIX[power]}${unit}`;
    }
    return unit === "%" ? `${plain(v)} %` : plain(v);
  };
  const tick = (unit) => (v) => withUnit(v, unit);

  const theme = () => ({ ink: css("--ink"), faint: css("--faint"), grid: css("--grid"), line: css("--line"), panel: css("--panel") });

  // One range for all panels, so that they can be compared.
  const range = (chart) => {
    let low = Infinity;
    let high = -Infinity;
    for (const panel of chart.panels) {
      for (const s of panel.series) {
        const values = s.box ? s.box.flat() : [...s.y, ...(s.low || []), ...(s.high || [])];
        for (const v of values) { low = Math.min(low, v); high = Math.max(high, v); }
      }
    }
    return [low, high];
  };
  const valueAxisRange = (chart) => {
    let [low, high] = range(chart);
    if (chart.logY) {
      const floor = 10 ** Math.floor(Math.log10(low) + 1e-9);
      const roof = 10 ** Math.ceil(Math.log10(high) - 1e-9);
      // A bar of the least value would have no height.
      const min = chart.kind === "bar" && floor >= low * 0.999 ? floor / 10 : floor;
      return { min, max: Math.max(roof, floor * 10), startValue: min };
    }
    if (chart.kind === "bar") { low = Math.min(low, 0); high = Math.max(high, 0); }
    if (chart.panels.length === 1 && chart.kind !== "bar") return { scale: true };
    const span = high - low || Math.abs(high) || 1;
    const step = 10 ** Math.floor(Math.log10(span / 4));
    const nice = [1, 2, 5, 10].map((k) => k * step).find((k) => span / k <= 6);
    return { min: Math.floor(low / nice + 1e-9) * nice, max: Math.ceil(high / nice - 1e-9) * nice || nice };
  };

  const axisCommon = (name, gap, t) => ({
    name, nameLocation: "middle", nameGap: gap, nameTextStyle: { color: t.ink, fontSize: 12 },
    axisLabel: { color: t.faint, fontSize: 11, hideOverlap: true }, axisLine: { show: true, lineStyle: { color: t.line } },
    axisTick: { lineStyle: { color: t.line } }, splitLine: { lineStyle: { color: t.grid } }, minorTick: { show: false },
  });

  const categoryAxis = (name, words, gap, t, room) => {
    const axis = axisCommon(name, gap, t);
    const longest = Math.max(0, ...words.map((w) => w.length));
    const tilted = longest * words.length > room;
    axis.axisLabel = { ...axis.axisLabel, width: tilted ? 130 : 150, overflow: "truncate", rotate: tilted ? 30 : 0 };
    return { ...axis, type: "category", data: words, splitLine: { show: false }, nameGap: gap + (tilted ? Math.min(longest, 20) * 3 : 0) };
  };

  const xAxis = (chart, t) => {
    if (!chart.xNumber) return categoryAxis(chart.xLabel, chart.categories, 30, t, chart.panels.length > 1 ? 55 : 120);
    const axis = axisCommon(chart.xLabel, 30, t);
    axis.axisLabel.formatter = tick(chart.xUnit);
    if (!chart.logX) return { ...axis, type: "value", scale: true };
    const base = chart.xUnit === "bytes" ? 2 : 10;
    const places = chart.panels.flatMap((panel) => panel.series.flatMap((s) => s.x)).map((x) => Math.log(x) / Math.log(base));
    const low = places.reduce((p, q) => Math.min(p, q), Infinity);
    const high = places.reduce((p, q) => Math.max(p, q), -Infinity);
    const first = Math.floor(low + 1e-9);
    const last = Math.max(Math.ceil(high - 1e-9), first + 1);
    const step = Math.ceil((last - first) / 8);
    const customValues = [];
    for (let power = first; power <= last; power += step) customValues.push(base ** power);
    return { ...axis, type: "log", logBase: base, min: base ** first, max: base ** last,
      axisLabel: { ...axis.axisLabel, customValues }, axisTick: { ...axis.axisTick, customValues }, splitLine: { ...axis.splitLine, customValues } };
  };

  const yAxis = (chart, t) => {
    if (chart.kind === "heat") return categoryAxis(chart.yLabel, chart.rows, 0, t, Infinity);
    const axis = axisCommon(chart.yLabel, 0, t);
    axis.axisLabel.formatter = tick(chart.yUnit);
    return { ...axis, type: chart.logY ? "log" : "value", ...valueAxisRange(chart) };
  };

  const band = (s, i, colour) => ({
    name: s.name, type: "custom", silent: true, z: 1, data: s.x.map((x, k) => [x, s.low[k], s.high[k]]),
    encode: { x: 0, y: [1, 2] }, tooltip: { show: false }, clip: true,
    renderItem: (params, api) => {
      const k = params.dataIndex;
      if (k + 1 >= s.x.length) return null;
      const points = [[k, s.low], [k + 1, s.low], [k + 1, s.high], [k, s.high]].map(([j, side]) => api.coord([s.x[j], side[j]]));
      return { type: "polygon", shape: { points }, style: { fill: colour, opacity: 0.2 } };
    },
  });

  const whiskers = (s, i, bars, ink) => ({
    name: s.name, type: "custom", silent: true, z: 5, data: s.x.map((x, k) => [x, s.low[k], s.high[k]]),
    encode: { x: 0, y: [1, 2] }, tooltip: { show: false }, itemStyle: { color: ink },
    renderItem: (params, api) => {
      const slot = api.barLayout({ barGap: "5%", barCategoryGap: "22%", count: bars })[i];
      const at = api.coord([api.value(0), api.value(1)]);
      const top = api.coord([api.value(0), api.value(2)]);
      const x = at[0] + slot.offsetCenter;
      const half = Math.min(4, slot.width / 3);
      const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: ink, lineWidth: 1 } });
      return { type: "group", children: [line(x, at[1], x, top[1]), line(x - half, at[1], x + half, at[1]), line(x - half, top[1], x + half, top[1])] };
    },
  });

  const heatSeries = (chart, panel) => {
    const cells = [];
    for (const s of panel.series) s.x.forEach((x, k) => cells.push([x, s.row, chart.logY ? Math.log10(s.y[k]) : s.y[k], s.y[k]]));
    return [{ type: "heatmap", data: cells, progressive: 0, itemStyle: { borderWidth: 0 }, emphasis: { itemStyle: { borderColor: "#fff", borderWidth: 2 } } }];
  };

  const allSeries = (chart, panel, t) => {
    if (chart.kind === "heat") return heatSeries(chart, panel);
    const out = [];
    const bars = chart.names.length;
    for (const s of panel.series) {
      const i = chart.names.indexOf(s.name);
      const { colour, path, dash } = look(i);
      const base = { name: s.name, itemStyle: { color: colour }, emphasis: { focus: "none" } };
      if (chart.kind === "line") {
        const order = s.x.map((_, k) => k);
        if (!chart.xNumber) order.sort((p, q) => s.x[p] - s.x[q]);
        const sorted = { ...s, x: order.map((k) => s.x[k]), y: order.map((k) => s.y[k]) };
        if (s.low) { sorted.low = order.map((k) => s.low[k]); sorted.high = order.map((k) => s.high[k]); out.push(band(sorted, i, colour)); }
        out.push({ ...base, type: "line", z: 3, data: sorted.x.map((x, k) => [x, sorted.y[k], k]), netloom: sorted, symbol: `path://${path}`,
          symbolSize: s.x.length > 60 ? 4 : 8, showAllSymbol: s.x.length <= 60, lineStyle: { color: colour, width: 2, type: dash } });
      } else if (chart.kind === "scatter") {
        out.push({ ...base, type: "scatter", data: s.x.map((x, k) => [x, s.y[k]]), symbol: `path://${path}`, symbolSize: 8,
          large: s.x.length > 3000, itemStyle: { color: colour, opacity: 0.75 } });
      } else if (chart.kind === "box") {
        // ECharts wants a box for every category.
        const full = chart.categories.map((_, c) => { const k = s.x.indexOf(c); return k < 0 ? ["-", "-", "-", "-", "-"] : s.box[k]; });
        out.push({ ...base, type: "boxplot", data: full, boxWidth: [6, 80], itemStyle: { color: colour + "55", borderColor: colour, borderWidth: 1.5 } });
      } else {
        const full = chart.categories.map((_, c) => { const k = s.x.indexOf(c); return k < 0 ? null : s.y[k]; });
        const decal = i >= data.look.palette.length ? { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: i % 2 ? 0.8 : -0.8 } : undefined;
        out.push({ ...base, type: "bar", data: full, barGap: "5%", barCategoryGap: "22%", barMaxWidth: 48, itemStyle: { color: colour, decal } });
      }
    }
    if (chart.kind === "bar" && chart.spread) {
      for (const s of panel.series) {
        const present = panel.series.map((p) => p.name);
        out.push(whiskers(s, present.indexOf(s.name), present.length, t.ink));
      }
    }
    return out;
  };

  const spot = (colour) => `<span style="display:inline-block;width:.7em;height:.7em;border-radius:50%;background:${colour}"></span> `;
  const limits = (s, k, unit) => (s.low && s.high[k] > s.low[k] ? ` (${escape(withUnit(s.low[k], unit))} to ${escape(withUnit(s.high[k], unit))})` : "");
  const xText = (chart, x) => (chart.xNumber ? withUnit(x, chart.xUnit) : chart.categories[x]);

  const tooltip = (chart, panel, t) => {
    const find = (name) => panel.series.find((s) => s.name === name);
    const row = (p) => {
      const s = find(p.seriesName);
      const colour = look(chart.names.indexOf(p.seriesName)).colour;
      const name = p.seriesName ? `${escape(p.seriesName)}: ` : "";
      if (p.seriesType === "boxplot") {
        const k = s.x.indexOf(p.dataIndex);
        if (k < 0) return "";
        const words = ["min", "lower quartile", "median", "upper quartile", "max"];
        return `${spot(colour)}${name}<b>${s.count[k]} values</b><br>${s.box[k].map((v, j) => `${words[j]} ${escape(withUnit(v, chart.yUnit))}`).join("<br>")}`;
      }
      if (p.seriesType === "bar") {
        const k = s.x.indexOf(p.dataIndex);
        return k < 0 ? "" : `${spot(colour)}${name}<b>${escape(withUnit(s.y[k], chart.yUnit))}</b>${limits(s, k, chart.yUnit)}`;
      }
      const v = p.value;
      const extra = p.seriesType === "line" ? limits(s, s.x.indexOf(v[0]), chart.yUnit) : "";
      return `${spot(colour)}${name}<b>${escape(withUnit(v[1], chart.yUnit))}</b>${extra}`;
    };
    const wrap = (head, lines) => `<div class="tip"><b>${escape(head)}</b><br>${lines.filter(Boolean).join("<br>")}</div>`;
    return {
      trigger: chart.kind === "scatter" || chart.kind === "heat" || chart.kind === "box" ? "item" : "axis",
      confine: true, backgroundColor: t.panel, borderColor: t.line, textStyle: { color: t.ink },
      axisPointer: { type: chart.kind === "bar" ? "shadow" : "line", label: { show: false } },
      formatter: (given) => {
        if (chart.kind === "heat") {
          const [x, y, , v] = given.value;
          return wrap(`${chart.categories[x]}, ${chart.rows[y]}`, [`${escape(chart.valueLabel)}: <b>${escape(withUnit(v, chart.yUnit))}</b>`]);
        }
        const items = (Array.isArray(given) ? given : [given]).filter((p) => p.seriesType !== "custom");
        if (!items.length) return "";
        const x = chart.kind === "box" || chart.kind === "bar" ? items[0].dataIndex : items[0].value[0];
        return wrap(chart.kind === "scatter" ? `${chart.xLabel}: ${xText(chart, x)}` : xText(chart, x), items.map(row));
      },
    };
  };

  const option = (chart, panel) => {
    const t = theme();
    const made = {
      animation: false, backgroundColor: "transparent", 
      grid: { left: 10, right: 26, top: 16, bottom: 8, outerBoundsMode: "same", outerBoundsContain: "all" },
      xAxis: xAxis(chart, t), yAxis: yAxis(chart, t), series: allSeries(chart, panel, t), tooltip: tooltip(chart, panel, t),
      legend: { show: false }, textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
      aria: { enabled: false },
    };
    made.yAxis.nameGap = 12;
    if (chart.kind === "heat") {
      const [low, high] = range(chart);
      const send = chart.logY ? Math.log10 : (v) => v;
      const back = chart.logY ? (v) => 10 ** v : (v) => v;
      made.grid.bottom = 44;
      made.visualMap = { type: "continuous", dimension: 2, min: send(low), max: send(high) === send(low) ? send(low) + 1 : send(high), calculable: false,
        orient: "horizontal", left: "center", bottom: 0, itemWidth: 14, itemHeight: 180, text: [withUnit(high, chart.yUnit), `${chart.valueLabel}:  ${withUnit(low, chart.yUnit)}`],
        textStyle: { color: t.faint, fontSize: 11 }, inRange: { color: data.look.heat }, formatter: (v) => withUnit(back(v), chart.yUnit) };
    }
    return made;
  };

  const legendIcon = (chart, i) => {
    const { colour, path, dash } = look(i);
    const svg = (inner) => `<svg viewBox="0 0 26 14" aria-hidden="true">${inner}</svg>`;
    if (chart.kind === "bar" || chart.kind === "box") return svg(`<rect x="6" y="1" width="14" height="12" rx="2" fill="${colour}"/>`);
    const lines = { solid: "", dashed: "6 3", dotted: "2 3" };
    const line = chart.kind === "line" ? `<path d="M0 7H26" stroke="${colour}" stroke-width="2" stroke-dasharray="${lines[dash] ?? "8 3 2 3"}"/>` : "";
    return svg(`${line}<path transform="translate(8 2)" d="${path}" fill="${colour}"/>`);
  };

  const setUp = (box) => {
    const chart = data.charts[box.dataset.chart];
    const legend = document.createElement("div");
    legend.className = "legend";
    const panels = document.createElement("div");
    panels.className = "panels";
    box.append(legend, panels);
    const drawn = chart.panels.map((panel) => {
      const holder = document.createElement("div");
      holder.className = "panel";
      if (panel.name) holder.append(Object.assign(document.createElement("h3"), { textContent: panel.name }));
      const plot = document.createElement("div");
      plot.className = "plot";
      plot.setAttribute("role", "img");
      plot.setAttribute("aria-label", `${chart.kind} chart of ${chart.yLabel} over ${chart.xLabel} ${panel.name}`);
      holder.append(plot);
      panels.append(holder);
      const points = panel.series.reduce((sum, s) => sum + s.x.length, 0);
      const made = echarts.init(plot, null, { renderer: points > 3000 ? "canvas" : "svg" });
      made.setOption(option(chart, panel));
      new ResizeObserver(() => made.resize()).observe(plot);
      return made;
    });
    const buttons = () => {
      if (chart.kind === "heat" || (chart.names.length === 1 && chart.names[0] === "")) return;
      legend.replaceChildren(...chart.names.map((name, i) => {
        const button = document.createElement("button");
        button.setAttribute("aria-pressed", "true");
        button.title = "click to hide or show";
        button.innerHTML = legendIcon(chart, i);
        button.append(name);
        button.addEventListener("click", () => {
          const shown = button.getAttribute("aria-pressed") !== "true";
          button.setAttribute("aria-pressed", String(shown));
          drawn.forEach((made) => made.dispatchAction({ type: shown ? "legendSelect" : "legendUnSelect", name }));
        });
        return button;
      }));
    };
    buttons();
    dark.addEventListener("change", () => {
      buttons();
      drawn.forEach((made, k) => made.setOption(option(chart, chart.panels[k]), true));
    });
  };

  document.querySelectorAll("[data-chart]").forEach(setUp);
  return { data, css, dark, look };
})();
