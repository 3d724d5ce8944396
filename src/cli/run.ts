import { readFileSync } from "node:fs";
import { readArgs } from "./args.js";
import type { Command } from "./command.js";
import { cut } from "./cut.js";
import { desync } from "./desync.js";
import { diff } from "./diff.js";
import { overview, pageOf } from "./help.js";
import { info } from "./info.js";
import { lab } from "./lab.js";
import { nearest } from "../errors/index.js";
import { newProject } from "./new.js";
import { printInputs } from "./print.js";
import { complain, print } from "./screen.js";
import { serve } from "./serve.js";
import { stability } from "./stability.js";
import { synctest } from "./sync-test.js";
import { CliError, UsageError } from "./cli-error.js";
import { EXIT_ERROR, EXIT_OK } from "./exit-status.js";
import { verify } from "./verify.js";
import { worker } from "./worker-command.js";

const COMMANDS: readonly Command[] = [
  newProject,
  info,
  verify,
  diff,
  cut,
  printInputs,
  synctest,
  stability,
  desync,
  serve,
  worker,
  lab,
];
const NAMES = COMMANDS.map(({ name }) => name);

/** Runs the command line; returns the exit status. */
export async function run(argv: readonly string[]): Promise<number> {
  const [first] = argv;
  if (first === undefined || first === "--help" || first === "-h") {
    print(overview(COMMANDS));
    if (first !== undefined) return EXIT_OK;
    complain("no command given.");
    return EXIT_ERROR;
  }
  if (first === "--version" || first === "-v") {
    const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
    print((JSON.parse(manifest) as { version: string }).version);
    return EXIT_OK;
  }
  // "help replay verify" is "replay verify --help".
  const words = first === "help" ? argv.slice(1) : argv;
  if (words.length === 0) return run(["--help"]);
  const command = COMMANDS.find(({ name }) => name.split(" ").every((word, i) => word === words[i]));
  if (!command) return unknown(words);
  const rest = first === "help" ? ["--help"] : words.slice(command.name.split(" ").length);
  try {
    const args = readArgs(command, rest);
    if (args) return await command.run(args);
    print(pageOf(command));
    return EXIT_OK;
  } catch (error) {
    if (error instanceof UsageError)
      complain(`${command.name}: ${error.message}\nSee tickwise ${command.name} --help`);
    else if (error instanceof CliError) complain(error.message);
    // A bug of ours. Not EXIT_FAILED, which would say that something differs.
    else complain(`${command.name} failed: ${(error as Error)?.stack ?? String(error)}`);
    return error instanceof CliError ? error.status : EXIT_ERROR;
  }
}

function unknown(words: readonly string[]): number {
  const family = NAMES.filter((name) => name.startsWith(`${words[0]} `));
  const [, second] = words;
  if (family.length > 0 && (second === undefined || second === "--help" || second === "-h")) {
    const own = COMMANDS.filter(({ name }) => family.includes(name));
    print(overview(own));
    if (second !== undefined) return EXIT_OK;
    complain(`${words[0]} needs a subcommand: ${family.map((name) => name.split(" ")[1]).join(", ")}.`);
    return EXIT_ERROR;
  }
  const typed = words.slice(0, family.length > 0 ? 2 : 1).join(" ");
  if (typed.startsWith("-")) {
    const option = nearest(typed.replace(/^-+/, ""), ["help", "version"]);
    complain(
      `${option === undefined ? `no command given before ${typed}.` : `unknown option ${typed}. Did you mean --${option}?`}\nSee tickwise --help`,
    );
    return EXIT_ERROR;
  }
  const meant =
    nearest(typed, NAMES) ??
    nearest(words.slice(0, 2).join(" "), NAMES) ??
    partMeant(words[family.length > 0 ? 1 : 0]!);
  complain(
    `unknown command ${typed}. ${meant === undefined ? `Commands: ${NAMES.join(", ")}.` : `Did you mean ${meant}?`}\nSee tickwise --help`,
  );
  return EXIT_ERROR;
}

/** Suggests a name for half of one: "verify" alone, or "repaly". */
function partMeant(word: string): string | undefined {
  const halves = new Map(
    NAMES.flatMap((name) => {
      const [first, second] = name.split(" ") as [string, string?];
      return second === undefined
        ? []
        : [
            [second, name],
            [first, first],
          ];
    }),
  );
  const half = nearest(word, [...halves.keys()]);
  return half && halves.get(half);
}
