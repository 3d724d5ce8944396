// Lockstep and rollback between peers on a simulated network.
import { describe, expect, test } from "vitest";
import { readReplay, record, verify } from "../../src/replay/index.js";
import { loopbackPair } from "../../src/net/loopback.js";
import { localSession, simulation } from "../../src/sim/index.js";
import { random } from "../../src/math/index.js";
import { hashText } from "../../src/state/index.js";
import { brawlFor } from "./brawl.js";
import { hectic, Party } from "./party.js";

const brawl = brawlFor(2);

/** What a seat does in a tick, whoever asks and whenever. */
function scripted(seat: number, tick: number) {
  const dice = random(new Uint32Array(4)).seed(seat * 1000 + Math.floor(tick / 9));
  return { go: dice.chance(0.7), hit: dice.chance(0.5), way: dice.int(0, 7) };
}

const inputsOf =
  (seats: readonly number[]) =>
  (players: readonly object[], { tick }: { tick: number }) =>
    players.forEach((player, i) => Object.assign(player, scripted(seats[i]!, tick)));

/** The hash of each state of a local game in which the seats do what they do. */
function localHashes(game: ReturnType<typeof brawlFor>, ticks: number): string[] {
  const seats = Array.from({ length: game.players }, (_, seat) => seat);
  const session = localSession(game as never, { inputs: inputsOf(seats) as never, seed: 7 });
  return Array.from({ length: ticks + 1 }, () => {
    const hash = session.hash().join();
    session.advance();
    return hash;
  });
}

describe("the same states as in a local game", () => {
  test.each([
    ["lockstep on good wifi", { window: 0 }, "good wifi", 2],
    ["lockstep with a fixed delay", { window: 0, delay: 5 }, "4G", 2],
    ["lockstep in hell", { window: 0 }, "hell", 2],
    ["rollback on a LAN, without delay", { delay: 0 }, "LAN", 2],
    ["rollback on bad wifi", {}, "bad wifi", 2],
    ["rollback via satellite", { window: 24 }, "satellite", 2],
    ["rollback in hell, with sparse states", { saveEvery: 4, delay: "auto" }, "hell", 2],
    ["rollback of four", {}, "bad wifi", 4],
    ["lockstep of four", { window: 0 }, "bad wifi", 4],
  ] as const)("%s", (name, options, network, players) => {
    const game = brawlFor(players as number);
    const party = new Party(game, network);
    for (let seat = 0; seat < players; seat++)
      party.add({ seats: [seat], seed: 7, inputs: inputsOf([seat]) as never, ...options });
    party.net.mesh();
    party.run(20);
    expect(party.faults()).toEqual([]);
    const reference = localHashes(game, 1300);
    for (const { states, session } of party.guests) {
      expect(session.confirmed).toBeGreaterThan(network === "hell" ? 250 : 500);
      for (const [tick, hash] of states) expect(`${tick} ${hash}`).toBe(`${tick} ${reference[tick]}`);
      expect(states.size).toBe(session.confirmed);
    }
    // In lockstep nothing is predicted.
    const rollbacks = party.guests.reduce((sum, { session }) => sum + session.net.rollbacks, 0);
    expect(rollbacks > 0).toBe(name.startsWith("rollback"));
    party.dispose();
  });
});

test("one peer may hold several seats", () => {
  const game = brawlFor(4);
  const party = new Party(game, "bad wifi");
  const couch = party.add({ seats: [0, 3], seed: 7, inputs: inputsOf([0, 3]) as never });
  const friends = party.add({ seats: [1, 2], inputs: inputsOf([1, 2]) as never });
  party.connect(friends);
  party.run(10);
  expect([couch.session.seats, friends.session.seats]).toEqual([
    [0, 3],
    [1, 2],
  ]);
  const reference = localHashes(game, 600);
  for (const [tick, hash] of couch.states) expect(hash).toBe(reference[tick]);
  expect(couch.states.size).toBeGreaterThan(400);
  expect(party.faults()).toEqual([]);
  party.dispose();
});

