import { appendFile, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readCode } from "./codes.js";
import { makeFolder } from "./folders.js";
import type { Log } from "./log.js";

/** What is saved of a room besides its game. It is as secret as the tokens in it. */
export interface SavedRoom {
  readonly id: string;
  readonly code: string;
  readonly isPublic: boolean;
  /** The tokens of the players. */
  readonly tokens: readonly string[];
  /** How often processes have tried to continue it since it was last saved. */
  readonly attempts: number;
}

/** A room that two processes could not continue is put aside. */
const MAX_ATTEMPTS = 2;
/** Into how many parts rooms are divided that may have ended a process, and milliseconds between two parts. */
const SUSPECT_PARTS = 10;
const SETTLE = 2000;
/** Nobody but the owner may read them. */
const SECRET = 0o600;
export const SAVES_MODE = 0o700;

/** The folder in which running rooms are saved, so that the next process can continue them. */
export class Saves {
  readonly #folder: string;
  readonly #log: Log;
  /** Writes of each room, one after the other. */
  readonly #queues = new Map<string, Promise<void>>();
  /** Rooms of which a write has failed: until the next whole save, what follows would not fit. */
  readonly #stale = new Set<string>();

  private constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  static open(folder: string, log: Log): Saves {
    makeFolder("roomServer: saves", folder, SAVES_MODE);
    return new Saves(folder, log);
  }

  /** Writes what is known about a room, and the game if it is given. A reader finds the old files or the new ones. */
  write(room: SavedRoom, game?: Uint8Array): Promise<void> {
    return this.#enqueue(room.id, async () => {
      if (game) await this.#fresh(room.id, () => this.#replace(`${room.id}.save`, game));
      await this.#replace(`${room.id}.json`, JSON.stringify(room));
    });
  }

  async #replace(name: string, content: string | Uint8Array): Promise<void> {
    const path = join(this.#folder, name);
    await writeFile(`${path}.new`, content, { mode: SECRET });
    await rename(`${path}.new`, path);
  }

  /** Appends inputs to the saved game. */
  append(id: string, inputs: Uint8Array): void {
    if (inputs.length === 0) return;
    void this.#enqueue(id, async () => {
      const append = () => appendFile(join(this.#folder, `${id}.save`), inputs, { mode: SECRET });
      if (!this.#stale.has(id)) await this.#fresh(id, append);
    });
  }

  /** Writes to the save of a game. If that fails, nothing is appended to it any more. */
  async #fresh(id: string, action: () => Promise<void>): Promise<void> {
    this.#stale.add(id);
    await action();
    this.#stale.delete(id);
  }

  remove(id: string): Promise<void> {
    return this.#enqueue(id, async () => {
      this.#stale.delete(id);
      for (const end of [".json", ".save"]) await rm(join(this.#folder, id + end), { force: true });
    });
  }

  #enqueue(id: string, action: () => Promise<void>): Promise<void> {
    const queue = (this.#queues.get(id) ?? Promise.resolve()).then(action).catch((error: unknown) => {
      this.#log("error", "save failed", { room: id, reason: String(error) });
    });
    this.#queues.set(id, queue);
    void queue.then(() => {
      if (this.#queues.get(id) === queue) this.#queues.delete(id);
    });
    return queue;
  }

  /**
   * Lists the saved rooms, in parts. One of those that the last process was about to continue may have ended it: they follow in ten
   * parts, so that the same room cannot take all others with it.
   */
  async parts(): Promise<string[][]> {
    const fresh: string[] = [];
    const suspects: string[] = [];
    for (const name of await readdir(this.#folder)) {
      if (!/^[0-9a-f]+\.json$/.test(name)) continue;
      const id = name.slice(0, -".json".length);
      ((await this.#wasTried(id)) ? suspects : fresh).push(id);
    }
    const size = Math.ceil(suspects.length / SUSPECT_PARTS);
    const parts = [fresh];
    for (let at = 0; at < suspects.length; at += size) parts.push(suspects.slice(at, at + size));
    return parts.filter((part) => part.length > 0);
  }

  async #wasTried(id: string): Promise<boolean> {
    try {
      return readSaved(await readFile(join(this.#folder, `${id}.json`), "utf8"), id).attempts > 0;
    } catch {
      // `load` says what is wrong.
      return false;
    }
  }

  /** Continues all saved rooms, one after the other. */
  async resumeAll(resume: (id: string) => Promise<unknown>): Promise<void> {
    for (const [i, part] of (await this.parts()).entries()) {
      // Until the rooms before have run, and were saved again.
      if (i > 0) await new Promise((resolve) => setTimeout(resolve, SETTLE));
      for (const id of part) await resume(id);
    }
  }

  /** Reads a saved room, to continue it. Undefined if it cannot be read, or was tried too often. */
  async load(id: string): Promise<{ readonly room: SavedRoom; readonly game: Uint8Array } | undefined> {
    try {
      const room = readSaved(await readFile(join(this.#folder, `${id}.json`), "utf8"), id);
      if (room.attempts >= MAX_ATTEMPTS) throw new Error("other processes could not continue it");
      const game = new Uint8Array(await readFile(join(this.#folder, `${id}.save`)));
      const attempted = { ...room, attempts: room.attempts + 1 };
      await this.write(attempted);
      return { room: attempted, game };
    } catch (error) {
      await this.setAside(id, String(error));
      return undefined;
    }
  }

  /** Keeps the files of a room that cannot be continued, but does not try again. */
  async setAside(id: string, reason: string): Promise<void> {
    this.#log("error", "room lost", { room: id, reason });
    await this.#enqueue(id, async () => {
      for (const end of [".json", ".save"]) {
        const path = join(this.#folder, id + end);
        await rename(path, `${path}.bad`).catch(() => {});
      }
    });
  }
}

function readSaved(json: string, id: string): SavedRoom {
  const { code, isPublic, tokens, attempts } = JSON.parse(json) as Partial<SavedRoom>;
  const isValid =
    typeof code === "string" &&
    readCode(code) === code &&
    typeof isPublic === "boolean" &&
    Array.isArray(tokens) &&
    tokens.every((token) => typeof token === "string") &&
    Number.isSafeInteger(attempts);
  if (!isValid) throw new Error("its file is damaged");
  return { id, code, isPublic, tokens, attempts: attempts! };
}
