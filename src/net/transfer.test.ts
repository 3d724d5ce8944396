import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { FULL } from "../../test/full.js";
import { random, type Random } from "../math/index.js";
import { MAX_MESSAGE } from "./link.js";
import { Transfers, type TransferOptions } from "./transfer.js";

/** Only ends what hangs: the full run takes minutes on a busy machine. */
const LONG = { timeout: 900_000 };

/** The most bytes that go in one piece, and in one fragment. */
const WHOLE = MAX_MESSAGE - 3;
const PART = MAX_MESSAGE - 6;

/** Bytes that differ in every place. */
function blob(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let word = seed;
  for (let i = 0; i < length; i++) {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    bytes[i] = word >>> 24;
  }
  return bytes;
}

/** One end of a link, and what arrived there. */
function end(options: Partial<TransferOptions> = {}) {
  const outbox: Uint8Array[] = [];
  const got: { kind: number; bytes: Uint8Array }[] = [];
  const transfers = new Transfers({
    send: (body) => outbox.push(body.slice()),
    accept: () => true,
    received: (kind, bytes) => got.push({ kind, bytes }),
    ...options,
  });
  return { transfers, outbox, got };
}

type End = ReturnType<typeof end>;

/** Delivers up to `count` messages. Returns how many there were. */
function deliver(from: End, to: End, count = Infinity): number {
  let delivered = 0;
  for (; delivered < count && from.outbox.length > 0; delivered++)
    expect(to.transfers.receive(from.outbox.shift()!)).toBe(undefined);
  return delivered;
}

/** Delivers everything in both directions. */
function settle(one: End, other: End): void {
  while (deliver(one, other) + deliver(other, one) > 0);
}

const isFragment = (body: Uint8Array): boolean => body[0] === 2;

describe("messages arrive as they were", () => {
  test.each([
    0,
    1,
    WHOLE - 1,
    WHOLE,
    WHOLE + 1,
    PART,
    PART + 1,
    2 * PART - 1,
    2 * PART,
    2 * PART + 1,
    8192,
    8 * PART,
    64 * PART,
    64 * PART + 1,
    65 * PART,
    1_000_000,
    30_000_000,
  ])("%i bytes", (length) => {
    const [one, other] = [end(), end()];
    const bytes = blob(length);
    one.transfers.start(7, bytes);
    settle(one, other);
    expect(other.got.length).toBe(1);
    expect(other.got[0]!.kind).toBe(7);
    expect(Buffer.compare(other.got[0]!.bytes, bytes)).toBe(0);
    // Nothing else is kept with it.
    expect(other.got[0]!.bytes.buffer.byteLength).toBe(length);
    expect([one.transfers.waitingBytes, other.transfers.isReceiving]).toEqual([0, false]);
  });

  test("many at once, in both directions, however they interleave, with some cancelled", LONG, () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ back: fc.boolean(), length: fc.integer({ min: 0, max: 40_000 }), cut: fc.boolean() }),
          {
            maxLength: 30,
          },
        ),
        fc.array(fc.integer({ min: 1, max: 20 })),
        fc.integer({ min: 8, max: 70 }),
        (messages, steps, window) => {
          const [one, other] = [end({ window }), end({ window })];
          const due: [string[], string[]] = [[], []];
          const step = [...steps];
          for (const [i, { back, length, cut }] of messages.entries()) {
            const bytes = blob(length, i);
            const sent = (back ? other : one).transfers.start(i, bytes);
            deliver(one, other, step.shift() ?? 3);
            deliver(other, one, step.shift() ?? 3);
            if (cut && sent.isWaiting) sent.cancel();
            else due[back ? 0 : 1].push(`${i} ${Buffer.from(bytes).toString("base64")}`);
            expect(sent.isWaiting && cut).toBe(false);
          }
          settle(one, other);
          for (const [i, side] of [one, other].entries()) {
            const got = side.got.map(({ kind, bytes }) => `${kind} ${Buffer.from(bytes).toString("base64")}`);
            expect(got.sort()).toEqual(due[i]!.sort());
            expect([side.transfers.waitingBytes, side.transfers.isReceiving]).toEqual([0, false]);
          }
        },
      ),
      { numRuns: FULL ? 5000 : 300 },
    );
  });

  test("over a link that delivers within send", () => {
    const got: number[] = [];
    const ends: Transfers[] = [];
    const make = (to: number): Transfers =>
      new Transfers({
        send: (body) => expect(ends[to]!.receive(body)).toBe(undefined),
        accept: () => true,
        received: (kind, bytes) => {
          got.push(bytes.length);
          // Answers from within, as a session does.
          if (kind < 3) ends[1 - to]!.start(kind + 1, blob(bytes.length + 5000));
        },
      });
    ends.push(make(1), make(0));
    ends[0]!.start(0, blob(200_000));
    expect(got).toEqual([200_000, 205_000, 210_000, 215_000]);
  });
});

