// Rooms with very many seats in lockstep, each of them a client of its own: bench/lockstep.bench.mjs plays longer.
import { expect, test } from "vitest";
import { random } from "../../src/math/index.js";
import { NETWORK_PROFILES } from "../../src/net/network-profiles.js";
import { simulatedNetwork, type SimulatedNetwork } from "../../src/net/simulated.js";
import { readReplay, record, verify } from "../../src/replay/index.js";
import { plazaFor } from "./plaza.js";

const LINES = (["good wifi", "4G", "bad wifi"] as const).map((name) => NETWORK_PROFILES[name]);
type Game = ReturnType<typeof plazaFor>;
type Room = ReturnType<typeof roomOf>;

function roomOf(players: number, rate: number, seats = 1) {
  const net: SimulatedNetwork = simulatedNetwork({ seed: `crowd of ${players}` });
  const game: Game = plazaFor(players as number, { rate });
  const server = net.server(game, { down: "lockstep", hashEvery: rate, timeout: 2 });
  const add = (number: number) => {
    const dice = random(new Uint32Array(4)).seed(`player ${number}`);
    const chance = dice.int(2, 8) / rate / 2;
    return net.client(game, server, {
      name: `p${number}`,
      seats,
      window: 0,
      present: "none",
      kernels: "js",
      conditions: LINES[number % LINES.length],
      inputs: (players) => {
        for (const player of players) {
          if (dice.chance(chance)) player.way = dice.int(0, 4);
          if (dice.chance(chance)) player.hit = !player.hit;
        }
      },
    });
  };
  return { net, game, server, add, clients: [] as ReturnType<typeof add>[] };
}

/** Stops the server, and checks that everybody arrives at its last state. */
function expectOneState({ net, server }: Room, clients: Room["clients"]): void {
  server.freeze();
  net.run(1);
  const last = [server.session.tick, ...server.session.hash()].join();
  const states = clients.map(({ session }) => [session.tick, ...session.hash()].join());
  expect(states.filter((state) => state !== last)).toEqual([]);
  expect(clients.reduce((sum, { session }) => sum + session.net.desyncs, 0)).toBe(0);
}

test("a thousand seats, two per client", { timeout: 300_000 }, () => {
  const room = roomOf(1000, 10, 2);
  const { net, server, clients, add } = room;
  while (clients.length < 500) clients.push(add(clients.length));
  net.run(3);
  expect(server.session.net.clients.filter(({ role }) => role === "playing")).toHaveLength(500);
  expect(new Set(clients.flatMap(({ session }) => session.seats)).size).toBe(1000);
  expectOneState(room, clients);
  expect(server.session.tick).toBeGreaterThanOrEqual(30);
  const [first] = clients;
  expect(first!.session.net.members).toHaveLength(500);
  expect(first!.session.seatNames.every((name) => name !== "")).toBe(true);
  // Everybody has moved, so everybody's inputs count.
  expect(server.session.net.clients.every(({ inTimeInputs }) => inTimeInputs > 0)).toBe(true);
  net.dispose();
});

test("two hundred seats: joins, leaves, deaths, and clients that come back", { timeout: 300_000 }, () => {
  const room = roomOf(200, 10);
  const { net, server, clients, add, game } = room;
  const recording = record(server.session);
  const dice = random(new Uint32Array(4)).seed("fate");
  while (clients.length < 200) clients.push(add(clients.length));
  net.run(3);
  const gone = new Set<number>();
  let added = 200;
  for (let second = 0; second < 8; second++) {
    for (let i = 0; i < 3; i++) {
      const number = dice.int(0, 199);
      const client = clients[number]!;
      if (gone.has(number)) continue;
      gone.add(number);
      // One leaves, one dies without a word, one comes back over a new link at once.
      if (i === 0) client.session.leave();
      if (i < 2) client.kill();
      else {
        net.connect(client, server, LINES[0]);
        gone.delete(number);
      }
    }
    // Somebody else gets a seat that was left.
    if (second > 1) clients.push(add(added++));
    net.run(1);
  }
  net.run(4);
  const alive = clients.filter((client) => !client.isGone && client.session.net.state === "playing");
  expect(alive.length).toBeGreaterThan(150);
  // Those that found no free seat were told so.
  const others = clients.filter((client) => !client.isGone && !alive.includes(client));
  expect(others.filter(({ session }) => session.net.state !== "rejected")).toEqual([]);
  const names = (members: readonly { readonly name: string }[]) => members.map(({ name }) => name).sort();
  for (const { session } of alive.slice(0, 20))
    expect(names(session.net.members)).toEqual(names(server.session.net.clients));
  expectOneState(room, alive);
  const replay = readReplay(recording.bytes());
  expect(verify(game, replay)).toMatchObject({ ok: true, message: "" });
  expect(replay.seats.some(({ seat }) => seat > 127)).toBe(true);
  net.dispose();
});
