import { cosTurns, sinTurns } from "../src/math/index.js";
import { axis, button, simulation, type Emit, type InputValues } from "../src/sim/index.js";
import {
  bool,
  f64,
  i8,
  layout,
  list,
  skipBlend,
  u16,
  u8,
  type ReadonlyWorld,
  type World,
} from "../src/state/index.js";
import { diceAt } from "./scene.js";

/** In pixels. The center of the arena is at 0, 0. y points down. */
export const ARENA_RADIUS = 200;
export const PLAYER_RADIUS = 18;
export const BALL_RADIUS = 13;
/** The number of seats. */
export const SEATS = 4;
/** The ball is the last of the bodies. Nobody owns it: all players only give it a push. */
export const BALL = 4;

/** Acceleration by the player, in pixels per second squared, and the speed that remains of each pixel per second after a step. */
const THRUST = 900;
const PLAYER_DRAG = 0.94;
const BALL_DRAG = 0.99;
/** How much faster a dash makes, in pixels per second, and the ticks until the next one. */
const DASH_SPEED = 330;
export const DASH_TICKS = 45;
/** Ticks after a dash in which it hits harder, and how much. */
const RAM_TICKS = 14;
const RAM = 1.7;
/** How much of the speed of an impact comes back, between players and with the ball. */
const BOUNCE = 1.6;
/** The mass of the ball, if that of a player is 1. */
const BALL_MASS = 0.5;
/** Ticks from a fall until the player is back, and ticks for which a push counts as the reason of a fall. */
export const AWAY_TICKS = 75;
const BLAME_TICKS = 120;
/** Impacts slower than this, in pixels per second, are no effect. */
const HIT_SPEED = 60;
const DIAGONAL = 0.7071067811865476;

const ringOf = (x: typeof f64.lerp, y: typeof f64.lerp, speed: typeof f64.lerp) =>
  layout({
    /** The players, then the ball. */
    bodies: list(SEATS + 1, {
      x,
      y,
      vx: speed,
      vy: speed,
      /** Who pushed it last, as seat + 1; 0 for nobody. Ticks until that is forgotten. */
      pusher: u8,
      blame: u8,
    }),
    players: list(SEATS, {
      /** The direction of the next dash: -1, 0 or 1. */
      aimX: i8,
      aimY: i8,
      /** Ticks until the next dash. */
      rest: u8,
      /** Ticks until the player is back in the ring; 0 if it is there. */
      away: u8,
      /** Whether nobody sits here, so that a bot plays. */
      isBot: bool,
      points: u16,
      falls: u16,
    }),
  });
const Ring = ringOf(f64.lerp, f64.lerp, f64);
type RingWorld = World<(typeof Ring)["fields"]>;
type RingView = ReadonlyWorld<(typeof Ring)["fields"]>;

export const ARENA_INPUT = { x: axis(2), y: axis(2), dash: button };
type Player = InputValues<typeof ARENA_INPUT>;

const EFFECTS = {
  /** Two bodies collide. */
  hit: { x: f64, y: f64, speed: f64 },
  dash: { x: f64, y: f64, seat: u8 },
  /** A player leaves the ring. `by` is the seat that gets the point, plus 1; 0 if nobody does. */
  out: { x: f64, y: f64, seat: u8, by: u8 },
};
type EmitEffect = Emit<typeof EFFECTS>;

/** Up to four players push each other out of a ring. There is a ball that nobody owns. Bots take the seats that are free. */
const arenaOf = (state: typeof Ring) =>
  simulation({
    name: "arena",
    version: 1,
    rate: 60,
    players: SEATS,
    state,
    input: ARENA_INPUT,
    effects: EFFECTS,
    absent: (player, { seat, tick, world }) => playBot(player, seat, tick, world),
    init(world) {
      for (let seat = 0; seat < SEATS; seat++) enter(world, seat);
    },
    step(world, inputs, { dt, emit }) {
      const { bodies, players } = world;
      for (let seat = 0; seat < SEATS; seat++) {
        const input = inputs[seat]!;
        players.isBot[seat] = input.absent ? 1 : 0;
        if (players.rest[seat]! > 0) players.rest[seat]! -= 1;
        if (players.away[seat]! > 0) {
          players.away[seat]! -= 1;
          if (players.away[seat] === 0) enter(world, seat);
        } else steer(world, seat, input.x, input.y, input.pressed.dash, dt, emit);
      }
      for (let body = 0; body <= BALL; body++) {
        if (bodies.blame[body]! > 0) bodies.blame[body]! -= 1;
        else bodies.pusher[body] = 0;
        const drag = body === BALL ? BALL_DRAG : PLAYER_DRAG;
        bodies.vx[body]! *= drag;
        bodies.vy[body]! *= drag;
        bodies.x[body]! += bodies.vx[body]! * dt;
        bodies.y[body]! += bodies.vy[body]! * dt;
      }
      for (let a = 0; a < BALL; a++) for (let b = a + 1; b <= BALL; b++) collide(world, a, b, emit);
      for (let seat = 0; seat < SEATS; seat++) if (players.away[seat] === 0) checkFall(world, seat, emit);
      bounceBall(world);
    },
  });

