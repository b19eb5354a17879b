"use strict";
// What the pictures of a network share: counts in words, the colours of loads, entries of legends.
netloom.network = {
  count: (n, one, many) => `${n} ${n === 1 ? one : many}`,

  ramp: () => netloom.data.look[netloom.isDark() ? "loadDark" : "load"],

  entry(colour, text, round) {
    const dot = netloom.make("span");
    dot.style.cssText = `display:inline-block;width:${round ? ".8em" : "1.4em"};height:${round ? ".8em" : ".22em"};vertical-align:middle;border-radius:${round ? "50%" : "0"};background:${colour};margin:0 .4em 0 .6em`;
    return netloom.make("span", { className: "said" }, dot, text);
  },

  rampEntry(net) {
    const ramp = netloom.make("i");
    ramp.style.background = `linear-gradient(to right, ${netloom.network.ramp().join(", ")})`;
    return netloom.make("span", { className: "ramp" }, `${net.loadLabel}: 0`, ramp, netloom.withUnit(net.loadMax, net.loadUnit, 3));
  },
};
