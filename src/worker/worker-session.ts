import { systemNow } from "../drivers/index.js";
import { misuse, onBehalfOf, requireNumber, requireOptions, requireWhole } from "../errors/index.js";
import type { InputFields, StepTiming } from "../input/index.js";
import type { LoopStatsData } from "../loop/index.js";
import { joined, titleFor } from "../sim/bytes.js";
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
import {
  SESSION_EVENTS,
  type Advance,
  type LoopFollower,
  type RecordingNeeds,
  type Session,
  type SessionEvents,
} from "../sim/session.js";
import { SessionListeners } from "../sim/session-listeners.js";
import { requireSimulation, type AnySimulation } from "../sim/simulation.js";
import type { Fields, Hash, ReadonlyWorld } from "../state/index.js";
import { ConfirmedReport } from "./confirmed-report.js";
import { EffectsShown } from "./effects-shown.js";
import { LoopSettings } from "./loop-settings.js";
import { PageInputs } from "./page-inputs.js";
import { PagePicture } from "./page-picture.js";
import { memoryModeOf, PageStates, type MemoryMode } from "./page-states.js";
import type { WorkerLike } from "./port.js";
import type { Report, ToPage, ToWorker, Wants } from "./protocol.js";
import { ShownTime } from "./shown-time.js";
import {
  HEAD_FIRST,
  HEAD_FLAGS,
  HEAD_JUMPS,
  HEAD_LAST,
  HEAD_NUMBER,
  HEAD_TICK,
  IS_REWINDING,
} from "./state-head.js";
import { errorOf, rejectFailure, type WorkerFailure, type WorkerFailureReason } from "./worker-failure.js";
import { WorkerLink } from "./worker-link.js";
import { checkWorkerOptions, WORKER_OPTIONS, type WorkerOptions } from "./worker-options.js";
import { WorkerTiming } from "./worker-timing.js";

const CALL = "workerSession";
const COMMAND_OPTIONS = Object.keys({ player: 1 } satisfies Record<keyof CommandOptions, 1>);

/** The events of a session in a worker. */
export interface WorkerEvents<F> extends SessionEvents<F> {
  /** The worker no longer simulates. `advance` throws the same, unless a listener calls `restart`. */
  failed: WorkerFailure;
  /** The worker could not simulate all of its time: its steps cost too much. */
  overload: { readonly tick: number; readonly lost: number; readonly debt: number };
}

const EVENTS = [...SESSION_EVENTS, "failed", "overload"] as const;

