import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PackedCommand } from "../sim/commands.js";
import { bytes, simulation, text } from "../sim/index.js";
import { layout, u32, u8 } from "../state/index.js";
import { CommandExchange, type CommandSource } from "./command-exchange.js";
import { loopbackPair } from "./loopback.js";
import { COMMAND_PART, COMMANDS } from "./messages.js";
import { InputPacket } from "./packet.js";
import { Peer } from "./peer.js";
import { SeatLog } from "./seat-log.js";
import { Stream } from "./membership/stream.js";
import type { Transfers } from "./transfer.js";

const game = simulation({
  name: "commands",
  version: 1,
  rate: 60,
  players: 4,
  state: layout({ n: u32 }),
  commands: { build: { x: u8 }, chat: { text: text(200) }, map: { tiles: bytes(10_000) } },
  step() {},
});

const build = (player: number, x: number): PackedCommand => ({
  player,
  bytes: game.commands.encode("build", { x }),
});

const ADA = { id: 7, name: "Ada", seats: [0, 2], from: 0 };

/** A sender that may speak for all members, as one that feeds a spectator may. */
const anyone = (tick = 0): CommandSource => ({ tick, speaksFor: () => true, isKnown: () => false });

/** One end: its log, the stream of Ada, and the messages that it has sent. */
function end() {
  const log = new SeatLog(game);
  const exchange = new CommandExchange(game, log);
  const stream = new Stream(game.packing, ADA);
  const sent: Uint8Array[] = [];
  const peer = new Peer(loopbackPair()[0], 1000 / 60);
  peer.transfers = {
    start(kind: number, message: Uint8Array) {
      expect(kind).toBe(COMMANDS);
      sent.push(message);
    },
  } as unknown as Transfers;
  return { log, exchange, stream, sent, peer };
}

/** A packet that says that Ada's commands are in these ticks. */
function packetWith(ticks: readonly number[]): InputPacket {
  const packet = new InputPacket();
  packet.commandTicks.push(...ticks.flatMap((tick) => [0, tick]));
  return packet;
}

describe("commands travel", () => {
  test("once per tick and peer, with those of all seats of the stream", () => {
    const { log, exchange, stream, sent, peer } = end();
    log.setCommands(3, [0, 1, 2], [build(2, 1), build(0, 2), build(1, 3)]);
    log.setCommands(8, [0, 2], [build(0, 4)]);
    exchange.send(peer, 0, stream, 0, 5, 0);
    exchange.send(peer, 0, stream, 0, 6, 0);
    expect(sent.length).toBe(1);
    exchange.send(peer, 0, stream, 2, 9, 0);
    expect(sent.length).toBe(2);

    const other = end();
    for (const message of sent) expect(other.exchange.receive(message, anyone())).toBeUndefined();
    const packet = packetWith([3, 8]);
    other.stream.end = 9;
    const wrong: number[] = [];
    other.exchange.apply(packet, 0, other.stream, 0, { invalidate: (tick: number) => void wrong.push(tick) });
    expect(other.log.commands(3)).toEqual([build(0, 2), build(2, 1)]);
    expect(other.log.commands(8)).toEqual([build(0, 4)]);
    expect(wrong).toEqual([3, 8]);
  });

  test("whole, whatever their number and size", () => {
    const commands = fc.array(
      fc.record({
        player: fc.constantFrom(0, 2),
        bytes: fc.oneof(
          fc.nat(255).map((x) => game.commands.encode("build", { x })),
          fc.string({ maxLength: 40 }).map((said) => game.commands.encode("chat", { text: said })),
          fc.uint8Array({ maxLength: 3000 }).map((tiles) => game.commands.encode("map", { tiles })),
        ),
      }),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(commands, fc.nat(1000), (issued, tick) => {
        const [one, other] = [end(), end()];
        one.log.setCommands(tick, ADA.seats, issued);
        one.exchange.send(one.peer, 0, one.stream, tick, tick + 1, 0);
        expect(other.exchange.receive(one.sent[0]!, anyone())).toBeUndefined();
        other.stream.end = tick + 1;
        other.exchange.apply(packetWith([tick]), 0, other.stream, 0, { invalidate() {} });
        expect(other.log.commands(tick)).toEqual(one.log.commands(tick));
      }),
    );
  });
});

