import { availableParallelism } from "node:os";
import { DEFAULT_TIMEOUT, EXPORT, JSON_LINES, SIM, type Command } from "./command.js";
import { filesOf } from "./files.js";
import { ALLOW, GUARD, guardingOf } from "./guarding.js";
import { modulesOf } from "./module.js";
import { runTasks } from "./run-tasks.js";
import { UsageError } from "./cli-error.js";
import { VerifyPrinter } from "./verify-printer.js";
import { MAX_BYTES, QUEUE, QUEUE_NAME, verifyByQueue } from "./verify-queue.js";

export const verify: Command = {
  name: "replay verify",
  usage: "(--sim MODULE | --queue URL) FILE...",
  summary: "Check that a simulation still matches its recordings",
  about: [
    "Simulates recordings, and compares the states with the hashes and keyframes in the files. A divergence is reported with its tick and fields. Files are verified on all cores, and reported in the given order. A folder stands for all *.twr files in it and below.",
    "With --against, two builds of the simulation are compared with each other instead of with the file, to see whether a change altered the game. The first state that differs is found exactly.",
    "With --queue, the workers of a queue on Redis verify the files, with their own simulations, limits and cores: see tickwise worker. A file that they have verified before has its verdict already. If Redis is away, the command waits for it.",
    "Outcomes: ok; differs: the simulation or a keyframe of the file does; failed: the simulation threw, crashed or left a rejected promise; timeout; other: the file is a recording of another simulation, version or state; unreadable: the file is not a recording, is damaged, or has nothing to compare. A truncated or unfinished file is compared as far as it goes and may be ok: a note says so, and `ending` in --json.",
  ],
  operands: [1, Infinity, "FILE"],
  options: {
    sim: SIM,
    export: EXPORT,
    against: { value: "MODULE", about: "Another build, to compare with --sim." },
    every: {
      value: "TICKS",
      about:
        "With --against: ticks between two comparisons. Default: the interval of keyframes. 1 also finds differences that vanish again.",
    },
    guard: GUARD,
    allow: ALLOW,
    jobs: { value: "N", about: "Number of threads. Default: one per core." },
    timeout: {
      value: "SECONDS",
      about: `Give up on a file after this many seconds. Default: ${DEFAULT_TIMEOUT}.`,
    },
    queue: QUEUE,
    name: QUEUE_NAME,
    "max-bytes": MAX_BYTES,
    quiet: { about: "Print only files that are not ok, and the summary." },
    json: JSON_LINES,
  },
  examples: [
    "tickwise replay verify --sim dist/game.js replays/",
    "tickwise replay verify --sim src/game.ts --against old/game.ts replays/",
    "tickwise replay verify --queue redis://127.0.0.1:6379 replays/",
  ],
  async run(args) {
    const every = args.whole("every", 1);
    if (every !== undefined && !args.has("against"))
      throw new UsageError("--every needs --against: without it, the checkpoints of the file are compared.");
    const url = args.text("queue");
    if (url !== undefined) return verifyByQueue(url, args);
    for (const name of ["name", "max-bytes"])
      if (args.has(name)) throw new UsageError(`--${name} needs --queue.`);
    const modules = modulesOf(args, "the module that exports the recorded simulation");
    const files = filesOf(args.operands);
    const jobs = args.whole("jobs", 1) ?? availableParallelism();
    const timeout = args.seconds("timeout", DEFAULT_TIMEOUT);
    const guard = await guardingOf(args);
    const printer = await VerifyPrinter.create(args, files);
    await runTasks(
      files.map((file) => ({ kind: "verify", file, every, guard })),
      {
        modules,
        jobs,
        timeout,
        note: (done) => printer.note(done),
        onReport: (report, index) => printer.report(report, index),
      },
    );
    return printer.finish();
  },
};
