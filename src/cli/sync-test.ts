import { DEFAULT_TIMEOUT, EXPORT, JSON_LINES, SIM, TIMEOUT, type Command } from "./command.js";
import { escaped } from "./escape.js";
import { ALLOW, GUARD, guardingOf } from "./guarding.js";
import { modulesOf } from "./module.js";
import { runTask } from "./run-tasks.js";
import { count, indented, painted, print, printJson } from "./screen.js";
import { CliError, UsageError } from "./cli-error.js";
import { EXIT_FAILED, EXIT_OK } from "./exit-status.js";

export const synctest: Command = {
  name: "synctest",
  usage: "--sim MODULE [--ticks N] [--back N]",
  summary: "Test whether a simulation is deterministic",
  about: [
    "Simulates with random inputs. In every tick, it rolls back some ticks and simulates them again, and compares the result with a run without rollbacks and with copies made from snapshots. A simulation that depends on anything but its state and inputs will differ. Reports the first state that differs, and its fields.",
  ],
  operands: [0, 0, ""],
  options: {
    sim: SIM,
    export: EXPORT,
    ticks: { value: "N", about: "Ticks to simulate. Default: 600." },
    back: { value: "N", about: "Ticks to roll back, in every tick. Default: 8." },
    seed: { value: "SEED", about: "The seed of the simulation: a whole number or a text. Default: 0." },
    guard: GUARD,
    allow: ALLOW,
    timeout: TIMEOUT,
    json: JSON_LINES,
  },
  examples: [
    "tickwise synctest --sim dist/game.js --ticks 6000 --guard",
    "tickwise synctest --sim dist/game.js --guard --allow performance.now",
  ],
  async run(args) {
    const modules = modulesOf(args, "the module that exports the simulation to test");
    const ticks = args.whole("ticks", 1);
    const back = args.whole("back", 1);
    if (back !== undefined && back > 1000) throw new UsageError(`--back must be at most 1000, got ${back}.`);
    const text = args.text("seed");
    const seed = text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    const timeout = args.seconds("timeout", DEFAULT_TIMEOUT);
    const task = { kind: "synctest", ticks, back, seed, guard: await guardingOf(args) } as const;
    const report = await runTask(task, { modules, timeout });
    const [{ shown }] = modules as [(typeof modules)[0]];
    if (report.outcome === "unreadable") throw new CliError(`${escaped(shown)}: ${report.message}`);
    if (args.has("json")) printJson({ sim: shown, ...report });
    else if (report.outcome === "ok") {
      const { name, version, hash } = report;
      print(
        painted("green", "ok"),
        `  ${escaped(name)}, version ${version}: ${count(report.ticks!, "tick")}, each rolled back by ${back ?? 8} ticks and simulated again; hash ${hash}`,
      );
    } else print(painted("red", report.outcome), `  ${indented(report.message, 2).trimStart()}`);
    return report.outcome === "ok" ? EXIT_OK : EXIT_FAILED;
  },
};
