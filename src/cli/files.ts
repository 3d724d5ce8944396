import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
  type Stats,
} from "node:fs";
import { join, resolve } from "node:path";
import { escaped } from "./escape.js";
import { CliError } from "./cli-error.js";

/** How the files of recordings end, where folders are searched for them. */
const ENDING = ".twr";

/** The files that are meant, each once: those given, and for a folder all recordings below it, by name. */
export function filesOf(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) => {
    if (!statOf(path)?.isDirectory()) return [path];
    const found = below(path);
    if (found.length === 0) throw new CliError(`${escaped(path)}: no file below it ends in ${ENDING}.`);
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

/** One name for all spellings of a path and all links to it; for a missing file, its path. */
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
  // Opening a socket fails with this.
  ENXIO: "it is a socket or a device, not a file",
};

/** Longer files are refused: no recording is nearly as long, and they would fill the memory. */
const MOST_BYTES = 2 ** 30;

/** The bytes of a file, or the first `most` of them. Throws a `Trouble` if it cannot be read. */
export function bytesOf(path: string, most = Infinity): Uint8Array {
  try {
    // Without O_NONBLOCK, opening a named pipe waits for its writer. Windows has neither.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return bytesFrom(file, most);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code = "", message } = error as NodeJS.ErrnoException;
    const hint = code === "ENOENT" && path.includes("*") ? "; give a folder to take all below it" : "";
    throw new CliError(`${REASONS[code] ?? message}${hint}`);
  }
}

/** Reads the bytes that the file has now. Refuses devices and pipes, which may never end. */
function bytesFrom(file: number, most: number): Uint8Array {
  const stat = fstatSync(file);
  if (!stat.isFile()) throw new CliError(`it is ${kindOf(stat)}${stat.isDirectory() ? "" : ", not a file"}`);
  const size = Math.min(stat.size, most);
  if (size > MOST_BYTES)
    throw new CliError(`it is too long: ${stat.size} bytes, where at most ${MOST_BYTES} are read`);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (let read = -1; at < size && read !== 0; at += read) read = readSync(file, bytes, at, size - at, at);
  return bytes.subarray(0, at);
}

/** What a path is that is not a file. */
export function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return "a folder";
  if (stat.isFIFO()) return "a named pipe";
  return stat.isSocket() ? "a socket" : "a device";
}
