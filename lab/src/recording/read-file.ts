import { readRecording, type DisplayRecording } from "./recording.js";
import { MAX_SIZE, TraceError } from "../smooth/trace.js";

/** Reads the recording in a file, or returns what is wrong with it. Undefined is a dropped item that is not a file. */
export async function readFile(file: File | undefined): Promise<DisplayRecording | string> {
  try {
    if (!file) throw new TraceError("it is not a file");
    if (file.size > MAX_SIZE)
      throw new TraceError(
        `it has ${(file.size / 1e6).toFixed(1)} MB, but may have at most ${MAX_SIZE / 1e6} MB`,
        "Record a minute or less.",
      );
    return readRecording(await file.text());
  } catch (error) {
    const { message, fix } =
      error instanceof TraceError ? error : new TraceError("it could not be read", "Try again.");
    return `${file ? `“${file.name}”` : "The dropped item"} cannot be played: ${message}. ${fix}`;
  }
}
