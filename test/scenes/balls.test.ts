import { expect, test } from "vitest";
import { balls, ballsScript } from "../../scenes/balls.js";
import { asleep, BUMPER_RADIUS, COUNT, HEIGHT, SLEEP_TICKS, WIDTH } from "../../scenes/ball-contacts.js";
import { localSession, type InputValues } from "../../src/sim/index.js";

type Player = InputValues<(typeof balls)["options"]["input"] & {}>;

const made = (inputs?: (player: Player, tick: number) => void) =>
  localSession(balls, { inputs: ([player], { tick }) => inputs?.(player as Player, tick) });
type Session = ReturnType<typeof made>;

const isAsleep = ({ world }: Session, i: number) => world.balls.calm[i]! >= SLEEP_TICKS;

/** Returns the deepest overlap of two balls. */
function deepest({ world }: Session): number {
  const { x, y, radius } = world.balls;
  let most = 0;
  for (let i = 0; i < COUNT; i++)
    for (let j = 0; j < i; j++)
      most = Math.max(most, radius[i]! + radius[j]! - Math.hypot(x[i]! - x[j]!, y[i]! - y[j]!));
  return most;
}

/** Counts sleeping balls without support. */
function hanging(session: Session): number[] {
  const { x, y, radius } = session.world.balls;
  const { bumper } = session.world;
  const found = [];
  for (let i = 0; i < COUNT; i++) {
    if (!isAsleep(session, i) || y[i]! > HEIGHT - radius[i]! - 3) continue;
    const isOn = (bx: number, by: number, r: number) =>
      by > y[i]! && Math.hypot(x[i]! - bx, y[i]! - by) < radius[i]! + r + 3;
    let isHeld = isOn(bumper.x, bumper.y, BUMPER_RADIUS);
    for (let j = 0; j < COUNT && !isHeld; j++) isHeld = j !== i && isOn(x[j]!, y[j]!, radius[j]!);
    if (!isHeld) found.push(i);
  }
  return found;
}

/** Counts balls outside the box. */
function outside({ world }: Session): number[] {
  const { x, y, radius } = world.balls;
  const found = [];
  for (let i = 0; i < COUNT; i++) {
    const r = radius[i]!;
    // Also counts NaN.
    if (!(x[i]! >= r && x[i]! <= WIDTH - r && y[i]! >= r && y[i]! <= HEIGHT - r)) found.push(i);
  }
  return found;
}

test("the pile comes to rest and falls asleep, with small overlaps", () => {
  const session = made();
  while (session.tick < 300) session.advance();
  expect(asleep(session.world.balls)).toBe(COUNT);
  expect(deepest(session)).toBeLessThan(1.5);
  expect(hanging(session)).toEqual([]);
  const { x, y } = session.world.balls;
  const before = [[...x], [...y]];
  while (session.tick < 900) session.advance();
  expect([[...x], [...y]]).toEqual(before);
});

test("a ball falls asleep after SLEEP_TICKS without motion, not earlier", () => {
  const session = made();
  const slow = new Uint32Array(COUNT);
  let slept = 0;
  while (session.tick < 200) {
    const { x, y } = session.world.balls;
    const [fromX, fromY] = [x.slice(), y.slice()];
    const was = Array.from({ length: COUNT }, (_, i) => isAsleep(session, i));
    session.advance();
    for (let i = 0; i < COUNT; i++) {
      slow[i] = Math.hypot(x[i]! - fromX[i]!, y[i]! - fromY[i]!) < 8 / 60 ? slow[i]! + 1 : 0;
      if (was[i] || !isAsleep(session, i)) continue;
      slept++;
      expect(slow[i]).toBeGreaterThanOrEqual(SLEEP_TICKS);
    }
  }
  expect(slept).toBeGreaterThan(500);
});

test("touched balls wake, and distant ones stay asleep", () => {
  // The bumper moves straight down into the pile.
  const session = made((player, tick) => void (player.y = tick >= 300 ? 1 : 0));
  while (session.tick < 300) session.advance();
  expect(asleep(session.world.balls)).toBe(COUNT);
  let awakeFirst = 0;
  while (session.tick < 360) {
    session.advance();
    if (awakeFirst === 0 && asleep(session.world.balls) < COUNT) awakeFirst = session.tick;
  }
  const { bumper, balls: all } = session.world;
  expect(awakeFirst).toBeGreaterThan(300);
  expect(bumper.y).toBe(620);
  const within = (least: number, most: number) =>
    Array.from({ length: COUNT }, (_, i) => i).filter((i) => {
      const distance = Math.hypot(all.x[i]! - bumper.x, all.y[i]! - bumper.y);
      return distance >= least && distance < most;
    });
  const beside = within(0, BUMPER_RADIUS + 11);
  expect(beside.length).toBeGreaterThan(5);
  expect(beside.filter((i) => isAsleep(session, i))).toEqual([]);
  // Except for one or two that were hit by falling balls.
  const far = within(WIDTH / 3, WIDTH);
  expect(far.filter((i) => isAsleep(session, i)).length / far.length).toBeGreaterThan(0.95);
});

test("a kick throws nearby balls", () => {
  const session = made((player, tick) => {
    player.y = tick >= 300 && tick < 360 ? 1 : 0;
    player.kick = tick === 360;
  });
  const kicks: number[] = [];
  session.on("effect", ({ tick }) => void kicks.push(tick));
  while (session.tick < 361) session.advance();
  session.view(1);
  expect(kicks).toEqual([360]);
  const { vx, vy } = session.world.balls;
  const fast = [...vx].filter((speed, i) => Math.hypot(speed, vy[i]!) > 300);
  expect(fast.length).toBeGreaterThan(20);
});

test("every ball stays in the box, and none sleeps in the air, whatever the player does", () => {
  const session = made((player, tick) => ballsScript([player], tick));
  while (session.tick < 2400) {
    session.advance();
    expect(outside(session), `state ${session.tick}`).toEqual([]);
    expect(session.tick % 60 === 0 ? hanging(session) : [], `state ${session.tick}`).toEqual([]);
  }
  expect(asleep(session.world.balls)).toBeGreaterThan(900);
});
