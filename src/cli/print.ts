import type { InputRun } from "../replay/index.js";
import { JSON_LINES, type Command } from "./command.js";
import { escaped } from "./escape.js";
import { painted, print, printJson, remark } from "./screen.js";
import { CliError, UsageError } from "./cli-error.js";
import { EXIT_ERROR, EXIT_OK } from "./exit-status.js";
import { readFile, restOf, valueText } from "./text.js";

export const printInputs: Command = {
  name: "replay print",
  usage: "FILE [--player N] [--from TICK] [--to TICK]",
  summary: "List the inputs of players",
  about: [
    "Lists the inputs of players. Each line is a run of ticks, first to last, during which the inputs of a player stay the same. It shows the buttons that are down and all other inputs that are not at rest, or - for none. Players are numbered from 0.",
    "With --json, `to` is the first tick after the run, and `values` has all inputs.",
  ],
  operands: [1, 1, "FILE"],
  options: {
    player: { value: "N", about: "Only this player." },
    from: { value: "TICK", about: "Only runs that end at this tick or later." },
    to: { value: "TICK", about: "Only runs that start before this tick." },
    json: JSON_LINES,
  },
  examples: ["tickwise replay print match.twr --player 1 --from 600"],
  async run(args) {
    const [file] = args.operands as [string];
    const { readReplay, inputRuns } = await import("../replay/index.js");
    const replay = readFile(file, readReplay);
    if (typeof replay === "string") throw new CliError(`${escaped(file)}: ${replay}`);
    const { slots } = replay.info.packing;
    const { players } = replay.info;
    const player = args.whole("player", 0);
    if (player !== undefined && player >= players)
      throw new UsageError(
        `--player must be ${players === 1 ? "0, the only player" : `from 0 to ${players - 1}`}, got ${player}.`,
      );
    const from = args.whole("from", 0) ?? 0;
    const to = args.whole("to", 0) ?? Infinity;
    const { first, last } = replay;
    if (from >= last && last > first)
      throw new UsageError(
        `--from must be from ${first} to ${last - 1}, the ticks of ${escaped(file)}, got ${from}.`,
      );
    if (from >= to) throw new UsageError(`--from must be less than --to, got ${from} and ${to}.`);
    const runs: InputRun[] = [];
    for (const run of inputRuns(replay))
      if ((player === undefined || run.player === player) && run.to > from && run.from < to) runs.push(run);
    runs.sort((a, b) => a.from - b.from || a.player - b.player);
    const width = `${replay.last}`.length;
    if (!args.has("json")) print(painted("bold", `${"ticks".padEnd(2 * width + 3)}  player  inputs`));
    for (const run of runs) {
      if (args.has("json")) {
        printJson(run);
        continue;
      }
      const inputs = slots.flatMap(({ name, field }) => {
        const value = run.values[name]!;
        if (value === restOf(field)) return [];
        return field.kind === "button" ? [escaped(name)] : [`${escaped(name)} ${valueText(value, field)}`];
      });
      const ticks = `${`${run.from}`.padStart(width)} - ${`${run.to - 1}`.padStart(width)}`;
      print(`${ticks}  ${`${run.player}`.padStart(6)}  ${inputs.join(", ") || "-"}`);
    }
    if (replay.ending !== "done") remark(`${escaped(file)}: ${replay.message}.`);
    return replay.ending === "damaged" ? EXIT_ERROR : EXIT_OK;
  },
};
