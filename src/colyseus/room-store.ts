// Rooms in Redis: what another process needs to continue them. Each room has an owner, and only the owner writes: a process that
// was taken for dead finds out with its next write.
import type { RedisConnection } from "./colyseus-types.js";

/** Rooms that a process has released, to be continued by any other. */
export const RELEASED = "released";

/** Seconds after which a room that nobody continues is forgotten. */
const KEEP = 3600;

/** What is known about a room besides its game. */
export interface RoomAbout {
  /** The name with which it was defined. */
  readonly name: string;
  /** The options with which it was created, as JSON. */
  readonly options: string;
}

/** A room that this process now owns. */
export interface ClaimedRoom extends RoomAbout {
  readonly id: string;
  /** The save with the inputs after it; empty if the room cannot be continued. */
  readonly save: Uint8Array;
}

// KEYS: about, save. ARGV: owner, name, options, seconds, save. A room that Redis has forgotten is written again.
const PUT = `
local owner = redis.call('HGET', KEYS[1], 'owner')
if owner and owner ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'name', ARGV[2], 'options', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('SET', KEYS[2], ARGV[5], 'EX', ARGV[4])
return 1`;
// KEYS: about, save. ARGV: owner, bytes. Returns 2 if Redis has forgotten the save.
const APPEND = `
local owner = redis.call('HGET', KEYS[1], 'owner')
if owner and owner ~= ARGV[1] then return 0 end
if not owner or redis.call('EXISTS', KEYS[2]) == 0 then return 2 end
redis.call('APPEND', KEYS[2], ARGV[2])
return 1`;
// KEYS: about, save. ARGV: owner until now, new owner.
const CLAIM = `
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return false end
redis.call('HSET', KEYS[1], 'owner', ARGV[2])
return { redis.call('HGET', KEYS[1], 'name'), redis.call('HGET', KEYS[1], 'options'), redis.call('GET', KEYS[2]) or '' }`;
// KEYS: about, save. ARGV: owner.
const REMOVE = `
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1], KEYS[2])`;
// KEYS: about. ARGV: owner, new owner.
const RELEASE = `
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'owner', ARGV[2])
return 1`;

/** What a write has led to. */
export type Written = "written" | "forgotten" | "taken";
const WRITTEN: readonly Written[] = ["taken", "written", "forgotten"];

/** The rooms of all processes, in Redis. */
export class RoomStore {
  readonly #redis: RedisConnection;
  readonly #prefix: string;

