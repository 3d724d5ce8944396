import { SEATS } from "../../../scenes/arena.js";
import type { ViewOf } from "../../../scenes/index.js";
import { Drawing } from "../canvas.js";
import { prefersReducedMotion } from "../experiment.js";
import { fitArena, paintArena, SEAT_COLOURS } from "../scenes/arena.js";
import { disc } from "../scenes/shapes.js";
import { colour } from "../theme/colours.js";
import { EFFECT_TIME, type ShownEffect } from "./shown-effects.js";

/** What an arena canvas shows. */
export interface ArenaPicture {
  readonly view: ViewOf<"arena">;
  readonly effects: readonly ShownEffect[];
  /** The time of the picture, in milliseconds on the clock of the effects. */
  readonly now: number;
  /** A text over the picture, such as why it stands still; "" for none. */
  readonly banner: string;
}

/** Shows the arena with its effects and the score. */
export class ArenaCanvas extends Drawing {
  /** The seat to highlight, or -1. */
  own = -1;
  #picture: ArenaPicture | undefined;

  constructor(label: string) {
    super("scene", label);
  }

  draw(picture: ArenaPicture): void {
    this.#picture = picture;
    this.repaint();
  }

  protected override paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    if (!this.#picture) return;
    const { view, effects, now, banner } = this.#picture;
    paintArena(context, width, height, view, this.own);
    fitArena(context, width, height);
    for (const effect of effects) paintEffect(context, effect, Math.min(1, (now - effect.at) / EFFECT_TIME));
    context.restore();
    paintScore(context, view.players.points);
    if (banner) paintBanner(context, width, height, banner);
  }
}

function paintEffect(
  context: CanvasRenderingContext2D,
  { effect, isWithdrawn }: ShownEffect,
  age: number,
): void {
  const { x, y } = effect;
  context.globalAlpha = 1 - age;
  if (isWithdrawn) {
    context.strokeStyle = colour("bad");
    context.lineWidth = 4;
    context.beginPath();
    for (const side of [-1, 1]) {
      context.moveTo(x - 9, y - 9 * side);
      context.lineTo(x + 9, y + 9 * side);
    }
    context.stroke();
  } else if (effect.name === "out") {
    const by = effect.by - 1;
    context.fillStyle = colour(SEAT_COLOURS[by < 0 ? effect.seat : by]!);
    context.font = "700 26px system-ui, sans-serif";
    context.textAlign = "center";
    // Towards the center, so that it is never cut off.
    context.fillText(by < 0 ? "out" : `+1`, 0.9 * x, 0.9 * y - (prefersReducedMotion() ? 0 : 24 * age));
  } else {
    context.strokeStyle = colour(effect.name === "dash" ? SEAT_COLOURS[effect.seat]! : "ink");
    context.lineWidth = 3;
    context.beginPath();
    disc(context, x, y, prefersReducedMotion() ? 16 : 6 + 26 * age);
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** Paints the points of all seats in the corner. */
function paintScore(context: CanvasRenderingContext2D, points: ArrayLike<number>): void {
  context.font = "600 14px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (let seat = 0; seat < SEATS; seat++) {
    const y = 12 + 20 * seat;
    context.fillStyle = colour(SEAT_COLOURS[seat]!);
    context.beginPath();
    disc(context, 10, y, 8);
    context.fill();
    context.fillStyle = colour("surface");
    context.font = "700 11px system-ui, sans-serif";
    context.textAlign = "center";
    context.fillText(String(seat + 1), 10, y + 0.5);
    context.fillStyle = colour("ink");
    context.font = "600 14px system-ui, sans-serif";
    context.textAlign = "left";
    context.fillText(String(points[seat]), 24, y + 0.5);
  }
}

/** Paints a text over a picture, such as why it stands still. */
export function paintBanner(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  text: string,
): void {
  context.font = "600 13px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  const long = context.measureText(text).width + 24;
  context.fillStyle = colour("ink");
  context.globalAlpha = 0.85;
  context.beginPath();
  context.roundRect((width - long) / 2, height / 2 - 15, long, 30, 6);
  context.fill();
  context.globalAlpha = 1;
  context.fillStyle = colour("surface");
  context.fillText(text, width / 2, height / 2 + 0.5);
}
