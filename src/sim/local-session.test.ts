import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { f64, layout, table, u32 } from "../state/index.js";
import { manualDriver } from "../testing/index.js";
import { axis, button, localSession, play, simulation, type InputsOf } from "./index.js";
import { withoutDescription } from "./bytes.js";
import type { LocalSession } from "./local-session.js";

/** Shots that fly and expire, depending on the random generator and on the inputs of both players. */
const shots = simulation({
  name: "shots",
  version: 3,
  rate: 60,
  players: 2,
  state: layout({
    fired: u32,
    at: { x: f64.lerp, v: f64 },
    shots: table(32, { x: f64.lerp, v: f64, age: u32 }),
  }),
  input: { fire: button, aim: axis(8) },
  init(world, { random, players }) {
    world.at.v = random.float() + players;
  },
  step(world, [shooter, other], { dt, random }) {
    world.at.v += (shooter.aim + other.aim) * dt;
    world.at.x += world.at.v * dt;
    const { shots: all } = world;
    if (shooter.pressed.fire && all.count < all.capacity) {
      world.fired += 1;
      all.add({ x: world.at.x, v: random.gaussian(10) });
    }
    for (let i = 0; i < all.end; i++) {
      if (!(all.id[i]! > 0)) continue;
      all.x[i]! += all.v[i]! * dt;
      if (++all.age[i]! > 20 + other.held.fire) all.remove(all.id[i]!);
    }
  },
});

/** Writes inputs that depend on the tick and on the number of a future. */
const inputsOf =
  (future: number) =>
  ([shooter, other]: InputsOf<typeof shots>, tick: number) => {
    shooter.fire = (tick * 7 + future) % 5 < 2;
    shooter.aim = (((tick * 13 + future * 29) % 255) - 127) / 127;
    other.fire = (tick + future) % 11 < 6;
  };

const textOf = (session: { hash(): readonly [number, number] }) => session.hash().join();

