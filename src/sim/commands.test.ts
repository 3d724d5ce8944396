import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { orders, randomOrder } from "../../test/replay/orders.js";
import { random } from "../math/index.js";
import { bool, f32, f64, i16, i32, i8, id, layout, oneOf, u16, u32, u8, vec2 } from "../state/index.js";
import { CommandSpec, NO_COMMANDS, type CommandFields } from "./commands.js";
import {
  bytes,
  button,
  localSession,
  many,
  migrate,
  simulation,
  syncTest,
  text,
  type CommandOf,
} from "./index.js";
import { Run } from "./run.js";

const Kind = oneOf("wall", "tower");

const spec = new CommandSpec({
  numbers: { a: f64, b: f32, c: i32, d: u32, e: i16, f: u16, g: i8, h: u8, i: bool, j: Kind, k: id },
  chat: { text: text(20) },
  long: { text: text(300), after: u8 },
  select: { units: many(3, u16), kinds: many(300, Kind) },
  upload: { map: bytes(5) },
  halt: {},
});

/** Any command, with values that can be written. */
const command = fc.oneof(
  fc.record({
    name: fc.constant("numbers"),
    values: fc.record({
      a: fc.double({ noNaN: true, noDefaultInfinity: true }),
      b: fc.float({ noNaN: true, noDefaultInfinity: true }),
      c: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      d: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      e: fc.integer({ min: -32_768, max: 32_767 }),
      f: fc.integer({ min: 0, max: 65_535 }),
      g: fc.integer({ min: -128, max: 127 }),
      h: fc.integer({ min: 0, max: 255 }),
      i: fc.boolean(),
      j: fc.integer({ min: 0, max: 1 }),
      k: fc.integer({ min: 0, max: 2 ** 40 }),
    }),
  }),
  fc.record({
    name: fc.constant("chat"),
    values: fc.record({ text: fc.string({ unit: "binary", maxLength: 5 }) }),
  }),
  fc.record({
    name: fc.constant("select"),
    values: fc.record({
      units: fc.array(fc.integer({ min: 0, max: 65_535 }), { maxLength: 3 }),
      kinds: fc.array(fc.integer({ min: 0, max: 1 }), { maxLength: 300 }),
    }),
  }),
  fc.record({ name: fc.constant("upload"), values: fc.record({ map: fc.uint8Array({ maxLength: 5 }) }) }),
  fc.record({ name: fc.constant("halt"), values: fc.constant({}) }),
);

describe("the encoding of a command", () => {
  test("returns the same values, whatever they are", () => {
    fc.assert(
      fc.property(command, ({ name, values }) => {
        const encoded = spec.encode(name, values);
        expect(encoded.length).toBeLessThanOrEqual(spec.maxBytes);
        expect(spec.isValid(encoded)).toBe(true);
        expect(spec.decode(encoded, 2)).toEqual({ name, player: 2, ...values });
      }),
    );
  });

  test("is the only one: any other bytes are invalid, or another command", () => {
    fc.assert(
      fc.property(command, fc.nat(), fc.integer({ min: 0, max: 255 }), ({ name, values }, at, byte) => {
        const encoded = spec.encode(name, values);
        encoded[at % encoded.length] = byte;
        if (!spec.isValid(encoded)) return;
        const { name: other, player: _, ...read } = spec.decode(encoded);
        expect(spec.encode(other, read)).toEqual(encoded);
      }),
      { numRuns: 2000 },
    );
  });

  test("never throws for bytes from strangers", () => {
    let valid = 0;
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (stranger) => {
        if (stranger.length > 0) stranger[0]! %= 7;
        if (!spec.isValid(stranger)) return;
        valid++;
        const { name, player: _, ...values } = spec.decode(stranger);
        expect(spec.encode(name, values)).toEqual(stranger);
      }),
      { numRuns: 5000 },
    );
    expect(valid).toBeGreaterThan(20);
  });

  test.each([
    ["nothing", []],
    ["an unknown command", [9]],
    ["a byte too many", [5, 0]],
    ["a byte too few", [4, 2, 1]],
    ["a text that is too long", [1, 21, ...Array<number>(21).fill(65)]],
    ["a list that is too long", [3, 4, ...Array<number>(8).fill(0), 0, 0]],
    ["a choice without a name", [3, 0, 1, 0, 2]],
    ["an overlong letter", [1, 2, 0xc1, 0x81]],
    ["half a surrogate pair", [1, 3, 0xed, 0xa0, 0x80]],
    ["a cut letter", [1, 1, 0xc3]],
  ])("rejects %s", (_, wrong) => {
    expect(spec.isValid(Uint8Array.from(wrong))).toBe(false);
    expect(() => spec.decode(Uint8Array.from(wrong))).toThrow("a command has invalid bytes");
  });

  test("rejects numbers that are not finite, and booleans that are neither 0 nor 1", () => {
    const floats = new CommandSpec({ move: { x: f64, y: f32, now: bool } });
    const good = floats.encode("move", { x: 1, y: 2, now: true });
    for (const [at, value] of [
      [1, NaN],
      [1, Infinity],
    ] as const) {
      const bad = good.slice();
      new DataView(bad.buffer).setFloat64(at, value, true);
      expect(floats.isValid(bad)).toBe(false);
    }
    const bad = good.slice();
    bad[13] = 2;
    expect(floats.isValid(bad)).toBe(false);
    new DataView(good.buffer).setFloat32(9, -Infinity, true);
    expect(floats.isValid(good)).toBe(false);
  });

  test("keeps a byte order mark, and replaces half a surrogate pair", () => {
    expect(spec.decode(spec.encode("chat", { text: "\ufeffa" }))["text"]).toBe("\ufeffa");
    expect(spec.decode(spec.encode("chat", { text: "a\ud83c" }))["text"]).toBe("a\ufffd");
  });

  test("rounds 32-bit floats, as the step and a replay must see the same", () => {
    const floats = new CommandSpec({ move: { x: f32 } });
    expect(floats.decode(floats.encode("move", { x: 0.1 }))["x"]).toBe(Math.fround(0.1));
  });

  test("takes at most maxBytes", () => {
    expect(spec.maxBytes).toBe(1 + 1 + 3 * 2 + 2 + 300);
    expect(new CommandSpec({}).maxBytes).toBe(0);
    expect(spec.encode("halt")).toEqual(Uint8Array.of(5));
  });
});

