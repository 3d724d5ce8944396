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

/** The extension of recordings, for which folders are searched. */
export const EXTENSION = ".twr";

/** Lists the given files, and all recordings in the given folders, sorted by name. Each file is listed once. */
export function filesOf(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) => {
    if (!statOf(path)?.isDirectory()) return [path];
    const found = below(path);
    if (found.length === 0) throw new CliError(`${escaped(path)}: no ${EXTENSION} files in this folder.`);
    return found;
  });
  const seen = new Set<string>();
  return files.filter((file) => {
    const name = trueName(file);
    return !seen.has(name) && seen.add(name);
  });
}

/** Returns what is at a path; undefined if nothing is. Unlike Node, it does not throw for a path "below" a file. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Returns the same name for all spellings of a path and all links to a file; the absolute path if it does not exist. */
function trueName(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

function below(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  // By code units, for the same order on every machine.
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : below(path);
    return entry.name.endsWith(EXTENSION) ? [path] : [];
  });
}

const REASONS: Record<string, string> = {
  ENOENT: "no such file",
  ENOTDIR: "no such file",
  EISDIR: "not a file, but a folder",
  EACCES: "no permission to read it",
  // Opening a socket fails with this.
  ENXIO: "not a file, but a socket or a device",
};

/** Larger files are rejected, as they would fill the memory. No recording is nearly as large. */
const MAX_BYTES = 2 ** 30;

/** Reads a file, or its first `max` bytes. Throws a `CliError` if it cannot be read. */
export function bytesOf(path: string, max = Infinity): Uint8Array {
  try {
    // Without O_NONBLOCK, opening a named pipe waits for its writer. Windows has neither.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return bytesFrom(file, max);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code = "", message } = error as NodeJS.ErrnoException;
    const hint =
      code === "ENOENT" && path.includes("*") ? "; to read all files of a folder, give the folder" : "";
    throw new CliError(`${REASONS[code] ?? message}${hint}`);
  }
}

/** Reads the bytes that the file has now. Rejects devices and pipes, which may never end. */
function bytesFrom(file: number, max: number): Uint8Array {
  const stat = fstatSync(file);
  if (!stat.isFile()) throw new CliError(`not a file, but ${kindOf(stat)}`);
  const size = Math.min(stat.size, max);
  if (size > MAX_BYTES) throw new CliError(`too large: ${stat.size} bytes, the limit is ${MAX_BYTES}`);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (let read = -1; at < size && read !== 0; at += read) read = readSync(file, bytes, at, size - at, at);
  return bytes.subarray(0, at);
}

/** Says what a path is, if it is not a file. */
export function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return "a folder";
  if (stat.isFIFO()) return "a named pipe";
  return stat.isSocket() ? "a socket" : "a device";
}
