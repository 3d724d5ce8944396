// One thread that simulates the pile and draws it, as a page without workers does. In a worker, so that it cannot slow the page next to it.
import { drive, localSession, type Drive, type LocalSession } from "../../../src/sim/index.js";
import { drawBalls, type BallColours } from "../scenes/ball-shapes.js";
import { pile, type PileView } from "./pile.js";
import type { FromStage, ToStage } from "./stage-messages.js";

let context: OffscreenCanvasRenderingContext2D | undefined;
let colours: BallColours | undefined;
let ratio = 1;
let cost = 0;
let driven: Drive<LocalSession> | undefined;
let isPaused = true;

function paint(view: PileView): void {
  if (!context || !colours) return;
  const { width, height } = context.canvas;
  if (width === 0) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width / ratio, height / ratio);
  drawBalls(context, width / ratio, height / ratio, view, colours);
}

function start(): void {
  driven?.dispose();
  const session = localSession(pile, {
    inputs([player]) {
      player.cost = cost;
    },
  });
  const { loop } = (driven = drive(session, {
    // Enough for a display with 30 Hz. Without a limit, steps that cost too much would soon freeze it.
    maxSteps: 2,
    render(view) {
      paint(view);
      if (!isPaused) postMessage({ at: performance.now(), tick: session.tick } satisfies FromStage);
    },
  }) as unknown as Drive<LocalSession>);
  if (isPaused) loop.pause();
}

const repaint = () => driven && paint(driven.session.view(1) as PileView);

addEventListener("message", ({ data }: MessageEvent<ToStage>) => {
  switch (data.kind) {
    case "canvas":
      context = data.canvas.getContext("2d") ?? undefined;
      return start();
    case "size":
      ratio = data.ratio;
      if (context) Object.assign(context.canvas, { width: data.width, height: data.height });
      return repaint();
    case "colours":
      colours = data.colours;
      return repaint();
    case "cost":
      cost = data.cost;
      return undefined;
    case "pause":
      isPaused = data.isPaused;
      if (isPaused) driven?.loop.pause();
      else driven?.loop.resume();
      return undefined;
    case "restart":
      return start();
  }
});
