import { describe, expect, test } from "vitest";
import { BUFFER_TICKS, COYOTE_TICKS, HALF_HEIGHT, HALF_WIDTH } from "../../scenes/character.js";
import {
  COINS,
  EXIT,
  FLAGS,
  isSolid,
  LEVEL,
  LEVEL_HEIGHT,
  LEVEL_WIDTH,
  PLATFORM_HEIGHT,
  PLATFORM_WIDTH,
  PLATFORMS,
  START,
  TILE,
} from "../../scenes/level.js";
import { platformerRun } from "../../scenes/platformer-run.js";
import { platformerScript } from "../../scenes/platformer-script.js";
import { platformer } from "../../scenes/platformer.js";
import { localSession } from "../../src/sim/index.js";
import type { World } from "../../src/state/index.js";

interface Doing {
  left: boolean;
  right: boolean;
  jump: boolean;
  stick: number;
}

/** A session with the inputs of `doing`, and the effects so far. */
function played() {
  const doing: Doing = { left: false, right: false, jump: false, stick: 0 };
  const effects: string[] = [];
  const session = localSession(platformer, { inputs: ([player]) => void Object.assign(player!, doing) });
  session.on("effect", ({ name }) => void effects.push(name));
  // Writable, so that tests can place the player.
  const { player } = session.world as World<typeof platformer.layout.fields>;
  const run = (ticks: number, now: Partial<Doing> = {}) => {
    Object.assign(doing, { left: false, right: false, jump: false, stick: 0 }, now);
    for (let i = 0; i < ticks; i++) {
      session.advance();
      session.view(1);
    }
  };
  /** Runs until a condition holds, and returns the number of ticks. */
  const until = (isSo: () => boolean, now: Partial<Doing> = {}) => {
    let ticks = 0;
    while (!isSo()) {
      if (ticks++ > 600) throw new Error("It never came to be.");
      run(1, now);
    }
    return ticks;
  };
  /** Runs until the player stands on the ground. */
  run(30);
  return { session, world: session.world, player, effects, run, until };
}

/** The right edge of the first block, and its height. The first pit begins there. */
const EDGE = 14 * TILE;
const BLOCK = 13 * TILE;

test("stands at the start without input", () => {
  const { player, effects, run } = played();
  expect([player.x, player.y, player.grounded]).toEqual([START.x, 14 * TILE - HALF_HEIGHT, true]);
  const { x, y } = player;
  run(100);
  expect([player.x, player.y, effects]).toEqual([x, y, ["land"]]);
});

test("accelerates to its maximum speed by button or stick, and stops", () => {
  const { player, run } = played();
  run(20, { right: true });
  expect([player.vx, player.facing]).toEqual([150, 1]);
  run(20);
  expect(player.vx).toBe(0);
  run(20, { stick: -0.5 });
  // The nearest value that six bits can hold.
  expect(player.vx).toBe((-16 / 31) * 150);
  expect(player.facing).toBe(-1);
});

describe("jumping", () => {
  /** Returns the height of a jump if the button is held for this many ticks. */
  function height(ticks: number): number {
    const { player, run } = played();
    const ground = player.y;
    let top = ground;
    for (let i = 0; i < 60; i++) {
      run(1, { jump: i < ticks });
      top = Math.min(top, player.y);
    }
    return ground - top;
  }

  test("jumps three tiles, and less if the button is released early", () => {
    expect(height(30)).toBeGreaterThan(3 * TILE);
    expect(height(30)).toBeLessThan(3.5 * TILE);
    expect(height(2)).toBeLessThan(1.5 * TILE);
    expect(height(8)).toBeGreaterThan(height(4));
  });

  test("does not jump again while the button is held", () => {
    const { effects, run } = played();
    run(200, { jump: true });
    expect(effects.filter((name) => name === "jump")).toHaveLength(1);
  });

  /** Runs over the edge, and presses jump this many ticks after the last one on the ground. */
  function jumpsAfter(ticks: number): boolean {
    const { player, effects, run, until } = played();
    player.x = EDGE - 40;
    player.y = BLOCK - HALF_HEIGHT;
    until(() => !player.grounded, { right: true });
    // This was the first tick in the air.
    run(ticks - 1, { right: true });
    run(1, { right: true, jump: true });
    return effects.includes("jump");
  }

  test("can jump up to COYOTE_TICKS after the edge", () => {
    expect([1, COYOTE_TICKS, COYOTE_TICKS + 1].map(jumpsAfter)).toEqual([true, true, false]);
  });

  test("coyote time allows only one jump", () => {
    const { effects, run } = played();
    run(2, { jump: true });
    run(1);
    run(3, { jump: true });
    expect(effects.filter((name) => name === "jump")).toHaveLength(1);
  });

  test("a press counts shortly before landing, not earlier", () => {
    const jumpsBefore = (ticks: number) => {
      const trial = played();
      trial.run(2, { jump: true });
      const whole = 2 + trial.until(() => trial.player.grounded);
      const { effects, run } = played();
      run(2, { jump: true });
      run(whole - 2 - ticks);
      run(1, { jump: true });
      run(ticks + 5);
      return effects.filter((name) => name === "jump").length === 2;
    };
    expect([1, BUFFER_TICKS - 1, BUFFER_TICKS + 2].map(jumpsBefore)).toEqual([true, true, false]);
  });
});

test("walls stop the player, who slides along them", () => {
  const { player, run, until } = played();
  // In the air beside the wall at column 35, whose top is at row 8.
  player.x = 35 * TILE - HALF_WIDTH - 3;
  player.y = 9 * TILE;
  player.vy = 0;
  run(1, { right: true });
  until(() => player.wall === 1, { right: true });
  run(20, { right: true });
  expect([player.x, player.vy]).toEqual([35 * TILE - HALF_WIDTH, 70]);
  run(1, { right: true, jump: true });
  expect(player.vx).toBeLessThan(-150);
  expect(player.vy).toBeLessThan(-350);
});

