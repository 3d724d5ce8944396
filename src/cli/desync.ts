import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { DesyncReport } from "../net/index.js";
import type { Args } from "./args.js";
import { CliError, UsageError } from "./cli-error.js";
import { DEFAULT_TIMEOUT, EXPORT, JSON_LINES, SIM, TIMEOUT, type Command } from "./command.js";
import { compareCommands, compareInputs, mismatch } from "./compare.js";
import { readDesyncFile, replayOf } from "./desync-file.js";
import type { DesyncFindings } from "./desync-task.js";
import { desyncTestFile } from "./desync-test-file.js";
import { desyncCauses, desyncRows, isReproduced, type DesyncFacts } from "./desync-text.js";
import { escaped } from "./escape.js";
import { EXIT_FAILED, EXIT_OK } from "./exit-status.js";
import { statOf } from "./files.js";
import { moduleOf, type ModuleSpec } from "./module.js";
import { runTask } from "./run-tasks.js";
import { indented, painted, print, printJson } from "./screen.js";
import type { Report } from "./tasks.js";

/** Longer ranges of ticks are only simulated from the start of a recording. */
const MAX_CUT = 100_000;
const COLUMN = 14;

export const desync: Command = {
  name: "desync",
  usage: "REPORT [MODULE]",
  summary: "Explain the report of a desync in a network game",
  about: [
    "Shows what a report holds: which state of the two sides differs, in which fields, and what ran on both sides. Side A wrote the report, side B is its peer.",
    "With MODULE, the file that exports the simulation, it simulates the recorded inputs of both sides, from their last common state and from the start of their recordings. It says which side this machine reproduces and where each recording begins to differ, and looks for calls that are not deterministic.",
    "With --test, it writes a test of your game for Vitest, which runs the recorded inputs. Keep the report next to it.",
    "The exit status is 1 if this machine does not reproduce both sides.",
  ],
  operands: [1, 2, "files"],
  options: {
    sim: SIM,
    export: EXPORT,
    test: { value: "FILE", about: "Write a test, such as desync.test.ts." },
    force: { about: "Overwrite an existing file." },
    timeout: TIMEOUT,
    json: JSON_LINES,
  },
  examples: ["tickwise desync report.twd dist/game.js --test desync.test.ts"],
  async run(args) {
    const [file] = args.operands as [string];
    const module = moduleIn(args);
    const out = args.text("test");
    if (out !== undefined) checkOut(out, module, args.has("force"));
    const { readReport } = await import("../net/index.js");
    const report = readDesyncFile(file, readReport);
    if (typeof report === "string") throw new CliError(`${escaped(file)}: ${report}`);
    const { readReplay } = await import("../replay/index.js");
    const replays = { a: replayOf(report.a, readReplay), b: replayOf(report.b, readReplay) };
    let facts: DesyncFacts = { report, replays, ...comparisonOf(replays), findings: undefined };
    let here: Report | undefined;
    if (module) {
      const timeout = args.seconds("timeout", DEFAULT_TIMEOUT);
      const task = { kind: "desync", file, fromCommon: await cutsOf(facts) } as const;
      here = await runTask(task, { modules: [module], timeout });
      if (here.outcome === "unreadable" || here.outcome === "other")
        throw new CliError(`${escaped(file)}: ${here.message}`);
      if (here.outcome === "ok") facts = { ...facts, findings: here.findings };
    }
    const causes = desyncCauses(facts);
    const failure = here && here.outcome !== "ok" ? here : undefined;
    if (out !== undefined) writeTest(out, file, module!, facts);
    if (args.has("json"))
      printJson({
        file,
        outcome: failure?.outcome ?? (isClean(facts.findings) ? "ok" : "differs"),
        message: failure?.message,
        ...summaryOf(facts),
        causes,
        test: out,
      });
    else {
      print(painted("bold", escaped(file)));
      for (const [name, text] of desyncRows(facts))
        print(`  ${name.padEnd(COLUMN - 2)}${indented(text, COLUMN).trimStart()}`);
      if (failure) print(painted("red", failure.outcome), `  ${indented(failure.message, 2).trimStart()}`);
      for (const cause of causes) print(cause);
      if (out !== undefined) print(`Wrote ${escaped(out)}.`);
    }
    return failure || !isClean(facts.findings) ? EXIT_FAILED : EXIT_OK;
  },
};

