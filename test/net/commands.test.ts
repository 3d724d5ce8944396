// Commands, effects, application messages and external state between peers.
import { describe, expect, test } from "vitest";
import { random } from "../../src/math/index.js";
import { readReplay, record, recordedCommands, verify } from "../../src/replay/index.js";
import { button, bytes, localSession, simulation, text, type Effect } from "../../src/sim/index.js";
import { f64, layout, list, u16, u32, u8 } from "../../src/state/index.js";
import { effectText, tug } from "../sessions/tug.js";
import { Party, type Guest } from "./party.js";

const builders = simulation({
  name: "builders",
  version: 1,
  rate: 60,
  players: 3,
  state: layout({ built: list(4, u32), tiles: u32, said: u32, last: u32, x: list(4, f64) }),
  input: { go: button },
  commands: { build: { x: u16, kind: u8 }, chat: { text: text(200) }, upload: { map: bytes(10_240) } },
  effects: { built: { by: u32, x: u32 } },
  step(world, inputs, { commands, emit, tick }) {
    inputs.forEach(({ go }, player) => (world.x[player]! += go ? 1 : 0));
    for (const command of commands) {
      world.last = tick;
      switch (command.name) {
        case "build":
          world.built[command.player]! += command.x + command.kind;
          emit("built", { by: command.player, x: command.x });
          break;
        case "chat":
          world.said = (Math.imul(world.said, 31) + command.text.length) >>> 0;
          break;
        default:
          for (const tile of command.map) world.tiles = (Math.imul(world.tiles, 33) + tile) >>> 0;
      }
    }
  },
});

const quartet = simulation({ ...builders.options, players: 4 as 3 });

/** What a session was given: the commands of all confirmed ticks. */
function confirmedCommands(session: { on(event: "confirmed", listener: (info: never) => void): unknown }) {
  const seen: string[] = [];
  session.on("confirmed", (({
    tick,
    commands,
  }: {
    tick: number;
    commands: readonly { player: number; bytes: Uint8Array }[];
  }) => {
    for (const { player, bytes: packed } of commands)
      seen.push(`${tick} ${player} ${Buffer.from(packed).toString("base64")}`);
  }) as never);
  return seen;
}

const idle = () => {};

