// The arcade game in a virtual worker, drawn by a loop of the page on virtual time.
import { drive, type Drive, type DriveOptions } from "../../src/sim/index.js";
import { manualDriver } from "../../src/testing/index.js";
import { workerSession, type WorkerOptions } from "../../src/worker/index.js";
import { arcade } from "./arcade.js";
import {
  virtualWorker,
  type VirtualOptions,
  type VirtualTime,
  type VirtualWorker,
} from "../../scenes/virtual-worker.js";

export const DT = 1000 / 60;

/** The arcade game with steps that also call a function. */
export function withStep(before: (tick: number) => void): typeof arcade {
  const step: typeof arcade.options.step = (world, inputs, context) => {
    before(context.tick);
    arcade.options.step(world, inputs, context);
  };
  const copy = Object.create(Object.getPrototypeOf(arcade)) as typeof arcade;
  return Object.assign(copy, arcade, { options: { ...arcade.options, step } });
}

export interface VirtualGame extends VirtualOptions {
  readonly session?: Omit<WorkerOptions<never, 1>, "inputs"> & { readonly inputs?: unknown };
  readonly drive?: Pick<DriveOptions<never, never>, "maxSteps" | "maxFrameTime">;
  /** Returns what the step of a tick costs, in milliseconds. */
  readonly cost?: (tick: number) => number;
  /** Frames per second of the page. Default 60. */
  readonly frameRate?: number;
  /** How long the page draws in each frame, in milliseconds. Default 0. */
  readonly draw?: number;
}

interface Picture {
  readonly at: number;
  readonly tick: number;
  readonly x: number;
}

/** Starts the game. The first state is there, and nothing was stepped yet. */
export async function startArcade(options: VirtualGame = {}) {
  const { session: ofSession, drive: ofDrive, cost = () => 0, frameRate = 60, draw = 0, ...line } = options;
  const game = withStep((tick) => worker.time.spend(cost(tick)));
  const worker: VirtualWorker = virtualWorker(game, line);
  const time: VirtualTime = worker.time;
  const session = workerSession(game, worker.port, { now: () => time.now(), ...(ofSession as object) });
  time.advance(2);
  await session.ready;
  const driver = manualDriver();
  const pictures: Picture[] = [];
  let driven: Drive<typeof session> | undefined;
  return {
    worker,
    time,
    session,
    driver,
    pictures,
    get loop() {
      return driven!.loop;
    },
    /** Begins to draw. */
    begin(): void {
      driven = drive(session, {
        ...ofDrive,
        driver,
        render: ({ x }) => {
          pictures.push({ at: time.now(), tick: session.shownTick, x });
          time.draw(draw);
        },
      });
      driver.wait(0);
    },
    /** Draws frames for some milliseconds. */
    run(milliseconds: number): void {
      const frames = Math.round((milliseconds * frameRate) / 1000);
      for (let i = 1; i <= frames; i++)
        time.after((1000 * i) / frameRate, false, () => driver.wait(1 / frameRate));
      time.advance(milliseconds);
    },
    end(): void {
      driven?.loop.stop();
      session.dispose();
    },
  };
}
