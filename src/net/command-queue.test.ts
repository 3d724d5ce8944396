import { describe, expect, test } from "vitest";
import { bytes, simulation } from "../sim/index.js";
import { layout, u32, u8 } from "../state/index.js";
import { CommandQueue } from "./command-queue.js";

const game = simulation({
  name: "commands",
  version: 1,
  rate: 60,
  players: 4,
  state: layout({ n: u32 }),
  commands: { build: { x: u8 }, map: { tiles: bytes(20_000) } },
  step() {},
});

const newQueue = (): CommandQueue => new CommandQueue(game, "peer");

test("returns what was added, once", () => {
  const queue = newQueue();
  expect([queue.isEmpty, queue.take()]).toEqual([true, []]);
  queue.add("build", { x: 1 }, [2, 3], undefined);
  queue.add("build", { x: 2 }, [2, 3], 3);
  expect(queue.isEmpty).toBe(false);
  expect(queue.take()).toEqual([
    { player: 2, bytes: game.commands.encode("build", { x: 1 }) },
    { player: 3, bytes: game.commands.encode("build", { x: 2 }) },
  ]);
  expect([queue.isEmpty, queue.take()]).toEqual([true, []]);
});

describe("a tick has room", () => {
  test("for 64 commands", () => {
    const queue = newQueue();
    for (let i = 0; i < 64; i++) queue.add("build", { x: i }, [0], undefined);
    expect(() => queue.add("build", { x: 64 }, [0], undefined)).toThrow(
      "Session.command: commands that wait for the next tick must be at most 64 with 60000 bytes in all, got 65. Try fewer, and none during a stall or a pause.",
    );
    queue.take();
    queue.add("build", { x: 64 }, [0], undefined);
  });

  test("for 60,000 bytes", () => {
    const queue = newQueue();
    const large = { tiles: new Uint8Array(19_000) };
    for (let i = 0; i < 3; i++) queue.add("map", large, [0], undefined);
    expect(() => queue.add("map", large, [0], undefined)).toThrow("at most 64 with 60000 bytes");
    queue.add("build", { x: 1 }, [0], undefined);
    queue.take();
    queue.add("map", large, [0], undefined);
  });
});

test("commands come from an own seat", () => {
  const queue = newQueue();
  expect(() => queue.add("build", { x: 1 }, [], undefined)).toThrow("this peer has no seat");
  expect(() => queue.add("build", { x: 1 }, [0, 2], 1)).toThrow("a seat of this peer: 0, 2, got 1");
});
