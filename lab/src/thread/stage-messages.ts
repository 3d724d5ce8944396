import type { BallColours } from "../scenes/ball-shapes.js";

/** From the page to the thread that both simulates and draws. */
export type ToStage =
  | { readonly kind: "canvas"; readonly canvas: OffscreenCanvas }
  | { readonly kind: "size"; readonly width: number; readonly height: number; readonly ratio: number }
  | { readonly kind: "colours"; readonly colours: BallColours }
  | { readonly kind: "cost"; readonly cost: number }
  | { readonly kind: "pause"; readonly isPaused: boolean }
  | { readonly kind: "restart" };

/** From there: a frame was drawn, at its time. */
export interface FromStage {
  readonly at: number;
  readonly tick: number;
}