describe("a session", () => {
  test("diff lists the fields that differ from saved bytes, and changes nothing", () => {
    const session = localSession(shots, { history: { seconds: 1 } });
    session.skip(10);
    const bytes = session.bytes();
    expect(session.diff(bytes)).toEqual([]);
    const { x } = session.world.at;
    session.advance();
    const after = textOf(session);
    expect(session.diff(bytes)).toEqual([
      { path: "at.x", a: x, b: session.world.at.x },
      { path: "tick", a: 10, b: 11 },
    ]);
    expect(session.diff(bytes, 1).length).toBe(1);
    expect([session.tick, textOf(session), session.last]).toEqual([11, after, 11]);
    expect(() => session.diff(bytes.subarray(1))).toThrow(
      errorWith(
        "corrupt-data",
        'Session.diff: not a saved state: it begins with the bytes 57 53 52 01, not with "TWSR". Pass the result of session.bytes().',
      ),
    );
    expect(() => session.diff(bytes.subarray(0, -1))).toThrow(errorWith("corrupt-data", "Session.diff: "));
    const other = localSession(simulation({ ...shots.options, name: "other" }));
    expect(() => session.diff(other.bytes())).toThrow(
      errorWith("wrong-simulation", 'Session.diff: the bytes belong to simulation "other", not "shots".'),
    );
    expect(textOf(session)).toBe(after);
    const out: [number, number] = [0, 0];
    expect(session.hash(out)).toBe(out);
    expect(out.join()).toBe(after);
  });

  test("emits load after a state was loaded", () => {
    const session = localSession(shots);
    const loaded: number[] = [];
    session.on("load", ({ tick }) => loaded.push(tick));
    session.skip(7);
    const bytes = session.bytes();
    session.skip(3);
    session.load(bytes);
    expect(loaded).toEqual([7]);
    expect(() => session.load(bytes.subarray(1))).toThrow(errorWith("corrupt-data", "Session.load: "));
    expect(loaded).toEqual([7]);
  });

  test("reaches the same state with the same seed and inputs, and another state with others", () => {
    const run = (seed: number | string, future: number, kernels: "wasm" | "js" | "auto" = "auto") => {
      const session = localSession(shots, {
        seed,
        kernels,
        inputs: (players, { tick }) => inputsOf(future)(players, tick),
      });
      for (let i = 0; i < 300; i++) session.advance();
      expect(session.tick).toBe(300);
      return textOf(session);
    };
    const first = run(1, 0);
    expect(run(1, 0)).toBe(first);
    expect(run(1, 0, "js")).toBe(first);
    expect(run(2, 0)).not.toBe(first);
    expect(run("1", 0)).not.toBe(first);
    expect(run(1, 1)).not.toBe(first);
  });

  test("JSON.stringify shows the world", () => {
    const session = localSession(shots);
    session.advance();
    expect(JSON.parse(JSON.stringify({ session }))).toMatchObject({
      session: { at: { x: session.world.at.x } },
    });
  });

  test("view is a blend in its own memory, and leaves the state unchanged", () => {
    const session = localSession(shots);
    for (let i = 0; i < 10; i++) session.advance();
    const before = textOf(session);
    const x = session.world.at.x;
    const view = session.view(0.5);
    expect(view.at.x).toBeLessThan(x);
    expect(view.at.x).toBeGreaterThan(0);
    // @ts-expect-error A view is read-only.
    view.at.x = 1e9;
    expect(session.world.at.x).toBe(x);
    expect(textOf(session)).toBe(before);
    expect(session.view(1).at.x).toBe(x);
  });

  test("pressed and released last one tick, held counts ticks, and unwritten inputs stay as they were", () => {
    const seen: string[] = [];
    const watcher = simulation({
      name: "watcher",
      version: 1,
      rate: 60,
      state: layout({ n: u32 }),
      input: { jump: button },
      step(_world, [{ jump, pressed, released, held }]) {
        seen.push(`${jump} ${pressed.jump} ${released.jump} ${held.jump}`);
      },
    });
    const session = localSession(watcher, {
      inputs([player], { tick }) {
        if (tick === 1) player.jump = true;
        if (tick === 4) player.jump = false;
      },
    });
    for (let i = 0; i < 6; i++) session.advance();
    expect(seen).toEqual([
      "false false false 0",
      "true true false 1",
      "true false false 2",
      "true false false 3",
      "false false true 0",
      "false false false 0",
    ]);
  });

  test("rolls back a step that throws, and can continue", () => {
    let fails = false;
    const game = simulation({
      ...shots.options,
      step(world, inputs, context) {
        shots.options.step(world, inputs, context);
        if (fails) throw new Error("in a step");
      },
    });
    const session = localSession(game, { history: { seconds: 1 } });
    for (let i = 0; i < 20; i++) session.advance();
    const before = textOf(session);
    fails = true;
    expect(() => session.advance()).toThrow("in a step");
    expect(session.tick).toBe(20);
    expect(textOf(session)).toBe(before);
    fails = false;
    session.advance();
    expect(session.tick).toBe(21);
    session.seek(20);
    expect(textOf(session)).toBe(before);
  });

  test("a step cannot use its own session, and cannot be async", () => {
    const calls: ((session: LocalSession) => void)[] = [
      (session) => session.advance(),
      (session) => session.view(1),
      (session) => session.seek(0),
      (session) => session.bytes(),
      (session) => session.rewind(),
    ];
    for (const call of calls) {
      const game = simulation({
        name: "nested",
        version: 1,
        rate: 60,
        state: layout({ n: u32 }),
        step: () => call(session),
      });
      const session = localSession(game, { history: { seconds: 1 } });
      expect(() => session.advance()).toThrow(
        errorWith(
          "reentrant",
          "Session: cannot be used inside `step` or `init`. Emit an effect, and act in its listener.",
        ),
      );
    }
    const later = simulation({ ...shots.options, step: (async () => {}) as () => void });
    expect(() => localSession(later).advance()).toThrow(
      errorWith("async-callback", "Simulation: step must be synchronous"),
    );
  });

  test("external state is disposed with the session, and if the session cannot be created", () => {
    let held = 0;
    const body = () => {
      held++;
      return {
        save: () => new Uint8Array(1),
        load: () => {},
        hash: () => [0, 0] as const,
        dispose: () => void held--,
      };
    };
    const options = {
      name: "held",
      version: 1,
      rate: 60,
      state: layout({ n: u32 }),
      external: { body },
      step() {},
    };
    const session = localSession(simulation(options));
    expect(held).toBe(1);
    session.dispose();
    session.dispose();
    expect(held).toBe(0);
    const failing = simulation({
      ...options,
      init() {
        throw new Error("in init");
      },
    });
    expect(() => localSession(failing)).toThrow("in init");
    expect(held).toBe(0);
    expect(() => localSession(simulation(options), { inputs: {} as never })).toThrow("localSession: inputs");
    expect(held).toBe(0);
    expect(() => localSession(simulation(options), { seed: NaN })).toThrow("localSession: seed must be");
    expect(() => localSession(simulation(options), { kernels: "gpu" as never })).toThrow(
      "localSession: kernels must be",
    );
    expect(held).toBe(0);
  });

  test("if an external state cannot be created, the error names it, and those before it are disposed", () => {
    let held = 0;
    const body = () => {
      held++;
      return {
        save: () => new Uint8Array(1),
        load: () => {},
        hash: () => [0, 0] as const,
        dispose: () => void held--,
      };
    };
    const session = (engine: () => unknown) => () =>
      localSession(
        simulation({
          name: "held",
          version: 1,
          rate: 60,
          state: layout({ n: u32 }),
          external: { body, engine: engine as typeof body },
          step() {},
        }),
      );
    const rule = "simulation: the result of external.engine must be an object with save, load and hash";
    expect(session(() => null)).toThrow(errorWith("bad-value", `${rule}, got null.`));
    expect(session(() => ({ save() {}, load() {} }))).toThrow(rule);
    expect(session(async () => body())).toThrow(`${rule}, got a Promise, did you forget \`await\`?`);
    const failing = () => {
      throw new Error("in engine");
    };
    expect(session(failing)).toThrow("in engine");
    // The one that the promise resolves to was never part of a session.
    expect(held).toBe(1);
  });

  test("a session whose external state cannot be restored is unusable until a load succeeds", () => {
    let fails = false;
    const game = simulation({
      name: "broken",
      version: 1,
      rate: 60,
      state: layout({ n: u32 }),
      external: {
        count: () => {
          let n = 0;
          return {
            next: () => ++n,
            save: () => Uint8Array.of(n),
            load: (bytes: Uint8Array) => void (n = bytes[0]!),
            hash: () => [n, n] as const,
          };
        },
      },
      step(world, _, { external }) {
        world.n = external.count.next();
        if (fails) throw new Error("mine");
      },
    });
    const session = localSession(game);
    session.advance();
    const bytes = session.bytes();
    fails = true;
    expect(() => session.advance()).toThrow("mine");
    fails = false;
    expect(() => session.load(new Uint8Array(3))).toThrow(errorWith("corrupt-data"));
    expect(() => session.advance()).toThrow(
      errorWith(
        "step-failed",
        "Session: the last step threw and its external state cannot be restored. Call load(bytes), or enable history.",
      ),
    );
    session.load(bytes);
    session.advance();
    expect(session.world.n).toBe(2);
  });

  test("`inputs` cannot step, seek or load its own session, but may dispose it", () => {
    let act = () => {};
    let steps = 0;
    const game = simulation({
      name: "asked",
      version: 1,
      rate: 60,
      state: layout({ n: u32 }),
      step(world) {
        steps++;
        world.n++;
      },
    });
    const options = { history: { seconds: 1 }, inputs: () => act() };
    for (const present of ["interpolate", "speculate"] as const) {
      const session = localSession(game, { ...options, present });
      for (let i = 0; i < 5; i++) session.advance();
      const bytes = session.bytes();
      for (const call of [
        () => session.advance(),
        () => session.skip(1),
        () => session.seek(2),
        () => session.rewind(),
        () => session.load(bytes),
      ]) {
        act = call;
        expect(() => session.advance()).toThrow(
          errorWith(
            "reentrant",
            "Session: cannot be used inside `inputs`. Call it before or after advance().",
          ),
        );
        expect(session.tick).toBe(5);
      }
      act = () => session.dispose();
      steps = 0;
      if (present === "speculate") session.view(0.5);
      else session.advance();
      expect(steps).toBe(0);
      expect(() => session.advance()).toThrow(errorWith("disposed"));
      act = () => {};
    }
  });

  test("a confirmed listener cannot step, but may seek", () => {
    const session = localSession(shots, { history: { seconds: 1 } });
    const heard: number[] = [];
    let act: (() => void) | undefined;
    session.on("confirmed", () => {
      try {
        act?.();
      } finally {
        act = undefined;
      }
    });
    session.on("confirmed", ({ tick }) => heard.push(tick));
    for (const call of [() => session.advance(), () => session.skip(2)]) {
      act = call;
      expect(() => session.advance()).toThrow(
        errorWith(
          "reentrant",
          'Session: cannot step inside a "confirmed" listener. Step after advance() returns.',
        ),
      );
    }
    session.advance();
    expect([session.tick, heard]).toEqual([3, [0, 1, 2]]);
    act = () => session.seek(1);
    session.advance();
    session.advance();
    expect([session.tick, heard]).toEqual([2, [0, 1, 2, 3, 1]]);
  });

  test.each([
    ["seeks", (session) => session.seek(1)],
    ["loads", (session, saved) => session.load(saved)],
    ["speculates", (session) => session.view(0.5)],
    ["disposes", (session) => session.dispose()],
  ] as [string, (session: LocalSession, saved: Uint8Array) => void][])(
    "if a confirmed listener %s, later listeners still get the confirmed tick",
    (_, act) => {
      const create = () =>
        localSession(shots, {
          history: { seconds: 1, every: 0.1 },
          present: "speculate",
          inputs: ([player], { tick, peek }) => void (player.fire = !peek && tick % 2 === 0),
        });
      const [session, reference] = [create(), create()];
      const saved = session.bytes();
      session.on("confirmed", ({ tick }) => tick === 20 && act(session, saved));
      const heard: number[][] = [];
      session.on("confirmed", ({ tick, words, hash, bytes }) => {
        reference.load(bytes());
        heard.push([tick, ...words]);
        expect([reference.tick, textOf({ hash })]).toEqual([tick + 1, textOf(reference)]);
      });
      while (heard.length < 21) session.advance();
      expect(heard.at(-1)).toEqual([20, 1, 0]);
    },
  );

  test("a confirmed listener can end a skip by disposing or rewinding the session", () => {
    for (const [act, tick] of [
      [(session: LocalSession) => session.dispose(), 3],
      [(session: LocalSession) => session.rewind(), 3],
    ] as const) {
      let steps = 0;
      const session = localSession(shots, { history: { seconds: 1 }, inputs: () => void steps++ });
      session.on("confirmed", (step) => void (step.tick === 2 && act(session)));
      session.skip(10);
      expect([session.tick, steps]).toEqual([tick, tick]);
    }
  });

  test("a step cannot dispose its own session", () => {
    let session: { dispose(): void } | undefined;
    const game = simulation({
      name: "ends",
      version: 1,
      rate: 60,
      state: layout({ n: u32 }),
      step: () => session?.dispose(),
    });
    const made = (session = localSession(game));
    expect(() => made.advance()).toThrow(
      errorWith("reentrant", "Session.dispose: cannot be used inside `step` or `init`."),
    );
    made.dispose();
  });

  test("with a history, a step that throws is rolled back with its external state; without, load is needed", () => {
    let fails = false;
    const count = () => {
      let n = 0;
      return {
        add: () => void n++,
        save: () => Uint8Array.of(n),
        load: ([saved]: Uint8Array) => void (n = saved!),
        hash: () => [n, 0] as const,
      };
    };
    const game = simulation({
      name: "counting",
      version: 1,
      rate: 60,
      state: layout({ n: u32 }),
      external: { count },
      step(_world, _inputs, { external, tick }) {
        external.count.add();
        if (fails && tick === 2) throw new Error("in a step");
      },
    });
    const fail = (session: { advance(): void; bytes(): Uint8Array; hash(): readonly [number, number] }) => {
      fails = false;
      session.advance();
      session.advance();
      const before = textOf(session);
      const bytes = session.bytes();
      fails = true;
      expect(() => session.advance()).toThrow("in a step");
      fails = false;
      return { before, bytes };
    };
    const kept = localSession(game, { history: { seconds: 1 } });
    expect(fail(kept).before).toBe(textOf(kept));
    kept.advance();
    expect(kept.tick).toBe(3);

    const bare = localSession(game);
    const { before, bytes } = fail(bare);
    expect(() => bare.advance()).toThrow(errorWith("step-failed"));
    bare.load(bytes);
    expect(textOf(bare)).toBe(before);
    bare.advance();
    expect(bare.tick).toBe(3);
  });

  test("calls after dispose throw", () => {
    const session = localSession(shots);
    session.dispose();
    session.dispose();
    expect(() => session.advance()).toThrow(
      errorWith("disposed", "Session: already disposed. Create a new one."),
    );
    expect(() => session.view(0)).toThrow(errorWith("disposed"));
  });
});

