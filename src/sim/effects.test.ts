import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { manualDisplay, manualDriver } from "../testing/index.js";
import { bool, f64, layout, u32, vec2 } from "../state/index.js";
import { EffectQueue } from "./effect-queue.js";
import { button, localSession, play, simulation, syncTest } from "./index.js";

/** Rings in every tenth tick, and when the button is pressed. */
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

test("an effect without fields is emitted by its name alone", () => {
  const clicks = simulation({ ...bells.options, step: (_, __, { emit }) => emit("hush") });
  const delivered: unknown[] = [];
  const session = localSession(clicks);
  session.on("effect", (effect) => delivered.push(effect));
  session.advance();
  session.view(1);
  expect(delivered).toEqual([{ name: "hush", tick: 0, age: 0 }]);
});

test("effects of tick n are delivered once, in the first frame that shows state n + 1", () => {
  const session = localSession(bells);
  const delivered: string[] = [];
  session.on("effect", (effect) => delivered.push(`${effect.name} ${effect.tick}`));
  session.advance();
  // State 1 exists, but the view shows a time before it.
  for (const alpha of [0, 0.5, 0.999]) session.view(alpha);
  expect(delivered).toEqual([]);
  session.view(1);
  session.view(1);
  expect(delivered).toEqual(["bell 0"]);
  for (let i = 0; i < 10; i++) session.advance();
  session.view(0.25);
  expect(delivered).toEqual(["bell 0"]);
  session.advance();
  session.view(0);
  expect(delivered).toEqual(["bell 0", "bell 10"]);
});

test("under a loop, each effect is delivered in the first frame that shows the end of its tick", () => {
  for (const [hertz, create] of [
    [60, manualDisplay],
    [144, manualDisplay],
    [144, manualDriver],
    [25, manualDriver],
  ] as const) {
    const driver = create();
    const delivered: [number, number][] = [];
    let shown = 0;
    let before = -1;
    const { dispose } = play(bells, {
      driver,
      render: (_, frame) => {
        before = shown;
        shown = frame.shownTime;
        for (const one of delivered.filter(([, at]) => Number.isNaN(at))) one[1] = shown;
      },
      effect: ({ tick }) => delivered.push([tick, NaN]),
    });
    driver.display(hertz, 2);
    expect(delivered.map(([tick]) => tick)).toEqual(delivered.map((_, i) => i * 10));
    expect(delivered.length).toBeGreaterThan(10);
    for (const [tick, at] of delivered) {
      expect(at, `${hertz} ${create.name}`).toBeGreaterThanOrEqual((tick + 1) / 60 - 1e-12);
      expect(at - (tick + 1) / 60).toBeLessThan(1 / 60 + 1 / hertz);
    }
    expect(before).toBeLessThan(shown);
    dispose();
  }
});

test("a rewind, a seek, a speculated step or a sync test delivers no effects; a new future does", () => {
  const delivered: number[] = [];
  const session = localSession(bells, {
    history: { seconds: 1, every: 4 / 60 },
    present: "speculate",
    inputs: ([player], { tick }) => {
      player.ring = isLate && tick === 15;
    },
  });
  let isLate = false;
  session.on("effect", ({ tick }) => delivered.push(tick));
  const step = () => {
    session.advance();
    session.view(0.5);
  };
  for (let i = 0; i < 25; i++) step();
  expect(delivered).toEqual([0, 10, 20]);
  session.seek(7);
  session.view(1);
  session.rewind(0.5);
  for (let i = 0; i < 10; i++) step();
  session.endRewind();
  expect(delivered).toEqual([0, 10, 20]);
  isLate = true;
  while (session.tick < 25) step();
  expect(delivered).toEqual([0, 10, 20, 10, 15, 20]);
  syncTest(bells, { ticks: 100 });
  expect(delivered.length).toBe(6);
});

test("a seek discards effects that were not shown yet", () => {
  const delivered: number[] = [];
  const session = localSession(bells, { history: { seconds: 1 } });
  session.on("effect", ({ tick }) => delivered.push(tick));
  session.advance();
  session.advance();
  session.seek(0);
  session.view(1);
  expect(delivered).toEqual([]);
});

test("discards the effects of a step that threw", () => {
  let fails = true;
  const game = simulation({
    ...bells.options,
    step(world, inputs, context) {
      bells.options.step(world, inputs, context);
      if (fails) throw new Error("in a step");
    },
  });
  const delivered: number[] = [];
  const session = localSession(game);
  session.on("effect", ({ tick }) => delivered.push(tick));
  expect(() => session.advance()).toThrow("in a step");
  fails = false;
  session.advance();
  session.view(1);
  expect(delivered).toEqual([0]);
});

test("copies the values of an effect, so that a step can reuse the object", () => {
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
  const delivered: number[] = [];
  session.on("effect", (effect) => effect.name === "bell" && delivered.push(effect.pitch));
  session.advance();
  session.view(1);
  expect(delivered).toEqual([1, 2]);
});

