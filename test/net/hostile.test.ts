// One of four players is hostile. It is dropped with a reason, or does no harm; the others keep playing, with equal states.
import { describe, expect, test } from "vitest";
import {
  APPLICATION,
  FOLLOW,
  FRAGMENT,
  HELLO,
  jsonMessage,
  LEAVE,
  message,
  PAUSE,
  REJECT,
  ROSTER,
  SIT,
  SNAPSHOT,
  VOTE,
  WANT,
} from "../../src/net/messages.js";
import { NOBODY, rosterBytes, type Roster } from "../../src/net/membership/roster.js";
import { conditioned } from "../../src/net/conditioned.js";
import { loopbackPair } from "../../src/net/loopback.js";
import { random } from "../../src/math/index.js";
import { button, simulation } from "../../src/sim/index.js";
import { layout, u32 } from "../../src/state/index.js";
import { brawlFor } from "./brawl.js";
import { Party, type Guest } from "./party.js";
import { connectTampered, mutated, recoding, type Tamper } from "./tampering.js";

const game = brawlFor(4);

/** Seconds of fair play before the attack. */
const FAIR = 4;

interface Scene {
  readonly party: Party;
  readonly honest: readonly Guest[];
  readonly mallory: Guest;
}

/** The tick in which each honest player first had no seat. */
const seatless = new Map<string, number>();

/** Plays with a fourth player whose messages are tampered with from some time on. */
function ambush(attack: (scene: Scene, victim: Guest) => Tamper, seconds = 6): Scene {
  const party = new Party(game, "good wifi", "ambush");
  const guests = [0, 1, 2, 3].map((seat) =>
    party.add({ seats: [seat], name: seat === 3 ? "mallory" : `p${seat}` }),
  );
  const [mallory, honest] = [guests[3]!, guests.slice(0, 3)];
  const scene = { party, honest, mallory };
  party.net.mesh(honest.map(({ peer }) => peer));
  for (const victim of honest) {
    const tamper = attack(scene, victim);
    connectTampered(party, mallory, victim, (bytes, reliable, send) => {
      if (party.net.time.now() >= FAIR * 1000) return tamper(bytes, reliable, send);
      (tamper as { observe?: (bytes: Uint8Array) => void }).observe?.(bytes);
      send(bytes, reliable);
    });
  }
  party.run(FAIR);
  expect(honest.every(({ session }) => session.confirmed > 100)).toBe(true);
  for (const guest of honest) guest.watch();
  seatless.clear();
  for (const { name, session } of honest)
    session.on("confirmed", ({ tick }) => {
      if (session.seats.length === 0 && !seatless.has(name)) seatless.set(name, tick);
    });
  party.run(seconds);
  return scene;
}

/** Checks that the others keep playing, agree, and blame nobody else. */
function expectUnharmed({ party, honest }: Scene, seconds = 6): void {
  expect(party.differences(honest)).toEqual([]);
  for (const { session, events, standstill, name } of honest) {
    expect(`${name}: ${session.confirmed > 60 * (FAIR + seconds) - 180}`).toBe(`${name}: true`);
    expect(standstill).toBeLessThan(1000);
    expect(seatless.get(name)).toBe(undefined);
    const blamed = events.filter(
      ({ kind }) => kind === "hostile" || kind === "two-faced" || kind === "dropped",
    );
    expect(blamed.filter((event) => event.name !== "mallory")).toEqual([]);
    for (const other of honest)
      expect(session.net.members.some(({ id }) => id === other.session.net.id)).toBe(true);
  }
}

/** Checks that everyone has dropped the fourth player, and why. */
function expectDropped({ honest, mallory }: Scene, reasons: readonly string[]): void {
  for (const { events, session } of honest) {
    const drop = events.find(({ kind }) => kind === "dropped");
    expect(drop).toMatchObject({ name: "mallory" });
    expect(reasons).toContain(drop!.reason);
    expect(session.net.members.some(({ id }) => id === mallory.session.net.id)).toBe(false);
  }
}

/** What the first to drop the fourth player said about it. */
const accusations = ({ honest }: Scene) =>
  honest.flatMap(({ events }) => events.filter(({ kind }) => kind === "hostile").map(({ reason }) => reason));

