// What submitters and workers agree on: the names in Redis, the id of a job, and its data.
import { createHash } from "node:crypto";
import type { GuardOptions } from "../sim/index.js";

/** Attempts that may crash, hang or run out of memory before a replay is quarantined. */
export const ATTEMPTS = 3;

/** Milliseconds between two attempts. */
export const BACKOFF = 500;

/** Default name of the queue. */
export const QUEUE_NAME = "verify";

/** All keys in Redis begin with it. */
export const PREFIX = "tickwise";

/** The data of a job, as JSON. */
export interface JobData {
  /** The bytes of the replay, in base64. */
  readonly replay: string;
  readonly guard?: GuardOptions;
}

/** Changed if verdicts of older versions must not be used any more. */
const EDITION = "1";

/** Returns the id of a replay: a hash of everything that decides its verdict. */
export function jobIdOf(bytes: Uint8Array, guard: GuardOptions | undefined): string {
  const allow = guard && [...new Set(guard.allow)].sort();
  const hash = createHash("sha256");
  hash.update(JSON.stringify([EDITION, allow ?? null]));
  hash.update("\0");
  hash.update(bytes);
  // BullMQ refuses ids that are numbers.
  return `r${hash.digest("hex")}`;
}