describe("a star: six players through a relay without a seat", () => {
  const expectStar = (
    seed: string,
    network: "good wifi" | "bad wifi",
    seatsOf: (seat: number) => readonly number[] | number,
  ) => {
    const party = new Party(brawlFor(6), network, seed);
    const relay = party.add({ relay: true, name: "relay" });
    const players = Array.from({ length: 6 }, (_, seat) => party.add({ seats: seatsOf(seat) }));
    for (const { peer } of players) party.net.connect(relay.peer, peer);
    party.run(10);
    expect(party.faults()).toEqual([]);
    for (const { session } of players) {
      expect(session.confirmed).toBeGreaterThan(400);
      expect(session.net.rollbacks).toBeGreaterThan(50);
      expect(session.net.peers.map(({ name }) => name)).toEqual(["relay"]);
      expect(session.net.members.length).toBe(7);
    }
    expect(new Set(players.flatMap(({ session }) => session.seats)).size).toBe(6);
    expect([relay.session.net.isHost, relay.session.seats, relay.session.net.rollbacks]).toEqual([
      true,
      [],
      0,
    ]);
    expect(relay.session.confirmed).toBeGreaterThan(400);
    party.dispose();
  };

  test("with any seats", () => expectStar("any", "good wifi", () => 1));

  // All join within a second: one may miss several decisions.
  test("with any seats, on bad wifi", () => {
    for (const seed of ["a", "any"]) expectStar(seed, "bad wifi", () => 1);
  });

  // The player of seat 0 must not begin a game of its own, whoever has the lower id.
  test("with chosen seats", () => {
    for (const seed of ["a", "b", "c", "d"]) expectStar(seed, "good wifi", (seat) => [seat]);
  });
});

describe("recordings", () => {
  test("of all peers are ordinary replays, and decode to the same", () => {
    const game = brawlFor(3);
    const party = new Party(game, "bad wifi");
    const players = [0, 1, 2].map((seat) => party.add({ seats: [seat], seed: "recorded" }));
    const early = players.slice(0, 2).map(({ session }) => record(session, { keyframes: 1 }));
    party.net.mesh();
    party.run(6);
    // The third records from somewhere in the middle, and a player leaves.
    const late = record(players[2]!.session, { keyframes: 1 });
    party.run(2);
    players[1]!.peer.freeze();
    players[1]!.session.leave();
    players[1]!.peer.kill();
    party.run(6);
    const replays = [early[0]!, late].map((recorder) => readReplay(recorder.bytes()));
    const [whole, part] = [replays[0]!, replays[1]!];
    for (const replay of replays) expect(verify(game, replay)).toMatchObject({ ok: true, message: "" });
    expect(whole.first).toBe(0);
    expect(part.first).toBeGreaterThan(200);
    const last = Math.min(whole.last, part.last);
    expect(last - part.first).toBeGreaterThan(300);

    const [a, b] = [whole.inputs(), part.inputs()];
    for (let tick = part.first; tick < last; tick++) {
      a.seek(tick);
      b.seek(tick);
      expect([...a.words]).toEqual([...b.words]);
    }
    const inRange = ({ tick }: { tick: number }) => tick > part.first && tick < last - 60;
    const keyframes = (replay: typeof whole) =>
      replay.keyframes
        .filter(inRange)
        .map((frame) => [frame.tick, Buffer.from(replay.stateOf(frame)).toString("base64")]);
    expect(keyframes(whole)).toEqual(keyframes(part));
    expect(keyframes(whole).length).toBeGreaterThan(3);
    // Both were verified: the hashes are those of the same states.
    const checkpoints = ({ checkpoints: { ticks } }: typeof whole) =>
      ticks.filter((tick) => inRange({ tick }));
    expect(checkpoints(whole)).toEqual(checkpoints(part));
    // Who sat where: everyone from the start, and then one seat is absent.
    expect(
      whole.seats.filter(({ tick }) => tick === 0).map(({ seat, name, absent }) => [seat, name, absent]),
    ).toEqual([
      [0, "p0", false],
      [1, "p1", false],
      [2, "p2", false],
    ]);
    const gone = whole.seats.filter(({ tick }) => tick > 0);
    expect(gone).toMatchObject([{ seat: 1, absent: true }]);
    expect(part.seats.filter(({ tick }) => tick > part.first)).toEqual(gone);
    expect(players[0]!.events).toContainEqual(
      expect.objectContaining({ kind: "dropped", reason: "left", seats: [1], tick: gone[0]!.tick }),
    );
    party.dispose();
  });

  test("say who came and went, at the tick at which it happened, and agree on it", () => {
    for (const seed of ["a", "b", "c", "d"]) {
      const party = new Party(brawlFor(3), "bad wifi", seed);
      const players = party.seat(3, { keepSeat: 0 });
      const recorders = players.slice(0, 2).map(({ session }) => record(session));
      party.run(4);
      players[2]!.peer.kill();
      party.run(3);
      const late = party.add({ seats: [2], name: "late" });
      party.connect(late);
      party.run(4);
      const [a, b] = recorders.map((recorder) =>
        readReplay(recorder.bytes()).seats.filter(({ tick }) => tick > 0),
      );
      expect(a).toEqual(b);
      const ticks = players[0]!.events
        .filter(({ kind }) => kind === "dropped" || kind === "joined")
        .filter(({ name }) => name === "late" || name === "p2")
        .map(({ tick }) => tick)
        .filter((tick) => tick > 0);
      expect(a).toMatchObject([
        { tick: ticks[0], seat: 2, absent: true },
        { tick: ticks[1], seat: 2, absent: false, name: "late" },
      ]);
      party.dispose();
    }
  });
});

