// The folder with the simulations that a worker may run: sims/NAME/VERSION.mjs, such as sims/crates/2.mjs.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { badValue, misuse } from "../errors/index.js";

/** A module of the folder. */
export interface SimModule {
  /** Its absolute path. */
  readonly path: string;
  /** Its path within the folder, for messages. */
  readonly shown: string;
}

const MODULE = /^(0|[1-9]\d{0,15})\.(mjs|js|cjs|ts|mts)$/;

/**
 * Returns the name of the folder for a simulation: its name, with characters that paths give a meaning escaped. Undefined for
 * names that are not valid Unicode.
 */
function folderNameOf(name: string): string | undefined {
  try {
    return encodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/**
 * Finds simulations by name and version. Names come from files of strangers, so no path is built from them: they are looked up
 * in a list of what the folder holds.
 */
export class SimFolder {
  readonly #folder: string;
  #modules: ReadonlyMap<string, SimModule>;

  /** `folder` must be an absolute path. Throws if it holds no simulations. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#modules = this.#list();
    if (this.#modules.size === 0)
      misuse("not-ready", "verifyWorker", `no simulations in ${folder}`, "Add one, such as crates/1.mjs");
  }

  /** The modules, by their path within the folder. */
  get names(): string[] {
    return [...this.#modules.values()].map(({ shown }) => shown).sort();
  }

  /** Returns the module of a simulation; undefined if there is none. Finds modules that were added meanwhile. */
  find(name: string, version: number): SimModule | undefined {
    const folder = folderNameOf(name);
    if (folder === undefined) return undefined;
    const key = keyOf(folder, String(version));
    if (!this.#modules.has(key)) this.#modules = this.#list();
    return this.#modules.get(key);
  }

  #list(): Map<string, SimModule> {
    const found = new Map<string, SimModule>();
    for (const game of namesIn(this.#folder)) {
      const folder = join(this.#folder, game);
      if (game === "node_modules" || !isFolder(folder)) continue;
      for (const file of namesIn(folder)) {
        const version = MODULE.exec(file)?.[1];
        if (version === undefined) continue;
        const key = keyOf(game, version);
        const shown = `${game}/${file}`;
        const other = found.get(key);
        if (other)
          misuse(
            "in-use",
            "verifyWorker",
            `${other.shown} and ${shown} are modules of the same version`,
            "Remove one of them",
          );
        found.set(key, { path: join(folder, file), shown });
      }
    }
    return found;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const rule = `a folder that can be read (${(error as Error).message})`;
    return badValue("verifyWorker: sims", rule, folder, '"sims"');
  }
}

/** Links to folders count, too: the operator made them. Not links that lead nowhere, or to themselves. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const keyOf = (folder: string, version: string) => `${folder}/${version}`;