/** Returns the module, which is an operand or the value of --sim. */
function moduleIn(args: Args): ModuleSpec | undefined {
  const [, operand] = args.operands;
  const sim = args.text("sim");
  if (operand !== undefined && sim !== undefined)
    throw new UsageError(`the module is given twice: ${operand} and --sim ${sim}.`);
  const text = operand ?? sim;
  if (text === undefined) return undefined;
  return moduleOf(operand === undefined ? "--sim" : "MODULE", text, args.text("export"));
}

/** Compares the recordings of both sides, if they are of the same simulation. */
function comparisonOf({ a, b }: DesyncFacts["replays"]): Pick<DesyncFacts, "inputs" | "commands"> {
  if (typeof a !== "object" || typeof b !== "object" || mismatch(a.info, b.info, "", "") !== undefined)
    return { inputs: undefined, commands: undefined };
  return { inputs: compareInputs(a, b), commands: compareCommands(a, b) };
}

/** Cuts recordings from the common state to the state that differs. A side without a recording had the inputs of the other. */
async function cutsOf({ report, replays }: DesyncFacts): Promise<Record<"a" | "b", Uint8Array | undefined>> {
  const { cut } = await import("../replay/cut.js");
  const { tick, after, common, seats } = report;
  const cutFrom = async (side: "a" | "b") => {
    const replay = replays[side];
    const bytes = report[side].replay;
    if (typeof replay !== "object" || !bytes || !common || after === undefined) return undefined;
    if (after < replay.first || tick > replay.last || tick - after > MAX_CUT) return undefined;
    try {
      return await cut(bytes, after, tick, common);
    } catch {
      // A keyframe is damaged. The simulation of the whole recording reports that.
      return undefined;
    }
  };
  const [a, b] = [await cutFrom("a"), await cutFrom("b")];
  return seats.length > 0 ? { a, b } : { a: a ?? b, b: b ?? a };
}

const isClean = (findings: DesyncFindings | undefined): boolean =>
  findings === undefined ||
  (isReproduced(findings.a) !== false &&
    isReproduced(findings.b) !== false &&
    !findings.hasHiddenState &&
    findings.forbidden === undefined);

/** The facts as JSON, without the bytes of states and recordings. */
function summaryOf({ report, replays, inputs, commands, findings }: DesyncFacts): object {
  const { a, b, common, ...rest } = report;
  const sideOf = ({ engine, build, state }: DesyncReport["a"], replay: DesyncFacts["replays"]["a"]) => ({
    engine,
    build,
    hasState: state !== undefined,
    replay:
      typeof replay === "object"
        ? { first: replay.first, last: replay.last, ending: replay.ending }
        : { problem: replay },
  });
  return {
    ...rest,
    hasCommon: common !== undefined,
    a: sideOf(a, replays.a),
    b: sideOf(b, replays.b),
    inputs,
    commands: commands === undefined ? undefined : { first: commands },
    findings,
  };
}

/** Throws if the test cannot be written, before anything is simulated. */
function checkOut(out: string, module: ModuleSpec | undefined, isForced: boolean): void {
  if (!module) throw new UsageError("--test needs MODULE, the file that exports the simulation.");
  if (module.name === undefined && !/\bdefault\b/.test(readFileSync(module.path, "utf8")))
    throw new UsageError(`--test needs the name of the export: ${module.shown}#NAME.`);
  if (module.name !== undefined && !/^[\w$]+$/.test(module.name))
    throw new UsageError(`--test: the export ${module.name} cannot be imported by that name.`);
  const found = statOf(out);
  if (found?.isDirectory()) throw new CliError(`${out} is a folder. Give a file.`);
  if (found && !isForced) throw new CliError(`${out} already exists. Use --force to overwrite it.`);
  if (!statOf(dirname(out))?.isDirectory())
    throw new CliError(`${out} cannot be written: the folder ${dirname(out)} does not exist.`);
}

function writeTest(out: string, file: string, module: ModuleSpec, { report, findings }: DesyncFacts): void {
  if (!report.a.replay && !report.b.replay)
    throw new CliError(`${escaped(file)}: the report has no recording, so there is nothing to test.`);
  const isRecorded = (side: "a" | "b") =>
    report[side].replay !== undefined &&
    findings?.[side].agreesTo !== undefined &&
    findings[side].differsAt === undefined;
  const text = desyncTestFile(
    report,
    { out, report: file, module },
    (["a", "b"] as const).filter(isRecorded),
  );
  try {
    writeFileSync(out, text);
  } catch (error) {
    throw new CliError(`${out} cannot be written: ${(error as Error).message}`);
  }
}
