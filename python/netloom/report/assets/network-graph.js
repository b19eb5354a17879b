"use strict";
// Switches and cables of a network as a graph on the view's canvas.
(() => {
  const { unpack, shade, make, withUnit } = netloom;
  const { count, ramp, entry, rampEntry } = netloom.network;
  const MARGIN = 28;

  //: Least size of a number that can be read, and the width of a digit, as a share of it.
  const LEAST = 7;
  const DIGIT = 0.64;

  // The least distance of two places, looked for among neighbours: farther than a cell nobody asks. O(places).
  const nearest = (px, py) => {
    const side = Math.max(1, Math.floor(Math.sqrt(px.length)));
    const cells = new Map();
    const cell = (v) => Math.min(side - 1, Math.floor(v * side));
    let least = 1 / side;
    for (let s = 0; s < px.length; s++) {
      const [i, j] = [cell(px[s]), cell(py[s])];
      for (let a = i - 1; a <= i + 1; a++) {
        for (let b = j - 1; b <= j + 1; b++) {
          for (const t of cells.get(a * side + b) || []) least = Math.min(least, Math.hypot(px[s] - px[t], py[s] - py[t]));
        }
      }
      const key = i * side + j;
      if (cells.has(key)) cells.get(key).push(s); else cells.set(key, [s]);
    }
    return least;
  };

  netloom.NetworkGraph = class {
    constructor(view) {
      this.view = view;
      const net = this.net = view.net;
      this.low = unpack(net.low, "u2");
      this.high = unpack(net.high, "u2");
      this.count = unpack(net.count, "u1");
      this.bend = unpack(net.bend, "u1");
      const x = unpack(net.x, "u2");
      const y = unpack(net.y, "u2");
      this.px = Float64Array.from(x, (v) => v / 65535);
      this.py = Float64Array.from(y, (v) => 1 - v / 65535);
      this.near = nearest(this.px, this.py);
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

    // Many links take long to draw.
    get slow() { return this.low.length > 4000; }

    // Fill the stage: the drawing may be flatter than the unit square.
    fit() {
      const view = this.view;
      const ends = (values) => values.reduce((r, v) => [Math.min(r[0], v), Math.max(r[1], v)], [Infinity, -Infinity]);
      const [x0, x1] = ends(this.px);
      const [y0, y1] = ends(this.py);
      const slack = this.net.layout === "grid" ? 0.1 : 0.0;
      const fit = (room, span) => (room - 2 * MARGIN) / (span + slack || 1e-9);
      view.scale = Math.max(10, Math.min(fit(view.width, x1 - x0), fit(view.height, y1 - y0), 4 * view.width));
      view.dx = view.width / 2 - view.scale * (x0 + x1) / 2;
      view.dy = view.height / 2 - view.scale * (y0 + y1) / 2;
    }

    at(s) { return [this.view.dx + this.view.scale * this.px[s], this.view.dy + this.view.scale * this.py[s]]; }

    trace(pen, i) {
      const [x1, y1] = this.at(this.low[i]);
      const [x2, y2] = this.at(this.high[i]);
      pen.moveTo(x1, y1);
      if (this.bend[i]) pen.quadraticCurveTo((x1 + x2) / 2 + (y2 - y1) * 0.12, (y1 + y2) / 2 - (x2 - x1) * 0.12, x2, y2);
      else pen.lineTo(x2, y2);
    }

    loadColour(i) {
      const [r, g, b] = shade(ramp(), this.load[i] / (this.net.loadMax || 1));
      return `rgb(${r} ${g} ${b})`;
    }

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

    draw(pen) {
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
        if (x < -r || y < -r || x > this.view.width + r || y > this.view.height + r) continue;
        pen.fillStyle = colours.get(key);
        pen.beginPath();
        pen.arc(x, y, r, 0, 2 * Math.PI);
        pen.fill();
      }
      const size = this.letters(r);
      if (size >= LEAST) {
        pen.fillStyle = netloom.css("--paper");
        pen.font = `600 ${size}px system-ui, sans-serif`;
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

    // Circles do not touch: their numbers would run into each other.
    radius() {
      const apart = this.net.layout === "circle" ? Math.PI / this.net.switches : 0.6 / Math.sqrt(this.net.switches);
      return Math.max(1.5, Math.min(13, this.view.scale * Math.min(apart, this.near) * 0.45));
    }

    // Size of the numbers, so that the longest stays within its circle; too small to read where there is no room.
    letters(r) {
      const digits = String(this.net.switches - 1).length;
      return Math.min(12, r, (2 * r - 2) / (DIGIT * digits));
    }

    legend() {
      const items = [];
      if (this.load) items.push(rampEntry(this.net));
      else if (this.net.classNames.length > 1) this.net.classNames.forEach((name, k) => items.push(entry(this.linkColour(k), `${name} links`, false)));
      if ((!this.load || this.net.kindName === "box") && this.net.kindName && this.kinds.length > 1 && this.kinds.length <= 12) {
        this.kinds.forEach((_, k) => items.push(entry(this.kindColour(k), this.kindText(k), true)));
      }
      return items;
    }

    // The same causes as words, for readers without a pointer.
    hot() {
      const named = Object.keys(this.net.notes || {}).map(Number);
      if (!named.length) return [];
      named.sort((p, q) => this.load[q] - this.load[p]);
      const items = named.map((i) => make("li", { textContent: this.linkText(i).replaceAll("\n", ". ") }));
      return [make("details", { className: "fold" }, make("summary", { textContent: `hottest links: ${named.length}` }), make("ol", {}, ...items))];
    }

    point(pen, x, y) {
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
      return `switch ${best}${kind}: ${count(this.view.degree[best], "cable", "cables")} to ${count(this.first[best + 1] - this.first[best], "switch", "switches")}`;
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
  };
})();
