// Draws the game on a canvas. It only reads the world, which is already blended for the moment of the frame.
import type { EffectOf, ViewOf } from "tickwise/sim";
import { FIELD, SHIP_RADIUS, STAR_RADIUS, type game } from "./game.ts";

const COLOURS = ["#ffb454", "#59c2ff"];
const TRAIL = 24; // frames
const BURST = 0.6; // seconds

/** A ship of size 1 that points to the right. */
const HULL = new Path2D("M 1 0 L -0.8 0.75 L -0.4 0 L -0.8 -0.75 Z");
/** A star of size 1: ten corners, on two circles. */
const STAR = new Path2D(
  `M ${Array.from({ length: 10 }, (_, i) => {
    const [angle, radius] = [(i * Math.PI) / 5, i % 2 === 0 ? 1 : 0.45];
    return `${radius * Math.sin(angle)} ${-radius * Math.cos(angle)}`;
  }).join(" L ")} Z`,
);

export class View {
  readonly #canvas: HTMLCanvasElement;
  readonly #pen: CanvasRenderingContext2D;
  readonly #trails: { x: number; y: number }[][] = COLOURS.map(() => []);
  #bursts: { x: number; y: number; colour: string; age: number }[] = [];
  #time = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#pen = canvas.getContext("2d")!;
  }

  /** Shows what happened in a step. */
  effect({ seat, x, y, age }: EffectOf<typeof game>): void {
    this.#bursts.push({ x, y, colour: COLOURS[seat]!, age });
  }

  /** Draws a frame, `delta` seconds after the last one. `own` is the seat of the player at this screen. */
  draw({ ships, star }: ViewOf<typeof game>, own: number | undefined, delta: number): void {
    this.#time += delta;
    this.#fit();
    this.#background();
    this.#drawBursts(delta);

    const size = STAR_RADIUS * (1 + 0.08 * Math.sin(5 * this.#time));
    this.#shape(STAR, "#fff3c4", star.x, star.y, size, 0.5 * this.#time);
    for (const { row, x, y, heading, pause } of ships) {
      const colour = COLOURS[row]!;
      this.#drawTrail(this.#trails[row]!, x, y, colour);
      this.#pen.globalAlpha = pause > 0 ? 0.75 : 1;
      this.#shape(HULL, colour, x, y, SHIP_RADIUS, heading);
      this.#pen.globalAlpha = 1;
      if (row === own) this.#ring(x, y, 1.7 * SHIP_RADIUS, colour, 0.4);
    }
  }

  /** Scales the field to the window. */
  #fit(): void {
    const { clientWidth, clientHeight } = this.#canvas;
    const [width, height] = [clientWidth * devicePixelRatio, clientHeight * devicePixelRatio].map(Math.round);
    if (this.#canvas.width !== width || this.#canvas.height !== height)
      Object.assign(this.#canvas, { width, height });
    const scale = Math.min(
      this.#canvas.width / (FIELD.width + 0.2),
      this.#canvas.height / (FIELD.height + 0.2),
    );
    this.#pen.setTransform(scale, 0, 0, scale, this.#canvas.width / 2, this.#canvas.height / 2);
  }

  #background(): void {
    const pen = this.#pen;
    const [right, bottom] = [FIELD.width / 2, FIELD.height / 2];
    pen.save();
    pen.resetTransform();
    pen.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    pen.restore();

    const glow = pen.createRadialGradient(0, 0, 0, 0, 0, right);
    glow.addColorStop(0, "#1d2745");
    glow.addColorStop(1, "#10162b");
    pen.fillStyle = glow;
    pen.fillRect(-right, -bottom, 2 * right, 2 * bottom);
    pen.beginPath();
    for (let x = 1 - right; x < right; x++) pen.rect(x, -bottom, 0, 2 * bottom);
    for (let y = 1 - bottom; y < bottom; y++) pen.rect(-right, y, 2 * right, 0);
    pen.strokeStyle = "#2b3860";
    pen.lineWidth = 0.015;
    pen.stroke();
    pen.lineWidth = 0.05;
    pen.strokeRect(-right, -bottom, 2 * right, 2 * bottom);
  }

  #shape(path: Path2D, colour: string, x: number, y: number, size: number, angle: number): void {
    const pen = this.#pen;
    pen.save();
    pen.translate(x, y);
    pen.rotate(angle);
    pen.scale(size, size);
    pen.fillStyle = pen.shadowColor = colour;
    pen.shadowBlur = 20 * devicePixelRatio;
    pen.fill(path);
    pen.restore();
  }

  #drawTrail(trail: { x: number; y: number }[], x: number, y: number, colour: string): void {
    trail.push({ x, y });
    if (trail.length > TRAIL) trail.shift();
    const pen = this.#pen;
    pen.fillStyle = colour;
    for (const [i, point] of trail.entries()) {
      const share = i / TRAIL;
      pen.globalAlpha = 0.25 * share;
      pen.beginPath();
      pen.arc(point.x, point.y, 0.6 * SHIP_RADIUS * share, 0, 2 * Math.PI);
      pen.fill();
    }
    pen.globalAlpha = 1;
  }

  #drawBursts(delta: number): void {
    for (const { x, y, colour, age } of this.#bursts)
      this.#ring(x, y, STAR_RADIUS + 3 * age, colour, 1 - age / BURST);
    for (const burst of this.#bursts) burst.age += delta;
    this.#bursts = this.#bursts.filter(({ age }) => age < BURST);
  }

  #ring(x: number, y: number, radius: number, colour: string, alpha: number): void {
    const pen = this.#pen;
    pen.globalAlpha = Math.max(0, alpha);
    pen.strokeStyle = colour;
    pen.lineWidth = 0.06;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.stroke();
    pen.globalAlpha = 1;
  }
}
