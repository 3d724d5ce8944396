// The parts of lockstep: ticks as bytes, on both sides; changes of inputs; and when a client steps.
import { describe, expect, test } from "vitest";
import { random } from "../../math/index.js";
import { axis, button, int, simulation } from "../../sim/index.js";
import { layout, u32 } from "../../state/index.js";
import { BitReader, BitWriter } from "../bits.js";
import { FrameQueue, packetsOf } from "./frame-queue.js";
import { InputQueue } from "./input-queue.js";
import { FrameReader, FrameWriter } from "./lockstep-frame.js";
import { LockstepPace } from "./lockstep-pace.js";
import { LockstepHead, pongBody, readPong } from "./lockstep-packet.js";

const gameFor = (players: number, input: object = { way: int(0, 5), go: button }) =>
  simulation({
    name: "frames",
    version: 1,
    rate: 30,
    players,
    state: layout({ x: u32 }),
    input: input as never,
    commands: { build: { what: u32 } },
    step() {},
  });

const dice = (seed = "lockstep") => random(new Uint32Array(4)).seed(seed);

describe("ticks as bytes", () => {
  test.each([
    [1, {}],
    [5, { go: button }],
    [300, { way: int(0, 5), go: button }],
    [1000, { x: axis(16), y: axis(16), z: axis(16), go: button }],
  ])("of %i players come out as they went in", (players, input) => {
    const game = gameFor(players, input);
    const [writer, reader] = [new FrameWriter(game), new FrameReader(game)];
    const die = dice();
    const width = game.packing.words;
    const words = new Uint32Array(players * width);
    const absent = new Uint8Array(players);
    const bits = game.packing.slots.map(({ word, mask }) => ({ word, mask }));
    for (let tick = 0; tick < 200; tick++) {
      const chance = die.pick([0, 0.01, 0.3, 1]);
      for (let seat = 0; seat < players; seat++) {
        if (die.chance(chance / 8)) absent[seat] = 1 - absent[seat]!;
        for (const { word, mask } of bits)
          if (die.chance(chance)) words[seat * width + word]! ^= die.u32() & mask;
      }
      const hash = die.chance(0.2) ? die.u32() : -1;
      const commands = die.chance(0.2)
        ? [{ player: players - 1, bytes: game.commands.encode("build", { what: tick }) }]
        : [];
      const frame = writer.write(words, absent, hash, commands);
      const bytes = new Uint8Array([9, 9, ...frame, 9]);
      expect(reader.read(bytes, 2, bytes.length - 1)).toBe(true);
      expect(reader.hash).toBe(hash);
      expect(reader.commands).toEqual(commands);
      expect(reader.absent).toEqual(absent);
      const expected = words.map((word, i) => (absent[Math.floor(i / width)] === 1 ? 0 : word));
      expect(reader.words).toEqual(expected);
    }
  });

  test("of noise are rejected, and stay within bounds", () => {
    const game = gameFor(40);
    const die = dice();
    let valid = 0;
    for (let i = 0; i < 5000; i++) {
      const reader = new FrameReader(game);
      const bytes = Uint8Array.from({ length: die.int(0, 40) }, () => die.int(0, 255));
      if (reader.read(bytes, 0, bytes.length)) valid++;
      expect(reader.words.length).toBe(40);
    }
    expect(valid).toBeLessThan(2500);
  });

  test("a thousand players who change twice per second take few bytes", () => {
    const game = gameFor(1000);
    const writer = new FrameWriter(game);
    const die = dice();
    const words = new Uint32Array(1000);
    let total = 0;
    for (let tick = 0; tick < 300; tick++) {
      for (let seat = 0; seat < 1000; seat++) if (die.chance(2 / 30)) words[seat]! ^= 1 << die.int(0, 3);
      total += writer.write(words, new Uint8Array(1000), -1, []).length;
    }
    // About 67 changes: a byte and a quarter for each.
    expect(total / 300).toBeLessThan(100);
  });
});

describe("the queue of ticks", () => {
  test("gives back what came in, in parts too, while it grows and moves", () => {
    const queue = new FrameQueue();
    const die = dice();
    const waiting: Uint8Array[] = [];
    queue.reset(12_345);
    let next = 20_000;
    for (let i = 0; i < 500; i++) {
      const frame = Uint8Array.from({ length: die.pick([1, 3, 300, 2000, 5000]) }, () => die.int(0, 255));
      for (const packet of packetsOf(next, frame)) {
        expect(packet.length).toBeLessThanOrEqual(1200);
        expect(queue.push(packet, i === 0)).toBe(undefined);
      }
      waiting.push(frame);
      next++;
      expect(queue.end).toBe(next);
      for (let count = die.int(0, waiting.length > 50 ? 20 : 2); count > 0 && waiting.length > 0; count--) {
        const frame = String(queue.bytes.subarray(queue.from, queue.to));
        expect(frame === String(waiting.shift())).toBe(true);
        queue.shift();
        expect(queue.end - queue.first).toBe(waiting.length);
      }
    }
  });

  test("takes only the next tick, once it has begun", () => {
    const queue = new FrameQueue();
    queue.reset(7);
    const [packet] = packetsOf(9, new Uint8Array(3));
    expect(queue.push(packet!, false)).toBe("inputs of tick 9, but tick 7 is next");
    expect(queue.push(packet!, true)).toBe(undefined);
    expect(queue.push(packet!, true)).toBe("inputs of tick 9, but tick 10 is next");
    expect(queue.push(new Uint8Array(2), true)).toBe("a malformed packet");
    queue.dropBefore(100);
    expect([queue.first, queue.end]).toEqual([10, 10]);
  });

  test("drops everything if too much waits", () => {
    const queue = new FrameQueue();
    queue.reset(0);
    const frame = new Uint8Array(100_000);
    for (let tick = 0; !queue.hasOverflowed && tick < 100; tick++)
      for (const packet of packetsOf(tick, frame)) queue.push(packet, false);
    expect(queue.hasOverflowed).toBe(true);
    expect(queue.end).toBeLessThan(50);
    expect(queue.first).toBe(queue.end);
  });
});

