"use strict";
(function () {
  var cards = Array.prototype.slice.call(document.querySelectorAll("article"));
  var bar = document.getElementById("filters"), search = document.getElementById("q");
  var count = document.getElementById("count"), none = document.getElementById("nothing");
  var groups = Array.prototype.slice.call(bar.querySelectorAll("[data-group]"));
  var texts = null, at = -1;
  bar.hidden = false;

  function chosen(group) {
    return Array.prototype.slice.call(group.querySelectorAll("[aria-pressed=true]")).map(function (button) { return button.value; });
  }
  // Within a group any choice will do; all groups and all words of the search must hold.
  function apply() {
    var words = search.value.toLowerCase().split(/\s+/).filter(Boolean), shown = 0;
    if (words.length && !texts) { texts = cards.map(function (card) { return card.textContent.toLowerCase(); }); }
    var wanted = groups.map(function (group) { return [group.getAttribute("data-group"), chosen(group)]; });
    cards.forEach(function (card, place) {
      var fits = wanted.every(function (pair) {
        return !pair[1].length || pair[1].indexOf(card.getAttribute("data-" + pair[0])) >= 0;
      }) && words.every(function (word) { return texts[place].indexOf(word) >= 0; });
      card.hidden = !fits;
      shown += fits;
    });
    count.textContent = shown === cards.length ? "all " + shown + " verdicts" : shown + " of " + cards.length + " verdicts";
    none.hidden = shown > 0;
  }
  function write() {
    var parts = groups.map(function (group) {
      var values = chosen(group);
      return values.length ? group.getAttribute("data-group") + "=" + values.map(encodeURIComponent).join(",") : "";
    });
    if (search.value) { parts.push("q=" + encodeURIComponent(search.value)); }
    parts = parts.filter(Boolean);
    history.replaceState(null, "", parts.length ? "#" + parts.join("&") : "#");
  }
  function decoded(text) { try { return decodeURIComponent(text); } catch (error) { return text; } }
  function read() {
    var state = {}, hash = location.hash.slice(1);
    if (hash.indexOf("=") >= 0) {
      hash.split("&").forEach(function (part) {
        var cut = part.indexOf("=");
        if (cut > 0) { state[part.slice(0, cut)] = part.slice(cut + 1); }
      });
    } else if (hash.indexOf("v-") === 0) { return; }
    groups.forEach(function (group) {
      var values = (state[group.getAttribute("data-group")] || "").split(",").map(decoded);
      group.querySelectorAll("button").forEach(function (button) {
        button.setAttribute("aria-pressed", String(values.indexOf(button.value) >= 0));
      });
    });
    search.value = decoded(state.q || "");
  }
  function change() { apply(); write(); }
  bar.addEventListener("click", function (event) {
    var button = event.target.closest("button");
    if (!button) { return; }
    if (button.id === "clear") {
      search.value = "";
      bar.querySelectorAll("[aria-pressed=true]").forEach(function (one) { one.setAttribute("aria-pressed", "false"); });
    } else { button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true")); }
    change();
  });
  search.addEventListener("input", change);
  window.addEventListener("hashchange", function () { read(); apply(); });
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (event.target === search) { if (event.key === "Escape") { search.blur(); } return; }
    if (event.key === "/") { search.focus(); event.preventDefault(); return; }
    var step = event.key === "j" ? 1 : event.key === "k" ? -1 : 0, next = at + step;
    if (!step) { return; }
    while (cards[next] && cards[next].hidden) { next += step; }
    if (!cards[next]) { return; }
    if (cards[at]) { cards[at].classList.remove("at"); }
    at = next;
    cards[at].classList.add("at");
    cards[at].focus({ preventScroll: true });
    cards[at].scrollIntoView({ block: "start" });
  });
  // Paper shows what is folded away on the screen.
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("article details").forEach(function (one) {
      if (!one.open) { one.open = true; one.setAttribute("data-was", "closed"); }
    });
  });
  window.addEventListener("afterprint", function () {
    document.querySelectorAll("[data-was]").forEach(function (one) { one.open = false; one.removeAttribute("data-was"); });
  });
  read();
  apply();
})();
