import { writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { Replay } from "../replay/index.js";
import { DEFAULT_TIMEOUT, EXPORT, JSON_LINES, SIM, TIMEOUT, type Command } from "./command.js";
import { escaped } from "./escape.js";
import { bytesOf, statOf } from "./files.js";
import { modulesOf } from "./module.js";
import { runTask } from "./run-tasks.js";
import { complain, count, print, printJson, remark } from "./screen.js";
import { CliError, UsageError } from "./cli-error.js";
import { EXIT_FAILED, EXIT_OK } from "./exit-status.js";
import { readFile } from "./text.js";

export const cut: Command = {
  name: "replay cut",
  usage: "FILE --out FILE [--from TICK] [--to TICK] [--sim MODULE]",
  summary: "Cut a part out of a recording, as a new file",
  about: [
    "Writes the part of a recording between the states --from and --to as a new file. Inputs, hashes and keyframes stay as they were recorded.",
    "If the file has no keyframe of the state --from, --sim is needed to simulate it, from the previous keyframe.",
    "The intact part of a damaged file can be cut out, too.",
  ],
  operands: [1, 1, "FILE"],
  options: {
    from: { value: "TICK", about: "The first state. Default: the first of the file." },
    to: { value: "TICK", about: "The last state. Default: the last of the file." },
    out: { value: "FILE", about: "The file to write." },
    force: { about: "Overwrite an existing file." },
    sim: SIM,
    export: EXPORT,
    timeout: TIMEOUT,
    json: JSON_LINES,
  },
  examples: ["tickwise replay cut match.twr --from 540 --to 600 --sim game.js --out goal.twr"],
  async run(args) {
    const [file] = args.operands as [string];
    const out = args.required("out", "FILE", "the file to write");
    if (args.whole("from", 0) === undefined && args.whole("to", 0) === undefined)
      throw new UsageError("nothing to cut: give --from TICK, --to TICK or both.");
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
        throw new UsageError(
          `--${name} must be from ${first} to ${last}, the ticks of ${shown}, got ${tick}.`,
        );
    if (from >= to) throw new UsageError(`--from must be less than --to, got ${from} and ${to}.`);
    checkOut(out, args.has("force"));

    const { cut: cutOut, keyframeAt } = await import("../replay/cut.js");
    let state: Uint8Array | undefined;
    const keyframe = keyframeAt(replay, from);
    if (keyframe) state = replay.stateOf(keyframe);
    else if (from > first || replay.startState) {
      if (modules.length === 0) throw new CliError(noKeyframe(replay, from));
      const timeout = args.seconds("timeout", DEFAULT_TIMEOUT);
      const report = await runTask({ kind: "state", file, tick: from }, { modules, timeout });
      if (report.outcome === "unreadable" || report.outcome === "other")
        throw new CliError(`${shown}: ${report.message}`);
      if (report.outcome !== "ok") {
        const { outcome, message, tick } = report;
        if (args.has("json")) printJson({ file, outcome, message, tick });
        else complain(`${shown}: ${message}`);
        return EXIT_FAILED;
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
    if (hashes === 0) remark(`${out}: the part has no checkpoints, so replay verify has nothing to compare.`);
    return EXIT_OK;
  },
};

/** Throws if the file cannot or should not be written, before anything is simulated for it. */
function checkOut(out: string, isForced: boolean): void {
  const found = statOf(out);
  if (found?.isDirectory() || out.endsWith("/") || out.endsWith(sep))
    throw new CliError(`${out} is a folder. Give a file: --out ${join(out, "part.twr")}.`);
  if (found && !isForced) throw new CliError(`${out} already exists. Use --force to overwrite it.`);
  const folder = dirname(out);
  if (!statOf(folder)?.isDirectory())
    throw new CliError(`${out} cannot be written: the folder ${folder} does not exist.`);
}

/** Says what to do if the state is not in the file. */
function noKeyframe(replay: Replay, tick: number): string {
  const ticks = [replay.first, ...replay.keyframes.map((frame) => frame.tick)];
  const before = ticks.filter((other) => other < tick).at(-1);
  const after = ticks.find((other) => other > tick);
  const near = [before, after].flatMap((other) => (other === undefined ? [] : [`--from ${other}`]));
  return `the file has no keyframe of state ${tick}: give --sim MODULE to simulate it${near.length > 0 ? `, or use ${near.join(" or ")}` : ""}.`;
}