describe("predictions", () => {
  test("a function that knows what the others do avoids all corrections", () => {
    const rollbacks = [true, false].map((knows) => {
      const party = new Party(brawl, "4G");
      const asked = new Set<number>();
      for (const seat of [0, 1])
        party.add({
          seats: [seat],
          seed: 7,
          inputs: inputsOf([seat]) as never,
          ...(knows
            ? {
                predict(player: object, request: { seat: number; tick: number; age: number }) {
                  expect(request.age).toBeGreaterThan(0);
                  asked.add(request.age);
                  Object.assign(player, scripted(request.seat, request.tick));
                },
              }
            : {}),
        } as never);
      party.net.mesh();
      party.run(5);
      expect(party.faults()).toEqual([]);
      expect(asked.size > 2).toBe(knows);
      const { rollbacks: count } = party.guests[0]!.session.net;
      party.dispose();
      return count;
    });
    expect(rollbacks[0]).toBe(0);
    expect(rollbacks[1]).toBeGreaterThan(20);
  });

  test("the view can tell which seats are predicted", () => {
    const party = new Party(brawl, "4G");
    const [one] = party.seat(2, { delay: 0 });
    party.run(3);
    expect([one!.session.isPredicted(0), one!.session.isPredicted(1)]).toEqual([false, true]);
    const { tick, confirmed } = one!.session;
    expect(tick - confirmed).toBeGreaterThan(2);
    party.dispose();
  });

  test("happen only within the window, which grows in bursts of loss", () => {
    const party = new Party(brawl, { latency: 50, loss: 0.1, burst: 8 });
    const [one, other] = [party.add({ seats: [0], maxWindow: 8 }), party.add({ seats: [1] })];
    party.net.mesh();
    let ahead = 0;
    let widest = 0;
    one.session.on("confirmed", () => (ahead = Math.max(ahead, one.session.tick - one.session.net.known)));
    other.session.on("confirmed", () => (widest = Math.max(widest, other.session.net.window)));
    party.run(60);
    expect(one.session.net.window).toBe(8);
    expect(widest).toBeGreaterThan(8);
    expect(widest).toBeLessThanOrEqual(30);
    expect(one.session.net.stalledTicks).toBeGreaterThan(3 * other.session.net.stalledTicks);
    expect(party.faults()).toEqual([]);
    party.dispose();
  });
});