describe("flow control", () => {
  test("no more fragments than the window are under way, and acknowledgements release more", () => {
    let sent = 0;
    let acked = 0;
    let acks = 0;
    let most = 0;
    const bodies: Uint8Array[] = [];
    const one: Transfers = new Transfers({
      send(body) {
        bodies.push(body.slice());
        if (isFragment(body)) most = Math.max(most, ++sent - acked);
      },
      accept: () => true,
      received: () => {},
    });
    const other = end();
    one.start(1, blob(1000 * PART));
    one.start(2, blob(1000 * PART));
    expect([sent, one.waitingBytes]).toEqual([64, 1936 * PART]);
    for (let body = bodies.shift(); body; body = bodies.shift()) {
      other.transfers.receive(body);
      for (const ack of other.outbox.splice(0)) {
        acks++;
        acked = ack[3]! * 256 + ack[4]!;
        one.receive(ack);
      }
    }
    // One for every eight fragments, and one at the end of the first transfer.
    expect([most, sent, acked, acks]).toEqual([64, 2000, 2000, 251]);
    expect(other.got.length).toBe(2);
  });

  test("transfers take turns: a shorter one is not held up by a longer one", () => {
    const [one, other] = [end(), end()];
    one.transfers.start(1, blob(10_000 * PART));
    one.transfers.start(2, blob(10 * PART));
    one.transfers.start(3, blob(100));
    const order = () => other.got.map(({ kind }) => kind);
    // The short one at once, behind what is under way: 64 fragments and two starts.
    deliver(one, other, 67);
    expect(order()).toEqual([3]);
    for (let rounds = 0; rounds < 4; rounds++) {
      deliver(other, one);
      deliver(one, other);
    }
    expect(order()).toEqual([3, 2]);
    settle(one, other);
    expect(order()).toEqual([3, 2, 1]);
  });

  test("equal ones share the link equally", () => {
    const progress: number[] = [0, 0, 0];
    const one = end();
    const other = end({ progress: (kind, received) => (progress[kind] = received / PART) });
    for (let kind = 0; kind < 3; kind++) one.transfers.start(kind, blob(300 * PART));
    for (let rounds = 0; rounds < 6; rounds++) {
      deliver(one, other);
      deliver(other, one);
    }
    // The first one had the first window to itself.
    expect(progress).toEqual([64 + 107, 107, 106]);
  });

  test("more than eight wait for their turn, in order", () => {
    const [one, other] = [end(), end()];
    for (let kind = 0; kind < 30; kind++) one.transfers.start(kind, blob(50 * PART));
    settle(one, other);
    expect(other.got.map(({ kind }) => kind)).toEqual([...Array(30).keys()]);
  });

  test("the receiver sees the progress", () => {
    const seen: string[] = [];
    const one = end();
    const other = end({ progress: (...figures) => seen.push(figures.join(" ")) });
    one.transfers.start(1, blob(2 * PART + 10));
    settle(one, other);
    const total = 2 * PART + 10;
    expect(seen).toEqual([`1 ${PART} ${total}`, `1 ${2 * PART} ${total}`, `1 ${total} ${total}`]);
  });
});

