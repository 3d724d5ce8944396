import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SOURCE = join(ROOT, "src") + sep;
const BUILT = join(ROOT, "dist") + sep;

/**
 * Gives pages the built package wherever they import the source of the library. Pages use scenes of the tests, which import the
 * source; without this, they would load the library twice.
 */
export const onlyPackage = (): Plugin => ({
  name: "tickwise-only-package",
  enforce: "pre",
  resolveId(id, importer) {
    if (!importer || !id.startsWith(".") || !id.endsWith(".js")) return undefined;
    const path = resolve(dirname(importer), id);
    return path.startsWith(SOURCE) ? BUILT + path.slice(SOURCE.length) : undefined;
  },
});
