"use strict";
// The adjacency matrix of a network on the view's canvas.
(() => {
  const { unpack, shade, withUnit } = netloom;
  const { count, ramp, entry, rampEntry } = netloom.network;
  const MARGIN = 52;

  netloom.NetworkMatrix = class {
    get slow() { return false; }

    // Cells as they are given, or counted from the links of the graph.
    constructor(view) {
      this.view = view;
      this.net = view.net;
      const { low, high, count: cables, load } = view.graph || {};
      this.load = load;
      const n = this.net.switches;
      const side = this.net.cells ? this.net.side : Math.min(n, 512);
      let grid;
      if (this.net.cells) grid = unpack(this.net.cells, "u2");
      else {
        grid = load ? new Float32Array(side * side) : new Uint32Array(side * side);
        for (let i = 0; i < low.length; i++) {
          const a = Math.floor(low[i] * side / n);
          const b = Math.floor(high[i] * side / n);
          const v = load ? load[i] : cables[i];
          const put = (k) => { grid[k] = load ? Math.max(grid[k], v) : grid[k] + v; };
          put(a * side + b);
          if (a !== b) put(b * side + a);
        }
      }
      let most = load ? this.net.loadMax : 1;
      for (const c of grid) most = Math.max(most, c);
      Object.assign(this, { side, grid, most });
    }

    fit() {
      const view = this.view;
      view.scale = Math.max(10, Math.min(view.width, view.height) - 2 * MARGIN);
      view.dx = (view.width - view.scale) / 2;
      view.dy = (view.height - view.scale) / 2;
    }

    draw(pen) {
      const { side, grid, most } = this;
      const { dx, dy, scale } = this.view;
      const colours = this.load ? ramp() : netloom.data.look.heat;
      const image = new ImageData(side, side);
      for (let i = 0; i < grid.length; i++) {
        if (!grid[i]) continue;
        const share = this.load ? grid[i] / most : most === 1 ? 0.3 : 0.15 + 0.85 * Math.log(grid[i]) / Math.log(most);
        const [r, g, b] = shade(colours, share);
        image.data.set([r, g, b, 255], 4 * i);
      }
      const sheet = document.createElement("canvas");
      sheet.width = sheet.height = side;
      sheet.getContext("2d").putImageData(image, 0, 0);
      pen.imageSmoothingEnabled = false;
      pen.drawImage(sheet, dx, dy, scale, scale);
      pen.strokeStyle = netloom.css("--line");
      pen.strokeRect(dx, dy, scale, scale);
      pen.fillStyle = netloom.css("--faint");
      pen.font = "12px system-ui, sans-serif";
      const last = String(this.net.switches - 1);
      pen.textBaseline = "bottom";
      pen.textAlign = "left"; pen.fillText("0", dx, dy - 4);
      pen.textAlign = "center"; pen.fillText("switch", dx + scale / 2, dy - 4);
      pen.textAlign = "right"; pen.fillText(last, dx + scale, dy - 4);
      pen.textBaseline = "middle";
      pen.fillText("0", dx - 5, dy + 8); pen.fillText(last, dx - 5, dy + scale - 8);
      pen.fillText("switch", dx - 5, dy + scale / 2);
    }

    legend() {
      if (this.load) return [rampEntry(this.net)];
      const { side, most } = this;
      const colour = (share) => `rgb(${shade(netloom.data.look.heat, share).join(" ")})`;
      const what = side < this.net.switches ? ` between blocks of about ${Math.ceil(this.net.switches / side)} switches` : "";
      const items = [entry(colour(most === 1 ? 0.3 : 0.15), `1 cable${what}`, true)];
      if (most > 1) items.push(entry(colour(1), `${most} cables${what}`, true));
      return items;
    }

    point(pen, x, y) {
      const { side, grid } = this;
      const { dx, dy, scale } = this.view;
      const column = Math.floor((x - dx) / scale * side);
      const row = Math.floor((y - dy) / scale * side);
      if (column < 0 || row < 0 || column >= side || row >= side) return "";
      const n = this.net.switches;
      const span = (k) => {
        const from = Math.ceil(k * n / side);
        const to = Math.ceil((k + 1) * n / side) - 1;
        return from === to ? `switch ${from}` : `switches ${from} to ${to}`;
      };
      const size = scale / side;
      pen.strokeStyle = netloom.css("--bad");
      pen.lineWidth = 1;
      pen.strokeRect(dx, dy + row * size, scale, size);
      pen.strokeRect(dx + column * size, dy, size, scale);
      if (this.load) return `${span(row)} and ${span(column)}: ${withUnit(grid[row * side + column], this.net.loadUnit, 3)}`;
      return `${span(row)} and ${span(column)}: ${count(grid[row * side + column], "cable", "cables")}`;
    }
  };
})();
