"use strict";
// Sorting, filtering, choosing columns and taking away of tables. Without scripts the rows can still be read.
(() => {
  const { make } = netloom;
  const cellValue = (cell) => (cell.dataset.v !== undefined ? cell.dataset.v : cell.firstChild ? cell.textContent : "");

  const compare = (a, b) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    const x = Number(a);
    const y = Number(b);
    return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, "en", { numeric: true }) : x - y;
  };

  const csvCell = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  const setUp = (box) => {
    const table = box.querySelector("table");
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    const rows = [...body.rows];
    const tools = make("div", { className: "tools" });

    heads.forEach((head, column) => {
      if (rows.length && rows.every((row) => row.cells[column].classList.contains("n"))) head.classList.add("n");
      head.querySelector("button").addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const sign = down ? -1 : 1;
        const keyed = rows.map((row, i) => [cellValue(row.cells[column]), i, row]);
        keyed.sort((p, q) => {
          // What is not known stays last in both directions.
          if (p[0] === "" || q[0] === "") return compare(p[0], q[0]) || p[1] - q[1];
          return sign * compare(p[0], q[0]) || p[1] - q[1];
        });
        body.append(...keyed.map((item) => item[2]));
      });
    });

    if (rows.length > 5) {
      const filter = make("input", { type: "search", placeholder: "filter rows" });
      filter.setAttribute("aria-label", "filter rows");
      const said = make("span", { className: "said" });
      said.setAttribute("role", "status");
      const words = rows.map((row) => row.textContent.toLowerCase());
      const apply = () => {
        const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
        let shown = 0;
        rows.forEach((row, i) => {
          row.hidden = !wanted.every((word) => words[i].includes(word));
          shown += !row.hidden;
        });
        said.textContent = shown === rows.length ? `${rows.length} rows` : `${shown} of ${rows.length} rows`;
      };
      filter.addEventListener("input", apply);
      apply();
      tools.append(filter, said);
    }

    const take = make("button", { type: "button", textContent: "CSV", title: "save all rows and columns as a CSV file" });
    take.addEventListener("click", () => {
      const names = heads.map((head) => head.dataset.name || head.textContent);
      const lines = [names, ...rows.map((row) => [...row.cells].map(cellValue))];
      const text = lines.map((line) => line.map(csvCell).join(",")).join("\r\n") + "\r\n";
      const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/csv" })), download: `${box.dataset.name}.csv` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    tools.append(take);
    if (heads.length > 5) tools.append(chooser(heads, rows));
    box.prepend(tools);
  };

  // The first column names the rows and stays.
  const chooser = (heads, rows) => {
    const show = (column, on) => {
      heads[column].hidden = !on;
      rows.forEach((row) => { row.cells[column].hidden = !on; });
    };
    const boxes = heads.slice(1).map((head, k) => {
      const on = head.dataset.away === undefined;
      if (!on) show(k + 1, false);
      const tick = make("input", { type: "checkbox", checked: on });
      tick.addEventListener("change", () => { show(k + 1, tick.checked); count(); });
      return make("label", {}, tick, head.querySelector("button").textContent);
    });
    const summary = make("summary", {});
    const count = () => { summary.textContent = `columns: ${heads.filter((head) => !head.hidden).length} of ${heads.length}`; };
    count();
    return make("details", { className: "chooser" }, summary, make("div", {}, ...boxes));
  };

  document.querySelectorAll(".table").forEach(setUp);
})();
