import { readRecording, type DisplayRecording } from "./recording.js";
import { MAX_SIZE, TraceError } from "../smooth/trace.js";

/** Reads a file by its text, or returns what is wrong with it. Undefined is a dropped item that is not a file. */
export async function readFileBy<T>(
  file: File | undefined,
  read: (text: string) => T,
): Promise<T | TraceError> {
  try {
    if (!file) throw new TraceError("it is not a file");
    if (file.size > MAX_SIZE)
      throw new TraceError(`it is larger than ${MAX_SIZE / 1e6} MB`, "Record a minute or less.");
    return read(await file.text());
  } catch (error) {
    return error instanceof TraceError ? error : new TraceError("it could not be read", "Try again.");
  }
}

/** Reads the recording in a file, or returns what is wrong with it in a sentence. */
export async function readFile(file: File | undefined): Promise<DisplayRecording | string> {
  const content = await readFileBy(file, readRecording);
  if (!(content instanceof TraceError)) return content;
  const { message, fix } = content;
  return `${file ? `“${file.name}”` : "The dropped item"} cannot be played: ${message}. ${fix}`;
}
