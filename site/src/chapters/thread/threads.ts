import { drive, localSession } from "../../../../src/sim/index.js";
import { manualDisplay } from "../../../../src/testing/index.js";
import { workerSession } from "../../../../src/worker/index.js";
// A page and a worker in one thread, on virtual time: every run is the same.
import { virtualWorker } from "../../../../scenes/virtual-worker.js";
import { costOf, RATE, swing } from "./game.js";

/** Milliseconds between two refreshes, and what drawing costs. */
const PERIOD = 1000 / 60;
const DRAWING = 4;

/** What a thread did, and when: in milliseconds. */
interface Work {
  readonly from: number;
  readonly to: number;
  readonly kind: "step" | "heavy" | "draw";
  readonly isWorker: boolean;
}

/** A picture, from the refresh on that shows it first. */
interface Presented {
  readonly at: number;
  readonly x: number;
  /** The simulated time that it shows, in milliseconds. */
  readonly time: number;
}

/** A page that shows the game. */
export interface Page {
  /** When the first frame began, in milliseconds. */
  readonly start: number;
  /** When tick 0 was due, in milliseconds. */
  readonly origin: number;
  /** What was done and shown, oldest first. */
  readonly work: Work[];
  readonly presented: Presented[];
  /** Steps so far. */
  readonly steps: number;
  /** What a heavy step costs, in milliseconds. */
  heavy: number;
  /** Draws all frames that begin before a time in milliseconds. */
  run(until: number): void;
}

/** Returns when a frame is shown that begins at a refresh and takes a while. */
const refreshAfter = (vsync: number, spent: number): number =>
  vsync + PERIOD * Math.max(1, Math.ceil(spent / PERIOD - 1e-9));

/** Steps and draws in one thread. */
export function onOneThread(heavy: number): Page {
  let [vsync, spent, x] = [0, 0, 0];
  const spend = (cost: number, kind: Work["kind"]) => {
    page.work.push({ from: vsync + spent, to: vsync + spent + cost, kind, isWorker: false });
    spent += cost;
  };
  const page: Page = {
    start: 0,
    origin: 0,
    work: [],
    presented: [],
    get steps() {
      return session.tick;
    },
    heavy,
    run(until) {
      while (vsync < until) {
        spent = 0;
        driver.play([vsync]);
        spend(DRAWING, "draw");
        vsync = refreshAfter(vsync, spent);
        page.presented.push({ at: vsync, x, time: (1000 * (session.tick - 1 + loop.alpha)) / RATE });
      }
    },
  };
  const game = swing((tick) => {
    const cost = costOf(tick, page.heavy);
    spend(cost, cost === page.heavy ? "heavy" : "step");
  });
  const driver = manualDisplay();
  const session = localSession(game);
  const { loop } = drive(session, { driver, render: (view) => void (x = view.x) });
  return page;
}

/** Steps in a worker, and draws on the page. */
export function onTwoThreads(heavy: number): Page {
  let [origin, x] = [Infinity, 0];
  const game = swing((tick) => {
    const cost = costOf(tick, page.heavy);
    const from = time.now();
    origin = Math.min(origin, from - (1000 * tick) / RATE);
    page.work.push({ from, to: from + cost, kind: cost === page.heavy ? "heavy" : "step", isWorker: true });
    time.spend(cost);
  });
  const { time, port } = virtualWorker(game);
  const session = workerSession(game, port, { now: () => time.now(), memory: "transferred" });
  time.advance(2);
  let vsync = time.now();
  const page: Page = {
    start: vsync,
    get origin() {
      return origin;
    },
    work: [],
    presented: [],
    get steps() {
      return session.tick;
    },
    heavy,
    run(until) {
      while (vsync < until) {
        if (vsync > time.now()) time.advance(vsync - time.now());
        driver.play([vsync]);
        page.work.push({ from: vsync, to: vsync + DRAWING, kind: "draw", isWorker: false });
        vsync = refreshAfter(vsync, DRAWING);
        page.presented.push({ at: vsync, x, time: (1000 * session.shownTick) / RATE });
      }
    },
  };
  const driver = manualDisplay({}, vsync);
  drive(session, { driver, render: (view) => void (x = view.x) });
  return page;
}