describe("a description of commands", () => {
  test("rebuilds them", () => {
    const read = CommandSpec.from(JSON.parse(JSON.stringify(spec.description)));
    expect(read.title).toBe(spec.title);
    expect(read.decode(spec.encode("select", { units: [7], kinds: [Kind.tower] }))).toEqual({
      name: "select",
      player: 0,
      units: [7],
      kinds: [1],
    });
  });

  test.each([
    ["no list", 5],
    ["an unknown kind", [["a", ["x", "u64"]]]],
    ["a list of lists", [["a", ["x", "many", 3, "many", 3, "u8"]]]],
    ["a list of texts", [["a", ["x", "many", 3, "text", 3]]]],
    ["equal names", [["a"], ["a"]]],
    ["a name that cannot be declared", [["a b"]]],
    ["a reserved field", [["a", ["player", "u8"]]]],
    ["a prototype", [["a", ["__proto__", "u8"]]]],
    ["too many bytes", [["a", ["x", "text", 65_535], ["y", "text", 65_535]]]],
    ["a length that is no number", [["a", ["x", "text", "200"]]]],
    ["null", [null]],
  ])("of %s is rejected", (_, wrong) => {
    expect(() => CommandSpec.from(wrong as never)).toThrow(/./);
  });
});

const gameWith = (commands: CommandFields | undefined, more: object = {}) =>
  simulation({
    name: "orders",
    version: 1,
    rate: 60,
    state: layout({ n: u32 }),
    input: { go: button },
    ...(commands ? { commands } : {}),
    step() {},
    ...more,
  });

describe("the fingerprint", () => {
  test("does not change for simulations without commands", () => {
    // As it was before there were commands.
    expect(gameWith(undefined).fingerprint).toBe("b66173c9fd61925f");
    expect(gameWith({}).fingerprint).toBe("b66173c9fd61925f");
    expect(gameWith(undefined, { absent: { go: true } }).fingerprint).toBe("b66173c9fd61925f");
  });

  test.each<[string, CommandFields]>([
    ["another command", { halt: {} }],
    ["another field", { build: { y: u16 } }],
    ["another kind", { build: { x: u32 } }],
    ["another length", { build: { x: text(3) } }],
    ["one more", { build: { x: u16 }, halt: {} }],
  ])("differs for %s", (_, commands) => {
    const own = gameWith({ build: { x: u16 } }).fingerprint;
    expect(own).not.toBe("b66173c9fd61925f");
    expect(gameWith(commands).fingerprint).not.toBe(own);
  });
});

