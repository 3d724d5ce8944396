import { axis, button, int, simulation, type Emit, type InputValues } from "../src/sim/index.js";
import { f64, layout, skipBlend, table, trail, u16, u8, type Row, type World } from "../src/state/index.js";
import { diceAt } from "./scene.js";

/** In pixels. The field reaches from -FIELD to FIELD, on both axes. */
export const FIELD = 250;
const PLAYER_RADIUS = 14;
const SEATS = 4;
/** Pixels per second. */
const SPEED = 220;
/** Hits until a player respawns, and ticks between two shots. */
export const LIVES = 3;
const RELOAD_TICKS = 10;

/** How far back a shot may be judged, in ticks: 250 ms. Whoever has more latency than that must aim ahead. */
export const MAX_AGO = 15;
/** The picture is between two ticks, so its age travels in fractions of a tick. */
export const AGO_STEPS = 8;

const Range = layout({
  /** One row per seat. */
  players: table(SEATS, {
    x: f64.lerp,
    y: f64.lerp,
    /** Where the player was in the last ticks. */
    past: trail(MAX_AGO + 1, { x: f64, y: f64 }),
    lives: u8,
    /** Ticks until the next shot. */
    reload: u8,
    hits: u16,
    deaths: u16,
  }),
});
type RangeWorld = World<(typeof Range)["fields"]>;
type RangePlayer = Row<(typeof Range)["fields"]["players"]["row"]>;

const SHOOTER_INPUT = {
  x: axis(2),
  y: axis(2),
  fire: button,
  /** The point under the crosshair. */
  aimX: int(-FIELD, FIELD),
  aimY: int(-FIELD, FIELD),
  /** How old the picture was that the player aimed at, in steps of 1 / AGO_STEPS ticks: see `agoInput`. */
  ago: int(0, MAX_AGO * AGO_STEPS),
};
type Player = InputValues<typeof SHOOTER_INPUT>;

const EFFECTS = {
  shot: { x: f64, y: f64, toX: f64, toY: f64, seat: u8 },
  hit: { x: f64, y: f64, seat: u8, by: u8 },
};

/** Returns the input `ago` for a picture of the tick `shown`, which may be a fraction, and a shot in `tick`. */
export function agoInput(tick: number, shown: number): number {
  return Math.max(0, Math.min(MAX_AGO * AGO_STEPS, Math.round((tick - shown) * AGO_STEPS)));
}

/**
 * Four players shoot at each other, and hits favour the shooter: a shot hits what was under the crosshair on the shooter's
 * screen. Others are drawn a few ticks late, so the step looks up in their trails where they were then.
 */
export const shooter = simulation({
  name: "shooter",
  version: 1,
  rate: 60,
  players: SEATS,
  state: Range,
  input: SHOOTER_INPUT,
  effects: EFFECTS,
  init(world) {
    for (let seat = 0; seat < SEATS; seat++) {
      const player = world.players.get(world.players.add())!;
      enter(player);
      player.past.push(player);
    }
  },
  step(world, inputs, { dt, emit }) {
    // Shots come first: the last push, of the previous step, is the state that a picture of this tick shows.
    for (const player of world.players) {
      const { fire, aimX, aimY, ago, pressed } = inputs[player.row]!;
      if (player.reload > 0) player.reload -= 1;
      else if (fire && pressed.fire) shoot(world, player, aimX, aimY, ago / AGO_STEPS, emit);
    }
    for (const player of world.players) {
      const { x, y } = inputs[player.row]!;
      player.x = inField(player.x + SPEED * x * dt);
      player.y = inField(player.y + SPEED * y * dt);
      player.past.push(player);
    }
  },
});

const inField = (x: number): number => Math.max(-FIELD, Math.min(FIELD, x));

const seen = { x: 0, y: 0 };

/** Hits the first player on the line through the crosshair, as they were `ago` ticks before. */
function shoot(
  { players }: RangeWorld,
  player: RangePlayer,
  aimX: number,
  aimY: number,
  ago: number,
  emit: Emit<typeof EFFECTS>,
): void {
  player.reload = RELOAD_TICKS;
  let nearest = Infinity;
  let victim: RangePlayer | undefined;
  for (const other of players) {
    // A player that respawned since then was not there.
    if (other.row === player.row || ago > other.past.count - 1) continue;
    other.past.read(ago, seen);
    const distance = hitDistance(player.x, player.y, aimX, aimY, seen.x, seen.y);
    if (distance >= nearest) continue;
    nearest = distance;
    victim = players.get(other.id);
  }
  emit("shot", { x: player.x, y: player.y, toX: aimX, toY: aimY, seat: player.row });
  if (!victim) return;
  player.hits += 1;
  emit("hit", { x: victim.x, y: victim.y, seat: victim.row, by: player.row });
  victim.lives -= 1;
  if (victim.lives > 0) return;
  victim.deaths += 1;
  enter(victim);
}

/**
 * Returns how far a shot from one point through another goes until it hits a player at a third, or Infinity if it misses. A
 * player under the crosshair is always hit, wherever the shot comes from.
 */
export function hitDistance(
  fromX: number,
  fromY: number,
  aimX: number,
  aimY: number,
  x: number,
  y: number,
): number {
  const dx = aimX - fromX;
  const dy = aimY - fromY;
  const length = Math.sqrt(dx * dx + dy * dy);
  if (length === 0) return Infinity;
  const along = ((x - fromX) * dx + (y - fromY) * dy) / length;
  const across = ((x - fromX) * dy - (y - fromY) * dx) / length;
  if (along < 0 || Math.abs(across) > PLAYER_RADIUS) return Infinity;
  return along;
}

/** Puts a player into its corner. */
function enter(player: RangePlayer): void {
  player.x = (player.row % 2 === 0 ? -0.7 : 0.7) * FIELD;
  player.y = (player.row < 2 ? -0.7 : 0.7) * FIELD;
  player.lives = LIVES;
  // Nobody saw the way there.
  player.past.clear();
  skipBlend(player);
}

/** Everyone moves at random, and shoots at random points in pictures of random age. */
export function shooterScript(players: readonly Player[], tick: number): void {
  players.forEach((player, seat) => {
    const way = diceAt(4 * seat, tick, 14 + seat);
    player.x = way.int(-1, 1);
    player.y = way.int(-1, 1);
    const aim = diceAt(4 * seat + 1, tick, 3);
    player.fire = aim.chance(0.5);
    player.aimX = aim.int(-FIELD, FIELD);
    player.aimY = aim.int(-FIELD, FIELD);
    player.ago = aim.int(0, MAX_AGO * AGO_STEPS);
  });
}
