// Hostile clients, and hostile servers: they are dropped with a reason, or do no harm; the others keep playing, with the right states.
import { afterEach, describe, expect, test, vi } from "vitest";
import { random } from "../../src/math/index.js";
import { Connection } from "../../src/net/authority/connection.js";
import { commandMessage } from "../../src/net/authority/command-message.js";
import type { ClientSession } from "../../src/net/authority/client-session.js";
import { clientSession } from "../../src/net/authority/client-session.js";
import { InputHead } from "../../src/net/authority/input-packet.js";
import { JOIN, joinOf, RESYNC } from "../../src/net/authority/messages.js";
import { BitReader, BitWriter } from "../../src/net/bits.js";
import { conditioned } from "../../src/net/conditioned.js";
import { InputRows } from "../../src/net/input-rows.js";
import type { Link } from "../../src/net/link.js";
import { loopbackPair } from "../../src/net/loopback.js";
import {
  APPLICATION,
  COMMANDS,
  FRAGMENT,
  jsonMessage,
  LEAVE,
  message,
  REJECT,
  SNAPSHOT,
} from "../../src/net/messages.js";
import { SimulatedPeer } from "../../src/net/simulated.js";
import { button, bytes, int, simulation, type Inputs } from "../../src/sim/index.js";
import { f64, layout, list, u32 } from "../../src/state/index.js";
import { FULL } from "../full.js";
import { hectic } from "./party.js";
import { ServerParty, type Visitor } from "./server-party.js";
import { mutated, tampered, type Tamper } from "./tampering.js";

const INPUT = { go: button, hit: button, way: int(0, 7) };

/** A game with inputs and commands. */
const game = simulation({
  name: "fortress",
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
        (Math.imul(world.built, 31) +
          command.player +
          (command.name === "build" ? command.x : command.map.length)) >>>
        0;
  },
});

type Down = "inputs" | "states";

interface Scene {
  readonly party: ServerParty;
  readonly honest: readonly Visitor[];
  /** What becomes of the link to the hostile client. */
  readonly link: Link;
  readonly mallory: ClientSession;
}

/** Seconds of fair play before the attack. */
const FAIR = 2;

/** Adds a client whose messages are tampered with. */
function addTampered(party: ServerParty, tamper: Tamper, name = "mallory", seats = [3]) {
  const [near, far] = loopbackPair();
  const options = { scheduler: party.net.time, latency: 20, jitter: 3 };
  party.host.session.connect(conditioned(far, { ...options, seed: `${name} back` }));
  const link = conditioned(near, { ...options, seed: `${name} there` });
  const machine = new SimulatedPeer(party.net.time, 0, (now) =>
    clientSession(game, tampered(link, tamper), {
      now,
      seats,
      name,
      token: name,
      inputs: hectic(name) as never,
    }),
  );
  party.net.machines.push(machine as never);
  return { link, mallory: machine.session as unknown as ClientSession };
}

/** Plays with a fourth player whose messages are tampered with from some time on. */
function ambush(attack: (party: ServerParty) => Tamper, seconds = 5): Scene {
  const party = new ServerParty(game, "good wifi", { keepSeat: 0 });
  const honest = party.seat(3);
  const tamper = attack(party);
  const attacker = addTampered(party, (sent, reliable, send) => {
    if (party.net.time.now() < FAIR * 1000) send(sent, reliable);
    else tamper(sent, reliable, send);
  });
  party.run(FAIR);
  expect(attacker.mallory.seats).toEqual([3]);
  for (const visitor of honest) visitor.watch();
  for (let second = 0; second < seconds; second++) {
    for (const { session } of honest) session.command("build" as never, { x: second } as never);
    party.run(1);
  }
  return { party, honest, ...attacker };
}

/** Checks that the others keep playing, with the server's states, and are not blamed. */
function expectUnharmed({ party, honest }: Pick<Scene, "party" | "honest">, seconds = 5): void {
  for (const { name, session, standstill, differences, desyncs, events, rejections } of honest) {
    expect([name, differences.slice(0, 2), desyncs, rejections]).toEqual([name, [], [], []]);
    expect(session.confirmed).toBeGreaterThan(60 * (FAIR + seconds) - 60);
    expect(standstill).toBeLessThan(500);
    expect(events.map(({ kind }) => kind)).toEqual(["joined"]);
  }
  const { tick } = party.host.session;
  expect(Math.abs(tick - 60 * (FAIR + seconds))).toBeLessThan(3);
  const blamed = party.host.events.filter(({ kind }) => kind === "hostile" || kind === "dropped");
  expect(blamed.filter(({ name }) => honest.some((one) => one.name === name))).toEqual([]);
}

