// How a proposed roster follows from what the voters report.
import type { Drop, DropReason, Member, Roster } from "./roster.js";
import { rosterBytes } from "./roster.js";
import type { Report, SuspectReport } from "./voter-report.js";

/** The longest roster that fits into a message of the agreement. */
const MAX_BYTES = 980;

const NO_ROWS = new Uint8Array(0);

/** Whether a reason only means that nobody hears the member. It may turn out to be there. */
export const isSilence = (reason: DropReason): boolean => reason === "timeout" || reason === "closed";

/** Returns the members that are dropped, each from the last tick on that one of those that report knows its inputs of. */
export function dropsOf(
  { members }: Roster,
  suspects: ReadonlySet<number>,
  reports: readonly Report[],
): Drop[] {
  return Array.from(suspects, (index) => {
    const { id, from } = members[index]!;
    let best: SuspectReport | undefined;
    for (const report of reports) {
      const found = report.suspects.get(index);
      if (found && (!best || found.end > best.end || (found.end === best.end && found.rows.length > 0)))
        best = found;
    }
    const cut = Math.max(from, best?.end ?? 0);
    const rows = best?.rows ?? NO_ROWS;
    return {
      id,
      reason: reasonFor(index, reports),
      cut,
      first: best && rows.length > 0 ? best.first : cut,
      rows,
    };
  });
}

/** Why a member is dropped: what one of those that decide knows is better than silence. */
function reasonFor(index: number, reports: readonly Report[]): DropReason {
  let reason: DropReason = "timeout";
  for (const { suspects } of reports) {
    const given = suspects.get(index)?.reason ?? "timeout";
    if (isSilence(reason) && given !== "timeout") reason = given;
  }
  return reason;
}

/** Returns the tick up to which one of those that decide knows the inputs of a member that stays. */
export function floorOf({ members }: Roster, member: Member, reports: readonly Report[]): number {
  const index = members.indexOf(member);
  return reports.reduce((floor, { ends }) => Math.max(floor, ends[index] ?? 0), member.from);
}

/** Leaves out the inputs of those that are dropped if the roster is too long with them. */
export function shortened(roster: Roster): Roster {
  if (rosterBytes(roster).length <= MAX_BYTES) return roster;
  return { ...roster, drops: roster.drops.map((drop) => ({ ...drop, first: drop.cut, rows: NO_ROWS })) };
}
