import { random, type Random } from "../math/index.js";
import { formatDifferences, type Difference, type Fields, type Hash } from "../state/index.js";
import { badValue, requireWhole } from "../errors/index.js";
import { bytesOf, readBytes } from "./bytes.js";
import { describeNonFinite } from "./finite.js";
import type { InputFields, InputValues, Packing } from "../input/index.js";
import { ALONE, type WriteInputs } from "./input-sampler.js";
import { writersOf } from "./inputs.js";
import { externalDifferences } from "./external.js";
import { Run, type RunOptions } from "./run.js";
import { requireSimulation, type AnySimulation } from "./simulation.js";

/** Options of `syncTest`. */
export interface SyncTestOptions<I extends InputFields> extends RunOptions {
  /** Default 600. */
  readonly ticks?: number | undefined;
  /** Ticks to roll back and simulate again, in every tick. Default 8. */
  readonly back?: number | undefined;
  /** What players do. Default: anything, by chance. */
  readonly inputs?: WriteInputs<I> | undefined;
}

/** What a sync test has found. */
export type SyncResult =
  | {
      readonly ok: true;
      readonly ticks: number;
      readonly hash: Hash;
      /** Nothing to say: `expect(syncTest(game).message).toBe("")` shows what there was. */
      readonly message: "";
    }
  | {
      readonly ok: false;
      /** The first state that differs, or that holds NaN or an infinity. */
      readonly tick: number;
      /**
       * What it was compared with: the same ticks again, a run that was never rolled back, or a copy made from a snapshot.
       * "finite numbers": nothing, as it holds NaN or an infinity.
       */
      readonly against: "rollback" | "straight run" | "fresh copy" | "finite numbers";
      /** `a` is the first value, `b` the one that differs. For a number that is not finite, `a` is "a finite number". */
      readonly differences: readonly Difference[];
      /** All of it, in words. */
      readonly message: string;
    };

/** Fresh copies that are made in a test: memory for each is taken and given back. */
const COPIES = 8;
/** How many numbers that are not finite a result names. */
const MOST_NON_FINITE = 20;

/**
 * Simulates, and in every tick rolls back some ticks and simulates them again; beside it, a run that never does, and
 * another game. Where a step depends on anything but state and inputs, they differ: the result has the first tick and the
 * fields. NaN and infinities in the state are reported too. It cannot find memos that live as long as the module, such as a
 * cache by tick or a table that numbers things by first use: all runs of a process share them.
 */
export function syncTest<I extends InputFields>(
  simulation: AnySimulation<Fields, I>,
  options: SyncTestOptions<I> = {},
): SyncResult {
  requireSimulation("syncTest", simulation);
  const { ticks = 600, back = 8 } = options;
  requireWhole("syncTest: ticks", ticks, 1, 600);
  requireWhole("syncTest: back", back, 1, 8);
  if (back > 1000) badValue("syncTest: back", "at most 1000", back, 8);
  const test = new SyncTest(simulation, back, options);
  try {
    const each = Math.max(back + 1, Math.ceil(ticks / COPIES));
    const first = test.begin();
    if (first) return first;
    for (let tick = 0; tick < ticks; tick++) {
      const found = test.step() ?? (tick % each === each - 1 ? test.copy() : undefined);
      if (found) return found;
    }
    return { ok: true, ticks, hash: test.hash(), message: "" };
  } finally {
    test.dispose();
  }
}

class SyncTest<I extends InputFields> {
  readonly #simulation: AnySimulation;
  readonly #run: Run;
  /** The same without any rollback. */
  readonly #straight: Run;
  /** Another game, with other chance and inputs a tick late: it spoils what copies share. Until it fails, as it may. */
  #other: Run | undefined;
  readonly #back: number;
  /** What players did in the last ticks, and do in this one. */
  readonly #words: Uint32Array[];
  readonly #now: Uint32Array;
  /** Of each snapshot; of what lives outside, by name. */
  readonly #hashes: Hash[];
  readonly #externalHashes: (readonly (readonly [string, Hash])[])[] = [];
  readonly #options: SyncTestOptions<I>;
  readonly #players: readonly InputValues<I>[];
  readonly #dice: Random;

