// A server whose clients run in lockstep: everybody gets the same bytes for each tick, and nobody predicts.
import { describe, expect, test } from "vitest";
import { random } from "../../src/math/index.js";
import { clientSession } from "../../src/net/authority/client-session.js";
import { serverSession } from "../../src/net/authority/server-session.js";
import { viewerSession } from "../../src/net/authority/viewer-session.js";
import { JOIN, joinOf } from "../../src/net/authority/messages.js";
import { loopbackPair } from "../../src/net/loopback.js";
import { jsonMessage } from "../../src/net/messages.js";
import type { NetworkProfile } from "../../src/net/network-profiles.js";
import { diagnose } from "../../src/hud/index.js";
import { readReplay, record, verify } from "../../src/replay/index.js";
import { drive } from "../../src/sim/index.js";
import { manualDriver } from "../../src/testing/index.js";
import { plazaFor } from "./plaza.js";
import { ServerParty, type Visitor } from "./server-party.js";

const plaza = plazaFor(8);
const LOCKSTEP = { down: "lockstep" } as const;
const NETWORKS: readonly NetworkProfile[] = ["LAN", "good wifi", "4G", "bad wifi", "hell"];

/** Changes an input about `perSecond` times per second. */
function restless(seed: string, perSecond: number, rate = 30) {
  const dice = random(new Uint32Array(4)).seed(seed);
  const chance = perSecond / rate / 2;
  return (players: readonly { way: number; hit: boolean }[]): void => {
    for (const player of players) {
      if (dice.chance(chance)) player.way = dice.int(0, 4);
      if (dice.chance(chance)) player.hit = !player.hit;
    }
  };
}

const join = (party: ServerParty, name: string, options = {}): Visitor =>
  party.add({ name, window: 0, inputs: restless(name, 5) as never, ...options });

const crowd = (party: ServerParty, count: number): Visitor[] =>
  Array.from({ length: count }, (_, i) => join(party, `p${i}`));

/** Checks that clients and server agree, and that there was something to agree on. */
function expectAgreement(party: ServerParty, least: number, visitors = party.visitors): void {
  expect(party.faults()).toEqual([]);
  for (const { confirmed, name } of visitors) expect(`${name}: ${confirmed >= least}`).toBe(`${name}: true`);
}

