import { accessSync, constants, mkdirSync, mkdtempSync, rmdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { badValue } from "../errors/index.js";

/** Creates a folder that an option names, unless it is there. Throws if files cannot be read and written in it. */
export function makeFolder(option: string, folder: string, mode = 0o777): void {
  try {
    createFolders(folder, mode);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    // The permissions do not tell everything: root has all of them, even on a disk that cannot be written.
    rmdirSync(mkdtempSync(join(folder, ".tickwise-")));
  } catch (error) {
    reject(option, "a folder that can be written", folder, error);
  }
}

/** Creates a folder, and those above it. Not by `mkdir` with `recursive`, which never returns for a folder in /proc. */
function createFolders(folder: string, mode: number): void {
  const path = resolve(folder);
  if (isFolder(path)) return;
  createFolders(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!isFolder(path)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Throws unless an option names a folder. */
export function requireFolder(option: string, folder: string): void {
  try {
    if (statSync(folder).isDirectory()) return;
  } catch (error) {
    reject(option, "a folder that can be read", folder, error);
  }
  badValue(`roomServer: ${option}`, "a folder", folder, JSON.stringify(option));
}

function reject(option: string, rule: string, folder: string, error: unknown): never {
  badValue(`roomServer: ${option}`, `${rule} (${(error as Error).message})`, folder, JSON.stringify(option));
}
