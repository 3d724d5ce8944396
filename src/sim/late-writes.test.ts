import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { f64, hashText, layout, table, u32 } from "../state/index.js";
import {
  guard,
  localSession,
  play,
  simulation,
  syncTest,
  type LocalSession,
  type ExternalState,
} from "./index.js";
import { manualDriver } from "../testing/index.js";

/** Waits until timers and promises that are due have run. */
const later = () => new Promise((resolve) => setTimeout(resolve, 5));

const state = layout({ x: f64, n: u32, rows: table(4, { y: f64 }) });

/** A game whose step writes before and after each `await`, and rejects at the end. */
const async = simulation({
  name: "async",
  version: 1,
  rate: 60,
  state,
  step(world, _, { random }) {
    world.x += 1;
    world.rows.add({ y: 2 });
    const rest = async () => {
      await Promise.resolve();
      world.x += 10;
      random.u32();
      await later();
      world.rows.clear();
      world.n = 7;
      throw new Error("late");
    };
    return rest() as unknown as void;
  },
});

describe.each([
  ["plain", {}],
  ["with a history", { history: { seconds: 1 } }],
  ["with a guard", { guard: guard() }],
] as const)("a session %s", (_, options) => {
  test("rolls back a step that returned a promise, and undoes its later writes", async () => {
    const session = localSession(async, options);
    const { world } = session;
    const before = hashText(session.hash());
    for (let i = 0; i < 2; i++) {
      expect(() => session.advance()).toThrow(
        errorWith(
          "async-callback",
          "Simulation: step must be synchronous, but it returned a promise. Remove async: nothing may happen between two steps.",
        ),
      );
      expect([session.tick, world.x, world.rows.count]).toEqual([0, 0, 0]);
      await Promise.resolve();
      // While the step is between two awaits.
      expect(hashText(session.hash())).toBe(before);
    }
    await later();
    await later();
    expect([world.x, world.n]).toEqual([0, 0]);
    expect(hashText(session.hash())).toBe(before);
    expect(session.view(0.5).x).toBe(0);
  });
});

test("late writes of an async step do not affect the steps after it", async () => {
  let isAsync = true;
  const moody = simulation({
    name: "moody",
    version: 1,
    rate: 60,
    state,
    step(world) {
      world.x += 1;
      if (!isAsync) return;
      return (async () => {
        await later();
        world.x += 100;
      })() as unknown as void;
    },
  });
  const session = localSession(moody, { history: { seconds: 1 } });
  expect(() => session.advance()).toThrow(errorWith("async-callback"));
  isAsync = false;
  for (let i = 0; i < 5; i++) session.advance();
  const { world } = session;
  await later();
  await later();
  expect([session.tick, world.x]).toEqual([5, 5]);
  session.advance();
  session.seek(2);
  expect(session.world.x).toBe(2);
});

/** A counter as external state. */
class Counter implements ExternalState {
  count = 0;
  save = () => Uint8Array.of(this.count);
  load = ([count]: Uint8Array) => void (this.count = count!);
  hash = (): [number, number] => [this.count, 0];
}

const counting = simulation({
  name: "counting",
  version: 1,
  rate: 60,
  state,
  external: { counter: () => new Counter() },
  step(world, _, { external }) {
    world.x += 1;
    external.counter.count += 1;
    return (async () => {
      await Promise.resolve();
      external.counter.count += 10;
    })() as unknown as void;
  },
});

test("with a history, external state is restored too", async () => {
  const session = localSession(counting, { history: { seconds: 1 } });
  const before = hashText(session.hash());
  expect(() => session.advance()).toThrow(errorWith("async-callback"));
  expect(hashText(session.hash())).toBe(before);
  await later();
  expect(hashText(session.hash())).toBe(before);
});

test("without a history, load restores the external state", async () => {
  const session = localSession(counting);
  const bytes = session.bytes();
  const before = hashText(session.hash());
  expect(() => session.advance()).toThrow(errorWith("async-callback"));
  expect(session.world.x).toBe(0);
  session.load(bytes);
  await later();
  expect(hashText(session.hash())).toBe(before);
});

test("a speculated step that returns a promise leaves the session unchanged", async () => {
  const session = localSession(async, { present: "speculate" });
  const before = hashText(session.hash());
  expect(() => session.view(0.5)).toThrow(errorWith("async-callback"));
  await later();
  await later();
  expect(hashText(session.hash())).toBe(before);
});

/* oxlint-disable unicorn/no-thenable -- Thenables are the subject of this test. */
test("a step that returns a thenable is rejected; other values are ignored", () => {
  const returning = (value: unknown): LocalSession =>
    localSession(simulation({ ...async.options, step: (() => value) as () => void }));
  for (const value of [{ then: (done: () => void) => done() }, Promise.resolve(1)])
    expect(() => returning(value).advance()).toThrow(errorWith("async-callback"));
  for (const value of [null, 0, "text", { then: 1 }, []])
    expect(() => returning(value).advance()).not.toThrow();
});
/* oxlint-enable unicorn/no-thenable */

test("an async init is rejected, and so are async steps in a sync test and in play", async () => {
  const { step: _, ...rest } = async.options;
  const slow = simulation({ ...rest, init: (async () => {}) as () => void, step() {} });
  expect(() => localSession(slow)).toThrow(
    errorWith(
      "async-callback",
      "Simulation: init must be synchronous, but it returned a promise. Remove async, and await what it needs before you create the session.",
    ),
  );
  expect(() => syncTest(async)).toThrow(errorWith("async-callback"));
  const driver = manualDriver();
  const { session, dispose } = play(async, { driver });
  expect(() => driver.wait(1)).toThrow(errorWith("async-callback"));
  await later();
  await later();
  expect(session.world.x).toBe(0);
  dispose();
});

test("a session that was disposed meanwhile is not restored", async () => {
  const session = localSession(async);
  expect(() => session.advance()).toThrow(errorWith("async-callback"));
  session.dispose();
  await later();
  await later();
  expect(() => session.advance()).toThrow(errorWith("disposed"));
});

test("reading session.world in a step does not undo its writes while an async step is pending", async () => {
  let isAsync = true;
  const session: LocalSession = localSession(
    simulation({
      name: "reading",
      version: 1,
      rate: 60,
      state,
      step(world) {
        if (isAsync) return later() as never;
        world.x += 1;
        void session.world;
        world.n += 1;
      },
    }),
  ) as never;
  expect(() => session.advance()).toThrow(errorWith("async-callback"));
  isAsync = false;
  for (let i = 0; i < 3; i++) session.advance();
  expect(session.toJSON()).toMatchObject({ tick: 3, x: 3, n: 3 });
  await later();
});
