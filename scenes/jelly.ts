/** Masses of a jelly: columns and rows. */
export const COLUMNS = 9;
export const ROWS = 7;
const COUNT = COLUMNS * ROWS;

/** Metres between two masses, and of the room. The floor is at 0. Only a torn jelly reaches the walls and the ceiling. */
const GAP = 0.15;
export const ROOM = 1.9;
const CEILING = 1.45;

const GRAVITY = -4;
/** Stiffness and damping of the springs, for masses of 1 kg. As stiff as steps of 1/60 s allow with some reserve. */
const STIFFNESS = 700;
const DAMPING = 2;
/** The largest force of a spring in newtons: a jelly is not made of steel. */
const MAX_FORCE = 200;
/** Seconds between two hops, and their speed in metres per second. */
const HOP_EVERY = 1.6;
const HOP = 2;

/** A soft body: masses in a grid, and springs between neighbours. */
export interface Jelly {
  /** x and y of each mass, row by row from below. */
  readonly place: Float64Array;
  readonly velocity: Float64Array;
  /** Seconds until the next hop. */
  hopIn: number;
}

/** Springs: two masses, and the length at rest. */
const SPRINGS: readonly (readonly [number, number, number])[] = (() => {
  const springs: [number, number, number][] = [];
  const add = (column: number, row: number, right: number, up: number) => {
    const [otherColumn, otherRow] = [column + right, row + up];
    if (otherColumn < 0 || otherColumn >= COLUMNS || otherRow >= ROWS) return;
    springs.push([
      row * COLUMNS + column,
      otherRow * COLUMNS + otherColumn,
      GAP * Math.sqrt(right * right + up * up),
    ]);
  };
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++) {
      add(column, row, 1, 0);
      add(column, row, 0, 1);
      add(column, row, 1, 1);
      add(column, row, -1, 1);
      // These keep it from folding.
      add(column, row, 2, 0);
      add(column, row, 0, 2);
    }
  return springs;
})();

export function jelly(): Jelly {
  const place = new Float64Array(2 * COUNT);
  for (let i = 0; i < COUNT; i++) {
    place[2 * i] = (ROOM - (COLUMNS - 1) * GAP) / 2 + (i % COLUMNS) * GAP;
    place[2 * i + 1] = Math.floor(i / COLUMNS) * GAP;
  }
  return { place, velocity: new Float64Array(2 * COUNT), hopIn: 0.4 };
}

const forces = new Float64Array(2 * COUNT);

/** One step of semi-implicit Euler: what most games do. */
export function stepJelly(body: Jelly, dt: number): void {
  const { place, velocity } = body;
  forces.fill(0);
  for (const [a, b, rest] of SPRINGS) {
    const dx = place[2 * b]! - place[2 * a]!;
    const dy = place[2 * b + 1]! - place[2 * a + 1]!;
    const length = Math.sqrt(dx * dx + dy * dy) || 1e-9;
    const [nx, ny] = [dx / length, dy / length];
    const closing =
      (velocity[2 * b]! - velocity[2 * a]!) * nx + (velocity[2 * b + 1]! - velocity[2 * a + 1]!) * ny;
    const pull = STIFFNESS * (length - rest) + DAMPING * closing;
    const force = Math.min(MAX_FORCE, Math.max(-MAX_FORCE, pull));
    forces[2 * a]! += force * nx;
    forces[2 * a + 1]! += force * ny;
    forces[2 * b]! -= force * nx;
    forces[2 * b + 1]! -= force * ny;
  }
  body.hopIn -= dt;
  // It pushes itself off the floor, straight up. In the air it waits, so that hops do not add up.
  const hops = body.hopIn <= 0 && place.some((y, i) => i % 2 === 1 && y === 0);
  if (hops) body.hopIn = HOP_EVERY;
  for (let i = 0; i < 2 * COUNT; i += 2) {
    velocity[i]! += forces[i]! * dt;
    velocity[i + 1]! += (forces[i + 1]! + GRAVITY) * dt;
    if (hops) {
      velocity[i] = 0;
      velocity[i + 1] = HOP * (1 - (0.35 * Math.floor(i / 2 / COLUMNS)) / ROWS);
    }
    place[i]! += velocity[i]! * dt;
    place[i + 1]! += velocity[i + 1]! * dt;
    // The floor: no bounce, and friction.
    if (place[i + 1]! < 0) {
      place[i + 1] = 0;
      velocity[i + 1] = Math.max(0, velocity[i + 1]!);
      velocity[i]! *= 0.7;
    }
    // The walls and the ceiling: no bounce.
    if (place[i]! < 0 || place[i]! > ROOM) {
      place[i] = Math.min(ROOM, Math.max(0, place[i]!));
      velocity[i] = 0;
    }
    if (place[i + 1]! > CEILING) {
      place[i + 1] = CEILING;
      velocity[i + 1] = 0;
    }
  }
}

/** How far the springs are from their rest, on average, as a share of it. Above 1, the body is no longer one. */
export function strainOf({ place }: Jelly): number {
  let sum = 0;
  for (const [a, b, rest] of SPRINGS) {
    const dx = place[2 * b]! - place[2 * a]!;
    const dy = place[2 * b + 1]! - place[2 * a + 1]!;
    sum += Math.abs(Math.sqrt(dx * dx + dy * dy) - rest) / rest;
  }
  return sum / SPRINGS.length;
}
