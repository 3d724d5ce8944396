// tickwise serve as a program: one process, several processes, and what happens when one dies.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join as joinPath } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { keepInRoom } from "../../src/net/index.js";
import { runners } from "../server/game.js";
import { closed, endAll, join, later, moved, player, until } from "../server/party.js";
import { Project } from "./project.js";

const GAME = `
import { axis, simulation } from "tickwise/sim";
import { f64, i32, layout, list } from "tickwise/state";

// The same as runners in test/server/game.ts.
export default simulation({
  name: "runners",
  version: 1,
  rate: 60,
  players: 2,
  state: layout({ x: list(2, f64.lerp), moved: list(2, i32) }),
  input: { move: axis(2) },
  step(world, inputs, { dt, tick }: { dt: number; tick: number }) {
    if (tick === 3) console.log("the game says something");
    if (tick === 3 && process.env.CARELESS) void Promise.reject(new Error("nobody handles this"));
    inputs.forEach(({ move }, seat) => {
      world.x[seat]! += 4 * move * dt;
      if (move !== 0) world.moved[seat]!++;
    });
  },
});
`;

const project = new Project(["tsx"]);
beforeAll(() => project.write("runners.ts", GAME));
afterAll(() => project.remove());
afterEach(endAll);

interface Entry {
  readonly event?: string;
  readonly pid?: number;
  readonly port?: number;
  readonly room?: string;
}

/** Steps are late on a busy machine: that must not keep players out. */
const LATE = ["--limit", "lateMs=1000000"];

/** A running server. */
class Served {
  readonly child: ChildProcess;
  stdout = "";
  stderr = "";
  readonly exited: Promise<number | null>;

