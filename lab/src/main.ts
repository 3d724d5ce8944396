import "uplot/dist/uPlot.min.css";
import "./theme/style.css";
import { readAddress } from "./address.js";
import { DETERMINISM } from "./determinism/name.js";
import { make } from "./dom.js";
import { ENGINES } from "./engines/name.js";
import type { Experiment } from "./experiment.js";
import { FIVE_LOOPS, fiveLoops } from "./five-loops/view.js";
import { GAME } from "./game/name.js";
import { pulse } from "./pulse.js";
import { SMOOTH, smooth } from "./smooth/view.js";
import { SPIRAL, spiral } from "./spiral/view.js";
import { THREE_D } from "./three-d/name.js";
import { TIME } from "./time/name.js";

type Make = (query: URLSearchParams) => Experiment;

/** The experiments by their addresses. What is heavy is loaded when it is asked for. */
const EXPERIMENTS: Readonly<Record<string, () => Make | Promise<Make>>> = {
  [FIVE_LOOPS]: () => fiveLoops,
  [SPIRAL]: () => spiral,
  [SMOOTH]: () => smooth,
  [THREE_D]: async () => (await import("./three-d/view.js")).threeD,
  [ENGINES]: async () => (await import("./engines/view.js")).engines,
  [DETERMINISM]: async () => (await import("./determinism/view.js")).determinism,
  [TIME]: async () => (await import("./time/view.js")).time,
  [GAME]: async () => (await import("./game/view.js")).game,
};

const host = document.querySelector<HTMLElement>("#experiment")!;
let shown: Experiment | undefined;
/** The last one asked for: what is loaded too late is not shown. */
let asked = 0;

/** Shows the experiment that the address names; the first one, if it names none. */
async function show(): Promise<void> {
  const { experiment, query } = readAddress(location.hash);
  const name = Object.hasOwn(EXPERIMENTS, experiment) ? experiment : FIVE_LOOPS;
  const { activeElement } = document;
  const mine = ++asked;
  shown?.dispose();
  shown = undefined;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("nav a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  let makeIt = EXPERIMENTS[name]!();
  if (makeIt instanceof Promise) {
    say("Loading…");
    try {
      makeIt = await makeIt;
    } catch {
      if (mine === asked) say("This experiment could not be loaded. Is the network there?");
      return;
    }
    if (mine !== asked) return;
  }
  shown = makeIt(query);
  host.replaceChildren(shown.element);
  // A link within the experiment was replaced along with it; its twin takes the focus.
  if (activeElement instanceof HTMLAnchorElement && !activeElement.isConnected)
    host.querySelector<HTMLAnchorElement>(`a[href="${activeElement.getAttribute("href")}"]`)?.focus();
}

/** Says something in the place of an experiment. */
function say(text: string): void {
  const message = make("p", "experiment", text);
  message.setAttribute("role", "status");
  host.replaceChildren(message);
}

// Replacing the address, as the experiments do, is no change of this kind.
addEventListener("hashchange", () => void show());
void show();
pulse((seconds, frame) => shown?.advance(seconds, frame));
