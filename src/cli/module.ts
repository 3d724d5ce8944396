import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Args } from "./args.js";
import { EXTENSION, kindOf, statOf } from "./files.js";
import { CliError, UsageError } from "./cli-error.js";

/** A module of the command line: its path, the name of the export, and the path as it was given. */
export interface ModuleSpec {
  readonly path: string;
  readonly name: string | undefined;
  readonly shown: string;
}

/** Parses `game.js` or `game.js#name`. */
export function moduleOf(option: string, text: string, exportName: string | undefined): ModuleSpec {
  // The name of a file may contain a #, too.
  const at = existsSync(text) ? -1 : text.lastIndexOf("#");
  const shown = at < 0 ? text : text.slice(0, at);
  const name = at < 0 ? exportName : text.slice(at + 1);
  const stat = statOf(shown);
  if (!stat) throw new CliError(`${option} ${text}: no such file: ${resolve(shown)}`);
  if (!stat.isFile())
    throw new CliError(`${option} ${text}: not a file, but ${kindOf(stat)}. Give the file of the module.`);
  if (shown.endsWith(EXTENSION))
    throw new UsageError(
      `${option} ${text}: this is a recording, but ${option} wants the module that exports the simulation, such as game.js.`,
    );
  if (at >= 0 && exportName !== undefined)
    throw new UsageError(`${option} ${text} already names an export: leave out --export ${exportName}.`);
  if (name === "") throw new UsageError(`${option} ${text}: the name after # is missing.`);
  return { path: resolve(shown), name, shown };
}

/** Returns the modules of --sim and --against. */
export function modulesOf(args: Args, why: string): ModuleSpec[] {
  const exportName = args.text("export");
  const modules = [moduleOf("--sim", args.required("sim", "MODULE", why), exportName)];
  const against = args.text("against");
  if (against !== undefined) modules.push(moduleOf("--against", against, exportName));
  return modules;
}
