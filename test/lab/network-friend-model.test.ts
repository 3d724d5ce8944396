// The model of "Play with a friend", without a page: links are made from texts, as over WebRTC.
import { expect, test } from "vitest";
import { cleanName, readInvitation, readPasted, writeInvitation } from "../../lab/src/friend/invitation.js";
import { newLatch } from "../../lab/src/friend/inputs.js";
import { Party } from "../../lab/src/friend/party.js";
import type { Signalling } from "../../lab/src/friend/signalling.js";
import { eightWays } from "../../lab/src/friend/stick.js";
import { describeEnd, describePeerTo, describeRejection } from "../../lab/src/friend/describe.js";
import { readAddress } from "../../lab/src/address.js";
import { loopbackPair, type Link } from "../../src/net/index.js";

/** Pages in one program, on one clock. Each has a latch to play with. */
function newRoom() {
  let now = 0;
  const parties: Party[] = [];
  const ends = new Map<string, Link>();
  let offers = 0;
  /** Texts stand for the ends of loopback pairs. */
  const signalling: Signalling = {
    async offer() {
      const [near, far] = loopbackPair();
      const text = `offer-${++offers}`;
      ends.set(text, far);
      const accept = async (answer: string) => {
        if (answer !== `answer to ${text}`) throw new Error("accept: this answer belongs to another offer");
      };
      return { link: near, offer: text, accept };
    },
    async answer(offer) {
      const link = ends.get(offer);
      if (!link) throw new Error("answerLink: the text is not an offer");
      ends.delete(offer);
      return { link, answer: `answer to ${offer}` };
    },
  };
  const open = (isHost: boolean, name: string, isBack = false) => {
    const latch = newLatch();
    let joined = 0;
    const party = new Party({
      isHost,
      isBack,
      name,
      token: `token of ${name}`,
      inputs: latch,
      onJoin: () => joined++,
      now: () => now,
    });
    parties.push(party);
    return { party, latch, joined: () => joined };
  };
  const run = (seconds: number) => {
    for (let i = 0; i < 60 * seconds; i++) {
      now += 1000 / 60;
      for (const party of parties) party.session.advance();
    }
  };
  /** Ends a page as a reload does. */
  const close = (party: Party) => {
    party.hangUp();
    parties.splice(parties.indexOf(party), 1);
  };
  const connect = async (host: Party, guest: Party) =>
    host.accept(await guest.join(await host.invite(signalling), signalling));
  /** Expects that all pages show the same state. */
  const expectSame = (...pages: Party[]) => {
    const ticks = () => new Set(pages.map(({ checkpoint }) => checkpoint?.tick));
    for (let i = 0; i < 60 && ticks().size > 1; i++) run(1 / 60);
    expect(new Set(pages.map(({ checkpoint }) => `${checkpoint!.tick} ${checkpoint!.hash}`)).size).toBe(1);
  };
  return { open, run, close, connect, signalling, expectSame };
}

test("a host plays against bots, until a friend joins and takes a seat", async () => {
  const { open, run, connect, expectSame } = newRoom();
  const host = open(true, "Ada");
  const guest = open(false, "Ben");
  run(2);
  expect(host.party.session.tick).toBeGreaterThan(110);
  expect(host.party.guests.map(({ who }) => who)).toEqual(["you", "bot", "bot", "bot"]);
  expect(host.party.banner).toBe("");
  expect(guest.party.banner).toBe("waiting for your friend…");
  await connect(host.party, guest.party);
  run(3);
  expect(host.party.news.text).toBe("Ben has joined.");
  expect(guest.party.news.text).toBe("You are in the game.");
  expect([host.joined(), guest.joined()]).toEqual([1, 0]);
  expect(guest.party.session.seats).toEqual([1]);
  expect(guest.party.guests.map(({ name, who }) => `${name} ${who}`)).toEqual([
    "Ada friend",
    "Ben you",
    " bot",
    " bot",
  ]);
  expect([host.party.isConnected, guest.party.isConnected]).toEqual([true, true]);

  guest.latch.set("x", 1, 0);
  run(2);
  expect(host.party.session.world.players.falls[1]).toBeGreaterThan(0);
  expectSame(host.party, guest.party);
  expect(host.party.checkpoint!.tick).toBeGreaterThan(300);
});

test("three friends fill the ring, connected only to the host; a fifth player is told why not", async () => {
  const { open, run, connect, expectSame } = newRoom();
  const host = open(true, "Ada").party;
  const guests = ["Ben", "Cleo", "Dan"].map((name) => open(false, name).party);
  for (const guest of guests) {
    expect(host.hasRoom).toBe(true);
    await connect(host, guest);
    run(3);
  }
  expect(host.hasRoom).toBe(false);
  expect(guests.map(({ session }) => session.seats)).toEqual([[1], [2], [3]]);
  expect(guests[0]!.guests.map(({ name }) => name)).toEqual(["Ada", "Ben", "Cleo", "Dan"]);
  const late = open(false, "Eve").party;
  await connect(host, late);
  run(3);
  expect(late.news).toEqual({
    text: "All four seats are taken. This page asks again when one is free.",
    isProblem: true,
  });
  expectSame(host, ...guests);
});