/** Sends a forged roster again and again, to everyone. */
function forging({ session }: Guest, forge: (roster: Roster) => Partial<Roster>): Tamper {
  let sent = 0;
  const tamper: Tamper = (bytes, reliable, send) => {
    send(bytes, reliable);
    if (sent++ % 20 > 0) return;
    const epoch = session.net.epoch + 1;
    const members = session.net.members as Roster["members"];
    const roster = { ...NOBODY, epoch, since: 1, members, isStar: false };
    send(message(ROSTER, rosterBytes(gameId, { ...roster, ...forge(roster) })), true);
  };
  return Object.assign(tamper, { observe: learnGame });
}

/** The id of the game that is played, as greetings tell it. */
let gameId = 0;
function learnGame(bytes: Uint8Array): void {
  if (bytes[0] !== HELLO) return;
  const { game: id } = JSON.parse(new TextDecoder().decode(bytes.subarray(1))) as { game: number };
  if (id !== 0) gameId = id;
}

/** Answers that a member claims to have: each is the voter, the number, the candidate, its epoch, that of its host, and what it has. */
const votes = (...list: readonly (readonly number[])[]): Uint8Array => jsonMessage(VOTE, list);

const dice = () => random(new Uint32Array(4)).seed("hostile");

describe("is dropped as hostile", () => {
  test("a peer whose packets are malformed", () => {
    const scene = ambush(
      () => (bytes, reliable, send) => send(bytes[0]! < 0x80 ? bytes.subarray(0, 2) : bytes, reliable),
    );
    expectUnharmed(scene);
    expectDropped(scene, ["hostile"]);
    expect(accusations(scene)).toContain("sent too many bad messages, the last one: a malformed packet");
    scene.party.dispose();
  });

  test("a flood", () => {
    const scene = ambush(() => (bytes, reliable, send) => {
      for (let i = 0; i < 100; i++) send(bytes, reliable);
    });
    expectUnharmed(scene);
    expectDropped(scene, ["hostile"]);
    expect(accusations(scene)).toContain("sends too many messages");
    scene.party.dispose();
  });

  test("inputs of the far future", () => {
    const scene = ambush(({ mallory }) =>
      recoding(mallory, (packet) => {
        packet.end += 800;
        packet.own.end = packet.end;
        packet.own.first = packet.end - 5;
      }),
    );
    expectUnharmed(scene);
    expectDropped(scene, ["hostile"]);
    expect(accusations(scene)[0]).toMatch(/the last one: inputs of tick \d+, far in the future$/);
    scene.party.dispose();
  });

  test("acknowledgements of what was never sent", () => {
    const scene = ambush(({ mallory }) => recoding(mallory, (packet) => (packet.ack += 500)));
    expectUnharmed(scene);
    expectDropped(scene, ["hostile"]);
    expect(accusations(scene)[0]).toMatch(
      /the last one: the acknowledgement of tick \d+, which was never sent$/,
    );
    scene.party.dispose();
  });

  test("messages of unknown types, sizes and contents", () => {
    const die = dice();
    const kinds: ((die: ReturnType<typeof dice>) => Uint8Array)[] = [
      () => message(0xff, Uint8Array.of(1, 2, 3)),
      () => new Uint8Array(0),
      () => message(SIT, new TextEncoder().encode("{}")),
      () => message(WANT, new TextEncoder().encode('{"a":1}')),
      () => message(VOTE, Uint8Array.of(1)),
      () => votes([1, 2, 3]),
      () => message(HELLO, new TextEncoder().encode("hello")),
      () => message(FRAGMENT, Uint8Array.of(99, 1)),
    ];
    for (const make of kinds) {
      const scene = ambush(
        () => (bytes, reliable, send) => {
          send(bytes, reliable);
          send(make(die), true);
        },
        4,
      );
      expectUnharmed(scene, 4);
      expectDropped(scene, ["hostile"]);
      expect(scene.honest[0]!.session.net.droppedPackets).toBeGreaterThanOrEqual(30);
      scene.party.dispose();
    }
  });

  test("messages in the name of another player", () => {
    const scene = ambush(({ honest }, victim) => {
      const forged = new Uint8Array(12);
      const other = honest.find((guest) => guest !== victim)!;
      new DataView(forged.buffer).setUint32(0, other.session.net.id);
      let isHeard = false;
      victim.session.net.on("message", () => (isHeard = true));
      return (bytes, reliable, send) => {
        send(bytes, reliable);
        send(message(FRAGMENT, Uint8Array.of(0, APPLICATION, ...forged)), true);
        expect(isHeard).toBe(false);
      };
    });
    expectUnharmed(scene);
    expectDropped(scene, ["hostile"]);
    expect(accusations(scene)[0]).toContain("a message in the name of another peer");
    scene.party.dispose();
  });
});

