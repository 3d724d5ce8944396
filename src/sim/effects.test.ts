import { describe, expect, test } from "vitest";
import { manualDriver } from "../testing/index.js";
import { bool, f64, layout, u32, vec2 } from "../state/index.js";
import { EffectQueue } from "./effect-queue.js";
import { button, localSession, play, simulation, syncTest } from "./index.js";

/** Rings in every tick that is a multiple of ten, and when the button is pressed. */
const bells = simulation({
  name: "bells",
  version: 1,
  rate: 60,
  state: layout({ rung: u32 }),
  input: { ring: button },
  effects: { bell: { pitch: f64, loud: bool }, hush: {} },
  step(world, [player], { tick, emit }) {
    if (tick % 10 === 0 || player.pressed.ring) {
      world.rung += 1;
      emit("bell", { pitch: tick, loud: player.ring });
    }
  },
});

test("one without fields is told by its name alone", () => {
  const clicks = simulation({ ...bells.options, step: (_, __, { emit }) => emit("hush") });
  const told: unknown[] = [];
  const session = localSession(clicks);
  session.on("effect", (effect) => told.push(effect));
  session.advance();
  session.view(1);
  expect(told).toEqual([{ name: "hush", tick: 0 }]);
});

test("effects of tick n are told once, in the first frame that shows state n + 1", () => {
  const session = localSession(bells);
  const told: string[] = [];
  session.on("effect", (effect) => told.push(`${effect.name} ${effect.tick}`));
  session.advance();
  // State 1 exists, and the picture lies before it.
  for (const alpha of [0, 0.5, 0.999]) session.view(alpha);
  expect(told).toEqual([]);
  session.view(1);
  session.view(1);
  expect(told).toEqual(["bell 0"]);
  for (let i = 0; i < 10; i++) session.advance();
  session.view(0.25);
  expect(told).toEqual(["bell 0"]);
  session.advance();
  session.view(0);
  expect(told).toEqual(["bell 0", "bell 10"]);
});

test("under a loop, each is told in the first frame whose shown time has come to the end of its tick", () => {
  for (const [hertz, pacing] of [
    [60, "display"],
    [144, "display"],
    [144, "raw"],
    [25, "raw"],
  ] as const) {
    const driver = manualDriver();
    const told: [number, number][] = [];
    let shown = 0;
    let before = -1;
    const { dispose } = play(bells, {
      driver,
      pacing,
      render: (_, frame) => {
        before = shown;
        shown = frame.shownTime;
        for (const one of told.filter(([, at]) => Number.isNaN(at))) one[1] = shown;
      },
      effect: ({ tick }) => told.push([tick, NaN]),
    });
    driver.display(hertz, 2);
    expect(told.map(([tick]) => tick)).toEqual(told.map((_, i) => i * 10));
    expect(told.length).toBeGreaterThan(10);
    for (const [tick, at] of told) {
      expect(at, `${hertz} ${pacing}`).toBeGreaterThanOrEqual((tick + 1) / 60 - 1e-12);
      expect(at - (tick + 1) / 60).toBeLessThan(1 / 60 + 1 / hertz);
    }
    expect(before).toBeLessThan(shown);
    dispose();
  }
});

test("none from a rewind, a jump, a speculation or a sync test; a new future has its own", () => {
  const told: number[] = [];
  const session = localSession(bells, {
    history: { seconds: 1, every: 4 / 60 },
    present: "speculate",
    inputs: (players, { tick }) => {
      players[0]!.ring = isLate && tick === 15;
    },
  });
  let isLate = false;
  session.on("effect", ({ tick }) => told.push(tick));
  const step = () => {
    session.advance();
    session.view(0.5);
  };
  for (let i = 0; i < 25; i++) step();
  expect(told).toEqual([0, 10, 20]);
  session.seek(7);
  session.view(1);
  session.rewind(0.5);
  for (let i = 0; i < 10; i++) step();
  session.endRewind();
  expect(told).toEqual([0, 10, 20]);
  isLate = true;
  while (session.tick < 25) step();
  expect(told).toEqual([0, 10, 20, 10, 15, 20]);
  syncTest(bells, { ticks: 100 });
  expect(told.length).toBe(6);
});

test("an effect that waits when time is turned back is never told", () => {
  const told: number[] = [];
  const session = localSession(bells, { history: { seconds: 1 } });
  session.on("effect", ({ tick }) => told.push(tick));
  session.advance();
  session.advance();
  session.seek(0);
  session.view(1);
  expect(told).toEqual([]);
});

test("a step that fails has no effects", () => {
  let fails = true;
  const game = simulation({
    ...bells.options,
    step(world, inputs, context) {
      bells.options.step(world, inputs, context);
      if (fails) throw new Error("in a step");
    },
  });
  const told: number[] = [];
  const session = localSession(game);
  session.on("effect", ({ tick }) => told.push(tick));
  expect(() => session.advance()).toThrow("in a step");
  fails = false;
  session.advance();
  session.view(1);
  expect(told).toEqual([0]);
});

