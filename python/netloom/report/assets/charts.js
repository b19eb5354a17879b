"use strict";
// From the data of one panel to options of ECharts: everything was computed before, and every text stays a text.
netloom.chart = (() => {
  const { data, css, escape, look, shade, withUnit } = netloom;
  // As many digits as tell the ticks of a linear axis apart: the values may all be near each other.
  const tick = (unit, values = []) => {
    const known = values.filter(Number.isFinite);
    const low = known.reduce((p, q) => Math.min(p, q), Infinity);
    const high = known.reduce((p, q) => Math.max(p, q), -Infinity);
    const apart = high > low ? Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high)) / (high - low))) : 0;
    const digits = Math.max(4, Math.min(12, 2 + apart));
    return (v) => withUnit(v, unit, digits);
  };
  const theme = () => ({ ink: css("--ink"), faint: css("--faint"), grid: css("--grid"), line: css("--line"), panel: css("--panel"), paper: css("--paper") });
  const isHeat = (chart) => chart.kind === "heat" || chart.kind === "choice";
  const isPoints = (chart) => chart.kind === "scatter" || chart.kind === "pareto";

  // One range for all panels, so that they can be compared, unless the data say that they differ too much.
  const range = (chart, panel) => {
    let low = Infinity;
    let high = -Infinity;
    const sums = new Map();
    for (const one of chart.ownY ? [panel] : chart.panels) {
      sums.clear();
      for (const s of one.series) {
        if (chart.kind === "area") s.x.forEach((x, k) => sums.set(x, (sums.get(x) || 0) + s.y[k]));
        const values = chart.kind === "area" ? [...sums.values()] : s.box ? s.box.flat() : [...s.y, ...(s.low || []), ...(s.high || [])];
        for (const v of values) { low = Math.min(low, v); high = Math.max(high, v); }
      }
    }
    return [low, high];
  };
  const valueAxisRange = (chart, panel) => {
    let [low, high] = range(chart, panel);
    const fromZero = chart.kind === "bar" || chart.kind === "area" || chart.kind === "pareto";
    if (chart.logY) {
      const floor = 10 ** Math.floor(Math.log10(low) + 1e-9);
      const roof = 10 ** Math.ceil(Math.log10(high) - 1e-9);
      // A bar of the least value would have no height.
      const min = chart.kind === "bar" && floor >= low * 0.999 ? floor / 10 : floor;
      return { min, max: Math.max(roof, floor * 10), startValue: min };
    }
    if (fromZero) { low = Math.min(low, 0); high = Math.max(high, 0); }
    if (chart.panels.length === 1 && !fromZero) return { scale: true };
    const span = high - low || Math.abs(high) || 1;
    const step = 10 ** Math.floor(Math.log10(span / 4));
    const nice = [1, 2, 5, 10].map((k) => k * step).find((k) => span / k <= 6);
    return { min: Math.floor(low / nice + 1e-9) * nice, max: Math.ceil(high / nice - 1e-9) * nice || nice };
  };

  // Words on lines of about `letters` letters: names of axes are cut otherwise.
  const folded = (text, letters) => {
    const lines = [""];
    for (const word of text.split(" ")) {
      const last = lines[lines.length - 1];
      if (last && last.length + word.length >= letters) lines.push(word); else lines[lines.length - 1] = last ? `${last} ${word}` : word;
    }
    return lines.join("\n");
  };
  // What all names begin with, as "allreduce:", is said once, by the title.
  const shared = (words) => {
    const cut = words.length > 1 ? words[0].indexOf(":") + 1 : 0;
    return words.every((word) => word.length > cut && word.startsWith(words[0].slice(0, cut))) ? cut : 0;
  };

  const axisCommon = (name, gap, t) => ({
    name, nameLocation: "middle", nameGap: gap, nameTextStyle: { color: t.ink, fontSize: 12, lineHeight: 15 },
    axisLabel: { color: t.faint, fontSize: 11, hideOverlap: true }, axisLine: { show: true, lineStyle: { color: t.line } },
    axisTick: { lineStyle: { color: t.line } }, splitLine: { lineStyle: { color: t.grid } }, minorTick: { show: false },
  });

  // Pixels of a letter and of a line of the names on an axis; letters of a tilted name.
  const LETTER = 6.5;
  const LINE = 14;
  const TILTED = 34;

  const categoryAxis = (name, words, gap, t, room) => {
    const axis = axisCommon(name, gap, t);
    const cut = shared(words);
    const longest = Math.max(0, ...words.map((w) => w.length - cut));
    // Names side by side, else on up to three lines each, else tilted and cut.
    const wide = (longest + 2) * words.length * LETTER > room;
    const letters = Math.floor(room / words.length / LETTER) - 1;
    const lines = wide ? words.map((word) => folded(word.slice(cut), letters).split("\n")) : [];
    const folds = wide && lines.every((some) => some.length <= 3 && some.every((line) => line.length <= letters));
    const tilted = wide && !folds;
    const width = tilted ? TILTED * LETTER : folds ? undefined : 150;
    const formatter = (word) => (folds ? folded(word.slice(cut), letters) : word.slice(cut));
    axis.axisLabel = { ...axis.axisLabel, width, overflow: "truncate", rotate: tilted ? 35 : 0, lineHeight: LINE, formatter };
    // Left to itself, ECharts leaves out words that fit.
    if (Number.isFinite(room)) axis.axisLabel.interval = tilted ? Math.ceil((words.length * 24) / room) - 1 : 0;
    const fall = folds ? LINE * (Math.max(...lines.map((some) => some.length)) - 1) : tilted ? Math.min(longest, TILTED) * 3.3 : 0;
    return { ...axis, type: "category", data: words, splitLine: { show: false }, nameGap: gap + fall };
  };

  const xAxis = (chart, t, width) => {
    if (!chart.xNumber) return categoryAxis(chart.xLabel, chart.categories, 30, t, isHeat(chart) ? width * 0.55 : width - 80);
    const axis = axisCommon(chart.xLabel, 30, t);
    axis.axisLabel.formatter = tick(chart.xUnit, chart.panels.flatMap((panel) => panel.series.flatMap((s) => s.x)));
    if (chart.kind === "area") {
      // Time starts at zero and ends with the run.
      const last = chart.panels.reduce((most, panel) => panel.series.reduce((m, s) => Math.max(m, s.x[s.x.length - 1]), most), 0);
      return { ...axis, type: "value", min: 0, max: last };
    }
    if (!chart.logX) return { ...axis, type: "value", scale: chart.kind !== "pareto" };
    const base = chart.xBase;
    const places = chart.panels.flatMap((panel) => panel.series.flatMap((s) => s.x)).map((x) => Math.log(x) / Math.log(base));
    const low = places.reduce((p, q) => Math.min(p, q), Infinity);
    const high = places.reduce((p, q) => Math.max(p, q), -Infinity);
    const first = Math.floor(low + 1e-9);
    const last = Math.max(Math.ceil(high - 1e-9), first + 1);
    const step = Math.ceil((last - first) / Math.max(2, Math.min(8, Math.floor(width / 70))));
    const customValues = [];
    for (let power = first; power <= last; power += step) customValues.push(base ** power);
    return { ...axis, type: "log", logBase: base, min: base ** first, max: base ** last,
      axisLabel: { ...axis.axisLabel, customValues }, axisTick: { ...axis.axisTick, customValues }, splitLine: { ...axis.splitLine, customValues } };
  };

  const yAxis = (chart, panel, t, width) => {
    if (isHeat(chart)) {
      const axis = categoryAxis(chart.yLabel, chart.rows, 0, t, Infinity);
      axis.axisLabel.width = Math.min(150, width * 0.3);
      return axis;
    }
    const axis = axisCommon(folded(chart.yLabel, width < 560 ? 24 : 40), 0, t);
    axis.axisLabel.formatter = tick(chart.yUnit, panel.series.flatMap((s) => s.y || s.box.flat()));
    return { ...axis, type: chart.logY ? "log" : "value", ...valueAxisRange(chart, panel) };
  };

  const band = (s, colour) => ({
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
      const slot = api.barLayout({ barGap: "5%", barCategoryGap: "22%", barMaxWidth: 48, count: bars })[i];
      const at = api.coord([api.value(0), api.value(1)]);
      const top = api.coord([api.value(0), api.value(2)]);
      const x = at[0] + slot.offsetCenter;
      const half = Math.min(4, slot.width / 3);
      const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: ink, lineWidth: 1 } });
      return { type: "group", children: [line(x, at[1], x, top[1]), line(x - half, at[1], x + half, at[1]), line(x - half, top[1], x + half, top[1])] };
    },
  });

  const at = (chart, s, c) => s.x.indexOf(c);
  const line = (chart, s, i, base, t) => {
    const { colour, path, dash } = look(i);
    const order = s.x.map((_, k) => k);
    if (!chart.xNumber) order.sort((p, q) => s.x[p] - s.x[q]);
    const pick = (values) => values && order.map((k) => values[k]);
    const sorted = { ...s, x: pick(s.x), y: pick(s.y), low: pick(s.low), high: pick(s.high) };
    const drawn = { ...base, type: "line", z: 3, data: sorted.x.map((x, k) => [x, sorted.y[k], order[k]]), symbol: `path://${path}`,
      symbolSize: s.x.length > 60 ? 4 : 8, showAllSymbol: s.x.length <= 60, lineStyle: { color: colour, width: 2, type: dash } };
    return s.low ? [band(sorted, colour), drawn] : [drawn];
  };
  const area = (chart, s, i, base) => {
    const { colour } = look(i);
    return [{ ...base, type: "line", stack: "all", step: "end", data: s.x.map((x, k) => [x, s.y[k], k]), symbol: "none",
      lineStyle: { width: 0.5, color: colour }, areaStyle: { color: colour, opacity: 0.75 } }];
  };
  const points = (chart, s, i, base, t) => {
    const { colour, path } = look(i);
    return [{ ...base, type: "scatter", z: 3, symbol: `path://${path}`, symbolSize: chart.kind === "pareto" ? 12 : s.x.length > 500 ? 5 : 8,
      data: s.x.map((x, k) => (s.best ? { value: [x, s.y[k], k], itemStyle: { color: s.best[k] ? colour : t.paper, borderColor: colour, borderWidth: 2 } } : [x, s.y[k], k])),
      itemStyle: { color: colour, opacity: chart.kind === "pareto" ? 1 : 0.75 } }];
  };
  const box = (chart, s, i, base) => {
    const { colour } = look(i);
    // ECharts wants a box for every category.
    const full = chart.categories.map((_, c) => { const k = at(chart, s, c); return k < 0 ? ["-", "-", "-", "-", "-"] : s.box[k]; });
    return [{ ...base, type: "boxplot", data: full, boxWidth: [6, 80], itemStyle: { color: colour + "55", borderColor: colour, borderWidth: 1.5 } }];
  };
  const bar = (chart, s, i, base, t, panel) => {
    const { colour } = look(i);
    const full = chart.categories.map((_, c) => { const k = at(chart, s, c); return k < 0 ? null : s.y[k]; });
    const decal = i >= data.look.palette.length ? { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: i % 2 ? 0.8 : -0.8 } : undefined;
    const drawn = [{ ...base, type: "bar", data: full, barGap: "5%", barCategoryGap: "22%", barMaxWidth: 48, itemStyle: { color: colour, decal } }];
    if (chart.spread) drawn.push(whiskers(s, panel.series.indexOf(s), panel.series.length, t.ink));
    return drawn;
  };

  // Cells with their numbers while these can be read.
  const heat = (chart, panel, t, width) => {
    const choice = chart.kind === "choice";
    const [low, high] = choice ? [1, chart.worst] : range(chart, panel);
    const scale = (v) => (chart.logY || choice ? Math.log10(v) : v);
    const count = chart.categories.length * chart.rows.length;
    const show = chart.numbers && count <= 400 && width / chart.categories.length > 58;
    const cells = [];
    const best = [];
    for (const s of panel.series) {
      s.x.forEach((x, k) => {
        const v = choice ? Math.min(s.ratio[k], chart.worst) : s.y[k];
        const span = scale(high) - scale(low) || 1;
        const share = (scale(v) - scale(low)) / span;
        const [r, g, b] = shade(choice ? [...data.look.heat].reverse() : data.look.heat, share);
        const bright = 0.299 * r + 0.587 * g + 0.114 * b > 140;
        cells.push({ value: [x, s.row, scale(v), s.y[k], choice ? s.ratio[k] : null, k], label: { color: bright ? "#000" : "#fff" } });
        if (choice && s.ratio[k] === 1) best.push([x, s.row]);
      });
    }
    const text = (p) => (choice && p.value[4] !== 1 ? `×${netloom.plain(p.value[4], 3)}` : withUnit(p.value[3], chart.yUnit, 3));
    const drawn = [{ type: "heatmap", data: cells, progressive: 0, label: { show, fontSize: 11, formatter: text }, itemStyle: { borderWidth: 0 },
      emphasis: { itemStyle: { borderColor: t.ink, borderWidth: 2 } } }];
    if (choice) {
      drawn.push({ type: "scatter", silent: true, data: best, symbol: "path://M0 0H10V10H0Z", symbolSize: [0, 0], tooltip: { show: false } });
      drawn[0].data.filter((c) => c.value[4] === 1).forEach((c) => { c.itemStyle = { borderColor: t.ink, borderWidth: 2 }; });
    }
    return drawn;
  };

  const front = (panel, t) => ({ type: "line", silent: true, step: "end", data: panel.front, symbol: "none", z: 2, tooltip: { show: false },
    lineStyle: { color: t.faint, width: 1.2 } });

  const DRAW = { line, area, scatter: points, pareto: points, box, bar };
  const allSeries = (chart, panel, t, width) => {
    if (isHeat(chart)) return heat(chart, panel, t, width);
    const out = panel.front ? [front(panel, t)] : [];
    for (const s of panel.series) {
      const i = chart.names.indexOf(s.name);
      out.push(...DRAW[chart.kind](chart, s, i, { name: s.name, itemStyle: { color: look(i).colour }, emphasis: { focus: "none" } }, t, panel));
    }
    return out;
  };

  const spot = (colour) => `<span style="display:inline-block;width:.7em;height:.7em;border-radius:50%;background:${colour}"></span> `;
  const limits = (s, k, unit) => (s.low && s.high[k] > s.low[k] ? ` (${escape(withUnit(s.low[k], unit))} to ${escape(withUnit(s.high[k], unit))})` : "");
  const xText = (chart, x) => (chart.xNumber ? withUnit(x, chart.xUnit) : chart.categories[x]);
  const BOX = ["min", "lower quartile", "median", "upper quartile", "max"];

  const tooltip = (chart, panel, t) => {
    const find = (name) => panel.series.find((s) => s.name === name);
    const row = (p) => {
      const s = find(p.seriesName);
      const colour = look(chart.names.indexOf(p.seriesName)).colour;
      const name = p.seriesName ? `${escape(p.seriesName)}: ` : "";
      if (p.seriesType === "boxplot") {
        const k = at(chart, s, p.dataIndex);
        if (k < 0) return "";
        return `${spot(colour)}${name}<b>${s.count[k]} values</b><br>${s.box[k].map((v, j) => `${BOX[j]} ${escape(withUnit(v, chart.yUnit))}`).join("<br>")}`;
      }
      if (p.seriesType === "bar") {
        const k = at(chart, s, p.dataIndex);
        return k < 0 ? "" : `${spot(colour)}${name}<b>${escape(withUnit(s.y[k], chart.yUnit))}</b>${limits(s, k, chart.yUnit)}`;
      }
      const v = p.value;
      const extra = p.seriesType === "line" ? limits(s, v[2], chart.yUnit) : "";
      return `${spot(colour)}${name}<b>${escape(withUnit(v[1], chart.yUnit))}</b>${extra}`;
    };
    const wrap = (head, lines) => `<div class="tip"><b>${escape(head)}</b><br>${lines.filter(Boolean).join("<br>")}</div>`;
    return {
      trigger: isPoints(chart) || isHeat(chart) || chart.kind === "box" ? "item" : "axis",
      confine: true, backgroundColor: t.panel, borderColor: t.line, textStyle: { color: t.ink },
      axisPointer: { type: chart.kind === "bar" ? "shadow" : "line", label: { show: false } },
      formatter: (given) => {
        if (isHeat(chart)) {
          const [x, y, , v, ratio] = given.value;
          const more = ratio === null ? [] : [ratio === 1 ? "the best at this place" : `${escape(netloom.plain(ratio, 3))} times the best`];
          return wrap(`${chart.categories[x]}, ${chart.rows[y]}`, [`${escape(chart.valueLabel)}: <b>${escape(withUnit(v, chart.yUnit))}</b>`, ...more]);
        }
        const items = (Array.isArray(given) ? given : [given]).filter((p) => p.seriesType !== "custom");
        if (!items.length) return "";
        const x = chart.kind === "box" || chart.kind === "bar" ? items[0].dataIndex : items[0].value[0];
        return wrap(isPoints(chart) ? `${chart.xLabel}: ${xText(chart, x)}` : xText(chart, x), items.map(row));
      },
    };
  };

  const radar = (chart, panel, t, base, width) => {
    const narrow = width < 560;
    const most = Math.max(1, ...panel.series.flatMap((s) => [...s.y]).filter(Number.isFinite));
    const indicator = chart.categories.map((name) => ({ name: folded(name, narrow ? 12 : 20), min: 0, max: most }));
    const values = (s) => chart.categories.map((_, c) => { const k = at(chart, s, c); return k < 0 ? null : s.y[k]; });
    return { ...base,
      radar: { indicator, center: ["50%", "52%"], radius: narrow ? "54%" : "66%", axisName: { color: t.ink, fontSize: narrow ? 11 : 12, lineHeight: 14 },
        splitLine: { lineStyle: { color: t.grid } }, splitArea: { show: false }, axisLine: { lineStyle: { color: t.line } } },
      series: panel.series.map((s) => {
        const { colour, path, dash } = look(chart.names.indexOf(s.name));
        return { type: "radar", name: s.name, symbol: `path://${path}`, symbolSize: 8, itemStyle: { color: colour }, lineStyle: { color: colour, width: 2, type: dash },
          areaStyle: { color: colour, opacity: 0.08 }, data: [{ name: s.name, value: values(s) }] };
      }),
      tooltip: { trigger: "item", confine: true, backgroundColor: t.panel, borderColor: t.line, textStyle: { color: t.ink },
        formatter: (p) => `<div class="tip"><b>${escape(p.seriesName)}</b><br>${chart.categories.map((c, k) => `${escape(c)}: ${escape(withUnit(p.value[k], chart.yUnit))}`).join("<br>")}</div>` } };
  };

  const option = (chart, panel, width) => {
    const t = theme();
    const base = { animation: false, backgroundColor: "transparent", legend: { show: false }, aria: { enabled: false },
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily } };
    if (chart.kind === "radar") return radar(chart, panel, t, base, width);
    const made = { ...base,
      grid: { left: 10, right: 26, top: 16, bottom: 8, outerBoundsMode: "same", outerBoundsContain: "all" },
      xAxis: xAxis(chart, t, width), yAxis: yAxis(chart, panel, t, width), series: allSeries(chart, panel, t, width), tooltip: tooltip(chart, panel, t),
      // Ctrl and the wheel, or a drag after the button "zoom": the wheel alone scrolls the page.
      dataZoom: [{ type: "inside", xAxisIndex: 0, filterMode: "none", zoomOnMouseWheel: "ctrl", moveOnMouseMove: "shift", moveOnMouseWheel: false, preventDefaultMouseMove: false }],
      toolbox: { show: true, itemSize: 0, showTitle: false, feature: { dataZoom: { filterMode: "none" } } },
    };
    made.yAxis.nameGap = 12;
    if (isHeat(chart)) {
      const choice = chart.kind === "choice";
      const [low, high] = choice ? [1, chart.worst] : range(chart, panel);
      const send = chart.logY || choice ? Math.log10 : (v) => v;
      const back = chart.logY || choice ? (v) => 10 ** v : (v) => v;
      const text = choice ? (v) => `×${netloom.plain(v, 2)}` : (v) => withUnit(v, chart.yUnit);
      made.grid.bottom = 44;
      made.visualMap = { type: "continuous", dimension: 2, seriesIndex: 0, min: send(low), max: send(high) === send(low) ? send(low) + 1 : send(high), calculable: false,
        orient: "horizontal", left: "center", bottom: 0, itemWidth: 14, itemHeight: Math.min(180, width * 0.25), text: [text(high), choice ? "best" : `${chart.valueLabel}:  ${text(low)}`],
        textStyle: { color: t.faint, fontSize: 11 }, inRange: { color: choice ? [...data.look.heat].reverse() : data.look.heat }, formatter: (v) => text(back(v)) };
    }
    return made;
  };

  return { option, xText, isHeat };
})();