describe("is dropped for other reasons", () => {
  test("silence", () => {
    const scene = ambush(() => () => {});
    expectUnharmed(scene);
    expectDropped(scene, ["timeout"]);
    scene.party.dispose();
  });

  // It is there, but the others would wait for its inputs for ever.
  test("the same packet for ever", () => {
    const scene = ambush(() => {
      let first: Uint8Array | undefined;
      return (bytes, reliable, send) => {
        if (bytes[0]! < 0x80) send((first ??= bytes), reliable);
        else send(bytes, reliable);
      };
    }, 10);
    expect(scene.party.differences(scene.honest)).toEqual([]);
    for (const { session } of scene.honest) expect(session.confirmed).toBeGreaterThan(450);
    // It may come back, and is dropped again.
    for (const { events } of scene.honest)
      expect(events.find(({ kind }) => kind === "dropped")).toMatchObject({
        name: "mallory",
        reason: "stuck",
      });
    scene.party.dispose();
  });

  test("silence, after it has claimed a number that nobody can top", () => {
    const scene = ambush(({ mallory }) => {
      let claims = 0;
      return (_, __, send) => {
        if (claims++ > 30) return;
        const { epoch, id } = mallory.session.net;
        send(votes([id, claims % 2 ? 2 ** 52 : epoch + 8, id, epoch, 1, 0]), false);
      };
    });
    expectUnharmed(scene);
    expectDropped(scene, ["timeout"]);
    scene.party.dispose();
  });

  test("wrong hashes", () => {
    const scene = ambush(({ mallory }) => recoding(mallory, (packet) => (packet.hash[0]! ^= 1)));
    expectUnharmed(scene);
    expectDropped(scene, ["desync", "hostile"]);
    scene.party.dispose();
  });
});

describe("does no harm", () => {
  test("repeating old packets", () => {
    const scene = ambush(() => {
      const old: Uint8Array[] = [];
      return (bytes, reliable, send) => {
        send(bytes, reliable);
        old.push(bytes);
        if (old.length > 3) send(old[Math.floor(old.length / 3)]!, false);
        if (old.length > 300) old.splice(0, 100);
      };
    });
    expectUnharmed(scene);
    scene.party.dispose();
  });

  test("saying nothing to one of three: the others pass its inputs on", () => {
    const scene = ambush(({ honest }, victim) => (bytes, reliable, send) => {
      if (victim !== honest[1]) send(bytes, reliable);
    });
    expectUnharmed(scene);
    expect(scene.honest[1]!.session.net.members.length).toBe(4);
    scene.party.dispose();
  });

  test("telling the others that they are rejected, that the game pauses and goes on, and that it leaves", () => {
    const scene = ambush(() => {
      let sent = 0;
      return (bytes, reliable, send) => {
        send(bytes, reliable);
        if (sent++ % 10 > 0) return;
        send(jsonMessage(REJECT, { code: "kicked", text: "no" }), true);
        send(message(PAUSE, Uint8Array.of(0)), true);
        send(jsonMessage(FOLLOW, {}), true);
        if (sent > 200) send(message(LEAVE), true);
      };
    });
    expectUnharmed(scene);
    expect(scene.honest.every(({ session }) => session.net.state === "playing")).toBe(true);
    scene.party.dispose();
  });

  test("claiming to know what it cannot know yet", () => {
    const scene = ambush(({ mallory }) => recoding(mallory, (packet) => (packet.have += 400)));
    expectUnharmed(scene);
    scene.party.dispose();
  });

  test("claiming that what nobody can know yet is certain", () => {
    const scene = ambush(({ mallory }) => recoding(mallory, (packet) => (packet.certain = packet.end + 400)));
    expectUnharmed(scene);
    scene.party.dispose();
  });

  test("claiming to hear everyone, or nobody", () => {
    for (const age of [0, 7]) {
      const scene = ambush(({ mallory }) => recoding(mallory, (packet) => packet.ages.fill(age)), 4);
      expectUnharmed(scene, 4);
      scene.party.dispose();
    }
  });

  // A member could end the game for all with one message.
  test("a roster that the host has not made: to play alone", () => {
    const scene = ambush(({ mallory }) =>
      forging(mallory, ({ members }) => ({
        members: members.filter(({ id }) => id === mallory.session.net.id),
      })),
    );
    expectUnharmed(scene);
    scene.party.dispose();
  });

  test("a roster that the host has not made: to host, to rewrite the past, to freeze everyone for ever", () => {
    for (const until of [5, 2 ** 52]) {
      const scene = ambush(({ mallory, honest }) =>
        forging(mallory, ({ members, epoch }) => {
          const victim = members.find(({ id }) => id === honest[1]!.session.net.id)!;
          const rest = members.filter((member) => member !== victim).reverse();
          return { since: epoch, members: rest, departed: [{ ...victim, until, reason: "left" }] };
        }),
      );
      expectUnharmed(scene);
      scene.party.dispose();
    }
  });

  test("answers that nobody has given, to take over from the host", () => {
    const scene = ambush(({ mallory }) => {
      let sent = 0;
      return (bytes, reliable, send) => {
        send(bytes, reliable);
        if (sent++ % 20 > 0) return;
        const { epoch, id, members } = mallory.session.net;
        send(votes(...members.map((member) => [member.id, epoch + 2, id, epoch, 1, 0])), false);
      };
    });
    expectUnharmed(scene);
    expect(scene.honest[0]!.session.net.isHost).toBe(true);
    scene.party.dispose();
  });

  // Only members whose streams were asked for may be forwarded.
  test("inputs in the name of another player", () => {
    const scene = ambush(({ mallory, honest }, victim) => {
      const other = honest.find((guest) => guest !== victim)!;
      return recoding(mallory, (packet, lies) => {
        const index = mallory.session.net.members.findIndex(({ id }) => id === other.session.net.id);
        const seats = mallory.session.net.members[index]?.seats;
        if (!seats) return;
        const end = other.session.tick + 6;
        packet.hasMore = true;
        for (let tick = end - 12; tick < end; tick++)
          lies.writeSeat(tick, seats[0]!, Uint32Array.of(tick & 31), 0);
        packet.forwardedCount = 0;
        packet.forward(index, end - 12, end);
      });
    });
    expectUnharmed(scene);
    scene.party.dispose();
  });
});

