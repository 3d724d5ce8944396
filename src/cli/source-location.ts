import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package's own code. */
const OWN = fileURLToPath(new URL("..", import.meta.url));

/** Returns where in the user's code an error was thrown, as a new line of text; "" if that is unknown. */
export function locationOf(error: unknown): string {
  const stack = stackOf(error);
  for (const [, url, line, column] of stack.matchAll(/^ +at (?:.*\()?(.+?):(\d+):(\d+)\)?$/gm)) {
    const path = url!.startsWith("file:") ? fileURLToPath(url!.replace(/\?.*$/, "")) : url!;
    if (path.startsWith("node:") || path.startsWith(OWN) || path === "<anonymous>") continue;
    return `\n  at ${relative(process.cwd(), path)}:${line}:${column}`;
  }
  return "";
}

/** Returns the stack of a thrown value, which need not be an error; "" if it has none. */
function stackOf(error: unknown): string {
  try {
    const stack = (error as Error | null | undefined)?.stack;
    return typeof stack === "string" ? stack : "";
  } catch {
    return "";
  }
}
