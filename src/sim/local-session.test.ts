import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { f64, layout, table, u32 } from "../state/index.js";
import { manualDriver } from "../testing/index.js";
import { axis, button, localSession, play, simulation } from "./index.js";
import type { LocalSession } from "./local-session.js";

/** Shots that fly and end, by chance and by one player's inputs. */
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

/** What players do: as a function of the tick, and of which future it is. */
const doing = (future: number) => (players: readonly { fire: boolean; aim: number }[], tick: number) => {
  players[0]!.fire = (tick * 7 + future) % 5 < 2;
  players[0]!.aim = (((tick * 13 + future * 29) % 255) - 127) / 127;
  players[1]!.fire = (tick + future) % 11 < 6;
};

const textOf = (session: { hash(): readonly [number, number] }) => session.hash().join();

describe("a session", () => {
  test("tells the fields in which it differs from a snapshot, and stays as it is", () => {
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
    expect(() => session.diff(bytes.subarray(1))).toThrow("Session.load: bytes");
    expect(textOf(session)).toBe(after);
    const out: [number, number] = [0, 0];
    expect(session.hash(out)).toBe(out);
    expect(out.join()).toBe(after);
  });

  test("tells that another state was loaded", () => {
    const session = localSession(shots);
    const told: number[] = [];
    session.on("load", ({ tick }) => told.push(tick));
    session.skip(7);
    const bytes = session.bytes();
    session.skip(3);
    session.load(bytes);
    expect(told).toEqual([7]);
    expect(() => session.load(bytes.subarray(1))).toThrow("Session.load");
    expect(told).toEqual([7]);
  });

  test("gives the same bits for the same seed and inputs, and others for others", () => {
    const run = (seed: number | string, future: number, kernels: "wasm" | "js" | "auto" = "auto") => {
      const session = localSession(shots, {
        seed,
        kernels,
        inputs: (players, { tick }) => doing(future)(players, tick),
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

  test("as JSON it is its world, for people", () => {
    const session = localSession(shots);
    session.advance();
    expect(JSON.parse(JSON.stringify({ session }))).toMatchObject({
      session: { at: { x: session.world.at.x } },
    });
  });

  test("shows a blend and never the real state; looking changes nothing", () => {
    const session = localSession(shots);
    for (let i = 0; i < 10; i++) session.advance();
    const before = textOf(session);
    const x = session.world.at.x;
    const view = session.view(0.5);
    expect(view.at.x).toBeLessThan(x);
    expect(view.at.x).toBeGreaterThan(0);
    // @ts-expect-error It is there to be read.
    view.at.x = 1e9;
    expect(session.world.at.x).toBe(x);
    expect(textOf(session)).toBe(before);
    expect(session.view(1).at.x).toBe(x);
  });

  test("pressed is one tick, released another, held counts; what is not written stays", () => {
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
        if (tick === 1) player!.jump = true;
        if (tick === 4) player!.jump = false;
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

  test("a step that fails never was: the state is that before it, and it can go on", () => {
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

  test("a step cannot run, load or rewind its own session, nor be asynchronous", () => {
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
      expect(() => session.advance()).toThrow(/must be called outside of steps/);
    }
    const later = simulation({ ...shots.options, step: (async () => {}) as () => void });
    expect(() => localSession(later).advance()).toThrow(
      'Simulation: step must be synchronous, got "a function that returns a promise". Try it without async',
    );
  });

  test("what lives outside is given back when the session is, and when init fails", () => {
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
  });

  test("what should live outside and cannot is named, and what was made before it is given back", () => {
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
    const rule =
      "simulation: external.engine must be a function that returns an object with save, load and hash";
    expect(session(() => null)).toThrow(`${rule}, got null.`);
    expect(session(() => ({ save() {}, load() {} }))).toThrow(rule);
    expect(session(async () => body())).toThrow(`${rule}, got "one that returns a promise". Try to await`);
    const failing = () => {
      throw new Error("in engine");
    };
    expect(session(failing)).toThrow("in engine");
    // The one that was made within the promise is nobody's.
    expect(held).toBe(1);
  });

  test("a session that a step has left broken stays so until something is loaded", () => {
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
    expect(() => session.load(new Uint8Array(3))).toThrow("Session.load: bytes");
    expect(() => session.advance()).toThrow("one whose step failed");
    session.load(bytes);
    session.advance();
    expect(session.world.n).toBe(2);
  });

  test("inputs cannot move the session that asks for them, but may end it", () => {
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
        const rule = 'Session must be called outside of `inputs`, got "a call in it".';
        expect(() => session.advance()).toThrow(rule);
        expect(session.tick).toBe(5);
      }
      act = () => session.dispose();
      steps = 0;
      if (present === "speculate") session.view(0.5);
      else session.advance();
      expect(steps).toBe(0);
      expect(() => session.advance()).toThrow("disposed");
      act = () => {};
    }
  });

  test("a listener to steps cannot take one: those behind it would hear of another", () => {
    const session = localSession(shots, { history: { seconds: 1 } });
    const heard: number[] = [];
    let act: (() => void) | undefined;
    session.on("step", () => {
      try {
        act?.();
      } finally {
        act = undefined;
      }
    });
    session.on("step", ({ tick }) => heard.push(tick));
    for (const call of [() => session.advance(), () => session.skip(2)]) {
      act = call;
      expect(() => session.advance()).toThrow(
        'Session must be stepped outside of listeners to steps, got "a call in one". Try it after `advance`.',
      );
    }
    session.advance();
    expect([session.tick, heard]).toEqual([3, [2]]);
    act = () => session.seek(1);
    session.advance();
    session.advance();
    expect([session.tick, heard]).toEqual([2, [2, 3, 1]]);
  });

  test("a listener to steps may end a skip, or turn it round", () => {
    for (const [act, tick] of [
      [(session: LocalSession) => session.dispose(), 3],
      [(session: LocalSession) => session.rewind(), 3],
    ] as const) {
      let steps = 0;
      const session = localSession(shots, { history: { seconds: 1 }, inputs: () => void steps++ });
      session.on("step", (step) => void (step.tick === 2 && act(session)));
      session.skip(10);
      expect([session.tick, steps]).toEqual([tick, tick]);
    }
  });

  test("a step cannot end its own session", () => {
    let session: { dispose(): void } | undefined;
    const game = simulation({
      name: "ends",
      version: 1,
      rate: 60,
      state: layout({ n: u32 }),
      step: () => session?.dispose(),
    });
    const made = (session = localSession(game));
    expect(() => made.advance()).toThrow("Session.dispose must be called outside of steps");
    made.dispose();
  });

  test("a step that fails with something outside is taken back if there is a history; else the session is over", () => {
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
    expect(() => bare.advance()).toThrow(
      "Session must be one whose steps have not failed, or with a history",
    );
    bare.load(bytes);
    expect(textOf(bare)).toBe(before);
    bare.advance();
    expect(bare.tick).toBe(3);
  });

  test("after dispose, every call says so", () => {
    const session = localSession(shots);
    session.dispose();
    session.dispose();
    expect(() => session.advance()).toThrow(
      'Session must be in use, got "one that was disposed of". Try a new one.',
    );
    expect(() => session.view(0)).toThrow("disposed");
  });
});

describe("history", () => {
  const make = (seconds = 1, every = 4) => {
    let future = 0;
    const session = localSession(shots, {
      seed: 5,
      history: { seconds, every },
      inputs: (players, { tick }) => doing(future)(players, tick),
    });
    return { session, setFuture: (next: number) => (future = next) };
  };

  test("jumps to any state in the window, exactly, there and back", () => {
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
      /^Session.jump: tick must be a whole number from 13\d to 200, got 13\d. Try a longer history.$/,
    );
    expect(() => session.seek(201)).toThrow("Session.jump: tick");
    expect(() => session.seek(150.5)).toThrow("Session.jump: tick");
  });

  test("a jump and the same inputs give the same future; others rewrite it", () => {
    const { session, setFuture } = make();
    for (let i = 0; i < 100; i++) session.advance();
    const end = textOf(session);
    session.seek(70);
    for (let i = 0; i < 30; i++) session.advance();
    expect(textOf(session)).toBe(end);
    session.seek(70);
    setFuture(1);
    session.advance();
    // What came after is no more.
    expect(session.last).toBe(71);
    expect(() => session.seek(72)).toThrow("71");
    for (let i = 0; i < 29; i++) session.advance();
    expect(textOf(session)).not.toBe(end);
  });

  /** Steps fail, or not, as somebody says. */
  const makeFailing = (every = 4) => {
    const trouble = { fails: false };
    const game = simulation({
      ...shots.options,
      step(world, inputs, context) {
        shots.options.step(world, inputs, context);
        if (trouble.fails) throw new Error("in a step");
      },
    });
    const inputs = (players: Parameters<ReturnType<typeof doing>>[0], { tick }: { tick: number }) =>
      doing(0)(players, tick);
    const session = localSession(game, { seed: 5, history: { seconds: 1, every }, inputs });
    return { session, trouble };
  };

  test("a step that fails after a jump back rewrites nothing: the future is still there", () => {
    for (const to of [6, 8]) {
      const { session, trouble } = makeFailing();
      for (let i = 0; i < 20; i++) session.advance();
      const end = textOf(session);
      session.seek(to);
      trouble.fails = true;
      expect(() => session.advance()).toThrow("in a step");
      trouble.fails = false;
      expect([session.tick, session.last]).toEqual([to, 20]);
      session.seek(20);
      expect(textOf(session)).toBe(end);
    }
  });

  test("a step that fails where the past is simulated anew leaves all as it was", () => {
    const { session, trouble } = makeFailing();
    const hashes: string[] = [];
    for (let tick = 0; tick < 20; tick++) {
      hashes.push(textOf(session));
      session.advance();
    }
    const end = textOf(session);
    const failing = (call: () => void) => {
      trouble.fails = true;
      expect(call).toThrow("in a step");
      trouble.fails = false;
      expect([session.tick, textOf(session), session.last]).toEqual([20, end, 20]);
    };
    failing(() => session.seek(10));
    // Two segments are known, and lost by what fails.
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

  test("a picture of the past that cannot be made leaves the present as it is", () => {
    const { session, trouble } = makeFailing();
    for (let i = 0; i < 20; i++) session.advance();
    const end = textOf(session);
    session.rewind();
    trouble.fails = true;
    expect(() => session.view(0.5)).toThrow("in a step");
    expect([session.tick, textOf(session)]).toEqual([20, end]);
  });

  test("rewinds at any speed, and what is shown moves evenly back along the way it came", () => {
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
          const way = at === k ? xs[k]! : xs[k]! + (xs[k + 1]! - xs[k]!) * (at - k);
          expect(session.view(alpha).at.x).toBeCloseTo(way, 9);
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

  test("going back costs about a step a tick, however often it is looked at", () => {
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

  test("its memory is what is told, and does not grow", () => {
    const { session } = make(2, 10);
    const states = (2 * 60) / 10 + 2 * 10 + 8;
    const { size } = session.simulation.layout;
    expect(session.memory).toBe(states * size);
    for (let i = 0; i < 1000; i++) session.advance();
    expect(session.memory).toBe(states * size);
  });

  test("whatever is done with it, each tick's state is that of a straight run with its inputs", () => {
    const action = fc.oneof(
      fc.record({ do: fc.constant("advance" as const), n: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ do: fc.constant("jump" as const), n: fc.double({ min: 0, max: 1, noNaN: true }) }),
      fc.record({ do: fc.constant("rewind" as const), n: fc.double({ min: 0.1, max: 9, noNaN: true }) }),
      fc.record({ do: fc.constant("future" as const), n: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ do: fc.constant("look" as const), n: fc.double({ min: 0, max: 1, noNaN: true }) }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 25 }), fc.integer({ min: 1, max: 9 }), (actions, every) => {
        const { session, setFuture } = make(0.5, every);
        const futures: number[] = [];
        let future = 0;
        const check = () => {
          const straight = localSession(shots, {
            seed: 5,
            kernels: "js",
            inputs: (players, { tick }) => doing(futures[tick]!)(players, tick),
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
          else if (what === "jump")
            session.seek(session.first + Math.floor(n * (session.last - session.first)));
          else if (what === "rewind") {
            session.rewind(n);
            for (let i = 0; i < 5; i++) {
              session.advance();
              session.view(n / 9);
            }
            check();
            session.endRewind();
          } else if (what === "look") session.view(n);
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
      "localSession: history.every must be a whole number, 1 or more, got 0. Try 16.",
    ],
    [{ history: 5 }, "localSession: history must be an object, got 5. Try { seconds: 10 }."],
    [
      { present: "latest" },
      'localSession: present must be "interpolate" or "speculate", got "latest". Try "speculate".',
    ],
    [
      { inputs: 3 },
      "localSession: inputs must be a function or a source of inputs, got 3. Try (players) => {}.",
    ],
  ])("%j is refused", (options, message) => {
    expect(() => localSession(shots, options as never)).toThrow(message);
  });

  test("of more inputs than there can be memory for is refused", () => {
    const many = simulation({
      name: "many",
      version: 1,
      rate: 1000,
      players: 64,
      state: layout({ n: u32 }),
      input: { go: button },
      step() {},
    });
    expect(() => localSession(many, { history: { seconds: 1e6, every: 8192 } })).toThrow(
      "localSession: history.seconds must be so few that the inputs of all ticks have at most 2147483648 bytes, got 1000000.",
    );
  });

  test("without one, going back says what is missing", () => {
    const session = localSession(shots);
    const message =
      'must be called on a session with a history, got "one without". Try history: { seconds: 10 }.';
    expect(() => session.seek(0)).toThrow(`Session.jump ${message}`);
    expect(() => session.rewind()).toThrow(`Session.rewind ${message}`);
    session.endRewind();
  });
});

describe("a session as bytes", () => {
  test("goes on in another session where it was, with what players held", () => {
    const inputs = (players: readonly { fire: boolean; aim: number }[], { tick }: { tick: number }) =>
      doing(2)(players, tick);
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

  test("of another simulation, version or declaration is refused with the reason, and nothing is loaded", () => {
    const session = localSession(shots);
    for (let i = 0; i < 10; i++) session.advance();
    const before = textOf(session);
    const from = (options: object) => localSession(simulation({ ...shots.options, ...options })).bytes();
    expect(() => session.load(from({ name: "other" }))).toThrow(
      'Session.load: bytes: simulation must be "shots", got "other".',
    );
    expect(() => session.load(from({ version: 4 }))).toThrow(
      "Session.load: bytes: version must be 3, got 4.",
    );
    expect(() => session.load(from({ rate: 30 }))).toThrow(
      "changed, but not its version, 3: rate was 30/1 and is 60/1.",
    );
    expect(() => session.load(new Uint8Array(3))).toThrow(
      "Session.load: bytes must be at least 8 bytes, got 3.",
    );
    expect(() => session.load("text" as never)).toThrow("Session.load: bytes must be a Uint8Array");
    expect(textOf(session)).toBe(before);
  });

  test("changed or cut short in any place, is refused or loaded whole", () => {
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
        (at, flip, isCut) => {
          const other = isCut ? bytes.slice(0, at) : bytes.slice();
          if (!isCut) other[at]! ^= flip;
          expect(() => target.load(other)).toThrow(/^(Session\.load|State\.loadBytes|State): /);
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
      inputs: (players: readonly { aim: number }[]) => void (players[0]!.aim = aim),
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

  test("asks for inputs without using them up", () => {
    const asked: string[] = [];
    const session = localSession(shots, {
      present: "speculate",
      inputs: (_players, { tick, peek }) => void asked.push(`${tick} ${peek}`),
    });
    session.advance();
    session.view(0.5);
    expect(asked).toEqual(["0 false", "1 true"]);
  });

  test("a speculated step that fails leaves the state whole", () => {
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
  test("steps, draws the blended view and stops", () => {
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
    expect(() => game.session.advance()).toThrow("disposed");
  });

  test("gives back what lives outside if it cannot begin", () => {
    let alive = 0;
    const outside = () => {
      alive++;
      return {
        save: () => new Uint8Array(0),
        load() {},
        hash: () => [0, 0] as const,
        dispose: () => void alive--,
      };
    };
    const game = simulation({ ...shots.options, external: { outside } });
    const start = () => expect.fail("no display");
    const broken = { ...manualDriver(), start };
    for (const [options, message] of [
      [{ driver: broken }, "no display"],
      [{ driver: {} }, "Loop: driver.start must be a function"],
      [{ maxSteps: -1 }, "maxSteps"],
      [{ render: 3 }, "play: render must be a function, got 3."],
      [{ effect: 3 }, "play: effect must be a function, got 3."],
    ] as const) {
      expect(() => play(game, options as never)).toThrow(message);
      expect(alive).toBe(0);
    }
  });

  test("speculates under the loop: shown time is a step ahead", () => {
    const driver = manualDriver();
    const { loop, session } = play(shots, { driver, present: "speculate", pacing: "raw" });
    driver.display(240, 0.5);
    expect(session.tick).toBe(30);
    expect(loop.shownTime).toBeCloseTo(0.5, 12);
    expect(loop.present).toBe("speculate");
  });
});

describe("a simulation", () => {
  test.each([
    [{ name: "" }, 'simulation: name must be a text of 1 to 200 characters, got "". Try "crates".'],
    [{ version: -1 }, "simulation: version must be a whole number, 0 or more, got -1. Try 1."],
    [{ rate: 0 }, "simulation: rate must be a positive number"],
    [{ players: 0 }, "simulation: players must be a whole number, 1 or more, got 0. Try 2."],
    [{ players: 65 }, "simulation: players must be at most 64, got 65. Try 2."],
    [{ state: {} }, "simulation: state must be a layout, got {}. Try layout({ score: u32 })."],
    [{ step: undefined }, "simulation: step must be a function"],
    [{ init: 3 }, "simulation: init must be a function, got 3."],
    [{ external: { physics: {} } }, "simulation: external.physics must be a function, got {}."],
  ])("with %j is refused", (options, message) => {
    expect(() => simulation({ ...shots.options, ...options } as never)).toThrow(message);
  });

  test("with a misspelt option is refused, and so is a session of it", () => {
    const rule = "one of name, version, rate, players, state, input, effects, external, init, step";
    for (const [name, meant] of Object.entries({ inputs: "input", effect: "effects", intit: "init" }))
      expect(() => simulation({ ...shots.options, [name]: {} } as never)).toThrow(
        `simulation: an option must be ${rule}, got "${name}". Try ${meant}.`,
      );
    expect(() => localSession(shots, { input() {} } as never)).toThrow(
      'localSession: an option must be one of seed, guard, kernels, inputs, history, present, got "input". Try inputs.',
    );
    expect(() => localSession(shots, null as never)).toThrow("localSession: options must be an object");
    expect(() => play(shots, { effects() {} } as never)).toThrow('got "effects". Try effect.');
    expect(() => play(shots, { rendr() {} } as never)).toThrow('got "rendr". Try render.');
    expect(() => play(shots, { rate: 30 } as never)).toThrow('got "rate". Try to leave it out.');
    expect(() => play(shots, 3 as never)).toThrow("play: options must be an object, got 3.");
  });

  test("without options is refused", () => {
    expect(() => simulation(undefined as never)).toThrow("simulation: options must be an object");
  });

  test("has another fingerprint whenever what is recorded of it would mean something else", () => {
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
