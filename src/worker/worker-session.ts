import { systemNow } from "../platform/index.js";
import { misuse, requireNumber, requireOptions, requireWhole } from "../errors/index.js";
import type { InputFields, StepTiming } from "../input/index.js";
import type { Loop, MeasurementsData } from "../loop/index.js";
import {
  requirePlayer,
  type CommandArguments,
  type CommandFields,
  type CommandOptions,
} from "../sim/commands.js";
import type { AnyEffect } from "../sim/effects.js";
import type { Effect, EffectFields, ExternalStates, Present, Simulation, SyncResult } from "../sim/index.js";
import { NO_FRAME, type InputsFrom } from "../sim/input-sampler.js";
import { requireRate } from "../sim/require-rate.js";
import type { Advance, RecordingNeeds, Session } from "../sim/session.js";
import { SessionListeners } from "../sim/session-listeners.js";
import { requireSimulation, type AnySimulation } from "../sim/simulation.js";
import type { Fields, Hash, ReadonlyWorld } from "../state/index.js";
import { ConfirmedReport } from "./confirmed-report.js";
import { EffectsShown } from "./effects-shown.js";
import type { NewestState } from "./newest-state.js";
import { PageInputs } from "./page-inputs.js";
import { PageLoop } from "./page-loop.js";
import { PagePicture } from "./page-picture.js";
import { memoryModeOf, type MemoryMode } from "./page-states.js";
import { PageWants } from "./page-wants.js";
import type { WorkerLike } from "./port.js";
import type { Report, ToPage } from "./protocol.js";
import { ShownTime } from "./shown-time.js";
import { HEAD_JUMPS, HEAD_NUMBER } from "./state-head.js";
import { WORKER_EVENTS, type WorkerEvents } from "./worker-events.js";
import { rejectFailure, type WorkerFailure } from "./worker-failure.js";
import { WorkerLife, type LifeHost } from "./worker-life.js";
import { checkWorkerOptions, WORKER_OPTIONS, type WorkerOptions } from "./worker-options.js";
import { WorkerTiming } from "./worker-timing.js";

const CALL = "workerSession";
const COMMAND_OPTIONS = Object.keys({ player: 1 } satisfies Record<keyof CommandOptions, 1>);

/* oxlint-disable typescript/no-explicit-any -- There is no other type that all sessions fit. */
/**
 * Runs a simulation in a worker, which keeps real time by itself. The page shows the states that arrive, a little later than they are
 * simulated: by the smallest delay at which the next state has nearly always arrived.
 */
export class WorkerSession<
  S extends Fields = any,
  I extends InputFields = any,
  E extends EffectFields = any,
  X extends ExternalStates = any,
  P extends number = any,
  C extends CommandFields = any,