/** Checks that the server has dropped the fourth player as hostile, and why. */
function expectDropped({ party, link }: Scene, reason: RegExp): void {
  expect(party.host.events.find(({ kind }) => kind === "hostile")).toMatchObject({
    name: "mallory",
    reason: expect.stringMatching(reason),
  });
  expect(link.state).toBe("closed");
}

/** Decodes the head of each packet, changes it, and encodes it again. Rows stay as they are. */
function withHead(change: (head: InputHead) => void): Tamper {
  const [reader, writer, head] = [new BitReader(), new BitWriter(1200), new InputHead()];
  const rows = new InputRows(game.packing, [0]);
  let expected = 120;
  return (sent, reliable, send) => {
    if (sent[0]! >= 0x80) return send(sent, reliable);
    reader.start(sent);
    if (!head.read(reader, expected)) return send(sent, reliable);
    expected = head.end;
    const { position } = reader;
    if (head.isComplete) rows.readFrom(reader, head.first, head.end, { takeRow() {} });
    else rows.read(reader, head.first, head.end);
    const { position: end } = reader;
    change(head);
    writer.reset();
    head.write(writer);
    for (let at = position; at < end; at++) writer.write((sent[at >> 3]! >> (7 - (at & 7))) & 1, 1);
    send(writer.bytes().slice(), reliable);
  };
}

/** Sends something along with each message. */
function alongside(make: (count: number) => readonly Uint8Array[]): Tamper {
  let count = 0;
  return (sent, reliable, send) => {
    send(sent, reliable);
    for (const one of make(count++)) send(one, true);
  };
}

const long = (kind: number, body: Uint8Array) => message(FRAGMENT, Uint8Array.of(0, kind, ...body));
const u32Of = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];

describe("a client is dropped as hostile", () => {
  test("for packets that are cut short", () => {
    const scene = ambush(
      () => (sent, reliable, send) => send(sent[0]! < 0x80 ? sent.subarray(0, 1) : sent, reliable),
    );
    expectDropped(scene, /a malformed packet$/);
    expectUnharmed(scene);
    scene.party.dispose();
  });

  test("for inputs of the far future", () => {
    const scene = ambush(() =>
      withHead((head) => {
        head.end += 700;
        head.first += 700;
        head.ack += 0;
      }),
    );
    expectDropped(scene, /inputs of tick \d+, but tick \d+ is next$/);
    expectUnharmed(scene);
    scene.party.dispose();
  });

  test("for acknowledgements of the future", () => {
    const scene = ambush(() => withHead((head) => void (head.ack += 500)));
    expectDropped(scene, /acknowledges tick \d+, but tick \d+ is next$/);
    expectUnharmed(scene);
    scene.party.dispose();
  });

  test("for a flood of packets", () => {
    const scene = ambush(() => (sent, reliable, send) => {
      for (let i = 0; i < 100; i++) send(sent, reliable);
    });
    expectDropped(scene, /^sends too many messages$/);
    expectUnharmed(scene);
    scene.party.dispose();
  });

  test("for messages of unknown types, sizes and contents", () => {
    const kinds = [
      message(0xff, Uint8Array.of(1, 2, 3)),
      message(FRAGMENT, Uint8Array.of(99, 1)),
      new Uint8Array(0),
      long(COMMANDS, Uint8Array.of(1, 2, 3)),
      long(APPLICATION, Uint8Array.of(1)),
      jsonMessage(JOIN, joinOf(game, { role: "client", name: "x", token: "y", seats: [], count: 1 })),
    ];
    for (const one of kinds) {
      const scene = ambush(() => alongside(() => [one]), 3);
      expectDropped(scene, /^sent too many bad messages/);
      expectUnharmed(scene, 3);
      scene.party.dispose();
    }
  });

  test("for commands in the name of others, or of the far future", () => {
    const build = game.commands.encode("build", { x: 666 });
    for (const [player, ahead] of [
      [0, 1],
      [3, 900],
    ] as const) {
      const scene = ambush((party) =>
        alongside(() => [
          long(COMMANDS, commandMessage(party.host.session.tick + ahead, [{ player, bytes: build }])),
        ]),
      );
      expectDropped(scene, player === 0 ? /in the name of another player$/ : /far in the future$/);
      expectUnharmed(scene);
      scene.party.dispose();
    }
  });

  test("for floods of long messages, which would be passed on to all others", () => {
    const scene = ambush(() => {
      const chat = new Uint8Array(1100);
      return alongside(() => Array.from({ length: 14 }, () => long(APPLICATION, chat)));
    });
    expectDropped(scene, /too many long messages$/);
    expectUnharmed(scene);
    // What the others had to receive is bounded.
    for (const { bytesSent } of scene.party.host.session.net.clients) expect(bytesSent).toBeLessThan(2.5e6);
    scene.party.dispose();
  });
});

