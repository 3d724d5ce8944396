// What a voter reports in an agreement: how far it knows the inputs of all members, and the newest inputs of those that are suspected.
import { BitWriter } from "./bits.js";
import type { PeerCore } from "./peer-core.js";
import { fromText, isTick, REASONS, toText, type DropReason } from "./roster.js";
import type { Stream } from "./stream.js";

/** Ticks of inputs in a report, if they fit. */
const REPORTED_TICKS = 128;
const MAX_BYTES = 380;
const MAX_SUSPECTS = 64;

/** A voter's report. Members are numbered by their place in the roster. */
export interface Report {
  /** The tick up to which it knows the inputs of each member. */
  readonly ends: readonly number[];
  readonly suspects: ReadonlyMap<number, SuspectReport>;
}

/** What a voter knows of a member that is suspected. */
export interface SuspectReport {
  /** Why this voter suspects it. */
  readonly reason: DropReason;
  /** Its inputs are known up to here. */
  readonly end: number;
  /** The newest of them, from tick `first` on, coded as rows; empty if they did not fit. */
  readonly first: number;
  readonly rows: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const writer = new BitWriter(1000);

/** Returns a report of this peer: JSON, as agreements are rare. */
export function reportBytes(
  core: PeerCore,
  suspects: Iterable<number>,
  reasonOf: (id: number) => DropReason,
): Uint8Array {
  const { streams } = core.members;
  const report: unknown[] = [streams.map(({ end }) => end)];
  const isTooLong = (): boolean => encoder.encode(JSON.stringify(report)).length > MAX_BYTES;
  for (const index of suspects) {
    const stream = streams[index]!;
    const { end, member } = stream;
    const reason = REASONS.indexOf(reasonOf(member.id));
    const place = report.push(0) - 1;
    // The more rows, the fewer members have to ask for those that they miss.
    for (const ticks of [REPORTED_TICKS, end - core.rollback.confirmed, 0]) {
      const first = afterCommands(core, stream, Math.max(member.from, end - Math.max(0, ticks)));
      report[place] = [index, end, first, ticks > 0 ? rowsText(core, stream, first) : "", reason];
      if (!isTooLong()) break;
    }
  }
  return encoder.encode(JSON.stringify(report));
}

/** Returns the first tick from `first` on after which a stream has no more commands, which do not fit into reports. */
function afterCommands({ rollback }: PeerCore, { end, member }: Stream, first: number): number {
  const { log } = rollback;
  if (!log.isCommanded) return first;
  for (let tick = end - 1; tick >= first; tick--) if (log.hasCommands(tick, member.seats)) return tick + 1;
  return first;
}

/** Codes the inputs from a tick to the end of a stream. */
function rowsText({ rollback }: PeerCore, { rows, end }: Stream, first: number): string {
  writer.reset();
  rows.writeFrom(writer, rollback.log, first, end);
  return writer.isFull ? "" : toText(writer.bytes());
}

/** Reads a report. Of a malformed one, only what is valid counts. */
export function readReport(bytes: Uint8Array): Report {
  const suspects = new Map<number, SuspectReport>();
  let data: unknown;
  try {
    data = JSON.parse(decoder.decode(bytes));
  } catch {
    return { ends: [], suspects };
  }
  const [ends, ...items] = Array.isArray(data) ? (data as unknown[]).slice(0, 1 + MAX_SUSPECTS) : [];
  for (const item of items) {
    const [index, end, first, text, code] = Array.isArray(item) ? (item as unknown[]) : [];
    const rows = typeof text === "string" ? fromText(text) : undefined;
    if (isTick(index) && isTick(end) && isTick(first) && first <= end && rows)
      suspects.set(index, { end, first, rows, reason: REASONS[code as number] ?? "timeout" });
  }
  return { ends: Array.isArray(ends) && ends.every(isTick) ? ends : [], suspects };
}
