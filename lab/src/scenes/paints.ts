import type { ViewOf } from "../../../scenes/index.js";
import { paintBalls } from "./balls.js";
import { paintBoxes } from "./boxes.js";
import type { DrawableScene } from "./drawable.js";
import { paintOrbit } from "./orbit.js";
import { paintPlatformer } from "./platformer.js";

/** Paints a world, at a simulated time, on a canvas of this size, in CSS pixels. */
type Paint<W> = (
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  world: W,
  seconds: number,
) => void;

const PAINTS: { readonly [N in DrawableScene]: Paint<ViewOf<N>> } = {
  platformer: paintPlatformer,
  balls: paintBalls,
  orbit: paintOrbit,
  tumble: paintBoxes,
};

/** Returns the function that paints a scene. Pass it only worlds of that scene. */
export const paintOf = (name: DrawableScene): Paint<object> => PAINTS[name] as Paint<object>;