describe("does no harm", () => {
  test("silence: the server drops it after a while, and does not wait", () => {
    const scene = ambush(() => () => {}, 7);
    expect(scene.party.host.events.at(-1)).toMatchObject({
      name: "mallory",
      kind: "dropped",
      reason: "timeout",
    });
    expectUnharmed(scene, 7);
    scene.party.dispose();
  });

  test("the same packet for ever", () => {
    let first: Uint8Array | undefined;
    const scene = ambush(
      () => (sent, reliable, send) => send(sent[0]! < 0x80 ? (first ??= sent) : sent, reliable),
    );
    expectUnharmed(scene);
    scene.party.dispose();
  });

  test("a giant transfer that is announced, or begun and never ended", () => {
    const announce = (id: number, total: number) =>
      message(FRAGMENT, Uint8Array.of(1, ...u32Of(id), APPLICATION, ...u32Of(total)));
    for (const total of [0xffff_ffff, 65_000]) {
      const scene = ambush(() => alongside((at) => (at < 6 ? [announce(at + 1, total)] : [])));
      expectUnharmed(scene);
      scene.party.dispose();
    }
  });

  test("asking for the whole state all the time: it gets one now and then", () => {
    const scene = ambush(() => alongside(() => [message(RESYNC), message(RESYNC)]));
    expectUnharmed(scene);
    const info = scene.party.host.session.net.clients.find(({ name }) => name === "mallory")!;
    expect(info.bytesSent).toBeLessThan(60_000);
    scene.party.dispose();
  });

  test("never acknowledging anything", () => {
    const scene = ambush(() => withHead((head) => void (head.ack = 1)), 12);
    expectUnharmed(scene, 12);
    const info = scene.party.host.session.net.clients.find(({ name }) => name === "mallory")!;
    expect(info.bytesSent).toBeLessThan(300_000);
    scene.party.dispose();
  });

  test("claiming to reject the server, or sending states", () => {
    const scene = ambush(() => alongside(() => [long(SNAPSHOT, new Uint8Array(900))]));
    expectUnharmed(scene);
    scene.party.dispose();
    const other = ambush(() => alongside(() => [jsonMessage(REJECT, { code: "kicked", text: "no" })]));
    expectUnharmed(other);
    other.party.dispose();
  });

  test("leaving, and going on to send", () => {
    const scene = ambush(() => alongside(() => [message(LEAVE)]));
    expectUnharmed(scene);
    expect(scene.party.host.events.at(-1)).toMatchObject({ kind: "left", name: "mallory" });
    scene.party.dispose();
  });
});

