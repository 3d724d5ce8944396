import "uplot/dist/uPlot.min.css";
import "./theme/style.css";
import { readAddress } from "./address.js";
import { DETERMINISM } from "./determinism/name.js";
import { make } from "./dom.js";
import { ENGINES } from "./engines/name.js";
import type { Experiment } from "./experiment.js";
import { FIVE_LOOPS, fiveLoops } from "./five-loops/view.js";
import { FRIEND } from "./friend/name.js";
import { GAME } from "./game/name.js";
import { NETWORK } from "./network/name.js";
import { pulse } from "./pulse.js";
import { takeDrops } from "./recording/drops.js";
import { SERVER } from "./server/name.js";
import { setUpShortcuts } from "./shortcuts/set-up.js";
import { SMOOTH, smooth } from "./smooth/view.js";
import { SPIRAL, spiral } from "./spiral/view.js";
import { THREAD } from "./thread/name.js";
import { THREE_D } from "./three-d/name.js";
import { TIME } from "./time/name.js";

type CreateExperiment = (query: URLSearchParams) => Experiment;

/** The experiments by address. Heavy ones are loaded on demand. */
const EXPERIMENTS: Readonly<Record<string, () => CreateExperiment | Promise<CreateExperiment>>> = {
  [FIVE_LOOPS]: () => fiveLoops,
  [SPIRAL]: () => spiral,
  [SMOOTH]: () => smooth,
  [THREE_D]: async () => (await import("./three-d/view.js")).threeD,
  [ENGINES]: async () => (await import("./engines/view.js")).engines,
  [DETERMINISM]: async () => (await import("./determinism/view.js")).determinism,
  [TIME]: async () => (await import("./time/view.js")).time,
  [GAME]: async () => (await import("./game/view.js")).game,
  [NETWORK]: async () => (await import("./network/view.js")).network,
  [SERVER]: async () => (await import("./server/view.js")).server,
  [THREAD]: async () => (await import("./thread/view.js")).thread,
  [FRIEND]: async () => (await import("./friend/view.js")).friend,
};

const host = document.querySelector<HTMLElement>("#experiment")!;
let shown: Experiment | undefined;
/** Number of the latest request: an experiment that loads after a newer request is not shown. */
let latestRequest = 0;

/** Shows the experiment named in the address, or the first one. */
async function show(): Promise<void> {
  const { experiment, query } = readAddress(location.hash);
  const name = Object.hasOwn(EXPERIMENTS, experiment) ? experiment : FIVE_LOOPS;
  const { activeElement } = document;
  const request = ++latestRequest;
  shown?.dispose();
  shown = undefined;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("#experiments a")) {
    if (link.hash === `#${name}`) showCurrent(link);
    else link.removeAttribute("aria-current");
  }
  let create = EXPERIMENTS[name]!();
  if (create instanceof Promise) {
    showMessage("Loading…");
    try {
      create = await create;
    } catch {
      if (request === latestRequest)
        showMessage("This experiment could not be loaded. Check your network connection.");
      return;
    }
    if (request !== latestRequest) return;
  }
  shown = create(query);
  host.replaceChildren(shown.element);
  // If the followed link was inside the replaced experiment, focus the same link in the new one.
  if (activeElement instanceof HTMLAnchorElement && !activeElement.isConnected)
    host.querySelector<HTMLAnchorElement>(`a[href="${activeElement.getAttribute("href")}"]`)?.focus();
}

/** Marks the link of the shown experiment, and scrolls the row of links to it. */
function showCurrent(link: HTMLAnchorElement): void {
  link.setAttribute("aria-current", "page");
  const row = link.parentElement!;
  row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
}

/** Shows a message in place of an experiment. */
function showMessage(text: string): void {
  const message = make("p", "experiment", text);
  message.setAttribute("role", "status");
  host.replaceChildren(message);
}

// Not fired by replaceState, which the experiments use.
addEventListener("hashchange", () => void show());
setUpShortcuts();
takeDrops();
void show();
pulse((seconds, frame) => shown?.advance(seconds, frame));
