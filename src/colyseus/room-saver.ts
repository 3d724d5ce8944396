import type { RoomStore, Written } from "./room-store.js";
import type { HostedRoom } from "./hosted-room.js";
import type { GameRoomsSettings } from "./game-rooms-options.js";
import type { RoomCounters } from "./room-metrics.js";

/** Writes the rooms of this process to Redis: a save now and then, and the inputs since then more often. */
export class RoomSaver {
  readonly #store: RoomStore;
  readonly #settings: GameRoomsSettings;
  readonly #counters: RoomCounters;
  readonly #rooms: Iterable<HostedRoom>;
  readonly #processId: () => string;
  readonly #timer: NodeJS.Timeout;
  #isWriting = false;

  constructor(
    store: RoomStore,
    rooms: Iterable<HostedRoom>,
    processId: () => string,
    settings: GameRoomsSettings,
    counters: RoomCounters,
  ) {
    this.#store = store;
    this.#rooms = rooms;
    this.#processId = processId;
    this.#settings = settings;
    this.#counters = counters;
    this.#timer = setInterval(() => void this.#round(), settings.inputsEvery).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Saves a new room for the first time. */
  async begin(hosted: HostedRoom): Promise<void> {
    await this.#store.list(this.#processId(), hosted.id);
    await this.write(hosted, true);
  }

  /** Saves a room as a whole, and releases it for other processes. */
  async release(hosted: HostedRoom): Promise<void> {
    const { id } = hosted;
    await this.write(hosted, true);
    await this.#store.release(this.#processId(), id);
  }

  async remove({ id }: HostedRoom): Promise<void> {
    await this.#store.remove(this.#processId(), id);
  }

  /** Lists all rooms again, and saves them soon: Redis may have forgotten them. */
  async listAll(): Promise<void> {
    const ids = [...this.#rooms].map((hosted) => {
      hosted.needsSave = true;
      return hosted.id;
    });
    await this.#store.list(this.#processId(), ...ids);
  }

  /** Writes what is new of a room, or all of it. */
  async write(hosted: HostedRoom, isWhole: boolean): Promise<void> {
    const { id, about, room } = hosted;
    if (room.isClosed || hosted.isForeign) return;
    let written: Written;
    if (isWhole) {
      hosted.needsSave = false;
      hosted.savedAt = performance.now();
      const save = room.canSave ? room.save() : new Uint8Array();
      this.#counters.saves++;
      this.#counters.savedBytes += save.length;
      written = await this.#store.put(this.#processId(), id, about, save);
    } else {
      const inputs = room.takeInputs();
      if (inputs.length === 0) return;
      this.#counters.savedBytes += inputs.length;
      written = await this.#store.append(this.#processId(), id, inputs);
    }
    if (written === "taken") return this.#taken(hosted);
    hosted.ownedAt = performance.now();
    if (written === "forgotten") hosted.needsSave = true;
  }

  /** Finds out whether another process has taken a room over, if this one has not heard of Redis for a while. */
  async checkOwner(hosted: HostedRoom): Promise<void> {
    if (performance.now() - hosted.ownedAt < this.#settings.deadAfter) return;
    const owner = await this.#store.ownerOf(hosted.id);
    if (owner !== undefined && owner !== this.#processId()) this.#taken(hosted);
  }

  /** This process was taken for dead. */
  #taken(hosted: HostedRoom): void {
    if (hosted.isForeign || hosted.room.isClosed) return;
    hosted.isForeign = true;
    this.#counters.takenRooms++;
    hosted.shell.end("another process has taken this room over", true);
  }

  async #round(): Promise<void> {
    // While Redis does not answer, inputs wait in the rooms.
    if (this.#isWriting) return;
    this.#isWriting = true;
    const now = performance.now();
    const writes: Promise<void>[] = [];
    for (const hosted of this.#rooms) {
      const isDue =
        hosted.needsSave || (hosted.room.canSave && now - hosted.savedAt >= this.#settings.saveEvery);
      writes.push(this.write(hosted, isDue));
    }
    for (const result of await Promise.allSettled(writes)) {
      if (result.status === "fulfilled") continue;
      this.#counters.problems++;
      this.#settings.onProblem("a room could not be saved", result.reason);
    }
    this.#isWriting = false;
  }
}