  constructor(...args: string[]) {
    const main = joinPath(ROOT, "dist/cli/main.js");
    this.child = spawn(process.execPath, [main, "serve", "runners.ts", "--port", "0", ...LATE, ...args], {
      cwd: project.folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stdout!.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    this.child.stderr!.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.exited = new Promise((resolve) => this.child.on("close", resolve));
    later(async () => {
      this.child.kill("SIGKILL");
      await this.exited;
    });
  }

  /** The log: lines of JSON between what the game prints. */
  get log(): Entry[] {
    const lines = this.stderr.split("\n").slice(0, -1);
    return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Entry);
  }

  entries(event: string): Entry[] {
    return this.log.filter((entry) => entry.event === event);
  }

  /** Its address, when it listens. */
  async address(): Promise<string> {
    await until(() => this.entries("listening").length > 0 || this.child.exitCode !== null);
    const [entry] = this.entries("listening");
    if (!entry) throw new Error(this.stderr);
    return `ws://127.0.0.1:${entry.port}`;
  }

  stop(): Promise<number | null> {
    this.child.kill("SIGTERM");
    return this.exited;
  }
}

test("serves a game in TypeScript; SIGTERM saves its rooms, and the next process continues them", async () => {
  const args = ["--json", "--saves", "saves", "--replays", "replays", "--metrics", "0"];
  const server = new Served(...args);
  const host = await player(runners, await server.address(), { room: "new" });
  const { code, token } = host.link;
  await until(() => moved(host, 0) > 60);
  await until(() => server.stdout.split("\n").length > 3);
  const lines = server.stdout.trimEnd().split("\n");
  const status = lines.map((line) => JSON.parse(line) as Record<string, number>);
  expect(status.at(-1)).toMatchObject({ rooms: 1, connections: 1, workers: 1, isDraining: false });
  expect(status.at(-1)!["mbitPerSecond"]).toBeGreaterThan(0);
  // What the game prints goes to stderr.
  expect(server.stderr).toContain("the game says something");
  const [{ port }] = server.entries("metrics") as [{ port: number }];
  expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain("\ntickwise_rooms 1\n");
  const reason = closed(host.link);
  expect(await server.stop()).toBe(0);
  expect([await reason, host.link.end]).toEqual([
    "the server restarts: join again in a few seconds",
    "restarting",
  ]);

  const next = new Served(...args);
  const address = await next.address();
  expect(next.entries("room resumed").map(({ room }) => room)).toEqual([host.link.room]);
  const before = moved(host, 0);
  host.session.connect(await join(address, { room: code, token }));
  await until(() => host.session.net.state === "playing" && moved(host, 0) > before + 30);
  expect(host.session.seats).toEqual([0]);
  expect(await next.stop()).toBe(0);
  for (const secret of [code, token]) {
    expect(server.stderr + server.stdout + next.stderr + next.stdout).not.toContain(secret);
  }
  const files = readdirSync(project.path("replays"));
  expect(files.length).toBe(2);
  const verified = await project.tickwise("replay", "verify", "--sim", "runners.ts", "replays");
  expect(verified.stdout).toContain("2 files: 2 ok");
  expect(verified.status).toBe(0);
});

test("workers: rooms on both, a code leads to the right one, and the rooms of a killed one go on", async () => {
  const server = new Served("--workers", "2", "--saves", "worker-saves", "--metrics", "0", "--json");
  const address = await server.address();
  const hosts = [
    await player(runners, address, { room: "new" }),
    await player(runners, address, { room: "new" }),
  ];
  const friends = await Promise.all(hosts.map(({ link }) => player(runners, address, { room: link.code })));
  expect(friends.map(({ link }) => link.room)).toEqual(hosts.map(({ link }) => link.room));
  await until(() => friends.every((friend) => moved(friend, 0) > 30 && moved(friend, 1) > 30));
  const [{ port }] = server.entries("metrics") as [{ port: number }];
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await until(async () => {
    const text = await metrics();
    return text.includes("\ntickwise_rooms 2\n") && text.includes("\ntickwise_players 4\n");
  });
  // All saved at least once.
  await until(
    () => readdirSync(project.path("worker-saves")).filter((name) => name.endsWith(".json")).length === 2,
  );

  const kept = hosts.map(({ session, link }) => keepInRoom(session, link));
  later(() => kept.forEach((one) => one.stop()));
  const workers = server.entries("worker ready").map(({ pid }) => pid!);
  expect(workers.length).toBe(2);
  process.kill(workers[0]!, "SIGKILL");
  await until(() => hosts.some(({ link }) => link.state === "closed"));
  // One room per worker, so exactly one is hit.
  const hit = hosts.findIndex(({ link }) => link.state === "closed");
  const [victim, other] = [hosts[hit]!, hosts[1 - hit]!];
  expect(other.link.state).toBe("open");
  await until(() => kept[hit]!.state === "joined" && victim.session.net.state === "playing");
  const { room, token } = victim.link;
  expect([kept[hit]!.link.room, kept[hit]!.link.token]).toEqual([room, token]);
  const before = moved(victim, 0);
  await until(() => moved(victim, 0) > before + 30);
  expect(victim.session.seats).toEqual([0]);
  const { tick } = other.session;
  await until(() => other.session.tick > tick + 30);
  await until(async () => (await metrics()).includes("\ntickwise_worker_restarts_total 1\n"));
  await until(() => server.entries("worker ready").length === 3);
  expect(server.entries("room resumed").map((entry) => entry.room)).toEqual([room]);
  expect(await server.stop()).toBe(0);
  for (const { link: one } of [...hosts, ...friends])
    for (const secret of [one.code, one.token]) expect(server.stderr + server.stdout).not.toContain(secret);
});

test("workers without saves: the rooms of a killed one are lost and reported, and their codes with them", async () => {
  const server = new Served("--workers", "2");
  const address = await server.address();
  const hosts = [
    await player(runners, address, { room: "new" }),
    await player(runners, address, { room: "new" }),
  ];
  process.kill(server.entries("worker ready")[1]!.pid!, "SIGKILL");
  await until(() => hosts.some(({ link }) => link.state === "closed"));
  const victim = hosts.find(({ link }) => link.state === "closed")!;
  await until(() => server.entries("room lost").length > 0);
  expect(server.entries("room lost").map(({ room }) => room)).toEqual([victim.link.room]);
  await expect(join(address, { room: victim.link.code })).rejects.toMatchObject({ value: "unknown-room" });
  await until(() => server.entries("worker ready").length === 3);
  await player(runners, address, { room: "new" });
  // Ctrl-C reaches all processes of a terminal.
  server.child.kill("SIGINT");
  await until(() => server.entries("stopping").length > 0);
  // The second one does not wait for those who play.
  server.child.kill("SIGINT");
  expect(await server.exited).toBe(0);
});

test.runIf(process.env.TEST_FULL === "yes")("a worker that stops answering is replaced", async () => {
  const server = new Served("--workers", "2", "--saves", "stopped-saves");
  const address = await server.address();
  const host = await player(runners, address, { room: "new" });
  // The second file of a save, so that both are there.
  await until(() => readdirSync(project.path("stopped-saves")).some((name) => name.endsWith(".json")));
  // It is stopped as a whole, so its watchdog cannot help.
  for (const { pid } of server.entries("worker ready")) process.kill(pid!, "SIGSTOP");
  await until(() => server.entries("worker hangs").length >= 2 && server.entries("worker ready").length >= 4);
  // On a busy machine, it may take more than one to continue the room.
  const back = () => join(address, { room: host.link.code, token: host.link.token });
  await expect.poll(() => back().then(({ room }) => room, String), { interval: 5000 }).toBe(host.link.room);
});

// It takes longer than workers may be silent.
test.runIf(process.env.TEST_FULL === "yes")("workers survive a pause of all processes", async () => {
  const server = new Served("--workers", "2");
  const address = await server.address();
  const pids = [server.child.pid!, ...server.entries("worker ready").map(({ pid }) => pid!)];
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  await new Promise<void>((done) => void setTimeout(done, 12_000));
  for (const pid of pids) process.kill(pid, "SIGCONT");
  const { session } = await player(runners, address, { room: "new" });
  await until(() => session.tick > 120);
  expect(server.entries("worker hangs")).toEqual([]);
});

const cases: readonly [string[], string][] = [
  [["serve"], "serve: game file is missing."],
  [["serve", "missing.mjs"], "serve missing.mjs: no such file"],
  [["serve", "game.mjs", "--mode", "peer"], "serve: --mode must be authority, relay or lockstep, got peer."],
  [
    ["serve", "game.mjs", "--mode", "relay", "--down", "states"],
    "serve: --down needs --mode authority, got relay.",
  ],
  [
    ["serve", "game.mjs", "--mode", "lockstep", "--saves", "saves"],
    "serve: --saves needs --mode authority, got lockstep.",
  ],
  [["serve", "game.mjs", "--page", "nowhere"], "serve: --page must be a folder that can be read (ENOENT"],
  [["serve", "game.mjs", "--tls-key", "key.pem"], "serve: --tls-key and --tls-cert must be given together."],
  [["serve", "game.mjs", "--jwt-issuer", "me"], "serve: --jwt-issuer and --jwt-audience need --jwt FILE."],
  [["serve", "game.mjs", "--limit", "roms=3"], "serve: --limit: unknown limit roms. Did you mean rooms?"],
  [
    ["serve", "game.mjs", "--limit", "rooms=many"],
    "serve: --limit rooms must be a number, such as rooms=100, got rooms=many.",
  ],
  [
    ["serve", "game.mjs", "--limit", "rooms=0"],
    "serve: limits.rooms must be a number from 1 to 1000000, got 0. Try 1000.",
  ],
  [
    ["serve", "game.mjs", "--workers", "2", "--tls-key", "k", "--tls-cert", "c"],
    "serve: TLS does not work with workers",
  ],
  [
    ["serve", "game.mjs", "--trust-proxy", "proxy"],
    'serve: --trust-proxy must be addresses or subnets, got "proxy". Try --trust-proxy 10.0.0.0/8.',
  ],
  [["serve", "game.mjs", "--jwt", "missing.pem"], "serve: jwt.key must be a file that can be read"],
];
test.each(cases)("tickwise %j says what is wrong", async (args, text) => {
  const { status, stdout, stderr } = await project.quick(...args);
  expect(stderr).toContain(`tickwise: ${text}`);
  expect([status, stdout]).toEqual([2, ""]);
});

test("a promise that the game rejects and does not handle is logged, and all rooms go on", async () => {
  process.env["CARELESS"] = "1";
  const servers = [new Served(), new Served("--workers", "2")];
  delete process.env["CARELESS"];
  for (const server of servers) {
    const host = await player(runners, await server.address(), { room: "new" });
    await until(() => server.entries("unhandled rejection").length === 1);
    expect(server.entries("unhandled rejection")[0]).toMatchObject({
      level: "error",
      reason: expect.stringContaining("nobody handles this"),
    });
    const { tick } = host.session;
    await until(() => host.session.tick > tick + 60);
    expect(server.entries("worker died")).toEqual([]);
  }
});

const places: readonly [string[], string][] = [
  [[], "port"],
  [["--workers", "2"], "port"],
  [["--port", "0", "--metrics"], "metrics port"],
];
test.each(places)("a port that is in use is the only message: %j, %s", async (args, name) => {
  const blocker = createServer().listen(0, "127.0.0.1");
  later(() => void blocker.close());
  await until(() => blocker.listening);
  const { port } = blocker.address() as { port: number };
  const option = name === "port" ? ["--port"] : [];
  const ended = await project.tickwise("serve", "game.mjs", ...args, ...option, `${port}`);
  expect(ended).toEqual({
    status: 1,
    stdout: "",
    stderr: `tickwise: serve: ${name} ${port} of 127.0.0.1 is in use. Choose another one, or 0 for any that is free.\n`,
  });
});

test.each(["replays", "saves"])("--%s with a folder that cannot be created, or is a file", async (option) => {
  // Nobody can create a folder in /proc. Where there is none, a file is as good.
  for (const folder of [existsSync("/proc/self") ? "/proc/x/y" : "game.mjs/x", "game.mjs"])
    for (const workers of ["1", "2"]) {
      const args = ["--port", "0", "--workers", workers, `--${option}`, folder];
      const { status, stdout, stderr } = await project.tickwise("serve", "game.mjs", ...args);
      expect(stderr).toMatch(
        new RegExp(
          `^tickwise: serve: --${option} must be a folder that can be written \\(E[A-Z]+: .*\\), got "${folder}"\\. Try --${option} ${option}\\.\\n$`,
        ),
      );
      expect([status, stdout]).toEqual([2, ""]);
    }
});
