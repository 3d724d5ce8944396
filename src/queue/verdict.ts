import type { Difference } from "../state/index.js";

/** The simulation reproduces the recording. */
export interface VerifiedReplay {
  readonly outcome: "ok";
  /** The name and version of the simulation. */
  readonly name: string;
  readonly version: number;
  /** The first and the last recorded state. */
  readonly first: number;
  readonly last: number;
  /** The number of states that were compared. */
  readonly compared: number;
  /** The hash of the last state. */
  readonly hash: string;
  /**
   * What the recording begins with: `"init"` for the initial state of the simulation, `"state"` for a state in the file. Such a
   * state may be any, with any score: accept only `"init"` if players profit from the result.
   */
  readonly starts: "init" | "state";
  /** How the file ends: `"done"` if the recording was finished. */
  readonly ending: string;
  /** Says what is missing, if the recording was not finished. */
  readonly note: string;
  /** What `readResult` of the simulation's module returned for the last state, such as a score. */
  readonly result?: unknown;
}

/** The recording is not proven. */
export interface RejectedReplay {
  /**
   * - `"differs"`: the simulation reaches another state than the recorded one.
   * - `"failed"`: a step threw, crashed or needed too much memory.
   * - `"timeout"`: a step hangs, or the recording takes too long.
   * - `"other"`: no worker has this simulation in this version, or its state or inputs differ.
   * - `"unreadable"`: the bytes are not a recording, are damaged, or have nothing to compare.
   */
  readonly outcome: "differs" | "failed" | "timeout" | "other" | "unreadable";
  /** The reason, for people. */
  readonly message: string;
  /** The state that differs, or the tick of the step that failed, if known. */
  readonly tick?: number | undefined;
  /** The last compared state before `tick`, which does not differ. */
  readonly after?: number;
  /** The fields that differ, in the state `fieldsAt`. */
  readonly differences?: readonly Difference[];
  readonly fieldsAt?: number | undefined;
  /** True if every attempt crashed, hung or ran out of memory. No worker will try this replay again. */
  readonly quarantined?: true;
  /** The number of these attempts. */
  readonly attempts?: number;
}

/** What a worker found out about a replay. It is the same for everybody who submits the same bytes. */
export type Verdict = VerifiedReplay | RejectedReplay;

/** Encodes a verdict as JSON. Numbers that JSON does not have are wrapped, as fields that differ may hold them. */
export const verdictText = (verdict: Verdict): string =>
  JSON.stringify(verdict, (_, value: unknown) =>
    typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))
      ? { [NUMBER]: Object.is(value, -0) ? "-0" : `${value}` }
      : value,
  );

export const verdictOf = (text: string): Verdict =>
  JSON.parse(text, (_, value: unknown) =>
    typeof value === "object" && value !== null && NUMBER in value ? Number(value[NUMBER]) : value,
  ) as Verdict;

const NUMBER = "#number";
