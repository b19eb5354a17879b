"use strict";
// The network view: switches and cables on a canvas, or the adjacency matrix; pan, zoom, hover. No library.
(() => {
  const { unpack, make } = netloom;
  const { count } = netloom.network;

  class View {
    constructor(box, net) {
      this.box = box;
      this.net = net;
      this.degree = unpack(net.degree, "u4");
      this.graph = net.low === undefined ? null : new netloom.NetworkGraph(this);
      this.mode = net.view;
      this.build();
      this.reset();
      new ResizeObserver(() => this.resize()).observe(this.stage);
      netloom.redraws.push(() => this.draw());
      // A canvas that is laid out anew for paper comes out empty there: paper gets a still picture.
      window.addEventListener("beforeprint", () => this.settle());
    }

    // What is drawn: it places itself, draws, names its colours and tells what is at a point.
    get picture() {
      if (this.mode === "graph") return this.graph;
      return this.matrix ||= new netloom.NetworkMatrix(this);
    }

    build() {
      const tools = make("div", { className: "tools" });
      const modes = this.graph ? ["graph", "matrix"] : ["matrix"];
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
          textContent: `${count(this.net.switches, "switch", "switches")}, ${count(this.net.cables, "cable", "cables")}, ${degree}. Drag to move, Ctrl + wheel to zoom, point at a switch for its links${this.graph?.load ? ", at a link for its load" : ""}.` }),
      );
      this.legend = make("div", { className: "legend" });
      this.base = make("canvas");
      this.over = make("canvas");
      this.bubble = make("div", { className: "bubble" });
      this.stage = make("div", { className: "stage" }, this.base, this.over, this.bubble);
      this.stage.setAttribute("role", "img");
      this.stage.setAttribute("aria-label", this.net.alt);
      this.box.append(tools, this.legend, this.stage, ...(this.graph ? this.graph.hot() : []));
      this.listen();
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
          if (this.picture.slow) this.slide(this.dx - this.drawnX, this.dy - this.drawnY); else this.later();
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
      // On paper there is no stage.
      if (!width || (width === this.width && height === this.height)) return;
      this.reset();
    }

    reset() {
      const box = this.stage.getBoundingClientRect();
      this.width = box.width;
      this.height = box.height;
      const dpr = window.devicePixelRatio || 1;
      for (const canvas of [this.base, this.over]) { canvas.width = Math.round(box.width * dpr); canvas.height = Math.round(box.height * dpr); }
      this.dpr = dpr;
      this.picture.fit();
      this.modeButtons.forEach((b) => b.setAttribute("aria-pressed", String(b.textContent === this.mode)));
      this.draw();
    }

    settle() {
      const was = { dpr: this.dpr, wide: this.base.width, high: this.base.height };
      this.dpr = Math.max(this.dpr, 2);
      this.base.width = Math.round(this.width * this.dpr);
      this.base.height = Math.round(this.height * this.dpr);
      this.draw();
      if (!this.still) this.stage.before(this.still = make("img", { className: "still", alt: this.net.alt }));
      this.still.src = this.base.toDataURL();
      [this.dpr, this.base.width, this.base.height] = [was.dpr, was.wide, was.high];
      this.draw();
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
      this.slide(0, 0);
      this.picture.draw(pen);
      this.point(-1e9, -1e9);
      this.legend.replaceChildren(...this.picture.legend());
    }

    point(x, y) {
      const pen = this.over.getContext("2d");
      pen.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
      pen.clearRect(0, 0, this.width, this.height);
      this.bubble.style.display = "none";
      if (x < 0) return;
      const text = this.picture.point(pen, x, y);
      if (!text) return;
      this.bubble.textContent = text;
      this.bubble.style.display = "block";
      const { width, height } = this.bubble.getBoundingClientRect();
      this.bubble.style.left = `${Math.max(0, Math.min(this.width - width - 2, x + 14))}px`;
      this.bubble.style.top = `${Math.max(0, Math.min(this.height - height - 2, y + 14))}px`;
    }
  }

  document.querySelectorAll("[data-network]").forEach((box) => new View(box, netloom.data.networks[box.dataset.network]));
})();
