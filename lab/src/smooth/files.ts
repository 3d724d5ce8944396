import { FilePicker } from "../files.js";
import { LARGEST, NoTrace, readTrace, type Trace } from "./trace.js";

/** Trace files that the visitor chooses or drops: what they hold, or why they are none. */
export function traceFiles(onContent: (name: string, content: Trace | NoTrace) => void): FilePicker {
  const files = new FilePicker({ accept: ".json,application/json", label: "Trace file" }, async (file) => {
    if (!file) return onContent("What was dropped", new NoTrace("it is no file"));
    const content = await read(file).catch((error: unknown) =>
      error instanceof NoTrace ? error : new NoTrace("it could not be read"),
    );
    if (!files.isOver) onContent(file.name, content);
  });
  return files;
}

async function read(file: File): Promise<Trace> {
  if (file.size > LARGEST) throw new NoTrace(`it is larger than ${LARGEST / 1e6} MB`);
  return readTrace(await file.text());
}