test.each([
  [{ name: "gong", values: {} }, "unknown-name", 'emit: unknown effect "gong". Known: bell, hush.'],
  [{ name: "bel", values: {} }, "unknown-name", 'emit: unknown effect "bel". Did you mean "bell"?'],
  [{ name: "Hsuh", values: {} }, "unknown-name", 'Did you mean "hush"?'],
  [{ name: Symbol("bell") as never, values: {} }, "unknown-name", "emit: unknown effect"],
  [
    { name: "bell", values: { pitch: 1, loud: true, pich: 2 } },
    "unknown-name",
    'emit: unknown field of effect "bell": "pich". Did you mean "pitch"?',
  ],
  [
    { name: "bell", values: { pitch: 1, loud: true, far: 2 } },
    "unknown-name",
    'emit: unknown field of effect "bell": "far". Known: pitch, loud.',
  ],
  [
    { name: "bell", values: { pitch: 1 } },
    "bad-value",
    "emit: bell.loud must be a number or a boolean, got undefined",
  ],
  [{ name: "bell", values: null }, "bad-value", "emit: bell.pitch must be a number or a boolean"],
  [{ name: "bell", values: undefined }, "bad-value", "emit: bell.pitch must be a number or a boolean"],
] as const)("emit rejects %j", ({ name, values }, code, message) => {
  const game = simulation({
    ...bells.options,
    step(_world, _inputs, { emit }) {
      emit(name as "bell", values as never);
    },
  });
  expect(() => localSession(game).advance()).toThrow(errorWith(code, message));
});

test.each([
  [{ thud: { at: vec2 } }, "simulation: effects.thud.at must be a field of a single number"],
  [{ thud: { at: { x: f64 } } }, "simulation: effects.thud.at must be a field of a single number"],
  [
    { thud: { tick: f64 } },
    'simulation: a field of effects.thud must be none of "name", "tick" and "age", got "tick". Try "at".',
  ],
  [{ thud: 3 }, "simulation: effects.thud must be an object of fields, got 3. Try { x: f64 }."],
])("a simulation rejects effects %#", (effects, message) => {
  expect(() => simulation({ ...bells.options, effects: effects as never })).toThrow(
    errorWith("bad-value", message),
  );
});

describe("effects of predicted ticks", () => {
  const effect = (tick: number, pitch: number) => ({ name: "bell", tick, pitch });
  const delivered = (queue: EffectQueue, state: number) => {
    const effects: unknown[] = [];
    queue.deliver(state, (one) => effects.push(one));
    return effects;
  };
  const withdrawn = (queue: EffectQueue) => {
    const effects: unknown[] = [];
    queue.endResimulation((one) => effects.push(one));
    return effects;
  };

  test("are not delivered again if the resimulation emits them again", () => {
    const queue = new EffectQueue(1 / 60);
    queue.add(effect(3, 1));
    expect(delivered(queue, 4)).toMatchObject([effect(3, 1)]);
    queue.beginResimulation(2);
    queue.add(effect(3, 1));
    expect(withdrawn(queue)).toEqual([]);
    expect(delivered(queue, 9)).toEqual([]);
  });

  test("are dropped silently if they were not delivered yet", () => {
    const queue = new EffectQueue(1 / 60);
    queue.add(effect(3, 1));
    queue.beginResimulation(2);
    expect(withdrawn(queue)).toEqual([]);
    expect(delivered(queue, 9)).toEqual([]);
  });

  test("are withdrawn if they were delivered", () => {
    const queue = new EffectQueue(1 / 60);
    queue.add(effect(3, 1));
    delivered(queue, 4);
    queue.beginResimulation(3);
    queue.add(effect(3, 2));
    expect(withdrawn(queue)).toMatchObject([effect(3, 1)]);
    // The effect that replaces it is delivered late.
    expect(delivered(queue, 9)).toMatchObject([effect(3, 2)]);
  });

  test("two equal effects are counted separately", () => {
    const queue = new EffectQueue(1 / 60);
    queue.add(effect(3, 1));
    queue.add(effect(3, 1));
    expect(delivered(queue, 4).length).toBe(2);
    queue.beginResimulation(0);
    queue.add(effect(3, 1));
    expect(withdrawn(queue)).toMatchObject([effect(3, 1)]);
  });

  test("are forgotten once they are confirmed and delivered", () => {
    const queue = new EffectQueue(1 / 60);
    for (let tick = 0; tick < 50_000; tick++) {
      queue.add(effect(tick, 1));
      queue.deliver(tick, () => {});
      queue.confirm(tick - 8);
    }
    queue.beginResimulation(0);
    expect(withdrawn(queue).length).toBeLessThan(12);
    expect(queue.lost).toBe(0);
  });

  test("without a view, the queue keeps 10,000, and counts those that it discards", () => {
    const queue = new EffectQueue(1 / 60);
    for (let tick = 0; tick < 10_005; tick++) queue.add(effect(tick, 1));
    expect(queue.lost).toBe(5);
    expect(delivered(queue, 1e9).length).toBe(10_000);
  });
});