test("what is emitted may be used again by the step", () => {
  const values = { pitch: 1, loud: false };
  const game = simulation({
    ...bells.options,
    step(_world, _inputs, { emit }) {
      emit("bell", values);
      values.pitch += 1;
      emit("bell", values);
    },
  });
  const session = localSession(game);
  const told: number[] = [];
  session.on("effect", (effect) => effect.name === "bell" && told.push(effect.pitch));
  session.advance();
  session.view(1);
  expect(told).toEqual([1, 2]);
});

test.each([
  [{ name: "gong", values: {} }, /^emit: name must be one of bell, hush, got "gong"/],
  [{ name: "bel", values: {} }, /^emit: name must be one of bell, hush, got "bel"\. Try "bell"\.$/],
  [{ name: "Hsuh", values: {} }, /got "Hsuh"\. Try "hush"\.$/],
  [{ name: Symbol("bell") as never, values: {} }, /^emit: name must be one of/],
  [{ name: "bell", values: { pitch: 1, loud: true, pich: 2 } }, /got "pich"\. Try "pitch"\.$/],
  [{ name: "bell", values: { pitch: 1 } }, /^emit: bell.loud must be a number or a boolean, got undefined/],
  [{ name: "bell", values: { pitch: 1, loud: true, far: 2 } }, /^emit: bell.far must be one of pitch, loud/],
  [{ name: "bell", values: undefined }, /^emit: bell.pitch must be a number or a boolean/],
])("%j is refused", ({ name, values }, message) => {
  const game = simulation({
    ...bells.options,
    step(_world, _inputs, { emit }) {
      emit(name as "bell", values as never);
    },
  });
  expect(() => localSession(game).advance()).toThrow(message);
});

test.each([
  [{ thud: { at: vec2 } }, /^simulation: effects.thud.at must be a number's field/],
  [{ thud: { tick: f64 } }, /^simulation: effects.thud must be fields by other names than name and tick/],
  [{ thud: 3 }, /^simulation: effects.thud must be fields by name, got 3/],
])("effects %# of a simulation are refused", (effects, message) => {
  expect(() => simulation({ ...bells.options, effects: effects as never })).toThrow(message);
});

describe("effects of ticks that were only predicted", () => {
  const effect = (tick: number, pitch: number) => ({ name: "bell", tick, pitch });
  const shown = (queue: EffectQueue, state: number) => {
    const told: unknown[] = [];
    queue.deliver(state, (one) => told.push(one));
    return told;
  };
  const settled = (queue: EffectQueue) => {
    const told: unknown[] = [];
    queue.endResimulation((one) => told.push(one));
    return told;
  };

  test("are not told again if they happen again", () => {
    const queue = new EffectQueue();
    queue.add(effect(3, 1));
    expect(shown(queue, 4)).toEqual([effect(3, 1)]);
    queue.beginResimulation(2);
    queue.add(effect(3, 1));
    expect(settled(queue)).toEqual([]);
    expect(shown(queue, 9)).toEqual([]);
  });

  test("are withdrawn if they have not been shown", () => {
    const queue = new EffectQueue();
    queue.add(effect(3, 1));
    queue.beginResimulation(2);
    expect(settled(queue)).toEqual([]);
    expect(shown(queue, 9)).toEqual([]);
  });

  test("are reported if they have", () => {
    const queue = new EffectQueue();
    queue.add(effect(3, 1));
    shown(queue, 4);
    queue.beginResimulation(3);
    queue.add(effect(3, 2));
    expect(settled(queue)).toEqual([effect(3, 1)]);
    // What happened in its place is told late, but told.
    expect(shown(queue, 9)).toEqual([effect(3, 2)]);
  });

  test("two that are alike are two", () => {
    const queue = new EffectQueue();
    queue.add(effect(3, 1));
    queue.add(effect(3, 1));
    expect(shown(queue, 4).length).toBe(2);
    queue.beginResimulation(0);
    queue.add(effect(3, 1));
    expect(settled(queue)).toEqual([effect(3, 1)]);
  });

  test("are forgotten once they are certain and shown", () => {
    const queue = new EffectQueue();
    for (let tick = 0; tick < 50_000; tick++) {
      queue.add(effect(tick, 1));
      queue.deliver(tick, () => {});
      queue.confirm(tick - 8);
    }
    queue.beginResimulation(0);
    expect(settled(queue).length).toBeLessThan(12);
    expect(queue.lost).toBe(0);
  });

  test("do not grow for ever where nobody looks: the oldest are lost, and counted", () => {
    const queue = new EffectQueue();
    for (let tick = 0; tick < 10_005; tick++) queue.add(effect(tick, 1));
    expect(queue.lost).toBe(5);
    expect(shown(queue, 1e9).length).toBe(10_000);
  });
});
