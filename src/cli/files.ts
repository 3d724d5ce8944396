import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Trouble } from "./trouble.js";

/** How the files of recordings end, where folders are searched for them. */
const ENDING = ".twr";

/** The files that are meant: those given, and for a folder all recordings below it, by name. */
export function filesOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
    const found = below(path);
    if (found.length === 0) throw new Trouble(`${path}: no file below it ends in ${ENDING}.`);
    return found;
  });
}

function below(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  // By code units: the same on every machine.
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : below(path);
    return entry.name.endsWith(ENDING) ? [path] : [];
  });
}

const REASONS: Record<string, string> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "it may not be read",
};

/** The bytes of a file, or what is wrong with it. */
export function bytesOf(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    const hint = code === "ENOENT" && path.includes("*") ? "; give a folder to take all below it" : "";
    throw new Trouble(`${REASONS[code] ?? message}${hint}`);
  }
}
