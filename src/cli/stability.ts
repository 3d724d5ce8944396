import type { Args } from "./args.js";
import { CliError, UsageError } from "./cli-error.js";
import { DEFAULT_TIMEOUT, EXPORT, JSON_LINES, SIM, TIMEOUT, type Command } from "./command.js";
import { escaped } from "./escape.js";
import { EXIT_FAILED, EXIT_OK } from "./exit-status.js";
import { moduleOf, type ModuleSpec } from "./module.js";
import { runTask } from "./run-tasks.js";
import { indented, painted, print, printJson } from "./screen.js";
import type { StabilityTask } from "./stability-task.js";
import { boundsText, limitText, rateText, rungText } from "./stability-text.js";

const DEFAULT_SECONDS = 10;
const DEFAULT_FACTOR = 10;
const MAX_SECONDS = 3600;
const MAX_RATE = 1e5;

export const stability: Command = {
  name: "stability",
  usage: "MODULE [--field NAME] [--rates HERTZ]",
  summary: "Find the rates at which a simulation is stable",
  about: [
    "Runs a simulation at several rates, from a quarter to four times its own, and reports at which ones it goes out of bounds. Then it narrows down the limit to a whole number of steps per second.",
    "It measures what the module's export energy(world) returns, if there is such a function; else every f64 and f32 field. A number is out of bounds if it is NaN, or more than ten times as large as at the highest rate. --factor, --min and --max set other bounds.",
    "Players press random inputs, at the same times at every rate. The exit status is 1 if the simulation is out of bounds at its own rate.",
  ],
  operands: [0, 1, "MODULE"],
  options: {
    sim: SIM,
    export: EXPORT,
    rates: {
      value: "HERTZ",
      isList: true,
      about: "Rates to try, such as 30,60,120. The declared one is always tried.",
    },
    field: {
      value: "NAME",
      about: "Measure this field, or the fields of this part, such as crates.vx or crates.",
    },
    energy: { value: "NAME", about: "Measure what this exported function returns. Default: energy." },
    factor: { value: "N", about: "How much larger than at the highest rate is in bounds. Default: 10." },
    min: { value: "N", about: "The smallest value in bounds, instead of --factor." },
    max: { value: "N", about: "The largest value in bounds, instead of --factor." },
    seconds: { value: "SECONDS", about: "Simulated seconds at each rate. Default: 10." },
    idle: { about: "Players do nothing." },
    seed: { value: "SEED", about: "The seed of the simulation: a whole number or a text. Default: 0." },
    timeout: TIMEOUT,
    json: JSON_LINES,
  },
  examples: [
    "tickwise stability game.ts",
    "tickwise stability game.ts --field crates.vy --max 500 --rates 20,30,60",
  ],
  async run(args) {
    const module = moduleIn(args);
    const task = taskOf(args);
    const timeout = args.seconds("timeout", DEFAULT_TIMEOUT);
    const report = await runTask(task, { modules: [module], timeout });
    if (report.outcome === "unreadable") throw new CliError(`${escaped(module.shown)}: ${report.message}`);
    if (report.outcome !== "ok" || !report.stability) {
      const { outcome } = report;
      const message = "message" in report ? report.message : "";
      if (args.has("json")) printJson({ sim: module.shown, ...report });
      else print(painted("red", outcome), `  ${indented(message, 2).trimStart()}`);
      return EXIT_FAILED;
    }
    const { name, version, stability: found } = report;
    const isStable = found.rungs.some(({ rate, isStable: isIn }) => rate === found.declared && isIn);
    if (args.has("json"))
      printJson({ sim: module.shown, outcome: isStable ? "ok" : "unstable", name, version, ...found });
    else {
      print(
        `${escaped(name)}, version ${version}: ${task.seconds} s at each rate; bounds: ${boundsText(task, found)}`,
      );
      for (const rung of found.rungs)
        print(
          `${rateText(rung)}  `,
          rung.isStable ? painted("green", "ok      ") : painted("red", "unstable"),
          `  ${rungText(rung, found.declared)}`,
        );
      print(limitText(found));
    }
    return isStable ? EXIT_OK : EXIT_FAILED;
  },
};

/** Returns the module, which is an operand or the value of --sim. */
function moduleIn(args: Args): ModuleSpec {
  const [operand] = args.operands;
  const sim = args.text("sim");
  if (operand !== undefined && sim !== undefined)
    throw new UsageError(`the module is given twice: ${operand} and --sim ${sim}.`);
  const given = operand ?? sim;
  if (given === undefined) throw new UsageError("MODULE is missing: the file that exports the simulation.");
  return moduleOf(operand === undefined ? "--sim" : "MODULE", given, args.text("export"));
}

function taskOf(args: Args): StabilityTask {
  const text = args.text("seed");
  const [field, energy] = [args.text("field"), args.text("energy")];
  if (field !== undefined && energy !== undefined)
    throw new UsageError("--field and --energy exclude each other: give one of them.");
  const [min, max, factor] = [numberOf(args, "min"), numberOf(args, "max"), numberOf(args, "factor")];
  const hasBounds = min !== undefined || max !== undefined;
  if (factor !== undefined && hasBounds)
    throw new UsageError("--factor and --min or --max exclude each other: give one kind of bounds.");
  if (factor !== undefined && factor < 1) throw new UsageError(`--factor must be 1 or more, got ${factor}.`);
  if (min !== undefined && max !== undefined && min > max)
    throw new UsageError(`--min must be at most --max, got ${min} and ${max}.`);
  const seconds = args.seconds("seconds", DEFAULT_SECONDS, MAX_SECONDS);
  return {
    kind: "stability",
    rates: args.list("rates").map(rateOf),
    seconds,
    seed: text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : text,
    isIdle: args.has("idle"),
    field,
    energy,
    min,
    max,
    factor: factor ?? DEFAULT_FACTOR,
  };
}

function numberOf(args: Args, name: string): number | undefined {
  const text = args.text(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && /\d/.test(text)) return value;
  throw new UsageError(`--${name} must be a number, got ${text}.`);
}

function rateOf(text: string): number {
  const rate = /^\d*\.?\d+$/.test(text) ? Number(text) : NaN;
  if (rate > 0 && rate <= MAX_RATE) return rate;
  throw new UsageError(
    `--rates must be steps per second, up to ${MAX_RATE}, such as 30,60,120, got ${text}.`,
  );
}
