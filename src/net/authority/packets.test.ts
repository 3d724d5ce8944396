// The packets and messages between servers and clients, written and read again; and damaged ones.
import { describe, expect, test } from "vitest";
import { random } from "../../math/index.js";
import { simulation } from "../../sim/index.js";
import { layout, u32 } from "../../state/index.js";
import { BitReader, BitWriter } from "../bits.js";
import { SeatLog } from "../seat-log.js";
import { commandBytes, commandMessage, readCommandMessage } from "./command-message.js";
import { handoverBytes, readHandover } from "./handover.js";
import { InputHead } from "./input-packet.js";
import { joinOf, readJoin, readNews, readWelcome } from "./messages.js";
import { readCommandTicks, ServerHead, writeCommandTicks } from "./tick-packet.js";

const game = simulation({
  name: "packets",
  version: 3,
  rate: 60,
  players: 4,
  state: layout({ x: u32 }),
  commands: { build: { what: u32 } },
  step() {},
});
const build = (what: number, player = 1) => ({ player, bytes: game.commands.encode("build", { what }) });

const dice = () => random(new Uint32Array(4)).seed("packets");
const written = (write: (writer: BitWriter) => void) => {
  const writer = new BitWriter(1200);
  write(writer);
  const reader = new BitReader();
  reader.start(writer.bytes().slice());
  return reader;
};

describe("heads", () => {
  test("of clients", () => {
    const die = dice();
    for (let i = 0; i < 2000; i++) {
      const head = new InputHead();
      head.end = die.int(600, 1e6);
      head.first = head.end - die.int(0, 512);
      head.ack = Math.max(0, head.end + die.int(-300, 300));
      head.isComplete = die.chance(0.5);
      const read = new InputHead();
      expect(
        read.read(
          written((writer) => head.write(writer)),
          head.end + die.int(-2000, 2000),
        ),
      ).toBe(true);
      expect({ ...read }).toEqual({ ...head });
    }
  });

  test("of servers, with reports", () => {
    const die = dice();
    for (let i = 0; i < 2000; i++) {
      const head = new ServerHead();
      head.tick = die.int(600, 1e6);
      head.inputEnd = head.tick + die.int(-100, 250);
      head.hasState = die.chance(0.5);
      for (let count = die.int(0, 3); count > 0; count--) {
        const end = head.tick + die.int(-200, 250);
        head.addReport(end - die.int(1, 200), end, die.int(-3000, 3000) / 16);
      }
      const read = new ServerHead();
      expect(
        read.read(
          written((writer) => head.write(writer)),
          head.tick + die.int(-2000, 2000),
        ),
      ).toBe(true);
      expect([read.tick, read.inputEnd, read.hasState]).toEqual([head.tick, head.inputEnd, head.hasState]);
      expect(read.reports.slice(0, read.reportCount)).toEqual(head.reports.slice(0, head.reportCount));
    }
  });

  test("of noise are rejected, or within bounds", () => {
    const die = dice();
    const [reader, client, server] = [new BitReader(), new InputHead(), new ServerHead()];
    for (let i = 0; i < 5000; i++) {
      const noise = Uint8Array.from({ length: die.int(0, 12) }, () => die.below(256) & die.below(256));
      reader.start(noise);
      const isClient = client.read(reader, 5000);
      const { first, end, ack } = client;
      const isInBounds = end - first <= 512 && first >= 0 && ack >= 0 && Math.abs(end - 5000) <= 2048;
      expect(!isClient || isInBounds).toBe(true);
      reader.start(noise);
      const reports = server.read(reader, 5000) ? server.reports.slice(0, server.reportCount) : [];
      const areInBounds = reports.every(
        (one) => one.end - one.first <= 512 && one.end > one.first && Math.abs(one.early) <= 2048,
      );
      expect(areInBounds).toBe(true);
    }
  });
});

