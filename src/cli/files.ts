import { readdirSync, readFileSync, realpathSync, statSync, type Stats } from "node:fs";
import { join, resolve } from "node:path";
import { Trouble } from "./trouble.js";

/** How the files of recordings end, where folders are searched for them. */
const ENDING = ".twr";

/** The files that are meant, each once: those given, and for a folder all recordings below it, by name. */
export function filesOf(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) => {
    if (!statOf(path)?.isDirectory()) return [path];
    const found = below(path);
    if (found.length === 0) throw new Trouble(`${path}: no file below it ends in ${ENDING}.`);
    return found;
  });
  const seen = new Set<string>();
  return files.filter((file) => {
    const name = trueName(file);
    return !seen.has(name) && seen.add(name);
  });
}

/** What is at a path, if anything is: below a file, too, there is nothing, for which Node throws. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** The same for all spellings of a path, and for links to it; what is not there has only its path. */
function trueName(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
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
  ENOTDIR: "there is no such file",
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
