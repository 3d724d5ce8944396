import { expect, test } from "vitest";
import { virtualScheduler } from "../../net/index.js";
import { button, simulation } from "../../sim/index.js";
import { f64, layout } from "../../state/index.js";
import { GameRoom } from "./game-room.js";
import { Lateness } from "./lateness.js";
import { RoomSchedule } from "./room-schedule.js";

const counterOf = (rate: number, step: (tick: number) => void = () => {}) =>
  simulation({
    name: "counter",
    version: 1,
    rate,
    state: layout({ n: f64 }),
    input: { go: button },
    step(world, _, { tick }) {
      step(tick);
      world.n++;
    },
  });

test("rooms of all rates keep time on one timer", () => {
  const scheduler = virtualScheduler();
  const schedule = new RoomSchedule({ scheduler });
  const rates = [60, 60, 60, 60, 60, 30, 20, 144];
  const rooms = rates.map((rate) => new GameRoom(counterOf(rate), { now: scheduler.now }));
  for (const room of rooms) schedule.add(room);
  scheduler.advance(10_000);
  rooms.forEach((room, i) => expect(Math.abs(room.tick - 10 * rates[i]!)).toBeLessThanOrEqual(1));
  expect(schedule.lateness.count).toBeGreaterThan(0);
  // Timers have whole milliseconds.
  expect(schedule.lateness.max).toBeLessThan(1.01);
  schedule.remove(rooms[0]!);
  rooms[1]!.close();
  const ticks = rooms.map(({ tick }) => tick);
  scheduler.advance(1000);
  expect(rooms.slice(2).every((room, i) => room.tick > ticks[i + 2]!)).toBe(true);
  expect(rooms[0]!.tick).toBe(ticks[0]);
  schedule.stop();
  const { tick } = rooms[2]!;
  scheduler.advance(1000);
  expect(rooms[2]!.tick).toBe(tick);
});

test("a step that does not return ends its room, and one that throws, too; all others play on", () => {
  const scheduler = virtualScheduler();
  const failed: [GameRoom, string, unknown][] = [];
  const schedule = new RoomSchedule({
    scheduler,
    hangAfter: 300,
    onFailed: (...info) => failed.push(info as (typeof failed)[number]),
  });
  const make = (step?: (tick: number) => void) => {
    const room = new GameRoom(counterOf(60, step), { now: scheduler.now });
    schedule.add(room);
    return room;
  };
  const healthy = [make(), make()];
  const hanging = make((tick) => {
    // It even catches what it can.
    while (tick === 100)
      try {
        Math.imul(tick, 3);
      } catch {
        continue;
      }
  });
  const throwing = make((tick) => {
    if (tick === 50) throw new Error("no ground");
  });
  healthy.push(make(), make(), make());
  scheduler.advance(5000);
  expect(
    failed.map(([room, reason, error]) => [room, reason, (error as Error | undefined)?.message]),
  ).toEqual([
    [
      throwing,
      "a step of the game threw an error, so the room was ended",
      expect.stringContaining("no ground"),
    ],
    [hanging, "a step of the game did not return, so the room was ended", undefined],
  ]);
  for (const room of healthy) expect(Math.abs(room.tick - 300)).toBeLessThanOrEqual(1);
  expect(hanging.isClosed && throwing.isClosed).toBe(true);
  expect(schedule.rooms.size).toBe(5);
});

test("steps that are due are taken between packets, while no timer rings", () => {
  let time = 0;
  const schedule = new RoomSchedule({ scheduler: { now: () => time, after: () => () => {} } });
  const rooms = [60, 60, 30].map((rate) => new GameRoom(counterOf(rate), { now: () => time }));
  for (const room of rooms) schedule.add(room);
  const packets = () => {
    for (let i = 0; i < 8; i++) schedule.stepIfDue();
    return rooms.map(({ tick }) => tick);
  };
  expect(packets()).toEqual([1, 1, 1]);
  expect(packets()).toEqual([1, 1, 1]);
  time += 1000 / 60;
  expect(packets()).toEqual([2, 2, 1]);
  time += 1000 / 60;
  expect(packets()).toEqual([3, 3, 2]);
  schedule.remove(rooms[0]!);
  time += 1000 / 60;
  expect(packets()).toEqual([3, 4, 2]);
  schedule.stop();
  time += 1000 / 60;
  expect(packets()).toEqual([3, 4, 2]);
});

