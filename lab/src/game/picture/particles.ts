import { HALF_HEIGHT } from "../../../../scenes/character.js";
import { colour, type ColourName } from "../../theme/colours.js";
import type { GameEffect } from "../playthrough.js";
import { ParticleMotion, positionOf } from "./particle-motion.js";

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
  flag: { colour: "turf", count: 14, speed: 110, life: 0.7 },
  exit: { colour: "coin", count: 28, speed: 160, life: 0.9 },
};
/** Particles shown after an effect. They are not part of the state, so Math.random is fine here. */
export class Particles {
  readonly #motion = new ParticleMotion();

  /** Starts the particles of an effect, at the age that the effect has in the next picture. */
  add({ name, x, y, age }: GameEffect): void {
    const { colour: of, count, speed, life, isDust = false } = BURSTS[name];
    for (let i = 0; i < count; i++) {
      const angle = isDust ? -Math.PI * (i % 2) : 2 * Math.PI * Math.random();
      const fast = speed * (0.4 + 0.6 * Math.random());
      this.#motion.add({
        x,
        y: isDust ? y + HALF_HEIGHT - 1 : y,
        vx: fast * Math.cos(angle),
        vy: isDust ? -0.4 * fast * Math.random() : fast * Math.sin(angle) - 30,
        age,
        life,
        colour: of,
      });
    }
  }

  advance(seconds: number): void {
    this.#motion.advance(seconds);
  }

  clear(): void {
    this.#motion.clear();
  }

  paint(context: CanvasRenderingContext2D): void {
    for (const particle of this.#motion.all) {
      const [x, y] = positionOf(particle);
      const left = 1 - particle.age / particle.life;
      context.globalAlpha = left;
      context.fillStyle = colour(particle.colour);
      const size = 1 + 1.6 * left;
      context.fillRect(x - size / 2, y - size / 2, size, size);
    }
    context.globalAlpha = 1;
  }
}