describe("declared commands", () => {
  test.each<[string, unknown, string]>([
    ["no object", 5, "simulation: commands must be an object, got 5."],
    ["no fields", { a: 5 }, "simulation: commands.a must be an object of fields, got 5."],
    ["a number as a field", { a: { x: 5 } }, "simulation: commands.a.x must be a field of a single number"],
    ["a vector", { a: { x: vec2 } }, "simulation: commands.a.x must be a field of a single number"],
    [
      "a list of vectors",
      { a: { x: many(3, vec2 as never) } },
      "simulation: commands.a.x, the field of its list, must be a field of a single number",
    ],
    [
      "a reserved name",
      { a: { name: u8 } },
      "simulation: a field of commands.a must be letters, digits and _",
    ],
    ["a name with a space", { "a b": {} }, "simulation: a command's name must be letters, digits and _"],
    [
      "too many bytes",
      { a: { x: many(60_000, f64) } },
      "simulation: commands.a must be at most 65536 bytes long, got 480003.",
    ],
  ])("must not have %s", (_, commands, message) => {
    expect(() => gameWith(commands as never)).toThrow(message);
  });

  test("are at most 256", () => {
    const many257 = Object.fromEntries(Array.from({ length: 257 }, (_, i) => [`c${i}`, {}]));
    expect(() => gameWith(many257)).toThrow("simulation: commands must be at most 256 commands, got 257.");
  });
});

const log = simulation({
  name: "log",
  version: 1,
  rate: 10,
  players: 3,
  state: layout({ count: u32, mix: u32 }),
  commands: { put: { value: u8 }, say: { words: text(10) }, fail: {} },
  step(world, _, { commands, tick }) {
    for (const command of commands) {
      world.count += 1;
      if (command.name === "fail") throw new Error("failed");
      const value = command.name === "put" ? command.value : command.words.length;
      world.mix = (Math.imul(world.mix, 31) + 1000 * command.player + value + tick) >>> 0;
    }
  },
});

/** A session, and what each of its steps was given. */
function logged(options: Parameters<typeof localSession>[1] = {}) {
  const seen: CommandOf<typeof log>[][] = [];
  const game = simulation({
    ...log.options,
    step(world, inputs, context) {
      seen.push([...context.commands]);
      log.options.step(world, inputs, context);
    },
  });
  return { session: localSession(game, options as never), seen };
}

