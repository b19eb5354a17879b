"use strict";
// Sorting, filtering and taking away of tables. The rows stand in the page; without scripts they can still be read.
(() => {
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
    const tools = document.createElement("div");
    tools.className = "tools";

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
      const filter = document.createElement("input");
      filter.type = "search";
      filter.placeholder = "filter rows";
      filter.setAttribute("aria-label", "filter rows");
      const said = document.createElement("span");
      said.className = "said";
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

    const take = document.createElement("button");
    take.textContent = "CSV";
    take.title = "save all rows as a CSV file";
    take.addEventListener("click", () => {
      const names = heads.map((head) => head.dataset.name || head.textContent);
      const lines = [names, ...rows.map((row) => [...row.cells].map(cellValue))];
      const text = lines.map((line) => line.map(csvCell).join(",")).join("\r\n") + "\r\n";
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
      link.download = `${box.dataset.name}.csv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    tools.append(take);
    box.prepend(tools);
  };

  document.querySelectorAll(".table").forEach(setUp);
})();