  constructor(simulation: AnySimulation, back: number, options: SyncTestOptions<I>) {
    this.#simulation = simulation;
    this.#options = options;
    this.#back = back;
    // The states of the last ticks, and the newest one.
    this.#run = new Run(simulation, back + 1, options);
    this.#straight = new Run(simulation, 0, options);
    this.#attempt(() => {
      this.#other = new Run(simulation, 0, { ...options, seed: `not ${options.seed ?? 0}` });
    });
    this.#words = Array.from({ length: back }, () => new Uint32Array(this.#run.words.length));
    this.#hashes = Array.from({ length: back + 1 }, (): Hash => [0, 0]);
    this.#now = new Uint32Array(this.#run.words.length);
    this.#players = writersOf(simulation.packing, simulation.players, this.#now);
    this.#dice = random(new Uint32Array(4)).seed("sync test");
  }

  /** Both must begin with the same state. */
  begin(): SyncResult | undefined {
    this.#keep();
    return this.#requireFinite() ?? this.#compare(this.#straight, 0, "straight run");
  }

  /** A tick: a step, the same again after a rollback, and the other run. */
  step(): SyncResult | undefined {
    const run = this.#run;
    const back = this.#back;
    const { tick } = run;
    this.#ask(tick);
    this.#words[tick % back]!.set(this.#now);
    run.words.set(this.#now);
    run.step();
    this.#keep();
    const from = run.tick - back;
    const found = this.#requireFinite() ?? (from >= 0 ? this.#again(from) : undefined);
    if (found) return found;
    const straight = this.#straight;
    straight.words.set(this.#now);
    straight.step();
    const differs = this.#compare(straight, run.tick, "straight run");
    this.#attempt(() => this.#other?.step());
    this.#other?.words.set(this.#now);
    return differs;
  }

  /** What it does is held against nothing; inputs that are meant for one game may well be too much for another. */
  #attempt(act: () => void): void {
    try {
      act();
    } catch {
      this.#other?.dispose();
      this.#other = undefined;
    }
  }

  /** Rolls back and simulates again; ends with the newest state loaded. */
  #again(from: number): SyncResult | undefined {
    const run = this.#run;
    run.load(this.#snapshotOf(from));
    for (let tick = from; tick < from + this.#back; tick++) {
      run.words.set(this.#words[tick % this.#back]!);
      run.step();
      const found = this.#compare(run, tick + 1, "rollback");
      if (found) return found;
    }
    run.load(this.#snapshotOf(from + this.#back));
    return undefined;
  }

  /** A new copy that begins with a snapshot of some ticks ago. */
  copy(): SyncResult | undefined {
    const run = this.#run;
    const newest = run.tick;
    const from = newest - this.#back;
    const copy = new Run(this.#simulation, 0, this.#options);
    try {
      run.load(this.#snapshotOf(from));
      const bytes = bytesOf(this.#simulation, run);
      run.load(this.#snapshotOf(newest));
      readBytes(this.#simulation, copy, bytes);
      for (let tick = from; tick < newest; tick++) {
        copy.words.set(this.#words[tick % this.#back]!);
        copy.step();
        const found = this.#compare(copy, tick + 1, "fresh copy");
        if (found) return found;
      }
      return undefined;
    } finally {
      copy.dispose();
    }
  }

  /** Reports NaN and infinities in the present state, except in fields that allow them. */
  #requireFinite(): SyncResult | undefined {
    const { tick, state } = this.#run;
    const found = state.nonFinite(MOST_NON_FINITE);
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

  /** Holds a run against what the state of the tick was first. */
  #compare(
    run: Run,
    tick: number,
    against: "rollback" | "straight run" | "fresh copy",
  ): SyncResult | undefined {
    const snapshot = this.#snapshotOf(tick);
    const [a, b] = this.#hashes[snapshot]!;
    const [c, d] = run.hash();
    if (a === c && b === d) return undefined;
    const differences = [
      ...run.state.diffFrom(this.#run.state, snapshot),
      ...externalDifferences(this.#externalHashes[snapshot]!, run.externalHashes()),
    ];
    const message = `syncTest: ${this.#simulation.name} is not deterministic: state ${tick} came out differently (${against}).\n${formatDifferences(differences)}`;
    return { ok: false, tick, against, differences, message };
  }

  /** Keeps the present state. */
  #keep(): void {
    const run = this.#run;
    const snapshot = this.#snapshotOf(run.tick);
    run.save(snapshot);
    this.#hashes[snapshot] = run.hash();
    this.#externalHashes[snapshot] = run.externalHashes();
  }

  #snapshotOf(tick: number): number {
    return tick % (this.#back + 1);
  }

  #ask(tick: number): void {
    const { inputs } = this.#options;
    if (inputs) inputs(this.#players, { tick, peek: false, ...ALONE });
    else doAnything(this.#simulation.packing, this.#now, this.#dice);
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

/** Changes about one input of eight. */
function doAnything({ slots, words: width }: Packing, words: Uint32Array, dice: Random): void {
  for (let at = 0; at < words.length; at += width)
    for (const { word, mask } of slots)
      if (dice.chance(0.125)) words[at + word] = (words[at + word]! & ~mask) | (dice.u32() & mask);
}
