// Servers that send states: what clients compute, what they may see, and how much it costs.
import { describe, expect, test } from "vitest";
import { random } from "../../src/math/index.js";
import type { ClientSession } from "../../src/net/authority/client-session.js";
import { serverSession } from "../../src/net/authority/server-session.js";
import { clientSession } from "../../src/net/authority/client-session.js";
import { loopbackPair } from "../../src/net/loopback.js";
import { simulatedNetwork, type SimulatedPeer } from "../../src/net/simulated.js";
import type { NetworkProfile } from "../../src/net/network-profiles.js";
import { record } from "../../src/replay/index.js";
import { simulation } from "../../src/sim/index.js";
import { f64, layout } from "../../src/state/index.js";
import { sampleOf } from "../shared/sample.js";
import { crowd, type CrowdOptions } from "./crowd.js";

type Game = ReturnType<typeof crowd>;

const NETWORKS: readonly NetworkProfile[] = ["good wifi", "4G", "bad wifi", "satellite", "hell"];
type Player = { right: number; down: number; throw: boolean };

/** Walks about, and throws stones; until it is told to rest. */
function bot(seed: string, rest: { isOn: boolean }) {
  const dice = random(new Uint32Array(4)).seed(seed);
  return ([me]: readonly [Player, ...Player[]]): void => {
    if (rest.isOn) {
      me.right = me.down = 0;
      me.throw = false;
      return;
    }
    if (dice.chance(0.05)) me.right = dice.int(-10, 10) / 10;
    if (dice.chance(0.05)) me.down = dice.int(-10, 10) / 10;
    me.throw = dice.chance(0.1);
  };
}

interface Setup {
  readonly network?: NetworkProfile;
  readonly seed?: number;
  readonly game?: CrowdOptions;
  readonly clientGame?: CrowdOptions;
  readonly clients?: number;
  readonly server?: object;
  readonly client?: object;
}

function play({ network = "4G", seed = 1, game, clientGame, clients = 2, server: more, client }: Setup = {}) {
  const net = simulatedNetwork({ network, seed });
  const rules = crowd(game);
  const server = net.server(rules, { down: "states", ...more });
  const rest = { isOn: false };
  const peers = Array.from({ length: clients }, (_, i) =>
    net.client(clientGame ? crowd(clientGame) : rules, server, {
      inputs: bot(`${seed} ${i}`, rest) as never,
      name: `client ${i}`,
      ...client,
    }),
  );
  return { net, server, peers, rest };
}

describe.each(sampleOf(NETWORKS, 2, "hell"))("on %s", (network) => {
  test("once the inputs are known, clients compute what the server computes", () => {
    const game = play({ network, game: { secret: 0 } });
    game.net.run(15);
    game.rest.isOn = true;
    game.net.run(4);
    const hashes = game.peers.map(({ session }) => [session.tick, positions(session)] as const);
    const reached = new Map<number, string>();
    game.server.session.on("confirmed", ({ tick }) => reached.set(tick + 1, positions(game.server.session)));
    game.net.run(3);
    for (const [tick, state] of hashes) expect(state).toBe(reached.get(tick));
    for (const { session } of game.peers) {
      expect(session.net.rollbacks).toBeGreaterThan(10);
      expect(session.net.drift).not.toBe("diverging");
    }
  });
});

type AnySession = { readonly world: Game extends never ? never : unknown };

/** Everything that can be seen, as text. */
function positions(session: AnySession): string {
  const world = session.world as {
    readonly players: Iterable<{ x: number; y: number }>;
    readonly wanderers: Iterable<{ x: number; y: number; vx: number }>;
    readonly stones: Iterable<{ x: number; y: number; by: number; age: number }>;
  };
  return JSON.stringify([
    Array.from(world.players, ({ x, y }) => [x, y]),
    Array.from(world.wanderers, ({ x, y, vx }) => [x, y, vx]),
    Array.from(world.stones, ({ x, y, by, age }) => [x, y, by, age]),
  ]);
}

