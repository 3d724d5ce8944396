import type { HostedRoom } from "./hosted-room.js";
import type { Recording, Recordings } from "./recordings.js";
import type { Saves } from "./saves.js";

/** What is written about one room: its replay, and its save. */
export class RoomFiles {
  readonly #hosted: HostedRoom;
  readonly #recording: Recording | undefined;
  readonly #saves: Saves | undefined;
  readonly #saveEvery: number;
  #savedAt = -Infinity;

  /** `started`: the wall time, which names the replay. `saveEvery`: milliseconds between two saves. */
  constructor(
    hosted: HostedRoom,
    recordings: Recordings | undefined,
    saves: Saves | undefined,
    started: number,
    saveEvery: number,
  ) {
    this.#hosted = hosted;
    this.#recording = recordings?.start(hosted.id, started);
    this.#saves = saves;
    this.#saveEvery = saveEvery;
  }

  /** Writes what is new: the replay and inputs every time, the whole room now and then. */
  write(now: number): void {
    const hosted = this.#hosted;
    this.#recording?.append(hosted.room.takeReplay());
    if (!this.#saves) return;
    if (now - this.#savedAt >= this.#saveEvery) {
      this.#savedAt = now;
      void this.save();
    } else {
      this.#saves.append(hosted.id, hosted.room.takeInputs());
      if (hosted.isChanged) void this.#saves.write(hosted.saved());
    }
    hosted.isChanged = false;
  }

  /** Saves the whole room. Resolves when it is written. */
  async save(): Promise<void> {
    await this.#saves?.write(this.#hosted.saved(), this.#hosted.room.save());
  }

  /** Finishes the replay of a room that has ended. The save is deleted, unless another process shall continue the room. */
  async finish(keepsSave: boolean): Promise<void> {
    if (!keepsSave) await this.#saves?.remove(this.#hosted.id);
    try {
      this.#recording?.append(this.#hosted.room.takeReplay());
    } catch {
      // A room that hung: the file ends a second earlier.
    }
    await this.#recording?.finish();
  }
}
