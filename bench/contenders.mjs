import { Loop, measure } from "../dist/index.js";
import { HandWritten } from "./hand-written.mjs";

/*
 * Each contender: `create(step, render)` returns `frame(input)`, which runs one frame of the display. `input` names its
 * argument. `step` and `render` are the parameters of its callbacks and the value that these use. `prepare` is called before a
 * run of frames and not timed.
 *
 * All start half a step in, so that jitter does not change the number of steps per frame.
 */

const RATE = 60;
const HALF = 0.5 / RATE;

/** The clock of both sides of `withCosts`. It counts its readings itself, as a wrapper would slow the measured code. */
const readings = new Uint32Array(1);
const clock = () => {
  readings[0]++;
  return performance.now();
};

const started = (loop) => {
  loop.advance(HALF);
  return { frame: (seconds) => loop.advance(seconds) };
};

export const ours = {
  name: "tickwise",
  input: "seconds",
  step: ["{ dt }", "dt"],
  render: ["{ alpha }", "alpha"],
  create: (step, render) => started(new Loop({ rate: RATE, step, render })),
};

export const oursWithCosts = {
  ...ours,
  name: "tickwise, costs",
  create(step, render) {
    const loop = new Loop({ rate: RATE, step, render });
    measure(loop, clock);
    return started(loop);
  },
};

function writeByHand(step, render) {
  const loop = new HandWritten(1 / RATE, step, render);
  loop.frame(HALF);
  return loop;
}

export const handWritten = {
  name: "hand-written",
  input: "seconds",
  step: ["time, dt", "dt"],
  render: ["alpha", "alpha"],
  create(step, render) {
    const loop = writeByHand(step, render);
    return { frame: (seconds) => loop.frame(seconds) };
  },
};

/** The reference with as many clock readings per frame as our loop made with `measure` in `frames` frames. */
export function handWrittenWithReadings(frames) {
  const last = new Float64Array(1);
  return {
    ...handWritten,
    name: "hand-written, as many readings",
    create(step, render) {
      const loop = writeByHand(step, render);
      const count = Math.round(readings[0] / frames);
      return {
        frame(seconds) {
          for (let i = 0; i < count; i++) last[0] = clock();
          loop.frame(seconds);
        },
      };
    },
  };
}

/**
 * mainloop.js: its whole frame callback, including begin and end, driven by a requestAnimationFrame that only stores the
 * callback. It is a singleton, so its instances take turns.
 */
export async function mainloop() {
  let pending;
  globalThis.window = {
    requestAnimationFrame: (callback) => (pending = callback),
    cancelAnimationFrame() {},
  };
  const { default: MainLoop } = await import("mainloop.js");
  // Otherwise the others would detect a browser.
  delete globalThis.window;
  return {
    name: "mainloop.js",
    input: "stamps",
    step: ["dt", "dt"],
    render: ["alpha", "alpha"],
    create: (step, render) => ({
      prepare() {
        MainLoop.stop().setUpdate(step).setDraw(render).start().resetFrameDelta();
        pending(-HALF * 1e3);
      },
      frame: (stamp) => pending(stamp),
    }),
  };
}

/**
 * PixiJS: `Ticker.update` with two listeners, the second at the priority at which an Application renders. It has no fixed
 * step; the accumulator that a game would add is not counted.
 */
export async function pixi() {
  // Its modules read navigator.userAgent when loaded, which Node has from version 21 on.
  globalThis.navigator ??= { userAgent: "" };
  const { Ticker, UPDATE_PRIORITY } = await import("pixi.js");
  return {
    name: "pixi.js Ticker",
    input: "stamps",
    step: ["ticker", "ticker.deltaMS"],
    render: ["ticker", "ticker.deltaMS"],
    create(step, render) {
      const ticker = new Ticker();
      ticker.add(step).add(render, undefined, UPDATE_PRIORITY.LOW);
      return {
        prepare: () => (ticker.lastTime = 0),
        frame: (stamp) => ticker.update(stamp),
      };
    },
  };
}

/**
 * Babylon: its fixed step is the lockstep branch of `Scene.animate()`: accumulator, step limit, and observables around each
 * step. This measures that method with one observer, and a plain call to render. The rest of `Scene.render` and of the
 * engine's frame (clock readings, frame rate average, cameras, drawing) is left out, in Babylon's favour. Animations and
 * physics are not loaded, so their hooks are empty. `_deltaTime` is the engine's field for the time of the frame.
 */
export async function babylon() {
  const { Logger } = await import("@babylonjs/core/Misc/logger.js");
  Logger.LogLevels = Logger.NoneLogLevel;
  const { NullEngine } = await import("@babylonjs/core/Engines/nullEngine.js");
  const { Scene } = await import("@babylonjs/core/scene.js");
  return {
    name: "Babylon lockstep",
    input: "milliseconds",
    step: ["scene", "1"],
    render: ["scene", "1"],
    create(step, render) {
      const engine = new NullEngine({ deterministicLockstep: true, lockstepMaxSteps: 4, timeStep: 1 / RATE });
      const scene = new Scene(engine);
      engine._deltaTime = HALF * 1e3;
      scene.animate();
      scene.onBeforeStepObservable.add(step);
      return {
        frame(milliseconds) {
          engine._deltaTime = milliseconds;
          scene.animate();
          render(scene);
        },
      };
    },
  };
}
