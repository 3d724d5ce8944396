import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { button, int, simulation } from "../sim/index.js";
import { layout, u32 } from "../state/index.js";
import { BitReader, BitWriter } from "./bits.js";
import { InputPacket, MAX_ROWS, NOT_HEARD, type PacketContext } from "./packet.js";
import { SeatLog } from "./seat-log.js";
import { Stream } from "./membership/stream.js";

const game = simulation({
  name: "packet",
  version: 1,
  rate: 60,
  players: 8,
  state: layout({ n: u32 }),
  input: { go: button, hit: button, way: int(0, 7) },
  commands: { shout: { loud: u32 } },
  step() {},
});

const writer = new BitWriter(1200);
const reader = new BitReader();

/** A game of so many members, in tick 10,000, with inputs that change now and then. */
function contextOf(members: number, hasCommands = true, epoch = 12, isPlain = false) {
  const log = new SeatLog(game);
  const words = new Uint32Array(1);
  for (let tick = 9000; tick < 11_000; tick++)
    for (let seat = 0; seat < 8; seat++) {
      words[0] = Math.imul(Math.floor(tick / (7 + seat)), 2654435761) >>> 27;
      log.writeSeat(tick, seat, words, 0);
    }
  const streams = Array.from({ length: members }, (_, index) => {
    const member = { id: 100 + index, name: "", seats: [index], from: 9000 };
    const stream = new Stream(game.packing, member);
    stream.end = 10_000;
    return stream;
  });
  return { epoch, streams, log, hasCommands, isPlain } satisfies PacketContext;
}

const checkpointOf = (end: number) => Math.floor(end / 10);

/** What a packet says, as plain values. */
const contentOf = ({ forwarded, forwardedCount, ages, ...packet }: InputPacket, own: number) => ({
  ...packet,
  own: { ...packet.own, position: 0 },
  ages: packet.hasMore ? ages.map((age, index) => (index === own ? NOT_HEARD : age)) : [],
  have: packet.hasMore ? packet.have : 0,
  hash: packet.hasHash ? packet.hash[0] : 0,
  checkpoint: packet.hasHash ? packet.checkpoint : 0,
  commandTicks: [],
  forwarded: forwarded.slice(0, forwardedCount).map((part) => ({ ...part, position: 0 })),
});

const near = (by: number) => fc.integer({ min: 10_000 - by, max: 10_000 + by });
const partOf = fc.record({ end: near(200), rows: fc.nat(MAX_ROWS) });

const packetArbitrary = fc.integer({ min: 2, max: 8 }).chain((members) =>
  fc.record({
    members: fc.constant(members),
    own: fc.nat(members - 1),
    epoch: fc.integer({ min: 10, max: 12 }),
    end: near(200),
    ack: near(600),
    rows: fc.nat(60),
    hasMore: fc.boolean(),
    have: near(600),
    certain: fc.oneof(fc.constant(-1), near(600)),
    ages: fc.array(fc.nat(NOT_HEARD), { minLength: members, maxLength: members }),
    acks: fc.array(fc.tuple(fc.nat(members - 1), near(600)), { maxLength: members }),
    forwarded: fc.array(fc.tuple(fc.nat(members - 1), partOf), { maxLength: members }),
    hash: fc.option(fc.tuple(fc.nat(2000), fc.nat(2 ** 32 - 1))),
    commands: fc.array(fc.tuple(fc.nat(members - 1), near(200)), { maxLength: 20 }),
  }),
);

type PacketParts = typeof packetArbitrary extends fc.Arbitrary<infer T> ? T : never;

function packetOf(parts: PacketParts): InputPacket {
  const packet = new InputPacket();
  packet.epoch = parts.epoch;
  packet.end = parts.end;
  packet.ack = parts.ack;
  Object.assign(packet.own, { index: parts.own, first: parts.end - parts.rows, end: parts.end });
  packet.hasMore = parts.hasMore;
  packet.have = parts.have;
  if (parts.hasMore) packet.certain = parts.certain;
  packet.ages.push(...parts.ages);
  if (parts.hasMore) {
    packet.acks.push(...parts.acks.flat());
    for (const [index, { end, rows }] of parts.forwarded) packet.forward(index, end - rows, end);
  }
  packet.hasHash = parts.hash !== null;
  [packet.checkpoint, packet.hash[0]] = parts.hash ?? [0, 0];
  return packet;
}

