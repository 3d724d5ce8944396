import type { AnySimulation, LocalSession, RunOptions } from "../sim/index.js";
import { describe, type Difference, type Hash } from "../state/index.js";
import { refuse, requireType, requireWhole } from "../time/index.js";
import { requireReplay, type Replay } from "./replay.js";
import { sessionOf } from "./source.js";

export interface VerifyOptions extends Pick<RunOptions, "guard" | "kernels"> {
  /** Another build of the simulation: both do what was recorded, and are compared with one another and not with the file. */
  readonly against?: AnySimulation | undefined;
  /**
   * Ticks from a comparison of two builds to the next; where they differ, the ticks between are looked at one by one.
   * Default: as many as from a keyframe to the next. What differs for a while and is then the same is found by 1.
   */
  readonly every?: number | undefined;
}

/** What a verification has found. */
export type VerifyResult =
  | {
      readonly ok: true;
      /** States that were compared, and the last one's hash. */
      readonly compared: number;
      readonly hash: Hash;
      readonly message: "";
    }
  | {
      readonly ok: false;
      /** The first state that was compared and differs, and the last one before it that did not. */
      readonly tick: number;
      readonly after: number;
      /** Whether it is the first that differs at all: no tick lies between the two. */
      readonly exact: boolean;
      /** The state of which the fields are told: `tick`, or that of the next keyframe; undefined if there is none. */
      readonly fieldsAt: number | undefined;
      /** `a` is as it was recorded (or of the simulation), `b` as it came out now (or of `against`). */
      readonly differences: readonly Difference[];
      /** All of it, in words. */
      readonly message: string;
    };

/** Does what was recorded, and compares hashes: what comes out differently is told with its tick and fields. */
export function verify(simulation: AnySimulation, replay: Replay, options: VerifyOptions = {}): VerifyResult {
  requireReplay("verify", replay, simulation);
  requireType("verify: options", options, "object", "{}");
  const { against, every = replay.info.keyframes || 600 } = options;
  requireWhole("verify: every", every, 1, 600);
  if (against !== undefined) return compare(simulation, against, replay, every, options);
  const { session, size } = sessionOf("verify", simulation, replay, runOptions(options));
  try {
    const { checkpoints } = replay;
    const { ticks } = checkpoints;
    const hash: [number, number] = [0, 0];
    for (let i = 0; i < ticks.length; i++) {
      session.skip(ticks[i]! - session.tick);
      if (checkpoints.agrees(i, session.hash(hash))) continue;
      return divergence(session, replay, ticks[i]!, ticks[i - 1] ?? replay.start, size);
    }
    session.skip(replay.end - session.tick);
    return { ok: true, compared: ticks.length, hash: session.hash(), message: "" };
  } finally {
    session.dispose();
  }
}

/** What is to be said of a state that differs; the fields are those of the next state that was recorded. */
function divergence(
  session: LocalSession,
  replay: Replay,
  tick: number,
  after: number,
  size: number | undefined,
): VerifyResult {
  const exact = tick - after <= 1;
  const head = `verify: ${replay.info.name} comes out otherwise than it was recorded: state ${tick} differs, state ${after} did not.`;
  const keyframe = replay.keyframes.find((frame) => frame.tick >= tick);
  const failed = (message: string) => ({ ...failure(tick, after, message), exact });
  if (!keyframe) return failed(`${head} No state was recorded after it, so that fields could be told.`);
  try {
    session.skip(keyframe.tick - session.tick);
    const differences = session.diff(replay.stateOf(keyframe, size));
    const fields = differences.length > 0 ? describe(differences) : "Nothing: it came to be the same again.";
    const message = `${head} In state ${keyframe.tick}, recorded ≠ now:\n${fields}`;
    return { ...failed(message), fieldsAt: keyframe.tick, differences };
  } catch (error) {
    // What went another way may well fail on it.
    return failed(`${head} On the way to state ${keyframe.tick}: ${(error as Error).message}`);
  }
}

/** Two builds do the same. */
function compare(
  simulation: AnySimulation,
  against: AnySimulation,
  replay: Replay,
  every: number,
  options: VerifyOptions,
): VerifyResult {
  if (against?.fingerprint !== simulation.fingerprint)
    refuse(
      "verify: against",
      `a build with the fingerprint ${simulation.fingerprint}`,
      against?.fingerprint,
      "the same version, state and inputs",
    );
  const { session: a } = sessionOf("verify", simulation, replay, runOptions(options));
  const { session: b } = sessionOf("verify", against, replay, runOptions(options));
  const isSame = () => a.hash().join() === b.hash().join();
  try {
    let after = replay.start;
    if (!isSame()) return parted(a, b, after, after);
    let compared = 1;
    while (a.tick < replay.end) {
      // The same in both.
      const bytes = a.bytes();
      const from = after;
      const next = Math.min(after + every, replay.end);
      a.skip(next - after);
      b.skip(next - after);
      compared++;
      if (!isSame()) {
        a.load(bytes);
        b.load(bytes);
        for (; a.tick < next; after = a.tick) {
          a.skip(1);
          b.skip(1);
          if (!isSame()) return parted(a, b, a.tick, after);
        }
        return failure(
          next,
          from,
          `verify: the builds of ${simulation.name} differ in state ${next}, but not if both are loaded before: one of them is not deterministic. Try syncTest.`,
        );
      }
      after = next;
    }
    return { ok: true, compared, hash: a.hash(), message: "" };
  } finally {
    a.dispose();
    b.dispose();
  }
}

/** Both stand where they first differ. */
function parted(a: LocalSession, b: LocalSession, tick: number, after: number): VerifyResult {
  const differences = b.diff(a.bytes());
  const message = `verify: the builds of ${a.simulation.name} differ first in state ${tick}:\n${describe(differences)}`;
  return { ...failure(tick, after, message), exact: true, fieldsAt: tick, differences };
}

const failure = (tick: number, after: number, message: string) =>
  ({ ok: false, tick, after, exact: false, fieldsAt: undefined, differences: [], message }) as const;

const runOptions = ({ guard, kernels }: Pick<RunOptions, "guard" | "kernels">) => ({ guard, kernels });
