import { describe, expect, test } from "vitest";
import { f64, layout, list, table, u32, type RowId } from "../state/index.js";
import {
  axis,
  button,
  simulation,
  syncTest,
  type ExternalState,
  type InputsOf,
  type Simulation,
} from "./index.js";

const COUNT = 8;
const World = layout({
  x: f64.lerp,
  score: u32,
  sums: list(COUNT, f64),
  crates: table(16, { x: f64.lerp, v: f64 }),
});

const sound = simulation({
  name: "sound",
  version: 1,
  rate: 60,
  players: 2,
  state: World,
  input: { push: button, aim: axis(8) },
  effects: { thud: { x: f64 } },
  init(world, { random }) {
    world.x = random.float();
  },
  step(world, [a, b], { dt, random, emit }) {
    world.x += (a.aim - b.aim) * dt;
    if (a.pressed.push) {
      world.score += a.held.push + 1;
      emit("thud", { x: world.x });
    }
    const { crates, sums } = world;
    if (crates.count < crates.capacity && random.chance(0.2))
      crates.add({ x: random.gaussian(), v: random.float() });
    for (let i = 0; i < crates.end; i++) {
      if (!(crates.id[i]! > 0)) continue;
      crates.x[i]! += crates.v[i]! * dt;
      sums[i % COUNT]! += crates.x[i]!;
      if (random.chance(0.05)) crates.remove(crates.id[i]!);
    }
  },
});

type Game = typeof sound;

/** The sound game, with a fault added to its step. */
const faulty = (name: string, more: Game["options"]["step"]): Game =>
  simulation({
    ...sound.options,
    name,
    step(world, inputs, context) {
      sound.options.step(world, inputs, context);
      more(world, inputs, context);
    },
  });

test("a sound simulation passes with any number of ticks back and any seed", () => {
  for (const back of [1, 2, 8, 30])
    for (const seed of [0, "seed", 77]) {
      const result = syncTest(sound, { back, seed, ticks: 200 });
      expect(result.ok, JSON.stringify(result)).toBe(true);
    }
});

test("with given inputs, the result does not depend on the number of ticks back", () => {
  const inputs = ([player]: InputsOf<typeof sound>, { tick }: { tick: number }) => {
    player.push = tick % 7 < 3;
  };
  const first = syncTest(sound, { inputs, ticks: 100 });
  const second = syncTest(sound, { inputs, ticks: 100, back: 3 });
  expect(first).toEqual(second);
  expect(first.ok).toBe(true);
});

test("known limit: a memo that numbers things by first use is not found, as all runs of a process share it", () => {
  const game = () => {
    const numbers = new Map<number, number>();
    return simulation({
      name: "memo",
      version: 1,
      rate: 60,
      state: layout({ n: u32 }),
      step(world, _, { random }) {
        const key = random.int(0, 999);
        if (!numbers.has(key)) numbers.set(key, numbers.size);
        world.n = numbers.get(key)!;
      },
    });
  };
  // Like two processes, one of which has numbered other things before: each passes, but they differ.
  const [one, other] = [game(), game()];
  syncTest(other, { seed: "another game" });
  const results = [one, other].map((each) => syncTest(each, { seed: 1 }));
  expect(results).toMatchObject([{ ok: true }, { ok: true }]);
  expect((results[0] as { hash: unknown }).hash).not.toEqual((results[1] as { hash: unknown }).hash);
});

test("the disturbing game may throw", () => {
  let made = 0;
  let steps = 0;
  const game = (where: "init" | "step") =>
    simulation({
      ...sound.options,
      init(world, context) {
        world.score = made++;
        if (where === "init" && world.score % 3 === 2) throw new Error("too much");
        // The third run is the disturbing one.
        world.sums[7] = world.score === 2 ? 1 : 0;
        world.score = 0;
        sound.options.init!(world, context);
      },
      step(world, inputs, context) {
        if (world.sums[7]! > 0 && context.tick === 5) throw new Error("too much");
        if (world.sums[7]! > 0) steps++;
        sound.options.step(world, inputs, context);
      },
    });
  expect(syncTest(game("step"), { ticks: 50 }).message).toBe("");
  expect(steps).toBe(5);
  made = 0;
  const once = game("init");
  expect(syncTest(once, { ticks: 7, back: 8 }).message).toBe("");
});

