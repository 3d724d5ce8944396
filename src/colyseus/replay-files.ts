import { createWriteStream, type WriteStream } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../server/folders.js";

/** Replays of rooms as files in a folder. */
export class ReplayFiles {
  readonly #folder: string;
  #bytesLeft: number;

  /** `maxBytes`: how much this process may write. */
  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#bytesLeft = maxBytes;
    makeFolder("gameRooms: replays", folder);
  }

  /** Starts the file of a room that begins, or continues, at a tick: `ID-TICK.twr`. */
  open(roomId: string, tick: number): ReplayFile {
    // Ids come from Colyseus or from your code, and name a file.
    const name = roomId.replace(/[^\w-]/g, "_");
    const stream = createWriteStream(join(this.#folder, `${name}-${tick}.twr`));
    return new ReplayFile(stream, (bytes) => (this.#bytesLeft -= bytes) >= 0);
  }
}

/** The replay of one room. All that was written is a valid replay, at any moment. */
export class ReplayFile {
  readonly #stream: WriteStream;
  readonly #mayWrite: (bytes: number) => boolean;
  #isOver = false;

  constructor(stream: WriteStream, mayWrite: (bytes: number) => boolean) {
    this.#stream = stream;
    this.#mayWrite = mayWrite;
    // A full disk ends the replay, not the game.
    stream.on("error", () => (this.#isOver = true));
  }

  write(bytes: Uint8Array): void {
    if (this.#isOver || bytes.length === 0) return;
    if (this.#mayWrite(bytes.length)) this.#stream.write(bytes);
    else this.#isOver = true;
  }

  /** Writes the rest, and resolves when it is in the file. */
  end(bytes: Uint8Array): Promise<void> {
    this.write(bytes);
    return new Promise((resolve) => {
      if (this.#stream.destroyed) resolve();
      else this.#stream.once("close", resolve).end();
    });
  }
}
