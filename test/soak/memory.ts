import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Megabytes in use, after what is not is collected: on the heap with the buffers, and of the whole process. */
export function used(): { heap: number; all: number } {
  collect();
  collect();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { heap: (heapUsed + arrayBuffers) / 2 ** 20, all: rss / 2 ** 20 };
}
