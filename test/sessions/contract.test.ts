// What every session owes to loops, recorders and listeners, held against several kinds: a local one, ones that predict, stall
// and resimulate, peers on a network, servers and their clients, and one whose states are simulated elsewhere.
import { describe, expect, test } from "vitest";
import { ClientSession } from "../../src/net/authority/client-session.js";
import { PeerSession } from "../../src/net/peer-session.js";
import { simulatedNetwork } from "../../src/net/simulated.js";
import { readReplay, record, recordedCommands, verify } from "../../src/replay/index.js";
import {
  drive,
  localSession,
  type Advance,
  type Effect,
  type LocalOptions,
  type Session,
  type ViewOf,
} from "../../src/sim/index.js";
import { hashText } from "../../src/state/index.js";
import { manualDriver } from "../../src/testing/index.js";
import { MirrorSession } from "./mirror-session.js";
import { PredictingSession } from "./predicting-session.js";
import { effectText, jumpsOf, QUIET, script, tug } from "./tug.js";

type TugEffect = Effect<NonNullable<typeof tug.options.effects>>;
type TugSession = Session<ViewOf<typeof tug>, TugEffect>;

const TICKS = 300;

/** A local session whose players jump as they do elsewhere. */
function local(input: ReturnType<typeof script>, present?: LocalOptions<never>["present"]) {
  const session = localSession(tug, {
    present,
    inputs(players, { tick }) {
      players.forEach((player, index) => (player.push = input(index, tick) === 1));
    },
  });
  const jump = (tick: number) => {
    for (const player of [1, 0])
      if (jumpsOf(player, tick).length > 0) session.command("jump", { by: tick }, { player });
  };
  jump(0);
  session.on("confirmed", ({ tick }) => jump(tick + 1));
  return session;
}

/** One of two peers, and what must happen before each of its `advance` calls: the other one steps, and time passes. */
function peerOf(input: ReturnType<typeof script>, window: number): [TugSession, () => void] {
  const latency = window === 0 ? 12 : 40;
  const net = simulatedNetwork({ network: { latency, jitter: 4 }, seed: "contract" });
  const [session, other] = [0, 1].map((seat) => {
    const peer = net.peer(tug, {
      seats: [seat],
      window,
      delay: 0,
      inputs(players, { tick }) {
        next = tick + 1;
        for (const player of players) player.push = input(seat, tick) === 1;
      },
    });
    let next = 0;
    let jumped = -1;
    peer.freeze();
    /** Issues the command of the next tick whose inputs are sampled. */
    const jump = () => {
      if (next === jumped || jumpsOf(seat, next).length === 0) return;
      jumped = next;
      peer.session.command("jump", { by: next });
    };
    return Object.assign(peer, { jump });
  }) as [PeerOfTug, PeerOfTug];
  net.connect(session, other);
  while (session.session.net.state !== "playing" || other.session.net.state !== "playing") {
    net.run(1 / 60);
    session.session.poll();
    other.session.poll();
  }
  const before = () => {
    net.run(1 / 60);
    other.jump();
    other.session.advance();
    session.jump();
  };
  return [session.session, before];
}

/** A server whose host plays one seat, and a client that plays the other. One of them, and what must happen before each of its steps. */
function authorityOf(input: ReturnType<typeof script>, kind: "server" | "client"): [TugSession, () => void] {
  const net = simulatedNetwork({ network: { latency: 30 }, seed: "contract" });
  let next = 0;
  let jumped = -1;
  const server = net.server(tug, {
    seats: [0],
    inputs: ([player], { tick }) => void (player!.push = input(0, tick) === 1),
  });
  const client = net.client(tug, server, {
    seats: [1],
    skew: 0,
    inputs([player], { tick }) {
      next = tick + 1;
      player!.push = input(1, tick) === 1;
    },
  });
  server.freeze();
  client.freeze();
  // The server begins once the client is far enough ahead for its inputs to come in time. Time stands still until then.
  while (client.session.net.state !== "playing") {
    net.run(1 / 60);
    client.session.advance();
  }
  while (client.session.tick < 10) client.session.advance();
  const serverJumps = () => {
    const { tick } = server.session;
    if (jumpsOf(0, tick).length > 0) server.session.command("jump", { by: tick });
  };
  const clientJumps = () => {
    if (next === jumped || jumpsOf(1, next).length === 0) return;
    jumped = next;
    client.session.command("jump", { by: next });
  };
  const before = () => {
    net.run(1 / 60);
    if (kind === "server") {
      clientJumps();
      client.session.advance();
      serverJumps();
    } else {
      serverJumps();
      server.session.advance();
      clientJumps();
    }
  };
  return [kind === "server" ? server.session : client.session, before];
}

