import { expect, test } from "vitest";
import { InputLog } from "./input-log.js";

test("keeps the inputs of the last ticks, for all players", () => {
  const log = new InputLog(2, 2, 4);
  for (let tick = 0; tick < 10; tick++) log.write(tick, Uint32Array.of(tick, 1, 2, tick * 10));
  const out = new Uint32Array(4);
  for (let tick = 6; tick < 10; tick++) {
    log.read(tick, out);
    expect([...out]).toEqual([tick, 1, 2, tick * 10]);
  }
});

test("rewrites one player, and says whether that changed anything", () => {
  const log = new InputLog(3, 1, 8);
  log.write(5, Uint32Array.of(1, 2, 3));
  expect(log.writePlayer(5, 1, Uint32Array.of(2))).toBe(false);
  expect(log.writePlayer(5, 1, Uint32Array.of(0, 9), 1)).toBe(true);
  const out = new Uint32Array(3);
  log.read(5, out);
  expect([...out]).toEqual([1, 9, 3]);
  const one = new Uint32Array(2);
  log.readPlayer(5, 2, one, 1);
  expect([...one]).toEqual([0, 3]);
});
