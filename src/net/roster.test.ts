import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fromText,
  isName,
  isSeats,
  MAX_NAME,
  NOBODY,
  readRoster,
  rosterBytes,
  toText,
  type Roster,
} from "./roster.js";

const PLAYERS = 8;

const tick = fc.nat(2 ** 31);
const id = fc.integer({ min: 1, max: 2 ** 32 - 1 });
const name = fc.string({ unit: "grapheme", maxLength: 10 }).filter(isName);

/** Rosters that a game of eight can have: members share the seats. */
const rosterArbitrary: fc.Arbitrary<Roster> = fc
  .record({
    ids: fc.uniqueArray(id, { minLength: 1, maxLength: PLAYERS }),
    owners: fc.array(fc.nat(PLAYERS - 1), { minLength: PLAYERS, maxLength: PLAYERS }),
    names: fc.array(name, { minLength: PLAYERS, maxLength: PLAYERS }),
    voters: fc.array(fc.boolean(), { minLength: PLAYERS, maxLength: PLAYERS }),
    from: tick,
    epoch: tick,
    pausedAt: fc.oneof(fc.constant(-1), tick),
    isForced: fc.boolean(),
    drops: fc.array(
      fc.record({
        id,
        reason: fc.constantFrom("timeout", "left", "kicked", "closed", "hostile", "desync", "restarted"),
        cut: fc.integer({ min: 1000, max: 2000 }),
        first: fc.nat(1000),
        rows: fc.uint8Array({ maxLength: 100 }),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ ids, owners, names, voters, from, ...rest }) => ({
    ...rest,
    floors: ids.map((_, index) => from + index),
    members: ids.map((one, index) => ({
      id: one,
      name: names[index]!,
      seats: owners.flatMap((owner, seat) => (owner === index ? [seat] : [])),
      isVoter: voters[index]!,
      from,
    })),
  }));

test("a roster is read as it was written", () => {
  fc.assert(
    fc.property(rosterArbitrary, (roster) => {
      expect(readRoster(rosterBytes(roster), PLAYERS)).toEqual(roster);
    }),
  );
  expect(readRoster(rosterBytes(NOBODY), PLAYERS)).toEqual(NOBODY);
});

test("eight members with the longest names fit into one message", () => {
  const members = Array.from({ length: 8 }, (_, seat) => ({
    id: 2 ** 32 - 1 - seat,
    name: "W".repeat(MAX_NAME),
    seats: [seat],
    isVoter: true,
    from: 10_000_000,
  }));
  const floors = members.map(({ from }) => from);
  expect(members.every((member) => isName(member.name))).toBe(true);
  expect(rosterBytes({ ...NOBODY, epoch: 100_000, members, floors }).length).toBeLessThan(980);
});

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const VALID = [
  3,
  [
    [7, "Ada", [0, 1], 1, 0],
    [9, "Bob", [2], 1, 60],
  ],
  [[5, 0, 120, 100, "AAAA"]],
  [0, 60],
  -1,
  0,
];

describe("a roster of a stranger", () => {
  test("is accepted if all of it is valid", () => {
    expect(readRoster(encode(VALID), PLAYERS)).toMatchObject({
      epoch: 3,
      members: [{ id: 7, seats: [0, 1] }, { id: 9 }],
      drops: [{ id: 5, reason: "timeout", cut: 120, first: 100, rows: new Uint8Array(3) }],
      floors: [0, 60],
      pausedAt: -1,
      isForced: false,
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
    ["a negative epoch", replaced([0], -1)],
    ["a fractional epoch", replaced([0], 1.5)],
    ["an epoch beyond 2^53", replaced([0], 2 ** 53)],
    ["no members", replaced([1], 0)],
    ["a member that is none", replaced([1, 0], 7)],
    ["id 0", replaced([1, 0, 0], 0)],
    ["an id of 33 bits", replaced([1, 0, 0], 2 ** 32)],
    ["the same id twice", replaced([1, 0, 0], 9)],
    ["a name that is too long", replaced([1, 0, 1], "x".repeat(MAX_NAME + 1))],
    ["a name with a line break", replaced([1, 0, 1], "A\nB")],
    ["a name that is no text", replaced([1, 0, 1], 5)],
    ["a seat that does not exist", replaced([1, 0, 2], [0, 8])],
    ["a negative seat", replaced([1, 0, 2], [-1])],
    ["the same seat twice", replaced([1, 0, 2], [0, 0])],
    ["seats in a wrong order", replaced([1, 0, 2], [1, 0])],
    ["a seat of two members", replaced([1, 0, 2], [0, 2])],
    ["a wrong flag of a voter", replaced([1, 0, 3], true)],
    ["a wrong first tick", replaced([1, 0, 4], -5)],
    [
      "too many members",
      replaced(
        [1],
        Array.from({ length: 10 }, (_, i) => [i + 1, "", [], 1, 0]),
      ),
    ],
    ["drops that are no list", replaced([2], "x")],
    ["a drop of nobody", replaced([2, 0, 0], 0)],
    ["an unknown reason", replaced([2, 0, 1], 99)],
    ["a reason that is a property of lists", replaced([2, 0, 1], "length")],
    ["a drop whose inputs end before they begin", replaced([2, 0, 3], 121)],
    ["inputs that are no text", replaced([2, 0, 4], 5)],
    ["inputs that are no base 64", replaced([2, 0, 4], "?")],
    ["too few known ticks", replaced([3], [0])],
    ["a wrong known tick", replaced([3], [0, -1])],
    ["a wrong tick of a pause", replaced([4], -2)],
    ["a wrong last flag", replaced([5], 2)],
  ])("is rejected: %s", (_, value) => {
    expect(readRoster(encode(value), PLAYERS)).toBeUndefined();
  });

  test("never throws, whatever the bytes are", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => new TextEncoder().encode(text)),
        ),
        (bytes) => {
          expect(readRoster(bytes, PLAYERS)).toBeUndefined();
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

test("bytes become text and come back", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      expect(fromText(toText(bytes))).toEqual(bytes);
    }),
  );
  expect(fromText("not base 64!")).toBeUndefined();
});