describe("a packet", () => {
  test("is read as it was written", () => {
    fc.assert(
      fc.property(packetArbitrary, (parts) => {
        const context = contextOf(parts.members, true, parts.epoch, !parts.hasMore);
        for (const [seat, tick] of parts.commands)
          context.log.setCommands(tick, [seat], [{ player: seat, bytes: Uint8Array.of(0) }]);
        const packet = packetOf(parts);
        writer.reset();
        packet.write(writer, context, checkpointOf(packet.end));
        fc.pre(!writer.isFull);
        const read = new InputPacket();
        reader.start(writer.bytes().slice());
        expect(read.read(reader, context, parts.own, 10_000, checkpointOf)).toBe(true);
        expect(contentOf(read, parts.own)).toEqual(contentOf(packet, parts.own));
        // The ticks with commands of each part, in order.
        const wanted = [packet.own, ...packet.forwarded.slice(0, packet.forwardedCount)].flatMap(
          ({ index, first, end }) =>
            Array.from({ length: end - first }, (_, i) => first + i)
              .filter((tick) => context.log.hasCommands(tick, [index]))
              .flatMap((tick) => [index, tick]),
        );
        expect(read.commandTicks).toEqual(wanted);
        // The rows lie where the packet says.
        const rows: number[] = [];
        reader.position = read.own.position;
        context.streams[parts.own]!.rows.read(reader, read.own.first, read.own.end, context.log, {
          takeRow: (_, [word]) => void rows.push(word!),
        });
        const words = new Uint32Array(1);
        const inLog = rows.map((_, i) => {
          context.log.readSeat(read.own.first + i, parts.own, words, 0);
          return words[0];
        });
        expect(rows).toEqual(inLog);
        expect(rows.length).toBe(parts.rows);
      }),
    );
  });

  test("finds ticks and epochs again that are near the expected ones", () => {
    const context = contextOf(2, true, 12, true);
    const packet = packetOf(base({ end: 10_000, epoch: 12 }));
    writer.reset();
    packet.write(writer, context, checkpointOf(packet.end));
    const bytes = writer.bytes().slice();
    const read = new InputPacket();
    for (const expected of [9000, 10_000, 11_000]) {
      reader.start(bytes);
      expect(read.read(reader, context, 0, expected, checkpointOf)).toBe(true);
      expect([read.end, read.epoch]).toEqual([10_000, 12]);
    }
  });

  test("that is cut off, or longer, is malformed", () => {
    fc.assert(
      fc.property(
        packetArbitrary.filter(({ members, epoch }) => members === 4 && epoch === 12),
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        (parts, share) => {
          const context = contextOf(4, true, 12, !parts.hasMore);
          const packet = packetOf(parts);
          writer.reset();
          packet.write(writer, context, checkpointOf(packet.end));
          fc.pre(!writer.isFull);
          const bytes = writer.bytes().slice();
          const read = new InputPacket();
          reader.start(bytes.subarray(0, Math.floor(share * bytes.length)));
          expect(read.read(reader, context, parts.own, 10_000, checkpointOf)).toBe(false);
          reader.start(Uint8Array.of(...bytes, 0));
          expect(read.read(reader, context, parts.own, 10_000, checkpointOf)).toBe(false);
        },
      ),
    );
  });

  test("of any bytes is rejected, or within its bounds", () => {
    const context = contextOf(4);
    const read = new InputPacket();
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 60 }),
        fc.integer({ min: -1, max: 3 }),
        (bytes, own) => {
          reader.start(bytes);
          if (!read.read(reader, context, own, 10_000, checkpointOf)) return;
          const parts = [read.own, ...read.forwarded.slice(0, read.forwardedCount)];
          if (read.epoch > 12) return;
          for (const { first, end } of parts) {
            expect(first).toBeGreaterThanOrEqual(0);
            expect(end - first).toBeGreaterThanOrEqual(0);
            expect(end - first).toBeLessThanOrEqual(MAX_ROWS);
          }
          expect(read.forwardedCount).toBeLessThanOrEqual(4);
          expect(read.acks.length).toBeLessThanOrEqual(8);
          expect(read.acks.every((value, i) => i % 2 === 1 || value < 4)).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("of a newer epoch: only its head is read; of an older one: only the sender's own stream", () => {
    const context = contextOf(4);
    const packet = packetOf(
      base({ members: 4, hasMore: true, rows: 20, forwarded: [[2, { end: 10_000, rows: 9 }]] }),
    );
    const read = new InputPacket();
    for (const [epoch, first, forwarded] of [
      [13, 10_000, 0],
      [12, 9980, 1],
      [11, 9980, 0],
    ] as const) {
      packet.epoch = epoch;
      writer.reset();
      packet.write(writer, context, checkpointOf(packet.end));
      reader.start(writer.bytes().slice());
      expect(read.read(reader, context, 0, 10_000, checkpointOf)).toBe(true);
      expect([read.epoch, read.end, read.own.first, read.forwardedCount]).toEqual([
        epoch,
        10_000,
        first,
        forwarded,
      ]);
    }
  });

  test("of a member that was dropped, and does not know it yet: only its head is read", () => {
    const packet = packetOf(base({ epoch: 11, hasMore: true, rows: 20, hash: [990, 5] }));
    writer.reset();
    packet.write(writer, contextOf(2, true, 11), checkpointOf(packet.end));
    const read = new InputPacket();
    reader.start(writer.bytes().slice());
    expect(read.read(reader, contextOf(2), -1, 10_000, checkpointOf)).toBe(true);
    expect([read.epoch, read.end, read.hasMore, read.hasHash]).toEqual([11, 10_000, false, false]);
    // In the present epoch, nobody else sends inputs of its own.
    reader.start(writer.bytes().slice());
    expect(read.read(reader, contextOf(2, true, 11), -1, 10_000, checkpointOf)).toBe(false);
  });

  test("of a newer epoch is well formed, however far ahead its ticks are", () => {
    const packet = packetOf(base({ epoch: 13, end: 1600, ack: 1600, rows: 0 }));
    writer.reset();
    packet.write(writer, contextOf(2, true, 13), checkpointOf(packet.end));
    const read = new InputPacket();
    reader.start(writer.bytes().slice());
    // Somebody who was frozen at tick 300.
    expect(read.read(reader, contextOf(2), 0, 300, checkpointOf)).toBe(true);
    expect(read.epoch).toBe(13);
  });
});

function base(changes: Partial<PacketParts>): PacketParts {
  return {
    members: 2,
    own: 0,
    epoch: 12,
    end: 10_000,
    ack: 9994,
    rows: 6,
    hasMore: false,
    have: 9994,
    certain: -1,
    ages: [1, 1, 1, 1],
    acks: [],
    forwarded: [],
    hash: null,
    commands: [],
    ...changes,
  };
}

describe("the bytes of a packet in a game of two", () => {
  const bytesOf = (changes: Partial<PacketParts>, still = true): number => {
    const context = contextOf(2, false, 12, true);
    if (still)
      for (let tick = 9900; tick < 10_000; tick++) context.log.writeSeat(tick, 0, Uint32Array.of(3), 0);
    writer.reset();
    packetOf(base(changes)).write(writer, context, 1000);
    return writer.length;
  };

  test("if nothing changed in the last six ticks", () => {
    expect(bytesOf({})).toBe(4);
  });
  test("if nothing changed in the last sixty", () => {
    expect(bytesOf({ rows: 60, ack: 9940 })).toBe(5);
  });
  test("with a hash", () => {
    expect(bytesOf({ hash: [999, 0xdeadbeef] })).toBe(8);
  });
});
