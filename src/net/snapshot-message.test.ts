import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { brawlFor } from "../../test/net/brawl.js";
import { localSession } from "../sim/index.js";
import type { Membership } from "./membership/membership.js";
import { Rollback } from "./rollback.js";
import { readSnapshot, snapshotBytes } from "./snapshot-message.js";

const game = brawlFor(2);

const roster = {
  epoch: 5,
  since: 1,
  begin: 0,
  members: [
    { id: 7, name: "Ada", seats: [0], from: 0 },
    { id: 9, name: "Zoë", seats: [1], from: 30 },
  ],
  departed: [{ id: 11, name: "Cy", seats: [1], from: 0, until: 20, reason: "left" }],
  pausedAt: -1,
  isStar: true,
} as const;

/** A game at tick 40 whose players have done something, and its snapshot. */
function snapshotAt40() {
  const rollback = new Rollback("test", game as never, {
    window: 8,
    saveEvery: 1,
    presenter: { present: "none", deliver: () => {} },
    guess: () => {},
    withdraw: () => {},
  });
  while (rollback.tick < 40) {
    rollback.log.writeSeat(rollback.tick, 0, Uint32Array.of(rollback.tick % 5), 0);
    rollback.step();
  }
  const members = { roster, absentFrom: [0, 12] } as unknown as Membership;
  return {
    rollback,
    bytes: snapshotBytes(rollback, members, { tick: 40, game: 99, parent: 0, seed: "x", hashEvery: 10 }),
  };
}

test("a snapshot has all that a peer needs to go on", () => {
  const { rollback, bytes } = snapshotAt40();
  const snapshot = readSnapshot(bytes, game)!;
  expect(snapshot).toMatchObject({ game: 99, seed: "x", hashEvery: 10, absentFrom: [0, 12] });
  expect(snapshot.roster).toEqual(roster);
  expect([...snapshot.words]).toEqual([39 % 5, 0]);
  const session = localSession(game);
  session.load(snapshot.state);
  expect([session.tick, session.hash()]).toEqual([40, rollback.run.hash()]);
});

describe("a snapshot of a stranger", () => {
  const { bytes } = snapshotAt40();
  const headerEnd = 4 + new DataView(bytes.buffer).getUint32(0);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, headerEnd))) as Record<
    string,
    unknown
  >;
  const withHeader = (value: unknown): Uint8Array => {
    const text = new TextEncoder().encode(JSON.stringify(value));
    const copy = new Uint8Array(4 + text.length + 10);
    new DataView(copy.buffer).setUint32(0, text.length);
    copy.set(text, 4);
    return copy;
  };

  test("is accepted if its header is valid", () => {
    expect(readSnapshot(withHeader(header), game)?.state.length).toBe(10);
  });

  test.each<[string, unknown]>([
    ["no object", 5],
    ["nothing", null],
    ["no roster", { ...header, roster: undefined }],
    ["a roster of another game", { ...header, roster: "[]" }],
    ["a wrong game", { ...header, game: 0 }],
    ["a wrong game that it was split from", { ...header, parent: -1 }],
    ["a wrong seed", { ...header, seed: 1.5 }],
    ["a long seed", { ...header, seed: "x".repeat(1001) }],
    ["a wrong interval of hashes", { ...header, hashEvery: 601 }],
    ["inputs that are no words", { ...header, words: [0, -1] }],
    ["inputs that are no list", { ...header, words: 5 }],
    ["too few inputs", { ...header, words: [0] }],
    ["too few absent seats", { ...header, absentFrom: [0] }],
    ["a wrong tick of an absent seat", { ...header, absentFrom: [0, -1] }],
  ])("is rejected: %s", (_, value) => {
    expect(readSnapshot(withHeader(value), game)).toBeUndefined();
  });

  test("never throws", () => {
    expect(readSnapshot(new Uint8Array(3), game)).toBeUndefined();
    expect(readSnapshot(bytes.subarray(0, headerEnd - 1), game)).toBeUndefined();
    fc.assert(
      fc.property(fc.nat(headerEnd - 1), fc.nat(255), (at, byte) => {
        const copy = bytes.slice();
        copy[at] = byte;
        const read = readSnapshot(copy, game);
        expect(read === undefined || read.roster.members.length <= 3).toBe(true);
      }),
    );
  });
});
