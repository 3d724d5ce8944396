import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import { PER_TAP, Tapping, TAPS } from "./model.js";

/** Seconds that the picture shows. */
const SECONDS = 2.4;
/** Seconds in which a lost tap falls. */
const FALL = 0.4;

/** Where things are in a picture. */
interface Places {
  readonly xOf: (time: number) => number;
  /** The finger, the upper and the lower end of the teeth, and the ground. */
  readonly finger: number;
  readonly comb: number;
  readonly root: number;
  readonly ground: number;
  readonly radius: number;
}

function placesOf({ width, height }: Brush, now: number): Places {
  const radius = Math.min(width * 0.03, height * 0.055);
  const top = 84;
  const room = height - top;
  return {
    xOf: (time) => width * 0.97 - ((now - time) / SECONDS) * width,
    finger: top + room * 0.1,
    comb: top + room * 0.42,
    root: top + room * 0.62,
    ground: height - radius - 6,
    radius,
  };
}

function drawComb(brush: Brush, { rate, isLatched }: Tapping, now: number, places: Places): void {
  const { xOf, comb, root } = places;
  const thick = Math.min(6, Math.max(2, brush.width / SECONDS / rate / 5));
  for (let tick = Math.max(1, Math.ceil((now - SECONDS) * rate)); tick <= now * rate + 1e-6; tick++)
    brush.line(xOf(tick / rate), comb, xOf(tick / rate), root, "muted", thick);
  // What the latch adds: a tray on which taps wait.
  if (isLatched) brush.line(0, comb, brush.width, comb, "simulated", 3);
}

/** Draws a tap: the time that the finger was down, and what became of it. */
function drawTap(
  brush: Brush,
  isLatched: boolean,
  now: number,
  down: number,
  up: number,
  seen: number,
  places: Places,
): void {
  const { xOf, finger, comb, ground, radius } = places;
  const isUp = !Number.isNaN(up);
  const [left, right] = [xOf(down), xOf(isUp ? up : now)];
  brush.box(left, finger - radius, Math.max(6, right - left), 2 * radius, "truth", 5);
  const middle = (left + right) / 2;
  if (!Number.isNaN(seen)) {
    const x = xOf(seen);
    brush.line(isLatched ? left : x, finger + radius, x, comb - radius, "simulated", 2.5);
    brush.disc(x, comb - radius, radius, "simulated");
  } else if (isUp && !isLatched) {
    const fall = Math.min(1, (now - up) / FALL) ** 2;
    const y = finger + radius + (ground - finger - radius) * fall;
    brush.context.globalAlpha = 0.5;
    brush.line(middle, finger + radius, middle, y, "wrong", 2.5);
    brush.context.globalAlpha = 1;
    brush.disc(middle, y, radius, "wrong");
  } else {
    brush.ring(middle, comb - radius, radius - 1.5, "simulated", 3);
  }
}

export default {
  create: (isFixed, rate, _, recording) => new Tapping(isFixed, rate, recording),
  range: [-0.15, 1.15],
  draw(brush, model, picture) {
    const now = picture[0]!;
    const places = placesOf(brush, now);
    const { finger, root, ground, radius } = places;
    const size = brush.width < 600 ? 13 : 15;
    drawComb(brush, model, now, places);
    for (let i = 0; i < TAPS; i++) {
      const [down, up, seen] = picture.subarray(2 + PER_TAP * i, 2 + PER_TAP * (i + 1)) as unknown as [
        number,
        number,
        number,
      ];
      if (down > now - SECONDS - 1) drawTap(brush, model.isLatched, now, down, up, seen, places);
    }
    const isScripted = picture[1] === 1;
    const title = finger - radius - 8;
    brush.text(isScripted ? "Taps" : "Your taps", 12, title, "truth", { size, weight: 600 });
    if (isScripted) brush.text("Tap here, or press Space", 12 + 3.2 * size, title, "muted", { size });
    brush.text("Steps", 12, root + size + 6, "muted", { size, weight: 600 });
    if (!model.isLatched) brush.text("Lost", 12, ground - radius - 8, "wrong", { size, weight: 600 });
  },
} satisfies ChapterScene<Tapping> as ChapterScene<Tapping>;
