import { Drawing } from "../canvas.js";
import { colour } from "../theme/colours.js";
import type { Machine } from "./machine.js";
import { KEPT } from "./tick-record.js";

/** Pixels per tick, and ticks between two marks. */
const TICK_WIDTH = 3;
const MARK_INTERVAL = 60;
/** Ticks to the right of the newest one, so that it does not stick to the edge. */
const AHEAD = 2;
/** Heights: the row of effects, the band of ticks, and what one resimulation or stall takes. */
const EFFECT_ROW = 12;
const BAND = 14;
const STALL_ROW = 12;
const PER_RESIMULATION = 4;
const PER_STALL = 2;

/** The latest ticks of a machine, newest on the right: which are certain, which are guesses, and what happened to them. */
export class TicksCanvas extends Drawing {
  #machine: Machine | undefined;

  constructor(name: string) {
    super(
      "ticks",
      `${name}: the latest ticks: amber if confirmed, blue if all inputs are known, purple if predicted; bars above for resimulations, below for stalls, crosses for withdrawn effects`,
    );
  }

  draw(machine: Machine): void {
    this.#machine = machine;
    this.repaint();
  }

  protected override paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    if (!this.#machine) return;
    const { record, session } = this.#machine;
    const { tick: newest, confirmed } = session;
    const { known } = session.net;
    const top = height - BAND - STALL_ROW;
    const maxBar = top - EFFECT_ROW;
    const fit = Math.min(KEPT - 1, Math.ceil(width / TICK_WIDTH));
    for (let tick = newest; tick >= Math.max(record.first, newest - fit); tick--) {
      const x = width - TICK_WIDTH * (newest - tick + 1 + AHEAD);
      const { resimulated, stalled, effects, withdrawn } = record.at(tick);
      const bar = (name: Parameters<typeof colour>[0], y: number, tall: number) => {
        context.fillStyle = colour(name);
        context.fillRect(x, y, TICK_WIDTH - 1, tall);
      };
      // The newest tick has not been stepped yet: it can only wait.
      if (tick < newest) {
        // Guesses are shorter too, so that the difference does not depend on colour vision.
        if (tick < confirmed) bar("ring", top, BAND);
        else if (tick < known) bar("ball", top + 2, BAND - 2);
        else bar("correction", top + 6, BAND - 6);
        if (tick % MARK_INTERVAL === 0) bar("muted", top + BAND - 3, 3);
      }
      if (resimulated > 0) {
        const tall = Math.min(maxBar, PER_RESIMULATION * resimulated);
        bar("correction", top - 1 - tall, tall);
      }
      if (stalled > 0) bar("bad", top + BAND + 1, Math.min(STALL_ROW - 1, PER_STALL * stalled));
      if (withdrawn > 0) cross(context, x + 1, EFFECT_ROW / 2);
      else if (effects > 0) {
        context.fillStyle = colour("muted");
        context.beginPath();
        context.arc(x + 1, EFFECT_ROW / 2, 2, 0, 2 * Math.PI);
        context.fill();
      }
    }
  }
}

function cross(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.strokeStyle = colour("bad");
  context.lineWidth = 2;
  context.beginPath();
  for (const side of [-1, 1]) {
    context.moveTo(x - 4, y - 4 * side);
    context.lineTo(x + 4, y + 4 * side);
  }
  context.stroke();
}