test("a tick is known only once its commands have arrived", () => {
  const [one, other] = [end(), end()];
  one.log.setCommands(5, [0], [build(0, 1)]);
  one.log.setCommands(9, [0], [build(0, 2)]);
  one.exchange.send(one.peer, 0, one.stream, 0, 12, 0);
  const packet = packetWith([5, 9]);
  expect(other.exchange.readableEnd(packet, 0, other.stream, 12)).toBe(5);
  other.exchange.receive(one.sent[0]!, anyone());
  expect(other.exchange.readableEnd(packet, 0, other.stream, 12)).toBe(9);
  other.exchange.receive(one.sent[1]!, anyone());
  expect(other.exchange.readableEnd(packet, 0, other.stream, 12)).toBe(12);
  // Those of another stream, or before what is known, do not matter.
  expect(end().exchange.readableEnd(packet, 1, other.stream, 12)).toBe(12);
  const later = end();
  later.stream.end = 10;
  expect(later.exchange.readableEnd(packet, 0, later.stream, 12)).toBe(12);
});

test("commands for seats of others are ignored", () => {
  const [one, other] = [end(), end()];
  const forged = new Stream(game.packing, { ...ADA, seats: [0, 1, 2, 3] });
  one.log.setCommands(5, [0, 1], [build(0, 1), build(1, 2)]);
  one.exchange.send(one.peer, 0, forged, 0, 6, 0);
  other.exchange.receive(one.sent[0]!, anyone());
  other.stream.end = 6;
  other.exchange.apply(packetWith([5]), 0, other.stream, 0, { invalidate() {} });
  expect(other.log.commands(5)).toEqual([build(0, 1)]);
});

describe("messages of strangers", () => {
  /** A message with commands, as `send` writes it. */
  function messageOf(id: number, tick: number, commands: readonly PackedCommand[]): Uint8Array {
    const size = commands.reduce((sum, command) => sum + 5 + command.bytes.length, 12);
    const message = new Uint8Array(size);
    const view = new DataView(message.buffer);
    view.setUint32(0, id);
    view.setFloat64(4, tick);
    let at = 12;
    for (const command of commands) {
      message[at] = command.player;
      view.setUint32(at + 1, command.bytes.length);
      message.set(command.bytes, at + 5);
      at += 5 + command.bytes.length;
    }
    return message;
  }

  test.each([
    ["nothing", new Uint8Array(0)],
    ["no command", messageOf(7, 5, [])],
    ["a player that does not exist", messageOf(7, 5, [build(4, 1)])],
    ["a command that does not exist", messageOf(7, 5, [{ player: 0, bytes: Uint8Array.of(9) }])],
    ["a command that is cut off", messageOf(7, 5, [build(0, 1)]).slice(0, -1)],
    ["a negative tick", messageOf(7, -1, [build(0, 1)])],
    ["a tick that is no number", messageOf(7, NaN, [build(0, 1)])],
    ["a fractional tick", messageOf(7, 1.5, [build(0, 1)])],
    [
      "too many",
      messageOf(
        7,
        5,
        Array.from({ length: 65 }, () => build(0, 1)),
      ),
    ],
  ])("are malformed: %s", (_, message) => {
    expect(end().exchange.receive(message, anyone())).toBe("malformed commands");
  });

  test("in the name of another member, or of known ticks, are ignored", () => {
    const { exchange, stream } = end();
    const bytes = messageOf(7, 5, [build(0, 1)]);
    expect(exchange.receive(bytes, { ...anyone(), speaksFor: (id) => id === 8 })).toBeUndefined();
    expect(exchange.receive(bytes, { ...anyone(), isKnown: (_, tick) => tick < 6 })).toBeUndefined();
    expect(exchange.readableEnd(packetWith([5]), 0, stream, 9)).toBe(5);
    expect(exchange.receive(bytes, { ...anyone(), isKnown: (_, tick) => tick < 5 })).toBeUndefined();
    expect(exchange.readableEnd(packetWith([5]), 0, stream, 9)).toBe(9);
  });

  test("of the far future are rejected", () => {
    expect(end().exchange.receive(messageOf(7, 1025, [build(0, 1)]), anyone())).toBe(
      "commands of tick 1025, far in the future",
    );
    expect(end().exchange.receive(messageOf(7, 1024, [build(0, 1)]), anyone())).toBeUndefined();
  });

  test("take bounded memory", () => {
    const { exchange } = end();
    const map = { player: 0, bytes: game.commands.encode("map", { tiles: new Uint8Array(10_000) }) };
    const results = Array.from({ length: 200 }, (_, tick) =>
      exchange.receive(messageOf(7, tick, [map, map, map, map, map]), anyone()),
    );
    expect(results.indexOf("too many commands at once")).toBe(20);
    // Later, old ones make room.
    expect(exchange.receive(messageOf(7, 2500, [map]), anyone(2500))).toBeUndefined();
    const ids = Array.from({ length: 100 }, (_, id) =>
      end().exchange.receive(messageOf(id + 1, 1, [build(0, 1)]), anyone()),
    );
    expect(ids.every((result) => result === undefined)).toBe(true);
    const many = end().exchange;
    const members = Array.from({ length: 65 }, (_, id) =>
      many.receive(messageOf(id + 1, 1, [build(0, 1)]), anyone()),
    );
    expect(members.at(-1)).toBe("commands of too many members");
  });

  test("never throw", () => {
    const { exchange } = end();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (message) => {
        expect(["malformed commands", undefined]).toContain(
          exchange.receive(message, anyone())?.replace(/commands of tick.*/, "malformed commands"),
        );
      }),
    );
  });
});

