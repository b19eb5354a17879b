"use strict";
// The network view: switches and cables on a canvas, or the adjacency matrix; pan, zoom, hover. No library.
(() => {
  const { unpack, shade, make, withUnit } = netloom;
  const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

  class View {
    constructor(box, net) {
      this.box = box;
      this.net = net;
      this.degree = unpack(net.degree, "u4");
      this.hasGraph = net.low !== undefined;
      if (this.hasGraph) this.readGraph();
      this.mode = net.view;
      this.build();
      this.reset();
      new ResizeObserver(() => this.resize()).observe(this.stage);
      netloom.redraws.push(() => this.draw());
    }

    readGraph() {
      const net = this.net;
      this.low = unpack(net.low, "u2");
      this.high = unpack(net.high, "u2");
      this.count = unpack(net.count, "u1");
      this.bend = unpack(net.bend, "u1");
      const x = unpack(net.x, "u2");
      const y = unpack(net.y, "u2");
      this.px = Float64Array.from(x, (v) => v / 65535);
      this.py = Float64Array.from(y, (v) => 1 - v / 65535);
      this.kind = unpack(net.kind, "u4");
      this.kinds = [...new Set(this.kind)].sort((a, b) => a - b);
      this.load = net.load ? unpack(net.load, "f4") : null;
      // The greatest loads are drawn last, over the others.
      this.order = Uint32Array.from(this.low, (_, i) => i);
      if (this.load) this.order.sort((p, q) => this.load[p] - this.load[q]);
      this.classOf = net.classOf ? unpack(net.classOf, "u2") : new Uint16Array(this.low.length);
      // Links of each switch, for the highlight.
      this.first = new Uint32Array(net.switches + 1);
      for (let i = 0; i < this.low.length; i++) { this.first[this.low[i] + 1]++; this.first[this.high[i] + 1]++; }
      for (let s = 0; s < net.switches; s++) this.first[s + 1] += this.first[s];
      const fill = this.first.slice();
      this.mine = new Uint32Array(2 * this.low.length);
      for (let i = 0; i < this.low.length; i++) { this.mine[fill[this.low[i]]++] = i; this.mine[fill[this.high[i]]++] = i; }
    }

    build() {
      const tools = make("div", { className: "tools" });
      const modes = this.hasGraph ? ["graph", "matrix"] : ["matrix"];
      this.modeButtons = modes.map((mode) => {
        const button = make("button", { textContent: mode });
        button.addEventListener("click", () => { this.mode = mode; this.reset(); });
        return button;
      });
      const zoom = (text, title, act) => {
        const button = make("button", { textContent: text, title });
        button.setAttribute("aria-label", title);
        button.addEventListener("click", act);
        return button;
      };
      const range = this.degree.reduce((r, d) => [Math.min(r[0], d), Math.max(r[1], d)], [Infinity, 0]);
      const degree = range[0] === range[1] ? `degree ${range[0]}` : `degree ${range[0]} to ${range[1]}`;
      tools.append(
        ...this.modeButtons,
        zoom("+", "zoom in", () => this.zoomAt(1.4)),
        zoom("−", "zoom out", () => this.zoomAt(1 / 1.4)),
        zoom("whole", "show all of it", () => this.reset()),
        make("span", { className: "said",
          textContent: `${count(this.net.switches, "switch", "switches")}, ${count(this.net.cables, "cable", "cables")}, ${degree}. Drag to move, Ctrl + wheel to zoom, point at a switch for its links${this.load ? ", at a link for its load" : ""}.` }),
      );
      this.legend = make("div", { className: "legend" });
      this.base = make("canvas");
      this.over = make("canvas");
      this.bubble = make("div", { className: "bubble" });
      this.stage = make("div", { className: "stage" }, this.base, this.over, this.bubble);
      this.stage.setAttribute("role", "img");
      this.stage.setAttribute("aria-label", this.net.alt);
      this.box.append(tools, this.legend, this.stage, ...this.hot());
      this.listen();
    }

    // The same causes as words, for readers without a pointer.
    hot() {
      const named = Object.keys(this.net.notes || {}).map(Number);
      if (!named.length) return [];
      named.sort((p, q) => this.load[q] - this.load[p]);
      const items = named.map((i) => make("li", { textContent: this.linkText(i).replaceAll("\n", ". ") }));
      return [make("details", { className: "fold" }, make("summary", { textContent: `hottest links: ${named.length}` }), make("ol", {}, ...items))];
    }

    listen() {
      const over = this.over;
      over.addEventListener("pointerdown", (e) => { this.grab = [e.clientX, e.clientY]; over.setPointerCapture(e.pointerId); over.style.cursor = "grabbing"; });
      over.addEventListener("pointerup", () => { this.grab = null; over.style.cursor = "grab"; this.later(); });
      over.addEventListener("pointermove", (e) => {
        const at = over.getBoundingClientRect();
        if (this.grab) {
          this.dx += e.clientX - this.grab[0];
          this.dy += e.clientY - this.grab[1];
          this.grab = [e.clientX, e.clientY];
          if (this.slow) this.slide(this.dx - this.drawnX, this.dy - this.drawnY); else this.later();
        } else {
          this.point(e.clientX - at.left, e.clientY - at.top);
        }
      });
      over.addEventListener("pointerleave", () => this.point(-1e9, -1e9));
      over.addEventListener("dblclick", () => this.reset());
      over.addEventListener("wheel", (e) => {
        // Without a key the wheel scrolls the page, as people expect.
        if (!e.ctrlKey && !e.metaKey) return;
        e.preventDefault();
        const at = over.getBoundingClientRect();
        this.zoomAt(Math.exp(-e.deltaY / 300), e.clientX - at.left, e.clientY - at.top);
      }, { passive: false });
    }

    // Many links take long to draw: while the hand moves, the finished picture moves along.
    slide(x, y) { this.base.style.transform = x || y ? `translate(${x}px, ${y}px)` : ""; }

    later() {
      if (this.queued) return;
      this.queued = true;
      requestAnimationFrame(() => { this.queued = false; this.draw(); });
    }

    resize() {
      const { width, height } = this.stage.getBoundingClientRect();
      if (width === this.width && height === this.height) return;
      this.reset();
    }

    reset() {
      const box = this.stage.getBoundingClientRect();
      this.width = box.width;
      this.height = box.height;
      const dpr = window.devicePixelRatio || 1;
      for (const canvas of [this.base, this.over]) { canvas.width = Math.round(box.width * dpr); canvas.height = Math.round(box.height * dpr); }
      this.dpr = dpr;
      const margin = this.mode === "graph" ? 28 : 44;
      this.scale = Math.max(10, Math.min(this.width, this.height) - 2 * margin);
      if (this.mode === "graph") this.fitGraph(margin);
      else { this.dx = (this.width - this.scale) / 2; this.dy = (this.height - this.scale) / 2; }
      this.modeButtons.forEach((b) => b.setAttribute("aria-pressed", String(b.textContent === this.mode)));
      this.draw();
    }

    // Fill the stage: the drawing may be flatter than the unit square.
    fitGraph(margin) {
      const ends = (values) => values.reduce((r, v) => [Math.min(r[0], v), Math.max(r[1], v)], [Infinity, -Infinity]);
      const [x0, x1] = ends(this.px);
      const [y0, y1] = ends(this.py);
      const slack = this.net.layout === "grid" ? 0.1 : 0.0;
      const fit = (room, span) => (room - 2 * margin) / (span + slack || 1e-9);
      this.scale = Math.max(10, Math.min(fit(this.width, x1 - x0), fit(this.height, y1 - y0), 4 * this.width));
      this.dx = this.width / 2 - this.scale * (x0 + x1) / 2;
      this.dy = this.height / 2 - this.scale * (y0 + y1) / 2;
    }

    zoomAt(factor, x = this.width / 2, y = this.height / 2) {
      const next = Math.max(20, Math.min(2e6, this.scale * factor));
      const f = next / this.scale;
      this.dx = x - (x - this.dx) * f;
      this.dy = y - (y - this.dy) * f;
      this.scale = next;
      this.later();
    }

    draw() {
      const pen = this.base.getContext("2d");
      pen.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
      pen.clearRect(0, 0, this.width, this.height);
      [this.drawnX, this.drawnY] = [this.dx, this.dy];
      this.slow = this.mode === "graph" && this.low.length > 4000;
      this.slide(0, 0);
      if (this.mode === "graph") this.drawGraph(pen); else this.drawMatrix(pen);
      this.point(-1e9, -1e9);
      this.drawLegend();
    }

    at(s) { return [this.dx + this.scale * this.px[s], this.dy + this.scale * this.py[s]]; }

    trace(pen, i) {
      const [x1, y1] = this.at(this.low[i]);
      const [x2, y2] = this.at(this.high[i]);
      pen.moveTo(x1, y1);
      if (this.bend[i]) pen.quadraticCurveTo((x1 + x2) / 2 + (y2 - y1) * 0.12, (y1 + y2) / 2 - (x2 - x1) * 0.12, x2, y2);
      else pen.lineTo(x2, y2);
    }

    loadColour(i) {
      const [r, g, b] = shade(this.ramp(), this.load[i] / (this.net.loadMax || 1));
      return `rgb(${r} ${g} ${b})`;
    }
    ramp() { return netloom.data.look[netloom.isDark() ? "loadDark" : "load"]; }

    linkColour(k) { return this.net.classNames.length > 1 ? netloom.look(k).colour : netloom.css("--faint"); }
    nodeColour(s) {
      if (this.load && this.net.kindName !== "box") return netloom.css("--faint");
      return this.kindColour(this.kinds.indexOf(this.kind[s]));
    }
    // A few kinds have the colours of series, more have hues that differ most from their neighbours'.
    kindColour(k) {
      const n = this.kinds.length;
      if (n === 1 || n > 64) return netloom.css("--accent");
      return n <= 7 ? netloom.look(k).colour : `hsl(${Math.round((k * 137.508) % 360)} 60% ${netloom.isDark() ? 62 : 42}%)`;
    }

    kindText(k) { return this.net.kindWords[k] || `${this.net.kindName} ${this.kinds[k]}`; }

    drawGraph(pen) {
      const links = this.low.length;
      const classes = Math.max(1, this.net.classNames.length);
      if (this.load) this.drawLoads(pen);
      else pen.globalAlpha = Math.max(0.08, Math.min(0.75, 120 / Math.sqrt(links) / 10));
      for (let k = 0; !this.load && k < classes; k++) {
        pen.strokeStyle = this.linkColour(k);
        // Paths are cut into pieces: one path of 30,000 lines is slower than many short ones.
        let open = 0;
        pen.lineWidth = links > 4000 ? 1 : 1.2;
        pen.beginPath();
        for (let i = 0; i < links; i++) {
          if (this.classOf[i] !== k) continue;
          this.trace(pen, i);
          if (++open % 30 === 0) { pen.stroke(); pen.beginPath(); }
        }
        pen.stroke();
      }
      pen.globalAlpha = 1;
      const r = this.radius();
      const colours = new Map();
      for (let s = 0; s < this.net.switches; s++) {
        const key = this.kind[s];
        if (!colours.has(key)) colours.set(key, this.nodeColour(s));
        const [x, y] = this.at(s);
        if (x < -r || y < -r || x > this.width + r || y > this.height + r) continue;
        pen.fillStyle = colours.get(key);
        pen.beginPath();
        pen.arc(x, y, r, 0, 2 * Math.PI);
        pen.fill();
      }
      if (r >= 8) {
        pen.fillStyle = netloom.css("--paper");
        pen.font = `600 ${Math.min(12, r)}px system-ui, sans-serif`;
        pen.textAlign = "center";
        pen.textBaseline = "middle";
        for (let s = 0; s < this.net.switches; s++) pen.fillText(String(s), ...this.at(s));
      }
    }

    // Colour and width tell the load; idle links are faint.
    drawLoads(pen) {
      const most = this.net.loadMax || 1;
      const thin = Math.max(0.4, Math.min(1.2, 40 / Math.sqrt(this.low.length)));
      for (const i of this.order) {
        const share = this.load[i] / most;
        pen.globalAlpha = share > 0 ? 0.35 + 0.65 * share : 0.25;
        pen.strokeStyle = share > 0 ? this.loadColour(i) : netloom.css("--line");
        pen.lineWidth = thin * (1 + 3.2 * share);
        pen.beginPath();
        this.trace(pen, i);
        pen.stroke();
      }
    }

    radius() {
      const apart = this.net.layout === "circle" ? Math.PI / this.net.switches : 0.6 / Math.sqrt(this.net.switches);
      return Math.max(1.5, Math.min(13, this.scale * apart * 0.45));
    }

    cells() {
      if (this.matrix) return this.matrix;
      const n = this.net.switches;
      const side = this.net.cells ? this.net.side : Math.min(n, 512);
      let grid;
      if (this.net.cells) grid = unpack(this.net.cells, "u2");
      else {
        grid = this.load ? new Float32Array(side * side) : new Uint32Array(side * side);
        for (let i = 0; i < this.low.length; i++) {
          const a = Math.floor(this.low[i] * side / n);
          const b = Math.floor(this.high[i] * side / n);
          const v = this.load ? this.load[i] : this.count[i];
          const put = (k) => { grid[k] = this.load ? Math.max(grid[k], v) : grid[k] + v; };
          put(a * side + b);
          if (a !== b) put(b * side + a);
        }
      }
      let most = this.load ? this.net.loadMax : 1;
      for (const c of grid) most = Math.max(most, c);
      this.matrix = { side, grid, most };
      return this.matrix;
    }

    drawMatrix(pen) {
      const { side, grid, most } = this.cells();
      const image = new ImageData(side, side);
      for (let i = 0; i < grid.length; i++) {
        if (!grid[i]) continue;
        const share = this.load ? grid[i] / most : most === 1 ? 0.3 : 0.15 + 0.85 * Math.log(grid[i]) / Math.log(most);
        const [r, g, b] = shade(this.load ? this.ramp() : netloom.data.look.heat, share);
        image.data.set([r, g, b, 255], 4 * i);
      }
      const sheet = document.createElement("canvas");
      sheet.width = sheet.height = side;
      sheet.getContext("2d").putImageData(image, 0, 0);
      pen.imageSmoothingEnabled = false;
      pen.drawImage(sheet, this.dx, this.dy, this.scale, this.scale);
      pen.strokeStyle = netloom.css("--line");
      pen.strokeRect(this.dx, this.dy, this.scale, this.scale);
      pen.fillStyle = netloom.css("--faint");
      pen.font = "12px system-ui, sans-serif";
      const last = String(this.net.switches - 1);
      pen.textBaseline = "bottom";
      pen.textAlign = "left"; pen.fillText("0", this.dx, this.dy - 4);
      pen.textAlign = "center"; pen.fillText("switch", this.dx + this.scale / 2, this.dy - 4);
      pen.textAlign = "right"; pen.fillText(last, this.dx + this.scale, this.dy - 4);
      pen.textBaseline = "middle";
      pen.fillText("0", this.dx - 5, this.dy + 8); pen.fillText(last, this.dx - 5, this.dy + this.scale - 8);
      pen.fillText("switch", this.dx - 5, this.dy + this.scale / 2);
    }

    drawLegend() {
      const entry = (colour, text, round) => {
        const item = document.createElement("span");
        item.className = "said";
        const dot = document.createElement("span");
        dot.style.cssText = `display:inline-block;width:${round ? ".8em" : "1.4em"};height:${round ? ".8em" : ".22em"};vertical-align:middle;border-radius:${round ? "50%" : "0"};background:${colour};margin:0 .4em 0 .6em`;
        item.append(dot, text);
        return item;
      };
      const items = [];
      if (this.mode === "graph") {
        if (this.load) items.push(this.rampLegend());
        else if (this.net.classNames.length > 1) this.net.classNames.forEach((name, k) => items.push(entry(this.linkColour(k), `${name} links`, false)));
        if ((!this.load || this.net.kindName === "box") && this.net.kindName && this.kinds.length > 1 && this.kinds.length <= 12) {
          this.kinds.forEach((_, k) => items.push(entry(this.kindColour(k), this.kindText(k), true)));
        }
      } else if (this.load) items.push(this.rampLegend());
      else {
        const { side, most } = this.cells();
        const [r, g, b] = shade(netloom.data.look.heat, most === 1 ? 0.3 : 0.15);
        const [r2, g2, b2] = shade(netloom.data.look.heat, most === 1 ? 0.3 : 1);
        const what = side < this.net.switches ? ` between blocks of about ${Math.ceil(this.net.switches / side)} switches` : "";
        items.push(entry(`rgb(${r} ${g} ${b})`, `1 cable${what}`, true));
        if (most > 1) items.push(entry(`rgb(${r2} ${g2} ${b2})`, `${most} cables${what}`, true));
      }
      this.legend.replaceChildren(...items);
    }

    rampLegend() {
      const stops = this.ramp();
      const ramp = make("i");
      ramp.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
      return make("span", { className: "ramp" }, `${this.net.loadLabel}: 0`, ramp, withUnit(this.net.loadMax, this.net.loadUnit, 3));
    }

    point(x, y) {
      const pen = this.over.getContext("2d");
      pen.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
      pen.clearRect(0, 0, this.width, this.height);
      this.bubble.style.display = "none";
      if (x < 0) return;
      const text = this.mode === "graph" ? this.pointGraph(pen, x, y) : this.pointMatrix(pen, x, y);
      if (!text) return;
      this.bubble.textContent = text;
      this.bubble.style.display = "block";
      const { width, height } = this.bubble.getBoundingClientRect();
      this.bubble.style.left = `${Math.max(0, Math.min(this.width - width - 2, x + 14))}px`;
      this.bubble.style.top = `${Math.max(0, Math.min(this.height - height - 2, y + 14))}px`;
    }

    pointGraph(pen, x, y) {
      let best = -1;
      let near = Math.max(9, this.radius() + 2) ** 2;
      for (let s = 0; s < this.net.switches; s++) {
        const [sx, sy] = this.at(s);
        const d = (sx - x) ** 2 + (sy - y) ** 2;
        if (d < near) { near = d; best = s; }
      }
      if (best < 0) return this.load ? this.pointLink(pen, x, y) : "";
      pen.strokeStyle = pen.fillStyle = netloom.css("--bad");
      pen.lineWidth = 2;
      pen.beginPath();
      for (let k = this.first[best]; k < this.first[best + 1]; k++) this.trace(pen, this.mine[k]);
      pen.stroke();
      for (let k = this.first[best]; k < this.first[best + 1]; k++) {
        const i = this.mine[k];
        this.dot(pen, this.low[i] === best ? this.high[i] : this.low[i], this.radius() + 0.5);
      }
      this.dot(pen, best, this.radius() + 3);
      const kind = this.net.kindName ? `, ${this.kindText(this.kinds.indexOf(this.kind[best]))}` : "";
      return `switch ${best}${kind}: ${count(this.degree[best], "cable", "cables")} to ${count(this.first[best + 1] - this.first[best], "switch", "switches")}`;
    }

    // The most loaded of the links near the pointer.
    pointLink(pen, x, y) {
      let best = -1;
      for (let k = this.order.length - 1; k >= 0; k--) {
        const i = this.order[k];
        if (this.away(i, x, y) < 6) { best = i; break; }
      }
      if (best < 0) return "";
      pen.strokeStyle = netloom.css("--ink");
      pen.lineWidth = 3;
      pen.beginPath();
      this.trace(pen, best);
      pen.stroke();
      return this.linkText(best);
    }

    linkText(i) {
      const head = `switches ${this.low[i]} and ${this.high[i]}: ${withUnit(this.load[i], this.net.loadUnit, 3)}`;
      return [head, this.net.notes[i]].filter(Boolean).join("\n");
    }

    away(i, x, y) {
      const [x1, y1] = this.at(this.low[i]);
      const [x2, y2] = this.at(this.high[i]);
      let [ax, ay] = [x1, y1];
      let least = Infinity;
      // A bent link is followed in short pieces.
      const pieces = this.bend[i] ? 8 : 1;
      const [cx, cy] = [(x1 + x2) / 2 + (y2 - y1) * 0.12, (y1 + y2) / 2 - (x2 - x1) * 0.12];
      for (let k = 1; k <= pieces; k++) {
        const t = k / pieces;
        const [bx, by] = pieces === 1 ? [x2, y2] : [(1 - t) ** 2 * x1 + 2 * t * (1 - t) * cx + t * t * x2, (1 - t) ** 2 * y1 + 2 * t * (1 - t) * cy + t * t * y2];
        const [dx, dy] = [bx - ax, by - ay];
        const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
        least = Math.min(least, Math.hypot(x - ax - along * dx, y - ay - along * dy));
        [ax, ay] = [bx, by];
      }
      return least;
    }

    dot(pen, s, r) {
      pen.beginPath();
      pen.arc(...this.at(s), r, 0, 2 * Math.PI);
      pen.fill();
    }

    pointMatrix(pen, x, y) {
      const { side, grid } = this.cells();
      const column = Math.floor((x - this.dx) / this.scale * side);
      const row = Math.floor((y - this.dy) / this.scale * side);
      if (column < 0 || row < 0 || column >= side || row >= side) return "";
      const n = this.net.switches;
      const span = (k) => {
        const from = Math.ceil(k * n / side);
        const to = Math.ceil((k + 1) * n / side) - 1;
        return from === to ? `switch ${from}` : `switches ${from} to ${to}`;
      };
      const size = this.scale / side;
      pen.strokeStyle = netloom.css("--bad");
      pen.lineWidth = 1;
      pen.strokeRect(this.dx, this.dy + row * size, this.scale, size);
      pen.strokeRect(this.dx + column * size, this.dy, size, this.scale);
      if (this.load) return `${span(row)} and ${span(column)}: ${withUnit(grid[row * side + column], this.net.loadUnit, 3)}`;
      return `${span(row)} and ${span(column)}: ${count(grid[row * side + column], "cable", "cables")}`;
    }
  }

  document.querySelectorAll("[data-network]").forEach((box) => new View(box, netloom.data.networks[box.dataset.network]));
})();
