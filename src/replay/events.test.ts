// Commands and seats in recordings.
import { describe, expect, test } from "vitest";
import { bodyOf, chunksOf, typeOf, withChunks } from "../../test/replay/files.js";
import { orders, randomOrder, ScriptedSession, scriptOf } from "../../test/replay/orders.js";
import { random } from "../math/index.js";
import { localSession, simulation, type ConfirmedTick, type PackedCommand } from "../sim/index.js";
import { chunkOf } from "./chunk.js";
import { cut, keyframeAt } from "./cut.js";
import { readReplay, record, recordedCommands, replayPlayer, verify, type Recordable } from "./index.js";
import { varints } from "./varint.js";

const TICKS = 900;
const OPTIONS = { checkpoints: 10 / 60, keyframes: 1 };
const script = scriptOf("events", TICKS);

/** A recording of the whole script. */
function recorded(ticks = TICKS): Uint8Array {
  const session = new ScriptedSession(script);
  const recorder = record(session, OPTIONS);
  session.play(ticks);
  return recorder.bytes();
}

/** What a recording says about commands and seats, tick by tick. */
function contents(bytes: Uint8Array) {
  const replay = readReplay(bytes);
  const [inputs, commands, seats] = [replay.inputs(), replay.commands(), replay.seatCursor()];
  return Array.from({ length: replay.last - replay.first }, (_, i) => {
    const tick = replay.first + i;
    inputs.seek(tick);
    seats.seek(tick);
    return { tick, commands: commands.at(tick), absent: [...seats.absent], names: [...seats.names] };
  });
}

const scripted = (from = 0, to = TICKS) =>
  Array.from({ length: to - from }, (_, i) => ({
    tick: from + i,
    commands: script.commands[from + i],
    absent: [...script.absent[from + i]!],
    names: script.names[from + i],
  }));