describe("strangers", () => {
  const fair = joinOf(game, { role: "client", name: "stranger", token: "stranger", seats: [3], count: 1 });

  /** Three players, and links whose other ends are ours. */
  function visit(act: (open: () => Link, tick: number) => void, seconds = 4) {
    const party = new ServerParty(game, "good wifi", { maxClients: 8 });
    const honest = party.seat(3);
    party.run(FAIR);
    for (const visitor of honest) visitor.watch();
    const links: Link[] = [];
    const open = () => {
      const [near, far] = loopbackPair();
      party.host.session.connect(near);
      links.push(far);
      return far;
    };
    for (let i = 0; i < seconds * 60; i++) {
      act(open, i);
      party.run(1 / 60);
    }
    expectUnharmed({ party, honest }, seconds);
    return { party, links };
  }

  test("with malformed requests get no seat, whatever they ask for", () => {
    const wrong: unknown[] = [
      null,
      [],
      "join",
      {},
      { ...fair, seats: [-1] },
      { ...fair, seats: [4] },
      { ...fair, seats: [1.5] },
      { ...fair, seats: ["3"] },
      { ...fair, seats: [3, 3] },
      { ...fair, seats: [[3]] },
      { ...fair, seats: [null] },
      { ...fair, seats: ["length"] },
      { ...fair, seats: "3" },
      { ...fair, seats: { length: 1, 0: 3 } },
      { ...fair, seats: [], count: -1 },
      { ...fair, seats: [], count: 1e9 },
      { ...fair, seats: [], count: "1" },
      { ...fair, role: "server" },
      { ...fair, token: "" },
      { ...fair, token: 5 },
      { ...fair, name: "x".repeat(100) },
      { ...fair, name: "a\nb" },
      { ...fair, fingerprint: 5 },
      { ...fair, profile: NaN },
    ];
    const { party, links } = visit((open, tick) => {
      const value = wrong[tick];
      if (value === undefined) return;
      const link = open();
      for (let i = 0; i < 3; i++) link.send(jsonMessage(JOIN, value), true);
    }, 8);
    expect(party.host.session.net.clients.length).toBe(3);
    expect(party.host.session.seatNames).toEqual(["p0", "p1", "p2", ""]);
    // Those that never join are shown out.
    expect(links.every(({ state }) => state === "closed")).toBe(true);
    party.dispose();
  });

  test("with another build are told what differs once, and shown out", () => {
    const { party, links } = visit((open, tick) => {
      if (tick > 0) return;
      const link = open();
      let received = 0;
      link.on("message", (told) => (received += told.length));
      for (let i = 0; i < 20; i++) link.send(jsonMessage(JOIN, { ...fair, fingerprint: "other" }), true);
      expect(received).toBeLessThan(5000);
    }, 8);
    expect(links[0]!.state).toBe("closed");
    expect(party.host.rejections.length).toBe(1);
    party.dispose();
  });

  test("that only open links are shown out, and do not keep others out for long", () => {
    const { party, links } = visit((open, tick) => {
      if (tick < 100) open();
    }, 8);
    expect(links.filter(({ state }) => state !== "closed").length).toBe(0);
    const late = party.add({ seats: [3] });
    party.run(1);
    expect(late.session.seats).toEqual([3]);
    party.dispose();
  });

  test("that send a long message in tiny pieces are cut off", () => {
    let mallory: Link | undefined;
    const { party } = visit((open, tick) => {
      if (tick === 0) {
        mallory = open();
        mallory.send(jsonMessage(JOIN, { ...fair, name: "mallory" }), true);
        mallory.send(message(FRAGMENT, Uint8Array.of(1, ...u32Of(1), APPLICATION, ...u32Of(65_000))), true);
      }
      for (let i = 0; i < 100; i++) mallory!.send(message(FRAGMENT, Uint8Array.of(2, ...u32Of(1), 0)), true);
    });
    expect(party.host.events.find(({ kind }) => kind === "hostile")).toMatchObject({
      name: "mallory",
      reason: "sends too many messages",
    });
    expect(mallory!.state).toBe("closed");
    party.dispose();
  });

  test("that come and go all the time change nothing", () => {
    const { party } = visit((open, tick) => {
      const link = open();
      link.send(jsonMessage(JOIN, { ...fair, token: `t${tick}` }), true);
      if (tick % 2 === 0) link.send(message(LEAVE), true);
      link.close("gone");
    });
    expect(party.host.session.net.clients.length).toBe(3);
    party.dispose();
  });
});

const MESSAGES = FULL ? 1_000_000 : 15_000;

afterEach(() => void vi.restoreAllMocks());

/** Lets hostile programs stay, so that more of their messages are read. */
const forgive = () => void vi.spyOn(Connection.prototype, "fault").mockImplementation(() => {});

/** Damages most messages, and adds damaged copies of older ones. */
function mutating(seed: string, isOn: () => boolean) {
  const dice = random(new Uint32Array(4)).seed(seed);
  const kept: Uint8Array[] = [Uint8Array.of(0)];
  const counts = { mutated: 0 };
  const tamper: Tamper = (sent, reliable, send) => {
    if (kept.length < 300) kept.push(sent);
    else if (dice.chance(0.02)) kept[dice.below(300)] = sent;
    if (!isOn()) return send(sent, reliable);
    for (let copies = dice.below(24); copies > 0; copies--, counts.mutated++)
      send(mutated(dice.chance(0.8) ? sent : dice.pick(kept), dice.pick(kept), dice), reliable);
    if (dice.chance(0.6)) send(sent, reliable);
  };
  return { tamper, counts };
}