test("a platform carries the player, and can be passed from below", () => {
  const { world, player, run, until } = played();
  const { platforms } = world;
  const onIt = () => {
    player.x = platforms.x[1]!;
    player.y = platforms.y[1]! - HALF_HEIGHT - 2;
    player.vx = player.vy = 0;
  };
  onIt();
  until(() => player.platform === 2);
  const apart = player.x - platforms.x[1]!;
  const before = player.x;
  run(60);
  expect(player.platform).toBe(2);
  expect(player.x - platforms.x[1]!).toBeCloseTo(apart, 9);
  expect(Math.abs(player.x - before)).toBeGreaterThan(10);
  expect(player.y).toBe(platforms.y[1]! - HALF_HEIGHT);
  player.y = platforms.y[1]! + 20;
  player.vy = -350;
  player.platform = 0;
  player.grounded = false;
  until(() => player.platform === 2, { jump: true });
  expect(player.y).toBe(platforms.y[1]! - HALF_HEIGHT);
});

test("the player stays on rising and sinking platforms", () => {
  const { world, player, run, until } = played();
  const { platforms } = world;
  player.x = platforms.x[2]!;
  player.y = platforms.y[2]! - HALF_HEIGHT - 2;
  player.vx = player.vy = 0;
  until(() => player.platform === 3);
  const heights = new Set<number>();
  for (let i = 0; i < 400; i++) {
    run(1);
    expect([player.platform, player.grounded]).toEqual([3, true]);
    heights.add(Math.round(player.y));
  }
  expect(heights.size).toBeGreaterThan(70);
});

test("respawns at the last flag after a fall, without blending across the screen", () => {
  const { session, world, player, effects, run } = played();
  const fall = () => {
    player.x = EDGE + 20;
    player.y = LEVEL_HEIGHT + 2 * TILE;
    const { falls } = world;
    for (;;) {
      const before = [player.x, player.y];
      session.advance();
      const { x, y } = session.view(0.5).player;
      if (world.falls === falls) continue;
      expect([x, y]).toEqual(before);
      return;
    }
  };
  fall();
  expect([player.x, player.y]).toEqual([START.x, START.y]);
  player.x = FLAGS[0]!.x - TILE;
  player.y = FLAGS[0]!.y;
  run(30, { right: true });
  expect(world.flag).toBe(1);
  fall();
  expect([player.x, player.y]).toEqual([FLAGS[0]!.x, FLAGS[0]!.y]);
  expect(effects.filter((name) => name === "flag")).toHaveLength(1);
  expect(world.falls).toBe(2);
});

test("a coin is collected once, and the exit starts a new run with all coins", () => {
  const { world, player, effects, run } = played();
  expect(world.coins.count).toBe(COINS.length);
  Object.assign(player, COINS[0]!);
  run(1);
  run(5);
  expect([world.score, world.coins.count]).toEqual([1, COINS.length - 1]);
  const { ticks } = world;
  Object.assign(player, EXIT);
  run(1);
  expect([world.finished, world.best, world.ticks]).toEqual([1, ticks + 1, 0]);
  expect([world.score, world.coins.count, player.x]).toEqual([1, COINS.length, START.x]);
  expect(effects).toEqual(expect.arrayContaining(["coin", "exit"]));
});

test("the script finishes the level, and uses everything in it", () => {
  const counts: Record<string, number> = {};
  const session = localSession(platformer, {
    inputs: (players, { tick }) => platformerScript(players, tick),
  });
  session.on("effect", ({ name }) => void (counts[name] = (counts[name] ?? 0) + 1));
  let [riding, sliding] = [0, 0];
  while (session.tick < 6000) {
    session.advance();
    session.view(1);
    if (session.world.player.platform > 0) riding++;
    if (session.world.player.wall !== 0) sliding++;
  }
  expect(counts.exit).toBe(3);
  expect(session.world.finished).toBe(3);
  for (const [name, least] of Object.entries({ jump: 80, land: 50, coin: 20, fall: 4, flag: 2 }))
    expect(counts[name], name).toBeGreaterThanOrEqual(least);
  expect(Math.min(riding, sliding)).toBeGreaterThan(20);
});

test("a good player never falls in ten minutes, and finishes the level every twelve seconds", () => {
  const effects: Record<string, number> = {};
  const session = localSession(platformer, {
    inputs: (players, { tick }) => platformerRun(players, tick),
  });
  session.on("effect", ({ name }) => void (effects[name] = (effects[name] ?? 0) + 1));
  while (session.tick < 36_000) {
    session.advance();
    session.view(1);
  }
  const { falls, finished, score, best } = session.world;
  expect({ falls, finished, score, best }).toEqual({ falls: 0, finished: 50, score: 700, best: 574 });
  expect(effects.fall).toBeUndefined();
});

test("the level has rows of equal length, walls around it, and unobstructed platforms", () => {
  expect(new Set(LEVEL.map((row) => row.length * TILE))).toEqual(new Set([LEVEL_WIDTH]));
  expect(LEVEL.every((row) => row.startsWith("#") && row.endsWith("#"))).toBe(true);
  const solid = PLATFORMS.flatMap(({ from, to }) =>
    [from, to].filter(([x, y]) =>
      [-1, 1].some((side) =>
        [0, PLATFORM_HEIGHT - 1].some((below) =>
          isSolid(Math.floor((x + side * (PLATFORM_WIDTH / 2 - 1)) / TILE), Math.floor((y + below) / TILE)),
        ),
      ),
    ),
  );
  expect(solid).toEqual([]);
});
