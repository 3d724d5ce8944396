import { describe, expect, test, vi } from "vitest";
import { TickwiseError } from "../../src/errors/index.js";
import { speedOf, timeScale } from "../../src/loop/index.js";
import { playReplay, readReplay, record } from "../../src/replay/index.js";
import { button, drive, localSession, play, simulation, type EffectOf } from "../../src/sim/index.js";
import { f64, layout } from "../../src/state/index.js";
import { manualDriver } from "../../src/testing/index.js";

const walk = simulation({
  name: "walk",
  version: 1,
  rate: 60,
  state: layout({ x: f64.lerp }),
  input: { go: button },
  effects: { step: {} },
  step(world, [player], { emit, dt }) {
    world.x += dt;
    if (player.pressed.go) emit("step");
  },
});

const slow = simulation({ ...walk.options, rate: 30 });

const tapping = () =>
  localSession(walk, {
    inputs([player], { tick }) {
      player.go = tick % 10 === 0;
    },
  });

/** Runs a call that must throw, and returns its error. */
function errorOf(call: () => unknown): TickwiseError {
  try {
    call();
  } catch (error) {
    if (error instanceof TickwiseError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("errors name the call that was made", () => {
  test.each([
    [{ maxSteps: 0 }, "play: maxSteps must be a whole number, 1 or more, got 0."],
    [
      { seed: 7, history: { seconds: -1 } },
      "play: history.seconds must be a number from 0 to 1000000, got -1.",
    ],
    [{ render: 5 }, "play: render must be a function, got 5."],
    [
      { present: "speculated" },
      'play: present must be "interpolate", "speculate" or "none", got "speculated".',
    ],
    [{ inputs: 3 }, "play: inputs must be a function or a source of inputs, got 3."],
    [{ maxStep: 3 }, 'play: unknown option "maxStep". Did you mean "maxSteps"?'],
    [{ withdrawn() {} }, 'play: unknown option "withdrawn".'],
    [{ history: { second: 1 } }, 'play: unknown option "history.second". Did you mean "seconds"?'],
    [{ history: null }, "play: history must be an object, got null."],
    [5, "play: options must be an object, got 5."],
  ])("play(game, %j)", (options, message) => {
    const error = errorOf(() => play(walk, options as never));
    expect(error.message).toContain(message);
    expect(error.call).toBe("play");
  });

  test.each([
    [{ maxSteps: 0 }, "drive: maxSteps must be"],
    [{ seed: 1 }, 'drive: unknown option "seed".'],
    [{ present: "interpolate" }, 'drive: present must be "latest", or left out, got "interpolate".'],
    [{ effect: 1 }, "drive: effect must be a function"],
  ])("drive(session, %j), and the session is still usable", (options, message) => {
    const session = tapping();
    expect(errorOf(() => drive(session, options as never)).message).toContain(message);
    expect(session.advance()).toBe("stepped");
  });

  test("drive with a driver that is in use, and the session has no listener left", () => {
    const driver = manualDriver();
    const first = drive(tapping(), { driver });
    const session = tapping();
    const effect = vi.fn<() => void>();
    expect(errorOf(() => drive(session, { driver, effect })).call).toBe("drive");
    session.advance();
    session.view(1);
    expect(effect).not.toHaveBeenCalled();
    first.dispose();
  });

  test("drive without a session", () => {
    expect(errorOf(() => drive(walk as never)).message).toBe(
      "drive: session must be a session, got a Simulation. Try localSession(game).",
    );
  });

  test("playReplay with a damaged file, or a wrong option", () => {
    expect(errorOf(() => playReplay(walk, new Uint8Array(3))).call).toBe("playReplay");
    const bytes = record(tapping()).bytes();
    expect(errorOf(() => playReplay(walk, bytes, { rewnd: true } as never)).message).toBe(
      'playReplay: unknown option "rewnd". Did you mean "rewind"?',
    );
  });
});

test("a replay plays with one call, to its end, and then stands still", () => {
  const session = tapping();
  const recorder = record(session);
  for (let i = 0; i < 90; i++) session.advance();
  const driver = manualDriver();
  const drawn: number[] = [];
  const effects: number[] = [];
  const playing = playReplay(walk, recorder.bytes(), {
    driver,
    render: ({ x }) => void drawn.push(x),
    effect: ({ tick }) => void effects.push(tick),
  });
  driver.display(60, 2);
  expect(playing.session.ended).toBe(true);
  expect(playing.session.divergence).toBeUndefined();
  expect(effects).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80]);
  expect(drawn.at(-1)).toBe(session.world.x);
  expect(drawn.at(-20)).toBe(session.world.x);
  expect(playing.session.advance()).toBe("ended");
  playing.dispose();
  expect(playing.loop.running).toBe(false);
});

test("use: drives another session with the same loop, and listens to that one only", () => {
  const driver = manualDriver();
  const effect = vi.fn<(effect: EffectOf<typeof walk>) => void>();
  const [first, second] = [tapping(), tapping()];
  const playing = drive(first, { driver, effect });
  driver.display(60, 0.5);
  const { tick } = first;
  effect.mockClear();
  playing.use(second);
  driver.display(60, 0.5);
  expect(first.tick).toBe(tick);
  expect([second.tick, playing.session]).toEqual([30, second]);
  expect(effect.mock.calls.map(([{ tick: at }]) => at)).toEqual([0, 10, 20]);
  first.advance();
  first.view(1);
  expect(effect).toHaveBeenCalledTimes(3);
  expect(errorOf(() => playing.use(localSession(slow) as never))).toMatchObject({
    code: "rate-mismatch",
    message: "Drive.use: this session runs at 30 Hz, but the loop at 60 Hz. Call drive for it.",
  });
  playing.dispose();
});

test("use: rejects what is not a session, and goes on with the old one", () => {
  const driver = manualDriver();
  const playing = drive(tapping(), { driver });
  for (const value of [undefined, null, walk, Promise.resolve(tapping()), { advance() {} }])
    expect(errorOf(() => playing.use(value as never))).toMatchObject({
      code: "bad-value",
      call: "Drive.use",
    });
  driver.display(60, 0.5);
  expect(playing.session.tick).toBe(30);
  playing.dispose();
});

test("dispose: an effect listener can call it, and nothing is drawn afterwards", () => {
  const driver = manualDriver();
  const render = vi.fn<() => void>();
  const playing = drive(tapping(), {
    driver,
    render,
    effect() {
      playing.dispose();
      render.mockClear();
    },
  });
  driver.display(60, 0.5);
  expect(playing.loop.running).toBe(false);
  expect(render).not.toHaveBeenCalled();
});

test("the loop presents what the session presents, or the latest state", () => {
  const drawn = (present: "interpolate" | "speculate" | "latest") => {
    const driver = manualDriver();
    const xs: number[] = [];
    const { dispose } = play(walk, {
      driver,
      present,
      render: ({ x }) => void xs.push(x * 60),
    });
    driver.display(120, 9 / 120);
    dispose();
    return xs.map((x) => Math.round(x * 100) / 100);
  };
  const blended = drawn("interpolate");
  expect(drawn("latest").every(Number.isInteger)).toBe(true);
  // Speculation shows one step more.
  expect(drawn("speculate").slice(2)).toEqual(blended.slice(2).map((x) => x + 1));
});

test("a latch knows how long a step is, so a tap shorter than a step is not held for two", () => {
  const timings: (number | undefined)[] = [];
  const driver = manualDriver();
  const { loop, dispose } = play(walk, {
    driver,
    inputs: { sample: (_, __, { duration }) => void timings.push(duration) },
  });
  driver.display(60, 3 / 60);
  timeScale(loop).set(0.5);
  driver.display(60, 4 / 60);
  loop.pause();
  loop.runSteps(1);
  expect(timings[0]).toBeCloseTo(1 / 60, 9);
  expect(timings.at(-2)).toBeCloseTo(1 / 30, 9);
  expect(timings.at(-1)).toBe(0);
  dispose();
});

test("readReplay and drive in two calls do the same as playReplay", () => {
  const session = tapping();
  const recorder = record(session);
  session.skip(30);
  const replay = readReplay(recorder.bytes());
  const driver = manualDriver();
  const { session: player, dispose } = playReplay(walk, replay, { driver });
  driver.display(60, 1);
  expect(player.tick).toBe(30);
  dispose();
});

test("the loop runs at the pace that the session asks for, and dt stays", () => {
  const session = tapping();
  let pace = 1;
  const paced = Object.defineProperty(session, "pace", { get: () => pace });
  const driver = manualDriver();
  const { loop, dispose } = drive(paced, { driver });
  driver.display(60, 1);
  expect(session.tick).toBe(60);
  pace = 1.05;
  driver.display(60, 20);
  expect(session.tick).toBeGreaterThanOrEqual(60 + 1259);
  expect(session.tick).toBeLessThanOrEqual(60 + 1260);
  const { pace: present, value } = timeScale(loop);
  expect([present, value, speedOf(loop), loop.dt]).toEqual([1.05, 1, 1.05, 1 / 60]);
  pace = 1;
  driver.display(60, 1);
  expect(timeScale(loop).pace).toBe(1);
  // A user's time scale is independent of it.
  timeScale(loop).set(0.5);
  pace = 0.9;
  driver.display(60, 1);
  expect(speedOf(loop)).toBeCloseTo(0.45, 12);
  dispose();
});
