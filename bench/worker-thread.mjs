// The worker of the worker bench, in Chromium and in Node.
import { serveSimulation } from "../dist/worker/index.js";
import { lastCosts, pile } from "./worker-game.mjs";

// Not an import, so that Chromium can load the bundle.
const threads = globalThis.process?.getBuiltinModule("node:worker_threads");
const options = threads
  ? threads.workerData
  : Object.fromEntries(new URL(globalThis.location.href).searchParams);
const port = threads?.parentPort ?? globalThis;

serveSimulation(pile(Number(options.cost), Number(options.bodies)));
const answer = (question) => {
  if (question === "costs") port.postMessage(lastCosts());
};
if (threads) port.on("message", answer);
else port.addEventListener("message", ({ data }) => answer(data));
