import { describe, expect, test } from "vitest";
import { button, int } from "../../input/index.js";
import { InputLog } from "../../sim/input-log.js";
import { simulation } from "../../sim/index.js";
import { layout, u32 } from "../../state/index.js";
import { BitReader, BitWriter } from "../bits.js";
import { InputRows } from "../input-rows.js";
import { InputBuffer, MAX_AHEAD } from "./input-buffer.js";
import { InputHead } from "./input-packet.js";
import { ServerHead } from "./tick-packet.js";

const { packing } = simulation({
  name: "buffered",
  version: 1,
  rate: 60,
  players: 2,
  state: layout({ x: u32 }),
  input: { go: button, way: int(0, 15) },
  step() {},
});

/** What a client sends: the word of tick t is t modulo 31. */
class Sender {
  readonly #log = new InputLog(1, packing.words, 1024);
  readonly #rows = new InputRows(packing, [0]);
  readonly #head = new InputHead();
  readonly #reader = new BitReader();

  constructor() {
    for (let tick = 0; tick < 1000; tick++) this.#log.writePlayer(tick, 0, Uint32Array.of(tick % 31), 0);
  }

  send(buffer: InputBuffer, first: number, end: number, next: number, isComplete = false, untilNext = 0.5) {
    const writer = new BitWriter(1200);
    Object.assign(this.#head, { first, end, ack: 0, isComplete });
    this.#head.write(writer);
    const source = {
      readSeat: (tick: number, seat: number, out: Uint32Array, at: number) =>
        this.#log.readPlayer(tick, seat, out, at),
    };
    if (isComplete) this.#rows.writeFrom(writer, source, first, end);
    else this.#rows.write(writer, source, first, end);
    this.#reader.start(writer.bytes());
    const head = new InputHead();
    if (!head.read(this.#reader, end)) throw new Error("a malformed head");
    return buffer.receive(this.#reader, head, next, untilNext);
  }
}

const row = new Uint32Array(1);
const wordAt = (buffer: InputBuffer, tick: number) => [buffer.readLast(tick, row), row[0]];
const reportsOf = (buffer: InputBuffer) => {
  const head = new ServerHead();
  buffer.takeReports(head);
  return head.reports.slice(0, head.reportCount).map(({ first, end, early }) => [first, end, early]);
};

describe("InputBuffer", () => {
  test("keeps inputs until their tick, and says how early they came", () => {
    const [buffer, sender] = [new InputBuffer(packing, [1], 100), new Sender()];
    expect([buffer.hasBegun, buffer.readLast(100, row)]).toEqual([false, -1]);
    expect(sender.send(buffer, 105, 108, 103, true)).toBe(undefined);
    expect(wordAt(buffer, 104)[0]).toBe(-1);
    expect(wordAt(buffer, 106)).toEqual([106, 106 % 31]);
    expect(wordAt(buffer, 120)).toEqual([107, 107 % 31]);
    expect(sender.send(buffer, 108, 110, 104)).toBe(undefined);
    expect(wordAt(buffer, 109)).toEqual([109, 109 % 31]);
    expect([buffer.late, buffer.inTime, buffer.end]).toEqual([0, 5, 110]);
    expect(reportsOf(buffer)).toEqual([
      [105, 108, 4.5],
      [108, 110, 5.5],
    ]);
    expect(reportsOf(buffer)).toEqual([]);
  });

  test("counts what came too late, and still keeps it for predictions", () => {
    const [buffer, sender] = [new InputBuffer(packing, [1], 100), new Sender()];
    sender.send(buffer, 100, 104, 103, true);
    expect([buffer.late, buffer.inTime]).toEqual([3, 1]);
    expect(wordAt(buffer, 103)).toEqual([103, 103 % 31]);
    expect(reportsOf(buffer)).toEqual([[100, 104, 0.5]]);
  });

  test("takes what is new out of packets that repeat, overlap or leave gaps", () => {
    const [buffer, sender] = [new InputBuffer(packing, [1], 100), new Sender()];
    sender.send(buffer, 100, 105, 90, true);
    sender.send(buffer, 100, 105, 90, true);
    sender.send(buffer, 100, 103, 90, true);
    expect([buffer.inTime, buffer.end]).toEqual([5, 105]);
    sender.send(buffer, 103, 108, 90);
    expect([buffer.inTime, buffer.end]).toEqual([8, 108]);
    for (let tick = 100; tick < 108; tick++) expect(wordAt(buffer, tick)).toEqual([tick, tick % 31]);
    sender.send(buffer, 120, 122, 90, true);
    expect(wordAt(buffer, 119)).toEqual([107, 107 % 31]);
    expect(wordAt(buffer, 121)).toEqual([121, 121 % 31]);
  });

  // Rows are changes: without the row before, they would mean something else.
  test("ignores rows that are coded against one that it does not have", () => {
    const [buffer, sender] = [new InputBuffer(packing, [1], 100), new Sender()];
    expect(sender.send(buffer, 100, 105, 90)).toBe(undefined);
    expect(sender.send(buffer, 95, 105, 90)).toBe(undefined);
    expect(buffer.hasBegun).toBe(false);
    sender.send(buffer, 100, 105, 90, true);
    expect(sender.send(buffer, 107, 109, 90)).toBe(undefined);
    expect(buffer.end).toBe(105);
  });

  test("a packet without inputs changes nothing", () => {
    const [buffer, sender] = [new InputBuffer(packing, [1], 100), new Sender()];
    expect(sender.send(buffer, 110, 110, 90, true)).toBe(undefined);
    expect([buffer.end, buffer.hasBegun]).toEqual([100, false]);
    expect(reportsOf(buffer)).toEqual([]);
  });

  test("rejects the far future", () => {
    const [buffer, sender] = [new InputBuffer(packing, [1], 100), new Sender()];
    const end = 100 + MAX_AHEAD;
    expect(sender.send(buffer, end - 1, end, 100, true)).toBe(undefined);
    expect(sender.send(buffer, end, end + 1, 100, true)).toBe(`inputs of tick ${end}, but tick 100 is next`);
  });

  test("forgets inputs that are ten seconds old", () => {
    const [buffer, sender] = [new InputBuffer(packing, [1], 100), new Sender()];
    sender.send(buffer, 100, 105, 90, true);
    expect(buffer.readLast(700, row)).toBe(104);
    expect(buffer.readLast(705, row)).toBe(-1);
  });

  test("keeps the newest reports, if none are taken", () => {
    const [buffer, sender] = [new InputBuffer(packing, [1], 100), new Sender()];
    for (let tick = 100; tick < 130; tick++) sender.send(buffer, tick, tick + 1, 90, true);
    const reports = [...reportsOf(buffer), ...reportsOf(buffer)];
    expect(reports.length).toBe(8);
    expect(reports.at(-1)![1]).toBe(130);
  });
});