type PeerOfTug = ReturnType<ReturnType<typeof simulatedNetwork>["peer"]> & {
  readonly session: PeerSession & TugSession;
  readonly jump: () => void;
};

/** A session of each kind, and what must happen elsewhere before each of its `advance` calls. */
const KINDS: Record<string, (input: ReturnType<typeof script>) => [TugSession, () => void]> = {
  "a local session": (input) => [local(input), () => {}],
  "a session that predicts": (input) => [
    new PredictingSession({ input, delay: (tick) => 2 + (tick % 3), window: 8 }),
    () => {},
  ],
  "a session that predicts and stalls": (input) => [
    new PredictingSession({ input, delay: (tick) => (tick % 40 === 39 ? 25 : 3), window: 6 }),
    () => {},
  ],
  "a peer that predicts": (input) => peerOf(input, 8),
  "a peer in lockstep, which stalls": (input) => peerOf(input, 0),
  "a server that plays a seat": (input) => authorityOf(input, "server"),
  "a client that predicts a server": (input) => authorityOf(input, "client"),
  "a session that simulates elsewhere": (input) => {
    const elsewhere = local(input, "none");
    const mirror = new MirrorSession(elsewhere);
    let calls = 0;
    const send = () => {
      elsewhere.advance();
      // Messages arrive in bursts of three.
      if (++calls % 3 === 0) mirror.arrive();
    };
    return [mirror, send];
  },
};

/** Steps that a session has taken again. */
function resimulatedBy(session: TugSession): number {
  if (session instanceof PredictingSession) return session.resimulated;
  return session instanceof PeerSession || session instanceof ClientSession
    ? session.net.resimulatedTicks
    : 0;
}

/** The hashes of all states, as a session without any prediction has them. */
function referenceHashes(input: ReturnType<typeof script>): string[] {
  const session = local(input);
  return Array.from({ length: TICKS + 1 }, () => {
    const text = hashText(session.hash());
    session.advance();
    return text;
  });
}

