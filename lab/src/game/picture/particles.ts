import { HALF_HEIGHT } from "../../../../scenes/character.js";
import { colour, type ColourName } from "../../theme/colours.js";
import type { GameEffect } from "../playthrough.js";

interface Particle {
  x: number;
  y: number;
  vx: number;
  vy: number;
  /** Seconds left to live, and total lifetime. */
  left: number;
  readonly life: number;
  readonly colour: ColourName;
}

/** The particles of an effect. */
interface Burst {
  readonly colour: ColourName;
  readonly count: number;
  readonly speed: number;
  readonly life: number;
  /** Starts at the feet and flies sideways. */
  readonly isDust?: boolean;
}

const BURSTS: Readonly<Record<GameEffect["name"], Burst>> = {
  jump: { colour: "muted", count: 6, speed: 40, life: 0.3, isDust: true },
  land: { colour: "muted", count: 8, speed: 55, life: 0.35, isDust: true },
  coin: { colour: "coin", count: 10, speed: 90, life: 0.45 },
  fall: { colour: "bad", count: 16, speed: 130, life: 0.6 },
  flag: { colour: "good", count: 14, speed: 110, life: 0.7 },
  exit: { colour: "coin", count: 28, speed: 160, life: 0.9 },
};
const GRAVITY = 260;
const MAX_PARTICLES = 200;

/** Particles shown after an effect. They are not part of the state, so Math.random is fine here. */
export class Particles {
  #all: Particle[] = [];

  add({ name, x, y }: GameEffect): void {
    const { colour: of, count, speed, life, isDust = false } = BURSTS[name];
    for (let i = 0; i < count && this.#all.length < MAX_PARTICLES; i++) {
      const angle = isDust ? -Math.PI * (i % 2) : 2 * Math.PI * Math.random();
      const fast = speed * (0.4 + 0.6 * Math.random());
      this.#all.push({
        x,
        y: isDust ? y + HALF_HEIGHT - 1 : y,
        vx: fast * Math.cos(angle),
        vy: isDust ? -0.4 * fast * Math.random() : fast * Math.sin(angle) - 30,
        left: life,
        life,
        colour: of,
      });
    }
  }

  advance(seconds: number): void {
    for (const particle of this.#all) {
      particle.left -= seconds;
      particle.vy += GRAVITY * seconds;
      particle.x += particle.vx * seconds;
      particle.y += particle.vy * seconds;
    }
    this.#all = this.#all.filter(({ left }) => left > 0);
  }

  clear(): void {
    this.#all = [];
  }

  paint(context: CanvasRenderingContext2D): void {
    for (const { x, y, left, life, colour: of } of this.#all) {
      context.globalAlpha = left / life;
      context.fillStyle = colour(of);
      const size = 1 + 1.6 * (left / life);
      context.fillRect(x - size / 2, y - size / 2, size, size);
    }
    context.globalAlpha = 1;
  }
}