describe("input delay", () => {
  test("auto rises at once when the line becomes slow, and falls slowly when it is fast again", () => {
    const party = new Party(brawl, { latency: 15 });
    const players = [0, 1].map((seat) => party.add({ seats: [seat], window: 0 }));
    const links = party.net.connect(players[0]!.peer, players[1]!.peer);
    party.run(20);
    const { net } = players[0]!.session;
    const before = net.delay;
    expect(before).toBeLessThanOrEqual(3);
    for (const link of links) link.configure({ latency: 80 });
    party.run(1.5);
    const slow = net.delay;
    expect(slow).toBeGreaterThanOrEqual(before + 3);
    for (const link of links) link.configure({ latency: 15 });
    party.run(4);
    expect(net.delay).toBeGreaterThanOrEqual(slow - 1);
    party.run(60);
    expect(net.delay).toBeLessThanOrEqual(before);
    expect(party.faults()).toEqual([]);
    party.dispose();
  });

  test("in lockstep it hides the latency: hardly any tick stalls", () => {
    const party = new Party(brawl, { latency: 60, jitter: 5 });
    const [one] = party.seat(2, { window: 0 });
    party.run(5);
    const before = one!.session.net.stalledTicks;
    party.run(20);
    expect(one!.session.net.delay).toBeGreaterThanOrEqual(4);
    expect(one!.session.net.stalledTicks - before).toBeLessThan(30);
    party.dispose();
  });

  test("a sampled input is never changed, although its tick stalls", () => {
    const party = new Party(brawl, { latency: 20, loss: 0.3, burst: 5 });
    const sampled = new Map<number, number>();
    let twice = 0;
    const play = hectic("stall");
    const one = party.add({
      seats: [0],
      window: 0,
      delay: 1,
      inputs(players: readonly object[], { tick }: { tick: number }) {
        if (sampled.has(tick)) twice++;
        play(players);
        sampled.set(tick, brawl.packing.pack({ ...players[0] })[0]!);
      },
    } as never);
    party.add({ seats: [1], window: 0, delay: 1 });
    party.net.mesh();
    const seen: [number, number][] = [];
    one.session.on("confirmed", ({ tick, words }) => void seen.push([tick, words[0]!]));
    party.run(15);
    expect(one.session.net.stalledTicks).toBeGreaterThan(100);
    expect(twice).toBe(0);
    expect(seen.length).toBeGreaterThan(200);
    for (const [tick, word] of seen) expect([tick, sampled.get(tick)]).toEqual([tick, word]);
    party.dispose();
  });
});

describe("pace", () => {
  /** Shares of resimulated ticks, and of frames with a pace of exactly 1. */
  const played = (late: number, skew: number) => {
    const party = new Party(brawl, { latency: 50, jitter: 5 });
    const one = party.add({ seats: [0], start: 2, skew: 0 });
    const other = party.add({ seats: [1], skew });
    const paces = [one, other].map(({ peer, session }) => {
      const seen: number[] = [];
      const before = peer.afterAdvance!;
      peer.afterAdvance = (result) => {
        before(result);
        seen.push(session.pace);
      };
      return seen;
    });
    party.connect(other);
    party.run(3);
    if (late > 0) {
      other.peer.freeze();
      party.run(late / 60);
      other.peer.start();
    }
    party.run(60);
    expect(party.faults()).toEqual([]);
    const shares = [one, other].map(({ session }) => session.net.resimulatedTicks / session.tick);
    const steady = paces.map((seen) => seen.filter((pace) => pace === 1).length / seen.length);
    expect(Math.min(...paces.flat())).toBeGreaterThanOrEqual(0.9);
    expect(Math.max(...paces.flat())).toBeLessThanOrEqual(1.1);
    party.dispose();
    return { shares, steady: Math.min(...steady) };
  };

  test("a peer that was 20 ticks late: both share the corrections, at full speed nearly always", () => {
    const { shares, steady } = played(20, 0);
    expect(Math.abs(shares[0]! - shares[1]!)).toBeLessThan(0.2);
    expect(steady).toBeGreaterThan(0.85);
  });

  test("a clock that is 1 % slow", () => {
    const { shares, steady } = played(0, -0.01);
    expect(Math.abs(shares[0]! - shares[1]!)).toBeLessThan(0.35);
    expect(steady).toBeGreaterThan(0.7);
  });
});

test("figures: round trip, jitter, loss, bytes, packets", () => {
  const party = new Party(brawl, { latency: 50, jitter: 10, loss: 0.1 });
  const [one, other] = party.seat(2);
  party.run(20);
  const [info] = one!.session.net.peers;
  expect(info).toMatchObject({ name: "p1", seats: [1], role: "playing", droppedPackets: 0, lastFault: "" });
  expect(info!.roundTrip).toBeGreaterThan(100);
  expect(info!.roundTrip).toBeLessThan(140);
  expect(info!.jitter).toBeGreaterThan(2);
  expect(info!.loss).toBeGreaterThan(0.04);
  expect(info!.loss).toBeLessThan(0.2);
  expect(info!.silence).toBeLessThan(200);
  const { net } = one!.session;
  expect(net.packetsSent).toBeGreaterThan(1000);
  expect(net.bytesSent / net.packetsSent).toBeLessThan(8);
  expect([net.state, net.epoch > 1, net.isHost, other!.session.net.isHost]).toEqual([
    "playing",
    true,
    true,
    false,
  ]);
  expect(net.members.map(({ name, seats }) => [name, seats])).toEqual([
    ["p0", [0]],
    ["p1", [1]],
  ]);
  party.dispose();
});

