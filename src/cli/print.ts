import { JSON_LINES, type Command } from "./command.js";
import { escaped } from "./escape.js";
import { painted, print, printJson, remark } from "./screen.js";
import { CliError, UsageError } from "./cli-error.js";
import { EXIT_ERROR, EXIT_OK } from "./exit-status.js";
import { readFile, restOf, valueText } from "./text.js";

export const printInputs: Command = {
  name: "replay print",
  usage: "FILE [--player N] [--from TICK] [--to TICK]",
  summary: "List the inputs and commands of players",
  about: [
    "Lists the inputs of players. Each line is a run of ticks, first to last, during which the inputs of a player stay the same. It shows the buttons that are down and all other inputs that are not at rest, or - for none. Players are numbered from 0.",
    "A command of a player has a line of its own, with the tick that executed it, its name and its fields.",
    "With --json, `to` is the first tick after the run, and `values` has all inputs. Commands have `tick` and `command`, their name, instead.",
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
    const { readReplay, inputRuns, recordedCommands } = await import("../replay/index.js");
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
    const isWanted = (one: number, begin: number, end: number) =>
      (player === undefined || one === player) && end > from && begin < to;
    const lines: Line[] = [];
    for (const run of inputRuns(replay))
      if (isWanted(run.player, run.from, run.to)) {
        const inputs = slots.flatMap(({ name, field }) => {
          const value = run.values[name]!;
          if (value === restOf(field)) return [];
          return field.kind === "button" ? [escaped(name)] : [`${escaped(name)} ${valueText(value, field)}`];
        });
        lines.push({ ...run, text: inputs.join(", ") || "-", json: run });
      }
    for (const { tick, player: by, name, values } of recordedCommands(replay))
      if (isWanted(by, tick, tick + 1)) {
        const fields = Object.entries(values).map(
          ([field, value]) => `${field} ${JSON.stringify(plain(value))}`,
        );
        const text = escaped([name, fields.join(", ")].join(" ").trimEnd());
        const shown = Object.fromEntries(
          Object.entries(values).map(([field, value]) => [field, plain(value)]),
        );
        lines.push({
          from: tick,
          player: by,
          text,
          json: { tick, player: by, command: name, values: shown },
        });
      }
    lines.sort((a, b) => a.from - b.from || a.player - b.player);
    const width = `${replay.last}`.length;
    if (!args.has("json")) print(painted("bold", `${"ticks".padEnd(2 * width + 3)}  player  inputs`));
    for (const { from: begin, to: end, player: by, text, json } of lines) {
      if (args.has("json")) {
        printJson(json);
        continue;
      }
      const until = end === undefined ? "" : ` - ${`${end - 1}`.padStart(width)}`;
      const ticks = `${`${begin}`.padStart(width)}${until}`.padEnd(2 * width + 3);
      print(`${ticks}  ${`${by}`.padStart(6)}  ${text}`);
    }
    if (replay.ending !== "done") remark(`${escaped(file)}: ${replay.message}.`);
    return replay.ending === "damaged" ? EXIT_ERROR : EXIT_OK;
  },
};

/** A run of inputs, or a command. */
interface Line {
  readonly from: number;
  /** The first tick after a run; a command has none. */
  readonly to?: number;
  readonly player: number;
  readonly text: string;
  readonly json: unknown;
}

/** Bytes as a list of numbers; other values as they are. */
const plain = (value: unknown): unknown => (value instanceof Uint8Array ? [...value] : value);
