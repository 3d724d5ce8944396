import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Our own files: of dist/, where this runs from. */
const OWN = fileURLToPath(new URL("..", import.meta.url));

/** Where in the user's files an error was thrown, as a line of its own; "" if that is not known. */
export function placeOf(error: unknown): string {
  const stack = stackOf(error);
  for (const [, url, line, column] of stack.matchAll(/^ +at (?:.*\()?(.+?):(\d+):(\d+)\)?$/gm)) {
    const path = url!.startsWith("file:") ? fileURLToPath(url!.replace(/\?.*$/, "")) : url!;
    if (path.startsWith("node:") || path.startsWith(OWN) || path === "<anonymous>") continue;
    return `\n  at ${relative(process.cwd(), path)}:${line}:${column}`;
  }
  return "";
}

/** The stack of what was thrown, which may be anything; "" if it has none. */
function stackOf(error: unknown): string {
  try {
    const stack = (error as Error | null | undefined)?.stack;
    return typeof stack === "string" ? stack : "";
  } catch {
    return "";
  }
}
