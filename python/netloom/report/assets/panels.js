"use strict";
// A chart on the page: legend, panels, zoom, its values as a table, the run behind a point.
(() => {
  const { data, make, look, withUnit } = netloom;
  const { option, xText, isHeat } = netloom.chart;
  //: Rows of the table of a chart's values.
  const VALUES = 1000;

  const legendIcon = (chart, i) => {
    const { colour, path, dash } = look(i);
    const svg = (inner) => `<svg viewBox="0 0 26 14" aria-hidden="true">${inner}</svg>`;
    if (chart.kind === "bar" || chart.kind === "box" || chart.kind === "area") return svg(`<rect x="6" y="1" width="14" height="12" rx="2" fill="${colour}"/>`);
    const lines = { solid: "", dashed: "6 3", dotted: "2 3" };
    const line = chart.kind === "line" || chart.kind === "radar" ? `<path d="M0 7H26" stroke="${colour}" stroke-width="2" stroke-dasharray="${lines[dash] ?? "8 3 2 3"}"/>` : "";
    return svg(`${line}<path transform="translate(8 2)" d="${path}" fill="${colour}"/>`);
  };

  class Chart {
    constructor(box) {
      this.chart = data.charts[box.dataset.chart];
      this.legend = make("div", { className: "legend" });
      this.panels = make("div", { className: this.chart.panels.length > 1 ? "panels" : "panels one" });
      this.picked = make("div", { className: "picked" });
      this.picked.setAttribute("role", "status");
      this.hidden = new Set();
      box.append(this.legend, this.panels, this.tools(box), this.picked);
      this.drawn = this.chart.panels.map((panel) => this.panel(panel));
      this.buttons();
      netloom.redraws.push(() => this.redraw());
    }

    panel(panel) {
      const { chart } = this;
      const holder = make("div", { className: "panel" });
      if (panel.name) holder.append(make("h3", { textContent: panel.name }));
      const plot = make("div", { className: `plot ${chart.kind}` });
      plot.setAttribute("role", "img");
      plot.setAttribute("aria-label", chart.alt.replace("{panel}", panel.name));
      if (isHeat(chart)) plot.style.height = `${Math.max(15, Math.min(44, 8 + 1.9 * chart.rows.length))}rem`;
      holder.append(plot);
      this.panels.append(holder);
      const points = panel.series.reduce((sum, s) => sum + s.x.length, 0);
      const made = echarts.init(plot, null, { renderer: points > 3000 ? "canvas" : "svg" });
      const draw = () => {
        made.setOption(option(chart, panel, plot.clientWidth), true);
        for (const name of this.hidden) made.dispatchAction({ type: "legendUnSelect", name });
        this.fit(plot);
      };
      draw();
      let width = plot.clientWidth;
      new ResizeObserver(() => {
        if (!plot.clientWidth || plot.clientWidth === width) return;
        width = plot.clientWidth;
        made.resize();
        draw();
      }).observe(plot);
      made.on("click", (p) => this.pick(panel, p));
      return { made, draw };
    }

    // A drawing scales with its box on paper.
    fit(plot) {
      const svg = plot.querySelector("svg");
      if (svg && !svg.getAttribute("viewBox")) svg.setAttribute("viewBox", `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`);
      if (svg) svg.setAttribute("viewBox", `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`);
    }

    redraw() {
      this.buttons();
      this.drawn.forEach(({ draw }) => draw());
    }

    buttons() {
      const { chart } = this;
      if (isHeat(chart) || (chart.names.length === 1 && chart.names[0] === "")) return;
      this.legend.replaceChildren(...chart.names.map((name, i) => {
        const button = make("button", { type: "button", title: "click to hide or show", innerHTML: legendIcon(chart, i) });
        button.setAttribute("aria-pressed", String(!this.hidden.has(name)));
        button.append(make("span", { textContent: name }));
        button.addEventListener("click", () => {
          const shown = this.hidden.has(name);
          if (shown) this.hidden.delete(name); else this.hidden.add(name);
          button.setAttribute("aria-pressed", String(shown));
          this.drawn.forEach(({ made }) => made.dispatchAction({ type: shown ? "legendSelect" : "legendUnSelect", name }));
        });
        return button;
      }));
    }

    tools(box) {
      const { chart } = this;
      const bar = make("div", { className: "tools" });
      const button = (text, title, act) => {
        const made = make("button", { type: "button", textContent: text, title });
        made.addEventListener("click", () => act(made));
        bar.append(made);
        return made;
      };
      if (chart.kind !== "radar") {
        const zoom = button("zoom", "drag over the part to enlarge; Ctrl and the wheel do the same", (made) => {
          const on = made.getAttribute("aria-pressed") !== "true";
          made.setAttribute("aria-pressed", String(on));
          this.drawn.forEach((d) => d.made.dispatchAction({ type: "takeGlobalCursor", key: "dataZoomSelect", dataZoomSelectActive: on }));
        });
        zoom.setAttribute("aria-pressed", "false");
        button("whole", "show all of it", () => { zoom.setAttribute("aria-pressed", "false"); this.redraw(); });
      }
      const values = make("details", { className: "values" }, make("summary", { textContent: "values" }));
      values.addEventListener("toggle", () => { if (values.open && values.childElementCount === 1) values.append(this.values()); });
      bar.append(values);
      return bar;
    }

    // The same numbers for those who do not see the picture, or want to read them.
    values() {
      const { chart } = this;
      const words = { box: ["min", "lower quartile", "median", "upper quartile", "max"] }[chart.kind] || [isHeat(chart) ? chart.valueLabel : chart.yLabel];
      const some = chart.panels.some((panel) => panel.name);
      const named = isHeat(chart) || chart.names.some((name) => name);
      const heads = [...(some ? ["panel"] : []), ...(named ? [isHeat(chart) ? chart.yLabel : "series"] : []), chart.xLabel, ...words];
      const body = make("tbody");
      let left = VALUES;
      for (const panel of chart.panels) {
        for (const s of panel.series) {
          for (let k = 0; k < s.x.length && left > 0; k++, left--) {
            const numbers = s.box ? s.box[k] : [s.y[k]];
            const cells = [...(some ? [panel.name] : []), ...(named ? [s.name] : []), xText(chart, s.x[k]), ...numbers.map((v) => withUnit(v, chart.yUnit))];
            const row = make("tr", {}, ...cells.map((text, c) => make(c ? "td" : "th", { textContent: text, ...(c ? {} : { scope: "row" }) })));
            if (s.runs) {
              const show = make("button", { type: "button", textContent: "run" });
              show.addEventListener("click", () => this.show(s.runs[k], s.more[k]));
              row.append(make("td", {}, show));
            }
            body.append(row);
          }
        }
      }
      const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col", textContent: text })));
      const scroll = make("div", { className: "scroll", tabIndex: 0 }, make("table", {}, make("thead", {}, head), body));
      scroll.setAttribute("role", "region");
      scroll.setAttribute("aria-label", "values of the chart");
      return scroll;
    }

    pick(panel, p) {
      if (p.componentType !== "series") return;
      const { chart } = this;
      let s;
      let k;
      if (isHeat(chart)) { s = panel.series.find((one) => one.row === p.value[1]); k = p.value[5]; }
      else {
        s = panel.series.find((one) => one.name === p.seriesName);
        k = chart.kind === "bar" || chart.kind === "box" ? s.x.indexOf(p.dataIndex) : p.value[2];
      }
      if (s && s.runs && s.runs[k]) this.show(s.runs[k], s.more[k]);
    }

    show(runs, more) {
      const told = runs.map((k) => netloom.runText(this.chart.source, k)).filter(Boolean);
      const parts = told.map(({ labels, command }) => {
        const facts = make("dl", { className: "facts" }, ...labels.map(([name, value]) => make("div", {}, make("dt", { textContent: name }), make("dd", { textContent: value }))));
        if (!command) return make("div", { className: "run" }, facts);
        const copy = make("button", { type: "button", textContent: "copy" });
        copy.addEventListener("click", () => navigator.clipboard.writeText(command).then(() => { copy.textContent = "copied"; }, () => {}));
        return make("div", { className: "run" }, facts, make("p", { className: "again" }, make("code", { textContent: command }), " ", copy));
      });
      const close = make("button", { type: "button", textContent: "close" });
      close.addEventListener("click", () => this.picked.replaceChildren());
      const count = runs.length + more;
      const head = make("p", { className: "said" }, count === 1 ? "This is the run:" : `${count} runs are behind this${more ? `; the first ${runs.length}` : ""}:`, " ", close);
      this.picked.replaceChildren(head, ...parts);
    }
  }

  // The first chart at once, the others one after another, so that the page answers meanwhile; paper waits for all.
  const boxes = [...document.querySelectorAll("[data-chart]")];
  const next = () => {
    const box = boxes.shift();
    if (box) new Chart(box);
    else document.documentElement.dataset.ready = "yes";
    return box;
  };
  const rest = () => { if (next()) setTimeout(rest, 0); };
  window.addEventListener("beforeprint", () => { while (next()); });
  if (next()) setTimeout(rest, 0);
})();
