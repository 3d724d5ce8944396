// In a worker: imports modules in TypeScript, by Node itself if it can, or by a loader of the user's project.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "./cli-error.js";

export const isTypeScript = (path: string): boolean => [".ts", ".mts", ".cts"].includes(extname(path));

/** Errors of Node for code that needs a compiler: enums, and imports of .js that mean .ts. */
const NEEDS_LOADER = new Set([
  "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX",
  "ERR_INVALID_TYPESCRIPT_SYNTAX",
  "ERR_MODULE_NOT_FOUND",
  "ERR_UNSUPPORTED_DIR_IMPORT",
]);

const INSTALL = "Install a loader with npm install --save-dev tsx (or jiti)";

export async function importTypeScript(path: string, shown: string): Promise<unknown> {
  const { href } = pathToFileURL(path);
  let nodeError: unknown;
  if ((process.features as { typescript?: string | false }).typescript) {
    try {
      return await import(href);
    } catch (error) {
      if (!NEEDS_LOADER.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
      nodeError = error;
    }
  }
  const { tsImport } = await loader<Tsx>("tsx", "./esm/api", path);
  if (tsImport) return tsImport(href, import.meta.url);
  const { createJiti } = await loader<Jiti>("jiti", ".", path);
  // Share this package with the module, instead of loading a second copy.
  if (createJiti) return createJiti(import.meta.url, { nativeModules: ["tickwise"] }).import(path);
  throw new CliError(
    nodeError
      ? `${shown} uses TypeScript that Node alone cannot run: ${(nodeError as Error).message}\n${INSTALL}, or give a compiled .js file.`
      : `${shown} is TypeScript, which Node ${process.versions.node} cannot run.\n${INSTALL}, use Node 22.18 or newer, or give a compiled .js file.`,
  );
}

interface Tsx {
  tsImport(url: string, parent: string): Promise<unknown>;
}
interface Jiti {
  createJiti(from: string, options: object): { import(path: string): Promise<unknown> };
}

/** Imports a package from the current folder or that of the module; returns an empty object if it is not installed. */
async function loader<T>(name: string, subpath: string, path: string): Promise<Partial<T>> {
  for (const folder of [process.cwd(), dirname(path)]) {
    let manifest: string;
    try {
      manifest = createRequire(join(folder, "_.js")).resolve(`${name}/package.json`);
    } catch {
      continue;
    }
    // Resolve as import does: require resolves to another file, and import from here would not find the package.
    const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { exports: Record<string, Target> };
    return (await import(new URL(targetOf(exports[subpath]!), pathToFileURL(manifest)).href)) as Partial<T>;
  }
  return {};
}

/** The target of a subpath in package.json: a file, or one file per condition. */
type Target = string | { readonly [condition: string]: Target };

const targetOf = (target: Target): string =>
  typeof target === "string" ? target : targetOf(target["import"] ?? target["default"]!);
