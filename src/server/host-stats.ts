/** What one process has measured about its rooms. Counters grow from its start on. */
export interface HostStats {
  readonly rooms: number;
  /** Meetings of peer-to-peer games. */
  readonly meetings: number;
  readonly players: number;
  readonly watchers: number;
  readonly connections: number;
  readonly ticks: number;
  readonly lateTicks: number;
  readonly lostMs: number;
  readonly messagesIn: number;
  readonly messagesOut: number;
  /** With the framing of WebSockets. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly roomsCreated: number;
  readonly roomsResumed: number;
  readonly roomsEnded: number;
  readonly roomsFailed: number;
  readonly replayBytes: number;
  /** Resident memory in bytes. */
  readonly memory: number;
  /** Processes that take no new rooms. */
  readonly overloaded: number;
  /** How late steps began in the last second, in milliseconds: the median, the 99th percentile and the maximum. */
  readonly lateP50: number;
  readonly lateP99: number;
  readonly lateMax: number;
  /** By how much the event loop was late in the last second, in milliseconds (99th percentile). */
  readonly loopDelay: number;
}

export const NO_STATS: HostStats = {
  rooms: 0,
  meetings: 0,
  players: 0,
  watchers: 0,
  connections: 0,
  ticks: 0,
  lateTicks: 0,
  lostMs: 0,
  messagesIn: 0,
  messagesOut: 0,
  bytesIn: 0,
  bytesOut: 0,
  roomsCreated: 0,
  roomsResumed: 0,
  roomsEnded: 0,
  roomsFailed: 0,
  replayBytes: 0,
  memory: 0,
  overloaded: 0,
  lateP50: 0,
  lateP99: 0,
  lateMax: 0,
  loopDelay: 0,
};

/** Figures of which the worst process counts. All others are summed. */
const WORST: readonly (keyof HostStats)[] = ["lateP50", "lateP99", "lateMax", "loopDelay", "replayBytes"];

/** Sums the figures of several processes. */
export function sumStats(all: readonly HostStats[]): HostStats {
  const sum: Record<keyof HostStats, number> = { ...NO_STATS };
  for (const stats of all)
    for (const name of Object.keys(sum) as (keyof HostStats)[])
      sum[name] = WORST.includes(name) ? Math.max(sum[name], stats[name]) : sum[name] + stats[name];
  return sum;
}

/** Figures that grow from the start of a process on. All others are those of a moment. */
const COUNTERS: readonly (keyof HostStats)[] = [
  "ticks",
  "lateTicks",
  "lostMs",
  "messagesIn",
  "messagesOut",
  "bytesIn",
  "bytesOut",
  "roomsCreated",
  "roomsResumed",
  "roomsEnded",
  "roomsFailed",
];

/** Returns what is left of the figures of a process that has ended: sums never become smaller. */
export function countersOf(stats: HostStats): HostStats {
  return { ...NO_STATS, ...Object.fromEntries(COUNTERS.map((name) => [name, stats[name]])) };
}
