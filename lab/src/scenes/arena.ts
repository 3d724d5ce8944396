import {
  ARENA_RADIUS,
  AWAY_TICKS,
  BALL,
  BALL_RADIUS,
  DASH_TICKS,
  PLAYER_RADIUS,
  SEATS,
} from "../../../scenes/arena.js";
import type { ViewOf } from "../../../scenes/index.js";
import { colour, type ColourName } from "../theme/colours.js";
import { disc, fit } from "./shapes.js";

/** Room around the ring, for players that fall, in pixels. */
const MARGIN = 34;
/** The size of the picture, in pixels. */
const ARENA_SIZE = 2 * (ARENA_RADIUS + MARGIN);
/** Ticks that a fall takes to see. */
const FALL_TICKS = 30;

/** Returns how far a player has fallen: 0 in the ring, 1 if it is out of sight. */
export const fallOf = (away: number): number =>
  away > 0 ? Math.min(1, (AWAY_TICKS - away) / FALL_TICKS) : 0;

/** The colour of each seat. The number on each player says the same. */
export const SEAT_COLOURS: readonly ColourName[] = ["ball", "ring", "correction", "muted"];

/** Scales to the canvas, with 0, 0 in the middle. Call `context.restore()` afterwards. */
export function fitArena(context: CanvasRenderingContext2D, width: number, height: number): void {
  fit(context, width, height, ARENA_SIZE, ARENA_SIZE);
  context.translate(ARENA_SIZE / 2, ARENA_SIZE / 2);
}

/** Paints the ring, the ball and the players. `own` is the seat to highlight, or -1. */
export function paintArena(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  { bodies, players }: ViewOf<"arena">,
  own = -1,
): void {
  fitArena(context, width, height);
  paintRing(context);
  const { x, y } = bodies;
  for (let seat = 0; seat < SEATS; seat++) {
    const fallen = fallOf(players.away[seat]!);
    if (fallen === 1) continue;
    context.save();
    context.translate(x[seat]!, y[seat]!);
    context.scale(1 - fallen, 1 - fallen);
    context.globalAlpha = 1 - fallen;
    paintPlayer(context, seat, players.aimX[seat]!, players.aimY[seat]!, players.isBot[seat] === 1);
    if (seat === own) paintOwn(context, players.rest[seat]! / DASH_TICKS);
    context.restore();
  }
  context.fillStyle = colour("ink");
  context.beginPath();
  disc(context, x[BALL]!, y[BALL]!, BALL_RADIUS);
  context.fill();
  context.fillStyle = colour("surface");
  context.globalAlpha = 0.5;
  context.beginPath();
  disc(context, x[BALL]! - 4, y[BALL]! - 4, 3.5);
  context.fill();
  context.restore();
}

/** Paints the ring around 0, 0. */
export function paintRing(context: CanvasRenderingContext2D): void {
  context.fillStyle = colour("line");
  context.globalAlpha = 0.5;
  context.beginPath();
  disc(context, 0, 0, ARENA_RADIUS);
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = colour("muted");
  context.lineWidth = 4;
  context.stroke();
  context.strokeStyle = colour("line");
  context.lineWidth = 3;
  context.beginPath();
  disc(context, 0, 0, ARENA_RADIUS / 3);
  context.stroke();
}

/** Paints a player at 0, 0: a disc with its number, and a nose where it is heading. That of a bot is hollow. */
function paintPlayer(
  context: CanvasRenderingContext2D,
  seat: number,
  aimX: number,
  aimY: number,
  isBot: boolean,
): void {
  const own = colour(SEAT_COLOURS[seat]!);
  const length = aimX !== 0 && aimY !== 0 ? Math.SQRT1_2 : 1;
  context.fillStyle = own;
  context.beginPath();
  disc(context, aimX * length * PLAYER_RADIUS, aimY * length * PLAYER_RADIUS, 6);
  context.fill();
  context.beginPath();
  disc(context, 0, 0, PLAYER_RADIUS - (isBot ? 2 : 0));
  if (isBot) {
    context.fillStyle = colour("surface");
    context.strokeStyle = own;
    context.lineWidth = 4;
    context.fill();
    context.stroke();
  } else context.fill();
  context.fillStyle = isBot ? own : colour("surface");
  context.font = "700 19px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(String(seat + 1), 0, 1);
}

/** Marks the own player. The circle closes while the next dash loads. */
function paintOwn(context: CanvasRenderingContext2D, rest: number): void {
  context.strokeStyle = colour("ink");
  context.lineWidth = 3;
  context.beginPath();
  context.arc(0, 0, PLAYER_RADIUS + 6, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * (1 - rest));
  context.stroke();
}
