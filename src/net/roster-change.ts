import type { Member, Roster } from "./roster.js";
import { LOG_TICKS } from "./seat-log.js";

/**
 * Whether one roster can follow another, as a voter that has confirmed all ticks before `confirmed` sees it. Honest voters decide
 * on nothing else, so a voter neither accepts nor adopts other rosters: nobody can make up who plays, or undo what is confirmed.
 */
export function canFollow(before: Roster, after: Roster, confirmed: number): boolean {
  if (after.epoch !== before.epoch + 1) return false;
  const isNear = (tick: number): boolean => tick <= confirmed + LOG_TICKS;
  const isOpen = (tick: number): boolean => isNear(tick) && (tick >= confirmed || after.isForced);
  const { members, drops, floors, pausedAt } = after;
  // Members stay as they are, or are dropped.
  const dropped = new Set(drops.map(({ id }) => id));
  if (dropped.size < drops.length) return false;
  for (const member of before.members) {
    const stays = members.some((other) => isSameMember(member, other));
    if (stays === dropped.delete(member.id)) return false;
  }
  // Nobody else can be dropped.
  if (dropped.size > 0) return false;
  for (const { id, cut } of drops) {
    const { seats, from } = before.members.find((member) => member.id === id)!;
    if (seats.length > 0 && (cut < from || !isOpen(cut))) return false;
  }
  for (const { id, from } of members)
    if (!before.members.some((member) => member.id === id) && !isOpen(from)) return false;
  return floors.every(isNear) && (pausedAt === -1 || pausedAt === before.pausedAt || isOpen(pausedAt));
}

function isSameMember(one: Member, other: Member): boolean {
  return (
    one.id === other.id &&
    one.name === other.name &&
    one.isVoter === other.isVoter &&
    one.from === other.from &&
    one.seats.length === other.seats.length &&
    one.seats.every((seat, i) => seat === other.seats[i])
  );
}
