import { DEFAULT_TIMEOUT, EXPORT, JSON_LINES, SIM, TIMEOUT, type Command } from "./command.js";
import { escaped } from "./escape.js";
import { ALLOW, GUARD, guardingOf } from "./guarding.js";
import { modulesOf } from "./module.js";
import { runTasks } from "./run-tasks.js";
import { count, indented, painted, print, printJson } from "./screen.js";
import type { Report } from "./tasks.js";
import { EXIT_DIFFERS, CliError, EXIT_OK, UsageError } from "./cli-error.js";

export const synctest: Command = {
  name: "synctest",
  usage: "--sim MODULE [--ticks N] [--back N]",
  summary: "Is the simulation deterministic?",
  about: [
    "Simulates with inputs by chance, and in every tick rolls back some ticks and simulates them again; beside it, a run that never does, and copies that are made from snapshots. What depends on anything but state and inputs comes out differently: the first tick and its fields are told.",
  ],
  operands: [0, 0, ""],
  options: {
    sim: SIM,
    export: EXPORT,
    ticks: { value: "N", about: "How many to simulate. Default 600." },
    back: { value: "N", about: "How many to roll back, in each. Default 8." },
    seed: { value: "SEED", about: "What chance begins with: a whole number or a text. Default 0." },
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
    const modules = modulesOf(args, "the module whose simulation is to be tested");
    const ticks = args.whole("ticks", 1);
    const back = args.whole("back", 1);
    if (back !== undefined && back > 1000) throw new UsageError(`--back must be at most 1000, got ${back}.`);
    const text = args.text("seed");
    const seed = text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    let found: Report | undefined;
    const told = (report: Report) => void (found = report);
    const timeout = args.seconds("timeout", DEFAULT_TIMEOUT);
    const task = { kind: "synctest", ticks, back, seed, guard: await guardingOf(args) } as const;
    await runTasks([task], { modules, jobs: 1, timeout, told });
    const report = found as unknown as Report;
    const [{ shown }] = modules as [(typeof modules)[0]];
    if (report.outcome === "unreadable") throw new CliError(`${escaped(shown)}: ${report.message}`);
    if (args.has("json")) printJson({ sim: shown, ...report });
    else if (report.outcome === "ok") {
      const { name, version, hash } = report;
      print(
        painted("green", "ok"),
        `  ${escaped(name)}, version ${version}: ${count(report.ticks!, "tick")}, each rolled back by ${back ?? 8} and done again; hash ${hash}`,
      );
    } else print(painted("red", report.outcome), `  ${indented(report.message, 2).trimStart()}`);
    return report.outcome === "ok" ? EXIT_OK : EXIT_DIFFERS;
  },
};