describe("commands", () => {
  test.each([
    ["rollback on good wifi", "good wifi", {}],
    ["rollback on bad wifi", "bad wifi", {}],
    ["rollback in hell", "hell", { timeout: 5 }],
    ["lockstep on 4G", "4G", { window: 0 }],
  ] as const)("of many sizes are executed by everyone at the same tick, once: %s", (_, network, options) => {
    const party = new Party(builders, network);
    const players = [0, 1, 2].map((seat) => party.add({ seats: [seat], inputs: idle, ...options }));
    party.net.mesh();
    const seen = players.map(({ session }) => confirmedCommands(session as never));
    const recorder = record(players[1]!.session);
    party.run(5);
    const dice = random(new Uint32Array(4)).seed(network);
    const issued: string[] = [];
    for (let i = 0; i < 60; i++) {
      const seat = dice.int(0, 2);
      const { session } = players[seat]!;
      const issue = (name: string, values: object) => {
        // In hell, a player may be dropped for a while.
        if (session.seats.length === 0) return;
        session.command(name as never, values as never);
        issued.push(
          `${seat} ${Buffer.from(builders.commands.encode(name, values as never)).toString("base64")}`,
        );
      };
      if (i % 3 === 0) issue("build", { x: i, kind: 1 });
      if (i % 3 === 1) issue("chat", { text: "x".repeat(dice.int(0, 200)) });
      if (i % 3 === 2)
        issue("upload", {
          map: Uint8Array.from({ length: dice.pick([1, 900, 1300, 10_240]) }, (__, at) => at),
        });
      // Several in one tick, now and then.
      if (i % 4 !== 0) party.run(0.1);
    }
    party.run(network === "hell" ? 20 : 6);
    expect(party.faults()).toEqual([]);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    // Each exactly once, and those of a seat in the order of issue.
    const executed = seen[0]!.map((line) => line.slice(line.indexOf(" ") + 1));
    expect([...executed].sort()).toEqual([...issued].sort());
    for (const seat of ["0", "1", "2"])
      expect(executed.filter((line) => line.startsWith(seat))).toEqual(
        issued.filter((line) => line.startsWith(seat)),
      );
    // Recorded and replayed.
    const replay = readReplay(recorder.bytes());
    expect(verify(builders, replay)).toMatchObject({ ok: true, message: "" });
    expect([...recordedCommands(replay)].length).toBe(60);
    expect(players[0]!.session.world.tiles).toBe(players[2]!.session.world.tiles);
    party.dispose();
  });

  test("are predicted not to happen, rolled back and executed when they arrive", () => {
    const party = new Party(builders, "4G");
    const [one, other] = [0, 1, 2].map((seat) => party.add({ seats: [seat], inputs: idle }));
    party.net.mesh();
    party.run(6);
    const before = one!.session.net.rollbacks;
    other!.session.command("build" as never, { x: 5, kind: 0 } as never);
    party.run(1);
    expect(one!.session.net.rollbacks).toBe(before + 1);
    expect([...(one!.session.world.built as number[])]).toEqual([0, 5, 0, 0]);
    party.dispose();
  });

  test("come from an own seat only", () => {
    const party = new Party(builders);
    const host = party.add({ seats: [0, 2], inputs: idle });
    const watcher = party.add({ seats: [] });
    expect(() => watcher.session.command("build" as never, { x: 1, kind: 1 } as never)).toThrow(
      "Session.command: this peer has no seat.",
    );
    expect(() =>
      host.session.command("build" as never, { x: 1, kind: 1 } as never, { player: 1 } as never),
    ).toThrow("Session.command: player must be a seat of this peer: 0, 2, got 1.");
    expect(() => host.session.command("dance" as never)).toThrow('unknown command "dance"');
    party.dispose();
  });

  test("of a player that dies right after it issued one are executed by all others, or by none", () => {
    for (const seconds of [0, 0.01, 0.03, 0.05, 0.1]) {
      const party = new Party(builders, "bad wifi", `death ${seconds}`);
      const players = [0, 1, 2].map((seat) => party.add({ seats: [seat], inputs: idle }));
      party.net.mesh();
      party.run(4);
      players[2]!.session.command("build" as never, { x: 9, kind: 0 } as never);
      players[2]!.session.command("upload" as never, { map: new Uint8Array(5000) } as never);
      party.run(seconds);
      players[2]!.peer.kill();
      party.run(5);
      expect(party.faults()).toEqual([]);
      // Whoever has missed them gets a snapshot.
      const [a, b] = players.map(({ session }) => session);
      for (const { confirmed } of [a!, b!]) expect(confirmed).toBeGreaterThan(400);
      expect([...(a!.world.built as number[]), a!.world.tiles]).toEqual([
        ...(b!.world.built as number[]),
        b!.world.tiles,
      ]);
      party.dispose();
    }
  });

  test("the others go on when one dies in hell while commands are under way", () => {
    for (const seed of ["s0", "s7", "s10", "s17", "s23", "s26", "s40", "s43"]) {
      const dice = random(new Uint32Array(4)).seed(seed);
      const party = new Party(quartet, "hell", `grave ${seed}`);
      const players = [0, 1, 2, 3].map((seat) => party.add({ seats: [seat], inputs: idle }));
      party.net.mesh();
      while (players.some(({ session }) => session.confirmed < 30)) party.run(1);
      const shout = (list: readonly Guest[]) => {
        for (const { session } of list)
          if (session.seats.length > 0 && dice.chance(0.3))
            session.command("upload" as never, { map: new Uint8Array(dice.pick([10, 400, 1500])) } as never);
      };
      for (let i = 0; i < 20; i++) {
        shout(players);
        party.run(0.1);
      }
      players[1]!.peer.kill();
      const others = [players[0]!, players[2]!, players[3]!];
      const before = Math.max(...others.map(({ session }) => session.confirmed));
      for (let i = 0; i < 100; i++) {
        shout(others);
        party.run(0.1);
      }
      expect(party.faults()).toEqual([]);
      for (const { session } of others)
        expect(`${seed}: ${session.confirmed > before + 120}`).toBe(`${seed}: true`);
      party.dispose();
    }
  });

  test("reach a peer that joins later, and spectators", () => {
    const party = new Party(builders, "bad wifi");
    const players = [0, 1].map((seat) => party.add({ seats: [seat], inputs: idle, start: 2 }));
    party.net.mesh();
    party.run(3);
    const watcher = party.add({ seats: [], inputs: idle });
    const late = party.add({ seats: [2], inputs: idle });
    const seen = [players[0]!, watcher, late].map(({ session }) => confirmedCommands(session as never));
    party.connect(watcher);
    party.connect(late);
    for (let i = 0; i < 40; i++) {
      players[i % 2]!.session.command("chat" as never, { text: `${i}` } as never);
      party.run(0.1);
    }
    party.run(3);
    expect(late.session.seats).toEqual([2]);
    expect(party.faults()).toEqual([]);
    for (const { session } of [watcher, late])
      expect(session.world.said).toBe(players[0]!.session.world.said);
    expect(seen[0]!.slice(-seen[1]!.length)).toEqual(seen[1]);
    expect(seen[0]!.slice(-seen[2]!.length)).toEqual(seen[2]);
    expect(seen[2]!.length).toBeGreaterThan(10);
    party.dispose();
  });
});

