import type { ColourName } from "../../theme/colours.js";

/** A particle: where it started and how fast, and for how long it has been flying. */
export interface Particle {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
  /** Seconds. */
  age: number;
  readonly life: number;
  readonly colour: ColourName;
}

const GRAVITY = 260;
const MAX_PARTICLES = 200;

/** Moves particles by their age. One that starts with an age is where it would be if it had been there all the time. */
export class ParticleMotion {
  #all: Particle[] = [];
  /** Particles of the next frame. Their age is that frame's already. */
  #fresh: Particle[] = [];

  /** The particles to draw. */
  get all(): readonly Particle[] {
    return this.#all;
  }

  add(particle: Particle): void {
    if (this.#all.length + this.#fresh.length < MAX_PARTICLES) this.#fresh.push(particle);
  }

  /** Begins a frame, `seconds` after the last one. */
  advance(seconds: number): void {
    for (const particle of this.#all) particle.age += seconds;
    this.#all.push(...this.#fresh.splice(0));
    this.#all = this.#all.filter(({ age, life }) => age < life);
  }

  clear(): void {
    this.#all = [];
    this.#fresh = [];
  }
}

/** Where a particle is now. */
export function positionOf({ x, y, vx, vy, age }: Particle): readonly [x: number, y: number] {
  return [x + vx * age, y + vy * age + (GRAVITY / 2) * age * age];
}
