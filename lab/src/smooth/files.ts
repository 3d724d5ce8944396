import { FilePicker } from "../files.js";
import { MAX_SIZE, TraceError, readTrace, type Trace } from "./trace.js";

/** Reads trace files that the visitor chooses or drops. */
export function traceFiles(onContent: (name: string, content: Trace | TraceError) => void): FilePicker {
  const files = new FilePicker(
    { accept: ".json,application/json", label: "Recording of a display" },
    async (file) => {
      if (!file) return onContent("The dropped item", new TraceError("it is not a file"));
      const content = await read(file).catch((error: unknown) =>
        error instanceof TraceError ? error : new TraceError("it could not be read"),
      );
      if (!files.isDisposed) onContent(file.name, content);
    },
  );
  return files;
}

async function read(file: File): Promise<Trace> {
  if (file.size > MAX_SIZE) throw new TraceError(`it is larger than ${MAX_SIZE / 1e6} MB`);
  return readTrace(await file.text());
}