describe("a recording with commands and absent seats", () => {
  const bytes = recorded();
  const replay = readReplay(bytes);

  test("says what happened in each tick, and verifies", () => {
    expect(contents(bytes)).toEqual(scripted());
    expect(verify(orders, replay)).toMatchObject({ ok: true, message: "" });
    // Something did happen.
    expect(script.commands.filter((commands) => commands.length > 1).length).toBeGreaterThan(100);
    expect(replay.seats.length).toBeGreaterThan(30);
    expect(new Set(chunksOf(bytes).map(typeOf))).toEqual(
      new Set(["HEAD", "SEAT", "CMDS", "INPT", "CHEK", "KEYF", "DONE"]),
    );
  });

  test("lists who came and left", () => {
    const [first, second, ...later] = replay.seats;
    expect([first, second]).toEqual([
      { tick: 0, seat: 0, absent: false, name: "Ada" },
      { tick: 0, seat: 2, absent: false, name: "Bo 🎲" },
    ]);
    for (const { tick, seat, absent, name } of later) {
      expect(script.absent[tick]![seat]).toBe(absent ? 1 : 0);
      expect(script.names[tick]![seat]).toBe(name);
      const before = [script.absent[tick - 1]![seat], script.names[tick - 1]![seat]];
      expect(before).not.toEqual([absent ? 1 : 0, name]);
    }
  });

  test("lists its commands with their values", () => {
    const found = [...recordedCommands(replay)];
    const wanted = script.commands.flatMap((commands, tick) =>
      commands.map(({ player, bytes: packed }) => {
        const { name, player: _, ...values } = orders.commands.decode(packed);
        return { tick, player, name, values };
      }),
    );
    expect(found).toEqual(wanted);
    expect(() => [...recordedCommands(5 as never)]).toThrow("recordedCommands: replay must be a replay");
  });

  test("can be read in any order", () => {
    const cursor = replay.commands();
    const seats = replay.seatCursor();
    const dice = random(new Uint32Array(4)).seed("order");
    for (let i = 0; i < 500; i++) {
      const tick = dice.below(TICKS);
      seats.seek(tick);
      expect([cursor.at(tick), [...seats.absent], seats.names]).toEqual([
        script.commands[tick],
        [...script.absent[tick]!],
        script.names[tick],
      ]);
      const next = script.commands.findIndex((commands, at) => at >= tick && commands.length > 0);
      expect(cursor.from(tick)).toBe(next < 0 ? Infinity : next);
    }
  });

  test("is played, sought and rewound to the same states", () => {
    const session = new ScriptedSession(script);
    const hashes = Array.from({ length: TICKS + 1 }, (_, i) => {
      if (i > 0) session.play(1);
      return session.hash().join();
    });
    const player = replayPlayer(orders, replay, { diverged: () => expect.unreachable() });
    const dice = random(new Uint32Array(4)).seed("seek");
    for (let i = 0; i < 40; i++) {
      player.seek(dice.below(TICKS + 1));
      expect(player.hash().join()).toBe(hashes[player.tick]);
      for (let n = dice.below(20); n > 0 && !player.ended; n--) player.advance();
      expect(player.hash().join()).toBe(hashes[player.tick]);
    }
    player.seek(700);
    player.rewind();
    while (player.tick > 600) {
      player.advance();
      expect(player.hash().join()).toBe(hashes[player.tick]);
    }
    expect(player.divergence).toBeUndefined();
  });

  test("another build that ignores commands, or the bot, or absence diverges", () => {
    const { step } = orders.options;
    const builds = {
      commands: simulation({
        ...orders.options,
        step: (world, inputs, context) => step(world, inputs, { ...context, commands: [] }),
      }),
      bot: simulation({ ...orders.options, absent: undefined }),
      absence: simulation({
        ...orders.options,
        step: (world, inputs, context) =>
          step(
            world,
            inputs.map((seat) => Object.create(seat, { absent: { value: false } })) as never,
            context,
          ),
      }),
    };
    for (const build of Object.values(builds))
      expect(verify(build, replay)).toMatchObject({ ok: false, reason: "diverged" });
    expect(verify(orders, replay, { against: orders }).ok).toBe(true);
    expect(verify(orders, replay, { against: builds.bot }).ok).toBe(false);
  });

  test("can be taken over: its commands and absent seats end there", () => {
    const tick = script.absent.findIndex((absent) => absent.includes(1)) + 1;
    const player = replayPlayer(orders, replay);
    expect(() => player.command("halt")).toThrow(
      "ReplayPlayer.command: the commands of a recording cannot be changed. Call takeOver(inputs) first.",
    );
    player.seek(tick);
    const seen: ConfirmedTick["commands"][] = [];
    player.on("confirmed", ({ commands, absent }) => {
      seen.push(commands);
      expect([...absent]).toEqual([0, 0, 0]);
    });
    player.takeOver(undefined);
    expect(player.seatNames).toEqual([]);
    player.command("say", { words: "mine" }, { player: 2 });
    for (let i = 0; i < 200; i++) player.advance();
    expect(seen.map(({ length }) => length)).toEqual([1, ...Array<number>(199).fill(0)]);
    // Back to the recording, and all its commands are there again.
    player.seek(TICKS);
    expect(player.divergence).toBeUndefined();
    expect(() => player.command("halt")).toThrow("cannot be changed");
  });

  test("a recording of a player is the same again", () => {
    const player = replayPlayer(orders, replay, { rewind: false });
    const recorder = record(player, OPTIONS);
    while (player.advance() !== "ended");
    expect(contents(recorder.bytes())).toEqual(scripted());
    expect(readReplay(recorder.bytes()).seats).toEqual(replay.seats);
  });

  test("of a simulation with other commands is rejected", () => {
    const other = simulation({ ...orders.options, commands: {} } as never);
    expect(() => verify(other, replay)).toThrow("the recording and the simulation differ in commands: [[");
  });

  test("autosaves: all pieces in a row, and as many of them as there are, verify", () => {
    const session = new ScriptedSession(script);
    const recorder = record(session, OPTIONS);
    const pieces: Uint8Array[] = [];
    for (let i = 0; i < 6; i++) {
      session.play(97);
      pieces.push(recorder.take());
      const part = new Uint8Array(Buffer.concat(pieces));
      expect(contents(part)).toEqual(scripted(0, 97 * (i + 1)));
      expect(verify(orders, readReplay(part)).ok).toBe(true);
    }
  });

  test("truncated anywhere, it never plays inputs without their commands", () => {
    const dice = random(new Uint32Array(4)).seed("truncate");
    const short = recorded(200);
    const chunks = chunksOf(short);
    const whole = chunks.map((_, i) => withChunks(short, chunks.slice(0, i + 1)));
    const parts = Array.from({ length: 30 }, () => short.slice(0, 2000 + dice.below(short.length - 2000)));
    for (const part of [...whole, ...parts]) {
      const cutOff = readReplay(part);
      expect(contents(part)).toEqual(scripted(0, cutOff.last));
      expect(cutOff.seats.every(({ tick }) => tick < cutOff.last)).toBe(true);
      expect([...recordedCommands(cutOff)].every(({ tick }) => tick < cutOff.last)).toBe(true);
    }
  });

  test.each([
    [0, 500],
    [180, 700],
    [317, 318],
    [420, 900],
  ])("the part from %i to %i is cut out with its commands and seats", async (from, to) => {
    const keyframe = keyframeAt(replay, from);
    const player = replayPlayer(orders, replay);
    player.seek(from);
    const state = from === 0 ? undefined : keyframe ? replay.stateOf(keyframe) : player.bytes();
    const part = await cut(bytes, from, to, state);
    expect(contents(part)).toEqual(scripted(from, to));
    const read = readReplay(part);
    const result = verify(orders, read);
    expect(result.ok || result.reason === "no-checkpoints").toBe(true);
    expect(replayPlayer(orders, read).divergence).toBeUndefined();
  });
});