test("states that are rounded agree within the quantum", () => {
  const quantum = 1 / 64;
  const game = play({ game: { quantum } });
  game.net.run(10);
  game.rest.isOn = true;
  game.net.run(4);
  const [client] = game.peers as [SimulatedPeer<ClientSession>];
  const before = JSON.parse(positions(client.session)) as number[][][];
  const { tick } = client.session;
  let truth: number[][][] | undefined;
  game.server.session.on("confirmed", (confirmed) => {
    if (confirmed.tick + 1 === tick) truth = JSON.parse(positions(game.server.session)) as number[][][];
  });
  game.net.run(2);
  expect(truth).toBeDefined();
  const [ours, theirs] = [before.slice(0, 2).flat(), truth!.slice(0, 2).flat()];
  expect(ours.length).toBe(theirs.length);
  ours.forEach(([x, y], i) => {
    expect(Math.abs(x! - theirs[i]![0]!)).toBeLessThanOrEqual(quantum / 2 + 1e-9);
    expect(Math.abs(y! - theirs[i]![1]!)).toBeLessThanOrEqual(quantum / 2 + 1e-9);
  });
});

// What clients may see

/** Plays a game, and returns every byte that the client received. */
function received(secret: number, hideAbove: number): string {
  const game = crowd({ secret, wanderers: 30 });
  const [near, far] = loopbackPair();
  let now = 0;
  const server = serverSession(game, {
    down: "states",
    now: () => now,
    wall: () => 0,
    visible: (world, _seats, table, row) =>
      table !== "wanderers" ||
      (world as never as { wanderers: { x: Float64Array } }).wanderers.x[row]! < hideAbove,
  });
  server.connect(far);
  const bytes: string[] = [];
  near.on("message", (message) => bytes.push([...message].join()));
  const client = clientSession(game, near, { now: () => now, token: "t" });
  for (let tick = 0; tick < 600; tick++, now += 1000 / 60) {
    server.advance();
    client.advance();
  }
  expect(client.net.state).toBe("playing");
  return bytes.join(";");
}

test("no byte that a client receives depends on secrets", () => {
  const seen = received(3, 50);
  expect(seen.length).toBeGreaterThan(10_000);
  expect(received(12, 50)).toBe(seen);
  // It does depend on what may be seen.
  expect(received(3, 60)).not.toBe(seen);
});

test("rows that a client may not see are not in its world, and appear when it may", () => {
  const { net, server, peers } = play({
    clients: 1,
    server: {
      visible: (world: { wanderers: { x: Float64Array } }, _: unknown, table: string, row: number) =>
        table !== "wanderers" || world.wanderers.x[row]! < 50,
    },
  });
  net.run(5);
  const [{ session }] = peers as [SimulatedPeer<ClientSession>];
  const world = session.world as never as { wanderers: { count: number; x: Float64Array } };
  const all = server.session.world.wanderers;
  const near = Array.from(all, ({ x }) => x).filter((x) => x < 50).length;
  expect(near).toBeGreaterThan(5);
  expect(Math.abs(world.wanderers.count - near)).toBeLessThan(5);
});

test("secrets need states: with inputs, everybody can compute them", () => {
  expect(() => serverSession(crowd(), {})).toThrow(/"states", as "plan" is secret/);
});

