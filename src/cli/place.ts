import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Our own files: of dist/, where this runs from. */
const OWN = fileURLToPath(new URL("..", import.meta.url));

/** Where in the user's files an error was thrown, as a line of its own; "" if that is not known. */
export function placeOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  for (const [, url, line, column] of stack.matchAll(/^ +at (?:.*\()?(.+?):(\d+):(\d+)\)?$/gm)) {
    const path = url!.startsWith("file:") ? fileURLToPath(url!.replace(/\?.*$/, "")) : url!;
    if (path.startsWith("node:") || path.startsWith(OWN) || path === "<anonymous>") continue;
    return `\n  at ${relative(process.cwd(), path)}:${line}:${column}`;
  }
  return "";
}
