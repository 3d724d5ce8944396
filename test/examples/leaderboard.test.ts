// The leaderboard example for real: Redis, a worker process, the back end and players.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { hasRedis, REDIS_NOTE, startRedis, type Redis } from "../shared/redis.js";

/** A player who plays well and fairly, or cheats: with a changed game, with a start of their own, or by stopping early. */
const PLAYER = `
import { record } from "tickwise/replay";
import { localSession, simulation } from "tickwise/sim";
import { game } from "./examples/replays/game.mjs";

const { seed = "monday", seconds = 60, cheat, skip = 0 } = JSON.parse(process.argv[1]);
const { options } = game;
const played = cheat === undefined ? game : simulation({ ...options, step(world, inputs, context) {
  options.step(world, inputs, context);
  if (context.tick === 100) world.landings += cheat;
} });
const inputs = ([player]) => {
  const { height, speed } = session.world;
  player.thrust = speed < -Math.max(1, height / 4);
};
const session = localSession(played, { seed, inputs });
session.skip(skip);
const recorder = record(session);
session.skip(seconds * 30 - skip);
process.stdout.write(Buffer.from(recorder.bytes()));
`;

describe.skipIf(!hasRedis)(`the leaderboard example${REDIS_NOTE}`, () => {
  let redis: Redis | undefined;
  const children: ChildProcess[] = [];
  let url = "";

  const start = (args: string[], env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    return child;
  };

  beforeAll(async () => {
    redis = (await startRedis())!;
    start(["dist/cli/main.js", "worker", "--queue", redis.url, "--sims", "examples/leaderboard/sims"]);
    const server = start(["examples/leaderboard/server.mjs"], { REDIS_URL: redis.url, PORT: "0" });
    const [line] = (await once(server.stdout!, "data")) as [Buffer];
    url = line.toString().trim();
  });
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL");
    await redis?.stop();
  });

  const output = async (args: string[]) => {
    const child = start(args);
    const parts: Buffer[] = [];
    child.stdout!.on("data", (part: Buffer) => parts.push(part));
    await once(child, "close");
    return Buffer.concat(parts);
  };
  const replayOf = async (options: object) =>
    new Uint8Array(await output(["--input-type=module", "--eval", PLAYER, JSON.stringify(options)]));
  const submit = async (player: string, body: Uint8Array<ArrayBuffer>) => {
    const response = await fetch(`${url}/${player}`, { method: "POST", body });
    return [response.status, await response.json()] as const;
  };

  test("accepts whole games, and lists the best", async () => {
    const said = await output(["examples/leaderboard/play.mjs", url, "careful", "3"]);
    expect(said.toString()).toMatch(/^200 \{ player: 'careful', landings: \d+ \}\n$/);
    const [status, best] = await submit("fair", await replayOf({}));
    expect(status).toBe(200);
    expect(best.landings).toBeGreaterThan(0);
    const scores = await (await fetch(url)).json();
    expect(scores.map(({ player }: { player: string }) => player).sort()).toEqual(["careful", "fair"]);
    const landings = scores.map((each: { landings: number }) => each.landings);
    expect(landings).toEqual([...landings].sort((a, b) => b - a));
    // The same replay again changes nothing, and nobody else can use it.
    expect(await submit("fair", await replayOf({}))).toEqual([200, best]);
    expect(await submit("thief", await replayOf({}))).toEqual([409, "another player's replay"]);
    expect(await (await fetch(url)).json()).toEqual(scores);
  });

  test("refuses cheats, and whatever is not a game", async () => {
    const cheated = await submit("cheat", await replayOf({ cheat: 10 }));
    expect(cheated).toEqual([
      422,
      expect.stringMatching(/^differs: lander diverges from the recording: state 120 differs/),
    ]);
    const wrong = [422, "not a game of 60 seconds with the seed monday"];
    expect(await submit("cheat", await replayOf({ skip: 5 }))).toEqual(wrong);
    expect(await submit("cheat", await replayOf({ seconds: 30 }))).toEqual(wrong);
    expect(await submit("cheat", await replayOf({ seed: "lucky" }))).toEqual(wrong);
    expect(await submit("cheat", new Uint8Array(1000))).toEqual([
      422,
      expect.stringMatching(/^unreadable: not a recording/),
    ]);
    expect(await submit("cheat", new Uint8Array(200_000))).toEqual([413, "too long"]);
    const scores = await (await fetch(url)).json();
    expect(scores.map(({ player }: { player: string }) => player)).not.toContain("cheat");
  });
});