describe("reports the tick and the field of", () => {
  const expectFault = (game: Game, path: RegExp) => {
    const result = syncTest(game, { ticks: 300 });
    if (result.ok) throw new Error(`${game.name} was not caught`);
    expect(result.tick).toBeGreaterThan(0);
    expect(result.differences.length).toBeGreaterThan(0);
    expect(result.differences.map((one) => one.path).join()).toMatch(path);
    for (const { a, b } of result.differences) expect(a).not.toBe(b);
    expect(result.message).toContain(`syncTest: ${game.name} is not deterministic: state ${result.tick}`);
    return result;
  };

  test("state outside the buffer", () => {
    let count = 0;
    expectFault(
      faulty("outside", (world) => (world.score += count++ % 3)),
      /^score$/,
    );
  });

  test("Math.random", () => {
    expectFault(
      faulty("chance", (world) => (world.sums[3]! += Math.random())),
      /^sums\[3\]$/,
    );
  });

  test("a Map whose order differs after a rollback", () => {
    const seen = new Map<RowId, number>();
    expectFault(
      faulty("map", (world) => {
        const { crates } = world;
        // An index of the rows: always up to date, but in order of insertion.
        for (let i = 0; i < crates.end; i++) if (crates.id[i]! > 0) seen.set(crates.id[i]!, i);
        for (const one of seen.keys()) if (crates.row(one) < 0) seen.delete(one);
        let sum = 0;
        for (const row of seen.values()) sum = sum / 3 + crates.x[row]!;
        world.sums[0] = sum;
      }),
      /^sums\[0\]/,
    );
  });

  test("a number in a closure", () => {
    let smoothed = 0;
    expectFault(
      faulty("closure", (world) => {
        smoothed += (world.x - smoothed) * 0.1;
        world.sums[1] = smoothed;
      }),
      /sums\[1\]/,
    );
  });

  test("an array sorted by a key with ties", () => {
    const order = Array.from({ length: 16 }, (_, i) => i);
    expectFault(
      faulty("sort", (world) => {
        // Rows of the same sign keep their previous order.
        order.sort((a, b) => Math.sign(world.crates.x[a]!) - Math.sign(world.crates.x[b]!));
        world.sums[2] = order[0]! * 16 + order[15]!;
      }),
      /sums\[2\]/,
    );
  });

  test("a cache per world, which only a fresh copy reveals", () => {
    const caches = new WeakMap<object, number>();
    const result = expectFault(
      faulty("cache", (world) => {
        // Computed once per copy, from the state at that time.
        if (!caches.has(world)) caches.set(world, world.score);
        world.sums[4] = caches.get(world)!;
      }),
      /sums\[4\]/,
    );
    expect(result.against).toBe("fresh copy");
  });

  test("a cache by tick, which only another game disturbs", () => {
    const seen = new Map<number, number>();
    expectFault(
      faulty("by tick", (world, _, { tick }) => {
        world.sums[5] = seen.get(tick - 1) ?? 0;
        seen.set(tick, world.x);
      }),
      /sums\[5\]/,
    );
  });

  test("an init that is not deterministic: state 0", () => {
    const game = simulation({ ...sound.options, init: (world) => void (world.x = Math.random()) });
    const result = syncTest(game);
    expect(result).toMatchObject({ ok: false, tick: 0, differences: [{ path: "x" }] });
  });
});

/** A ball as external state. Unless `isExact`, a load rounds its speed. */
function ball(isExact: boolean): () => ExternalState & { fall(dt: number): number } {
  return () => {
    const state = new Float64Array([10, 0]);
    return {
      fall(dt) {
        state[1]! -= 9.81 * dt;
        state[0]! += state[1]! * dt;
        if (state[0]! < 0) state[1] = Math.abs(state[1]!);
        return state[0]!;
      },
      save: () => new Uint8Array(state.slice().buffer),
      load(bytes) {
        const [x, v] = new Float64Array(bytes.slice().buffer);
        state[0] = x!;
        state[1] = isExact ? v! : Math.fround(v!);
      },
      hash: () => {
        const words = new Uint32Array(state.buffer);
        return [(words[0]! ^ words[2]!) >>> 0, (words[1]! ^ words[3]!) >>> 0];
      },
    };
  };
}

const falling = (isExact: boolean): Simulation =>
  simulation({
    name: "falling",
    version: 1,
    rate: 60,
    state: layout({ height: f64 }),
    external: { ball: ball(isExact) },
    step(world, _inputs, { external, dt }) {
      world.height = external.ball.fall(dt);
    },
  }) as unknown as Simulation;

test("disposes its external states if the second run cannot start", () => {
  let [inits, live] = [0, 0];
  const game = simulation({
    name: "once",
    version: 1,
    rate: 60,
    state: layout({ x: f64 }),
    external: {
      held: () => {
        live++;
        return { ...ball(true)(), dispose: () => void live-- };
      },
    },
    init() {
      if (inits++ > 0) throw new Error("only once");
    },
    step() {},
  });
  expect(() => syncTest(game)).toThrow("only once");
  expect(live).toBe(0);
});

test("external state passes if its restore is exact, and is reported otherwise", () => {
  expect(syncTest(falling(true)).ok).toBe(true);
  const result = syncTest(falling(false));
  if (result.ok) throw new Error("not caught");
  expect(result.differences.map(({ path }) => path)).toContain("external.ball");
});

test.each([
  [{ ticks: 0 }, "syncTest: ticks must be a whole number, 1 or more, got 0. Try 600."],
  [{ back: 0 }, "syncTest: back must be a whole number, 1 or more, got 0. Try 8."],
  [{ back: 1001 }, "syncTest: back must be at most 1000, got 1001. Try 8."],
  [{ inputs: { sample() {} } }, "syncTest: inputs must be a function, got {}."],
  [{ tick: 600 }, 'syncTest: unknown option "tick". Did you mean "ticks"?'],
])("rejects %j", (options: object, message) => {
  expect(() => syncTest(sound, options)).toThrow(message);
});
