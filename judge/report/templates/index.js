"use strict";
(function () {
  // Sorting: a click on a header's button; numbers by data-k, else by text.
  document.querySelectorAll("table[data-sort] thead th button").forEach(function (button) {
    var head = button.parentNode, table = head.closest("table"), body = table.tBodies[0];
    button.addEventListener("click", function () {
      var place = Array.prototype.indexOf.call(head.parentNode.children, head);
      var down = head.getAttribute("aria-sort") === "descending" ||
        (head.getAttribute("aria-sort") === null && !head.classList.contains("num"));
      var rows = Array.prototype.slice.call(body.rows);
      rows.sort(function (left, right) {
        var a = left.cells[place], b = right.cells[place];
        var x = a.getAttribute("data-k"), y = b.getAttribute("data-k");
        if (x === null) { return a.textContent.localeCompare(b.textContent); }
        if (x === "" || y === "") { return (x === "") - (y === ""); }
        return x - y;
      });
      // Cells without a value stay at the end in either direction.
      if (!down) {
        var empty = rows.filter(function (row) { return row.cells[place].getAttribute("data-k") === ""; });
        rows = rows.filter(function (row) { return empty.indexOf(row) < 0; }).reverse().concat(empty);
      }
      Array.prototype.forEach.call(head.parentNode.children, function (other) { other.removeAttribute("aria-sort"); });
      head.setAttribute("aria-sort", down ? "ascending" : "descending");
      rows.forEach(function (row) { body.appendChild(row); });
    });
  });
  // The heat map's layers: overall and each dimension; kept in the address so it can be sent.
  var map = document.getElementById("heat-table"), pick = document.getElementById("heat-pick");
  if (!map || !pick) { return; }
  var most = parseFloat(map.getAttribute("data-most"));
  function show(layer) {
    map.querySelectorAll("[data-v]").forEach(function (cell) {
      var text = cell.getAttribute("data-v").split("|")[layer], target = cell.querySelector("a") || cell;
      cell.className = cell.className.replace(/\bh\d+\b/g, "").trim();
      target.textContent = text === "" ? "–" : text;
      if (text !== "") {
        var step = Math.max(0, Math.min(20, Math.round(20 * parseFloat(text) / most)));
        cell.classList.add("h" + step);
      }
    });
    pick.querySelectorAll("button").forEach(function (button) {
      button.setAttribute("aria-pressed", String(Number(button.value) === layer));
    });
  }
  pick.hidden = false;
  pick.addEventListener("click", function (event) {
    var button = event.target.closest("button");
    if (!button) { return; }
    show(Number(button.value));
    history.replaceState(null, "", "#heat=" + button.value);
  });
  var asked = /^#heat=([0-4])$/.exec(location.hash);
  if (asked) { show(Number(asked[1])); map.scrollIntoView({ behavior: "instant" }); }
})();