describe("a session that goes back", () => {
  test.each([false, true])("drops later commands, and records the new ones (in pieces: %s)", (isInPieces) => {
    const session = localSession(orders, { history: { seconds: 20 } });
    const recorder = record(session, OPTIONS);
    const dice = random(new Uint32Array(4)).seed("back");
    const wanted: number[] = [];
    const pieces: Uint8Array[] = [];
    const play = (ticks: number) => {
      for (let i = 0; i < ticks; i++) {
        const count = dice.below(4) === 0 ? 1 + dice.below(2) : 0;
        for (let n = 0; n < count; n++) {
          const { name, player: _, ...values } = orders.commands.decode(randomOrder(dice));
          session.command(name as "say", values as never, { player: dice.below(3) });
        }
        wanted.length = session.tick;
        wanted.push(count);
        session.advance();
      }
    };
    for (let i = 0; i < 12; i++) {
      play(40 + dice.below(100));
      if (isInPieces) pieces.push(recorder.take());
      session.seek(session.first + dice.below(session.tick - session.first));
    }
    play(30);
    recorder.stop();
    if (isInPieces) pieces.push(recorder.take());
    const bytes = isInPieces ? new Uint8Array(Buffer.concat(pieces)) : recorder.bytes();
    const replay = readReplay(bytes);
    expect([replay.message, replay.last]).toEqual(["", session.tick]);
    expect(contents(bytes).map(({ commands }) => commands.length)).toEqual(wanted);
    expect(verify(orders, replay)).toMatchObject({ ok: true, message: "" });
  });

  test("forgets seats that changed later, and records them again when they do", () => {
    const listeners: ((confirmed: ConfirmedTick) => void)[] = [];
    const hash = () => [0, 0] as const;
    let names = ["Ada", "Bo", "Cy"];
    const session = {
      simulation: orders,
      seed: 0,
      tick: 0,
      confirmed: 0,
      get seatNames() {
        return names;
      },
      hash: () => localSession(orders).hash(),
      bytes: () => Uint8Array.of(1),
      seek() {},
      on(event: string, listener: never) {
        if (event === "confirmed") listeners.push(listener);
        return () => {};
      },
    } satisfies Recordable & { seek(): void };
    const recorder = record(session, { checkpoints: 0, keyframes: 0 });
    const confirm = (tick: number, ...absent: number[]) => {
      const words = new Uint32Array(3);
      const info = { tick, words, commands: [], absent: Uint8Array.from(absent), hash, bytes: session.bytes };
      for (const listener of listeners) listener(info);
    };
    confirm(0, 0, 0, 0);
    confirm(1, 0, 1, 0);
    recorder.take();
    confirm(2, 0, 1, 1);
    names = ["Ada", "Di", "Cy"];
    confirm(3, 0, 0, 1);
    // Back to tick 2: seat 1 is absent, seat 2 is not.
    names = ["Ada", "Bo", "Cy"];
    confirm(2, 1, 1, 0);
    confirm(3, 1, 0, 0);
    expect(contents(recorder.bytes()).map(({ absent }) => absent.join(""))).toEqual([
      "000",
      "010",
      "110",
      "100",
    ]);
    expect(readReplay(recorder.bytes()).seats.slice(3)).toEqual([
      { tick: 1, seat: 1, absent: true, name: "Bo" },
      { tick: 2, seat: 0, absent: true, name: "Ada" },
      { tick: 3, seat: 1, absent: false, name: "Bo" },
    ]);
  });
});

