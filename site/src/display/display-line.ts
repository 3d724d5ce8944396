import type { DisplayRecording } from "../../../lab/src/recording/recording.js";

/** Says in a figure that a recording plays, in place of the control if it replaces that. Returns whether the figure plays it. */
export function showDisplayLine(figure: HTMLElement, recording: DisplayRecording | undefined): boolean {
  const line = figure.querySelector<HTMLElement>("[data-display]")!;
  const kind = line.dataset["display"];
  line.hidden = !recording;
  line.querySelector<HTMLElement>("[data-recording]")!.textContent = recording
    ? `Your recording, ${recording.hertz}`
    : "";
  figure.querySelector<HTMLElement>(".dial")!.hidden = recording !== undefined && kind === "control";
  return recording !== undefined && (kind === "control" || kind === "frames");
}