test("the ticks that have commands", () => {
  const log = new SeatLog(game);
  const ticks: number[] = [7];
  const read = (first: number, end: number) =>
    readCommandTicks(
      written((writer) => writeCommandTicks(writer, log, first, end)),
      first,
      end,
      ticks,
    ) && ticks;
  expect(read(100, 200)).toEqual([]);
  for (const tick of [100, 101, 150, 199, 300]) log.setCommands(tick, [1], [build(tick)]);
  expect(read(100, 200)).toEqual([100, 101, 150, 199]);
  expect(read(102, 150)).toEqual([]);
  expect(read(300, 301)).toEqual([300]);
  // More than fit between the first and the last tick.
  const tooMany = written((writer) => {
    writer.write(1, 1);
    writer.writeGolomb(20, 0);
    for (let i = 0; i < 21; i++) writer.writeGolomb(0, 1);
  });
  expect(readCommandTicks(tooMany, 5, 9, ticks)).toBe(false);
});

describe("commands", () => {
  test("are read as they were written", () => {
    const commands = [build(1, 0), build(70_000, 2), build(3, 3)];
    const bytes = commandMessage(2 ** 40, commands);
    expect(bytes.length).toBe(commandBytes(commands));
    expect(readCommandMessage(bytes, game)).toEqual({ tick: 2 ** 40, commands });
  });

  test("are rejected unless all of them are valid", () => {
    const bytes = commandMessage(5, [build(1), build(2)]);
    for (let length = 0; length < bytes.length; length++) {
      // Cut between two commands, the first one is a whole message.
      const part = readCommandMessage(bytes.slice(0, length), game)?.commands ?? [build(1)];
      expect(part).toEqual([build(1)]);
    }
    expect(readCommandMessage(commandMessage(5, [build(1, 4)]), game)).toBe(undefined);
    expect(readCommandMessage(commandMessage(-1, [build(1)]), game)).toBe(undefined);
    expect(readCommandMessage(commandMessage(0.5, [build(1)]), game)).toBe(undefined);
    const unknown = { player: 0, bytes: Uint8Array.of(99, 1, 2) };
    expect(readCommandMessage(commandMessage(5, [unknown]), game)).toBe(undefined);
    const many = Array.from({ length: 1025 }, () => build(1));
    expect(readCommandMessage(commandMessage(5, many), game)).toBe(undefined);
  });
});

test("joins, welcomes and news are checked in every field", () => {
  const join = joinOf(game, { role: "client", name: "Ada", token: "t", seats: [1], count: 1 });
  const welcome = {
    id: 2,
    seats: [0, 3],
    down: "inputs",
    isSecretive: false,
    wire: "",
    seed: "s",
    tick: 5,
    hashEvery: 10,
    stateEvery: 3,
    from: 5,
  };
  const news = {
    attendees: [{ id: 2, name: "Ada", seats: [0] }],
    isPaused: false,
    tick: 5.5,
    wall: 1e12,
    heir: 0,
  };
  const readers = [
    [join, readJoin],
    [welcome, readWelcome],
    [news, readNews],
  ] as const;
  for (const [value, read] of readers) {
    expect(read(value, 4)).toEqual(value);
    for (const wrong of [undefined, null, 5, "x", [], {}]) expect(read(wrong, 4)).toBe(undefined);
    for (const name of Object.keys(value))
      for (const wrong of [undefined, null, {}, NaN])
        expect([name, wrong, read({ ...value, [name]: wrong }, 4)]).toEqual([name, wrong, undefined]);
  }
  expect(readWelcome({ ...welcome, seats: [4] }, 4)).toBe(undefined);
  expect(readWelcome({ ...welcome, hashEvery: 601 }, 4)).toBe(undefined);
  expect(readWelcome({ ...welcome, stateEvery: 0 }, 4)).toBe(undefined);
  expect(readNews({ ...news, wall: Infinity }, 4)).toBe(undefined);
  expect(readNews({ ...news, attendees: [{ id: 2, name: "Ada", seats: [9] }] }, 4)).toBe(undefined);
});

test("handovers carry the seed and the state, and are checked", () => {
  const bytes = handoverBytes({ seed: "seed ✓", state: Uint8Array.of(1, 2, 3) });
  const { seed, state } = readHandover("serverSession", game, bytes);
  expect([seed, [...state]]).toEqual(["seed ✓", [1, 2, 3]]);
  for (const wrong of [
    new Uint8Array(0),
    new Uint8Array(3),
    bytes.slice(0, 10),
    new Uint8Array(40),
    "x",
    null,
  ])
    expect(() => readHandover("serverSession", game, wrong as never)).toThrow("serverSession: from must be");
});
