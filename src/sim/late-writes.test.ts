import { describe, expect, test } from "vitest";
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

/** A game whose step writes before and after each `await`, and is rejected in the end. */
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
  test("is as it was before a step that returned a promise, whatever the promise still does", async () => {
    const session = localSession(async, options);
    const { world } = session;
    const before = hashText(session.hash());
    for (let i = 0; i < 2; i++) {
      expect(() => session.advance()).toThrow("Simulation: step must be synchronous, got");
      expect([session.tick, world.x, world.rows.count]).toEqual([0, 0, 0]);
      await Promise.resolve();
      // In the midst of it.
      expect(hashText(session.hash())).toBe(before);
    }
    await later();
    await later();
    expect([world.x, world.n]).toEqual([0, 0]);
    expect(hashText(session.hash())).toBe(before);
    expect(session.view(0.5).x).toBe(0);
  });
});

test("a promise of an earlier step changes none of the steps after it", async () => {
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
  expect(() => session.advance()).toThrow("synchronous");
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

/** A counter outside the buffer. */
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

test("external state is restored too, where there is a history", async () => {
  const session = localSession(counting, { history: { seconds: 1 } });
  const before = hashText(session.hash());
  expect(() => session.advance()).toThrow("synchronous");
  expect(hashText(session.hash())).toBe(before);
  await later();
  expect(hashText(session.hash())).toBe(before);
});

test("external state without a history is restored by load", async () => {
  const session = localSession(counting);
  const bytes = session.bytes();
  const before = hashText(session.hash());
  expect(() => session.advance()).toThrow("synchronous");
  expect(session.world.x).toBe(0);
  session.load(bytes);
  await later();
  expect(hashText(session.hash())).toBe(before);
});

test("a step ahead that returns a promise leaves the session as it was", async () => {
  const session = localSession(async, { present: "speculate" });
  const before = hashText(session.hash());
  expect(() => session.view(0.5)).toThrow("synchronous");
  await later();
  await later();
  expect(hashText(session.hash())).toBe(before);
});

/* oxlint-disable unicorn/no-thenable -- They are what is tested. */
test("any object with a then is refused as a promise; other values are ignored", () => {
  const returning = (value: unknown): LocalSession =>
    localSession(simulation({ ...async.options, step: (() => value) as () => void }));
  for (const value of [{ then: (done: () => void) => done() }, Promise.resolve(1)])
    expect(() => returning(value).advance()).toThrow("synchronous");
  for (const value of [null, 0, "text", { then: 1 }, []])
    expect(() => returning(value).advance()).not.toThrow();
});
/* oxlint-enable unicorn/no-thenable */

test("init is refused as well, and so are async steps of a sync test and of play", async () => {
  const { step: _, ...rest } = async.options;
  const slow = simulation({ ...rest, init: (async () => {}) as () => void, step() {} });
  expect(() => localSession(slow)).toThrow("Simulation: init must be synchronous, got");
  expect(() => syncTest(async)).toThrow("Simulation: step must be synchronous");
  const driver = manualDriver();
  const { session, dispose } = play(async, { driver });
  expect(() => driver.wait(1)).toThrow("Simulation: step must be synchronous");
  await later();
  await later();
  expect(session.world.x).toBe(0);
  dispose();
});

test("a session that was disposed of in the meantime is not restored", async () => {
  const session = localSession(async);
  expect(() => session.advance()).toThrow("synchronous");
  session.dispose();
  await later();
  await later();
  expect(() => session.advance()).toThrow("disposed");
});

test("a step that reads the session's world while another is pending keeps what it wrote", async () => {
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
  expect(() => session.advance()).toThrow("synchronous");
  isAsync = false;
  for (let i = 0; i < 3; i++) session.advance();
  expect(session.toJSON()).toMatchObject({ tick: 3, x: 3, n: 3 });
  await later();
});
