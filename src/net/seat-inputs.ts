import type { InputFields, StepTiming } from "../input/index.js";
import { InputSampler, type InputsFrom } from "../sim/input-sampler.js";
import { CommandQueue } from "./command-queue.js";
import type { PeerCore } from "./peer-core.js";
import type { PeerOptions } from "./peer-options.js";
import { SeatPredictor } from "./seat-predictor.js";

/** Samples the inputs of the own seats, and guesses those of others that are not known. */
export class SeatInputs<I extends InputFields> {
  readonly #core: PeerCore;
  readonly #sampler: InputSampler<I>;
  readonly #guesses: Uint32Array;
  readonly #predictor: SeatPredictor<I>;
  readonly #commands: CommandQueue;

  constructor(call: string, core: PeerCore, { inputs, predict }: PeerOptions<I>) {
    const { packing, players } = core.simulation;
    this.#core = core;
    // A function gets one object per own seat.
    this.#sampler = new InputSampler<I>(
      `${call}: inputs`,
      { packing, players: core.settings.count } as never,
      inputs as InputsFrom<I>,
    );
    this.#guesses = new Uint32Array(players * packing.words);
    this.#predictor = new SeatPredictor<I>(predict, packing, players, this.#guesses);
    this.#commands = new CommandQueue(core.simulation, "peer");
  }

  get isSampling(): boolean {
    return this.#sampler.isSampling;
  }

  /** Samples the own inputs up to the delay. Returns false if the session was disposed meanwhile. */
  sample(delay: number, timing: StepTiming): boolean {
    const { members, rollback, simulation } = this.#core;
    const { own } = members;
    if (!own?.isSeated) return true;
    const width = simulation.packing.words;
    const { seats } = own.member;
    // Inputs that were sent are never changed: a stalled tick keeps its input.
    const end = rollback.tick + delay + 1;
    while (own.end < end) {
      const tick = own.end;
      const words = this.#sampler.sample(tick, false, timing);
      if (this.#core.isDisposed) return false;
      for (let i = 0; i < seats.length; i++)
        if (rollback.log.writeSeat(tick, seats[i]!, words, i * width)) rollback.invalidate(tick);
      if (!this.#commands.isEmpty) {
        rollback.log.setCommands(tick, seats, this.#commands.take());
        rollback.invalidate(tick);
      }
      own.end++;
    }
    return true;
  }

  /** Queues a command for the next sampled tick. */
  command(
    name: string,
    values: Readonly<Record<string, unknown>> | undefined,
    player: number | undefined,
  ): void {
    this.#commands.add(name, values, this.#core.members.own?.member.seats ?? [], player);
  }

  /** Writes guesses for the inputs of a tick that are not known, and which seats are absent. */
  guess(tick: number): void {
    const { members, rollback, simulation } = this.#core;
    const { owners, absentFrom } = members;
    const { log } = rollback;
    const width = simulation.packing.words;
    for (let seat = 0; seat < owners.length; seat++) {
      const owner = owners[seat];
      const at = seat * width;
      if (owner === undefined || tick < owner.member.from) {
        // Before that, the seat had another owner, whose inputs are final.
        if (tick < absentFrom[seat]!) continue;
        log.setAbsent(tick, seat, true);
        this.#guesses.fill(0, at, at + width);
      } else {
        log.setAbsent(tick, seat, false);
        const last = owner.end - 1;
        if (tick <= last) continue;
        if (last < owner.member.from) this.#guesses.fill(0, at, at + width);
        else log.readSeat(last, seat, this.#guesses, at);
        this.#predictor.predict(seat, tick, tick - last);
      }
      log.writeSeat(tick, seat, this.#guesses, at);
    }
  }
}