describe.each(["inputs", "states"] as const)("mutated messages, down: %s", (down: Down) => {
  test.each([true, false])(
    "of a client harm nobody else; patient: %s",
    (isPatient) => {
      if (isPatient) forgive();
      const wanted = MESSAGES / (isPatient ? 2 : 10);
      for (let total = 0, run = 0; total < wanted; run++) {
        const seed = `${down} ${isPatient} ${run}`;
        const party = new ServerParty(game, "good wifi", { down, keepSeat: 0 }, seed);
        const honest = party.seat(2);
        party.run(1);
        const { tamper, counts } = mutating(seed, () => party.net.time.now() > 1500);
        let attacker = addTampered(party, tamper);
        for (let second = 0; second < 40 && total + counts.mutated < wanted; second++) {
          for (const session of [...honest.map((one) => one.session), attacker.mallory])
            if (session.seats.length > 0 && session.net.state === "playing")
              session.command("build" as never, { x: second } as never);
          if (second % 3 === 0 && attacker.mallory.net.state === "playing")
            attacker.mallory.send(new Uint8Array(3000));
          // It comes back as often as it is thrown out.
          if (attacker.link.state === "closed") attacker = addTampered(party, tamper, `mallory ${second}`);
          party.run(1);
        }
        total += counts.mutated;
        const seconds = party.net.time.now() / 1000;
        expect(Math.abs(party.host.session.tick - 60 * seconds)).toBeLessThan(3);
        for (const { session, differences, desyncs, standstill, events } of honest) {
          expect([differences.slice(0, 2), desyncs]).toEqual([[], []]);
          expect(standstill).toBeLessThan(500);
          expect(session.tick).toBeGreaterThan(party.host.session.tick);
          expect(events.map(({ kind }) => kind)).toEqual(["joined"]);
        }
        const isHonest = (name: string) => honest.some((one) => one.name === name);
        expect(party.host.events.filter(({ kind, name }) => kind !== "joined" && isHonest(name))).toEqual([]);
        party.dispose();
      }
    },
    3_600_000,
  );

  test.each([true, false])(
    "of a server do not throw at a client; patient: %s",
    (isPatient) => {
      if (isPatient) forgive();
      const wanted = MESSAGES / (isPatient ? 2 : 10);
      for (let total = 0, run = 0; total < wanted; run++) {
        const seed = `server ${down} ${isPatient} ${run}`;
        const party = new ServerParty(game, "good wifi", { down, keepSeat: 0 }, seed);
        const honest = party.add({ seats: [0] });
        party.run(0.5);
        const { tamper, counts } = mutating(seed, () => run % 4 === 3 || party.net.time.now() > 1500);
        const connect = (victim: Visitor | undefined) => {
          const [near, far] = loopbackPair();
          const options = { scheduler: party.net.time, latency: 15, seed };
          party.host.session.connect(tampered(conditioned(far, options), tamper));
          const link = conditioned(near, options);
          victim?.session.connect(link);
          return link;
        };
        const machine = new SimulatedPeer(party.net.time, 0, (now) =>
          clientSession(game, connect(undefined), {
            now,
            seats: [1],
            name: "victim",
            token: "victim",
            inputs: hectic("victim") as never,
          }),
        );
        party.net.machines.push(machine as never);
        const { session } = machine;
        for (let second = 0; second < 30 && total + counts.mutated < wanted; second++) {
          honest.session.command("build" as never, { x: second } as never);
          if (session.net.state === "gone" || session.net.state === "rejected")
            connect({ session: session as unknown as ClientSession } as Visitor);
          if (second % 4 === 0) party.host.session.send(new Uint8Array(3000));
          party.run(1);
        }
        total += counts.mutated;
        expect(honest.differences).toEqual([]);
        expect(honest.standstill).toBeLessThan(500);
        expect(session.memory).toBeLessThan(1e6);
        party.dispose();
      }
    },
    3_600_000,
  );
});
