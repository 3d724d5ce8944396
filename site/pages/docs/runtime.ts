import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { SiteFile } from "../files.js";
import { BROWSER_MODULES, fileNameOf } from "./runnable.js";
import { REPOSITORY } from "./sources.js";

/** The folder of the code that pages run on demand. */
export const RUN_FOLDER = "run";

/**
 * Bundles the modules that code in the docs imports. The site's own chunks cannot serve: they hold only what the site uses.
 */
export async function runtimeFiles(): Promise<SiteFile[]> {
  const { outputFiles } = await build({
    entryPoints: BROWSER_MODULES.map((module) => ({ in: module, out: fileNameOf(module) })),
    absWorkingDir: REPOSITORY,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "eof",
    outdir: RUN_FOLDER,
    write: false,
    logLevel: "error",
  });
  const files = outputFiles.map(({ path, contents }) => ({
    path: `${RUN_FOLDER}/${path.split(/[/\\]/).at(-1)!}`,
    content: contents,
  }));
  return [...files, { path: `${RUN_FOLDER}/licenses.md`, content: licenses() }];
}

/** Returns the licences of the packages that are in the bundle. */
function licenses(): string {
  const packages = BROWSER_MODULES.filter((module) => !/^tickwise(\/|$)/.test(module));
  return packages
    .map((name) => {
      const folder = join(REPOSITORY, "node_modules", name);
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
      const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        license: string;
      };
      return `# ${name}\n\n${file ? readFileSync(join(folder, file), "utf8") : license}`;
    })
    .join("\n\n");
}