describe("names of seats", () => {
  const named = (seatNames: readonly unknown[]) => {
    const session = localSession(orders);
    Object.defineProperty(session, "seatNames", { value: seatNames });
    const recorder = record(session as Recordable);
    session.skip(2);
    return readReplay(recorder.bytes()).seats.map(({ name }) => name);
  };

  test("are cut after 64 characters, but not within one", () => {
    expect(named(["a".repeat(100), "", "b".repeat(63) + "🎲🎲"])).toEqual(["a".repeat(64), "b".repeat(63)]);
    expect(named([undefined, "ö".repeat(80)])).toEqual(["ö".repeat(64)]);
    expect(named([])).toEqual([]);
  });

  test("must be texts", () => {
    expect(() => named([5])).toThrow("record: session.seatNames[0] must be a string, got 5.");
  });
});

test("a recorder rejects commands that the simulation does not have", () => {
  for (const command of [
    { player: 0, bytes: Uint8Array.of(99) },
    { player: 3, bytes: orders.commands.encode("halt") },
  ]) {
    const session = new ScriptedSession(script);
    record(withCommand(session, command));
    expect(() => session.play(1)).toThrow(
      "record: the commands of the session's confirmed event must be commands",
    );
  }
});

/** A session whose confirmed ticks have another command. */
function withCommand(session: ScriptedSession, command: PackedCommand): Recordable {
  return {
    simulation: session.simulation,
    seed: session.seed,
    tick: 0,
    confirmed: 0,
    hash: () => session.hash(),
    bytes: () => session.bytes(),
    on: (event: string, listener: (info: never) => void) =>
      session.on(event, ((info: ConfirmedTick) =>
        listener({ ...info, commands: [command] } as never)) as never),
  };
}

