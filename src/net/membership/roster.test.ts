import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isName,
  isSeats,
  MAX_NAME,
  NOBODY,
  readRoster,
  REASONS,
  rosterBytes,
  type Roster,
} from "./roster.js";

const PLAYERS = 8;

const tick = fc.nat(2 ** 31);
const id = fc.integer({ min: 1, max: 2 ** 32 - 1 });
const name = fc.string({ unit: "grapheme", maxLength: 10 }).filter(isName);

const GAME = 1_234_567_890;

/** Rosters that a game of eight can have: members share the seats. */
const rosterArbitrary: fc.Arbitrary<Roster> = fc
  .record({
    ids: fc.uniqueArray(id, { minLength: 1, maxLength: PLAYERS }),
    owners: fc.array(fc.nat(PLAYERS - 1), { minLength: PLAYERS, maxLength: PLAYERS }),
    names: fc.array(name, { minLength: PLAYERS, maxLength: PLAYERS }),
    from: tick,
    epochs: fc.tuple(tick, tick),
    begin: tick,
    pausedAt: fc.oneof(fc.constant(-1), tick),
    isStar: fc.boolean(),
    departed: fc.array(
      fc.record({
        id,
        name,
        seats: fc.constantFrom([], [0], [2, 5]),
        from: fc.nat(1000),
        until: fc.integer({ min: 1000, max: 2000 }),
        reason: fc.constantFrom(...REASONS),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ ids, owners, names, from, epochs: [a, b], ...rest }) => ({
    ...rest,
    epoch: Math.max(a, b),
    since: Math.min(a, b),
    members: ids.map((one, index) => ({
      id: one,
      name: names[index]!,
      seats: owners.flatMap((owner, seat) => (owner === index ? [seat] : [])),
      from,
    })),
  }));

test("a roster is read as it was written", () => {
  fc.assert(
    fc.property(rosterArbitrary, (roster) => {
      expect(readRoster(rosterBytes(GAME, roster), GAME, PLAYERS)).toEqual(roster);
    }),
  );
  expect(readRoster(rosterBytes(GAME, NOBODY), GAME, PLAYERS)).toEqual(NOBODY);
});

test("the roster of another game is none", () => {
  expect(readRoster(rosterBytes(GAME, NOBODY), GAME + 1, PLAYERS)).toBeUndefined();
});

test("eight members with the longest names, and eight that have departed, fit into one message", () => {
  const members = Array.from({ length: 8 }, (_, seat) => ({
    id: 2 ** 32 - 1 - seat,
    name: "W".repeat(MAX_NAME),
    seats: [seat],
    from: 10_000_000,
  }));
  const departed = members.map((member) => ({ ...member, until: 10_000_100, reason: "restarted" }) as const);
  expect(members.every((member) => isName(member.name))).toBe(true);
  expect(
    rosterBytes(GAME, { ...NOBODY, epoch: 100_000, since: 99_000, members, departed }).length,
  ).toBeLessThan(1200);
});

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const VALID = [
  GAME,
  3,
  2,
  40,
  -1,
  0,
  [
    [7, "Ada", [0, 1], 0],
    [9, "Bob", [2], 60],
  ],
  [[5, "Cy", [3], 0, 120, 0]],
];

describe("a roster of a stranger", () => {
  test("is accepted if all of it is valid", () => {
    expect(readRoster(encode(VALID), GAME, PLAYERS)).toEqual({
      epoch: 3,
      since: 2,
      begin: 40,
      pausedAt: -1,
      isStar: false,
      members: [
        { id: 7, name: "Ada", seats: [0, 1], from: 0 },
        { id: 9, name: "Bob", seats: [2], from: 60 },
      ],
      departed: [{ id: 5, name: "Cy", seats: [3], from: 0, until: 120, reason: "timeout" }],
    });
  });

  const replaced = (path: readonly number[], value: unknown): unknown => {
    const copy = structuredClone(VALID) as unknown[];
    let part = copy;
    for (const index of path.slice(0, -1)) part = part[index] as unknown[];
    part[path.at(-1)!] = value;
    return copy;
  };

  test.each<[string, unknown]>([
    ["no list", { epoch: 3 }],
    ["a part too few", VALID.slice(1)],
    ["a part too many", [...VALID, 0]],
    ["another game", replaced([0], GAME + 1)],
    ["a negative epoch", replaced([1], -1)],
    ["a fractional epoch", replaced([1], 1.5)],
    ["an epoch beyond 2^53", replaced([1], 2 ** 53)],
    ["a host of a later epoch", replaced([2], 4)],
    ["a wrong begin", replaced([3], -1)],
    ["a wrong tick of a pause", replaced([4], -2)],
    ["a wrong kind", replaced([5], 2)],
    ["no members", replaced([6], 0)],
    ["a member that is none", replaced([6, 0], 7)],
    ["id 0", replaced([6, 0, 0], 0)],
    ["an id of 33 bits", replaced([6, 0, 0], 2 ** 32)],
    ["the same id twice", replaced([6, 0, 0], 9)],
    ["a name that is too long", replaced([6, 0, 1], "x".repeat(MAX_NAME + 1))],
    ["a name with a line break", replaced([6, 0, 1], "A\nB")],
    ["a name that is no text", replaced([6, 0, 1], 5)],
    ["a seat that does not exist", replaced([6, 0, 2], [0, 8])],
    ["a negative seat", replaced([6, 0, 2], [-1])],
    ["the same seat twice", replaced([6, 0, 2], [0, 0])],
    ["seats in a wrong order", replaced([6, 0, 2], [1, 0])],
    ["a seat of two members", replaced([6, 0, 2], [0, 2])],
    ["a wrong first tick", replaced([6, 0, 3], -5)],
    [
      "too many members",
      replaced(
        [6],
        Array.from({ length: 10 }, (_, i) => [i + 1, "", [], 0]),
      ),
    ],
    ["departed members that are no list", replaced([7], "x")],
    ["too many of them", replaced([7], Array<unknown>(257).fill([5, "", [], 0, 1, 0]))],
    ["nobody who departed", replaced([7, 0, 0], 0)],
    ["inputs that end before they begin", replaced([7, 0, 3], 121)],
    ["a wrong last tick", replaced([7, 0, 4], 0.5)],
    ["an unknown reason", replaced([7, 0, 5], 99)],
    ["a reason that is a property of lists", replaced([7, 0, 5], "length")],
  ])("is rejected: %s", (_, value) => {
    expect(readRoster(encode(value), GAME, PLAYERS)).toBeUndefined();
  });

  test("never throws, whatever the bytes are", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => new TextEncoder().encode(text)),
        ),
        (bytes) => {
          expect(readRoster(bytes, GAME, PLAYERS)).toBeUndefined();
        },
      ),
    );
  });
});

test("names are short, can be shown, and survive JSON", () => {
  for (const good of ["", "Ada", "Zoë", "武藏", '"quoted"', "x".repeat(MAX_NAME)])
    expect(isName(good)).toBe(true);
  for (const bad of [
    "a\u0000",
    "a\u007f",
    "a\u0085b",
    "x".repeat(MAX_NAME + 1),
    "武".repeat(14),
    "\\".repeat(20),
    5,
    null,
  ])
    expect(isName(bad)).toBe(false);
});

test("seats are whole, ascending and of the game", () => {
  expect([[], [0], [0, 3, 7]].every((seats) => isSeats(seats, 8))).toBe(true);
  expect(
    [[8], [1, 1], [2, 1], [0.5], ["0"], "0", [NaN], [0, undefined]].some((seats) => isSeats(seats, 8)),
  ).toBe(false);
});
