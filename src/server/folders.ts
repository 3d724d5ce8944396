import { statSync } from "node:fs";
import { access, constants, mkdir } from "node:fs/promises";
import { badValue } from "../errors/index.js";

/** Creates a folder that an option names, unless it is there. Throws if files cannot be written into it. */
export async function makeFolder(option: string, folder: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode });
    await access(folder, constants.W_OK);
  } catch (error) {
    reject(option, "a folder that can be written", folder, error);
  }
}

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
