import { requireKnownOptions, requireNumber, requireType } from "../errors/index.js";
import { requireTime } from "./require-time.js";

/** What clients may use. Every limit has a default. */
export interface ServerLimits {
  /** Connections at the same time. Default 10,000. */
  readonly connections?: number | undefined;
  /** Connections at the same time from one address. An IPv6 network of 64 bits counts as one. Default 64. */
  readonly connectionsPerAddress?: number | undefined;
  /** Rooms at the same time, with meetings. Default 1,000. */
  readonly rooms?: number | undefined;
  /** New rooms per minute from one address. Default 30. */
  readonly newRoomsPerMinute?: number | undefined;
  /** Wrong codes and tokens per minute from one address. Beyond that, it is refused for a while. Default 10. */
  readonly wrongCodesPerMinute?: number | undefined;
  /** Clients that watch the same room. Default 32. */
  readonly watchers?: number | undefined;
  /** Messages per second and connection; four times as many in a burst. Default 300. */
  readonly messages?: number | undefined;
  /** Bytes per second and connection; four times as many in a burst. Default 262,144 (256 KiB). */
  readonly bytes?: number | undefined;
  /** Bytes that may wait for a slow reader before it is disconnected. Default 4 MiB. */
  readonly waitingBytes?: number | undefined;
  /** Seconds in which the headers of a request must arrive. Default 10. */
  readonly request?: number | undefined;
  /** Seconds without a message, after which a connection is closed. Default 30. */
  readonly idle?: number | undefined;
  /** Seconds between two pings. A client that has not answered when the next is due is disconnected. Default 15. */
  readonly ping?: number | undefined;
  /** Seconds after which an empty room ends. Default 60. */
  readonly empty?: number | undefined;
  /** Members of a meeting, for peer-to-peer games. Default 16. */
  readonly members?: number | undefined;
  /** Bytes of all files in the replay folder. The oldest are deleted first. Default 1 GiB. */
  readonly replayBytes?: number | undefined;
  /** New rooms are refused while steps begin this many milliseconds late, or packets wait for as long in a process without a pause (99th percentiles). Default 20. */
  readonly lateMs?: number | undefined;
  /** New rooms are refused while the process uses this many bytes, or 80 % of the heap that V8 may use. Default: 80 % of the memory of the machine or container. */
  readonly memory?: number | undefined;
}

/** All limits. Times are in milliseconds here. */
export type CheckedLimits = Readonly<Record<keyof ServerLimits, number>>;

/** Default, minimum and maximum. */
const RANGES: Readonly<Record<keyof ServerLimits, readonly [number, number, number]>> = {
  connections: [10_000, 1, 1e6],
  connectionsPerAddress: [64, 1, 1e6],
  rooms: [1000, 1, 1e6],
  newRoomsPerMinute: [30, 1, 1e6],
  wrongCodesPerMinute: [10, 1, 1e6],
  watchers: [32, 0, 1e5],
  messages: [300, 1, 1e6],
  bytes: [2 ** 18, 1000, 1e9],
  waitingBytes: [2 ** 22, 2 ** 14, 2 ** 26],
  request: [10, 0.1, 1e6],
  idle: [30, 0.1, 1e6],
  ping: [15, 0.1, 1e6],
  empty: [60, 0, 1e6],
  members: [16, 2, 1000],
  replayBytes: [2 ** 30, 1000, 2 ** 50],
  lateMs: [20, 1, 1e6],
  memory: [0, 2 ** 20, 2 ** 50],
};

/** Limits in seconds. */
const SECONDS: readonly (keyof ServerLimits)[] = ["request", "idle", "ping", "empty"];

/** Checks limits, and fills in the defaults. `memory` is 0 if it is not given. */
export function checkedLimits(call: string, limits: ServerLimits): CheckedLimits {
  requireType(`${call}: limits`, limits, "object", "{ rooms: 100 }");
  requireKnownOptions(call, limits, Object.keys(RANGES), "limits");
  const names = Object.keys(RANGES) as (keyof ServerLimits)[];
  const checked = names.map((name) => {
    const [fallback, min, max] = RANGES[name];
    const value = limits[name];
    if (value === undefined) return [name, fallback];
    const subject = `${call}: limits.${name}`;
    if (name === "lateMs") requireTime(subject, "milliseconds", value, [min, max], fallback);
    else if (SECONDS.includes(name)) requireTime(subject, "seconds", value, [min, max], fallback);
    else requireNumber(subject, value, min, max, fallback || 2 ** 30);
    return [name, value];
  });
  const all = Object.fromEntries(checked) as Record<keyof ServerLimits, number>;
  for (const name of SECONDS) all[name] *= 1000;
  return all;
}
