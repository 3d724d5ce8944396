import { Drawing } from "../../canvas.js";
import { prefersReducedMotion } from "../../experiment.js";
import { colour } from "../../theme/colours.js";
import type { GameEffect, GameWorld } from "../playthrough.js";
import { paintBackdrop } from "./backdrop.js";
import { Camera } from "./camera.js";
import { paintCharacter } from "./character.js";
import { paintCoins } from "./coins.js";
import { Particles } from "./particles.js";
import { paintTerrain } from "./terrain.js";

/** The label in the corner of the picture. */
export type Badge = "" | "◀◀ rewind" | "▶ replay" | "■ replay ended";

/** The game's picture. */
export class Stage extends Drawing {
  badge: Badge = "";
  readonly #camera = new Camera();
  readonly #particles = new Particles();
  #view: GameWorld | undefined;
  #time = 0;

  constructor() {
    super("scene", "The game: a character runs and jumps through a level with coins and platforms");
  }

  /** Draws a state. `time` is its simulated time, `seconds` the virtual time since the last frame. */
  draw(view: GameWorld, time: number, seconds: number): void {
    this.#view = view;
    this.#time = time;
    this.#camera.follow(view, seconds);
    this.#particles.advance(seconds);
    this.repaint();
  }

  show(effect: GameEffect): void {
    if (!prefersReducedMotion()) this.#particles.add(effect);
  }

  /** Removes all particles, after the game has moved to another tick. */
  clear(): void {
    this.#particles.clear();
  }

  protected override paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const view = this.#view;
    if (!view) return;
    const scale = this.#camera.frame(width, height);
    const { left, top } = this.#camera;
    context.save();
    context.scale(scale, scale);
    context.translate(0, -top);
    paintBackdrop(context, left, width / scale);
    context.translate(-left, 0);
    paintTerrain(context, view, this.#time);
    paintCoins(context, view, this.#time);
    paintCharacter(context, view);
    this.#particles.paint(context);
    context.restore();
    if (this.badge) this.#paintBadge(context, width, height);
  }

  #paintBadge(context: CanvasRenderingContext2D, width: number, height: number): void {
    const isBack = this.badge === "◀◀ rewind";
    const tint = colour(isBack ? "ring" : "ball");
    if (isBack) {
      context.fillStyle = tint;
      context.globalAlpha = 0.12;
      context.fillRect(0, 0, width, height);
      context.globalAlpha = 0.1;
      for (let y = 0; y < height; y += 4) context.fillRect(0, y, width, 1);
      context.globalAlpha = 1;
    }
    context.font = "600 13px system-ui, sans-serif";
    const long = context.measureText(this.badge).width;
    context.fillStyle = tint;
    context.beginPath();
    context.roundRect(10, 10, long + 16, 24, 6);
    context.fill();
    context.fillStyle = colour("surface");
    context.fillText(this.badge, 18, 26.5);
  }
}