describe("in lockstep", () => {
  test.each(NETWORKS)("everybody computes the states of the server, over %s", (network) => {
    const party = new ServerParty(plaza, network, LOCKSTEP);
    crowd(party, 6);
    party.run(20);
    expectAgreement(party, 450);
    for (const { session } of party.visitors) {
      expect(session.net.rollbacks).toBe(0);
      expect(session.net.resimulatedTicks).toBe(0);
      expect(session.tick).toBeLessThanOrEqual(session.net.known);
      // Near the server: all of the latency, and what the jitter needs.
      expect(party.host.session.tick - session.tick).toBeLessThan(60);
    }
    party.dispose();
  });

  test("no press is lost, however short, and however bad the network is", () => {
    const party = new ServerParty(plaza, "bad wifi", LOCKSTEP);
    let presses = 0;
    const visitor = join(party, "tapper", {
      // A press of a single tick, twice per second.
      inputs: (([player]: [{ hit: boolean }], { tick }: { tick: number }) => {
        player.hit = tick > 60 && !player.hit && tick % 15 === 0 && tick < 600;
        if (player.hit) presses++;
      }) as never,
    });
    party.run(30);
    expectAgreement(party, 600);
    expect(presses).toBeGreaterThan(30);
    expect((visitor.session.world as { score: readonly number[] }).score[0]).toBe(presses);
    party.dispose();
  });

  test("clients come late, leave, die and come back to their seats", () => {
    const party = new ServerParty(plaza, "bad wifi", LOCKSTEP);
    const [leaver, dead] = crowd(party, 4);
    party.run(3);
    const { seats } = dead!.session;
    const late = join(party, "late");
    party.run(3);
    leaver!.session.leave();
    leaver!.machine.kill();
    dead!.machine.freeze();
    party.run(8);
    const events = party.host.events.map(({ kind, name }) => `${name} ${kind}`);
    expect(events.slice(0, 4).sort()).toEqual(["p0 joined", "p1 joined", "p2 joined", "p3 joined"]);
    expect(events.slice(4)).toEqual(["late joined", "p0 left", "p1 dropped"]);
    dead!.machine.start();
    party.reconnect(dead!);
    party.run(5);
    expect(dead!.session.seats).toEqual(seats);
    expect(dead!.session.net.state).toBe("playing");
    expect(late.session.net.members.map(({ name }) => name).sort()).toEqual(["late", "p1", "p2", "p3"]);
    expectAgreement(party, 150);
    expect((party.host.session.world as { absentTicks: number }).absentTicks).toBeGreaterThan(0);
    party.dispose();
  });

  test("commands reach everybody in the same tick, long ones in parts", () => {
    const party = new ServerParty(plaza, "4G", LOCKSTEP);
    const [a, b] = crowd(party, 3);
    party.run(1);
    for (let i = 0; i < 200; i++) {
      (i % 2 === 0 ? a : b)!.session.command("build", { what: i });
      if (i % 40 === 39) party.run(0.1);
    }
    party.run(3);
    expectAgreement(party, 90);
    const { built } = party.host.session.world as { built: number };
    expect(built).not.toBe(0);
    for (const { session } of party.visitors) expect((session.world as { built: number }).built).toBe(built);
    party.dispose();
  });

  test("a pause stops everybody, and the game goes on after it", () => {
    const party = new ServerParty(plaza, "4G", LOCKSTEP);
    const [a] = crowd(party, 2);
    party.run(3);
    party.host.session.pause();
    party.run(20);
    expect(a!.session.net.state).toBe("paused");
    expect(a!.session.tick).toBe(party.host.session.tick);
    party.host.session.resume();
    party.run(5);
    expect(a!.session.net.state).toBe("playing");
    expectAgreement(party, 200);
    party.dispose();
  });

  test("a client whose rules differ notices it, and gets the server's state", () => {
    const party = new ServerParty(plaza, "good wifi", LOCKSTEP);
    crowd(party, 2);
    const cheat = party.add(
      { name: "cheat", window: 0, inputs: restless("cheat", 8) as never },
      plazaFor(8, { points: 2 }) as never,
    );
    party.run(10);
    expect(cheat.desyncs.length).toBeGreaterThan(2);
    expect(cheat.desyncs.map(({ stage }) => stage).slice(0, 2)).toEqual(["noticed", "repaired"]);
    expect(cheat.desyncs[1]!.fields.every(({ path }) => path.startsWith("score"))).toBe(true);
    const honest = party.visitors.filter((visitor) => visitor !== cheat);
    expect(honest.flatMap(({ differences }) => differences)).toEqual([]);
    party.dispose();
  });

  test("clients with the default window, spectators and viewers work too, and recordings verify", () => {
    const party = new ServerParty(plaza, "good wifi", LOCKSTEP);
    const recording = record(party.host.session);
    crowd(party, 2);
    const predictive = party.add({ name: "default", inputs: restless("default", 5) as never });
    const spectator = party.add({ name: "spectator", seats: [], window: 0 });
    const viewer = party.net.viewer(plaza, party.host.machine);
    const own = record(predictive.session);
    party.run(20);
    expectAgreement(party, 500);
    expect(spectator.session.net.state).toBe("watching");
    expect(viewer.session.tick).toBeGreaterThan(500);
    expect(predictive.session.net.roundTrip).toBeGreaterThan(30);
    expect(predictive.session.net.roundTrip).toBeLessThan(90);
    expect(predictive.session.net.serverTick).toBeCloseTo(party.host.session.tick, -1);
    const [info] = party.host.session.net.clients;
    expect(info!.roundTrip).toBeGreaterThan(30);
    expect(info!.roundTrip).toBeLessThan(120);
    for (const one of [recording, own]) {
      const replay = readReplay(one.bytes());
      expect(verify(plaza, replay)).toMatchObject({ ok: true, message: "" });
      expect(replay.last - replay.first).toBeGreaterThan(400);
    }
    party.dispose();
  });

  test("a hidden page catches up with all that it missed", () => {
    const party = new ServerParty(plaza, "good wifi", { ...LOCKSTEP, timeout: 60 });
    const [away] = crowd(party, 3);
    party.run(3);
    away!.machine.freeze();
    party.run(20);
    away!.machine.start();
    party.run(10);
    expectAgreement(party, 900);
    expect(party.host.session.tick - away!.session.tick).toBeLessThan(12);
    // Without a whole state.
    expect(away!.loads).toHaveLength(1);
    party.dispose();
  });

  test("a client without a window is told that it does not fit a server that sends inputs", () => {
    const party = new ServerParty(plaza, "LAN");
    const visitor = join(party, "p0");
    party.run(1);
    expect(visitor.rejections).toMatchObject([{ code: "wire" }]);
    expect(visitor.rejections[0]!.text).toContain('down: "lockstep"');
    party.dispose();
  });

  test("one program after the other hosts the game", () => {
    const now = () => 0;
    const [near, far] = loopbackPair();
    const server = serverSession(plaza, { ...LOCKSTEP, links: [far], now });
    const client = clientSession(plaza, near, { window: 0, now });
    for (let i = 0; i < 30; i++) {
      server.advance();
      client.advance();
    }
    expect(client.tick).toBeGreaterThan(10);
    const next = serverSession(plaza, { ...LOCKSTEP, from: client.handover(), now });
    expect(next.hash()).toEqual(client.hash());
    for (const session of [client, server, next]) session.dispose();
  });
});