describe.each(Object.entries(KINDS))("%s", (kind, create) => {
  const wild = script("contract");
  const input: typeof wild = (player, tick) => (tick < QUIET ? 0 : wild(player, tick));

  test("says whether it stepped, and its tick agrees", () => {
    const [session, before] = create(input);
    const results = new Set<Advance>();
    while (session.tick < TICKS) {
      const { tick } = session;
      before();
      const result = session.advance();
      results.add(result);
      expect(session.tick).toBe(result === "stepped" ? tick + 1 : tick);
      expect(session.confirmed).toBeLessThanOrEqual(session.tick);
      expect(session.pace).toBeGreaterThan(0.9);
      expect(session.world.clock).toBe(session.tick);
    }
    expect(results).toContain("stepped");
  });

  test("confirms each tick once, in order, with the hash and the bytes of that tick", () => {
    const [session, before] = create(input);
    const hashes = referenceHashes(input);
    const copy = localSession(tug);
    let next = 0;
    let jumps = 0;
    session.on("confirmed", ({ tick, words, commands, absent, hash, bytes }) => {
      expect(tick).toBe(next++);
      expect([...words]).toEqual([input(0, tick), input(1, tick)]);
      expect(commands).toEqual([...jumpsOf(0, tick), ...jumpsOf(1, tick)]);
      expect([...absent]).toEqual([0, 0]);
      jumps += commands.length;
      expect(hashText(hash())).toBe(hashes[tick + 1]);
      if (tick % 7 !== 0) return;
      copy.load(bytes());
      expect([copy.tick, hashText(copy.hash())]).toEqual([tick + 1, hashes[tick + 1]]);
    });
    while (session.tick < TICKS) {
      before();
      session.advance();
      expect(session.confirmed).toBe(next);
    }
    expect(next).toBeGreaterThan(TICKS - 40);
    expect(jumps).toBeGreaterThan(20);
  });

  test("records what is certain: the file is that of a session without any prediction", () => {
    const [session, before] = create(input);
    const reference = local(input);
    const [recorder, wanted] = [record(session, { keyframes: 1 }), record(reference, { keyframes: 1 })];
    while (session.tick < TICKS) {
      before();
      session.advance();
    }
    reference.skip(recorder.last);
    const replay = readReplay(recorder.bytes());
    const expected = readReplay(wanted.bytes());
    expect(verify(tug, replay)).toMatchObject({ ok: true, message: "" });
    // A client is ahead when the recording begins: the first certain state is that after tick 0.
    const first = session instanceof ClientSession ? 1 : 0;
    expect([replay.first, replay.last]).toEqual([first, session.confirmed]);
    expect(replay.last).toBe(expected.last);
    expect([...recordedCommands(replay)]).toEqual([...recordedCommands(expected)]);
    for (let tick = first; tick < replay.last; tick++) {
      const [a, b] = [replay.inputs(), expected.inputs()];
      a.seek(tick);
      b.seek(tick);
      expect([...a.words]).toEqual([...b.words]);
    }
    // The end of the file may lack the last state, where the session is ahead of it.
    const until = Math.floor(replay.last / 60) * 60;
    const ticksOf = ({ keyframes }: typeof replay) =>
      keyframes.map(({ tick }) => tick).filter((tick) => tick > first && tick <= until);
    expect(ticksOf(replay)).toEqual(ticksOf(expected));
  });

  test("delivers each effect once, and withdraws what did not happen", () => {
    const [session, before] = create(input);
    const heard: string[] = [];
    const withdrawn: string[] = [];
    session.on("effect", (effect) => {
      heard.push(effectText(effect));
      // Ages are whole ticks here, as `view` shows the newest state. A predicted tick may turn out differently later.
      const age = (effect.age * tug.rate[0]) / tug.rate[1];
      expect(age).toBeCloseTo(session.tick - effect.tick - 1, 6);
    });
    session.on("withdrawn", (effect) => void withdrawn.push(effectText(effect)));
    while (session.tick < TICKS) {
      before();
      session.advance();
      session.view(1);
    }
    const wanted: string[] = [];
    const reference = local(input, "none");
    reference.on("effect", (effect) => void wanted.push(effectText(effect)));
    while (reference.tick < TICKS) reference.advance();

    expect(new Set(heard).size).toBeGreaterThan(20);
    // An effect may be withdrawn and happen again later, so count.
    const left = [...heard];
    for (const effect of withdrawn) {
      expect(left).toContain(effect);
      left.splice(left.indexOf(effect), 1);
    }
    const certain = (effects: string[]) =>
      effects.filter((effect) => (JSON.parse(effect) as TugEffect).tick < session.confirmed).sort();
    expect(certain(left)).toEqual(certain(wanted));
    const isPredicting = kind.includes("predicts");
    expect(withdrawn.length > 0).toBe(isPredicting);
    expect(resimulatedBy(session) > 0).toBe(isPredicting);
  });

  test.each([60, 144, 37])(
    "a loop draws it at %i Hz without a jump, and holds the picture in a stall",
    (hz) => {
      const [session, before] = create(input);
      const driver = manualDriver();
      const drawn: number[] = [];
      const held = { stalled: 0, moved: 0 };
      let result: Advance = "stepped";
      const advance = session.advance.bind(session);
      session.advance = (timing) => {
        before();
        return (result = advance(timing));
      };
      const { loop, dispose } = drive(session, {
        driver,
        render(view) {
          const shown = view.clock;
          const last = drawn.at(-1);
          if (last !== undefined && result !== "stepped") {
            // At most up to the newest state, and never back.
            held.stalled += 1;
            if (shown !== session.tick) held.moved += 1;
          }
          drawn.push(shown);
        },
      });
      driver.display(hz, 5);
      expect(loop.running).toBe(true);
      expect(held.moved).toBe(0);
      expect(held.stalled > 0).toBe(/stalls|elsewhere/.test(kind));
      const perFrame = 60 / hz;
      drawn.forEach((shown, i) => {
        if (i === 0) return;
        const move = shown - drawn[i - 1]!;
        expect(move).toBeGreaterThanOrEqual(-1e-9);
        // After a stall, the picture may start with up to a whole step more.
        expect(move).toBeLessThanOrEqual(Math.ceil(perFrame) + 1e-6);
      });
      expect(drawn.at(-1)).toBeGreaterThan(100);
      dispose();
    },
  );
});

