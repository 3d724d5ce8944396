import { random, type Random } from "../math/index.js";
import { formatDifferences, type Difference, type Fields, type Hash } from "../state/index.js";
import {
  badValue,
  requireFunction,
  requireOptions,
  requireSynchronous,
  requireWhole,
} from "../errors/index.js";
import { bytesOf, readBytes } from "./bytes.js";
import { describeNonFinite } from "./finite.js";
import type { InputFields, InputValues, Packing } from "../input/index.js";
import { NO_FRAME, requireWritten, type WriteInputs } from "./input-sampler.js";
import {
  inOrder,
  requirePlayer,
  type CommandFields,
  type CommandOptions,
  type IssueCommand,
  type PackedCommand,
} from "./commands.js";
import { writersOf } from "./inputs.js";
import { externalDifferences } from "./external.js";
import { Run, type RunOptions } from "./run.js";
import { requireSimulation, type AnySimulation } from "./simulation.js";
import { randomCommands } from "./random-commands.js";
import { SnapshotRing } from "./snapshot-ring.js";
import { StepLog } from "./step-log.js";

/** Options of `syncTest`. */
export interface SyncTestOptions<
  I extends InputFields,
  P extends number = number,
  C extends CommandFields = CommandFields,
> extends RunOptions {
  /** How many ticks to test. Default 600. */
  readonly ticks?: number | undefined;
  /** How many ticks to roll back and resimulate in every tick. Default 8. */
  readonly back?: number | undefined;
  /** Writes what players do. Default: random inputs. */
  readonly inputs?: WriteInputs<I, P> | undefined;
  /** Issues the commands of a tick: `(tick, command) => command("build", { x: 7 })`. Default: random commands. */
  readonly commands?: ((tick: number, command: IssueCommand<C>) => void) | undefined;
}

const OPTIONS = Object.keys({
  seed: 1,
  guard: 1,
  kernels: 1,
  ticks: 1,
  back: 1,
  inputs: 1,
  commands: 1,
} satisfies Record<keyof SyncTestOptions<InputFields>, 1>);

/** The result of a sync test. */
export type SyncResult =
  | {
      readonly ok: true;
      readonly ticks: number;
      readonly hash: Hash;
      /** Empty, so that `expect(syncTest(game).message).toBe("")` prints what was found. */
      readonly message: "";
    }
  | {
      readonly ok: false;
      /** The first state that differs, or that holds NaN or an infinity. */
      readonly tick: number;
      /**
       * What differs from the first run: its resimulation after a rollback, a run without rollbacks, or a fresh copy made from
       * a snapshot. `"finite numbers"` if the state holds NaN or an infinity.
       */
      readonly against: "rollback" | "straight run" | "fresh copy" | "finite numbers";
      /** `a` is the value of the first run, `b` the one that differs. For NaN or an infinity, `a` is "a finite number". */
      readonly differences: readonly Difference[];
      /** The result as text. */
      readonly message: string;
    };

/** Fresh copies per test. Each takes memory, and returns it. */
const COPIES = 8;
const MAX_BACK = 1000;
const MAX_NON_FINITE = 20;

/**
 * Tests whether a simulation is deterministic. In every tick it rolls back some ticks and resimulates them. A second
 * copy runs without rollbacks, and a third with another seed. If a step depends on anything but state and inputs, these differ,
 * and the result names the first tick and the fields. NaN and infinities in the state are reported too.
 *
 * It cannot find caches that live as long as the module, such as one by tick: all runs of the process share them.
 */
export function syncTest<I extends InputFields, P extends number, C extends CommandFields>(
  simulation: AnySimulation<Fields, I, P, C>,
  options: SyncTestOptions<I, P, C> = {},
): SyncResult {
  requireSimulation("syncTest", simulation);
  requireOptions("syncTest", options, OPTIONS, "{ ticks: 600 }");
  const { ticks = 600, back = 8 } = options;
  requireWhole("syncTest: ticks", ticks, 1, 600);
  requireWhole("syncTest: back", back, 1, 8);
  if (options.inputs !== undefined)
    requireFunction("syncTest: inputs", options.inputs, "([player], { tick }) => {}");
  if (options.commands !== undefined)
    requireFunction("syncTest: commands", options.commands, '(tick, command) => command("build", { x: 7 })');
  if (back > MAX_BACK) badValue("syncTest: back", `at most ${MAX_BACK}`, back, 8);
  const test = new SyncTest(simulation, back, options as SyncTestOptions<I, P>);
  try {
    const copyEvery = Math.max(back + 1, Math.ceil(ticks / COPIES));
    const first = test.begin();
    if (first) return first;
    for (let tick = 0; tick < ticks; tick++) {
      const found = test.step() ?? (tick % copyEvery === copyEvery - 1 ? test.compareCopy() : undefined);
      if (found) return found;
    }
    return { ok: true, ticks, hash: test.hash(), message: "" };
  } finally {
    test.dispose();
  }
}