test("events of stalls and rollbacks agree with the figures", () => {
  const party = new Party(brawl, { latency: 40, loss: 0.2, burst: 6 });
  const [one] = party.seat(2, { window: 4, maxWindow: 4 });
  const { session } = one!;
  const stalls: boolean[] = [];
  let resimulated = 0;
  let rollbacks = 0;
  session.net.on("stall", ({ isStalled, seats, tick }) => {
    stalls.push(isStalled);
    expect(tick).toBe(session.tick);
    expect(seats).toEqual(isStalled ? [1] : []);
  });
  session.net.on("rollback", ({ first, last }) => {
    rollbacks++;
    resimulated += last + 1 - first;
    expect(last).toBe(session.tick - 1);
  });
  party.run(20);
  expect(stalls.length).toBeGreaterThan(10);
  expect(stalls.every((isStalled, i) => isStalled === (i % 2 === 0))).toBe(true);
  expect([rollbacks, resimulated]).toEqual([session.net.rollbacks, session.net.resimulatedTicks]);
  party.dispose();
});

test("the state of a session is that of its tick", () => {
  const party = new Party(brawl, "good wifi");
  const [one] = party.seat(2);
  party.run(3);
  const copy = localSession(brawl);
  copy.load(one!.session.bytes());
  expect([copy.tick, hashText(copy.hash())]).toEqual([one!.session.tick, hashText(one!.session.hash())]);
  expect(one!.session.memory).toBeGreaterThan(brawl.layout.size * 30);
  party.dispose();
});

describe("misuse", () => {
  test("stepping inside a listener, and issuing commands inside `inputs`", () => {
    const party = new Party(brawl, "LAN");
    const errors: string[] = [];
    const attempt = (act: () => void) => {
      try {
        act();
      } catch (error) {
        errors.push((error as Error).message);
      }
    };
    const one = party.add({ seats: [0], inputs: () => attempt(() => one.session.send(new Uint8Array(1))) });
    party.add({ seats: [1] });
    party.net.mesh();
    one.session.on("confirmed", () => attempt(() => void one.session.advance()));
    party.run(2);
    expect(new Set(errors)).toEqual(
      new Set([
        "Session: cannot be used inside `inputs`. Call it before or after advance().",
        "Session: cannot step inside a listener. Step after advance() returns.",
      ]),
    );
    expect(one.session.confirmed).toBeGreaterThan(60);
    party.dispose();
  });

  test("anything after dispose", () => {
    const party = new Party(brawl);
    const { session } = party.add({ seats: [0] });
    session.dispose();
    session.dispose();
    for (const act of [
      () => session.advance(),
      () => session.view(1),
      () => session.bytes(),
      () => session.on("effect", () => {}),
      () => session.send(new Uint8Array(1)),
      () => session.pause(),
      () => session.poll(),
    ])
      expect(act).toThrow("Session: already disposed. Create a new one.");
    party.guests[0]!.peer.kill();
  });

  test("a link that is connected twice", () => {
    const [link] = loopbackPair();
    const party = new Party(brawl);
    const { session } = party.add({ seats: [0] });
    session.connect(link);
    expect(() => session.connect(link)).toThrow("PeerSession.connect: this link is already connected.");
    party.dispose();
  });

  test("a step that throws: the error comes out of advance, and the others are not affected", () => {
    let isBroken = false;
    const fragile = (isOurs: boolean) =>
      simulation({
        ...brawl.options,
        step(world, inputs, context) {
          if (isOurs && isBroken) throw new Error("broken build");
          brawl.options.step(world, inputs, context);
        },
      });
    const party = new Party(fragile(false), "good wifi");
    const one = party.add({ seats: [0] }, fragile(true));
    const other = party.add({ seats: [1] });
    party.connect(other);
    party.run(2);
    isBroken = true;
    expect(() => party.run(1)).toThrow("broken build");
    isBroken = false;
    one.peer.freeze();
    one.peer.start();
    party.run(3);
    expect(party.faults()).toEqual([]);
    expect(other.session.confirmed).toBeGreaterThan(200);
    party.dispose();
  });
});
