// Three servers with Redis, rooms of all modes, and many players. One server is killed, and Redis is restarted.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readReplay, replayPlayer, verify } from "../../src/replay/index.js";
import { FULL } from "../full.js";
import { startRedis, type Redis } from "../shared/redis.js";
import { GAME, RATE } from "./game.js";
import type { PlayerReport } from "./players.js";
import { bundle, canRun, freePorts, NOTE, start, type Program } from "./processes.js";
import type { ServerStatus } from "./room-server.js";

/** Rooms by mode. Each has four players. */
const ROOMS = FULL ? { arena: 40, relay: 5, lockstep: 5 } : { arena: 4, relay: 1, lockstep: 1 };
const SEATS = FULL ? 4 : 3;
/** Milliseconds for which rooms of an idle machine do not wait. */
const BUSY = 500;

let redis: Redis;
let folder: string;
let servers: Program[] = [];
let players: Program;
/** Ids of rooms by mode. */
const ids: Record<string, string[]> = {};

interface Report {
  readonly players: readonly PlayerReport[];
  readonly disagreements: number;
  readonly agreed: number;
}
const report = () => players.ask<Report>("report");
const status = (server: Program) => server.ask<ServerStatus>("status");
const failure = async ({ players: all }: Report) => {
  const states = all.map(
    ({ kind, roomId, state, kept, seats, tick, confirmed, rejoined, lost }) =>
      `${kind} ${roomId} ${state} ${kept} seats ${seats.join()} ticks ${tick} ${confirmed} rejoined ${rejoined} lost: ${lost}`,
  );
  const alive = servers.filter(({ isAlive }) => isAlive);
  const problems = (await Promise.all(alive.map(status))).flatMap(({ problems: each }) => each);
  return [`not reached. Players:`, ...states, ...problems, ...servers.map(({ output }) => output)].join("\n");
};
/** Waits for a condition of the report. */
const until = async (
  holds: (report: Report) => boolean | Promise<boolean>,
  timeout = FULL ? 250_000 : 120_000,
): Promise<Report> => {
  const end = performance.now() + timeout;
  for (;;) {
    const now = await report();
    if (await holds(now)) return now;
    if (performance.now() > end) throw new Error(await failure(now));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
/** Waits until each of some players has confirmed more ticks than now. */
const playOn = async (filter: (player: PlayerReport) => boolean, ticks: number) => {
  const before = await report();
  return until((now) =>
    now.players.every(
      (player, index) => !filter(player) || player.confirmed > before.players[index]!.confirmed + ticks,
    ),
  );
};

beforeAll(async () => {
  if (!canRun) return;
  redis = (await startRedis())!;
  folder = await mkdtemp(join(tmpdir(), "tickwise-colyseus-"));
  const [serverFile, playersFile] = await Promise.all([bundle("room-server"), bundle("players")]);
  const ports = await freePorts(3);
  servers = await Promise.all(
    ports.map((port) => start(serverFile, { port, redis: redis.url, replays: folder })),
  );
  players = await start(playersFile, { addresses: ports.map((port) => `ws://127.0.0.1:${port}`) });
});

afterAll(async () => {
  await Promise.all([...servers, players].map((program) => program?.end()));
  await redis?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test.skipIf(!canRun)(`players of all modes play in rooms of three servers${NOTE}`, async () => {
  for (const [kind, rooms] of Object.entries(ROOMS))
    ids[kind] = await players.ask<string[]>("fill", kind, rooms, SEATS);
  await until((now) =>
    now.players.every(({ state, confirmed }) => state === "playing" && confirmed > 2 * RATE),
  );
  const all = await Promise.all(servers.map(status));
  // They are spread.
  for (const { rooms } of all) expect(rooms.length).toBeGreaterThan(0);
  const now = await report();
  expect(now.disagreements).toBe(0);
  expect(now.agreed).toBeGreaterThan(100);
  expect(now.players.filter(({ desyncs }) => desyncs > 0)).toEqual([]);
});

test.skipIf(!canRun)(
  `a viewer watches, and a player whose connection is cut comes back to its seat${NOTE}`,
  async () => {
    await players.ask("join", "viewer", ids.arena![0]);
    await until((now) => now.players.at(-1)!.state === "watching" && now.players.at(-1)!.confirmed > 0);
    const before = (await report()).players;
    expect(before[0]).toMatchObject({ kind: "arena", state: "playing" });
    await players.ask("drop", 0);
    const after = await until(({ players: [first] }) => first!.rejoined === 1 && first!.state === "playing");
    expect(after.players[0]!.seats).toEqual(before[0]!.seats);
    await playOn((player) => player.roomId === before[0]!.roomId, RATE);
  },
);

test.skipIf(!canRun)(
  `a server is killed: its rooms go on elsewhere or are reported lost, others play on${NOTE}`,
  async () => {
    const { rooms: dying } = await status(servers[0]!);
    const modes = new Map(dying.map(({ id, mode }) => [id, mode]));
    // The server must have a room of each kind that matters here.
    expect([...modes.values()]).toContain("authority");
    await players.ask("mark");
    const before = await report();
    const killedAt = performance.now();
    await servers[0]!.end("SIGKILL");
    const isDying = ({ roomId }: PlayerReport) => modes.has(roomId);
    const canReturn = (player: PlayerReport) => isDying(player) && modes.get(player.roomId) === "authority";
    const now = await until(({ players: all }) =>
      all.every((player, index) => {
        if (!isDying(player)) return true;
        if (!canReturn(player)) return player.kept === "lost";
        return player.rejoined > before.players[index]!.rejoined && player.after >= 0;
      }),
    );
    const tookMs = performance.now() - killedAt;
    const back = now.players.filter(canReturn);
    const lost = now.players.filter((player) => isDying(player) && !canReturn(player));
    expect(back.length).toBeGreaterThan(0);
    for (const player of lost)
      expect(player.lost).toMatch(
        /^the room is lost: its server died, and rooms of this mode are not saved \(server: http:/,
      );
    // Everyone has the seat of before, in the same room.
    now.players.forEach((player, index) => {
      if (!canReturn(player)) return;
      expect(player.roomId).toBe(before.players[index]!.roomId);
      expect(player.seats).toEqual(before.players[index]!.seats);
      expect(player.state).not.toBe("rejected");
    });
    // The others did not notice.
    now.players.forEach((player, index) => {
      if (isDying(player)) return;
      expect(player.rejoined).toBe(before.players[index]!.rejoined);
      expect(player.confirmed).toBeGreaterThan(before.players[index]!.confirmed);
      expect(player.lost).toBeUndefined();
    });

    // The rooms continue from a state that the players know.
    const files = await readdir(folder);
    const lostTicks: number[] = [];
    let proven = 0;
    for (const id of modes.keys()) {
      if (modes.get(id) !== "authority") continue;
      const ticks = files
        .filter((file) => file.startsWith(`${id}-`))
        .map((file) => Number(/-(\d+)\.twr$/.exec(file)![1]));
      const restoredAt = Math.max(...ticks);
      expect(ticks.length).toBe(2);
      const file = join(folder, `${id}-${restoredAt}.twr`);
      // It grows once per second.
      await expect.poll(async () => (await readFile(file)).length).toBeGreaterThan(0);
      const replay = readReplay(await readFile(file));
      const player = replayPlayer(GAME, replay);
      // What the players had confirmed before. The event of a step has the hash of the state after it. Those who lag had not come so far.
      const known = await players.ask<(string | null)[]>("hashAt", id, restoredAt - 1);
      const hashes = known.filter((hash) => hash !== null);
      expect(hashes.length).toBeLessThanOrEqual(1);
      const hash = player.hash().join();
      expect(hashes[0] ?? hash).toBe(hash);
      proven += hashes.length;
      player.dispose();
      // What the players had seen when their connection broke.
      const newest = Math.max(...back.filter(({ roomId }) => roomId === id).map((each) => each.before + 1));
      lostTicks.push(newest - restoredAt);
    }
    await playOn((player) => player.lost === undefined, 2 * RATE);
    const end = await report();
    expect(end.disagreements).toBe(0);
    expect(end.players.every(({ desyncs }) => desyncs === 0)).toBe(true);

    const away = Math.max(...back.map((player) => player.away));
    const gap = Math.max(
      ...now.players
        .filter((player) => !isDying(player) && player.kind !== "viewer")
        .map((player) => player.gap),
    );
    console.log(
      `killed a server with ${modes.size} rooms: ${back.length} players were back after at most ${away.toFixed(0)} ms, ` +
        `${lost.length} heard that their room is lost; all within ${tookMs.toFixed(0)} ms. Rooms lost up to ` +
        `${Math.max(...lostTicks)} ticks that players had seen. The longest pause of other rooms was ${gap.toFixed(0)} ms`,
    );
    if (!FULL) return;
    // The states of most rooms were compared.
    expect(proven).toBeGreaterThan(lostTicks.length / 2);
    // If the other rooms had to wait, too, the machine was busy with something else.
    expect(tookMs).toBeLessThan(gap < BUSY ? 5000 : Infinity);
    expect(Math.max(...lostTicks)).toBeLessThanOrEqual(RATE);
  },
);

test.skipIf(!canRun)(
  `Redis is restarted without its data: rooms play on, and matchmaking recovers${NOTE}`,
  async () => {
    const before = await report();
    await redis.kill();
    const isPlaying = (player: PlayerReport) => player.lost === undefined && player.kind !== "viewer";
    await playOn(isPlaying, 2 * RATE);
    await redis.restart();
    const now = await playOn(isPlaying, 2 * RATE);
    now.players.forEach((player, index) => expect(player.rejoined).toBe(before.players[index]!.rejoined));
    // The rooms are listed again, so that others can join them by id, or by quick play.
    const { roomId } = now.players.find((player) => player.kind === "arena" && player.lost === undefined)!;
    await until(async () => {
      try {
        await players.ask("join", "viewer", roomId);
        return true;
      } catch {
        return false;
      }
    });
    await players.ask("quickPlay");
    await until(({ players: all }) => all.at(-1)!.state === "playing" && all.at(-2)!.state === "watching");
    const metrics = await servers[1]!.ask<string>("metrics");
    expect(metrics).toMatch(/^tickwise_rooms\{name="arena",mode="authority"\} \d+$/m);
    expect(metrics).toMatch(/^tickwise_saves_total [1-9]\d*$/m);
  },
);

test.skipIf(!canRun)(
  `a server shuts down: its rooms move to the other one at the tick at which they are${NOTE}`,
  async () => {
    const { rooms: moving } = await status(servers[1]!);
    const moved = new Set(moving.filter(({ mode }) => mode === "authority").map(({ id }) => id));
    expect(moved.size).toBeGreaterThan(0);
    const before = await report();
    await servers[1]!.end("SIGTERM");
    const isMoved = (player: PlayerReport) => moved.has(player.roomId);
    const now = await until(({ players: all }) =>
      all.every((player, index) => !isMoved(player) || player.rejoined > before.players[index]!.rejoined),
    );
    const seatsOf = ({ players: all }: Report) =>
      all.filter((player) => player.kind === "arena" && isMoved(player)).map(({ seats }) => seats);
    expect(seatsOf(now)).toEqual(seatsOf(before));
    await playOn((player) => isMoved(player) && player.kind === "arena", RATE);
  },
);

test.skipIf(!canRun)(
  `the replays of all rooms verify, also those of a server that was killed${NOTE}`,
  async () => {
    // The last server ends without warning, too.
    await servers[2]!.end("SIGKILL");
    const files = await readdir(folder);
    expect(files.length).toBeGreaterThan(ROOMS.arena);
    let ticks = 0;
    for (const file of files) {
      const bytes = await readFile(join(folder, file));
      // A room that began within the last second.
      if (bytes.length === 0) continue;
      const replay = readReplay(bytes);
      const result = verify(GAME, replay);
      // Killed before its first checkpoint: there is nothing to compare.
      if (replay.last - replay.first < RATE && !result.ok && result.reason === "no-checkpoints") continue;
      expect(`${file} ${JSON.stringify(result)}`).toContain(`${file} {"ok":true`);
      ticks += replay.last - replay.first;
    }
    expect(ticks).toBeGreaterThan(10 * RATE);
  },
);
