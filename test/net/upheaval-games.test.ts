// Games in which players come, go, die, sleep and lose their lines: a sample here, and all of them in `npm run soak`.
import { describe, expect, test } from "vitest";
import { FULL } from "../full.js";
import { brawlFor } from "./brawl.js";
import { Party, type Guest } from "./party.js";
import {
  gridOf,
  NETWORKS,
  playUpheaval,
  UPHEAVALS,
  type Network,
  type Shape,
  type UpheavalOptions,
} from "./upheaval-games.js";

const LONG = 3_600_000;

function expectGame(options: UpheavalOptions): void {
  expect(playUpheaval(options).faults).toEqual([]);
}

const SAMPLE: readonly Shape[] = [
  { kind: "mesh", players: 4 },
  { kind: "mesh", players: 3 },
  { kind: "star", players: 4 },
  { kind: "mesh", players: 8 },
  { kind: "mesh", players: 2 },
  { kind: "relay", players: 8 },
];
const names = Object.keys(NETWORKS) as Network[];

describe("nobody else is dropped, all states agree, and the game goes on", () => {
  // Each upheaval, on another network and in another shape each time.
  test.each(UPHEAVALS.map((upheaval, i) => ({ upheaval, i })))("with $upheaval", ({ upheaval, i }) => {
    const network = names[(3 * i + 1) % names.length]!;
    expectGame({ ...SAMPLE[i % SAMPLE.length]!, network, upheaval, seconds: 30, every: 2, seed: 1 });
    expectGame({ kind: "mesh", players: 4, network, upheaval, seconds: 30, every: 2, seed: 2 });
  });

  test("at a relay for 64 players with long names", () => {
    expectGame({ kind: "relay", players: 64, network: "50 ms", upheaval: "nothing", seconds: 2.5, seed: 1 });
  });

  test.runIf(FULL)("in games of five minutes", { timeout: LONG }, () => {
    for (const options of gridOf("full", 0.1)) expectGame(options);
  });
});

test("a game is the same each time, from its seed", () => {
  const play = () => {
    const log: string[] = [];
    const network = "5 % loss";
    playUpheaval({
      kind: "mesh",
      players: 3,
      network,
      upheaval: "everything",
      seconds: 40,
      every: 1,
      seed: 3,
      log: (text) => log.push(text),
    });
    return log;
  };
  const first = play();
  expect(first.length).toBeGreaterThan(20);
  expect(play()).toEqual(first);
});

test("a game in which nothing happens is no proof", () => {
  const { faults } = playUpheaval({
    kind: "mesh",
    players: 3,
    network: "LAN",
    upheaval: "a kill",
    seconds: 5,
    seed: 1,
  });
  expect(faults.join()).toContain("trivial: no event");
});

describe("a star", () => {
  test.each([5, 8])("of %i on a LAN: ticks are confirmed in time, and nobody is dropped", (players) => {
    const { faults, ticks, stalled, drops } = playUpheaval({
      kind: "star",
      players,
      network: "LAN",
      upheaval: "nothing",
      seconds: 60,
      seed: players,
    });
    expect(faults).toEqual([]);
    expect(ticks).toBeGreaterThan(0.95 * 60 * 60);
    expect(stalled).toBeLessThan(0.02);
    expect(drops).toBe(0);
  });

  test.each([3, 4])("of %i at 150 ms drops nobody at the start", (players) => {
    for (let seed = 0; seed < 5; seed++) {
      const upheaval = "nothing";
      const { faults, drops } = playUpheaval({
        kind: "star",
        players,
        network: "150 ms",
        upheaval,
        seconds: 10,
        seed,
      });
      expect([faults, drops]).toEqual([[], 0]);
    }
  });
});

const playing = (guests: readonly Guest[]) => guests.map(({ session }) => session.net.state);
const all = (count: number) => Array.from({ length: count }, () => "playing");

/** Expects that guests play on, all with each other. */
function expectPlaying(party: Party, guests: readonly Guest[]): void {
  expect(playing(guests)).toEqual(all(guests.length));
  const before = Math.max(...guests.map(({ session }) => session.tick));
  party.run(1);
  for (const { session } of guests) {
    expect(session.confirmed).toBeGreaterThan(before);
    expect(session.net.members).toHaveLength(guests.length);
  }
  expect(party.faults()).toEqual([]);
}

