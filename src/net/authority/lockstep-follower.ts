import type { Difference } from "../../state/index.js";
import { ALL_SEATS } from "../seat-log.js";
import type { ClientCore } from "./client-core.js";
import { FrameQueue } from "./frame-queue.js";
import { FrameReader } from "./lockstep-frame.js";
import { readWholeState, type WholeState } from "./whole-state.js";

/** Follows a server that sends each tick's inputs once: nothing is predicted, so nothing is corrected. */
export class LockstepFollower {
  readonly #core: ClientCore;
  readonly #queue = new FrameQueue();
  readonly #frames: FrameReader;
  /** The tick whose inputs were taken last. */
  #taken = -1;
  #arrived: WholeState | undefined;
  /** What is here cannot be continued: a whole state is needed. */
  needsState = true;
  /** How the own state differed from the one that was loaded last. */
  differences: readonly Difference[] = [];

  constructor(core: ClientCore) {
    this.#core = core;
    this.#frames = new FrameReader(core.simulation);
  }

  /** The inputs of all seats are known before this tick. */
  get known(): number {
    return this.needsState ? this.#core.tick : this.#queue.end;
  }
  /** The first tick that has not arrived. */
  get end(): number {
    return this.#queue.end;
  }

  /** Forgets what an older server sent. This one is at about `tick`. */
  reset(tick: number): void {
    this.#queue.reset(tick);
    this.#arrived = undefined;
    this.#taken = -1;
    this.needsState = true;
  }

  /** Takes a packet. Returns what is wrong with it. */
  onPacket(bytes: Uint8Array): string | undefined {
    const problem = this.#queue.push(bytes, this.needsState);
    if (this.#queue.hasOverflowed) {
      this.#queue.hasOverflowed = false;
      this.needsState = true;
    }
    return problem;
  }

  /** Takes a whole state, with the inputs of the tick before. It is loaded between two steps. */
  onState(bytes: Uint8Array): string | undefined {
    this.#arrived = readWholeState(this.#core.simulation, bytes);
    return this.#arrived ? undefined : "a malformed state";
  }

  /** Loads a state that has arrived and is needed. Returns its tick, or -1 if there is none. Throws if it is damaged. */
  load(): number {
    const arrived = this.#arrived;
    if (!arrived) return -1;
    this.#arrived = undefined;
    if (!this.needsState) return -1;
    const { rollback } = this.#core;
    this.differences = rollback.load("clientSession", arrived.state, false);
    const { tick } = rollback;
    this.#frames.load(arrived.words);
    this.#taken = -1;
    const queue = this.#queue;
    queue.dropBefore(tick);
    // Nothing of a later tick has arrived yet.
    if (queue.end <= tick) queue.reset(tick);
    this.needsState = queue.first !== tick;
    return tick;
  }

  /** Writes the inputs of the next tick into the log. Returns false if they are damaged, or were lost in a step that threw. */
  take(tick: number): boolean {
    const { log } = this.#core.rollback;
    const queue = this.#queue;
    const frames = this.#frames;
    if (queue.first !== tick || !frames.read(queue.bytes, queue.from, queue.to)) {
      this.needsState = true;
      return false;
    }
    queue.shift();
    this.#taken = tick;
    log.write(tick, frames.words, frames.absent);
    log.setCommands(tick, ALL_SEATS, frames.commands);
    log.dropBefore(tick - 60);
    return true;
  }

  /** Writes a guess for a tick that was not taken: everybody goes on. Only for a picture that is a step ahead. */
  guess(tick: number): void {
    if (tick > this.#taken) this.#core.rollback.log.write(tick, this.#frames.words, this.#frames.absent);
  }

  /** Compares the state after the last tick with the hash of the server, if it sent one. Returns false if they differ. */
  isMatching(state: number, hash: number): boolean {
    return this.#taken !== state - 1 || this.#frames.hash < 0 || this.#frames.hash === hash;
  }
}