describe("a stalled session", () => {
  test("stalls when its window is full, and goes on when inputs arrive", () => {
    const input = script("stall");
    const session = new PredictingSession({ input, delay: (tick) => (tick === 50 ? 30 : 1), window: 6 });
    const results: Advance[] = [];
    for (let i = 0; i < 120; i++) results.push(session.advance());
    expect(results.filter((result) => result === "stalled").length).toBeGreaterThan(20);
    expect(results.lastIndexOf("stalled")).toBeLessThan(100);
    expect(results.at(-1)).toBe("stepped");
  });

  test("speculates without a jump, too", () => {
    const session = new PredictingSession({
      input: script("speculate"),
      delay: (tick) => (tick === 50 ? 30 : 1),
      window: 6,
      present: "speculate",
    });
    const drawn: number[] = [];
    for (let i = 0; i < 120; i++) {
      session.advance();
      for (const alpha of [0, 0.25, 0.5, 0.75]) drawn.push(session.view(alpha).clock);
    }
    for (let i = 1; i < drawn.length; i++) {
      expect(drawn[i]! - drawn[i - 1]!).toBeGreaterThanOrEqual(0);
      expect(drawn[i]! - drawn[i - 1]!).toBeLessThanOrEqual(1);
    }
  });
});

describe("effects that wait until they are certain", () => {
  test("are delivered once, in order, and never withdrawn; all others as before", () => {
    const input = script("certain");
    const session = new PredictingSession({
      input,
      delay: (tick) => 2 + (tick % 5),
      window: 8,
      when: (name) => (name === "collision" ? "shown" : "confirmed"),
    });
    const heard: TugEffect[] = [];
    const withdrawn: TugEffect[] = [];
    session.on("effect", (effect) => {
      expect(effect.name === "collision" || effect.tick < session.confirmed).toBe(true);
      heard.push(effect);
    });
    session.on("withdrawn", (effect) => void withdrawn.push(effect));
    while (session.tick < TICKS) {
      session.advance();
      session.view(1);
    }
    const wanted: TugEffect[] = [];
    const reference = local(input, "none");
    reference.on("effect", (effect) => void wanted.push(effect));
    while (reference.tick < session.confirmed) reference.advance();
    const certain = (effects: TugEffect[]) => effects.filter(({ name }) => name !== "collision");
    expect(certain(heard).map(effectText)).toEqual(certain(wanted).map(effectText));
    expect(certain(heard).length).toBeGreaterThan(40);
    expect(certain(withdrawn)).toEqual([]);
    expect(withdrawn.length).toBeGreaterThan(0);
  });
});

describe("a headless session", () => {
  const input = script("headless");

  test("delivers effects without a view, as soon as they are certain", () => {
    const wanted: TugEffect[] = [];
    const reference = local(input);
    reference.on("effect", (effect) => void wanted.push(effect));
    for (const create of [
      () => local(input, "none"),
      () => new PredictingSession({ input, delay: () => 4, window: 8, present: "none" }),
    ]) {
      const session = create();
      const heard: TugEffect[] = [];
      session.on("effect", (effect) => {
        expect(effect.tick).toBeLessThan(session.confirmed);
        heard.push(effect);
      });
      session.on("withdrawn", () => expect.unreachable("a certain effect was withdrawn"));
      while (session.confirmed < 200) session.advance();
      while (reference.tick < 200) {
        reference.advance();
        reference.view(1);
      }
      expect(heard.filter(({ tick }) => tick < 200)).toEqual(wanted.filter(({ tick }) => tick < 200));
      expect(() => session.view(1)).toThrow('Session.view: a session with present: "none" has no view.');
    }
  });

  test("is driven by a loop that draws nothing", () => {
    const driver = manualDriver();
    const effects: number[] = [];
    const { session, dispose } = drive(local(input, "none"), {
      driver,
      effect: ({ tick }) => void effects.push(tick),
    });
    driver.display(60, 2);
    expect(session.tick).toBeGreaterThan(110);
    expect(effects.length).toBeGreaterThan(5);
    dispose();
  });

  test("counts the effects that are lost because nothing is ever drawn", () => {
    const session = localSession(tug, {
      inputs: (players) => players.forEach((player) => (player.push = true)),
    });
    session.on("effect", () => {});
    for (let i = 0; i < 10_010; i++) session.advance();
    // One collision per tick, and one push per player.
    expect(session.lostEffects).toBe(12);
    session.view(1);
    expect(session.lostEffects).toBe(12);
  });
});