describe("what is sent in lockstep is checked", () => {
  const noise = (die: ReturnType<typeof random>, first: number) =>
    Uint8Array.from({ length: die.int(1, 30) }, (_, i) => (i === 0 ? die.int(0, first) : die.int(0, 255)));

  test("by the server: a client that sends noise is dropped, and the others play on", () => {
    const party = new ServerParty(plaza, "good wifi", LOCKSTEP);
    crowd(party, 3);
    party.run(2);
    const die = random(new Uint32Array(4)).seed("noise");
    const [near, far] = loopbackPair();
    party.host.session.connect(far);
    near.send(
      jsonMessage(
        JOIN,
        joinOf(plaza as never, { role: "client", name: "noise", token: "t", seats: [], count: 1 }),
      ),
      true,
    );
    for (let i = 0; i < 200 && near.state === "open"; i++) {
      near.send(noise(die, 127), true);
      party.run(0.01);
    }
    expect(near.state).toBe("closed");
    expect(party.host.events.at(-1)).toMatchObject({ name: "noise", kind: "hostile" });
    party.run(5);
    const honest = party.visitors.flatMap(({ differences }) => differences);
    expect(honest).toEqual([]);
    party.dispose();
  });

  test("by the client: a server that sends noise does not make it throw", () => {
    const die = random(new Uint32Array(4)).seed("noise");
    for (let round = 0; round < 20; round++) {
      let time = 0;
      const [near, far] = loopbackPair();
      const server = serverSession(plaza, { ...LOCKSTEP, links: [far], now: () => time });
      const client = clientSession(plaza, near, { window: 0, now: () => time });
      for (let tick = 0; tick < 200; tick++) {
        time += 1000 / 30;
        server.advance();
        if (tick > 30 && tick % 7 === 0) far.send(noise(die, 255), true);
        client.advance();
      }
      expect(client.net.peers[0]?.droppedPackets ?? 1).toBeGreaterThan(0);
      client.dispose();
      server.dispose();
    }
  });
});

test("a page drives a client in lockstep, and the picture moves between its ticks", () => {
  let time = 0;
  const now = () => time;
  const [near, far] = loopbackPair();
  const server = serverSession(plaza, { ...LOCKSTEP, links: [far], now });
  const session = clientSession(plaza, near, { window: 0, now, inputs: ([me]) => void (me!.way = 1) });
  const driver = manualDriver();
  let pictures = 0;
  const driven = drive(session, {
    driver,
    render() {
      pictures++;
    },
  });
  for (let i = 0; i < 120; i++) {
    time += 1000 / 60;
    if (i % 2 === 0) server.advance();
    driver.wait(1 / 60);
  }
  expect(pictures).toBeGreaterThan(100);
  expect(server.tick - session.tick).toBeLessThan(6);
  expect(session.world.at[session.seats[0]!]).toBeGreaterThan(40);
  expect(diagnose(driven).map(String)).toEqual([]);
  driven.loop.stop();
  session.dispose();
  server.dispose();
});

test("a viewer of a game with many seats gets which of them are absent", () => {
  const game = plazaFor(1500);
  const now = () => 0;
  const [near, far] = loopbackPair();
  const server = serverSession(game, { ...LOCKSTEP, links: [far], now });
  const viewer = viewerSession(game, near, { now });
  for (let i = 0; i < 10; i++) {
    server.advance();
    viewer.advance();
  }
  expect(viewer.tick).toBeGreaterThan(0);
  viewer.dispose();
  server.dispose();
});