export const arena = arenaOf(Ring);
/**
 * The same game, but a server that sends states rounds them: positions to 1/8 pixel, velocities to 2 pixels per second. Positions
 * follow velocities, which makes states smaller.
 */
export const roundedArena = arenaOf(
  ringOf(f64.hermite("vx").quantize(1 / 8), f64.hermite("vy").quantize(1 / 8), f64.quantize(2)),
);

/** Puts a player on its place in the ring. */
function enter({ bodies, players }: RingWorld, seat: number): void {
  const turn = seat / SEATS + 1 / 8;
  bodies.x[seat] = 0.6 * ARENA_RADIUS * cosTurns(turn);
  bodies.y[seat] = 0.6 * ARENA_RADIUS * sinTurns(turn);
  bodies.vx[seat] = bodies.vy[seat] = 0;
  bodies.pusher[seat] = bodies.blame[seat] = 0;
  players.aimX[seat] = bodies.x[seat]! < 0 ? 1 : -1;
  players.aimY[seat] = bodies.y[seat]! < 0 ? 1 : -1;
  players.rest[seat] = 0;
  skipBlend(bodies, seat);
}

/** Applies the inputs of a player. */
function steer(
  { bodies, players }: RingWorld,
  seat: number,
  x: number,
  y: number,
  dashes: boolean,
  dt: number,
  emit: EmitEffect,
): void {
  if (x !== 0 || y !== 0) {
    players.aimX[seat] = x;
    players.aimY[seat] = y;
    const thrust = THRUST * dt * (x !== 0 && y !== 0 ? DIAGONAL : 1);
    bodies.vx[seat]! += thrust * x;
    bodies.vy[seat]! += thrust * y;
  }
  if (!dashes || players.rest[seat] !== 0) return;
  const aimX = players.aimX[seat]!;
  const aimY = players.aimY[seat]!;
  const speed = DASH_SPEED * (aimX !== 0 && aimY !== 0 ? DIAGONAL : 1);
  bodies.vx[seat]! += speed * aimX;
  bodies.vy[seat]! += speed * aimY;
  players.rest[seat] = DASH_TICKS;
  emit("dash", { x: bodies.x[seat]!, y: bodies.y[seat]!, seat });
}

/** Separates two bodies that overlap, and lets them bounce. */
function collide(world: RingWorld, a: number, b: number, emit: EmitEffect): void {
  const { bodies, players } = world;
  const isBall = b === BALL;
  if (players.away[a]! > 0 || (!isBall && players.away[b]! > 0)) return;
  const reach = PLAYER_RADIUS + (isBall ? BALL_RADIUS : PLAYER_RADIUS);
  let nx = bodies.x[b]! - bodies.x[a]!;
  let ny = bodies.y[b]! - bodies.y[a]!;
  const distance = Math.sqrt(nx * nx + ny * ny);
  if (distance >= reach) return;
  // On top of each other, any direction will do.
  if (distance === 0) nx = 1;
  else {
    nx /= distance;
    ny /= distance;
  }
  const mass = isBall ? BALL_MASS : 1;
  const share = mass / (1 + mass);
  const overlap = reach - distance;
  bodies.x[a]! -= nx * overlap * share;
  bodies.y[a]! -= ny * overlap * share;
  bodies.x[b]! += nx * overlap * (1 - share);
  bodies.y[b]! += ny * overlap * (1 - share);

  const speed = (bodies.vx[a]! - bodies.vx[b]!) * nx + (bodies.vy[a]! - bodies.vy[b]!) * ny;
  if (speed <= 0) return;
  const push = BOUNCE * speed;
  const toA = push * share * (!isBall && isRamming(world, b) ? RAM : 1);
  const toB = push * (1 - share) * (isRamming(world, a) ? RAM : 1);
  bodies.vx[a]! -= nx * toA;
  bodies.vy[a]! -= ny * toA;
  bodies.vx[b]! += nx * toB;
  bodies.vy[b]! += ny * toB;
  // Whoever gave the ball its speed is to blame for what it does.
  blame(world, a, isBall ? bodies.pusher[BALL]! : b + 1);
  blame(world, b, a + 1);
  if (speed > HIT_SPEED)
    emit("hit", { x: bodies.x[a]! + nx * PLAYER_RADIUS, y: bodies.y[a]! + ny * PLAYER_RADIUS, speed });
}

