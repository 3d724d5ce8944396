import type { InputFields, StepTiming } from "../../input/index.js";
import { InputLog } from "../../sim/input-log.js";
import { InputSampler, type InputsFrom } from "../../sim/input-sampler.js";
import type { BitWriter } from "../bits.js";
import { CommandQueue } from "../command-queue.js";
import { InputRows, type RowSource } from "../input-rows.js";
import { COMMANDS } from "../messages.js";
import { SeatPredictor } from "../seat-predictor.js";
import type { ClientCore } from "./client-core.js";
import type { ClientOptions } from "./client-options.js";
import { commandMessage } from "./command-message.js";
import { InputHead } from "./input-packet.js";

/** Ticks of own inputs that are kept. */
const CAPACITY = 1024;
/** Unacknowledged ticks that are sent. If there are more, the older ones are far too late. */
const MAX_SENT = 200;
/** Ticks that are sent in that case: the newest ones. */
const SENT_THEN = 60;

/** The inputs of the own seats: samples and sends them. And guesses for those of others. */
export class ClientInputs<I extends InputFields = InputFields> {
  readonly #core: ClientCore;
  readonly #sampler: InputSampler<I>;
  readonly #guesses: Uint32Array;
  readonly #predictor: SeatPredictor<I>;
  readonly #commands: CommandQueue;
  readonly #head = new InputHead();
  /** What was sampled. The log has what the server used instead, if an input came too late. */
  #own = new InputLog(0, 0, 1);
  #rows: InputRows | undefined;
  #source: RowSource | undefined;
  /** Inputs were sampled for the ticks from `#first` to `end - 1`. */
  #first = 0;
  end = 0;
  #joinedAt = 0;
  /** The server has the inputs before this tick; -1 if it has none. */
  #acked = -1;

  constructor(call: string, core: ClientCore, { inputs, predict }: ClientOptions<I>) {
    const { packing, players } = core.simulation;
    this.#core = core;
    this.#sampler = new InputSampler<I>(
      `${call}: inputs`,
      { packing, players: core.settings.count } as never,
      inputs as InputsFrom<I>,
    );
    this.#guesses = new Uint32Array(players * packing.words);
    this.#predictor = new SeatPredictor<I>(predict, packing, players, this.#guesses);
    this.#commands = new CommandQueue(core.simulation, "client");
  }

  get isSampling(): boolean {
    return this.#sampler.isSampling;
  }

  /** Begins to play some seats. The server is at about this tick. */
  sit(seats: readonly number[], tick: number): void {
    this.#joinedAt = tick;
    const { packing } = this.#core.simulation;
    const own = new InputLog(seats.length, packing.words, CAPACITY);
    this.#own = own;
    this.#source = { readSeat: (tick, seat, out, at) => own.readPlayer(tick, seat, out, at) };
    this.#rows = new InputRows(
      packing,
      seats.map((_, index) => index),
    );
    this.#first = this.end = 0;
    this.#acked = -1;
  }

  /** Goes on at a later tick, as the state of that tick was loaded. */
  skipTo(tick: number): void {
    if (tick <= this.end) return;
    this.#first = this.end = tick;
    this.#acked = -1;
  }

  /** Samples the inputs of a tick, unless that was done before. Returns false if the session was disposed meanwhile. */
  sample(tick: number, timing: StepTiming): boolean {
    const { seats, rollback, simulation } = this.#core;
    if (seats.length === 0 || tick < this.end) return true;
    this.skipTo(tick);
    const width = simulation.packing.words;
    const words = this.#sampler.sample(tick, false, timing);
    if (this.#core.isDisposed) return false;
    for (let i = 0; i < seats.length; i++) {
      this.#own.writePlayer(tick, i, words, i * width);
      rollback.log.writeSeat(tick, seats[i]!, words, i * width);
    }
    if (!this.#commands.isEmpty) {
      const commands = this.#commands.take();
      rollback.log.setCommands(tick, seats, commands);
      this.#core.connection?.sendLong(COMMANDS, commandMessage(tick, commands));
    }
    this.end = tick + 1;
    return true;
  }

  /** Samples inputs without a tick of their own: in lockstep, the server chooses it. Returns undefined if the session was disposed meanwhile. */
  sampleNow(tick: number, timing: StepTiming): Uint32Array | undefined {
    const words = this.#sampler.sample(tick, false, timing);
    if (this.#core.isDisposed) return undefined;
    if (!this.#commands.isEmpty)
      this.#core.connection?.sendLong(COMMANDS, commandMessage(0, this.#commands.take()));
    return words;
  }

  /** Takes what the server has of the own inputs. */
  acknowledge(end: number): void {
    if (end > this.#acked && end >= this.#first && end <= this.end) this.#acked = end;
  }

  /** Writes a packet with all inputs that the server has not acknowledged. */
  write(writer: BitWriter, ack: number): void {
    const head = this.#head;
    let first = Math.max(this.#first, this.#acked);
    head.isComplete = this.#acked <= this.#first;
    if (this.end - first > MAX_SENT) {
      first = this.end - SENT_THEN;
      head.isComplete = true;
    }
    head.first = first;
    // Without any input, a tick near the server's: only its lowest bits are sent.
    head.end = this.end;
    if (this.end === 0) head.first = head.end = this.#joinedAt;
    head.ack = ack;
    head.write(writer);
    if (this.#rows === undefined) return;
    if (head.isComplete) this.#rows.writeFrom(writer, this.#source!, first, this.end);
    else this.#rows.write(writer, this.#source!, first, this.end);
  }

  /** Whether the server used other inputs than we sampled, as they came too late. */
  isOverruled(tick: number): boolean {
    const { seats, rollback, simulation } = this.#core;
    if (tick < this.#first || tick >= this.end) return false;
    const width = simulation.packing.words;
    for (let i = 0; i < seats.length; i++) {
      this.#own.readPlayer(tick, i, this.#guesses, 0);
      if (width > 0 && !rollback.log.isSeat(tick, seats[i]!, this.#guesses, 0)) return true;
    }
    return false;
  }

  /** Queues a command for the next sampled tick. */
  command(
    name: string,
    values: Readonly<Record<string, unknown>> | undefined,
    player: number | undefined,
  ): void {
    this.#commands.add(name, values, this.#core.seats, player);
  }

  /** Writes guesses for a tick of which the server has told nothing: `known` is the first such tick. */
  guess(tick: number, known: number): void {
    if (tick < known) return;
    const { seats, rollback, simulation } = this.#core;
    const { log } = rollback;
    const width = simulation.packing.words;
    for (let seat = 0; seat < simulation.players; seat++) {
      const index = seats.indexOf(seat);
      const at = seat * width;
      if (index >= 0) {
        log.setAbsent(tick, seat, false);
        if (tick >= this.#first && tick < this.end) this.#own.readPlayer(tick, index, this.#guesses, at);
        else this.#guesses.fill(0, at, at + width);
      } else {
        const isAbsent = known > 0 && log.isAbsent(known - 1, seat);
        log.setAbsent(tick, seat, isAbsent);
        if (known > 0 && !isAbsent) log.readSeat(known - 1, seat, this.#guesses, at);
        else this.#guesses.fill(0, at, at + width);
        if (!isAbsent) this.#predictor.predict(seat, tick, tick - known + 1);
      }
      log.writeSeat(tick, seat, this.#guesses, at);
    }
  }
}