test("a tight budget: important rows stay fresh, and none starves", () => {
  const rate = 20;
  const budget = 8000;
  const { net, server, peers } = play({
    clients: 1,
    game: { wanderers: 400, quantum: 1 / 64 },
    server: {
      budget,
      stateRate: rate,
      priority: (_world: unknown, _seats: unknown, table: string, row: number) =>
        table === "wanderers" && row < 10 ? 100 : 1,
    },
  });
  net.run(3);
  const info = () => server.session.net.clients[0]!;
  const before = info().bytesSent;
  const session = peers[0]!.session as ClientSession;
  const world = session.world as never as { wanderers: { ticks: Uint32Array } };
  let [important, others] = [0, 0];
  for (let i = 0; i < 150; i++) {
    net.run(0.1);
    // How many ticks ago each row was sent.
    const ages = Array.from(world.wanderers.ticks.subarray(0, 400), (ticks) => session.tick - ticks);
    important = Math.max(important, ...ages.slice(0, 10));
    others = Math.max(others, ...ages.slice(10));
  }
  expect((info().bytesSent - before) / 15).toBeLessThan(budget * 1.25);
  // Others have to wait, but no row waits for long.
  expect(important).toBeLessThan(20);
  expect(others).toBeGreaterThan(60);
  expect(others).toBeLessThan(300);
});

test("a large state reaches a new client in spite of heavy loss", () => {
  const { net, peers } = play({ network: "hell", clients: 1, game: { wanderers: 1000 } });
  net.run(10);
  expect(peers[0]!.session.net.state).toBe("playing");
  expect(peers[0]!.session.confirmed).toBeGreaterThan(400);
});

test("a client without a seat is told to be a viewer", () => {
  const { net, peers } = play({ clients: 1, client: { seats: [] } });
  net.run(2);
  const { state, last } = peers[0]!.session.net;
  expect(state).toBe("rejected");
  expect(last.rejected?.text).toMatch(/Watch with viewerSession/);
});

test("the server measures the round trip, and clients count late inputs", () => {
  const { net, server, peers } = play({ clients: 1 });
  net.run(5);
  const { roundTrip, lateInputs } = server.session.net.clients[0]!;
  // 60 ms each way, and up to three ticks until the next state or packet.
  expect(roundTrip).toBeGreaterThan(110);
  expect(roundTrip).toBeLessThan(200);
  expect(Math.abs(peers[0]!.session.net.lateInputs - lateInputs)).toBeLessThan(5);
});

test("without smoothing, the drift is measured as well", () => {
  const { net, peers } = play({ network: "bad wifi", client: { smoothing: false } });
  for (let i = 0; i < 300; i++) {
    net.run(1 / 60);
    for (const { session } of peers) if (session.net.state === "playing") session.view(0.5);
  }
  expect(peers[0]!.session.net.drift).not.toBe("matched");
});

// Physics engines

const outside = (rebuild: boolean) => {
  let x = 0;
  const world = { x: 0 };
  return simulation({
    name: "outside",
    version: 1,
    rate: 60,
    players: 1,
    state: layout({ x: f64 }),
    input: {},
    external: {
      body: () => ({
        save: () => new Uint8Array(new Float64Array([x]).buffer),
        load: (bytes: Uint8Array) => {
          x = new Float64Array(bytes.slice().buffer)[0]!;
        },
        hash: () => [x | 0, 0] as [number, number],
        ...(rebuild ? { rebuild: () => void (x = world.x) } : {}),
      }),
    },
    step(state) {
      state.x += 1;
      world.x = state.x;
      x += 1;
    },
  });
};

test("external state must be rebuilt from the world, or states are rejected", () => {
  expect(() => serverSession(outside(false), { down: "states" })).toThrow(
    /states do not contain the external state "body", and it has no rebuild\(\)/,
  );
  expect(serverSession(outside(true), { down: "states" }).tick).toBe(0);
});

test("a client that gets states cannot be recorded, and says so", () => {
  const { net, peers, server } = play({ network: "good wifi" });
  const early = record(peers[0]!.session);
  net.run(2);
  const message =
    /^record: the server sends states, not inputs \(down: "states"\)\. Record the server's session\.$/;
  expect(() => early.bytes()).toThrow(message);
  expect(() => record(peers[0]!.session)).toThrow(message);
  expect(() => record(net.viewer(peers[0]!.session.simulation, server).session)).toThrow(
    /^record: a viewer gets states/,
  );
  expect(() => record(server.session)).not.toThrow();
});
