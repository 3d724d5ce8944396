import { describe, expect, test } from "vitest";
import { NOBODY, type Drop, type Member, type Roster } from "./roster.js";
import { canFollow } from "./roster-change.js";
import { LOG_TICKS } from "./seat-log.js";

const CONFIRMED = 500;

const member = (id: number, from = 0): Member => ({
  id,
  name: `p${id}`,
  seats: [id - 1],
  isVoter: true,
  from,
});

const before: Roster = {
  ...NOBODY,
  epoch: 7,
  members: [member(1), member(2), member(3, 450)],
  floors: [0, 0, 0],
};

const drop = (id: number, cut: number): Drop => ({
  id,
  reason: "timeout",
  cut,
  first: cut,
  rows: new Uint8Array(0),
});

const follows = (changes: Partial<Roster>): boolean => {
  const after = { ...before, epoch: 8, ...changes };
  return canFollow(
    before,
    { ...after, floors: changes.floors ?? after.members.map(() => CONFIRMED) },
    CONFIRMED,
  );
};

const [one, two, three] = before.members as [Member, Member, Member];

describe("a roster can follow", () => {
  test.each<[string, Partial<Roster>]>([
    ["if nothing changes", {}],
    ["if members are dropped at open ticks", { members: [two], drops: [drop(1, 500), drop(3, 540)] }],
    ["if somebody joins", { members: [...before.members, member(4, 530)] }],
    ["if the game pauses", { pausedAt: 520 }],
    ["if one of two goes on alone", { members: [one, two], drops: [drop(3, 460)], isForced: true }],
  ])("%s", (_, changes) => {
    expect(follows(changes)).toBe(true);
  });
});

describe("a roster cannot follow", () => {
  const far = CONFIRMED + LOG_TICKS + 1;
  test.each<[string, Partial<Roster>]>([
    ["if it is not the next one", { epoch: 9 }],
    ["if a member is gone that was not dropped", { members: [one, two] }],
    ["if a member stays that was dropped", { drops: [drop(3, 540)] }],
    ["if a member is dropped twice", { members: [one, two], drops: [drop(3, 540), drop(3, 550)] }],
    ["if a stranger is dropped", { drops: [drop(9, 540)] }],
    ["if a member takes another seat", { members: [one, two, { ...three, seats: [5] }] }],
    ["if a member takes one seat more", { members: [one, two, { ...three, seats: [2, 5] }] }],
    ["if a member gets another name", { members: [one, two, { ...three, name: "x" }] }],
    ["if a member may no longer vote", { members: [one, two, { ...three, isVoter: false }] }],
    ["if a member began at another tick", { members: [one, two, { ...three, from: 460 }] }],
    ["if it undoes confirmed ticks", { members: [one, two], drops: [drop(3, 499)] }],
    ["if a member ends before it began", { members: [one, two], drops: [drop(3, 449)], isForced: true }],
    ["if somebody joined before confirmed ticks", { members: [...before.members, member(4, 499)] }],
    ["if the pause was before confirmed ticks", { pausedAt: 499 }],
    ["if a cut is out of reach", { members: [one, two], drops: [drop(3, far)] }],
    ["if a join is out of reach", { members: [...before.members, member(4, far)] }],
    ["if a floor is out of reach", { floors: [0, 0, far] }],
    ["if the pause is out of reach", { pausedAt: far }],
  ])("%s", (_, changes) => {
    expect(follows(changes)).toBe(false);
  });
});
