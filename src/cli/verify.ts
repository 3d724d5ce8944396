import { availableParallelism } from "node:os";
import type { formatDifferences } from "../state/index.js";
import { DEFAULT_TIMEOUT, EXPORT, JSON_LINES, SIM, type Command } from "./command.js";
import { escaped } from "./escape.js";
import { filesOf } from "./files.js";
import { ALLOW, GUARD, guardingOf } from "./guarding.js";
import { modulesOf } from "./module.js";
import { runTasks } from "./run-tasks.js";
import { count, indented, painted, print, printJson, type Colour } from "./screen.js";
import type { Report } from "./tasks.js";
import { UsageError } from "./cli-error.js";
import { EXIT_DIFFERS, EXIT_ERROR, EXIT_OK } from "./exit-status.js";

const COLOURS: Record<Report["outcome"], Colour> = {
  ok: "green",
  differs: "red",
  failed: "red",
  timeout: "red",
  other: "yellow",
  unreadable: "yellow",
};
const COLUMN = 12;

export const verify: Command = {
  name: "replay verify",
  usage: "--sim MODULE FILE...",
  summary: "Check that a simulation still matches its recordings",
  about: [
    "Simulates recordings, and compares the states with the hashes and keyframes in the files. A divergence is reported with its tick and fields. Files are verified on all cores, and reported in the given order. A folder stands for all *.twr files in it and below.",
    "With --against, two builds of the simulation are compared with each other instead of with the file, to see whether a change altered the game. The first state that differs is found exactly.",
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
    timeout: { value: "SECONDS", about: `Give up on a file after this time. Default: ${DEFAULT_TIMEOUT}.` },
    quiet: { about: "Print only files that are not ok, and the summary." },
    json: JSON_LINES,
  },
  examples: [
    "tickwise replay verify --sim dist/game.js replays/",
    "tickwise replay verify --sim src/game.ts --against old/game.ts replays/",
  ],
  async run(args) {
    const isJson = args.has("json");
    const isQuiet = args.has("quiet");
    const every = args.whole("every", 1);
    if (every !== undefined && !args.has("against"))
      throw new UsageError("--every needs --against: without it, the checkpoints of the file are compared.");
    const modules = modulesOf(args, "the module that exports the recorded simulation");
    const files = filesOf(args.operands);
    const jobs = args.whole("jobs", 1) ?? availableParallelism();
    const timeout = args.seconds("timeout", DEFAULT_TIMEOUT);
    const sums = { ok: 0, differs: 0, failed: 0, timeout: 0, other: 0, unreadable: 0 };
    const sumText = () =>
      Object.entries(sums)
        .flatMap(([outcome, sum]) =>
          sum > 0 ? [`${sum} ${sum > 1 && outcome === "differs" ? "differ" : outcome}`] : [],
        )
        .join(", ");
    const guard = await guardingOf(args);
    const { formatDifferences: fieldsOf } = await import("../state/index.js");
    await runTasks(
      files.map((file) => ({ kind: "verify", file, every, guard })),
      {
        modules,
        jobs,
        timeout,
        note: (done) => `${done} of ${count(files.length, "file")}${sumText() && `: ${sumText()}`}`,
        onReport(report, index) {
          sums[report.outcome]++;
          if (isQuiet && report.outcome === "ok") return;
          const file = files[index]!;
          if (isJson) printJson({ file, ...report });
          else
            print(
              painted(COLOURS[report.outcome], report.outcome.padEnd(COLUMN)),
              escaped(file),
              textOf(report, args.has("against"), fieldsOf),
            );
        },
      },
    );
    if (!isJson) print(`${count(files.length, "file")}: ${sumText()}`);
    if (sums.unreadable > 0) return EXIT_ERROR;
    return sums.ok < files.length ? EXIT_DIFFERS : EXIT_OK;
  },
};

/** Returns the text after the name of the file. */
function textOf(report: Report, isAgainst: boolean, fieldsOf: typeof formatDifferences): string {
  if (report.outcome === "ok") {
    const { first, last, compared, note } = report;
    const text = `: ticks ${first} to ${last}, ${count(compared!, "state")} compared`;
    return note ? `${text}\n${indented(`${note}.`, COLUMN)}` : text;
  }
  if (report.outcome !== "differs" || report.differences === undefined)
    return `\n${indented(report.message, COLUMN)}`;
  const { tick, after, exact, fieldsAt, differences, message, reason } = report;
  if (differences.length === 0 || reason === "keyframe") return `\n${indented(message, COLUMN)}`;
  const head = exact ? `first in state ${tick}` : `in state ${tick} (state ${after} was equal)`;
  const sides = isAgainst ? "--sim ≠ --against" : "recorded ≠ now";
  return `: ${head}\n${indented(`${sides}${fieldsAt === tick ? "" : `, in state ${fieldsAt}`}:\n${fieldsOf(differences)}`, COLUMN)}`;
}
