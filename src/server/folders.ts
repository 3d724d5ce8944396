import { accessSync, constants, mkdirSync, mkdtempSync, rmdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { badValue } from "../errors/index.js";

/** Creates a folder that the option `subject` names, unless it is there. Throws if files cannot be read and written in it. */
export function makeFolder(subject: string, folder: string, mode = 0o777): void {
  try {
    createFolders(folder, mode);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    // The permissions do not tell everything: root has all of them, even on a disk that cannot be written.
    rmdirSync(mkdtempSync(join(folder, ".tickwise-")));
  } catch (error) {
    reject(subject, "a folder that can be written", folder, error);
  }
}

/** Creates a folder, and those above it. Not by `mkdir` with `recursive`, which never returns for a folder in /proc. */
export function createFolders(folder: string, mode = 0o777): void {
  const path = resolve(folder);
  if (isFolder(path)) return;
  // On Windows, a drive may not exist.
  if (dirname(path) !== path) createFolders(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!isFolder(path)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Throws unless the option `subject` names a folder. */
export function requireFolder(subject: string, folder: string): void {
  try {
    if (statSync(folder).isDirectory()) return;
  } catch (error) {
    reject(subject, "a folder that can be read", folder, error);
  }
  badValue(subject, "a folder", folder, fixFor(subject));
}

function reject(subject: string, rule: string, folder: string, error: unknown): never {
  badValue(subject, `${rule} (${(error as Error).message})`, folder, fixFor(subject));
}

/** A folder of the option's name, in the current one. */
const fixFor = (subject: string): string => JSON.stringify(subject.replace(/^.* /, ""));
