// Simulates and draws on one thread, as most games do on their page. It has a thread of its own here, so that it cannot slow down the
// other half of the page.
import { drive, localSession } from "tickwise/sim";
import { FrameMeter, type Frames } from "./frame-meter.js";
import { game } from "./game.js";
import { PileView } from "./view.js";

/** From the page. The first message has the canvas. */
export interface ToOneThread {
  readonly canvas?: OffscreenCanvas;
  readonly iterations: number;
  readonly isPaused: boolean;
  readonly isBlended: boolean;
}

/** To the page, once per second. */
export interface FromOneThread extends Frames {
  readonly tick: number;
}

let settings: ToOneThread;
let started: ReturnType<typeof start> | undefined;

function start(canvas: OffscreenCanvas) {
  const view = new PileView(canvas);
  const session = localSession(game, {
    inputs([player]) {
      player!.iterations = settings.iterations;
    },
  });
  const meter = new FrameMeter((frames) =>
    postMessage({ ...frames, tick: session.tick } satisfies FromOneThread),
  );
  return drive(session, {
    present: settings.isBlended ? undefined : "latest",
    render(pile) {
      view.draw(pile);
      meter.frame();
    },
  });
}

function apply(message: ToOneThread): void {
  settings = message;
  if (message.canvas) started = start(message.canvas);
  const { loop } = started!;
  if (message.isPaused) loop.pause();
  else loop.resume();
}

addEventListener("message", ({ data }: MessageEvent<ToOneThread>) => apply(data));
// Messages before this line were lost: the simulation loads Rapier first.
postMessage("ready");
