import type { Replay } from "../replay/index.js";
import { DEFAULT_TIMEOUT, EXPORT, JSON_LINES, SIM, TIMEOUT, type Command } from "./command.js";
import { compareCommands, compareHashes, compareInputs, compareTitles, partText } from "./compare.js";
import { escaped } from "./escape.js";
import { modulesOf } from "./module.js";
import { runTask } from "./run-tasks.js";
import { count, indented, print, printJson, remark } from "./screen.js";
import type { Report } from "./tasks.js";
import { CliError } from "./cli-error.js";
import { EXIT_FAILED, EXIT_OK } from "./exit-status.js";
import { readFile, valueText } from "./text.js";

export const diff: Command = {
  name: "replay diff",
  usage: "A B [--sim MODULE]",
  summary: "Find the first difference between two recordings",
  about: [
    "Compares two recordings: their simulations, then the inputs and commands, then the states. Without --sim, only the recorded hashes of states are compared. With --sim, both recordings are simulated, and the first state that differs is reported with its fields.",
    "Metadata of your own (meta) is not compared. Players are numbered from 0.",
  ],
  operands: [2, 2, "files"],
  options: { sim: SIM, export: EXPORT, timeout: TIMEOUT, json: JSON_LINES },
  examples: ["tickwise replay diff mine.twr theirs.twr --sim dist/game.js"],
  async run(args) {
    const [fileA, fileB] = args.operands as [string, string];
    const modules = args.has("sim") ? modulesOf(args, "") : [];
    const { readReplay } = await import("../replay/index.js");
    const [a, b] = [fileA, fileB].map((file) => {
      const replay = readFile(file, readReplay);
      if (typeof replay === "string") throw new CliError(`${escaped(file)}: ${replay}`);
      if (replay.ending === "damaged") throw new CliError(`${escaped(file)}: ${replay.message}.`);
      return replay;
    }) as [Replay, Replay];

    const titles = compareTitles(a, b);
    const isSameGame = titles.every(({ part }) => part === "seed" || part === "ticks");
    const inputs = isSameGame ? compareInputs(a, b) : undefined;
    const commands = isSameGame ? compareCommands(a, b) : undefined;
    const hashes = isSameGame ? compareHashes(a, b) : undefined;
    let states: Report | undefined;
    if (isSameGame && modules.length > 0 && inputs!.ticks >= 0) {
      const timeout = args.seconds("timeout", DEFAULT_TIMEOUT);
      states = await runTask({ kind: "diff", a: fileA, b: fileB }, { modules, timeout });
    }
    if (states?.outcome === "unreadable") throw new CliError(states.message);
    // Applies to both files, as they are of the same simulation.
    if (states?.outcome === "other") throw new CliError(`${escaped(fileA)}: ${states.message}`);
    const isSame =
      titles.length === 0 &&
      !inputs?.first &&
      commands === undefined &&
      !hashes?.first &&
      (!states || states.outcome === "ok");

    if (args.has("json")) {
      const endings = [a.ending, b.ending];
      printJson({
        a: fileA,
        b: fileB,
        outcome: isSame ? "ok" : "differs",
        endings,
        titles,
        inputs,
        commands: commands === undefined ? undefined : { first: commands },
        hashes,
        states,
      });
      return isSame ? EXIT_OK : EXIT_FAILED;
    }
    const row = (name: string, text: string) => print(`${name.padEnd(9)}${indented(text, 9).trimStart()}`);
    for (const [file, { ending, message }] of [
      [fileA, a],
      [fileB, b],
    ] as const)
      if (ending !== "done") remark(`${escaped(file)}: ${message}.`);
    for (const { part, a: left, b: right } of titles)
      row(part, `${partText(part, left)} ≠ ${partText(part, right)}`);
    if (!isSameGame) {
      print("These are recordings of different simulations, so inputs and states are not compared.");
      return EXIT_FAILED;
    }
    const { ticks, differing, first } = inputs!;
    if (ticks < 0) row("inputs", "not compared: the files have no tick in common");
    else if (first) {
      const kinds = new Map(a.info.packing.slots.map(({ name, field }) => [name, field]));
      const fields = first.fields.map(({ player, name, a: left, b: right }) => {
        const field = kinds.get(name)!;
        return `player ${player}, ${escaped(name)}: ${valueText(left, field)} ≠ ${valueText(right, field)}`;
      });
      const head = `first differ in tick ${first.tick} (${differing.toLocaleString("en")} of ${count(ticks, "tick")} differ)`;
      row("inputs", [head, ...fields].join("\n"));
    } else row("inputs", `equal in ${count(ticks, "tick")}`);
    if (commands !== undefined) row("commands", `first differ in tick ${commands}`);
    if (hashes && modules.length === 0) {
      row(
        "states",
        hashes.first !== undefined
          ? `recorded hashes first differ in state ${hashes.first}${hashes.after === undefined ? "" : ` (state ${hashes.after} was equal)`}`
          : hashes.compared === 0
            ? "not compared: no state has a checkpoint in both files"
            : `equal in ${count(hashes.compared, "recorded hash")}`,
      );
      if (hashes.first !== undefined)
        row("", "use --sim MODULE to find the first state and the fields that differ");
    }
    if (states) row("states", await statesText(states));
    if (states?.outcome === "ok" && hashes?.first !== undefined)
      row(
        "hashes",
        `the recorded hashes first differ in state ${hashes.first}, but this simulation reaches the same states in both: one of the files was recorded by another build; replay verify shows which`,
      );
    return isSame ? EXIT_OK : EXIT_FAILED;
  },
};

async function statesText(report: Exclude<Report, { outcome: "other" | "unreadable" }>): Promise<string> {
  if (report.outcome === "ok") return `equal in ${count(report.compared!, "simulated state")}`;
  if (report.outcome !== "differs") return report.message;
  const { formatDifferences } = await import("../state/index.js");
  return `first differ in state ${report.tick}\n${formatDifferences(report.differences!)}`;
}
