// From an input to its picture, on virtual time: on one thread, and with the simulation in a worker. Every run is the same.
import { inputLatch } from "../../src/input/index.js";
import { random } from "../../src/math/index.js";
import { button, drive, localSession, simulation, type Present } from "../../src/sim/index.js";
import { f64, layout } from "../../src/state/index.js";
import { manualDisplay } from "../../src/testing/index.js";
import { workerSession } from "../../src/worker/index.js";
import { VirtualTime, virtualWorker } from "../../scenes/virtual-worker.js";

/** What drawing a picture takes, in milliseconds. */
const DRAWING = 4;
/** Seconds until the delay of a worker has settled, and in which inputs are counted. */
const SETTLE = 4;
const SECONDS = 6;
/** How many phases of the steps against the refreshes are measured. Only a worker has them: on one thread, a frame runs the steps. */
const PHASES = 8;

export interface LatencyCase {
  readonly isInWorker: boolean;
  readonly present: Present;
  /** Refreshes per second. */
  readonly refresh: number;
  /** What a step costs, in milliseconds. */
  readonly cost: number;
}

/** A game that shows whether a button is held. `before` is called in each step. */
const lamp = (before: () => void) =>
  simulation({
    name: "lamp",
    version: 1,
    rate: 60,
    state: layout({ light: f64.lerp }),
    input: { on: button },
    step(world, [player]) {
      before();
      world.light = player.on ? 1 : 0;
    },
  });

/** Returns the mean milliseconds from pressing or releasing a button to the refresh that shows at least half of the change. */
export async function latencyOf(options: LatencyCase): Promise<number> {
  let sum = 0;
  const phases = options.isInWorker ? PHASES : 1;
  for (let phase = 0; phase < phases; phase++)
    sum += await meanLatency(options, (phase / phases) * (1000 / 60));
  return sum / phases;
}

async function meanLatency({ isInWorker, present, refresh, cost }: LatencyCase, phase: number) {
  const period = 1000 / refresh;
  let steps = 0;
  let time = new VirtualTime();
  const game = lamp(() => {
    steps++;
    if (isInWorker) time.spend(cost);
  });
  const inputs = inputLatch(game.packing);
  const worker = isInWorker ? virtualWorker(game) : undefined;
  if (worker) time = worker.time;
  const session = worker
    ? workerSession(game, worker.port, { now: () => time.now(), inputs, present })
    : localSession(game, { inputs, present });
  time.advance(2);
  if ("ready" in session) await session.ready;
  const driver = manualDisplay({}, time.now());
  let light = 0;
  const { loop } = drive(session, { driver, render: (view) => void (light = view.light) });

  const numbers = random(new Uint32Array(4)).seed(5);
  let next = time.now() + 1000 * SETTLE;
  const end = next + 1000 * SECONDS;
  let isOn = false;
  /** When the button changed and nobody has seen it yet; NaN otherwise. */
  let changed = NaN;
  let count = 0;
  let sum = 0;
  const change = () => {
    isOn = !isOn;
    changed = next;
    if (isOn) inputs.press("on", next);
    else inputs.release("on", next);
    next += 120 + 100 * numbers.float();
  };
  time.advance(phase);
  for (let vsync = time.now(); vsync < end;) {
    steps = 0;
    driver.play([vsync]);
    const spent = DRAWING + (isInWorker ? 0 : steps * cost);
    const shown = vsync + period * Math.ceil(spent / period - 1e-9);
    if (light >= 0.5 === isOn && !Number.isNaN(changed)) {
      sum += shown - changed;
      count++;
      changed = NaN;
    }
    // While it draws, the page gets no events: they come later, with their own time.
    time.advance(spent);
    while (next < shown) {
      if (next > time.now()) time.advance(next - time.now());
      change();
    }
    time.advance(shown - time.now());
    vsync = shown;
  }
  loop.stop();
  session.dispose();
  return sum / count;
}