describe("effects", () => {
  type Hit = Effect<NonNullable<typeof tug.options.effects>>;
  const pushing = (seat: number) => {
    const dice = random(new Uint32Array(4)).seed(`pushing ${seat}`);
    return (players: readonly unknown[]) => {
      for (const player of players as { push: boolean }[]) if (dice.chance(0.15)) player.push = !player.push;
    };
  };

  /** Plays, and returns what a peer has heard, and what happened for certain. */
  function heardIn(options: object) {
    const party = new Party(tug, "bad wifi");
    const [one] = [0, 1].map((seat) =>
      party.add({ seats: [seat], inputs: pushing(seat), ...options } as never),
    );
    party.net.mesh();
    const session = one!.session;
    const [heard, withdrawn]: [Hit[], Hit[]] = [[], []];
    session.on("effect", (effect) => void heard.push(effect as Hit));
    session.on("withdrawn", (effect) => void withdrawn.push(effect as Hit));
    const recorder = record(session);
    const before = one!.peer.afterAdvance!;
    one!.peer.afterAdvance = (result) => {
      before(result);
      if (session.present !== "none") session.view(1);
    };
    party.run(20);
    expect(party.faults()).toEqual([]);
    const { confirmed } = session;
    // What really happened, as a player of the recording hears it.
    const replay = readReplay(recorder.bytes());
    const inputs = replay.inputs();
    const reference = localSession(tug, {
      seed: session.seed,
      present: "none",
      inputs: {
        allPlayers: true,
        sample(words: Uint32Array, _: number, { tick }: { tick: number }) {
          inputs.seek(tick);
          words.set(inputs.words);
        },
      } as never,
    });
    const wanted: Hit[] = [];
    reference.on("effect", (effect) => void wanted.push(effect as Hit));
    while (reference.tick < replay.last) reference.advance();
    party.dispose();
    return { heard, withdrawn, wanted, confirmed };
  }

  /** What is left after each withdrawn effect was taken away, each exactly once. */
  function left(heard: readonly Hit[], withdrawn: readonly Hit[]): string[] {
    const all = heard.map(effectText);
    for (const effect of withdrawn.map(effectText)) {
      expect(all).toContain(effect);
      all.splice(all.indexOf(effect), 1);
    }
    return all;
  }

  test("are delivered once, and withdrawn once if they did not happen", () => {
    const { heard, withdrawn, wanted, confirmed } = heardIn({});
    const certain = (texts: string[]) =>
      texts.filter((one) => (JSON.parse(one) as Hit).tick < confirmed - 2).sort();
    expect(certain(left(heard, withdrawn))).toEqual(certain(wanted.map(effectText)));
    expect(wanted.length).toBeGreaterThan(50);
    expect(withdrawn.length).toBeGreaterThan(5);
  });

  test('are never withdrawn with `when: "confirmed"`', () => {
    const { heard, withdrawn, wanted } = heardIn({ when: "confirmed" });
    expect(withdrawn).toEqual([]);
    expect(heard.map(effectText)).toEqual(wanted.map(effectText).slice(0, heard.length));
    expect(heard.length).toBeGreaterThan(50);
  });

  test("can wait by name", () => {
    const { heard, withdrawn, wanted } = heardIn({ when: { push: "confirmed" } });
    const pushes = (effects: readonly Hit[]) => effects.filter(({ name }) => name === "push").map(effectText);
    expect(pushes(heard)).toEqual(pushes(wanted).slice(0, pushes(heard).length));
    expect(pushes(heard).length).toBeGreaterThan(50);
    expect(withdrawn.length).toBeGreaterThan(5);
  });

  test("without a view are delivered when they are certain", () => {
    const { heard, withdrawn, wanted } = heardIn({ present: "none" });
    expect(withdrawn).toEqual([]);
    expect(heard.map(effectText)).toEqual(wanted.map(effectText).slice(0, heard.length));
    expect(heard.length).toBeGreaterThan(50);
  });
});

