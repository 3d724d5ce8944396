import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import { RATES, Score } from "./model.js";

/** Seconds from one place where all voices meet to the next. */
const BAR = 0.5;
/** Seconds that a note may be off its place. */
const TOLERANCE = 0.0125;
const NAMES = ["physics", "network", "AI"];

/** Where a voice is drawn. */
interface Staff {
  readonly y: number;
  readonly radius: number;
  /** Length of the stems. */
  readonly stem: number;
}

function drawNote({ context }: Brush, x: number, { y, radius, stem }: Staff): void {
  context.beginPath();
  context.ellipse(x, y, radius, radius * 0.78, -0.35, 0, 2 * Math.PI);
  context.fill();
  context.fillRect(x + radius * 0.9 - radius * 0.22, y - stem, radius * 0.22, stem);
}

export default {
  create: (isFixed, milliseconds) => new Score(isFixed, milliseconds),
  range: [-300, 60],
  draw(brush, { voices }, picture) {
    const { width, height, context } = brush;
    const [now, start] = picture as unknown as [number, number];
    const left = Math.max(20, width * 0.03);
    const length = width - 2 * left;
    // Seconds that a page of the score shows; it is written again and again.
    const seconds = width < 700 ? BAR : 2 * BAR;
    const xOf = (time: number) => left + (time / seconds) * length;
    const page = now - ((now - start) % seconds);
    const spacing = length / (RATES[0] * seconds);
    const staffs = [0.37, 0.63, 0.9].map((at, i): Staff => ({
      y: height * at,
      radius: Math.min(spacing * [0.36, 0.58, 1.1][i]!, height * 0.045),
      stem: height * 0.1,
    }));
    // Where a time is on the page; what the playhead has not reached yet is a page older.
    const place = (time: number) => (((time - start) % seconds) + seconds) % seconds;

    for (let at = 0; at <= seconds; at += BAR) {
      const x = xOf(at);
      brush.line(x, height * 0.2, x, height * 0.97, "truth", 3);
    }
    staffs.forEach(({ y }, i) => {
      brush.line(left, y, width - left, y, "line", 2);
      brush.text(`${NAMES[i]}, ${RATES[i]} per second`, left + 14, y - height * 0.13, "muted", {
        size: 15,
        weight: 600,
      });
    });

    // Notes of the same moment, from voice to voice.
    const meetings = new Map<number, number[]>();
    voices.forEach((voice, i) => {
      const staff = staffs[i]!;
      voice.each(now - seconds, now, (time, number) => {
        const due = number / voice.rate;
        const off = Math.abs(time - start - due);
        // Notes of the piece before were played at their own start.
        const isOld = time < start;
        const x = xOf(place(time));
        context.globalAlpha = time < page ? 0.3 : 1;
        context.fillStyle = brush.colour(!isOld && off > TOLERANCE ? "wrong" : "simulated");
        drawNote(brush, x, staff);
        context.globalAlpha = 1;
        if (isOld || due % BAR !== 0) return;
        const meeting = meetings.get(due) ?? [];
        meeting[i] = x;
        meetings.set(due, meeting);
      });
    });
    for (const meeting of meetings.values())
      for (let i = 0; i < 2; i++) {
        const [upper, lower] = [meeting[i], meeting[i + 1]];
        if (upper === undefined || lower === undefined || Math.abs(upper - lower) > length / 2) continue;
        brush.line(upper, staffs[i]!.y, lower, staffs[i + 1]!.y, "ink", 3);
      }
    const playhead = xOf(place(now));
    brush.line(playhead, height * 0.2, playhead, height * 0.97, "ink", 2);
    brush.disc(playhead, height * 0.2, 6, "ink");
  },
} satisfies ChapterScene<Score> as ChapterScene<Score>;
