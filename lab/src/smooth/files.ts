import { FilePicker } from "../files.js";
import { readFileBy } from "../recording/read-file.js";
import { readTrace, type Trace, type TraceError } from "./trace.js";

/** Reads recordings that the visitor chooses or drops. `onContent` gets the trace, or what is wrong with the file. */
export function traceFiles(onContent: (name: string, content: Trace | TraceError) => void): FilePicker {
  const files = new FilePicker(
    { accept: ".json,application/json", label: "Recording of a display" },
    async (file) => {
      const content = await readFileBy(file, readTrace);
      if (!files.isDisposed) onContent(file ? `“${file.name}”` : "The dropped item", content);
    },
  );
  return files;
}