> implements Session<ReadonlyWorld<S>, Effect<E>> {
  /* oxlint-enable typescript/no-explicit-any */
  readonly simulation: Simulation<S, I, E, X, P, C>;
  readonly present: Present;
  /** Always 1: the worker keeps its own time. */
  readonly pace = 1;
  /** How states get to the page; `memoryReason` says why. */
  readonly memory: MemoryMode;
  readonly memoryReason: string;
  /** How far the picture is behind, and how many frames had to wait. */
  readonly timing: WorkerTiming;
  readonly #options: WorkerOptions<I, P>;
  readonly #life: WorkerLife<S>;
  readonly #newest: NewestState<S>;
  readonly #inputs: PageInputs<I, P>;
  readonly #listeners = new SessionListeners<WorkerEvents<Effect<E>>>(WORKER_EVENTS);
  readonly #loop: PageLoop;
  readonly #wants: PageWants;
  readonly #picture: PagePicture<S>;
  readonly #effects: EffectsShown;
  readonly #confirmedEvent: ConfirmedReport;
  /** Whether a picture was blended since the last `advance`. */
  #isDrawn = false;
  /** The number of the newest state at the last `advance`. In an array, as a field would allocate each new number. */
  readonly #advanced = new Float64Array([-1]);

  /** @internal Use `workerSession`. */
  constructor(simulation: Simulation<S, I, E, X, P, C>, worker: WorkerLike, options: WorkerOptions<I, P>) {
    requireSimulation(CALL, simulation);
    checkWorkerOptions(CALL, options);
    const { now = systemNow, present = "interpolate", inTime = 0.999, kernels, from, timeout } = options;
    const { mode, reason } = memoryModeOf(CALL, options.memory);
    const dt = simulation.rate[1] / simulation.rate[0];
    this.simulation = simulation;
    this.present = present;
    this.memory = mode;
    this.memoryReason = reason;
    this.#options = options;
    this.#effects = new EffectsShown(dt);
    this.#picture = new PagePicture<S>(new ShownTime(1000 * dt, inTime), now, present === "speculate");
    const life = new WorkerLife<S>(
      { call: CALL, simulation: simulation as AnySimulation<S>, memory: mode, kernels, now, from, timeout },
      this.#lifeHost(),
    );
    this.#life = life;
    this.#newest = life.newest;
    this.timing = new WorkerTiming(this.#picture.shown, () => life.link.clock);
    this.#loop = new PageLoop(life.post);
    this.#wants = new PageWants(life.post);
    this.#confirmedEvent = new ConfirmedReport(simulation as AnySimulation, this);
    this.#inputs = new PageInputs<I, P>(`${CALL}: inputs`, simulation as never, options.inputs, {
      event: (player, kind, slot, bits, timestamp) => {
        const events = new Float64Array([player, kind, slot, bits, timestamp + life.link.clock.value]);
        life.post({ kind: "inputs", events });
      },
      words: (words) => life.post({ kind: "words", words }),
    });
    life.open(worker);
  }

  #lifeHost(): LifeHost {
    return {
      startOf: () => {
        const { seed = 0, history, kernels = "auto", saveEvery = 1 } = this.#options;
        return {
          seed,
          history,
          kernels,
          present: this.present,
          ...this.#inputs.start,
          settings: this.#loop.state,
          wants: this.#wants.current,
          saveEvery: this.#newest.hasExternal ? saveEvery : 0,
        };
      },
      onMessage: (message) => this.#onMessage(message),
      onFailure: (failure) => this.#listeners.emit("failed", failure),
      onRestart: () => {
        this.#effects.clear();
        this.#advanced[0] = -1;
        this.#picture.restart();
      },
    };
  }

  /** Settles when the first state is there. Fails if the worker does. */
  get ready(): Promise<void> {
    return this.#life.ready;
  }
  get seed(): number | string {
    return this.#options.seed ?? 0;
  }
  /** The number of the newest state that has arrived. */
  get tick(): number {
    return this.#newest.tick;
  }
  /** The same as `tick`: nothing is predicted. */
  get confirmed(): number {
    return this.tick;
  }
  /** The newest state that has arrived. Do not keep the object: read this property in each frame, as it returns a different one. */
  get world(): ReadonlyWorld<S> {
    return this.#newest.states.world as ReadonlyWorld<S>;
  }
  /** What the last picture showed, in ticks: 7.5 is halfway from state 7 to state 8. */
  get shownTick(): number {
    return this.#newest.states.position;
  }
  /** The oldest state in the history. */
  get first(): number {
    return this.#newest.first;
  }
  /** The newest state in the history. */
  get last(): number {
    return this.#newest.last;
  }
  get rewinding(): boolean {
    return this.#newest.rewinding;
  }
  /** How the page blends and hashes states. */
  get kernels(): "wasm" | "js" {
    return this.#newest.states.state.kernels;
  }
  /** Effects that were discarded, as more than 10,000 waited for a `view` that was never drawn. */
  get lostEffects(): number {
    return this.#effects.lost;
  }
  /** Why the worker no longer simulates; undefined while it does. */
  get failure(): WorkerFailure | undefined {
    return this.#life.failure;
  }

  #onMessage(message: ToPage): void {
    switch (message.kind) {
      case "report":
        return this.#onReport(message);
      case "load":
        this.#takeOver();
        return this.#listeners.emit("load", { tick: message.tick });
      case "overload": {
        const { tick, lost } = message;
        return this.#listeners.emit("overload", { tick, lost });
      }
    }
  }

  #onReport({ jumps, tick, effects, confirmed }: Report): void {
    this.#takeOver();
    if (effects) {
      if (this.present === "none") for (const effect of effects) this.#deliver(effect);
      else this.#effects.add(jumps, effects);
    }
    if (!confirmed) return;
    this.#confirmedEvent.take(tick, confirmed);
    this.#listeners.emit("confirmed", this.#confirmedEvent);
  }

  readonly #deliver = (effect: AnyEffect): void => this.#listeners.emit("effect", effect as Effect<E>);

  on<N extends keyof WorkerEvents<Effect<E>>>(
    event: N,
    listener: (info: WorkerEvents<Effect<E>>[N]) => void,
  ): () => void {
    this.#requireAlive();
    const off = this.#listeners.on(event, listener);
    if (event === "effect") this.#wants.addEffects();
    if (event !== "confirmed") return off;
    this.#wants.addConfirmed();
    return () => {
      off();
      if (!this.#listeners.isHeard("confirmed") && !this.#life.isDisposed) this.#wants.removeConfirmed();
    };
  }

  /** @internal */
  prepareRecording(needs: RecordingNeeds): boolean {
    this.#newest.requireState("record");
    this.#wants.addRecording(needs);
    return true;
  }

  /** @internal */
  attach(loop: Loop): () => void {
    return this.#loop.attach(loop);
  }

  /** Takes over the newest state that has arrived: `"stepped"` if there is one. */
  advance(timing: StepTiming = NO_FRAME): Advance {
    this.#requireAlive();
    requireRate(this.simulation);
    this.#loop.runAlone();
    this.#inputs.sample(this.tick, timing);
    // A view has looked at the clock since the last call.
    if (this.#isDrawn) this.#takeOver();
    else this.#poll();
    this.#isDrawn = false;
    const { failure } = this.#life;
    if (failure) rejectFailure(failure);
    const { ring } = this.#newest.states;
    const number = ring.newest < 0 ? -1 : ring.read(ring.newest, HEAD_NUMBER);
    if (number === this.#advanced[0]) return "waiting";
    this.#advanced[0] = number;
    return this.rewinding ? "rewound" : "stepped";
  }

  /** Takes over what has arrived, and looks after the worker. */
  #poll(): void {
    const at = this.#picture.readClock();
    if (!this.#life.failure) this.#life.link.poll(at);
    this.#takeOver();
  }

  /** Claims the newest state, and looks how late all new ones were. */
  #takeOver(): void {
    const { states } = this.#newest;
    if (!states.ring.claimNewest()) return;
    const { link } = this.#life;
    link.hear();
    this.#picture.takeLags(states, link.clock);
  }

  /** Blends the picture of this moment, less the delay. `alpha` does not matter: the page's clock decides. */
  view(alpha: number): ReadonlyWorld<S> {
    this.#requireAlive();
    requireNumber("Session.view: alpha", alpha, 0, 1, "loop.alpha");
    if (this.present === "none") this.#rejectView();
    this.#isDrawn = true;
    this.#poll();
    const { states } = this.#newest;
    const isStarved = this.#picture.draw(states, this.#life.link.clock, this.#loop.elapsed);
    if (isStarved && !this.#life.failure) this.#picture.shown.starve();
    const { ring } = states;
    if (ring.current >= 0 && this.#wants.current.effects && this.#effects.isWaiting)
      this.#effects.deliver(ring.read(ring.current, HEAD_JUMPS), states.position, this.#deliver);
    return states.picture as ReadonlyWorld<S>;
  }

  #rejectView(): never {
    return misuse(
      "not-ready",
      "Session.view",
      'a session with present: "none" has no view',
      'Try present: "interpolate"',
    );
  }

  /** Hashes the newest state that has arrived. External state stays in the worker: then use `await session.save()`. */
  hash(out?: [number, number]): Hash {
    return this.#newest.hash(out);
  }

  /** Returns the newest state that has arrived as bytes. External state stays in the worker: then use `await session.save()`. */
  bytes(): Uint8Array<ArrayBuffer> {
    this.#requireAlive();
    return this.#newest.bytes();
  }

  /** Returns the worker's current state as bytes, external state included. */
  async save(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#life.save();
  }

  /** Loads a state that `bytes` or `save` returned. Fails, and loads nothing, if it is damaged or of another simulation or version. */
  async load(bytes: Uint8Array): Promise<void> {
    await this.#life.ask({ name: "load", bytes });
  }

  /** Goes to a state in the history. The next step continues from there, into another future. */
  async seek(tick: number): Promise<void> {
    requireWhole("Session.seek: tick", tick, 0, 60);
    this.#requireHistory("Session.seek");
    await this.#life.ask({ name: "seek", tick });
  }

  /** Goes back by `speed` ticks, which may be a fraction, in each step's time until `endRewind`. Stops at the oldest state. */
  async rewind(speed = 1): Promise<void> {
    requireNumber("Session.rewind: speed", speed, 1e-6, 1e6, 1);
    this.#requireHistory("Session.rewind");
    await this.#life.ask({ name: "rewind", speed });
  }

  /** Ends the rewind, and plays forward from there. */
  async endRewind(): Promise<void> {
    await this.#life.ask({ name: "endRewind" });
  }

  /** Tests in the worker whether the simulation is deterministic: see `syncTest`. The game stands still meanwhile. */
  async syncTest(
    options: { readonly ticks?: number; readonly back?: number; readonly seed?: number | string } = {},
  ): Promise<SyncResult> {
    return (await this.#life.ask({ name: "syncTest", options })) as SyncResult;
  }

  /** Returns the figures of the worker's loop: its steps, what they cost, and lost time. */
  async stats(): Promise<MeasurementsData> {
    return (await this.#life.ask({ name: "stats" })) as MeasurementsData;
  }

  #requireHistory(call: string): void {
    if (this.#options.history === undefined)
      misuse(
        "not-ready",
        call,
        "this session keeps no history",
        "Create it with { history: { seconds: 10 } }",
      );
  }

  /** Issues a command, which the worker's next step executes: `session.command("build", { x: 7, y: 3 })`. */
  command<K extends keyof C & string>(
    name: K,
    ...values: {} extends C[K]
      ? [values?: CommandArguments<C[K]>, options?: CommandOptions]
      : [values: CommandArguments<C[K]>, options?: CommandOptions]
  ): void {
    const [fields, options = {}] = values as [
      Record<string, unknown> | undefined,
      CommandOptions | undefined,
    ];
    this.#requireAlive();
    requireOptions("Session.command", options, COMMAND_OPTIONS, "{ player: 1 }");
    const { commands, players } = this.simulation;
    const { player = 0 } = options;
    requirePlayer("Session.command: player", player, players);
    const command = { player, bytes: commands.encode(name, fields, "Session.command") };
    if (!this.#life.isStarted)
      misuse(
        "not-ready",
        "Session.command",
        "the worker has not begun yet",
        "Wait for it: await session.ready",
      );
    this.#life.link.post({ kind: "command", command });
  }

  /** Takes inputs from another source from now on. */
  setInputs(inputs: InputsFrom<I, P>): void {
    this.#requireAlive();
    this.#inputs.setSource("Session.setInputs: inputs", inputs);
    const { latches, words } = this.#inputs.start;
    this.#life.post({ kind: "sources", latches, words });
  }

  /**
   * Continues from the last state after a failure: in the same worker, if a step threw; in a new one, if the worker is dead. A loop
   * that has stopped because of the failure must be started again.
   */
  restart(worker?: WorkerLike): Promise<void> {
    return this.#life.restart(worker);
  }

  dispose(): void {
    if (this.#life.isDisposed) return;
    this.#life.dispose(this.#options.keepWorker === true);
    this.#inputs.leave();
  }

  #requireAlive(): void {
    this.#life.requireAlive();
  }
}

/**
 * Runs a simulation in a worker whose module calls `serveSimulation(game)`. With `drive`, a loop of the page draws it and the worker
 * follows that loop's pause, time scale, hit-stops, single steps and settings.
 */
export function workerSession<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  X extends ExternalStates,
  P extends number,
  C extends CommandFields,
>(
  simulation: Simulation<S, I, E, X, P, C>,
  worker: WorkerLike,
  options: WorkerOptions<I, P> = {},
): WorkerSession<S, I, E, X, P, C> {
  requireOptions(CALL, options, WORKER_OPTIONS, "{ seed: 7 }");
  return new WorkerSession(simulation, worker, options);
}