describe("a local session", () => {
  test("executes commands in the next step: in order of the players, then of issue", () => {
    const { session, seen } = logged();
    session.command("put", { value: 1 }, { player: 2 });
    session.command("say", { words: "hi" });
    session.command("put", { value: 2 }, { player: 2 });
    session.command("put", { value: 3 }, { player: 0 });
    for (let i = 0; i < 2; i++) session.advance();
    expect(seen).toEqual([
      [
        { name: "say", player: 0, words: "hi" },
        { name: "put", player: 0, value: 3 },
        { name: "put", player: 2, value: 1 },
        { name: "put", player: 2, value: 2 },
      ],
      [],
    ]);
  });

  test("confirms them with their tick", () => {
    const session = localSession(log);
    const confirmed: unknown[] = [];
    session.on("confirmed", ({ tick, commands, absent }) => {
      confirmed.push([tick, commands.map(({ player, bytes: [, value] }) => [player, value]), [...absent]]);
      // For the next step.
      if (tick === 0) session.command("put", { value: 9 });
    });
    session.command("put", { value: 7 }, { player: 1 });
    for (let i = 0; i < 3; i++) session.advance();
    expect(confirmed).toEqual([
      [0, [[1, 7]], [0, 0, 0]],
      [1, [[0, 9]], [0, 0, 0]],
      [2, [], [0, 0, 0]],
    ]);
  });

  test("gives steps without commands one frozen list", () => {
    const lists = new Set<unknown>();
    const run = new Run(
      simulation({
        ...log.options,
        step: (_, __, { commands }) => {
          lists.add(commands);
          expect(Object.isFrozen(commands)).toBe(true);
        },
      }),
      0,
    );
    run.step();
    run.step();
    expect(lists.size).toBe(1);
    expect(run.commands).toBe(NO_COMMANDS);
    run.commands = [{ player: 1, bytes: log.commands.encode("put", { value: 3 }) }];
    run.step();
    expect(lists.size).toBe(2);
  });

  test("does not lend its bytes to a step", () => {
    const game = simulation({
      name: "bytes",
      version: 1,
      rate: 10,
      state: layout({ sum: u32 }),
      commands: { upload: { map: bytes(4) } },
      step(world, _, { commands }) {
        for (const { map } of commands) {
          world.sum += map[0]!;
          map[0] = 99;
        }
      },
    });
    const session = localSession(game, { history: { seconds: 1 } });
    const map = Uint8Array.of(5);
    session.command("upload", { map });
    map[0] = 77;
    session.advance();
    session.seek(0);
    session.seek(1);
    expect(session.world.sum).toBe(5);
  });

  test("a speculative step sees waiting commands, and does not consume them", () => {
    const { session, seen } = logged({ present: "speculate" });
    session.command("put", { value: 1 });
    session.view(0.5);
    session.view(0.9);
    expect(session.world.count).toBe(0);
    session.advance();
    session.view(0);
    expect(seen.map((commands) => commands.length)).toEqual([1, 1, 1, 0]);
    expect(session.world.count).toBe(1);
  });

  test("seeks, rewinds and resimulates with the commands of each tick", () => {
    const dice = random(new Uint32Array(4)).seed("history");
    const session = localSession(log, { history: { seconds: 5, every: 0.7 } });
    const hashes = [session.hash().join()];
    for (let tick = 0; tick < 200; tick++) {
      for (let i = dice.below(3); i > 0; i--)
        session.command("put", { value: dice.below(256) }, { player: dice.below(3) });
      session.advance();
      hashes.push(session.hash().join());
    }
    expect(session.world.count).toBeGreaterThan(100);
    for (let i = 0; i < 60; i++) {
      const tick = session.first + dice.below(session.last - session.first + 1);
      session.seek(tick);
      expect(session.hash().join()).toBe(hashes[tick]);
    }
    session.seek(session.last);
    session.rewind();
    while (session.tick > session.first) {
      session.advance();
      expect(session.hash().join()).toBe(hashes[session.tick]);
    }
    session.endRewind();
    // Another future: the old commands are forgotten.
    const { count } = session.world;
    for (let i = 0; i < 30; i++) session.advance();
    expect(session.world.count).toBe(count);
  });

  test.each<[string, (session: ReturnType<typeof logged>["session"]) => void]>([
    ["a seek", (session) => session.seek(1)],
    ["a load", (session) => session.load(session.bytes())],
    [
      "a rewind",
      (session) => {
        session.rewind();
        session.advance();
        session.endRewind();
      },
    ],
  ])("discards waiting commands in %s", (_, act) => {
    const { session, seen } = logged({ history: { seconds: 1 } });
    for (let i = 0; i < 3; i++) session.advance();
    session.command("put", { value: 1 });
    act(session);
    session.advance();
    expect(seen.at(-1)).toEqual([]);
  });

  test("a command that makes a step throw is not executed again", () => {
    const session = localSession(log);
    session.command("fail");
    expect(() => session.advance()).toThrow("failed");
    expect([session.tick, session.world.count]).toEqual([0, 0]);
    expect(session.advance()).toBe("stepped");
    expect(session.world.count).toBe(0);
  });

  test("rejects what cannot be encoded, and nothing waits then", () => {
    const session = localSession(log);
    for (const [act, message] of [
      [() => session.command("dance" as never, {} as never), 'Session.command: unknown command "dance".'],
      [
        () => session.command("pt" as never, {} as never),
        'Session.command: unknown command "pt". Did you mean "put"?',
      ],
      [
        () => session.command("put", { value: 256 }),
        "Session.command: put.value must be a whole number from 0 to 255, got 256.",
      ],
      [() => session.command("put", {} as never), "Session.command: put.value must be a whole number"],
      [
        () => session.command("put", { value: 1, valu: 2 } as never),
        'Session.command: unknown field of command "put": "valu". Did you mean "value"?',
      ],
      [
        () => session.command("say", { words: "eleven chars" }),
        'Session.command: say.words must be a text of at most 10 bytes, got "eleven chars".',
      ],
      [
        () => session.command("say", { words: "größößößö" }),
        "Session.command: say.words must be a text of at most 10 bytes",
      ],
      [
        () => session.command("put", { value: 1 }, { player: 3 }),
        "Session.command: player must be a whole number from 0 to 2, got 3.",
      ],
      [
        () => session.command("put", { value: 1 }, { seat: 1 } as never),
        'Session.command: unknown option "seat".',
      ],
      [() => session.command("put", 5 as never), "Session.command: put must be an object, got 5."],
    ] as const)
      expect(act).toThrow(message);
    session.advance();
    expect(session.world.count).toBe(0);
    session.dispose();
    expect(() => session.command("put", { value: 1 })).toThrow("Session: already disposed.");
  });

  test("keeps at most 1024 commands for a step", () => {
    const session = localSession(log);
    for (let i = 0; i < 1024; i++) session.command("put", { value: 1 });
    expect(() => session.command("put", { value: 1 })).toThrow(
      "Session.command: 1024 commands already wait for the next step.",
    );
    session.advance();
    expect(session.world.count).toBe(1024);
    session.command("put", { value: 1 });
  });

  test("cannot be given commands within a step or `inputs`", () => {
    const messages: string[] = [];
    const attempt = () => {
      try {
        session.command("put", { value: 1 });
      } catch (error) {
        messages.push((error as Error).message);
      }
    };
    const session = localSession(simulation({ ...log.options, step: attempt }), { inputs: attempt });
    session.advance();
    expect(messages).toEqual([
      "Session: cannot be used inside `inputs`. Call it before or after advance().",
      "Session: cannot be used inside `step` or `init`. Emit an effect, and act in its listener.",
    ]);
  });
});

