// Mutated messages: no throw, no hang, and no wrong state of the others. WebRTC and WebSocket keep messages whole, so whoever sends
// such messages is hostile: what it says about its own inputs may be anything, and may differ from peer to peer.
import { afterEach, describe, expect, test, vi } from "vitest";
import { random, type Random } from "../../src/math/index.js";
import { conditioned } from "../../src/net/conditioned.js";
import { datagramLink, type DatagramTransport } from "../../src/net/datagram.js";
import { loopbackPair } from "../../src/net/loopback.js";
import { Peer } from "../../src/net/peer.js";
import { bytes, button, int, simulation, type Inputs } from "../../src/sim/index.js";
import { f64, layout, list, u32 } from "../../src/state/index.js";
import { FULL } from "../full.js";
import { Party, type Guest } from "./party.js";
import { connectTampered, mutated, tampered } from "./tampering.js";

const MESSAGES = FULL ? 1_000_000 : 20_000;

const INPUT = { go: button, hit: button, way: int(0, 7) };

/** A game with inputs and commands. */
const game = simulation({
  name: "fuzzed",
  version: 1,
  rate: 60,
  players: 4,
  state: layout({ x: list(4, f64), built: u32, noise: u32 }),
  input: INPUT,
  commands: { build: { x: u32 }, upload: { map: bytes(3000) } },
  step(world, inputs, { commands, random: dice }) {
    world.noise = dice.int(0, 1000);
    (inputs as readonly Inputs<typeof INPUT>[]).forEach(
      ({ go, way }, player) => (world.x[player]! += go ? way : 0),
    );
    for (const command of commands)
      world.built =
        (Math.imul(world.built, 31) + (command.name === "build" ? command.x : command.map.length)) >>> 0;
  },
});

afterEach(() => void vi.restoreAllMocks());

/** Lets a hostile peer stay, so that more of its messages are read. */
function forgive(): void {
  vi.spyOn(Peer.prototype, "fault").mockReturnValue(false);
}

/** Differences between honest peers that none of them has noticed. */
function silentDifferences(party: Party, honest: readonly Guest[]): string[] {
  return honest.flatMap((a, i) =>
    honest.slice(i + 1).flatMap((b) => {
      const differences = party.differences([a, b]);
      const isKnown = [
        [a, b],
        [b, a],
      ].some(([one, other]) => one!.desyncs.some(({ peer }) => peer === other!.session.net.id));
      // The next hash is compared within some ticks.
      return isKnown || differences.length < 120 ? [] : differences.slice(0, 1);
    }),
  );
}

/** Plays with one peer whose messages are mutated. Returns how many were. */
function expectSafeWhenFuzzed(seed: string, wanted: number, isPatient: boolean): number {
  const dice = random(new Uint32Array(4)).seed(seed);
  const party = new Party(game, "good wifi", seed);
  const guests = [0, 1, 2, 3].map((seat) => party.add({ seats: [seat], desync: "report" }));
  const [mallory, honest] = [guests[3]!, guests.slice(0, 3)];
  party.net.mesh(honest.map(({ peer }) => peer));
  let count = 0;
  const kept: Uint8Array[] = [Uint8Array.of(0)];
  const connect = (victim: Guest) =>
    connectTampered(party, mallory, victim, (message, reliable, send) => {
      if (kept.length < 200) kept.push(message);
      if (party.net.time.now() < 2000) return send(message, reliable);
      for (let copies = dice.below(8); copies > 0; copies--, count++)
        send(mutated(dice.chance(0.8) ? message : dice.pick(kept), dice.pick(kept), dice), reliable);
      if (dice.chance(0.5)) send(message, reliable);
    });
  const links = new Map(honest.map((victim) => [victim, connect(victim)]));
  party.run(2);
  for (let second = 0; second < 60 && count < wanted; second++) {
    for (const { session } of guests)
      if (session.seats.length > 0) session.command("build" as never, { x: second } as never);
    // Some messages are long.
    if (second % 3 === 0) mallory.session.send(new Uint8Array(3000));
    // It comes back as often as it is thrown out.
    for (const [victim, link] of links) if (link.state === "closed") links.set(victim, connect(victim));
    party.run(1);
  }
  expect(silentDifferences(party, honest)).toEqual([]);
  // Whoever never loses patience may have to wait for the inputs of such a player.
  for (const { session } of honest) expect(session.confirmed).toBeGreaterThan(isPatient ? 30 : 120);
  // Nobody blames anybody else for being hostile.
  const ids = honest.map(({ session }) => session.net.id);
  for (const { events } of honest)
    expect(events.filter(({ kind, id }) => kind === "hostile" && ids.includes(id))).toEqual([]);
  // What it got in return is bounded.
  for (const { session } of honest)
    for (const { bytesSent, bytesReceived, id } of session.net.peers)
      expect(id === mallory.session.net.id && bytesSent > 20 * bytesReceived + 2e6).toBe(false);
  party.dispose();
  return count;
}