  constructor(redis: RedisConnection, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  // Rooms

  /** Writes a save of a room of this process. */
  async put(processId: string, id: string, { name, options }: RoomAbout, save: Uint8Array): Promise<Written> {
    return this.#write(PUT, id, processId, name, options, KEEP, bufferOf(save));
  }

  /** Appends inputs to the save of a room of this process. */
  async append(processId: string, id: string, inputs: Uint8Array): Promise<Written> {
    return this.#write(APPEND, id, processId, bufferOf(inputs));
  }

  /** Lists a room among those of a process. */
  async list(processId: string, ...ids: string[]): Promise<void> {
    if (ids.length > 0) await this.#redis.call("SADD", this.#roomsKey(processId), ...ids);
  }

  /** Forgets a room of this process. */
  async remove(processId: string, id: string): Promise<void> {
    await this.#eval(REMOVE, this.#roomKeys(id), processId);
    await this.unlist(processId, id);
  }

  /** Lets any other process continue a room of this one. */
  async release(processId: string, id: string): Promise<void> {
    await this.#redis.call("SADD", this.#roomsKey(RELEASED), id);
    await this.#eval(RELEASE, this.#roomKeys(id), processId, RELEASED);
    await this.unlist(processId, id);
  }

  /** The ids of the rooms of a process. */
  async roomsOf(processId: string): Promise<string[]> {
    return (await this.#redis.call("SMEMBERS", this.#roomsKey(processId))) as string[];
  }

  /** The process that a room belongs to; undefined if Redis has forgotten the room. */
  async ownerOf(id: string): Promise<string | undefined> {
    return ((await this.#redis.call("HGET", this.#roomKeys(id)[0], "owner")) as string | null) ?? undefined;
  }

  /** The name of the kind of a room; undefined if Redis has forgotten the room. */
  async nameOf(id: string): Promise<string | undefined> {
    return ((await this.#redis.call("HGET", this.#roomKeys(id)[0], "name")) as string | null) ?? undefined;
  }

  /** Removes a room from the list of a process. */
  async unlist(processId: string, id: string): Promise<void> {
    await this.#redis.call("SREM", this.#roomsKey(processId), id);
  }

  /** Takes a room over from another process. Returns undefined if somebody else was faster. */
  async claim(from: string, processId: string, id: string): Promise<ClaimedRoom | undefined> {
    const keys = this.#roomKeys(id);
    // Before it is taken over, so that it is never without a process.
    await this.list(processId, id);
    const found = (await this.#redis.callBuffer("EVAL", CLAIM, keys.length, ...keys, from, processId)) as
      | [Buffer, Buffer, Buffer]
      | null;
    await this.unlist(found ? from : processId, id);
    if (!found) return undefined;
    return { id, name: found[0].toString(), options: found[1].toString(), save: found[2] };
  }

  // Processes

  /** Says that this process lives. Returns false if Redis did not know: it is new, was silent for too long, or Redis has forgotten. */
  async beat(processId: string, milliseconds: number): Promise<boolean> {
    const before = await this.#redis.call("SET", this.#aliveKey(processId), 1, "PX", milliseconds, "GET");
    if (before === null) await this.#redis.call("SADD", this.#key("processes"), processId);
    return before !== null;
  }

  /** The ids of all processes that were ever alive and have not been buried, and those of them whose heart beats. */
  async processes(): Promise<{ readonly all: readonly string[]; readonly beating: ReadonlySet<string> }> {
    const all = (await this.#redis.call("SMEMBERS", this.#key("processes"))) as string[];
    const beats = await Promise.all(all.map((id) => this.#redis.call("EXISTS", this.#aliveKey(id))));
    return { all, beating: new Set(all.filter((_, index) => beats[index] === 1)) };
  }

  /**
   * Lets one process remove what a dead one has left elsewhere. `"mine"`: it is this one, which calls `buried` after that. `"theirs"`:
   * wait. `"done"`: it has happened.
   */
  async bury(dead: string, processId: string): Promise<"mine" | "theirs" | "done"> {
    const key = this.#key(`grave:${dead}`);
    if ((await this.#redis.call("SET", key, processId, "NX", "PX", 5000)) !== null) return "mine";
    return (await this.#redis.call("GET", key)) === "" ? "done" : "theirs";
  }

  async buried(dead: string): Promise<void> {
    await this.#redis.call("SET", this.#key(`grave:${dead}`), "", "EX", KEEP);
  }

  /** Forgets a process that has no rooms any more. */
  async forget(processId: string): Promise<void> {
    await this.#redis.call("SREM", this.#key("processes"), processId);
    await this.#redis.call("DEL", this.#aliveKey(processId));
  }

  async #write(
    script: string,
    id: string,
    processId: string,
    ...args: (string | number | Buffer)[]
  ): Promise<Written> {
    return WRITTEN[(await this.#eval(script, this.#roomKeys(id), processId, ...args)) as number]!;
  }

  #eval(script: string, keys: readonly string[], ...args: (string | number | Buffer)[]): Promise<unknown> {
    return this.#redis.call("EVAL", script, keys.length, ...keys, ...args);
  }

  /** Both keys of a room are in the same slot of a Redis cluster. */
  #roomKeys(id: string): [string, string] {
    return [this.#key(`room:{${id}}:about`), this.#key(`room:{${id}}:save`)];
  }
  #roomsKey(processId: string): string {
    return this.#key(`rooms:${processId}`);
  }
  #aliveKey(processId: string): string {
    return this.#key(`alive:${processId}`);
  }
  #key(name: string): string {
    return `${this.#prefix}:${name}`;
  }
}

const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