describe("a forged chunk", () => {
  const bytes = recorded(60);
  const chunks = chunksOf(bytes);
  const commandsAt = chunks.findIndex((chunk) => typeOf(chunk) === "CMDS");
  const seatsAt = chunks.findIndex((chunk) => typeOf(chunk) === "SEAT");
  const halt = orders.commands.encode("halt");
  const event = (gap: number, byte: number, data: Uint8Array) => [
    ...varints(gap),
    byte,
    ...varints(data.length),
    ...data,
  ];
  const name = new TextEncoder().encode("Ada");
  const replaced = (index: number, body: readonly number[]) =>
    withChunks(
      bytes,
      chunks.map((chunk, i) => (i === index ? chunkOf(typeOf(chunk), Uint8Array.from(body)) : chunk)),
    );

  test.each<[string, readonly number[]]>([
    ["nothing", []],
    ["half an event", [0]],
    ["a player who does not exist", event(0, 3, halt)],
    ["an invalid command", event(0, 0, Uint8Array.of(99))],
    ["a command with more bytes", event(0, 0, Uint8Array.of(...halt, 0))],
    ["a length beyond the chunk", [0, 0, 50, ...halt]],
    ["players out of order", [...event(5, 1, halt), ...event(0, 0, halt)]],
    ["a tick of the far future", event(5000, 0, halt)],
    ["an immense tick", event(2 ** 53 - 1, 0, halt)],
    ["too many commands in a tick", Array.from({ length: 1025 }, () => event(0, 0, halt)).flat()],
  ])("CMDS with %s ends the recording there", (_, body) => {
    const replay = readReplay(replaced(commandsAt, body));
    expect(replay.ending).toBe("damaged");
    expect(replay.message).toContain("CMDS chunk with an");
    expect(replay.last).toBe(0);
  });

  test.each<[string, readonly number[]]>([
    ["nothing", []],
    ["a seat that does not exist", event(0, 3, name)],
    ["an absent seat that does not exist", event(0, 128 + 3, name)],
    ["a name that is too long", event(0, 0, new Uint8Array(257).fill(65))],
    ["a name that is no text", event(0, 0, Uint8Array.of(0xff))],
    ["a tick of the far future", event(5000, 0, name)],
  ])("SEAT with %s ends the recording there", (_, body) => {
    const replay = readReplay(replaced(seatsAt, body));
    expect(replay.ending).toBe("damaged");
    expect(replay.message).toContain("SEAT chunk with an");
  });

  test("with events of ticks that were recorded before is rejected", () => {
    const late = withChunks(bytes, [...chunks, chunkOf("CMDS", Uint8Array.from(event(3, 0, halt)))]);
    expect(readReplay(late)).toMatchObject({ ending: "damaged", last: 60 });
    const twice = [...chunks];
    twice.splice(commandsAt, 0, chunks[commandsAt]!);
    expect(readReplay(withChunks(bytes, twice))).toMatchObject({ ending: "damaged", last: 0 });
  });

  test("of commands in a file of a simulation without commands is rejected", () => {
    const plain = simulation({ ...orders.options, commands: undefined, step() {} } as never);
    const session = localSession(plain);
    const recorder = record(session);
    session.skip(3);
    const file = recorder.bytes();
    const [head, ...rest] = chunksOf(file);
    const forged = withChunks(file, [head!, chunkOf("CMDS", Uint8Array.from(event(0, 0, halt))), ...rest]);
    expect(readReplay(forged)).toMatchObject({ ending: "damaged", last: 0 });
    expect(readReplay(file).info.commands).toBeUndefined();
  });

  test("of metadata with impossible commands is rejected", () => {
    const head = JSON.parse(new TextDecoder().decode(bodyOf(chunks[0]!))) as Record<string, unknown>;
    for (const commands of [
      5,
      "x",
      [["a", ["x", "u64"]]],
      [["a", ["x", "text", 1e9]]],
      [["a"], ["a"]],
      null,
    ]) {
      const body = new TextEncoder().encode(JSON.stringify({ ...head, commands }));
      const forged = withChunks(bytes, [chunkOf("HEAD", body), ...chunks.slice(1)]);
      expect(() => readReplay(forged)).toThrow("invalid metadata");
    }
  });

  test("of commands beyond the inputs waits for them", () => {
    const early = [...event(70, 0, halt)];
    const forged = withChunks(bytes, [
      ...chunks.filter((chunk) => typeOf(chunk) !== "DONE"),
      chunkOf("CMDS", Uint8Array.from(early)),
    ]);
    const replay = readReplay(forged);
    expect([replay.ending, replay.last]).toEqual(["open", 60]);
    expect([...recordedCommands(replay)].every(({ tick }) => tick < 60)).toBe(true);
  });
});

test("a reader that does not know the chunks still reads everything else", () => {
  const bytes = recorded(300);
  const renamed = withChunks(
    bytes,
    chunksOf(bytes).map((chunk) =>
      ["CMDS", "SEAT"].includes(typeOf(chunk)) ? chunkOf("XXXX", bodyOf(chunk)) : chunk,
    ),
  );
  const [a, b] = [readReplay(bytes), readReplay(renamed)];
  expect([b.ending, b.last, b.checkpoints.count]).toEqual(["done", a.last, a.checkpoints.count]);
  const [left, right] = [a.inputs(), b.inputs()];
  for (let tick = 0; tick < 300; tick++) {
    left.seek(tick);
    right.seek(tick);
    expect(left.words).toEqual(right.words);
  }
});