/* oxlint-disable typescript/no-explicit-any -- There is no other type that all sessions fit. */
/**
 * Runs a simulation in a worker, which keeps real time by itself. The page shows the states that arrive, a little later than they are
 * simulated: by the smallest delay for which the next state is nearly always there.
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
  /** How states get to the page, and why so. */
  readonly memory: MemoryMode;
  readonly memoryReason: string;
  /** How far the picture is behind, and how many frames had to wait. */
  readonly timing: WorkerTiming;
  /** @internal */
  readonly follower: LoopFollower;
  readonly #options: WorkerOptions<I, P>;
  readonly #now: () => number;
  readonly #inputs: PageInputs<I, P>;
  readonly #listeners = new SessionListeners<WorkerEvents<Effect<E>>>(EVENTS);
  readonly #settings: LoopSettings;
  readonly #picture: PagePicture<S>;
  readonly #effects: EffectsShown;
  readonly #confirmedEvent: ConfirmedReport;
  #link: WorkerLink;
  /** The states that are shown, and those of a worker that has not begun yet. */
  #states: PageStates<S>;
  #incoming: PageStates<S>;
  #start = 1;
  #isReady = false;
  #ready!: Promise<void>;
  #resolveReady!: () => void;
  #rejectReady!: (error: Error) => void;
  #wants: Wants = { effects: false, confirmed: false, hashEvery: 0, bytesEvery: 0, needsState: false };
  #failure: WorkerFailure | undefined;
  #from: Uint8Array | undefined;
  /** The newest state with external state that the worker has sent. */
  #saved: Uint8Array | undefined;
  /** Whether a picture was blended since the last `advance`. */
  #isDrawn = false;
  #isDisposed = false;
  /** The last start that the worker was told. */
  #startedAs = 0;
  /** The number of the newest state at the last `advance`. In an array, as a field would allocate each new number. */
  readonly #advanced = new Float64Array([-1]);

  /** @internal Use `workerSession`. */
  constructor(simulation: Simulation<S, I, E, X, P, C>, worker: WorkerLike, options: WorkerOptions<I, P>) {
    requireSimulation(CALL, simulation);
    checkWorkerOptions(CALL, options);
    const { now = systemNow, present = "interpolate", inTime = 0.999, from } = options;
    const { mode, reason } = memoryModeOf(CALL, options.memory);
    const dt = simulation.rate[1] / simulation.rate[0];
    this.simulation = simulation;
    this.present = present;
    this.memory = mode;
    this.memoryReason = reason;
    this.#options = options;
    this.#now = now;
    this.#from = from;
    this.#effects = new EffectsShown(dt);
    this.#picture = new PagePicture<S>(new ShownTime(1000 * dt, inTime), now, present === "speculate");
    this.#incoming = this.#states = this.#newStates();
    this.timing = new WorkerTiming(this.#picture.shown, () => this.#link.clock);
    this.follower = this.#settings = new LoopSettings((message) => this.#post(message));
    this.#confirmedEvent = new ConfirmedReport(simulation as AnySimulation, this);
    this.#inputs = new PageInputs<I, P>(`${CALL}: inputs`, simulation as never, options.inputs, {
      event: (player, kind, slot, bits, timestamp) => {
        const events = new Float64Array([player, kind, slot, bits, timestamp + this.#link.clock.value]);
        this.#post({ kind: "inputs", events });
      },
      words: (words) => this.#post({ kind: "words", words }),
    });
    this.#prepareReady();
    this.#link = this.#newLink(`${CALL}: worker`, worker);
  }

  #newStates(): PageStates<S> {
    return onBehalfOf(CALL, ["Layout.allocate"], () => {
      const { simulation, memory } = this;
      return new PageStates<S>(simulation as AnySimulation<S>, memory, this.#options.kernels);
    });
  }

  #newLink(call: string, worker: WorkerLike): WorkerLink {
    const start = this.#start;
    const isMine = () => start === this.#start && !this.#isDisposed;
    const link: WorkerLink = new WorkerLink(
      call,
      worker,
      this.simulation as AnySimulation,
      {
        onHello: () => isMine() && this.#begin(),
        onMessage: (message) => {
          if (isMine() && (!("start" in message) || message.start === start)) this.#onMessage(message);
        },
        onBuffer: (buffer) => {
          if (!isMine()) return;
          const now = this.#now() + link.clock.value;
          if (this.#incoming.isState(buffer, start)) {
            this.#incoming.take(buffer, now);
            link.giveBack(buffer);
          }
        },
        onFailure: (reason, error) => isMine() && this.#fail(reason, this.tick, error),
      },
      this.#now,
      this.#options.timeout ?? 10,
    );
    return link;
  }

  #prepareReady(): void {
    this.#isReady = false;
    this.#ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    // A failure is an event, too, and `advance` throws it.
    this.#ready.catch(() => {});
  }

  /** Sends a message, if the worker has begun. What comes before is part of its start. */
  #post(message: ToWorker): void {
    if (this.#isStarted && !this.#isDisposed) this.#link.post(message);
  }

  /** Whether the worker was told to begin. */
  get #isStarted(): boolean {
    return this.#startedAs === this.#start;
  }

  /** Settles when the first state is there. Fails if the worker does. */
  get ready(): Promise<void> {
    return this.#ready;
  }
  get seed(): number | string {
    return this.#options.seed ?? 0;
  }
  /** The number of the newest state that has arrived. */
  get tick(): number {
    const { ring } = this.#states;
    return ring.newest < 0 ? 0 : Math.floor(ring.read(ring.newest, HEAD_TICK));
  }
  /** The same as `tick`: nothing is predicted. */
  get confirmed(): number {
    return this.tick;
  }
  /** The newest state that has arrived. Do not keep the object: read this property in each frame, as it returns another one. */
  get world(): ReadonlyWorld<S> {
    return this.#states.world as ReadonlyWorld<S>;
  }
  /** What the last picture showed, in ticks: 7.5 is halfway from state 7 to state 8. */
  get shownTick(): number {
    return this.#states.position;
  }
  /** The oldest state in the history. */
  get first(): number {
    const { ring } = this.#states;
    return ring.newest < 0 ? 0 : ring.read(ring.newest, HEAD_FIRST);
  }
  /** The newest state in the history. */
  get last(): number {
    const { ring } = this.#states;
    return ring.newest < 0 ? 0 : ring.read(ring.newest, HEAD_LAST);
  }
  get rewinding(): boolean {
    const { ring } = this.#states;
    return ring.newest >= 0 && (ring.read(ring.newest, HEAD_FLAGS) & IS_REWINDING) !== 0;
  }
  /** How the page blends and hashes states. */
  get kernels(): "wasm" | "js" {
    return this.#states.state.kernels;
  }
  /** Effects that were discarded, as more than 10,000 waited for a `view` that was never drawn. */
  get lostEffects(): number {
    return this.#effects.lost;
  }
  /** Why the worker no longer simulates; undefined while it does. */
  get failure(): WorkerFailure | undefined {
    return this.#failure;
  }

  /** Sends the worker everything that it needs to begin. */
  #begin(): void {
    const { seed = 0, history, kernels = "auto", saveEvery = 1 } = this.#options;
    this.#startedAs = this.#start;
    this.#link.post({
      kind: "start",
      start: this.#start,
      seed,
      history,
      kernels,
      present: this.present,
      shared: this.#incoming.shared,
      ...this.#inputs.start,
      settings: this.#settings.state,
      from: this.#from,
      wants: this.#wants,
      saveEvery: this.#hasExternal ? saveEvery : 0,
    });
  }

  #onMessage(message: ToPage): void {
    switch (message.kind) {
      case "ready":
        this.#states = this.#incoming;
        this.#states.ring.claimNewest();
        this.#isReady = true;
        this.#resolveReady();
        return;
      case "report":
        return this.#onReport(message);
      case "load":
        this.#takeOver();
        return this.#listeners.emit("load", { tick: message.tick });
      case "saved":
        this.#saved = message.bytes;
        return;
      case "overload": {
        const { tick, lost, debt } = message;
        return this.#listeners.emit("overload", { tick, lost, debt });
      }
      case "failed":
        this.#fail(this.#isReady ? "step" : "start", message.tick, errorOf(message.error));
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

  #fail(reason: WorkerFailureReason, tick: number, error: Error): void {
    if (this.#failure || this.#isDisposed) return;
    const failure = { reason, tick, error };
    this.#failure = failure;
    this.#link.rejectAll(error);
    this.#rejectReady(error);
    this.#listeners.emit("failed", failure);
  }

  on<N extends keyof WorkerEvents<Effect<E>>>(
    event: N,
    listener: (info: WorkerEvents<Effect<E>>[N]) => void,
  ): () => void {
    this.#requireAlive();
    const off = this.#listeners.on(event, listener);
    if (event === "effect" && !this.#wants.effects) this.#want({ effects: true });
    if (event !== "confirmed") return off;
    if (!this.#wants.confirmed) this.#want({ confirmed: true });
    return () => {
      off();
      if (!this.#listeners.isHeard("confirmed") && !this.#isDisposed)
        this.#want({ confirmed: false, hashEvery: 0, bytesEvery: 0 });
    };
  }

  #want(change: Partial<Wants>): void {
    const wants = { ...this.#wants, ...change };
    this.#wants = { ...wants, needsState: false };
    this.#post({ kind: "wants", wants });
  }

  /** @internal */
  prepareRecording({ hashEvery, bytesEvery }: RecordingNeeds): boolean {
    this.#requireState("record");
    this.#want({
      confirmed: true,
      hashEvery: commonDivisor(this.#wants.hashEvery, hashEvery),
      bytesEvery: commonDivisor(this.#wants.bytesEvery, bytesEvery),
      needsState: true,
    });
    return true;
  }

  /** Takes over the newest state that has arrived: `"stepped"` if there is one. */
  advance(timing: StepTiming = NO_FRAME): Advance {
    this.#requireAlive();
    requireRate(this.simulation);
    if (!this.#settings.isFollowing) this.#settings.run();
    this.#inputs.sample(this.tick, timing);
    // A view has looked at the clock since the last call.
    if (this.#isDrawn) this.#takeOver();
    else this.#poll();
    this.#isDrawn = false;
    if (this.#failure) rejectFailure(this.#failure);
    const { ring } = this.#states;
    const number = ring.newest < 0 ? -1 : ring.read(ring.newest, HEAD_NUMBER);
    if (number === this.#advanced[0]) return "waiting";
    this.#advanced[0] = number;
    return this.rewinding ? "rewound" : "stepped";
  }

  /** Takes over what has arrived, and looks after the worker. */
  #poll(): void {
    const at = this.#picture.readClock();
    if (!this.#failure) this.#link.poll(at);
    this.#takeOver();
  }

  /** Claims the newest state, and looks how late all new ones were. */
  #takeOver(): void {
    if (!this.#states.ring.claimNewest()) return;
    this.#link.hear();
    this.#picture.takeLags(this.#states, this.#link.clock);
  }

  /** Blends the picture of this moment, less the delay. `alpha` does not matter: the page's clock decides. */
  view(alpha: number): ReadonlyWorld<S> {
    this.#requireAlive();
    requireNumber("Session.view: alpha", alpha, 0, 1, "loop.alpha");
    if (this.present === "none") this.#rejectView();
    this.#isDrawn = true;
    this.#poll();
    const states = this.#states;
    const isStarved = this.#picture.draw(states, this.#link.clock, this.#settings.elapsed);
    if (isStarved && !this.#failure) this.#picture.shown.starve();
    const { ring } = states;
    if (ring.current >= 0 && this.#wants.effects && this.#effects.isWaiting)
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
    this.#requireState("Session.hash");
    this.#requireNoExternal("Session.hash");
    return this.#states.state.hash(this.#states.ring.newest, out);
  }

  /** Returns the newest state that has arrived as bytes. External state stays in the worker: then use `await session.save()`. */
  bytes(): Uint8Array<ArrayBuffer> {
    this.#requireAlive();
    this.#requireState("Session.bytes");
    this.#requireNoExternal("Session.bytes");
    return joined(titleFor(this.simulation as AnySimulation), [
      this.#states.state.bytes(this.#states.ring.newest),
    ]);
  }

  get #hasExternal(): boolean {
    return Object.keys(this.simulation.options.external ?? {}).length > 0;
  }

  #requireNoExternal(call: string): void {
    if (this.#hasExternal)
      misuse(
        "unsupported",
        call,
        "the simulation has external state, which stays in the worker",
        "Call await session.save()",
      );
  }

  #requireState(call: string): void {
    if (!this.#states.hasState)
      misuse(
        "not-ready",
        call,
        "no state has arrived from the worker yet",
        "Wait for it: await session.ready",
      );
  }

  /** Returns the worker's current state as bytes, external state included. */
  async save(): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = (await this.#ask({ name: "save" })) as Uint8Array<ArrayBuffer>;
    if (this.#hasExternal) this.#saved = bytes;
    return bytes;
  }

  /** Loads a state that `bytes` or `save` returned. Fails, and loads nothing, if it is damaged or of another simulation or version. */
  async load(bytes: Uint8Array): Promise<void> {
    await this.#ask({ name: "load", bytes });
  }

  /** Goes to a state in the history. The next step continues from there, into another future. */
  async seek(tick: number): Promise<void> {
    requireWhole("Session.seek: tick", tick, 0, 60);
    this.#requireHistory("Session.seek");
    await this.#ask({ name: "seek", tick });
  }

  /** Goes back by `speed` ticks, which may be a fraction, in each step's time until `endRewind`. Stops at the oldest state. */
  async rewind(speed = 1): Promise<void> {
    requireNumber("Session.rewind: speed", speed, 1e-6, 1e6, 1);
    this.#requireHistory("Session.rewind");
    await this.#ask({ name: "rewind", speed });
  }

  /** Plays forward again, from where the rewind has got to. */
  async endRewind(): Promise<void> {
    await this.#ask({ name: "endRewind" });
  }

  /** Tests in the worker whether the simulation is deterministic: see `syncTest`. The game stands still meanwhile. */
  async syncTest(
    options: { readonly ticks?: number; readonly back?: number; readonly seed?: number | string } = {},
  ): Promise<SyncResult> {
    return (await this.#ask({ name: "syncTest", options })) as SyncResult;
  }

  /** Returns the figures of the worker's loop: steps, lost time and, with `measureCosts`, what steps cost. */
  async stats(): Promise<LoopStatsData> {
    return (await this.#ask({ name: "stats" })) as LoopStatsData;
  }

  async #ask(call: Parameters<WorkerLink["ask"]>[0]): Promise<unknown> {
    this.#requireAlive();
    if (this.#failure) rejectFailure(this.#failure);
    if (!this.#isReady) await this.#ready;
    this.#requireAlive();
    return this.#link.ask(call);
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
    if (!this.#isStarted)
      misuse(
        "not-ready",
        "Session.command",
        "the worker has not begun yet",
        "Wait for it: await session.ready",
      );
    this.#link.post({ kind: "command", command });
  }

  /** Takes inputs from another source from now on. */
  setInputs(inputs: InputsFrom<I, P>): void {
    this.#requireAlive();
    this.#inputs.setSource("Session.setInputs: inputs", inputs);
    const { latches, words } = this.#inputs.start;
    this.#post({ kind: "sources", latches, words });
  }

  /**
   * Continues from the last state after a failure: in the same worker, if a step threw; in a new one, if the worker is dead. A loop
   * that has stopped because of the failure must be started again.
   */
  restart(worker?: WorkerLike): Promise<void> {
    this.#requireAlive();
    const failure = this.#failure;
    const isDead = failure !== undefined && failure.reason !== "step" && failure.reason !== "start";
    if (worker === undefined && isDead)
      misuse(
        "not-ready",
        "Session.restart",
        "the worker is dead",
        'Pass a new one: restart(new Worker(new URL("./game.worker.js", import.meta.url), { type: "module" }))',
      );
    this.#from = this.#hasExternal ? (this.#saved ?? this.#options.from) : this.#lastBytes();
    this.#failure = undefined;
    this.#rejectReady(new Error("the session was restarted"));
    this.#prepareReady();
    this.#link.rejectAll(new Error("the session was restarted"));
    this.#start++;
    this.#incoming = this.#newStates();
    this.#effects.clear();
    this.#advanced[0] = -1;
    this.#picture.restart();
    const old = this.#link;
    if (worker !== undefined) {
      this.#link = this.#newLink("Session.restart: worker", worker);
      old.end(false);
    } else {
      this.#link = this.#newLink("Session.restart: worker", old.worker);
      old.leave();
    }
    return this.#ready;
  }

  #lastBytes(): Uint8Array | undefined {
    if (!this.#states.hasState) return this.#options.from;
    this.#states.ring.claimNewest();
    return this.bytes();
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#inputs.leave();
    this.#link.rejectAll(new Error("the session was disposed"));
    this.#rejectReady(new Error("the session was disposed"));
    this.#link.end(this.#options.keepWorker === true);
    this.#states.ring.release();
  }

  #requireAlive(): void {
    if (this.#isDisposed) misuse("disposed", "Session", "already disposed", "Create a new one");
  }
}

/** Returns what both are multiples of. 0 stands for none. */
function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
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