describe("copies of commands", () => {
  /** Collects the unreliable messages of a peer, without their types. */
  function copiesOf(peer: Peer): Uint8Array[] {
    const copies: Uint8Array[] = [];
    peer.send = (message, isReliable) => {
      expect([message[0], isReliable]).toEqual([COMMAND_PART, false]);
      copies.push(message.slice(1));
    };
    return copies;
  }
  const map = (size: number): PackedCommand => ({
    player: 0,
    bytes: game.commands.encode("map", { tiles: Uint8Array.from({ length: size }, (_, i) => i) }),
  });

  test("are sent every 50 ms until the ticks are acknowledged", () => {
    const { log, exchange, stream, sent, peer } = end();
    const copies = copiesOf(peer);
    log.setCommands(3, [0], [build(0, 1)]);
    log.setCommands(6, [0], [build(0, 2)]);
    const counts: number[] = [];
    for (const [first, now] of [
      [0, 0],
      [0, 49],
      [0, 50],
      [4, 100],
      [7, 150],
    ] as const) {
      exchange.send(peer, 0, stream, first, 9, now);
      counts.push(copies.length);
    }
    expect(counts).toEqual([2, 2, 4, 5, 5]);
    expect(sent.length).toBe(2);
  });

  test("are put together from parts, in any order, and are ignored once known", () => {
    const [one, other] = [end(), end()];
    const copies = copiesOf(one.peer);
    one.log.setCommands(3, [0], [map(3500)]);
    one.exchange.send(one.peer, 0, one.stream, 0, 5, 0);
    expect(copies.length).toBe(4);
    expect(Math.max(...copies.map(({ length }) => length))).toBeLessThan(1200);
    const packet = packetWith([3]);
    for (const copy of [copies[2]!, copies[0]!, copies[2]!, copies[3]!]) {
      expect(other.exchange.receivePart(copy, anyone())).toBeUndefined();
      expect(other.exchange.readableEnd(packet, 0, other.stream, 5)).toBe(3);
    }
    other.exchange.receivePart(copies[1]!, anyone());
    expect(other.exchange.readableEnd(packet, 0, other.stream, 5)).toBe(5);
    other.stream.end = 5;
    other.exchange.apply(packet, 0, other.stream, 0, { invalidate() {} });
    expect(other.log.commands(3)).toEqual([map(3500)]);
  });

  test("of more than 4,000 bytes are not sent", () => {
    const { log, exchange, stream, sent, peer } = end();
    const copies = copiesOf(peer);
    log.setCommands(3, [0], [map(4000)]);
    exchange.send(peer, 0, stream, 0, 5, 0);
    expect([copies.length, sent.length]).toEqual([0, 1]);
  });

  test("never throw, and take bounded memory", () => {
    const { exchange, peer, log, stream } = end();
    const copies = copiesOf(peer);
    log.setCommands(3, [0], [map(3500)]);
    exchange.send(peer, 0, stream, 0, 5, 0);
    fc.assert(
      fc.property(fc.nat(3), fc.array(fc.tuple(fc.nat(1100), fc.nat(255))), (which, changes) => {
        const copy = copies[which]!.slice();
        for (const [at, value] of changes) copy[at % 20] = value;
        exchange.receivePart(copy, anyone(Infinity));
        exchange.receivePart(copy.subarray(0, changes.length), anyone());
      }),
    );
    // Unfinished ones of other ticks push the first one out.
    const other = end();
    other.exchange.receivePart(copies[0]!, anyone());
    for (let tick = 100; tick < 164; tick++) {
      const copy = copies[0]!.slice();
      new DataView(copy.buffer).setFloat64(4, tick);
      other.exchange.receivePart(copy, anyone());
    }
    for (const copy of copies.slice(1)) other.exchange.receivePart(copy, anyone());
    expect(other.exchange.readableEnd(packetWith([3]), 0, other.stream, 5)).toBe(3);
  });
});
