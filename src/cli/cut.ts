import { writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { Replay } from "../replay/index.js";
import { DEFAULT_TIMEOUT, EXPORT, JSON_LINES, SIM, TIMEOUT, type Command } from "./command.js";
import { escaped } from "./escape.js";
import { bytesOf, statOf } from "./files.js";
import { modulesOf } from "./module.js";
import { runTasks } from "./run-tasks.js";
import { complain, count, print, printJson, remark } from "./screen.js";
import type { Report } from "./tasks.js";
import { EXIT_DIFFERS, CliError, EXIT_OK, UsageError } from "./cli-error.js";
import { readFile } from "./text.js";

export const cut: Command = {
  name: "replay cut",
  usage: "FILE --out FILE [--from TICK] [--to TICK] [--sim MODULE]",
  summary: "A part of a recording, as a file of its own",
  about: [
    "Writes what was recorded from state --from to state --to as a new recording, which begins with that state. Inputs, hashes and keyframes stay as they were recorded.",
    "If the state of --from is no keyframe of the file, --sim is needed to make it, from the keyframe before it.",
    "Of a damaged file, what is whole can be cut out.",
  ],
  operands: [1, 1, "FILE"],
  options: {
    from: { value: "TICK", about: "The first state. Default: that of the file." },
    to: { value: "TICK", about: "The last state. Default: that of the file." },
    out: { value: "FILE", about: "Where to write it." },
    force: { about: "Write over a file that is there." },
    sim: SIM,
    export: EXPORT,
    timeout: TIMEOUT,
    json: JSON_LINES,
  },
  examples: ["tickwise replay cut match.twr --from 540 --to 600 --sim game.js --out goal.twr"],
  async run(args) {
    const [file] = args.operands as [string];
    const out = args.required("out", "FILE", "where to write the part");
    if (args.whole("from", 0) === undefined && args.whole("to", 0) === undefined)
      throw new UsageError("neither --from TICK nor --to TICK is given: there is nothing to cut.");
    const modules = args.has("sim") ? modulesOf(args, "") : [];
    const { readReplay } = await import("../replay/index.js");
    const replay = readFile(file, readReplay);
    const shown = escaped(file);
    if (typeof replay === "string") throw new CliError(`${shown}: ${replay}`);
    const { first, last } = replay;
    if (replay.ending !== "done") remark(`${shown}: ${replay.message}.`);
    const from = args.whole("from", 0) ?? first;
    const to = args.whole("to", 0) ?? last;
    for (const [name, tick] of [
      ["from", from],
      ["to", to],
    ] as const)
      if (tick < first || tick > last)
        throw new UsageError(`--${name} must be from ${first} to ${last}, as ${shown} is; got ${tick}.`);
    if (from >= to) throw new UsageError(`--from must be less than --to, got ${from} and ${to}.`);
    checkOut(out, args.has("force"));

    const { cut: cutOut, keyframeAt } = await import("../replay/cut.js");
    let state: Uint8Array | undefined;
    const keyframe = keyframeAt(replay, from);
    if (keyframe) state = replay.stateOf(keyframe);
    else if (from > first || replay.startState) {
      if (modules.length === 0) throw new CliError(unrecorded(replay, from));
      let made: Report | undefined;
      const told = (report: Report) => void (made = report);
      const timeout = args.seconds("timeout", DEFAULT_TIMEOUT);
      await runTasks([{ kind: "state", file, tick: from }], { modules, jobs: 1, timeout, told });
      const report = made as unknown as Report;
      if (report.outcome === "unreadable" || report.outcome === "other")
        throw new CliError(`${shown}: ${report.message}`);
      if (report.outcome !== "ok") {
        const { outcome, message, tick } = report;
        if (args.has("json")) printJson({ file, outcome, message, tick });
        else complain(`${shown}: ${message}`);
        return EXIT_DIFFERS;
      }
      state = report.state;
    }
    const bytes = await cutOut(bytesOf(file), from, to, state);
    try {
      writeFileSync(out, bytes);
    } catch (error) {
      throw new CliError(`${out} cannot be written: ${(error as Error).message}`);
    }
    const hashes = readReplay(bytes).checkpoints.count;
    if (args.has("json"))
      printJson({
        file,
        outcome: "ok",
        ending: replay.ending,
        out,
        from,
        to,
        bytes: bytes.length,
        checkpoints: hashes,
      });
    else print(`${out}: ticks ${from} to ${to}, ${count(bytes.length, "byte")}`);
    if (hashes === 0)
      remark(`${out}: no checkpoint lies in it, so that replay verify has nothing to compare.`);
    return EXIT_OK;
  },
};

/** Complains of a file that could not, or should not, be written, before anything is simulated for it. */
function checkOut(out: string, isForced: boolean): void {
  const found = statOf(out);
  if (found?.isDirectory() || out.endsWith("/") || out.endsWith(sep))
    throw new CliError(`${out} is a folder. Try a file in it: --out ${join(out, "part.twr")}.`);
  if (found && !isForced) throw new CliError(`${out} is there already. Try --force to write over it.`);
  const folder = dirname(out);
  if (!statOf(folder)?.isDirectory())
    throw new CliError(`${out} cannot be written: there is no folder ${folder}. Make it first.`);
}

/** What to do where the state is not in the file. */
function unrecorded(replay: Replay, tick: number): string {
  const ticks = [replay.first, ...replay.keyframes.map((frame) => frame.tick)];
  const before = ticks.filter((other) => other < tick).at(-1);
  const after = ticks.find((other) => other > tick);
  const near = [before, after].flatMap((other) => (other === undefined ? [] : [`--from ${other}`]));
  return `state ${tick} is not in the file: give --sim MODULE to make it${near.length > 0 ? `, or take ${near.join(" or ")}` : ""}.`;
}
