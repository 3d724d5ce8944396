import { misuse } from "../errors/index.js";
import { NO_COMMANDS } from "../sim/commands.js";
import type { AnySimulation, ConfirmedTick } from "../sim/index.js";
import type { Hash } from "../state/index.js";
import type { Report } from "./protocol.js";

/** The newest state of the page. */
interface NewestState {
  readonly tick: number;
  hash(out?: [number, number]): Hash;
  bytes(): Uint8Array;
}

/** The `confirmed` event of a session whose steps are taken elsewhere: its hash and bytes come with it, if somebody needs them. */
export class ConfirmedReport implements ConfirmedTick {
  tick = 0;
  words: Uint32Array;
  commands = NO_COMMANDS;
  absent: Uint8Array;
  readonly #newest: NewestState;
  #hash: readonly [number, number] | undefined;
  #bytes: Uint8Array | undefined;

  constructor({ players, packing }: AnySimulation, newest: NewestState) {
    this.words = new Uint32Array(players * packing.words);
    this.absent = new Uint8Array(players);
    this.#newest = newest;
  }

  /** Takes over what the worker has reported about a tick. */
  take(tick: number, { words, commands, absent, hash, bytes }: NonNullable<Report["confirmed"]>): void {
    this.tick = tick;
    this.words = words;
    this.commands = commands;
    this.absent = absent;
    this.#hash = hash;
    this.#bytes = bytes;
  }

  // Arrow functions, as listeners may destructure the event.
  readonly hash = (out: [number, number] = [0, 0]): Hash => {
    if (!this.#hash) return this.#require("hash").hash(out);
    [out[0], out[1]] = this.#hash;
    return out;
  };

  readonly bytes = (): Uint8Array => this.#bytes?.slice() ?? this.#require("bytes").bytes();

  /** Returns the newest state of the page, if it is the one after this tick. */
  #require(part: "hash" | "bytes"): NewestState {
    if (this.#newest.tick === this.tick + 1) return this.#newest;
    return misuse(
      "unsupported",
      `ConfirmedTick.${part}`,
      `the state after tick ${this.tick} stayed in the worker`,
      "Record the session, or call await session.save()",
    );
  }
}
