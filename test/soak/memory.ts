import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Megabytes in use after a garbage collection: of the heap with its buffers, and of the whole process. */
export function used(): { heap: number; all: number } {
  collect();
  collect();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { heap: (heapUsed + arrayBuffers) / 2 ** 20, all: rss / 2 ** 20 };
}
