// A server that stands still is replaced, and finds out when it goes on.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRedis, type Redis } from "../shared/redis.js";
import { RATE } from "./game.js";
import type { PlayerReport } from "./players.js";
import { bundle, canRun, freePorts, NOTE, start, type Program } from "./processes.js";
import type { ServerStatus } from "./room-server.js";

let redis: Redis;
let servers: Program[] = [];
let players: Program;

const reports = async () => (await players.ask<{ players: PlayerReport[] }>("report")).players;

beforeAll(async () => {
  if (!canRun) return;
  redis = (await startRedis())!;
  const ports = await freePorts(2);
  const [serverFile, playersFile] = await Promise.all([bundle("room-server"), bundle("players")]);
  const options = { deadAfter: 600, stalledAfter: 3000 };
  servers = await Promise.all(ports.map((port) => start(serverFile, { port, redis: redis.url, options })));
  const addresses = ports.map((port) => `ws://127.0.0.1:${port}`);
  players = await start(playersFile, { addresses, timeout: 2 });
});

afterAll(async () => {
  for (const server of servers) server.signal("SIGCONT");
  await Promise.all([...servers, players].map((program) => program?.end()));
  await redis?.stop();
});

test.skipIf(!canRun)(
  `a server that hangs loses its rooms to another one, and lets go of them${NOTE}`,
  async () => {
    const ids = await players.ask<string[]>("fill", "arena", 2, 2);
    await expect.poll(async () => (await reports()).every(({ confirmed }) => confirmed > RATE)).toBe(true);
    const all = await Promise.all(servers.map((server) => server.ask<ServerStatus>("status")));
    const stopped = all.findIndex(({ rooms }) => rooms.some(({ id }) => id === ids[0]));
    const [hanging, other] = [servers[stopped]!, servers[1 - stopped]!];

    hanging.signal("SIGSTOP");
    const isBack = ({ roomId, rejoined, after }: PlayerReport) =>
      roomId !== ids[0] || (rejoined > 0 && after >= 0);
    await expect.poll(async () => (await reports()).every(isBack)).toBe(true);
    hanging.signal("SIGCONT");

    // It still has the room, until it hears that another process has it.
    await expect.poll(() => hanging.ask<string>("metrics")).toMatch(/^tickwise_rooms_taken_total [1-9]/m);
    await expect
      .poll(async () => (await hanging.ask<ServerStatus>("status")).rooms.map(({ id }) => id))
      .not.toContain(ids[0]);
    expect((await other.ask<ServerStatus>("status")).rooms.map(({ id }) => id)).toContain(ids[0]);
    expect(await other.ask<string>("metrics")).toMatch(/^tickwise_rooms_resumed_total [1-9]/m);
    // The listing still leads to the other one, and its players play on.
    const before = await reports();
    await expect
      .poll(async () =>
        (await reports()).every(({ confirmed }, index) => confirmed > before[index]!.confirmed + RATE),
      )
      .toBe(true);
    await players.ask("join", "viewer", ids[0]);
    await expect.poll(async () => (await reports()).at(-1)!.state).toBe("watching");
  },
);