test("packets get a third of the time, even if steps need more than there is", () => {
  let time = 0;
  const schedule = new RoomSchedule({ scheduler: { now: () => time, after: () => () => {} } });
  // Each step takes longer than a tick.
  const room = new GameRoom(
    counterOf(60, () => (time += 20)),
    { now: () => time },
  );
  schedule.add(room);
  let packets = 0;
  for (; time < 10_000; packets++) {
    schedule.stepIfDue();
    time += 0.1;
  }
  expect(packets * 0.1).toBeGreaterThan(3200);
  expect(room.tick * 20).toBeGreaterThan(4000);
});

test("an error of onFailed stops no other room", () => {
  const scheduler = virtualScheduler();
  const schedule = new RoomSchedule({
    scheduler,
    onFailed: () => {
      throw new Error("a bug of the host");
    },
  });
  const rooms = [50, Infinity].map((last) => {
    const step = (tick: number) => {
      if (tick === last) throw new Error("no ground");
    };
    const room = new GameRoom(counterOf(60, step), { now: scheduler.now });
    schedule.add(room);
    return room;
  });
  expect(() => scheduler.advance(5000)).toThrow("a bug of the host");
  scheduler.advance(5000);
  expect(rooms[1]!.tick).toBeGreaterThan(300);
});

test("a room may leave the schedule, and another one come, in the middle of a step", () => {
  const scheduler = virtualScheduler();
  const schedule = new RoomSchedule({ scheduler });
  const add = (step?: (tick: number) => void) => {
    const room = new GameRoom(counterOf(60, step), { now: scheduler.now });
    schedule.add(room);
    return room;
  };
  const added: GameRoom[] = [];
  const first = add();
  const busy = add((tick) => {
    if (tick === 10) [first, last].forEach((room) => schedule.remove(room));
    if (tick === 20) added.push(add());
    if (tick === 30) schedule.remove(busy);
  });
  const middle = add();
  const last = add();
  scheduler.advance(1000);
  // The step that removes a room is its last one.
  expect([first, busy, last].map(({ tick }) => tick)).toEqual([11, 31, 10]);
  expect(Math.abs(middle.tick - 60)).toBeLessThanOrEqual(1);
  expect(Math.abs(added[0]!.tick - 40)).toBeLessThanOrEqual(1);
  expect([...schedule.rooms]).toEqual([middle, added[0]]);
});

test("lateness has the quantiles of what was counted, within 19 %", () => {
  const lateness = new Lateness();
  expect(lateness.quantile(0.99)).toBe(0);
  for (let i = 1; i <= 1000; i++) lateness.add(i / 100);
  for (const part of [0.1, 0.5, 0.9, 0.99]) {
    const found = lateness.quantile(part);
    expect(found).toBeGreaterThanOrEqual(10 * part * 0.999);
    expect(found).toBeLessThanOrEqual(10 * part * 1.19);
  }
  expect(lateness.max).toBe(10);
  const sum = new Lateness();
  sum.add(-3);
  sum.include(lateness);
  expect([sum.count, sum.max]).toEqual([1001, 10]);
  sum.add(1e9);
  expect(sum.quantile(1)).toBe(1e9);
  sum.reset();
  expect([sum.count, sum.max, sum.quantile(0.5)]).toEqual([0, 0, 0]);
});

test("few rooms are stepped together, and many are spread over the tick", () => {
  const scheduler = virtualScheduler();
  const schedule = new RoomSchedule({ scheduler });
  const add = (count: number) =>
    Array.from({ length: count }, () => {
      const room = new GameRoom(counterOf(60), { now: scheduler.now });
      schedule.add(room);
      return room;
    });
  const moments = () => {
    const counts = new Map<string, number>();
    for (const room of schedule.rooms) {
      const phase = (room.dueAt % (1000 / 60)).toFixed(3);
      counts.set(phase, (counts.get(phase) ?? 0) + 1);
    }
    return [...counts.values()].sort((a, b) => a - b);
  };
  const first = add(8);
  expect(moments()).toEqual([8]);
  add(392);
  expect(moments()).toEqual([100, 100, 100, 100]);
  // Places that become free are taken again.
  for (const room of first) schedule.remove(room);
  add(8);
  expect(moments()).toEqual([100, 100, 100, 100]);
  schedule.stop();
});
