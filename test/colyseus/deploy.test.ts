// The deployment example: its very programs and its configuration, without containers.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findNginx, nginxInstall } from "../../scripts/servers.mjs";
import { startRedis, type Redis } from "../shared/redis.js";
import { bundleExample, canRun, freePorts, NODE, NOTE } from "./processes.js";

const EXAMPLE = fileURLToPath(new URL("../../examples/deploy", import.meta.url));
const nginx = findNginx();
const canDeploy = canRun && (process.env.CI === "true" || nginx !== undefined);
const DEPLOY_NOTE = nginx === undefined ? ` (nginx is missing: ${nginxInstall()})` : NOTE;

/** A program of the example, and what it prints. */
class Started {
  output = "";
  readonly child: ChildProcess;

  constructor(command: string, args: readonly string[], env: object = {}) {
    this.child = spawn(command, args, {
      env: { ...process.env, NODE_ENV: "production", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      stream.on("data", (data: Buffer) => (this.output += data.toString()));
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, "exit");
    this.child.kill(signal);
    await ended;
  }

  /** The newest line that a bot has printed, as data. */
  get newest() {
    const lines = [...this.output.matchAll(/^room (\S+) seat (\S*) (\w+) tick (\d+) hash (\S*) ?(\S*)$/gm)];
    const [, room = "", seat = "", state = "", tick = "0", hashTick = "", hash = ""] = lines.at(-1) ?? [];
    return { room, seat, state, tick: Number(tick), hashTick, hash };
  }
  /** All hashes that a bot has printed, by tick. */
  get hashes() {
    return new Map([...this.output.matchAll(/hash (\d+) (\S+)$/gm)].map(([, tick, hash]) => [tick!, hash!]));
  }
}

let redis: Redis;
let folder: string;
let address: string;
let bot: string;
const servers: Started[] = [];
const others: Started[] = [];

beforeAll(async () => {
  if (!canDeploy) return;
  redis = (await startRedis())!;
  folder = await mkdtemp(join(tmpdir(), "tickwise-deploy-"));
  const [server, play] = await Promise.all([bundleExample("server"), bundleExample("bot")]);
  bot = play;
  const [port = 0, ...ports] = await freePorts(3);
  address = `http://127.0.0.1:${port}`;

  let conf = await readFile(join(EXAMPLE, "nginx.conf"), "utf8");
  const replace = (from: RegExp, to: string) => {
    expect(conf).toMatch(from);
    conf = conf.replaceAll(from, to);
  };
  replace(/rooms-1:2567/g, `127.0.0.1:${ports[0]}`);
  replace(/rooms-2:2567/g, `127.0.0.1:${ports[1]}`);
  replace(/listen 80;/g, `listen 127.0.0.1:${port};`);
  // Files that nginx writes are in the folder of the test.
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  replace(/^http \{$/gm, `http {\n${paths.join("\n")}`);
  await writeFile(join(folder, "nginx.conf"), conf);
  await mkdir(join(folder, "logs"));

  for (const [index, each] of ports.entries())
    servers.push(
      new Started(NODE!, [server], {
        PORT: String(each),
        HOST: "127.0.0.1",
        REDIS_URL: redis.url,
        PUBLIC_ADDRESS: `127.0.0.1:${port}/rooms-${index + 1}`,
        COLYSEUS_PRESENCE_SHORT_TIMEOUT: "1000",
      }),
    );
  const globals = `daemon off; pid ${folder}/nginx.pid; error_log stderr;`;
  others.push(new Started(nginx!, ["-p", folder, "-c", join(folder, "nginx.conf"), "-g", globals]));
});

afterAll(async () => {
  await Promise.all([...servers, ...others].map((program) => program.end("SIGKILL")));
  await redis?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test.skipIf(!canDeploy)(
  `two servers behind nginx: bots meet, and play on when their server is killed${DEPLOY_NOTE}`,
  async () => {
    for (const server of servers) await expect.poll(() => server.output).toContain("listening on port");
    // nginx is there, and shows nothing of the servers.
    await expect.poll(() => fetch(`${address}/metrics`).then(({ status }) => status, String)).toBe(404);

    const bots = [new Started(NODE!, [bot, address])];
    others.push(bots[0]!);
    await expect.poll(() => bots[0]!.newest.state).toBe("playing");
    bots.push(new Started(NODE!, [bot, address]));
    others.push(bots[1]!);
    await expect.poll(() => bots[1]!.newest.state).toBe("playing");
    expect(bots[1]!.newest.room).toBe(bots[0]!.newest.room);
    expect(bots.map(({ newest }) => newest.seat)).toEqual(["0", "1"]);
    /** Ticks for which both have printed a hash. */
    const common = () => [...bots[0]!.hashes].filter(([tick]) => bots[1]!.hashes.has(tick));
    await expect.poll(() => common().length).toBeGreaterThan(1);
    for (const [tick, hash] of common()) expect(bots[1]!.hashes.get(tick)).toBe(hash);

    // The server that hosts the room is the one that sends most.
    const rooms = await Promise.all(
      servers.map(async (server) => {
        const port = /port (\d+)/.exec(server.output)![1];
        return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      }),
    );
    const hosting = rooms.findIndex((text) =>
      /^tickwise_rooms\{name="push",mode="authority"\} 1$/m.test(text),
    );
    await servers[hosting]!.end("SIGKILL");
    const { tick } = bots[0]!.newest;
    for (const each of bots) {
      await expect.poll(() => each.output).toContain("joined again");
      await expect.poll(() => each.newest.tick).toBeGreaterThan(tick + 120);
    }
    expect(bots.map(({ newest }) => newest.seat)).toEqual(["0", "1"]);
    expect(bots.map(({ newest }) => newest.state)).toEqual(["playing", "playing"]);
    await Promise.all(bots.map((each) => each.end("SIGTERM")));
  },
);
