// A user's project outside the repository: a link to the package, simulations, and their recordings.
import { fork, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../../scripts/setup.mjs";

const GAME = `
import { axis, button, int, simulation } from "tickwise/sim";
import { f64, layout, list, u32 } from "tickwise/state";

const make = (change = () => {}, version = 1) =>
  simulation({
    name: "crates", version, rate: 60, players: 2,
    state: layout({ score: u32, heat: f64, at: list(2, { x: f64, v: f64 }) }),
    input: { left: button, right: button, jump: button, aim: axis(8), weapon: int(1, 5) },
    init(world, { random }) {
      world.at.x[0] = random.float();
    },
    step(world, inputs, { tick, dt, random }) {
      inputs.forEach((player, i) => {
        world.at.v[i] += (Number(player.right) - Number(player.left) + player.aim) * dt;
        world.at.x[i] += world.at.v[i] * dt;
        if (player.pressed.jump) world.score += player.weapon;
      });
      world.heat = world.heat * 0.99 + random.float();
      change(world, tick);
    },
  });

export default make();
export const hot = make((world, tick) => { if (tick === 200) world.heat += 1; });
export const newer = make(() => {}, 2);
export const throwing = make((world, tick) => { if (tick === 200) world.nothing.x = 1; });
// Only the recording of seed 1 hangs; the others have another score.
export const hanging = make((world, tick) => { if (tick === 200 && world.score === 2) for (;;) nap(); });
export const leaving = make((_, tick) => { if (tick === 200) process.exit(3); });
export const slow = make(() => nap(20));
export const talking = make((_, tick) => { if (tick === 5) console.log("in tick 5"); });
let calls = 0;
export const leaking = make((world) => { world.heat += calls++; });
export const chancy = make((world) => { world.heat += Math.random(); });
export { make };

// A simulation that hangs or is slow should not slow down other tests.
function nap(milliseconds = 50) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
`;

const RECORD = `
import { mkdirSync, writeFileSync } from "node:fs";
import { localSession } from "tickwise/sim";
import { record } from "tickwise/replay";
import game from "./game.mjs";

mkdirSync("replays/deep", { recursive: true });
for (let seed = 0; seed < 50; seed++) {
  const inputs = (players, { tick }) => {
    const turn = Math.floor(tick / 50) + seed;
    players[0].left = turn % 3 === 0;
    players[0].right = turn % 3 === 1;
    players[0].jump = turn === seed + 1 && seed === 1;
    players[0].weapon = 2;
    players[1].aim = ((turn * 7) % 11) / 5 - 1;
    players[1].weapon = 1 + (turn % 4);
  };
  const session = localSession(game, { seed, inputs });
  const recorder = record(session, { keyframes: 2, meta: { match: seed } });
  session.skip(300);
  const folder = seed < 40 ? "replays" : "replays/deep";
  writeFileSync(folder + "/" + String(seed).padStart(2, "0") + ".twr", recorder.bytes());
}
`;

const RECORD_TWO = `
import { writeFileSync } from "node:fs";
import { localSession } from "tickwise/sim";
import { record } from "tickwise/replay";
import game from "./game.mjs";

for (const [name, tick] of [[process.argv[2], Infinity], [process.argv[3], 70]]) {
  const inputs = (players, request) => { players[1].aim = request.tick >= tick ? 1 : 0; };
  const session = localSession(game, { inputs });
  const recorder = record(session);
  session.skip(100);
  writeFileSync(name, recorder.bytes());
}
`;

const REPORT = `
import { writeFileSync } from "node:fs";
import { localSession } from "tickwise/sim";
import { record } from "tickwise/replay";
import { writeReport } from ${JSON.stringify(pathToFileURL(join(ROOT, "dist/net/desync-report.js")).href)};

const { file, games: [a, b], tick, aims = [0, 0], replays = "ab", from = 0, ...parts } = JSON.parse(process.argv[2]);
const play = async (spec, aim, engine, hasReplay) => {
  const [module, name = "default"] = spec.split("#");
  const game = (await import(module))[name];
  const inputs = (players, request) => {
    players[0].right = true;
    players[1].aim = request.tick === tick - 1 ? aim : 0;
  };
  const session = localSession(game, { seed: 7, inputs });
  session.skip(from);
  const recorder = record(session, from > 0 ? { checkpoints: 1 / 60 } : {});
  session.skip(tick - 1 - from);
  const common = session.bytes();
  session.skip(1);
  const state = session.bytes();
  session.skip(60);
  return { game, common, session, side: { engine, build: "1.4.2", state, replay: hasReplay ? recorder.bytes() : undefined } };
};
const one = await play(a, aims[0], "Node 20.20.0", replays.includes("a"));
const other = await play(b, aims[1], "Firefox 151.0", replays.includes("b"));
const session = localSession(one.game);
session.load(other.side.state);
writeFileSync(file, writeReport({
  simulation: one.game, tick, after: tick - 1, more: false, external: [], seats: aims[0] === aims[1] ? [] : [1],
  fields: session.diff(one.side.state), a: one.side, b: other.side, common: one.common, ...parts,
}));
`;

/** A report of two builds, such as "./game.mjs" and "./game.mjs#hot", whose states first differ in `tick`. */
export interface ReportOptions {
  readonly file: string;
  readonly games: readonly [string, string];
  readonly tick: number;
  /** What player 1 does in the step before, on each side. */
  readonly aims?: readonly [number, number];
  /** The sides whose recordings are in the report. Default: both. */
  readonly replays?: "ab" | "a" | "b" | "";
  /** The tick from which on both sides were recorded, with a checkpoint in every tick. Default: 0, with one per second. */
  readonly from?: number;
  /** Other parts of the report, which replace those that were simulated. */
  readonly [part: string]: unknown;
}

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAIN = join(ROOT, "dist/cli/main.js");
const MANY = join(ROOT, "test/cli/many.mjs");

function plainEnvironment(): NodeJS.ProcessEnv {
  const { NO_COLOR: _, FORCE_COLOR: __, ...others } = process.env;
  return others;
}

/** A folder with links to the package and to others, and with game.mjs. `record` adds 50 recordings, in replays. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), "tickwise-cli-"));
  #helper: ChildProcess | undefined;
  /** The last quick command. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(links: readonly string[] = []) {
    mkdirSync(join(this.folder, "node_modules"));
    symlinkSync(ROOT, join(this.folder, "node_modules/tickwise"), "dir");
    for (const name of links)
      symlinkSync(join(ROOT, "node_modules", name), join(this.folder, "node_modules", name), "dir");
    this.write("package.json", '{ "private": true, "type": "module" }');
    this.write("game.mjs", GAME);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string | Uint8Array): void {
    writeFileSync(this.path(name), content);
  }

  async record(): Promise<void> {
    this.write("record.mjs", RECORD);
    const { status, stderr } = await this.run("node", ["record.mjs"]);
    if (status !== 0) throw new Error(stderr);
  }

  /** Writes two recordings whose inputs differ from tick 70 on. */
  async recordTwo(a: string, b: string): Promise<void> {
    this.write("record-two.mjs", RECORD_TWO);
    const { status, stderr } = await this.run("node", ["record-two.mjs", a, b]);
    if (status !== 0) throw new Error(stderr);
  }

  /** Writes the report of a desync. */
  async report(options: ReportOptions): Promise<void> {
    this.write("report.mjs", REPORT);
    const { status, stderr } = await this.run("node", ["report.mjs", JSON.stringify(options)]);
    if (status !== 0) throw new Error(stderr);
  }

  /** Runs the built command line. */
  tickwise(...args: string[]): Promise<Ended> {
    return this.run(process.execPath, [MAIN, ...args]);
  }

  /** Runs a command that loads no simulation, in a process for all of them. This is much faster. */
  quick(...args: string[]): Promise<Ended> {
    const ended = this.#last.then(() => {
      this.#helper ??= fork(MANY, [MAIN], {
        cwd: this.folder,
        env: plainEnvironment(),
        execArgv: [],
        stdio: ["ignore", "pipe", "inherit", "ipc"],
      });
      const helper = this.#helper;
      return new Promise<Ended>((resolve, reject) => {
        const fail = () => reject(new Error(`ended in ${args.join(" ")}`));
        helper.once("exit", fail);
        helper.once("message", (message: Ended) => {
          helper.off("exit", fail);
          resolve(message);
        });
        helper.send(args);
      });
    });
    this.#last = ended.catch(() => {});
    return ended;
  }

  run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        cwd: this.folder,
        env: { ...plainEnvironment(), ...env },
        stdio: ["ignore", "pipe", "pipe"],
        timeout: 240_000,
      });
      const said = { stdout: "", stderr: "" };
      for (const name of ["stdout", "stderr"] as const)
        child[name].setEncoding("utf8").on("data", (text: string) => (said[name] += text));
      child.on("error", reject);
      child.on("close", (status) => resolve({ status, ...said }));
    });
  }

  remove(): void {
    this.#helper?.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Parses the output of --json: one value per line. */
export const linesOf = ({ stdout }: Ended): Record<string, unknown>[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
