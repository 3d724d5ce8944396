import { drive, type Drive } from "../../../src/sim/index.js";
import { workerSession } from "../../../src/worker/index.js";
import type { FrameMeter } from "./frame-meter.js";
import { PileCanvas } from "./pile-canvas.js";
import { pile } from "./pile.js";
import type { ThreadSettings } from "./settings.js";

const startWorker = () => new Worker(new URL("./pile.worker.ts", import.meta.url), { type: "module" });

type PileSession = ReturnType<typeof startSession>;

function startSession(settings: ThreadSettings) {
  return workerSession(pile, startWorker(), {
    memory: settings.memory,
    inputs([player]) {
      player.cost = settings.cost;
    },
  });
}

/** The pile in a worker, which the page draws. */
export class TwoThreads {
  readonly #settings: ThreadSettings;
  readonly #picture = new PileCanvas("The pile, simulated in a worker and drawn by the page");
  readonly #meter: () => FrameMeter;
  #driven: Drive<PileSession>;
  #isPaused = true;
  /** Why the worker no longer simulates; "" if it does. */
  problem = "";

  constructor(settings: ThreadSettings, meter: () => FrameMeter) {
    this.#settings = settings;
    this.#meter = meter;
    this.#driven = this.#start();
  }

  get canvas(): HTMLCanvasElement {
    return this.#picture.canvas;
  }

  get session(): PileSession {
    return this.#driven.session;
  }

  #start(): Drive<PileSession> {
    const session = startSession(this.#settings);
    this.problem = "";
    session.on("failed", ({ error }) => {
      this.problem = `The worker failed: ${error.message}.`;
      this.#driven.loop.stop();
    });
    let isReady = false;
    const driven = drive(session, {
      // No display makes the worker take two steps at once.
      maxSteps: 1,
      render: (view) => {
        if (!isReady) return;
        this.#picture.draw(view);
        if (!this.#isPaused) this.#meter().add(performance.now(), session.tick);
      },
    });
    if (this.#isPaused) driven.loop.pause();
    session.ready.then(
      () => {
        isReady = true;
        this.#picture.draw(session.view(1));
      },
      // It was disposed, or has failed, which is an event.
      () => {},
    );
    return driven;
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (isPaused) this.#driven.loop.pause();
    else this.#driven.loop.resume();
  }

  restart(): void {
    this.#driven.dispose();
    this.#driven = this.#start();
  }

  dispose(): void {
    this.#driven.dispose();
    this.#picture.dispose();
  }
}