describe("application messages", () => {
  const encode = (said: string) => new TextEncoder().encode(said);
  const heardBy = ({ session }: { session: Party["guests"][number]["session"] }) => {
    const heard: string[] = [];
    session.net.on("message", ({ from, name, bytes: said }) => {
      expect(from).not.toBe(session.net.id);
      heard.push(`${name}: ${new TextDecoder().decode(said)}`);
    });
    return heard;
  };

  test("reach everyone, or one, in order, whatever the network does", () => {
    const party = new Party(builders, "hell");
    const players = [0, 1, 2].map((seat) => party.add({ seats: [seat], inputs: idle }));
    party.net.mesh();
    const heard = players.map(heardBy);
    party.run(3);
    for (let i = 0; i < 20; i++) players[0]!.session.send(encode(`all ${i}`));
    players[1]!.session.send(encode("only you"), players[2]!.session.net.id);
    party.run(10);
    const all = Array.from({ length: 20 }, (_, i) => `p0: all ${i}`);
    expect(heard[0]).toEqual([]);
    expect(heard[1]).toEqual(all);
    expect(heard[2]!.filter((line) => line.startsWith("p0"))).toEqual(all);
    expect(heard[2]!.filter((line) => line.startsWith("p1"))).toEqual(["p1: only you"]);
    party.dispose();
  });

  test("pass through a relay, and long ones too", () => {
    const party = new Party(builders, "good wifi");
    const relay = party.add({ relay: true, name: "relay" });
    const players = [0, 1, 2].map(() => party.add({ seats: 1, inputs: idle }));
    for (const { peer } of players) party.net.connect(relay.peer, peer);
    const heard = players.map(heardBy);
    party.run(3);
    const long = "y".repeat(60_000);
    players[0]!.session.send(encode(long));
    players[1]!.session.send(encode("psst"), players[2]!.session.net.id);
    party.run(3);
    expect(heard[0]).toEqual([]);
    expect(heard[1]).toEqual([`p1: ${long}`]);
    expect([...heard[2]!].sort()).toEqual([`p1: ${long}`, "p2: psst"]);
    expect(() => players[0]!.session.send(new Uint8Array(65_536))).toThrow(
      "Session.send: bytes.length must be at most",
    );
    party.dispose();
  });
});

describe("external state", () => {
  /** A physics engine, as far as a session can see: its state lies outside the buffer. */
  const gameWith = () => {
    const make = () => {
      let numbers = new Float64Array(4);
      return {
        push(player: number, by: number) {
          numbers[player]! += by;
          numbers[3] = (numbers[3]! * 31 + numbers[player]! * 7) % 1_000_003;
        },
        save: () => new Uint8Array(numbers.slice().buffer),
        load(saved: Uint8Array) {
          numbers = new Float64Array(saved.slice().buffer);
        },
        hash: (): [number, number] => [numbers[3]! >>> 0, (numbers[0]! * 1000 + numbers[1]!) >>> 0],
        get total() {
          return numbers[3]!;
        },
      };
    };
    return simulation({
      name: "outside",
      version: 1,
      rate: 60,
      players: 2,
      state: layout({ seen: f64 }),
      input: { go: button, hit: button },
      external: { engine: make },
      step(world, inputs, { external }) {
        inputs.forEach(({ go, hit }, player) => external.engine.push(player, (go ? 3 : 0) + (hit ? 5 : 1)));
        world.seen = external.engine.total;
      },
    });
  };

  const play = (saveEvery: number) => {
    const party = new Party(gameWith(), "bad wifi");
    const script =
      (seat: number) =>
      (players: readonly object[], { tick }: { tick: number }) => {
        const dice = random(new Uint32Array(4)).seed(seat * 7919 + Math.floor(tick / 6));
        for (const player of players) Object.assign(player, { go: dice.chance(0.5), hit: dice.chance(0.5) });
      };
    const players = [0, 1].map((seat) =>
      party.add({ seats: [seat], saveEvery, inputs: script(seat) as never }),
    );
    party.net.mesh();
    party.run(8);
    // Somebody who joins gets it too.
    const watcher = party.add({ seats: [] });
    party.connect(watcher);
    party.run(6);
    expect(party.faults()).toEqual([]);
    expect(players[0]!.session.net.rollbacks).toBeGreaterThan(50);
    expect(watcher.states.size).toBeGreaterThan(200);
    const { states } = players[0]!;
    party.dispose();
    return states;
  };

  test("is saved, loaded and hashed; sparse states give the same hashes", () => {
    const [dense, sparse] = [play(1), play(4)];
    let compared = 0;
    for (const [tick, hash] of dense) {
      if (!sparse.has(tick)) continue;
      expect(`${tick} ${sparse.get(tick)}`).toBe(`${tick} ${hash}`);
      compared++;
    }
    expect(compared).toBeGreaterThan(600);
  });
});
