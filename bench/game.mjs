import { angle, scalar, smoothAll } from "../dist/blend/index.js";
import { display, every, Loop } from "../dist/index.js";

/*
 * A small game, once with Tickwise and once by hand: 100 ships that move in each step and are drawn between two states,
 * a beat of 10 Hz, and one listener to steps. Both take the timestamps of a display.
 */

const RATE = 60;
const BEAT = 10;
const SHIPS = 100;

/** Class instances whose fields begin as fractions, so that no engine allocates when it writes them. */
class Ship {
  constructor(i) {
    this.x = i + 0.5;
    this.y = 2 * i + 0.5;
    this.heading = i / 16 + 0.5;
    this.vx = 0.25 + i / 128;
    this.vy = 0.75 - i / 128;
  }
}

class Sprite {
  constructor() {
    this.x = 0.5;
    this.y = 0.5;
    this.heading = 0.5;
  }
}

function moveShips(ships, info) {
  const { dt } = info;
  for (let i = 0; i < ships.length; i++) {
    const ship = ships[i];
    ship.x += ship.vx * dt;
    ship.y += ship.vy * dt;
    ship.heading += ship.vx * dt;
    if (ship.heading > Math.PI) ship.heading -= 2 * Math.PI;
    if (ship.x > SHIPS || ship.x < 0) ship.vx = -ship.vx;
    if (ship.y > 2 * SHIPS || ship.y < 0) ship.vy = -ship.vy;
  }
}

const newShips = () => Array.from({ length: SHIPS }, (_, i) => new Ship(i));

/** What beats and listeners count, so that a check can compare both games. */
const newCounts = () => ({ beats: 0, heard: 0 });

/** The first timestamp of a round: the time since the last frame of the round before does not exist. */
const BEFORE_FIRST = 0;

const createGame = (isSmooth) => (step, render) => {
  const ships = newShips();
  const counts = newCounts();
  let frame;
  const frames = {
    begin(onFrame) {
      frame = onFrame;
      return () => {};
    },
    now: () => 0,
  };
  const loop = new Loop({
    rate: RATE,
    step(info) {
      step(info);
      moveShips(ships, info);
    },
    render,
  });
  const views = isSmooth ? smoothAll(loop, ships, { x: scalar, y: scalar, heading: angle }) : [];
  every(loop, BEAT, () => void counts.beats++);
  loop.on("step", () => void counts.heard++);
  loop.start(display({ frames }));
  return { views, counts, prepare: () => frame(BEFORE_FIRST, true), frame };
};

export const game = {
  name: "game, tickwise",
  input: "displayStamps",
  heapFrames: 100_000,
  // The display clock shows a step or two early or late until it knows the display.
  slack: 2,
  step: ["{ dt }", "dt"],
  render: ["{ alpha }", "alpha"],
  create: createGame(true),
};

/** The same without smoothAll, against a hand-written game that does not blend either: what the loop alone costs. */
export const gameUnblended = { ...game, name: "game without blending, tickwise", create: createGame(false) };

class GameByHand {
  constructor(step, render, isSmooth) {
    this.isSmooth = isSmooth;
    this.dt = 1 / RATE;
    this.accumulator = 0.5 / RATE;
    this.time = 0.5;
    this.lastStamp = 0.5;
    this.tick = 0;
    this.step = step;
    this.render = render;
    this.ships = newShips();
    this.previous = this.ships.map(() => new Sprite());
    this.views = this.ships.map(() => new Sprite());
    this.counts = newCounts();
    this.listeners = [() => void this.counts.heard++];
    this.beat = () => void this.counts.beats++;
  }

  prepare() {
    this.lastStamp = BEFORE_FIRST;
  }

  frame(stamp) {
    const elapsed = (stamp - this.lastStamp) / 1000;
    this.lastStamp = stamp;
    this.accumulator += elapsed > 0.25 ? 0.25 : elapsed;
    while (this.accumulator >= this.dt) {
      if (this.tick % (RATE / BEAT) === 0) this.beat();
      if (this.isSmooth) this.keepPrevious();
      this.step(this.time, this.dt);
      moveShips(this.ships, this);
      for (const listener of this.listeners) listener();
      this.tick++;
      this.time += this.dt;
      this.accumulator -= this.dt;
    }
    if (this.isSmooth) this.blend(this.accumulator / this.dt);
    this.render(this.accumulator / this.dt);
  }

  keepPrevious() {
    const { ships, previous } = this;
    for (let i = 0; i < ships.length; i++) {
      previous[i].x = ships[i].x;
      previous[i].y = ships[i].y;
      previous[i].heading = ships[i].heading;
    }
  }

  blend(alpha) {
    const { ships, previous, views } = this;
    for (let i = 0; i < ships.length; i++) {
      const before = previous[i];
      const ship = ships[i];
      views[i].x = before.x + (ship.x - before.x) * alpha;
      views[i].y = before.y + (ship.y - before.y) * alpha;
      // The shorter arc.
      let turn = ship.heading - before.heading;
      if (turn > Math.PI) turn -= 2 * Math.PI;
      else if (turn < -Math.PI) turn += 2 * Math.PI;
      views[i].heading = before.heading + turn * alpha;
    }
  }
}

const createByHand = (isSmooth) => (step, render) => {
  const hand = new GameByHand(step, render, isSmooth);
  return {
    views: hand.views,
    counts: hand.counts,
    prepare: () => hand.prepare(),
    frame: (stamp) => hand.frame(stamp),
  };
};

export const gameByHand = {
  ...game,
  name: "game, hand-written",
  step: ["time, dt", "dt"],
  render: ["alpha", "alpha"],
  create: createByHand(true),
};

export const gameByHandUnblended = {
  ...gameByHand,
  name: "game without blending, hand-written",
  create: createByHand(false),
};