describe("changes of inputs", () => {
  const { packing } = gameFor(2, { value: int(0, 255) });
  const send = (queue: InputQueue, ...values: number[]) => {
    const writer = new BitWriter(64);
    for (const value of values) writer.write(value, 8);
    const reader = new BitReader();
    reader.start(writer.bytes().slice());
    return queue.receive(reader, values.length);
  };

  test("are executed one per tick, and none is lost", () => {
    const queue = new InputQueue(packing, [1]);
    const seen: number[] = [];
    const play = (ticks: number) => {
      for (let i = 0; i < ticks; i++) {
        queue.advance();
        seen.push(queue.row[0]!);
      }
    };
    play(2);
    send(queue, 7);
    send(queue, 0);
    play(3);
    send(queue, 1, 2, 3);
    play(5);
    expect(seen).toEqual([0, 0, 7, 0, 0, 1, 2, 3, 3, 3]);
    expect([queue.executed, queue.skipped, queue.waiting]).toEqual([5, 0, 0]);
  });

  test("of inputs that change in every tick never wait for long", () => {
    const queue = new InputQueue(packing, [1]);
    // A stall of ten ticks, then all at once.
    send(queue, ...Array.from({ length: 10 }, (_, i) => i));
    for (let tick = 0; tick < 1000; tick++) {
      send(queue, tick & 255);
      queue.advance();
    }
    expect(queue.waiting).toBeLessThanOrEqual(1);
    expect(queue.skipped).toBeGreaterThanOrEqual(9);
  });

  test("beyond what may wait are skipped, the oldest first", () => {
    const queue = new InputQueue(packing, [1]);
    for (let i = 1; i <= 50; i++) send(queue, i);
    queue.advance();
    expect([queue.row[0], queue.skipped]).toEqual([35, 34]);
  });

  test("that are damaged change nothing", () => {
    const queue = new InputQueue(packing, [1]);
    const reader = new BitReader();
    for (const length of [0, 1, 3]) {
      reader.start(new Uint8Array(length).fill(255));
      expect(queue.receive(reader, 2)).toBe("malformed inputs");
    }
    queue.advance();
    expect(queue.row[0]).toBe(0);
  });
});

test("heads of clients come out as they went in", () => {
  const die = dice();
  for (let i = 0; i < 2000; i++) {
    const head = new LockstepHead();
    head.ack = die.int(0, 1e6);
    head.age = die.int(0, 60_000);
    head.ping = die.int(-1, 255);
    head.rows = die.int(0, 16);
    const writer = new BitWriter(64);
    head.write(writer);
    const reader = new BitReader();
    reader.start(writer.bytes().slice());
    const read = new LockstepHead();
    expect(read.read(reader, Math.max(0, head.ack + die.int(-8000, 8000)))).toBe(true);
    expect({ ...read }).toEqual({ ...head });
  }
  expect(readPong(pongBody(200, 12.5))).toEqual({ ping: 200, tick: 12.5 });
  expect(readPong(pongBody(1, NaN))).toBe(undefined);
  expect(readPong(new Uint8Array(3))).toBe(undefined);
});

describe("the pace", () => {
  const TICK = 100 / 3;

  /** Plays for some seconds, while ticks come as late as `late` says. Returns stalls and the mean of ticks in hand, of the last half. */
  function play(seconds: number, late: (tick: number) => number, skew = 0) {
    const pace = new LockstepPace(TICK);
    let [tick, known, stalls, inHand, turns] = [0, 0, 0, 0, 0];
    // Ticks keep their order.
    let arrival = 0;
    for (let now = 1000; now < 1000 + seconds * 1000; now += TICK / pace.value / (1 + skew)) {
      for (; ; known++) {
        const due = Math.max(arrival, known * TICK + late(known));
        if (due > now) break;
        arrival = due;
        pace.onArrival(known, due);
      }
      const steps = Math.min(pace.stepsDue(tick, now), known - tick);
      const isCounted = now > 1000 + seconds * 500;
      if (isCounted) {
        inHand += known - tick;
        turns++;
        if (steps === 0) stalls++;
      }
      tick += steps;
    }
    return { stalls, inHand: inHand / turns };
  }

  test("keeps close to the server on a good line", () => {
    const { stalls, inHand } = play(60, () => 20);
    expect(stalls).toBe(0);
    expect(inHand).toBeLessThan(3);
  });

  test("keeps as much in hand as the jitter needs", () => {
    const die = dice();
    const { stalls, inHand } = play(120, () => 40 + 100 * die.float());
    expect(stalls).toBeLessThan(10);
    expect(inHand).toBeLessThan(6);
  });

  test("follows a server whose clock runs faster or slower", () => {
    for (const skew of [-0.01, 0.01]) {
      const { stalls, inHand } = play(120, () => 40, skew);
      expect(stalls).toBeLessThan(5);
      expect(inHand).toBeLessThan(6);
    }
  });

  test("catches up after an outage", () => {
    const { inHand } = play(60, (tick) => (tick > 300 && tick < 400 ? (400 - tick) * TICK : 20));
    expect(inHand).toBeLessThan(4);
  });
});
