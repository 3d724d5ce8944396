import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Args } from "./args.js";
import { kindOf, statOf } from "./files.js";
import { CliError, UsageError } from "./cli-error.js";

/** A module that is said to export a simulation: its path, which export, and as it was given. */
export interface ModuleSpec {
  readonly path: string;
  readonly name: string | undefined;
  readonly shown: string;
}

/** Reads `game.js` or `game.js#name`. */
function moduleOf(option: string, text: string, usual: string | undefined): ModuleSpec {
  // A file's own name may have the sign, too.
  const at = existsSync(text) ? -1 : text.lastIndexOf("#");
  const shown = at < 0 ? text : text.slice(0, at);
  const name = at < 0 ? usual : text.slice(at + 1);
  const stat = statOf(shown);
  if (!stat) throw new CliError(`${option} ${text}: there is no file ${resolve(shown)}.`);
  if (!stat.isFile()) throw new CliError(`${option} ${text}: it is ${kindOf(stat)}; give the module's file.`);
  if (at >= 0 && usual !== undefined)
    throw new UsageError(`${option} ${text} names an export already: leave out --export ${usual}.`);
  if (name === "") throw new UsageError(`${option} ${text}: the name after # is missing.`);
  return { path: resolve(shown), name, shown };
}

/** The modules that --sim and --against name. */
export function modulesOf(args: Args, why: string): ModuleSpec[] {
  const usual = args.text("export");
  const modules = [moduleOf("--sim", args.required("sim", "MODULE", why), usual)];
  const against = args.text("against");
  if (against !== undefined) modules.push(moduleOf("--against", against, usual));
  return modules;
}
