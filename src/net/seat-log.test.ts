import fc from "fast-check";
import { expect, test } from "vitest";
import { axis, button, simulation } from "../sim/index.js";
import { layout, u32 } from "../state/index.js";
import { LOG_TICKS, SeatLog } from "./seat-log.js";

const PLAYERS = 3;
const game = simulation({
  name: "log",
  version: 1,
  rate: 60,
  players: PLAYERS,
  state: layout({ n: u32 }),
  // Two words per player.
  input: { go: button, steer: axis(16), gas: axis(16) },
  commands: { shout: { loud: u32 } },
  step() {},
});
const WIDTH = game.packing.words;

const shout = (player: number, loud: number) => ({ player, bytes: game.commands.encode("shout", { loud }) });

test("keeps inputs and absent seats of the last ticks, each seat on its own", () => {
  expect(WIDTH).toBe(2);
  const write = fc.record({
    tick: fc.nat(5000),
    seat: fc.nat(PLAYERS - 1),
    words: fc.tuple(fc.nat(2 ** 31), fc.nat(9)),
    isAbsent: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(write, { maxLength: 60 }), (writes) => {
      const log = new SeatLog(game);
      // The same in plain objects. A tick shares its place with that of LOG_TICKS ago.
      const model = new Map<string, { words: readonly number[]; isAbsent: boolean }>();
      const place = (tick: number, seat: number) => `${tick % LOG_TICKS} ${seat}`;
      const at = (tick: number, seat: number) =>
        model.get(place(tick, seat)) ?? { words: [0, 0], isAbsent: false };
      for (const { tick, seat, words, isAbsent } of writes) {
        const before = at(tick, seat);
        expect(log.writeSeat(tick, seat, Uint32Array.from([7, ...words]), 1)).toBe(
          before.words.join() !== words.join(),
        );
        expect(log.setAbsent(tick, seat, isAbsent)).toBe(before.isAbsent !== isAbsent);
        model.set(place(tick, seat), { words, isAbsent });
      }
      for (const { tick } of writes) {
        const words = new Uint32Array(PLAYERS * WIDTH);
        const absent = new Uint8Array(PLAYERS);
        const one = new Uint32Array(WIDTH + 1);
        log.read(tick, words, absent);
        for (let seat = 0; seat < PLAYERS; seat++) {
          const expected = at(tick, seat);
          log.readSeat(tick, seat, one, 1);
          expect([...one.subarray(1)]).toEqual(expected.words);
          expect([...words.subarray(seat * WIDTH, (seat + 1) * WIDTH)]).toEqual(expected.words);
          expect([absent[seat] === 1, log.isAbsent(tick, seat)]).toEqual([
            expected.isAbsent,
            expected.isAbsent,
          ]);
        }
      }
    }),
  );
});

test("sorts the commands of a tick by seat, and keeps the order of each seat", () => {
  const log = new SeatLog(game);
  expect(log.setCommands(5, [2], [shout(2, 1), shout(2, 2)])).toBe(true);
  expect(log.setCommands(5, [0, 1], [shout(1, 3), shout(0, 4), shout(1, 5)])).toBe(true);
  expect(log.commands(5)).toEqual([shout(0, 4), shout(1, 3), shout(1, 5), shout(2, 1), shout(2, 2)]);
  expect(log.commands(4)).toEqual([]);
  expect([log.hasCommands(5, [1]), log.hasCommands(5, []), log.hasCommands(6, [1])]).toEqual([
    true,
    false,
    false,
  ]);
});

test("replaces the commands of some seats only", () => {
  const log = new SeatLog(game);
  log.setCommands(5, [0, 1], [shout(0, 1), shout(1, 2)]);
  expect(log.setCommands(5, [1], [])).toBe(true);
  expect(log.commands(5)).toEqual([shout(0, 1)]);
  expect(log.setCommands(5, [1], [])).toBe(false);
  expect(log.setCommands(9, [1], [])).toBe(false);
  expect(log.setCommands(5, [0], [])).toBe(true);
  expect(log.isCommanded).toBe(false);
});

test("forgets old commands, or everything but inputs", () => {
  const log = new SeatLog(game);
  for (const tick of [1, 5, 9]) log.setCommands(tick, [0], [shout(0, tick)]);
  log.setAbsent(3, 1, true);
  log.dropBefore(5);
  expect([1, 5, 9].map((tick) => log.commands(tick).length)).toEqual([0, 1, 1]);
  log.clear();
  expect([log.isCommanded, log.isAbsent(3, 1)]).toEqual([false, false]);
});
