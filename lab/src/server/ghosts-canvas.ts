import { BALL, BALL_RADIUS, PLAYER_RADIUS, SEATS } from "../../../scenes/arena.js";
import { paintBanner } from "../arena/arena-canvas.js";
import { Drawing } from "../canvas.js";
import { fallOf, fitArena, paintRing } from "../scenes/arena.js";
import { disc } from "../scenes/shapes.js";
import { colour, type ColourName } from "../theme/colours.js";
import type { ArenaView } from "./screen.js";

/** What a canvas shows. The state in its own colour is solid, those of the others are ghosts. */
export interface GhostPicture {
  readonly truth?: ArenaView | undefined;
  readonly predicted?: ArenaView | undefined;
  readonly shown?: ArenaView | undefined;
  /** A text over the picture, such as why it stands still; "" for none. */
  readonly banner: string;
}

/** The colours of the three states. */
const TRUTH: ColourName = "ring";
const PREDICTED: ColourName = "correction";
const SHOWN: ColourName = "ball";

type Paint = (context: CanvasRenderingContext2D, radius: number, label: string) => void;

/** Shows the arena as seen by a machine, with the states that it does not see as ghosts. */
export class GhostsCanvas extends Drawing {
  readonly #own: number;
  #picture: GhostPicture = { banner: "" };

  /** Marks the player in seat `own`; -1 for none. */
  constructor(label: string, own: number) {
    super("scene", label);
    this.#own = own;
  }

  draw(picture: GhostPicture): void {
    this.#picture = picture;
    this.repaint();
  }

  protected override paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const { truth, predicted, shown, banner } = this.#picture;
    fitArena(context, width, height);
    paintRing(context);
    if (truth && shown) paintLines(context, truth, shown);
    if (truth) paintBodies(context, truth, shown ? ghost(TRUTH) : solid(TRUTH));
    if (shown) {
      paintBodies(context, shown, solid(SHOWN));
      this.#paintOwn(context, shown);
    }
    if (predicted) paintBodies(context, predicted, outline(PREDICTED));
    context.restore();
    if (banner) paintBanner(context, width, height, banner);
  }

  #paintOwn(context: CanvasRenderingContext2D, { bodies, players }: ArenaView): void {
    const own = this.#own;
    if (own < 0 || players.away[own]! > 0) return;
    context.strokeStyle = colour("ink");
    context.lineWidth = 3;
    context.beginPath();
    disc(context, bodies.x[own]!, bodies.y[own]!, PLAYER_RADIUS + 7);
    context.stroke();
  }
}

/** Paints all bodies of a state at their places. Those that fall shrink. */
function paintBodies(context: CanvasRenderingContext2D, { bodies, players }: ArenaView, paint: Paint): void {
  for (let body = 0; body <= BALL; body++) {
    const fallen = body < SEATS ? fallOf(players.away[body]!) : 0;
    if (fallen === 1) continue;
    context.save();
    context.translate(bodies.x[body]!, bodies.y[body]!);
    context.scale(1 - fallen, 1 - fallen);
    if (body === BALL) paint(context, BALL_RADIUS, "");
    else paint(context, PLAYER_RADIUS, String(body + 1));
    context.restore();
  }
}

/** A disc with the number of the player. */
const solid =
  (name: ColourName): Paint =>
  (context, radius, label) => {
    context.fillStyle = colour(name);
    context.beginPath();
    disc(context, 0, 0, radius);
    context.fill();
    context.fillStyle = colour("surface");
    context.font = "700 20px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(label, 0, 1);
  };

/** A translucent disc. */
const ghost =
  (name: ColourName): Paint =>
  (context, radius) => {
    context.fillStyle = context.strokeStyle = colour(name);
    context.lineWidth = 2;
    context.beginPath();
    disc(context, 0, 0, radius);
    context.globalAlpha = 0.3;
    context.fill();
    context.globalAlpha = 0.8;
    context.stroke();
  };

/** A dashed circle, visible on top of what is shown. */
const outline =
  (name: ColourName): Paint =>
  (context, radius) => {
    context.strokeStyle = colour(name);
    context.lineWidth = 3;
    context.setLineDash([7, 5]);
    context.beginPath();
    disc(context, 0, 0, radius + 1);
    context.stroke();
  };

/** Paints lines from where bodies are to where they are shown. */
function paintLines(context: CanvasRenderingContext2D, truth: ArenaView, shown: ArenaView): void {
  context.strokeStyle = colour(TRUTH);
  context.lineWidth = 2;
  context.beginPath();
  for (let body = 0; body <= BALL; body++) {
    if (body < SEATS && (truth.players.away[body]! > 0 || shown.players.away[body]! > 0)) continue;
    context.moveTo(truth.bodies.x[body]!, truth.bodies.y[body]!);
    context.lineTo(shown.bodies.x[body]!, shown.bodies.y[body]!);
  }
  context.stroke();
}
