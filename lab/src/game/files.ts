import { FilePicker } from "../files.js";

/** Bytes; no replay of this game is larger. */
const MAX_SIZE = 32e6;

/** Reads replay files that the visitor chooses or drops; reports the bytes, or the problem. */
export function replayFiles(
  onBytes: (name: string, bytes: Uint8Array) => void,
  onProblem: (text: string) => void,
): FilePicker {
  const files = new FilePicker({ accept: ".twr", label: "Replay file" }, async (file) => {
    if (!file) return onProblem("The dropped item is not a file.");
    if (file.size > MAX_SIZE) return onProblem(`${file.name} is larger than ${MAX_SIZE / 1e6} MB.`);
    const buffer = await file.arrayBuffer().catch(() => undefined);
    if (files.isDisposed) return;
    if (buffer) onBytes(file.name, new Uint8Array(buffer));
    else onProblem(`${file.name} could not be read.`);
  });
  return files;
}