test("a guest that reloads gets its seat back with a new invitation", async () => {
  const { open, run, close, connect, expectSame } = newRoom();
  const host = open(true, "Ada").party;
  const guest = open(false, "Ben").party;
  await connect(host, guest);
  run(3);
  close(guest);
  run(2);
  expect(host.news.text).toContain("Ben has closed the page or lost the connection. A bot plays on.");
  expect(host.guests[1]!.who).toBe("bot");
  expect(host.banner).toBe("");
  // Somebody else cannot take the seat meanwhile.
  const other = open(false, "Cleo").party;
  await connect(host, other);
  run(3);
  expect(other.session.seats).toEqual([2]);
  const again = open(false, "Ben").party;
  await connect(host, again);
  run(3);
  expect(again.session.seats).toEqual([1]);
  expectSame(again, host);
});

test("a host that reloads continues the game that its friend still holds", async () => {
  const { open, run, close, connect, expectSame } = newRoom();
  const host = open(true, "Ada").party;
  const guest = open(false, "Ben").party;
  await connect(host, guest);
  run(3);
  close(host);
  run(2);
  expect(guest.banner).toBe("waiting for Ada…");
  expect(guest.news.text).toBe(
    "The connection has ended: the page was closed. Ask your friend for a new invitation, and paste it here.",
  );
  const again = open(true, "Ada", true).party;
  run(1);
  expect(again.banner).toBe("waiting for your friend…");
  await connect(again, guest);
  run(4);
  expect(again.session.seats).toEqual([0]);
  expect(again.session.tick).toBeGreaterThan(300);
  expect([again.banner, guest.banner]).toEqual(["", ""]);
  expectSame(again, guest);
});

test("a newer invitation replaces the older one; wrong texts are rejected", async () => {
  const { open, signalling } = newRoom();
  const host = open(true, "Ada").party;
  const guest = open(false, "Ben").party;
  const first = await host.invite(signalling);
  const answer = await guest.join(first, signalling);
  await host.invite(signalling);
  expect(host.isInviting).toBe(true);
  await expect(host.accept(answer)).rejects.toThrow("belongs to another offer");
  await expect(guest.join("nonsense", signalling)).rejects.toThrow("not an offer");
  expect(guest.news.text).toContain("The connection has ended: replaced by a newer invitation.");
  const other = open(true, "Cleo").party;
  await expect(other.accept(answer)).rejects.toThrow("There is no open invitation");
});

test("a link holds the offer, the name and whether to use STUN", () => {
  const invitation = { offer: "abc-_123", from: "Ada & Ben?", usesStun: true };
  const link = `https://example.com/lab/${writeInvitation(invitation)}`;
  expect(readPasted(`  ${link}\n`)).toEqual(invitation);
  expect(readInvitation(readAddress(new URL(link).hash).query)).toEqual(invitation);
  expect(readPasted("abc-_123")).toEqual({ offer: "abc-_123", from: "", usesStun: false });
  expect([readPasted(" "), readPasted("https://example.com/#friend")]).toEqual([undefined, undefined]);
});

test("names are shortened to what others accept", () => {
  expect(cleanName("  Ada\u0007 ")).toBe("Ada");
  expect(cleanName("x".repeat(30))).toBe("x".repeat(24));
  // Four bytes each.
  expect(cleanName("🙂".repeat(24))).toBe("🙂".repeat(10));
  expect(cleanName('"'.repeat(24))).toBe('"'.repeat(20));
});

test("the stick has eight directions", () => {
  expect([eightWays(0.1, 0.1), eightWays(1, 0.2), eightWays(-0.7, 0.7), eightWays(0.1, -0.9)]).toEqual([
    [0, 0],
    [1, 0],
    [-1, 1],
    [0, -1],
  ]);
});

test("says in plain words what happened", () => {
  const event = { id: 1, name: "", seats: [], tick: 5, reason: "timeout" } as const;
  expect(describePeerTo({ ...event, kind: "dropped" }, false)).toMatch(/^Your friend is not responding\./);
  expect(describePeerTo({ ...event, kind: "dropped" }, true)).toMatch(/^The others continued without you/);
  expect(describePeerTo({ ...event, kind: "disconnected" }, false)).toBe("");
  expect(describeRejection({ code: "version", text: "", by: "them", name: "", tick: 0 })).toMatch(
    /Reload both\.$/,
  );
  expect(describeRejection({ code: "game full", text: "", by: "us", name: "", tick: 0 })).toMatch(
    /^A friend could not join\./,
  );
  expect(describeEnd("connection lost", false, false)).toMatch(/Press Join again/);
  expect(describeEnd("connection lost", true, true)).toBe(
    "The connection was lost. Send a new invitation to continue together.",
  );
});
