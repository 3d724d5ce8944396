import { open, readdir, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "./folders.js";
import type { Log } from "./log.js";

const EXTENSION = ".twr";
/** A recording that still grows. */
const RUNNING = ".part";

/** The folder of the replays of all rooms. If it gets too large, the oldest replays are deleted. */
export class Recordings {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #log: Log;
  /** Bytes of all files, as far as known. */
  bytes = 0;
  #tidying: Promise<void> | undefined;

  private constructor(folder: string, maxBytes: number, log: Log) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#log = log;
  }

  static async open(folder: string, maxBytes: number, log: Log): Promise<Recordings> {
    makeFolder("roomServer: replays", folder);
    const recordings = new Recordings(folder, maxBytes, log);
    await recordings.#count();
    return recordings;
  }

  /** Finishes the files of rooms that a dead process has left: a replay can be read as far as it goes. `room`: only of this one. */
  static async finishLost(folder: string, room = ""): Promise<void> {
    for (const name of await readdir(folder).catch(() => []))
      if (name.endsWith(`${room}${EXTENSION}${RUNNING}`))
        await rename(join(folder, name), join(folder, name.slice(0, -RUNNING.length)));
  }

  /** Counts again, as other processes write into the folder, too. */
  async recount(): Promise<void> {
    await this.#count().catch(() => {});
  }

  async #count(): Promise<{ path: string; size: number; time: number }[]> {
    const files = [];
    for (const name of await readdir(this.#folder)) {
      if (!name.endsWith(EXTENSION) && !name.endsWith(EXTENSION + RUNNING)) continue;
      const path = join(this.#folder, name);
      const info = await stat(path).catch(() => undefined);
      if (info?.isFile()) files.push({ path, size: info.size, time: info.mtimeMs });
    }
    this.bytes = files.reduce((sum, { size }) => sum + size, 0);
    return files;
  }

  /** Starts the replay of a room. `started` is the wall time, which names the file. */
  start(room: string, started: number): Recording {
    const time = new Date(started).toISOString().replace(/[:.]/g, "-");
    return new Recording(join(this.#folder, `${time}-${room}${EXTENSION}`), this, this.#log, room);
  }

  /** Whether another `bytes` fit, after old files are deleted if need be. */
  async makeRoom(bytes: number): Promise<boolean> {
    this.bytes += bytes;
    if (this.bytes <= this.#maxBytes) return true;
    this.#tidying ??= this.#tidy().finally(() => (this.#tidying = undefined));
    await this.#tidying;
    return this.bytes <= this.#maxBytes;
  }

  /** Deletes the oldest replays, until a tenth of the space is free. Those of running rooms stay. */
  async #tidy(): Promise<void> {
    const pending = this.bytes;
    const files = await this.#count();
    // What is about to be written counts, too.
    this.bytes = Math.max(this.bytes, pending);
    const finished = files.filter(({ path }) => path.endsWith(EXTENSION)).sort((a, b) => a.time - b.time);
    let deleted = 0;
    for (const { path, size } of finished) {
      if (this.bytes <= 0.9 * this.#maxBytes) break;
      await rm(path, { force: true });
      this.bytes -= size;
      deleted++;
    }
    if (deleted > 0) this.#log("info", "replays deleted", { files: deleted });
  }
}

/** The replay file of one room. */
export class Recording {
  readonly #path: string;
  readonly #owner: Recordings;
  readonly #log: Log;
  readonly #room: string;
  #file: FileHandle | undefined;
  #isStopped = false;
  /** Writes one after the other. */
  #queue: Promise<void> = Promise.resolve();

  constructor(path: string, owner: Recordings, log: Log, room: string) {
    this.#path = path;
    this.#owner = owner;
    this.#log = log;
    this.#room = room;
  }

  /** Appends bytes. If there is no room for them, or the disk fails, the file ends here. */
  append(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#enqueue(() => this.#write(bytes));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#isStopped) return;
    if (!(await this.#owner.makeRoom(bytes.length))) return this.#stop("the folder of replays is full");
    this.#file ??= await open(this.#path + RUNNING, "ax");
    await this.#file.writeFile(bytes);
  }

  #stop(reason: string): void {
    this.#isStopped = true;
    this.#log("warn", "replay stopped", { room: this.#room, reason });
  }

  /** Finishes the file. */
  async finish(): Promise<void> {
    this.#enqueue(async () => {
      this.#isStopped = true;
      if (!this.#file) return;
      await this.#file.close();
      this.#file = undefined;
      await rename(this.#path + RUNNING, this.#path);
    });
    await this.#queue;
  }

  #enqueue(action: () => Promise<void>): void {
    this.#queue = this.#queue.then(action).catch((error: unknown) => {
      if (!this.#isStopped) this.#stop(String(error));
    });
  }
}