describe("a sync test", () => {
  test("issues random commands", () => {
    expect(syncTest(log, { commands() {} })).toMatchObject({ ok: true });
    const counts = new Map<string, number>();
    const result = syncTest(
      simulation({
        ...orders.options,
        step(world, inputs, context) {
          for (const { name } of context.commands) counts.set(name, (counts.get(name) ?? 0) + 1);
          orders.options.step(world, inputs, context);
        },
      }),
    );
    expect(result.message).toBe("");
    expect([...counts.keys()].sort()).toEqual(["build", "halt", "say", "select", "upload"]);
  });

  test("finds a command that is not deterministic", () => {
    let calls = 0;
    const game = simulation({
      ...log.options,
      step(world, _, { commands }) {
        for (const { name } of commands) if (name === "put") world.mix += calls++;
      },
    });
    expect(
      syncTest(game, { commands: (tick, command) => tick === 9 && command("put", { value: 1 }) }).ok,
    ).toBe(false);
    expect(syncTest(game).ok).toBe(false);
    expect(syncTest(game, { commands() {} }).ok).toBe(true);
  });

  test("issues the commands of its option, for each player", () => {
    const seen = new Set<string>();
    const game = simulation({
      ...log.options,
      step(_, __, { commands, tick }) {
        for (const { name, player } of commands) seen.add(`${tick} ${name} ${player}`);
      },
    });
    syncTest(game, {
      ticks: 20,
      commands(tick, command) {
        if (tick !== 5) return;
        command("put", { value: 1 }, { player: 2 });
        command("say", { words: "a" });
      },
    });
    expect(seen).toContain("5 say 0");
    expect(seen).toContain("5 put 2");
    expect(() => syncTest(game, { commands: (_, command) => command("put", { value: -1 }) })).toThrow(
      "syncTest: put.value must be a whole number from 0 to 255, got -1.",
    );
    expect(() => syncTest(game, { commands: 5 as never })).toThrow("syncTest: commands must be a function");
  });
});

describe("saved states", () => {
  const before = gameWith({ build: { x: u16 } });

  test("of other commands are rejected, and say so", () => {
    const saved = localSession(before).bytes();
    for (const other of [gameWith({ build: { x: u32 } }), gameWith(undefined)])
      expect(() => localSession(other).load(saved)).toThrow(
        'the layout of "orders" changed, but not its version, 1: the commands changed',
      );
    expect(() => localSession(before).load(localSession(gameWith(undefined)).bytes())).toThrow(
      "the commands changed",
    );
  });

  test("are migrated from a version with other commands, or none", () => {
    const now = gameWith({ build: { x: u32 }, halt: {} }, { version: 2 });
    for (const old of [before, gameWith(undefined)]) {
      const session = localSession(old);
      session.skip(7);
      const loaded = localSession(now);
      loaded.load(migrate(now, session.bytes()));
      expect(loaded.tick).toBe(7);
    }
    const plain = gameWith(undefined, { version: 2 });
    const session = localSession(before);
    session.skip(3);
    const loaded = localSession(plain);
    loaded.load(migrate(plain, session.bytes()));
    expect(loaded.tick).toBe(3);
  });
});

test("random orders of the test game are valid", () => {
  const dice = random(new Uint32Array(4)).seed("orders");
  for (let i = 0; i < 500; i++) expect(orders.commands.isValid(randomOrder(dice))).toBe(true);
});