describe("strangers", () => {
  const hello = {
    protocol: 1,
    simulation: game.name,
    version: game.version,
    fingerprint: game.fingerprint,
    profile: 1,
    id: 12_345,
    name: "stranger",
    game: 0,
    parent: 0,
    wants: 0,
    isRelay: false,
    members: 0,
    hasBegun: false,
    isMember: false,
  };

  /** Three players, and a link to the first one whose other end is ours. */
  function visit(
    act: (send: (bytes: Uint8Array) => void, tick: number, party: Party) => void,
    seconds = 6,
    greeting?: Uint8Array,
  ) {
    const party = new Party(game, "good wifi", "visit");
    const honest = [0, 1, 2].map((seat) => party.add({ seats: [seat], start: 3 }));
    party.net.mesh();
    party.run(FAIR);
    for (const guest of honest) guest.watch();
    const [near, far] = loopbackPair();
    honest[0]!.session.connect(conditioned(near, { scheduler: party.net.time, latency: 10 }));
    // The profile of the math library is learned from the greeting of the other side.
    let own: object = hello;
    far.on("message", (bytes) => {
      if (bytes[0] !== HELLO) return;
      learnGame(bytes);
      const { profile, protocol } = JSON.parse(new TextDecoder().decode(bytes.subarray(1))) as typeof hello;
      own = { ...hello, profile, protocol };
    });
    party.run(0.1);
    const send = (bytes: Uint8Array) => far.send(bytes, true);
    send(greeting ?? jsonMessage(HELLO, own));
    for (let i = 0; i < seconds * 60; i++) {
      act(send, i, party);
      party.run(1 / 60);
    }
    expect(party.differences(honest)).toEqual([]);
    for (const { session, standstill } of honest) {
      expect(session.confirmed).toBeGreaterThan(60 * (FAIR + seconds) - 180);
      expect(standstill).toBeLessThan(500);
    }
    return { party, honest, far, send };
  }

  test("that never say who they are are not heard, and a flood of them is cut off", () => {
    const die = dice();
    const { party, honest, far } = visit(
      (send) => {
        for (let i = 0; i < 50; i++)
          send(mutated(Uint8Array.of(die.below(256), 1, 2, 3, 4, 5, 6, 7), Uint8Array.of(1), die));
      },
      3,
      Uint8Array.of(0),
    );
    expect(
      honest[0]!.events.some(
        ({ kind, reason }) => kind === "hostile" && /too many|wrong size|bad messages/.test(reason),
      ),
    ).toBe(true);
    expect(far.state).toBe("closed");
    party.dispose();
  });

  test("who ask for snapshots all the time get one now and then", () => {
    const { party, honest } = visit((send) => send(jsonMessage(FOLLOW, {})), 4);
    const sent = honest[0]!.session.net.peers.find(({ name }) => name === "stranger")!.bytesSent;
    expect(sent).toBeLessThan(100_000);
    party.dispose();
  });

  test("who ask for seats in the name of others get none", () => {
    const { party, honest } = visit((send, tick) => {
      if (tick % 6 === 0) send(jsonMessage(SIT, { id: 777 + tick, name: "x", seats: [3], count: 1 }));
    });
    expect(honest[0]!.session.net.members.length).toBe(3);
    expect(honest[0]!.events.filter(({ name }) => name === "x")).toEqual([]);
    party.dispose();
  });

  test("who ask for seats in the name of others do not keep real players out", () => {
    const ask = (send: (bytes: Uint8Array) => void, tick: number) => {
      for (let i = 0; i < 10; i++)
        send(jsonMessage(SIT, { id: 777 + tick * 10 + i, name: "x", seats: [2], count: 1 }));
    };
    const { party, send } = visit(ask);
    const late = party.add({ seats: [3] });
    party.connect(late);
    for (let tick = 1000; tick < 1240; tick++) {
      ask(send, tick);
      party.run(1 / 60);
    }
    expect(late.session.seats).toEqual([3]);
    party.dispose();
  });

  test("who send rosters, pauses, snapshots and answers to candidates are not believed", () => {
    const { party, honest } = visit((send, tick, { guests }) => {
      const epoch = guests[0]!.session.net.epoch + 1;
      send(message(ROSTER, rosterBytes(gameId, { ...NOBODY, epoch, pausedAt: 10 })));
      send(message(PAUSE, Uint8Array.of(1)));
      send(message(VOTE, new Uint8Array(40).fill(tick & 255)));
      send(message(FRAGMENT, Uint8Array.of(0, SNAPSHOT, 1, 2, 3)));
    }, 3);
    expect(honest[0]!.session.net.state).toBe("playing");
    expect(honest[0]!.session.net.members.length).toBe(3);
    party.dispose();
  });
});

