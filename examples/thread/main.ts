// A heavy pile, on one thread and on two. Left: a thread that simulates and draws. Right: a worker simulates, and the page only draws.
import { drive } from "tickwise/sim";
import { workerSession } from "tickwise/worker";
import { controls, hasWebGL } from "../page.js";
import { FrameMeter, type Frames } from "./frame-meter.js";
import { game } from "./game.js";
import type { FromOneThread, ToOneThread } from "./one-thread.worker.js";
import { PileView } from "./view.js";

const find = <T extends Element>(selector: string) => document.querySelector<T>(selector)!;
const slider = find<HTMLInputElement>("#iterations");
const kill = find<HTMLButtonElement>("#kill");

const newWorker = () => new Worker(new URL("./game.worker.ts", import.meta.url), { type: "module" });

function run() {
  let worker = newWorker();
  // On one thread, this line would be: localSession(game, { inputs })
  const session = workerSession(game, worker, {
    timeout: 2, // seconds of silence until the worker counts as dead
    inputs([player]) {
      player!.iterations = slider.valueAsNumber;
    },
  });

  const view = new PileView(find("#two canvas"));
  const meter = new FrameMeter((frames) => {
    const { timing, memory, memoryReason, tick } = session;
    const delay = `the picture is ${timing.delay.toFixed(0)} ms behind`;
    show("#two", frames, tick, `${delay} · ${memory} memory, as ${memoryReason}`);
  });
  const { loop } = drive(session, {
    render(pile) {
      view.draw(pile);
      meter.frame();
    },
  });

  // A worker that was killed says nothing more. The session notices it, and continues in another one.
  kill.addEventListener("click", () => {
    worker.terminate();
    kill.disabled = true;
    log(`Killed the worker at tick ${session.tick}.`);
  });
  session.on("failed", ({ reason, error }) => {
    if (reason !== "silent" && reason !== "error") return log(`The worker failed: ${error.message}`);
    worker = newWorker();
    session.restart(worker).then(
      () => {
        kill.disabled = false;
        log(`Another worker continues at tick ${session.tick}.`);
      },
      ({ message }: Error) => log(`The worker could not be restarted: ${message}`),
    );
    log(`Nothing was heard for 2 seconds, so another worker starts.`);
  });

  const updateOther = runOneThread(() => ({
    iterations: slider.valueAsNumber,
    isPaused: loop.paused,
    isBlended: find<HTMLInputElement>("input[type=checkbox]").checked,
  }));
  loop.on("pause", updateOther);
  loop.on("resume", updateOther);
  slider.addEventListener("input", updateOther);
  controls(loop);
  Object.assign(globalThis, { session });
}

/** Starts the left half. Returns the function that passes settings on. */
function runOneThread(settings: () => ToOneThread): () => void {
  const canvas = find<HTMLCanvasElement>("#one canvas");
  const other = new Worker(new URL("./one-thread.worker.ts", import.meta.url), { type: "module" });
  let isReady = false;
  const send = (message: ToOneThread, ...transfer: Transferable[]) => other.postMessage(message, transfer);
  other.addEventListener("error", ({ message }) => {
    find("#one output").textContent = `This half needs WebGL in a worker, which failed: ${message}`;
  });
  other.addEventListener("message", ({ data }: MessageEvent<"ready" | FromOneThread>) => {
    if (data !== "ready") return show("#one", data, data.tick, "the picture is up to one step behind");
    const offscreen = canvas.transferControlToOffscreen();
    send({ ...settings(), canvas: offscreen }, offscreen);
    isReady = true;
  });
  return () => isReady && send(settings());
}

function show(half: string, { perSecond, longest }: Frames, tick: number, more: string) {
  find(`${half} output`).textContent =
    `${perSecond} frames per second, longest ${longest} ms · tick ${tick} · ${more}`;
}

function log(text: string) {
  find("#log").textContent += `${text} `;
}

if (hasWebGL()) run();
