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
import { EXIT_DIFFERS, EXIT_ERROR, EXIT_OK, UsageError } from "./cli-error.js";

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
  summary: "Do recordings come out as they were recorded?",
  about: [
    "Does again what was recorded, and compares the hashes and keyframes in the file. What comes out differently is told with its tick and its fields. Files are done on all cores, and told in the order in which they are given. A folder stands for all *.twr below it.",
    "With --against, two builds of the simulation do what was recorded and are compared with one another: did my change alter the game? The first state that differs is then known to the tick.",
    "Outcomes: ok; differs, if the simulation or a keyframe of the file does; failed, if the simulation threw, crashed or left a rejected promise; timeout; other, if a file is of another simulation, version or state than was given; unreadable, if it is no recording, damaged, or has nothing to compare. A file that was never finished, or cut short, is compared as far as it goes and may be ok: a note says so, and `ending` in --json.",
  ],
  operands: [1, Infinity, "FILE"],
  options: {
    sim: SIM,
    export: EXPORT,
    against: { value: "MODULE", about: "Another build, to compare --sim with." },
    every: {
      value: "TICKS",
      about:
        "With --against: ticks from a comparison to the next. Default: as from a keyframe to the next. 1 also finds what differs only for a while.",
    },
    guard: GUARD,
    allow: ALLOW,
    jobs: { value: "N", about: "Threads. Default: one a core." },
    timeout: { value: "SECONDS", about: `Give a file up after so long. Default ${DEFAULT_TIMEOUT}.` },
    quiet: { about: "Only print files that are not ok, and the sum." },
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
      throw new UsageError("--every is only for --against: what a file was compared by is in the file.");
    const modules = modulesOf(args, "the module whose simulation does what was recorded");
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
        told(report, index) {
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

/** What is said of a file after its name. */
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
  const head = exact ? `first in state ${tick}` : `in state ${tick}; ${after} was the last that did not`;
  const sides = isAgainst ? "--sim ≠ --against" : "recorded ≠ now";
  return `: ${head}\n${indented(`${sides}${fieldsAt === tick ? "" : `, in state ${fieldsAt}`}:\n${fieldsOf(differences)}`, COLUMN)}`;
}