const isRamming = ({ players }: RingWorld, seat: number): boolean =>
  players.rest[seat]! > DASH_TICKS - RAM_TICKS;

function blame({ bodies }: RingWorld, body: number, pusher: number): void {
  if (pusher === 0 || pusher === body + 1) return;
  bodies.pusher[body] = pusher;
  bodies.blame[body] = BLAME_TICKS;
}

/** A player whose center is outside of the ring falls. Whoever pushed it last gets a point. */
function checkFall({ bodies, players }: RingWorld, seat: number, emit: EmitEffect): void {
  const x = bodies.x[seat]!;
  const y = bodies.y[seat]!;
  if (x * x + y * y <= ARENA_RADIUS * ARENA_RADIUS) return;
  const by = bodies.pusher[seat]!;
  players.away[seat] = AWAY_TICKS;
  players.falls[seat]! += 1;
  if (by > 0) players.points[by - 1]! += 1;
  emit("out", { x, y, seat, by });
}

/** The ball bounces off the edge. */
function bounceBall({ bodies: { x, y, vx, vy } }: RingWorld): void {
  const distance = Math.sqrt(x[BALL]! * x[BALL]! + y[BALL]! * y[BALL]!);
  const room = ARENA_RADIUS - BALL_RADIUS;
  if (distance <= room) return;
  const nx = x[BALL]! / distance;
  const ny = y[BALL]! / distance;
  x[BALL] = nx * room;
  y[BALL] = ny * room;
  const speed = vx[BALL]! * nx + vy[BALL]! * ny;
  if (speed <= 0) return;
  vx[BALL]! -= 2 * speed * nx;
  vy[BALL]! -= 2 * speed * ny;
}

/** Ticks for which a bot keeps its direction. */
const BOT_TICKS = 9;
/** How far from the center bots dare to go, and from how far they dash. */
const BOT_EDGE = 0.86 * ARENA_RADIUS;
const BOT_DASH = 95;

/** Whether a bot chooses a direction in this tick. In others it keeps the last one, as people do. Each has its own ticks. */
export const isThinking = (seat: number, tick: number): boolean => (tick + 5 * seat) % BOT_TICKS === 0;

/** Plays a seat: stays off the edge, goes for the nearest player or the ball, and dashes at it. Depends only on the state and the tick. */
export function playBot(player: Player, seat: number, tick: number, { bodies, players }: RingView): void {
  const { x, y } = bodies;
  player.dash = false;
  player.x = players.aimX[seat]!;
  player.y = players.aimY[seat]!;
  if (!isThinking(seat, tick)) return;
  const ownX = x[seat]!;
  const ownY = y[seat]!;
  // Where it will be soon.
  const soonX = ownX + 0.25 * bodies.vx[seat]!;
  const soonY = ownY + 0.25 * bodies.vy[seat]!;
  let toX = -ownX;
  let toY = -ownY;
  if (soonX * soonX + soonY * soonY < BOT_EDGE * BOT_EDGE) {
    let nearest = Infinity;
    // Who is the victim changes every two seconds. The ball is one of them.
    const favourite = (seat + 1 + Math.floor(tick / 120)) % (SEATS + 1);
    for (let body = 0; body <= BALL; body++) {
      if (body === seat || (body !== BALL && players.away[body]! > 0)) continue;
      const dx = x[body]! - ownX;
      const dy = y[body]! - ownY;
      const square = (dx * dx + dy * dy) * (body === favourite ? 0.2 : 1);
      if (square >= nearest) continue;
      nearest = square;
      toX = dx;
      toY = dy;
    }
    player.dash = toX * toX + toY * toY < BOT_DASH * BOT_DASH;
  }
  player.x = wayOf(toX, toY);
  player.y = wayOf(toY, toX);
}

/** Returns the nearest of eight directions along one axis: -1, 0 or 1. */
const wayOf = (along: number, across: number): number =>
  Math.abs(along) > 0.4 * Math.abs(across) ? Math.sign(along) : 0;

/** Everyone moves and dashes at random. */
export function arenaScript(players: readonly Player[], tick: number): void {
  players.forEach((player, seat) => {
    const way = diceAt(4 * seat, tick, 14 + seat);
    player.x = way.int(-1, 1);
    player.y = way.int(-1, 1);
    player.dash = diceAt(4 * seat + 1, tick, 5).chance(0.2);
  });
}
