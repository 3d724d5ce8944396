import type { Verdict, VerifyWorker } from "../queue/index.js";
import { JSON_LINES, type Command } from "./command.js";
import { EXIT_OK } from "./exit-status.js";
import { count, print, printJson, remark } from "./screen.js";
import { asCliError, connectionRemarks, QUEUE_NAME } from "./verify-queue.js";

/** Digits of an id that are shown to people. */
const SHOWN = 12;

export const worker: Command = {
  name: "worker",
  usage: "--queue URL --sims FOLDER",
  summary: "Verify replays of a queue, on many machines",
  about: [
    "Verifies the replays that tickwise replay verify --queue and tickwise/queue submit. SIGTERM and SIGINT stop it after the replays in progress; a second one ends it at once, and other workers take over.",
    "The simulations come from a folder of yours, by name and version: sims/crates/2.mjs for version 2 of the simulation crates. Players cannot submit simulations: a replay only names one. Escape special characters of a name as in addresses: %2F for /.",
    "Each replay runs in a child process. If it crashes, hangs or needs too much memory in three attempts, it is quarantined, and its verdict says why.",
  ],
  operands: [0, 0, "argument"],
  options: {
    queue: { value: "URL", about: "The address of Redis: redis://HOST:PORT, or rediss:// for TLS." },
    sims: { value: "FOLDER", about: "The folder with your simulations: NAME/VERSION.mjs." },
    name: { ...QUEUE_NAME, about: "The name of the queue. Default: verify." },
    jobs: { value: "N", about: "Replays at the same time, each in its own process. Default: one per core." },
    timeout: {
      value: "SECONDS",
      about: "Seconds that a replay, or loading its simulation, may take. Default: 60.",
    },
    memory: { value: "MB", about: "How much memory a replay may need. Default: 512." },
    keep: { value: "SECONDS", about: "Seconds for which verdicts are stored. Default: 604800, a week." },
    takeover: {
      value: "SECONDS",
      about: "After this many seconds, other workers take over the replays of one that died. Default: 30.",
    },
    quiet: { about: "Print only verdicts that are not ok." },
    json: JSON_LINES,
  },
  examples: ["tickwise worker --queue redis://127.0.0.1:6379 --sims sims"],
  async run(args) {
    const url = args.required("queue", "URL", "the address of Redis");
    const sims = args.required("sims", "FOLDER", "the folder with your simulations");
    const isJson = args.has("json");
    const onVerdict = (id: string, verdict: Verdict) => {
      if (args.has("quiet") && verdict.outcome === "ok") return;
      if (isJson) printJson({ id, ...verdict });
      else print(`${verdict.outcome.padEnd(12)}${id.slice(0, SHOWN)}${textOf(verdict)}`);
    };
    const { verifyWorker } = await import("../queue/index.js");
    const started = await asCliError(() =>
      verifyWorker(url, {
        sims,
        name: args.text("name"),
        jobs: args.whole("jobs", 1),
        timeout: args.seconds("timeout", 60, 86_400),
        memory: args.whole("memory", 16),
        keep: args.whole("keep", 1),
        takeover: args.seconds("takeover", 30, 3600),
        onVerdict,
        onProblem: (problem, id = "Redis") => remark(`tickwise: ${id.slice(0, SHOWN)}: ${problem}`),
        onConnection: connectionRemarks(url),
      }),
    );
    remark(`tickwise: verifying replays of ${started.simulations.join(", ")}`);
    await untilStopped(started);
    return EXIT_OK;
  },
};

const textOf = (verdict: Verdict) =>
  verdict.outcome === "ok"
    ? `: ${verdict.name}, version ${verdict.version}: ticks ${verdict.first} to ${verdict.last}, ${count(verdict.compared, "state")} compared`
    : `: ${verdict.message}`;

/** Waits for a signal, then for the replays in progress. */
async function untilStopped(started: VerifyWorker): Promise<void> {
  const signals = ["SIGTERM", "SIGINT"] as const;
  await new Promise<void>((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve());
  });
  for (const signal of signals) process.once(signal, () => process.exit(EXIT_OK));
  await started.close();
}
