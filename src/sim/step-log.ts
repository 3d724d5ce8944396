import { NO_COMMANDS, type PackedCommand } from "./commands.js";
import { InputLog } from "./input-log.js";
import type { Run } from "./run.js";
import type { AnySimulation } from "./simulation.js";

/** Keeps what the last `capacity` steps of a run were given: inputs, commands and absent seats. */
export class StepLog {
  readonly #inputs: InputLog;
  readonly #capacity: number;
  /** By tick, modulo the capacity. Ticks without commands, or without absent seats, have no entry. */
  readonly #commands = new Map<number, readonly PackedCommand[]>();
  readonly #absent = new Map<number, Uint8Array>();
  /** The last entry, which the next ones share as long as nobody comes or goes. */
  #lastAbsent = new Uint8Array();

  constructor({ players, packing }: AnySimulation, capacity: number) {
    this.#inputs = new InputLog(players, packing.words, capacity);
    this.#capacity = capacity;
  }

  /** Writes what the run's step `tick` was given. */
  write(tick: number, { words, commands, absent }: Run): void {
    this.#inputs.write(tick, words);
    const slot = tick % this.#capacity;
    if (commands.length > 0) this.#commands.set(slot, commands);
    else if (this.#commands.size > 0) this.#commands.delete(slot);
    if (isAny(absent)) this.#absent.set(slot, this.#shared(absent));
    else if (this.#absent.size > 0) this.#absent.delete(slot);
  }

  /** Gives a run what step `tick` was given. */
  read(tick: number, run: Run): void {
    this.#inputs.read(tick, run.words);
    const slot = tick % this.#capacity;
    run.commands = (this.#commands.size > 0 && this.#commands.get(slot)) || NO_COMMANDS;
    const absent = this.#absent.size > 0 && this.#absent.get(slot);
    if (absent) run.absent.set(absent);
    else run.absent.fill(0);
  }

  #shared(absent: Uint8Array): Uint8Array {
    const last = this.#lastAbsent;
    let isSame = last.length === absent.length;
    for (let i = 0; i < absent.length; i++) isSame &&= last[i] === absent[i];
    return isSame ? last : (this.#lastAbsent = absent.slice());
  }
}

function isAny(absent: Uint8Array): boolean {
  for (let i = 0; i < absent.length; i++) if (absent[i] !== 0) return true;
  return false;
}