describe("ending early", () => {
  test("a refused message stops, and the others go on", () => {
    const refused: number[] = [];
    const one = end({ refused: (kind) => refused.push(kind) });
    const other = end({ accept: (kind, total) => kind !== 1 && total <= 500_000 });
    one.transfers.start(1, blob(400_000));
    one.transfers.start(2, blob(500_000));
    one.transfers.start(3, blob(500_001));
    one.transfers.start(1, blob(10));
    settle(one, other);
    expect(other.got.map(({ kind }) => kind)).toEqual([2]);
    expect(refused).toEqual([1, 3]);
    expect(one.transfers.waitingBytes).toBe(0);
  });

  test("the sender cancels a message that waits, one under way and one that has arrived", () => {
    const [one, other] = [end(), end()];
    const sent = [...Array(10).keys()].map((kind) => one.transfers.start(kind, blob(100 * PART)));
    deliver(one, other, 50);
    expect(other.transfers.isReceiving).toBe(true);
    sent[0]!.cancel();
    sent[9]!.cancel();
    sent[9]!.cancel();
    settle(one, other);
    expect(other.got.map(({ kind }) => kind)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    sent[1]!.cancel();
    expect([one.outbox.length, other.transfers.isReceiving, sent[1]!.isWaiting]).toEqual([0, false, false]);
  });

  test("the receiver aborts all messages of a kind", () => {
    const refused: number[] = [];
    const one = end({ refused: (kind) => refused.push(kind) });
    const other = end();
    for (const kind of [1, 2, 1]) one.transfers.start(kind, blob(200 * PART));
    deliver(one, other);
    other.transfers.abort(1);
    settle(one, other);
    expect(other.got.map(({ kind }) => kind)).toEqual([2]);
    expect(refused).toEqual([1, 1]);
  });

  test("after dispose, nothing is sent or received", () => {
    const [one, other] = [end(), end()];
    one.transfers.start(1, blob(100_000));
    deliver(one, other, 20);
    other.transfers.dispose();
    deliver(one, other);
    one.transfers.dispose();
    one.transfers.start(1, blob(10));
    one.transfers.start(1, blob(100_000));
    expect([one.outbox.length, one.transfers.waitingBytes, other.got.length]).toEqual([0, 0, 0]);
    expect(other.transfers.isReceiving).toBe(false);
  });
});

describe("messages that are not trusted", () => {
  const u32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
  const start = (id: number, total: number, kind = 1) => Uint8Array.of(1, ...u32(id), kind, ...u32(total));
  const fragment = (id: number, length: number) => Uint8Array.of(2, ...u32(id), ...new Uint8Array(length));

  test.each<[string, ...Uint8Array[]]>([
    ["a transfer message of an unknown type", new Uint8Array(0)],
    ["a transfer message of an unknown type", Uint8Array.of(7, 0, 0, 0, 0)],
    ["a transfer message of a wrong length", Uint8Array.of(0)],
    ["a transfer message of a wrong length", new Uint8Array(MAX_MESSAGE)],
    ["a transfer message of a wrong length", start(1, 5000).subarray(0, 9)],
    ["a transfer message of a wrong length", Uint8Array.of(...start(1, 5000), 0)],
    ["a transfer message of a wrong length", fragment(1, 0)],
    ["a transfer message of a wrong length", Uint8Array.of(6, 0, 0, 0)],
    ["a transfer out of turn", start(0, 5000)],
    ["a transfer out of turn", start(2, 5000)],
    ["a transfer out of turn", start(1, 5000), start(1, 5000)],
    ["an empty transfer in fragments", start(1, 0)],
    ["too many transfers at once", ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => start(id, 5000))],
    ["a part of a transfer that was not started", fragment(1, 10)],
    ["a part of a transfer that was not started", start(1, 5000), fragment(0, 10)],
    ["a part of a transfer that was not started", Uint8Array.of(3, ...u32(1), ...u32(0))],
    ["a part of a transfer that was not started", Uint8Array.of(4, ...u32(1))],
    ["a transfer that is longer than announced", start(1, 15), fragment(1, 10), fragment(1, 6)],
    [
      "a transfer that is shorter than announced",
      start(1, 11),
      fragment(1, 10),
      Uint8Array.of(3, ...u32(1), ...u32(0)),
    ],
    ["a transfer with a wrong check", start(1, 10), fragment(1, 10), Uint8Array.of(3, ...u32(1), ...u32(0))],
    ["a refusal of a transfer that was not started", Uint8Array.of(5, ...u32(1))],
    ["an acknowledgement of fragments that were not sent", Uint8Array.of(6, ...u32(1))],
  ])("%s", (problem, ...bodies) => {
    const { transfers, got } = end();
    const last = bodies.pop()!;
    for (const body of bodies) expect(transfers.receive(body)).toBe(undefined);
    expect(transfers.receive(last)).toBe(problem);
    expect(got).toEqual([]);
  });

  test("memory grows with what arrives, not with what was announced", () => {
    const { transfers } = end();
    const before = process.memoryUsage().arrayBuffers;
    for (let id = 1; id <= 8; id++) transfers.receive(start(id, 2 ** 32 - 1));
    for (let i = 0; i < 100; i++) for (let id = 1; id <= 8; id++) transfers.receive(fragment(id, PART));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
    expect(transfers.isReceiving).toBe(true);
  });

  test("a peer that acknowledges nothing gets no more than the window", () => {
    const { transfers, outbox } = end({ window: 8 });
    for (let i = 0; i < 20; i++) transfers.start(1, blob(100_000));
    expect(outbox.filter(isFragment).length).toBe(8);
    expect(transfers.waitingBytes).toBe(20 * 100_000 - 8 * PART);
  });

  test(
    `${FULL ? "a million" : "100,000"} mutated ones: no throw, nothing wrong, bounded answers`,
    LONG,
    () => {
      const dice = random(new Uint32Array(4)).seed("transfer");
      const BLOBS = [3000, 20_000, 100_000].map((length) => blob(length));
      const problems = new Map<string, number>();
      let intact = 0;
      let target = end();
      let source = end();
      const renew = () => {
        target = end({ accept: (_, total) => total <= 100_000, received: check });
        source = end();
        for (const [kind, bytes] of BLOBS.entries()) source.transfers.start(kind, bytes);
        target.transfers.start(1, BLOBS[1]!);
      };
      // Whatever arrives in fragments is as it was sent. The kind is not part of the check.
      const check = (_: number, bytes: Uint8Array) => {
        if (bytes.length <= WHOLE) return;
        expect(BLOBS.some((sent) => Buffer.compare(bytes, sent) === 0)).toBe(true);
        intact++;
      };
      let chance = 1;
      let answers = 0;
      for (let mutations = 0, i = 0; mutations < (FULL ? 1_000_000 : 100_000); i++) {
        if (i % 200 === 0) {
          renew();
          chance = dice.pick([0.02, 0.5, 1]);
        }
        const body = source.outbox.shift() ?? target.outbox.shift() ?? Uint8Array.of(6, 0, 0, 0, 8);
        const before = target.outbox.length;
        if (dice.chance(chance)) {
          const problem = target.transfers.receive(mutate(body, dice));
          problems.set(problem ?? "none", (problems.get(problem ?? "none") ?? 0) + 1);
          mutations++;
        }
        // The right message arrives too, unless it is one that goes back.
        if (body[0]! < 5) target.transfers.receive(body);
        answers = Math.max(answers, target.outbox.length - before);
        if (target.outbox.length > 0) source.transfers.receive(target.outbox.shift()!);
      }
      // A window of fragments, and what starts and ends them.
      expect(answers).toBeLessThanOrEqual(80);
      expect(intact).toBeGreaterThan(100);
      expect(problems.size).toBeGreaterThan(10);
    },
  );

  /** Changes, inserts or removes some bytes. */
  function mutate(body: Uint8Array, dice: Random): Uint8Array {
    let bytes: Uint8Array = body.slice();
    for (let times = 1 + dice.below(2); times > 0; times--) {
      // Mostly in the head.
      const at = dice.below(dice.chance(0.8) ? Math.min(11, bytes.length + 1) : bytes.length + 1);
      const kind = dice.below(6);
      const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
      if (kind === 0) bytes = Buffer.concat([head, tail.subarray(1 + dice.below(20))]);
      else if (kind === 1)
        bytes = Buffer.concat([head, Buffer.alloc(1 + dice.below(20), dice.below(256)), tail]);
      else if (kind === 2) bytes[at] = dice.below(8);
      else if (kind === 3) bytes[at] = dice.pick([0, 0x7f, 0x80, 0xff]);
      else bytes[at]! ^= 1 << dice.below(8);
    }
    return bytes;
  }
});

test("bad arguments are rejected", () => {
  const { transfers } = end();
  for (const kind of [-1, 256, 0.5, "1" as never])
    expect(() => transfers.start(kind, blob(1))).toThrow(errorWith("bad-value", "Transfers.start: kind"));
  expect(() => transfers.start(1, [1] as never)).toThrow(errorWith("bad-value", "Transfers.start: bytes"));
  expect(() => end({ window: 7 })).toThrow(errorWith("bad-value", "Transfers: window"));
  expect(() => end({ send: undefined as never })).toThrow(errorWith("bad-value", "Transfers: send"));
});
