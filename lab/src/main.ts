import "uplot/dist/uPlot.min.css";
import "./theme/style.css";
import { readAddress } from "./address.js";
import type { Experiment } from "./experiment.js";
import { FIVE_LOOPS, fiveLoops } from "./five-loops/view.js";
import { pulse } from "./pulse.js";
import { SMOOTH, smooth } from "./smooth/view.js";
import { SPIRAL, spiral } from "./spiral/view.js";

const EXPERIMENTS: Readonly<Record<string, (query: URLSearchParams) => Experiment>> = {
  [FIVE_LOOPS]: fiveLoops,
  [SPIRAL]: spiral,
  [SMOOTH]: smooth,
};

const host = document.querySelector<HTMLElement>("#experiment")!;
let shown: Experiment | undefined;

/** Shows the experiment that the address names; the first one, if it names none. */
function show(): void {
  const { experiment, query } = readAddress(location.hash);
  const name = Object.hasOwn(EXPERIMENTS, experiment) ? experiment : FIVE_LOOPS;
  const { activeElement } = document;
  shown?.dispose();
  shown = EXPERIMENTS[name]!(query);
  host.replaceChildren(shown.element);
  for (const link of document.querySelectorAll<HTMLAnchorElement>("nav a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  // A link within the experiment was replaced along with it; its twin takes the focus.
  if (activeElement instanceof HTMLAnchorElement && !activeElement.isConnected)
    host.querySelector<HTMLAnchorElement>(`a[href="${activeElement.getAttribute("href")}"]`)?.focus();
}

// Replacing the address, as the experiments do, is no change of this kind.
addEventListener("hashchange", show);
show();
pulse((seconds, frame) => shown?.advance(seconds, frame));
