// Hostile clients against a room: it goes on, others do not notice, and memory stays bounded.
import { afterAll, beforeAll, expect, test } from "vitest";
import { FULL } from "../full.js";
import { startRedis, type Redis } from "../shared/redis.js";
import { RATE } from "./game.js";
import type { PlayerReport } from "./players.js";
import { bundle, canRun, freePorts, NOTE, start, type Program } from "./processes.js";
import type { ServerStatus } from "./room-server.js";

/** Milliseconds of each kind of flood. */
const FLOOD = FULL ? 20_000 : 1000;
/** Megabytes that the heap may have grown by, after all attacks and a garbage collection. */
const MAX_GROWTH = 30;

let redis: Redis;
let server: Program;
let players: Program;
let attackers: Program;
let room: string;

const reports = async () => (await players.ask<{ players: PlayerReport[] }>("report")).players;
const status = () => server.ask<ServerStatus>("status");
/** Waits until all honest players have confirmed a second more. */
const playOn = async () => {
  const before = await reports();
  await expect
    .poll(async () => (await reports()).map(({ confirmed }, i) => confirmed > before[i]!.confirmed + RATE))
    .not.toContain(false);
  for (const player of await reports())
    expect(player).toMatchObject({ state: "playing", rejoined: 0, desyncs: 0, kept: "joined" });
};

beforeAll(async () => {
  if (!canRun) return;
  redis = (await startRedis())!;
  const [port] = await freePorts(1);
  const files = await Promise.all(["room-server", "players", "attackers"].map(bundle));
  server = await start(files[0]!, { port, redis: redis.url });
  players = await start(files[1]!, { addresses: [`ws://127.0.0.1:${port}`] });
  attackers = await start(files[2]!, { port });
  // One room is attacked, the other one is next to it.
  [room] = (await players.ask<string[]>("fill", "arena", 2, 3)) as [string];
});

afterAll(async () => {
  await Promise.all([server, players, attackers].map((program) => program?.end()));
  await redis?.stop();
});

test.skipIf(!canRun)(`floods of messages that break the rules${NOTE}`, async () => {
  await playOn();
  const before = await status();
  for (const kind of await attackers.ask<string[]>("kinds")) {
    const { sent } = await attackers.ask<{ sent: number }>("flood", kind, room, FLOOD);
    expect(`${kind} ${sent > 0}`).toBe(`${kind} true`);
    await playOn();
  }
  const after = await status();
  expect((after.heap - before.heap) / 1e6).toBeLessThan(MAX_GROWTH);
  expect(after.processId).toBe(before.processId);
  expect(after.problems).toEqual([]);
});

test.skipIf(!canRun)(`forged seats, wrong tokens and requests that are none${NOTE}`, async () => {
  const { processId } = await status();
  const answers = await attackers.ask<string[]>("requests", room);
  // Nothing but refusals and rooms that somebody may create.
  for (const answer of answers) expect(answer).not.toMatch(/node_modules|at .*\.mjs|root:/);
  const sessionIds = await players.ask<string[]>("sessionIds");
  expect(sessionIds.length).toBeGreaterThan(0);
  expect(await attackers.ask<number>("forgedSeats", room, processId, sessionIds)).toBe(0);
  expect(await attackers.ask<string>("takenSeat", room)).toBe("rejected");
  expect(await attackers.ask<number>("silent", 200, 3000)).toBe(200);
  await playOn();
  const { rooms } = await status();
  expect(rooms.find(({ id }) => id === room)).toMatchObject({ players: 3, watchers: 0 });
});