test("commands in the name of another player are not executed", () => {
  const shouting = simulation({
    name: "shouting",
    version: 1,
    rate: 60,
    players: 3,
    state: layout({ heard: u32 }),
    input: { go: button },
    commands: { shout: { loud: u32 } },
    step(world, _, { commands }) {
      for (const { loud, player } of commands) world.heard = (world.heard * 31 + loud * 3 + player) >>> 0;
    },
  });
  const party = new Party(shouting, "good wifi");
  const [a, b, mallory] = [0, 1, 2].map((seat) => party.add({ seats: [seat], inputs: () => {} })) as [
    Guest,
    Guest,
    Guest,
  ];
  party.net.connect(a.peer, b.peer);
  party.net.connect(a.peer, mallory.peer);
  // It says, before the first player does, what that one shouts in the next ticks.
  let from = 0;
  connectTampered(party, mallory, b, (bytes, reliable, send) => {
    send(bytes, reliable);
    if (party.net.time.now() < 3000 || from > a.session.tick + 30) return;
    const shout = shouting.commands.encode("shout", { loud: 666 });
    for (from = Math.max(from, a.session.tick); from < a.session.tick + 60; from++) {
      const forged = new Uint8Array(12 + 5 + shout.length);
      const view = new DataView(forged.buffer);
      view.setUint32(0, a.session.net.id);
      view.setFloat64(4, from);
      view.setUint32(13, shout.length);
      forged.set(shout, 17);
      send(message(FRAGMENT, Uint8Array.of(0, 2, ...forged)), true);
    }
  });
  party.run(4);
  for (let i = 0; i < 20; i++) {
    a.session.command("shout" as never, { loud: i } as never);
    party.run(0.1);
  }
  party.run(2);
  expect(party.differences([a, b])).toEqual([]);
  expect(a.session.confirmed).toBeGreaterThan(400);
  expect(
    b.events.filter(({ kind, name }) => (kind === "two-faced" || kind === "hostile") && name === a.name),
  ).toEqual([]);
  party.dispose();
});
