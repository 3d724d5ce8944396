import { badValue, misuse } from "../errors/index.js";
import type { PackedCommand } from "../sim/commands.js";
import type { AnySimulation } from "../sim/index.js";

/** Most commands of a peer or a client in a tick, and their bytes. */
export const MAX_PER_TICK = 64;
export const MAX_BYTES_PER_TICK = 60_000;

/** The commands of the own seats that wait for the next sampled tick. They pile up while the session stands still. */
export class CommandQueue {
  readonly #simulation: AnySimulation;
  readonly #owner: "peer" | "client";
  #queued: PackedCommand[] = [];
  #bytes = 0;

  constructor(simulation: AnySimulation, owner: "peer" | "client") {
    this.#simulation = simulation;
    this.#owner = owner;
  }

  get isEmpty(): boolean {
    return this.#queued.length === 0;
  }

  /** Queues a command of one of the own seats: by default of the first one. */
  add(
    name: string,
    values: Readonly<Record<string, unknown>> | undefined,
    seats: readonly number[],
    player: number | undefined,
  ): void {
    const owner = this.#owner;
    const seat = player ?? seats[0];
    if (seat === undefined)
      misuse("not-ready", "Session.command", `this ${owner} has no seat`, "Wait until session.seats has one");
    if (!seats.includes(seat))
      badValue("Session.command: player", `a seat of this ${owner}: ${seats.join(", ")}`, seat, seats[0]);
    const bytes = this.#simulation.commands.encode(name, values, "Session.command");
    if (this.#queued.length >= MAX_PER_TICK || this.#bytes + bytes.length > MAX_BYTES_PER_TICK)
      badValue(
        "Session.command: commands that wait for the next tick",
        `at most ${MAX_PER_TICK} with ${MAX_BYTES_PER_TICK} bytes in all`,
        this.#queued.length + 1,
        "fewer, and none during a stall or a pause",
      );
    this.#queued.push({ player: seat, bytes });
    this.#bytes += bytes.length;
  }

  /** Returns all commands, and forgets them. */
  take(): readonly PackedCommand[] {
    const queued = this.#queued;
    this.#queued = [];
    this.#bytes = 0;
    return queued;
  }
}
