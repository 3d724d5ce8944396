// In a worker: modules in TypeScript, by Node itself where it can, else by a loader that the user has installed.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "./cli-error.js";

export const isTypeScript = (path: string): boolean => [".ts", ".mts", ".cts"].includes(extname(path));

/** What Node throws at what only a compiler can do: enums, and imports of .js that mean .ts. */
const BEYOND_NODE = new Set([
  "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX",
  "ERR_INVALID_TYPESCRIPT_SYNTAX",
  "ERR_MODULE_NOT_FOUND",
  "ERR_UNSUPPORTED_DIR_IMPORT",
]);

export async function importTypeScript(path: string, shown: string): Promise<unknown> {
  const { href } = pathToFileURL(path);
  let refusal: unknown;
  if ((process.features as { typescript?: string | false }).typescript) {
    try {
      return await import(href);
    } catch (error) {
      if (!BEYOND_NODE.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
      refusal = error;
    }
  }
  const { tsImport } = await loader<Tsx>("tsx", "./esm/api", path);
  if (tsImport) return tsImport(href, import.meta.url);
  const { createJiti } = await loader<Jiti>("jiti", ".", path);
  // This package is not to be there twice.
  if (createJiti) return createJiti(import.meta.url, { nativeModules: ["tickwise"] }).import(path);
  const install = "npm install --save-dev tsx (or jiti)";
  throw new CliError(
    refusal
      ? `${shown} is more TypeScript than Node can take alone: ${(refusal as Error).message}\nInstall a loader, by ${install}, or give a compiled .js file.`
      : `${shown} is TypeScript, which Node ${process.versions.node} cannot run.\nInstall a loader, by ${install}, or use Node 22.18 or newer, or give a compiled .js file.`,
  );
}

interface Tsx {
  tsImport(url: string, parent: string): Promise<unknown>;
}
interface Jiti {
  createJiti(from: string, options: object): { import(path: string): Promise<unknown> };
}

/** A package that the user has, where the command runs or where the module lies; or nothing of it. */
async function loader<T>(name: string, subpath: string, path: string): Promise<Partial<T>> {
  for (const folder of [process.cwd(), dirname(path)]) {
    let manifest: string;
    try {
      manifest = createRequire(join(folder, "_.js")).resolve(`${name}/package.json`);
    } catch {
      continue;
    }
    // As import would find it; require finds another file of it, and from here import finds none.
    const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { exports: Record<string, Target> };
    return (await import(new URL(targetOf(exports[subpath]!), pathToFileURL(manifest)).href)) as Partial<T>;
  }
  return {};
}

/** What a subpath of a package leads to: a file, or one by conditions. */
type Target = string | { readonly [condition: string]: Target };

const targetOf = (target: Target): string =>
  typeof target === "string" ? target : targetOf(target["import"] ?? target["default"]!);