describe("an outage of three seconds", () => {
  const cutOff = (party: Party, victim: Guest, how: "cut" | "restore") => {
    for (const other of party.guests) if (other !== victim) party[how](victim, other);
  };

  test.each(["one", "all"])("of %s of eight: all play again", (who) => {
    const party = new Party(brawlFor(8), NETWORKS["50 ms"], `outage of ${who}`);
    const guests = party.seat(8);
    party.run(4);
    const victims = who === "one" ? guests.slice(3, 4) : guests;
    for (const victim of victims) cutOff(party, victim, "cut");
    party.run(3);
    for (const victim of victims) cutOff(party, victim, "restore");
    party.run(6);
    expectPlaying(party, guests);
    party.dispose();
  });

  test("of one player never costs another one the seat", () => {
    for (let seed = 0; seed < 20; seed++) {
      const party = new Party(brawlFor(4), NETWORKS["50 ms"], `outage ${seed}`);
      const guests = party.seat(4);
      party.run(3 + seed / 20);
      const victim = guests[seed % 4]!;
      cutOff(party, victim, "cut");
      party.run(3);
      cutOff(party, victim, "restore");
      party.run(5);
      const dropped = guests.flatMap(({ events }) => events.filter(({ kind }) => kind === "dropped"));
      expect(dropped.map(({ name }) => name).filter((name) => name !== victim.name)).toEqual([]);
      expectPlaying(party, guests);
      party.dispose();
    }
  });
});

test("the last of three plays on after two have left within 200 ms, also with them once they return", () => {
  for (let seed = 0; seed < 12; seed++) {
    const party = new Party(brawlFor(3), NETWORKS["50 ms"], `two leave ${seed}`);
    const guests = party.seat(3);
    party.run(3);
    const stays = guests[seed % 3]!;
    const leavers = guests.filter((guest) => guest !== stays);
    if (seed >= 6) leavers.reverse();
    for (const leaver of leavers) {
      leaver.peer.freeze();
      leaver.session.leave();
      leaver.peer.kill();
      party.run(0.04 * (seed % 6));
    }
    stays.watch();
    party.run(3);
    expectPlaying(party, [stays]);
    expect(stays.standstill).toBeLessThan(2500);
    const returned = leavers.map((leaver) => {
      const guest = party.add({ seats: [guests.indexOf(leaver)], token: `back ${leaver.name}` });
      party.connect(guest);
      return guest;
    });
    party.run(4);
    expectPlaying(party, [stays, ...returned]);
    party.dispose();
  }
});

describe("states come from members that are up to date", () => {
  test("a restarted player takes none from one that was cut off, and the newest one from the others", () => {
    const party = new Party(brawlFor(3), NETWORKS["50 ms"], "stale member");
    const [a, b, c] = party.seat(3) as [Guest, Guest, Guest];
    party.run(3);
    party.cut(a, c);
    party.cut(b, c);
    party.run(4);
    expect(c.session.net.state).toBe("no quorum");
    b.peer.kill();
    const again = party.add({ seats: [1], token: "stale member/peer 1", name: "again" });
    const loads: number[] = [];
    again.session.on("load", ({ tick }) => loads.push(tick));
    party.net.connect(again.peer, c.peer);
    party.run(3);
    expect(loads).toEqual([]);
    const newest = a.session.confirmed;
    party.net.connect(again.peer, a.peer);
    party.run(5);
    expect(loads[0]).toBeGreaterThanOrEqual(newest);
    // The one that was cut off returns through it.
    expectPlaying(party, [a, again, c]);
    party.dispose();
  });

  test("a spectator passes none on, stale or not", () => {
    const party = new Party(brawlFor(3), NETWORKS["50 ms"], "spectator");
    const [a, b] = party.seat(2, { start: 2 }) as [Guest, Guest];
    const spectator = party.add({ seats: [] });
    party.connect(spectator);
    party.run(3);
    expect(spectator.session.net.state).toBe("watching");
    const joiner = party.add({ seats: [2] });
    party.net.connect(joiner.peer, spectator.peer);
    party.run(3);
    expect(joiner.session.net.state).toBe("connecting");
    spectator.peer.freeze();
    party.run(5);
    spectator.peer.start();
    const newest = a.session.confirmed;
    const loads: number[] = [];
    joiner.session.on("load", ({ tick }) => loads.push(tick));
    party.net.connect(joiner.peer, a.peer);
    party.net.connect(joiner.peer, b.peer);
    party.run(5);
    expect(loads).toHaveLength(1);
    expect(loads[0]).toBeGreaterThanOrEqual(newest);
    expectPlaying(party, [a, b, joiner]);
    party.dispose();
  });
});
