"use strict";
// A click on a title sorts the table by its column, and a second click the other way. Empty cells stay at the end.
function keyOf(row, column) {
  const cell = row.cells[column];
  if (column === 0) return cell.textContent.trim().toLowerCase();
  return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
}
function sortBy(table, column) {
  const titles = table.tHead.rows[0].cells;
  const numbers = column > 0;
  const before = titles[column].getAttribute("aria-sort");
  const down = before === null ? numbers : before === "ascending";
  for (const title of titles) title.removeAttribute("aria-sort");
  titles[column].setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = Array.from(table.tBodies[0].rows, (row) => [keyOf(row, column), row]);
  rows.sort(([one], [two]) => {
    if (one === null || two === null) return (one === null) - (two === null);
    return (one < two ? -1 : one > two ? 1 : 0) * (down ? -1 : 1);
  });
  for (const [, row] of rows) table.tBodies[0].append(row);
}
for (const table of document.querySelectorAll("table")) {
  Array.from(table.tHead.rows[0].cells).forEach((title, column) => {
    title.querySelector("button").addEventListener("click", () => sortBy(table, column));
  });
}
