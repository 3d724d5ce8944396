import { FilePicker } from "../files.js";

/** Larger ones are no replays of this game. */
const LARGEST = 32e6;

/** Replay files that the visitor chooses or drops: their bytes, or what is wrong with them. */
export function replayFiles(
  onBytes: (name: string, bytes: Uint8Array) => void,
  onTrouble: (text: string) => void,
): FilePicker {
  const files = new FilePicker({ accept: ".twr", label: "Replay file" }, async (file) => {
    if (!file) return onTrouble("What was dropped is no file.");
    if (file.size > LARGEST) return onTrouble(`${file.name} is larger than ${LARGEST / 1e6} MB.`);
    const buffer = await file.arrayBuffer().catch(() => undefined);
    if (files.isOver) return;
    if (buffer) onBytes(file.name, new Uint8Array(buffer));
    else onTrouble(`${file.name} could not be read.`);
  });
  return files;
}
