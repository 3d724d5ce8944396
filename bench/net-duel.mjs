// The game that all contenders of the net bench play, its inputs, and what is measured about a peer.
import { source } from "./net-source.mjs";

const { random } = source;

export const RATE = 60;
export const TICK_MS = 1000 / RATE;
/** A peer is frozen if it makes no progress for this many milliseconds although packets arrive. */
const FREEZE_MS = 1000;

/** Returns the inputs of both players by tick, a byte each: a button changes in one of eight ticks, 7.5 times per second. */
export function inputsOf(seed, ticks) {
  return [0, 1].map((player) => {
    const dice = random(new Uint32Array(4)).seed(`inputs ${seed} of ${player}`);
    const bytes = new Uint8Array(ticks);
    for (let tick = 0, held = 0; tick < ticks; tick++) {
      if (dice.chance(1 / 8)) held ^= 1 << dice.below(8);
      bytes[tick] = held;
    }
    return bytes;
  });
}

/** The positions and speeds of two players, and how often they met. */
export const START = { x0: 100, y0: 100, vx0: 0, vy0: 0, x1: 500, y1: 300, vx1: 0, vy1: 0, meetings: 0 };

/** One tick of the game, for contenders that have no declared state. `world` has the fields of `START`. */
export function stepDuel(world, first, second) {
  world.vx0 = 0.9 * world.vx0 + steer(first, 0) + steer(first, 4) / 8;
  world.vy0 = 0.9 * world.vy0 + steer(first, 2) + steer(first, 6) / 8;
  world.vx1 = 0.9 * world.vx1 + steer(second, 0) + steer(second, 4) / 8;
  world.vy1 = 0.9 * world.vy1 + steer(second, 2) + steer(second, 6) / 8;
  world.x0 = wrap(world.x0 + world.vx0);
  world.y0 = wrap(world.y0 + world.vy0);
  world.x1 = wrap(world.x1 + world.vx1);
  world.y1 = wrap(world.y1 + world.vy1);
  if (Math.abs(world.x0 - world.x1) + Math.abs(world.y0 - world.y1) > 60) return;
  world.meetings++;
  const { vx0, vy0 } = world;
  world.vx0 = world.vx1 - 1;
  world.vy0 = world.vy1;
  world.vx1 = vx0 + 1;
  world.vy1 = vy0;
}

const steer = (buttons, bit) => ((buttons >> bit) & 1) - ((buttons >> (bit + 1)) & 1);
const wrap = (value) => (value < 0 ? value + 600 : value >= 600 ? value - 600 : value);

/** Counts what happens to one peer of a game. */
export class PeerMeter {
  #now;
  #tick = 0;
  #progressAt = 0;
  #packetsAtProgress = 0;
  #isFrozen = false;
  #packets = 0;
  /** Turns of the loop, and those that could not step. */
  turns = 0;
  stalled = 0;
  /** Turns with a time scale of exactly 1. */
  scaleOne = 0;
  /** How often the peer froze, and when first, in seconds. */
  frozen = 0;
  frozenAt = Infinity;
  sent = 0;
  sentBytes = 0;
  /** The hash of each tick that the peer was certain of. */
  hashes = [];

  constructor(link, now, isCounted = () => true) {
    this.#now = now;
    this.#progressAt = now();
    link.on("message", () => this.#packets++);
    const send = link.send.bind(link);
    link.send = (bytes, reliable) => {
      if (isCounted(reliable)) {
        this.sent++;
        this.sentBytes += bytes.length;
      }
      send(bytes, reliable);
    };
  }

  /** Starts to count. */
  start(tick) {
    this.turns = this.stalled = this.scaleOne = this.frozen = this.sent = this.sentBytes = 0;
    this.#tick = tick;
    this.#progressAt = this.#now();
  }

  /** Counts a turn of the loop, after which the peer is at `tick`. */
  turn(tick, isScaleOne = true) {
    this.turns++;
    if (isScaleOne) this.scaleOne++;
    const now = this.#now();
    if (tick !== this.#tick) {
      this.#tick = tick;
      this.#progressAt = now;
      this.#packetsAtProgress = this.#packets;
      this.#isFrozen = false;
      return;
    }
    this.stalled++;
    const isSilent = this.#packets === this.#packetsAtProgress;
    if (this.#isFrozen || isSilent || now - this.#progressAt < FREEZE_MS) return;
    this.#isFrozen = true;
    this.frozen++;
    this.frozenAt = Math.min(this.frozenAt, this.#progressAt / 1000);
  }
}

/** Returns the number of ticks that both peers were certain of, but with different hashes. */
export function differentTicks(a, b, minTicks) {
  const ticks = Math.min(a.hashes.length, b.hashes.length);
  if (ticks < minTicks)
    throw new Error(`only ${ticks} ticks were confirmed by both, and ${minTicks} expected`);
  let different = 0;
  for (let tick = 0; tick < ticks; tick++) if (a.hashes[tick] !== b.hashes[tick]) different++;
  return different;
}