class SyncTest<I extends InputFields, P extends number> {
  readonly #simulation: AnySimulation;
  /** The run that is rolled back. */
  readonly #run: Run;
  /** The same run without rollbacks. */
  readonly #straight: Run;
  /** A copy with another seed and inputs that are a tick late. It disturbs anything that copies share. */
  #other: Run | undefined;
  readonly #back: number;
  readonly #log: StepLog;
  readonly #snapshots: SnapshotRing;
  /** The hashes of each snapshot, and those of its external states. */
  readonly #hashes = new Map<number, Hash>();
  readonly #externalHashes = new Map<number, readonly (readonly [string, Hash])[]>();
  readonly #options: SyncTestOptions<I, P>;
  /** The inputs and commands of this tick, and the objects that write the inputs. */
  readonly #words: Uint32Array;
  #commands: readonly PackedCommand[] = [];
  readonly #players: readonly InputValues<I>[];
  readonly #random: Random;

  constructor(simulation: AnySimulation, back: number, options: SyncTestOptions<I, P>) {
    const { players, packing } = simulation;
    this.#simulation = simulation;
    this.#options = options;
    this.#back = back;
    this.#run = new Run(simulation, back + 1, options, "syncTest");
    try {
      this.#straight = new Run(simulation, 0, options);
    } catch (error) {
      this.#run.dispose();
      throw error;
    }
    this.#disturb(() => {
      this.#other = new Run(simulation, 0, { ...options, seed: `not ${options.seed ?? 0}` });
    });
    this.#log = new StepLog(simulation, back);
    this.#snapshots = new SnapshotRing(this.#run, 0, back + 1);
    this.#words = new Uint32Array(this.#run.words.length);
    this.#players = writersOf(packing, players, this.#words);
    this.#random = random(new Uint32Array(4)).seed("sync test");
  }

  /** Compares the first states. */
  begin(): SyncResult | undefined {
    this.#keep();
    return this.#findNonFinite() ?? this.#compare(this.#straight, 0, "straight run");
  }

  /** Runs one tick: a step, its resimulation after a rollback, and the run without rollbacks. */
  step(): SyncResult | undefined {
    const run = this.#run;
    this.#sampleInputs(run.tick);
    this.#sampleCommands(run.tick);
    this.#give(run);
    run.step();
    this.#log.write(run.tick - 1, run);
    this.#keep();
    const from = run.tick - this.#back;
    const found = this.#findNonFinite() ?? (from >= 0 ? this.#rollBack(from) : undefined);
    if (found) return found;
    const straight = this.#straight;
    this.#give(straight);
    straight.step();
    const differs = this.#compare(straight, run.tick, "straight run");
    this.#disturb(() => this.#other?.step());
    if (this.#other) this.#give(this.#other);
    return differs;
  }

  /** Gives a run the inputs and commands of this tick. */
  #give(run: Run): void {
    run.words.set(this.#words);
    run.commands = this.#commands;
  }

  /** Runs the other copy. It may throw, as inputs that are valid in one state may be invalid in another. */
  #disturb(act: () => void): void {
    try {
      act();
    } catch {
      this.#other?.dispose();
      this.#other = undefined;
    }
  }

  /** Rolls back and resimulates; ends in the newest state. */
  #rollBack(from: number): SyncResult | undefined {
    const run = this.#run;
    const newest = from + this.#back;
    this.#snapshots.load(from);
    const found = this.#resimulate(run, newest, "rollback");
    if (!found) this.#snapshots.load(newest);
    return found;
  }

  /** Compares a new run that starts from the snapshot of some ticks ago. */
  compareCopy(): SyncResult | undefined {
    const run = this.#run;
    const newest = run.tick;
    const copy = new Run(this.#simulation, 0, this.#options);
    try {
      this.#snapshots.load(newest - this.#back);
      const bytes = bytesOf(this.#simulation, run);
      this.#snapshots.load(newest);
      readBytes(this.#simulation, copy, bytes, "syncTest");
      return this.#resimulate(copy, newest, "fresh copy");
    } finally {
      copy.dispose();
    }
  }

  /** Steps a run up to a tick with the logged inputs, and compares each state. */
  #resimulate(run: Run, last: number, against: "rollback" | "fresh copy"): SyncResult | undefined {
    while (run.tick < last) {
      this.#log.read(run.tick, run);
      run.step();
      const found = this.#compare(run, run.tick, against);
      if (found) return found;
    }
    return undefined;
  }

  /** Reports NaN and infinities in the current state, except in fields that allow them. */
  #findNonFinite(): SyncResult | undefined {
    const { tick, state } = this.#run;
    const found = state.nonFinite(MAX_NON_FINITE);
    if (found.length === 0) return undefined;
    const writer = tick === 0 ? "init" : `the step of tick ${tick - 1}`;
    return {
      ok: false,
      tick,
      against: "finite numbers",
      differences: found.map(({ path, value }) => ({ path, a: "a finite number", b: value })),
      message: `syncTest: ${this.#simulation.name}: ${describeNonFinite(found, writer)}`,
    };
  }

  /** Compares a run's state with the state of that tick when it was first simulated. */
  #compare(
    run: Run,
    tick: number,
    against: "rollback" | "straight run" | "fresh copy",
  ): SyncResult | undefined {
    const [a, b] = this.#hashes.get(tick)!;
    const [c, d] = run.hash();
    if (a === c && b === d) return undefined;
    const differences = [
      ...run.state.diffFrom(this.#run.state, this.#snapshots.at(tick)),
      ...externalDifferences(this.#externalHashes.get(tick)!, run.externalHashes()),
    ];
    const message = `syncTest: ${this.#simulation.name} is not deterministic: state ${tick} differs (${against}).\n${formatDifferences(differences)}`;
    return { ok: false, tick, against, differences, message };
  }

  /** Keeps the current state and its hashes. */
  #keep(): void {
    const run = this.#run;
    const { tick } = run;
    const dropped = tick - this.#back - 1;
    this.#hashes.delete(dropped);
    this.#externalHashes.delete(dropped);
    this.#snapshots.save();
    this.#hashes.set(tick, run.hash());
    this.#externalHashes.set(tick, run.externalHashes());
  }

  #sampleInputs(tick: number): void {
    const { inputs } = this.#options;
    if (inputs) {
      const request = { tick, peek: false, ...NO_FRAME };
      const returned: unknown = (inputs as unknown as WriteInputs<I>)(this.#players, request);
      if (returned !== undefined) requireWritten("syncTest: inputs", returned, this.#players);
    } else randomize(this.#simulation.packing, this.#words, this.#random);
  }

  #sampleCommands(tick: number): void {
    const { commands: spec, players } = this.#simulation;
    const { commands } = this.#options;
    if (!commands) {
      this.#commands = randomCommands(spec, players, this.#random);
      return;
    }
    const issued: PackedCommand[] = [];
    const command = (name: string, values?: object, { player = 0 }: CommandOptions = {}) => {
      requirePlayer("syncTest: player", player, players);
      const bytes = spec.encode(name, values as Record<string, unknown> | undefined, "syncTest");
      issued.push({ player, bytes });
    };
    const returned: unknown = commands(tick, command as IssueCommand<CommandFields>);
    requireSynchronous("syncTest: commands", returned, "Remove async: issue all commands before it returns");
    this.#commands = inOrder(issued);
  }

  hash(): Hash {
    return this.#run.hash();
  }

  dispose(): void {
    this.#run.dispose();
    this.#straight.dispose();
    this.#other?.dispose();
  }
}

/** Changes about one input in eight. */
function randomize({ slots, words: width }: Packing, words: Uint32Array, dice: Random): void {
  for (let at = 0; at < words.length; at += width)
    for (const { word, mask } of slots)
      if (dice.chance(0.125)) words[at + word] = (words[at + word]! & ~mask) | (dice.u32() & mask);
}
