import type { ChapterText } from "../src/figure/chapter.js";

/** What the recording of a display replaces in a figure. */
const REPLACED = {
  control: "replaces the slider.",
  frames: "replaces the simulated 60 Hz display.",
  own: "is loaded. This figure simulates its own display.",
  none: "is loaded. This figure does not depend on a display.",
} as const;

/** Returns the line of a figure that says what a recording does in it. A script shows it when there is one. */
export const displayLine = (kind: keyof typeof REPLACED): string =>
  `<p class="display-line" data-display="${kind}" hidden><span><strong data-recording></strong> ${REPLACED[kind]}</span> <button type="button" data-simulated>Back to simulated</button></p>`;

/** Whether a figure plays recordings. */
export const playsRecordings = ({ display }: ChapterText): boolean =>
  display === "control" || display === "frames";

/** A button that needs a script, so it is hidden until one runs. */
export const OPEN_RECORDING = `<button type="button" data-open-recording hidden>Open a recording</button>`;

/** For figures that have a display, and for the footer. */
export const RECORD_LINKS = `<a href="/recorder/">Record your display</a>${OPEN_RECORDING}`;