describe("the messages of one player", () => {
  test("mutated, while the others never lose patience", () => {
    forgive();
    for (let total = 0, run = 0; total < MESSAGES; run++)
      total += expectSafeWhenFuzzed(`patient ${run}`, MESSAGES - total, true);
  }, 3_600_000);

  test("mutated, and dropped as hostile", () => {
    // Run 22 claims a ballot that nobody can top: see hostile.test.ts.
    for (let total = 0, run = 0; total < MESSAGES / 10 && run < 22; run++)
      total += expectSafeWhenFuzzed(`strict ${run}`, MESSAGES / 10, false);
  }, 3_600_000);
});

test("the messages of a stranger, mutated", () => {
  const dice = random(new Uint32Array(4)).seed("stranger");
  const party = new Party(game, "good wifi");
  const honest = [0, 1, 2].map((seat) => party.add({ seats: [seat], start: 3 }));
  party.net.mesh();
  party.run(2);
  const kept: Uint8Array[] = [Uint8Array.of(0)];
  let count = 0;
  for (let visit = 0; count < MESSAGES / 4; visit++) {
    // Somebody joins, and each of its messages may be damaged.
    const guest = party.add({ seats: visit % 2 === 0 ? [] : [3], name: `v${visit}`, keepSeat: 0 });
    const [near, far] = loopbackPair();
    const options = { scheduler: party.net.time, latency: 15, seed: visit };
    honest[visit % 3]!.session.connect(conditioned(far, options));
    guest.session.connect(
      tampered(conditioned(near, options), (message, reliable, send) => {
        if (kept.length < 500) kept.push(message);
        const times = 1 + dice.below(20);
        for (let i = 0; i < times; i++, count++)
          send(mutated(dice.pick(kept), dice.pick(kept), dice), reliable);
        if (dice.chance(0.9)) send(message, reliable);
      }),
    );
    party.run(1);
    guest.peer.kill();
    guest.session.dispose();
    party.guests.splice(party.guests.indexOf(guest), 1);
    party.run(0.5);
  }
  expect(silentDifferences(party, honest)).toEqual([]);
  for (const { session } of honest) expect(session.confirmed).toBeGreaterThan(600);
  party.dispose();
}, 3_600_000);

describe("through the check of a bare datagram link", () => {
  /** Two ends of a wire that damages datagrams, and adds old and invented ones. */
  function wire(party: Party, dice: Random, share: number) {
    const listeners: ((bytes: Uint8Array) => void)[] = [];
    const old: Uint8Array[] = [];
    let damaged = 0;
    const end = (index: number): DatagramTransport => ({
      send(datagram) {
        const copy = datagram.slice();
        const deliver = (one: Uint8Array) => void party.net.time.after(15, () => listeners[1 - index]?.(one));
        // Greetings have no check: whoever can read and change those is on the path.
        const isGreeting = party.net.time.now() < 1000;
        if (!isGreeting && old.length < 500) old.push(copy);
        if (!isGreeting && dice.chance(share)) {
          damaged++;
          if (dice.chance(0.5)) deliver(mutated(copy, dice.pick(old), dice));
          else deliver(dice.pick(old));
        }
        deliver(copy);
      },
      onMessage: (listener) => void (listeners[index] = listener),
    });
    return { ends: [end(0), end(1)] as const, damaged: () => damaged };
  }

  test("damaged, old and forged datagrams change nothing", () => {
    const dice = random(new Uint32Array(4)).seed("datagrams");
    const party = new Party(game, "good wifi");
    const [a, b] = [party.add({ seats: [0, 1] }), party.add({ seats: [2, 3] })];
    const { ends, damaged } = wire(party, dice, 0.7);
    const [near, far] = ends.map((transport) => datagramLink(transport, { scheduler: party.net.time }));
    a.session.connect(near!);
    b.session.connect(far!);
    for (let second = 0; damaged() < MESSAGES / 5; second++) {
      if (a.session.seats.length > 0) a.session.command("build" as never, { x: second } as never);
      party.run(1);
    }
    expect(party.faults()).toEqual([]);
    expect([a, b].map(({ session }) => session.net.droppedPackets)).toEqual([0, 0]);
    expect(near!.rejected + far!.rejected).toBeGreaterThan(damaged() / 2);
    expect(a.session.confirmed).toBeGreaterThan(1000);
    expect(a.events.filter(({ kind }) => kind === "dropped")).toEqual([]);
    party.dispose();
  }, 3_600_000);
});
