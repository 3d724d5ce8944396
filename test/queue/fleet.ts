// A user's project with simulations and replays, a Redis of its own, and workers as processes.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ROOT } from "../../scripts/setup.mjs";
import type { Verdict } from "../../src/queue/index.js";
import { Project, type Ended } from "../cli/project.js";
import { startRedis, type Redis } from "../shared/redis.js";

/** In the last ticks, `mode` makes a step fail, except while it is recorded. */
const GAME = `
import { button, int, simulation } from "tickwise/sim";
import { f64, layout, u32 } from "tickwise/state";

export const make = (version, cheat = () => {}) => simulation({
  name: "crates", version, rate: 60, players: 1,
  state: layout({ score: u32, heat: f64 }),
  input: { jump: button, mode: int(0, 7) },
  step(world, [player], { tick, random }) {
    if (player.pressed.jump) world.score++;
    world.heat = world.heat * 0.9 + random.float();
    cheat(world, tick);
    if (!globalThis.isRecording) FAILURES[player.mode]?.();
  },
});

const FAILURES = [
  undefined,
  () => { throw new Error("a bug in the game"); },
  () => process.exit(3),
  () => process.kill(process.pid, "SIGKILL"),
  () => { for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50); },
  () => { for (const all = [];;) all.push(new Array(10_000).fill(all.length)); },
  () => { for (const all = [];;) all.push(new Uint8Array(2 ** 20).fill(1)); },
];
`;

const MODULE = (version: number) => `
import { make } from "../../game.mjs";
export default make(${version});
export const readResult = (world, { tick }) => ({ score: world.score, tick });
`;

/** Records replays as JSON describes them, one file each. */
const RECORD = `
import { readFileSync, writeFileSync } from "node:fs";
import { localSession } from "tickwise/sim";
import { record } from "tickwise/replay";
import { make } from "./game.mjs";

globalThis.isRecording = true;
const honest = new Map();
const cheating = make(1, (world, tick) => { if (tick === 20) world.score += 1000; });
for (const { file, seed, jumps, mode = 0, version = 1, isCheating, skip = 0 } of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  if (!honest.has(version)) honest.set(version, make(version));
  const inputs = ([player], { tick }) => {
    player.jump = tick % 2 === 1 && tick < 2 * jumps;
    player.mode = tick >= 50 ? mode : 0;
  };
  const session = localSession(isCheating ? cheating : honest.get(version), { seed, inputs });
  session.skip(skip);
  const recorder = record(session, { checkpoints: 0.25 });
  session.skip(60);
  writeFileSync(file, recorder.bytes());
}
`;

/** What a step does in the last ticks of a replay. */
export const MODES = { throws: 1, exits: 2, crashes: 3, hangs: 4, fillsHeap: 5, fillsBuffers: 6 };

export interface Recording {
  readonly file: string;
  readonly seed: number;
  /** The score. */
  readonly jumps: number;
  readonly mode?: number;
  readonly version?: number;
  readonly isCheating?: boolean;
  /** Ticks before the recording, so that it begins with a state. */
  readonly skip?: number;
}

/** A worker process, and the verdicts that it has printed. */
export class WorkerProcess {
  readonly verdicts: ({ readonly id: string } & Verdict)[] = [];
  stderr = "";
  readonly child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(folder: string, args: readonly string[]) {
    const child = spawn(process.execPath, [join(ROOT, "dist/cli/main.js"), "worker", "--json", ...args], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child = child;
    this.#ended = once(child, "close");
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      // A worker that is killed may have printed half a line.
      rest = lines.pop()!;
      for (const line of lines) this.verdicts.push(JSON.parse(line));
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
  }

  /** Ends it, and returns its exit status, or the signal. */
  async end(signal: NodeJS.Signals = "SIGKILL"): Promise<number | string> {
    this.child.kill(signal);
    await this.#ended;
    return this.child.exitCode ?? this.child.signalCode!;
  }
}

export class Fleet {
  readonly project = new Project();
  readonly redis: Redis;
  readonly workers = new Set<WorkerProcess>();

  private constructor(redis: Redis) {
    this.redis = redis;
    this.project.write("game.mjs", GAME);
    this.project.write("record.mjs", RECORD);
    mkdirSync(this.project.path("replays"));
    this.addSimulation(1);
  }

  /** Starts Redis, if it is installed. `args` are those of Redis. */
  static async start(...args: string[]): Promise<Fleet> {
    return new Fleet((await startRedis(...args))!);
  }

  get url(): string {
    return this.redis.url;
  }

  addSimulation(version: number, content = MODULE(version), folder = "crates"): void {
    mkdirSync(this.project.path(`sims/${folder}`), { recursive: true });
    this.project.write(`sims/${folder}/${version}.mjs`, content);
  }

  async record(recordings: readonly Recording[]): Promise<void> {
    this.project.write("recordings.json", JSON.stringify(recordings));
    const { status, stderr } = await this.project.run(process.execPath, ["record.mjs", "recordings.json"]);
    if (status !== 0) throw new Error(stderr);
  }

  /** Records a replay, and returns its bytes. */
  async replay(recording: Omit<Recording, "file">): Promise<Uint8Array> {
    await this.record([{ file: "one.twr", ...recording }]);
    return this.bytes("one.twr");
  }

  bytes(file: string): Uint8Array {
    return new Uint8Array(readFileSync(this.project.path(file)));
  }

  worker(...args: string[]): WorkerProcess {
    const queue = args.includes("--queue") ? [] : ["--queue", this.url];
    const sims = args.includes("--sims") ? [] : ["--sims", "sims"];
    const worker = new WorkerProcess(this.project.folder, [...queue, ...sims, ...args]);
    this.workers.add(worker);
    return worker;
  }

  /** Runs `tickwise replay verify`. */
  verify(...args: string[]): Promise<Ended> {
    return this.project.tickwise("replay", "verify", ...args);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => worker.end()));
    await this.redis.stop();
    this.project.remove();
  }
}

/** Waits until something is so. Tests have timeouts, so it does not. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(20);
}
