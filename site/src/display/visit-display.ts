import type { DisplayRecording } from "../../../lab/src/recording/recording.js";
import { keepText, keptText } from "../../../lab/src/recording/visit.js";

/** Called with the recording that figures play; undefined for simulated displays. */
type OnDisplay = (recording: DisplayRecording | undefined) => void;

const listeners: OnDisplay[] = [];
let current: DisplayRecording | undefined;

/** Calls back whenever the visitor chooses another display; at once if one is chosen already. */
export function onDisplay(listener: OnDisplay): void {
  listeners.push(listener);
  if (current) listener(current);
}

/** Plays a recording in all figures, and keeps it for the visit; undefined returns to simulated displays. */
export function chooseDisplay(recording: DisplayRecording | undefined): void {
  keepText(recording?.text);
  show(recording);
}

function show(recording: DisplayRecording | undefined): void {
  current = recording;
  for (const listener of listeners) listener(recording);
}

/** Plays the recording of this visit, if there is one. */
export async function restoreDisplay(): Promise<void> {
  const text = keptText();
  if (text === undefined) return;
  const { readRecording } = await import("../../../lab/src/recording/recording.js");
  try {
    show(readRecording(text));
  } catch {
    // Stored by another version of the site.
    keepText(undefined);
  }
}
