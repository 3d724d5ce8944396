import { transform } from "esbuild";

/** The modules that code in the docs may import in a browser. */
export const BROWSER_MODULES: readonly string[] = [
  "tickwise",
  ...["audio", "blend", "hud", "input", "integrate", "math", "net", "presets", "rapier", "replay"].map(of),
  ...["sim", "state", "stepping", "testing"].map(of),
  "@dimforge/rapier2d-deterministic-compat",
  "@dimforge/rapier3d-deterministic-compat",
  "cannon-es",
  "koota",
  "matter-js",
  "three",
];

function of(subpath: string): string {
  return `tickwise/${subpath}`;
}

/** Names that only Node has, or that mean something else in a module of the site. */
const NODE_ONLY = /\b(Buffer|process|require|import\.meta)\b/;

const IMPORT = /^import\s+(?:type\s+)?(?:[^"';]*?\sfrom\s+)?"([^"]+)";$/gm;

/** Whether a block of code, fenced as `ts`, also runs in a browser. */
export const runsInBrowser = (code: string): boolean =>
  !NODE_ONLY.test(code) &&
  !/\bimport\(/.test(code) &&
  [...code.matchAll(IMPORT)].every(([, from]) => BROWSER_MODULES.includes(from!));

/** The name of a file, without its ending, for a module. */
export const fileNameOf = (module: string): string => module.replace(/\W+/g, "-").replace(/^-/, "");

/**
 * Compiles a block to a module whose default export runs it with a console. Unlike a module's own code, it can run more than
 * once.
 */
export async function runnableModule(code: string): Promise<string> {
  const { code: script } = await transform(code, { loader: "ts", format: "esm", target: "es2022" });
  const imports = [...script.matchAll(IMPORT)].map(([text, from]) =>
    text.replace(`"${from}"`, `"./${fileNameOf(from!)}.js"`),
  );
  const body = script.replace(IMPORT, "").replace(/^export \{[^}]*\};$/gm, "");
  return `${imports.join("\n")}\nexport default async (console) => {\n${body.trim()}\n};\n`;
}