describe("history", () => {
  /** A session with a keyframe every few ticks. */
  const make = (seconds = 1, ticks = 4) => {
    let future = 0;
    const session = localSession(shots, {
      seed: 5,
      history: { seconds, every: ticks / 60 },
      inputs: (players, { tick }) => inputsOf(future)(players, tick),
    });
    return { session, setFuture: (next: number) => (future = next) };
  };

  test("seeks to any state of the history, exactly, in both directions", () => {
    const { session } = make();
    const hashes: string[] = [];
    for (let tick = 0; tick < 200; tick++) {
      hashes.push(textOf(session));
      session.advance();
    }
    hashes.push(textOf(session));
    expect(session.last).toBe(200);
    expect(session.last - session.first).toBeGreaterThanOrEqual(60);
    for (let tick = session.first; tick <= session.last; tick++) {
      session.seek(tick);
      expect(session.tick).toBe(tick);
      expect(textOf(session)).toBe(hashes[tick]);
    }
    for (const tick of [session.first, session.last, 170, 169, 168]) {
      session.seek(tick);
      expect(textOf(session)).toBe(hashes[tick]);
    }
    expect(() => session.seek(session.first - 1)).toThrow(
      /^Session.seek: tick must be a whole number from 13\d to 200, got 13\d. Try a longer history.$/,
    );
    expect(() => session.seek(-1)).toThrow(errorWith("bad-value", "to 200, got -1. Try 200."));
    expect(() => session.seek(201)).toThrow(errorWith("bad-value", "Session.seek: tick"));
    expect(() => session.seek(150.5)).toThrow(errorWith("bad-value", "Session.seek: tick"));
    expect(() => session.seek(Symbol("tick") as never)).toThrow(errorWith("bad-value", "Session.seek: tick"));
  });

  test("after a seek, the same inputs lead to the same future, and others rewrite it", () => {
    const { session, setFuture } = make();
    for (let i = 0; i < 100; i++) session.advance();
    const end = textOf(session);
    session.seek(70);
    for (let i = 0; i < 30; i++) session.advance();
    expect(textOf(session)).toBe(end);
    session.seek(70);
    setFuture(1);
    session.advance();
    // The old future is gone.
    expect(session.last).toBe(71);
    expect(() => session.seek(72)).toThrow("71");
    for (let i = 0; i < 29; i++) session.advance();
    expect(textOf(session)).not.toBe(end);
  });

  /** A session whose steps throw while `fault.isOn`. */
  const makeFailing = (ticks = 4) => {
    const fault = { isOn: false };
    const game = simulation({
      ...shots.options,
      step(world, inputs, context) {
        shots.options.step(world, inputs, context);
        if (fault.isOn) throw new Error("in a step");
      },
    });
    const inputs = (players: InputsOf<typeof shots>, { tick }: { tick: number }) =>
      inputsOf(0)(players, tick);
    const session = localSession(game, { seed: 5, history: { seconds: 1, every: ticks / 60 }, inputs });
    return { session, fault };
  };

  test("a step that throws after a seek keeps the old future", () => {
    for (const to of [6, 8]) {
      const { session, fault } = makeFailing();
      for (let i = 0; i < 20; i++) session.advance();
      const end = textOf(session);
      session.seek(to);
      fault.isOn = true;
      expect(() => session.advance()).toThrow("in a step");
      fault.isOn = false;
      expect([session.tick, session.last]).toEqual([to, 20]);
      session.seek(20);
      expect(textOf(session)).toBe(end);
    }
  });

  test("a step that throws while a seek resimulates leaves the session unchanged", () => {
    const { session, fault } = makeFailing();
    const hashes: string[] = [];
    for (let tick = 0; tick < 20; tick++) {
      hashes.push(textOf(session));
      session.advance();
    }
    const end = textOf(session);
    const failing = (call: () => void) => {
      fault.isOn = true;
      expect(call).toThrow("in a step");
      fault.isOn = false;
      expect([session.tick, textOf(session), session.last]).toEqual([20, end, 20]);
    };
    failing(() => session.seek(10));
    // Two segments are cached. The failure discards them.
    session.seek(2);
    session.seek(6);
    session.seek(20);
    failing(() => session.seek(10));
    failing(() => session.seek(14));
    for (const tick of [2, 6, 10, 14]) {
      session.seek(tick);
      expect(textOf(session)).toBe(hashes[tick]);
    }
    session.seek(20);
    session.rewind(11);
    failing(() => session.advance());
    session.advance();
    expect([session.tick, session.rewinding]).toEqual([9, true]);
  });

  test("a view of a rewind that throws leaves the current state unchanged", () => {
    const { session, fault } = makeFailing();
    for (let i = 0; i < 20; i++) session.advance();
    const end = textOf(session);
    session.rewind();
    fault.isOn = true;
    expect(() => session.view(0.5)).toThrow("in a step");
    expect([session.tick, textOf(session)]).toEqual([20, end]);
  });

  test("rewinds at any speed, and the view moves back evenly through the same states", () => {
    for (const speed of [0.3, 1, 2.5, 7]) {
      const { session } = make(2);
      const xs: number[] = [session.world.at.x];
      for (let tick = 0; tick < 150; tick++) {
        session.advance();
        xs.push(session.world.at.x);
      }
      session.rewind(speed);
      expect(session.rewinding).toBe(true);
      for (let n = 0; n < 12; n++) {
        session.advance();
        for (const alpha of [0.25, 0.75, 1]) {
          const at = 150 - speed * (n + alpha);
          const k = Math.floor(at);
          const expected = at === k ? xs[k]! : xs[k]! + (xs[k + 1]! - xs[k]!) * (at - k);
          expect(session.view(alpha).at.x).toBeCloseTo(expected, 9);
        }
        expect(session.tick).toBe(Math.floor(150 - speed * (n + 1)));
        expect(session.world.at.x).toBe(xs[session.tick]);
      }
      session.endRewind();
      session.advance();
      expect(session.last).toBe(session.tick);
      expect(session.world.at.x).toBe(xs[session.tick]);
    }
  });

  test("a rewind costs about one step per tick, however often the view is drawn", () => {
    let steps = 0;
    const game = simulation({
      ...shots.options,
      step(world, inputs, context) {
        steps++;
        shots.options.step(world, inputs, context);
      },
    });
    const session = localSession(game, { history: { seconds: 5 } });
    for (let i = 0; i < 300; i++) session.advance();
    steps = 0;
    session.rewind(0.7);
    while (session.tick > 20) {
      session.advance();
      for (const alpha of [0.1, 0.4, 0.9]) session.view(alpha);
    }
    expect(steps).toBeLessThan(300);
  });

  test("a rewind stops where the history begins", () => {
    const { session } = make();
    for (let i = 0; i < 200; i++) session.advance();
    session.rewind(50);
    for (let i = 0; i < 10; i++) {
      session.advance();
      session.view(0.5);
    }
    expect(session.tick).toBe(session.first);
  });

  test("takes the documented memory, and does not grow", () => {
    const { session } = make(2, 10);
    const states = (2 * 60) / 10 + 2 * 10 + 8;
    const { size } = session.simulation.layout;
    expect(session.memory).toBe(states * size);
    for (let i = 0; i < 1000; i++) session.advance();
    expect(session.memory).toBe(states * size);
  });

  test("after any calls, each state equals that of a straight run with the same inputs", () => {
    const action = fc.oneof(
      fc.record({ do: fc.constant("advance" as const), n: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ do: fc.constant("seek" as const), n: fc.double({ min: 0, max: 1, noNaN: true }) }),
      fc.record({ do: fc.constant("rewind" as const), n: fc.double({ min: 0.1, max: 9, noNaN: true }) }),
      fc.record({ do: fc.constant("future" as const), n: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ do: fc.constant("view" as const), n: fc.double({ min: 0, max: 1, noNaN: true }) }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 25 }), fc.integer({ min: 1, max: 9 }), (actions, ticks) => {
        const { session, setFuture } = make(0.5, ticks);
        const futures: number[] = [];
        let future = 0;
        const check = () => {
          const straight = localSession(shots, {
            seed: 5,
            kernels: "js",
            inputs: (players, { tick }) => inputsOf(futures[tick]!)(players, tick),
          });
          while (straight.tick < session.tick) straight.advance();
          expect(textOf(session)).toBe(textOf(straight));
        };
        for (const { do: what, n } of actions) {
          if (what === "advance")
            for (let i = 0; i < n; i++) {
              futures[session.tick] = future;
              session.advance();
            }
          else if (what === "seek")
            session.seek(session.first + Math.floor(n * (session.last - session.first)));
          else if (what === "rewind") {
            session.rewind(n);
            for (let i = 0; i < 5; i++) {
              session.advance();
              session.view(n / 9);
            }
            check();
            session.endRewind();
          } else if (what === "view") session.view(n);
          else setFuture((future = n));
          check();
        }
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    [
      { history: { seconds: -1 } },
      "localSession: history.seconds must be a number from 0 to 1000000, got -1. Try 10.",
    ],
    [
      { history: { seconds: 1, every: 0 } },
      "localSession: history.every must be a number from 1e-9 to 1000000, got 0. Try 0.25.",
    ],
    [{ history: 5 }, "localSession: history must be an object, got 5. Try { seconds: 10 }."],
    [{ history: false }, "localSession: history must be an object, got false. Try { seconds: 10 }."],
    [
      { present: "latest" },
      'localSession: present must be "interpolate", "speculate" or "none", got "latest". Try "speculate".',
    ],
    [
      { inputs: 3 },
      "localSession: inputs must be a function or a source of inputs, got 3. Try ([player]) => {}.",
    ],
    [{ history: { second: 1 } }, 'localSession: unknown option "history.second". Did you mean "seconds"?'],
  ])("localSession rejects %j", (options, message) => {
    expect(() => localSession(shots, options as never)).toThrow(message);
  });

  test("rejects a history whose inputs take too much memory", () => {
    const many = simulation({
      name: "many",
      version: 1,
      rate: 1000,
      players: 64,
      state: layout({ n: u32 }),
      input: { go: button },
      step() {},
    });
    expect(() => localSession(many, { history: { seconds: 1e6, every: 8 } })).toThrow(
      "localSession: history.seconds must be short enough that the inputs of all ticks take at most 2147483648 bytes, got 1000000. Try 10.",
    );
  });

  test("without a history, seek and rewind throw", () => {
    const session = localSession(shots);
    const message = "this session keeps no history. Create it with { history: { seconds: 10 } }.";
    expect(() => session.seek(0)).toThrow(errorWith("not-ready", `Session.seek: ${message}`));
    expect(() => session.rewind()).toThrow(errorWith("not-ready", `Session.rewind: ${message}`));
    session.endRewind();
  });
});

describe("the bytes of a session", () => {
  test("another session continues from them, with the buttons that were held", () => {
    const inputs = (players: InputsOf<typeof shots>, { tick }: { tick: number }) =>
      inputsOf(2)(players, tick);
    const first = localSession(shots, { seed: 9, inputs });
    for (let i = 0; i < 77; i++) first.advance();
    const second = localSession(shots, { inputs, history: { seconds: 1 } });
    second.load(first.bytes());
    expect(second.tick).toBe(77);
    expect(second.first).toBe(77);
    for (let i = 0; i < 50; i++) {
      first.advance();
      second.advance();
    }
    expect(textOf(second)).toBe(textOf(first));
  });

  test("of another simulation, version or layout are rejected with the reason, and nothing is loaded", () => {
    const session = localSession(shots);
    for (let i = 0; i < 10; i++) session.advance();
    const before = textOf(session);
    const from = (options: object) => localSession(simulation({ ...shots.options, ...options })).bytes();
    expect(() => session.load(from({ name: "other" }))).toThrow(
      errorWith(
        "wrong-simulation",
        'Session.load: the bytes belong to simulation "other", not "shots". Load them into a session of that simulation.',
      ),
    );
    expect(() => session.load(from({ version: 4 }))).toThrow(
      errorWith(
        "wrong-simulation",
        'Session.load: the bytes are from version 4 of "shots", but this is version 3. Use the build that saved them.',
      ),
    );
    expect(() => session.load(from({ version: 2 }))).toThrow(
      "but this is version 3. Convert them: migrate(simulation, bytes).",
    );
    expect(() => session.load(from({ rate: 30 }))).toThrow(
      errorWith(
        "wrong-simulation",
        'Session.load: the layout of "shots" changed, but not its version, 3: rate was 30/1 and is 60/1. Use the build that saved it',
      ),
    );
    expect(() => session.load(withoutDescription(from({ rate: 30 })))).toThrow(
      errorWith(
        "wrong-simulation",
        'the rate, players, state or inputs of "shots" changed, but not its version, 3.',
      ),
    );
    const external = {
      count: () => ({ save: () => new Uint8Array(1), load() {}, hash: () => [0, 0] as const }),
    };
    expect(() => session.load(from({ external }))).toThrow(
      errorWith(
        "wrong-simulation",
        "the number of external states differs: 1 in the bytes, 0 in the simulation.",
      ),
    );
    const newer = session.bytes();
    newer[4] = 2;
    expect(() => session.load(newer)).toThrow(
      errorWith("unsupported", "Session.load: bytes 4 to 7 are version 2 of the format, not 1."),
    );
    expect(() => session.load(new Uint8Array(3))).toThrow(
      errorWith(
        "corrupt-data",
        "Session.load: the bytes are damaged: the header needs 8 bytes, but there are 3. Use the bytes exactly as session.bytes() returned them.",
      ),
    );
    expect(() => session.load("text" as never)).toThrow(
      errorWith("bad-value", "Session.load: bytes must be a Uint8Array"),
    );
    expect(textOf(session)).toBe(before);
  });

  test("altered or truncated anywhere are rejected, and nothing is loaded", () => {
    const session = localSession(shots, { seed: 1 });
    for (let i = 0; i < 30; i++) session.advance();
    const bytes = session.bytes();
    const target = localSession(shots, { seed: 2 });
    const before = textOf(target);
    fc.assert(
      fc.property(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        (at, flip, isTruncated) => {
          const other = isTruncated ? bytes.slice(0, at) : bytes.slice();
          if (!isTruncated) other[at]! ^= flip;
          expect(() => target.load(other)).toThrow(
            expect.objectContaining({
              code: expect.stringMatching(
                /^(corrupt-data|unsupported|wrong-simulation|bad-value)$/,
              ) as string,
              call: "Session.load",
            }) as Error,
          );
          expect(textOf(target)).toBe(before);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("speculation", () => {
  test("shows the state after the next step with the newest inputs, a step ahead of interpolation", () => {
    let aim = 0;
    const options = {
      seed: 1,
      inputs: ([player]: InputsOf<typeof shots>) => void (player.aim = aim),
    };
    const session = localSession(shots, { ...options, present: "speculate" });
    const plain = localSession(shots, options);
    for (let i = 0; i < 10; i++) {
      session.advance();
      plain.advance();
    }
    const before = textOf(session);
    aim = 1;
    const shown = session.view(1).at.x;
    expect(textOf(session)).toBe(before);
    expect(session.tick).toBe(10);
    plain.advance();
    expect(shown).toBe(plain.world.at.x);
    // The real step is the same, and none of the speculation is left.
    session.advance();
    expect(textOf(session)).toBe(textOf(plain));
    expect(session.view(0).at.x).toBe(plain.world.at.x);
  });

  test("samples inputs without consuming them", () => {
    const asked: string[] = [];
    const session = localSession(shots, {
      present: "speculate",
      inputs: (_players, { tick, peek }) => void asked.push(`${tick} ${peek}`),
    });
    session.advance();
    session.view(0.5);
    expect(asked).toEqual(["0 false", "1 true"]);
  });

  test("a speculated step that throws leaves the state unchanged", () => {
    let fails = false;
    const game = simulation({
      ...shots.options,
      step(world, inputs, context) {
        shots.options.step(world, inputs, context);
        if (fails) throw new Error("in a step");
      },
    });
    const session = localSession(game, { present: "speculate" });
    session.advance();
    const before = textOf(session);
    fails = true;
    expect(() => session.view(0.5)).toThrow("in a step");
    expect(textOf(session)).toBe(before);
  });
});

describe("play", () => {
  test("steps, draws the blended view, and stops on dispose", () => {
    const driver = manualDriver();
    const drawn: number[] = [];
    const game = play(shots, {
      driver,
      seed: 3,
      render: (view) => void drawn.push(view.at.x),
    });
    driver.display(144, 1);
    expect(game.session.tick).toBe(60);
    expect(drawn.length).toBeGreaterThan(140);
    for (let i = 2; i < drawn.length; i++) expect(drawn[i]!).toBeGreaterThanOrEqual(drawn[i - 1]!);
    game.dispose();
    expect(game.loop.running).toBe(false);
    expect(() => game.session.advance()).toThrow(errorWith("disposed"));
  });

  test("disposes external state if it cannot start", () => {
    let alive = 0;
    const engine = () => {
      alive++;
      return {
        save: () => new Uint8Array(0),
        load() {},
        hash: () => [0, 0] as const,
        dispose: () => void alive--,
      };
    };
    const game = simulation({ ...shots.options, external: { engine } });
    const broken = { start: () => expect.fail("no display"), stop() {}, now: () => 0 };
    for (const [options, message] of [
      [{ driver: broken }, "no display"],
      [{ driver: {} }, "play: driver must be a driver, got {}. Try display(), timer() or nodeTimer()."],
      [{ maxSteps: -1 }, "play: maxSteps must be"],
      [{ seed: NaN }, "play: seed must be"],
      [{ kernels: "gpu" }, "play: kernels must be"],
      [{ render: 3 }, "play: render must be a function, got 3."],
      [{ effect: 3 }, "play: effect must be a function, got 3."],
    ] as const) {
      expect(() => play(game, options as never)).toThrow(message);
      expect(alive).toBe(0);
    }
  });

  test("when it speculates, the shown time is a step ahead", () => {
    const driver = manualDriver();
    const { loop, session } = play(shots, { driver, present: "speculate" });
    driver.display(240, 0.5);
    expect(session.tick).toBe(30);
    expect(loop.frame.shownTime).toBeCloseTo(0.5, 12);
  });
});

describe("a simulation", () => {
  test.each([
    [{ name: "" }, 'simulation: name must be a text of 1 to 200 characters, got "". Try "crates".'],
    [{ version: -1 }, "simulation: version must be a whole number, 0 or more, got -1. Try 1."],
    [{ rate: 0 }, "simulation: rate must be a positive number"],
    [{ players: 0 }, "simulation: players must be a whole number, 1 or more, got 0. Try 2."],
    [{ players: 4097 }, "simulation: players must be at most 4096, got 4097. Try 2."],
    [{ state: {} }, "simulation: state must be a layout, got {}. Try layout({ score: u32 })."],
    [{ step: undefined }, "simulation: step must be a function"],
    [{ init: 3 }, "simulation: init must be a function, got 3."],
    [{ effects: 3 }, "simulation: effects must be an object, got 3."],
    [{ external: 3 }, "simulation: external must be an object, got 3."],
    [{ external: { physics: {} } }, "simulation: external.physics must be a function, got {}."],
  ])("rejects %j", (options, message) => {
    expect(() => simulation({ ...shots.options, ...options } as never)).toThrow(
      errorWith("bad-value", message),
    );
  });

  test("rejects misspelt options, as do localSession and play", () => {
    for (const [name, meant] of Object.entries({ inputs: "input", effect: "effects", intit: "init" }))
      expect(() => simulation({ ...shots.options, [name]: {} } as never)).toThrow(
        errorWith("unknown-option", `simulation: unknown option "${name}". Did you mean "${meant}"?`),
      );
    expect(() => localSession(shots, { input() {} } as never)).toThrow(
      errorWith("unknown-option", 'localSession: unknown option "input". Did you mean "inputs"?'),
    );
    expect(() => localSession(shots, null as never)).toThrow("localSession: options must be an object");
    for (const [name, suggestion] of Object.entries({
      effects: 'Did you mean "effect"?',
      rendr: 'Did you mean "render"?',
      volume: "Known: seed, guard",
    }))
      expect(() => play(shots, { [name]() {} } as never)).toThrow(
        errorWith("unknown-option", `play: unknown option "${name}". ${suggestion}`),
      );
    expect(() => play(shots, 3 as never)).toThrow("play: options must be an object, got 3.");
  });

  test("rejects a call without options", () => {
    expect(() => simulation(undefined as never)).toThrow("simulation: options must be an object");
  });

  test("has another fingerprint whenever its recordings would have another meaning", () => {
    const others = [
      {},
      { name: "b" },
      { version: 4 },
      { rate: 61 },
      { players: 3 },
      { input: { fire: button, aim: axis(9) } },
      { input: { fire: button, arm: axis(8) } },
      { state: layout({ x: f64 }) },
    ].map((options) => simulation({ ...shots.options, ...options } as never).fingerprint);
    expect(new Set(others).size).toBe(others.length);
    expect(others[0]).toBe(shots.fingerprint);
  });
});
